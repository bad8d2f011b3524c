use crate::analysis::page;
use crate::rules::budget::code_block_lines;
use crate::rules::scripts::fence_does_not_parse;
use crate::texts::for_each_page;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::source::Span;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "fence-unclosed",
    group: Group::Instructions,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Code block is not closed", "代码块未闭合"),
    what: Wording::new(
        "A fence of backticks or tildes that is opened and not closed, so that it reaches to the end of the \
           text or of its list item. In a page it is a hint.",
        "用反引号或波浪号开始却没有结束的代码块，一直延伸到文本或列表项的末尾。在参考页面中只作提示。",
    ),
    why: Wording::new(
        "Everything after it is code to the agent and to readers: instructions become a sample.",
        "在智能体和读者看来，它之后的全部内容都是代码：指令变成了示例。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Run this:

```bash
make

Then hand it over.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Run this:

```bash
make
```

Then hand it over.
",
    )]),
    hides: &[&code_block_lines::RULE, &fence_does_not_parse::RULE],
    marks: &[],
    source: "CommonMark; skillsaw",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for_each_page(skill, |text| {
        for fence in
            text.markdown.fences.iter().filter(|fence| !fence.closed && !fence.code.trim().is_empty()).take(MOST)
        {
            let opening = fence.span.of(text.text).lines().next().unwrap_or_default().trim_end();
            let span = Span::new(fence.span.start, fence.span.start + opening.len());
            let lines = fence.code.lines().count();
            // It was meant to close another one.
            let closes = text.markdown.nested.iter().any(|outer| outer.end > span.start && span.end <= outer.end);
            let mut message = if closes {
                message!(
                    "`{opening}` opens a block that is never closed, so the {lines} lines after it are code: an inner fence \
                     closed the outer one; write the outer one with four backticks",
                    "`{opening}` 打开了一个没有闭合的代码块，之后的 {lines} 行都成了代码：内层围栏闭合了外层围栏；外层请用四个反引号"
                )
            } else {
                message!(
                    "`{opening}` is not closed: {lines} lines after it are code; close it where the code ends",
                    "`{opening}` 没有闭合：之后的 {lines} 行都成了代码；在代码结束处闭合"
                )
            };
            message.each(|said| *said = said.replace("````", "```"));
            page::weigh(report.at(text.path, span, message), skill.path());
        }
    });
}

const MOST: usize = 20;
