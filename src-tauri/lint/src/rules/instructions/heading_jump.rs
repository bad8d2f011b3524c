use crate::texts::for_each_page;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::wording::Wording;

pub static RULE: Rule = Rule {
    id: "heading-jump",
    group: Group::Instructions,
    severity: Severity::Info,
    on: true,
    title: Wording::new("Heading skips a level", "标题跳级"),
    what: Wording::new("A heading two or more levels below the one before it, e.g. `###` after `#`.", ""),
    why: Wording::new("Outlines and tools that cut a text by headings put the section in the wrong place.", ""),
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
            let message = format!(
                "`{}` is a heading of level {} right below one of level {}; write `{wanted}`",
                heading.text, heading.level, before.level
            );
            report.at(page.path, heading.span.trim(page.text), message);
        }
    });
}

const MOST: usize = 20;
