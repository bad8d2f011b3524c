//! Words that users read hold no phrase of `tests/fixtures/words.json`; `docs/writing.md` has the rules behind it. The
//! window's texts are checked by `ui/src/i18n/words.test.ts`.

use std::collections::BTreeMap;
use std::fs;

use camino::{Utf8Path, Utf8PathBuf};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// Written by `cargo xtask generate` from texts that are checked where they are; or about these phrases.
const LEFT_OUT: [&str; 3] = ["docs/rules.md", "docs/conformance.md", "docs/writing.md"];

#[test]
fn documents_are_in_plain_words() {
    let mut found = Vec::new();
    for path in files(Utf8Path::new(ROOT), "md", 1).into_iter().chain(files(&Utf8Path::new(ROOT).join("docs"), "md", 1))
    {
        let name = path.strip_prefix(ROOT).unwrap();
        if !LEFT_OUT.contains(&name.as_str()) {
            found
                .extend(phrases(&prose(&fs::read_to_string(&path).unwrap())).iter().map(|hit| format!("{name}:{hit}")));
        }
    }
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn finds_a_phrase_over_the_end_of_a_line_and_none_in_code() {
    let text = "A finding is let\npass, and `let pass` is code.\n```\nanew\n```\nLet. Pass it Anew; renew.\n";
    assert_eq!(
        phrases(&prose(text)),
        ["1: \"let pass\"; say: allow; ignore; do not report", "6: \"anew\"; say: again"]
    );
}

/// A word in small letters, and its line. What is between words is an empty word.
type Word = (String, usize);

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
        words.push((word.to_lowercase(), line));
        if word.len() < inner.len() {
            words.push((String::new(), line));
        }
    }
    words
}

/// Files with an ending, at most so many folders deep.
fn files(folder: &Utf8Path, ending: &str, deep: usize) -> Vec<Utf8PathBuf> {
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
