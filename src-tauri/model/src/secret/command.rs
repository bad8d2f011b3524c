//! A key that a command of the user's own prints: a vault's, or one that is valid for an hour. The command is in the
//! user's `models.yaml` and nowhere else. It is started without a shell, and what it prints is neither shown nor
//! stored.

use std::collections::HashMap;
use std::io::Read;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use wording::{Message, message};

use super::{Scrubber, Secret, recognise};

/// For the command to end.
pub const COMMAND_TIMEOUT: Duration = Duration::from_secs(30);
/// Seconds for which a key is used before the command is asked again.
pub const LIFETIME: u32 = 300;

/// The most bytes that a command may print; no key is that long.
const KEY_LIMIT: u64 = 64 << 10;
/// Bytes of what it says about itself.
const SAID_LIMIT: u64 = 64 << 10;
/// Characters of that which are shown: its end, as the reason comes last.
const SHOWN: usize = 600;
/// Between two looks at whether it has ended.
const POLL: Duration = Duration::from_millis(15);
/// For what it printed to arrive once it has ended: something that it started may keep its output open.
const GRACE: Duration = Duration::from_millis(500);

/// Why a command gave no key. Nothing that it printed on its standard output is part of it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[error("{}", self.worded().en)]
pub enum CommandError {
    NotStarted {
        reason: Message,
    },
    Slow {
        #[ts(type = "number")]
        seconds: u64,
        said: String,
    },
    /// `status`: `null` if a signal ended it. `said`: the end of its standard error, without what looks like a key.
    Failed {
        status: Option<i32>,
        said: String,
    },
}

impl CommandError {
    /// How the command ended, with the end of what it printed as an error.
    pub fn worded(&self) -> Message {
        let (head, said) = match self {
            Self::NotStarted { reason } => {
                return message!("it could not be started: {reason}", "无法启动：{reason}"; reason);
            }
            Self::Slow { seconds, said } => {
                (message!("it did not end within {seconds} s", "它在 {seconds} 秒内没有结束"), said)
            }
            Self::Failed { status: Some(status), said } => {
                (message!("it ended with exit code {status}", "它以退出码 {status} 结束"), said)
            }
            Self::Failed { status: None, said } => (message!("a signal ended it", "它被信号终止"), said),
        };
        match said.is_empty() {
            true => head,
            false => message!("{head}: {said}", "{head}：{said}"; head),
        }
    }

    /// The next step.
    pub fn hint(&self) -> Message {
        match self {
            Self::NotStarted { .. } => message!(
                "name a program of your PATH, or its whole path; there is no shell, so each argument is an item of its own",
                "请写 PATH 中的程序名或其完整路径；这里没有 shell，因此每个参数单独成项"
            ),
            Self::Slow { .. } => message!(
                "run the command in a terminal: it may be waiting for you to log in",
                "请在终端中运行该命令：它可能在等待登录"
            ),
            Self::Failed { .. } => message!(
                "run the command in a terminal and correct what it reports",
                "请在终端中运行该命令，并解决它报告的问题"
            ),
        }
    }
}

/// The keys that commands have printed, each for as long as it is used.
#[derive(Default)]
pub struct Commands {
    held: Mutex<HashMap<Vec<String>, Slot>>,
}

/// Locked while the command runs: a second request waits for the key of the first.
type Slot = Arc<Mutex<Option<Held>>>;

struct Held {
    secret: Secret,
    since: Instant,
}

impl Commands {
    /// What the command printed, at most `lifetime` ago. Blocks while it runs.
    pub fn key(&self, command: &[String], lifetime: Duration) -> Result<Secret, CommandError> {
        let slot = self.slot(command);
        let mut held = lock(&slot);
        if let Some(held) = held.as_ref().filter(|held| held.since.elapsed() < lifetime) {
            return Ok(held.secret.clone());
        }
        let before = held.take().map(|held| held.secret);
        let secret = printed(command, COMMAND_TIMEOUT, before.as_ref())?;
        *held = Some(Held { secret: secret.clone(), since: Instant::now() });
        Ok(secret)
    }

    /// The next request runs the command again.
    pub fn forget(&self, command: &[String]) {
        lock(&self.held).remove(command);
    }

    /// The keys that are held, except for those that are being asked for.
    pub fn all(&self) -> Vec<Secret> {
        let slots: Vec<Slot> = lock(&self.held).values().cloned().collect();
        let held = slots.iter().filter_map(|slot| Some(slot.try_lock().ok()?.as_ref()?.secret.clone()));
        held.collect()
    }

    fn slot(&self, command: &[String]) -> Slot {
        lock(&self.held).entry(command.to_vec()).or_default().clone()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether a program is found the same way wherever we were started: by name, or by its whole path. A relative path
/// would let the folder that we were started in choose the program.
pub fn is_program(name: &str) -> bool {
    let is_bare = !name.contains(['/', '\\']) && ![".", ".."].contains(&name);
    !name.is_empty() && (is_bare || std::path::Path::new(name).is_absolute())
}

/// What a command prints. `before`: a key that it printed earlier, which its complaints may repeat.
fn printed(command: &[String], patience: Duration, before: Option<&Secret>) -> Result<Secret, CommandError> {
    let not_started = |error: &std::io::Error| CommandError::NotStarted { reason: wording::why(error) };
    let (program, arguments) =
        command.split_first().ok_or_else(|| not_started(&std::io::ErrorKind::NotFound.into()))?;
    let mut starting = Command::new(program);
    starting.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // The folder that we were started in may be a project with settings for such programs.
    if let Some(home) = std::env::home_dir().filter(|home| home.is_dir()) {
        starting.current_dir(home);
    }
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut starting, 0);
    let mut child = starting.spawn().map_err(|error| not_started(&error))?;
    let (out, err) = (Pipe::of(child.stdout.take(), KEY_LIMIT), Pipe::of(child.stderr.take(), SAID_LIMIT));
    let ended = wait(&mut child, patience).map_err(|error| not_started(&error))?;
    let (out, err) = (out.read(), err.read());
    let said = || said(&err, &out, before);
    match ended {
        None => Err(CommandError::Slow { seconds: patience.as_secs(), said: said() }),
        Some(status) if status.success() => Ok(Secret::new(out)),
        Some(status) => Err(CommandError::Failed { status: status.code(), said: said() }),
    }
}

/// `None`: it did not end in time and was stopped, with all that it had started.
fn wait(child: &mut Child, patience: Duration) -> std::io::Result<Option<ExitStatus>> {
    let deadline = Instant::now() + patience;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if Instant::now() >= deadline {
            stop(child);
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(POLL);
    }
}

fn stop(child: &mut Child) {
    #[cfg(unix)]
    if let Some(group) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let _ = child.kill();
}

/// The output of a pipe, read while the command runs.
struct Pipe {
    text: Arc<Mutex<Vec<u8>>>,
    reader: Option<JoinHandle<()>>,
}

impl Pipe {
    fn of(pipe: Option<impl Read + Send + 'static>, limit: u64) -> Self {
        let text = Arc::new(Mutex::new(Vec::new()));
        let filled = text.clone();
        let reader = pipe.map(|pipe| {
            thread::spawn(move || {
                let mut pipe = pipe.take(limit);
                let mut piece = [0; 4096];
                while let Ok(length @ 1..) = pipe.read(&mut piece) {
                    lock(&filled).extend_from_slice(&piece[..length]);
                }
            })
        });
        Self { text, reader }
    }

    fn read(self) -> String {
        let deadline = Instant::now() + GRACE;
        while self.reader.as_ref().is_some_and(|reader| !reader.is_finished()) && Instant::now() < deadline {
            thread::sleep(POLL);
        }
        String::from_utf8_lossy(&lock(&self.text)).into_owned()
    }
}

/// The end of what a command says about itself, in one line and without keys.
fn said(err: &str, out: &str, before: Option<&Secret>) -> String {
    let printed = out.split_whitespace().map(str::to_owned).chain(before.map(|key| key.reveal().to_owned()));
    let mut text = Scrubber::new(printed).text(err);
    while let Some(key) = recognise::find(&text) {
        text.replace_range(key, "[…]");
    }
    let line = text.split(|char: char| char.is_whitespace() || char.is_control()).filter(|word| !word.is_empty());
    let line = line.collect::<Vec<_>>().join(" ");
    match line.char_indices().rev().nth(SHOWN - 1) {
        Some((at, _)) if at > 0 => format!("…{}", &line[at..]),
        Some(_) | None => line,
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    const HOUR: Duration = Duration::from_secs(3600);

    fn shell(script: &str) -> Vec<String> {
        ["/bin/sh", "-c", script].map(str::to_owned).to_vec()
    }

    fn run(script: &str, patience: Duration) -> Result<String, CommandError> {
        printed(&shell(script), patience, None).map(|secret| secret.reveal().to_owned())
    }

    #[test]
    fn takes_what_is_printed_without_a_shell() {
        assert_eq!(run("printf 'tok-1\\n'", HOUR), Ok("tok-1\n".to_owned()));
        let plain = ["printf", "%s", "$HOME; `id`"].map(str::to_owned);
        assert_eq!(printed(&plain, HOUR, None).unwrap().reveal(), "$HOME; `id`");
        assert_eq!(
            run("sleep 60 & printf tok-1", HOUR),
            Ok("tok-1".to_owned()),
            "what it left behind is not waited for"
        );
    }

    #[test]
    fn a_failure_shows_what_it_says_without_keys() {
        let failed = |status, said: &str| Err(CommandError::Failed { status, said: said.to_owned() });
        assert_eq!(
            run("echo tok-very-secret-1; echo 'no\nlogin for tok-very-secret-1' >&2; exit 3", HOUR),
            failed(Some(3), "no login for [key]")
        );
        assert_eq!(run("kill -9 $$", HOUR), failed(None, ""));
        let before = Secret::new("tok-of-before-1".to_owned());
        let told = printed(&shell("echo tok-of-before-1 is over >&2; exit 1"), HOUR, Some(&before)).unwrap_err();
        assert_eq!(told.to_string(), "it ended with exit code 1: [key] is over");
        let long = run("yes a 2>&1 | head -c 9000 >&2; echo the reason >&2; exit 1", HOUR).unwrap_err().to_string();
        assert!(long.ends_with("the reason") && long.chars().count() < 700, "{long}");
    }

    #[test]
    fn one_that_does_not_end_is_stopped_with_what_it_started() {
        let begun = Instant::now();
        let slow = run("echo wait >&2; sleep 600 & sleep 600", Duration::from_millis(200)).unwrap_err();
        assert_eq!(slow, CommandError::Slow { seconds: 0, said: "wait".to_owned() });
        assert!(begun.elapsed() < Duration::from_secs(60), "nothing holds the pipe any longer");
    }

    #[test]
    fn a_program_that_is_missing_is_named_as_such() {
        let error = printed(&["/no/such/program".to_owned()], HOUR, None).unwrap_err();
        assert!(matches!(error, CommandError::NotStarted { .. }), "{error}");
    }

    #[test]
    fn a_key_is_kept_for_its_lifetime_or_until_it_is_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let count = folder.path().join("count");
        let command = shell(&format!("echo x >> {0}; wc -l < {0}", count.display()));
        let commands = Commands::default();
        let key = |lifetime| commands.key(&command, lifetime).unwrap().reveal().trim().to_owned();
        assert_eq!([key(HOUR), key(HOUR)], ["1", "1"]);
        assert_eq!(key(Duration::ZERO), "2", "its lifetime is over");
        commands.forget(&command);
        assert_eq!([key(HOUR), key(HOUR)], ["3", "3"]);
        assert_eq!(commands.all().iter().map(|secret| secret.reveal().trim()).collect::<Vec<_>>(), ["3"]);
    }

    #[test]
    fn a_program_is_named_or_has_its_whole_path() {
        assert_eq!(["az", "/usr/bin/pass", "az.cmd"].map(is_program), [true; 3]);
        assert_eq!(["", ".", "./get-key", "bin/get-key", "..\\x"].map(is_program), [false; 5]);
    }
}
