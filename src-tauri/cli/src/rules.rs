//! `rules`: what `lint` looks for.

use api::dto::{RuleDto, RuleExampleFile};
use api::{ApiError, Workbench};
use lint::{Applicability, Group};
use skill::Severity;
use unicode_width::UnicodeWidthStr;

use crate::language::Chosen;
use crate::print::{self, BOLD, CYAN, DIM, PLAIN, RED, Thing, YELLOW, counted, gist, indented, padded, styled};
use crate::{Format, Formatted, Outcome};
use wording::Message;

#[derive(clap::Args)]
pub struct Args {
    /// One rule, with all there is to say about it, or the rules of one group
    #[arg(value_name = "ID")]
    id: Option<String>,
    #[command(flatten)]
    output: Formatted,
}

pub fn rules(args: &Args) -> Result<Outcome, ApiError> {
    let named = match &args.id {
        Some(id) => Workbench::rules_named(id)?,
        None => Workbench::rules(),
    };
    let one = named.first().filter(|rule| args.id.as_deref() == Some(rule.id.as_str()));
    match (args.output.format, one) {
        (Format::Json, Some(rule)) => print::json(rule)?,
        (Format::Json, None) => print::json(&named)?,
        (Format::Text, Some(rule)) => print::out(&card(rule)),
        (Format::Text, None) => print::out(&table(&named)),
    }
    Ok(Outcome::Good)
}

fn table(rules: &[RuleDto]) -> String {
    let room = print::width().unwrap_or(usize::MAX);
    let mut out = Vec::new();
    for group in Group::ALL {
        let here: Vec<&RuleDto> = rules.iter().filter(|rule| rule.group == group).collect();
        if here.is_empty() {
            continue;
        }
        let ids = here.iter().map(|rule| rule.id.width()).max().unwrap_or_default();
        let rows: Vec<_> = here.iter().map(|rule| row(rule, room.saturating_sub(ids + TITLE_AFTER))).collect();
        out.push(format!("{} {}", styled(BOLD, group.title().chosen()), styled(DIM, format!("({})", group.id()))));
        out.push(indented_table(&rows));
        out.push(String::new());
    }
    let off = rules.iter().filter(|rule| !rule.on).count();
    let off = if off == 0 {
        String::new()
    } else {
        words!(", {off} of them off unless selected", "，其中 {off} 条不选则不启用")
    };
    let count = counted(rules.len(), Thing::Rule).chosen();
    out.push(words!(
        "{count}{off}. `skillbench rules ID` describes one.",
        "共 {count}{off}。`skillbench rules ID` 显示一条规则的全部说明。"
    ));
    out.join("\n")
}

/// Places on a line apart from id and title: the margin, severity, fix, and what keeps them apart.
const TITLE_AFTER: usize = 2 + 2 + 7 + 2 + 6 + 2;

fn row(rule: &RuleDto, room: usize) -> Vec<(anstyle::Style, String)> {
    let (style, severity) = weight(rule);
    let fix = match rule.fix {
        Some(Applicability::Safe) => words!("fix", "可修复"),
        Some(Applicability::Unsafe) => words!("unsafe", "需检查"),
        None => String::new(),
    };
    let title = in_language(&rule.title, &rule.title_zh);
    let title = if title.width() > room { gist(&title, room.saturating_sub(1)) } else { title };
    vec![(PLAIN, rule.id.clone()), (style, padded(&severity, 7)), (PLAIN, padded(&fix, 6)), (PLAIN, title)]
}

fn in_language(en: &str, zh: &str) -> String {
    Message { en: en.to_owned(), zh: zh.to_owned() }.chosen()
}

fn indented_table(rows: &[Vec<(anstyle::Style, String)>]) -> String {
    print::table(rows, &[]).lines().map(|line| format!("  {line}")).collect::<Vec<_>>().join("\n")
}

fn weight(rule: &RuleDto) -> (anstyle::Style, String) {
    match rule.severity {
        _ if !rule.on => (DIM, words!("off", "关闭")),
        Severity::Error => (RED, words!("error", "错误")),
        Severity::Warning => (YELLOW, words!("warning", "警告")),
        Severity::Info => (CYAN, words!("hint", "提示")),
    }
}

fn card(rule: &RuleDto) -> String {
    let (style, severity) = weight(rule);
    let fix = match rule.fix {
        Some(Applicability::Safe) => words!(", has a safe fix", "，有安全的修复"),
        Some(Applicability::Unsafe) => {
            words!(", has a fix that needs review (--unsafe-fixes)", "，有需要检查的修复（--unsafe-fixes）")
        }
        None => String::new(),
    };
    let room = print::width().unwrap_or(80).min(100);
    let wrapped = |text: &str| wrap(text, room);
    format!(
        "{}  {}\n{}{}\n\n{}\n\n{}\n\n{}\n\n{}{}\n{}{}",
        styled(BOLD, &rule.id),
        in_language(&rule.title, &rule.title_zh),
        styled(style, severity),
        styled(DIM, words!(" in {}{fix}", "，属于 {}{fix}", rule.group.id())),
        wrapped(&in_language(&rule.what, &rule.what_zh)),
        wrapped(&in_language(&rule.why, &rule.why_zh)),
        styled(DIM, wrapped(&words!("Source: {}.", "出处：{}。", rule.source))),
        styled(RED, words!("It fires here:", "会报告：")),
        example(&rule.bad),
        styled(print::GREEN, words!("and not here:", "不会报告：")),
        example(&rule.good),
    )
    .trim_end()
    .to_owned()
}

fn example(files: &[RuleExampleFile]) -> String {
    let shown =
        files.iter().map(|file| format!("\n  {}\n{}\n", styled(BOLD, &file.path), indented(&file.text, "    ")));
    shown.collect()
}

/// Words in lines of at most `room` places.
fn wrap(text: &str, room: usize) -> String {
    let mut out = String::new();
    let mut used = 0;
    for word in text.split_whitespace() {
        let width = word.width();
        if used > 0 && used + 1 + width > room {
            out.push('\n');
            used = 0;
        }
        if used > 0 {
            out.push(' ');
            used += 1;
        }
        out.push_str(word);
        used += width;
    }
    out
}
