//! `grep`: what the tool asks ripgrep for, and how it shows the matches. Lines around a match (`-A`, `-B`, `-C`) are
//! not supported here.

use std::collections::BTreeMap;

use super::go_json::Arguments;
use crate::FoundLine;

/// A call's arguments.
pub struct Grep {
    pub pattern: String,
    pub path: String,
    /// A glob of file names.
    pub files: Option<String>,
    pub ignore_case: bool,
    pub multiline: bool,
    mode: Mode,
    numbered: bool,
    /// 0: all.
    head: usize,
    offset: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Content,
    Files,
    Count,
}

impl Grep {
    pub fn of(arguments: &Arguments) -> Self {
        let count = |field| usize::try_from(arguments.integer(field).unwrap_or_default()).unwrap_or_default();
        // They are there to have the right type.
        for field in ["-A", "-B", "-C"] {
            count(field);
        }
        let (glob, of_type) = (arguments.text("glob"), arguments.text("type"));
        Self {
            pattern: arguments.text("pattern"),
            path: arguments.text("path"),
            files: match (glob.is_empty(), of_type.is_empty()) {
                (true, true) => None,
                (false, _) => Some(glob),
                (true, false) => Some(format!("*.{}", ending(&of_type))),
            },
            ignore_case: arguments.flag("-i").unwrap_or_default(),
            multiline: arguments.flag("multiline").unwrap_or_default(),
            mode: match arguments.text("output_mode").as_str() {
                "content" => Mode::Content,
                "count" => Mode::Count,
                _ => Mode::Files,
            },
            numbered: arguments.flag("-n").unwrap_or(true),
            head: count("head_limit"),
            offset: count("offset"),
        }
    }

    /// Sorted by file names without their folders.
    pub fn show(&self, mut lines: Vec<FoundLine>) -> String {
        lines.sort_by(|a, b| a.path.file_name().cmp(&b.path.file_name()));
        match self.mode {
            Mode::Content => self.content(&lines),
            Mode::Files => self.paths(&lines),
            Mode::Count => self.counts(&lines),
        }
    }

    fn content(&self, lines: &[FoundLine]) -> String {
        let shown = self.page(lines);
        if shown.is_empty() {
            return NO_MATCHES.into();
        }
        let line = |FoundLine { path, line, text }: &FoundLine| match self.numbered {
            true => format!("{path}:{line}:{text}"),
            false => format!("{path}:{text}"),
        };
        shown.iter().map(line).collect::<Vec<_>>().join("\n")
    }

    fn paths(&self, lines: &[FoundLine]) -> String {
        if lines.is_empty() {
            return NO_FILES.into();
        }
        let mut paths: Vec<&str> = Vec::new();
        let mut seen = std::collections::BTreeSet::new();
        paths.extend(lines.iter().map(|line| line.path.as_str()).filter(|path| seen.insert(*path)));
        let shown = self.page(&paths).join("\n");
        format!("Found {} {}\n{shown}", paths.len(), plural(paths.len(), "file"))
    }

    fn counts(&self, lines: &[FoundLine]) -> String {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for line in lines {
            *counts.entry(line.path.as_str()).or_default() += 1;
        }
        let counts: Vec<(&str, usize)> = counts.into_iter().collect();
        let shown: Vec<String> = self.page(&counts).iter().map(|(path, count)| format!("{path}:{count}")).collect();
        let shown = if lines.is_empty() { NO_MATCHES.into() } else { shown.join("\n") };
        let (total, files) = (lines.len(), counts.len());
        let (occurrences, word) = (plural(total, "occurrence"), plural(files, "file"));
        format!("{shown}\n\nFound {total} total {occurrences} across {files} {word}.")
    }

    fn page<'a, T>(&self, items: &'a [T]) -> &'a [T] {
        let rest = items.get(self.offset..).unwrap_or_default();
        if self.head > 0 && self.head < rest.len() { &rest[..self.head] } else { rest }
    }
}

pub const NO_FILES: &str = "No files found";
const NO_MATCHES: &str = "No matches found";

/// The file ending of one of ripgrep's types; most are called by it.
fn ending(of_type: &str) -> &str {
    match of_type {
        "markdown" => "md",
        "python" => "py",
        "ruby" => "rb",
        "rust" => "rs",
        "typescript" => "ts",
        other => other,
    }
}

fn plural(count: usize, word: &str) -> String {
    if count == 1 { word.to_owned() } else { format!("{word}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(arguments: &str, lines: &[(&str, u32, &str)]) -> String {
        let arguments = Arguments::parse(arguments, "filesystem", "grepArgs").unwrap();
        let line = |(path, line, text): &(&str, u32, &str)| FoundLine {
            path: (*path).into(),
            line: *line,
            text: (*text).into(),
        };
        Grep::of(&arguments).show(lines.iter().map(line).collect())
    }

    const LINES: [(&str, u32, &str); 3] = [("/s/b/x.md", 3, "one"), ("/s/b/x.md", 9, "two"), ("/s/z/a.md", 1, "three")];

    #[test]
    fn shows_paths_lines_or_counts() {
        assert_eq!(show("{}", &LINES), "Found 2 files\n/s/z/a.md\n/s/b/x.md");
        assert_eq!(show(r#"{"output_mode":"content"}"#, &LINES), "/s/z/a.md:1:three\n/s/b/x.md:3:one\n/s/b/x.md:9:two");
        assert_eq!(show(r#"{"output_mode":"content","-n":false,"offset":1,"head_limit":1}"#, &LINES), "/s/b/x.md:one");
        assert_eq!(
            show(r#"{"output_mode":"count"}"#, &LINES),
            "/s/b/x.md:2\n/s/z/a.md:1\n\nFound 3 total occurrences across 2 files."
        );
        assert_eq!(show(r#"{"head_limit":1}"#, &LINES[2..]), "Found 1 file\n/s/z/a.md");
    }

    #[test]
    fn says_that_nothing_matches() {
        assert_eq!(show("{}", &[]), "No files found");
        assert_eq!(show(r#"{"output_mode":"content"}"#, &[]), "No matches found");
        assert_eq!(
            show(r#"{"output_mode":"count"}"#, &[]),
            "No matches found\n\nFound 0 total occurrences across 0 files."
        );
    }
}
