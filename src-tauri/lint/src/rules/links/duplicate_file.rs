use std::collections::HashMap;

use sha2::{Digest, Sha256};

use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::SkillFile;
use skill::files::SNIFFED_BYTES;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "duplicate-file",
    group: Group::Links,
    severity: Severity::Info,
    on: false,
    title: Wording::new("Two files with the same text", "内容重复的文件"),
    what: Wording::new(
        "Two files of a skill, of 200 bytes or more, that are the same byte for byte; licences aside.",
        "技能中两个 200 字节以上、逐字节相同的文件；许可证除外。",
    ),
    why: Wording::new(
        "Whoever changes one forgets the other, and then they say different things.",
        "改了一个忘了另一个，两者的内容就不一致了。",
    ),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Read a.md or b.md.
",
        ),
        (
            "a.md",
            r"Weigh it twice.
Weigh it twice.
Weigh it twice.
Weigh it twice.
Weigh it twice.
Weigh it twice.
Weigh it twice.
Weigh it twice.
Weigh it twice.
Weigh it twice.
Weigh it twice.
Weigh it twice.
Weigh it twice.
Weigh it twice.
Weigh it twice.
Weigh it twice.
Weigh it twice.
Weigh it twice.
Weigh it twice.
Weigh it twice.
",
        ),
        (
            "b.md",
            r"Weigh it twice.
Weigh it twice.
Weigh it twice.
Weigh it twice.
Weigh it twice.
Weigh it twice.
Weigh it twice.
Weigh it twice.
Weigh it twice.
Weigh it twice.
Weigh it twice.
Weigh it twice.
Weigh it twice.
Weigh it twice.
Weigh it twice.
Weigh it twice.
Weigh it twice.
Weigh it twice.
Weigh it twice.
Weigh it twice.
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
Read a.md or b.md.
",
        ),
        (
            "a.md",
            r"Weigh it twice.
Weigh it twice.
Weigh it twice.
Weigh it twice.
Weigh it twice.
Weigh it twice.
Weigh it twice.
Weigh it twice.
Weigh it twice.
Weigh it twice.
Weigh it twice.
Weigh it twice.
Weigh it twice.
Weigh it twice.
Weigh it twice.
Weigh it twice.
Weigh it twice.
Weigh it twice.
Weigh it twice.
Weigh it twice.
",
        ),
        (
            "b.md",
            r"Weigh it once..
Weigh it once..
Weigh it once..
Weigh it once..
Weigh it once..
Weigh it once..
Weigh it once..
Weigh it once..
Weigh it once..
Weigh it once..
Weigh it once..
Weigh it once..
Weigh it once..
Weigh it once..
Weigh it once..
Weigh it once..
Weigh it once..
Weigh it once..
Weigh it once..
Weigh it once..
",
        ),
    ]),
    hides: &[],
    marks: &[],
    source: "Skill Workbench",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let mut sizes: HashMap<u64, Vec<&SkillFile>> = HashMap::new();
    for file in
        skill.skill.files.iter().filter(|file| file.size >= SMALLEST && !is_often_copied(&file.name) && !file.link)
    {
        sizes.entry(file.size).or_default().push(file);
    }
    for file in &skill.skill.files {
        let Some(same_size) = sizes.remove(&file.size).filter(|files| files.len() > 1) else { continue };
        let mut known: HashMap<Bytes, &SkillFile> = HashMap::new();
        for file in same_size {
            let Some(bytes) = bytes(skill, file) else { continue };
            match known.get(&bytes) {
                Some(first) => {
                    let message = message!(
                        "`{}` is the same as `{}`; keep one",
                        "`{}` 与 `{}` 内容相同；保留一个",
                        file.name,
                        first.name
                    );
                    report.about(&file.path, message);
                }
                None => {
                    known.insert(bytes, file);
                }
            }
        }
    }
}

/// Bytes; smaller files are alike by chance.
const SMALLEST: u64 = 200;

type Bytes = [u8; 32];

/// A hash of the content, if all of it can be read.
fn bytes(skill: &Subject<'_>, file: &SkillFile) -> Option<Bytes> {
    if let Some(text) = skill.read(skill.file(&file.name)?) {
        return Some(Sha256::digest(text.text()).into());
    }
    let start = skill.disk().start(&file.path).filter(|_| file.size <= SNIFFED_BYTES)?;
    Some(Sha256::digest(start).into())
}

fn is_often_copied(name: &str) -> bool {
    let file = name.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    ["license", "licence", "notice", "copying", "__init__"].iter().any(|start| file.starts_with(start))
}
