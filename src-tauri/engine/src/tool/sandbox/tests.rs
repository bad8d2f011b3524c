//! Malicious scripts. If the attempt is harmless to us, it also runs unconfined, to show that it would succeed.
#![cfg(target_os = "linux")]

use std::fs;
use std::io::{ErrorKind, Read};
use std::net::{TcpListener, UdpSocket};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::process;

use needed::require_or_skip;
use tempfile::NamedTempFile;

use super::*;

async fn sandbox() -> Option<Sandbox> {
    require_or_skip(Sandbox::find().await)
}

/// Without it most of what follows cannot be tried.
fn has_python(sandbox: &Sandbox) -> bool {
    let python = sandbox.has("python3").then_some(());
    require_or_skip(python.ok_or("python3 is not one of the system's programs")).is_some()
}

/// A script in a folder of its own.
struct Bench {
    _folder: TempDir,
    skill: Utf8PathBuf,
}

impl Bench {
    fn new(text: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let skill = Utf8Path::from_path(folder.path()).unwrap().join("skill");
        fs::create_dir(&skill).unwrap();
        fs::write(skill.join("script"), text).unwrap();
        Self { _folder: folder, skill }
    }

    fn task(&self, interpreter: &str, arguments: &[&str]) -> Task {
        Task {
            interpreter: interpreter.into(),
            folder: self.skill.clone(),
            script: "script".into(),
            arguments: arguments.iter().map(|&argument| argument.into()).collect(),
            time: Duration::from_secs(60),
            output_bytes: 1 << 16,
        }
    }

    async fn confined(&self, sandbox: &Sandbox, arguments: &[&str]) -> Conduct {
        sandbox.run(&self.task("bash", arguments)).await.unwrap()
    }

    /// The control.
    fn unconfined(&self, arguments: &[&str]) -> String {
        let mut command = process::Command::new("bash");
        command.arg(self.skill.join("script")).args(arguments).current_dir(&self.skill).stdin(Stdio::null());
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    }

    /// A named pipe that a script sees as `/skill/fifo`.
    fn fifo(&self) -> Utf8PathBuf {
        let path = self.skill.join("fifo");
        assert!(process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        fs::set_permissions(&path, fs::Permissions::from_mode(0o666)).unwrap();
        path
    }
}

fn exited(conduct: &Conduct) -> (Option<i32>, &str) {
    (conduct.output.exit_code, &conduct.output.stdout)
}

#[tokio::test]
async fn says_what_a_script_printed_wrote_and_read() {
    let Some(sandbox) = sandbox().await else { return };
    let text =
        "pwd; echo \"$@\"; echo oops >&2; echo kept > note.txt; mkdir -p a; echo b > a/b; echo t > /tmp/t; exit 3";
    let bench = Bench::new(text);
    let conduct = bench.confined(&sandbox, &["--help", "two words"]).await;
    let output = ScriptOutput {
        stdout: "/work\n--help two words\n".into(),
        stderr: "oops\n".into(),
        exit_code: Some(3),
        timed_out: false,
        truncated: false,
        took: 0,
    };
    let wrote = [("a/b", 2), ("note.txt", 5)].map(|(path, size)| WrittenFile { path: path.into(), size }).to_vec();
    let seen = Conduct { output: ScriptOutput { took: 0, ..conduct.output.clone() }, ..conduct };
    assert_eq!(seen, Conduct { output, wrote, read_input: false });

    let asks = Bench::new("read -r -p 'Name? ' name; echo \"<$name>\"").confined(&sandbox, &[]).await;
    assert_eq!((exited(&asks), asks.read_input), ((Some(0), "<>\n"), true));
    let opens = Bench::new("head -n 1 /dev/stdin").confined(&sandbox, &[]).await;
    assert_eq!((exited(&opens), opens.read_input), ((Some(0), "\n"), true));
    let reads = Bench::new("cat > /dev/null").confined(&sandbox, &[]).await;
    assert_eq!((exited(&reads), reads.read_input), ((Some(0), ""), true), "a filter ends, since its input does");
}

#[tokio::test]
async fn runs_the_systems_programs() {
    let Some(sandbox) = sandbox().await else { return };
    let programs = Bench::new("awk 'BEGIN { print 6 * 7 }'; printf 'b\\na\\n' | sort | head -n 1; mktemp > /dev/null");
    assert_eq!(exited(&programs.confined(&sandbox, &[]).await), (Some(0), "42\na\n"));
    if has_python(&sandbox) {
        let python = Bench::new("import argparse, json, ssl, tempfile\nprint(json.dumps({'a': 1}))");
        assert_eq!(exited(&sandbox.run(&python.task("python3", &[])).await.unwrap()), (Some(0), "{\"a\": 1}\n"));
    }
    if sandbox.has("node") {
        let node = Bench::new("console.log([1, 2].map((n) => n * 2).join())");
        assert_eq!(exited(&sandbox.run(&node.task("node", &[])).await.unwrap()), (Some(0), "2,4\n"));
    }
    assert!(!sandbox.has("no-such-program"));
}

#[tokio::test]
async fn a_folder_that_is_gone_is_not_the_scripts_fault() {
    let Some(sandbox) = sandbox().await else { return };
    let mut task = Bench::new("").task("bash", &[]);
    task.folder = "/no/such/folder".into();
    let error = sandbox.run(&task).await.unwrap_err().to_string();
    assert!(error.starts_with("bwrap did not start: ") && error.contains("/no/such/folder"), "{error}");
}

#[tokio::test]
async fn nothing_is_written_outside_of_its_own_folder() {
    let Some(sandbox) = sandbox().await else { return };
    let text =
        "for place in \"$@\" /skill/script /new /usr/new /dev/shm/new; do echo harm > \"$place\"; done 2>/dev/null";
    let bench = Bench::new(text);
    let temporary = tempfile::tempdir().unwrap();
    let made = Utf8Path::from_path(temporary.path()).unwrap().join("made");
    let home = tempfile::Builder::new().prefix(".skillbench-").tempfile_in(dirs::home_dir().unwrap()).unwrap();
    let arguments = [made.as_str(), home.path().to_str().unwrap()];

    let conduct = bench.confined(&sandbox, &arguments).await;
    assert_eq!((conduct.wrote, made.exists()), (vec![], false));
    assert_eq!(fs::read_to_string(home.path()).unwrap(), "");
    assert_eq!(fs::read_to_string(bench.skill.join("script")).unwrap(), text);

    let control = Bench::new("for place in \"$@\"; do echo harm > \"$place\"; done");
    control.unconfined(&arguments);
    assert!(made.exists());
    assert_eq!(fs::read_to_string(home.path()).unwrap(), "harm\n");
}

#[tokio::test]
async fn nothing_is_read_outside_of_the_skill() {
    let Some(sandbox) = sandbox().await else { return };
    let bench = Bench::new("for place in \"$@\"; do cat \"$place\" 2>/dev/null; done; ln -s \"$1\" link; cat link");
    let secret = NamedTempFile::new().unwrap();
    fs::write(secret.path(), "canary").unwrap();
    // Targets of links in the skill's folder are not visible either.
    std::os::unix::fs::symlink(secret.path(), bench.skill.join("linked")).unwrap();
    let linked = bench.skill.join("linked");
    let arguments = [secret.path().to_str().unwrap(), linked.as_str(), "/skill/linked", "/etc/passwd", "/etc/shadow"];
    assert_eq!(bench.confined(&sandbox, &arguments).await.output.stdout, "");
    let control = bench.unconfined(&arguments);
    assert!(control.starts_with("canarycanary") && control.contains("root:"), "{control}");
}

#[tokio::test]
async fn no_packet_arrives() {
    let Some(sandbox) = sandbox().await else { return };
    let bench = Bench::new("echo tcp > \"/dev/tcp/127.0.0.1/$1\"; echo udp > \"/dev/udp/127.0.0.1/$2\"");
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let receiver = UdpSocket::bind(("127.0.0.1", 0)).unwrap();
    listener.set_nonblocking(true).unwrap();
    receiver.set_nonblocking(true).unwrap();
    let ports =
        [listener.local_addr().unwrap().port(), receiver.local_addr().unwrap().port()].map(|port| port.to_string());
    let ports = ports.each_ref().map(String::as_str);
    let arrived = || {
        let kind = |error: std::io::Error| error.kind();
        (listener.accept().map(|_| ()).map_err(kind), receiver.recv(&mut [0; 8]).map_err(kind))
    };
    bench.confined(&sandbox, &ports).await;
    assert_eq!(arrived(), (Err(ErrorKind::WouldBlock), Err(ErrorKind::WouldBlock)));
    bench.unconfined(&ports);
    assert_eq!(arrived(), (Ok(()), Ok(4)));
}

#[tokio::test]
async fn no_variable_of_ours_is_seen() {
    let Some(sandbox) = sandbox().await else { return };
    let bench = Bench::new("cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n'; env");
    let seen = bench.confined(&sandbox, &[]).await.output.stdout;
    let mut names: Vec<&str> = seen.lines().filter_map(|line| Some(line.split_once('=')?.0)).collect();
    names.sort_unstable();
    names.dedup();
    // The shell sets the others itself; bubblewrap sets PWD.
    names.retain(|name| !["PWD", "OLDPWD", "SHLVL", "_"].contains(name));
    assert_eq!(names, ["HOME", "LANG", "PATH"]);
    assert!(bench.unconfined(&[]).contains("CARGO_MANIFEST_DIR="), "there was something to see");
}

/// As a program that knows the numbers of calls: each by name, and what it came to, 0 or the word for the error.
const CALLS: &str = r#"
import ctypes, errno, platform, socket
libc = ctypes.CDLL(None, use_errno=True)
X86 = platform.machine() == "x86_64"
def call(name, number, *arguments):
    ctypes.set_errno(0)
    ended = libc.syscall(ctypes.c_long(number), *[ctypes.c_long(argument) for argument in arguments])
    print(name, 0 if ended >= 0 else errno.errorcode[ctypes.get_errno()])
def opened(name, family):
    try:
        socket.socket(family, socket.SOCK_STREAM).close()
        print(name, 0)
    except OSError as error:
        print(name, errno.errorcode[error.errno])
call("keyctl", 250 if X86 else 219, 0, -3, 0)
call("add_key", 248 if X86 else 217, 0, 0, 0, 0, -2)
call("unshare", 272 if X86 else 97, 0)
call("clone", 56 if X86 else 220, 0x10000000 | 17, 0, 0, 0, 0)
call("clone3", 435, 0, 0)
call("ptrace", 101 if X86 else 117, 0)
call("bpf", 321 if X86 else 280, 0, 0, 0)
call("io_uring_setup", 425, 1, 0)
if X86:
    call("x32 getpid", 0x40000000 | 39)
opened("vsock", 40)
opened("unix", socket.AF_UNIX)
"#;

#[tokio::test]
async fn no_key_of_the_session_and_no_part_of_the_kernel_that_is_not_needed_is_reached() {
    let Some(sandbox) = sandbox().await else { return };
    if !has_python(&sandbox) {
        return;
    }
    let came = sandbox.run(&Bench::new(CALLS).task("python3", &[])).await.unwrap();
    let refused = |line: &&str| !line.ends_with(" ENOSYS");
    let lines: Vec<&str> = came.output.stdout.lines().collect();
    assert!(lines.len() >= 10, "{:?}", came.output);
    assert_eq!(lines.into_iter().filter(refused).collect::<Vec<_>>(), ["unix 0"]);
    // The calls before it leave no process behind and do not wait.
    let (harmless, _) = CALLS.split_once("call(\"clone\"").unwrap();
    let control = process::Command::new("python3").args(["-c", harmless]).output().unwrap();
    let control = String::from_utf8(control.stdout).unwrap();
    assert!(control.contains("unshare 0\n"), "outside it is known: {control}");
}

#[tokio::test]
async fn no_real_path_is_in_a_command_line_and_no_key_is_listed() {
    let Some(sandbox) = sandbox().await else { return };
    let bench = Bench::new("cat /proc/[0-9]*/cmdline | tr '\\0' ' '; cat /proc/keys /proc/key-users 2>/dev/null");
    let seen = bench.confined(&sandbox, &[]).await.output.stdout;
    assert!(seen.contains("--args 9") && seen.contains("/skill/script"), "{seen}");
    let temporary = std::env::temp_dir();
    let real = format!("{}/.tmp", temporary.to_str().unwrap().trim_end_matches('/'));
    assert!(!seen.contains(bench.skill.as_str()) && !seen.contains(&real), "{seen}");
    assert!(!seen.contains("keyring"), "{seen}");
}

#[tokio::test]
async fn nothing_that_was_left_open_is_handed_on() {
    let Some(sandbox) = sandbox().await else { return };
    let bench = Bench::new("ls -d /proc/self/fd/* | grep -vx '/proc/self/fd/[0-3]'; cat <&77 2>/dev/null; echo over");
    // As a shell leaves it: not closed when another program is started.
    let left = fs::File::open(bench.skill.join("script")).unwrap();
    let left = rustix::io::fcntl_dupfd_cloexec(&left, 77).unwrap();
    rustix::io::fcntl_setfd(&left, rustix::io::FdFlags::empty()).unwrap();
    assert_eq!(std::os::fd::AsRawFd::as_raw_fd(&left), 77);
    let control = bench.unconfined(&[]);
    assert!(control.contains("/proc/self/fd/77\n"), "outside it is handed on: {control}");
    assert_eq!(exited(&bench.confined(&sandbox, &[]).await), (Some(0), "over\n"));
}

#[tokio::test]
async fn is_killed_at_its_time_limit_with_its_output_kept() {
    let Some(sandbox) = sandbox().await else { return };
    let sleeps = Task { time: Duration::from_millis(1500), ..Bench::new("").task("bash", &[]) };
    let bench = Bench::new("trap '' TERM INT HUP; echo begun; sleep 300; echo never");
    let conduct = sandbox.run(&Task { folder: bench.skill.clone(), ..sleeps.clone() }).await.unwrap();
    assert_eq!((conduct.output.timed_out, exited(&conduct)), (true, (None, "begun\n")));

    let bench = Bench::new("yes");
    let floods = Task { folder: bench.skill.clone(), output_bytes: 1000, ..sleeps };
    let conduct = sandbox.run(&floods).await.unwrap();
    assert_eq!((conduct.output.timed_out, conduct.output.truncated), (true, true));
    let (head, rest) = conduct.output.stdout.split_once("\n[… Skill Workbench leaves out ").unwrap();
    let (_, tail) = rest.split_once(" bytes here …]\n").unwrap();
    assert_eq!((head, tail.len()), (&*"y\n".repeat(250), 500));
}

/// Leaves a process behind that leaves the script's group and session and holds the pipe open.
const DAEMON: &str = "exec 3> \"$1\"; setsid sleep 300 > /dev/null 2>&1 < /dev/null & echo $! >&3; exec 3>&-; $2";

#[tokio::test]
async fn no_process_outlives_it() {
    let Some(sandbox) = sandbox().await else { return };
    // The rules keep a skill's pipe closed.
    let sandbox = sandbox.without_rules();
    for (then, time) in [("exit", 60_000), ("sleep 300", 1500)] {
        let bench = Bench::new(DAEMON);
        let fifo = bench.fifo();
        let task = Task { time: Duration::from_millis(time), ..bench.task("bash", &["/skill/fifo", then]) };
        let reader = tokio::task::spawn_blocking(move || fs::read_to_string(fifo).unwrap());
        let conduct = sandbox.run(&task).await.unwrap();
        assert_eq!(conduct.output.timed_out, then != "exit");
        let heard = tokio::time::timeout(Duration::from_secs(20), reader).await;
        let heard = heard.expect("the pipe ends because the process that holds it was killed").unwrap();
        assert!(heard.trim().parse::<u32>().is_ok(), "it ran: {heard}");
    }
}

#[tokio::test]
async fn a_process_does_outlive_what_is_not_confined() {
    let bench = Bench::new(DAEMON);
    let fifo = bench.fifo();
    // Open for both, so that no opening waits for another; O_NONBLOCK, as Linux has it.
    let mut pipe = fs::OpenOptions::new().read(true).write(true).custom_flags(0o4000).open(&fifo).unwrap();
    let open = script::Script {
        program: script::Program::File {
            interpreter: "bash".into(),
            path: bench.skill.join("script"),
            arguments: vec![fifo.to_string(), "exit".into()],
        },
        working_directory: bench.skill.clone(),
        time: Duration::from_secs(60),
        output_bytes: 1000,
        withheld: Vec::new(),
    };
    script::run(&open).await.unwrap();
    let mut heard = [0; 16];
    let length = pipe.read(&mut heard).unwrap();
    let id: i32 = std::str::from_utf8(&heard[..length]).unwrap().trim().parse().unwrap();
    let daemon = rustix::process::Pid::from_raw(id).unwrap();
    rustix::process::kill_process(daemon, rustix::process::Signal::KILL).expect("it is still there to be killed");
}

#[tokio::test]
async fn other_processes_of_nobody_are_not_counted_as_the_scripts() {
    let Some(sandbox) = sandbox().await else { return };
    if sandbox.starter != Starter::Root {
        return;
    }
    let mut others = process::Command::new("setpriv");
    let user = NOBODY.to_string();
    others.args(["--reuid", &user, "--regid", &user, "--clear-groups", "sh", "-c"]);
    others.arg("for _ in $(seq 140); do sleep 60 & done; echo; wait").stdout(Stdio::piped());
    let mut others = others.process_group(0).spawn().unwrap();
    let group = rustix::process::Pid::from_child(&others);
    others.stdout.take().unwrap().read_exact(&mut [0]).unwrap();
    let conduct = Bench::new("echo ran | cat").confined(&sandbox, &[]).await;
    rustix::process::kill_process_group(group, rustix::process::Signal::KILL).unwrap();
    others.wait().unwrap();
    assert_eq!(exited(&conduct), (Some(0), "ran\n"));
}

#[tokio::test]
async fn what_it_takes_is_limited() {
    let Some(sandbox) = sandbox().await else { return };
    let big = Bench::new("yes | head -c 20000000 > big; exit 0").confined(&sandbox, &[]).await;
    assert_eq!(big.wrote, [WrittenFile { path: "big".into(), size: 16 << 20 }]);
    if !has_python(&sandbox) {
        return;
    }
    let forks = "import os, sys, time\nmade = 0\nfor _ in range(200):\n    try:\n        if os.fork() == 0:\n            \
                 time.sleep(30)\n            os._exit(0)\n        made += 1\n    except OSError:\n        \
                 break\nprint('all' if made == 200 else 'some')";
    let forks = sandbox.run(&Bench::new(forks).task("python3", &[])).await.unwrap();
    assert_eq!(exited(&forks), (Some(0), "some\n"));
    let memory = "try:\n    held = bytearray(3 << 30)\n    print('all')\nexcept MemoryError:\n    print('too much')";
    let memory = sandbox.run(&Bench::new(memory).task("python3", &[])).await.unwrap();
    assert_eq!(exited(&memory), (Some(0), "too much\n"));
}
