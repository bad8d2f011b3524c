use std::collections::{HashMap, HashSet};

use super::MOST;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::message;
use wording::{Message, Wording};

pub static RULE: Rule = Rule {
    id: "name-unportable",
    group: Group::Links,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("File name that Windows cannot hold", "Windows 无法使用的文件名"),
    what: Wording::new(
        "A file or folder whose name is reserved on Windows (`CON`, `NUL`, `COM1` …), has one of \
           `<>:\"|?*\\`, ends in a full stop or a space, or differs from another only by the case of letters.",
        "文件或文件夹的名称是 Windows 的保留名（`CON`、`NUL`、`COM1` 等），含有 `<>:\"|?*\\` 中的字符，\
         以句点或空格结尾，或与另一个名称只有大小写不同。",
    ),
    why: Wording::new(
        "The skill cannot be unpacked or checked out on Windows; on macOS one of two such files replaces the \
           other.",
        "技能无法在 Windows 上解压或检出；在 macOS 上，两个这样的文件会互相覆盖。",
    ),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Read notes/aux.md.
",
        ),
        ("notes/aux.md", "# More\n"),
    ]),
    good: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Read notes/more.md.
",
        ),
        ("notes/more.md", "# More\n"),
    ]),
    hides: &[],
    marks: &[],
    source: "Microsoft, Naming files, paths and namespaces",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let mut lower: HashMap<String, &str> = HashMap::new();
    let mut told = HashSet::new();
    for file in &skill.skill.files {
        let wrong = file.name.split('/').find_map(|part| Some((part, reason(part)?)));
        if let Some((part, Message { en, zh })) = wrong.filter(|(part, _)| told.len() < MOST && told.insert(*part)) {
            report.about(&file.path, message!("`{part}` {en}; give it another name", "`{part}` {zh}；换一个名称"));
        }
        if let Some(other) = lower.insert(file.name.to_lowercase(), &file.name) {
            let message = message!(
                "`{}` and `{other}` differ only in the case of letters; rename one",
                "`{}` 与 `{other}` 只有大小写不同；重命名其中一个",
                file.name
            );
            report.about(&file.path, message);
        }
    }
}

fn reason(part: &str) -> Option<Message> {
    let stem = part.split('.').next().unwrap_or_default().to_ascii_uppercase();
    if RESERVED.contains(&stem.as_str()) {
        return Some(Wording::new("is the name of a device on Windows", "是 Windows 的设备名").into());
    }
    if let Some(letter) = part.chars().find(|letter| "<>:\"|?*\\".contains(*letter) || letter.is_control()) {
        let letter = if letter.is_control() { ' ' } else { letter };
        return Some(message!("has `{letter}`, which Windows does not allow", "含有 Windows 不允许的 `{letter}`"));
    }
    let cut =
        Wording::new("ends in a full stop or a space, which Windows cuts off", "以句点或空格结尾，Windows 会去掉它");
    part.ends_with(['.', ' ']).then(|| cut.into())
}

const RESERVED: [&str; 22] = [
    "CON", "PRN", "AUX", "NUL", "COM1", "COM2", "COM3", "COM4", "COM5", "COM6", "COM7", "COM8", "COM9", "LPT1", "LPT2",
    "LPT3", "LPT4", "LPT5", "LPT6", "LPT7", "LPT8", "LPT9",
];
