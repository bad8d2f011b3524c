use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::analysis::lines::joined_words;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::source::line_ends;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "directive-repeated",
    group: Group::Instructions,
    severity: Severity::Info,
    on: false,
    title: Wording::new("Instruction occurs twice", "指令重复"),
    what: Wording::new(
        "A line with an instruction (`must`, `never`, 必须 …) of six words or more that `SKILL.md` has a \
           second time, word for word.",
        "`SKILL.md` 中逐字重复、至少六个词的指令行（`must`、`never`、必须等）。",
    ),
    why: Wording::new(
        "It costs tokens, and whoever changes one forgets the other.",
        "浪费 token，而且改了一处容易忘了另一处。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
- Always quote the log line as it is.

## Answer

- Always quote the log line as it is.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
- Always quote the log line as it is.

## Answer

- Name the line number too.
",
    )]),
    hides: &[],
    marks: &[],
    source: "skillsaw",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let text = skill.text();
    let mut known = HashMap::new();
    let mut told = 0;
    // The place up to which lines were counted, and their number.
    let (mut counted, mut number) = (0, 1);
    for line in skill.lines() {
        let (is_directive, line) = (line.is_directive, line.span);
        let written = line.of(text);
        if written.len() < SHORTEST || told >= MOST || !is_directive {
            continue;
        }
        number += line_ends(&text[counted..line.start]);
        counted = line.start;
        let (plain, words) = joined_words(written);
        if words < FEWEST {
            continue;
        }
        match known.entry(plain) {
            Entry::Occupied(first) => {
                told += 1;
                let message = message!("line {} says the same; keep one", "第 {} 行内容相同；保留一处", first.get());
                report.at(skill.path(), line, message);
            }
            Entry::Vacant(free) => {
                free.insert(number);
            }
        }
    }
}

const MOST: usize = 20;
/// The least bytes and words of a line that is compared.
const SHORTEST: usize = 20;
const FEWEST: usize = 6;
