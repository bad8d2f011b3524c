use crate::texts::is_for_people;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::wording::Wording;

pub static RULE: Rule = Rule {
    id: "auxiliary-document",
    group: Group::Links,
    severity: Severity::Info,
    on: true,
    title: Wording::new("Document for people in the skill", "包含面向人的辅助文档"),
    what: Wording::new(
        "A README, change log, installation guide or the like beside `SKILL.md` that `SKILL.md` does not \
           mention.",
        "",
    ),
    why: Wording::new("The agent that uses the skill has no use for it, and may read it all the same.", ""),
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
    source: "Codex documentation, what not to include in a skill; agnix CX-SK-007",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for file in &skill.skill.files {
        let beside = !file.name.contains('/') && !skill.is_manifest(file);
        if beside && is_for_people(&file.name) && !skill.text().contains(&file.name) {
            let message =
                format!("`{}` is for people; keep it out of the skill, or say in `SKILL.md` what for", file.name);
            report.about(&file.path, message);
        }
    }
}
