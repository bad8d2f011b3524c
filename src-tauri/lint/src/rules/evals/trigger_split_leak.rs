use std::collections::HashMap;

use super::{files, floor_plans};
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::message;
use wording::{Message, Wording};

pub static RULE: Rule = Rule {
    id: "trigger-split-leak",
    group: Group::Evals,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Same query twice", "查询重复"),
    what: Wording::new(
        "The same query, apart from case and punctuation, twice in one set, or in two sets of a skill.",
        "同一个查询（不计大小写和标点）在一组中出现两次，或出现在同一技能的两组中。",
    ),
    why: Wording::new(
        "A set is split into one to tune the description by and one to check it. What is in both is checked \
         against itself. If the two ask for different things, no description can pass.",
        "一组查询会分成两部分：一部分用来调整描述，一部分用来检验。两边都有的查询等于用自己检验自己。\
         如果两处的要求相反，就没有描述能通过。",
    ),
    bad: Example::skill(&[
        ("SKILL.md", floor_plans::SKILL),
        (
            "evals/train.json",
            r#"[{"query": "Sketch the ground floor of my cottage", "should_trigger": true}, {"query": "How large is the hall in this plan?", "should_trigger": true}, {"query": "I need a floor plan for a barn", "should_trigger": true}, {"query": "Where should the stairs go in a small house?", "should_trigger": true}, {"query": "Plan my week", "should_trigger": false}, {"query": "Sketch a logo with a house", "should_trigger": false}, {"query": "What does a cottage cost?", "should_trigger": false}, {"query": "Plan a birthday party", "should_trigger": false}]
"#,
        ),
        (
            "evals/test.json",
            r#"[{"query": "SKETCH THE GROUND FLOOR OF MY COTTAGE", "should_trigger": true}, {"query": "Draw rooms for a family of five", "should_trigger": true}, {"query": "Lay out a kitchen of 12 m²", "should_trigger": true}, {"query": "Turn these measures into a plan", "should_trigger": true}, {"query": "Show the walls that carry the roof", "should_trigger": true}, {"query": "Translate this floor plan legend into French", "should_trigger": false}, {"query": "Write a poem about the stairs", "should_trigger": false}, {"query": "Who draws the best comics?", "should_trigger": false}, {"query": "Find the roof rack for my car", "should_trigger": false}]
"#,
        ),
    ]),
    good: Example::skill(&[
        ("SKILL.md", floor_plans::SKILL),
        (
            "evals/train.json",
            r#"[{"query": "Sketch the ground floor of my cottage", "should_trigger": true}, {"query": "How large is the hall in this plan?", "should_trigger": true}, {"query": "I need a floor plan for a barn", "should_trigger": true}, {"query": "Where should the stairs go in a small house?", "should_trigger": true}, {"query": "Plan my week", "should_trigger": false}, {"query": "Sketch a logo with a house", "should_trigger": false}, {"query": "What does a cottage cost?", "should_trigger": false}, {"query": "Plan a birthday party", "should_trigger": false}]
"#,
        ),
        (
            "evals/test.json",
            r#"[{"query": "Draw rooms for a family of five", "should_trigger": true}, {"query": "Lay out a kitchen of 12 m²", "should_trigger": true}, {"query": "Turn these measures into a plan", "should_trigger": true}, {"query": "Show the walls that carry the roof", "should_trigger": true}, {"query": "Translate this floor plan legend into French", "should_trigger": false}, {"query": "Write a poem about the stairs", "should_trigger": false}, {"query": "Who draws the best comics?", "should_trigger": false}, {"query": "Find the roof rack for my car", "should_trigger": false}]
"#,
        ),
    ]),
    hides: &[],
    marks: &[],
    source: "agentskills.io: optimizing descriptions; skill-creator: run_eval.py",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let files = files::all(skill);
    let mut seen: HashMap<String, (&str, bool)> = HashMap::new();
    let mut found = 0;
    for (file, set) in files::query_sets(&files) {
        for query in &set {
            let words = files::words(query.said.text).join(" ");
            let here = (file.file.name.as_str(), query.should_trigger);
            let Some((place, wanted)) = seen.get(&words) else {
                seen.insert(words, here);
                continue;
            };
            found += 1;
            if found > MOST {
                return;
            }
            let Message { en, zh } = match *place == here.0 {
                true => message!("above", "上文"),
                false => message!("in `{place}`", " `{place}` 中"),
            };
            let message = match *wanted == query.should_trigger {
                true => {
                    message!("the same query is {en}; keep it in one place", "同一个查询已在{zh}出现；请只保留一处")
                }
                false => message!(
                    "the same query is {en} with the opposite answer; keep one of the two",
                    "同一个查询已在{zh}出现，要求却相反；请只保留其中一个"
                ),
            };
            report.at(&file.file.path, query.said.span, message);
        }
    }
}

/// Findings in one skill; further ones say nothing new.
const MOST: usize = 20;
