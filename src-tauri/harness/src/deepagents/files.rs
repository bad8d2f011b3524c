//! Results as `read_file`, `ls` and `glob` give them.

use camino::{Utf8Path, Utf8PathBuf};

use crate::python::{cut, lines_with_ends, repr, universal_newlines};

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
    // `normpath` makes a dot of nothing, which then is after the slash.
    let is_nothing = parts.is_empty() && !path.starts_with('/');
    Ok(Utf8PathBuf::from(format!("/{}", if is_nothing { ".".to_owned() } else { parts.join("/") })))
}

/// The lines from `offset` on below their header. `Err`: the message of the error.
pub fn page(path: &Utf8Path, text: &str, offset: i64, limit: i64) -> Result<String, String> {
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
    let lines: Vec<&str> = lines_with_ends(&text).collect();
    if from >= lines.len() {
        return Err(format!("Line offset {from} exceeds file length ({} lines)", lines.len()));
    }
    let to = from.saturating_add(limit_lines).min(lines.len());
    let clamped = (offset < 0)
        .then(|| format!("[Requested offset {offset} is before the start of the file; read from line 1 instead.]"));
    Ok(window(path, &lines, from, to, clamped))
}

/// As many whole lines as fit.
fn window(path: &Utf8Path, lines: &[&str], from: usize, to: usize, clamped: Option<String>) -> String {
    let all = lines.len();
    let rows = rows(&lines[from..to]);
    let next = (to < all).then(|| format!("next offset {to}"));
    let mut notices = Vec::from_iter(clamped);
    let whole = assembled(&notices, &Vec::from_iter([fields(from, to, all)].into_iter().chain(next)), &rows.join("\n"));
    let room = LIMIT.saturating_sub(whole.chars().count());
    if room > 0 {
        return whole;
    }
    notices.push(TOO_LONG.replace("{file_path}", path.as_str()));
    let by_size =
        |to: usize| vec![fields(from, to, all), format!("next offset {to}"), "truncated due to size".to_owned()];
    let mut lengths = Vec::new();
    let mut length = 0;
    for row in rows.iter().take(to - from) {
        length += row.chars().count();
        lengths.push(length);
        length += 1;
    }
    let fits = |count: &usize| {
        let head = assembled(&notices, &by_size(from + count), "").chars().count();
        head + lengths[count - 1] <= LIMIT
    };
    if let Some(count) = (1..=lengths.len()).rev().find(fits) {
        return assembled(&notices, &by_size(from + count), &rows[..count].join("\n"));
    }
    let row = &rows[0];
    let long = row.chars().count();
    let cut_off = |shown: usize| {
        vec![fields(from, from + 1, all), "truncated mid-line".to_owned(), format!("{shown} of {long} chars")]
    };
    let shown = LIMIT.saturating_sub(assembled(&notices, &cut_off(long), "").chars().count()).min(long);
    assembled(&notices, &cut_off(shown), cut(row, shown))
}

fn fields(from: usize, to: usize, all: usize) -> String {
    format!("lines {}-{to} of {all}", from + 1)
}

fn assembled(notices: &[String], fields: &[String], body: &str) -> String {
    let notices: String = notices.iter().map(|notice| format!("{notice}\n")).collect();
    format!("{notices}@@ {} @@\n{body}", fields.join(" | "))
}

/// Lines end in more ways than rows, so there may be fewer of these; as many as are missing are added behind them.
fn rows(lines: &[&str]) -> Vec<String> {
    let text = lines.concat();
    let text = text.strip_suffix('\n').unwrap_or(&text);
    let mut rows: Vec<String> = text.split('\n').map(str::to_owned).collect();
    rows.resize(rows.len().max(lines.len()), String::new());
    rows
}

const TOO_LONG: &str = "[Output was truncated due to size limits. The file content is very large. Consider reformatting the \
                        file to make it easier to navigate. For example, if this is JSON, use execute(command='jq . \
                        {file_path}') to pretty-print it with line breaks. For other formats, you can use appropriate \
                        formatting tools to split long lines.]";

/// A list of paths, as Python prints one.
pub fn listed(paths: &[String]) -> String {
    if paths.is_empty() {
        return "No files found".to_owned();
    }
    format!("[{}]", paths.iter().map(|path| repr(path)).collect::<Vec<_>>().join(", "))
}

/// Whether a glob without a dot skips a path.
pub fn is_hidden(path: &Utf8Path, folder: &Utf8Path) -> bool {
    let inner = path.strip_prefix(folder).unwrap_or(path);
    inner.components().any(|part| part.as_str().starts_with('.'))
}
