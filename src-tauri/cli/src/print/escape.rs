//! Keeps texts of others from looking like ours. Everything that is printed for people goes through [`shown`] at the
//! last moment, whatever its source, and each hidden character becomes a mark such as `\u{1b}`. Only line ends, tabs
//! and our own styles survive; these begin with a sign that only this process knows.

use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::sync::LazyLock;

use anstyle::Style;
use skill::source::hidden;

/// Begins each style of ours, in place of `ESC [`. Authors of texts cannot know it.
static SIGN: LazyLock<String> = LazyLock::new(|| format!("\u{1b}{:016x}[", RandomState::new().hash_one(0)));

/// How a style begins in what terminals are sent.
const BEGIN: &str = "\u{1b}[";

/// `text` in a style. The text keeps its hidden characters until it is printed.
pub fn styled(style: Style, text: impl std::fmt::Display) -> String {
    format!("{}{text}{}", signed(&style.to_string()), signed(&format!("{style:#}")))
}

/// `text` with its styles as ours. Whatever of it others wrote must be without hidden characters already.
pub fn signed(text: &str) -> String {
    text.replace(BEGIN, &SIGN)
}

/// `text` as a terminal may be sent it.
pub fn shown(text: &str) -> String {
    let mut pieces = text.split(SIGN.as_str());
    let mut out = plain(pieces.next().unwrap_or_default());
    for piece in pieces {
        let style = piece.find(|letter: char| !letter.is_ascii_digit() && letter != ';').unwrap_or(piece.len());
        let (style, rest) = piece.split_at(style);
        // A style that was cut is none.
        if let Some(rest) = rest.strip_prefix('m') {
            out.extend([BEGIN, style, "m", &plain(rest)]);
        } else {
            out.push_str(&plain(rest));
        }
    }
    out
}

/// As [`shown`], for the runner of GitHub Actions: a line that would be a command there (`::add-mask::`, `##[error]`)
/// no longer is. https://docs.github.com/actions/reference/workflow-commands-for-github-actions
pub fn shown_to_runner(text: &str) -> String {
    let shown = shown_command(text);
    let lines = shown.split_inclusive('\n').map(|line| match command(line) {
        Some(at) => format!("{}\\u{{3a}}{}", &line[..at], &line[at + 1..]),
        None => line.to_owned(),
    });
    lines.collect()
}

/// As [`shown`], for commands of ours to that runner: the older form of them counts anywhere in a line.
pub fn shown_command(text: &str) -> String {
    shown(text).replace("##[", "#\\u{23}[")
}

/// JSON without what that runner takes for a command; no line of it begins with a string of others.
pub fn json_to_runner(text: &str) -> String {
    text.replace("##[", "#\\u0023[")
}

/// Where a line begins with two colons, after white space and styles, which the runner may remove.
fn command(line: &str) -> Option<usize> {
    let mut rest = line.trim_start();
    while let Some((_, behind)) = rest.strip_prefix(BEGIN).and_then(|style| style.split_once('m')) {
        rest = behind.trim_start();
    }
    rest.starts_with("::").then_some(line.len() - rest.len())
}

/// A text of others with its hidden characters as marks; line ends and tabs stay.
pub fn plain(text: &str) -> String {
    marked(&text.replace("\r\n", "\n"), mark)
}

/// As [`plain`], in one line: it cannot begin another line.
pub fn line(text: &str) -> String {
    plain(text).replace('\n', "\\n").replace('\t', "\\t")
}

/// JSON with hidden characters as `\u` escapes, which read back as the same characters.
pub fn json(text: &str) -> String {
    marked(text, |letter, out| {
        for unit in letter.encode_utf16(&mut [0; 2]) {
            out.push_str(&format!("\\u{unit:04x}"));
        }
    })
}

fn mark(letter: char, out: &mut String) {
    match letter {
        '\r' => out.push_str("\\r"),
        _ => out.extend(letter.escape_unicode()),
    }
}

fn marked(text: &str, mark: impl Fn(char, &mut String)) -> String {
    let mut out = String::with_capacity(text.len());
    for (letter, hidden) in hidden::letters(text) {
        if hidden { mark(letter, &mut out) } else { out.push(letter) }
    }
    out
}

/// Passes on whole lines, as `show` makes them.
pub struct Lines<W: Write> {
    to: W,
    show: fn(&str) -> String,
    held: Vec<u8>,
}

impl<W: Write> Lines<W> {
    pub fn new(to: W, show: fn(&str) -> String) -> Self {
        Self { to, show, held: Vec::new() }
    }

    fn pass_on(&mut self, bytes: usize) -> io::Result<()> {
        let text: Vec<u8> = self.held.drain(..bytes).collect();
        self.to.write_all((self.show)(&String::from_utf8_lossy(&text)).as_bytes())
    }
}

impl<W: Write> Write for Lines<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map(|end| self.held.len() + end + 1);
        self.held.extend_from_slice(bytes);
        whole.map_or(Ok(()), |whole| self.pass_on(whole))?;
        Ok(bytes.len())
    }

    /// A second command at the beginning of a line.
    fn flush(&mut self) -> io::Result<()> {
        self.pass_on(self.held.len())?;
        self.to.flush()
    }
}

#[cfg(test)]
mod tests {
    use anstyle::AnsiColor;

    use super::*;

    const HOSTILE: &str = "\u{1b}[2J\u{1b}[31m\u{1b}]0;t\u{7}\u{9b}1m\u{202e}\u{200b}\u{e0041}\u{7f}";
    const MARKS: &str = r"\u{1b}[2J\u{1b}[31m\u{1b}]0;t\u{7}\u{9b}1m\u{202e}\u{200b}\u{e0041}\u{7f}";

    #[test]
    fn only_our_own_styles_reach_the_terminal() {
        let red = AnsiColor::Red.on_default();
        let text = format!("{} {HOSTILE}", styled(red.bold(), HOSTILE));
        assert_eq!(shown(&text), format!("\u{1b}[1m\u{1b}[31m{MARKS}\u{1b}[0m {MARKS}"));
    }

    #[test]
    fn a_style_that_was_cut_is_none() {
        let text = styled(AnsiColor::Red.on_default(), "x");
        let whole = text.find('x').unwrap();
        for cut in (0..whole).filter(|cut| *cut != 0) {
            let shown = shown(&format!("{}{HOSTILE}", &text[..cut]));
            assert!(!shown.contains('\u{1b}') && shown.ends_with(MARKS), "{cut}: {shown:?}");
        }
    }

    #[test]
    fn no_line_is_a_command_to_the_runner() {
        let red = AnsiColor::Red.on_default();
        let text = format!("a::b\n  ::error::x\n{} ##[add-mask]y", styled(red, " ::debug::z"));
        let shown = shown_to_runner(&text);
        let expected = "a::b\n  \\u{3a}:error::x\n\u{1b}[31m \\u{3a}:debug::z\u{1b}[0m #\\u{23}[add-mask]y";
        assert_eq!(shown, expected);
    }

    #[test]
    fn what_stands_on_a_line_begins_no_other() {
        assert_eq!(plain("a\r\nb\n\tc\rd"), "a\nb\n\tc\\rd");
        assert_eq!(line("a\r\nb\n\tc\rd\u{2028}e"), "a\\nb\\n\\tc\\rd\\u{2028}e");
    }

    #[test]
    fn json_on_a_terminal_is_the_same_json() {
        let value = serde_json::json!({ HOSTILE: format!("技{HOSTILE}\n") });
        let text = json(&serde_json::to_string_pretty(&value).unwrap());
        assert!(text.chars().all(|letter| letter == '\n' || !letter.is_control()), "{text:?}");
        assert!(text.contains(r"\u202e\u200b\udb40\udc41\u007f"), "{text}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), value);
    }

    #[test]
    fn a_character_that_comes_in_two_writes_is_still_one() {
        let mut lines = Lines::new(Vec::new(), plain);
        for byte in "技\u{202e}\r\n\u{9b}".bytes() {
            lines.write_all(&[byte]).unwrap();
        }
        assert_eq!(lines.to, "技\\u{202e}\n".as_bytes());
        lines.flush().unwrap();
        assert_eq!(lines.to, "技\\u{202e}\n\\u{9b}".as_bytes());
    }
}
