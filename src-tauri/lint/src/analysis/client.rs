//! The clients that rules know, and how a skill says which of them it is for. Facts are from their documentation; if
//! they do not say whether a field is read, it counts as read.

use crate::Subject;
use skill::source::Span;
use skill::{Field, YamlValue};
use wording::Message;

/// The fields of the specification.
pub const SPECIFIED: [&str; 6] = ["name", "description", "license", "compatibility", "metadata", "allowed-tools"];

/// A client that skills are written for.
#[derive(Debug, PartialEq)]
pub struct Client {
    /// As settings name it.
    pub id: &'static str,
    pub title: &'static str,
    /// The folder whose `skills` are its own; `None` if it has none, or shares it.
    pub folder: Option<&'static str>,
    /// Fields it reads in addition to those of the specification.
    pub fields: &'static [&'static str],
}

pub static CLAUDE_CODE: Client = Client {
    id: "claude-code",
    title: "Claude Code",
    folder: Some(".claude"),
    fields: &[
        "agent",
        "argument-hint",
        "arguments",
        "background",
        "context",
        "default-enabled",
        "disable-model-invocation",
        "disallowed-tools",
        "display-name",
        "effort",
        "fallback",
        "hooks",
        "model",
        "paths",
        "shell",
        "user-invocable",
        "when_to_use",
    ],
};
pub static CODEX: Client = Client { id: "codex", title: "Codex", folder: Some(".codex"), fields: &[] };
pub static COPILOT: Client = Client {
    id: "copilot",
    title: "GitHub Copilot",
    folder: Some(".github"),
    fields: &["argument-hint", "context", "disable-model-invocation", "user-invocable"],
};
pub static CURSOR: Client =
    Client { id: "cursor", title: "Cursor", folder: Some(".cursor"), fields: &["disable-model-invocation", "paths"] };
pub static CLINE: Client =
    Client { id: "cline", title: "Cline", folder: Some(".cline"), fields: &["disabled", "enabled"] };
pub static KIRO: Client = Client { id: "kiro", title: "Kiro", folder: Some(".kiro"), fields: &[] };
pub static GEMINI: Client = Client { id: "gemini-cli", title: "Gemini CLI", folder: Some(".gemini"), fields: &[] };
pub static OPENCODE: Client = Client { id: "opencode", title: "OpenCode", folder: Some(".opencode"), fields: &[] };
pub static WINDSURF: Client = Client { id: "windsurf", title: "Windsurf", folder: Some(".windsurf"), fields: &[] };
pub static AMP: Client =
    Client { id: "amp", title: "Amp", folder: None, fields: &["argument-hint", "disable-model-invocation"] };
pub static GROK: Client = Client {
    id: "grok",
    title: "Grok Build",
    folder: Some(".grok"),
    fields: &["argument-hint", "disable-model-invocation", "user-invocable", "when_to_use"],
};
pub static EINO: Client =
    Client { id: "eino", title: "Eino ADK", folder: None, fields: &["agent", "context", "model"] };
pub static AGENT_FRAMEWORK: Client =
    Client { id: "agent-framework", title: "Microsoft Agent Framework", folder: None, fields: &[] };
pub static STRANDS: Client = Client { id: "strands", title: "Strands Agents", folder: None, fields: &[] };

pub const ALL: &[&Client] = &[
    &CLAUDE_CODE,
    &CODEX,
    &COPILOT,
    &CURSOR,
    &CLINE,
    &KIRO,
    &GEMINI,
    &OPENCODE,
    &WINDSURF,
    &AMP,
    &GROK,
    &EINO,
    &AGENT_FRAMEWORK,
    &STRANDS,
];

/// The clients that a skill is expressly for: those the settings name, else the one in whose folder it is.
pub fn named(skill: &Subject<'_>) -> impl Iterator<Item = &'static Client> {
    let by_folder = skill.options.clients.is_empty().then(|| by_folder(skill)).flatten();
    let named = ALL.iter().copied().filter(|client| skill.options.clients.iter().any(|id| id == client.id));
    named.chain(by_folder)
}

/// Whether a skill is expressly for a client.
pub fn is_for(skill: &Subject<'_>, client: &Client) -> bool {
    named(skill).any(|named| named == client)
}

/// Whether a skill may be for a client: it is expressly for this one, or for none.
pub fn may_be_for(skill: &Subject<'_>, client: &Client) -> bool {
    is_for(skill, client) || (skill.options.clients.is_empty() && by_folder(skill).is_none())
}

/// Clients for a sentence.
pub fn titles<'a>(clients: impl IntoIterator<Item = &'a Client>) -> Message {
    let titles: Vec<&str> = clients.into_iter().map(|client| client.title).collect();
    Message { en: titles.join(", "), zh: titles.join("、") }
}

fn by_folder(skill: &Subject<'_>) -> Option<&'static Client> {
    let mut above = skill.skill.path.ancestors().skip(1);
    let root = above.find(|folder| folder.file_name() == Some("skills"))?;
    let owner = root.parent()?.file_name()?;
    ALL.iter().copied().find(|client| client.folder == Some(owner))
}

/// The tools in `allowed-tools` or its like: a text with blanks or commas between them, or a list.
pub fn tools(field: &Field) -> Vec<String> {
    match &field.value {
        YamlValue::Scalar { text, .. } => split_tools(text),
        YamlValue::List(items) => items.iter().filter_map(YamlValue::as_str).flat_map(split_tools).collect(),
        YamlValue::Null | YamlValue::Map(_) => Vec::new(),
    }
}

/// `Bash(git add *), Read` are two.
fn split_tools(text: &str) -> Vec<String> {
    let mut tools = vec![String::new()];
    let mut depth = 0_usize;
    for letter in text.chars() {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        match tools.last_mut() {
            Some(tool) if depth > 0 || !(letter == ',' || letter.is_whitespace()) => tool.push(letter),
            _ => tools.push(String::new()),
        }
    }
    tools.retain(|tool| !tool.is_empty());
    tools
}

/// Where a word is in a field's value; the whole value if it is not found.
pub fn place_of(skill: &Subject<'_>, field: &Field, word: &str) -> Span {
    let value = field.value_span.of(skill.text());
    let is_edge =
        |letter: Option<char>| !letter.is_some_and(|letter| letter.is_alphanumeric() || "_-".contains(letter));
    let found = value
        .match_indices(word)
        .find(|(at, _)| is_edge(value[..*at].chars().next_back()) && is_edge(value[at + word.len()..].chars().next()));
    found.map_or_else(|| place(field), |(at, _)| Span::new(at, at + word.len()).shift(field.value_span.start))
}

/// A field's value, or its key if the value is empty.
pub fn place(field: &Field) -> Span {
    if field.value_span.is_empty() { field.key_span } else { field.value_span }
}

/// The known word that another is nearly: in other case, or with one or two letters wrong.
pub fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    if known.contains(&word) || word.len() > LONGEST {
        return None;
    }
    let lower = word.to_lowercase();
    let apart = |known: &str| strsim::osa_distance(&lower, &known.to_lowercase());
    let near = known.iter().map(|known| (apart(known), *known)).min()?;
    (near.0 <= near.1.len() / 4).then_some(near.1)
}

/// Longer words (in bytes) are not misspelt names.
const LONGEST: usize = 40;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_are_parted_by_blanks_and_commas_outside_of_brackets() {
        assert_eq!(split_tools("Bash(git add *), Read  mcp__a__b"), ["Bash(git add *)", "Read", "mcp__a__b"]);
        assert_eq!(split_tools("Bash(git (x"), ["Bash(git (x"]);
        assert_eq!(split_tools(" , "), [""; 0]);
    }

    #[test]
    fn knows_a_misspelt_word_and_no_other() {
        let known = ["PreToolUse", "Bash", "Stop"];
        assert_eq!(nearest("PreTooluse", &known), Some("PreToolUse"));
        assert_eq!(nearest("bash", &known), Some("Bash"));
        assert_eq!(nearest("Bahs", &known), Some("Bash"));
        assert_eq!(nearest("Shell", &known), None);
        assert_eq!(nearest("Stop", &known), None);
    }
}
