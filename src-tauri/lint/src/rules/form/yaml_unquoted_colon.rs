use super::quoting::{Obstacle, cure};
use crate::rules::clients::loader_would_skip;
use crate::{Applicability, Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "yaml-unquoted-colon",
    group: Group::Form,
    severity: Severity::Error,
    on: true,
    title: Wording::new("Colon in a value without quotes", "未加引号的值中含有冒号"),
    what: Wording::new(
        "A value of the frontmatter with a colon and a space in it that is not in quotes.",
        "前置元数据中没有加引号、却含有冒号加空格的值。",
    ),
    why: Wording::new(
        "To YAML the colon begins another value: frameworks with a YAML parser skip the skill, while those that read line \
          by line load it, so it works for some and not for others.",
        "对 YAML 来说，冒号意味着另一个值的开始：使用 YAML 解析器的框架会跳过该技能，逐行读取的框架却能加载，\
         因此它在有的框架中可用，在有的框架中不可用。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use for one thing: a demo.
---
Do it.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r#"---
name: demo
description: "Use for one thing: a demo."
---
Do it.
"#,
    )]),
    hides: &[&loader_would_skip::RULE],
    marks: &[],
    source: "YAML 1.2; client guide: adding skills support",
    fix: Some(Applicability::Safe),
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(cure) = cure(skill).filter(|cure| cure.obstacle == Obstacle::Colon) else { return };
    let message = message!(
        "`: ` in `{}` makes the frontmatter invalid; put the value in quotes",
        "`{}` 中的 `: ` 使前置元数据无效；请给值加上引号",
        cure.key
    );
    let title = Wording::new("Put the value in quotes", "给值加上引号");
    report.at(skill.path(), cure.value, message).replace(title, cure.value, cure.quoted);
}
