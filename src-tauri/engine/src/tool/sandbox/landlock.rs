//! The sandbox where bubblewrap is missing or refused: rules of the kernel for files (Landlock), a filter of system
//! calls that leaves no sockets, and limits. Unlike namespaces it hides nothing: a script can find out that other files
//! exist, but can neither open nor change them. So more calls are refused here than with bubblewrap, among them those
//! that reach other processes by their numbers or other files by their names.
//!
//! A thread confines itself and starts the program, which inherits that. Each process of a script carries a mark (a
//! limit without effect) that the filter keeps it from removing, so all are found and killed, whatever group, session
//! or parent they have: by us, or by a shell that waits for our end. A process that keeps forking is gone by the time
//! it is found. So if the kernel keeps signals within a sandbox, a shell one sandbox further out, where no signal of
//! the script reaches it, kills everything inside with one call.

use std::io::{self, Write};

use camino::{Utf8Path, Utf8PathBuf};
use tokio::process::{Child, Command};
use tokio::sync::OnceCell;

use super::proof::Stage;
use super::{
    NOBODY, PROGRAMS, SETTINGS, SYSTEM, SandboxError, Scratch, Starter, give_whole, is_closed_to_others, is_shut,
    let_through, limits, missing, starter, system_program,
};
use crate::tool::ToolError;
use crate::tool::group::{Group, Strays};
use crate::tool::script::{self, Program, Script};
use config::{Network, Policy, ProcessLimits};
use harness::ScriptOutput;
use trace::{Enforcement, Layer, Measure};
use wording::message;

/// Landlock, as this machine has it, which has proved that it confines.
#[derive(Debug, Clone)]
pub struct Landlock {
    /// The shell that starts the confined program.
    shell: Utf8PathBuf,
    starter: Starter,
    signals: Signals,
}

/// Whether the kernel keeps signals within a sandbox, as it does from 6.12 on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Signals {
    Kept,
    Open,
}

impl Landlock {
    /// The first call of a process proves that it confines; the others get the same answer.
    pub async fn find() -> Result<Self, SandboxError> {
        static FOUND: OnceCell<Result<Landlock, SandboxError>> = OnceCell::const_new();
        FOUND.get_or_init(found).await.clone()
    }

    async fn prove(&self) -> Result<(), SandboxError> {
        let stage = Stage::ready().await?;
        let (script, policy) = stage.trial()?;
        let shown = std::slice::from_ref(&stage.folder);
        stage.judge_trial(self.run_script(&script, shown, &stage.work, &policy).await)
    }

    /// The restrictions for a script that is run with [`Self::run_script`]. `why`: the reason why no better sandbox was
    /// found.
    pub fn enforcement(
        &self,
        program: &str,
        shown: &[Utf8PathBuf],
        work: &Utf8Path,
        policy: &Policy,
        why: &SandboxError,
    ) -> Enforcement {
        let why = why.worded();
        let mut reason = message!(
            "{why}. Under Landlock, names and sizes of other files and numbers of other processes can be seen, but none \
             can be opened or changed; /tmp is closed, and temporary files lie in a folder of their own (TMPDIR); no \
             modes, owners or times of files change, without an error",
            "{why}。在 Landlock 下，其他文件的名称和大小、其他进程的编号可以看到，但无法打开或更改；/tmp 不可用，临时文件放在专用文件夹\
             （TMPDIR）；文件的权限、所有者和时间不会改变，也不会报错";
            why
        );
        if self.signals == Signals::Open {
            let more = message!(
                "this kernel does not keep signals in: a script can end other processes of yours, and one that forks without                  end can outlive the run",
                "此内核不隔离信号：脚本可以结束你的其他进程，不断自我复制的脚本可能在运行结束后继续存在"
            );
            reason = message!("{reason}; {more}", "{reason}；{more}"; reason, more);
        }
        if policy.network == Network::Allowed {
            let more = message!(
                "the network stays off, though you allowed it: Landlock cannot let it through alone",
                "虽然你允许了网络，网络仍然关闭：Landlock 无法单独放行网络"
            );
            reason = message!("{reason}; {more}", "{reason}；{more}"; reason, more);
        }
        if shown.iter().any(|shown| shown.starts_with(work)) {
            let more = message!(
                "a skill lies in the folder of the run and can be changed",
                "有技能位于运行的文件夹中，可能被更改"
            );
            reason = message!("{reason}; {more}", "{reason}；{more}"; reason, more);
        }
        Enforcement::full(Layer::Landlock, system_program(program))
            .without(&[Measure::Files, Measure::Temporary, Measure::Processes], reason)
    }

    /// Runs a program for a model as [`script::run`] does, but confined. `shown`: real paths of files and folders that
    /// it may read in addition to the system's. `work`: the folder that it may write to.
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
        if system_program(name).is_none() {
            return Err(missing(name));
        }
        let scratch = Scratch::new(self.starter).map_err(failed)?;
        let (folder, all, starter) = (work.to_owned(), shown.to_vec(), self.starter);
        let temporary = scratch.temporary.clone();
        let around = scratch.folder.path().to_owned();
        let confinement = tokio::task::spawn_blocking(move || {
            if starter == Starter::Root {
                give_whole(&folder)?;
                let_through(&around)?;
            }
            kernel::Confinement::new(&all, &[&folder, &temporary])
        });
        let confinement = confinement.await.unwrap_or_else(|error| Err(error.into())).map_err(failed)?;
        // Who has the last word learns of our end as well.
        let mark = match self.signals {
            Signals::Kept => kernel::Mark::new(),
            Signals::Open => kernel::Mark::new().and_then(kernel::Mark::watched),
        };
        let mut mark = mark.map_err(failed)?;
        let (gate, mut key) = io::pipe().map_err(failed)?;

        let mut command = Command::new(&self.shell);
        command.env_clear().current_dir(own).stdin(gate);
        scratch.surround(&mut command, work, policy);
        command.env("LANG", "C.UTF-8");
        // Git would fail at a system file that it must not read.
        command.env("GIT_CONFIG_NOSYSTEM", "1");
        command.args(["-c", START]).arg(kernel::left_open());
        if self.starter == Starter::Root {
            command.args(becoming_nobody(shown, &[work, own], script)?);
        }
        // And who ends them.
        let others = tasks(self.starter).saturating_add(1);
        let counted = ProcessLimits { processes: policy.limits.processes.saturating_add(others), ..policy.limits };
        command.arg("prlimit").args(limits(counted)).arg("--").arg(name);
        match &script.program {
            Program::File { path, arguments, .. } => command.arg(path).args(arguments),
            Program::Shell { command: line } => command.args(["-c", line]),
        };
        let start = |command: &mut Command| -> io::Result<(Child, Group)> {
            let last_word = (self.signals == Signals::Kept).then_some(&*self.shell);
            let (child, group) =
                Group::start_by(command, Strays::Kept, |command| confinement.start(command, last_word, &mut mark))?;
            mark.put_on(child.id())?;
            // Now it may begin.
            key.write_all(b"\n")?;
            Ok((child, group))
        };
        let output = script::follow_by(command, name, script.time, script.output_bytes, start).await;
        // Before the folders of its own are removed.
        drop(mark);
        output
    }
}

/// Waits until it is marked, closes inherited file descriptors (`flock 9`, `exec 3>&1`, make), and becomes the program.
const START: &str = r#"for number in $0; do exec {number}>&-; done
read -r _ || exit
exec "$@" < /dev/null"#;

fn failed(source: io::Error) -> ToolError {
    ToolError::Start { interpreter: "bash".to_owned(), source }
}

/// The user nobody cannot open root's files. If that is not enough to reach the visible files, nobody keeps one right
/// of root's, to read and pass; Landlock limits what it can be used for.
fn becoming_nobody(shown: &[Utf8PathBuf], own: &[&Utf8Path], script: &Script) -> Result<Vec<String>, ToolError> {
    let file = match &script.program {
        Program::File { path, .. } => Some(&**path),
        Program::Shell { .. } => None,
    };
    let all = shown.iter().map(|shown| &**shown).chain(own.iter().copied()).chain(file);
    let shut = all.flat_map(|place| place.ancestors().skip(1)).find(|folder| is_shut(folder));
    let closed = shown.iter().map(|shown| &**shown).chain(file).find(|place| is_closed_to_others(place));
    let rights = match shut.or(closed) {
        None => "-all",
        Some(_) if kernel::may_read_all() => "-all,+dac_read_search",
        Some(path) => return Err(ToolError::Closed { path: path.to_owned() }),
    };
    let mut words = vec!["setpriv".to_owned(), format!("--reuid={NOBODY}"), format!("--regid={NOBODY}")];
    words.push("--clear-groups".to_owned());
    words.extend(["inh-caps", "ambient-caps", "bounding-set"].map(|set| format!("--{set}={rights}")));
    words.extend(["--no-new-privs", "--"].map(str::to_owned));
    Ok(words)
}

async fn found() -> Result<Landlock, SandboxError> {
    if !cfg!(target_os = "linux") {
        return Err(SandboxError::System);
    }
    let found = |program, package| system_program(program).ok_or(SandboxError::Missing { program, package });
    found("prlimit", "util-linux")?;
    let shell = found("bash", "bash")?;
    let starter = starter();
    if starter == Starter::Root {
        found("setpriv", "util-linux")?;
    }
    if !kernel::is_there() {
        let reason = message!(
            "this kernel has no Landlock, or one from before Linux 6.2",
            "此内核没有 Landlock，或版本早于 Linux 6.2"
        );
        return Err(SandboxError::Kernel { reason });
    }
    let signals = if kernel::keeps_signals() { Signals::Kept } else { Signals::Open };
    let landlock = Landlock { shell, starter, signals };
    landlock.prove().await?;
    Ok(landlock)
}

/// How many threads the user that a script runs as has already.
pub(super) fn tasks(starter: Starter) -> u32 {
    kernel::tasks(starter)
}

#[cfg(target_os = "linux")]
mod kernel {
    use std::fs;
    use std::io::{self, Write};
    use std::os::linux::fs::MetadataExt;
    use std::process::{self, Stdio};
    use std::time::{Duration, Instant};

    use ::landlock::{
        ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
        RulesetCreated, RulesetCreatedAttr, RulesetStatus, Scope,
    };
    use camino::{Utf8Path, Utf8PathBuf};
    use rustix::process::{Pid, Resource, Rlimit, Signal, getrlimit, kill_process, prlimit};
    use seccompiler::BpfProgram;
    use tokio::process::{Child, Command};

    use super::{NOBODY, PROGRAMS, SETTINGS, SYSTEM, Starter};
    use crate::tool::sandbox::{calls, of_ours};
    use wording::message;

    /// Without this version, files that may not be written to could still be emptied.
    const LEAST: ABI = ABI::V3;
    /// Of which as much is asked for as the kernel has.
    const MOST: ABI = ABI::V10;

    pub(super) fn is_there() -> bool {
        let ruleset = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
        ruleset.handle_access(AccessFs::from_all(LEAST)).and_then(Ruleset::create).is_ok()
    }

    pub(super) fn keeps_signals() -> bool {
        let ruleset = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
        ruleset.scope(Scope::Signal).and_then(Ruleset::create).is_ok()
    }

    /// Harmless devices that programs expect.
    const DEVICES: [&str; 5] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

    /// Of the machine as a whole. Not of processes: those of others would be there too.
    const FACTS: [&str; 9] = [
        "/proc/cpuinfo",
        "/proc/filesystems",
        "/proc/meminfo",
        "/proc/stat",
        "/proc/sys/kernel/cap_last_cap",
        "/proc/sys/kernel/random",
        "/proc/sys/vm/overcommit_memory",
        "/proc/version",
        "/sys/devices/system/cpu",
    ];

    /// If these exist but cannot be read, programs fail; without namespaces they cannot be hidden.
    const ASKED_FOR: [&str; 2] = ["/etc/perl", "/etc/ssl/openssl.cnf"];

    /// Settings of Python, one folder for each version.
    fn of_python() -> impl Iterator<Item = Utf8PathBuf> {
        let entries = Utf8Path::new("/etc").read_dir_utf8().into_iter().flatten().flatten();
        entries.filter(|entry| entry.file_name().starts_with("python3")).map(camino::Utf8DirEntry::into_path)
    }

    /// The rules and filters for one program.
    pub(super) struct Confinement {
        rules: RulesetCreated,
        filters: [BpfProgram; 3],
    }

    impl Confinement {
        pub(super) fn new(shown: &[Utf8PathBuf], writable: &[&Utf8Path]) -> io::Result<Self> {
            let rules = Ruleset::default()
                .set_compatibility(CompatLevel::HardRequirement)
                .handle_access(AccessFs::from_all(LEAST))
                .map_err(io::Error::other)?
                .set_compatibility(CompatLevel::BestEffort);
            let rules = rules.handle_access(AccessFs::from_all(MOST)).map_err(io::Error::other)?;
            let rules = rules.handle_access(AccessNet::from_all(MOST)).map_err(io::Error::other)?;
            let rules = rules.scope(Scope::from_all(MOST)).map_err(io::Error::other)?;
            let mut rules = rules.create().map_err(io::Error::other)?;
            let read = AccessFs::from_read(MOST);
            let use_device = AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::Truncate | AccessFs::IoctlDev;
            let write = AccessFs::from_all(MOST) & !(AccessFs::MakeChar | AccessFs::MakeBlock | AccessFs::IoctlDev);
            for place in SYSTEM.iter().chain(&SETTINGS).chain(&ASKED_FOR) {
                rules = allow(rules, place.as_ref(), read)?;
            }
            for place in of_python() {
                rules = allow(rules, &place, read)?;
            }
            for place in FACTS {
                rules = allow(rules, place.as_ref(), AccessFs::ReadFile | AccessFs::ReadDir)?;
            }
            for device in DEVICES {
                rules = allow(rules, device.as_ref(), use_device)?;
            }
            for place in shown {
                rules = allow(rules, place, read)?;
            }
            for place in writable {
                rules = allow(rules, place, write)?;
            }
            Ok(Self { rules, filters: calls::landlock_filters()? })
        }

        /// Starts a command from a thread that is confined and then ends. What it starts inherits that. `last_word`: the shell
        /// that ends all of it, on kernels that keep signals in.
        pub(super) fn start(
            self,
            command: &mut Command,
            last_word: Option<&Utf8Path>,
            mark: &mut Mark,
        ) -> io::Result<Child> {
            let runtime = tokio::runtime::Handle::current();
            std::thread::scope(|scope| {
                let confined = scope.spawn(move || {
                    let _within = runtime.enter();
                    if let Some(shell) = last_word {
                        mark.last_word = Some(LastWord::wait_in_a_sandbox(shell)?);
                    }
                    self.enter()?;
                    command.spawn()
                });
                confined.join().unwrap_or_else(|_| {
                    Err(of_ours(message!("the thread that starts it broke off", "启动它的线程中断了")))
                })
            })
        }

        fn enter(self) -> io::Result<()> {
            let status = self.rules.restrict_self().map_err(io::Error::other)?;
            if status.ruleset == RulesetStatus::NotEnforced || !status.no_new_privs {
                return Err(of_ours(message!("Landlock is not in force", "Landlock 没有生效")));
            }
            self.filters.iter().try_for_each(|filter| seccompiler::apply_filter(filter)).map_err(io::Error::other)
        }
    }

    /// A shell that kills everything in its sandbox or further in, when we tell it to or once this program is gone. The
    /// kernel's call for "all that I may signal" misses none: a process that is just forking is killed before it has a
    /// child.
    struct LastWord(process::Child);

    impl LastWord {
        /// Puts this thread into a sandbox that only keeps signals in, and starts the shell there. Programs that this
        /// thread starts once it is in a second sandbox are further in, and no signal gets out from there.
        fn wait_in_a_sandbox(shell: &Utf8Path) -> io::Result<Self> {
            use std::os::unix::process::CommandExt;
            let rules = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
            let rules = rules.scope(Scope::Signal).and_then(Ruleset::create).map_err(io::Error::other)?;
            rules.restrict_self().map_err(io::Error::other)?;
            let mut command = process::Command::new(shell);
            command.args(["--noprofile", "--norc", "-c", KILL_ALL]).env_clear().current_dir("/").process_group(0);
            command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
            Ok(Self(command.spawn()?))
        }
    }

    /// The kernel passes over who calls. A second time, for what could not be signalled at the moment of the first.
    const KILL_ALL: &str = "read -r _; kill -s KILL -- -1; kill -s KILL -- -1";

    impl Drop for LastWord {
        fn drop(&mut self) {
            // The end of the pipe is the signal. Waiting for it fails only if it is gone.
            drop(self.0.stdin.take());
            let _ = self.0.wait();
        }
    }

    /// Missing files need no rule.
    fn allow(rules: RulesetCreated, place: &Utf8Path, access: BitFlags<AccessFs>) -> io::Result<RulesetCreated> {
        let Ok(facts) = fs::metadata(place) else { return Ok(rules) };
        let access = if facts.is_dir() { access } else { access & AccessFs::from_file(MOST) };
        let handle = PathFd::new(place).map_err(io::Error::other)?;
        rules.add_rule(PathBeneath::new(handle, access)).map_err(io::Error::other)
    }

    /// Marks the processes of one script: a limit of computing time for real-time priority, which they never have.
    /// Dropping it kills them.
    pub(super) struct Mark {
        value: u64,
        watchman: Option<process::Child>,
        last_word: Option<LastWord>,
    }

    /// More than any time.
    const NO_LIMIT: u64 = 1 << 62;

    impl Mark {
        pub(super) fn new() -> io::Result<Self> {
            if getrlimit(Resource::Rttime).maximum.is_some() {
                return Err(of_ours(message!(
                    "this program runs under a limit for real time (ulimit -R)",
                    "本程序受实时时间限制（ulimit -R）"
                )));
            }
            let random = random()?;
            Ok(Self { value: NO_LIMIT | random >> 8, watchman: None, last_word: None })
        }

        /// On a process that has not begun.
        pub(super) fn put_on(&self, process: Option<u32>) -> io::Result<()> {
            let process = process.and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
            let process = process.ok_or_else(|| of_ours(message!("it ended at once", "它立即结束了")))?;
            let limit = Rlimit { current: Some(self.value), maximum: Some(self.value) };
            prlimit(Some(process), Resource::Rttime, limit)?;
            Ok(())
        }
    }

    fn random() -> io::Result<u64> {
        use std::io::Read;
        let mut bytes = [0; 8];
        fs::File::open("/dev/urandom")?.read_exact(&mut bytes)?;
        Ok(u64::from_ne_bytes(bytes))
    }

    impl Mark {
        /// Starts a shell that kills the marked processes once this process is gone, whatever ended it.
        pub(super) fn watched(mut self) -> io::Result<Self> {
            use std::os::unix::process::CommandExt;
            let mut command = process::Command::new("/bin/sh");
            command.args(["-c", WATCH]).env_clear().env("PATH", PROGRAMS.join(":")).current_dir("/").process_group(0);
            command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
            let mut watchman = command.spawn()?;
            if let Some(pipe) = &mut watchman.stdin {
                writeln!(pipe, "{}", self.value)?;
            }
            self.watchman = Some(watchman);
            Ok(self)
        }

        fn bearers(&self) -> Vec<Pid> {
            let mark = self.value.to_string();
            let bears = |id: &i32| {
                let limits = fs::read_to_string(format!("/proc/{id}/limits")).unwrap_or_default();
                limits.contains(&mark) && !is_dead(*id)
            };
            numbers("/proc").filter(bears).filter_map(Pid::from_raw).collect()
        }
    }

    /// Until none is left, or for a limited time if zombies stay.
    const WATCH: &str = r#"read -r mark || exit; read -r _; round=0
while [ "$round" -lt 1000 ] && found=$(grep -ls -- "$mark" /proc/[0-9]*/limits); do
    for limits in $found; do process=${limits#/proc/}; kill -s KILL "${process%/limits}"; done
    round=$((round + 1))
done"#;

    /// This many searches in a row must find no process.
    const LOOKS: u32 = 3;

    /// Killed processes are gone long before.
    const PATIENCE: Duration = Duration::from_secs(5);

    impl Drop for Mark {
        fn drop(&mut self) {
            drop(self.last_word.take());
            let begun = Instant::now();
            let mut empty = 0;
            // A process that keeps forking is often missed by one search: it is gone, and its child was not there yet.
            while empty < LOOKS && begun.elapsed() < PATIENCE {
                let bearers = self.bearers();
                for process in &bearers {
                    // The only failure is that it is gone.
                    let _ = kill_process(*process, Signal::KILL);
                }
                empty = if bearers.is_empty() { empty + 1 } else { 0 };
                std::thread::yield_now();
            }
            if let Some(mut watchman) = self.watchman.take() {
                // Its pipe is still open, so it has not killed anything. Both fail only if it is gone.
                let _ = watchman.kill();
                let _ = watchman.wait();
            }
        }
    }

    /// A zombie keeps its mark until its parent asks how it ended.
    fn is_dead(id: i32) -> bool {
        let stat = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        stat.rsplit_once(')').is_none_or(|(_, rest)| rest.trim_start().starts_with(['Z', 'X']))
    }

    fn numbers(folder: &str) -> impl Iterator<Item = i32> {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
    }

    /// How many threads the user that a script runs as has already: the limit counts them too.
    pub(super) fn tasks(starter: Starter) -> u32 {
        let user = match starter {
            Starter::Root => NOBODY,
            Starter::User => rustix::process::getuid().as_raw(),
        };
        let threads = |id: i32| {
            let folder = format!("/proc/{id}/task");
            if fs::metadata(&folder).is_ok_and(|facts| facts.st_uid() == user) { numbers(&folder).count() } else { 0 }
        };
        u32::try_from(numbers("/proc").map(threads).sum::<usize>()).unwrap_or(u32::MAX)
    }

    /// `CAP_DAC_READ_SEARCH`.
    pub(super) fn may_read_all() -> bool {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let rights = status.lines().find_map(|line| line.strip_prefix("CapEff:"));
        rights.and_then(|rights| u64::from_str_radix(rights.trim(), 16).ok()).is_some_and(|rights| rights & 4 != 0)
    }

    /// Files that this process has open and that the programs it starts would inherit, by number.
    pub(super) fn left_open() -> String {
        let is_inherited = |id: &i32| {
            let facts = fs::read_to_string(format!("/proc/self/fdinfo/{id}")).unwrap_or_default();
            let flags = facts.lines().find_map(|line| line.strip_prefix("flags:"));
            let flags = flags.and_then(|flags| i32::from_str_radix(flags.trim(), 8).ok());
            *id > 2 && flags.is_some_and(|flags| flags & libc::O_CLOEXEC == 0)
        };
        let open: Vec<_> = numbers("/proc/self/fd").filter(is_inherited).map(|id| id.to_string()).collect();
        open.join(" ")
    }
}

/// Other systems have none, and [`found`] reports that before any of this is called.
#[cfg(not(target_os = "linux"))]
mod kernel {
    use std::io;

    use camino::{Utf8Path, Utf8PathBuf};
    use tokio::process::{Child, Command};

    use super::Starter;

    pub(super) fn is_there() -> bool {
        false
    }

    pub(super) fn keeps_signals() -> bool {
        false
    }

    pub(super) struct Confinement;

    impl Confinement {
        pub(super) fn new(_: &[Utf8PathBuf], _: &[&Utf8Path]) -> io::Result<Self> {
            Err(io::ErrorKind::Unsupported.into())
        }

        pub(super) fn start(self, _: &mut Command, _: Option<&Utf8Path>, _: &mut Mark) -> io::Result<Child> {
            Err(io::ErrorKind::Unsupported.into())
        }
    }

    pub(super) struct Mark;

    impl Mark {
        pub(super) fn new() -> io::Result<Self> {
            Err(io::ErrorKind::Unsupported.into())
        }

        pub(super) fn watched(self) -> io::Result<Self> {
            Err(io::ErrorKind::Unsupported.into())
        }

        pub(super) fn put_on(&self, _: Option<u32>) -> io::Result<()> {
            Err(io::ErrorKind::Unsupported.into())
        }
    }

    pub(super) fn tasks(_: Starter) -> u32 {
        0
    }

    pub(super) fn may_read_all() -> bool {
        false
    }

    pub(super) fn left_open() -> String {
        String::new()
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use std::fs;
    use std::io::{BufRead, BufReader, Read};
    use std::os::unix::fs::PermissionsExt;
    use std::process::Stdio;
    use std::time::Duration;

    use needed::require_or_skip;

    use super::*;

    async fn landlock() -> Option<Landlock> {
        require_or_skip(Landlock::find().await)
    }

    struct Bench {
        _folder: tempfile::TempDir,
        skill: Utf8PathBuf,
        work: Utf8PathBuf,
    }

    impl Bench {
        fn new(text: &str) -> Self {
            let folder = tempfile::tempdir().unwrap();
            fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
            let base = Utf8PathBuf::from_path_buf(folder.path().canonicalize().unwrap()).unwrap();
            let (skill, work) = (base.join("skill"), base.join("work"));
            [&skill, &work].into_iter().for_each(|folder| fs::create_dir(folder).unwrap());
            fs::write(skill.join("script"), text).unwrap();
            Self { _folder: folder, skill, work }
        }

        async fn run(&self, landlock: &Landlock, arguments: &[&str]) -> ScriptOutput {
            let arguments = arguments.iter().map(|&argument| argument.into()).collect();
            let script = Script {
                program: Program::File { interpreter: "bash".into(), path: self.skill.join("script"), arguments },
                working_directory: self.work.clone(),
                time: Duration::from_secs(60),
                output_bytes: 1 << 16,
                withheld: Vec::new(),
            };
            landlock
                .run_script(&script, std::slice::from_ref(&self.skill), &self.work, &Policy::default())
                .await
                .unwrap()
        }
    }

    #[tokio::test]
    async fn says_what_a_script_printed_and_how_it_ended() {
        let Some(landlock) = landlock().await else { return };
        let bench = Bench::new("pwd; echo \"$@\"; echo oops >&2; echo kept > note; mktemp > /dev/null; exit 3");
        let output = bench.run(&landlock, &["--value", "two words"]).await;
        let expected = ScriptOutput {
            stdout: format!("{}\n--value two words\n", bench.work),
            stderr: "oops\n".into(),
            exit_code: Some(3),
            timed_out: false,
            truncated: false,
            took: 0,
        };
        assert_eq!(ScriptOutput { took: 0, ..output }, expected);
        assert_eq!(fs::read_to_string(bench.work.join("note")).unwrap(), "kept\n");
    }

    /// As folders of root mostly are.
    #[tokio::test]
    async fn reaches_a_folder_in_one_that_only_its_owner_enters() {
        let Some(landlock) = landlock().await else { return };
        let bench = Bench::new("cat \"$0\" | head -n 1; echo made > note && cat note");
        fs::set_permissions(bench.work.parent().unwrap(), fs::Permissions::from_mode(0o700)).unwrap();
        let output = bench.run(&landlock, &[]).await;
        assert!(output.stdout.ends_with("made\n") && output.stdout.starts_with("cat"), "{output:?}");
    }

    #[tokio::test]
    async fn nothing_that_was_left_open_is_handed_on() {
        let Some(landlock) = landlock().await else { return };
        let bench = Bench::new("cat <&78 2>/dev/null; echo over");
        let left = fs::File::open(bench.skill.join("script")).unwrap();
        let left = rustix::io::fcntl_dupfd_cloexec(&left, 78).unwrap();
        rustix::io::fcntl_setfd(&left, rustix::io::FdFlags::empty()).unwrap();
        assert_eq!(std::os::fd::AsRawFd::as_raw_fd(&left), 78);
        assert_eq!(bench.run(&landlock, &[]).await.stdout, "over\n");
    }

    #[tokio::test]
    async fn node_and_python_run() {
        let Some(landlock) = landlock().await else { return };
        for (program, line) in [
            ("python3", "python3 -c 'import ssl, json; print(json.dumps([1 + 1]))'"),
            ("node", "node -e 'console.log(\"[\" + (1 + 1) + \"]\")'"),
        ] {
            let found = system_program(program).ok_or(format!("{program} is not one of the system's programs"));
            if require_or_skip(found).is_some() {
                let output = Bench::new(line).run(&landlock, &[]).await;
                assert_eq!((output.stdout.as_str(), output.exit_code), ("[2]\n", Some(0)), "{output:?}");
            }
        }
    }

    /// Each process starts the next one in a new session and ends: a search always finds the one before.
    #[tokio::test]
    async fn what_forks_without_end_does_not_outlive_the_script() {
        let Some(landlock) = landlock().await else { return };
        let signals = (landlock.signals == Signals::Kept).then_some(()).ok_or("this kernel does not keep signals in");
        let python = system_program("python3").ok_or("python3 is not one of the system's programs");
        if require_or_skip(signals).is_none() || require_or_skip(python).is_none() {
            return;
        }
        let chain = "import os\nfor chain in range(4):\n    if os.fork() == 0:\n        \
                     while True:\n            os.setsid()\n            if os.fork(): os._exit(0)\n            \
                     open('alive', 'a').write('.')\n";
        let bench = Bench::new(
            "python3 - << 'END'\n{chain}END\nwhile [ ! -s alive ]; do :; done".replace("{chain}", chain).as_str(),
        );
        bench.run(&landlock, &[]).await;
        let alive = || fs::metadata(bench.work.join("alive")).unwrap().len();
        let before = alive();
        tokio::time::sleep(Duration::from_millis(500)).await;
        assert!(before > 0 && alive() == before, "{before} and then {}", alive());
    }

    /// Names the folder of the pipe to the process that is killed.
    const DIES_WITH: &str = "SKILLBENCH_TEST_LANDLOCK";

    #[tokio::test]
    async fn what_left_its_group_dies_with_the_process_that_started_it() {
        if landlock().await.is_none() {
            return;
        }
        let bench = Bench::new("");
        let pipe = bench.work.join("pipe");
        assert!(std::process::Command::new("mkfifo").args(["-m", "666", pipe.as_str()]).status().unwrap().success());
        let test = "tool::sandbox::landlock::tests::starts_what_leaves_its_group_and_waits";
        let mut starter = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", test])
            .env(DIES_WITH, bench.work.as_str())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let mut reader = BufReader::new(fs::File::open(&pipe).unwrap());
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
    async fn starts_what_leaves_its_group_and_waits() {
        let Ok(work) = std::env::var(DIES_WITH) else { return };
        let landlock = landlock().await.unwrap();
        let script = "exec 3> pipe; setsid sh -c 'setsid sleep 300 & echo alive >&3; wait' & wait";
        let bench = Bench { work: work.into(), ..Bench::new(script) };
        bench.run(&landlock, &[]).await;
    }
}
