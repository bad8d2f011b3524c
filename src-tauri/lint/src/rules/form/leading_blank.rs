use crate::rules::clients::loader_would_skip;
use crate::{Applicability, Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::frontmatter::{Split, split};
use skill::source::Span;
use skill::wording::Wording;

pub static RULE: Rule = Rule {
    id: "leading-blank",
    group: Group::Form,
    severity: Severity::Error,
    on: true,
    title: Wording::new("Something before the frontmatter", "frontmatter 前有空白"),
    what: Wording::new(
        "Frontmatter that is whole but does not begin in the first column of the first line: blank lines or spaces come \
           before it.",
        "",
    ),
    why: Wording::new(
        "Frameworks that look for `---` at the very start see no frontmatter and skip the skill; others do not mind, so \
          it is hard to find.",
        "",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"
---
name: demo
description: Use when asked for a demo.
---
Do it.
",
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
    hides: &[&loader_would_skip::RULE],
    source: "agentskills.io specification; skills-ref",
    fix: Some(Applicability::Safe),
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    if let Some(blank) = blank(skill) {
        let finding = report.at(skill.path(), blank, "the first line must be `---`; delete the white space before it");
        finding.replace("Delete the white space", blank, "");
    }
}

/// The white space before frontmatter that is otherwise whole.
pub(super) fn blank(skill: &Subject<'_>) -> Option<Span> {
    let text = skill.text();
    let blank = text.len() - text.trim_start().len();
    let whole = blank > 0 && matches!(split(&text[blank..]), Split::Closed(_));
    whole.then(|| Span::new(0, blank))
}
