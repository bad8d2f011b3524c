use std::collections::{BTreeMap, BTreeSet, HashSet};

use crate::code::contract::{self, Fault};
use crate::code::{Document, Script};
use crate::{Applicability, Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::source::Span;
use wording::message;
use wording::{Message, Wording};

pub static RULE: Rule = Rule {
    id: "flag-not-accepted-by-script",
    group: Group::Scripts,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Command passes what the script does not take", "命令使用了脚本不支持的参数"),
    what: Wording::new(
        "A command in SKILL.md or a reference that runs a script of the skill with a flag, a subcommand or a value of `choices` which the script does not define (argparse, optparse, click, typer, commander, yargs, parseArgs, getopts, `case`, flags compared by hand). In prose about one script: flags that are nearly one of its own. Scripts whose arguments cannot all be read from the code are not reported. Four or more such words of one script in one page are one finding.",
        "SKILL.md 或参考文件中的命令在运行技能脚本时，用了脚本没有定义的参数、子命令或 `choices` 取值（支持 argparse、optparse、click、typer、commander、yargs、parseArgs、getopts、`case` 和手写比较）。正文说到某个脚本时，与其参数只差一点的写法也会报告。无法从代码中看清全部参数的脚本不报告。同一页中同一脚本不支持的词有四个或更多时，只报告一次。",
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
        // By script, what a command passes although nothing like it is known there.
        let mut odd: BTreeMap<&str, (&Script<'_>, Vec<Fault>)> = BTreeMap::new();
        for call in document.commands.iter().filter_map(|command| command.invocation(code)) {
            let faults = contract::faults(&call.script.facts.interface, call.arguments);
            // A word after an unknown flag may be its value.
            let strays = faults.iter().any(|fault| matches!(fault, Fault::UnknownFlag { .. }));
            for fault in faults.into_iter().filter(|fault| !strays || !matches!(fault, Fault::UnknownSubcommand { .. }))
            {
                match fault.is_clear() {
                    true => say(document, call.script, fault, report),
                    false => {
                        odd.entry(&call.script.file.name).or_insert_with(|| (call.script, Vec::new())).1.push(fault)
                    }
                }
            }
        }
        for (script, faults) in odd.into_values() {
            let words: BTreeSet<&str> = faults.iter().filter_map(Fault::wrong).map(|(word, _)| word).collect();
            if words.len() < MANY {
                faults.into_iter().for_each(|fault| say(document, script, fault, report));
            } else {
                say_all(document, script, &faults, report);
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

/// A page that was written for another program, or for what the script was to become: one finding.
fn say_all(document: &Document<'_>, script: &Script<'_>, faults: &[Fault], report: &mut Report<'_>) {
    let mut words: Vec<(&str, Span)> = faults.iter().filter_map(Fault::wrong).collect();
    words.sort_by_key(|(_, span)| span.start);
    let Some(&(_, first)) = words.first() else { return };
    let mut seen = HashSet::new();
    words.retain(|(word, _)| seen.insert(*word));
    let shown: Vec<&str> = words.iter().take(SHOWN).map(|(word, _)| *word).collect();
    let (of, count, more) = (&script.file.name, words.len(), words.len() - shown.len());
    let rest = match more {
        0 => Message::default(),
        _ => message!(" and {more} more", " 等"),
    };
    let (en, zh) = (shown.join("`, `"), shown.join("`、`"));
    let message = Message {
        en: format!(
            "commands in this page pass {count} things that `{of}` does not take: `{en}`{}; write them for what the script does",
            rest.en
        ),
        zh: format!("本页的命令中有 {count} 处是 `{of}` 不支持的：`{zh}`{}；请按脚本的实际用法改写", rest.zh),
    };
    report.at(document.path, first, message);
}

/// Words of a page that one script does not take, from which on they are one finding.
const MANY: usize = 4;

fn say(document: &Document<'_>, script: &Script<'_>, fault: Fault, report: &mut Report<'_>) {
    let of = &script.file.name;
    let (wrong, name, span, near, known) = match fault {
        Fault::UnknownFlag { name, span, of: Some(inner), .. } => {
            let message = message!(
                "`{of}` takes `{name}` only after a subcommand such as `{inner}`; move it there",
                "`{of}` 只在 `{inner}` 等子命令之后接受 `{name}`；请移到子命令之后"
            );
            report.at(document.path, span, message);
            return;
        }
        Fault::UnknownFlag { name, span, near, known, of: None } => {
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
