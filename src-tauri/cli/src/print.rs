//! What people see: colours where the terminal has them, JSON where it was asked for, hints after errors.

use std::io::{self, Write};
use std::sync::OnceLock;

use anstyle::{AnsiColor, Style};
use camino::Utf8Path;
use serde::Serialize;
use skillbench_core::api::{ApiError, Code};
use skillbench_core::disk;
use skillbench_core::trace::spending::{Spent, dollars};
use unicode_width::UnicodeWidthStr;

pub const PLAIN: Style = Style::new();
pub const BOLD: Style = Style::new().bold();
pub const DIM: Style = Style::new().dimmed();
pub const RED: Style = AnsiColor::Red.on_default();
pub const YELLOW: Style = AnsiColor::Yellow.on_default();
pub const GREEN: Style = AnsiColor::Green.on_default();
pub const CYAN: Style = AnsiColor::Cyan.on_default();

/// `text` in a style, for `println!`.
pub fn styled(style: Style, text: impl std::fmt::Display) -> String {
    format!("{style}{text}{style:#}")
}

pub fn error(error: &ApiError) {
    anstream::eprintln!("{} {}", styled(RED.bold(), "error:"), plain(&error.message));
    if let Some(hint) = &error.hint {
        anstream::eprintln!("{} {}", styled(CYAN, "hint:"), plain(hint));
    }
}

pub fn warning(text: &str) {
    anstream::eprintln!("{} {}", styled(YELLOW.bold(), "warning:"), plain(text));
}

pub fn json(value: &impl Serialize) -> Result<(), ApiError> {
    let text = serde_json::to_string_pretty(value)
        .map_err(|error| ApiError::new(Code::Invalid, format!("the answer cannot be written as JSON: {error}")))?;
    out(&text);
    Ok(())
}

/// Prints a line. What keeps it from being printed is told when the command ends, by [`finish`].
pub fn out(text: &str) {
    if FAILED.get().is_none() {
        written(writeln!(anstream::stdout(), "{text}"));
    }
}

/// Remembers why something could not be printed. A reader that left is no error: `skillbench … | head`.
pub fn written(result: io::Result<()>) {
    if let Err(error) = result {
        FAILED.get_or_init(|| error);
    }
}

/// Prints what is still held back; an error where anything could not be printed.
pub fn finish() -> Result<(), ApiError> {
    written(io::stdout().flush());
    match FAILED.get() {
        Some(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(unprinted(io::Error::new(error.kind(), error.to_string())))
        }
        Some(_) | None => Ok(()),
    }
}

static FAILED: OnceLock<io::Error> = OnceLock::new();

fn unprinted(error: io::Error) -> ApiError {
    ApiError::io(Utf8Path::new("standard output"), "cannot write", error)
}

/// Everything that `write` writes, through one buffer. A reader that left is no error.
pub fn stream(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), ApiError> {
    buffered(anstream::AutoStream::auto(io::stdout().lock()), write)
}

/// As [`stream`], for what holds no styles: not a byte is changed.
pub fn stream_raw(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), ApiError> {
    buffered(io::stdout().lock(), write)
}

fn buffered(to: impl Write, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), ApiError> {
    let mut out = io::BufWriter::with_capacity(1 << 16, to);
    match write(&mut out).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(unprinted(error)),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Ends when nobody reads any more what is printed. Of a file, and on Windows, the system does not tell: then never.
pub async fn reader_left() {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd;
        use tokio::{io::Interest, net::unix::pipe::Sender};
        // Unchecked, so that it is left as it is: it need be no pipe, and writing to it goes on waiting.
        let out = io::stdout().as_fd().try_clone_to_owned().and_then(Sender::from_owned_fd_unchecked);
        if let Ok(out) = out
            && out.ready(Interest::ERROR).await.is_ok()
        {
            return;
        }
    }
    std::future::pending().await
}

/// The text of a file that an argument names, or of standard input for `-`, of at most so many bytes.
pub fn given(path: &Utf8Path, limit: u64) -> Result<String, ApiError> {
    let (name, bytes) = match path.as_str() {
        "-" => (Utf8Path::new("standard input"), disk::read_stream(io::stdin().lock(), limit)),
        _ => (path, disk::read(path, limit)),
    };
    bytes.and_then(disk::text).map_err(|error| match error.kind() {
        io::ErrorKind::InvalidInput => {
            ApiError::io(name, "cannot read", error).hint("name a regular file, or `-` to read standard input")
        }
        _ => ApiError::io(name, "cannot read", error),
    })
}

/// What is said about the answer rather than in it.
pub fn note(text: &str) {
    anstream::eprintln!("{}", plain(text));
}

/// How wide the terminal is that [`out`] prints to, if it is one.
pub fn width() -> Option<usize> {
    terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| usize::from(width.0))
}

/// Whether what [`out`] prints keeps its styles.
pub fn has_colours() -> bool {
    anstream::stdout().current_choice() != anstream::ColorChoice::Never
}

/// A text of somebody else's without what would move the cursor or change colours: it must not pass for ours.
pub fn plain(text: &str) -> String {
    let shown = |char: char| if char.is_control() && !matches!(char, '\n' | '\t') { '\u{fffd}' } else { char };
    text.replace("\r\n", "\n").chars().map(shown).collect()
}

/// One argument as it would be typed into a shell, so that where it ends can be seen.
pub fn argument(text: &str) -> String {
    let is_plain = |char: char| char.is_alphanumeric() || "_@%+=:,./-".contains(char);
    if !text.is_empty() && text.chars().all(is_plain) { text.to_owned() } else { format!("{text:?}") }
}

/// The first line of a text, cut to `width` characters.
pub fn gist(text: &str, width: usize) -> String {
    let line = plain(text.trim_start().lines().next().unwrap_or_default());
    let more = line.chars().count() > width || text.trim().lines().count() > 1;
    let cut: String = line.chars().take(width).collect();
    if more { format!("{}…", cut.trim_end()) } else { cut }
}

/// `text` with each line behind `indent`.
pub fn indented(text: &str, indent: &str) -> String {
    plain(text).lines().map(|line| format!("{indent}{line}")).collect::<Vec<_>>().join("\n")
}

/// Rows whose columns line up; the columns in `right` end at one place, the others begin there. A wide character takes
/// two places, as terminals show it.
pub fn table(rows: &[Vec<(Style, String)>], right: &[usize]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|(_, text)| text.width()).max();
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    let lines = rows.iter().map(|row| {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, ((style, text), width))| {
            let pad = " ".repeat(width - text.width());
            let text = styled(*style, text);
            if right.contains(&column) { format!("{pad}{text}") } else { format!("{text}{pad}") }
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Texts, each once in the order of their first number, with all their numbers.
pub fn grouped(texts: impl Iterator<Item = (String, usize)>) -> Vec<(String, Vec<usize>)> {
    let mut groups: Vec<(String, Vec<usize>)> = Vec::new();
    for (text, number) in texts {
        match groups.iter_mut().find(|(known, _)| *known == text) {
            Some((_, numbers)) => numbers.push(number),
            None => groups.push((text, vec![number])),
        }
    }
    groups
}

/// `1 3 4`, or `all` where they are all of several.
pub fn numbers(numbers: &[usize], of: usize) -> String {
    if of > 1 && numbers.len() == of {
        return "all".to_owned();
    }
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// `1 skill`, `2 skills`.
pub fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// Milliseconds as people say them.
pub fn duration(milliseconds: i64) -> String {
    if milliseconds < 1000 { format!("{milliseconds} ms") } else { format!("{:.1} s", milliseconds as f64 / 1000.0) }
}

/// What answers cost: `about 1200 tokens in, 80 out, $0.0123`.
pub fn spent(spent: &Spent) -> String {
    let about = if spent.estimated { "about " } else { "" };
    let cost = spent.cost.map(|cost| format!(", {}", dollars(cost))).unwrap_or_default();
    format!("{about}{} tokens in, {} out{cost}", spent.input, spent.output)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_argument_cannot_hide_what_stands_before_it() {
        assert_eq!(argument("--value"), "--value");
        assert_eq!(argument("公斤"), "公斤");
        assert_eq!(argument("a b; rm"), "\"a b; rm\"");
        assert_eq!(argument("\u{1b}[2K\rharmless"), "\"\\u{1b}[2K\\rharmless\"");
        assert_eq!(argument(""), "\"\"");
    }

    #[test]
    fn what_was_estimated_is_told_as_about() {
        let counted = Spent { input: 1200, output: 80, cost: Some(0.5), ..Spent::default() };
        assert_eq!(spent(&counted), "1200 tokens in, 80 out, $0.5000");
        let estimated = Spent { cost: None, estimated: true, ..counted };
        assert_eq!(spent(&estimated), "about 1200 tokens in, 80 out", "and no price stands for a price not known");
    }

    #[test]
    fn columns_line_up_also_with_wide_characters() {
        let row = |name: &str, count: &str| vec![(PLAIN, name.to_owned()), (PLAIN, count.to_owned())];
        let shown = table(&[row("技能", "10"), row("a", "7"), row("b", "")], &[1]);
        let plain = anstream::adapter::strip_str(&shown).to_string();
        assert_eq!(plain, "技能  10\na      7\nb");
    }

    #[test]
    fn foreign_text_moves_no_cursor() {
        assert_eq!(indented("a\u{1b}[2J\tb\r\nc\rd", "  "), "  a\u{fffd}[2J\tb\n  c\u{fffd}d");
        assert_eq!(gist("\u{1b}]0;title\u{7}x", 40), "\u{fffd}]0;title\u{fffd}x");
    }
}
