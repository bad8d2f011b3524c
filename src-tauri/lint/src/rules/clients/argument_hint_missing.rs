use crate::analysis::client;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::source::Span;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "argument-hint-missing",
    group: Group::Clients,
    severity: Severity::Info,
    on: false,
    title: Wording::new("Arguments without a hint", "使用了参数却没有 argument-hint"),
    what: Wording::new(
        "Instructions that use arguments by their places (`$ARGUMENTS[0]`) without `argument-hint` in the \
           frontmatter.",
        "指令按位置使用参数（`$ARGUMENTS[0]`），前置元数据中却没有 `argument-hint`。",
    ),
    why: Wording::new(
        "Users typing the command cannot see which arguments it takes or in what order.",
        "输入命令的用户看不到它接受哪些参数，也不知道顺序。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Compare $ARGUMENTS[0] with $ARGUMENTS[1].
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r#"---
name: demo
description: Use when asked for a demo.
argument-hint: "[old] [new]"
---
Compare $ARGUMENTS[0] with $ARGUMENTS[1].
"#,
    )]),
    hides: &[],
    marks: &[],
    source: "Claude Code documentation: skills",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let known = skill.field("argument-hint").is_some() || skill.field("arguments").is_some();
    if known || !client::may_be_for(skill, &client::CLAUDE_CODE) {
        return;
    }
    if let Some(at) = skill.body().find("$ARGUMENTS[") {
        let start = skill.manifest().body.start + at;
        let message = Wording::new(
            "name the arguments in `argument-hint`, e.g. `argument-hint: \"[old] [new]\"`",
            "在 `argument-hint` 中写明参数，例如 `argument-hint: \"[old] [new]\"`",
        );
        report.at(skill.path(), Span::new(start, start + "$ARGUMENTS".len()), message);
    }
}
