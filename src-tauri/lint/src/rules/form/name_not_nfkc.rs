use unicode_normalization::{UnicodeNormalization, is_nfkc};

use super::name_non_ascii;
use crate::rules::clients::loader_would_skip;
use crate::{Applicability, Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "name-not-nfkc",
    group: Group::Form,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Name is not in normal form", "名称不是规范化形式"),
    what: Wording::new(
        "A `name` or a folder's name with characters that Unicode writes in another way in its normal form NFKC: full-width \
           letters, ligatures, letters with separate accents.",
        "`name` 或文件夹名中的某些字符在 Unicode 规范化形式 NFKC 中写法不同：全角字母、连字、\
         与重音符号分开书写的字母。",
    ),
    why: Wording::new(
        "skills-ref compares the normal forms, other frameworks the bytes: for some the name and the folder are \
         equal and for some they are not. macOS stores accents separately.",
        "skills-ref 比较规范化形式，其他框架比较字节：名称与文件夹名在有的框架看来一致，在有的看来不一致。macOS \
         会把重音符号分开存储。",
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
    marks: &[],
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
            let message = message!(
                "`{name}` is not in normal form (NFKC); write `{normal}`, and rename the folder too",
                "`{name}` 不是规范化形式（NFKC）；请写 `{normal}`，并把文件夹也改名"
            );
            let finding = report.at(skill.path(), field.value_span, message);
            let title = message!("Write the name as {normal}", "名称改为 {normal}");
            finding.replace(title, field.value_span, normal);
            return;
        }
    }
    let folder = skill.skill.path.file_name().unwrap_or_default();
    if !is_nfkc(folder) {
        let normal: String = folder.nfkc().collect();
        report.about(
            &skill.skill.path,
            message!(
                "the folder's name `{folder}` is not in normal form (NFKC); rename it to `{normal}`",
                "文件夹名 `{folder}` 不是规范化形式（NFKC）；请改名为 `{normal}`"
            ),
        );
    }
}
