use std::collections::BTreeSet;

use serde_json::Value;

use super::json_file;
use crate::{Check, Example, Group, Report, Rule, SubjectSet};
use skill::Severity;
use skill::wording::Wording;

pub static RULE: Rule = Rule {
    id: "lockfile-mismatch",
    group: Group::Sets,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Lock file does not fit the skills", "锁定文件与技能不符"),
    what: Wording::new(
        "A `skills-lock.json` that is no JSON, has no `skills`, or names a skill that is in none of the open folders.",
        "",
    ),
    why: Wording::new("Whoever installs from it does not get the skills that are here.", ""),
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
            report.about(&file.path, "there is no map `skills` in the lock file; write it anew");
            continue;
        };
        for name in locked.keys().filter(|name| !names.contains(name.as_str())) {
            let message = format!("`{name}` is locked and not there; install it or take it out");
            report.at(&file.path, json_file::place(&text, name), message);
        }
    }
}
