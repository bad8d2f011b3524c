use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::wording::Wording;

pub static RULE: Rule = Rule {
    id: "instructions-too-many",
    group: Group::Instructions,
    severity: Severity::Info,
    on: true,
    title: Wording::new("Too many instructions", "指令过多"),
    what: Wording::new(
        "More than 150 lines with an instruction (`must`, `never`, `make sure`, 必须 …) in `SKILL.md`.",
        "",
    ),
    why: Wording::new("Models follow about that many at once; of more they drop some at random.", ""),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
Never weigh it twice.
",
    )]),
    hides: &[],
    source: "IFScale, how many instructions models can follow; skillsaw content-instruction-budget",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    if skill.body().len() < LIMIT * SHORTEST {
        return;
    }
    let text = skill.text();
    let count = skill.lines().iter().filter(|line| line.is_directive).count();
    if count > LIMIT {
        let message = format!(
            "{count} lines give instructions; models keep to about {LIMIT}: move what is rarely needed into references"
        );
        report.at(skill.path(), skill.manifest().body.trim(text), message);
    }
}

const LIMIT: usize = 150;
/// Bytes of a line with an instruction, at least.
const SHORTEST: usize = 8;
