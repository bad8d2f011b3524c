use crate::rules::links::{link_escapes_skill, orphan_file};
use crate::rules::security::unread_file;
use crate::{Check, Example, Group, Rule};
use skill::{ProblemKind, Severity};
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "cannot-read",
    group: Group::Form,
    severity: Severity::Error,
    on: true,
    title: Wording::new("Cannot be read", "无法读取"),
    what: Wording::new(
        "A file or folder that the system does not allow to be read, that is not a regular file, or whose name is \
         not UTF-8.",
        "系统不允许读取、不是普通文件，或名称不是 UTF-8 的文件或文件夹。",
    ),
    why: Wording::new(
        "What cannot be read here cannot be read by a framework either; some then load no skill at all.",
        "这里读不了的，框架也读不了；有的框架因此一个技能也不加载。",
    ),
    bad: Example::skill(&[("SKILL.md", "|named pipe")]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Do it.
",
    )]),
    hides: &[&link_escapes_skill::RULE, &orphan_file::RULE, &unread_file::RULE],
    marks: &[],
    source: "frameworks' loaders",
    fix: None,
    check: Check::Load(|problem| {
        matches!(
            &problem.kind,
            ProblemKind::FolderUnreadable { .. }
                | ProblemKind::FileUnreadable { .. }
                | ProblemKind::Vanished
                | ProblemKind::NameNotUtf8 { .. }
        )
    }),
};
