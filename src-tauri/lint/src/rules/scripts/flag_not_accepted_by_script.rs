use crate::code::contract::{self, Fault};
use crate::code::{Document, Script};
use crate::{Applicability, Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::message;
use wording::{Message, Wording};

pub static RULE: Rule = Rule {
    id: "flag-not-accepted-by-script",
    group: Group::Scripts,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Command passes what the script does not take", "命令使用了脚本不支持的参数"),
    what: Wording::new(
        "A command in SKILL.md or a reference that runs a script of the skill with a flag, a subcommand or a value of `choices` which the script does not define (argparse, optparse, click, typer, commander, yargs, parseArgs, getopts, `case`, flags compared by hand). In prose about one script: flags that are nearly one of its own. Scripts whose arguments cannot all be read from the code are not reported.",
        "SKILL.md 或参考文件中的命令在运行技能脚本时，用了脚本没有定义的参数、子命令或 `choices` 取值（支持 argparse、optparse、click、typer、commander、yargs、parseArgs、getopts、`case` 和手写比较）。正文说到某个脚本时，与其参数只差一点的写法也会报告。无法从代码中看清全部参数的脚本不报告。",
    ),
    why: Wording::new(
        "The script refuses the command, and the agent loses a turn, or works around a flag that does not exist.",
        "脚本会拒绝这条命令，智能体白白浪费一轮，或者围绕一个不存在的参数想办法。",
    ),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
```bash
python3 scripts/draw.py --colour red
```
",
        ),
        (
            "scripts/draw.py",
            r#"import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--color", default="black")
print(parser.parse_args().color)
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
python3 scripts/draw.py --color red
```
",
        ),
        (
            "scripts/draw.py",
            r#"import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--color", default="black")
print(parser.parse_args().color)
"#,
        ),
    ]),
    hides: &[],
    marks: &[],
    source: "measured: no other linter finds it",
    fix: Some(Applicability::Unsafe),
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let code = skill.code();
    for document in &code.documents {
        for call in document.commands.iter().filter_map(|command| command.invocation(code)) {
            let faults = contract::faults(&call.script.facts.interface, call.arguments);
            // A word after an unknown flag may be its value.
            let strays = faults.iter().any(|fault| matches!(fault, Fault::UnknownFlag { .. }));
            for fault in faults.into_iter().filter(|fault| !strays || !matches!(fault, Fault::UnknownSubcommand { .. }))
            {
                say(document, call.script, fault, report);
            }
        }
        for mention in &document.mentions {
            let Some(script) = code.script(&mention.script) else { continue };
            let word = std::slice::from_ref(&mention.flag);
            // Prose may mention the flags of something else.
            for fault in contract::faults(&script.facts.interface, word).into_iter().filter(Fault::is_slip) {
                say(document, script, fault, report);
            }
        }
    }
}

fn say(document: &Document<'_>, script: &Script<'_>, fault: Fault, report: &mut Report<'_>) {
    let of = &script.file.name;
    let (wrong, name, span, near, known) = match fault {
        Fault::UnknownFlag { name, span, near, known } => {
            (message!("`{of}` has no flag `{name}`", "`{of}` 没有参数 `{name}`"), name, span, near, known)
        }
        Fault::UnknownSubcommand { name, span, near, known } => {
            (message!("`{of}` has no subcommand `{name}`", "`{of}` 没有子命令 `{name}`"), name, span, near, known)
        }
        Fault::UnknownValue { flag, name, span, near, known } => (
            message!("`{flag}` of `{of}` takes no `{name}`", "`{of}` 的 `{flag}` 不接受 `{name}`"),
            name,
            span,
            near,
            known,
        ),
        Fault::MissingFlag { .. } | Fault::MissingArgument { .. } => return,
    };
    let advice = advice(near.as_ref(), &known);
    let message = Message { en: format!("{}; {}", wrong.en, advice.en), zh: format!("{}，{}", wrong.zh, advice.zh) };
    let finding = report.at(document.path, span, message);
    if let Some(near) = near.filter(|_| span.of(document.text()) == name) {
        finding.replace(message!("Write {near}", "改为 {near}"), span, near);
    }
}

fn advice(near: Option<&String>, known: &[String]) -> Message {
    let shown = &known[..known.len().min(SHOWN)];
    match near {
        Some(near) => message!("did you mean `{near}`?", "是否应为 `{near}`？"),
        None if known.is_empty() => message!("it has none", "它一个也没有"),
        None => Message {
            en: format!("it has `{}`", shown.join("`, `")),
            zh: format!("可用的有 `{}`", shown.join("`、`")),
        },
    }
}

/// Names that a message lists.
const SHOWN: usize = 8;
