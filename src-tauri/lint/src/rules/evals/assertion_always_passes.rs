use std::collections::BTreeMap;

use super::files;
use super::json::Json;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::source::Span;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "assertion-always-passes",
    group: Group::Evals,
    severity: Severity::Info,
    on: true,
    title: Wording::new("Assertion passes without the skill too", "断言在没有技能时同样通过"),
    what: Wording::new(
        "An assertion in `benchmark.json` that passed in every run, with the skill and without it, two or more of \
           each.",
        "`benchmark.json` 中的某个断言在有技能和没有技能的每次运行中都通过，且两种运行各有两次或更多。",
    ),
    why: Wording::new(
        "It measures nothing that the skill adds, and hides in the mean what the others say.",
        "它衡量不出技能带来的任何东西，还会在平均值中掩盖其他断言的结果。",
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
            "evals/benchmark.json",
            r#"{"runs": [{"eval_id": 1, "configuration": "with_skill", "run_number": 1, "expectations": [{"text": "The plan names 3 rooms", "passed": true}]}, {"eval_id": 1, "configuration": "without_skill", "run_number": 1, "expectations": [{"text": "The plan names 3 rooms", "passed": true}]}, {"eval_id": 1, "configuration": "with_skill", "run_number": 2, "expectations": [{"text": "The plan names 3 rooms", "passed": true}]}, {"eval_id": 1, "configuration": "without_skill", "run_number": 2, "expectations": [{"text": "The plan names 3 rooms", "passed": true}]}]}
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
            "evals/benchmark.json",
            r#"{"runs": [{"eval_id": 1, "configuration": "with_skill", "run_number": 1, "expectations": [{"text": "The plan names 3 rooms", "passed": true}]}, {"eval_id": 1, "configuration": "without_skill", "run_number": 1, "expectations": [{"text": "The plan names 3 rooms", "passed": false}]}, {"eval_id": 1, "configuration": "with_skill", "run_number": 2, "expectations": [{"text": "The plan names 3 rooms", "passed": true}]}, {"eval_id": 1, "configuration": "without_skill", "run_number": 2, "expectations": [{"text": "The plan names 3 rooms", "passed": false}]}]}
"#,
        ),
    ]),
    hides: &[],
    marks: &[],
    source: "skill-creator: agents/analyzer.md",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for file in files::all(skill) {
        let runs = file.json.get("runs").map_or(&[][..], Json::items);
        let mut seen: BTreeMap<(&str, &str), Seen> = BTreeMap::new();
        for run in runs {
            let eval = run.get("eval_id").map_or("", |id| id.span.of(file.text.text()));
            let with_skill = match run.get("configuration").and_then(Json::text) {
                Some("with_skill") => true,
                Some("without_skill") => false,
                _ => continue,
            };
            for graded in files::ASSERTIONS.iter().filter_map(|key| run.get(key)).flat_map(Json::items) {
                let (Some(said), Some(passed)) = (graded.get("text"), graded.get("passed").and_then(Json::bool)) else {
                    continue;
                };
                let first = Seen { place: said.span, with: 0, without: 0, failed: false };
                let seen = seen.entry((eval, said.text().unwrap_or_default())).or_insert(first);
                seen.failed |= !passed;
                *(if with_skill { &mut seen.with } else { &mut seen.without }) += 1;
            }
        }
        for ((_, text), seen) in
            seen.into_iter().filter(|(_, seen)| !seen.failed && seen.with.min(seen.without) >= RUNS)
        {
            let Seen { with, without, place, .. } = seen;
            let message = message!(
                "`{text}` passed in all {with} runs with the skill and all {without} without it; ask for what only the \
                 skill brings",
                "`{text}` 在有技能的全部 {with} 次运行和没有技能的全部 {without} 次运行中都通过；请检查只有技能才能带来的东西"
            );
            report.at(&file.file.path, place, message);
        }
    }
}

struct Seen {
    place: Span,
    with: usize,
    without: usize,
    failed: bool,
}

/// Runs of each kind below which always is chance.
const RUNS: usize = 2;
