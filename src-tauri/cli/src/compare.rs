//! `inspect` under several harnesses: the same skills side by side.

use api::dto::{
    CataloguePlace, CompareArgs, ComparedHarness, Comparison, DiffKind, DiffPiece, HarnessChoice, Presence,
    TextDiffArgs,
};
use api::{ApiError, Workbench};

use crate::paths::{Look, places_text};
use crate::print::{BOLD, DIM, GREEN, PLAIN, RED, YELLOW, gist, grouped, line, numbers, out, plain, styled, table};
use crate::quirks::quirk_text;
use crate::{Format, Outcome, print};
use wording::Wording;

pub async fn compare(
    bench: &Workbench,
    of: Vec<HarnessChoice>,
    look: Look,
    format: Format,
) -> Result<Outcome, ApiError> {
    let found = bench
        .compare(CompareArgs {
            roots: None,
            of,
            prompt: None,
            cwd: look.cwd,
            neutral_paths: look.neutral_paths,
            unsaved: Vec::new(),
            without: Vec::new(),
        })
        .await?;
    if format == Format::Json {
        print::json(&found)?;
    } else {
        harnesses(&found.columns);
        if let Some(first) = found.columns.first() {
            places_text(&first.inspection.neutral);
        }
        skills(&found);
        reasons(&found);
        quirks(&found.columns);
        instructions(bench, &found.columns).await?;
    }
    let refused = found.columns.iter().any(|column| column.inspection.refused.is_some());
    Ok(if refused { Outcome::Bad } else { Outcome::Good })
}

/// The columns, numbered as everything below refers to them.
fn harnesses(columns: &[ComparedHarness]) {
    let head = [
        String::new(),
        words!("Framework", "框架"),
        words!("Variant", "变体"),
        words!("loads", "加载"),
        words!("leaves out", "略过"),
        words!("quirks", "特异行为"),
        words!("always", "始终"),
        words!("activated", "激活后"),
        words!("in files", "文件中"),
        words!("Catalogue is in", "目录位于"),
    ];
    let mut rows = vec![head.map(|title| (BOLD, title)).to_vec()];
    for (column, number) in numbered(columns) {
        let shown = &column.inspection;
        let tiers = shown.tokens.tiers;
        let counts = [
            shown.skills.len().to_string(),
            shown.skipped.len().to_string(),
            shown.quirks.len().to_string(),
            tiers.catalogue.to_string(),
            tiers.instructions.to_string(),
            tiers.resources.to_string(),
        ];
        let mut row = vec![(BOLD, number.to_string()), (BOLD, shown.harness.clone())];
        row.push((PLAIN, format!("{}{}", shown.variant, if shown.verified { "" } else { "*" })));
        row.extend(counts.map(|count| (PLAIN, count)));
        row.push((PLAIN, places(&column.inspection.catalogue)));
        rows.push(row);
    }
    out(&table(&rows, &[0, 3, 4, 5, 6, 7, 8]));
    let tokenizer = columns.first().map_or("", |column| column.inspection.tokens.tokenizer.name());
    out(&styled(
        DIM,
        words!(
            "Tokens by {tokenizer}: always there, once all skills are activated, in their files.",
            "token 数按 {tokenizer} 计：始终存在的、所有技能激活后的、技能文件中的。"
        ),
    ));
    if columns.iter().any(|column| !column.inspection.verified) {
        out(&styled(YELLOW, words!("* not verified against a run", "* 未经实际运行验证")));
    }
    out("");
    for (column, number) in numbered(columns) {
        let tools: Vec<&str> = column.inspection.tools.iter().map(|tool| tool.name.as_str()).collect();
        let tools = if tools.is_empty() { words!("no tools", "没有工具") } else { tools.join(", ") };
        out(&format!("{number:>2} {} {}", styled(DIM, words!("tools:", "工具：")), line(&tools)));
        if let Some(refused) = &column.inspection.refused {
            out(&format!("   {} {}", styled(RED, words!("refused:", "拒绝：")), line(refused)));
        }
    }
}

fn places(catalogue: &[CataloguePlace]) -> String {
    let place = |place: &CataloguePlace| match place {
        CataloguePlace::Instructions => words!("the instructions", "指令"),
        CataloguePlace::DeveloperMessage => words!("a developer message", "一条 developer 消息"),
        CataloguePlace::FirstMessage => words!("the first message of the user", "用户的第一条消息"),
        CataloguePlace::ToolDescription { tool } => words!("the description of {}", "{} 的描述", line(tool)),
        CataloguePlace::ToolParameter { tool } => words!("a parameter of {}", "{} 的参数", line(tool)),
    };
    if catalogue.is_empty() {
        return "–".to_owned();
    }
    print::listed(&catalogue.iter().map(place).collect::<Vec<_>>())
}

fn skills(found: &Comparison) {
    out("");
    let mut head = vec![(BOLD, words!("Skill", "技能"))];
    head.extend(numbered(&found.columns).map(|(_, number)| (BOLD, number.to_string())));
    let mut rows = vec![head];
    for skill in &found.skills {
        let mut row = vec![(PLAIN, skill.name.clone())];
        row.extend(skill.columns.iter().map(|presence| match presence {
            Presence::Loaded { tokens, differs: false, .. } => (GREEN, format!("✓ {}", tokens.instructions)),
            Presence::Loaded { tokens, differs: true, .. } => (YELLOW, format!("≠ {}", tokens.instructions)),
            Presence::Skipped { .. } => (RED, "✗".to_owned()),
            Presence::Unseen => (DIM, "·".to_owned()),
        }));
        rows.push(row);
    }
    out(&table(&rows, &(1..=found.columns.len()).collect::<Vec<_>>()));
    out(&styled(
        DIM,
        words!(
            "✓ loaded, with its tokens once activated   ≠ loaded with another name or description",
            "✓ 已加载，附激活后的 token 数   ≠ 加载时名称或描述不同"
        ),
    ));
    out(&styled(DIM, words!("✗ left out   · the framework does not look there", "✗ 略过   · 框架不在该处查找")));
}

/// Why skills are left out, and which values are read differently.
fn reasons(found: &Comparison) {
    for skill in &found.skills {
        let first = skill.columns.iter().find_map(loaded);
        let told = skill.columns.iter().zip(1..).filter_map(|(presence, number)| Some((why(presence, first)?, number)));
        let told = grouped(told);
        if told.is_empty() {
            continue;
        }
        out("");
        out(&styled(BOLD, line(&skill.name)));
        for (why, whose) in told {
            let why = line(&why);
            out(&format!("  {}  {why}", styled(BOLD, format!("{:<9}", numbers(&whose, found.columns.len())))));
        }
    }
}

/// `first`: name and description as the first framework that loads it reads them.
fn why(presence: &Presence, first: Option<(&str, &str)>) -> Option<String> {
    match presence {
        Presence::Skipped { reason } => Some(words!("left out: {reason}", "略过：{reason}"; reason)),
        Presence::Loaded { name, description, differs: true, .. } => {
            let (first_name, first_description) = first?;
            let read = |what: Wording, first: &str, here: &str| {
                let (is, not) = (gist(here, 100), gist(first, 100));
                (first != here)
                    .then(|| words!("{what} reads \"{is}\", not \"{not}\"", "{what}读作“{is}”，而不是“{not}”"; what))
            };
            let name = read(Wording::new("name", "名称"), first_name, name);
            let description = read(Wording::new("description", "描述"), first_description, description);
            Some(name.into_iter().chain(description).collect::<Vec<_>>().join(&words!("; ", "；")))
        }
        Presence::Loaded { .. } | Presence::Unseen => None,
    }
}

fn loaded(presence: &Presence) -> Option<(&str, &str)> {
    match presence {
        Presence::Loaded { name, description, .. } => Some((name, description)),
        Presence::Skipped { .. } | Presence::Unseen => None,
    }
}

fn quirks(columns: &[ComparedHarness]) {
    for (column, number) in numbered(columns).filter(|(column, _)| !column.inspection.quirks.is_empty()) {
        out("");
        out(&styled(BOLD, words!("Where {} ({number}) hurts", "{}（{number}）的特异行为", column.inspection.harness)));
        for quirk in &column.inspection.quirks {
            out(&format!("  {}", quirk_text(quirk)));
        }
    }
}

/// The first framework's instructions against each other's.
async fn instructions(bench: &Workbench, columns: &[ComparedHarness]) -> Result<(), ApiError> {
    let Some((first, others)) = columns.split_first() else { return Ok(()) };
    let text = |column: &ComparedHarness| column.inspection.instructions.as_ref().map(|marked| marked.text.clone());
    for (column, number) in others.iter().zip(2..) {
        out("");
        let (a, b) = (&first.inspection, &column.inspection);
        let heading = words!(
            "Instructions: 1 {} {} → {number} {} {}",
            "指令：1 {} {} → {number} {} {}",
            a.harness,
            a.variant,
            b.harness,
            b.variant
        );
        out(&styled(BOLD, heading));
        match (text(first), text(column)) {
            (None, None) => out(&words!("  neither has any", "  两者都没有")),
            (Some(a), Some(b)) if a == b => out(&words!("  the same to the byte", "  逐字节相同")),
            (a, b) => {
                let (a, b) = (a.unwrap_or_default(), b.unwrap_or_default());
                let pieces = bench.text_diff(TextDiffArgs { a, b }).await?;
                out(&indented_lines(&worded(&pieces, print::has_colours())));
            }
        }
    }
    Ok(())
}

/// The pieces as one text: struck out and underlined if styles are on, else between `[-…-]` and `{+…+}`.
fn worded(pieces: &[DiffPiece], styles: bool) -> String {
    let last = pieces.len().saturating_sub(1);
    let piece = |(index, piece): (usize, &DiffPiece)| {
        let text = plain(&piece.text);
        match (piece.kind, styles) {
            (DiffKind::Same, _) => shortened(&text, index == 0, index == last),
            (DiffKind::Removed, true) => by_line(RED.strikethrough(), &text),
            (DiffKind::Added, true) => by_line(GREEN.underline(), &text),
            (DiffKind::Removed, false) => format!("[-{text}-]"),
            (DiffKind::Added, false) => format!("{{+{text}+}}"),
        }
    };
    pieces.iter().enumerate().map(piece).collect()
}

/// Lines of unchanged text that are shown around a change.
const AROUND: usize = 3;

/// Shortens a long unchanged text to the parts near a change.
fn shortened(text: &str, starts: bool, ends: bool) -> String {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let (head, tail) = (if starts { 0 } else { AROUND }, if ends { 0 } else { AROUND });
    let left_out = lines.len().saturating_sub(head + tail);
    if left_out <= AROUND {
        return text.to_owned();
    }
    let note = styled(DIM, words!("… {left_out} lines are the same", "… {left_out} 行相同"));
    format!("{}{note}\n{}", lines[..head].concat(), lines[lines.len() - tail..].concat())
}

/// Each line in the style by itself: an indent before the next one stays without it.
fn by_line(style: anstyle::Style, text: &str) -> String {
    let line = |line: &str| if line.is_empty() { String::new() } else { styled(style, line) };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

fn indented_lines(text: &str) -> String {
    text.lines().map(|line| format!("  {line}")).collect::<Vec<_>>().join("\n")
}

fn numbered(columns: &[ComparedHarness]) -> impl Iterator<Item = (&ComparedHarness, usize)> {
    columns.iter().zip(1..)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(kind: DiffKind, text: &str) -> DiffPiece {
        DiffPiece { kind, text: text.into() }
    }

    #[test]
    fn a_change_is_marked_also_where_there_are_no_colours() {
        let pieces =
            [piece(DiffKind::Same, "use "), piece(DiffKind::Removed, "a"), piece(DiffKind::Added, "b\u{1b}[2J")];
        assert_eq!(worded(&pieces, false), "use [-a-]{+b\\u{1b}[2J+}");
    }

    #[test]
    fn far_from_a_change_what_is_the_same_is_only_counted() {
        let same: String = (1..=20).map(|line| format!("{line}\n")).collect();
        let pieces = [piece(DiffKind::Added, "x"), piece(DiffKind::Same, &same), piece(DiffKind::Removed, "y")];
        assert_eq!(
            print::unstyled(&worded(&pieces, false)),
            "{+x+}1\n2\n3\n… 14 lines are the same\n18\n19\n20\n[-y-]"
        );
    }
}
