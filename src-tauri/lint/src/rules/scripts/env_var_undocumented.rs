use std::collections::HashSet;

use crate::code::{base_name, known};
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::wording::Wording;

pub static RULE: Rule = Rule {
    id: "env-var-undocumented",
    group: Group::Scripts,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Script needs an environment variable that nothing names", "脚本所需的环境变量未说明"),
    what: Wording::new(
        "A script that reads an environment variable without a default, where no text of the skill and no `.env` example names the variable, and no script of the skill sets it. Variables that systems, shells and agents set are let pass.",
        "",
    ),
    why: Wording::new(
        "Nobody knows to set it: the script fails, or does something else than on its author's machine.",
        "",
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
        for variable in script.facts.variables.iter().filter(|one| !optional.contains(one.name.as_str())) {
            let name = variable.name.as_str();
            if known::is_set_anyway(name) || sets.contains(&variable.name) || code.names(name) || !said.insert(name) {
                continue;
            }
            if examples.iter().any(|example| example.text().contains(name)) {
                continue;
            }
            let message = format!("nothing says that `{name}` must be set; name it in SKILL.md, with what it is for");
            report.at(&script.file.path, variable.span, message);
        }
    }
}
