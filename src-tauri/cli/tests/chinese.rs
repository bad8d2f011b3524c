//! `skillbench --lang zh`: every command with its help and its errors, over Chinese skills, says nothing in English.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod terminal;

use std::collections::BTreeSet;
use std::fs;
use std::sync::LazyLock;

use regex::Regex;
use terminal::{Terminal, text};

/// Names, and what is typed as it is.
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

/// Not said by the program: code, names of files, addresses, options, commands and filters that a person types, placeholders, and
/// what a parser of JSON says.
static CODE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r#"`[^`]*`|“[^”]*”|skillbench( [a-z<\[-][a-z-]*)*|\S*[/\\]\S*|\w+\.\w+|\w+:\S+|EOF while parsing.*|(agentscope|eino|strands) (seed|rehearsal)|--?[a-z-]+|<[^>]*>|\[[^\]]*\]|\{.*\}"#,
    )
    .unwrap()
});

/// At least two words after one another.
static ENGLISH: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"[A-Za-z][A-Za-z'-]+(?: [a-z][a-z'-]+)+").unwrap());

struct Chinese {
    terminal: Terminal,
    folder: tempfile::TempDir,
    /// What commands said in English, and which.
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

    /// What is printed for people.
    fn says(&mut self, arguments: &str) -> String {
        let arguments: Vec<&str> = arguments.split_whitespace().collect();
        let said = self.output(&arguments);
        self.look(&arguments, &said, "");
        said
    }

    /// The same, where the words of a framework or of a model are shown: those that the JSON has, too.
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

    /// The help of a command, and of all below it.
    fn helps(&mut self, path: &str) -> usize {
        let help = self.says(&format!("{path} --help"));
        let lines = help.lines().skip_while(|line| !line.starts_with("命令"));
        let commands = lines.skip(1).take_while(|line| !line.trim().is_empty());
        let names = commands.filter(|line| line.starts_with("  ") && !line.starts_with("    "));
        let names: Vec<String> = names.filter_map(|line| Some(line.split_whitespace().next()?.to_owned())).collect();
        1 + names.iter().map(|name| self.helps(&format!("{path} {name}"))).sum::<usize>()
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
    assert!(commands > 50, "the help of {commands} commands was found");
    assert_eq!(chinese.english, BTreeSet::new());
}

#[test]
fn what_commands_say_is_chinese() {
    let mut chinese = Chinese::new();
    for command in [
        "card skills/unit-converter",
        "collisions skills",
        "find 日志 skills",
        "find 没有这样的词 skills",
        "history skills/unit-converter/SKILL.md",
        "pack skills/unit-converter packed.skill",
        "unpack --look packed.skill",
        // What frameworks say of the broken one is quoted.
        "lint skills/unit-converter skills/log-reader skills/log-reader-2 skills/Bad_Name skills/none",
        "lint --select all skills/unit-converter skills/log-reader skills/Bad_Name skills/none",
        "rules",
        "rules links-nesting-too-deep",
        "models",
        "models presets",
        "models presets ollama",
        "models presets qwen",
        "models test rehearsal",
        "trust list",
        "approvals list",
        "harnesses",
        "run skills --prompt 换算公里",
        "run skills --prompt 换算公里 --harness all",
        "trace list",
        "trace show last",
        "trace step last 1",
        "trace diff last last",
        "trace tree last",
        "trace align last last",
        "trace files last",
        "trace check last",
        "trace note last 1 好",
        "trace note last",
        "trace verdict last pass",
        "trace verdict last",
        "trace pin last",
        "trace unpin last",
        "trace keep",
        "trace keep --days 3",
        "trace prune --dry-run",
        "trace search 换算",
        "trace search kind:call",
    ] {
        match command.split(' ').next() {
            Some("run" | "card") => chinese.shows(command),
            Some("trace") if ["show", "step", "list"].iter().any(|word| command.contains(word)) => {
                chinese.shows(command)
            }
            _ => drop(chinese.says(command)),
        }
    }
    for harness in ["agent-framework", "eino", "learn-claude-code", "strands", "agentscope", "clients"] {
        chinese.shows(&format!("inspect skills --harness {harness}"));
    }
    chinese.shows("list skills");
    chinese.shows("call skills --calls calls.json");
    assert_eq!(chinese.english, BTreeSet::new());
}

#[test]
fn errors_are_chinese() {
    let mut chinese = Chinese::new();
    for command in [
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
    ] {
        let said = chinese.says(command);
        assert!(said.contains(is_chinese), "{command}: {said}");
    }
    assert_eq!(chinese.english, BTreeSet::new());
}
