use crate::analysis::client;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::{Severity, YamlValue};
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "allowed-tools-bracket",
    group: Group::Form,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Bracket in the allowed tools has no other", "allowed-tools 括号不配对"),
    what: Wording::new(
        "A tool in `allowed-tools` or `disallowed-tools` with a round bracket that is not closed, or not opened, \
         such as `Bash(git add:*`; also if a comma of a YAML list splits what is in the brackets. Brackets in \
         quotes are not reported.",
        "`allowed-tools` 或 `disallowed-tools` 中某个工具的圆括号没有配对，例如 `Bash(git add:*`；YAML \
         列表的逗号把括号内的内容拆开时也会报告。引号内的括号不报告。",
    ),
    why: Wording::new(
        "No client knows a tool by that name: the command stays forbidden, and what follows the bracket may be \
         lost too.",
        "没有客户端认识这样的工具名：命令仍被禁止，括号之后的内容也可能丢失。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
allowed-tools: Read Bash(git add:* Grep
---
Do it.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
allowed-tools: Read Bash(git add:*) Grep
---
Do it.
",
    )]),
    hides: &[],
    marks: &[],
    source: "agentskills.io specification; Claude Code documentation: permission rules",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for field in ["allowed-tools", "disallowed-tools"].iter().filter_map(|key| skill.field(key)) {
        let items: Vec<&str> = match &field.value {
            YamlValue::List(items) => items.iter().filter_map(YamlValue::as_str).collect(),
            value => value.as_str().into_iter().collect(),
        };
        if let Some(tool) = items.into_iter().find_map(unmatched) {
            let place = client::place_of(skill, field, tool.split(['(', ')']).next().unwrap_or_default());
            let message = message!(
                "a bracket in `{tool}` is not matched; write each tool as `Bash(git add:*)`",
                "`{tool}` 的括号不配对；每个工具应写成 `Bash(git add:*)`"
            );
            report.at(skill.path(), place, message);
        }
    }
}

/// The tool with the first bracket that has no other.
fn unmatched(text: &str) -> Option<&str> {
    let mut quote = None;
    let mut open: Option<usize> = None;
    let mut depth = 0_usize;
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => _ = letters.next(),
            '"' | '\'' if quote == Some(letter) => quote = None,
            '"' | '\'' if quote.is_none() && depth > 0 => quote = Some(letter),
            _ if quote.is_some() => {}
            '(' => {
                open = open.or(Some(at));
                depth += 1;
            }
            ')' if depth == 0 => return Some(tool_at(text, at)),
            ')' => {
                depth -= 1;
                open = open.filter(|_| depth > 0);
            }
            _ => {}
        }
    }
    // A quote that nothing closes is an apostrophe.
    open.filter(|_| quote.is_none()).map(|at| tool_at(text, at))
}

/// The words around a bracket, as far as a message needs them.
fn tool_at(text: &str, at: usize) -> &str {
    let start = text[..at].rfind([' ', ',', '(', ')']).map_or(0, |before| before + 1);
    let end = text[at..].find(',').map_or(text.len(), |end| at + end);
    let end = text.floor_char_boundary(end.min(start + SHOWN).max(at));
    text[start..end].trim()
}

/// Bytes.
const SHOWN: usize = 60;
