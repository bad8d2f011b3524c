use super::files;
use super::json::Json;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::source::Span;
use skill::wording::Wording;

pub static RULE: Rule = Rule {
    id: "zero-recall-signature",
    group: Group::Evals,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("The test of triggers is broken", "触发测试本身有问题"),
    what: Wording::new(
        "Results of a trigger test in which no query at all started the skill, of three or more that should and \
           three or more that should not.",
        "",
    ),
    why: Wording::new(
        "Precision 100 %, recall 0 %, accuracy 50 % is the sign of a broken test, not of a bad description: \
          skill-creator's `run_eval.py` takes any first tool call but the skill's for a miss, and its parallel runs \
          share one folder. Tuning the description by it makes it worse.",
        "",
    ),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Draws floor plans of houses. Use when asked for a plan, rooms, walls or stairs of a building.
---
Do it.
",
        ),
        (
            "evals/trigger_results.json",
            r#"{"skill_name": "demo", "results": [{"query": "Sketch the ground floor of my cottage", "should_trigger": true, "trigger_rate": 0.0, "runs": 3}, {"query": "How large is the hall in this plan?", "should_trigger": true, "trigger_rate": 0.0, "runs": 3}, {"query": "I need a floor plan for a barn", "should_trigger": true, "trigger_rate": 0.0, "runs": 3}, {"query": "Plan my week", "should_trigger": false, "trigger_rate": 0.0, "runs": 3}, {"query": "Sketch a logo with a house", "should_trigger": false, "trigger_rate": 0.0, "runs": 3}, {"query": "What does a cottage cost?", "should_trigger": false, "trigger_rate": 0.0, "runs": 3}]}
"#,
        ),
    ]),
    good: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Draws floor plans of houses. Use when asked for a plan, rooms, walls or stairs of a building.
---
Do it.
",
        ),
        (
            "evals/trigger_results.json",
            r#"{"skill_name": "demo", "results": [{"query": "Sketch the ground floor of my cottage", "should_trigger": true, "trigger_rate": 0.67, "runs": 3}, {"query": "How large is the hall in this plan?", "should_trigger": true, "trigger_rate": 0.67, "runs": 3}, {"query": "I need a floor plan for a barn", "should_trigger": true, "trigger_rate": 0.67, "runs": 3}, {"query": "Plan my week", "should_trigger": false, "trigger_rate": 0.0, "runs": 3}, {"query": "Sketch a logo with a house", "should_trigger": false, "trigger_rate": 0.0, "runs": 3}, {"query": "What does a cottage cost?", "should_trigger": false, "trigger_rate": 0.0, "runs": 3}]}
"#,
        ),
    ]),
    hides: &[],
    source: "anthropics/skills issues 556, 1427, 1559; claude-plugins-official issue 1249",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for file in files::all(skill) {
        let Some(results) = file.json.get("results") else { continue };
        let rates = |wanted: bool| -> Vec<f64> {
            let of_kind = |item: &&Json| item.get("should_trigger").and_then(Json::bool) == Some(wanted);
            let items = results.items().iter().filter(of_kind);
            items.filter_map(|item| item.get("trigger_rate").and_then(Json::number)).collect()
        };
        let (with, without) = (rates(true), rates(false));
        let never = |rates: &[f64]| rates.len() >= NEEDED && rates.iter().all(|rate| *rate == 0.0);
        if never(&with) && never(&without) {
            let message = format!(
                "none of {} queries started the skill: look at the test before you change the description",
                with.len() + without.len()
            );
            report.at(&file.file.path, Span::new(results.span.start, results.span.start + 1), message);
        }
    }
}

/// Queries of each kind below which never is chance.
const NEEDED: usize = 3;
