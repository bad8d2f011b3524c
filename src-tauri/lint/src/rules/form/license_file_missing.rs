use std::sync::LazyLock;

use regex::Regex;

use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "license-file-missing",
    group: Group::Form,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("License file is not there", "许可证文件不存在"),
    what: Wording::new(
        "A `license` that names a file, such as `LICENSE.txt`, which lies neither in the skill's folder nor in one above.",
        "`license` 写的是文件名，例如 `LICENSE.txt`，但技能的文件夹及其上级文件夹中都没有这个文件。",
    ),
    why: Wording::new(
        "People who get the skill do not get the terms it is under, and may not be allowed to use it.",
        "拿到技能的人看不到许可条款，也可能因此不能使用它。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
license: Complete terms in LICENSE.txt
---
Do it.
",
    )]),
    good: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
license: Complete terms in LICENSE.txt
---
Do it.
",
        ),
        ("LICENSE.txt", "Do what you like.\n"),
    ]),
    hides: &[],
    marks: &[],
    source: "agentskills.io specification",
    fix: None,
    check: Check::Skill(check),
};

/// How many folders above the skill's are searched: a repository has one license for all of its skills.
const LEVELS: usize = 5;
/// Longer values hold a license, not a name.
const LENGTH_LIMIT: usize = 1000;

/// Capitals, since `MIT License` names no file.
static FILE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?:^|[\s(`'\x22])((?:[\w.-]+/)*(?:LICEN[SC]E|COPYING|NOTICE)(?:[-.]\w+)*)(?:$|[\s)`'\x22.,;])")
        .expect("the expression is written out here")
});

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(field) = skill.field("license") else { return };
    let license = field.value.as_str().filter(|text| text.len() <= LENGTH_LIMIT).unwrap_or_default();
    let Some(name) = FILE.captures(license).and_then(|found| found.get(1)) else { return };
    let mut folders = skill.skill.path.ancestors().take(1 + LEVELS);
    if !folders.any(|folder| skill.disk().exists(&folder.join(name.as_str()))) {
        let message = message!(
            "there is no `{}` in the skill's folder; add it or name the license itself",
            "技能的文件夹中没有 `{}`；请添加该文件，或直接写明许可证",
            name.as_str()
        );
        report.at(skill.path(), field.value_span, message);
    }
}
