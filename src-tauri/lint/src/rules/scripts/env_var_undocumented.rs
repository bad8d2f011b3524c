use std::collections::HashSet;

use crate::code::{base_name, known};
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "env-var-undocumented",
    group: Group::Scripts,
    severity: Severity::Info,
    on: false,
    title: Wording::new("Script needs an environment variable that nothing names", "脚本所需的环境变量未说明"),
    what: Wording::new(
        "A script that reads an environment variable without a default, if no text of the skill and no `.env` example names the variable, and no script of the skill sets it. Variables that systems, shells and agents set are not reported.",
        "脚本读取了没有默认值的环境变量，而技能的文本和 `.env` 示例都没有提到它，技能的脚本也没有设置它。系统、Shell 和智能体自己会设置的变量不报告。",
    ),
    why: Wording::new(
        "Nobody knows that it must be set: the script fails, or behaves differently than on its author's machine.",
        "没人知道要设置它：脚本会失败，或者行为与作者机器上不同。",
    ),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Run `python3 scripts/send.py`.
",
        ),
        (
            "scripts/send.py",
            r#"import os

print(os.environ["DEMO_TOKEN"][:4])
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
Set `DEMO_TOKEN`, then run `python3 scripts/send.py`.
",
        ),
        (
            "scripts/send.py",
            r#"import os

print(os.environ["DEMO_TOKEN"][:4])
"#,
        ),
    ]),
    hides: &[],
    marks: &[],
    source: "agentskills.io specification: environment needs are stated",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let code = skill.code();
    let mut said = HashSet::new();
    // One script may set it for another.
    let sets: HashSet<&String> = code.scripts.iter().flat_map(|script| &script.facts.sets).collect();
    let examples = skill.skill.files.iter().filter(|file| base_name(&file.name).contains(".env"));
    let examples: Vec<_> = examples.filter_map(|file| skill.read(file)).collect();
    for script in &code.scripts {
        let optional: HashSet<&str> =
            script.facts.variables.iter().filter(|one| !one.needed).map(|one| one.name.as_str()).collect();
        let needed = script.facts.variables.iter().filter(|one| !optional.contains(one.name.as_str()));
        for variable in needed {
            let name = variable.name.as_str();
            if !is_name(name)
                || known::is_set_anyway(name)
                || sets.contains(&variable.name)
                || code.names(name)
                || !said.insert(name)
            {
                continue;
            }
            if examples.iter().any(|example| example.text().contains(name)) {
                continue;
            }
            let message = message!(
                "the script reads `{name}`, which no text of the skill mentions; name it in SKILL.md, with what it is for",
                "脚本读取 `{name}`，而技能的文本都没有提到它，请在 SKILL.md 中写明它及其用途"
            );
            report.at(&script.file.path, variable.span, message);
        }
    }
}

/// What a system could set.
fn is_name(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
