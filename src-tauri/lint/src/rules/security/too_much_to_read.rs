use crate::{Check, Deed, Example, Group, Mark, Rule};
use skill::{ProblemKind, Severity};
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "too-much-to-read",
    group: Group::Security,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("More than is read", "内容超出读取上限"),
    what: Wording::new(
        "Folders nested too deeply, too many files below one folder or behind a link, a link that leads out of the opened and trusted folders, to a folder of the system or to one around the opened folder, or a `SKILL.md` so large that only its beginning is read.",
        "文件夹嵌套过深，一个文件夹下或链接后的文件过多，链接指向已打开和受信任的文件夹之外、系统目录或所打开文件夹的上级，或者 `SKILL.md` 太大而只读取了开头。",
    ),
    why: Wording::new(
        "What lies beyond was not looked at, here and in many frameworks; anything can be in it.",
        "后面的内容没有检查，许多框架也不会读取；里面可能有任何东西。",
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
        ("a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/note.txt", "deep\n"),
    ]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Do it.
",
    )]),
    hides: &[],
    marks: &[Mark::Evidence(Deed::Files)],
    source: "frameworks' loaders",
    fix: None,
    check: Check::Load(|problem| {
        matches!(
            &problem.kind,
            ProblemKind::TooDeep { .. }
                | ProblemKind::TooMany { .. }
                | ProblemKind::TooLarge { .. }
                | ProblemKind::LinkOutside { .. }
                | ProblemKind::NotEntered { .. }
        )
    }),
};
