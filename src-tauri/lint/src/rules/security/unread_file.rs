use std::collections::BTreeSet;

use camino::{Utf8Path, Utf8PathBuf};

use super::{archive, binary, pdf_active_content};
use crate::analysis::context::{extension, is_script};
use crate::analysis::flow;
use crate::code::{LINE_LIMIT, Language, SCRIPT_LIMIT, Unread};
use crate::files::TEXT_LIMIT;
use crate::{Check, Deed, Example, Group, Mark, Report, Rule, Subject};
use skill::discover::{GIT, MODULES};
use skill::files::is_text;
use skill::{FileKind, Severity, SkillFile};
use wording::message;
use wording::{Message, Wording};

pub static RULE: Rule = Rule {
    id: "unread-file",
    group: Group::Security,
    severity: Severity::Warning,
    on: false,
    title: Wording::new("File was not examined", "文件未被检查"),
    what: Wording::new(
        "A file, or a part of one, that no rule could look into: a text or script larger than what is read, a script whose lines are too long or whose words are too many for the rules of group `scripts`, a file that is not text although its name says so, a file that is not regular or cannot be opened, archives of other kinds than ZIP, damaged ones, and folders that are not entered (`node_modules`, a `.git` inside the skill). It is less severe for scripts whose text was searched all the same, and for archives that no text of the skill names.",
        "没有规则能检查的文件或其中一部分：超出读取上限的文本或脚本、行过长或词过多而 `scripts` 组规则不读取的脚本、名为文本却不是文本的文件、非普通文件或无法打开的文件、ZIP 以外的压缩包、损坏的压缩包，以及不会进入的文件夹（`node_modules`、技能内的 `.git`）。脚本的文本若仍由其他规则搜索过，或压缩包没有被技能的任何文本提到，则严重程度降低一级。",
    ),
    why: Wording::new(
        "That nothing was found in it means nothing. Padding a script until it is too large to be read is an old way to hide what it does.",
        "没有在其中发现问题，并不说明没有问题。把脚本撑大到无法读取，是掩盖其行为的老办法。",
    ),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Run `scripts/run.sh`.
",
        ),
        ("scripts/run.sh", "=>4194305"),
    ]),
    good: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Run `scripts/run.sh`.
",
        ),
        (
            "scripts/run.sh",
            r"#!/bin/sh
set -e
echo ok
",
        ),
    ]),
    hides: &[],
    marks: &[Mark::Evidence(Deed::Files)],
    source: "Trail of Bits on evading skill scanners",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    report.quotes_nothing();
    for file in skill.skill.files.iter().filter(|file| !skill.is_manifest(file) && !file.outside) {
        if let Some(message) = unread(skill, file) {
            let finding = report.about(&file.path, message);
            if is_unfollowed(skill, file) {
                finding.weigh_less(SEARCHED);
            } else if archive::OTHERS.contains(&extension(&file.path).as_str()) && !is_unpacked(skill, file) {
                finding.weigh_less(Wording::new("nothing in the skill unpacks it", "技能中没有解压它的操作"));
            }
        }
    }
    // Of larger ones the same was said already.
    let is_told = |file: &SkillFile| file.size > TEXT_LIMIT || (is_large(file.size) && is_script(&file.path));
    for (file, why) in skill.code().unread.iter().filter(|(file, _)| !is_told(file)) {
        report.about(&file.path, unparsed(file, *why)).weigh_less(SEARCHED);
    }
    let folders: BTreeSet<&Utf8Path> = skill.skill.files.iter().flat_map(|file| folders_of(skill, file)).collect();
    for folder in folders {
        let is_root = folder == skill.skill.path;
        for name in [GIT, MODULES].into_iter().filter(|name| !(is_root && *name == GIT)) {
            let path: Utf8PathBuf = folder.join(name);
            if skill.disk().exists(&path) {
                let message = message!(
                    "`{name}` is not examined: remove it, or check it yourself",
                    "没有检查 `{name}` 里的内容，请删除或自行检查"
                );
                report.about(&path, message);
            }
        }
    }
}

fn folders_of<'a>(skill: &Subject<'a>, file: &'a SkillFile) -> impl Iterator<Item = &'a Utf8Path> {
    let root = &*skill.skill.path;
    file.path.ancestors().skip(1).take_while(move |folder| folder.starts_with(root))
}

/// Whether a script or the instructions name an archive.
fn is_unpacked(skill: &Subject<'_>, archive: &SkillFile) -> bool {
    let name = archive.path.file_name().unwrap_or_default();
    let is_named = |file: &SkillFile| skill.read(file).is_some_and(|text| text.text().contains(name));
    skill.text().contains(name) || skill.skill.files.iter().any(is_named)
}

/// Its contents were examined, although not what it does with its data.
const SEARCHED: Wording = Wording::new("its text was searched by the other rules", "其他规则已经搜索过它的文本");

/// A script that is read, and too large for the flow of data to be followed.
fn is_unfollowed(skill: &Subject<'_>, file: &SkillFile) -> bool {
    is_script(&file.path) && skill.read(file).is_some_and(|text| text.text().len() > flow::SIZE_LIMIT)
}

/// For the flow of data to be followed.
fn is_large(size: u64) -> bool {
    usize::try_from(size).map_or(true, |size| size > flow::SIZE_LIMIT)
}

/// Why the rules of one group know nothing of a script; the others search it.
fn unparsed(file: &SkillFile, why: Unread) -> Message {
    let (name, size) = (&file.name, file.size);
    match why {
        Unread::Large => message!(
            "`{name}` has {size} bytes; the rules of group `scripts` do not read scripts above {SCRIPT_LIMIT} bytes: split it",
            "`{name}` 有 {size} 字节；`scripts` 组的规则不读取超过 {SCRIPT_LIMIT} 字节的脚本，请拆分"
        ),
        Unread::LongLine { line, length } => message!(
            "line {line} of `{name}` has {length} bytes; the rules of group `scripts` do not read scripts with a line above {LINE_LIMIT} bytes: break it",
            "`{name}` 第 {line} 行有 {length} 字节；脚本中有超过 {LINE_LIMIT} 字节的行时，`scripts` 组的规则不读取它，请换行"
        ),
        Unread::ManyWords => message!(
            "`{name}` has more words and marks than the rules of group `scripts` read: split it",
            "`{name}` 的词和符号过多，`scripts` 组的规则不读取它，请拆分"
        ),
    }
}

/// Which part of a file was not read, and why.
fn unread<'a>(skill: &Subject<'a>, file: &'a SkillFile) -> Option<Message> {
    let (name, size) = (&file.name, file.size);
    let only = |most: u64| {
        message!(
            "`{name}` has {size} bytes; only the first {most} were searched: make it smaller",
            "`{name}` 有 {size} 字节，只搜索了前 {most} 字节，请缩小"
        )
    };
    if skill.read(file).is_some() {
        return is_unfollowed(skill, file).then(|| {
            let most = flow::SIZE_LIMIT;
            message!(
                "`{name}` has {size} bytes; in scripts above {most} bytes the flow of data is not followed, and the rules of group `scripts` do not read them: split it",
                "`{name}` 有 {size} 字节；超过 {most} 字节的脚本不跟踪数据去向，`scripts` 组的规则也不读取，请拆分"
            )
        });
    }
    let Some(start) = skill.disk().start(&file.path) else {
        let exists = skill.disk().exists(&file.path);
        return exists.then(|| {
            message!(
                "`{name}` cannot be opened, or is not a regular file: take it out, or look at it yourself",
                "`{name}` 无法打开，或不是普通文件，请删除或自行检查"
            )
        });
    };
    let ending = extension(&file.path);
    let is_pickle = binary::is_pickle_name(&file.path);
    if is_pickle && size > binary::PICKLE_LOOKED_AT {
        return Some(only(binary::PICKLE_LOOKED_AT));
    }
    if start.starts_with(b"%PDF") {
        return (size > pdf_active_content::LOOKED_AT).then(|| only(pdf_active_content::LOOKED_AT));
    }
    if archive::is_known(&file.path) {
        return archive::unread(skill, file);
    }
    if archive::is_archive(&start) || archive::OTHERS.contains(&ending.as_str()) {
        return Some(message!(
            "`{name}` is an archive that is not examined: ship the files as they are",
            "`{name}` 是无法查看内容的压缩包，请直接附上原文件"
        ));
    }
    let is_for_reading = is_text(&start) || is_named_as_text(file) || start.starts_with(b"#!");
    if !is_for_reading || binary::program(skill, file).is_some() {
        return None;
    }
    Some(match size > TEXT_LIMIT {
        true => message!(
            "`{name}` has {size} bytes; files above {TEXT_LIMIT} bytes are not read: make it smaller",
            "`{name}` 有 {size} 字节；超过 {TEXT_LIMIT} 字节的文件不会读取，请缩小"
        ),
        false => message!(
            "`{name}` is not text, so none of its {size} bytes were searched: write it in UTF-8",
            "`{name}` 不是文本，其 {size} 字节都没有搜索，请保存为 UTF-8"
        ),
    })
}

/// By its name it is code, data or a text for people.
fn is_named_as_text(file: &SkillFile) -> bool {
    const TEXTS: [&str; 16] = [
        "md", "markdown", "mdx", "txt", "rst", "xml", "html", "htm", "css", "svg", "ini", "cfg", "env", "rb", "pl",
        "php",
    ];
    let ending = extension(&file.path);
    is_script(&file.path)
        || Language::of_name(&file.name).is_some()
        || TEXTS.contains(&ending.as_str())
        || (file.kind == FileKind::Script && ending.is_empty())
}
