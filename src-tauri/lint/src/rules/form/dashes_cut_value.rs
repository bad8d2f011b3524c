use crate::rules::clients::{loader_sees_different_value, loader_would_skip};
use crate::{Applicability, Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::source::Span;
use skill::wording::Wording;

pub static RULE: Rule = Rule {
    id: "dashes-cut-value",
    group: Group::Form,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Three hyphens inside the frontmatter", "frontmatter 内含有三个连字符"),
    what: Wording::new("`---` inside a value, a key or a comment of the frontmatter.", ""),
    why: Wording::new(
        "skills-ref and AgentScope end the frontmatter at the first `---` wherever it stands: the value is cut there, and \
          the rest of the frontmatter becomes instructions.",
        "",
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
        format!(
            "some frameworks end the frontmatter at this `{}`; write a dash (—) or rephrase",
            span.of(skill.text())
        ),
    );
    finding.replace("Write a dash", span, "—");
}
