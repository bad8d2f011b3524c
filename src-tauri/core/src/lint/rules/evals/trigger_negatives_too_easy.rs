use std::cell::LazyCell;

use super::files;
use crate::lint::{Check, Example, Group, Report, Rule, Subject};
use crate::skill::Severity;

pub static RULE: Rule = Rule {
    id: "trigger-negatives-too-easy",
    group: Group::Evals,
    severity: Severity::Info,
    on: true,
    title: "Queries that nobody would mistake",
    title_zh: "反例过于容易",
    what: "A set of queries in which none of those that should not start the skill has a word in common with its \
           name or description.",
    why: "Any description passes them. Only near misses, which share words and want something else, show whether it \
          is too broad.",
    bad: Example::skill(&[
        (
            "SKILL.md",
            "---\nname: demo\ndescription: Draws floor plans of houses. Use when asked for a plan, rooms, walls or stairs of a building.\n---\nDo it.\n",
        ),
        (
            "evals/eval_queries.json",
            "[{\"query\": \"Sketch the ground floor of my cottage\", \"should_trigger\": true}, {\"query\": \"How large is the hall in this plan?\", \"should_trigger\": true}, {\"query\": \"I need a floor plan for a barn\", \"should_trigger\": true}, {\"query\": \"Where should the stairs go in a small house?\", \"should_trigger\": true}, {\"query\": \"Draw rooms for a family of five\", \"should_trigger\": true}, {\"query\": \"Lay out a kitchen of 12 m²\", \"should_trigger\": true}, {\"query\": \"Turn these measures into a plan\", \"should_trigger\": true}, {\"query\": \"Show the walls that carry the roof\", \"should_trigger\": true}, {\"query\": \"What is the weather?\", \"should_trigger\": false}, {\"query\": \"Tell me a joke\", \"should_trigger\": false}, {\"query\": \"Sing something\", \"should_trigger\": false}, {\"query\": \"Who won yesterday?\", \"should_trigger\": false}, {\"query\": \"Count to ten\", \"should_trigger\": false}, {\"query\": \"Spell banana\", \"should_trigger\": false}, {\"query\": \"Boil an egg\", \"should_trigger\": false}, {\"query\": \"Name a fish\", \"should_trigger\": false}]\n",
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
    let about = format!("{} {}", skill.skill.name(), skill.value("description").unwrap_or_default());
    let topics = LazyCell::new(|| files::topics(&about[..about.floor_char_boundary(LONGEST)]));
    for (file, set) in files::query_sets(&files) {
        let negatives: Vec<_> = set.iter().filter(|query| !query.should_trigger).collect();
        let is_near = |text: &str| files::topics(text).iter().any(|topic| topics.iter().any(|own| same(own, topic)));
        if negatives.len() >= NEEDED && !topics.is_empty() && !negatives.iter().any(|query| is_near(query.said.text)) {
            let message = format!(
                "none of the {} queries that should not start the skill has a word of its description; add near misses",
                negatives.len()
            );
            report.at(&file.file.path, negatives[0].said.span, message);
        }
    }
}

/// Words that differ by an ending count as one.
fn same(a: &str, b: &str) -> bool {
    a == b || (a.len().min(b.len()) >= 4 && (a.starts_with(b) || b.starts_with(a)))
}

/// Bytes of a description that are looked at.
const LONGEST: usize = 4096;
/// Queries below which none may be near by chance.
const NEEDED: usize = 3;
