use super::found;
use crate::references::{Aim, Form};
use crate::{Applicability, Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "unlinked-reference",
    group: Group::Links,
    severity: Severity::Info,
    on: false,
    title: Wording::new("Document named without a link", "提到的文档未加链接"),
    what: Wording::new(
        "A Markdown file of the skill that prose names by its path, neither as a link nor in a code span. The \
         fix makes it a link.",
        "正文中按路径提到的技能 Markdown 文件，既不是链接，也不是行内代码。修复会把它改成链接。",
    ),
    why: Wording::new(
        "People cannot click on it, and tools that collect links leave it out.",
        "读者无法点击，收集链接的工具也会漏掉它。",
    ),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Read references/guide.md first.
",
        ),
        ("references/guide.md", "# Guide\n"),
    ]),
    good: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Read [references/guide.md](references/guide.md) first.
",
        ),
        ("references/guide.md", "# Guide\n"),
    ]),
    hides: &[],
    marks: &[],
    source: "skillsaw; claude-code-lint",
    fix: Some(Applicability::Safe),
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for (page, reference) in found(skill, |reference| reference.form == Form::Prose) {
        let Aim::File(file) = reference.aim else { continue };
        let path = &reference.written;
        if skill.skill.files[file].path.extension() == Some("md") && !path.contains('\\') {
            let message = message!(
                "`{path}` is not a link; write `[{path}]({path})`",
                "`{path}` 不是链接；写成 `[{path}]({path})`"
            );
            let finding = report.at(&page.path, reference.span, message);
            finding.replace(Wording::new("Make it a link", "改成链接"), reference.span, format!("[{path}]({path})"));
        }
    }
}
