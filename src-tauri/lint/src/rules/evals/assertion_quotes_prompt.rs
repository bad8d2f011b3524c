use super::files;
use super::json::Json;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "assertion-quotes-prompt",
    group: Group::Evals,
    severity: Severity::Info,
    on: false,
    title: Wording::new("Assertion only repeats the prompt", "断言只是重复提示词"),
    what: Wording::new(
        "An assertion in `evals/evals.json` of four words or more whose words are in the case's prompt in the \
         same order.",
        "`evals/evals.json` 中四个词或更多的断言，其用词按同样的顺序出现在该用例的提示词中。",
    ),
    why: Wording::new(
        "An answer that repeats the request passes. The assertion measures nothing that the skill adds.",
        "照抄请求的回答也能通过。该断言衡量不出技能带来的任何东西。",
    ),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Do it.
",
        ),
        (
            "evals/evals.json",
            r#"{
 "skill_name": "demo",
 "evals": [
  {
   "id": 1,
   "prompt": "Make a plan of the house with three rooms.",
   "expected_output": "A plan.",
   "assertions": [
    "A plan of the house with three rooms"
   ]
  }
 ]
}
"#,
        ),
    ]),
    good: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Do it.
",
        ),
        (
            "evals/evals.json",
            r#"{
 "skill_name": "demo",
 "evals": [
  {
   "id": 1,
   "prompt": "Make a plan of the house with three rooms.",
   "expected_output": "A plan.",
   "assertions": [
    "The areas of the rooms add up to the area of the house"
   ]
  }
 ]
}
"#,
        ),
    ]),
    hides: &[],
    marks: &[],
    source: "agentskills.io: evaluating skills",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(file) = files::cases_of(skill) else { return };
    for case in file.cases() {
        let Some(prompt) = case.get("prompt").and_then(Json::text) else { continue };
        let prompt = format!(" {} ", files::words(prompt).join(" "));
        for said in files::assertions(case) {
            let words = files::words(said.text);
            if words.len() >= SHORTEST && prompt.contains(&format!(" {} ", words.join(" "))) {
                let message = Wording::new(
                    "the prompt says the same; say what a good answer has beyond it",
                    "提示词里已经这样说了；请写出好的回答还应有什么",
                );
                report.at(&file.file.path, said.span, message);
            }
        }
    }
}

/// Words below which the same words are chance.
const SHORTEST: usize = 4;
