use super::files;
use crate::lint::{Check, Example, Group, Report, Rule, Subject};
use crate::skill::Severity;

pub static RULE: Rule = Rule {
    id: "trigger-set-unbalanced",
    group: Group::Evals,
    severity: Severity::Warning,
    on: true,
    title: "Queries of one kind only, or nearly",
    title_zh: "触发查询正反例失衡",
    what: "A set of queries in which those that should start the skill, or those that should not, are none or less \
           than a fifth.",
    why: "A description that always fires, or never, gets a good mark.",
    bad: Example::skill(&[
        (
            "SKILL.md",
            "---\nname: demo\ndescription: Draws floor plans of houses. Use when asked for a plan, rooms, walls or stairs of a building.\n---\nDo it.\n",
        ),
        (
            "evals/eval_queries.json",
            "[{\"query\": \"Sketch the ground floor of my cottage\", \"should_trigger\": true}, {\"query\": \"How large is the hall in this plan?\", \"should_trigger\": true}, {\"query\": \"I need a floor plan for a barn\", \"should_trigger\": true}, {\"query\": \"Where should the stairs go in a small house?\", \"should_trigger\": true}, {\"query\": \"Draw rooms for a family of five\", \"should_trigger\": true}, {\"query\": \"Lay out a kitchen of 12 m²\", \"should_trigger\": true}, {\"query\": \"Turn these measures into a plan\", \"should_trigger\": true}, {\"query\": \"Show the walls that carry the roof\", \"should_trigger\": true}, {\"query\": \"Plan my week\", \"should_trigger\": false}]\n",
        ),
    ]),
    good: Example::skill(&[
        (
            "SKILL.md",
            "---\nname: demo\ndescription: Draws floor plans of houses. Use when asked for a plan, rooms, walls or stairs of a building.\n---\nDo it.\n",
        ),
        (
            "evals/eval_queries.json",
            "[{\"query\": \"Sketch the ground floor of my cottage\", \"should_trigger\": true}, {\"query\": \"How large is the hall in this plan?\", \"should_trigger\": true}, {\"query\": \"I need a floor plan for a barn\", \"should_trigger\": true}, {\"query\": \"Where should the stairs go in a small house?\", \"should_trigger\": true}, {\"query\": \"Draw rooms for a family of five\", \"should_trigger\": true}, {\"query\": \"Lay out a kitchen of 12 m²\", \"should_trigger\": true}, {\"query\": \"Turn these measures into a plan\", \"should_trigger\": true}, {\"query\": \"Show the walls that carry the roof\", \"should_trigger\": true}, {\"query\": \"Plan my week\", \"should_trigger\": false}, {\"query\": \"Sketch a logo with a house\", \"should_trigger\": false}, {\"query\": \"What does a cottage cost?\", \"should_trigger\": false}, {\"query\": \"Plan a birthday party\", \"should_trigger\": false}, {\"query\": \"Translate this floor plan legend into French\", \"should_trigger\": false}, {\"query\": \"Write a poem about the stairs\", \"should_trigger\": false}, {\"query\": \"Who draws the best comics?\", \"should_trigger\": false}, {\"query\": \"Find the roof rack for my car\", \"should_trigger\": false}]\n",
        ),
    ]),
    source: "agentskills.io: optimizing descriptions; skill-creator: run_eval.py",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let files = files::all(skill);
    for (file, set) in files::query_sets(&files).filter(|(_, set)| set.len() >= NEEDED) {
        let with = set.iter().filter(|query| query.should_trigger).count();
        let without = set.len() - with;
        if with.min(without) * 5 < set.len() {
            let which = if with < without { "should start the skill" } else { "should not start the skill" };
            let fewer = with.min(without);
            let message = format!("{fewer} of {} queries {which}; write about as many of each", set.len());
            report.about(&file.file.path, message);
        }
    }
}

/// Queries below which a share says nothing.
const NEEDED: usize = 5;
