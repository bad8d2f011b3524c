use super::found;
use crate::lint::references::{Aim, Reference};
use crate::lint::{Applicability, Check, Example, Group, Report, Rule, Subject};
use crate::skill::Severity;

pub static RULE: Rule = Rule {
    id: "windows-path",
    group: Group::Links,
    severity: Severity::Warning,
    on: true,
    title: "Path with backslashes",
    title_zh: "路径使用反斜杠",
    what: "A relative path with `\\` in a link, in prose, in a code span or run by a command. Escapes of \
           Markdown, expressions, and paths with a drive are left alone. The fix writes `/`.",
    why: "Only Windows reads it as a path; everywhere else it is a file name with a backslash in it. `/` \
           works on all.",
    bad: Example::skill(&[
        ("SKILL.md", "---\nname: demo\ndescription: Use when asked for a demo.\n---\nRun `scripts\\count.py`.\n"),
        ("scripts/count.py", "print(1)\n"),
    ]),
    good: Example::skill(&[
        (
            "SKILL.md",
            "---\nname: demo\ndescription: Use when asked for a demo.\n---\nRun `scripts/count.py`; it matches `\\d+\\.py`.\n",
        ),
        ("scripts/count.py", "print(1)\n"),
    ]),
    source: "Anthropic, Skill authoring best practices; agnix XP-SK-004",
    fix: Some(Applicability::Safe),
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let backslashed = |reference: &Reference| reference.written.contains('\\') && reference.aim != Aim::Absolute;
    for (page, reference) in found(skill, backslashed) {
        let path = reference.written.replace('\\', "/");
        let message = format!("`{}` is a path on Windows alone; write `{path}`", reference.written);
        let finding = report.at(&page.path, reference.span, message);
        if reference.span.len() == reference.written.len() {
            finding.replace(format!("Write {path}"), reference.span, path);
        }
    }
}
