use crate::pattern::{Match, Pattern, Patterns, Scope};
use crate::{Check, Example, Group, Rule};
use skill::Severity;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "endless-repeat",
    group: Group::Instructions,
    severity: Severity::Info,
    on: false,
    title: Wording::new("Repeats without an end", "循环没有停止条件"),
    what: Wording::new(
        "`keep trying`, `repeat these steps`, 不断重试 and the like, with no word on when to stop in the line, \
           the one before or the one after.",
        "`keep trying`、`repeat these steps`、不断重试等说法，而本行及前后各一行都没有说明何时停止。",
    ),
    why: Wording::new(
        "An agent that follows it burns tokens until somebody stops it.",
        "照做的智能体会一直消耗 token，直到有人让它停下。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
If the test fails, keep trying.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
If the test fails, keep trying, at most 3 times.
",
    )]),
    hides: &[],
    marks: &[],
    source: "skillsaw, missing stop condition",
    fix: None,
    check: Check::Pattern(Patterns {
        scope: Scope::Instructions,
        patterns: &[
            Pattern {
                expression: r#"(?i)\b(?:keep (?:re)?trying|keep iterating|keep polling|repeat (?:the process|this process|this step|this|these steps|the steps|steps [0-9]+))\b"#,
                lines: 1,
                message: Wording::new(
                    "`{}` has no end; say when to stop, e.g. after 3 times",
                    "`{}` 没有尽头；说明何时停止，例如 3 次之后",
                ),
            },
            Pattern {
                expression: r#"不断重试|反复尝试|一直重试|不断尝试|重复上述步骤|重复以上步骤"#,
                lines: 1,
                message: Wording::new(
                    "`{}` has no end; say when to stop, e.g. after 3 times",
                    "`{}` 没有尽头；说明何时停止，例如 3 次之后",
                ),
            },
        ],
        unless: Some(has_end),
        milder: None,
    }),
};

fn has_end(found: &Match<'_>) -> bool {
    let text = found.line.to_lowercase();
    found.in_code || ENDS.iter().any(|word| text.contains(word))
}

const ENDS: [&str; 35] = [
    "until",
    "till ",
    "once",
    "with the other",
    "with the next",
    "times",
    "twice",
    "at most",
    "max",
    "up to",
    "limit",
    "stop",
    "while ",
    "for each",
    "for every",
    "for all",
    "for the ",
    "for any",
    "unless",
    "no more than",
    "as long as",
    "as often",
    "seconds",
    "minutes",
    "attempt",
    "each ",
    "every ",
    "do not ",
    "don't ",
    "never ",
    "直到",
    "最多",
    "为止",
    "停止",
    "每",
];
