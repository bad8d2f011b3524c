//! The card as Markdown: a table for each group. Texts that are not ours are written as code, so that none of it
//! becomes markup.

use super::{Words, grouped};
use crate::dto::{CardRow, SkillCard};
use wording::Language;

pub fn write(card: &SkillCard, language: Language) -> String {
    let words = Words(language);
    let mut out = format!("# {}\n", plain(&words.title(card)));
    for (group, rows) in grouped(card) {
        let heads = [
            words.group(group),
            words.of("Sees it", "是否可见"),
            words.of("In the list", "列表中的内容"),
            words.of("Notes", "说明"),
        ];
        out.push_str(&format!("\n| {} |\n|---|---|---|---|\n", heads.join(" | ")));
        for row in rows {
            let cells = [title(row, language), words.seen(row.seen).to_owned(), line(row), notes(row, &words)];
            out.push_str(&format!("| {} |\n", cells.join(" | ")));
        }
    }
    out.push_str(&format!("\n{}\n", plain(&words.counted(card))));
    out
}

fn title(row: &CardRow, language: Language) -> String {
    format!("{} {}", plain(&row.title), plain(row.variant.text(language)))
}

fn line(row: &CardRow) -> String {
    let lines = row.line.iter().flat_map(|line| line.lines());
    lines.filter(|line| !line.trim().is_empty()).map(code).collect::<Vec<_>>().join("<br>")
}

fn notes(row: &CardRow, words: &Words) -> String {
    let notes = words.notes(row).into_iter().map(|(about, text)| format!("{about}: {}", plain(&text)));
    notes.collect::<Vec<_>>().join("<br>")
}

/// A code span; a bar would end the cell even there.
fn code(text: &str) -> String {
    let longest = text.split(|letter| letter != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest + 1);
    let space = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{space}{}{space}{fence}", text.replace('|', "\\|"))
}

/// Text in which nothing is markup.
fn plain(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        match letter {
            '\n' | '\r' | '\t' => out.push(' '),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '$' | '#' | '!' => out.extend(['\\', letter]),
            letter => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_skill_becomes_markup() {
        assert_eq!(code("a | b"), "`a \\| b`");
        assert_eq!(code("`x` ``y``"), "``` `x` ``y`` ```");
        assert_eq!(plain("<b>[x](y)*\n|"), "&lt;b&gt;\\[x\\](y)\\* \\|");
    }
}
