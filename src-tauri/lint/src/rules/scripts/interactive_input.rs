use super::MOST;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::wording::Wording;

pub static RULE: Rule = Rule {
    id: "interactive-input",
    group: Group::Scripts,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Script waits for somebody to type", "脚本等待人工输入"),
    what: Wording::new(
        "A script that asks on the terminal: `input()`, `getpass`, `click.prompt`, `read -p`, `rl.question`, inquirer and the like. Scripts that ask whether there is a terminal, or that have a flag such as `--yes`, are let pass.",
        "",
    ),
    why: Wording::new(
        "Agents run scripts without a terminal: the script hangs until its time is up, or fails at once.",
        "",
    ),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Run `python3 scripts/hello.py`.
",
        ),
        (
            "scripts/hello.py",
            r#"name = input("Your name? ")
print("Hello", name)
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
Run `python3 scripts/hello.py <name>`.
",
        ),
        (
            "scripts/hello.py",
            r#"import sys

print("Hello", sys.argv[1])
"#,
        ),
    ]),
    hides: &[],
    source: "agentskills.io, using scripts: a hard requirement; agnix AS-022",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for script in &skill.code().scripts {
        let facts = &script.facts;
        if facts.checks_terminal || facts.interface.has_flag_like(&ANSWERS) {
            continue;
        }
        for prompt in facts.prompts.iter().take(MOST) {
            let message =
                format!("`{}` waits for input that an agent cannot type; take it as an argument", prompt.name);
            report.at(&script.file.path, prompt.span, message);
        }
    }
}

/// In names of flags that answer all questions.
const ANSWERS: [&str; 6] = ["yes", "y", "force", "batch", "noninteractive", "interactive"];
