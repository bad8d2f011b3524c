//! Frontmatter as js-yaml reads it, as far as fields that are texts are asked for.

use std::collections::HashSet;
use std::sync::LazyLock;

use regex::Regex;

use crate::yaml::{self, Content, Dialect, Document, Id, Limits, Style};

/// Whose reading it is: 3 is YAML 1.1 with numbers to the base 60, 4 is YAML 1.2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Version {
    Three,
    Four,
}

/// It throws.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotYaml;

/// The fields of a map, in their order; `None`: the value is no text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fields(Vec<(String, Option<String>)>);

impl Fields {
    pub fn has(&self, key: &str) -> bool {
        self.0.iter().any(|(known, _)| known == key)
    }

    pub fn text(&self, key: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == key)?.1.as_deref()
    }

    /// Of JSON, which gives texts and other values as YAML does.
    pub fn of_json(text: &str) -> Result<Self, NotYaml> {
        let value: serde_json::Value = serde_json::from_str(text).map_err(|_| NotYaml)?;
        let fields = value.as_object().into_iter().flatten();
        Ok(Self(fields.map(|(key, value)| (key.clone(), value.as_str().map(str::to_owned))).collect()))
    }

    fn add(&mut self, key: String, value: Option<String>, wins: bool) {
        match self.0.iter_mut().find(|(known, _)| *known == key) {
            Some(known) if wins => known.1 = value,
            Some(_) => {}
            None => self.0.push((key, value)),
        }
    }
}

/// What is no map has no fields.
pub fn fields(yaml: &str, version: Version) -> Result<Fields, NotYaml> {
    let document = yaml::compose(yaml, Dialect::C, Limits::of(Dialect::C)).map_err(|_| NotYaml)?;
    let Some(document) = document else { return Ok(Fields::default()) };
    let implied = match version {
        Version::Three => implied_by_three,
        Version::Four => implied_by_four,
    };
    check(&document, document.root, implied, &mut HashSet::new())?;
    let mut found = Fields::default();
    collect(&document, document.root, implied, true, &mut found)?;
    Ok(found)
}

type Implied = fn(&str) -> &'static str;

fn collect(document: &Document, map: Id, implied: Implied, wins: bool, into: &mut Fields) -> Result<(), NotYaml> {
    let Content::Map(pairs) = &document.node(map).content else { return Ok(()) };
    for (key, value) in pairs {
        if is_merge(document, *key) {
            let sources = match &document.node(*value).content {
                Content::Map(_) => vec![*value],
                Content::List(items) => items.clone(),
                Content::Scalar { .. } | Content::Alias { .. } => return Err(NotYaml),
            };
            for source in sources.into_iter().filter(|source| *source != map) {
                let Content::Map(pairs) = &document.node(source).content else { return Err(NotYaml) };
                for (key, value) in pairs {
                    into.add(key_of(document, *key), text_of(document, *value, implied), false);
                }
            }
        } else {
            into.add(key_of(document, *key), text_of(document, *value, implied), wins);
        }
    }
    Ok(())
}

/// Keys that are there twice, and tags that the schema does not know.
fn check(document: &Document, id: Id, implied: Implied, seen: &mut HashSet<Id>) -> Result<(), NotYaml> {
    if !seen.insert(id) {
        return Ok(());
    }
    let node = document.node(id);
    let tag = node.tag.as_deref().filter(|tag| *tag != "!");
    if tag.is_some_and(|tag| tag.strip_prefix(CORE).is_none_or(|tag| !KNOWN.contains(&tag))) {
        return Err(NotYaml);
    }
    match &node.content {
        Content::Scalar { text, .. } => {
            let is_read = tag.is_none_or(|tag| tag == STR || !RESOLVED.contains(&tag) || implied(text) == tag);
            is_read.then_some(()).ok_or(NotYaml)
        }
        Content::List(items) => items.iter().try_for_each(|item| check(document, *item, implied, seen)),
        Content::Map(pairs) => {
            let mut keys = HashSet::new();
            for (key, value) in pairs {
                if !is_merge(document, *key) && !keys.insert(key_of(document, *key)) {
                    return Err(NotYaml);
                }
                check(document, *key, implied, seen)?;
                check(document, *value, implied, seen)?;
            }
            Ok(())
        }
        Content::Alias { .. } => Ok(()),
    }
}

fn is_merge(document: &Document, key: Id) -> bool {
    matches!(&document.node(key).content, Content::Scalar { text, style: Style::Plain, .. } if text == "<<")
}

fn key_of(document: &Document, id: Id) -> String {
    match &document.node(id).content {
        Content::Scalar { text, .. } => text.clone(),
        Content::List(_) | Content::Map(_) | Content::Alias { .. } => "[object Object]".to_owned(),
    }
}

fn text_of(document: &Document, id: Id, implied: Implied) -> Option<String> {
    match &document.node(id).content {
        Content::Scalar { text, .. } if document.tag(id, implied) == STR => Some(text.clone()),
        _ => None,
    }
}

const CORE: &str = "tag:yaml.org,2002:";
const STR: &str = "tag:yaml.org,2002:str";
const NULL: &str = "tag:yaml.org,2002:null";
const BOOL: &str = "tag:yaml.org,2002:bool";
const INT: &str = "tag:yaml.org,2002:int";
const FLOAT: &str = "tag:yaml.org,2002:float";
const TIMESTAMP: &str = "tag:yaml.org,2002:timestamp";
const RESOLVED: [&str; 5] = [NULL, BOOL, INT, FLOAT, TIMESTAMP];
const KNOWN: [&str; 13] =
    ["str", "null", "bool", "int", "float", "timestamp", "merge", "seq", "map", "binary", "omap", "pairs", "set"];

fn implied_by_three(text: &str) -> &'static str {
    implied(text, &INT_THREE, &FLOAT_THREE)
}

fn implied_by_four(text: &str) -> &'static str {
    implied(text, &INT_FOUR, &FLOAT_FOUR)
}

fn implied(text: &str, int: &Regex, float: &Regex) -> &'static str {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => NULL,
        "true" | "True" | "TRUE" | "false" | "False" | "FALSE" => BOOL,
        _ if !text.starts_with(|letter: char| letter.is_ascii_digit() || "+-.".contains(letter)) => STR,
        _ if int.is_match(text) => INT,
        _ if float.is_match(text) && !text.ends_with('_') => FLOAT,
        _ if TIME.is_match(text) => TIMESTAMP,
        _ => STR,
    }
}

static INT_THREE: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"^[-+]?(?:0|0b[01_]*[01]|0x[0-9a-fA-F_]*[0-9a-fA-F]|0[0-7_]*[0-7]|[1-9](?:[0-9_]*[0-9])?|[1-9][0-9_]*(?::[0-5]?[0-9])+)$",
    )
});
static INT_FOUR: LazyLock<Regex> = LazyLock::new(|| {
    regex(r"^[-+]?(?:0b[01_]*[01]|0x[0-9a-fA-F_]*[0-9a-fA-F]|0o[0-7_]*[0-7]|[0-9](?:[0-9_]*[0-9])?)$")
});
static FLOAT_THREE: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"^(?:[-+]?(?:0|[1-9][0-9_]*)(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?|\.[0-9_]+(?:[eE][-+]?[0-9]+)?|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$",
    )
});
static FLOAT_FOUR: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"^(?:[-+]?[0-9][0-9_]*(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?|\.[0-9_]+(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$",
    )
});
static TIME: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"^[0-9]{4}-(?:[0-9]{2}-[0-9]{2}|[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::[0-9]{2})?))?)$",
    )
});

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the pattern is a constant")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(value: &str, version: Version) -> Option<String> {
        fields(&format!("a: {value}"), version).unwrap().text("a").map(str::to_owned)
    }

    #[test]
    fn what_looks_like_a_number_a_truth_value_or_a_date_is_no_text() {
        for value in
            ["", "~", "true", "5", "0x1f", "1_000", "1.5", "-.inf", ".5e3", "2024-01-31", "2024-1-1 10:00:00Z", "[a]"]
        {
            for version in [Version::Three, Version::Four] {
                assert_eq!(text(value, version), None, "{value}");
            }
        }
        for value in ["yes", "on", "1.2.3", "5a", "'5'", "!!str 5", "2024-1-1", "0x", "5_"] {
            let shown = value.trim_start_matches("!!str ").trim_matches('\'');
            for version in [Version::Three, Version::Four] {
                assert_eq!(text(value, version).as_deref(), Some(shown), "{value}");
            }
        }
        let both = |value| [text(value, Version::Three).is_some(), text(value, Version::Four).is_some()];
        assert_eq!(
            ["1:30", "0o17", "08", "1:30.5"].map(both),
            [[false, true], [true, false], [true, false], [false, true]]
        );
    }

    #[test]
    fn a_key_that_is_there_twice_and_an_unknown_tag_throw() {
        for yaml in ["a: 1\na: 2", "b: {c: 1, c: 2}", "a: !mine 5", "a: !!int x", "a: b: c", "a: 'x", "<<: 5"] {
            assert_eq!(fields(yaml, Version::Four), Err(NotYaml), "{yaml}");
        }
        let merged = fields("base: &b {name: x, other: y}\n<<: *b\nname: own", Version::Four).unwrap();
        assert_eq!((merged.text("name"), merged.text("other")), (Some("own"), Some("y")));
        assert_eq!(fields("just text", Version::Three), Ok(Fields::default()));
    }
}
