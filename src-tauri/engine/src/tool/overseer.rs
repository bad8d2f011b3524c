//! Between this program and a script without a sandbox there is another process of this program, the overseer. On Linux
//! it adopts processes that leave the script's group and session. When the script or this program ends, for whatever
//! reason, it kills all of them before it ends itself. So nothing that a script starts outlives it.

use std::ffi::OsString;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::os::fd::AsFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{ExitCode, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitOptions, getpid, kill_process, set_child_subreaper, wait};
use tokio::process::Command;

/// What an overseer is called in place of the program's name.
const NAME: &str = "skillbench-overseer";

/// Where libraries of this program are, if it brings them along; scripts do not get it.
const LIBRARIES: &str = "LD_LIBRARY_PATH";

/// The exit code of shells for programs that cannot be started.
const NOT_STARTED: u8 = 126;

/// How long to look for what will not die.
const PATIENCE: Duration = Duration::from_secs(5);
const PAUSE: Duration = Duration::from_millis(5);
/// How long without pauses.
const HASTE: Duration = Duration::from_secs(2);

/// Whether this program's `main` begins with [`serve`].
static SERVES: AtomicBool = AtomicBool::new(false);

/// To be called first of all by programs that run scripts: whether this process is an overseer, which then has done its
/// work, and the code to end with.
pub fn serve() -> Option<ExitCode> {
    SERVES.store(true, Ordering::Relaxed);
    let mut arguments = std::env::args_os();
    if arguments.next()? != NAME {
        return None;
    }
    Some(oversee(arguments))
}

/// A command under an overseer, which waits on its standard input for the number of the group that the command is to
/// join. `None`: this program's `main` knows nothing of overseers.
pub(super) fn over(command: &Command) -> Option<Command> {
    if !SERVES.load(Ordering::Relaxed) {
        return None;
    }
    let theirs = command.as_std();
    let mut overseer = Command::new("/proc/self/exe");
    overseer.arg0(NAME).arg(theirs.get_program()).args(theirs.get_args()).env_clear();
    overseer.envs(theirs.get_envs().filter_map(|(name, value)| Some((name, value?))));
    overseer.envs(std::env::var_os(LIBRARIES).map(|places| (LIBRARIES, places)));
    if let Some(folder) = theirs.get_current_dir() {
        overseer.current_dir(folder);
    }
    overseer.stdin(Stdio::piped());
    Some(overseer)
}

/// Runs the command, and ends as it ended.
fn oversee(mut arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let _ = set_child_subreaper(Some(getpid()));
    let Ok(pipe) = std::io::stdin().as_fd().try_clone_to_owned() else { return ExitCode::from(NOT_STARTED) };
    let mut pipe = BufReader::new(File::from(pipe));
    let mut line = String::new();
    let group = pipe.read_line(&mut line).ok().and_then(|_| line.trim().parse().ok());
    let (Some(group), Some(program)) = (group, arguments.next()) else { return ExitCode::from(NOT_STARTED) };
    let mut command = std::process::Command::new(program);
    command.args(arguments).env_remove(LIBRARIES).stdin(Stdio::null()).process_group(group);
    let Ok(child) = command.spawn() else { return ExitCode::from(NOT_STARTED) };
    std::thread::spawn(move || {
        // The end of the pipe: of this script, or of the program.
        let _ = pipe.read_to_end(&mut Vec::new());
        end_all();
        die()
    });
    let ended = loop {
        match wait(WaitOptions::empty()) {
            Ok(Some((pid, status))) if u32::try_from(pid.as_raw_nonzero().get()) == Ok(child.id()) => {
                break ExitStatus::from_raw(status.as_raw());
            }
            Ok(_) | Err(Errno::INTR) => {}
            Err(_) => die(),
        }
    };
    end_all();
    match ended.code() {
        Some(code) => ExitCode::from(u8::try_from(code).unwrap_or(NOT_STARTED)),
        None => die(),
    }
}

/// As something that a signal ended.
fn die() -> ! {
    let _ = kill_process(getpid(), Signal::KILL);
    std::process::abort()
}

/// Kills all children until there are none: those of one that is killed become children of this process. A process that
/// repeatedly starts another and ends must be caught while it lives: so at first there are no pauses.
fn end_all() {
    let begun = std::time::Instant::now();
    while begun.elapsed() < PATIENCE {
        for child in own_children().unwrap_or_else(children) {
            let _ = kill_process(child, Signal::KILL);
        }
        match wait(WaitOptions::NOHANG) {
            Ok(Some(_)) | Err(Errno::INTR) => {}
            Ok(None) if begun.elapsed() < HASTE => std::thread::yield_now(),
            Ok(None) => std::thread::sleep(PAUSE),
            Err(_) => return,
        }
    }
}

/// The processes whose parent this is, as the kernel lists them for each thread; `None` if it does not.
/// https://man7.org/linux/man-pages/man5/proc_tid_children.5.html
fn own_children() -> Option<Vec<Pid>> {
    let mut found = Vec::new();
    for thread in std::fs::read_dir("/proc/self/task").ok()?.flatten() {
        match std::fs::read_to_string(thread.path().join("children")) {
            Ok(children) => found.extend(children.split_whitespace().filter_map(|id| Pid::from_raw(id.parse().ok()?))),
            // A thread that has ended since.
            Err(error) if error.raw_os_error() == Some(libc::ESRCH) => {}
            Err(_) => return None,
        }
    }
    Some(found)
}

/// The same, from what all processes say of their parents.
fn children() -> Vec<Pid> {
    let own = getpid().as_raw_nonzero().get().to_string();
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    pids.filter(|pid| parent(*pid).is_some_and(|parent| parent == own)).filter_map(Pid::from_raw).collect()
}

/// After the name, which may contain anything, come the state and the parent.
/// https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
fn parent(pid: i32) -> Option<String> {
    let told = std::fs::read(format!("/proc/{pid}/stat")).ok()?;
    let told = String::from_utf8_lossy(&told);
    told.rsplit_once(')')?.1.split_whitespace().nth(1).map(str::to_owned)
}
