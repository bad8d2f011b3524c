use super::known_fields::ABOUT_THE_SKILL;
use super::quoting::{Cure, Obstacle, cure};
use crate::analysis::client::SPECIFIED;
use crate::rules::clients::loader_would_skip;
use crate::{Applicability, Check, Edit, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::manifest::is_valid_name;
use skill::source::{Newline, Span};
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "yaml-unquoted-colon",
    group: Group::Form,
    severity: Severity::Error,
    on: true,
    title: Wording::new("Colon in a value without quotes", "未加引号的值中含有冒号"),
    what: Wording::new(
        "A value of the frontmatter with a colon and a space in it that is not in quotes, or a field that follows another \
         one on the same line.",
        "前置元数据中没有加引号、却含有冒号加空格的值，或与另一个字段写在同一行的字段。",
    ),
    why: Wording::new(
        "To YAML the colon begins another value: frameworks with a YAML parser skip the skill, while those that read line \
          by line load it, so it works for some and not for others.",
        "对 YAML 来说，冒号意味着另一个值的开始：使用 YAML 解析器的框架会跳过该技能，逐行读取的框架却能加载，\
         因此它在有的框架中可用，在有的框架中不可用。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use for one thing: a demo.
---
Do it.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r#"---
name: demo
description: "Use for one thing: a demo."
---
Do it.
"#,
    )]),
    hides: &[&loader_would_skip::RULE],
    marks: &[],
    source: "YAML 1.2; client guide: adding skills support",
    fix: Some(Applicability::Safe),
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(cure) = cure(skill).filter(|cure| cure.obstacle == Obstacle::Colon) else { return };
    let lost = lost_newlines(skill, &cure);
    if let [first, ..] = lost.as_slice() {
        let (key, of) = (first.key, &cure.key);
        let message = message!(
            "`{key}:` is on the line of `{of}`, which makes the frontmatter invalid; put it on a line of its own",
            "`{key}:` 与 `{of}` 写在同一行，使前置元数据无效；请另起一行"
        );
        let newline = Newline::of(skill.text()).as_str();
        let edit = |lost: &Lost<'_>| Edit { path: skill.path().to_owned(), span: lost.blank, text: newline.to_owned() };
        let finding = report.at(skill.path(), first.place, message);
        let title = Wording::new("Begin a new line", "另起一行");
        finding.fixed_as(Applicability::Unsafe, title, lost.iter().map(edit).collect());
        return;
    }
    let message = message!(
        "`: ` in `{}` makes the frontmatter invalid; put the value in quotes",
        "`{}` 中的 `: ` 使前置元数据无效；请给值加上引号",
        cure.key
    );
    let title = Wording::new("Put the value in quotes", "给值加上引号");
    report.at(skill.path(), cure.value, message).replace(title, cure.value, cure.quoted);
}

/// A field that follows another one on its line.
struct Lost<'a> {
    key: &'a str,
    place: Span,
    /// What should be a line break.
    blank: Span,
}

/// `name: demo description: Runs a demo. license: MIT`: fields in the value, if the value before each is whole and the
/// field is nowhere else.
fn lost_newlines<'a>(skill: &'a Subject<'_>, cure: &Cure) -> Vec<Lost<'a>> {
    let (text, value) = (skill.text(), cure.value);
    let front = skill.manifest().frontmatter.as_ref().map_or("", |front| front.yaml.of(text));
    let is_field = |key: &str| SPECIFIED.contains(&key) || ABOUT_THE_SKILL.contains(&key);
    let is_elsewhere =
        |key: &str| front.lines().any(|line| line.split_once(':').is_some_and(|(other, _)| other == key));
    let is_at_top = text[..value.start].ends_with(&format!("\n{}: ", cure.key));
    let mut lost: Vec<Lost<'a>> = Vec::new();
    if !is_at_top || value.of(text).contains('\n') {
        return lost;
    }
    let (mut key, mut start) = (cure.key.as_str(), value.start);
    for (at, _) in value.of(text).match_indices(": ") {
        let end = value.start + at;
        let before = &text[start.min(end)..end];
        let next = before.rsplit(' ').next().unwrap_or_default();
        let first = before[..before.len() - next.len()].trim_end();
        if is_field(next) && !is_elsewhere(next) && !lost.iter().any(|lost| lost.key == next) && is_whole(key, first) {
            let place = Span::new(end - next.len(), end);
            lost.push(Lost { key: next, place, blank: Span::new(start + first.len(), place.start) });
            (key, start) = (next, end + ": ".len());
        }
    }
    lost
}

/// Whether a value may end so: it is one word, or ends like a sentence.
fn is_whole(key: &str, value: &str) -> bool {
    match key {
        "name" => is_valid_name(value),
        _ => {
            let is_word = !value.is_empty() && !value.contains(' ');
            is_word || value.ends_with(['.', '!', '?', '。', '！', '？', ')', '"', '\''])
        }
    }
}
