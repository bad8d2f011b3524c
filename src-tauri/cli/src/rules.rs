//! `rules`: what `lint` looks for.

use api::dto::{RuleDto, RuleExampleFile};
use api::{ApiError, Workbench};
use lint::{Applicability, Group};
use skill::Severity;
use unicode_width::UnicodeWidthStr;

use crate::print::{self, BOLD, CYAN, DIM, PLAIN, RED, YELLOW, counted, gist, indented, styled};
use crate::{Format, Formatted, Outcome};

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
        out.push(format!("{} {}", styled(BOLD, group.title()), styled(DIM, format!("({})", group.id()))));
        out.push(indented_table(&rows));
        out.push(String::new());
    }
    let off = rules.iter().filter(|rule| !rule.on).count();
    let off = if off == 0 { String::new() } else { format!(", {off} of them off unless selected") };
    out.push(format!("{}{off}. `skillbench rules ID` tells all about one.", counted(rules.len(), "rule")));
    out.join("\n")
}

/// Places on a line besides id and title: the margin, severity, fix, and what keeps them apart.
const TITLE_AFTER: usize = 2 + 2 + 7 + 2 + 6 + 2;

fn row(rule: &RuleDto, room: usize) -> Vec<(anstyle::Style, String)> {
    let (style, severity) = weight(rule);
    let fix = match rule.fix {
        Some(Applicability::Safe) => "fix",
        Some(Applicability::Unsafe) => "unsafe",
        None => "",
    };
    let title = if rule.title.width() > room { gist(&rule.title, room.saturating_sub(1)) } else { rule.title.clone() };
    vec![(PLAIN, rule.id.clone()), (style, format!("{severity:7}")), (PLAIN, format!("{fix:6}")), (PLAIN, title)]
}

fn indented_table(rows: &[Vec<(anstyle::Style, String)>]) -> String {
    print::table(rows, &[]).lines().map(|line| format!("  {line}")).collect::<Vec<_>>().join("\n")
}

fn weight(rule: &RuleDto) -> (anstyle::Style, &'static str) {
    match rule.severity {
        _ if !rule.on => (DIM, "off"),
        Severity::Error => (RED, "error"),
        Severity::Warning => (YELLOW, "warning"),
        Severity::Info => (CYAN, "info"),
    }
}

fn card(rule: &RuleDto) -> String {
    let (style, severity) = weight(rule);
    let fix = match rule.fix {
        Some(Applicability::Safe) => ", has a fix that keeps the meaning",
        Some(Applicability::Unsafe) => ", has a fix that wants to be looked at (--unsafe-fixes)",
        None => "",
    };
    let room = print::width().unwrap_or(80).min(100);
    let wrapped = |text: &str| wrap(text, room);
    format!(
        "{}  {}\n{}{}\n\n{}\n\n{}\n\n{}\n\n{}{}\n{}{}",
        styled(BOLD, &rule.id),
        rule.title,
        styled(style, severity),
        styled(DIM, format!(" in {}{fix}", rule.group.id())),
        wrapped(&rule.what),
        wrapped(&rule.why),
        styled(DIM, wrapped(&format!("Source: {}.", rule.source))),
        styled(RED, "It fires here:"),
        example(&rule.bad),
        styled(print::GREEN, "and not here:"),
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
