//! What fixes change: written, or shown as a diff.

use std::borrow::Cow;
use std::cell::Cell;
use std::io::Write;

use api::dto::LintArgs as Ask;
use api::{ApiError, FixedFile, Workbench};
use camino::Utf8Path;
use lint::Applicability;
use serde::Serialize;
use similar::{Change, ChangeTag, TextDiff};
use skill::source::Span;

use super::source::Sources;
use crate::print::{self, BOLD, CYAN, GREEN, OutputKind, PLAIN, RED, Thing, counted, plain, styled};
use crate::{Outcome, lint::Args};

#[derive(Serialize)]
pub struct Fixed {
    problems: usize,
    files: usize,
}

pub async fn write(bench: &Workbench, args: &Args) -> Result<Fixed, ApiError> {
    let (files, problems) = bench.lint_fixes(ask(args), most(args)).await?;
    let count = files.len();
    bench.lint_write(files).await?;
    Ok(Fixed { problems, files: count })
}

/// Prints what [`write`] would write, as `patch -p1` takes it unless a line holds a secret: those are masked.
pub async fn diff(bench: &Workbench, args: &Args, sources: &Sources) -> Result<Outcome, ApiError> {
    let (files, problems) = bench.lint_fixes(ask(args), most(args)).await?;
    let masked = Cell::new(false);
    if print::has_colours() || print::is_terminal() {
        print::stream(OutputKind::Text, |out| files.iter().try_for_each(|file| coloured(file, sources, &masked, out)))?;
    } else {
        print::stream(OutputKind::Data, |out| files.iter().try_for_each(|file| unified(file, sources, &masked, out)))?;
    }
    if masked.get() {
        print::note(&words!(
            "secrets are masked, so this diff does not apply as a patch; --fix keeps them as they are",
            "密钥已隐去，因此此 diff 不能作为补丁应用；--fix 会原样保留密钥"
        ));
    }
    let told = Fixed { problems, files: files.len() };
    print::note(&told.told(false));
    Ok(if files.is_empty() { Outcome::Good } else { Outcome::Bad })
}

impl Fixed {
    /// `3 problems in 2 files fixed`.
    pub fn told(&self, done: bool) -> String {
        let (problems, files) = (counted(self.problems, Thing::Problem), counted(self.files, Thing::File));
        match self.problems {
            0 => words!("nothing to fix", "没有可修复的问题"),
            _ if done => words!("{problems} in {files} fixed", "已修复 {files}中的 {problems}"; problems, files),
            _ => words!("{problems} in {files} would be fixed", "将修复 {files}中的 {problems}"; problems, files),
        }
    }
}

fn unified(file: &FixedFile, sources: &Sources, masked: &Cell<bool>, out: &mut dyn Write) -> std::io::Result<()> {
    let (before, after) = texts(file);
    let path = shown(&file.path, sources);
    let (before, after) = (Side::of(&before, file), Side::of(&after, file));
    let diff = TextDiff::from_slices(&before.lines, &after.lines);
    // Its lines hold their ends; only the last may have none.
    writeln!(out, "--- {}\n+++ {}", name("a", path), name("b", path))?;
    for hunk in diff.unified_diff().iter_hunks() {
        writeln!(out, "{}", hunk.header())?;
        for change in hunk.iter_changes() {
            write!(out, "{}{}", change.tag(), line(&change, (&before, &after), masked))?;
            if !change.value().ends_with('\n') {
                writeln!(out, "\n\\ No newline at end of file")?;
            }
        }
    }
    Ok(())
}

fn coloured(file: &FixedFile, sources: &Sources, masked: &Cell<bool>, out: &mut dyn Write) -> std::io::Result<()> {
    let (before, after) = texts(file);
    let path = shown(&file.path, sources);
    let (before, after) = (Side::of(&before, file), Side::of(&after, file));
    let diff = TextDiff::from_slices(&before.lines, &after.lines);
    let [old, new] = [("---", "a"), ("+++", "b")].map(|(mark, side)| plain(&format!("{mark} {}", name(side, path))));
    writeln!(out, "{}\n{}", styled(BOLD, old), styled(BOLD, new))?;
    for hunk in diff.unified_diff().iter_hunks() {
        writeln!(out, "{}", styled(CYAN, hunk.header()))?;
        for change in hunk.iter_changes() {
            let style = match change.tag() {
                ChangeTag::Equal => PLAIN,
                ChangeTag::Delete => RED,
                ChangeTag::Insert => GREEN,
            };
            let line = line(&change, (&before, &after), masked);
            writeln!(out, "{}", styled(style, format!("{}{}", change.tag(), plain(line.trim_end_matches('\n')))))?;
        }
    }
    Ok(())
}

/// A text, and its lines.
struct Side<'a> {
    text: &'a str,
    lines: Vec<&'a str>,
    /// Where each line begins.
    starts: Vec<usize>,
    secrets: Vec<Span>,
}

impl<'a> Side<'a> {
    fn of(text: &'a str, file: &FixedFile) -> Self {
        let lines = lines(text);
        let starts = lines.iter().scan(0, |start, line| Some(std::mem::replace(start, *start + line.len()))).collect();
        Self { text, lines, starts, secrets: lint::secrets(&file.path, text, &file.secrets) }
    }

    /// A line without the secrets in it.
    fn shown(&self, number: usize) -> Cow<'a, str> {
        let line = self.lines[number];
        let words = line.trim_end_matches(['\n', '\r']);
        let part = Span::new(self.starts[number], self.starts[number] + words.len());
        let first = self.secrets.partition_point(|secret| secret.end <= part.start);
        if self.secrets.get(first).is_none_or(|secret| secret.start >= part.end) {
            return Cow::Borrowed(line);
        }
        Cow::Owned(lint::without_secrets(self.text, part, &self.secrets[first..]) + &line[words.len()..])
    }
}

fn line<'a>(change: &Change<&str>, sides: (&Side<'a>, &Side<'a>), masked: &Cell<bool>) -> Cow<'a, str> {
    let (before, after) = sides;
    let old = change.old_index().map(|number| before.shown(number));
    let line = old.or_else(|| change.new_index().map(|number| after.shown(number))).unwrap_or_default();
    masked.set(masked.get() || matches!(line, Cow::Owned(_)));
    line
}

/// As on disk, byte order mark included.
fn texts(file: &FixedFile) -> (String, String) {
    let [before, after] = [&file.before, &file.after]
        .map(|source| format!("{}{}", if source.bom { "\u{feff}" } else { "" }, source.text));
    (before, after)
}

/// As `patch` splits a text: a carriage return alone ends no line.
fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// A path as git writes it: in quotes if it has characters that would end it, and followed by a tab if it has a space.
fn name(side: &str, path: &str) -> String {
    let whole = format!("{side}/{path}");
    if !whole.contains(|letter: char| letter.is_ascii_control() || letter == '"' || letter == '\\') {
        let tab = if whole.contains(' ') { "\t" } else { "" };
        return format!("{whole}{tab}");
    }
    let quoted = whole.chars().map(|letter| match letter {
        '"' | '\\' => format!("\\{letter}"),
        '\n' => "\\n".to_owned(),
        '\t' => "\\t".to_owned(),
        '\r' => "\\r".to_owned(),
        control if control.is_ascii_control() => format!("\\{:03o}", u32::from(control)),
        other => other.to_string(),
    });
    format!("\"{}\"", quoted.collect::<String>())
}

fn shown<'a>(path: &'a Utf8Path, sources: &Sources) -> &'a str {
    sources.shown(path.as_str()).trim_start_matches('/')
}

fn ask(args: &Args) -> Ask {
    Ask { profile: args.profile, select: args.select.clone(), ignore: args.ignore.clone(), settings: args.settings() }
}

fn most(args: &Args) -> Applicability {
    if args.unsafe_fixes { Applicability::Unsafe } else { Applicability::Safe }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_written_as_git_does() {
        assert_eq!(name("a", "x/技.md"), "a/x/技.md");
        assert_eq!(name("a", "x y.md"), "a/x y.md\t");
        assert_eq!(name("b", "x\ty\n\"z\"\u{1}.md"), r#""b/x\ty\n\"z\"\001.md""#);
    }

    #[test]
    fn a_carriage_return_alone_ends_no_line() {
        assert_eq!(lines("a\rb\r\nc"), ["a\rb\r\n", "c"]);
    }
}
