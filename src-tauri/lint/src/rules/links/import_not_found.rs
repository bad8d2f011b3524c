use super::{found, say_missing};
use crate::references::{Aim, Form, Reference};
use crate::{Applicability, Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "import-not-found",
    group: Group::Links,
    severity: Severity::Warning,
    on: false,
    title: Wording::new("Imported file is not there", "导入的文件不存在"),
    what: Wording::new(
        "An `@path/to/file.md` in prose, as Claude Code reads it, whose file does not exist in the skill. E-mail \
         addresses, `@names`, packages such as `@scope/name`, and code are left alone.",
        "正文中会被 Claude Code 读取的 `@path/to/file.md`，其文件在技能中不存在。电子邮件地址、`@名字`、\
         `@scope/name` 之类的包名和代码不检查。",
    ),
    why: Wording::new(
        "What should have been read with the skill is silently missing.",
        "本应随技能一起读取的内容缺失，而且没有任何提示。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Follow @references/style.md when you write.
",
    )]),
    good: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Follow @references/style.md when you write. Ask @john.doe or a@b.md.
",
        ),
        ("references/style.md", "# Style\n"),
    ]),
    hides: &[],
    marks: &[],
    source: "Claude Code documentation, memory imports; agnix REF-001",
    fix: Some(Applicability::Unsafe),
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let broken = |reference: &Reference| {
        reference.form == Form::Import
            && reference.aim == Aim::Missing
            && !reference.written.trim_start_matches(['@', '.', '/']).starts_with("github/")
    };
    for (page, reference) in found(skill, broken) {
        let advice = Wording::new("correct the path after the `@`", "改正 `@` 后面的路径");
        say_missing(skill, report, page, reference, advice);
    }
}
