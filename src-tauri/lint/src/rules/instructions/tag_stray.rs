use crate::analysis::tags::TagFault;
use crate::{Applicability, Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "tag-stray",
    group: Group::Instructions,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Section tag that closes nothing", "多余的闭合标签"),
    what: Wording::new(
        "A closing tag of a section at the end of a line, with no opening tag before it and no other section \
           open.",
        "行尾的分段闭合标签，前面没有开始标签，也没有其他尚未闭合的分段。",
    ),
    why: Wording::new(
        "The opening tag was lost, and with it the place where the section begins.",
        "开始标签丢失了，也就看不出分段从哪里开始。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Be brief.

</rules>
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
<rules>

Be brief.

</rules>
",
    )]),
    hides: &[],
    marks: &[],
    source: "Anthropic, Prompt engineering with XML tags; agnix XML-003",
    fix: Some(Applicability::Unsafe),
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for fault in skill.tag_faults().iter().filter(|fault| fault.kind == TagFault::Stray) {
        let tag = &fault.tag;
        let message = message!(
            "`</{tag}>` closes nothing; write `<{tag}>` where the section begins, or delete it",
            "`</{tag}>` 没有对应的开始标签；在分段开头写 `<{tag}>`，或删除它"
        );
        report.at(&fault.path, fault.span, message).replace(Wording::new("Delete it", "删除它"), fault.span, "");
    }
}
