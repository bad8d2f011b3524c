//! `skillbench --lang zh`: every command with its help and its errors, over Chinese skills, says nothing in English.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod terminal;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;
use terminal::{Terminal, text};

/// Names, and texts that are typed literally.
const SAME: [&str; 10] = [
    "OpenTelemetry span",
    "OpenAI（chat completions）",
    "learn-claude-code rehearsal",
    "agent-framework rehearsal",
    "Skills reference library",
    "llama.cpp server",
    "agent-framework seed",
    "chat completions",
    "aws configure",
    "format env",
];

/// Not said by the program: code, names of files, addresses, options, commands and filters that a person types, and placeholders.
static CODE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r#"`[^`]*`|“[^”]*”|skillbench( [a-z<\[-][a-z-]*)*|\S*[/\\]\S*|\w+\.\w+|\w+:\S+|(agentscope|eino|strands) (seed|rehearsal)|--?[a-z-]+|<[^>]*>|\[[^\]]*\]|\{.*\}"#,
    )
    .unwrap()
});

/// At least two words after one another.
static ENGLISH: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"[A-Za-z][A-Za-z'-]+(?: [a-z][a-z'-]+)+").unwrap());

struct Chinese {
    terminal: Terminal,
    folder: tempfile::TempDir,
    /// English texts in the output of commands, by command.
    english: BTreeSet<String>,
}

impl Chinese {
    fn new() -> Self {
        let chinese =
            Self { terminal: Terminal::new(), folder: tempfile::tempdir().unwrap(), english: BTreeSet::new() };
        let skills = [
            (
                "unit-converter",
                "换算公里与英里等单位。当用户要求换算时使用。",
                "# 换算\n\n见 [换算表](references/table.md)。\n",
            ),
            ("log-reader", "阅读日志并列出错误。", "# 日志\n\n运行 `scripts/count.py`。\n"),
            ("log-reader-2", "阅读日志并列出错误。", ""),
            ("Bad_Name", "", "# 坏\n"),
        ];
        for (name, description, body) in skills {
            chinese.write(
                &format!("skills/{name}/SKILL.md"),
                &format!("---\nname: {name}\ndescription: {description}\n---\n{body}"),
            );
        }
        chinese.write("skills/none/SKILL.md", "# 没有\n");
        chinese.write("skills/broken/SKILL.md", "---\nname: [\n---\n");
        chinese.write("skills/unit-converter/references/table.md", "# 表\n");
        chinese.write("skills/log-reader/scripts/count.py", "print(1)\n");
        chinese.write("calls.json", r#"[{"name": "load_skill", "arguments": {"skillName": "unit-converter"}}]"#);
        chinese.write("broken.json", "[");
        chinese.write(
            "asks.yaml",
            "prompt: 统计日志\nsteps:\n- activate: log-reader\n- run: scripts/count.py\n- say: 完成。\n",
        );
        chinese
    }

    fn write(&self, name: &str, content: &str) {
        let path = self.folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    fn output(&self, arguments: &[&str]) -> String {
        let command = [&["--lang", "zh"], arguments].concat();
        let output = self.terminal.command(&command).current_dir(self.folder.path()).output().unwrap();
        text(&output.stdout) + &text(&output.stderr)
    }

    /// The output for people.
    fn says(&mut self, arguments: &str) -> String {
        let arguments: Vec<&str> = arguments.split_whitespace().collect();
        let said = self.output(&arguments);
        self.look(&arguments, &said, "");
        said
    }

    /// The same for output with texts of a framework or a model: texts that the JSON has, too, may be in English.
    fn shows(&mut self, arguments: &str) {
        let arguments: Vec<&str> = arguments.split_whitespace().collect();
        let json = self.output(&[&arguments[..], &["--format", "json"]].concat());
        let value: serde_json::Value =
            serde_json::from_str(&json).unwrap_or_else(|error| panic!("{arguments:?}: {error}: {json}"));
        let mut shown = String::new();
        strings(&value, &mut shown);
        let said = self.output(&arguments);
        self.look(&arguments, &said, &shown);
    }

    fn look(&mut self, arguments: &[&str], said: &str, shown: &str) {
        for line in said.lines() {
            let mut line = line.to_owned();
            for same in SAME {
                line = line.replace(same, "，");
            }
            for words in ENGLISH.find_iter(&CODE.replace_all(&line, "，")) {
                if !shown.contains(words.as_str()) {
                    self.english.insert(format!("{}: {}", arguments.join(" "), words.as_str()));
                }
            }
        }
    }

    /// Looks at the help of a command and of all below it; those that have none below them.
    fn helps(&mut self, path: &str) -> Vec<String> {
        let help = self.says(&format!("{path} --help"));
        let lines = help.lines().skip_while(|line| !line.starts_with("命令"));
        let commands = lines.skip(1).take_while(|line| !line.trim().is_empty());
        let names = commands.filter(|line| line.starts_with("  ") && !line.starts_with("    "));
        let names: Vec<String> = names.filter_map(|line| Some(line.split_whitespace().next()?.to_owned())).collect();
        // It says what `--help` says, and is looked at below.
        let names: Vec<String> = names.into_iter().filter(|name| name != "help").collect();
        match names.is_empty() {
            true => vec![path.trim_start().to_owned()],
            false => names.iter().flat_map(|name| self.helps(&format!("{path} {name}"))).collect(),
        }
    }
}

fn is_chinese(letter: char) -> bool {
    ('\u{4e00}'..='\u{9fff}').contains(&letter)
}

/// All texts of a value, but the English ones of a text in two languages.
fn strings(value: &serde_json::Value, into: &mut String) {
    match value {
        serde_json::Value::String(text) => {
            into.push_str(text);
            into.push('\n');
        }
        serde_json::Value::Array(items) => items.iter().for_each(|item| strings(item, into)),
        serde_json::Value::Object(fields) => {
            let worded = fields.contains_key("zh");
            fields.iter().filter(|(key, _)| !worded || *key != "en").for_each(|(_, field)| strings(field, into));
        }
        _ => {}
    }
}

#[test]
fn help_is_chinese() {
    let mut chinese = Chinese::new();
    let commands = chinese.helps("");
    for (asked, same) in
        [("help", "--help"), ("help trace list", "trace list --help"), ("trace help list", "trace list --help")]
    {
        assert_eq!(chinese.says(asked), chinese.says(same), "{asked}");
    }
    assert!(chinese.says("help help").contains("显示说明"));
    assert_eq!(chinese.english, BTreeSet::new());

    let starts = |command: &str, tried: &str| tried == command || tried.starts_with(&format!("{command} "));
    let tried = |command: &&String| SAYS.iter().chain(&SHOWS).chain(&FAILS).any(|tried| starts(command, tried));
    let untried: Vec<&String> = commands.iter().filter(|command| !tried(command)).collect();
    assert_eq!(untried, ["lsp"], "each command is tried below; the language server speaks to an editor");
}

/// In this order: each finds what those before it left.
const SAYS: [&str; 68] = [
    "collisions skills",
    "collisions skills --request 换算公里",
    "find 日志 skills",
    "find 没有这样的词 skills",
    "history skills/unit-converter/SKILL.md",
    "pack skills/unit-converter -o packed.skill",
    "unpack --look packed.skill",
    "unpack packed.skill --into unpacked",
    // What frameworks say of the broken one is quoted.
    "lint skills/unit-converter skills/log-reader skills/log-reader-2 skills/Bad_Name skills/none",
    "lint --select all skills/unit-converter skills/log-reader skills/Bad_Name skills/none",
    "lint --diff --unsafe-fixes skills/Bad_Name",
    "lint --write-baseline --baseline base.json skills/none skills/Bad_Name",
    "lint --baseline base.json skills/none",
    "lint --format github skills/none",
    "rules",
    "rules links-nesting-too-deep",
    "harnesses",
    "models",
    "models presets",
    "models presets ollama",
    "models presets qwen",
    "models add local --preset ollama --model some --base-url http://127.0.0.1:9/v1",
    "models add hosted --preset openai --model some",
    "models set local --context 1000",
    "models",
    "models show local",
    "models check",
    "models names local",
    "models test local",
    "models test rehearsal",
    "models remove local",
    "trust list",
    "trust add calls.json",
    "trust list skills",
    "trust remove calls.json",
    "approvals list",
    "approvals never skills/log-reader",
    "approvals list",
    "run skills --screenplay asks.yaml",
    "approvals revoke skills/log-reader",
    "run skills --screenplay asks.yaml --approve never",
    "run skills --prompt 换算公里",
    "run skills --prompt 换算公里 --harness all",
    "run skills --continue last --prompt 再来一次",
    "run skills --fork last --at 1 --prompt 换一个",
    "trace tree last",
    "trace diff last last",
    "trace align last last",
    "trace files last",
    "trace check last",
    "trace note last 1 好",
    "trace note last",
    "trace verdict last pass",
    "trace verdict last",
    "trace pin last",
    "trace delete last",
    "trace unpin last",
    "trace keep",
    "trace keep --days 3",
    "trace prune --dry-run",
    "trace export last --output run.jsonl",
    "trace export last --format html --output run.html",
    "trace delete last",
    "trace import run.jsonl",
    "trace push last",
    "trace push last --to http://127.0.0.1:9",
    "models key set hosted",
    "models key delete hosted",
];

/// Show the words of a framework or of a model, too.
const SHOWS: [&str; 14] = [
    "list skills",
    "card skills/unit-converter",
    "inspect skills --harness agent-framework",
    "inspect skills --harness eino",
    "inspect skills --harness learn-claude-code",
    "inspect skills --harness strands",
    "inspect skills --harness agentscope",
    "inspect skills --harness clients",
    "call skills --calls calls.json",
    "run skills --prompt 换算公里",
    "trace list",
    "trace show last",
    "trace step last 1",
    "trace search 换算",
];

#[test]
fn what_commands_say_is_chinese() {
    let mut chinese = Chinese::new();
    for command in SAYS {
        match command.starts_with("run ") {
            true => chinese.shows(command),
            false => drop(chinese.says(command)),
        }
    }
    SHOWS.into_iter().for_each(|command| chinese.shows(command));
    assert_eq!(chinese.english, BTreeSet::new());
}

const FAILS: [&str; 54] = [
    "nope",
    "lst",
    "list",
    "list nope",
    "list --bogus skills",
    "list --format x skills",
    "list skills --harness nope",
    "list skills --harness strands@nope",
    "inspect skills --cwd",
    "card nope",
    "find",
    "history nope",
    "history calls.json HEAD",
    "lint skills --profile nope",
    "pack nope x.skill",
    "unpack calls.json out",
    "lint nope",
    "lint skills --max-warnings x",
    "lint skills --max-warnings -1",
    "lint skills --select nope",
    "rules nope",
    "models show nope",
    "models add",
    "models presets nope",
    "models test nope",
    "trust add nope",
    "approvals allow nope",
    "approvals revoke skills/none",
    "run skills --prompt x --model nope",
    "run skills --turns x",
    "run skills --turns 0",
    "run skills --turns 99999999999999999999",
    "run skills --max-cost x",
    "run skills --continue nope",
    "run skills --fork last",
    "run skills --at 1",
    "run skills --prompt x --sandbox nope",
    "call skills",
    "call skills --calls nope.json",
    "call skills --calls broken.json",
    "trace show nope",
    "trace step last 0",
    "trace step nope 1",
    "trace search bogus:1",
    "trace search kind:x",
    "trace import nope",
    "trace import broken.json",
    "trace export nope",
    "trace push nope",
    "trace verdict nope pass",
    "trace keep --days x",
    "models key set nope",
    "models key delete rehearsal",
    "models set nope --context 1",
];

#[test]
fn errors_are_chinese() {
    let mut chinese = Chinese::new();
    for command in FAILS {
        let said = chinese.says(command);
        assert!(said.contains(is_chinese), "{command}: {said}");
    }
    assert_eq!(chinese.english, BTreeSet::new());
}

/// Imitate frameworks, or are texts of users.
const OF_OTHERS: [&str; 5] =
    ["harness/src/eino/", "harness/src/strands/", "trace/src/sample.rs", "round_trip.rs", "/tests"];

#[test]
fn chinese_is_set_as_chinese_is() {
    let code = Regex::new(r"`[^`]*`").unwrap();
    let ill = Regex::new(r"\p{Han}[A-Za-z0-9]|[A-Za-z0-9]\p{Han}|\p{Han}[,;:!?(]|\)\p{Han}|\p{Han}您|您\p{Han}|[，。；：、（] | [，。；：、）]").unwrap();
    let words = Regex::new(r"[A-Za-z]{2,}").unwrap();
    let continued = Regex::new(r"\\\n\s*").unwrap();
    let mut found = Vec::new();
    for path in sources(Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()) {
        if OF_OTHERS.iter().any(|part| path.to_string_lossy().contains(part)) {
            continue;
        }
        // A text over several lines is one, and code in it is a word.
        let text = continued.replace_all(&fs::read_to_string(&path).unwrap(), "").into_owned();
        let text = text.split("#[cfg(test)]").next().unwrap_or_default();
        for line in text
            .lines()
            .filter(|line| !line.trim_start().starts_with("//") && !line.contains("(?") && !line.contains("?|"))
        {
            let plain = code.replace_all(line, "code").replace("\\n", "\n");
            let han = plain.chars().filter(|&letter| is_chinese(letter)).count();
            if let Some(place) = ill.find(&plain).filter(|_| words.find_iter(&plain).count() < han) {
                found.push(format!("{}: {}: {}", path.display(), place.as_str(), line.trim()));
            }
        }
    }
    assert!(found.is_empty(), "{} places:\n{}", found.len(), found.join("\n"));
}

/// The files of the rooms.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let of = |path: PathBuf| match path.is_dir() {
        true if path.ends_with("tests") || path.ends_with("target") => Vec::new(),
        true => sources(&path),
        false => vec![path],
    };
    entries.flat_map(of).filter(|path| path.extension().is_some_and(|ending| ending == "rs")).collect()
}

/// What a person can mistype in `workbench.yaml`: for each way in which serde and libyaml refuse a text, and for each of ours.
const PROJECTS: [&str; 42] = [
    "roots: here",
    "roots: 7",
    "root: []",
    "limit: {turns: 1}",
    "roots: []\nroots: []",
    "model: {key: secret}",
    "model: [a]",
    "neutralPaths: maybe",
    "neutralPaths: 7",
    "limits: {turns: few}",
    "limits: {turns: 0}",
    "limits: {turns: 1.5}",
    "limits: {turns: -1}",
    "limits: {outputBytes: 99999999}",
    "limits: {tokens: 0}",
    "limits: {cost: -1}",
    "limits: 7",
    "sandbox: {mode: off}",
    "sandbox: {mode: maybe}",
    "sandbox: {mode: {a: b}}",
    "sandbox: {network: true}",
    "lint: {rules: {todo-left: lout}}",
    "lint: {profile: recomended}",
    "harnesses: {eino: 7}",
    "harnesses: {agent-framwork: {}}",
    "harnesses: {agent-framework: {sources: [web]}}",
    "harnesses: {agent-framework: {filter: [7, [a]]}}",
    "inlineSkills: [{name: a}]",
    "inlineSkills: [{name: a, description: b, instructions: c, scripts: [{name: s}]}]",
    "inlineSkills: [{name: a, description: b, instructions: c, resources: [{name: s, value: a, file: b}]}]",
    "toolGroups: [{skill: a, tools: [{name: t, description: d, parameters: {}}]}]",
    "roots: [a",
    "roots: [a\nlimits: {",
    "roots: \"a",
    "\troots: []",
    "roots: a: b",
    "roots: *none",
    "roots: [*a]",
    "@roots",
    "a: |x\n b",
    "---\nroots: []\n---\nroots: []",
    "- a",
];

const MODELS: [&str; 18] = [
    "models: 7",
    "models: [{id: a}]",
    "models: [{id: ' ', provider: openAi, baseUrl: 'http://x', model: m}]",
    "models: [{id: a, provider: openAI, baseUrl: 'http://x', model: m}]",
    "models: [{id: a, provider: openAi, baseUrl: x, model: m}]",
    "models: [{id: a, provider: openAi, baseUrl: 'http://a:b@x', model: m}]",
    "models: [{id: a, provider: openAi, baseUrl: 'https://{resource}.x', model: m}]",
    "models: [{id: a, provider: openAi, baseUrl: 'https://x?code=s3cret', model: m}]",
    "models: [{id: a, provider: openAi, baseUrl: 'http://x', model: m, key: secret}]",
    "models: [{id: a, provider: openAi, baseUrl: 'http://x', model: m, key: {env: A, keyring: b}}]",
    "models: [{id: a, provider: openAi, baseUrl: 'http://x', model: m, key: {command: pass}}]",
    "models: [{id: a, provider: openAi, baseUrl: 'http://x', model: m, headers: {Authorization: x}}]",
    "models: [{id: a, provider: openAi, baseUrl: 'http://x', model: m, body: {stream: true}}]",
    "models: [{id: a, provider: openAi, baseUrl: 'http://x', model: m, context: 0}]",
    "models: [{id: a, provider: openAi, baseUrl: 'http://x', model: m, prices: {input: -1, output: 1}}]",
    "models: [{id: rehearsal, provider: openAi, baseUrl: 'http://x', model: m}]",
    "network: {proxy: x}",
    "otlp: {live: true}",
];

const SCREENPLAYS: [&str; 9] = [
    "",
    "prompt: a",
    "prompt: [7]\nsteps: []",
    "prompt: a\nsteps: {}",
    "prompt: a\nsteps: [say]",
    "prompt: a\nsteps: [{}]",
    "prompt: a\nsteps: [{load: b}]",
    "prompt: a\nsteps: [{say: b, read: c}]",
    "prompt: a\nsteps: [{say: b, with: {}}]",
];

const JSON: [&str; 15] = [
    "[",
    "[{",
    "[{\"name\"",
    "[{\"name\" 7}]",
    "[{\"name\": \"a\",}]",
    "[{\"name\": \"a\"},]",
    "[{\"name\": \"a\\x\"}]",
    "[{\"name\": \"a",
    "[{\"name\": nope}]",
    "[{name: 7}]",
    "[] []",
    "{\"name\": 1}",
    "[{\"nam\": \"load\"}]",
    "[7]",
    "[-]",
];

const FRONTMATTERS: [&str; 14] = [
    "name: [",
    "name: a: b",
    "name: @a",
    "name: \"a\ndescription: b",
    "name: 'a' b",
    "\tname: a",
    "name: a\n  description: b\n c: d",
    "name: {a, b\ndescription: c",
    "name: *none",
    "name: \"\\q\"",
    "? [a\n: b",
    "name: |9x\n a",
    "name: %a",
    "name: a\n- b",
];

#[test]
fn mistakes_in_files_are_said_in_chinese() {
    let mut chinese = Chinese::new();
    let says = |chinese: &mut Chinese, command: &str, text: &str| {
        let said = chinese.says(command);
        assert!(said.contains(is_chinese), "{text:?}: {said}");
    };
    for text in PROJECTS {
        chinese.write("skills/workbench.yaml", text);
        says(&mut chinese, "run skills --prompt x", text);
    }
    fs::remove_file(chinese.folder.path().join("skills/workbench.yaml")).unwrap();
    let models = chinese.terminal.home.path().join("config");
    fs::create_dir_all(&models).unwrap();
    for text in MODELS {
        fs::write(models.join("models.yaml"), text).unwrap();
        says(&mut chinese, "models", text);
    }
    fs::remove_file(models.join("models.yaml")).unwrap();
    for text in SCREENPLAYS {
        chinese.write("scene.yaml", text);
        says(&mut chinese, "run skills --prompt x --screenplay scene.yaml", text);
    }
    for text in JSON {
        chinese.write("broken.json", text);
        says(&mut chinese, "call skills --calls broken.json", text);
        says(&mut chinese, "lint skills/none --baseline broken.json", text);
        chinese.write("skills/unit-converter/evals/evals.json", text);
        says(&mut chinese, "lint skills/unit-converter --select evals-json-invalid", text);
    }
    for text in FRONTMATTERS {
        chinese.write("skills/broken/SKILL.md", &format!("---\n{text}\n---\n"));
        says(&mut chinese, "lint skills/broken --select yaml-invalid --select yaml-not-map", text);
    }
    assert_eq!(chinese.english, BTreeSet::new());
}
