use crate::analysis::context;
use crate::{Check, Deed, Example, Group, Mark, Report, Rule, Subject};
use skill::Severity;
use skill::{FileKind, YamlValue};
use wording::{Message, Wording};

pub static RULE: Rule = Rule {
    id: "permission-exceeds-declared",
    group: Group::Security,
    severity: Severity::Info,
    on: true,
    title: Wording::new("Runs scripts that its tools cannot run", "声明的工具无法运行脚本"),
    what: Wording::new(
        "An `allowed-tools` with only tools that read, write or search, in a skill whose text runs scripts of its own.",
        "`allowed-tools` 只列出读取、写入或搜索的工具，而技能的文本要运行自带的脚本。",
    ),
    why: Wording::new(
        "Clients ask for every run, or refuse; a reviewer who goes by the declaration expects none.",
        "客户端每次运行都会询问，或者拒绝；只看声明的审查者则以为不会运行任何东西。",
    ),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
allowed-tools: Read Grep
---
Run `python scripts/run.py`.
",
        ),
        ("scripts/run.py", "print(1)\n"),
    ]),
    good: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
allowed-tools: Read Bash(python:*)
---
Run `python scripts/run.py`.
",
        ),
        ("scripts/run.py", "print(1)\n"),
    ]),
    hides: &[],
    marks: &[Mark::Evidence(Deed::Claims)],
    source: "cisco-ai-skill-scanner ALLOWED_TOOLS_BASH_VIOLATION",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(field) = skill.field("allowed-tools") else { return };
    let tools = tools(&field.value);
    // It is unknown what other tools do.
    if tools.is_empty() || !tools.iter().all(|tool| QUIET.contains(&tool.as_str())) {
        return;
    }
    let scripts = skill.skill.files.iter().filter(|file| file.kind == FileKind::Script);
    let run = scripts.filter_map(|file| file.name.rsplit('/').next().filter(|_| context::is_script(&file.path)));
    if let Some(name) = run.into_iter().find(|name| is_run(skill.body(), name)) {
        let message = Message {
            en: format!(
                "`allowed-tools` names only {}, and the text has `{name}` run: add the tool that runs commands",
                tools.join(", ")
            ),
            zh: format!("`allowed-tools` 只列出了 {}，而文中要运行 `{name}`，请添加能运行命令的工具", tools.join("、")),
        };
        report.at(skill.path(), field.value_span, message);
    }
}

const QUIET: [&str; 13] = [
    "Read",
    "Write",
    "Edit",
    "MultiEdit",
    "Glob",
    "Grep",
    "LS",
    "WebFetch",
    "WebSearch",
    "TodoWrite",
    "NotebookEdit",
    "NotebookRead",
    "AskUserQuestion",
];

/// Tools by name, without the brackets after them.
fn tools(value: &YamlValue) -> Vec<String> {
    let name = |tool: &str| tool.split('(').next().unwrap_or_default().trim().to_owned();
    let names: Vec<String> = match value {
        YamlValue::List(items) => items.iter().filter_map(YamlValue::as_str).map(name).collect(),
        YamlValue::Scalar { text, .. } => text.split([',', ' ', '\n']).map(name).collect(),
        YamlValue::Null | YamlValue::Map(_) => Vec::new(),
    };
    names.into_iter().filter(|name| !name.is_empty()).collect()
}

/// A command in front of the script's name: `python scripts/run.py`, `./run.sh`.
fn is_run(body: &str, name: &str) -> bool {
    body.match_indices(name).take(50).any(|(at, _)| {
        let line = body[..at].rsplit('\n').next().unwrap_or_default();
        ["python ", "python3 ", "bash ", "sh ", "node ", "uv run ", "./", "Run `", "运行"]
            .iter()
            .any(|command| line.contains(command))
    })
}
