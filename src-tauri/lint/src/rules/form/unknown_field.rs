use super::known_fields::{ABOUT_THE_SKILL, is_known, meant};
use crate::analysis::client;
use crate::{Applicability, Check, Example, Group, Report, Rule, Subject};
use skill::{Field, Severity, YamlValue};
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "unknown-field",
    group: Group::Form,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Misspelt field", "字段拼写有误"),
    what: Wording::new(
        "A field of the frontmatter that neither the specification nor any client we know of defines, and that is nearly \
           one of theirs. Fields that begin with `x-` or `_` are left alone; others that nobody defines are \
           `field-belongs-in-metadata`.",
        "规范和我们所知的任何客户端都没有定义、却与其中某个字段相近的前置元数据字段。以 `x-` 或 `_` 开头的字段不检查；\
         其他没有人定义的字段由 `field-belongs-in-metadata` 报告。",
    ),
    why: Wording::new(
        "Nobody reads it: a mistyped `descripton` is a skill without a description. skills-ref and quick_validate refuse \
          the skill.",
        "没有人读取它：把 `description` 误写成 `descripton`，技能就没有描述了。skills-ref 和 quick_validate \
         会拒绝该技能。",
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
    marks: &[],
    source: "skills-ref; quick_validate; documentation of the clients",
    fix: Some(Applicability::Unsafe),
    check: Check::Skill(check),
};

/// Findings in one skill; a file with more is of another kind.
const MOST: usize = 20;
/// Fields that take lists or maps.
const LISTS: [&str; 6] = ["allowed-tools", "disallowed-tools", "arguments", "hooks", "metadata", "paths"];

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(frontmatter) = &skill.manifest().frontmatter else { return };
    for field in frontmatter.fields.iter().filter(|field| !is_known(&field.key)).take(MOST) {
        let key = &field.key;
        // A list does not mean a known field that takes a text.
        let fits = |known: &&str| {
            (matches!(field.value, YamlValue::Scalar { .. }) || LISTS.contains(known))
                && (*known != "allowed-tools" || names_tools(field))
                // No program reads fields that describe the skill, under either name.
                && !(ABOUT_THE_SKILL.contains(known) && known.eq_ignore_ascii_case(key))
                && (*known != "requires" || !matches!(field.value.as_str(), Some("true" | "false")))
        };
        match meant(key).filter(fits) {
            Some(known) if skill.field(known).is_some() => {
                let message = message!(
                    "nobody reads `{key}`, and `{known}` is there as well; delete one of them",
                    "没有人读取 `{key}`，而且 `{known}` 已经存在；请删除其中一个"
                );
                let finding = report.at(skill.path(), field.key_span, message);
                // A different word, not a misspelling.
                if !is_misspelt(key, known) {
                    finding.weigh_less(Wording::new("a program of your own may read it", "可能有你自己的程序读取它"));
                }
            }
            Some(known) => {
                let message = message!(
                    "nobody reads `{key}`; did you mean `{known}`?",
                    "没有人读取 `{key}`；是否应为 `{known}`？"
                );
                let finding = report.at(skill.path(), field.key_span, message);
                finding.replace(message!("Write {known}", "改为 {known}"), field.key_span, known);
            }
            // Its author's own: `field-belongs-in-metadata`.
            None => {}
        }
    }
}

/// `tools: [check.py, count.py]` names files, and nothing that an agent may be allowed.
fn names_tools(field: &Field) -> bool {
    client::tools(field).iter().any(|tool| {
        let name = tool.split('(').next().unwrap_or_default();
        !name.is_empty() && !name.contains(['.', '/', '[', ']'])
    })
}

/// Written with other letters between its words, or in another case: `allowedTools`, `allowed_tools`.
fn is_misspelt(key: &str, known: &str) -> bool {
    let letters =
        |text: &str| text.chars().filter(|letter| letter.is_alphanumeric()).collect::<String>().to_lowercase();
    let (key, known) = (letters(key), letters(known));
    key == known || key.strip_suffix('s') == Some(&known) || known.strip_suffix('s') == Some(&key)
}
