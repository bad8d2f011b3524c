use std::sync::LazyLock;

use regex::Regex;

use crate::analysis::described::Described;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::{Field, Severity, YamlValue};
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "no-when-trigger",
    group: Group::Description,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Description does not say when to use it", "描述未说明何时使用"),
    what: Wording::new(
        "An English or Chinese description without words such as `Use when …`, `if the user asks`, `当…时使用` or `用于`, and without a list of \
           phrases that users say. \
           Skills that a model may not start by itself are left alone.",
        "没有 `Use when …`、`if the user asks`、`当…时使用`、`用于` 之类词语，也没有列出用户常用说法的英文或中文描述。\
         模型不能自行启动的技能不检查。",
    ),
    why: Wording::new(
        "A model decides from the description alone. One that only says what the skill does is passed over when the user \
          puts it in other words.",
        "模型只凭描述来决定。只写技能做什么的描述，在用户换一种说法时就会被略过。",
    ),
    bad: Example {
        folder: "poem-translator",
        files: &[(
            "SKILL.md",
            r"---
name: poem-translator
description: Translates classical Chinese poems into English verse.
---
Do it.
",
        )],
    },
    good: Example {
        folder: "poem-translator",
        files: &[(
            "SKILL.md",
            r"---
name: poem-translator
description: Translates classical Chinese poems into English verse. Use when the user asks for a translation of a poem.
---
Do it.
",
        )],
    },
    hides: &[],
    marks: &[],
    source: "agentskills.io specification; optimizing descriptions",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(description) = Described::of(skill) else { return };
    let by_hand = skill.value("disable-model-invocation").is_some_and(|value| value.eq_ignore_ascii_case("true"));
    // It is run by a command that the description names.
    let is_command = skill.value("description").is_some_and(|text| COMMAND.is_match(text));
    if !by_hand && !is_command && skill.value("when_to_use").is_none() && !description.has_trigger() {
        let message = match has_triggers(skill) {
            false => Wording::new(
                "the description says what the skill does and not when to use it; add `Use when …`",
                "描述只写了技能做什么，没有写何时使用；请加上 `当…时使用`（`Use when …`）",
            ),
            true => Wording::new(
                "the description says what the skill does and not when to use it; frameworks do not read `triggers`, so \
                 add `Use when …` to the description",
                "描述只写了技能做什么，没有写何时使用；框架不会读取 `triggers`，请在描述中写上 `当…时使用`（`Use when …`）",
            ),
        };
        report.at(skill.path(), description.span(), message);
    }
}

/// A list of them in the frontmatter, or in `metadata`.
fn has_triggers(skill: &Subject<'_>) -> bool {
    let in_metadata = |field: &Field| match &field.value {
        YamlValue::Map(entries) => entries.iter().any(|(key, _)| key == TRIGGERS),
        YamlValue::Scalar { .. } | YamlValue::List(_) | YamlValue::Null => false,
    };
    skill.field(TRIGGERS).is_some() || skill.field("metadata").is_some_and(in_metadata)
}

const TRIGGERS: &str = "triggers";

/// `Run /review workflow from gemini-cli; alias /gemini-cli:review.`, `Daily digest. Usage: /digest [--date]`
static COMMAND: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?i:run|alias|invoke)[^.]{0,20} `?/[a-z][\w:-]+|\b(?i:usage|alias|invoke|command)(?::|\s+[—–-])? `?/[a-z][\w:-]+")
        .expect("a test compiles it")
});
