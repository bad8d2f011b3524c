use super::floor_plans::wanted;
use super::trigger_set_too_small;
use super::{files, floor_plans};
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "trigger-set-unbalanced",
    group: Group::Evals,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Queries of one kind only, or nearly", "触发查询正反例失衡"),
    what: Wording::new(
        "A set of queries in which those that should start the skill, or those that should not, are missing or \
         less than a fifth.",
        "一组查询中，应启动技能的或不应启动技能的一个也没有，或不到五分之一。",
    ),
    why: Wording::new(
        "A description that always fires, or never, gets a good mark.",
        "总是触发或从不触发的描述也会得到好成绩。",
    ),
    bad: Example::skill(&[
        ("SKILL.md", floor_plans::SKILL),
        (
            "evals/eval_queries.json",
            concat!("[", wanted!(), ", {\"query\": \"Plan my week\", \"should_trigger\": false}]\n"),
        ),
    ]),
    good: Example::skill(&[("SKILL.md", floor_plans::SKILL), ("evals/eval_queries.json", floor_plans::QUERIES)]),
    hides: &[&trigger_set_too_small::RULE],
    marks: &[],
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
            let Wording { en, zh } = match with < without {
                true => Wording::new("should start the skill", "应启动技能"),
                false => Wording::new("should not start the skill", "不应启动技能"),
            };
            let fewer = with.min(without);
            let of = set.len();
            let message = message!(
                "{fewer} of {of} queries {en}; write about as many of each",
                "{of} 个查询中有 {fewer} 个{zh}；请让两种查询的数量相近"
            );
            report.about(&file.file.path, message);
        }
    }
}

/// Queries below which a share says nothing.
const NEEDED: usize = 5;
