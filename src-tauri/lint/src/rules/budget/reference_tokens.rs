use crate::analysis::figures::{grouped, may_exceed};
use crate::analysis::reading::is_document;
use crate::rules::example::LONG_DOCUMENT;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::wording::Wording;

pub static RULE: Rule = Rule {
    id: "reference-tokens",
    group: Group::Budget,
    severity: Severity::Info,
    on: true,
    title: Wording::new("Reference is too long to be read at once", "参考文件过长，无法一次读完"),
    what: Wording::new("A document of the skill with more than 10,000 tokens.", ""),
    why: Wording::new(
        "Agents' tools for reading cut files of about that size, so what comes later is read in a second call or never; and \
          it fills the context with what this request does not need.",
        "",
    ),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Read references/all.md if asked.
",
        ),
        ("references/all.md", LONG_DOCUMENT),
    ]),
    good: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Read references/all.md if asked.
",
        ),
        (
            "references/all.md",
            r"# All

Do it.
",
        ),
    ]),
    hides: &[],
    source: "agentskills.io specification: focused reference files; tools of coding agents",
    fix: None,
    check: Check::Skill(check),
};

const LIMIT: u32 = 10_000;

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let may_be_long = |bytes: u64| may_exceed(usize::try_from(bytes).unwrap_or(usize::MAX), LIMIT);
    for file in skill.skill.files.iter().filter(|file| is_document(file) && may_be_long(file.size)) {
        let tokens = skill.read(file).map_or(0, |text| text.tokens());
        if tokens > LIMIT {
            let message = format!("`{}` has {} tokens; split it by what is needed when", file.name, grouped(tokens));
            report.about(&file.path, message);
        }
    }
}
