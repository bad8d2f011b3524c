use crate::{Applicability, Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::source::{Newline, Span};
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "crlf",
    group: Group::Form,
    severity: Severity::Info,
    on: false,
    title: Wording::new("Lines end in CRLF", "行尾为 CRLF"),
    what: Wording::new(
        "A `SKILL.md` whose lines all end in CRLF, as Windows writes them.",
        "所有行都以 CRLF 结尾的 `SKILL.md`，Windows 上通常如此。",
    ),
    why: Wording::new(
        "Frameworks that look for a line of exactly `---` do not find it, and a model gets a carriage return with each line.",
        "查找内容恰好为 `---` 的行的框架找不到它，模型读到的每一行也都带有回车符。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        "---\r\nname: demo\r\ndescription: Use when asked for a demo.\r\n---\r\nDo it.\r\n",
    )]),
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
    marks: &[],
    source: "frameworks' parsers",
    fix: Some(Applicability::Safe),
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let source = &skill.manifest().source;
    if source.newline() == Newline::CrLf {
        let finding = report.about(
            skill.path(),
            Wording::new("lines end in CRLF; save the file with LF", "行尾是 CRLF；请以 LF 保存文件"),
        );
        finding.replace(
            Wording::new("Write LF", "改为 LF"),
            Span::new(0, source.text.len()),
            source.text.replace("\r\n", "\n"),
        );
    }
}
