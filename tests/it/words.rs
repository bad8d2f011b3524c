//! Words that users read hold no phrase of `tests/fixtures/words.json`; `docs/writing.md` has the rules behind it. The
//! window's texts are checked by `ui/src/i18n/words.test.ts`.

use std::collections::BTreeMap;
use std::fs;

use camino::{Utf8Path, Utf8PathBuf};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// Written by `cargo xtask generate` from texts that are checked where they are.
const LEFT_OUT: [&str; 1] = ["docs/rules.md"];

/// Quotes these phrases: the right columns of its tables are checked.
const RULES: &str = "docs/writing.md";

/// Files with names of the code that users do not read: documents about the code, a list of names of filters, and the
/// commands of developers.
const OF_CODE: [&str; 5] =
    ["ARCHITECTURE.md", "CONTRIBUTING.md", "docs/frameworks.md", "src-tauri/trace/src/query.rs", "src-tauri/xtask"];

/// Names that only code has.
const CODE_ONLY: [&str; 2] = ["harness", "harnesses"];

#[test]
fn documents_are_in_plain_words() {
    let mut found = Vec::new();
    for path in files(Utf8Path::new(ROOT), "md", 1).into_iter().chain(files(&Utf8Path::new(ROOT).join("docs"), "md", 1))
    {
        let name = path.strip_prefix(ROOT).unwrap();
        if !LEFT_OUT.contains(&name.as_str()) {
            let text = fs::read_to_string(&path).unwrap();
            let words = prose(&if name == RULES { right_columns(&text) } else { text });
            found.extend(phrases_of(name, &words));
        }
    }
    assert_eq!(found, Vec::<String>::new());
}

/// Texts in these files are sent to models and must not change by a byte.
const TO_MODELS: [&str; 1] = ["src-tauri/engine/src/tool.rs"];

/// Doc comments there become help: `--help` of the terminal, and the options of frameworks in the window.
fn are_help(name: &Utf8Path) -> bool {
    let options = name.parent().is_some_and(|folder| folder.ends_with("config/src/options"));
    name.as_str().contains("/cli/") || (options && name.file_name() != Some("form.rs"))
}

/// Texts of the program: string literals, and doc comments that become help.
#[test]
fn texts_of_the_program_are_in_plain_words() {
    let mut found = Vec::new();
    for path in files(&Utf8Path::new(ROOT).join("src-tauri"), "rs", usize::MAX) {
        let name = path.strip_prefix(ROOT).unwrap();
        if !TO_MODELS.contains(&name.as_str())
            && !name.components().any(|part| ["tests", "tests.rs", "benches"].contains(&part.as_str()))
        {
            let text = without_tests(&fs::read_to_string(&path).unwrap());
            let words = literals(&text, are_help(name));
            found.extend(phrases_of(name, &words));
        }
    }
    assert!(found.is_empty(), "{} places:\n{}", found.len(), found.join("\n"));
}

#[test]
fn finds_what_rust_says() {
    let text = "// \"anew\"\n/// Anew\nlet a = ('\"', \"let \\\n  pass\", r#\"told \"of\"\"#);\n#[cfg(test)]\nmod tests {\n    \"anew\"\n}\n";
    let found = |help| {
        phrases(&literals(&without_tests(text), help)).into_iter().map(|hit| hit[..2].to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(found(false), ["3:"]);
    assert_eq!(found(true), ["2:", "3:"]);
}

#[test]
fn finds_a_phrase_over_the_end_of_a_line_and_none_in_code() {
    let text = "A finding is let\npass, and `let pass` is code.\n```\nanew\n```\nLet. Pass it Anew; renew.\n";
    assert_eq!(
        phrases(&prose(text)),
        ["1: \"let pass\"; say: allow; ignore; do not report", "6: \"anew\"; say: again"]
    );
}

#[test]
fn finds_what_is_said_and_no_name_that_only_code_has() {
    let text = "/// As `harness` says, a harness\nlet a = (\"harness\", \"HARNESS\", \"{harness} of --harness, `skillbench harnesses`\", \"two harnesses\");\n";
    let found = |name: &str, help| {
        let hits = phrases_of(Utf8Path::new(name), &literals(text, help));
        hits.into_iter().map(|hit| hit.split(';').next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(found("a.rs", false), ["a.rs:2: \"harnesses\""]);
    assert_eq!(found("a.rs", true), ["a.rs:1: \"harness\"", "a.rs:2: \"harnesses\""]);
    assert_eq!(found(OF_CODE[0], true), Vec::<String>::new());
}

#[test]
fn of_a_table_of_before_and_after_it_reads_what_comes_after() {
    let text = "Anew\n| before | after |\n|---|---|\n| anew | again |\n| again | anew |\n";
    assert_eq!(phrases(&prose(&right_columns(text))), ["5: \"anew\"; say: again"]);
}

/// A word in small letters, and its line. What is between words is an empty word.
type Word = (String, usize);

/// Each phrase in the words of a file that it should not hold.
fn phrases_of(file: &Utf8Path, words: &[Word]) -> Vec<String> {
    let may = |hit: &String| CODE_ONLY.iter().any(|name| hit.contains(&format!(": {name:?};")));
    let about_code = OF_CODE.iter().any(|place| file.starts_with(place));
    let hits = phrases(words).into_iter().filter(|hit| !(about_code && may(hit)));
    hits.map(|hit| format!("{file}:{hit}")).collect()
}

/// Each place of a phrase in `words`: its line, and what to say.
fn phrases(words: &[Word]) -> Vec<String> {
    let listed: BTreeMap<String, String> = serde_json::from_str(include_str!("../fixtures/words.json")).unwrap();
    let mut found = Vec::new();
    for at in 0..words.len() {
        for (phrase, say) in &listed {
            let mut parts = phrase.split(' ');
            let here = words[at..].iter().map(|(word, _)| word.as_str());
            if here.zip(parts.by_ref()).all(|(word, part)| word == part) && parts.next().is_none() {
                found.push(format!("{}: {phrase:?}; say: {say}", words[at].1));
            }
        }
    }
    found
}

/// The last cell of each row of a table, and blank lines in place of anything else.
fn right_columns(text: &str) -> String {
    let cell =
        |line: &str| line.strip_suffix('|').and_then(|row| row.rsplit('|').next()).unwrap_or_default().to_owned();
    text.lines().map(|line| cell(line) + "\n").collect()
}

/// The words of a Markdown text without its code.
fn prose(text: &str) -> Vec<Word> {
    let (mut words, mut fenced) = (Vec::new(), false);
    for (at, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if !fenced {
            for (place, piece) in line.split('`').enumerate() {
                if place % 2 == 0 { words.extend(split(piece, at + 1)) } else { words.push((String::new(), at + 1)) }
            }
        }
    }
    words
}

fn split(text: &str, line: usize) -> Vec<Word> {
    let mut words = Vec::new();
    for piece in text.split_whitespace() {
        let inner = piece.trim_start_matches(|letter: char| !letter.is_alphanumeric());
        let word = inner.trim_end_matches(|letter: char| !letter.is_alphanumeric());
        if inner.len() < piece.len() {
            words.push((String::new(), line));
        }
        words.push((word.to_lowercase(), line));
        if word.len() < inner.len() {
            words.push((String::new(), line));
        }
    }
    words
}

/// The words of the string literals in Rust, and of the doc comments if they are `--help`.
fn literals(text: &str, help: bool) -> Vec<Word> {
    let (mut words, mut at, mut line) = (Vec::new(), 0, 1);
    while let Some(letter) = text[at..].chars().next() {
        let rest = &text[at..];
        let raw =
            rest.trim_start_matches('b').strip_prefix('r').filter(|raw| raw.trim_start_matches('#').starts_with('"'));
        let before = text[..at].chars().next_back().is_none_or(|letter| !letter.is_alphanumeric() && letter != '_');
        let taken = if rest.starts_with("//") {
            let comment = rest.lines().next().unwrap_or_default();
            if let Some(doc) = comment.strip_prefix("///").filter(|_| help) {
                words.extend(said(doc, line));
            }
            comment.len()
        } else if let Some(raw) = raw.filter(|_| before) {
            let marks = raw.len() - raw.trim_start_matches('#').len();
            let inner = &raw[marks + 1..];
            let end = format!("\"{}", "#".repeat(marks));
            let length = inner.find(&end).unwrap();
            words.extend(lines(&inner[..length], line));
            rest.len() - inner.len() + length + end.len()
        } else if letter == '"' {
            let length = string(&rest[1..]);
            words.extend(lines(&rest[1..=length], line));
            length + 2
        } else if letter == '\'' {
            // A letter, or a lifetime, which nothing closes.
            let mut letters = rest.char_indices().skip(1);
            let escaped = letters.next().is_some_and(|(_, letter)| letter == '\\');
            let close = if escaped { rest[3..].find('\'').map(|at| at + 3) } else { letters.next().map(|(at, _)| at) };
            close.filter(|&close| rest[close..].starts_with('\'')).map_or(1, |close| close + 1)
        } else {
            letter.len_utf8()
        };
        line += text[at..at + taken].matches('\n').count();
        at += taken;
        if taken > 1 && !rest.starts_with("//") {
            words.push((String::new(), line));
        }
    }
    words
}

/// Where the string that begins here ends: before the first quotation mark without a backslash.
fn string(rest: &str) -> usize {
    let mut escaped = false;
    let close = rest.bytes().position(|byte| {
        let closes = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        closes
    });
    close.unwrap()
}

fn lines(text: &str, first: usize) -> Vec<Word> {
    // A name by itself: the key of a value, or what an option takes.
    if CODE_ONLY.iter().any(|name| name.eq_ignore_ascii_case(text)) {
        return Vec::new();
    }
    let continued = |line: &str| line.trim_end_matches('\\').replace("\\n", " | ");
    text.split('\n').enumerate().flat_map(|(at, line)| said(&continued(line), first + at)).collect()
}

/// The words of a line without its code: text between backticks or braces, and options.
fn said(text: &str, line: usize) -> Vec<Word> {
    // If a span ends on another line, its contents cannot be found here.
    let whole = text.matches('`').count().is_multiple_of(2);
    let outside = text.split('`').enumerate().filter(|(place, _)| !whole || place % 2 == 0).map(|(_, piece)| piece);
    let plain = outside.collect::<Vec<_>>().join(" | ");
    let without = plain.split('{').map(|part| part.split_once('}').map_or(part, |(_, after)| after));
    let plain = without.collect::<Vec<_>>().join(" | ");
    let words = plain.split_whitespace().map(|word| if word.starts_with("--") { "|" } else { word });
    words.flat_map(|word| split(word, line)).collect()
}

/// Blank lines in place of code under `#[cfg(test)]`; relies on rustfmt's layout.
pub fn without_tests(text: &str) -> String {
    let (mut out, mut end) = (String::new(), None::<String>);
    for line in text.lines() {
        let indent = &line[..line.len() - line.trim_start().len()];
        if let Some(close) = &end {
            if line == close || (close.is_empty() && line.ends_with(';')) {
                end = None;
            } else if close.is_empty() && line.ends_with('{') {
                end = Some(format!("{indent}}}"));
            }
        } else if line.trim() == "#[cfg(test)]" {
            end = Some(String::new());
        } else {
            out.push_str(line);
        }
        out.push('\n');
    }
    out
}

/// Files with an ending, at most so many folders deep.
pub fn files(folder: &Utf8Path, ending: &str, deep: usize) -> Vec<Utf8PathBuf> {
    let mut found = Vec::new();
    for entry in folder.read_dir_utf8().unwrap() {
        let path = entry.unwrap().into_path();
        if path.is_dir() && deep > 1 {
            found.extend(files(&path, ending, deep - 1));
        } else if path.extension() == Some(ending) {
            found.push(path);
        }
    }
    found.sort();
    found
}
