use crate::analysis::tags::TagFault;
use crate::{Applicability, Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "tag-mismatched",
    group: Group::Instructions,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Section tag is closed by another", "分段标签首尾不匹配"),
    what: Wording::new(
        "A closing tag of a section that was not opened, while another section is open that is never \
           closed.",
        "分段的闭合标签没有对应的开始标签，而另一个分段已经开始，却一直没有闭合。",
    ),
    why: Wording::new(
        "The model sees two sections where one was meant, and does not know what belongs to which.",
        "模型看到的是两个分段而不是一个，不知道内容属于哪个。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
<rules>

Be brief.

</rule>
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
    source: "Anthropic, Prompt engineering with XML tags; agnix XML-002",
    fix: Some(Applicability::Unsafe),
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for fault in skill.tag_faults() {
        if let TagFault::Mismatched(open) = &fault.kind {
            let message = message!(
                "`</{}>` closes nothing, and `<{open}>` is open; write `</{open}>`",
                "`</{}>` 没有对应的开始标签，而 `<{open}>` 尚未闭合；改为 `</{open}>`",
                fault.tag
            );
            let finding = report.at(&fault.path, fault.span, message);
            finding.replace(message!("Write </{open}>", "改为 </{open}>"), fault.span, format!("</{open}>"));
        }
    }
}
