use crate::pattern::{Match, Pattern, Patterns, Scope};
use crate::{Check, Example, Group, Rule};
use skill::Severity;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "options-too-many",
    group: Group::Instructions,
    severity: Severity::Info,
    on: false,
    title: Wording::new("Menu without a default", "选项过多且无默认"),
    what: Wording::new(
        "An instruction to use one of four or more tools or ways, each written as \
           code, all alike (``use `a`, `b`, `c` or `d` ``), with no word on which to take when.",
        "让智能体从四个以上的工具或方式中选用一个的指令，各选项都写成代码、\
         不分主次（``use `a`, `b`, `c` or `d` ``），也没有说明何时用哪个。",
    ),
    why: Wording::new(
        "The agent picks another one each time; a default with an exception works better.",
        "智能体每次会选不同的；给出一个默认选项和例外情况，效果更好。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Use `pypdf`, `pdfplumber`, `pymupdf` or `pdf2image` to read it.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Use `pdfplumber`; for scans use `pdf2image` with `pytesseract`.
",
    )]),
    hides: &[],
    marks: &[],
    source: "agentskills.io, Best practices, defaults not menus",
    fix: None,
    check: Check::Pattern(Patterns {
        scope: Scope::Instructions,
        patterns: &[
            Pattern {
                expression: r#"(?i)\b(?:use|try|install|choose)\s+(?:either\s+|from\s+|between\s+)?`[^`\n]{1,40}`(?:\s*,\s*`[^`\n]{1,40}`){2,}\s*,?\s+or\s+`[^`\n]{1,40}`"#,
                lines: 0,
                message: Wording::new(
                    "`{}` are alike to the agent; name one as the default, and when to take another",
                    "`{}` 对智能体来说没有区别；指定一个默认选项，并说明何时用其他的",
                ),
            },
            Pattern {
                expression: r#"(?:使用|选用|采用)\s*`[^`\n]{1,40}`(?:\s*[、，,]\s*`[^`\n]{1,40}`){2,}\s*或\s*`[^`\n]{1,40}`"#,
                lines: 0,
                message: Wording::new(
                    "`{}` are alike to the agent; name one as the default, and when to take another",
                    "`{}` 对智能体来说没有区别；指定一个默认选项，并说明何时用其他的",
                ),
            },
        ],
        unless: Some(has_choice),
        milder: None,
    }),
};

fn has_choice(found: &Match<'_>) -> bool {
    let line = found.line.to_lowercase();
    ["default", "prefer", "depending", "according to", "whichever", " if ", " when ", "默认", "优先", "根据"]
        .iter()
        .any(|word| line.contains(word))
}
