use crate::texts::is_for_people;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "auxiliary-document",
    group: Group::Links,
    severity: Severity::Info,
    on: false,
    title: Wording::new("Document for people in the skill", "包含面向人的辅助文档"),
    what: Wording::new(
        "A README, change log, installation guide or the like next to `SKILL.md` that `SKILL.md` does not \
         mention.",
        "与 `SKILL.md` 放在一起、但 `SKILL.md` 没有提到的 README、变更日志、安装指南等文档。",
    ),
    why: Wording::new(
        "The agent that uses the skill has no use for it, but may still read it.",
        "使用技能的智能体用不上它，却仍可能去读。",
    ),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Do it.
",
        ),
        ("CHANGELOG.md", "# 1.0\n"),
    ]),
    good: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Do it. What changed is in CHANGELOG.md.
",
        ),
        ("CHANGELOG.md", "# 1.0\n"),
    ]),
    hides: &[],
    marks: &[],
    source: "Codex documentation, what not to include in a skill; agnix CX-SK-007",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for file in &skill.skill.files {
        let beside = !file.name.contains('/') && !skill.is_manifest(file);
        if beside && is_for_people(&file.name) && !skill.text().contains(&file.name) {
            let message = message!(
                "`{}` is for people; keep it out of the skill, or say in `SKILL.md` what it is for",
                "`{}` 是给人看的；不要放进技能，或在 `SKILL.md` 中说明它的用途",
                file.name
            );
            report.about(&file.path, message);
        }
    }
}
