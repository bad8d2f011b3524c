//! Frontmatter as the plugin reads it: PyYAML, and if that fails again with values that hold colons in quotes.

use std::sync::LazyLock;

use camino::Utf8PathBuf;
use regex::Regex;
use serde_json::{Map, Value};

use crate::python::splitlines;
use crate::reasons::Refusal;
use crate::strands::python;
use crate::yaml::{self, Failure, Id, Object, Objects};

#[derive(Debug, PartialEq, Eq)]
pub struct Read {
    pub name: String,
    pub description: String,
    /// Trimmed.
    pub body: String,
    /// `None`: the frontmatter has none.
    pub allowed_tools: Option<Vec<String>>,
    pub metadata: Map<String, Value>,
    pub license: Option<String>,
    pub compatibility: Option<String>,
    /// `None` for skills made in code.
    pub folder: Option<Utf8PathBuf>,
}

pub const NO_DELIMITER: &str = "SKILL.md must start with --- frontmatter delimiter";

/// The log messages, and the skill or why it is not one.
pub fn read(text: &str, strict: bool) -> (Vec<String>, Result<Read, Refusal>) {
    let mut log = Vec::new();
    let read = read_logging(text, strict, &mut log);
    (log, read)
}

fn read_logging(text: &str, strict: bool, log: &mut Vec<String>) -> Result<Read, Refusal> {
    let (frontmatter, body) = split(text)?;
    let fields = match yaml::safe_load(frontmatter) {
        Ok(fields) => fields,
        Err(Failure::Yaml { .. }) => {
            log.push("YAML parse failed, retrying with colon-quoting fallback".into());
            yaml::safe_load(&quote_colons(frontmatter)).map_err(|failure| match failure {
                Failure::Yaml { message, .. } => format!("malformed YAML frontmatter: {message}").into(),
                Failure::Raised(_) | Failure::Ours(_) => failure.refusal(),
            })?
        }
        Err(failure) => return Err(failure.refusal()),
    };
    let name = required(fields.as_ref(), "name")?;
    let description = required(fields.as_ref(), "description")?;
    check_name(&name, strict, log)?;
    let mut read = Read {
        name,
        description,
        body: body.to_owned(),
        allowed_tools: None,
        metadata: Map::new(),
        license: None,
        compatibility: None,
        folder: None,
    };
    if let Some(fields) = &fields {
        keep(fields, &mut read).map_err(Failure::refusal)?;
    }
    Ok(read)
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

/// `_fix_yaml_colons`: quotes inside of a value are not escaped.
fn quote_colons(text: &str) -> String {
    static LINE: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"^(\s*\w[\w-]*):\s+(.+)$").expect("the pattern is valid"));
    let lines = splitlines(text).map(|line| match LINE.captures(line) {
        Some(parts) if parts[2].contains(':') && !parts[2].starts_with(['"', '\'']) => {
            format!("{}: \"{}\"", &parts[1], &parts[2])
        }
        Some(_) | None => line.to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Anything but a map has no fields.
fn required(fields: Option<&Objects>, key: &str) -> Result<String, String> {
    let text = fields.and_then(|fields| fields.get(fields.field(key)?).as_text()).filter(|text| !text.is_empty());
    text.map(str::to_owned).ok_or_else(|| format!("SKILL.md content must have a '{key}' field in frontmatter"))
}

/// Reads the optional fields.
fn keep(fields: &Objects, read: &mut Read) -> Result<(), Failure> {
    read.allowed_tools = allowed_tools(fields)?;
    read.compatibility = truthy_text(fields, "compatibility")?;
    read.license = truthy_text(fields, "license")?;
    if let Some(Object::Dict(pairs)) = fields.field("metadata").map(|id| fields.get(id)) {
        for (key, value) in pairs {
            read.metadata.insert(fields.str(*key)?, json(fields, *value));
        }
    }
    Ok(())
}

/// Lists and dictionaries as Python prints them: their aliases may come to any size.
fn json(fields: &Objects, id: Id) -> Value {
    match fields.get(id) {
        Object::None => Value::Null,
        Object::Bool(truth) => Value::Bool(*truth),
        Object::Int(digits) => digits.parse::<i64>().map_or_else(|_| Value::from(digits.as_str()), Value::from),
        Object::Float(number) if number.is_finite() => Value::from(*number),
        _ => fields.str(id).map_or(Value::Null, Value::from),
    }
}

/// Words in a text, or the items of a list.
fn allowed_tools(fields: &Objects) -> Result<Option<Vec<String>>, Failure> {
    let given = fields.true_field("allowed-tools").or_else(|| fields.true_field("allowed_tools"));
    match given.map(|id| fields.get(id)) {
        Some(Object::Text(text)) => {
            let words: Vec<String> =
                text.split(python::is_space).filter(|word| !word.is_empty()).map(Into::into).collect();
            Ok(Some(words).filter(|words| !words.is_empty()))
        }
        Some(Object::List(items)) => {
            let items = items.iter().filter(|item| fields.get(**item).is_true());
            items.map(|item| fields.str(*item)).collect::<Result<_, _>>().map(Some)
        }
        // A list, of tuples.
        Some(Object::Pairs(pairs)) => {
            let tuple = |(key, value): &(Id, Id)| Ok(format!("({}, {})", fields.repr(*key)?, fields.repr(*value)?));
            pairs.iter().map(tuple).collect::<Result<_, _>>().map(Some)
        }
        Some(_) | None => Ok(None),
    }
}

/// `str(value)`, if the value is true in Python.
fn truthy_text(fields: &Objects, key: &str) -> Result<Option<String>, Failure> {
    fields.true_field(key).map(|value| fields.str(value)).transpose()
}

const NAME_LIMIT: usize = 64;

/// Cosmetic faults are logged; if the plugin is strict, the first one excludes the skill.
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
        read(text, false).1.map(|read| pick(&read)).map_err(|refusal| refusal.message().en)
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
        assert_eq!(read(&text, true).1, Err(Refusal::Theirs(log[0].clone())));
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
        let some = |tools: &[&str]| Some(tools.iter().map(|tool| (*tool).to_owned()).collect::<Vec<_>>());
        assert_eq!(tools("Bash(git:*)  Read"), some(&["Bash(git:*)", "Read"]));
        assert_eq!(tools("[Read, 3, yes, '']"), some(&["Read", "3", "True"]));
        assert_eq!(tools("['']"), some(&[]), "a list of nothing");
        assert_eq!(tools("3"), None);
        assert_eq!(tools("' '"), None);
    }

    /// Recorded from strands-agents 1.62.0 with PyYAML 6.0.3: description, tools and compatibility, or the exception.
    #[test]
    fn odd_frontmatter_is_read_as_the_plugin_reads_it() {
        type Recorded<'a> = Result<(&'a str, &'a [&'a str], Option<&'a str>), &'a str>;
        let recorded: [(&str, Recorded); 26] = [
            ("name: n\ndescription: b\u{2028}license: x", Ok(("b", &[], None))),
            ("name: n\ndescription: b\u{2028}c: d", Ok(("b", &[], None))),
            ("name: n\ndescription: b\u{b}c: d", Ok(("b", &[], None))),
            (
                "name: n\ndescription: use: a\u{2028}b",
                Err(
                    "malformed YAML frontmatter: while scanning a simple key\n  in \"<unicode string>\", line 3, column 1:\n    b\n    ^\ncould not find expected ':'\n  in \"<unicode string>\", line 3, column 2:\n    b\n     ^",
                ),
            ),
            (
                "name: n\ndescription: use: a\u{1c}b",
                Err(
                    "malformed YAML frontmatter: while scanning a simple key\n  in \"<unicode string>\", line 3, column 1:\n    b\n    ^\ncould not find expected ':'\n  in \"<unicode string>\", line 3, column 2:\n    b\n     ^",
                ),
            ),
            ("name: n\ndescription: use: a\u{85}license: b: c", Ok(("use: a", &[], None))),
            (
                "name: n\ndescription: !!int \"3\"",
                Err("SKILL.md content must have a 'description' field in frontmatter"),
            ),
            ("name: n\ndescription: ! 12", Err("SKILL.md content must have a 'description' field in frontmatter")),
            ("name: n\ndescription: ! \"12\"", Err("SKILL.md content must have a 'description' field in frontmatter")),
            ("name: n\ndescription: !!str 12", Ok(("12", &[], None))),
            ("name: n\ndescription: !!bool maybe", Err("'maybe'")),
            ("name: n\ndescription: d\ncompatibility: !!binary aGk=", Ok(("d", &[], Some("b'hi'")))),
            (
                "name: n\n\"<<\": {description: d}",
                Err("SKILL.md content must have a 'description' field in frontmatter"),
            ),
            ("name: n\n<<: {<<: {description: d}}", Ok(("d", &[], None))),
            (
                "name: n\ndescription: d\n? [a]\n: b",
                Err(
                    "malformed YAML frontmatter: while constructing a mapping\n  in \"<unicode string>\", line 1, column 1:\n    name: n\n    ^\nfound unhashable key\n  in \"<unicode string>\", line 3, column 3:\n    ? [a]\n      ^",
                ),
            ),
            ("name: n\ndescription: d\ncompatibility: 0x1F", Ok(("d", &[], Some("31")))),
            (
                "name: n\ndescription: d\ncompatibility: [010, 1:30, .inf, -0, 1_000]",
                Ok(("d", &[], Some("[8, 90, inf, 0, 1000]"))),
            ),
            ("name: n\ndescription: \"x\"# c", Ok(("x", &[], None))),
            (
                "name: n\ndescription: a\n\tb",
                Err(
                    "malformed YAML frontmatter: while scanning for the next token\nfound character '\\t' that cannot start any token\n  in \"<unicode string>\", line 3, column 1:\n    \tb\n    ^",
                ),
            ),
            ("name: n\ndescription: a\u{feff}b", Ok(("a\u{feff}b", &[], None))),
            ("name: n\ndescription: 'a\r\n  b'", Ok(("a b", &[], None))),
            ("name: n\ndescription: d\ncompatibility: 2024-13-01", Err("month must be in 1..12")),
            ("name: n\ndescription: d\ncompatibility: !!timestamp 2024-1-2", Ok(("d", &[], Some("2024-01-02")))),
            (
                "name: n\ndescription: d\nallowed-tools: [Read, 010, 1.50, ~, {a: b}]",
                Ok(("d", &["Read", "8", "1.5", "{'a': 'b'}"], None)),
            ),
            ("name: n\ndescription: d\nallowed-tools: !!omap [a: 1]", Ok(("d", &["('a', 1)"], None))),
            ("name: n\ndescription: d\ncompatibility: &x [*x]", Ok(("d", &[], Some("[[...]]")))),
        ];
        for (yaml, expected) in recorded {
            let found = read(&of(yaml), false).1.map_err(|refusal| refusal.message().en);
            let found = found.as_ref().map(|read| {
                let tools: Vec<&str> = read.allowed_tools.iter().flatten().map(String::as_str).collect();
                (read.description.as_str(), tools, read.compatibility.as_deref())
            });
            let expected =
                expected.map(|(description, tools, compatibility)| (description, tools.to_vec(), compatibility));
            assert_eq!(found.map_err(String::as_str), expected, "{yaml:?}");
        }
    }
}
