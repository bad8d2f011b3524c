use super::files::{self, ASSERTIONS};
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::{Message, Wording};

pub static RULE: Rule = Rule {
    id: "evals-dialect-mixed",
    group: Group::Evals,
    severity: Severity::Info,
    on: true,
    title: Wording::new("Two dialects in one file", "同一文件混用两种格式"),
    what: Wording::new(
        "`evals/evals.json` with both `assertions`, the name that agentskills.io uses, and `expectations`, that \
         of skill-creator.",
        "`evals/evals.json` 同时使用 agentskills.io 的 `assertions` 和 skill-creator 的 `expectations`。",
    ),
    why: Wording::new(
        "Each runner reads one of the two names. What is under the other is never checked.",
        "每种运行器只读取其中一个名称。写在另一个名称下的内容永远不会被检查。",
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
    "The plan has 3 rooms"
   ]
  },
  {
   "id": 2,
   "prompt": "Draw a barn.",
   "expected_output": "A plan.",
   "expectations": [
    "The barn has 2 doors"
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
    "The plan has 3 rooms"
   ]
  },
  {
   "id": 2,
   "prompt": "Draw a barn.",
   "expected_output": "A plan.",
   "assertions": [
    "The barn has 2 doors"
   ]
  }
 ]
}
"#,
        ),
    ]),
    hides: &[],
    marks: &[],
    source: "agentskills.io: evaluating skills; skill-creator: references/schemas.md",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(file) = files::cases_of(skill) else { return };
    let [ours, other] = ASSERTIONS.map(|key| file.cases().iter().filter_map(|case| case.get(key)).collect::<Vec<_>>());
    let (fewer, key, kept) = match ours.len() < other.len() {
        true => (ours, ASSERTIONS[0], ASSERTIONS[1]),
        false => (other, ASSERTIONS[1], ASSERTIONS[0]),
    };
    if let Some(first) = fewer.first() {
        let count = fewer.len();
        let lists = if count == 1 { "list is" } else { "lists are" };
        let message = Message {
            en: format!("{count} {lists} under `{key}`, elsewhere in the file under `{kept}`; use one name"),
            zh: format!("有 {count} 个列表写在 `{key}` 下，文件中其他地方写在 `{kept}` 下；请统一名称"),
        };
        report.at(&file.file.path, first.span, message);
    }
}
