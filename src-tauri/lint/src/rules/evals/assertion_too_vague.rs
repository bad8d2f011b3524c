use super::files;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "assertion-too-vague",
    group: Group::Evals,
    severity: Severity::Info,
    on: true,
    title: Wording::new("Assertion is too vague to check", "断言过于含糊"),
    what: Wording::new(
        "A short assertion in `evals/evals.json` that only says that something is good, correct, appropriate or \
           as expected, without a figure, a name in quotes or anything else to look for.",
        "`evals/evals.json` 中的简短断言，只说某样东西好、正确、合适或符合预期，没有数字、\
         引号中的名称或其他可供查找的内容。",
    ),
    why: Wording::new(
        "The grader passes nearly everything; the evaluation cannot tell a better skill from a worse one.",
        "评分者几乎什么都会放行；评测分不出更好的技能和更差的技能。",
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
   "prompt": "Draw the plan of the house.",
   "expected_output": "A plan.",
   "assertions": [
    "The output is correct"
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
   "prompt": "Draw the plan of the house.",
   "expected_output": "A plan.",
   "assertions": [
    "The plan names 3 rooms and their areas"
   ]
  }
 ]
}
"#,
        ),
    ]),
    hides: &[],
    marks: &[],
    source: "skill-creator: agents/grader.md; agentskills.io: evaluating skills",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(file) = files::cases_of(skill) else { return };
    for said in file.cases().iter().flat_map(files::assertions) {
        let lower = said.text.to_lowercase();
        let mut inner = lower.trim_end_matches('.').chars();
        let concrete = inner.any(|letter| letter.is_ascii_digit() || "`\"'“‘「./_".contains(letter));
        let words = files::words(said.text).len();
        if !concrete && words <= LONGEST && VAGUE.iter().any(|phrase| lower.contains(phrase)) {
            let message = Wording::new(
                "say what to look for: a file, a figure, a word that must be there",
                "请写明要查找什么：某个文件、某个数字、必须出现的某个词",
            );
            report.at(&file.file.path, said.span, message);
        }
    }
}

/// Words of an assertion that can still be vague; longer ones say more.
const LONGEST: usize = 9;
const VAGUE: [&str; 24] = [
    "is correct",
    "are correct",
    "works correctly",
    "works well",
    "works as expected",
    "as expected",
    "is good",
    "looks good",
    "good quality",
    "high quality",
    "high-quality",
    "is appropriate",
    "is helpful",
    "is useful",
    "makes sense",
    "is reasonable",
    "well written",
    "well-written",
    "输出正确",
    "结果正确",
    "符合预期",
    "质量高",
    "效果好",
    "内容合理",
];
