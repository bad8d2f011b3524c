use super::files;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "evals-missing",
    group: Group::Evals,
    severity: Severity::Info,
    on: false,
    title: Wording::new("No evaluations", "没有评测"),
    what: Wording::new("A skill without `evals/evals.json`.", "没有 `evals/evals.json` 的技能。"),
    why: Wording::new(
        "Whether a change makes the skill better or worse is then a guess.",
        "改动让技能变好还是变坏，就只能靠猜了。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Do it.
",
    )]),
    good: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Do it.
",
        ),
        (
            "evals/evals.json",
            r#"{
 "skill_name": "demo",
 "evals": [
  {
   "id": 1,
   "prompt": "Draw the plan of the house.",
   "expected_output": "A plan."
  }
 ]
}
"#,
        ),
    ]),
    hides: &[],
    marks: &[],
    source: "agentskills.io: evaluating skills; skill-creator: references/schemas.md",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    if skill.file(files::CASES).is_none() {
        let message = Wording::new(
            "there is no `evals/evals.json`; write two or three cases with what must come out",
            "没有 `evals/evals.json`；请写两三个用例，并注明应有的结果",
        );
        report.about(skill.path(), message);
    }
}
