use std::cell::LazyCell;

use super::floor_plans::wanted;
use super::{files, floor_plans};
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "trigger-negatives-too-easy",
    group: Group::Evals,
    severity: Severity::Info,
    on: true,
    title: Wording::new("Queries that nobody would mistake", "反例过于容易"),
    what: Wording::new(
        "A set of queries in which none of those that should not start the skill has a word in common with its \
           name or description.",
        "一组查询中，不应启动技能的查询与技能的名称和描述没有一个共同的词。",
    ),
    why: Wording::new(
        "Any description passes them. Only near misses, which share words but ask for something else, show \
         whether it is too broad.",
        "任何描述都能通过它们。只有用词相近、要求却不同的查询，才能看出描述是否过于宽泛。",
    ),
    bad: Example::skill(&[
        ("SKILL.md", floor_plans::SKILL),
        (
            "evals/eval_queries.json",
            concat!(
                "[",
                wanted!(),
                r#", {"query": "What is the weather?", "should_trigger": false}, {"query": "Tell me a joke", "should_trigger": false}, {"query": "Sing something", "should_trigger": false}, {"query": "Who won yesterday?", "should_trigger": false}, {"query": "Count to ten", "should_trigger": false}, {"query": "Spell banana", "should_trigger": false}, {"query": "Boil an egg", "should_trigger": false}, {"query": "Name a fish", "should_trigger": false}]
"#
            ),
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
    let about = format!("{} {}", skill.skill.name(), skill.value("description").unwrap_or_default());
    let topics = LazyCell::new(|| files::topics(&about[..about.floor_char_boundary(LONGEST)]));
    for (file, set) in files::query_sets(&files) {
        let negatives: Vec<_> = set.iter().filter(|query| !query.should_trigger).collect();
        let is_near = |text: &str| files::topics(text).iter().any(|topic| topics.iter().any(|own| same(own, topic)));
        if negatives.len() >= NEEDED && !topics.is_empty() && !negatives.iter().any(|query| is_near(query.said.text)) {
            let message = message!(
                "none of the {} queries that should not start the skill has a word of its description; add near misses",
                "{} 个不应启动技能的查询都不含描述中的词；请添加相近的反例",
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

/// How many bytes of a description are compared.
const LONGEST: usize = 4096;
/// Queries below which none may be near by chance.
const NEEDED: usize = 3;
