//! `_parse_skill_metadata`: PyYAML over the text between two lines of `---`. Name and description become texts whatever
//! they are, and violations of the rules of names are only logged.

use std::sync::LazyLock;

use camino::{Utf8Path, Utf8PathBuf};
use regex::Regex;
use serde_json::{Map, Value};

use crate::python::{cut, strip};
use crate::reasons::Refusal;
use crate::yaml::{self, Failure, Object, Objects};
use wording::Message;

/// Facts about a skill in addition to its name and description.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Matter {
    pub path: Utf8PathBuf,
    pub license: Option<String>,
    pub compatibility: Option<String>,
    pub allowed_tools: Vec<String>,
    pub metadata: Vec<(String, String)>,
}

impl Matter {
    /// What Deep Agents keeps next to name, description and path.
    pub fn kept(&self) -> Map<String, Value> {
        let pairs = self.metadata.iter().map(|(key, value)| (key.clone(), Value::from(value.as_str())));
        [
            ("metadata", pairs.collect::<Map<_, _>>().into()),
            ("license", self.license.as_deref().into()),
            ("compatibility", self.compatibility.as_deref().into()),
            ("allowed_tools", self.allowed_tools.iter().map(String::as_str).collect()),
        ]
        .map(|(key, value): (&str, Value)| (key.to_owned(), value))
        .into_iter()
        .collect()
    }
}

#[derive(Debug, PartialEq, Eq)]
pub struct Read {
    pub name: String,
    pub description: String,
    /// The description was longer and was cut.
    pub is_cut: bool,
    pub matter: Matter,
    pub body: String,
}

/// Why there is no skill.
#[derive(Debug, PartialEq, Eq)]
pub enum Unread {
    /// What the log says.
    Warned(String),
    /// An exception that ends the program.
    Raised(String),
    /// The framework may well read it, and we do not.
    Ours(Message),
}

impl From<Failure> for Unread {
    /// Of a failure that the framework does not catch.
    fn from(failure: Failure) -> Self {
        match failure.refusal() {
            Refusal::Theirs(message) => Self::Raised(message),
            Refusal::Ours(message) => Self::Ours(message),
        }
    }
}

static FRONTMATTER: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?s)\A---\s*\n(.*?)\n---\s*\n").expect("the expression is valid"));
static DIGIT: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\A\p{Nd}\z").expect("the expression is valid"));

const NAME_LIMIT: usize = 64;
pub const DESCRIPTION_LIMIT: usize = 1024;
const COMPATIBILITY_LIMIT: usize = 500;

/// `log` gets the warnings.
pub fn read(text: &str, path: &Utf8Path, folder: &str, log: &mut Vec<String>) -> Result<Read, Unread> {
    let missing = || Unread::Warned(format!("Skipping {path}: no valid YAML frontmatter found"));
    let found = FRONTMATTER.captures(text).ok_or_else(missing)?;
    let objects = yaml::safe_load(&found[1]).map_err(|failure| match failure {
        Failure::Yaml { message, .. } => Unread::Warned(format!("Invalid YAML in {path}: {message}")),
        Failure::Raised(_) | Failure::Ours(_) => failure.into(),
    })?;
    let Some(objects) = objects.filter(|objects| objects.root().is_some()) else {
        return Err(Unread::Warned(format!("Skipping {path}: frontmatter is not a mapping")));
    };
    let text_of = |key: &str| -> Result<String, Unread> {
        let value = objects.field(key).map(|value| objects.str(value)).transpose();
        Ok(strip(&value?.unwrap_or_default()).to_owned())
    };
    let (name, description) = (text_of("name")?, text_of("description")?);
    if name.is_empty() || description.is_empty() {
        return Err(Unread::Warned(format!("Skipping {path}: missing required 'name' or 'description'")));
    }
    if let Some(error) = wrong_name(&name, folder) {
        log.push(format!(
            "Skill '{name}' in {path} does not follow Agent Skills specification: {error}. Consider renaming for spec \
             compliance."
        ));
    }
    let long = description.chars().count();
    let is_cut = long > DESCRIPTION_LIMIT;
    if is_cut {
        log.push(format!(
            "Skill description in {path} is {long} characters, over the Agent Skills spec limit of {DESCRIPTION_LIMIT}. \
             Keeping only the first {DESCRIPTION_LIMIT} characters; the rest is dropped from what the model sees when \
             deciding whether to use this skill. Shorten the 'description' field in the SKILL.md frontmatter to stay \
             within the limit."
        ));
    }
    let allowed_tools = tools(&objects, path, log);
    let compatibility = text_of("compatibility")?;
    let long = compatibility.chars().count();
    if long > COMPATIBILITY_LIMIT {
        log.push(format!(
            "Skill compatibility in {path} is {long} characters, over the Agent Skills spec limit of \
             {COMPATIBILITY_LIMIT}. Keeping only the first {COMPATIBILITY_LIMIT} characters and dropping the rest. Shorten \
             the 'compatibility' field in the SKILL.md frontmatter to stay within the limit."
        ));
    }
    let filled = |text: String| Some(text).filter(|text| !text.is_empty());
    let metadata = metadata(&objects, path, log)?;
    let matter = Matter {
        path: path.to_owned(),
        license: filled(text_of("license")?),
        compatibility: filled(cut(&compatibility, COMPATIBILITY_LIMIT).to_owned()),
        allowed_tools,
        metadata,
    };
    let description = cut(&description, DESCRIPTION_LIMIT).to_owned();
    Ok(Read { name, description, is_cut, matter, body: text[found[0].len()..].to_owned() })
}

/// `_validate_skill_name`.
fn wrong_name(name: &str, folder: &str) -> Option<String> {
    const LETTERS: &str = "name must be lowercase alphanumeric with single hyphens only";
    if name.chars().count() > NAME_LIMIT {
        return Some("name exceeds 64 characters".to_owned());
    }
    let is_good = |letter: char| {
        letter == '-'
            || (letter.is_alphabetic() && letter.is_lowercase())
            || DIGIT.is_match(letter.encode_utf8(&mut [0; 4]))
    };
    if name.starts_with('-') || name.ends_with('-') || name.contains("--") || !name.chars().all(is_good) {
        return Some(LETTERS.to_owned());
    }
    (name != folder).then(|| format!("name '{name}' must match directory name '{folder}'"))
}

fn tools(objects: &Objects, path: &Utf8Path, log: &mut Vec<String>) -> Vec<String> {
    let Some(value) = objects.field("allowed-tools") else { return Vec::new() };
    match objects.get(value) {
        Object::Text(text) => {
            let words = text.split(|letter: char| letter == ',' || crate::python::is_space(letter));
            words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
        }
        Object::List(items) => {
            let texts = items.iter().filter_map(|item| objects.get(*item).as_text()).map(strip);
            texts.filter(|text| !text.is_empty()).map(str::to_owned).collect()
        }
        Object::None => Vec::new(),
        other => {
            let kind = type_name(other);
            log.push(format!("Ignoring 'allowed-tools' in {path}: expected a string or list, got {kind}"));
            Vec::new()
        }
    }
}

fn metadata(objects: &Objects, path: &Utf8Path, log: &mut Vec<String>) -> Result<Vec<(String, String)>, Unread> {
    let Some(value) = objects.field("metadata") else { return Ok(Vec::new()) };
    let Object::Dict(pairs) = objects.get(value) else {
        if objects.get(value).is_true() {
            log.push(format!("Ignoring non-dict metadata in {path} (got {})", type_name(objects.get(value))));
        }
        return Ok(Vec::new());
    };
    let text = |id: &yaml::Id| objects.str(*id).map_err(Unread::from);
    pairs.iter().map(|(key, value)| Ok((text(key)?, text(value)?))).collect()
}

fn type_name(object: &Object) -> &'static str {
    match object {
        Object::None => "NoneType",
        Object::Bool(_) => "bool",
        Object::Int(_) => "int",
        Object::Float(_) => "float",
        Object::Text(_) => "str",
        Object::Bytes(_) => "bytes",
        Object::Moment(yaml::Moment::Date(_)) => "date",
        Object::Moment(yaml::Moment::Time { .. }) => "datetime",
        Object::List(_) | Object::Pairs(_) => "list",
        Object::Dict(_) => "dict",
        Object::Set(_) => "set",
    }
}
