use unicode_normalization::UnicodeNormalization;

use super::name_dir_mismatch;
use crate::rules::clients::{loader_sees_different_value, loader_would_skip};
use crate::{Applicability, Check, Example, Group, Report, Rule, Subject};
use skill::manifest::is_valid_name;
use skill::{ProblemKind, Severity};
use wording::message;
use wording::{Message, Wording};

pub static RULE: Rule = Rule {
    id: "name-chars",
    group: Group::Form,
    severity: Severity::Error,
    on: true,
    title: Wording::new("Name has a character that is not allowed", "名称含有不允许的字符"),
    what: Wording::new(
        "A `name` with anything but `a` to `z`, digits and single hyphens between them: capital letters, \
         underscores, spaces, hyphens at an end or next to each other. Letters of other scripts are reported by \
         `name-non-ascii`.",
        "`name` 含有 `a` 到 `z`、数字以及其间的单个连字符以外的内容：大写字母、下划线、空格、\
         首尾的连字符或相连的连字符。其他文字的字母由 `name-non-ascii` 报告。",
    ),
    why: Wording::new(
        "The specification does not allow it; validators and frameworks refuse the skill.",
        "规范不允许；验证器和框架会拒绝该技能。",
    ),
    bad: Example {
        folder: "My_Demo",
        files: &[(
            "SKILL.md",
            r"---
name: My_Demo
description: Use when asked for a demo.
---
Do it.
",
        )],
    },
    good: Example {
        folder: "my-demo",
        files: &[(
            "SKILL.md",
            r"---
name: my-demo
description: Use when asked for a demo.
---
Do it.
",
        )],
    },
    hides: &[&loader_would_skip::RULE, &loader_sees_different_value::RULE, &name_dir_mismatch::RULE],
    marks: &[],
    source: "agentskills.io specification; skills-ref",
    fix: Some(Applicability::Unsafe),
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    if !skill.skill.problems.iter().any(|problem| problem.kind == ProblemKind::NameInvalid) {
        return;
    }
    let Some(field) = skill.field("name") else { return };
    let name = field.value.as_str().unwrap_or_default();
    // How accents are put together and how wide letters are is another rule's matter.
    let normal: String = name.nfkc().collect();
    if is_unicode_name(&normal) || is_valid_name(&normal) {
        return;
    }
    let allowed = allowed(name);
    let Message { en, zh } = reason(name);
    let message = if !allowed.is_empty() {
        message!("`{name}` {en}; write `{allowed}`", "`{name}` {zh}；请写 `{allowed}`")
    } else {
        message!(
            "`{name}` {en}; use lower-case letters a–z, digits and hyphens",
            "`{name}` {zh}；请使用小写字母 a–z、数字和连字符"
        )
    };
    let finding = report.at(skill.path(), field.value_span, message);
    if is_valid_name(&allowed) {
        let title = message!("Write the name as {allowed}", "名称改为 {allowed}");
        finding.replace(title, field.value_span, allowed.clone());
    }
}

/// Whether a name that is not ASCII is one in the other reading of the specification: letters of any script in lower case.
pub(super) fn is_unicode_name(name: &str) -> bool {
    let fits = |letter: char| letter.is_alphanumeric() && letter.to_lowercase().eq([letter]);
    !name.is_ascii() && name.split('-').all(|part| !part.is_empty() && part.chars().all(fits))
}

fn reason(name: &str) -> Message {
    // Letters of any script are not the worst of it.
    let odd = |letter: &char| *letter != '-' && (!letter.is_alphanumeric() || letter.is_uppercase());
    let strange = |letter: &char| !letter.is_ascii_lowercase() && !letter.is_ascii_digit() && *letter != '-';
    match name.chars().find(odd).or_else(|| name.chars().find(strange)) {
        Some(letter) if letter.is_uppercase() => message!("has capital letters", "含有大写字母"),
        Some(' ') => message!("has a space", "含有空格"),
        Some(letter) => message!("has `{letter}`, which is not allowed", "含有不允许的 `{letter}`"),
        None if name.contains("--") => {
            message!("has two hyphens next to each other", "含有相连的连字符")
        }
        None => message!("begins or ends with a hyphen", "以连字符开头或结尾"),
    }
}

/// The nearest name that is allowed.
fn allowed(name: &str) -> String {
    let lower = name.to_lowercase();
    let words = lower.split(|letter: char| !letter.is_ascii_lowercase() && !letter.is_ascii_digit());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-")
}
