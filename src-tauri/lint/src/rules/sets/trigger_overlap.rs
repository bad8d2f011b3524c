use std::collections::HashMap;

use crate::analysis::triggers;
use crate::{Check, Example, Group, Report, Rule, SubjectSet};
use skill::Severity;
use skill::source::Span;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "trigger-overlap",
    group: Group::Sets,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Two skills want the same request", "两个技能争抢同一请求"),
    what: Wording::new(
        "A query that should trigger a skill by its trigger set in `evals/`, and should trigger another one by that one's.",
        "一个查询按某技能在 `evals/` 中的触发集应触发该技能，按另一个技能的触发集又应触发另一个。",
    ),
    why: Wording::new(
        "Both sets cannot pass: a model that loads the one fails the other's test.",
        "两个触发集无法同时通过：加载其中一个技能的模型通不过另一个的测试。",
    ),
    bad: Example {
        folder: "demo",
        files: &[
            (
                "SKILL.md",
                r"---
name: demo
description: Use when asked for a demo.
---
Do it.
",
            ),
            ("evals/eval_queries.json", "[{\"query\": \"Show me how it works\", \"should_trigger\": true}]\n"),
            (
                "/tour/SKILL.md",
                r"---
name: tour
description: Use when asked for a tour.
---
Do it.
",
            ),
            ("/tour/evals/eval_queries.json", "[{\"query\": \"show me how it works\", \"should_trigger\": true}]\n"),
        ],
    },
    good: Example {
        folder: "demo",
        files: &[
            (
                "SKILL.md",
                r"---
name: demo
description: Use when asked for a demo.
---
Do it.
",
            ),
            ("evals/eval_queries.json", "[{\"query\": \"Show me how it works\", \"should_trigger\": true}]\n"),
            (
                "/tour/SKILL.md",
                r"---
name: tour
description: Use when asked for a tour.
---
Do it.
",
            ),
            ("/tour/evals/eval_queries.json", "[{\"query\": \"show me how it works\", \"should_trigger\": false}]\n"),
        ],
    },
    hides: &[],
    marks: &[],
    source: "optimizing descriptions",
    fix: None,
    check: Check::Set(check),
};

fn check(set: &SubjectSet<'_>, report: &mut Report<'_>) {
    let mut wanted: HashMap<String, usize> = HashMap::new();
    for (place, skill) in set.skills.iter().enumerate() {
        for file in triggers::files(skill) {
            let Some(source) = set.files().text(&file.path) else { continue };
            for query in triggers::queries(&source.text) {
                let first = *wanted.entry(triggers::key(&query)).or_insert(place);
                if first == place || set.skills[first].name() == skill.name() {
                    continue;
                }
                let message = message!(
                    "`{query}` should trigger `{}` as well; decide which",
                    "`{query}` 也应触发 `{}`；请决定由哪一个负责",
                    set.skills[first].name()
                );
                match source.text.find(&query) {
                    Some(at) => report.at(&file.path, Span::new(at, at + query.len()), message),
                    None => report.about(&file.path, message),
                };
            }
        }
    }
}
