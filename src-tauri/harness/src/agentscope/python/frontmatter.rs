//! `frontmatter.loads` of python-frontmatter.

use crate::python::{self, strip};
use crate::reasons::Refusal;
use crate::yaml::{self, Dialect, Failure, Limits, Objects};

/// What the loader takes from a `SKILL.md`. A field is `None` if it is missing, or false to Python.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Post {
    pub name: Option<String>,
    pub description: Option<String>,
    pub content: String,
}

/// `text` is without its byte order mark. `Err` is why nothing could be read.
pub fn parse(text: &str) -> Result<Post, Refusal> {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let text = strip(&text);
    if let Some((block, content)) = boundaries(text, is_dashes) {
        let [name, description] = of_yaml(block).map_err(Failure::refusal)?;
        return Ok(Post { name, description, content: strip(content).to_owned() });
    }
    let Some((block, content)) = boundaries(text, |line| matches!(line, "{" | "}")) else {
        return Ok(Post { content: text.to_owned(), ..Post::default() });
    };
    let [name, description] = of_json(block)?;
    Ok(Post { name, description, content: strip(content).to_owned() })
}

const FIELDS: [&str; 2] = ["name", "description"];

/// `yaml.load(block, Loader=CSafeLoader)`. Anything but a dictionary has no fields.
fn of_yaml(block: &str) -> Result<[Option<String>; 2], Failure> {
    let document = yaml::compose(block, Dialect::C, Limits::of(Dialect::C))?;
    let Some(fields) = document.as_ref().map(yaml::construct).transpose()? else { return Ok([None, None]) };
    if let Some(problem) = fields.root().and_then(|pairs| check_keys(pairs.iter().map(|(key, _)| name(&fields, *key))))
    {
        return Err(Failure::Raised(problem));
    }
    let [name, description] = FIELDS.map(|key| fields.true_field(key).map(|value| fields.str(value)).transpose());
    Ok([name?, description?])
}

fn name(fields: &Objects, key: yaml::Id) -> Option<&str> {
    fields.get(key).as_text()
}

fn of_json(block: &str) -> Result<[Option<String>; 2], String> {
    let python::Value::Dict(pairs) = python::loads(&format!("{{{block}}}"))? else { return Ok([None, None]) };
    if let Some(problem) = check_keys(pairs.iter().map(|(key, _)| Some(key.as_str()))) {
        return Err(problem);
    }
    Ok(FIELDS.map(|key| python::get(&pairs, key).filter(|value| value.is_true()).map(python::Value::to_str)))
}

/// A post's fields are keyword arguments, in addition to three that the constructor has itself.
fn check_keys<'a>(mut keys: impl Iterator<Item = Option<&'a str>>) -> Option<String> {
    keys.find_map(|key| match key {
        None => Some("keywords must be strings".to_owned()),
        Some(key @ ("self" | "content" | "handler")) => Some(format!("the field `{key}` is taken twice")),
        Some(_) => None,
    })
}

/// The text between a first line of this kind and the next one, and the text after that. Blank lines belong to the
/// first line, because the pattern treats them as spaces after the hyphens.
fn boundaries(text: &str, is_boundary: fn(&str) -> bool) -> Option<(&str, &str)> {
    let first = text.split('\n').next().filter(|line| is_boundary(line))?.len();
    let rest = &text[first..];
    let blank = rest.len() - rest.trim_start_matches(python::is_space).len();
    let start = first + rest[..blank].rfind('\n').filter(|_| text.starts_with('-')).unwrap_or(0);
    let mut at = start + 1;
    for line in text.get(at..)?.split('\n') {
        if is_boundary(line) {
            return Some((&text[start..at], &text[at + line.len()..]));
        }
        at += line.len() + 1;
    }
    None
}

fn is_dashes(line: &str) -> bool {
    let rest = line.trim_start_matches('-');
    line.len() - rest.len() >= 3 && strip(rest).is_empty()
}
