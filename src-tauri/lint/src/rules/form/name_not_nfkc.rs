use unicode_normalization::{UnicodeNormalization, is_nfkc};

use super::name_non_ascii;
use crate::rules::clients::loader_would_skip;
use crate::{Applicability, Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::wording::Wording;

pub static RULE: Rule = Rule {
    id: "name-not-nfkc",
    group: Group::Form,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Name is not in normal form", "名称不是规范化形式"),
    what: Wording::new(
        "A `name` or a folder's name with characters that Unicode writes in another way in its normal form NFKC: full-width \
           letters, ligatures, letters with separate accents.",
        "",
    ),
    why: Wording::new(
        "skills-ref compares the normal forms, other frameworks the bytes: for some the name and the folder are equal and \
          for some they are not. macOS writes accents apart.",
        "",
    ),
    bad: Example {
        folder: "ｄｅｍｏ",
        files: &[(
            "SKILL.md",
            r"---
name: ｄｅｍｏ
description: Use when asked for a demo.
---
Do it.
",
        )],
    },
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Do it.
",
    )]),
    hides: &[&loader_would_skip::RULE, &name_non_ascii::RULE],
    source: "skills-ref",
    fix: Some(Applicability::Unsafe),
    check: Check::Skill(check),
};

/// Longer names are wrong for their length.
const LENGTH_LIMIT: usize = 1024;

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    if let Some(field) = skill.field("name") {
        let name = field.value.as_str().unwrap_or_default();
        if name.len() <= LENGTH_LIMIT && !is_nfkc(name) {
            let normal: String = name.nfkc().collect();
            let message =
                format!("`{name}` is not in normal form (NFKC); write `{normal}`, and rename the folder alike");
            let finding = report.at(skill.path(), field.value_span, message);
            finding.replace(format!("Write the name as {normal}"), field.value_span, normal);
            return;
        }
    }
    let folder = skill.skill.path.file_name().unwrap_or_default();
    if !is_nfkc(folder) {
        let normal: String = folder.nfkc().collect();
        report.about(
            &skill.skill.path,
            format!("the folder's name `{folder}` is not in normal form (NFKC); rename it to `{normal}`"),
        );
    }
}
