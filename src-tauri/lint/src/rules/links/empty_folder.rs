use crate::references::RESERVED;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "empty-folder",
    group: Group::Links,
    severity: Severity::Info,
    on: true,
    title: Wording::new("Folder with nothing in it", "空文件夹"),
    what: Wording::new(
        "A `references`, `scripts` or `assets` folder that holds no file, or only hidden and empty ones such \
           as `.gitkeep`.",
        "`references`、`scripts` 或 `assets` 文件夹中没有文件，或只有 `.gitkeep` 之类的隐藏文件和空文件。",
    ),
    why: Wording::new(
        "It promises something that is not there, and is lost in most packages.",
        "它让人以为里面有内容，而且大多数打包方式会丢掉它。",
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
        ("references/.gitkeep", ""),
    ]),
    good: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Read references/a.md.
",
        ),
        ("references/a.md", "# A\n"),
    ]),
    hides: &[],
    marks: &[],
    source: "skillsaw agentskill-structure",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for folder in RESERVED {
        let mut inside = skill.skill.files.iter().filter_map(|file| {
            let name = file.name.strip_prefix(folder)?.strip_prefix('/')?;
            Some(file.size > 0 && !name.starts_with('.') || file.link)
        });
        let path = skill.skill.path.join(folder);
        let empty = match inside.next() {
            Some(first) => !first && !inside.any(|full| full),
            None => skill.disk().exists(&path),
        };
        if empty {
            let message = message!(
                "`{folder}` holds nothing; delete it, or put in what it is for",
                "`{folder}` 中没有内容；删除它，或放入应有的文件"
            );
            report.about(&path, message);
        }
    }
}
