use crate::rules::clients::loader_would_skip;
use crate::{Check, Example, Group, Rule};
use skill::{ProblemKind, Severity};
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "file-not-utf8",
    group: Group::Form,
    severity: Severity::Error,
    on: true,
    title: Wording::new("Not UTF-8", "不是 UTF-8 编码"),
    what: Wording::new("A `SKILL.md` with bytes that are not UTF-8.", "含有非 UTF-8 字节的 `SKILL.md`。"),
    why: Wording::new(
        "Frameworks that read the file strictly load no skill; the others give a model replacement characters.",
        "严格读取文件的框架不会加载该技能；其余的会把替换字符交给模型。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        "---\nname: demo\ndescription: Use when asked for a demo.\n---\nBoil at 100 \u{FFFD}C.\n",
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
    source: "agentskills.io specification; frameworks' loaders",
    fix: None,
    check: Check::Load(|problem| matches!(&problem.kind, ProblemKind::NotUtf8 { .. })),
};
