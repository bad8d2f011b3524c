//! The sandbox of macOS: a profile for `sandbox-exec` that allows only what it names, and limits set by the shell.
//! Written from the profiles that the system ships (`/System/Library/Sandbox/Profiles`) and tested as text: no Mac has
//! run it. It is used only if its proof holds, as every sandbox here.

use std::io;
use std::process::Stdio;

use camino::{Utf8Path, Utf8PathBuf};
use tokio::process::Command;
use tokio::sync::OnceCell;

use super::proof::Stage;
use super::{PROGRAMS, SandboxError, Scratch, Starter, missing, program_in};
use crate::tool::ToolError;
use crate::tool::script::{self, Program, Script};
use config::{Network, Policy, ProcessLimits};
use harness::ScriptOutput;
use trace::{Enforcement, Layer, Measure};
use wording::message;

/// Seatbelt, as this machine has it, which has proved that it confines.
#[derive(Debug, Clone)]
pub struct Seatbelt;

impl Seatbelt {
    /// The first call of a process proves that it confines; the others get the same answer.
    pub async fn find() -> Result<Self, SandboxError> {
        static FOUND: OnceCell<Result<Seatbelt, SandboxError>> = OnceCell::const_new();
        FOUND.get_or_init(found).await.clone()
    }

    async fn prove(&self) -> Result<(), SandboxError> {
        let stage = Stage::ready().await?;
        let (script, policy) = stage.trial()?;
        let shown = std::slice::from_ref(&stage.folder);
        stage.judge_trial(self.run_script(&script, shown, &stage.work, &policy).await)
    }

    /// The restrictions for a script that is run with [`Self::run_script`].
    pub fn enforcement(&self, program: &str, policy: &Policy) -> Enforcement {
        let mut missing =
            vec![Measure::Temporary, Measure::Processes, Measure::SystemCalls, Measure::Rules, Measure::Memory];
        let mut reason = message!(
            "under macOS's own sandbox names of other files can be seen, /tmp is closed (temporary files lie in TMPDIR), \
             and what leaves its group of processes can outlive the run; this has never been tried on a Mac by those who \
             wrote it",
            "在 macOS 自带的沙箱下，其他文件的名称可以看到，/tmp 不可用（临时文件放在 TMPDIR），脱离进程组的程序可能在运行结束后继续存在；\
             编写者从未在 Mac 上试过它"
        );
        if policy.network == Network::Allowed {
            missing.push(Measure::Network);
            let more = message!("you allowed the network for this run", "你允许本次运行使用网络");
            reason = message!("{reason}; {more}", "{reason}；{more}"; reason, more);
        }
        Enforcement::full(Layer::Seatbelt, program_of_system(program)).without(&missing, reason)
    }

    /// Runs a program for a model as [`script::run`] does, but confined. `shown`: files and folders that it may read in
    /// addition to the system's. `work`: the folder that it may write to.
    pub(in crate::tool) async fn run_script(
        &self,
        script: &Script,
        shown: &[Utf8PathBuf],
        work: &Utf8Path,
        policy: &Policy,
    ) -> Result<ScriptOutput, ToolError> {
        let own = &script.working_directory;
        if !own.is_dir() {
            return Err(ToolError::WorkingDirectoryMissing { path: own.clone() });
        }
        let name = script.program.name();
        let program = program_of_system(name).ok_or_else(|| missing(name))?;
        let scratch = Scratch::new(Starter::User).map_err(failed)?;
        let readable: Vec<Utf8PathBuf> = shown.iter().map(|path| real(path)).collect();
        let writable = [real(work), real(&scratch.temporary)];
        let profile = profile(&readable, &writable, policy.network);

        let mut command = Command::new(SANDBOX_EXEC);
        command.env_clear().current_dir(own).stdin(Stdio::null());
        scratch.surround(&mut command, work, policy);
        command.env("LANG", "en_US.UTF-8");
        command.args(["-p", &profile, "/bin/bash", "-c", &start(policy.limits), program.as_str()]);
        match &script.program {
            Program::File { path, arguments, .. } => command.arg(path).args(arguments),
            Program::Shell { command: line } => command.args(["-c", line]),
        };
        script::follow(command, name, script.time, script.output_bytes).await
    }
}

async fn found() -> Result<Seatbelt, SandboxError> {
    if !cfg!(target_os = "macos") {
        return Err(SandboxError::System);
    }
    if !Utf8Path::new(SANDBOX_EXEC).is_file() {
        return Err(SandboxError::Missing { program: "sandbox-exec", package: "macOS" });
    }
    Seatbelt.prove().await?;
    Ok(Seatbelt)
}

const SANDBOX_EXEC: &str = "/usr/bin/sandbox-exec";

/// The readable parts of the system and the folders of its programs: its own, and those of the usual installers.
const SYSTEM: [&str; 10] = [
    "/usr",
    "/bin",
    "/sbin",
    "/System",
    "/Library/Apple",
    "/Library/Developer/CommandLineTools",
    "/Library/Frameworks",
    "/opt/homebrew",
    "/private/var/db/dyld",
    "/private/var/select",
];

/// The path of a program of the system, if its real file may be run inside.
fn program_of_system(name: &str) -> Option<Utf8PathBuf> {
    let homebrew = std::iter::once("/opt/homebrew/bin");
    program_in(name, PROGRAMS.into_iter().chain(homebrew), &SYSTEM)
}

/// Rules are about real paths: `/tmp` and `/var` are links there.
fn real(path: &Utf8Path) -> Utf8PathBuf {
    path.canonicalize_utf8().unwrap_or_else(|_| path.to_owned())
}

fn failed(source: io::Error) -> ToolError {
    ToolError::Start { interpreter: "sandbox-exec".to_owned(), source }
}

/// In the language of the system's profiles: all is denied that is not named; of two rules the later one holds.
fn profile(readable: &[Utf8PathBuf], writable: &[Utf8PathBuf], network: Network) -> String {
    let system: Vec<&Utf8Path> = SYSTEM.iter().map(Utf8Path::new).collect();
    let all = system.iter().copied().chain(readable.iter().chain(writable).map(|path| &**path));
    let mut rules = vec![
        "(version 1)".to_owned(),
        "(deny default)".to_owned(),
        "(allow process-fork)".to_owned(),
        "(allow signal process-info* (target same-sandbox))".to_owned(),
        "(allow sysctl-read)".to_owned(),
        "(allow file-read-metadata)".to_owned(),
        "(allow file-read* (literal \"/\") (literal \"/dev/random\") (literal \"/dev/urandom\"))".to_owned(),
        "(allow file-read* file-write-data (literal \"/dev/null\") (literal \"/dev/zero\"))".to_owned(),
        format!("(allow process-exec{})", below(system.iter().copied().chain(readable.iter().map(|path| &**path)))),
        format!("(allow file-read*{})", below(all)),
        format!("(allow file-write*{})", below(writable.iter().map(|path| &**path))),
    ];
    if network == Network::Allowed {
        rules.push("(allow network-outbound)".to_owned());
        rules.push("(allow mach-lookup (global-name \"com.apple.dnssd.service\"))".to_owned());
        rules.push(
            "(allow file-read* (literal \"/private/etc/resolv.conf\") (subpath \"/private/etc/ssl\"))".to_owned(),
        );
    }
    rules.push(String::new());
    rules.join("\n")
}

fn below<'a>(paths: impl Iterator<Item = &'a Utf8Path>) -> String {
    paths.map(|path| format!(" (subpath {})", quoted(path.as_str()))).collect()
}

/// A string of that language: its only signs are the quotation mark and the backslash.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The shell lowers its own limits and becomes the program. There is no limit of memory on this system.
fn start(limits: ProcessLimits) -> String {
    let ProcessLimits { processes, file_mb, cpu_seconds, open_files, memory_mb: _, folder_mb: _ } = limits;
    // Files are counted in blocks of 512 bytes.
    let blocks = u64::from(file_mb) * 2048;
    format!(
        "ulimit -c 0 && ulimit -t {cpu_seconds} && ulimit -f {blocks} && ulimit -n {open_files} && ulimit -u {processes} && \
         exec \"$0\" \"$@\""
    )
}

#[cfg(test)]
mod tests {
    use super::super::PROBE_LIMITS;
    use super::*;

    #[test]
    fn allows_what_is_named_and_nothing_else() {
        let (skill, work) = (Utf8PathBuf::from("/Users/ada/a \"b\\c"), Utf8PathBuf::from("/private/var/run-1"));
        let system = r#"(subpath "/usr") (subpath "/bin") (subpath "/sbin") (subpath "/System") (subpath "/Library/Apple") (subpath "/Library/Developer/CommandLineTools") (subpath "/Library/Frameworks") (subpath "/opt/homebrew") (subpath "/private/var/db/dyld") (subpath "/private/var/select")"#;
        let skill_rule = r#"(subpath "/Users/ada/a \"b\\c")"#;
        let closed = format!(
            r#"(version 1)
(deny default)
(allow process-fork)
(allow signal process-info* (target same-sandbox))
(allow sysctl-read)
(allow file-read-metadata)
(allow file-read* (literal "/") (literal "/dev/random") (literal "/dev/urandom"))
(allow file-read* file-write-data (literal "/dev/null") (literal "/dev/zero"))
(allow process-exec {system} {skill_rule})
(allow file-read* {system} {skill_rule} (subpath "/private/var/run-1"))
(allow file-write* (subpath "/private/var/run-1"))
"#
        );
        let (skill, work) = ([skill], [work]);
        assert_eq!(profile(&skill, &work, Network::Denied), closed);
        let open = format!(
            r#"{closed}(allow network-outbound)
(allow mach-lookup (global-name "com.apple.dnssd.service"))
(allow file-read* (literal "/private/etc/resolv.conf") (subpath "/private/etc/ssl"))
"#
        );
        assert_eq!(profile(&skill, &work, Network::Allowed), open);
    }

    #[test]
    fn limits_come_before_the_program() {
        let limits =
            ProcessLimits { processes: 64, memory_mb: 512, file_mb: 2, cpu_seconds: 10, open_files: 100, folder_mb: 1 };
        assert_eq!(
            start(limits),
            r#"ulimit -c 0 && ulimit -t 10 && ulimit -f 4096 && ulimit -n 100 && ulimit -u 64 && exec "$0" "$@""#
        );
    }

    /// The shell is the same everywhere: limits hold in what it becomes.
    #[cfg(unix)]
    #[test]
    fn the_shell_keeps_limits_and_arguments() {
        let limits = ProcessLimits { open_files: 77, processes: 4096, ..PROBE_LIMITS };
        let said = std::process::Command::new("bash")
            .args(["-c", &start(limits), "bash", "-c", "ulimit -n; echo \"$1\"", "x", "two words"])
            .output()
            .expect("a shell");
        assert_eq!(String::from_utf8_lossy(&said.stdout), "77\ntwo words\n");
    }

    #[tokio::test]
    async fn is_found_on_macos_alone() {
        if cfg!(not(target_os = "macos")) {
            assert_eq!(Seatbelt::find().await.err(), Some(SandboxError::System));
        }
    }
}
