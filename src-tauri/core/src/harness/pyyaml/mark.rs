//! Places in a text, and the messages about them, as PyYAML writes them: line and column, and the line itself with a
//! caret below.

use std::fmt::Write;

/// The line ends that PyYAML knows.
pub const BREAKS: [char; 5] = ['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}'];
/// Stands behind the last character.
pub const END: char = '\0';
/// Characters of the line shown on either side of the place, at most.
const SHOWN: usize = 36;
/// Characters taken off again where a line is cut, for the dots.
const CUT: usize = 5;

/// What was being read, where that began, what is wrong, and where.
#[derive(Debug, PartialEq, Eq)]
pub struct Mistake {
    pub context: Option<(String, Option<usize>)>,
    pub problem: String,
    /// By its character.
    pub at: usize,
}

impl Mistake {
    /// `str(MarkedYAMLError)`; `text` ends in [`END`].
    pub fn message(&self, text: &[char]) -> String {
        let mut lines = Vec::new();
        if let Some((context, at)) = &self.context {
            lines.push(context.clone());
            lines.extend(at.filter(|at| *at != self.at).map(|at| place(text, at)));
        }
        lines.push(self.problem.clone());
        lines.push(place(text, self.at));
        lines.join("\n")
    }
}

fn place(text: &[char], at: usize) -> String {
    let before = &text[..at];
    let start = before.iter().rposition(|letter| BREAKS.contains(letter)).map_or(0, |found| found + 1);
    let crlf = before.windows(2).filter(|pair| *pair == ['\r', '\n']).count();
    let line = before.iter().filter(|letter| BREAKS.contains(letter)).count() - crlf;
    // A byte order mark has no width.
    let column = before[start..].iter().filter(|letter| **letter != '\u{feff}').count();
    let left = at - start;
    let right = text[at..].iter().position(|letter| *letter == END || BREAKS.contains(letter)).unwrap_or(0);

    let (head, from) = if left > SHOWN { (" ... ", at - (SHOWN + 1 - CUT)) } else { ("", start) };
    let (tail, to) = if right > SHOWN { (" ... ", at + SHOWN + 1 - CUT) } else { ("", at + right) };
    let shown: String = text[from..to].iter().collect();
    let caret = 4 + head.len() + (at - from);
    let mut out = format!("  in \"<unicode string>\", line {}, column {}:\n", line + 1, column + 1);
    write!(out, "    {head}{shown}{tail}\n{:caret$}^", "").expect("a String takes everything");
    out
}
