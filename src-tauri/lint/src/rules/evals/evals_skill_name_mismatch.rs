use super::files;
use crate::{Applicability, Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::wording::Wording;

pub static RULE: Rule = Rule {
    id: "evals-skill-name-mismatch",
    group: Group::Evals,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Evaluations of another skill", "评测属于另一个技能"),
    what: Wording::new("`skill_name` in `evals/evals.json` other than the skill's name.", ""),
    why: Wording::new(
        "Runners look up the skill by this name: they test another one, or none. It is what a copied skill leaves \
          behind.",
        "",
    ),
    bad: Example::skill(&[
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
 "skill_name": "house-plans",
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
    source: "agentskills.io: evaluating skills; skill-creator: references/schemas.md",
    fix: Some(Applicability::Unsafe),
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(file) = files::cases_of(skill) else { return };
    let Some(said) = file.json.get("skill_name") else { return };
    let name = skill.skill.name();
    if let Some(other) = said.text().filter(|text| *text != name) {
        let message = format!("these are evaluations of `{other}`, and the skill is called `{name}`");
        let written = serde_json::Value::from(name).to_string();
        report.at(&file.file.path, said.span, message).replace(format!("Write {name}"), said.span, written);
    }
}
