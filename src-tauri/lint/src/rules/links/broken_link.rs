use super::{found, say_missing};
use crate::references::{Aim, Form, Reference};
use crate::{Applicability, Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "broken-link",
    group: Group::Links,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Link to a file that is not there", "链接的文件不存在"),
    what: Wording::new(
        "A Markdown link to a file of the skill that does not exist, relative to the page or to the skill's \
         folder. URLs, placeholders such as `<file>.md`, code samples, and pages below `assets`, `templates`, \
         `examples` and the like are left alone.",
        "Markdown 链接指向的技能文件不存在，无论相对于当前页面还是技能文件夹。URL、`<file>.md` 之类的占位符、\
         代码示例，以及 `assets`、`templates`、`examples` 等文件夹下的页面不检查。",
    ),
    why: Wording::new(
        "The agent tries to read the file, fails, and goes on without what you wrote there.",
        "智能体读取该文件会失败，然后在缺少这部分内容的情况下继续。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Read [the guide](references/guide.md) first.
",
    )]),
    good: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Read [the guide](references/guide.md) first.
",
        ),
        ("references/guide.md", "# Guide\n"),
    ]),
    hides: &[],
    source: "agentskills.io specification, file references; agnix REF-002; skillsaw",
    fix: Some(Applicability::Unsafe),
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let broken = |reference: &Reference| reference.form == Form::Link && reference.aim == Aim::Missing;
    for (page, reference) in found(skill, broken) {
        let advice = Wording::new("correct the path, or delete the link", "改正路径，或删除链接");
        say_missing(skill, report, page, reference, advice);
    }
}
