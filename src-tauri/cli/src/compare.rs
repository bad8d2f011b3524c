//! `inspect` under several harnesses: the same skills side by side.

use api::dto::{
    CataloguePlace, CompareArgs, ComparedHarness, Comparison, DiffKind, DiffPiece, HarnessChoice, Presence,
    TextDiffArgs,
};
use api::{ApiError, Workbench};

use crate::print::{BOLD, DIM, GREEN, PLAIN, RED, YELLOW, gist, grouped, line, numbers, out, plain, styled, table};
use crate::quirks::quirk_text;
use crate::{Format, Outcome, print};

pub async fn compare(
    bench: &Workbench,
    of: Vec<HarnessChoice>,
    cwd: Option<String>,
    format: Format,
) -> Result<Outcome, ApiError> {
    let found = bench.compare(CompareArgs { roots: None, of, prompt: None, cwd }).await?;
    if format == Format::Json {
        print::json(&found)?;
    } else {
        harnesses(&found.columns);
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
        "",
        "Harness",
        "Variant",
        "loads",
        "leaves out",
        "quirks",
        "always",
        "activated",
        "in files",
        "Catalogue is in",
    ];
    let mut rows = vec![head.map(|title| (BOLD, title.to_owned())).to_vec()];
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
    let tokenizer = columns.first().map_or("", |column| &column.inspection.tokens.tokenizer);
    out(&styled(DIM, format!("Tokens by {tokenizer}: always there, once all skills are activated, in their files.")));
    if columns.iter().any(|column| !column.inspection.verified) {
        out(&styled(YELLOW, "* not verified against a run"));
    }
    out("");
    for (column, number) in numbered(columns) {
        let tools: Vec<&str> = column.inspection.tools.iter().map(|tool| tool.name.as_str()).collect();
        let tools = if tools.is_empty() { "no tools".to_owned() } else { tools.join(", ") };
        out(&format!("{number:>2} {} {}", styled(DIM, "tools:"), line(&tools)));
        if let Some(refused) = &column.inspection.refused {
            out(&format!("   {} {}", styled(RED, "refused:"), line(refused)));
        }
    }
}

fn places(catalogue: &[CataloguePlace]) -> String {
    let place = |place: &CataloguePlace| match place {
        CataloguePlace::Instructions => "the instructions".to_owned(),
        CataloguePlace::ToolDescription { tool } => format!("the description of {}", line(tool)),
        CataloguePlace::ToolParameter { tool } => format!("a parameter of {}", line(tool)),
    };
    if catalogue.is_empty() {
        return "–".to_owned();
    }
    catalogue.iter().map(place).collect::<Vec<_>>().join(", ")
}

fn skills(found: &Comparison) {
    out("");
    let mut head = vec![(BOLD, "Skill".to_owned())];
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
    out(&styled(DIM, "✓ loaded, with its tokens once activated   ≠ loaded with another name or description"));
    out(&styled(DIM, "✗ left out   · the framework does not look there"));
}

/// Why skills are left out, and what is read otherwise.
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
            out(&format!("  {}  {why}", styled(BOLD, format!("{:<9}", numbers(&whose, found.columns.len())))));
        }
    }
}

/// `first`: name and description as the first harness that loads it reads them.
fn why(presence: &Presence, first: Option<(&str, &str)>) -> Option<String> {
    match presence {
        Presence::Skipped { reason } => Some(format!("left out: {}", line(reason))),
        Presence::Loaded { name, description, differs: true, .. } => {
            let (first_name, first_description) = first?;
            let read = |what: &str, first: &str, here: &str| {
                (first != here).then(|| format!("{what} reads \"{}\", not \"{}\"", gist(here, 100), gist(first, 100)))
            };
            let name = read("name", first_name, name);
            let description = read("description", first_description, description);
            Some(name.into_iter().chain(description).collect::<Vec<_>>().join("; "))
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
        out(&styled(BOLD, format!("Where {} ({number}) hurts", column.inspection.harness)));
        for quirk in &column.inspection.quirks {
            out(&format!("  {}", quirk_text(quirk)));
        }
    }
}

/// The first harness's instructions against each other's.
async fn instructions(bench: &Workbench, columns: &[ComparedHarness]) -> Result<(), ApiError> {
    let Some((first, others)) = columns.split_first() else { return Ok(()) };
    let text = |column: &ComparedHarness| column.inspection.instructions.as_ref().map(|marked| marked.text.clone());
    for (column, number) in others.iter().zip(2..) {
        out("");
        let (a, b) = (&first.inspection, &column.inspection);
        let heading = format!("Instructions: 1 {} {} → {number} {} {}", a.harness, a.variant, b.harness, b.variant);
        out(&styled(BOLD, heading));
        match (text(first), text(column)) {
            (None, None) => out("  neither has any"),
            (Some(a), Some(b)) if a == b => out("  the same to the byte"),
            (a, b) => {
                let (a, b) = (a.unwrap_or_default(), b.unwrap_or_default());
                let pieces = bench.text_diff(TextDiffArgs { a, b }).await?;
                out(&indented_lines(&worded(&pieces, print::has_colours())));
            }
        }
    }
    Ok(())
}

/// The pieces as one text: struck out and underlined where there are styles, else between `[-…-]` and `{+…+}`.
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

/// Lines of unchanged text that are shown beside a change.
const AROUND: usize = 3;

/// A long unchanged text but for what is near a change.
fn shortened(text: &str, starts: bool, ends: bool) -> String {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let (head, tail) = (if starts { 0 } else { AROUND }, if ends { 0 } else { AROUND });
    let left_out = lines.len().saturating_sub(head + tail);
    if left_out <= AROUND {
        return text.to_owned();
    }
    let note = styled(DIM, format!("… {left_out} lines are the same"));
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
