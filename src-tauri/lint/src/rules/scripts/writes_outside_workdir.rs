use std::collections::HashSet;

use super::MOST;
use crate::code::Document;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::wording::Wording;

pub static RULE: Rule = Rule {
    id: "writes-outside-workdir",
    group: Group::Scripts,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Script writes outside of the working folder", "脚本写入工作目录之外"),
    what: Wording::new(
        "A script that writes, moves or deletes at a fixed path outside of the folder it is run in: below `/` or `~`, but not in `/tmp` or `/dev`. Paths that a text of the skill names are let pass.",
        "",
    ),
    why: Wording::new("Sandboxes refuse it; elsewhere it leaves things behind that nobody asked for.", ""),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Run `python3 scripts/save.py`.
",
        ),
        (
            "scripts/save.py",
            r#"from pathlib import Path

(Path.home() / "result.txt").write_text("done")
"#,
        ),
    ]),
    good: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Run `python3 scripts/save.py`.
",
        ),
        (
            "scripts/save.py",
            r#"from pathlib import Path

Path("result.txt").write_text("done")
"#,
        ),
    ]),
    hides: &[],
    source: "agentskills.io, using scripts: safe defaults",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let code = skill.code();
    let mut said = HashSet::new();
    for script in &code.scripts {
        for write in &script.facts.writes {
            if said.len() >= MOST || !said.insert(&write.name) {
                continue;
            }
            let is_said = |document: &Document<'_>| document.text().contains(&write.name);
            if write.name.len() > 2 && code.documents.iter().any(is_said) {
                continue;
            }
            let place = &write.name;
            let message =
                format!("this writes to `{place}`, outside of the working folder; take the place as an argument");
            report.at(&script.file.path, write.span, message);
        }
    }
}
