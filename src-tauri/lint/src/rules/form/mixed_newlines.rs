use crate::{Check, Example, Group, Rule};
use skill::{ProblemKind, Severity};
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "mixed-newlines",
    group: Group::Form,
    severity: Severity::Info,
    on: true,
    title: Wording::new("Lines end in two ways", "行尾格式混用"),
    what: Wording::new("A `SKILL.md` with both LF and CRLF line endings.", "同时使用 LF 和 CRLF 换行的 `SKILL.md`。"),
    why: Wording::new(
        "Diffs grow, and parsers that look for a line `---` may miss it.",
        "差异对比会变大，查找 `---` 行的解析器也可能漏掉它。",
    ),
    bad: Example::skill(&[("SKILL.md", "---\nname: demo\ndescription: Use when asked for a demo.\r\n---\nDo it.\n")]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Do it.
",
    )]),
    hides: &[],
    marks: &[],
    source: "frameworks' parsers",
    fix: None,
    check: Check::Load(|problem| matches!(&problem.kind, ProblemKind::MixedNewlines)),
};
