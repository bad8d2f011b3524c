use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::{Severity, SkillFile};
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "nested-skill",
    group: Group::Links,
    severity: Severity::Info,
    on: true,
    title: Wording::new("Skill inside a skill", "技能中嵌套技能"),
    what: Wording::new(
        "A `SKILL.md` in a folder below the skill's own, other than among templates, examples, assets, tests \
           and evaluations.",
        "技能文件夹的子文件夹中有 `SKILL.md`，模板、示例、素材、测试和评测中的除外。",
    ),
    why: Wording::new(
        "Some clients load it as a skill of its own, others never find it; and it is read as a file of the \
           outer one.",
        "有的客户端会把它当作独立的技能加载，有的永远找不到它；而且它会被当作外层技能的文件读取。",
    ),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Use inner/SKILL.md.
",
        ),
        (
            "inner/SKILL.md",
            r"---
name: inner
description: Use when asked for more.
---
Do it.
",
        ),
    ]),
    good: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Copy assets/new/SKILL.md.
",
        ),
        (
            "assets/new/SKILL.md",
            r"---
name: new
description: Use when asked for more.
---
Do it.
",
        ),
    ]),
    hides: &[],
    marks: &[],
    source: "skilllint AS009; agentskills.io, client implementation",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let is_nested = |file: &&SkillFile| {
        file.name.rsplit_once('/').is_some_and(|(folder, name)| {
            name.eq_ignore_ascii_case("SKILL.md") && !folder.split('/').any(|part| MATERIAL.contains(&part))
        })
    };
    let nested: Vec<&SkillFile> = skill.skill.files.iter().filter(is_nested).collect();
    match *nested {
        [] => {}
        [file] => {
            let message = message!(
                "`{}` is a skill inside this one; move its folder next to this skill's",
                "`{}` 是嵌套在此技能中的技能；把它的文件夹移到此技能旁边",
                file.name
            );
            report.about(&file.path, message);
        }
        [file, ..] => {
            let message = message!(
                "{count} skills lie inside this one, `{name}` first; move their folders next to this skill's",
                "此技能中嵌套了 {count} 个技能，第一个是 `{name}`；把它们的文件夹移到此技能旁边",
                count = nested.len(),
                name = file.name
            );
            report.about(skill.path(), message);
        }
    }
}

const MATERIAL: [&str; 10] =
    ["assets", "templates", "template", "examples", "example", "evals", "tests", "test", "fixtures", "node_modules"];
