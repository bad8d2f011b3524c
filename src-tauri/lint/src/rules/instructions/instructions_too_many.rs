use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "instructions-too-many",
    group: Group::Instructions,
    severity: Severity::Info,
    on: false,
    title: Wording::new("Too many instructions", "指令过多"),
    what: Wording::new(
        "More than 150 lines with an instruction (`must`, `never`, `make sure`, 必须 …) in `SKILL.md`.",
        "`SKILL.md` 中的指令行（`must`、`never`、`make sure`、必须等）超过 150 行。",
    ),
    why: Wording::new(
        "Models follow about that many at once; of more they drop some at random.",
        "模型同时大约只能遵循这么多；再多就会随机漏掉一些。",
    ),
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
    marks: &[],
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
        let message = message!(
            "{count} lines give instructions; models keep to about {LIMIT}: move what is rarely needed into references",
            "有 {count} 行指令，模型大约只能遵循 {LIMIT} 条：把很少用到的移到参考文件"
        );
        report.at(skill.path(), skill.manifest().body.trim(text), message);
    }
}

const LIMIT: usize = 150;
/// Bytes of a line with an instruction, at least.
const SHORTEST: usize = 8;
