use crate::analysis::client;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "cline-empty-body",
    group: Group::Clients,
    severity: Severity::Error,
    on: true,
    title: Wording::new("Cline does not load a skill without instructions", "Cline 不加载没有正文的技能"),
    what: Wording::new(
        "In a skill for Cline: nothing after the frontmatter.",
        "在面向 Cline 的技能中：前置元数据之后没有内容。",
    ),
    why: Wording::new("Cline refuses the file.", "Cline 会拒绝该文件。"),
    bad: Example {
        folder: ".cline/skills/demo",
        files: &[(
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
",
        )],
    },
    good: Example {
        folder: ".cline/skills/demo",
        files: &[(
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Do it.
",
        )],
    },
    hides: &[],
    marks: &[],
    source: "Cline: user-instruction-config-loader.ts",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let is_empty = skill.manifest().frontmatter.is_some() && skill.body().trim().is_empty();
    if is_empty && client::is_for(skill, &client::CLINE) {
        let message = Wording::new(
            "Cline loads no skill without instructions; write what to do below the frontmatter",
            "Cline 不加载没有指令的技能；在前置元数据下面写上要做什么",
        );
        report.about(skill.path(), message);
    }
}
