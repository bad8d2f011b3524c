//! `skillbench models` as a user starts it, and keys in a real keyring.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod terminal;

use std::io::Write;
use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};
use terminal::{Terminal, text};

impl Terminal {
    fn models(&self, arguments: &[&str]) -> Command {
        self.without_keyring(self.command(&[&["models"], arguments].concat()))
    }

    /// If neither a keyring nor a key is found.
    fn without_keyring(&self, mut command: Command) -> Command {
        command
            .env("HOME", self.home.path())
            .env("XDG_RUNTIME_DIR", self.home.path())
            .env_remove("XDG_DATA_HOME")
            .env_remove("DBUS_SESSION_BUS_ADDRESS")
            .env_remove("DISPLAY")
            .env_remove("OPENAI_API_KEY");
        command
    }

    /// What it prints to standard output, if it succeeds.
    fn out(&self, arguments: &[&str]) -> String {
        let output = self.models(arguments).output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout)
    }

    /// What it prints to standard error, if it fails.
    fn error(&self, arguments: &[&str]) -> String {
        let output = self.models(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", text(&output.stdout));
        text(&output.stderr)
    }

    fn file(&self) -> PathBuf {
        self.home.path().join("config/models.yaml")
    }

    /// `models.yaml` without the comment at its head.
    fn entries(&self) -> String {
        let text = std::fs::read_to_string(self.file()).unwrap();
        text[text.find("models:").unwrap()..].to_owned()
    }
}

#[test]
fn a_model_is_added_from_a_preset_shown_changed_and_removed() {
    let terminal = Terminal::new();
    let file = terminal.file().display().to_string();
    let added = terminal.models(&["add", "gpt", "--preset", "openai", "--model", "gpt-6.1-terra"]).output().unwrap();
    assert_eq!(text(&added.stdout), format!("Added gpt to {file}\n"));
    assert_eq!(
        text(&added.stderr),
        "environment variable OPENAI_API_KEY is not set; set OPENAI_API_KEY to the key and start again\n"
    );
    let entry = "\
id: gpt
provider: openAiResponses
baseUrl: https://api.openai.com/v1
model: gpt-6.1-terra
key:
  env: OPENAI_API_KEY
context: 1050000
prices:
  input: 1
  output: 5
  cached: 0.05
  cacheWritten: 1.25
";
    assert_eq!(terminal.out(&["show", "gpt"]), entry);
    let listed: Value = serde_json::from_str(&terminal.out(&["--format", "json"])).unwrap();
    let model = &listed["models"][1];
    assert_eq!((&model["preset"], &model["ready"]), (&json!("openai"), &json!(false)));
    assert_eq!(
        model["key"],
        json!({
            "source": "env",
            "name": "OPENAI_API_KEY",
            "state": "missing",
            "reason": "environment variable OPENAI_API_KEY is not set",
            "hint": "set OPENAI_API_KEY to the key and start again",
            "why": { "type": "missing", "key": { "env": "OPENAI_API_KEY" } },
        })
    );
    terminal.out(&[
        "set",
        "gpt",
        "--rename",
        "mini",
        "--no-key",
        "--no-stream",
        "--context",
        "0",
        "--price-in",
        "0.5",
        "--header",
        "X-Title=A: b",
        "--body",
        "reasoning_effort=low",
        "--body",
        "top_k=4",
        "--effort",
        "xhigh",
        "--thoughts",
        "shown",
        "--idle-timeout",
        "30",
    ]);
    let changed = "\
models:
  - id: mini
    provider: openAiResponses
    baseUrl: https://api.openai.com/v1
    model: gpt-6.1-terra
    prices:
      input: 0.5
      output: 5
      cached: 0.05
      cacheWritten: 1.25
    headers:
      X-Title: 'A: b'
    stream: false
    reasoning:
      effort: xhigh
      shown: true
    body:
      reasoning_effort: low
      top_k: 4
    timeouts:
      idle: 30
";
    assert_eq!(terminal.entries(), changed);
    terminal.out(&[
        "set",
        "mini",
        "--header",
        "X-Title=",
        "--body",
        "top_k=",
        "--no-prices",
        "--stream",
        "--effort",
        "auto",
        "--thoughts",
        "auto",
    ]);
    let fewer = "\
models:
  - id: mini
    provider: openAiResponses
    baseUrl: https://api.openai.com/v1
    model: gpt-6.1-terra
    body:
      reasoning_effort: low
    timeouts:
      idle: 30
";
    assert_eq!(terminal.entries(), fewer);
    assert_eq!(terminal.out(&["remove", "mini"]), format!("Removed mini from {file}\n"));
    assert_eq!(terminal.entries(), "models: []\n");
}

#[test]
fn an_address_with_a_placeholder_is_filled() {
    let terminal = Terminal::new();
    let azure = ["add", "az", "--preset", "azure-openai", "--model", "gpt"];
    assert_eq!(
        terminal.error(&azure),
        "error: baseUrl: baseUrl holds a placeholder: write your own instead of `{resource}`\n"
    );
    terminal.out(&[&azure[..], &["--fill", "resource=me", "--key-keyring"]].concat());
    let shown = "\
id: az
provider: openAi
baseUrl: https://me.openai.azure.com/openai/v1
model: gpt
key:
  keyring: az
keyHeader: api-key
";
    assert_eq!(terminal.out(&["show", "az"]), shown);
}

#[test]
fn every_preset_is_listed_and_shown() {
    let terminal = Terminal::new();
    let presets: Value = serde_json::from_str(&terminal.out(&["presets", "--format", "json"])).unwrap();
    let listed = terminal.out(&["presets"]);
    for preset in presets.as_array().unwrap() {
        let id = preset["id"].as_str().unwrap();
        assert!(listed.contains(id), "{id}");
        assert!(terminal.out(&["presets", id]).contains(preset["baseUrl"].as_str().unwrap()));
    }
}

#[test]
fn says_what_is_wrong_and_what_to_do_and_writes_nothing() {
    let terminal = Terminal::new();
    let local = ["add", "local", "--base-url", "http://localhost:8080/v1"];
    for (arguments, expected) in [
        (
            &["add", "a", "--preset", "opanai", "--model", "m"][..],
            "error: there is no preset `opanai`\nhint: `skillbench models presets` lists the presets\n",
        ),
        (
            &["add", "a", "--preset", "deepseek"],
            "error: the model is not named\nhint: name it with `--model`, as the provider does, e.g. one of deepseek-flash, \
             deepseek-v4-pro\n",
        ),
        (
            &[&local[..], &["--model", "m", "--header", "Authorization=Bearer 1"]].concat(),
            "error: headers: the header `Authorization` carries a key, and keys are not written here: name where the \
             key is under `key`, e.g. `key: { env: OPENAI_API_KEY }`, and the header under `keyHeader`\n",
        ),
        (
            &[&local[..], &["--model", "m", "--price-in", "1"]].concat(),
            "error: set both --price-in and --price-out\nhint: in US dollars for a million \
             tokens\n",
        ),
        (
            &["set", "gpt", "--no-stream"],
            "error: there is no model `gpt`\nhint: `skillbench models` lists the models\n",
        ),
        (
            &[&local[..], &["--model", "m", "--body", "thinking={\"type\":"]].concat(),
            "error: the value of --body thinking is not JSON: EOF while parsing a value at line 1 column 8\nhint: quote it \
             for your shell, e.g. --body 'thinking={\"type\": \"enabled\"}'\n",
        ),
        (&["show", "rehearsal"], "error: `rehearsal` is built in; there is nothing to set or to test\n"),
    ] {
        assert_eq!(terminal.error(arguments), expected);
    }
    for (argument, value) in [("--temperature", "nan"), ("--max-tokens", "0"), ("--price-in", "inf")] {
        let error = terminal.error(&[&local[..], &["--model", "m", argument, value]].concat());
        assert!(error.contains(&format!("invalid value '{value}' for '{argument}")), "{error}");
    }
    assert!(!terminal.file().exists());
}

#[test]
fn a_file_with_a_mistake_is_reported_and_left_alone() {
    let terminal = Terminal::new();
    let (file, broken) = (terminal.file(), "models:\n- id: a\n  key: sk-0123456789abcdef0123\n");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, broken).unwrap();
    let listed = terminal.models(&[]).output().unwrap();
    assert_eq!(listed.status.code(), Some(1), "bad news");
    let place = format!("{}:3:8: this looks like a key", file.display());
    assert!(text(&listed.stdout).contains(&place), "{}", text(&listed.stdout));
    for arguments in [&["add", "b", "--base-url", "http://x", "--model", "m"][..], &["remove", "a"], &["show", "a"]] {
        let error = terminal.error(arguments);
        assert!(error.contains(&place) && error.contains("hint:") && !error.contains("0123"), "{error}");
    }
    assert_eq!(std::fs::read_to_string(&file).unwrap(), broken);
}

#[test]
fn a_check_reports_models_without_a_key_and_sends_nothing() {
    let terminal = Terminal::new();
    assert_eq!(terminal.out(&["check"]), "nothing to report\n");
    terminal.out(&["add", "claude", "--preset", "anthropic", "--model", "claude-sonnet-5-5", "--key-env", "UNSET_KEY"]);
    assert!(terminal.entries().contains("    parameters:\n      maxTokens: 128000\n"), "{}", terminal.entries());
    let checked = terminal.models(&["check"]).output().unwrap();
    assert_eq!(checked.status.code(), Some(1));
    let told = text(&checked.stdout);
    assert!(told.starts_with("claude: environment variable UNSET_KEY is not set"), "{told}");
}

#[cfg(unix)]
#[test]
fn a_command_prints_the_key_and_is_started_for_requests_alone() {
    let terminal = Terminal::new();
    let mark = terminal.home.path().join("asked");
    let script = format!("echo x >> '{}'; echo no vault here >&2; exit 3", mark.display());
    let added = ["add", "work", "--base-url", "http://127.0.0.1:9/v1", "--model", "m", "--key-lifetime", "60"];
    terminal.out(&[&added[..], &["--key-command", "/bin/sh", "-c", &script]].concat());
    let entry = terminal.entries();
    assert!(entry.contains("    key:\n      command:\n      - /bin/sh\n      - -c\n"), "{entry}");
    assert!(entry.contains("      lifetime: 60\n"), "{entry}");
    let listed = terminal.out(&[]);
    assert!(listed.contains("key from /bin/sh"), "{listed}");
    assert!(!mark.exists(), "a list starts nothing");
    let error = terminal.error(&["names", "work"]);
    assert!(mark.exists(), "a request does: {error}");
    assert!(
        error.contains("no key: the command /bin/sh gave no key: it ended with exit code 3: no vault here"),
        "{error}"
    );
    let error = terminal.error(&["key", "set", "work"]);
    assert!(error.starts_with("error: the command /bin/sh prints the key of `work`\n"), "{error}");
    let error = terminal.error(&["set", "work", "--key-command", "./print-key"]);
    assert!(
        error.contains("`command` is a list whose first item is a program of the PATH or its whole path"),
        "{error}"
    );
    assert!(terminal.error(&["set", "work", "--no-key", "--key-lifetime", "5"]).contains("needs --key-command"));
}

#[test]
fn a_key_is_stored_only_where_the_model_names_the_keyring() {
    let terminal = Terminal::new();
    terminal.out(&["add", "gpt", "--preset", "openai", "--model", "gpt-5"]);
    assert_eq!(
        terminal.error(&["key", "set", "gpt"]),
        "error: the key of `gpt` is read from environment variable OPENAI_API_KEY\nhint: set OPENAI_API_KEY to the key; \
         `skillbench models set gpt --key-keyring gpt` makes it come from the keyring\n"
    );
    terminal.out(&["add", "local", "--preset", "ollama", "--model", "qwen3"]);
    assert_eq!(
        terminal.error(&["key", "delete", "local"]),
        "error: `local` names no key\nhint: `skillbench models set local --key-keyring local` makes it come from the \
         keyring\n"
    );
}

/// A Secret Service in a separate session, if this machine has one.
#[cfg(target_os = "linux")]
mod keyring {
    use std::io::{BufRead, BufReader, Read};
    use std::net::TcpListener;
    use std::path::Path;
    use std::process::{Output, Stdio};
    use std::thread;

    use needed::require_or_skip;

    use super::*;

    const KEY: &str = "canary-7c1e5a90d2";

    #[test]
    fn without_one_a_variable_is_recommended() {
        let terminal = Terminal::new();
        terminal.out(&["add", "gpt", "--preset", "openai", "--model", "gpt-5", "--key-keyring", "openai"]);
        let output = fed(terminal.models(&["key", "set", "gpt"]), KEY);
        assert_eq!(output.status.code(), Some(2));
        let error = text(&output.stderr);
        assert!(error.starts_with("error: this machine has no keyring that can be reached ("), "{error}");
        let hint = "hint: use an environment variable, which works everywhere, e.g. `key: { env: OPENAI_API_KEY }`\n";
        assert!(error.ends_with(hint), "{error}");
        let listed = terminal.out(&[]);
        assert!(listed.contains("keyring entry openai cannot be read: this machine has no keyring"), "{listed}");
    }

    #[test]
    fn keeps_a_key_that_goes_to_the_server_and_nowhere_else() {
        let has = |program: &str| Command::new(program).arg("--version").output().is_ok();
        for program in ["dbus-run-session", "gnome-keyring-daemon"] {
            let missing = format!("{program} is not here; `cargo xtask setup` installs it on Debian and Ubuntu");
            if require_or_skip(has(program).then_some(()).ok_or(missing)).is_none() {
                return;
            }
        }
        let terminal = Terminal::new();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}/v1", listener.local_addr().unwrap());
        terminal.out(&["add", "own", "--base-url", &base, "--model", "m", "--key-keyring", "own-key"]);
        let server = thread::spawn(move || refuse(&listener));
        let session = "
            printf password | gnome-keyring-daemon --unlock --components=secrets >/dev/null || exit 90
            \"$SKILLBENCH\" models key set own || exit 91
            \"$SKILLBENCH\" models --format json || exit 92
            \"$SKILLBENCH\" run \"$SKILLS\" --model own --prompt hello && exit 93
            \"$SKILLBENCH\" models key delete own </dev/null || exit 94
            \"$SKILLBENCH\" models key delete own </dev/null && exit 95
            exit 0
        ";
        let mut command = Command::new("dbus-run-session");
        command.args(["--", "sh", "-c", session]);
        let mut command = terminal.without_keyring(terminal.isolated(command));
        command
            .env("SKILLBENCH", env!("CARGO_BIN_EXE_skillbench"))
            .env("SKILLS", Path::new(env!("CARGO_MANIFEST_DIR")).join("../../skills"));
        let output = fed(command, KEY);
        let (out, error) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(0), "{out}{error}");
        let head = server.join().unwrap();
        assert!(head.contains(&format!("authorization: Bearer {KEY}\r\n")), "{head}");
        assert!(out.contains("\"state\": \"set\""), "{out}");
        assert!(error.contains("error: there is no keyring entry own-key"), "deleted once: {error}");
        assert!(!out.contains(KEY) && !error.contains(KEY), "{out}{error}");
        assert_eq!(files_with(terminal.home.path(), KEY.as_bytes()), Vec::<PathBuf>::new());
    }

    fn fed(mut command: Command, input: &str) -> Output {
        let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
        // Who does not read it has said why.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        child.wait_with_output().unwrap()
    }

    /// Reads one request and refuses its key, which it quotes. The head of the request.
    fn refuse(listener: &TcpListener) -> String {
        let (mut stream, _) = listener.accept().unwrap();
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            assert!(reader.read_line(&mut head).unwrap() > 0, "{head}");
        }
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
        let mut body = vec![0; length.parse().unwrap()];
        reader.read_exact(&mut body).unwrap();
        let said = format!("{{\"error\":{{\"message\":\"Incorrect API key provided: {KEY}\"}}}}");
        write!(
            stream,
            "HTTP/1.1 401 Unauthorized\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{said}",
            said.len()
        )
        .unwrap();
        head
    }

    fn files_with(folder: &Path, needle: &[u8]) -> Vec<PathBuf> {
        let mut found = Vec::new();
        for entry in std::fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let kind = entry.file_type().unwrap();
            if kind.is_dir() {
                found.extend(files_with(&entry.path(), needle));
            } else if kind.is_file() {
                let bytes = std::fs::read(entry.path()).unwrap();
                if bytes.windows(needle.len()).any(|window| window == needle) {
                    found.push(entry.path());
                }
            }
        }
        found
    }
}
