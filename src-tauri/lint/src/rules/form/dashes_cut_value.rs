use crate::rules::clients::{loader_sees_different_value, loader_would_skip};
use crate::{Applicability, Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::source::Span;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "dashes-cut-value",
    group: Group::Form,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Three hyphens inside the frontmatter", "前置元数据内含有三个连字符"),
    what: Wording::new(
        "`---` inside a value, a key or a comment of the frontmatter.",
        "前置元数据的值、键或注释中含有 `---`。",
    ),
    why: Wording::new(
        "skills-ref and AgentScope end the frontmatter at the first `---`, wherever it is: the value is cut \
         there, and the rest of the frontmatter becomes instructions.",
        "skills-ref 和 AgentScope 遇到第一个 `---` 就结束前置元数据，不论它在哪里：值在此被截断，\
         其余的前置元数据变成指令。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Runs a demo --- use when asked for one.
---
Do it.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Runs a demo -- use when asked for one.
---
Do it.

---

Then stop.
",
    )]),
    hides: &[&loader_would_skip::RULE, &loader_sees_different_value::RULE],
    marks: &[],
    source: "skills-ref; AgentScope",
    fix: Some(Applicability::Unsafe),
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(frontmatter) = &skill.manifest().frontmatter else { return };
    let yaml = frontmatter.yaml.of(skill.text());
    let Some(start) = yaml.find("---") else { return };
    let length = yaml[start..].len() - yaml[start..].trim_start_matches('-').len();
    let span = Span::new(start, start + length).shift(frontmatter.yaml.start);
    let finding = report.at(
        skill.path(),
        span,
        message!(
            "some frameworks end the frontmatter at this `{}`; write a dash (—) or rephrase",
            "有些框架会在这个 `{}` 处结束前置元数据；请改用破折号（—）或换一种写法",
            span.of(skill.text())
        ),
    );
    finding.replace(Wording::new("Write a dash", "改为破折号"), span, "—");
}
