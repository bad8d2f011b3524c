//! Places in a text, and the messages about them: PyYAML shows line, column and the line itself with a caret below,
//! yaml.v3 names the line.

use std::fmt::Write;

use super::Dialect;

/// The line ends of YAML 1.1.
/// Those that ruamel.yaml counts.
pub const LINE_ENDS: [char; 2] = ['\n', '\r'];
pub const BREAKS: [char; 5] = ['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}'];
/// Follows the last character.
pub const END: char = '\0';
/// Characters of the line shown on either side of the place, at most.
const SHOWN: usize = 36;
/// How many characters are removed for the dots where a line is cut.
const CUT: usize = 5;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ScanPlace {
    /// By its character.
    pub index: usize,
    /// From 0.
    pub line: usize,
}

/// Who stumbled. yaml.v3 counts the lines of the two differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    Scanner,
    Parser,
    Composer,
}

/// What was being read, where that began, what is wrong, and where.
#[derive(Debug, PartialEq, Eq)]
pub struct Mistake {
    pub stage: Stage,
    pub context: Option<(String, Option<ScanPlace>)>,
    pub problem: String,
    pub at: ScanPlace,
}

impl Mistake {
    /// `text` ends in [`END`].
    pub fn message(&self, text: &[char], dialect: Dialect) -> String {
        match dialect {
            Dialect::Go => self.with_line(),
            Dialect::Python | Dialect::Java => self.with_places(|at| place(text, at.index)),
            // libyaml does not keep the text. It ends the last line itself before it says what is missing at the end.
            Dialect::C => self.with_places(|at| {
                let ended = at.index + 1 >= text.len() && at.line > line(&text[..at.index.min(text.len() - 1)]);
                if ended {
                    return format!("  in \"<unicode string>\", line {}, column 1", at.line + 1);
                }
                let shown = place(text, at.index);
                shown.lines().next().unwrap_or_default().trim_end_matches(':').to_owned()
            }),
        }
    }

    /// As ruamel.yaml says it, for which only line feeds and carriage returns end a line that is counted.
    pub fn by_ruamel(&self, text: &[char]) -> String {
        self.with_places(|at| place_by(text, at.index, &LINE_ENDS))
    }

    /// `str(MarkedYAMLError)`.
    fn with_places(&self, place: impl Fn(ScanPlace) -> String) -> String {
        let mut lines = Vec::new();
        if let Some((context, at)) = &self.context {
            lines.push(context.clone());
            lines.extend(at.filter(|at| at.index != self.at.index).map(&place));
        }
        lines.push(self.problem.clone());
        lines.push(place(self.at));
        lines.join("\n")
    }

    /// `parser.fail` of yaml.v3: errors of the parser name the line before, and a first line is not named.
    fn with_line(&self) -> String {
        let context = self.context.as_ref().and_then(|(_, at)| *at).map_or(0, |at| at.line);
        let line = match (context, self.at.line) {
            _ if self.stage == Stage::Composer => 0,
            (0, 0) => 0,
            (0, line) | (line, _) => line + usize::from(self.stage == Stage::Scanner),
        };
        if line == 0 { self.problem.clone() } else { format!("line {line}: {}", self.problem) }
    }
}

fn place(text: &[char], at: usize) -> String {
    place_by(text, at, &BREAKS)
}

/// `ends`: what ends a line that is counted. A line that is shown ends in more ways.
fn place_by(text: &[char], at: usize, ends: &[char]) -> String {
    let at = at.min(text.len() - 1);
    let before = &text[..at];
    let behind = |ends: &[char]| before.iter().rposition(|letter| ends.contains(letter)).map_or(0, |found| found + 1);
    let start = behind(&BREAKS);
    let line = lines(before, ends);
    // A byte order mark has no width.
    let column = before[behind(ends)..].iter().filter(|letter| **letter != '\u{feff}').count();
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

/// The number of the line that a text ends in, from 0.
fn line(before: &[char]) -> usize {
    lines(before, &BREAKS)
}

fn lines(before: &[char], ends: &[char]) -> usize {
    let crlf = before.windows(2).filter(|pair| *pair == ['\r', '\n']).count();
    before.iter().filter(|letter| ends.contains(letter)).count() - crlf
}
