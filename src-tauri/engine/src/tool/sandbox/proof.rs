//! Whether the sandbox works: a script of ours tries to get out, first unconfined, where it must succeed, which shows
//! that the attempts are valid, and then confined, where it must fail.

use std::io::ErrorKind;
use std::net::TcpListener;
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use tempfile::{NamedTempFile, TempDir};

use super::{PROBE_LIMITS, Sandbox, SandboxError, Task, let_through};
use crate::tool::ToolError;
use crate::tool::script::{self, Program, Script};
use config::Policy;
use harness::ScriptOutput;
use wording::{Message, Wording, message};

/// Tries what its arguments name: a port of this machine, a file to write, files to see.
const ATTEMPT: &str = r#"
(exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null && echo connected
(echo out > "$2") 2>/dev/null && echo wrote
grep -q '^Seccomp:[[:space:]]*[01]' /proc/self/status 2>/dev/null && echo unfiltered
unshare --user true 2>/dev/null && echo unfiltered
own=/.skillbench-confine
[ -r "$own" ] && ! (: < "$own") 2>/dev/null && echo ruled
shift 2
for secret in "$@"; do (: < "$secret") 2>/dev/null && echo saw; done
echo done
"#;

/// For each attempt.
const TIME: Duration = Duration::from_secs(20);
const OUTPUT_BYTES: usize = 1 << 12;

pub(super) async fn prove(sandbox: &Sandbox) -> Result<(), SandboxError> {
    let stage = Stage::ready().await?;
    let confined = Task {
        interpreter: "bash".into(),
        folder: stage.folder.clone(),
        script: NAME.into(),
        arguments: stage.arguments().map_err(unproved)?,
        time: TIME,
        output_bytes: OUTPUT_BYTES,
    };
    let conduct = sandbox.run(&confined).await.map_err(refused)?;
    stage.judge(&conduct.output)?;
    match sandbox.rules.is_ok() && !stage.breaches(&conduct.output).map_err(unproved)?.ruled {
        true => {
            let breach =
                Wording::new("opened a file that Landlock's rules leave out", "打开了 Landlock 规则之外的文件");
            Err(SandboxError::Open { breach })
        }
        false => Ok(()),
    }
}

fn unproved(error: std::io::Error) -> SandboxError {
    SandboxError::Unproved { reason: wording::why(&error) }
}

impl Stage {
    /// On which, without a sandbox, the attempts have succeeded.
    pub(super) async fn ready() -> Result<Self, SandboxError> {
        let stage = Self::set().map_err(unproved)?;
        stage.control().await?;
        Ok(stage)
    }

    async fn control(&self) -> Result<(), SandboxError> {
        let open = self.script().map_err(unproved)?;
        let output = script::run(&open).await.map_err(|error| SandboxError::Unproved { reason: error.worded() })?;
        let expected = Breaches {
            connected: true,
            wrote: true,
            saw: self.secrets.len(),
            unfiltered: false,
            ruled: false,
            done: true,
        };
        // Whether this machine filters calls, or has namespaces for users, is its own affair.
        let found = Breaches { unfiltered: false, ..self.breaches(&output).map_err(unproved)? };
        if found == expected {
            return Ok(());
        }
        let reason = message!(
            "outside of it, where everything is allowed, the attempts came to {found:?}",
            "在沙箱之外，一切都允许时，尝试的结果却是 {found:?}"
        );
        Err(SandboxError::Unproved { reason })
    }

    /// The attempts as a run makes them: from the folder that it may write to.
    pub(super) fn trial(&self) -> Result<(Script, Policy), SandboxError> {
        let script = Script { working_directory: self.work.clone(), ..self.script().map_err(unproved)? };
        Ok((script, Policy { limits: PROBE_LIMITS, ..Policy::default() }))
    }

    /// As [`Self::judge`], of a trial.
    pub(super) fn judge_trial(&self, output: Result<ScriptOutput, ToolError>) -> Result<(), SandboxError> {
        let output = output.map_err(|error| SandboxError::Unproved { reason: error.worded() })?;
        self.judge(&output)
    }

    /// Whether they came to nothing.
    fn judge(&self, output: &ScriptOutput) -> Result<(), SandboxError> {
        match self.breaches(output).map_err(unproved)? {
            Breaches { connected: true, .. } => {
                Err(SandboxError::Open { breach: Wording::new("reached the network", "连上了网络") })
            }
            Breaches { wrote: true, .. } => Err(SandboxError::Open {
                breach: Wording::new("wrote outside of its folder", "写到了自己文件夹之外"),
            }),
            Breaches { saw: 1.., .. } => Err(SandboxError::Open {
                breach: Wording::new("saw files outside of its folder", "看到了自己文件夹之外的文件"),
            }),
            Breaches { unfiltered: true, .. } => {
                let breach = Wording::new("reached calls to the system that are refused", "执行了应被拒绝的系统调用");
                Err(SandboxError::Open { breach })
            }
            Breaches { done: true, .. } => Ok(()),
            Breaches { done: false, .. } => {
                let said = output.stderr.lines().last().map(Message::quoted);
                let reason = said.unwrap_or_else(|| message!("it said nothing", "没有任何输出"));
                Err(SandboxError::Refused { reason })
            }
        }
    }

    fn script(&self) -> std::io::Result<Script> {
        let (path, arguments) = (self.folder.join(NAME), self.arguments()?);
        Ok(Script {
            program: Program::File { interpreter: "bash".into(), path, arguments },
            working_directory: self.folder.clone(),
            time: TIME,
            output_bytes: OUTPUT_BYTES,
            withheld: Vec::new(),
        })
    }
}

const NAME: &str = "attempt.sh";

fn refused(error: ToolError) -> SandboxError {
    match error {
        ToolError::Start { source, .. } => SandboxError::Refused { reason: wording::why(&source) },
        other => SandboxError::Refused { reason: other.worded() },
    }
}

/// What the script achieved, by its own report and as seen from outside.
#[derive(Debug, PartialEq, Eq)]
struct Breaches {
    connected: bool,
    wrote: bool,
    saw: usize,
    /// There is no filter of system calls, or a refused call succeeded.
    unfiltered: bool,
    /// Not a breach: something that only the inner rules close was there, and closed.
    ruled: bool,
    done: bool,
}

pub(super) struct Stage {
    _place: TempDir,
    /// Holds the script, and is shown.
    pub(super) folder: Utf8PathBuf,
    /// May be written to.
    pub(super) work: Utf8PathBuf,
    /// Next to it.
    outside: Utf8PathBuf,
    /// One among temporary files, and one in the home folder, if there is one to write to.
    secrets: Vec<NamedTempFile>,
    listener: TcpListener,
}

impl Stage {
    fn set() -> std::io::Result<Self> {
        let place = tempfile::tempdir()?;
        let path = Utf8Path::from_path(place.path()).ok_or_else(super::no_text)?;
        let (folder, work, outside) = (path.join("shown"), path.join("work"), path.join("outside"));
        let_through(place.path())?;
        std::fs::create_dir(&folder)?;
        std::fs::create_dir(&work)?;
        std::fs::write(folder.join(NAME), ATTEMPT)?;
        let home =
            dirs::home_dir().and_then(|home| tempfile::Builder::new().prefix(".skillbench-").tempfile_in(home).ok());
        let secrets: Vec<_> = std::iter::once(NamedTempFile::new()?).chain(home).collect();
        for secret in &secrets {
            show_to_all(secret)?;
        }
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        listener.set_nonblocking(true)?;
        Ok(Self { _place: place, folder, work, outside, secrets, listener })
    }

    fn arguments(&self) -> std::io::Result<Vec<String>> {
        let port = self.listener.local_addr()?.port().to_string();
        let secrets = self.secrets.iter().map(|secret| secret.path().to_string_lossy().into_owned());
        Ok([port, self.outside.to_string()].into_iter().chain(secrets).collect())
    }

    /// Also clears the traces of the attempt, for the next.
    fn breaches(&self, output: &ScriptOutput) -> std::io::Result<Breaches> {
        let says = |word: &str| output.stdout.lines().filter(|line| *line == word).count();
        let arrived = match self.listener.accept() {
            Ok(_) => true,
            Err(error) if error.kind() == ErrorKind::WouldBlock => false,
            Err(error) => return Err(error),
        };
        let wrote = self.outside.exists();
        if wrote {
            std::fs::remove_file(&self.outside)?;
        }
        Ok(Breaches {
            connected: arrived || says("connected") > 0,
            wrote: wrote || says("wrote") > 0,
            saw: says("saw"),
            unfiltered: says("unfiltered") > 0,
            ruled: says("ruled") == 1,
            done: says("done") == 1,
        })
    }
}

/// So that it is the sandbox alone that keeps others from reading it. It is empty.
#[cfg(unix)]
fn show_to_all(secret: &NamedTempFile) -> std::io::Result<()> {
    secret.as_file().set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644))
}

#[cfg(not(unix))]
fn show_to_all(_: &NamedTempFile) -> std::io::Result<()> {
    Ok(())
}
