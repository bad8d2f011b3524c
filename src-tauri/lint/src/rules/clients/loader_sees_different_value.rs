use std::collections::BTreeMap;

use crate::loading::{Framework, Outcome, named};
use crate::{Applicability, Check, Example, Group, Report, Rule, Subject};
use skill::source::Span;
use skill::{Field, ProblemKind, Severity};
use wording::message;
use wording::{Message, Wording};

pub static RULE: Rule = Rule {
    id: "loader-sees-different-value",
    group: Group::Clients,
    severity: Severity::Warning,
    on: false,
    title: Wording::new("A framework reads another name or description", "有框架读到的名称或描述不同"),
    what: Wording::new(
        "The workbench loads the skill with its own reproduction of each framework's loader. Frameworks that \
         read another `name` or `description` than YAML says are named, with what they read. Quotes that they \
         keep around a value are not reported. Courses and demonstrations count only if \
         the project names them as its clients.",
        "工作台用自己复现的各框架加载器加载技能，列出读到的 `name` 或 `description` 与 YAML 不同的框架，\
         以及它们读到的内容。保留在值两侧的引号不报告。课程和演示代码只有在项目把它们列为客户端时才计入。",
    ),
    why: Wording::new(
        "Not every framework reads YAML: some cut lines with expressions, keep quotes and backslashes, or turn `1.10` \
          into `1.1`. The model then decides by a text that the author never wrote.",
        "并非所有框架都按 YAML 读取：有的用正则表达式切分行，有的保留引号和反斜杠，有的把 `1.10` 变成 `1.1`。\
         模型据以判断的，就成了作者从未写过的文本。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r#"---
name: demo
description: Use when asked for a demo. # or a sample
---
Do it.
"#,
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Do it.
",
    )]),
    hides: &[],
    marks: &[],
    source: "the loaders of the frameworks and clients in docs/conformance.md, as compared with recorded runs",
    fix: Some(Applicability::Safe),
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    // That is the real fault, and another rule reports it.
    if skill.skill.problems.iter().any(|problem| matches!(problem.kind, ProblemKind::YamlInvalid { .. })) {
        return;
    }
    for key in ["name", "description"] {
        let Some((field, value)) = skill.field(key).and_then(|field| Some((field, field.value.as_str()?))) else {
            continue;
        };
        let mut readings: BTreeMap<&str, Vec<Framework>> = BTreeMap::new();
        let counts = |by: Framework| !skill.options.clients.is_empty() || !(by.is_demonstration() || by.reads_lines());
        for load in skill.loads().filter(|load| counts(load.by)) {
            let Outcome::Loaded { name, description } = &load.outcome else { continue };
            let read = if key == "name" { name } else { description };
            // How lines are folded, and quotes around all of it, make no difference to a model.
            let read_so = unquoted(read);
            // The same goes for the marks before quotes in it.
            let plain = read_so.replace("\\\"", "\"").replace("''", "'");
            if read_so != value && !plain.split_whitespace().eq(value.split_whitespace()) {
                readings.entry(read).or_default().push(load.by);
            }
        }
        if readings.is_empty() {
            continue;
        }
        let finding = report.at(skill.path(), place(field), message(key, value, readings));
        if let Some(line) = on_one_line(skill.text(), field, value) {
            finding.replace(Wording::new("Write it on one line", "写在一行里"), field.value_span, line);
        }
    }
}

/// A value of several lines, folded as YAML folds it; `None`: it is on one line, or cannot be written on one so that all
/// read it alike.
fn on_one_line(text: &str, field: &Field, value: &str) -> Option<String> {
    let between = text.get(field.key_span.end..field.value_span.start)?;
    let written = field.value_span.of(text);
    let is_folded = between.trim() == ":" && !written.starts_with(['"', '\'', '|', '>', '&']) && written.contains('\n');
    let line = value.split_whitespace().collect::<Vec<_>>().join(" ");
    if !is_folded || value.trim().contains('\n') || line.contains('\\') || line.contains("---") {
        return None;
    }
    let is_plain = line.starts_with(|letter: char| letter.is_alphanumeric())
        && !line.ends_with(':')
        && ![": ", " #", "\"", "'"].iter().any(|mark| line.contains(mark));
    match (is_plain, line.contains('"'), line.contains('\'')) {
        (true, ..) => Some(line),
        (false, false, _) => Some(format!("\"{line}\"")),
        (false, true, false) => Some(format!("'{line}'")),
        (false, true, true) => None,
    }
}

/// Without a pair of quotes around it.
fn unquoted(text: &str) -> &str {
    let within = |quote: char| text.trim().strip_prefix(quote)?.strip_suffix(quote);
    within('"').or_else(|| within('\'')).unwrap_or(text)
}

fn place(field: &Field) -> Span {
    if field.value_span.is_empty() { field.key_span } else { field.value_span }
}

fn message(key: &str, value: &str, readings: BTreeMap<&str, Vec<Framework>>) -> Message {
    let (english, chinese): (Vec<String>, Vec<String>) = readings
        .into_iter()
        .map(|(read, frameworks)| {
            let (ours, theirs) = difference(value.trim(), read.trim());
            let Message { en, zh } = named(frameworks);
            let Message { en, zh } = if theirs.is_empty() {
                message!("it is empty in {en}", "{zh} 读到的是空值")
            } else {
                message!("`{theirs}` instead of `{ours}` in {en}", "{zh} 读到的是 `{theirs}`，而不是 `{ours}`")
            };
            (en, zh)
        })
        .unzip();
    let (en, zh) = (english.join("; "), chinese.join("；"));
    message!(
        "`{key}` is read differently: {en}; write it on one line, without backslashes and `---`",
        "`{key}` 的读取结果不同：{zh}；写在一行里，不要用反斜杠和 `---`"
    )
}

/// An excerpt of each text from where they start to differ.
fn difference<'a>(ours: &'a str, theirs: &'a str) -> (String, String) {
    let same = ours.char_indices().zip(theirs.chars()).find(|((_, a), b)| a != b).map(|((at, _), _)| at);
    let at = same.unwrap_or_else(|| ours.len().min(theirs.len()));
    let start = ours[..at].char_indices().rev().nth(BEFORE - 1).map_or(0, |(start, _)| start);
    (excerpt(ours, start), excerpt(theirs, start))
}

fn excerpt(text: &str, start: usize) -> String {
    let rest = text.get(start..).unwrap_or_default();
    let end = rest.char_indices().nth(SHOWN).map_or(rest.len(), |(end, _)| end);
    let line: String = rest[..end].chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    format!("{}{line}{}", if start > 0 { "…" } else { "" }, if end < rest.len() { "…" } else { "" })
}

/// Characters of an excerpt, and of it before the difference.
const SHOWN: usize = 40;
const BEFORE: usize = 12;
