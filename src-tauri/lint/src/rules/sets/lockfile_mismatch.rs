use std::collections::BTreeSet;

use serde_json::Value;

use super::json_file;
use crate::{Check, Example, Group, Report, Rule, SubjectSet};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "lockfile-mismatch",
    group: Group::Sets,
    severity: Severity::Warning,
    on: false,
    title: Wording::new("Lock file does not fit the skills", "锁定文件与技能不符"),
    what: Wording::new(
        "A `skills-lock.json` that is not JSON, has no `skills`, or names a skill that is in none of the open \
         folders.",
        "`skills-lock.json` 不是 JSON、没有 `skills`，或写了一个打开的文件夹中都没有的技能。",
    ),
    why: Wording::new(
        "People who install from it do not get the skills that are here.",
        "按它安装的人得不到这里的技能。",
    ),
    bad: Example {
        folder: "demo",
        files: &[
            (
                "SKILL.md",
                r"---
name: demo
description: Use when asked for a demo.
---
Do it.
",
            ),
            (
                "/skills-lock.json",
                r#"{"version": 1, "skills": {"tour": {"source": "me/skills"}}}
"#,
            ),
        ],
    },
    good: Example {
        folder: "demo",
        files: &[
            (
                "SKILL.md",
                r"---
name: demo
description: Use when asked for a demo.
---
Do it.
",
            ),
            (
                "/skills-lock.json",
                r#"{"version": 1, "skills": {"demo": {"source": "me/skills"}}}
"#,
            ),
        ],
    },
    hides: &[],
    marks: &[],
    source: "skills (npm); skillsaw",
    fix: None,
    check: Check::Set(check),
};

fn check(set: &SubjectSet<'_>, report: &mut Report<'_>) {
    let names: BTreeSet<&str> =
        set.skills.iter().flat_map(|skill| [skill.name(), skill.path.file_name().unwrap_or_default()]).collect();
    let mut files = Vec::new();
    set.set.roots.iter().for_each(|root| json_file::named(&root.tree, "skills-lock.json", &mut files));
    for (_, file) in files {
        let Some((text, value)) = json_file::read(set, file, report) else { continue };
        let Some(locked) = value.get("skills").and_then(Value::as_object) else {
            report.about(
                &file.path,
                Wording::new(
                    "the lock file has no map `skills`; generate it again",
                    "锁定文件中没有键值对 `skills`；请重新生成",
                ),
            );
            continue;
        };
        for name in locked.keys().filter(|name| !names.contains(name.as_str())) {
            let message = message!(
                "`{name}` is locked but missing; install it or take it out",
                "锁定的 `{name}` 不存在；请安装它，或从文件中移除"
            );
            report.at(&file.path, json_file::place(&text, name), message);
        }
    }
}
