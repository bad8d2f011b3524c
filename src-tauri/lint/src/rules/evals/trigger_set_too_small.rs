use super::{files, floor_plans};
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "trigger-set-too-small",
    group: Group::Evals,
    severity: Severity::Info,
    on: true,
    title: Wording::new("Too few queries to tell", "触发查询太少"),
    what: Wording::new(
        "A set of queries (`query`, `should_trigger`) with fewer than eight that should start the skill, or fewer \
           than eight that should not.",
        "一组查询（`query`、`should_trigger`）中，应启动技能的少于八个，或不应启动的少于八个。",
    ),
    why: Wording::new(
        "With few queries the rate jumps by large steps, and a description that is tuned to it is tuned to chance.",
        "查询太少时，比率会大幅跳动，据此调整描述就等于凭偶然调整。",
    ),
    bad: Example::skill(&[
        ("SKILL.md", floor_plans::SKILL),
        (
            "evals/eval_queries.json",
            r#"[{"query": "Sketch the ground floor of my cottage", "should_trigger": true}, {"query": "How large is the hall in this plan?", "should_trigger": true}, {"query": "I need a floor plan for a barn", "should_trigger": true}, {"query": "Plan my week", "should_trigger": false}, {"query": "Sketch a logo with a house", "should_trigger": false}, {"query": "What does a cottage cost?", "should_trigger": false}]
"#,
        ),
    ]),
    good: Example::skill(&[("SKILL.md", floor_plans::SKILL), ("evals/eval_queries.json", floor_plans::QUERIES)]),
    hides: &[],
    marks: &[],
    source: "agentskills.io: optimizing descriptions; skill-creator: run_eval.py",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let files = files::all(skill);
    // A set that is split in two counts as a whole.
    let sets: Vec<_> = files::query_sets(&files).collect();
    let Some((first, _)) = sets.first() else { return };
    let count = |wanted| sets.iter().flat_map(|(_, set)| set).filter(|query| query.should_trigger == wanted).count();
    let (with, without) = (count(true), count(false));
    if with.min(without) > 0 && with.min(without) < NEEDED {
        let message = message!(
            "{with} queries should start the skill and {without} should not; {NEEDED} to 10 of each are needed to tell",
            "应启动技能的查询有 {with} 个，不应启动的有 {without} 个；各需 {NEEDED} 到 10 个才能判断"
        );
        report.about(&first.file.path, message);
    }
}

const NEEDED: usize = 8;
