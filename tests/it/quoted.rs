//! `Message::quoted` is for words of others, which are the same in every language. A sentence of ours goes through
//! `message!`, which takes both.

use std::collections::BTreeSet;
use std::fs;

use camino::Utf8Path;

use crate::words::{files, without_tests};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// Where each of these is written out, and whose words it is.
const OF_OTHERS: [(&str, &str, &str); 8] = [
    ("harness/src/agent_framework/pipeline.rs", "Skill '{}' excluded by filter predicate", "Agent Framework's log"),
    ("harness/src/agentscope/discover.rs", "The skill must have content", "an exception of AgentScope"),
    ("harness/src/agentscope/discover.rs", "name and description must not be empty", "an exception of AgentScope"),
    ("harness/src/agentscope/python/load.rs", "'utf-8' codec can't decode the byte in position {at}", "Python's error"),
    ("harness/src/deepagents/discover.rs", "is_directory", "an error code of Deep Agents"),
    ("harness/src/deepagents/discover.rs", "permission_denied", "an error code of Deep Agents"),
    ("lint/src/complete.rs", "Claude Code", "a name"),
    ("trace/src/foreign/record.rs", "", "nothing is said yet"),
];

#[test]
fn nothing_of_ours_is_quoted() {
    let rooms = Utf8Path::new(ROOT).join("src-tauri");
    let mut found = BTreeSet::new();
    for path in files(&rooms, "rs", usize::MAX) {
        let name = path.strip_prefix(&rooms).unwrap();
        // A file of tests, as a whole.
        if name.components().any(|part| ["tests", "tests.rs", "benches"].contains(&part.as_str())) || is_for_tests(name)
        {
            continue;
        }
        let text = without_tests(&fs::read_to_string(&path).unwrap());
        found.extend(written_out(&text).into_iter().map(|text| (name.to_string(), text)));
    }
    let known: BTreeSet<_> = OF_OTHERS.iter().map(|(file, text, _)| ((*file).to_owned(), (*text).to_owned())).collect();
    assert_eq!(found, known, "a sentence of ours needs `message!`; words of others belong into the list");
}

/// Modules that are only compiled for tests.
fn is_for_tests(name: &Utf8Path) -> bool {
    ["trace/src/sample.rs", "harness/src/sample.rs"].contains(&name.as_str())
}

/// The texts that are quoted where they are written: a literal, or what `format!` makes of one.
fn written_out(code: &str) -> Vec<String> {
    let calls = code.match_indices("::quoted(").map(|(at, call)| (&code[..at], &code[at + call.len()..]));
    let of_messages = calls.filter(|(before, _)| before.ends_with("Message") || before.ends_with("Words"));
    of_messages.filter_map(|(_, argument)| literal(argument)).collect()
}

fn literal(argument: &str) -> Option<String> {
    let argument = argument.trim_start().trim_start_matches('&');
    let argument = argument.strip_prefix("format!(").unwrap_or(argument).trim_start();
    let text = argument.trim_start_matches(['r', '#']).strip_prefix('"')?;
    let mut is_escaped = false;
    let end = text.find(|letter| {
        let ends = letter == '"' && !is_escaped;
        is_escaped = letter == '\\' && !is_escaped;
        ends
    })?;
    Some(text[..end].to_owned())
}

#[test]
fn finds_what_is_written_out() {
    let code = "Message::quoted(\"a \\\"b\\\" c\"); Words::quoted(\n    format!(\n  \"{d} e\", 1)); Message::quoted(&format!(\"f\"));\n\
                Message::quoted(error.to_string()); SyntaxError::quoted(\"g\"); Message::quoted(r#\"h\"#)";
    assert_eq!(written_out(code), [r#"a \"b\" c"#, "{d} e", "f", "h"]);
}
