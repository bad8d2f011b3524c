use crate::analysis::figures::{grouped, may_exceed};
use crate::analysis::reading::is_document;
use crate::rules::example::LONGER_DOCUMENT;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "reference-tokens",
    group: Group::Budget,
    severity: Severity::Info,
    on: false,
    title: Wording::new("Reference is too long to be read at once", "参考文件过长，无法一次读完"),
    what: Wording::new("A document of the skill with more than 20,000 tokens.", "技能中超过 20,000 个 token 的文档。"),
    why: Wording::new(
        "Agents' reading tools cut files of about this size, so the rest is read in a second call or never; and \
         the file fills the context with what this request does not need.",
        "智能体的读取工具会在这个长度左右截断文件，其余内容要再次调用才能读到，或者根本读不到；\
         上下文也会塞满这次请求不需要的内容。",
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
        ("references/all.md", LONGER_DOCUMENT),
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
    marks: &[],
    source: "agentskills.io specification: focused reference files; tools of coding agents",
    fix: None,
    check: Check::Skill(check),
};

const LIMIT: u32 = 20_000;

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let may_be_long = |bytes: u64| may_exceed(usize::try_from(bytes).unwrap_or(usize::MAX), LIMIT);
    for file in skill.skill.files.iter().filter(|file| is_document(file) && may_be_long(file.size)) {
        let tokens = skill.read(file).map_or(0, |text| text.tokens());
        if tokens > LIMIT {
            let message = message!(
                "`{}` has {} tokens; split it by what is needed when",
                "`{}` 有 {} 个 token；按使用场景拆分",
                file.name,
                grouped(tokens)
            );
            report.about(&file.path, message);
        }
    }
}
