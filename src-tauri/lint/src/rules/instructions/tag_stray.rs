use crate::analysis::tags::Kind;
use crate::{Applicability, Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::wording::Wording;

pub static RULE: Rule = Rule {
    id: "tag-stray",
    group: Group::Instructions,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Section tag that closes nothing", "多余的闭合标签"),
    what: Wording::new(
        "A closing tag of a section at the end of a line, with no opening tag before it and no other section \
           open.",
        "",
    ),
    why: Wording::new("The opening tag was lost, and with it the place where the section begins.", ""),
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
    source: "Anthropic, Prompt engineering with XML tags; agnix XML-003",
    fix: Some(Applicability::Unsafe),
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for fault in skill.tag_faults().iter().filter(|fault| fault.kind == Kind::Stray) {
        let tag = &fault.tag;
        let message = format!("`</{tag}>` closes nothing; write `<{tag}>` where the section begins, or delete it");
        report.at(&fault.path, fault.span, message).replace("Delete it", fault.span, "");
    }
}
