//! `parse_frontmatter`, `read_properties` and `validate`.

use std::sync::LazyLock;

use camino::Utf8PathBuf;
use regex::Regex;
use serde_json::{Map, Value};
use unicode_normalization::UnicodeNormalization;

use crate::python::{strip, universal_newlines};
use crate::reasons::Refusal;
use crate::yaml::{Strict, strict};
use skill::source::SourceText;

/// What `read_properties` gives in addition to name and description.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Properties {
    /// The real path of `SKILL.md`.
    pub location: Utf8PathBuf,
    /// `license`, `compatibility`, `allowed-tools` and `metadata`, as far as they are there.
    pub fields: Vec<(String, Strict)>,
}

impl Properties {
    /// What `SkillProperties` has next to name and description.
    pub fn kept(&self) -> Map<String, Value> {
        self.fields.iter().map(|(key, value)| (key.clone(), json(value))).collect()
    }
}

/// A skill's frontmatter and its instructions.
#[derive(Debug, PartialEq, Eq)]
pub struct Parsed {
    pub fields: Vec<(String, Strict)>,
    pub body: String,
    /// The mark that ends the frontmatter is not on a separate line.
    pub is_cut: bool,
}

/// What the library refuses, it says by a `ParseError`.
pub fn parse(source: &SourceText) -> Result<Parsed, Refusal> {
    let text = universal_newlines(&source.text);
    let begun = text.strip_prefix("---").filter(|_| !source.bom);
    let rest = begun.ok_or("SKILL.md must start with YAML frontmatter (---)")?;
    let (front, body) = rest.split_once("---").ok_or("SKILL.md frontmatter not properly closed with ---")?;
    let read = strict(front).map_err(|failure| match failure.refusal() {
        Refusal::Theirs(message) => format!("Invalid YAML in frontmatter: {message}").into(),
        ours @ Refusal::Ours(_) => ours,
    })?;
    let Strict::Map(mut fields) = read else { return Err("SKILL.md frontmatter must be a YAML mapping".into()) };
    for (key, value) in &mut fields {
        if let (METADATA, Strict::Map(pairs)) = (key.as_str(), value) {
            pairs.iter_mut().for_each(|(_, value)| *value = Strict::Text(shown(value)));
        }
    }
    Ok(Parsed { fields, body: strip(body).to_owned(), is_cut: !front.is_empty() && !front.ends_with('\n') })
}

impl Parsed {
    fn field(&self, key: &str) -> Option<&Strict> {
        self.fields.iter().find(|(known, _)| known == key).map(|(_, value)| value)
    }

    /// Name and description, or the message of the `ValidationError`.
    pub fn required(&self) -> Result<[String; 2], String> {
        let there = |key| self.field(key).ok_or_else(|| missing(key));
        let [name, description] = [there("name")?, there("description")?];
        let text = |key, value| filled(value).map(|text| strip(text).to_owned()).ok_or_else(|| empty(key));
        Ok([text("name", name)?, text("description", description)?])
    }

    /// The other fields that `SkillProperties` has.
    pub fn kept(&self) -> Vec<(String, Strict)> {
        let value = |key: &str| Some((key.to_owned(), self.field(key)?.clone()));
        ["license", "compatibility", "allowed-tools", METADATA].into_iter().filter_map(value).collect()
    }

    /// `validate_metadata`, of a skill in a folder of this name.
    pub fn problems(&self, folder: &str) -> Vec<String> {
        let mut found = Vec::new();
        let mut extra: Vec<&str> = self.fields.iter().map(|(key, _)| key.as_str()).collect();
        extra.retain(|key| !ALLOWED.contains(key));
        extra.sort_unstable();
        if !extra.is_empty() {
            let allowed = ALLOWED.map(|key| format!("'{key}'")).join(", ");
            found
                .push(format!("Unexpected fields in frontmatter: {}. Only [{allowed}] are allowed.", extra.join(", ")));
        }
        match self.field("name") {
            None => found.push(missing("name")),
            Some(value) => found.extend(name_problems(filled(value), folder)),
        }
        match self.field("description") {
            None => found.push(missing("description")),
            Some(value) => match filled(value) {
                None => found.push(empty("description")),
                Some(text) => found.extend(too_long("Description", text, DESCRIPTION_LIMIT)),
            },
        }
        match self.field("compatibility") {
            None => {}
            Some(Strict::Text(text)) => found.extend(too_long("Compatibility", text, COMPATIBILITY_LIMIT)),
            Some(Strict::List(_) | Strict::Map(_)) => found.push("Field 'compatibility' must be a string".to_owned()),
        }
        found
    }
}

const METADATA: &str = "metadata";
const NAME_LIMIT: usize = 64;
const DESCRIPTION_LIMIT: usize = 1024;
const COMPATIBILITY_LIMIT: usize = 500;
/// In the order in which messages name them.
const ALLOWED: [&str; 6] = ["allowed-tools", "compatibility", "description", "license", METADATA, "name"];

/// `str.isalnum`, and the hyphen.
static NAME: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^[\p{L}\p{N}-]*$").expect("the expression is valid"));

fn missing(key: &str) -> String {
    format!("Missing required field in frontmatter: {key}")
}

fn empty(key: &str) -> String {
    format!("Field '{key}' must be a non-empty string")
}

fn filled(value: &Strict) -> Option<&str> {
    value.as_text().filter(|text| !strip(text).is_empty())
}

fn too_long(what: &str, text: &str, limit: usize) -> Option<String> {
    let long = text.chars().count();
    (long > limit).then(|| format!("{what} exceeds {limit} character limit ({long} chars)"))
}

fn name_problems(name: Option<&str>, folder: &str) -> Vec<String> {
    let Some(name) = name else { return vec![empty("name")] };
    let name: String = strip(name).nfkc().collect();
    let mut found = Vec::new();
    let long = name.chars().count();
    if long > NAME_LIMIT {
        found.push(format!("Skill name '{name}' exceeds {NAME_LIMIT} character limit ({long} chars)"));
    }
    if name != name.to_lowercase() {
        found.push(format!("Skill name '{name}' must be lowercase"));
    }
    if name.starts_with('-') || name.ends_with('-') {
        found.push("Skill name cannot start or end with a hyphen".to_owned());
    }
    if name.contains("--") {
        found.push("Skill name cannot contain consecutive hyphens".to_owned());
    }
    if !NAME.is_match(&name) {
        found.push(format!(
            "Skill name '{name}' contains invalid characters. Only letters, digits, and hyphens are allowed."
        ));
    }
    if folder.nfkc().ne(name.chars()) {
        found.push(format!("Directory name '{folder}' must match skill name '{name}'"));
    }
    found
}

fn json(value: &Strict) -> Value {
    match value {
        Strict::Text(text) => Value::from(text.as_str()),
        Strict::List(items) => items.iter().map(json).collect(),
        Strict::Map(pairs) => pairs.iter().map(|(key, value)| (key.clone(), json(value))).collect(),
    }
}

/// `str(value)`.
fn shown(value: &Strict) -> String {
    match value {
        Strict::Text(text) => text.clone(),
        Strict::List(_) | Strict::Map(_) => quoted(value),
    }
}

/// `repr(value)`.
fn quoted(value: &Strict) -> String {
    let list = |items: Vec<String>| items.join(", ");
    match value {
        Strict::Text(text) => crate::python::repr(text),
        Strict::List(items) => format!("[{}]", list(items.iter().map(quoted).collect())),
        Strict::Map(pairs) => {
            let pair = |(key, value): &(String, Strict)| format!("{}: {}", crate::python::repr(key), quoted(value));
            format!("OrderedDict({{{}}})", list(pairs.iter().map(pair).collect()))
        }
    }
}
