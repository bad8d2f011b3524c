use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "interactive-input",
    group: Group::Scripts,
    severity: Severity::Info,
    on: true,
    title: Wording::new("Script waits for somebody to type", "脚本等待人工输入"),
    what: Wording::new(
        "A script that asks on the terminal: `input()`, `getpass`, `click.prompt`, `read -p`, `rl.question`, inquirer and the like. Scripts that check whether there is a terminal, or that have a flag such as `--yes`, are not reported.",
        "脚本在终端里提问：`input()`、`getpass`、`click.prompt`、`read -p`、`rl.question`、inquirer 等。会检查是否有终端的脚本，以及带有 `--yes` 之类参数的脚本不报告。",
    ),
    why: Wording::new(
        "Agents run scripts without a terminal: the script hangs until its time is up, or fails at once.",
        "智能体运行脚本时没有终端：脚本会卡到超时，或者立即失败。",
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
    marks: &[],
    source: "agentskills.io, using scripts: a hard requirement; agnix AS-022",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for script in &skill.code().scripts {
        let facts = &script.facts;
        let answers = || ANSWERING.iter().any(|flag| script.text().contains(flag));
        if facts.checks_terminal || facts.interface.has_flag_like(&ANSWERS) || answers() {
            continue;
        }
        let mut unguarded = facts.prompts.iter().filter(|prompt| !is_guarded(script.text(), prompt.span.start));
        // A script that asks once asks again: one cause.
        if let Some(prompt) = unguarded.next() {
            let message = message!(
                "`{}` waits for input that an agent cannot type; take it as an argument",
                "`{}` 会等待输入，而智能体无法键入，请改为通过参数传入",
                prompt.name
            );
            report.at(&script.file.path, prompt.span, message);
        }
    }
}

/// In names of flags that answer all questions.
const ANSWERS: [&str; 6] = ["yes", "y", "force", "batch", "noninteractive", "interactive"];

/// Such flags, if the script compares its arguments by hand.
const ANSWERING: [&str; 9] = [
    ".yes",
    ".force",
    "--yes",
    "--force",
    "--no-input",
    "--no-prompt",
    "--non-interactive",
    "--noninteractive",
    "--assume-yes",
];

/// `if not args.yes:`, or `if args.name is not None:`, right above it.
fn is_guarded(text: &str, at: usize) -> bool {
    let mut above = text[..at].lines().rev().take(GUARD);
    above.any(|line| {
        let line = line.trim_start().to_lowercase();
        (line.contains("environ") && line.contains(" or "))
            || line.starts_with("if ")
                && ["yes", "force", "interactive", "isatty", "confirm", "args.", "argv"]
                    .iter()
                    .any(|word| line.contains(word))
    })
}

/// Lines of a prompt and of the question that guards it.
const GUARD: usize = 6;
