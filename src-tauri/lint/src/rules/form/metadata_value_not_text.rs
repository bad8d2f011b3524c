use super::metadata;
use super::scalars::{ValueKind, by_yaml_1_1, by_yaml_1_2, disagreement};
use crate::fix::safe_if_same;
use crate::rules::clients::loader_would_skip;
use crate::{Applicability, Check, Edit, Example, Group, Mark, Report, Rule, Subject};
use skill::source::Span;
use skill::{Severity, YamlValue};
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "metadata-value-not-text",
    group: Group::Form,
    severity: Severity::Info,
    on: true,
    title: Wording::new("Metadata value is not text", "metadata 的值不是文本"),
    what: Wording::new(
        "A value in `metadata` that is a number, a boolean, a date, a list or a map. Values that parsers read \
         differently are reported by `yaml-value-differs`.",
        "`metadata` 中的值是数字、布尔值、日期、列表或键值对。各解析器读法不同的值由 `yaml-value-differs` 报告。",
    ),
    why: Wording::new(
        "The specification maps text to text; frameworks with such a type refuse the skill or turn the value into text in \
          their own way. Some clients do keep maps here.",
        "规范规定键和值都是文本；采用这种类型的框架会拒绝该技能，或按自己的方式把值转成文本。\
         不过有些客户端确实在这里保存键值对。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
metadata:
  tags: [a, b]
---
Do it.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
metadata:
  tags: a, b
---
Do it.
",
    )]),
    hides: &[&loader_would_skip::RULE],
    marks: &[Mark::SafeIfSame],
    source: "agentskills.io specification",
    fix: Some(Applicability::Unsafe),
    check: Check::Skill(check),
};

/// Maps in `metadata` that a client reads as they are: Hermes, OpenClaw.
const READ_WHOLE: [&str; 5] = ["hermes", "openclaw", "clawdbot", "clawdis", "moltbot"];
/// Findings in one skill.
const MOST: usize = 10;

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let kinds = metadata::entries(skill)
        .filter_map(|(key, value)| Some((key, value, kind(value)?)))
        .filter(|(key, ..)| !READ_WHOLE.contains(key));
    for (key, value, kind) in kinds.take(MOST) {
        let Wording { en, zh } = kind.wording();
        let message = message!(
            "`{key}` in `metadata` is {en}; the specification requires text",
            "`metadata` 中的 `{key}` 是{zh}；规范要求文本"
        );
        let place = metadata::place(skill, key);
        let line = place.of(skill.text());
        let finding = report.at(skill.path(), place, message);
        if let Some(written) = line.strip_prefix(key).and_then(|rest| rest.strip_prefix(": "))
            && let Some(text) = as_text(value, written)
        {
            let title = message!("Write `{key}` as text", "把 `{key}` 写成文本");
            let span = Span::new(place.end - written.len(), place.end);
            let edits = vec![Edit { path: skill.path().to_owned(), span, text }];
            finding.fixed_as(safe_if_same(skill.skill, &edits), title, edits);
        }
    }
}

/// A value as text, if it is a single one or a list on one line, of plain words.
fn as_text(value: &YamlValue, written: &str) -> Option<String> {
    match value {
        YamlValue::Scalar { text, plain: true } if text == written => Some(format!("\"{text}\"")),
        YamlValue::List(items) => {
            let items: Option<Vec<&str>> = items.iter().map(YamlValue::as_str).collect();
            let items = items.filter(|items| !items.is_empty() && items.iter().copied().all(is_plain))?;
            let is_whole = written.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).is_some_and(|inner| {
                let trimmed = |item: &str| item.trim().trim_matches(['"', '\'']).to_owned();
                inner.split(',').map(trimmed).eq(items.iter().copied())
            });
            let text = items.join(", ");
            (is_whole && by_yaml_1_1(&text).is_none() && by_yaml_1_2(&text).is_none()).then_some(text)
        }
        YamlValue::Scalar { .. } | YamlValue::Map(_) | YamlValue::Null => None,
    }
}

/// Words that need no quotes anywhere.
fn is_plain(item: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b' ' | b'-' | b'_' | b'.' | b'/');
    item.starts_with(|letter: char| letter.is_ascii_alphabetic()) && item.bytes().all(is_letter) && !item.contains("--")
}

fn kind(value: &YamlValue) -> Option<ValueKind> {
    match value {
        YamlValue::List(_) => Some(ValueKind::List),
        YamlValue::Map(_) => Some(ValueKind::Map),
        YamlValue::Scalar { text, plain: true } if disagreement(text).is_none() => {
            by_yaml_1_2(text).or_else(|| by_yaml_1_1(text))
        }
        YamlValue::Scalar { .. } | YamlValue::Null => None,
    }
}
