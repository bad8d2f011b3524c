//! The rules as a document.

use std::borrow::Cow;
use std::fmt::Write;

use super::judged::judged;
use super::left_out::{LEFT_OUT, LeftOut};
use super::rules::rules;
use super::{Applicability, Check, Example, Group, Mark, Rule, comments};
use skill::Severity;
use wording::{Language, Wording, message};

/// `docs/rules.md`.
pub fn markdown() -> String {
    let all: Vec<&Rule> = rules().collect();
    let mut out = format!(
        "# Rules\n\nWritten by `cargo xtask generate` from the rules themselves; each example is a test. {} rules, {} of \
         them on unless you say otherwise.\n\nSuppress a reviewed finding with a comment on its line or \
         the one before, or for a whole file by one with `lint-ignore-file` anywhere in it; RULE is a rule or a group, \
         or several with commas between them:\n\n| file | comment |\n|---|---|\n",
        all.len(),
        all.iter().filter(|rule| rule.on).count(),
    );
    for (files, comment) in comments::FORMS {
        put(&mut out, format_args!("| {files} | `{comment}` |\n"));
    }
    out.push_str(
        "\nJSON has no comments: what rules weigh is set in `workbench.yaml` under `lint`, for it and for all.\n\n\
         *Right* says of how many of its findings on real skills, of those that were judged by reading, a rule was right: \
         what it says is true, and the author would want to hear it. `tests/precision` has the judgements and how to \
         measure again.\n",
    );
    for group in Group::ALL {
        let rules: Vec<&&Rule> = all.iter().filter(|rule| rule.group == group).collect();
        if rules.is_empty() {
            continue;
        }
        put(
            &mut out,
            format_args!(
                "\n## {}\n\n| rule | what is wrong | weighs | fix | right |\n|---|---|---|---|---|\n",
                group.title().en
            ),
        );
        for rule in &rules {
            put(
                &mut out,
                format_args!(
                    "| [{}](#{}) | {} | {} | {} | {} |\n",
                    rule.id,
                    rule.id,
                    rule.title.en,
                    weight(rule),
                    fix(rule),
                    judged(rule.id).map(|judged| format!("{} of {}", judged.right, judged.all())).unwrap_or_default()
                ),
            );
        }
        for rule in rules {
            put(&mut out, format_args!("{}", card(rule, Language::English)));
        }
    }
    out.push_str("\n## Left out, and why\n\n| check | what it would look for | why it is left out |\n|---|---|---|\n");
    for LeftOut { name, what, why } in LEFT_OUT {
        put(&mut out, format_args!("| {name} | {what} | {why} |\n"));
    }
    out
}

/// One rule, as `docs/rules.md`, reports and editors show it.
pub fn card(rule: &Rule, language: Language) -> String {
    let weight = severity(rule.severity).text(language);
    let mut out = format!("\n### {}\n\n**{}**", rule.id, rule.title.text(language));
    out.push_str(
        match rule.on {
            true => message!(" ({weight})", "（{weight}）"),
            false => message!(" ({weight}, off by default)", "（{weight}，默认关闭）"),
        }
        .text(language),
    );
    let source = message!("Source: {}.", "来源：{}。", rule.source);
    let (what, why) = (rule.what.text(language), rule.why.text(language));
    put(&mut out, format_args!("\n\n{what}\n\n{why}\n\n{}", source.text(language)));
    let fix = match rule.fix {
        Some(Applicability::Safe) => Wording::new(" It has a fix that keeps the meaning.", "有不改变含义的修复。"),
        Some(Applicability::Unsafe) if rule.marks.contains(&Mark::SafeIfSame) => Wording::new(
            " It has a fix, which is safe if every framework shows a model the same afterwards; otherwise look at what it does.",
            "有修复：若修复后每个框架给模型看的内容都不变，则可以放心应用；否则请检查其结果。",
        ),
        Some(Applicability::Unsafe) => Wording::new(" It has a fix; look at what it does.", "有修复，请检查其结果。"),
        None => Wording::name(""),
    };
    out.push_str(fix.text(language));
    if let Some(judged) = judged(rule.id) {
        let (right, all) = (judged.right, judged.all());
        let said =
            message!(" Right on {right} of {all} judged findings.", "人工核对过 {all} 处，其中 {right} 处正确。");
        out.push_str(said.text(language));
    }
    if matches!(rule.check, Check::Set(_)) {
        let several = Wording::new(" It looks at several skills together.", "同时查看多个技能。");
        out.push_str(several.text(language));
    }
    let [bad, good] =
        [("Bad:", "会报告："), ("Good:", "没有问题：")].map(|(en, zh)| Wording::new(en, zh).text(language));
    put(&mut out, format_args!("\n\n{bad}\n{}\n{good}\n{}", files(&rule.bad), files(&rule.good)));
    out
}

fn files(example: &Example) -> String {
    let mut out = String::new();
    for (path, text) in shown_files(example) {
        let ticks = "`".repeat(longest_run(&text).max(2) + 1);
        let end = if text.ends_with('\n') { "" } else { "\n" };
        put(&mut out, format_args!("\n{ticks}text {path}\n{text}{end}{ticks}\n"));
    }
    out
}

/// An example's files for readers: invisible characters are shown as `<U+200B>`, and long texts are cut.
pub fn shown_files(example: &Example) -> impl Iterator<Item = (String, String)> {
    example.files.iter().map(|(path, text)| {
        let path = path.strip_prefix('/').map_or_else(|| format!("{}/{path}", example.folder), str::to_owned);
        (path, visible(&shown(text)))
    })
}

/// The beginning of an example that is about length.
fn shown(text: &str) -> Cow<'_, str> {
    let length = text.match_indices('\n').nth(LINES_SHOWN).map_or(text.len(), |(at, _)| at + 1);
    let length = text.floor_char_boundary(length.min(BYTES_SHOWN));
    if length == text.len() {
        return Cow::Borrowed(text);
    }
    let left = text.len() - length;
    let end = if text[..length].ends_with('\n') { "" } else { "\n" };
    Cow::Owned(format!("{}{end}[… {left} more bytes of this kind]\n", &text[..length]))
}

const LINES_SHOWN: usize = 40;
const BYTES_SHOWN: usize = 2000;

/// Characters that cannot be seen are the point of some examples.
fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        let shown = letter.is_ascii_graphic() || matches!(letter, ' ' | '\n' | '\t') || letter.is_alphanumeric();
        if shown || (!letter.is_control() && !is_format(letter)) {
            out.push(letter);
        } else {
            put(&mut out, format_args!("<U+{:04X}>", u32::from(letter)));
        }
    }
    out
}

/// Format characters: zero width, direction, tags, variation selectors.
fn is_format(letter: char) -> bool {
    matches!(letter, '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{E0000}'..='\u{E01EF}')
}

fn longest_run(text: &str) -> usize {
    text.split(|letter| letter != '`').map(str::len).max().unwrap_or_default()
}

fn weight(rule: &Rule) -> &'static str {
    if rule.on { severity(rule.severity).en } else { "off" }
}

fn fix(rule: &Rule) -> &'static str {
    match rule.fix {
        Some(Applicability::Safe) => "safe",
        Some(Applicability::Unsafe) if rule.marks.contains(&Mark::SafeIfSame) => "safe if nothing changes",
        Some(Applicability::Unsafe) => "to look at",
        None => "",
    }
}

fn severity(severity: Severity) -> Wording {
    match severity {
        Severity::Info => Wording::new("info", "提示"),
        Severity::Warning => Wording::new("warning", "警告"),
        Severity::Error => Wording::new("error", "错误"),
    }
}

fn put(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("a String takes everything");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_document_is_up_to_date() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/rules.md");
        if std::env::var_os("SKILLBENCH_GENERATE").is_some() {
            std::fs::write(path, markdown()).expect("writable");
        }
        let found = std::fs::read_to_string(path).unwrap_or_default();
        assert!(found.replace("\r\n", "\n") == markdown(), "run `cargo xtask generate` and review the difference");
    }
}
