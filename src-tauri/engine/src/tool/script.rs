//! Runs one script or command line as its own process group, with an environment without secrets, a time limit and a
//! limit on the kept output. No process of the group outlives it; one that leaves the group (`setsid`) does, unless a
//! sandbox prevents it. [`super::room`] decides which programs may run this way.

use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::io::{self, ErrorKind};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::{Child, Command};
use tokio::time::Instant;

use super::ToolError;
use super::group::{Group, Strays};
use harness::ScriptOutput;

/// What to run and how.
#[derive(Debug, Clone, PartialEq)]
pub struct Script {
    pub program: Program,
    /// The working directory, also its `HOME`.
    pub working_directory: Utf8PathBuf,
    pub time: Duration,
    /// Bytes kept of stdout, and again of stderr: half of them from its beginning, half from its end. The part between
    /// is read, counted and dropped.
    pub output_bytes: usize,
    /// Variables that it does not get, whatever they are called: they hold keys.
    pub withheld: Vec<String>,
}

/// The program to start.
#[derive(Debug, Clone, PartialEq)]
pub enum Program {
    /// `interpreter path arguments…`; the interpreter is looked up on PATH, e.g. `python3`.
    File { interpreter: String, path: Utf8PathBuf, arguments: Vec<String> },
    /// A line for the shell of the system: `sh -c`, or `cmd /C` on Windows.
    Shell { command: String },
}

impl Program {
    /// The program that is looked up.
    pub(super) fn name(&self) -> &str {
        match self {
            Self::File { interpreter, .. } => interpreter,
            Self::Shell { .. } => SHELL,
        }
    }

    /// The program that is started. The shell has its whole path, as frameworks start it: it says that in its errors.
    pub(super) fn started(&self) -> &str {
        match self {
            Self::Shell { .. } if cfg!(unix) => "/bin/sh",
            _ => self.name(),
        }
    }
}

/// The shell of the system.
#[cfg(unix)]
pub const SHELL: &str = "sh";
#[cfg(windows)]
pub const SHELL: &str = "cmd";

/// Runs a script to its end, or to its time limit. When this returns, or when its future is dropped, every process of
/// the script's group has been killed.
pub(super) async fn run(script: &Script) -> Result<ScriptOutput, ToolError> {
    if !script.working_directory.is_dir() {
        return Err(ToolError::WorkingDirectoryMissing { path: script.working_directory.clone() });
    }
    let name = script.program.name();
    // Else its overseer would be the first to know.
    if cfg!(target_os = "linux") && std::env::var_os("PATH").is_some() && on_path(name).is_none() {
        return Err(ToolError::InterpreterMissing { interpreter: name.to_owned() });
    }
    let start = |command: &mut Command| Group::start(command, Strays::Overseen);
    follow_by(command(script), name, script.time, script.output_bytes, start).await
}

/// Runs a command whose standard input is set, as [`run`] runs a script. `name` is its name in errors.
pub(super) async fn follow(
    command: Command,
    name: &str,
    time: Duration,
    output_bytes: usize,
) -> Result<ScriptOutput, ToolError> {
    follow_by(command, name, time, output_bytes, |command| Group::start(command, Strays::Kept)).await
}

/// The same, by a way of one's own to start it.
pub(super) async fn follow_by(
    mut command: Command,
    name: &str,
    time: Duration,
    output_bytes: usize,
    start: impl FnOnce(&mut Command) -> io::Result<(Child, Group)>,
) -> Result<ScriptOutput, ToolError> {
    let started = Instant::now();
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    let (mut child, group) = start(&mut command).map_err(|source| match source.kind() {
        ErrorKind::NotFound => ToolError::InterpreterMissing { interpreter: name.to_owned() },
        _ => ToolError::Start { interpreter: name.to_owned(), source },
    })?;
    let out = child.stdout.take();
    let err = child.stderr.take();
    let mut stdout = Capture::new(output_bytes);
    let mut stderr = Capture::new(output_bytes);

    let status = {
        let reading = async { tokio::join!(stdout.fill(out), stderr.fill(err)) };
        let deadline = tokio::time::sleep(time);
        tokio::pin!(reading, deadline);
        let mut read = false;
        let ended = loop {
            tokio::select! {
                biased;
                status = child.wait() => break Some(status),
                () = &mut deadline => break None,
                _ = &mut reading, if !read => read = true,
            }
        };
        group.kill();
        if !read {
            // A descendant that left the group may still hold the pipes; its output no longer counts as the script's.
            let _ = tokio::time::timeout(DRAIN, reading).await;
        }
        ended
    };
    let timed_out = status.is_none();
    let status = match status {
        Some(status) => status,
        None => child.wait().await,
    };
    let status = status.map_err(|source| ToolError::Wait { interpreter: name.to_owned(), source })?;
    Ok(output(status, stdout, stderr, timed_out, started.elapsed()))
}

/// How long to wait for the rest of the output once the script's group is dead.
const DRAIN: Duration = Duration::from_millis(200);

/// The path of a program on PATH.
pub(super) fn on_path(program: &str) -> Option<Utf8PathBuf> {
    let places = std::env::var_os("PATH")?;
    let places = std::env::split_paths(&places).filter_map(|folder| Utf8PathBuf::try_from(folder.join(program)).ok());
    places.into_iter().find(|path| path.is_file())
}

/// Variables that a script gets from ours, if set: the folders of programs, language and time zone, and those without
/// which Windows programs cannot start. Everything else, API keys above all, stays here.
const PASSED_ON: [&str; 13] = [
    "PATH",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "TZ",
    "TMPDIR",
    "TEMP",
    "TMP",
    "PATHEXT",
    "SYSTEMROOT",
    "SYSTEMDRIVE",
    "WINDIR",
    "COMSPEC",
];

fn command(script: &Script) -> Command {
    let mut command = Command::new(script.program.started());
    match &script.program {
        Program::File { path, arguments, .. } => {
            command.arg(path).args(arguments);
        }
        #[cfg(unix)]
        Program::Shell { command: line } => {
            command.arg("-c").arg(line);
        }
        // As it is: `cmd` has its own rules for quotes.
        #[cfg(windows)]
        Program::Shell { command: line } => {
            command.arg("/C").raw_arg(line);
        }
    }
    command
        .current_dir(&script.working_directory)
        .env_clear()
        .envs(environment(std::env::vars_os(), &script.working_directory, &script.withheld))
        .stdin(Stdio::null());
    command
}

/// The whole environment of a script, out of ours.
fn environment(
    ours: impl Iterator<Item = (OsString, OsString)>,
    home: &Utf8Path,
    withheld: &[String],
) -> Vec<(OsString, OsString)> {
    let passed_on = |name: &OsStr| {
        let is_allowed = PASSED_ON.iter().any(|allowed| name.eq_ignore_ascii_case(allowed));
        is_allowed && !withheld.iter().any(|withheld| name.eq_ignore_ascii_case(withheld))
    };
    let mut theirs: Vec<_> = ours.filter(|(name, _)| passed_on(name)).collect();
    theirs.push(("HOME".into(), home.as_str().into()));
    // Python would leave `__pycache__` folders inside the skill.
    theirs.push(("PYTHONDONTWRITEBYTECODE".into(), "1".into()));
    // Python would run files there before each script, and scripts can write to the folder of the run.
    theirs.push(("PYTHONNOUSERSITE".into(), "1".into()));
    theirs
}

fn output(status: ExitStatus, stdout: Capture, stderr: Capture, timed_out: bool, took: Duration) -> ScriptOutput {
    ScriptOutput {
        exit_code: if timed_out { None } else { status.code() },
        timed_out,
        truncated: stdout.is_cut() || stderr.is_cut(),
        took: u32::try_from(took.as_millis()).unwrap_or(u32::MAX),
        stdout: stdout.into_text(),
        stderr: stderr.into_text(),
    }
}

/// The first and the last part of a stream.
struct Capture {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    /// Bytes of each part.
    most: [usize; 2],
    left_out: u64,
}

impl Capture {
    fn new(cap: usize) -> Self {
        Self { head: Vec::new(), tail: VecDeque::new(), most: [cap - cap / 2, cap / 2], left_out: 0 }
    }

    /// Reads to the end of the stream, also past the cap, so that the writer never blocks on a full pipe.
    async fn fill(&mut self, stream: Option<impl AsyncRead + Unpin>) {
        let Some(mut stream) = stream else { return };
        let mut buffer = vec![0; 16 * 1024];
        while let Ok(read @ 1..) = stream.read(&mut buffer).await {
            self.take(&buffer[..read]);
        }
    }

    fn take(&mut self, bytes: &[u8]) {
        let [most, of_tail] = self.most;
        let (head, rest) = bytes.split_at(bytes.len().min(most - self.head.len()));
        self.head.extend_from_slice(head);
        self.tail.extend(rest);
        let over = self.tail.len().saturating_sub(of_tail);
        self.tail.drain(..over);
        self.left_out = self.left_out.saturating_add(over as u64);
    }

    fn is_cut(&self) -> bool {
        self.left_out > 0
    }

    /// Bytes that are not UTF-8 become U+FFFD; a character that was cut in two is left out.
    fn into_text(self) -> String {
        let Self { mut head, tail, mut left_out, .. } = self;
        let tail = Vec::from(tail);
        if left_out == 0 {
            head.extend(tail);
            return text(head);
        }
        if let Some(chunk) = head.utf8_chunks().last()
            && std::str::from_utf8(chunk.invalid()).is_err_and(|error| error.error_len().is_none())
        {
            let part = chunk.invalid().len();
            head.truncate(head.len() - part);
            left_out += part as u64;
        }
        // At most three bytes go on with a character.
        let part = tail.iter().take(3).take_while(|byte| **byte & 0b1100_0000 == 0b1000_0000).count();
        left_out += part as u64;
        let tail = text(tail[part..].to_vec());
        format!("{}\n[… Skill Workbench leaves out {left_out} bytes here …]\n{tail}", text(head))
    }
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::io::{BufRead, BufReader, Read};

    use super::*;

    struct Bench {
        folder: tempfile::TempDir,
    }

    impl Bench {
        fn new() -> Self {
            Self { folder: tempfile::tempdir().unwrap() }
        }

        fn path(&self) -> &Utf8Path {
            Utf8Path::from_path(self.folder.path()).unwrap()
        }

        fn script(&self, interpreter: &str, text: &str) -> Script {
            let path = self.path().join("script");
            std::fs::write(&path, text).unwrap();
            Script {
                program: Program::File { interpreter: interpreter.into(), path, arguments: Vec::new() },
                working_directory: self.path().to_owned(),
                time: Duration::from_secs(60),
                output_bytes: 1 << 16,
                withheld: Vec::new(),
            }
        }

        /// A named pipe: the reader sees its end once the last process that holds it open for writing is gone.
        fn fifo(&self) -> Utf8PathBuf {
            let path = self.path().join("fifo");
            assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
            path
        }
    }

    impl Script {
        fn give(&mut self, given: Vec<String>) {
            if let Program::File { arguments, .. } = &mut self.program {
                *arguments = given;
            }
        }
    }

    fn without_time(output: ScriptOutput) -> ScriptOutput {
        ScriptOutput { took: 0, ..output }
    }

    fn printed(stdout: &str) -> ScriptOutput {
        ScriptOutput {
            stdout: stdout.into(),
            stderr: String::new(),
            exit_code: Some(0),
            timed_out: false,
            truncated: false,
            took: 0,
        }
    }

    /// Waits for `alive`, lets `end` end the script, and then waits for the end of the pipe.
    async fn alive_until(fifo: Utf8PathBuf, end: impl Future<Output = ()>) {
        let mut reader = tokio::task::spawn_blocking(move || {
            let mut reader = BufReader::new(std::fs::File::open(fifo).unwrap());
            let mut line = String::new();
            reader.read_line(&mut line).unwrap();
            assert_eq!(line, "alive\n", "the background process started and holds the pipe");
            reader
        })
        .await
        .unwrap();
        end.await;
        let gone = tokio::task::spawn_blocking(move || reader.read_to_end(&mut Vec::new()).unwrap());
        tokio::time::timeout(Duration::from_secs(20), gone)
            .await
            .expect("the pipe ends because the background process was killed")
            .unwrap();
    }

    /// A script that leaves a process behind which holds the pipe `$1` open.
    fn background(then: &str) -> String {
        format!("exec 3> \"$1\"\nsleep 300 > /dev/null 2>&1 &\necho alive >&3\nexec 3>&-\n{then}")
    }

    #[tokio::test]
    async fn gives_output_and_exit_code_with_arguments_and_working_directory() {
        let bench = Bench::new();
        let mut script = bench.script("sh", "pwd -P\nprintf '%s|' \"$@\"\necho oops >&2\ncat\nexit 3");
        script.give(vec!["--value".into(), "two words".into()]);
        let cwd = bench.path().canonicalize_utf8().unwrap();
        assert_eq!(
            without_time(run(&script).await.unwrap()),
            ScriptOutput {
                stderr: "oops\n".into(),
                exit_code: Some(3),
                ..printed(&format!("{cwd}\n--value|two words|"))
            },
            "stdin is empty, so cat prints nothing and ends"
        );
    }

    #[tokio::test]
    async fn runs_a_line_of_the_shell() {
        let bench = Bench::new();
        let command = "echo one && echo $((1 + 1)) >&2; exit 4".into();
        let script = Script { program: Program::Shell { command }, ..bench.script("", "") };
        let expected = ScriptOutput { stderr: "2\n".into(), exit_code: Some(4), ..printed("one\n") };
        assert_eq!(without_time(run(&script).await.unwrap()), expected);
        let missing = Script { program: Program::Shell { command: "no-such-command".into() }, ..script };
        let said = run(&missing).await.unwrap().stderr;
        assert!(said.starts_with("/bin/sh: "), "as Python's `shell=True` starts it: {said}");
    }

    #[tokio::test]
    async fn runs_python_and_leaves_no_bytecode() {
        let bench = Bench::new();
        std::fs::write(bench.path().join("sums.py"), "def add(a, b): return a + b").unwrap();
        let script = bench.script("python3", "import sums\nprint('和', sums.add(1, 2))");
        assert_eq!(without_time(run(&script).await.unwrap()), printed("和 3\n"));
        assert!(!bench.path().join("__pycache__").exists());
    }

    #[tokio::test]
    async fn says_which_interpreter_is_missing() {
        let bench = Bench::new();
        let error = run(&bench.script("no-such-interpreter", "")).await.unwrap_err();
        assert_eq!(error.to_string(), "no-such-interpreter is not installed or not on PATH");
    }

    #[tokio::test]
    async fn says_that_the_working_directory_is_missing() {
        let bench = Bench::new();
        let mut script = bench.script("sh", "");
        script.working_directory = "/no/such/folder".into();
        let error = run(&script).await.unwrap_err();
        assert_eq!(error.to_string(), "the working directory /no/such/folder does not exist");
    }

    #[tokio::test]
    async fn passes_on_only_the_variables_on_the_list() {
        let bench = Bench::new();
        let printed = run(&bench.script("sh", "env")).await.unwrap().stdout;
        let mut names: Vec<_> = printed.lines().filter_map(|line| Some(line.split_once('=')?.0)).collect();
        // The shell sets these itself.
        names.retain(|name| !["PWD", "OLDPWD", "SHLVL", "_"].contains(name));
        names.retain(|name| !PASSED_ON.contains(name));
        names.sort_unstable();
        assert_eq!(names, ["HOME", "PYTHONDONTWRITEBYTECODE", "PYTHONNOUSERSITE"]);
        let kept_back = std::env::vars().any(|(name, _)| !PASSED_ON.contains(&name.as_str()) && name != "HOME");
        assert!(kept_back, "there was something to keep back");
    }

    #[test]
    fn keeps_api_keys_back() {
        let ours = [
            ("OPENAI_API_KEY", "sk-1"),
            ("PATH", "/bin"),
            ("HOME", "/home/ann"),
            ("LANG", "sk-2"),
            ("SSH_AUTH_SOCK", "/s"),
        ];
        let ours = ours.map(|(name, value)| (name.into(), value.into()));
        let theirs = environment(ours.into_iter(), Utf8Path::new("/work"), &["LANG".to_owned()]);
        let expected =
            [("PATH", "/bin"), ("HOME", "/work"), ("PYTHONDONTWRITEBYTECODE", "1"), ("PYTHONNOUSERSITE", "1")];
        assert_eq!(theirs, expected.map(|(name, value)| (name.into(), value.into())));
    }

    #[tokio::test]
    async fn shows_bytes_that_are_not_utf8_as_replacement_characters() {
        let bench = Bench::new();
        let output = run(&bench.script("sh", r"printf 'a\377b'")).await.unwrap();
        assert_eq!(without_time(output), printed("a\u{fffd}b"));
    }

    #[tokio::test]
    async fn keeps_both_ends_of_long_output_and_lets_the_script_finish() {
        let bench = Bench::new();
        let mut script =
            bench.script("sh", "printf begun; head -c 3000000 /dev/zero | tr '\\0' x; printf over\nprintf done >&2");
        script.output_bytes = 1001;
        let left_out = "\n[… Skill Workbench leaves out 2999008 bytes here …]\n";
        let kept = format!("begun{}{left_out}{}over", "x".repeat(496), "x".repeat(496));
        assert_eq!(
            without_time(run(&script).await.unwrap()),
            ScriptOutput { stderr: "done".into(), truncated: true, ..printed(&kept) },
            "a full pipe would have blocked it before it wrote to stderr"
        );
    }

    #[tokio::test]
    async fn never_cuts_a_character_in_two() {
        let bench = Bench::new();
        let mut script = bench.script("sh", "printf 'ab中文字符cd'");
        script.output_bytes = 12;
        let output = run(&script).await.unwrap();
        let kept = "ab中\n[… Skill Workbench leaves out 6 bytes here …]\n符cd";
        assert_eq!(without_time(output), ScriptOutput { truncated: true, ..printed(kept) });
        script.output_bytes = 16;
        assert_eq!(without_time(run(&script).await.unwrap()), printed("ab中文字符cd"), "just as much");
    }

    #[tokio::test]
    async fn ends_a_script_at_its_time_limit_and_keeps_what_it_printed() {
        let bench = Bench::new();
        let mut script = bench.script("sh", "echo begun\nsleep 300\necho never");
        script.time = Duration::from_millis(1500);
        let output = run(&script).await.unwrap();
        assert!(output.took < 30_000, "took {} ms", output.took);
        assert_eq!(without_time(output), ScriptOutput { exit_code: None, timed_out: true, ..printed("begun\n") });
    }

    #[tokio::test]
    async fn kills_background_processes_when_the_script_ends() {
        let bench = Bench::new();
        let fifo = bench.fifo();
        let mut script = bench.script("sh", &background("exit 0"));
        script.give(vec![fifo.to_string()]);
        let running = tokio::spawn(async move { run(&script).await });
        alive_until(fifo, async { assert_eq!(without_time(running.await.unwrap().unwrap()), printed("")) }).await;
    }

    #[tokio::test]
    async fn kills_background_processes_at_the_time_limit() {
        let bench = Bench::new();
        let fifo = bench.fifo();
        let mut script = bench.script("sh", &background("wait"));
        script.give(vec![fifo.to_string()]);
        script.time = Duration::from_millis(1500);
        let running = tokio::spawn(async move { run(&script).await });
        alive_until(fifo, async { assert!(running.await.unwrap().unwrap().timed_out) }).await;
    }

    #[tokio::test]
    async fn kills_the_whole_group_when_the_run_is_dropped() {
        let bench = Bench::new();
        let fifo = bench.fifo();
        let mut script = bench.script("sh", &background("wait"));
        script.give(vec![fifo.to_string()]);
        let running = tokio::spawn(async move { run(&script).await });
        alive_until(fifo, async { running.abort() }).await;
    }

    #[tokio::test]
    async fn does_not_wait_for_a_background_process_that_holds_stdout() {
        let bench = Bench::new();
        let script = bench.script("sh", "sleep 300 &\necho done");
        let output = run(&script).await.unwrap();
        assert!(output.took < 30_000, "took {} ms", output.took);
        assert_eq!(without_time(output), printed("done\n"));
    }
}
