use crate::rules::clients::bash_unscoped;
use crate::{Check, Deed, Example, Group, Mark, Report, Rule, Subject};
use skill::Severity;
use skill::{FileKind, YamlValue};
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "declared-exceeds-use",
    group: Group::Security,
    severity: Severity::Info,
    on: false,
    title: Wording::new("May run any command and runs none", "声明的权限超出实际使用"),
    what: Wording::new(
        "An `allowed-tools` with `Bash`, `Bash(*)` or `*` in a skill that has no script, no code fence and no \
           code span with a command.",
        "`allowed-tools` 中有 `Bash`、`Bash(*)` 或 `*`，而技能没有脚本、没有代码块，也没有含命令的行内代码。",
    ),
    why: Wording::new(
        "A skill should be allowed to do unasked only what it needs; injected text makes use of the rest.",
        "技能无需确认就能做的事，应以需要为限；多出来的权限会被注入的文本利用。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
allowed-tools: Read Bash
---
Read the notes, and sum them up in a paragraph.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
allowed-tools: Read Bash
---
Run `git log -5`, and sum it up in a paragraph.
",
    )]),
    hides: &[&bash_unscoped::RULE],
    marks: &[Mark::Evidence(Deed::Claims)],
    source: "claude-code-lint skill-allowed-tools-not-used",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(field) = skill.field("allowed-tools") else { return };
    let wide = match &field.value {
        YamlValue::List(items) => items.iter().filter_map(YamlValue::as_str).any(is_wide),
        YamlValue::Scalar { text, .. } => text.split([',', ' ', '\n']).any(is_wide),
        YamlValue::Null | YamlValue::Map(_) => false,
    };
    let has_scripts = skill.skill.files.iter().any(|file| file.kind == FileKind::Script);
    if !wide || has_scripts {
        return;
    }
    let markdown = skill.markdown();
    let has_commands =
        !markdown.fences.is_empty() || markdown.codes.iter().any(|code| code.of(skill.text()).contains(' '));
    let words = [
        "command", "terminal", "shell", "bash", "git", "script", "cli", "run ", "命令", "终端", "脚本", "运行", "执行",
    ];
    let body = skill.body().to_lowercase();
    if !has_commands && !words.iter().any(|word| body.contains(word)) {
        report.at(
            skill.path(),
            field.value_span,
            Wording::new(
                "`allowed-tools` lets any command run, and the text names none: leave it out, or name the commands",
                "`allowed-tools` 允许运行任何命令，而文中没有提到命令，请去掉，或写明具体命令",
            ),
        );
    }
}

fn is_wide(tool: &str) -> bool {
    matches!(tool.trim(), "Bash" | "Bash(*)" | "Bash(:*)" | "*")
}
