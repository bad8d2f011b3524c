//! Results as `read_file`, `ls` and `glob` give them.

use camino::{Utf8Path, Utf8PathBuf};

use crate::python::{repr, splitlines, universal_newlines};

/// Lines that are read if a call does not say how many.
pub const LINES: i64 = 100;
/// Characters of a result: 20,000 tokens of four.
const LIMIT: usize = 80_000;
const EMPTY: &str = "System reminder: File exists but has empty contents";

/// `validate_path`: the path from the root on, without `.` and doubled slashes.
pub fn valid(path: &str) -> Result<Utf8PathBuf, String> {
    if path.starts_with('~') || path.split(['/', '\\']).any(|part| part == "..") {
        return Err(format!("Path traversal not allowed: {path}"));
    }
    let mut letters = path.chars();
    if letters.next().is_some_and(|letter| letter.is_ascii_alphabetic()) && letters.next() == Some(':') {
        return Err(format!(
            "Windows absolute paths are not supported: {path}. Please use virtual paths starting with / (e.g., \
             /workspace/file.txt)"
        ));
    }
    let path = path.replace('\\', "/");
    let parts: Vec<&str> = path.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
    // `normpath` makes a dot of nothing, which then stands behind the slash.
    let is_nothing = parts.is_empty() && !path.starts_with('/');
    Ok(Utf8PathBuf::from(format!("/{}", if is_nothing { ".".to_owned() } else { parts.join("/") })))
}

/// The lines from `offset` on below their header. `Err`: the message of the error.
pub fn page(text: &str, offset: i64, limit: i64) -> Result<String, String> {
    let text = universal_newlines(text);
    if text.trim().is_empty() {
        return Ok(EMPTY.to_owned());
    }
    let from = usize::try_from(offset).unwrap_or(0);
    let limit_lines = usize::try_from(limit).unwrap_or(0);
    if limit_lines == 0 {
        return Ok(format!(
            "System reminder: no lines were read because `limit` was {limit}. The file was not inspected and may have \
             contents; retry with `limit` >= 1 to read it."
        ));
    }
    let lines: Vec<&str> = splitlines(&text).collect();
    if from >= lines.len() {
        return Err(format!("Line offset {from} exceeds file length ({} lines)", lines.len()));
    }
    let to = from.saturating_add(limit_lines).min(lines.len());
    let clamped = (offset < 0)
        .then(|| format!("[Requested offset {offset} is before the start of the file; read from line 1 instead.]\n"));
    Ok(clamped.unwrap_or_default() + &window(&lines, from, to))
}

/// As many whole lines as fit.
fn window(lines: &[&str], from: usize, to: usize) -> String {
    let shown = |to: usize| {
        let next = if to < lines.len() { format!(" | next offset {to}") } else { String::new() };
        format!("@@ lines {}-{to} of {}{next} @@\n{}", from + 1, lines.len(), lines[from..to].join("\n"))
    };
    let whole = shown(to);
    if whole.chars().count() < LIMIT {
        return whole;
    }
    let mut room = LIMIT;
    let fits = lines[from..to].iter().take_while(|line| {
        room = room.saturating_sub(line.chars().count() + 1);
        room > HEADER
    });
    match fits.count() {
        0 => {
            let line = lines[from];
            let long = line.chars().count();
            let part: String = line.chars().take(LIMIT - HEADER).collect();
            let (line, cut) = (from + 1, part.chars().count());
            format!("@@ lines {line}-{line} of {} | truncated mid-line | {cut} of {long} chars @@\n{part}", lines.len())
        }
        count => shown(from + count),
    }
}

/// Characters kept for the header.
const HEADER: usize = 80;

/// A list of paths, as Python prints one.
pub fn listed(paths: &[String]) -> String {
    if paths.is_empty() {
        return "No files found".to_owned();
    }
    format!("[{}]", paths.iter().map(|path| repr(path)).collect::<Vec<_>>().join(", "))
}

/// Whether a glob without a dot of its own passes over a path.
pub fn is_hidden(path: &Utf8Path, folder: &Utf8Path) -> bool {
    let inner = path.strip_prefix(folder).unwrap_or(path);
    inner.components().any(|part| part.as_str().starts_with('.'))
}
