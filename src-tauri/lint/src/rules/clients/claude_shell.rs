use crate::analysis::client;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::wording::Wording;

pub static RULE: Rule = Rule {
    id: "claude-shell",
    group: Group::Clients,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Value of shell is not known", "shell 的取值未知"),
    what: Wording::new("`shell` other than `bash` and `powershell`, in a skill that Claude Code may load.", ""),
    why: Wording::new("Claude Code knows only these two to run the commands that a skill injects.", ""),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
shell: zsh
---
Do it.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
shell: bash
---
Do it.
",
    )]),
    hides: &[],
    source: "Claude Code documentation: skills",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(field) = skill.field("shell").filter(|_| client::may_be_for(skill, &client::CLAUDE_CODE)) else { return };
    if !matches!(field.value.as_str(), Some("bash" | "powershell")) {
        let message = "Claude Code knows `bash` and `powershell` only; write one of them, or delete `shell`";
        report.at(skill.path(), client::place(field), message);
    }
}
