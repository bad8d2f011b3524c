//! How commands end when the disk, the store, the terminal or a signal is against them.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod terminal;

use std::fs::{File, Permissions};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use serde_json::{Value, json};
use terminal::{Terminal, text};

/// The runner of the article knows Python alone.
const BY_ENDING: &str = "harnesses:\n  agent-framework:\n    scriptRunner: byEnding\n";

impl Terminal {
    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).current_dir(root()).output().unwrap()
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let output = self.run(&[arguments, &["--format", "json"]].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    fn store(&self) -> rusqlite::Connection {
        if !self.home.path().join("state/traces.sqlite").exists() {
            assert!(self.run(&["trace", "list"]).status.success());
        }
        rusqlite::Connection::open(self.home.path().join("state/traces.sqlite")).unwrap()
    }

    /// From now on the store takes no event of this type, as if the disk were full.
    fn refuse(&self, event: &str) {
        let trigger = format!(
            "CREATE TRIGGER refuse BEFORE INSERT ON events WHEN NEW.type = '{event}'
             BEGIN SELECT RAISE(ABORT, 'no space left'); END"
        );
        self.store().execute_batch(&trigger).unwrap();
    }

    /// For temporary files, below the home.
    fn temporary(&self) -> PathBuf {
        let folder = self.home.path().join("tmp");
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn mode(&self, path: &str) -> u32 {
        std::fs::metadata(self.home.path().join(path)).unwrap().permissions().mode() & 0o777
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([&format!("-{name}"), &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

const SCENE: [&str; 6] =
    ["run", "skills", "--prompt", "How many pounds is 1 kilogram?", "--harness", "agent-framework"];
const ANSWER: &str = "1 kg is about **2.20462 lb**.";

#[test]
fn a_run_that_the_store_refuses_ends_and_is_kept_in_a_file_that_imports() {
    let terminal = Terminal::new();
    terminal.refuse("replied");
    let mut command = terminal.command(&[&SCENE[..], &["--format", "json"]].concat());
    let output = command.current_dir(root()).env("TMPDIR", terminal.temporary()).output().unwrap();
    let run: Value = serde_json::from_slice(&output.stdout).unwrap();
    let (id, reason) = (run["run"].as_str().unwrap(), "the trace store reported an error: no space left");
    let file = terminal.temporary().join(format!("skillbench-run-{id}.jsonl"));
    assert_eq!(run["status"], "failed");
    assert_eq!(run["error"], format!("the run was ended because it cannot be recorded: {reason}"));
    assert_eq!(run["messages"][0]["tool_calls"][0]["function"]["name"], "load_skill", "what was said is there");
    assert_eq!(run["unsaved"], json!({ "reason": reason, "file": file }));
    let told = format!(
        "error: run {id} is not in the trace store: {reason}\nhint: it is kept in {0}; `skillbench trace import {0}` \
         imports it once the store can be written\n",
        file.display()
    );
    assert_eq!((text(&output.stderr), output.status.code()), (told, Some(2)));

    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let elsewhere = Terminal::new();
    let imported = elsewhere.run(&["trace", "import", file.to_str().unwrap()]);
    assert_eq!(text(&imported.stdout).trim(), id);
    let steps = elsewhere.json(&["trace", "show", id])["steps"].clone();
    assert!(steps[2]["kind"]["reply"].is_string(), "the reply that the store refused is in the file");

    terminal.store().execute_batch("DROP TRIGGER refuse").unwrap();
    let imported = terminal.run(&["trace", "import", file.to_str().unwrap()]);
    assert_eq!(text(&imported.stdout).trim(), id, "it takes the place of what the store had of it");
    assert_eq!(terminal.json(&["trace", "show", "last"])["steps"], steps);
}

/// A rehearsed run whose script does this to the store.
fn run_with_a_script(script: &str) -> (Terminal, Output) {
    let terminal = Terminal::new();
    let skills = terminal.home.path().join("skills");
    let store = terminal.home.path().join("state/traces.sqlite");
    let files = [
        (
            "hostile/SKILL.md",
            "---\nname: hostile\ndescription: Harms the record.\n---\nRun scripts/harm.sh.\n".to_owned(),
        ),
        ("hostile/scripts/harm.sh", format!("store='{}'\n{script}\n", store.display())),
        ("workbench.yaml", BY_ENDING.to_owned()),
        (
            ".workbench/screenplays/harm.yaml",
            "prompt: harm\nsteps:\n- activate: hostile\n- run: scripts/harm.sh\n- say: harmed\n".to_owned(),
        ),
    ];
    for (name, text) in files {
        let path = skills.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let run = ["run", skills.to_str().unwrap(), "--prompt", "harm", "--approve", "always", "--format", "json"];
    // In the sandbox it would not find the store.
    let mut command = terminal.command(&[&run[..], &["--sandbox", "off"]].concat());
    let output = command.env("TMPDIR", terminal.temporary()).output().unwrap();
    (terminal, output)
}

#[test]
fn a_run_whose_script_harms_the_store_is_kept_in_a_file_that_imports() {
    for script in [
        "rm \"$store\"",
        "rm -r \"${store%/*}\"",
        ": > \"$store\"",
        "cp \"$store\" \"$store.copy\"; mv \"$store.copy\" \"$store\"",
        "rm \"$store-wal\"",
        ": > \"$store-wal\"",
    ] {
        let (_terminal, output) = run_with_a_script(script);
        let run: Value = serde_json::from_slice(&output.stdout).unwrap();
        let reason = run["unsaved"]["reason"].as_str().unwrap_or_else(|| panic!("{script}: {run}"));
        assert!(reason.starts_with("the trace store at "), "{script}: {reason}");
        assert!(text(&output.stderr).contains(" is not in the trace store: "), "{script}");
        assert_eq!(output.status.code(), Some(2), "{script}");
        let elsewhere = Terminal::new();
        let file = run["unsaved"]["file"].as_str().unwrap();
        assert!(elsewhere.run(&["trace", "import", file]).status.success(), "{script}");
        let shown = elsewhere.json(&["trace", "show", run["run"].as_str().unwrap()]).to_string();
        assert!(shown.contains("scripts/harm.sh"), "{script}: the call is in the file");
    }
}

#[test]
fn a_run_whose_script_leaves_the_store_alone_is_in_it() {
    let (terminal, output) = run_with_a_script("ls -l \"$store\"");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(terminal.json(&["trace", "list"])[0]["status"], "done");
}

#[test]
fn an_answer_is_shown_also_where_only_the_end_was_refused() {
    let terminal = Terminal::new();
    terminal.refuse("ended");
    let mut command = terminal.command(&SCENE);
    let output = command.current_dir(root()).env("TMPDIR", terminal.temporary()).output().unwrap();
    let shown = text(&output.stdout);
    assert!(shown.contains(ANSWER) && shown.contains("\ndone  "), "{shown}");
    assert!(!shown.contains("skillbench trace show"), "it is not there to be shown");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_run_that_can_be_kept_nowhere_says_so() {
    let terminal = Terminal::new();
    terminal.refuse("ended");
    let skills = root().join("skills");
    let scene = SCENE.map(|word| if word == "skills" { skills.to_str().unwrap() } else { word });
    // No user can create files there, not even root.
    let output = terminal.command(&scene).current_dir("/proc").env("TMPDIR", "/proc").output().unwrap();
    let told = text(&output.stderr);
    assert!(told.contains("hint: it could not be kept in a file either and is lost: cannot write /proc/"), "{told}");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn runs_of_several_harnesses_that_the_store_refuses_end_too() {
    let terminal = Terminal::new();
    terminal.refuse("replied");
    let scene = SCENE.map(|word| if word == "agent-framework" { "agent-framework,strands" } else { word });
    let mut command = terminal.command(&scene);
    let output = command.current_dir(root()).env("TMPDIR", terminal.temporary()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(text(&output.stderr).matches("is not in the trace store").count(), 2);
    assert_eq!(terminal.temporary().read_dir().unwrap().count(), 2);
}

/// A model that has been asked, with the store locked by another process.
fn asked_with_the_store_locked(arguments: &[&str]) -> (Terminal, Child, TcpStream, rusqlite::Connection) {
    let terminal = Terminal::new();
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let config = terminal.home.path().join("config");
    std::fs::create_dir_all(&config).unwrap();
    let models = format!(
        "models:\n- id: slow\n  provider: openAi\n  baseUrl: http://{}/v1\n  model: m\n",
        server.local_addr().unwrap()
    );
    std::fs::write(config.join("models.yaml"), models).unwrap();
    let asks = ["run", "skills", "--model", "slow", "--prompt", "hello", "--format", "json"];
    let mut command = terminal.command(&[&asks, arguments].concat());
    let child = command.current_dir(root()).env("TMPDIR", terminal.temporary()).spawn().unwrap();
    let (mut request, _) = server.accept().unwrap();
    request.read_exact(&mut [0; 4]).unwrap();
    let lock = terminal.store();
    lock.execute_batch("BEGIN IMMEDIATE").unwrap();
    (terminal, child, request, lock)
}

#[test]
fn its_time_limit_ends_a_run_whose_store_is_locked() {
    let (_terminal, child, _request, _lock) = asked_with_the_store_locked(&["--max-seconds", "1"]);
    let output = child.wait_with_output().unwrap();
    let run: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&run["status"], output.status.code()), (&json!("limited"), Some(2)));
    assert_eq!(run["unsaved"]["reason"], "the trace store did not answer in time");
    assert!(Path::new(run["unsaved"]["file"].as_str().unwrap()).exists());
}

#[test]
fn ctrl_c_ends_a_run_whose_write_waits_and_what_it_has_is_kept() {
    let (_terminal, child, mut request, _lock) = asked_with_the_store_locked(&[]);
    let answer = json!({ "choices": [{ "delta": { "content": "the paid answer" } }] });
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
    write!(request, "{head}data: {answer}\n\ndata: [DONE]\n\n").unwrap();
    request.shutdown(std::net::Shutdown::Write).unwrap();
    signal(&child, "INT");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let run: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(Path::new(run["unsaved"]["file"].as_str().unwrap()).exists(), "{run}");
}

#[test]
fn ctrl_c_ends_a_run_before_it_began() {
    let terminal = Terminal::new();
    let lock = terminal.store();
    lock.execute_batch("BEGIN IMMEDIATE").unwrap();
    let mut child = terminal.command(&SCENE).current_dir(root()).spawn().unwrap();
    // Until it heeds signals they end it as they end any program, which comes to the same. One that comes even before that
    // may be lost, if those who run the tests ignore it.
    let status = loop {
        signal(&child, "INT");
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
    };
    let ended = status.code().or_else(|| std::os::unix::process::ExitStatusExt::signal(&status).map(|it| 128 + it));
    assert_eq!(ended, Some(130));
}

/// A skill whose script says that it lives and then waits, and a reader that sees its end.
struct Waiting {
    terminal: Terminal,
    skills: String,
    pipe: PathBuf,
}

impl Waiting {
    fn new() -> Self {
        Self::with("echo alive >&3\nsleep 300 & wait\n")
    }

    /// What its script does with the pipe.
    fn with(script: &str) -> Self {
        let terminal = Terminal::new();
        let skills = terminal.home.path().join("skills");
        // The place where a confined script sees it.
        let pipe = skills.join("waiting/pipe");
        std::fs::create_dir_all(skills.join("waiting")).unwrap();
        assert!(Command::new("mkfifo").args(["-m", "666"]).arg(&pipe).status().unwrap().success());
        let files = [
            ("waiting/SKILL.md", "---\nname: waiting\ndescription: Waits.\n---\nRun scripts/wait.sh.\n".to_owned()),
            ("waiting/scripts/wait.sh", format!("exec 3> {}\n{script}", pipe.display())),
            ("workbench.yaml", format!("{BY_ENDING}limits:\n  scriptSeconds: 600\n")),
            (
                ".workbench/screenplays/wait.yaml",
                "prompt: wait\nsteps:\n- activate: waiting\n- run: scripts/wait.sh\n".to_owned(),
            ),
            (
                "calls.json",
                r#"[{"name":"run_skill_script","arguments":{"skillName":"waiting","scriptName":"scripts/wait.sh"}}]"#
                    .to_owned(),
            ),
        ];
        for (name, text) in files {
            let path = skills.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        Self { skills: skills.to_str().unwrap().to_owned(), terminal, pipe }
    }

    /// The command, once its script runs.
    fn start(&self, arguments: &[&str]) -> (Child, BufReader<File>) {
        let child = self.terminal.command(arguments).spawn().unwrap();
        let mut reader = BufReader::new(File::open(&self.pipe).unwrap());
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        assert_eq!(line, "alive\n");
        (child, reader)
    }

    fn run(&self) -> (Child, BufReader<File>) {
        self.start(&["run", &self.skills, "--prompt", "wait", "--approve", "always"])
    }

    fn run_open(&self) -> (Child, BufReader<File>) {
        self.start(&["run", &self.skills, "--prompt", "wait", "--approve", "always", "--sandbox", "off"])
    }

    fn call(&self) -> (Child, BufReader<File>) {
        self.start(&["call", &self.skills, "--allow-scripts", "--calls", &format!("{}/calls.json", self.skills)])
    }
}

/// Returns when no process of the script is left.
fn gone(mut reader: BufReader<File>) {
    reader.read_to_end(&mut Vec::new()).unwrap();
}

#[test]
fn a_signal_kills_the_script_of_a_run_and_the_run_is_recorded_as_stopped() {
    for (name, code) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        for start in [Waiting::run, Waiting::run_open] {
            let waiting = Waiting::new();
            let (mut child, reader) = start(&waiting);
            signal(&child, name);
            gone(reader);
            assert_eq!(child.wait().unwrap().code(), Some(code), "{name}");
            assert_eq!(waiting.terminal.json(&["trace", "list"])[0]["status"], "stopped", "{name}");
        }
    }
}

#[test]
fn a_signal_kills_the_script_of_a_call() {
    for (name, code) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        let waiting = Waiting::new();
        let (mut child, reader) = waiting.call();
        signal(&child, name);
        gone(reader);
        assert_eq!(child.wait().unwrap().code(), Some(code), "{name}");
    }
}

#[test]
fn a_script_dies_with_the_program_that_was_killed() {
    let waiting = Waiting::new();
    for start in [Waiting::run, Waiting::run_open, Waiting::call] {
        let (mut child, reader) = start(&waiting);
        child.kill().unwrap();
        child.wait().unwrap();
        gone(reader);
    }
}

/// Its script starts a process in a new session, whose parent ends, and which holds the pipe.
#[cfg(target_os = "linux")]
const LEAVES: &str = "mkfifo left
(setsid sh -c 'echo > left; exec sleep 300' > /dev/null 2>&1 &)
read -r _ < left
echo alive >&3
exec 3>&-
";

#[cfg(target_os = "linux")]
#[test]
fn what_leaves_its_session_dies_with_its_script_and_with_the_program_without_a_sandbox() {
    let soon = |reader: BufReader<File>| {
        let (tell, told) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            gone(reader);
            tell.send(()).unwrap();
        });
        told.recv_timeout(std::time::Duration::from_secs(60)).expect("nobody holds the pipe any more");
    };
    let ends = Waiting::with(LEAVES);
    let (child, reader) = ends.run_open();
    soon(reader);
    assert!(child.wait_with_output().unwrap().status.success());
    let waits = Waiting::with(&format!("{LEAVES}sleep 300\n"));
    for name in ["TERM", "KILL"] {
        let (mut child, reader) = waits.run_open();
        signal(&child, name);
        child.wait().unwrap();
        soon(reader);
    }
}

#[test]
fn a_signal_that_was_to_be_ignored_is() {
    let waiting = Waiting::new();
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' HUP; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_skillbench")]);
    command.args(["run", &waiting.skills, "--prompt", "wait", "--approve", "always"]);
    let mut child = waiting.terminal.isolated(command).spawn().unwrap();
    let mut reader = BufReader::new(File::open(&waiting.pipe).unwrap());
    reader.read_line(&mut String::new()).unwrap();
    signal(&child, "HUP");
    signal(&child, "TERM");
    assert_eq!(child.wait().unwrap().code(), Some(143), "as under nohup");
}

#[test]
fn twenty_changes_at_once_are_all_in_the_file() {
    let terminal = Terminal::new();
    let config = terminal.home.path().join("config");
    std::fs::create_dir_all(&config).unwrap();
    let entry = |n: u32| format!("- id: m{n}\n  provider: openAi\n  baseUrl: http://127.0.0.1:1/v1\n  model: m\n");
    std::fs::write(config.join("models.yaml"), format!("models:\n{}", (0..20).map(entry).collect::<String>())).unwrap();
    let set = |n: u32| {
        let (id, name) = (format!("m{n}"), format!("changed-{n}"));
        terminal.command(&["models", "set", &id, "--model", &name]).spawn().unwrap()
    };
    let children: Vec<Child> = (0..20).map(set).collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
    let written = std::fs::read_to_string(config.join("models.yaml")).unwrap();
    let lost: Vec<u32> = (0..20).filter(|n| !written.contains(&format!("model: changed-{n}\n"))).collect();
    assert_eq!(lost, Vec::<u32>::new());
}

#[cfg(target_os = "linux")]
#[test]
fn says_that_the_answer_could_not_be_printed() {
    let terminal = Terminal::new();
    assert!(terminal.run(&SCENE).status.success());
    let told = "error: cannot write standard output: the disk is full\nhint: free some space and try again\n";
    for arguments in [
        &["trace", "export", "last"][..],
        &["trace", "list", "--format", "json"],
        &["list", "skills"],
        &["rules"],
        &["lint", "skills", "--format", "json"],
        &["--help"],
    ] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let output = terminal.command(arguments).current_dir(root()).stdout(full).output().unwrap();
        assert_eq!((text(&output.stderr).as_str(), output.status.code()), (told, Some(2)), "{arguments:?}");
    }
}

#[test]
fn does_not_mind_a_reader_that_left() {
    let terminal = Terminal::new();
    let mut child = terminal.command(&["trace", "list"]).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((text(&output.stderr).as_str(), output.status.code()), ("", Some(0)));
}

#[test]
fn what_the_program_keeps_is_for_its_owner_only() {
    let terminal = Terminal::new();
    for folder in ["state/runs", "config"] {
        let folder = terminal.home.path().join(folder);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::set_permissions(&folder, Permissions::from_mode(0o755)).unwrap();
    }
    std::fs::set_permissions(terminal.home.path().join("state"), Permissions::from_mode(0o755)).unwrap();
    std::fs::write(terminal.home.path().join("config/models.yaml"), "models: []\n").unwrap();
    assert!(terminal.run(&SCENE).status.success());
    let run = terminal.json(&["trace", "list"])[0]["id"].as_str().unwrap().to_owned();
    let folders = ["state", "config", "state/runs", &format!("state/runs/{run}")].map(|path| terminal.mode(path));
    assert_eq!(folders, [0o700; 4]);
    let files = ["state/traces.sqlite", "config/models.yaml"].map(|path| terminal.mode(path));
    assert_eq!(files, [0o600; 2]);
}

#[test]
fn a_store_that_is_locked_is_named() {
    let terminal = Terminal::new();
    let hint = |arguments: &[&str]| {
        let mut command = terminal.command(arguments);
        let output = command.current_dir(root()).env("SKILL_WORKBENCH_STORE_WAIT", "100").output().unwrap();
        let told = text(&output.stderr);
        told.lines().find_map(|line| line.strip_prefix("hint: ")).unwrap_or_default().to_owned()
    };
    let path = terminal.home.path().join("state/traces.sqlite");
    let lock = terminal.store();
    lock.execute_batch("BEGIN IMMEDIATE").unwrap();
    let (path, asked) = (path.display(), "check that");
    assert_eq!(
        hint(&SCENE),
        format!("{asked} {path} can be written and has room, and that no other program has locked it")
    );
    lock.execute_batch("ROLLBACK; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE").unwrap();
    let told = format!("another program has locked {path}: wait until it is done, or end it");
    assert_eq!([hint(&SCENE), hint(&["trace", "list"])], [told.clone(), told]);
}

#[test]
fn a_run_that_cannot_be_read_hides_no_other() {
    let terminal = Terminal::new();
    assert!(terminal.run(&SCENE).status.success());
    terminal.store().execute_batch("UPDATE runs SET setup = '{' WHERE bundled = 1").unwrap();
    let listed = terminal.run(&["trace", "list", "--format", "json"]);
    let runs: Value = serde_json::from_slice(&listed.stdout).unwrap();
    assert_eq!(runs.as_array().unwrap().len(), 1);
    let told = text(&listed.stderr);
    assert!(told.starts_with("warning: cannot read run "), "{told}");
}

#[test]
fn recorded_runs_are_read_where_nothing_can_be_written() {
    let terminal = Terminal::new();
    assert!(terminal.run(&SCENE).status.success());
    let state = terminal.home.path().join("state");
    let before = std::fs::read(state.join("traces.sqlite")).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_skillbench"));
    // Root may write anywhere: then the tests use another user, who can read everything and write nothing.
    if std::os::unix::fs::MetadataExt::uid(&std::fs::metadata("/proc/self").unwrap()) == 0 {
        let program = terminal.home.path().join("skillbench");
        let here = env!("CARGO_BIN_EXE_skillbench");
        std::fs::hard_link(here, &program).or_else(|_| std::fs::copy(here, &program).map(drop)).unwrap();
        std::fs::set_permissions(terminal.home.path(), Permissions::from_mode(0o755)).unwrap();
        command = Command::new("setpriv");
        command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).arg(program);
    }
    for entry in state.read_dir().unwrap() {
        let path = entry.unwrap().path();
        let mode = if path.is_dir() { 0o555 } else { 0o444 };
        std::fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    }
    std::fs::set_permissions(&state, Permissions::from_mode(0o555)).unwrap();
    let mut command = terminal.isolated(command);
    let output = command.args(["trace", "export", "last"]).output().unwrap();
    std::fs::set_permissions(&state, Permissions::from_mode(0o755)).unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("2.20462"));
    assert_eq!(std::fs::read(state.join("traces.sqlite")).unwrap(), before);
}

#[test]
fn what_has_no_end_is_not_read() {
    let terminal = Terminal::new();
    let pipe = terminal.home.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for path in ["/dev/zero", pipe.to_str().unwrap()] {
        let screenplay = ["run", "skills", "--prompt", "x", "--screenplay", path];
        for (arguments, hint) in [
            (&["trace", "import", path][..], "name a regular file, or `-` to read standard input"),
            (&["call", "skills", "--calls", path], "name a regular file, or `-` to read standard input"),
            (&screenplay, "name a regular file"),
        ] {
            let output = terminal.run(arguments);
            let told = format!("error: cannot read {path}: it is not a regular file\nhint: {hint}\n");
            assert_eq!((text(&output.stderr), output.status.code()), (told, Some(2)), "{arguments:?}");
        }
    }
}

#[test]
fn imports_a_run_from_standard_input() {
    let terminal = Terminal::new();
    assert!(terminal.run(&SCENE).status.success());
    let run = terminal.run(&["trace", "export", "last"]).stdout;
    let elsewhere = Terminal::new();
    let mut child = elsewhere.command(&["trace", "import", "-"]).stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(&run).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(elsewhere.json(&["trace", "list"]).as_array().unwrap().len(), 2, "it and the one that ships");
}
