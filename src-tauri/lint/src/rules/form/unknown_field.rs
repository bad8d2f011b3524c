use super::known_fields::{is_known, meant};
use crate::{Applicability, Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::wording::Wording;

pub static RULE: Rule = Rule {
    id: "unknown-field",
    group: Group::Form,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Unknown field", "未知字段"),
    what: Wording::new(
        "A field of the frontmatter that neither the specification nor any client we know of defines, often a typing \
           mistake. Fields that begin with `x-` or `_` are left alone.",
        "",
    ),
    why: Wording::new(
        "Nobody reads it: a mistyped `descripton` is a skill without a description. skills-ref and quick_validate refuse \
          the skill.",
        "",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
lisense: MIT
---
Do it.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
license: MIT
context: fork_with_context
agent: critic
---
Do it.
",
    )]),
    hides: &[],
    source: "skills-ref; quick_validate; documentation of the clients",
    fix: Some(Applicability::Unsafe),
    check: Check::Skill(check),
};

/// Findings in one skill; a file with more is of another kind.
const MOST: usize = 20;

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(frontmatter) = &skill.manifest().frontmatter else { return };
    for field in frontmatter.fields.iter().filter(|field| !is_known(&field.key)).take(MOST) {
        let key = &field.key;
        match meant(key) {
            Some(known) if skill.field(known).is_some() => {
                let message = format!("nobody reads `{key}`, and `{known}` is there as well; delete one of them");
                report.at(skill.path(), field.key_span, message);
            }
            Some(known) => {
                let finding =
                    report.at(skill.path(), field.key_span, format!("nobody reads `{key}`; did you mean `{known}`?"));
                finding.replace(format!("Write {known}"), field.key_span, known);
            }
            None => {
                let message = format!("no client we know of reads `{key}`; delete it, or put it in `metadata`");
                report.at(skill.path(), field.key_span, message);
            }
        }
    }
}
