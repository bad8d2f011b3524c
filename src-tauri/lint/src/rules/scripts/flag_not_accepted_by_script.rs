use crate::code::contract::{self, Fault};
use crate::code::{Document, Script};
use crate::{Applicability, Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::wording::Wording;

pub static RULE: Rule = Rule {
    id: "flag-not-accepted-by-script",
    group: Group::Scripts,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Command passes what the script does not take", "命令使用了脚本不支持的参数"),
    what: Wording::new(
        "A command in SKILL.md or a reference that runs a script of the skill with a flag, a subcommand or a value of `choices` which the script does not define (argparse, optparse, click, typer, commander, yargs, parseArgs, getopts, `case`, flags compared by hand). In prose about one script, flags that are nearly one of its own. Scripts whose arguments are not all plain to see are let pass.",
        "",
    ),
    why: Wording::new(
        "The script refuses the command, and the agent loses a turn, or works around a flag it believes in.",
        "",
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
    source: "measured: no other linter finds it",
    fix: Some(Applicability::Unsafe),
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let code = skill.code();
    for document in &code.documents {
        for call in document.commands.iter().filter_map(|command| command.invocation(code)) {
            for fault in contract::faults(&call.script.facts.interface, call.arguments) {
                say(document, call.script, fault, report);
            }
        }
        for mention in &document.mentions {
            let Some(script) = code.script(&mention.script) else { continue };
            let word = std::slice::from_ref(&mention.flag);
            // Prose may speak of the flags of something else.
            for fault in contract::faults(&script.facts.interface, word).into_iter().filter(Fault::is_slip) {
                say(document, script, fault, report);
            }
        }
    }
}

fn say(document: &Document<'_>, script: &Script<'_>, fault: Fault, report: &mut Report<'_>) {
    let (what, name, span, near, known) = match fault {
        Fault::UnknownFlag { name, span, near, known } => ("flag", name, span, near, known),
        Fault::UnknownSubcommand { name, span, near, known } => ("subcommand", name, span, near, known),
        Fault::UnknownValue { flag, name, span, near, known } => {
            let message =
                format!("`{flag}` of `{}` takes no `{name}`; {}", script.file.name, advice(near.as_ref(), &known));
            let finding = report.at(document.path, span, message);
            if let Some(near) = near.filter(|_| span.of(document.text()) == name) {
                finding.replace(format!("Write {near}"), span, near);
            }
            return;
        }
        Fault::MissingFlag { .. } | Fault::MissingArgument { .. } => return,
    };
    let message = format!("`{}` has no {what} `{name}`; {}", script.file.name, advice(near.as_ref(), &known));
    let finding = report.at(document.path, span, message);
    if let Some(near) = near.filter(|_| span.of(document.text()) == name) {
        finding.replace(format!("Write {near}"), span, near);
    }
}

fn advice(near: Option<&String>, known: &[String]) -> String {
    match near {
        Some(near) => format!("`{near}` is meant"),
        None if known.is_empty() => "it has none".into(),
        None => format!("it has `{}`", known[..known.len().min(SHOWN)].join("`, `")),
    }
}

/// Names that a message lists.
const SHOWN: usize = 8;
