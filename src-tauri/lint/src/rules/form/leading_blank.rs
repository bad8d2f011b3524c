use crate::rules::clients::loader_would_skip;
use crate::{Applicability, Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::frontmatter::{Split, split};
use skill::source::Span;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "leading-blank",
    group: Group::Form,
    severity: Severity::Error,
    on: true,
    title: Wording::new("Something before the frontmatter", "前置元数据前有空白"),
    what: Wording::new(
        "Frontmatter that is whole but does not begin in the first column of the first line: blank lines or spaces come \
           before it.",
        "前置元数据本身完整，但不是从第一行第一列开始：前面有空行或空格。",
    ),
    why: Wording::new(
        "Frameworks that look for `---` at the very start see no frontmatter and skip the skill; others accept \
         it, so the mistake is hard to find.",
        "要求文件一开头就是 `---` 的框架看不到前置元数据，会跳过该技能；其他框架可以接受，因此这个错误很难发现。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"
---
name: demo
description: Use when asked for a demo.
---
Do it.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Do it.
",
    )]),
    hides: &[&loader_would_skip::RULE],
    marks: &[],
    source: "agentskills.io specification; skills-ref",
    fix: Some(Applicability::Safe),
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    if let Some(blank) = blank(skill) {
        let finding = report.at(
            skill.path(),
            blank,
            Wording::new(
                "the first line must be `---`; delete the white space before it",
                "第一行必须是 `---`；请删除它前面的空白",
            ),
        );
        finding.replace(Wording::new("Delete the white space", "删除空白"), blank, "");
    }
}

/// The white space before frontmatter that is otherwise whole.
pub(super) fn blank(skill: &Subject<'_>) -> Option<Span> {
    let text = skill.text();
    let blank = text.len() - text.trim_start().len();
    let whole = blank > 0 && matches!(split(&text[blank..]), Split::Closed(_));
    whole.then(|| Span::new(0, blank))
}
