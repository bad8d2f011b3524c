use std::sync::LazyLock;

use regex::Regex;

use crate::analysis::described::Described;
use crate::analysis::language::compiled;
use crate::literals::Literals;
use crate::rules::security::capability_inflation;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "trigger-too-generic",
    group: Group::Description,
    severity: Severity::Warning,
    on: false,
    title: Wording::new("Description claims every request", "触发条件过于宽泛"),
    what: Wording::new(
        "A description that asks for the skill in any task, every request or all questions (`任何任务`, `所有问题`).",
        "描述要求在任何任务、每个请求或所有问题中都使用该技能（`任何任务`、`所有问题`）。",
    ),
    why: Wording::new(
        "The skill is loaded when it is not needed: its tokens are spent each time, and the skill that fits is not loaded.",
        "不需要时也会加载该技能：每次都耗费 token，真正合适的技能反而没有加载。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Formats answers as tables. Always use this skill for every request.
---
Do it.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Formats answers as tables. Use for any task that compares two products.
---
Do it.
",
    )]),
    hides: &[&capability_inflation::RULE],
    marks: &[],
    source: "Cisco skill-scanner",
    fix: None,
    check: Check::Skill(check),
};

/// What follows must not narrow it: `any task that …` is fine.
static GENERIC: LazyLock<Regex> = LazyLock::new(|| {
    compiled(
        r"(?ix)\b(?:for|on|to|in|with|before|after|when(?:ever)?\s+the\s+user\s+asks(?:\s+for)?)\s+(?:answering\s+)?
          (?:(?:any|every|all|each)\s+(?:kinds?\s+of\s+|possible\s+|user\s+|single\s+)*
             (?:tasks?|requests?|questions?|prompts?|messages?|quer(?:y|ies)|conversations?|things?)|everything|anything)
          \s*(?:[.,;!)]|$)
        | \balways\s+(?:use|load|activate|invoke|run)\s+this(?:\s+skill)?(?:\s+first)?\s*(?:[.,;!)]|$)
        | (?:任何|所有|一切|每个|每次)(?:任务|请求|问题|对话|情况|消息)(?:时|下|中)?(?:都|均)?(?:应|要|必须|可以?|需要?)?(?:使用|调用|适用)",
    )
});

/// Every claim in ASCII has one of these.
static MARKS: LazyLock<Literals> = LazyLock::new(|| Literals::new(&["any", "every", "all", "each", "always"]));

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(description) = Described::of(skill) else { return };
    if description.text.is_ascii() && !MARKS.is_in(description.text) {
        return;
    }
    if let Some(claim) = GENERIC.find(description.text) {
        let claim = claim.as_str().trim_end_matches(['.', ',', ';', '!', ')', ' ']);
        let message = message!(
            "`{claim}` fits every request; say which requests the skill is for",
            "`{claim}` 适用于所有请求；请写明技能针对哪些请求"
        );
        report.at(skill.path(), description.place(claim), message);
    }
}
