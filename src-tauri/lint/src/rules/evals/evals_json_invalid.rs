use super::files;
use super::json::{Json, Value};
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::source::Span;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "evals-json-invalid",
    group: Group::Evals,
    severity: Severity::Warning,
    on: false,
    title: Wording::new("Evaluations cannot be read", "评测文件无法读取"),
    what: Wording::new(
        "`evals/evals.json` that is not JSON, is not a map with a list `evals`, or has a case without a `prompt` \
         that is text.",
        "`evals/evals.json` 不是 JSON、不是含有列表 `evals` 的键值对，或其中有用例没有文本形式的 `prompt`。",
    ),
    why: Wording::new(
        "No runner of evaluations can use it; some stop, some run the other cases and say nothing.",
        "没有评测运行器能正常使用它；有的会停止，有的只运行其他用例而不作说明。",
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
        ("evals/evals.json", "{\"skill_name\": \"demo\", \"evals\": [{\"id\": 1}]}\n"),
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
   "expected_output": "A plan."
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
    let Some(file) = skill.file(files::CASES) else { return };
    let Some(text) = skill.read(file) else { return };
    let json = match Json::parse(text.text()) {
        Ok(json) => json,
        Err(error) => {
            let why = error.message;
            let message = message!("the file is not JSON: {why}", "文件不是 JSON：{why}"; why);
            report.at(&file.path, Span::new(error.at, error.at), message);
            return;
        }
    };
    // Another program's list.
    if matches!(json.value, Value::List(_)) {
        return;
    }
    let Some(Value::List(cases)) = json.get("evals").map(|list| &list.value) else {
        let place = json.get("evals").map_or(Span::new(json.span.start, json.span.start), |list| list.span);
        let message = Wording::new(
            "the file must be `{\"skill_name\": …, \"evals\": [ … ]}`, with a list of cases",
            "文件必须是 `{\"skill_name\": …, \"evals\": [ … ]}`，其中 `evals` 是用例列表",
        );
        let finding = report.at(&file.path, place, message);
        if json.get("evals").is_none() {
            finding.weigh_less(Wording::new("it may be for a program of your own", "它可能是给你自己的程序用的"));
        }
        return;
    };
    for (place, case) in cases.iter().enumerate() {
        if case.get("prompt").and_then(Json::text).is_none_or(|prompt| prompt.trim().is_empty()) {
            let message = message!(
                "case {} has no `prompt`; write what the user asks",
                "第 {} 个用例没有 `prompt`；请写出用户的请求",
                place + 1
            );
            report.at(&file.path, case.span, message);
        }
    }
}
