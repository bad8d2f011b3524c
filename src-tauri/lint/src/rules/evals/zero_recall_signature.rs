use super::files;
use super::json::Json;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::source::Span;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "zero-recall-signature",
    group: Group::Evals,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("The test of triggers is broken", "触发测试本身有问题"),
    what: Wording::new(
        "Results of a trigger test in which no query at all started the skill, of three or more that should and \
           three or more that should not.",
        "在触发测试的结果中，没有任何查询启动了技能，而应启动的和不应启动的各有三个或更多。",
    ),
    why: Wording::new(
        "Precision 100 %, recall 0 %, accuracy 50 % is the sign of a broken test, not of a bad description: \
         skill-creator's `run_eval.py` counts any first tool call other than the skill's as a miss, and its \
         parallel runs share one folder. Tuning the description by it makes it worse.",
        "精确率 100%、召回率 0%、准确率 50% 说明测试有问题，而不是描述不好：skill-creator 的 `run_eval.py` \
         把首个工具调用不是该技能的都算作未命中，它的并行运行还共用一个文件夹。据此调整描述只会更糟。",
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
    marks: &[],
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
            let message = message!(
                "none of {} queries started the skill: look at the test before you change the description",
                "{} 个查询都没有启动技能：修改描述之前请先检查测试",
                with.len() + without.len()
            );
            report.at(&file.file.path, Span::new(results.span.start, results.span.start + 1), message);
        }
    }
}

/// Queries of each kind below which never is chance.
const NEEDED: usize = 3;
