use super::quoting::{Obstacle, cure};
use crate::rules::clients::loader_would_skip;
use crate::{Applicability, Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "yaml-unquoted-start",
    group: Group::Form,
    severity: Severity::Error,
    on: true,
    title: Wording::new("Value starts with a character of YAML", "值以 YAML 特殊字符开头"),
    what: Wording::new(
        "A value without quotes that starts with a backtick, `@`, `%`, `*`, `&`, `!`, `- ` or `? ` and is not \
         valid YAML for that reason; also one that continues after brackets or quotes, such as `[file] [mode]` or \
         `\"Sales\" reports`.",
        "没有加引号、以反引号、`@`、`%`、`*`、`&`、`!`、`- ` 或 `? ` 开头因而不是有效 YAML 的值；\
         也包括括号或引号之后还有内容的值，例如 `[file] [mode]` 或 `\"Sales\" reports`。",
    ),
    why: Wording::new(
        "Frameworks with a YAML parser skip the skill; those that read line by line load it.",
        "使用 YAML 解析器的框架会跳过该技能；逐行读取的框架会加载它。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: `demo` runs a demo when asked.
---
Do it.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r#"---
name: demo
description: "`demo` runs a demo when asked."
---
Do it.
"#,
    )]),
    hides: &[&loader_would_skip::RULE],
    marks: &[],
    source: "YAML 1.2",
    fix: Some(Applicability::Safe),
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(cure) = cure(skill) else { return };
    let Obstacle::Start(first) = cure.obstacle else { return };
    let message = message!(
        "`{}` starts with a `{first}`, which has a meaning in YAML; put the value in quotes",
        "`{}` 以 `{first}` 开头，它在 YAML 中有特殊含义；请给值加上引号",
        cure.key
    );
    let title = Wording::new("Put the value in quotes", "给值加上引号");
    report.at(skill.path(), cure.value, message).replace(title, cure.value, cure.quoted);
}
