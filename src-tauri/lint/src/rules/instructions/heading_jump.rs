use crate::texts::for_each_page;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "heading-jump",
    group: Group::Instructions,
    severity: Severity::Info,
    on: false,
    title: Wording::new("Heading skips a level", "标题跳级"),
    what: Wording::new(
        "A heading two or more levels below the one before it, e.g. `###` after `#`.",
        "比前一个标题低两级以上的标题，例如 `#` 之后是 `###`。",
    ),
    why: Wording::new(
        "Outlines and tools that cut a text by headings put the section in the wrong place.",
        "大纲以及按标题切分文本的工具会把该章节放错位置。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
# A

### B

Do it.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
# A

## B

### C

Do it.

# D
",
    )]),
    hides: &[],
    marks: &[],
    source: "W3C, headings; Markdown linters",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for_each_page(skill, |page| {
        let pairs = page.markdown.headings.windows(2).filter(|pair| pair[1].level > pair[0].level + 1);
        for pair in pairs.take(MOST) {
            let (before, heading) = (&pair[0], &pair[1]);
            let wanted = "#".repeat(usize::from(before.level) + 1);
            let message = message!(
                "`{}` is a heading of level {} right below one of level {}; write `{wanted}`",
                "`{}` 是 {} 级标题，前一个却是 {} 级标题；改为 `{wanted}`",
                heading.text,
                heading.level,
                before.level
            );
            report.at(page.path, heading.span.trim(page.text), message);
        }
    });
}

const MOST: usize = 20;
