use std::collections::HashSet;

use super::MOST;
use crate::code::Document;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "writes-outside-workdir",
    group: Group::Scripts,
    severity: Severity::Warning,
    on: false,
    title: Wording::new("Script writes outside of the working folder", "脚本写入工作目录之外"),
    what: Wording::new(
        "A script that writes, moves or deletes at a fixed path outside of the folder it is run in: below `/` or `~`, but not in `/tmp` or `/dev`. Paths that a text of the skill names are not reported.",
        "脚本在工作目录之外的固定路径上写入、移动或删除文件：位于 `/` 或 `~` 之下，`/tmp` 和 `/dev` 除外。技能的文本提到过的路径不报告。",
    ),
    why: Wording::new(
        "Sandboxes refuse it; elsewhere it leaves things behind that nobody asked for.",
        "沙箱会拒绝；在其他环境里，会留下没人要求的东西。",
    ),
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
    marks: &[],
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
            let message = message!(
                "this writes to `{place}`, outside of the working folder; take the place as an argument",
                "这里会写入工作目录之外的 `{place}`，请改为通过参数传入位置"
            );
            report.at(&script.file.path, write.span, message);
        }
    }
}
