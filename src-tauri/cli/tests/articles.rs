//! The commands of `docs/articles.md`, as users type them.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod terminal;

use std::collections::BTreeSet;
use std::path::Path;

use terminal::{Terminal, text};

#[test]
fn every_command_of_the_articles_can_be_typed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    let table = std::fs::read_to_string(root.join("docs/articles.md")).unwrap();
    // A single word names a command and is not meant to be typed.
    let command = |code| str::strip_prefix(code, "skillbench ").filter(|words| words.contains(' '));
    let commands: BTreeSet<&str> = table.split('`').filter_map(command).collect();
    assert!(commands.len() > 10, "{commands:?}");
    let terminal = Terminal::new();
    let mut wrong = Vec::new();
    for command in commands {
        let words = words(command);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let output = terminal.command(&words).current_dir(&root).output().unwrap();
        if !output.status.success() {
            wrong.push(format!("{command}: {}", text(&output.stderr)));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

/// Splits words; text in quotes is one word.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (place, piece) in command.split('"').enumerate() {
        match place % 2 {
            0 => words.extend(piece.split_whitespace().map(str::to_owned)),
            _ => words.push(piece.to_owned()),
        }
    }
    words
}
