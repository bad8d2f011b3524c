use std::collections::BTreeMap;

use super::{found, missing_folder, say_missing};
use crate::references::{Aim, Form, PageReferences, Reference};
use crate::{Applicability, Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "broken-image",
    group: Group::Links,
    severity: Severity::Info,
    on: true,
    title: Wording::new("Image that is not there", "图片不存在"),
    what: Wording::new(
        "A Markdown image whose file does not exist in the skill. Images of a folder that is not there are one finding.",
        "Markdown 图片的文件在技能中不存在。同一个不存在的文件夹中的图片算一个问题。",
    ),
    why: Wording::new(
        "Readers see a broken picture, and an agent that can look at images has nothing to look at.",
        "读者看到的是损坏的图片，能看图的智能体也无图可看。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
![The layout](assets/layout.png)
",
    )]),
    good: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
![The layout](assets/layout.svg)
",
        ),
        ("assets/layout.svg", "<svg/>\n"),
    ]),
    hides: &[],
    marks: &[],
    source: "agentskills.io specification, file references",
    fix: Some(Applicability::Unsafe),
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let broken = |reference: &Reference| reference.form == Form::Image && reference.aim == Aim::Missing;
    // Images of a missing folder are one fault, however many pages show them.
    let mut folders: BTreeMap<String, Vec<(&PageReferences, &Reference)>> = BTreeMap::new();
    for (page, reference) in found(skill, broken) {
        match missing_folder(skill, page, &reference.written) {
            Some(folder) => folders.entry(folder).or_default().push((page, reference)),
            None => {
                say_missing(skill, report, page, reference, ADVICE);
            }
        }
    }
    for (folder, images) in folders {
        let (page, first) = images[0];
        if images.len() == 1 {
            say_missing(skill, report, page, first, ADVICE);
            continue;
        }
        let message = message!(
            "there is no `{folder}` in the skill, where {} images are to be; add them, or delete them here",
            "技能中没有 `{folder}`，{} 张图片应在那里；补上图片，或删除这些引用",
            images.len()
        );
        report.at(&page.path, first.span, message);
    }
}

const ADVICE: Wording = Wording::new("add the image, or delete it here", "补上图片，或删除此处的引用");
