use crate::code::contract::{self, Fault};
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "required-flag-missing-in-command",
    group: Group::Scripts,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Command leaves out what the script requires", "命令缺少脚本必需的参数"),
    what: Wording::new(
        "A command in SKILL.md or a reference that runs a script of the skill without a flag the script requires; in a shell fence also without an argument it requires. Commands with `...`, `[options]` or `--help` are not reported.",
        "SKILL.md 或参考文件中的命令在运行技能脚本时，缺少脚本必需的选项；在 Shell 代码块中，缺少必需的位置参数也会报告。含有 `...`、`[options]` 或 `--help` 的命令不报告。",
    ),
    why: Wording::new(
        "The script refuses the command as it is written; an agent that copies it loses a turn.",
        "照这样写，脚本会拒绝执行；照抄命令的智能体白白浪费一轮。",
    ),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
```bash
python3 scripts/draw.py --color red
```
",
        ),
        (
            "scripts/draw.py",
            r#"import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--color")
parser.add_argument("--out", required=True)
print(parser.parse_args().out)
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
```bash
python3 scripts/draw.py --color red --out a.svg
```
",
        ),
        (
            "scripts/draw.py",
            r#"import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--color")
parser.add_argument("--out", required=True)
print(parser.parse_args().out)
"#,
        ),
    ]),
    hides: &[],
    marks: &[],
    source: "measured: no other linter finds it",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let code = skill.code();
    for document in &code.documents {
        let calls = document.commands.iter().filter_map(|command| Some((command, command.invocation(code)?)));
        // A code span is about its own contents only.
        for (_, call) in calls.filter(|(command, call)| {
            // A path alone only says where the script is.
            command.in_fence && command.in_shell && !(call.direct && call.arguments.is_empty())
        }) {
            for fault in contract::faults(&call.script.facts.interface, call.arguments) {
                let name = match fault {
                    Fault::MissingFlag { name } => name,
                    Fault::MissingArgument { name } => name,
                    _ => continue,
                };
                let message = message!(
                    "`{}` requires `{name}`, which this command leaves out",
                    "`{}` 必须有 `{name}`，而这条命令没有写",
                    call.script.file.name
                );
                report.at(document.path, call.path.span, message);
            }
        }
    }
}
