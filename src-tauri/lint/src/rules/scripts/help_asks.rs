use super::probed;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "help-asks",
    group: Group::Scripts,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Script asked for help wants input", "脚本在 --help 时要求输入"),
    what: Wording::new(
        "Only if scripts were asked (`skillbench lint --probe`): a script that reads from standard input when it is run with `--help`.",
        "仅在实际运行过脚本时检查（`skillbench lint --probe`）：脚本以 `--help` 运行时会读取标准输入。",
    ),
    why: Wording::new(
        "There is nobody to answer: the agent waits until the time is up, or the script takes the end of input for an answer.",
        "没有人可以回答：智能体一直等到超时，或者脚本把输入结束当成回答。",
    ),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Run `python3 scripts/greet.py`.
",
        ),
        (
            "scripts/greet.py",
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
Run `python3 scripts/greet.py <name>`.
",
        ),
        (
            "scripts/greet.py",
            r#"import argparse

parser = argparse.ArgumentParser(description="Greets.")
parser.add_argument("name")
args = parser.parse_args()
print("Hello", args.name)
"#,
        ),
    ]),
    hides: &[],
    marks: &[],
    source: "agentskills.io, using scripts; measurement: the script was run confined with `--help` alone",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for (script, _) in probed(skill).filter(|(_, probe)| probe.asked) {
        let message = message!(
            "`{} --help` reads from standard input; take what it needs from arguments",
            "`{} --help` 会读取标准输入，请改为通过参数传入所需内容",
            script.name
        );
        report.about(&script.path, message);
    }
}
