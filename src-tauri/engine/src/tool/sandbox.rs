//! Runs untrusted programs so that they can do no harm: a program sees the system's programs and a few folders, and may
//! write to one of them. It has no network, no processes but its own, no terminal and an environment without secrets,
//! and it is killed with all it started at a time limit. On Linux by bubblewrap with Landlock inside, or by Landlock
//! alone, on macOS by Seatbelt. Nothing here ever runs a script unconfined instead.
//!
//! Not limited: the total that a script writes to its `/tmp`, only each file. Not hidden: the real paths of the
//! folders, which `/proc/self/mountinfo` shows.

#[cfg(target_os = "linux")]
mod calls;
pub mod landlock;
mod left;
mod proof;
pub(super) mod seatbelt;
#[cfg(test)]
mod tests;

use std::fs::File;
use std::io::{PipeReader, Read, Write};
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use tempfile::TempDir;
use tokio::process::Command;
use tokio::sync::OnceCell;

use super::ToolError;
use super::files::Snapshot;
use super::script::{self, Program, Script};
use config::{Network, Policy, ProcessLimits};
use harness::ScriptOutput;
use skill::paths::Paths;
use trace::{Enforcement, Layer, Measure, WrittenFile};
use wording::{Message, Wording, message};

/// A way to run scripts confined, which has proved that it confines.
#[derive(Debug, Clone)]
pub struct Sandbox {
    bubblewrap: Utf8PathBuf,
    /// Which starts it.
    shell: Utf8PathBuf,
    starter: Starter,
    /// The program that puts Landlock's rules on, inside; else why there are none.
    rules: Result<Utf8PathBuf, Message>,
}

/// Why there is no sandbox.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.worded().en)]
pub enum SandboxError {
    System,
    Missing {
        program: &'static str,
        package: &'static str,
    },
    Refused {
        reason: Message,
    },
    Open {
        breach: Wording,
    },
    Unproved {
        reason: Message,
    },
    /// For trying the next one.
    LeftOut,
    Kernel {
        reason: Message,
    },
}

impl SandboxError {
    /// Why nothing can be confined, and what to do.
    pub fn worded(&self) -> Message {
        match self {
            Self::System => message!(
                "there is no such sandbox for this system; leave out what needs one",
                "此系统没有这种沙箱；请去掉需要沙箱的部分"
            ),
            Self::Missing { program, package } => message!(
                "{program} is not installed, and without it there is no sandbox; install {package}",
                "没有安装 {program}，因此没有沙箱；请安装 {package}"
            ),
            Self::Refused { reason } => message!(
                "bubblewrap cannot set up a sandbox here: {reason}; allow user namespaces (in a container: more \
                 privileges), or leave out what needs a sandbox",
                "bubblewrap 无法在此建立沙箱：{reason}；请允许用户命名空间（在容器中则需要更多权限），或去掉需要沙箱的部分";
                reason
            ),
            Self::Open { breach } => message!(
                "the sandbox does not hold, so nothing is run in it: a script inside {breach}",
                "沙箱不可靠，因此没有在其中运行任何东西：其中的脚本{breach}";
                breach
            ),
            Self::Unproved { reason } => message!(
                "it cannot be proved that the sandbox holds, so nothing is run in it: {reason}",
                "无法证实沙箱可靠，因此没有在其中运行任何东西：{reason}";
                reason
            ),
            Self::LeftOut => message!("bubblewrap was left out", "未使用 bubblewrap"),
            Self::Kernel { reason } => reason.clone(),
        }
    }
}

/// What to ask for help: a script in a folder that it sees as [`SHOWN_AS`], with a fresh folder to write in.
#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    /// By its name, e.g. `python3`; see [`Sandbox::has`].
    pub interpreter: String,
    /// The only folder that is shown, as [`SHOWN_AS`].
    pub folder: Utf8PathBuf,
    /// In the folder.
    pub script: String,
    pub arguments: Vec<String>,
    pub time: Duration,
    /// Bytes kept of stdout, and again of stderr.
    pub output_bytes: usize,
}

/// What a script did.
#[derive(Debug, Clone, PartialEq)]
pub struct Conduct {
    pub output: ScriptOutput,
    /// In its working folder.
    pub wrote: Vec<WrittenFile>,
    /// It read from standard input, which holds a few blank lines.
    pub read_input: bool,
}

/// The path at which a confined script sees its own folder.
pub const SHOWN_AS: &str = "/skill";

impl Sandbox {
    /// The sandbox of this machine. The first call of a process proves that it confines; the others get the same answer.
    pub async fn find() -> Result<Self, SandboxError> {
        static FOUND: OnceCell<Result<Sandbox, SandboxError>> = OnceCell::const_new();
        FOUND.get_or_init(found).await.clone()
    }

    /// As the kernel counts. A process that becomes the user nobody shares the count of processes with everything else
    /// that runs as nobody, while a user namespace has its own count (`RLIMIT_NPROC`, user_namespaces(7)).
    fn counted(&self, limits: ProcessLimits) -> ProcessLimits {
        let others = if self.starter == Starter::Root { landlock::tasks(self.starter) } else { 0 };
        ProcessLimits { processes: limits.processes.saturating_add(others), ..limits }
    }

    /// Whether a program can be run inside: it must be one of the system's.
    pub fn has(&self, program: &str) -> bool {
        system_program(program).is_some()
    }

    /// The path of a program of the system, if there is one of that name.
    pub fn program(&self, name: &str) -> Option<Utf8PathBuf> {
        system_program(name)
    }

    /// The restrictions for a script that is run with [`Self::run_script`].
    pub fn enforcement(&self, program: &str, policy: &Policy) -> Enforcement {
        let mut missing = Vec::new();
        let mut reasons = Vec::new();
        if policy.network == Network::Allowed {
            missing.push(Measure::Network);
            reasons.push(message!("you allowed the network for this run", "你允许本次运行使用网络"));
        }
        if let Err(why) = &self.rules {
            missing.push(Measure::Rules);
            reasons.push(message!(
                "Landlock inside of bubblewrap is not in force: {why}",
                "bubblewrap 内的 Landlock 未生效：{why}";
                why
            ));
        }
        let enforcement = Enforcement::full(Layer::Bubblewrap, self.program(program));
        if missing.is_empty() { enforcement } else { enforcement.without(&missing, Message::list(&reasons)) }
    }

    /// The same without Landlock inside, to see what that is good for.
    #[must_use]
    pub fn without_rules(self) -> Self {
        let rules = Err(message!("it was left out", "未使用"));
        Self { rules, ..self }
    }

    /// Runs a script to its end or its time limit. When this returns, or when its future is dropped, all that it started
    /// is killed.
    pub async fn run(&self, task: &Task) -> Result<Conduct, ToolError> {
        let scratch = Scratch::new(self.starter).map_err(failed)?;
        let input = Input::new(self.starter).map_err(failed)?;
        let view = View {
            shown: vec![(task.folder.clone(), SHOWN_AS.into())],
            writable: vec![(scratch.work.clone(), "/work".into()), (scratch.temporary.clone(), "/tmp".into())],
            working_directory: "/work".into(),
            variables: vec![("HOME", "/work".into())],
            limits: self.counted(PROBE_LIMITS),
            network: Network::Denied,
            program: vec![task.interpreter.clone(), format!("{SHOWN_AS}/{}", task.script)],
            arguments: &task.arguments,
        };
        let stdin = input.stdin().map_err(failed)?;
        let output = self.confine(&view, &scratch, stdin, task.time, task.output_bytes).await?;
        let wrote = Snapshot::take(&scratch.work).await.written_since(&Snapshot::default());
        let read_input = tokio::task::spawn_blocking(move || input.was_read()).await;
        let read_input = read_input.unwrap_or_else(|error| Err(error.into())).map_err(failed)?;
        Ok(Conduct { output, wrote, read_input })
    }

    /// Runs a program for a model as [`script::run`] does, but confined. `shown`: real paths of files and folders that
    /// it may read in addition to the system's. `work`: the folder that it may write to. `paths`: the places of all
    /// these inside the sandbox.
    pub(super) async fn run_script(
        &self,
        script: &Script,
        shown: &[Utf8PathBuf],
        work: &Utf8Path,
        policy: &Policy,
        paths: &Paths,
    ) -> Result<ScriptOutput, ToolError> {
        let own = &script.working_directory;
        if !own.is_dir() {
            return Err(ToolError::WorkingDirectoryMissing { path: own.clone() });
        }
        let is_seen = |path: &Utf8Path| {
            let folders = shown.iter().map(|shown| &**shown).chain([work]).chain(SYSTEM.map(Utf8Path::new));
            folders.into_iter().any(|folder| path.starts_with(folder))
        };
        if !is_seen(own) {
            return Err(ToolError::Hidden { path: own.clone() });
        }
        // By its bare name, which programs say in their errors.
        let name = script.program.name().to_owned();
        if !self.has(&name) {
            return Err(missing(&name));
        }
        let inside = |path: &Utf8Path| paths.shown(path);
        // That of a Python environment is a path.
        let name = if name.contains('/') { inside(Utf8Path::new(&name)).into_string() } else { name };
        let (program, arguments) = match &script.program {
            Program::File { path, arguments, .. } => {
                self.readable(path, shown)?;
                if let Some(real) = disk::real(path).filter(|real| !paths.are_real() && !paths.has(real)) {
                    return Err(ToolError::NoPlace { path: inside(path), real: paths.readable(&real) });
                }
                (vec![name, inside(path).into_string()], arguments.as_slice())
            }
            Program::Shell { command } => {
                let shell = script.program.started().to_owned();
                (vec![shell, "-c".into(), command.clone()], [].as_slice())
            }
        };
        let mut variables = vec![
            ("HOME", inside(work).into_string()),
            ("PYTHONDONTWRITEBYTECODE", "1".into()),
            ("PYTHONNOUSERSITE", "1".into()),
        ];
        if let Some(venv) = &policy.venv {
            let venv = inside(Utf8Path::new(venv));
            variables.push(("VIRTUAL_ENV", venv.to_string()));
            variables.push(("PATH", format!("{venv}/bin:{}", PROGRAMS.join(":"))));
        }
        let scratch = Scratch::new(self.starter).map_err(failed)?;
        if self.starter == Starter::Root {
            let work = work.to_owned();
            let given = tokio::task::spawn_blocking(move || give_whole(&work)).await;
            given.unwrap_or_else(|error| Err(error.into())).map_err(failed)?;
        }
        let view = View {
            // A skill that was deleted since then is not a reason to refuse.
            shown: shown.iter().filter(|path| path.exists()).map(|path| (path.clone(), inside(path))).collect(),
            writable: vec![(scratch.temporary.clone(), "/tmp".into()), (work.to_owned(), inside(work))],
            working_directory: inside(own),
            variables,
            limits: self.counted(policy.limits),
            network: policy.network,
            program,
            arguments,
        };
        let mut output = self.confine(&view, &scratch, Stdio::null(), script.time, script.output_bytes).await?;
        // Bubblewrap reports a signal this way; a shell does so itself for its children.
        if output.exit_code.is_some_and(|code| code > 128) && !SHELLS.contains(&script.program.name()) {
            output.exit_code = None;
        }
        Ok(output)
    }

    /// As root, scripts run as another user who cannot read files that only root can.
    fn readable(&self, path: &Utf8Path, shown: &[Utf8PathBuf]) -> Result<(), ToolError> {
        if self.starter == Starter::User {
            return Ok(());
        }
        let inside = path.ancestors().take_while(|part| shown.iter().any(|shown| part.starts_with(shown)));
        match inside.into_iter().find(|part| is_closed_to_others(part)) {
            Some(closed) => Err(ToolError::Closed { path: closed.to_owned() }),
            None => Ok(()),
        }
    }

    async fn confine(
        &self,
        view: &View<'_>,
        scratch: &Scratch,
        stdin: Stdio,
        time: Duration,
        output_bytes: usize,
    ) -> Result<ScriptOutput, ToolError> {
        scratch.prepare(&arguments(view, self.starter, self.rules.as_deref().ok()), view.network).map_err(failed)?;
        let mut command = Command::new(&self.shell);
        command.env_clear().stdin(stdin).args(["-c", START]).arg(&self.bubblewrap);
        command.env("PATH", PROGRAMS.join(":")).env("FILTER", scratch.filter()).env("ARGUMENTS", scratch.arguments());
        command.args(confined(view, self.starter, self.rules.is_ok()));
        let output = script::follow(command, BUBBLEWRAP, time, output_bytes).await?;
        // Who did not come as far as the program.
        for (code, starter) in [(1, "bwrap: "), (NOT_CONFINED, "skillbench-confine: ")] {
            if output.exit_code == Some(code)
                && output.stdout.is_empty()
                && let Some(reason) = output.stderr.strip_prefix(starter)
            {
                return Err(failed(std::io::Error::other(reason.trim().to_owned())));
            }
        }
        Ok(output)
    }
}

fn failed(source: std::io::Error) -> ToolError {
    ToolError::Start { interpreter: BUBBLEWRAP.to_owned(), source }
}

/// A program elsewhere on PATH does not help: confined scripts do not see it.
fn missing(interpreter: &str) -> ToolError {
    // That of a Python environment is a link.
    let place = script::on_path(interpreter).map(|path| match Utf8Path::new(interpreter).is_absolute() {
        true => path.canonicalize_utf8().unwrap_or(path),
        false => path,
    });
    match place {
        Some(path) => ToolError::InterpreterHidden { interpreter: interpreter.to_owned(), path },
        None => ToolError::InterpreterMissing { interpreter: interpreter.to_owned() },
    }
}

/// The files that a confined process sees.
struct View<'a> {
    /// What it may read, and its place inside.
    shown: Vec<(Utf8PathBuf, Utf8PathBuf)>,
    /// What it may write to.
    writable: Vec<(Utf8PathBuf, Utf8PathBuf)>,
    working_directory: Utf8PathBuf,
    /// In addition to those that are always the same.
    variables: Vec<(&'static str, String)>,
    limits: ProcessLimits,
    network: Network,
    program: Vec<String>,
    arguments: &'a [String],
}

/// Of which an exit code over 128 is their own.
const SHELLS: [&str; 4] = ["sh", "bash", "dash", "zsh"];

const BUBBLEWRAP: &str = "bwrap";

/// Bubblewrap reads its arguments from files, since a script can see its command line (`/proc/1/cmdline`) and they
/// contain real paths. Its environment is empty. File descriptors that were inherited from whoever started this program
/// (`flock 9`, `exec 3>&1`, make) are closed: through an open folder, the whole machine can be reached.
const START: &str = r#"for open in /proc/self/fd/*; do
    number=${open##*/}
    if [ "$number" -gt 2 ]; then exec {number}>&-; fi
done
exec -c "$0" --seccomp 8 --args 9 -- "$@" 8<"$FILTER" 9<"$ARGUMENTS""#;

/// The program that puts Landlock on inside, as it is called next to this one.
const CONFINER: &str = "skillbench-confine";

/// Its path inside. No rule allows it, so nothing that runs there can read it.
const CONFINER_INSIDE: &str = "/.skillbench-confine";

/// With which it ends if it does not become what it is to start.
const NOT_CONFINED: i32 = 121;

/// Who starts the sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Starter {
    /// The namespaces are a user's own.
    User,
    /// Scripts become another user, so that limits apply to them and root's files are closed to them.
    Root,
}

/// The user and group `nobody`.
const NOBODY: u32 = 65534;

/// Where the system's programs are; only from here, since other folders on PATH are in homes or can be written to.
const PROGRAMS: [&str; 6] = ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"];

/// The visible parts of the system.
const SYSTEM: [&str; 7] = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];

/// Of `/etc`, what programs need to start, and nothing about people or this machine.
const SETTINGS: [&str; 6] = [
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
    "/etc/mime.types",
];

/// Of `/etc`, what it takes to find other machines and to know their certificates.
const NAMES: [&str; 7] = [
    "/etc/ca-certificates",
    "/etc/gai.conf",
    "/etc/hosts",
    "/etc/nsswitch.conf",
    "/etc/pki",
    "/etc/resolv.conf",
    "/etc/ssl/certs",
];

/// For scripts that are only run with `--help`.
const PROBE_LIMITS: ProcessLimits =
    ProcessLimits { processes: 128, memory_mb: 2048, file_mb: 16, cpu_seconds: 30, open_files: 256, folder_mb: 16 };

/// As `prlimit` takes them. Memory means a process's private memory: a limit of the address space would be too small
/// for what `node` only reserves.
fn limits(limits: ProcessLimits) -> [String; 6] {
    let ProcessLimits { processes, memory_mb, file_mb, cpu_seconds, open_files, folder_mb: _ } = limits;
    [
        format!("--nproc={processes}"),
        format!("--data={}", u64::from(memory_mb) << 20),
        format!("--fsize={}", u64::from(file_mb) << 20),
        format!("--cpu={cpu_seconds}"),
        format!("--nofile={open_files}"),
        "--core=0".to_owned(),
    ]
}

async fn found() -> Result<Sandbox, SandboxError> {
    let sandbox = Sandbox::here()?;
    let Err(error) = proof::prove(&sandbox).await else { return Ok(sandbox) };
    if sandbox.rules.is_err() {
        return Err(error);
    }
    // Bubblewrap alone is as good as it was.
    let why = error.worded();
    let rules = Err(message!("its proof did not hold ({why})", "未能通过验证（{why}）"; why));
    let sandbox = Sandbox { rules, ..sandbox };
    proof::prove(&sandbox).await?;
    Ok(sandbox)
}

impl Sandbox {
    /// The sandbox of this machine, not yet proved.
    fn here() -> Result<Self, SandboxError> {
        if !cfg!(target_os = "linux") {
            return Err(SandboxError::System);
        }
        let found = |program, package| system_program(program).ok_or(SandboxError::Missing { program, package });
        let bubblewrap = found(BUBBLEWRAP, "bubblewrap")?;
        found("prlimit", "util-linux")?;
        let shell = found("bash", "bash")?;
        let starter = starter();
        if starter == Starter::Root {
            found("setpriv", "util-linux")?;
        }
        Ok(Self { bubblewrap, shell, starter, rules: confiner() })
    }
}

/// It comes with this program. Test programs are one folder deeper.
fn confiner() -> Result<Utf8PathBuf, Message> {
    let own = std::env::current_exe().ok().and_then(|own| Utf8PathBuf::from_path_buf(own).ok());
    let folder = own.as_deref().and_then(Utf8Path::parent);
    let above = folder.filter(|folder| folder.file_name() == Some("deps")).and_then(Utf8Path::parent);
    let places = folder.into_iter().chain(above).map(|folder| folder.join(CONFINER));
    places.into_iter().find(|path| path.is_file()).ok_or_else(|| {
        message!(
            "the program {CONFINER}, which puts it on, does not lie next to this one",
            "启用它的程序 {CONFINER} 不在本程序旁边"
        )
    })
}

#[cfg(unix)]
fn starter() -> Starter {
    if rustix::process::geteuid().is_root() { Starter::Root } else { Starter::User }
}

#[cfg(not(unix))]
fn starter() -> Starter {
    Starter::User
}

/// The path of a program of the system, if its real file is visible inside.
fn system_program(name: &str) -> Option<Utf8PathBuf> {
    program_in(name, PROGRAMS, &SYSTEM)
}

fn program_in(name: &str, folders: impl IntoIterator<Item = &'static str>, system: &[&str]) -> Option<Utf8PathBuf> {
    let mut places = folders.into_iter().map(|folder| Utf8Path::new(folder).join(name));
    places.find(|path| {
        path.canonicalize_utf8()
            .is_ok_and(|real| real.is_file() && system.iter().any(|folder| real.starts_with(folder)))
    })
}

/// Folders for one run of a script; deleted with this value.
struct Scratch {
    folder: TempDir,
    /// The working directory, also its `HOME`.
    work: Utf8PathBuf,
    /// Its `/tmp`.
    temporary: Utf8PathBuf,
    /// Locked as long as this process lives and uses the folder.
    _lock: File,
}

/// A script may leave folders too deep for the usual way, which [`TempDir`] goes.
impl Drop for Scratch {
    fn drop(&mut self) {
        for own in [&self.work, &self.temporary] {
            // Remains are deleted later with the folder around it.
            let _ = disk::remove_tree(own);
        }
    }
}

/// Of the folder for temporary files.
fn no_text() -> std::io::Error {
    of_ours(message!("the path of the folder for temporary files is not UTF-8", "临时文件夹的路径不是 UTF-8"))
}

fn of_ours(text: Message) -> std::io::Error {
    wording::refused(std::io::ErrorKind::Other, text)
}

impl Scratch {
    fn new(starter: Starter) -> std::io::Result<Self> {
        left::sweep_once();
        let folder = tempfile::Builder::new().prefix(left::PREFIX).tempdir()?;
        let path = Utf8Path::from_path(folder.path()).ok_or_else(no_text)?;
        let lock = left::claim(path)?;
        let (work, temporary) = (path.join("work"), path.join("tmp"));
        for own in [&work, &temporary] {
            std::fs::create_dir(own)?;
            if starter == Starter::Root {
                give_to_nobody(&File::open(own)?)?;
            }
        }
        Ok(Self { folder, work, temporary, _lock: lock })
    }

    /// The variables of a script that sees the folders where they are.
    fn surround(&self, command: &mut Command, work: &Utf8Path, policy: &Policy) {
        let mut programs = PROGRAMS.join(":");
        if let Some(venv) = &policy.venv {
            programs = format!("{venv}/bin:{programs}");
            command.env("VIRTUAL_ENV", venv);
        }
        command.env("PATH", programs).env("HOME", work.as_str()).env("TMPDIR", self.temporary.as_str());
        command.env("PYTHONDONTWRITEBYTECODE", "1").env("PYTHONNOUSERSITE", "1");
    }

    /// Writes what bubblewrap reads when it starts.
    #[cfg_attr(not(target_os = "linux"), expect(unused_variables, reason = "there is no filter there"))]
    fn prepare(&self, arguments: &[String], network: Network) -> std::io::Result<()> {
        #[cfg(target_os = "linux")]
        std::fs::write(self.filter(), calls::filter(network)?)?;
        std::fs::write(self.arguments(), arguments.iter().flat_map(|word| [word.as_str(), "\0"]).collect::<String>())
    }

    /// Which system calls are refused; not shown inside.
    fn filter(&self) -> PathBuf {
        self.folder.path().join("filter")
    }

    /// Not shown inside.
    fn arguments(&self) -> PathBuf {
        self.folder.path().join("arguments")
    }
}

/// Standard input of a script: blank lines, and then the end, so that one that waits for an answer comes to an end. What
/// it left is read back afterwards, which tells whether it read.
struct Input(PipeReader);

const BLANK_LINES: &[u8] = &[b'\n'; 64];

impl Input {
    fn new(starter: Starter) -> std::io::Result<Self> {
        let (reader, mut writer) = std::io::pipe()?;
        if starter == Starter::Root {
            give_to_nobody(&reader)?;
        }
        writer.write_all(BLANK_LINES)?;
        Ok(Self(reader))
    }

    fn stdin(&self) -> std::io::Result<Stdio> {
        Ok(self.0.try_clone()?.into())
    }

    /// To be asked when the script and all it started is dead.
    fn was_read(mut self) -> std::io::Result<bool> {
        let left = self.0.read_to_end(&mut Vec::new())?;
        Ok(left != BLANK_LINES.len())
    }
}

#[cfg(unix)]
fn give_to_nobody(file: &impl std::os::fd::AsFd) -> std::io::Result<()> {
    std::os::unix::fs::fchown(file, Some(NOBODY), Some(NOBODY))
}

#[cfg(not(unix))]
fn give_to_nobody<T>(_: &T) -> std::io::Result<()> {
    Ok(())
}

/// Gives a folder and its contents to the user nobody. Links themselves change the owner, and none is followed: a
/// process that an earlier script left running may replace a folder by a link in the meantime, so each is opened in the
/// one above it. A file with several names may also be elsewhere, and keeps its owner.
#[cfg(unix)]
fn give_whole(folder: &Utf8Path) -> std::io::Result<()> {
    use rustix::fs::{AtFlags, FileType, Gid, Mode, OFlags, Uid, chownat, fchown, open, openat, statat};
    let (user, group) = (Some(Uid::from_raw(NOBODY)), Some(Gid::from_raw(NOBODY)));
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let root = open(folder.as_std_path(), flags, Mode::empty())?;
    fchown(&root, user, group)?;
    // Open folders with the work that remains in each: never more than a process may have open.
    let mut above = vec![(rustix::fs::Dir::read_from(&root)?, root)];
    while let Some((entries, folder)) = above.last_mut() {
        let Some(entry) = entries.next() else {
            above.pop();
            continue;
        };
        let entry = entry?;
        let name = entry.file_name();
        if [c".", c".."].contains(&name) {
            continue;
        }
        // If it is gone in the meantime, nothing is needed.
        let Ok(facts) = statat(&*folder, name, AtFlags::SYMLINK_NOFOLLOW) else { continue };
        let is_folder = FileType::from_raw_mode(facts.st_mode) == FileType::Directory;
        if !is_folder && facts.st_nlink > 1 {
            continue;
        }
        if !is_folder {
            chownat(&*folder, name, user, group, AtFlags::SYMLINK_NOFOLLOW)?;
            continue;
        }
        let Ok(below) = openat(&*folder, name, flags, Mode::empty()) else { continue };
        fchown(&below, user, group)?;
        if above.len() < GIVEN_DEPTH {
            above.push((rustix::fs::Dir::read_from(&below)?, below));
        }
    }
    Ok(())
}

/// How many levels of folders get a new owner. Deeper ones were made by a script, so they belong to nobody already.
#[cfg(unix)]
const GIVEN_DEPTH: usize = 64;

#[cfg(not(unix))]
fn give_whole(_: &Utf8Path) -> std::io::Result<()> {
    Ok(())
}

/// Lets other users pass through a folder without seeing its contents.
#[cfg(unix)]
fn let_through(folder: &std::path::Path) -> std::io::Result<()> {
    std::fs::set_permissions(folder, std::os::unix::fs::PermissionsExt::from_mode(0o711))
}

#[cfg(not(unix))]
fn let_through(_: &std::path::Path) -> std::io::Result<()> {
    Ok(())
}

/// Whether others may not pass through a folder.
#[cfg(unix)]
fn is_shut(folder: &Utf8Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    folder.metadata().is_ok_and(|facts| facts.mode() & 0o1 == 0)
}

#[cfg(not(unix))]
fn is_shut(_: &Utf8Path) -> bool {
    false
}

#[cfg(unix)]
fn is_closed_to_others(path: &Utf8Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    path.metadata().is_ok_and(|facts| {
        let needed = if facts.is_dir() { 0o5 } else { 0o4 };
        facts.mode() & needed != needed
    })
}

#[cfg(not(unix))]
fn is_closed_to_others(_: &Utf8Path) -> bool {
    false
}

/// Bubblewrap's arguments: first what is shut off, then what is shown. Later mounts cover earlier ones, and the root is
/// closed last.
fn arguments(view: &View, starter: Starter, confiner: Option<&Utf8Path>) -> Vec<String> {
    let mut words = Words::default();
    words.add(&["--unshare-ipc", "--unshare-pid", "--unshare-uts", "--unshare-cgroup-try"]);
    let of_network: &[&str] = match view.network {
        Network::Denied => {
            words.add(&["--unshare-net"]);
            &[]
        }
        Network::Allowed => &NAMES,
    };
    words.add(&["--new-session", "--die-with-parent", "--cap-drop", "ALL"]);
    let nobody = NOBODY.to_string();
    match starter {
        Starter::User => words.add(&["--unshare-user", "--uid", &nobody, "--gid", &nobody]),
        // The rights to enter a folder of the user nobody and to become nobody, who then has none of them.
        Starter::Root => ["CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP", "CAP_DAC_READ_SEARCH"]
            .iter()
            .for_each(|right| words.add(&["--cap-add", right])),
    }
    words.add(&["--hostname", "sandbox", "--clearenv"]);
    words.add(&["--setenv", "PATH", &PROGRAMS.join(":"), "--setenv", "LANG", "C.UTF-8"]);
    view.variables.iter().for_each(|(name, value)| words.add(&["--setenv", name, value]));
    words.add(&["--perms", "0755", "--dir", "/etc"]);
    for shown in SYSTEM {
        match link_within(shown, &SYSTEM) {
            // Each mount that is not made starts the script sooner.
            Some(target) => words.add(&["--symlink", target.as_str(), shown]),
            None => words.add(&["--ro-bind-try", shown, shown]),
        }
    }
    for shown in SETTINGS.iter().chain(of_network) {
        words.add(&["--ro-bind-try", shown, shown]);
    }
    words.add(&["--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev"]);
    // The names of keys.
    for hidden in ["/proc/keys", "/proc/key-users"].into_iter().filter(|path| Utf8Path::new(path).exists()) {
        words.add(&["--ro-bind", "/dev/null", hidden]);
    }
    // Deeper mounts cover the folders around them; for the same place, a read-only mount covers a writable one.
    let mut mounts: Vec<_> = view.writable.iter().map(|place| (place, "--bind")).collect();
    mounts.extend(view.shown.iter().map(|place| (place, "--ro-bind")));
    mounts.sort_by_key(|((_, place), _)| place.components().count());
    for ((source, place), how) in mounts {
        let mut above: Vec<_> = place.ancestors().skip(1).filter(|folder| folder.parent().is_some()).collect();
        above.reverse();
        // Bubblewrap would make them for its own user only.
        above.iter().for_each(|folder| words.add(&["--perms", "0755", "--dir", folder.as_str()]));
        words.add(&[how, source.as_str(), place.as_str()]);
    }
    if let Some(confiner) = confiner {
        words.add(&["--ro-bind", confiner.as_str(), CONFINER_INSIDE]);
    }
    words.add(&["--remount-ro", "/", "--chdir", view.working_directory.as_str()]);
    words.0
}

/// The target of a link, as it is written, if it leads into one of these folders and that is not a link itself.
fn link_within(path: &str, folders: &[&str]) -> Option<Utf8PathBuf> {
    let target = Utf8Path::new(path).read_link_utf8().ok()?;
    let real = Utf8Path::new(path).canonicalize_utf8().ok()?;
    let is_real = |folder: &&&str| !Utf8Path::new(folder).is_symlink();
    folders.iter().filter(is_real).any(|folder| real.starts_with(folder)).then_some(target)
}

/// The command line inside. `rules`: started by the program that applies Landlock, which then sets the limits too.
fn confined(view: &View, starter: Starter, rules: bool) -> Vec<String> {
    let mut words = Words::default();
    if starter == Starter::Root {
        let (user, group) = (format!("--reuid={NOBODY}"), format!("--regid={NOBODY}"));
        words.add(&["setpriv", &user, &group, "--clear-groups", "--inh-caps=-all", "--bounding-set=-all"]);
        words.add(&["--no-new-privs", "--"]);
    }
    words.0.push(if rules { CONFINER_INSIDE } else { "prlimit" }.to_owned());
    words.0.extend(limits(view.limits));
    if rules {
        words.0.extend(allowed(view));
    }
    words.0.push("--".to_owned());
    words.0.extend(view.program.iter().chain(view.arguments).cloned());
    words.0
}

/// What Landlock allows inside: what bubblewrap shows, each for what it is there for. Names may be listed everywhere, since
/// there are none but those that are shown. Nothing is written to `/proc`, by which a process could change itself and others.
fn allowed(view: &View) -> Vec<String> {
    let names: &[&str] = if view.network == Network::Allowed { &NAMES } else { &[] };
    let read = SYSTEM.iter().chain(&SETTINGS).chain(names).copied();
    let read = read.chain(view.shown.iter().map(|(_, place)| place.as_str())).map(|place| format!("--read={place}"));
    let written = view.writable.iter().map(|(_, place)| format!("--write={place}"));
    let used = DEVICES.map(|place| format!("--use={place}"));
    ["--list=/".to_owned(), "--see=/proc".to_owned()].into_iter().chain(used).chain(read).chain(written).collect()
}

/// Harmless devices, and the sandbox's own terminals.
const DEVICES: [&str; 7] =
    ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty", "/dev/pts"];

#[derive(Default)]
struct Words(Vec<String>);

impl Words {
    fn add(&mut self, words: &[&str]) {
        self.0.extend(words.iter().map(|word| (*word).to_owned()));
    }
}
