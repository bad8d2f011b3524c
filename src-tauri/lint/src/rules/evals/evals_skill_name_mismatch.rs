use super::files;
use crate::{Applicability, Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "evals-skill-name-mismatch",
    group: Group::Evals,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Evaluations of another skill", "评测属于另一个技能"),
    what: Wording::new(
        "`skill_name` in `evals/evals.json` other than the skill's name.",
        "`evals/evals.json` 中的 `skill_name` 与技能名不同。",
    ),
    why: Wording::new(
        "Runners look up the skill by this name: they test another one, or none. Copied skills often keep the old \
         name.",
        "运行器按这个名称查找技能：会测试另一个技能，或找不到技能。复制来的技能常会遗留旧名称。",
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
    marks: &[],
    source: "agentskills.io: evaluating skills; skill-creator: references/schemas.md",
    fix: Some(Applicability::Unsafe),
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(file) = files::cases_of(skill) else { return };
    let Some(said) = file.json.get("skill_name") else { return };
    let name = skill.skill.name();
    // If the name differs from the folder's, one of them is wrong already, and these may have the right one.
    let folder = skill.skill.path.file_name().unwrap_or_default();
    if let Some(other) = said.text().filter(|text| *text != name && *text != folder) {
        let message = message!(
            "these are evaluations of `{other}`, and the skill is called `{name}`",
            "这是 `{other}` 的评测，而该技能名为 `{name}`"
        );
        let title = message!("Write {name}", "改为 {name}");
        let written = serde_json::Value::from(name).to_string();
        report.at(&file.file.path, said.span, message).replace(title, said.span, written);
    }
}
