use std::collections::HashMap;

use super::files;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;

pub static RULE: Rule = Rule {
    id: "evals-id-duplicate",
    group: Group::Evals,
    severity: Severity::Warning,
    on: true,
    title: "Two evaluations have one id",
    title_zh: "评测 id 重复",
    what: "Two cases in `evals/evals.json` with the same `id`.",
    why: "Results are kept by id: those of one case replace the other's.",
    bad: Example::skill(&[
        ("SKILL.md", "---\nname: demo\ndescription: Use when asked for a demo.\n---\nDo it.\n"),
        (
            "evals/evals.json",
            "{\n \"skill_name\": \"demo\",\n \"evals\": [\n  {\n   \"id\": 1,\n   \"prompt\": \"Draw the plan of the house.\",\n   \"expected_output\": \"A plan.\"\n  },\n  {\n   \"id\": 1,\n   \"prompt\": \"Draw a barn.\",\n   \"expected_output\": \"A plan.\"\n  }\n ]\n}\n",
        ),
    ]),
    good: Example::skill(&[
        ("SKILL.md", "---\nname: demo\ndescription: Use when asked for a demo.\n---\nDo it.\n"),
        (
            "evals/evals.json",
            "{\n \"skill_name\": \"demo\",\n \"evals\": [\n  {\n   \"id\": 1,\n   \"prompt\": \"Draw the plan of the house.\",\n   \"expected_output\": \"A plan.\"\n  },\n  {\n   \"id\": 2,\n   \"prompt\": \"Draw a barn.\",\n   \"expected_output\": \"A plan.\"\n  }\n ]\n}\n",
        ),
    ]),
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
                let message = format!("case {earlier} has the id {written} too; give this one another");
                report.at(&file.file.path, id.span, message);
            }
        }
    }
}
