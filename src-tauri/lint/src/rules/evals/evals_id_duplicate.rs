use std::collections::HashMap;

use super::files;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "evals-id-duplicate",
    group: Group::Evals,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Two evaluations have one id", "评测 id 重复"),
    what: Wording::new(
        "Two cases in `evals/evals.json` with the same `id`.",
        "`evals/evals.json` 中两个用例的 `id` 相同。",
    ),
    why: Wording::new(
        "Results are kept by id: those of one case replace the other's.",
        "结果按 id 保存：一个用例的结果会覆盖另一个的。",
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
 "skill_name": "demo",
 "evals": [
  {
   "id": 1,
   "prompt": "Draw the plan of the house.",
   "expected_output": "A plan."
  },
  {
   "id": 1,
   "prompt": "Draw a barn.",
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
  },
  {
   "id": 2,
   "prompt": "Draw a barn.",
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
    let Some(file) = files::cases_of(skill) else { return };
    let mut first: HashMap<&str, usize> = HashMap::new();
    for (place, case) in file.cases().iter().enumerate() {
        let Some(id) = case.get("id") else { continue };
        let written = id.span.of(file.text.text());
        match first.get(written) {
            None => {
                first.insert(written, place + 1);
            }
            Some(earlier) => {
                let message = message!(
                    "case {earlier} has the id {written} too; give this one another id",
                    "第 {earlier} 个用例的 id 也是 {written}；请给这一个换一个 id"
                );
                report.at(&file.file.path, id.span, message);
            }
        }
    }
}
