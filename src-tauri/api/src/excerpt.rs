//! Places of texts with the lines that they are on, as lists show them.

use super::convert::Ruler;
use super::dto::FoundPlace;
use skill::source::Span;

/// `ruler`: of the text.
pub(super) fn excerpt(text: &str, span: Span, ruler: &Ruler) -> FoundPlace {
    let (before, found, after) = line(text, span);
    FoundPlace { range: ruler.range(span), before, text: found, after }
}

/// Characters of a line that are shown before a place, of it, and after it.
const SHOWN: (usize, usize, usize) = (60, 200, 160);

/// The line that a place begins on, without indentation: the text before, the place, and the text after. `…` if it
/// continues.
fn line(text: &str, span: Span) -> (String, String, String) {
    let begin = text[..span.start].rfind('\n').map_or(0, |end| end + 1);
    let ends = |from: usize| {
        let end = text[from..].find('\n').map_or(text.len(), |end| from + end);
        if text[from..end].ends_with('\r') { end - 1 } else { end }
    };
    let (before, within, after) = SHOWN;
    let head = text[begin..span.start].trim_start();
    let skipped = head.chars().count().saturating_sub(before);
    let head: String = head.chars().skip(skipped).collect();
    let head = if skipped > 0 { format!("…{head}") } else { head };
    let end = ends(span.start).min(span.end);
    let found = cut(&text[span.start..end], within, end < span.end);
    let tail = if end < span.end { String::new() } else { cut(&text[span.end..ends(span.end)], after, false) };
    (head, found, tail)
}

fn cut(text: &str, most: usize, goes_on: bool) -> String {
    let shown: String = text.chars().take(most).collect();
    if shown.len() < text.len() || goes_on { format!("{shown}…") } else { shown }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_shown_around_its_place() {
        let text = format!("one\n  {}x{}\n", "a".repeat(100), "b".repeat(300));
        let at = text.find('x').unwrap();
        let (before, found, after) = line(&text, Span::new(at, at + 1));
        assert_eq!(before, format!("…{}", "a".repeat(60)));
        assert_eq!((found.as_str(), after), ("x", format!("{}…", "b".repeat(160))));
        let two_lines = line("  one\ntwo", Span::new(2, 9));
        assert_eq!(two_lines, (String::new(), "one…".to_owned(), String::new()));
    }
}
