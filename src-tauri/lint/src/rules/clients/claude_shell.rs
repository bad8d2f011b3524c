use crate::analysis::client;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "claude-shell",
    group: Group::Clients,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Value of shell is not known", "shell 的取值未知"),
    what: Wording::new(
        "`shell` other than `bash` and `powershell`, in a skill that Claude Code may load.",
        "在 Claude Code 可能加载的技能中：`shell` 不是 `bash` 或 `powershell`。",
    ),
    why: Wording::new(
        "Claude Code knows only these two to run the commands that a skill injects.",
        "Claude Code 只能用这两种 shell 运行技能注入的命令。",
    ),
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
    marks: &[],
    source: "Claude Code documentation: skills",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(field) = skill.field("shell").filter(|_| client::may_be_for(skill, &client::CLAUDE_CODE)) else { return };
    if !matches!(field.value.as_str(), Some("bash" | "powershell")) {
        let message = Wording::new(
            "Claude Code knows `bash` and `powershell` only; write one of them, or delete `shell`",
            "Claude Code 只识别 `bash` 和 `powershell`；改为其中之一，或删除 `shell`",
        );
        report.at(skill.path(), client::place(field), message);
    }
}
