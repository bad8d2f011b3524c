//! Output for people: colours if the terminal has them, JSON if it was asked for, hints after errors. No other module
//! prints; a test below checks that. Texts of others pass [`escape::shown`] before they are printed, so callers only
//! decide between several lines and one ([`line`]).

mod escape;

use std::io::{self, IsTerminal, Write};
use std::sync::OnceLock;
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use api::{ApiError, Code, Tried};
use camino::Utf8Path;
use indicatif::ProgressBar;
use serde::Serialize;
use skill::source::hidden;
use trace::spending::{Spent, dollars};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};
use wording::{Message, Wording, message};

use crate::language::Chosen;

use escape::{Lines, shown};
pub use escape::{line, plain, signed, styled};

pub const PLAIN: Style = Style::new();
pub const BOLD: Style = Style::new().bold();
pub const DIM: Style = Style::new().dimmed();
pub const RED: Style = AnsiColor::Red.on_default();
pub const YELLOW: Style = AnsiColor::Yellow.on_default();
pub const GREEN: Style = AnsiColor::Green.on_default();
pub const CYAN: Style = AnsiColor::Cyan.on_default();

pub fn error(error: &ApiError) {
    labelled(RED.bold(), &words!("error:", "错误："), &error.worded().chosen());
    if let Some(hint) = error.worded_hint() {
        self::hint(&hint.chosen());
    }
}

pub fn hint(text: &str) {
    labelled(CYAN, &words!("hint:", "提示："), text);
}

pub fn warning(text: &str) {
    labelled(YELLOW.bold(), &words!("warning:", "警告："), text);
}

fn labelled(style: Style, label: &str, text: &str) {
    // What is Chinese has its blank in the colon.
    let blank = if label.ends_with('：') { "" } else { " " };
    note(&format!("{}{blank}{text}", styled(style, label)));
}

/// A note about the answer, not part of it. Its further lines are indented, so that none looks like another note.
pub fn note(text: &str) {
    let _ = writeln!(stderr(), "{}", hanging(text, "  "));
}

/// Prints clap's output: errors about arguments on standard error, help on standard output. Returns the exit code.
pub fn usage(error: &clap::Error) -> u8 {
    match crate::help::error(error, crate::language::language()) {
        Some(text) => note(text.trim_end()),
        // It quotes arguments, which are without hidden characters.
        None if error.use_stderr() => {
            let _ = writeln!(stderr(), "{}", signed(error.render().ansi().to_string().trim_end()));
        }
        None => written(error.print()),
    }
    if error.use_stderr() { 2 } else { 0 }
}

/// The kind of output on standard output.
#[derive(Clone, Copy)]
pub enum OutputKind {
    /// For people, with styles if the terminal has them.
    Text,
    /// Commands to the runner of GitHub Actions, one a line.
    Commands,
    /// Not a byte is changed, except that on a terminal, hidden characters are written as escapes, and for the runner
    /// of GitHub Actions also texts that it would take for commands. It is still the same JSON.
    Json,
    /// Not a byte is changed in a file. On a terminal it is treated like any text, and so it is for the runner of
    /// GitHub Actions, which would take some lines for commands.
    Data,
}

/// All that goes to standard output.
fn stdout(kind: OutputKind, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let to = io::stdout().lock();
    match kind {
        OutputKind::Json if to.is_terminal() => buffered(Lines::new(to, escape::json), write),
        OutputKind::Json if runner_reads() && !is_file(&to) => buffered(Lines::new(to, escape::json_to_runner), write),
        OutputKind::Json => buffered(to, write),
        OutputKind::Data if !to.is_terminal() && (!runner_reads() || is_file(&to)) => buffered(to, write),
        OutputKind::Commands => buffered(Lines::new(to, escape::shown_command), write),
        OutputKind::Text | OutputKind::Data => {
            buffered(Lines::new(anstream::AutoStream::auto(to), for_readers()), write)
        }
    }
}

fn buffered(to: impl Write, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = io::BufWriter::with_capacity(1 << 16, to);
    write(&mut out).and_then(|()| out.flush())
}

/// All that goes to standard error. It shows whole lines, or what there is when it is flushed.
pub fn stderr() -> impl Write {
    Lines::new(anstream::stderr(), for_readers())
}

/// The check that makes a text safe to show here.
fn for_readers() -> fn(&str) -> String {
    if runner_reads() { escape::shown_to_runner } else { shown }
}

fn runner_reads() -> bool {
    std::env::var_os("GITHUB_ACTIONS").is_some_and(|value| value == "true")
}

/// Whether it was redirected to a file, which no runner reads. `false` if that cannot be found out.
fn is_file(out: &io::StdoutLock<'_>) -> bool {
    #[cfg(unix)]
    {
        let file = std::os::fd::AsFd::as_fd(out).try_clone_to_owned().map(std::fs::File::from);
        file.and_then(|file| file.metadata()).is_ok_and(|facts| facts.is_file())
    }
    #[cfg(not(unix))]
    {
        let _ = out;
        false
    }
}

/// Prints a line. A closed pipe, as with `skillbench … | head`, is not an error.
pub fn out(text: &str) {
    data(OutputKind::Text, text);
}

pub fn json(value: &impl Serialize) -> Result<(), ApiError> {
    let text = serde_json::to_string_pretty(value).map_err(not_json)?;
    data(OutputKind::Json, &text);
    Ok(())
}

/// What [`json`] would print.
pub fn value(value: &impl Serialize) -> Result<serde_json::Value, ApiError> {
    serde_json::to_value(value).map_err(not_json)
}

fn not_json(error: serde_json::Error) -> ApiError {
    ApiError::new(Code::Invalid, message!("cannot write the answer as JSON: {error}", "无法将结果写成 JSON：{error}"))
}

/// As [`out`], of any kind. [`finish`] reports at the end of the command what could not be printed.
pub fn data(kind: OutputKind, text: &str) {
    if FAILED.get().is_none() {
        written(stdout(kind, |out| writeln!(out, "{text}")));
    }
}

/// Prints whole lines of a longer text. Returns whether to go on: the reader may have left.
pub fn part(kind: OutputKind, lines: &str) -> bool {
    if FAILED.get().is_none() {
        written(stdout(kind, |out| out.write_all(lines.as_bytes())));
    }
    FAILED.get().is_none()
}

/// Remembers why something could not be printed. A closed pipe, as with `skillbench … | head`, is not an error.
fn written(result: io::Result<()>) {
    if let Err(error) = result {
        FAILED.get_or_init(|| error);
    }
}

/// Prints buffered output; an error if anything could not be printed.
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
    ApiError::of_system(message!("standard output", "标准输出"), Tried::Write, error)
}

/// Prints everything that `write` writes, through one buffer. A closed pipe is not an error.
pub fn stream(kind: OutputKind, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), ApiError> {
    match stdout(kind, write) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(unprinted(error)),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Asks for a secret on the terminal, which is not shown while it is typed.
pub fn typed_unseen(prompt: &str) -> io::Result<String> {
    rpassword::prompt_password(line(prompt))
}

/// A line on the terminal that says what the program is waiting for; nothing if standard error is not a terminal.
#[derive(Clone)]
pub struct WaitingLine(ProgressBar);

impl WaitingLine {
    pub fn start() -> Self {
        let bar = ProgressBar::new_spinner();
        bar.enable_steady_tick(Duration::from_millis(120));
        Self(bar)
    }

    pub fn set_message(&self, text: impl AsRef<str>) {
        self.0.set_message(short(text.as_ref()));
    }

    pub fn finish_and_clear(&self) {
        self.0.finish_and_clear();
    }

    pub fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.0.suspend(print)
    }
}

/// The beginning of a text, in which every letter has exactly one column, however terminals measure it. A line that is
/// wider than it is taken for wraps, and what clears it would take other lines along.
fn short(text: &str) -> String {
    let one_column = |letter: char| if letter.width_cjk() == Some(1) { letter } else { '…' };
    let text = line(text);
    let mut cut: String = text.chars().take(MESSAGE_LIMIT).map(one_column).collect();
    if text.chars().nth(MESSAGE_LIMIT).is_some() {
        cut.push('…');
    }
    cut
}

/// The most characters of its text.
const MESSAGE_LIMIT: usize = 40;

/// Takes everything off the terminal that [`out`] prints to, if it is one, what scrolled away included.
pub fn clear() {
    if is_terminal() {
        let _ = io::stdout().write_all(b"\x1b[H\x1b[2J\x1b[3J");
    }
}

/// Whether [`out`] prints to a terminal.
pub fn is_terminal() -> bool {
    io::stdout().is_terminal()
}

/// Completes when the reader of the output has left. For a file, and on Windows, the system does not report that: then
/// never.
pub async fn reader_left() {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd;
        use tokio::{io::Interest, net::unix::pipe::Sender};
        // Unchecked, so that it is not changed: it need not be a pipe, and writing to it must still block.
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
    if path == "-" {
        let text = disk::read_stream(io::stdin().lock(), limit).and_then(disk::text);
        return text.map_err(unread);
    }
    disk::read(path, limit).and_then(disk::text).map_err(|error| match error.kind() {
        io::ErrorKind::InvalidInput => ApiError::io(path, Tried::Read, error).hint(message!(
            "name a regular file, or `-` to read standard input",
            "请指定一个普通文件，或用 `-` 读取标准输入"
        )),
        _ => ApiError::io(path, Tried::Read, error),
    })
}

/// Standard input cannot be read.
pub fn unread(error: io::Error) -> ApiError {
    ApiError::of_system(message!("standard input", "标准输入"), Tried::Read, error)
}

/// How wide the terminal is that [`out`] prints to, if it is one.
pub fn width() -> Option<usize> {
    terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| usize::from(width.0))
}

/// Columns and lines of the terminal that questions are asked on; the usual ones if they are unknown.
pub fn size() -> (usize, usize) {
    let size = terminal_size::terminal_size_of(io::stderr());
    size.map_or((80, 24), |(width, height)| (usize::from(width.0), usize::from(height.0)))
}

/// Whether what [`out`] prints keeps its styles.
pub fn has_colours() -> bool {
    anstream::stdout().current_choice() != anstream::ColorChoice::Never
}

/// One argument as it would be typed into a shell, so that its end is visible.
pub fn argument(text: &str) -> String {
    let is_plain = |char: char| char.is_alphanumeric() || "_@%+=:,./-".contains(char);
    let is_seen = hidden::letters(text).all(|(char, hidden)| is_plain(char) && !hidden);
    if !text.is_empty() && is_seen { text.to_owned() } else { line(&format!("{text:?}")) }
}

/// The first line of a text, cut to `width` characters.
pub fn gist(text: &str, width: usize) -> String {
    let first = line(text.trim_start().lines().next().unwrap_or_default());
    let more = first.chars().count() > width || text.trim().lines().count() > 1;
    let cut: String = first.chars().take(width).collect();
    if more { format!("{}…", cut.trim_end()) } else { cut }
}

/// `text` with each line after `indent`.
pub fn indented(text: &str, indent: &str) -> String {
    plain(text).lines().map(|line| format!("{indent}{line}")).collect::<Vec<_>>().join("\n")
}

/// `text` with each line but the first behind `indent`, for what follows other words on a line. Styles in it stay.
pub fn hanging(text: &str, indent: &str) -> String {
    text.replace('\n', &format!("\n{indent}"))
}

/// As a test reads it.
#[cfg(test)]
pub fn unstyled(text: &str) -> String {
    anstream::adapter::strip_str(&shown(text)).to_string()
}

/// Rows whose columns line up; the columns in `right` end at one place, the others begin there. A wide character takes
/// two places, as terminals show it.
pub fn table(rows: &[Vec<(Style, String)>], right: &[usize]) -> String {
    let cells = |row: &Vec<(Style, String)>| row.iter().map(|(style, text)| (*style, line(text))).collect();
    let rows: Vec<Vec<(Style, String)>> = rows.iter().map(cells).collect();
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

/// `1 3 4`, or `all` if they are all of several.
pub fn numbers(numbers: &[usize], of: usize) -> String {
    if of > 1 && numbers.len() == of {
        return words!("all", "全部");
    }
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// Several words as one text.
pub fn listed(words: &[String]) -> String {
    words.join(&words!(", ", "、"))
}

/// Things that are counted.
#[derive(Debug, Clone, Copy)]
pub enum Thing {
    Skill,
    Rule,
    Problem,
    File,
    Error,
    Warning,
    Hint,
    Quirk,
}

/// `1 skill`, `2 skills`.
pub fn counted(count: usize, thing: Thing) -> Message {
    let Wording { en, zh } = match thing {
        Thing::Skill => Wording::new("skill", "个技能"),
        Thing::Rule => Wording::new("rule", "条规则"),
        Thing::Problem => Wording::new("problem", "个问题"),
        Thing::File => Wording::new("file", "个文件"),
        Thing::Error => Wording::new("error", "个错误"),
        Thing::Warning => Wording::new("warning", "个警告"),
        Thing::Hint => Wording::new("hint", "条提示"),
        Thing::Quirk => Wording::new("quirk", "处特异行为"),
    };
    let plural = if count == 1 { "" } else { "s" };
    Message { en: format!("{count} {en}{plural}"), zh: format!("{count} {zh}") }
}

/// A text with blanks behind it, as wide as so many columns.
pub fn padded(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(text.width())))
}

/// Milliseconds as people say them.
pub fn duration(milliseconds: i64) -> String {
    if milliseconds < 1000 { format!("{milliseconds} ms") } else { format!("{:.1} s", milliseconds as f64 / 1000.0) }
}

/// What answers cost: `about 1200 tokens in, 80 out, $0.0123`.
pub fn spent(spent: &Spent) -> String {
    let about = if spent.estimated { Wording::new("about ", "约 ") } else { Wording::new("", "") };
    let cost = spent.cost.map(dollars).map(|cost| message!(", {cost}", "，{cost}")).unwrap_or_default();
    let Spent { input, output, .. } = spent;
    words!("{about}{input} tokens in, {output} out{cost}", "{about}输入 {input} token，输出 {output}{cost}"; about, cost)
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
    fn estimates_are_printed_with_about() {
        let counted = Spent { input: 1200, output: 80, cost: Some(0.5), ..Spent::default() };
        assert_eq!(spent(&counted), "1200 tokens in, 80 out, $0.5000");
        let estimated = Spent { cost: None, estimated: true, ..counted };
        assert_eq!(spent(&estimated), "about 1200 tokens in, 80 out", "and no price stands for a price not known");
    }

    #[test]
    fn columns_line_up_also_with_wide_characters() {
        let row = |name: &str, count: &str| vec![(PLAIN, name.to_owned()), (PLAIN, count.to_owned())];
        let shown = table(&[row("技能", "10"), row("a", "7"), row("b", "")], &[1]);
        assert_eq!(unstyled(&shown), "技能  10\na      7\nb");
    }

    #[test]
    fn foreign_text_moves_no_cursor() {
        assert_eq!(indented("a\u{1b}[2J\tb\r\nc\rd", "  "), "  a\\u{1b}[2J\tb\n  c\\rd");
        assert_eq!(gist("\u{1b}]0;title\u{7}x", 40), "\\u{1b}]0;title\\u{7}x");
        assert_eq!(argument("\u{3164}"), "\"\\u{3164}\"", "a letter that is not seen");
        let row = vec![(PLAIN, "a\nb\u{202e}".to_owned()), (PLAIN, "c".to_owned())];
        assert_eq!(unstyled(&table(&[row], &[])), "a\\nb\\u{202e}  c");
    }

    #[test]
    fn what_is_waited_for_stays_on_its_line() {
        assert_eq!(short("read_file…"), "read_file…");
        assert_eq!(short("a\u{17d8}漢\u{9be}b"), "a………b");
        assert_eq!(short(&"\u{17d8}".repeat(4000)), "…".repeat(41));
    }

    /// Output that bypasses this module is not escaped.
    #[test]
    fn nothing_else_prints() {
        const WAYS: [&str; 9] =
            ["print!(", "println!(", "stdout()", "stderr()", "anstream", "indicatif", "rpassword", "/dev/tty", "dbg!("];
        // Ours, a question about it, and the language server's protocol.
        const MAY: [&str; 3] = ["print::stderr()", "().is_terminal()", "Mutex::new(io::stdout())"];
        let root = Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut folders = vec![root.clone()];
        let mut strays = Vec::new();
        while let Some(folder) = folders.pop() {
            for entry in folder.read_dir_utf8().unwrap() {
                let path = entry.unwrap().into_path();
                let name = path.strip_prefix(&root).unwrap();
                if name == "print.rs" || name == "print" {
                    continue;
                }
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let text = std::fs::read_to_string(&path).unwrap();
                let has = |line: &str, words: &[&str]| words.iter().any(|word| line.contains(word));
                let prints = |line: &&str| has(line, &WAYS) && !has(line, &MAY);
                strays.extend(text.lines().filter(prints).map(|line| format!("{name}: {}", line.trim())));
            }
        }
        assert_eq!(strays, Vec::<String>::new(), "print through `print`");
    }
}
