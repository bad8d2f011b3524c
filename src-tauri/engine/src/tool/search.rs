//! Finds lines in files by a regular expression that takes time linear in what it reads.

use std::fs::File;

use camino::Utf8Path;
use globset::GlobMatcher;
use regex::{Regex, RegexBuilder};

use super::folders::{DEPTH_LIMIT, Entry, VISIT_LIMIT, Walk, glob};
use super::reach::{Opened, Reach};
use super::{Found, Given, ToolError, off_thread};
use harness::FoundLine;
use wording::Message;

/// What to look for.
#[derive(Debug, Clone)]
pub struct Query {
    expression: Regex,
    /// Only files whose name matches; a pattern with a `/` is matched with the path below the folder.
    files: Option<(GlobMatcher, bool)>,
    multiline: bool,
}

impl Query {
    /// `multiline`: `.` matches line ends, and a match may span lines.
    pub fn new(pattern: &str, files: Option<&str>, ignore_case: bool, multiline: bool) -> Result<Self, ToolError> {
        let expression = RegexBuilder::new(pattern)
            .case_insensitive(ignore_case)
            .multi_line(multiline)
            .dot_matches_new_line(multiline)
            .build()
            .map_err(|error| ToolError::BadPattern { pattern: pattern.into(), reason: reason(&error) })?;
        let files = files.map(|pattern| glob(pattern).map(|glob| (glob, pattern.contains('/')))).transpose()?;
        Ok(Self { expression, files, multiline })
    }
}

/// The lines that match, in a file or in the files below a folder, by path and line. Links are not followed, and files
/// that are not text are left out. If a match spans several lines, all of them are returned.
pub async fn search(path: &Utf8Path, query: Query, reach: &Reach) -> Result<Found<FoundLine>, ToolError> {
    let reach = reach.clone();
    off_thread(path, move |path, given| {
        let mut lines = Lines { found: Found { items: Vec::new(), cut: false }, bytes: 0 };
        let (folder, real) = match reach.open(path)? {
            Opened::File(_, facts) if facts.size > FILE_LIMIT => {
                return Err(ToolError::TooLarge { path: path.to_owned(), size: facts.size, limit: FILE_LIMIT });
            }
            Opened::File(file, _) => {
                let text = text(file).map_err(|source| ToolError::Read { path: path.to_owned(), source })?;
                lines.add(path, &text, &query);
                return Ok(lines.found);
            }
            Opened::Folder(folder, real) => (folder, real),
        };
        for (visited, entry) in Walk::through(folder, path, real, DEPTH_LIMIT, &reach)?.entries(given).enumerate() {
            if visited == VISIT_LIMIT {
                lines.found.cut = true;
            }
            if lines.found.cut {
                break;
            }
            if entry.is_file && query.wants(path, &entry.path) {
                lines.add_file(&entry, &query, given);
            }
        }
        lines.found.items.sort_by(|a, b| (&a.path, a.line).cmp(&(&b.path, b.line)));
        Ok(lines.found)
    })
    .await
}

/// Bytes. Larger files are left out of a search through a folder.
const FILE_LIMIT: u64 = 16 << 20;
const LINE_LIMIT: usize = 10_000;
/// Bytes of all lines together.
const TEXT_LIMIT: usize = 4 << 20;

fn reason(error: &regex::Error) -> Message {
    // The library's message marks the place over several lines; its last line says what is wrong.
    let text = error.to_string();
    let last = text.lines().last().unwrap_or_default();
    Message::quoted(last.strip_prefix("error: ").unwrap_or(last))
}

impl Query {
    fn wants(&self, base: &Utf8Path, path: &Utf8Path) -> bool {
        let Some((glob, by_path)) = &self.files else { return true };
        let name = if *by_path { path.strip_prefix(base).ok() } else { path.file_name().map(Utf8Path::new) };
        name.is_some_and(|name| glob.is_match(name))
    }
}

struct Lines {
    found: Found<FoundLine>,
    bytes: usize,
}

impl Lines {
    fn add_file(&mut self, entry: &Entry, query: &Query, given: &Given) {
        if given.up() {
            return;
        }
        let opened = entry.folder.open(&entry.name);
        if let Some(text) = opened.ok().and_then(|(file, _)| text(file).ok()) {
            self.add(&entry.path, &text, query);
        }
    }

    fn add(&mut self, path: &Utf8Path, bytes: &[u8], query: &Query) {
        if bytes.contains(&0) {
            return;
        }
        let text = String::from_utf8_lossy(bytes);
        if query.multiline {
            let mut spans = query.expression.find_iter(&text).map(|found| found.range()).peekable();
            let mut start = 0;
            for (number, line) in (1..).zip(text.split_inclusive('\n')) {
                let end = start + line.len();
                while spans.next_if(|span| span.end.max(span.start + 1) <= start).is_some() {}
                if spans.peek().is_some_and(|span| span.start < end) {
                    self.keep(path, number, line);
                }
                start = end;
            }
        } else {
            for (number, line) in (1..).zip(text.split_inclusive('\n')) {
                if query.expression.is_match(bare(line)) {
                    self.keep(path, number, line);
                }
            }
        }
    }

    fn keep(&mut self, path: &Utf8Path, line: u32, text: &str) {
        let text = bare(text);
        self.bytes += text.len();
        if self.found.items.len() == LINE_LIMIT || self.bytes > TEXT_LIMIT {
            self.found.cut = true;
        } else {
            self.found.items.push(FoundLine { path: path.to_owned(), line, text: text.to_owned() });
        }
    }
}

fn text(file: File) -> std::io::Result<Vec<u8>> {
    disk::read_stream(file, FILE_LIMIT)
}

fn bare(line: &str) -> &str {
    let line = line.strip_suffix('\n').unwrap_or(line);
    line.strip_suffix('\r').unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use camino::Utf8PathBuf;

    use super::*;
    use harness::FailureKind;

    const NOTES: &str = "One kilogram\r\nis 2.2 pounds.\nA Pound is less.\n";

    fn tree() -> (tempfile::TempDir, Utf8PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::from_path_buf(folder.path().to_owned()).unwrap();
        std::fs::create_dir_all(path.join("b/deep")).unwrap();
        std::fs::write(path.join("notes.md"), NOTES).unwrap();
        std::fs::write(path.join("b/deep/table.txt"), "pound | 公斤\nno").unwrap();
        std::fs::write(path.join("b/binary"), b"pound\0").unwrap();
        (folder, path)
    }

    async fn search(path: &Utf8Path, query: Query) -> Result<Found<FoundLine>, ToolError> {
        super::search(path, query, &Reach::everywhere()).await
    }

    async fn found(path: &Utf8Path, query: Result<Query, ToolError>) -> Vec<String> {
        let found = search(path, query.unwrap()).await.unwrap();
        assert!(!found.cut);
        let line = |line: &FoundLine| format!("{}:{}:{}", line.path.file_name().unwrap(), line.line, line.text);
        found.items.iter().map(line).collect()
    }

    #[tokio::test]
    async fn finds_lines_by_path_and_number() {
        let (_folder, path) = tree();
        assert_eq!(
            found(&path, Query::new("pound", None, false, false)).await,
            ["table.txt:1:pound | 公斤", "notes.md:2:is 2.2 pounds."]
        );
        assert_eq!(found(&path, Query::new("^a p", Some("*.md"), true, false)).await, ["notes.md:3:A Pound is less."]);
        assert_eq!(found(&path, Query::new("pound", Some("b/**"), false, false)).await, ["table.txt:1:pound | 公斤"]);
        assert_eq!(
            found(&path.join("notes.md"), Query::new("m$", None, false, false)).await,
            ["notes.md:1:One kilogram"]
        );
    }

    #[tokio::test]
    async fn gives_each_line_of_a_match_that_spans_lines() {
        let (_folder, path) = tree();
        let notes = path.join("notes.md");
        assert_eq!(
            found(&notes, Query::new("kilogram.*2", None, false, true)).await,
            ["notes.md:1:One kilogram", "notes.md:2:is 2.2 pounds."]
        );
        assert_eq!(found(&notes, Query::new("kilogram.*2", None, false, false)).await, Vec::<String>::new());
        assert_eq!(found(&notes, Query::new("^is", None, false, true)).await, ["notes.md:2:is 2.2 pounds."]);
        let empty = found(&notes, Query::new("^", None, false, true)).await;
        assert_eq!(empty.len(), 3, "an empty match is on one line: {empty:?}");
    }

    #[tokio::test]
    async fn stops_at_the_limit() {
        let (_folder, path) = tree();
        std::fs::write(path.join("long"), "x\n".repeat(LINE_LIMIT + 5)).unwrap();
        let cut = search(&path, Query::new("x", None, false, false).unwrap()).await.unwrap();
        assert_eq!((cut.items.len(), cut.cut), (LINE_LIMIT, true));
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn follows_no_link_out_of_the_folder() {
        let (_folder, path) = tree();
        std::os::unix::fs::symlink(path.join("notes.md"), path.join("b/link.md")).unwrap();
        assert_eq!(found(&path.join("b"), Query::new("Pound", None, false, false)).await, Vec::<String>::new());
    }

    #[tokio::test]
    async fn says_what_is_wrong() {
        let (_folder, path) = tree();
        let gone = search(&path.join("gone"), Query::new("x", None, false, false).unwrap()).await.unwrap_err();
        assert_eq!(gone.kind(), FailureKind::NotFound);
        let bad = Query::new("(", None, false, false).unwrap_err();
        assert_eq!(
            (bad.kind(), bad.to_string().as_str()),
            (FailureKind::BadPattern, "`(` is not a pattern: unclosed group")
        );
        assert_eq!(Query::new("x", Some("["), false, false).unwrap_err().kind(), FailureKind::BadPattern);
    }
}
