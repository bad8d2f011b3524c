use crate::analysis::figures::{grouped, lines};
use crate::rules::example::{filled, text};
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::source::Span;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "code-block-lines",
    group: Group::Budget,
    severity: Severity::Info,
    on: false,
    title: Wording::new("Code block is long", "代码块过长"),
    what: Wording::new("A code block in `SKILL.md` of more than 80 lines.", "`SKILL.md` 中超过 80 行的代码块。"),
    why: Wording::new(
        "It is read each time, and a model that copies it makes mistakes. As a file in `scripts/` it is run and costs \
          nothing; as one in `assets/` it is copied whole.",
        "每次都要读取，模型抄写时还会出错。放进 `scripts/` 可以直接运行，不占 token；放进 `assets/` 可以整份复制。",
    ),
    bad: Example::skill(&[("SKILL.md", LONG)]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
```python
print(1)
```
",
    )]),
    hides: &[],
    marks: &[],
    source: "claude-code-lint; using scripts",
    fix: None,
    check: Check::Skill(check),
};

static BYTES: [u8; 1000] =
    filled("---\nname: demo\ndescription: Use when asked for a demo.\n---\n```python\n", "print(1)\n", "```\n");
const LONG: &str = text(&BYTES);

const LIMIT: u64 = 80;
/// Findings in one skill.
const MOST: usize = 20;

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let blocks = skill.markdown().fences.iter().map(|fence| (fence, lines(&fence.code)));
    for (fence, lines) in blocks.filter(|(_, lines)| *lines > LIMIT).take(MOST) {
        let first = fence.span.of(skill.text()).lines().next().unwrap_or_default().len();
        let message = message!(
            "the code block has {} lines; make it a file in `scripts/` or `assets/`",
            "代码块有 {} 行；把它做成 `scripts/` 或 `assets/` 中的文件",
            grouped(lines)
        );
        report.at(skill.path(), Span::new(fence.span.start, fence.span.start + first), message);
    }
}
