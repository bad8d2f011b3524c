use std::sync::LazyLock;

use regex::Regex;

use crate::pattern::{Match, Pattern, Patterns, Scope};
use crate::{Check, Example, Group, Rule};
use skill::Severity;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "generic-pointer",
    group: Group::Budget,
    severity: Severity::Info,
    on: false,
    title: Wording::new("Pointer does not say when to follow it", "引用未说明何时阅读"),
    what: Wording::new(
        "A sentence such as `See references/ for details` or `详见 references/api.md` that names a file or a \
         folder but not what it is needed for.",
        "形如 `See references/ for details` 或 `详见 references/api.md` 的句子，只给出文件或文件夹，\
         没有说明什么时候需要。",
    ),
    why: Wording::new(
        "An agent follows all such pointers, which costs tokens, or none, and works without what it needs.",
        "智能体要么全部去读，浪费 token；要么都不读，缺少需要的内容。",
    ),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Do it.

See references/api.md for details.
",
        ),
        (
            "references/api.md",
            r"# API

It has one call.
",
        ),
    ]),
    good: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Do it.

If the call fails, see references/api.md for its errors.
",
        ),
        (
            "references/api.md",
            r"# API

It has one call.
",
        ),
    ]),
    hides: &[],
    marks: &[],
    source: "skill creation: best practices; agnix",
    fix: None,
    check: Check::Pattern(Patterns {
        scope: Scope::Body,
        patterns: &[
            Pattern {
                expression: r"(?im)(?:^|[.!]\s+)\W*(?:please\s+)?(?:see|refer\s+to|check|consult|look\s+(?:in|at|into)|read)\s+(?:the\s+)?(?:files?\s+in\s+)?(?:the\s+)?`?(?:\./)?(?:references?|docs|resources)(?:/`?|`?\s+(?:folder|directory|files?))(?:\s+(?:folder|directory))?(?:\s+for\s+(?:more|further|additional)?\s*(?:details?|information|info|help|guidance|documentation))?\s*(?:\.|$)",
                lines: 0,
                message: Wording::new(
                    "`{}` does not say when; name a file and what it is needed for",
                    "`{}` 没有说明何时阅读；写出具体文件，以及什么时候需要它",
                ),
            },
            Pattern {
                expression: r"(?im)(?:^|[.!]\s+)\W*(?:please\s+)?(?:for\s+(?:more|further|additional)\s+(?:details?|information|info),?\s+)?(?:see|refer\s+to|check|consult)\s+(?:also\s+)?(?:\[[^\]\n]*\]\([^)\s]+\.md\)|[`*]*[\w./-]+\.md[`*]*)(?:\s+for\s+(?:more|further|additional)?\s*(?:details?|information|info|documentation))?\s*(?:\.\s*$|\.\s+[A-Z]|$)",
                lines: 0,
                message: Wording::new(
                    "`{}` does not say when; say what the file is needed for",
                    "`{}` 没有说明何时阅读；写明什么时候需要这个文件",
                ),
            },
            Pattern {
                expression: r"(?m)(?:^|[。；])\s*(?:[-*]\s*)?(?:更多(?:信息|细节|内容)?)?请?(?:详见|参见|参阅|参考)\s*(?:\[[^\]\n]*\]\([^)\s]+\.md\)|[`*]*[\w./-]+(?:\.md|/)[`*]*)\s*(?:。|$)",
                lines: 0,
                message: Wording::new(
                    "`{}` does not say when; say what the file is needed for",
                    "`{}` 没有说明何时阅读；写明什么时候需要这个文件",
                ),
            },
        ],
        unless: Some(is_conditional),
        milder: None,
    }),
};

/// A row of a table or an item of a list has its condition next to it, a section's only sentence above it.
fn is_conditional(matched: &Match<'_>) -> bool {
    let line = matched.line.to_lowercase();
    let condition = ["if ", "when ", "如果", "当"].iter().any(|word| line.contains(word));
    matched.in_code || condition || line.trim_start().starts_with('|') || is_below_topic(matched)
}

fn is_below_topic(matched: &Match<'_>) -> bool {
    let above = matched.before.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
    above.starts_with('#') && !GENERAL.is_match(above)
}

/// A heading that only says that there is more.
static GENERAL: LazyLock<Regex> = LazyLock::new(|| {
    let words = "references?|resources?|more|details?|information|documentation|docs|reading|additional|further|see|also|\
                 links?|files?|appendix|help|support|overview";
    Regex::new(&format!(r"(?i)(?-u:\b)(?:{words})(?-u:\b)|参考|更多|资料|文档|附录|其他")).expect("a test compiles it")
});
