//! What fixes change: written, or shown as a diff.

use std::io::Write;

use camino::Utf8Path;
use serde::Serialize;
use similar::{ChangeTag, TextDiff};
use skillbench_core::api::dto::LintArgs as Ask;
use skillbench_core::api::{ApiError, FixedFile, Workbench};
use skillbench_core::lint::Applicability;

use super::source::Sources;
use crate::print::{self, BOLD, CYAN, GREEN, PLAIN, RED, counted, plain, styled};
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

/// Prints what [`write`] would write, as `patch -p1` takes it.
pub async fn diff(bench: &Workbench, args: &Args, sources: &Sources) -> Result<Outcome, ApiError> {
    let (files, problems) = bench.lint_fixes(ask(args), most(args)).await?;
    if print::has_colours() {
        print::stream(|out| files.iter().try_for_each(|file| coloured(file, sources, out)))?;
    } else {
        // As it is: a terminal's filter would change the texts.
        print::stream_raw(|out| files.iter().try_for_each(|file| unified(file, sources, out)))?;
    }
    let told = Fixed { problems, files: files.len() };
    print::note(&told.told("would be fixed"));
    Ok(if files.is_empty() { Outcome::Good } else { Outcome::Bad })
}

impl Fixed {
    /// `3 problems in 2 files were fixed`.
    pub fn told(&self, done: &str) -> String {
        match self.problems {
            0 => "nothing to fix".to_owned(),
            _ => format!("{} in {} {done}", counted(self.problems, "problem"), counted(self.files, "file")),
        }
    }
}

fn unified(file: &FixedFile, sources: &Sources, out: &mut dyn Write) -> std::io::Result<()> {
    let (before, after) = texts(file);
    let path = header(&file.path, sources);
    let diff = TextDiff::from_lines(before.as_str(), after.as_str());
    diff.unified_diff().header(&format!("a/{path}"), &format!("b/{path}")).to_writer(out)
}

fn coloured(file: &FixedFile, sources: &Sources, out: &mut dyn Write) -> std::io::Result<()> {
    let (before, after) = texts(file);
    let path = header(&file.path, sources);
    let diff = TextDiff::from_lines(before.as_str(), after.as_str());
    writeln!(out, "{}\n{}", styled(BOLD, format!("--- a/{path}")), styled(BOLD, format!("+++ b/{path}")))?;
    for hunk in diff.unified_diff().iter_hunks() {
        writeln!(out, "{}", styled(CYAN, hunk.header()))?;
        for change in hunk.iter_changes() {
            let style = match change.tag() {
                ChangeTag::Equal => PLAIN,
                ChangeTag::Delete => RED,
                ChangeTag::Insert => GREEN,
            };
            let line = change.value().trim_end_matches('\n');
            writeln!(out, "{}", styled(style, format!("{}{}", change.tag(), plain(line))))?;
        }
    }
    Ok(())
}

/// As on disk, byte order mark included.
fn texts(file: &FixedFile) -> (String, String) {
    let [before, after] = [&file.before, &file.after]
        .map(|source| format!("{}{}", if source.bom { "\u{feff}" } else { "" }, source.text));
    (before, after)
}

fn header<'a>(path: &'a Utf8Path, sources: &Sources) -> &'a str {
    sources.shown(path.as_str()).trim_start_matches('/')
}

fn ask(args: &Args) -> Ask {
    Ask { select: args.select.clone(), ignore: args.ignore.clone() }
}

fn most(args: &Args) -> Applicability {
    if args.unsafe_fixes { Applicability::Unsafe } else { Applicability::Safe }
}
