use crate::analysis::tags::TagFault;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "tag-unclosed",
    group: Group::Instructions,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Section tag is not closed", "分段标签未闭合"),
    what: Wording::new(
        "A tag on a line of its own that marks a section, such as `<instructions>`, with no `</instructions>` \
         after it. HTML, placeholders such as `<file>` in a line, types such as `Vec<T>`, and code are left \
         alone.",
        "独占一行、标记分段的标签（如 `<instructions>`）之后没有 `</instructions>`。HTML、\
         行内的 `<file>` 之类的占位符、`Vec<T>` 之类的类型和代码不检查。",
    ),
    why: Wording::new(
        "The model cannot tell where the section ends; what follows is taken for a part of it.",
        "模型看不出分段在哪里结束，会把后面的内容当成它的一部分。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
<rules>

Be brief.
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

Replace <name> in Vec<string>.
",
    )]),
    hides: &[],
    marks: &[],
    source: "Anthropic, Prompt engineering with XML tags; agnix XML-001",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for fault in skill.tag_faults().iter().filter(|fault| fault.kind == TagFault::Unclosed) {
        let tag = &fault.tag;
        let message = message!(
            "`<{tag}>` is not closed; write `</{tag}>` where the section ends",
            "`<{tag}>` 没有闭合；在分段结尾写 `</{tag}>`"
        );
        report.at(&fault.path, fault.span, message);
    }
}
