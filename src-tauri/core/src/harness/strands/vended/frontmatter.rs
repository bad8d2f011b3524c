//! Frontmatter as the plugin reads it: PyYAML, and where that fails once more with values that hold colons in quotes.

use std::rc::Rc;
use std::sync::LazyLock;

use camino::Utf8PathBuf;
use regex::Regex;

use crate::harness::pyyaml::{self, Node, Tag};
use crate::harness::strands::python;
use crate::skill::{Field, ProblemKind, YamlValue, yaml};

#[derive(Debug, PartialEq, Eq)]
pub struct Read {
    pub name: String,
    pub description: String,
    /// Trimmed.
    pub body: String,
    pub allowed_tools: Vec<String>,
    pub compatibility: Option<String>,
    /// `None` for skills made in code.
    pub folder: Option<Utf8PathBuf>,
}

pub const NO_DELIMITER: &str = "SKILL.md must start with --- frontmatter delimiter";

/// What is logged on the way, and the skill or why it is none.
pub fn read(text: &str, strict: bool) -> (Vec<String>, Result<Read, String>) {
    let mut log = Vec::new();
    let read = read_logging(text, strict, &mut log);
    (log, read)
}

fn read_logging(text: &str, strict: bool, log: &mut Vec<String>) -> Result<Read, String> {
    let (frontmatter, body) = split(text)?;
    let fields = match parse(frontmatter) {
        Ok(fields) => fields,
        Err(_) => {
            log.push("YAML parse failed, retrying with colon-quoting fallback".into());
            let again = parse(&quote_colons(frontmatter));
            again.map_err(|error| format!("malformed YAML frontmatter: {error}"))?
        }
    };
    let name = required(&fields, "name")?;
    let description = required(&fields, "description")?;
    check_name(&name, strict, log)?;
    Ok(Read {
        name,
        description,
        body: body.to_owned(),
        allowed_tools: allowed_tools(&fields),
        compatibility: value(&fields, "compatibility").and_then(truthy_text),
        folder: None,
    })
}

/// The text between the delimiters and the text after, both trimmed. What follows the opening hyphens on their line
/// belongs to the frontmatter.
fn split(text: &str) -> Result<(&str, &str), String> {
    const DELIMITER: &str = "---";
    let text = python::strip(text);
    let rest = text.strip_prefix(DELIMITER).ok_or(NO_DELIMITER)?;
    let mut end = 0;
    while let Some(found) = rest[end..].find("\n---") {
        let at = end + found;
        let after = &rest[at + "\n---".len()..];
        let line = after.split('\n').next().unwrap_or_default();
        if python::strip(line).is_empty() {
            return Ok((python::strip(&rest[..at]), python::strip(after)));
        }
        end = at + 1;
    }
    Err("SKILL.md frontmatter missing closing --- delimiter".into())
}

/// What is no map has no fields. `Err` says what is wrong with the YAML: PyYAML decides that, and the project's own reader
/// gives the values, which keep how they were written.
fn parse(text: &str) -> Result<Vec<Field>, String> {
    if let Some(Node::Map(entries)) = pyyaml::compose(text)?.as_deref() {
        check_tags(entries)?;
    }
    let yaml::Parsed { mut fields, error } = yaml::parse(text);
    match error.map(|error| error.kind) {
        None => {}
        Some(ProblemKind::YamlNotMap) => return Ok(Vec::new()),
        Some(problem) => return Err(problem.to_string()),
    }
    if let Some(Field { value: YamlValue::Scalar { text: value, .. }, value_span, .. }) = fields.last_mut() {
        let block = value_span.of(text).starts_with(['|', '>']);
        if block && value_span.end == text.len() && value.ends_with('\n') {
            // The text is trimmed, so its last line has no end, and neither has a block.
            value.pop();
        }
    }
    Ok(fields)
}

/// A safe loader makes nothing of tags that it does not know, nor of `=`.
fn check_tags(entries: &[(Rc<Node>, Rc<Node>)]) -> Result<(), String> {
    let strange = |node: &Node| matches!(node, Node::Scalar { tag: Tag::Other, .. });
    let merge = |node: &Node| matches!(node, Node::Scalar { text, .. } if text == MERGE);
    if entries.iter().any(|(key, value)| strange(key) && !merge(key) || strange(value)) {
        return Err("could not determine a constructor for the tag".into());
    }
    Ok(())
}

/// The key of a map, or a list of maps, whose fields count where the map itself has none of the name.
const MERGE: &str = "<<";

/// `_fix_yaml_colons`: quotes inside of a value are not escaped.
fn quote_colons(text: &str) -> String {
    static LINE: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"^(\s*\w[\w-]*):\s+(.+)$").expect("the pattern is valid"));
    let lines = text.lines().map(|line| match LINE.captures(line) {
        Some(parts) if parts[2].contains(':') && !parts[2].starts_with(['"', '\'']) => {
            format!("{}: \"{}\"", &parts[1], &parts[2])
        }
        Some(_) | None => line.to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Of equal keys the last counts; of merged maps the first.
fn value<'a>(fields: &'a [Field], key: &str) -> Option<&'a YamlValue> {
    let own = fields.iter().rev().find(|field| field.key == key).map(|field| &field.value);
    own.or_else(|| fields.iter().rev().filter(|field| field.key == MERGE).find_map(|field| merged(&field.value, key)))
}

fn merged<'a>(maps: &'a YamlValue, key: &str) -> Option<&'a YamlValue> {
    match maps {
        YamlValue::Map(pairs) => pairs.iter().rev().find(|(name, _)| name == key).map(|(_, value)| value),
        YamlValue::List(maps) => maps.iter().find_map(|map| merged(map, key)),
        YamlValue::Null | YamlValue::Scalar { .. } => None,
    }
}

fn required(fields: &[Field], key: &str) -> Result<String, String> {
    match value(fields, key) {
        Some(YamlValue::Scalar { text, plain }) if !(text.is_empty() || *plain && is_other_type(text)) => {
            Ok(text.clone())
        }
        _ => Err(format!("SKILL.md content must have a '{key}' field in frontmatter")),
    }
}

/// Words in a text, or the items of a list.
fn allowed_tools(fields: &[Field]) -> Vec<String> {
    let given = |key| value(fields, key).filter(|value| !matches!(value, YamlValue::Null) && is_truthy(value));
    match given("allowed-tools").or_else(|| given("allowed_tools")) {
        Some(YamlValue::Scalar { text, plain }) if !(*plain && is_other_type(text)) => {
            text.split(python::is_space).filter(|word| !word.is_empty()).map(Into::into).collect()
        }
        Some(YamlValue::List(items)) => items.iter().filter_map(truthy_text).collect(),
        Some(YamlValue::Scalar { .. } | YamlValue::Map(_) | YamlValue::Null) | None => Vec::new(),
    }
}

fn is_truthy(value: &YamlValue) -> bool {
    match value {
        YamlValue::Null => false,
        YamlValue::Scalar { text, plain } => !(text.is_empty() || *plain && is_falsy(text)),
        YamlValue::List(items) => !items.is_empty(),
        YamlValue::Map(fields) => !fields.is_empty(),
    }
}

/// `str(value)`, where Python takes the value for true.
fn truthy_text(value: &YamlValue) -> Option<String> {
    match value {
        value if !is_truthy(value) => None,
        YamlValue::Scalar { text, plain } if !(*plain && is_other_type(text)) => Some(text.clone()),
        other => Some(shown(other)),
    }
}

/// `repr(value)` of a list or map, and what is in it.
fn shown(value: &YamlValue) -> String {
    match value {
        YamlValue::Null => "None".into(),
        YamlValue::Scalar { text, plain: true } if is_bool(text) => {
            if is_falsy(text) {
                "False".into()
            } else {
                "True".into()
            }
        }
        YamlValue::Scalar { text, plain: true } if NULLS.contains(&text.as_str()) => "None".into(),
        YamlValue::Scalar { text, plain: true } if is_other_type(text) => number(text),
        YamlValue::Scalar { text, .. } => python::repr_text(text),
        YamlValue::List(items) => format!("[{}]", items.iter().map(shown).collect::<Vec<_>>().join(", ")),
        YamlValue::Map(fields) => {
            let field = |(key, value): &(String, YamlValue)| format!("{}: {}", python::repr_text(key), shown(value));
            format!("{{{}}}", fields.iter().map(field).collect::<Vec<_>>().join(", "))
        }
    }
}

/// Decimal floats lose the zeros at their end; everything else is left as it is written.
fn number(text: &str) -> String {
    let decimal = text.trim_start_matches(['+', '-']).split_once('.').is_some_and(|(whole, rest)| {
        !whole.is_empty() && [whole, rest].iter().all(|digits| digits.bytes().all(|digit| digit.is_ascii_digit()))
    });
    match text.parse::<f64>() {
        Ok(float) if decimal => python::repr(&float.into()),
        Ok(_) | Err(_) => text.to_owned(),
    }
}

fn is_bool(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let cased = text == lower || text == lower.to_ascii_uppercase() || {
        text.get(1..) == lower.get(1..) && text.starts_with(|letter: char| letter.is_ascii_uppercase())
    };
    cased && ["yes", "no", "true", "false", "on", "off"].contains(&lower.as_str())
}

/// Of a plain scalar.
fn is_falsy(text: &str) -> bool {
    let word = text.to_ascii_lowercase();
    (is_bool(text) && ["no", "false", "off"].contains(&word.as_str()))
        || NULLS.contains(&text)
        || ["0", "0.0"].contains(&text)
}

const NULLS: [&str; 5] = ["", "~", "null", "Null", "NULL"];

/// YAML 1.1 reads a plain scalar like this as something else than text.
fn is_other_type(text: &str) -> bool {
    static TYPED: LazyLock<Regex> = LazyLock::new(|| {
        let int = r"[-+]?0b[0-1_]+|[-+]?0[0-7_]+|[-+]?(?:0|[1-9][0-9_]*)|[-+]?0x[0-9a-fA-F_]+|[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+";
        let float = r"[-+]?(?:[0-9][0-9_]*)\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)";
        let time = r"[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::?[0-9]{2})?))?";
        Regex::new(&format!("^(?:{int}|{float}|{time})$")).expect("the pattern is valid")
    });
    NULLS.contains(&text) || is_bool(text) || TYPED.is_match(text)
}

const NAME_LIMIT: usize = 64;

/// Cosmetic faults are logged; where the plugin is strict, the first keeps the skill out.
fn check_name(name: &str, strict: bool, log: &mut Vec<String>) -> Result<(), String> {
    let mut faults = Vec::new();
    if name.chars().count() > NAME_LIMIT {
        faults.push(format!("name=<{name}> | skill name exceeds {NAME_LIMIT} character limit"));
    }
    if !is_well_formed(name) {
        faults.push(format!(
            "name=<{name}> | skill name should be 1-64 lowercase alphanumeric characters or hyphens, should not \
             start/end with hyphen"
        ));
    }
    if name.contains("--") {
        faults.push(format!("name=<{name}> | skill name contains consecutive hyphens"));
    }
    if strict && !faults.is_empty() {
        return Err(faults.swap_remove(0));
    }
    log.append(&mut faults);
    Ok(())
}

/// A line end after the name passes, as `$` lets it.
fn is_well_formed(name: &str) -> bool {
    let name = name.strip_suffix('\n').unwrap_or(name);
    let inner = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit();
    !name.is_empty()
        && name.chars().all(|letter| inner(letter) || letter == '-')
        && name.starts_with(inner)
        && name.ends_with(inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(text: &str, pick: fn(&Read) -> String) -> Result<String, String> {
        read(text, false).1.map(|read| pick(&read))
    }

    fn of(yaml: &str) -> String {
        format!("---\n{yaml}\n---\nbody\n")
    }

    #[test]
    fn finds_the_block_in_trimmed_text() {
        let body = |text: &str| field(text, |read| read.body.clone());
        assert_eq!(body("\n \n---\nname: a\ndescription: b\n--- \r\n\n c\r\nd \n"), Ok("c\r\nd".into()));
        assert_eq!(body("---name: a\ndescription: b\n---"), Ok(String::new()));
        assert_eq!(
            body("---\nname: a\ndescription: |\n  x\n--- y\n"),
            Err("SKILL.md frontmatter missing closing --- delimiter".into())
        );
        assert_eq!(body("# a\n"), Err(NO_DELIMITER.into()));
    }

    #[test]
    fn tries_again_with_quotes_around_values_with_colons() {
        let text = of("name: a\ndescription: Use when: x");
        let (log, read) = read(&text, false);
        assert_eq!(read.unwrap().description, "Use when: x");
        assert_eq!(log, ["YAML parse failed, retrying with colon-quoting fallback"]);
        assert!(super::read(&of("name: a\ndescription: Use \"x\": y"), false).1.is_err(), "quotes are not escaped");
    }

    #[test]
    fn reads_what_pyyaml_reads() {
        let description = |yaml: &str| field(&of(&format!("name: a\n{yaml}")), |read| read.description.clone());
        assert_eq!(description("description: |2\n   b\n  c"), Ok(" b\nc".into()), "the last line has no end");
        assert_eq!(description("description: |\n  b\nlicense: x"), Ok("b\n".into()));
        assert_eq!(description("base: &b {description: c}\n<<: *b"), Ok("c".into()));
        assert_eq!(description("<<: [{description: c}, {description: d}]"), Ok("c".into()));
        assert_eq!(description("base: &b {description: c}\n<<: *b\ndescription: own"), Ok("own".into()));
        for refused in ["description: !own b", "description: =", "description: b\u{2028}c", "description:\tb"] {
            let error = description(refused).unwrap_err();
            assert!(error.starts_with("malformed YAML frontmatter: "), "{refused}: {error}");
        }
    }

    #[test]
    fn only_text_is_a_name() {
        let name = |value: &str| field(&of(&format!("name: {value}\ndescription: b")), |read| read.name.clone());
        for value in ["12", "1.0", "yes", "~", "", "[a]", "2026-01-01", "0x1F", "1:30"] {
            assert_eq!(name(value), Err("SKILL.md content must have a 'name' field in frontmatter".into()), "{value}");
        }
        assert_eq!(name("'12'"), Ok("12".into()));
        assert_eq!(name("1.0.0"), Ok("1.0.0".into()));
        assert_eq!(field("---\n- a\n---\n", |read| read.name.clone()), name(""));
    }

    #[test]
    fn strictness_keeps_out_what_is_logged_otherwise() {
        let text = of("name: A--b\ndescription: c");
        let (log, _) = read(&text, false);
        assert_eq!(log.len(), 2);
        assert_eq!(read(&text, true).1, Err(log[0].clone()));
    }

    #[test]
    fn writes_versions_as_python_writes_numbers() {
        let compatibility = |value: &str| {
            let text = of(&format!("name: a\ndescription: b\ncompatibility: {value}"));
            read(&text, false).1.unwrap().compatibility
        };
        assert_eq!(compatibility("3.10"), Some("3.1".into()));
        assert_eq!(compatibility("'3.10'"), Some("3.10".into()));
        assert_eq!(compatibility("[a, 1.50, ~]"), Some("['a', 1.5, None]".into()));
        assert_eq!(compatibility("no"), None);
    }

    #[test]
    fn reads_tools_from_words_or_a_list() {
        let tools = |value: &str| {
            let text = of(&format!("name: a\ndescription: b\nallowed-tools: {value}"));
            read(&text, false).1.unwrap().allowed_tools
        };
        assert_eq!(tools("Bash(git:*)  Read"), ["Bash(git:*)", "Read"]);
        assert_eq!(tools("[Read, 3, yes, '']"), ["Read", "3", "True"]);
        assert_eq!(tools("3"), Vec::<String>::new());
    }
}
