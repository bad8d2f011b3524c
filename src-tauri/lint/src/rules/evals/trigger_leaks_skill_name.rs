use super::floor_plans::near_misses;
use super::{files, floor_plans};
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "trigger-leaks-skill-name",
    group: Group::Evals,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Query names the skill", "查询泄露了技能名"),
    what: Wording::new(
        "A query that should start the skill and has its name in it, if the name has two words or more (`floor-plans`), \
         or follows a slash.",
        "应启动技能的查询中含有技能名，且该名称由两个词或更多组成（`floor-plans`），或前面有斜杠。",
    ),
    why: Wording::new(
        "The model finds the skill by its name, whatever the description says. Users do not know the name.",
        "不论描述怎么写，模型都能凭名称找到技能，而用户并不知道这个名称。",
    ),
    bad: Example {
        folder: "floor-plans",
        files: &[
            (
                "SKILL.md",
                r"---
name: floor-plans
description: Draws floor plans of houses. Use when asked for a plan, rooms, walls or stairs of a building.
---
Do it.
",
            ),
            (
                "evals/eval_queries.json",
                concat!(
                    "[{\"query\": \"Use floor-plans to draw my cottage\", \"should_trigger\": true}, {\"query\": \"How large is the hall in this plan?\", \"should_trigger\": true}, {\"query\": \"I need a floor plan for a barn\", \"should_trigger\": true}, {\"query\": \"Where should the stairs go in a small house?\", \"should_trigger\": true}, {\"query\": \"Draw rooms for a family of five\", \"should_trigger\": true}, {\"query\": \"Lay out a kitchen of 12 m²\", \"should_trigger\": true}, {\"query\": \"Turn these measures into a plan\", \"should_trigger\": true}, {\"query\": \"Show the walls that carry the roof\", \"should_trigger\": true}, ",
                    near_misses!(),
                    "]\n"
                ),
            ),
        ],
    },
    good: Example {
        folder: "floor-plans",
        files: &[
            (
                "SKILL.md",
                r"---
name: floor-plans
description: Draws floor plans of houses. Use when asked for a plan, rooms, walls or stairs of a building.
---
Do it.
",
            ),
            ("evals/eval_queries.json", floor_plans::QUERIES),
        ],
    },
    hides: &[],
    marks: &[],
    source: "agentskills.io: optimizing descriptions; skill-creator: run_eval.py",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let name = skill.skill.name();
    let files = files::all(skill);
    for (file, set) in files::query_sets(&files) {
        for query in set.iter().filter(|query| query.should_trigger && names(query.said.text, name)) {
            let message = message!(
                "the query names the skill `{name}`; ask as somebody would who does not know it",
                "查询中写了技能名 `{name}`；请换成不知道它的人会用的说法"
            );
            report.at(&file.file.path, query.said.span, message);
        }
    }
}

/// A single word may well be what users call the thing.
fn names(query: &str, name: &str) -> bool {
    let is_part = |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '-');
    query.match_indices(name).any(|(at, _)| {
        let before = query[..at].chars().next_back();
        let whole = !is_part(before) && !is_part(query[at + name.len()..].chars().next());
        whole && (name.contains('-') || before == Some('/'))
    })
}
