//! The processes of scripts, which none of the ways in which this program may end leaves behind: a group is killed when
//! its script ends and when it is dropped, all groups are killed by [`kill_all`] before the program ends itself, and on
//! Unix a watchman for each group kills it once this process is gone, whatever ended it. What leaves its group (`setsid`)
//! is looked after by the sandbox, or by an [`overseer`](super::overseer).

use std::collections::BTreeSet;
use std::io;
#[cfg(target_os = "linux")]
use std::process::Stdio;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::process::{Child, Command};
use wording::message;

/// The processes a script started, itself included. Dropping it kills them.
pub(super) struct Group {
    leader: Option<Leader>,
    #[cfg(unix)]
    _watchman: Option<Watchman>,
    #[cfg(unix)]
    _founder: Option<Founder>,
    /// Its end tells the overseer to end all.
    #[cfg(unix)]
    _pipe: Option<std::fs::File>,
}

/// Who looks after what leaves the group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Strays {
    /// The command does: it is a sandbox.
    Kept,
    /// An overseer, if one is available.
    Overseen,
}

/// The id of a process.
type Leader = u32;

/// Kills every script that runs. None can be started afterwards. For the end of the program.
pub fn kill_all() {
    let mut running = running();
    running.closed = true;
    for leader in std::mem::take(&mut running.leaders) {
        kill(leader);
    }
}

/// All groups of this process, by their leaders.
struct Running {
    leaders: BTreeSet<Leader>,
    closed: bool,
}

static RUNNING: Mutex<Running> = Mutex::new(Running { leaders: BTreeSet::new(), closed: false });

fn running() -> MutexGuard<'static, Running> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Group {
    /// Starts a command in its own process group.
    pub(super) fn start(command: &mut Command, strays: Strays) -> io::Result<(Child, Self)> {
        Self::start_by(command, strays, Command::spawn)
    }

    /// The same, by a way of one's own to start it.
    pub(super) fn start_by(
        command: &mut Command,
        strays: Strays,
        spawn: impl FnOnce(&mut Command) -> io::Result<Child>,
    ) -> io::Result<(Child, Self)> {
        // Held until the group is known, so that `kill_all` misses none.
        let mut running = running();
        if running.closed {
            return Err(wording::refused(io::ErrorKind::Other, message!("the program is ending", "程序正在退出")));
        }
        #[cfg(unix)]
        let (founder, mut watchman) = (Founder::new(), Watchman::post());
        #[cfg(unix)]
        {
            let group = founder.as_ref().map(Founder::group);
            // Before the script begins: it could be this process's end.
            if let (Some(watchman), Some(group)) = (&mut watchman, group) {
                watchman.watch(group);
            }
            command.process_group(group.map_or(0, raw));
        }
        #[cfg(target_os = "linux")]
        if let (Strays::Overseen, Some(group)) = (strays, founder.as_ref().map(Founder::group))
            && let Some(mut overseer) = super::overseer::over(command)
        {
            // It ends when told to, together with all the processes that it supervises.
            overseer.process_group(0).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(false);
            let mut child = overseer.spawn()?;
            let pipe = child.stdin.take().and_then(|pipe| pipe.into_owned_fd().ok()).map(std::fs::File::from);
            let mut pipe = pipe.ok_or_else(|| io::Error::from(io::ErrorKind::BrokenPipe))?;
            std::io::Write::write_all(&mut pipe, format!("{group}\n").as_bytes())?;
            running.leaders.insert(group);
            return Ok((
                child,
                Self { leader: Some(group), _watchman: watchman, _founder: founder, _pipe: Some(pipe) },
            ));
        }
        #[cfg(not(target_os = "linux"))]
        let _ = strays;
        let child = spawn(command)?;
        #[cfg(unix)]
        let leader = founder.as_ref().map(Founder::group).or_else(|| {
            let leader = child.id()?;
            if let Some(watchman) = &mut watchman {
                watchman.watch(leader);
            }
            Some(leader)
        });
        #[cfg(not(unix))]
        let leader = child.id();
        running.leaders.extend(leader);
        let group = Self {
            leader,
            #[cfg(unix)]
            _watchman: watchman,
            #[cfg(unix)]
            _founder: founder,
            #[cfg(unix)]
            _pipe: None,
        };
        Ok((child, group))
    }

    pub(super) fn kill(mut self) {
        self.kill_once();
    }

    fn kill_once(&mut self) {
        if let Some(leader) = self.leader.take() {
            running().leaders.remove(&leader);
            kill(leader);
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.kill_once();
    }
}

#[cfg(unix)]
fn kill(leader: Leader) {
    if let Some(leader) = rustix::process::Pid::from_raw(raw(leader)) {
        // This fails only if no process is left.
        let _ = rustix::process::kill_process_group(leader, rustix::process::Signal::KILL);
    }
}

/// As the system counts them: from 1, and never so many.
#[cfg(unix)]
fn raw(id: u32) -> i32 {
    i32::try_from(id).unwrap_or_default()
}

#[cfg(windows)]
fn kill(leader: Leader) {
    let _ = std::process::Command::new("taskkill").args(["/T", "/F", "/PID", &leader.to_string()]).output();
}

/// The first process of a group. It does nothing, and is started before the script, so that the watchman can get the
/// group's id before anything runs, and no other group gets the same id while this one is supervised.
#[cfg(unix)]
struct Founder(std::process::Child);

#[cfg(unix)]
impl Founder {
    /// `None` if none can be started: then the script is the first, and the watchman learns of it only after it has
    /// begun.
    fn new() -> Option<Self> {
        use std::os::unix::process::CommandExt;
        use std::process::{Command, Stdio};
        let mut command = Command::new("/bin/sh");
        command.args(["-c", "read -r _"]).env_clear().current_dir("/").process_group(0);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().ok().map(Self)
    }

    fn group(&self) -> Leader {
        self.0.id()
    }
}

#[cfg(unix)]
impl Drop for Founder {
    fn drop(&mut self) {
        // Killed with its group, or with the script that was never started. Both fail only if it is gone.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A shell that waits for the end of a pipe that only this process holds open, and that therefore closes when this
/// process ends. Then it kills the group whose id it got. It has another group itself, so that no signal of the script
/// reaches it.
#[cfg(unix)]
struct Watchman(std::process::Child);

#[cfg(unix)]
impl Watchman {
    /// `None` if none is available: the script is still supervised as long as this process lives.
    fn post() -> Option<Self> {
        use std::os::unix::process::CommandExt;
        use std::process::{Command, Stdio};
        let mut command = Command::new("/bin/sh");
        let wait = "read -r group || exit; read -r _; kill -s KILL -- \"-$group\"";
        command.args(["-c", wait]).env_clear().current_dir("/").process_group(0);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().ok().map(Self)
    }

    fn watch(&mut self, leader: Leader) {
        use std::io::Write;
        if let Some(pipe) = &mut self.0.stdin {
            // If it fails the watchman is gone, as if there had been none.
            let _ = writeln!(pipe, "{leader}");
        }
    }
}

#[cfg(unix)]
impl Drop for Watchman {
    fn drop(&mut self) {
        // Its pipe is still open, so it has not killed anything. Both fail only if it is gone.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::io::{BufRead, BufReader, Read};
    use std::process::Stdio;

    use super::*;

    /// Names the pipe to the process that is killed.
    const DIES_WITH: &str = "SKILLBENCH_TEST_PIPE";

    #[test]
    fn a_script_dies_with_the_process_that_started_it_however_that_ends() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let mut starter = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "tool::group::tests::starts_a_script_and_waits"])
            .env(DIES_WITH, &pipe)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let mut reader = BufReader::new(std::fs::File::open(&pipe).unwrap());
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        assert_eq!(line, "alive\n");
        starter.kill().unwrap();
        starter.wait().unwrap();
        // The end of the pipe: no process holds it any longer.
        reader.read_to_end(&mut Vec::new()).unwrap();
    }

    /// Does nothing, except when the test above runs it in a separate process.
    #[tokio::test]
    async fn starts_a_script_and_waits() {
        let Some(pipe) = std::env::var_os(DIES_WITH) else { return };
        let mut command = Command::new("sh");
        // The shell and its child hold the pipe, and ignore the signal that they send to their whole group.
        let hold = "trap '' TERM; kill 0; exec 3> \"$1\"; sleep 300 & echo alive >&3; wait";
        command.args(["-c", hold, "sh"]).arg(pipe);
        let (mut child, _group) = Group::start(&mut command, Strays::Kept).unwrap();
        child.wait().await.unwrap();
    }
}
