//! The card as a picture that needs nothing else: no script, no font, no address. It is as wide as a README, goes dark with
//! its reader, and what does not fit is cut, with a mark.

use std::fmt::Write;

use super::{Words, grouped};
use crate::dto::{CardRow, CardSeen, SkillCard};
use wording::Language;

const WIDTH: u32 = 920;
const MARGIN: u32 = 20;
/// Distance from the left edge to the text of a row.
const SAID: u32 = 210;
const LINE: u32 = 18;
/// Of a letter of the two sizes; letters beyond ASCII count twice.
const COLUMN: f64 = 7.3;
/// Lines of a text that are drawn.
const MOST: usize = 14;

pub fn draw(card: &SkillCard, language: Language) -> String {
    let words = Words(language);
    let mut body = String::new();
    let mut y = MARGIN + 22;
    text(&mut body, "title", MARGIN, y, &fitted(&words.title(card), WIDTH - 2 * MARGIN));
    y += 12;
    for (group, rows) in grouped(card) {
        y += LINE + 10;
        text(&mut body, "group", MARGIN, y, words.group(group));
        y += 8;
        for row in rows {
            y = draw_row(&mut body, row, &words, y);
        }
    }
    y += LINE + 4;
    text(&mut body, "note", MARGIN, y, &words.counted(card));
    let height = y + MARGIN;
    let title = escaped(&words.title(card));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\" \
         role=\"img\" aria-label=\"{title}\">\n<title>{title}</title>\n<style>{STYLE}</style>\n<rect class=\"page\" \
         width=\"{WIDTH}\" height=\"{height}\" rx=\"8\"/>\n{body}</svg>\n"
    )
}

const STYLE: &str = "text{font:13px ui-sans-serif,system-ui,sans-serif;fill:#1f2328}.page{fill:#fff;stroke:#d0d7de}\
                     .title{font-size:18px;font-weight:600}.group{font-weight:600;fill:#59636e}.name{font-weight:600}\
                     .mono{font:12px ui-monospace,Menlo,Consolas,monospace}.note,.variant{fill:#59636e}\
                     .rule{stroke:#d0d7de}.good{fill:#1a7f37}.part{fill:#9a6700}.bad{fill:#cf222e}.none{fill:#59636e}\
                     @media(prefers-color-scheme:dark){text{fill:#e6edf3}.page{fill:#0d1117;stroke:#3d444d}\
                     .group,.note,.variant,.none{fill:#9198a1}.rule{stroke:#3d444d}.good{fill:#3fb950}.part{fill:#d29922}\
                     .bad{fill:#f85149}}";

/// The end of the row.
fn draw_row(out: &mut String, row: &CardRow, words: &Words, top: u32) -> u32 {
    let right = WIDTH - MARGIN;
    let _ = writeln!(out, "<line class=\"rule\" x1=\"{MARGIN}\" x2=\"{right}\" y1=\"{top}\" y2=\"{top}\"/>");
    let mut y = top + LINE + 2;
    let beside = SAID - MARGIN - 8;
    text(out, "name", MARGIN, y, &fitted(&row.title, beside));
    text(out, "variant", MARGIN, y + LINE, &fitted(row.variant.text(words.0), beside));
    text(out, sign(row.seen), SAID, y, words.seen(row.seen));
    let wide = right - SAID;
    for line in row.line.iter().flat_map(|line| wrapped(line, wide)) {
        y += LINE;
        text(out, "mono", SAID, y, &line);
    }
    for (about, note) in words.notes(row) {
        for line in wrapped(&format!("{about}: {note}"), wide) {
            y += LINE;
            text(out, "note", SAID, y, &line);
        }
    }
    y.max(top + 2 * LINE + 2) + 10
}

fn sign(seen: CardSeen) -> &'static str {
    match seen {
        CardSeen::Listed => "good",
        CardSeen::NotListed => "part",
        CardSeen::LeftOut | CardSeen::Refused => "bad",
        CardSeen::Unseen => "none",
    }
}

fn text(out: &mut String, class: &str, x: u32, y: u32, said: &str) {
    let said = escaped(said);
    let _ = writeln!(out, "<text class=\"{class}\" x=\"{x}\" y=\"{y}\" xml:space=\"preserve\">{said}</text>");
}

/// Characters that XML does not allow are left out.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        match letter {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\t' => out.push(' '),
            letter if letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}') => {}
            letter => out.push(letter),
        }
    }
    out
}

fn columns(wide: u32) -> usize {
    // Far from what a float cannot hold.
    (f64::from(wide) / COLUMN) as usize
}

fn column(letter: char) -> usize {
    if letter.is_ascii() { 1 } else { 2 }
}

fn fitted(text: &str, wide: u32) -> String {
    let most = columns(wide);
    if text.chars().map(column).sum::<usize>() <= most {
        return text.to_owned();
    }
    let mut used = 2;
    let fits = |letter: &char| {
        used += column(*letter);
        used <= most
    };
    text.chars().take_while(fits).chain(['…']).collect()
}

/// Lines, broken at blanks if there are some.
fn wrapped(text: &str, wide: u32) -> Vec<String> {
    let most = columns(wide);
    let mut lines = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let mut rest = line;
        loop {
            let mut used = 0;
            let over = rest.char_indices().find(|(_, letter)| {
                used += column(*letter);
                used > most
            });
            let Some((end, _)) = over else {
                lines.push(rest.to_owned());
                break;
            };
            let end = rest[..end].rfind(' ').map_or(end, |blank| blank + 1);
            lines.push(rest[..end].trim_end().to_owned());
            rest = &rest[end..];
        }
    }
    if lines.len() > MOST {
        lines.truncate(MOST - 1);
        lines.push("…".to_owned());
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_broken_and_then_cut() {
        let lines = wrapped(&"word ".repeat(30), 150);
        assert!(lines.iter().all(|line| line.len() <= 20 && !line.starts_with(' ')), "{lines:?}");
        assert_eq!(wrapped(&"字".repeat(25), 150), ["字".repeat(10), "字".repeat(10), "字".repeat(5)]);
        assert_eq!(wrapped(&"x\n".repeat(40), 150).len(), MOST);
        assert_eq!(wrapped(&"x\n".repeat(40), 150)[MOST - 1], "…");
        assert_eq!(fitted(&"x".repeat(40), 150), format!("{}…", "x".repeat(18)));
    }

    #[test]
    fn what_xml_does_not_take_is_not_in_it() {
        assert_eq!(escaped("<a href=\"x\">&\u{0}\u{1b}\t\u{ffff}é"), "&lt;a href=&quot;x&quot;&gt;&amp; é");
    }
}
