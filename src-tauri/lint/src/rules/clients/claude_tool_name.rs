use crate::analysis::client;
use crate::analysis::tool_names::{TOOLS, USUAL};
use crate::{Applicability, Check, Example, Group, Report, Rule, Subject};
use skill::{Field, Severity};
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "claude-tool-name",
    group: Group::Clients,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Claude Code spells this tool otherwise", "工具名拼写与 Claude Code 不符"),
    what: Wording::new(
        "In a skill for Claude Code: a tool in `allowed-tools` or `disallowed-tools` that is nearly one of its \
         tools, in different case or with a wrong letter. In a skill that is for no client expressly: one that \
         is a single typing error away from `Bash`, `Read`, `Write` and the like. In both: names that other clients have \
         for such tools, as `List` or `Shell`, in the second next to two of its own. Tools with quite different names may \
         be new, or a server's, and are not reported.",
        "在面向 Claude Code 的技能中：`allowed-tools` 或 `disallowed-tools` 里的工具名与它的某个工具只差大小写或\
         个别字母。在没有明确面向任何客户端的技能中：与 `Bash`、`Read`、`Write` 等只差一处笔误。\
         另外还有其他客户端对这类工具的叫法，如 `List`、`Shell`（后一种情况下，还须列有两个它自己的工具）。\
         完全不同的名称可能是新工具或服务器提供的工具，不报告。",
    ),
    why: Wording::new(
        "Names are compared letter by letter; the tool stays forbidden, or allowed.",
        "名称会逐字母比较；写错时，工具仍然被禁止，或仍然被允许。",
    ),
    bad: Example {
        folder: ".claude/skills/demo",
        files: &[(
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
allowed-tools: read, Bash(git:*)
---
Do it.
",
        )],
    },
    good: Example {
        folder: ".claude/skills/demo",
        files: &[(
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
allowed-tools: Read, Bash(git:*), mcp__docs__search
---
Do it.
",
        )],
    },
    hides: &[],
    marks: &[],
    source: "Claude Code documentation: tools",
    fix: Some(Applicability::Unsafe),
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    if !client::may_be_for(skill, &client::CLAUDE_CODE) {
        return;
    }
    let expressly = client::is_for(skill, &client::CLAUDE_CODE);
    for field in ["allowed-tools", "disallowed-tools"].iter().filter_map(|key| skill.field(key)) {
        let wrong = client::tools(field).into_iter().take(LOOKED_AT).filter_map(|tool| {
            let name = tool.split('(').next().unwrap_or_default().to_owned();
            let meant = if expressly { client::nearest(&name, &TOOLS) } else { slip_of(&name) };
            let other = || OTHERS.iter().find(|(other, _)| *other == name && (expressly || is_mixed(field)));
            let meant = meant.or_else(|| other().map(|(_, meant)| *meant))?;
            Some((name, meant))
        });
        for (name, meant) in wrong.take(MOST) {
            let place = client::place_of(skill, field, &name);
            let message = message!(
                "Claude Code's tool is called `{meant}`, not `{name}`",
                "Claude Code 的工具叫 `{meant}`，不叫 `{name}`"
            );
            let finding = report.at(skill.path(), place, message);
            if place.of(skill.text()) == name {
                finding.replace(message!("Write {meant}", "改为 {meant}"), place, meant);
            }
        }
    }
}

/// The tool that is meant for sure, whichever client reads it.
fn slip_of(name: &str) -> Option<&'static str> {
    if TOOLS.contains(&name) || WORDS.contains(&name) {
        return None;
    }
    let is_slip = |tool: &&&str| name.get(..1) == tool.get(..1) && strsim::osa_distance(name, tool) == 1;
    USUAL.iter().find(is_slip).copied()
}

/// Whether the field has tools of Claude Code, too, by names that other clients do not use.
fn is_mixed(field: &Field) -> bool {
    let is_own = |tool: &String| OWN.contains(&tool.split('(').next().unwrap_or_default());
    client::tools(field).into_iter().take(LOOKED_AT).filter(is_own).count() > 1
}

/// Tools that nearly only Claude Code calls so.
const OWN: [&str; 9] =
    ["AskUserQuestion", "Bash", "Glob", "Grep", "MultiEdit", "NotebookEdit", "TodoWrite", "WebFetch", "WebSearch"];

/// Other names of tools, and the tools they mean.
const OTHERS: [(&str, &str); 16] = [
    ("List", "Glob"),
    ("ListDir", "Glob"),
    ("ListFiles", "Glob"),
    ("Find", "Glob"),
    ("Search", "Grep"),
    ("ReadFile", "Read"),
    ("FileRead", "Read"),
    ("View", "Read"),
    ("WriteFile", "Write"),
    ("FileWrite", "Write"),
    ("EditFile", "Edit"),
    ("Shell", "Bash"),
    ("Terminal", "Bash"),
    ("Execute", "Bash"),
    ("RunCommand", "Bash"),
    ("Fetch", "WebFetch"),
];

/// Words as near that may well be another tool's name.
const WORDS: [&str; 21] = [
    "Base", "Bask", "Bass", "Bath", "Batch", "Bush", "Edict", "Edits", "Emit", "Exit", "Globe", "Globs", "Grip",
    "Reads", "Ready", "Real", "Road", "White", "Writer", "Writes", "Webfetch",
];

/// Findings in one field; further ones say nothing new.
const MOST: usize = 20;
/// Tools of one field; nobody has more.
const LOOKED_AT: usize = 500;
