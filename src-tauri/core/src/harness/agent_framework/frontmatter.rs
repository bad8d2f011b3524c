//! Frontmatter as the framework reads it: with regular expressions, not with a YAML parser. So `description: use
//! when: x` is accepted, keys match in any case, the last of two equal keys wins, quotes are stripped without reading
//! escapes, and a value may start on the line after its key.

use std::sync::LazyLock;

use regex::{Captures, Regex};

/// The fields the framework shows or checks.
#[derive(Debug, PartialEq, Eq)]
pub struct Frontmatter {
    pub name: String,
    pub description: String,
}

/// Why a `SKILL.md` is not a skill to the framework.
#[derive(Debug, PartialEq, Eq)]
pub enum Rejection {
    /// No block between two `---` lines.
    NoBlock,
    /// The reason as the framework logs it; the skill is skipped.
    Invalid(&'static str),
    /// The message of an exception that nobody catches; no skill is loaded at all.
    Throws(&'static str),
}

/// Reads the whole text of a `SKILL.md`, without its BOM.
pub fn parse(text: &str) -> Result<Frontmatter, Rejection> {
    let block = BLOCK.captures(text).and_then(|found| found.get(1)).ok_or(Rejection::NoBlock)?;
    let yaml = block.as_str().trim();

    let (mut name, mut description, mut compatibility) = (None, None, None);
    for line in KEY_VALUE.captures_iter(yaml) {
        let field = match line[1].to_ascii_lowercase().as_str() {
            "name" => &mut name,
            "description" => &mut description,
            "compatibility" => &mut compatibility,
            _ => continue,
        };
        *field = Some(value(yaml, &line));
    }

    let name = name.unwrap_or_default();
    let description = description.unwrap_or_default();
    check_name(&name).map_err(Rejection::Invalid)?;
    check_description(&description).map_err(Rejection::Invalid)?;
    check_compatibility(compatibility.as_deref()).map_err(Rejection::Throws)?;
    Ok(Frontmatter { name, description })
}

/// Lengths are in UTF-16 units, as everywhere in .NET.
pub fn check_name(name: &str) -> Result<(), &'static str> {
    if name.trim().is_empty() {
        return Err("Skill name is required.");
    }
    if utf16_length(name) > 64 {
        return Err("Skill name must be 64 characters or fewer.");
    }
    // The framework's `$` also matches before a final line feed.
    let checked = name.strip_suffix('\n').unwrap_or(name);
    let words_of_letters_and_digits = checked
        .split('-')
        .all(|word| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()));
    if !words_of_letters_and_digits {
        return Err("Skill name must use only lowercase letters, numbers, and hyphens, and must not start or end \
                    with a hyphen or contain consecutive hyphens.");
    }
    Ok(())
}

pub fn check_description(description: &str) -> Result<(), &'static str> {
    if description.trim().is_empty() {
        return Err("Skill description is required.");
    }
    if utf16_length(description) > 1024 {
        return Err("Skill description must be 1024 characters or fewer.");
    }
    Ok(())
}

pub fn check_compatibility(compatibility: Option<&str>) -> Result<(), &'static str> {
    if compatibility.is_some_and(|text| utf16_length(text) > 500) {
        return Err("Skill compatibility must be 500 characters or fewer.");
    }
    Ok(())
}

static BLOCK: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?ms)\A\x{FEFF}?^---\s*$(.+?)^---\s*$"));

/// Group 1 is the key, 2 a quoted value, 3 any other.
static KEY_VALUE: LazyLock<Regex> = LazyLock::new(|| pattern(r#"(?m)^([\w-]+)\s*:\s*(?:["'](.+?)["']|(.+?))\s*$"#));

fn pattern(source: &str) -> Regex {
    Regex::new(source).expect("the patterns are fixed and covered by tests")
}

fn utf16_length(text: &str) -> usize {
    text.encode_utf16().count()
}

fn value(yaml: &str, line: &Captures) -> String {
    if let Some(quoted) = line.get(2) {
        return quoted.as_str().to_owned();
    }
    let (plain, end) = (&line[3], line.get_match().end());
    let Some(style @ ('|' | '>')) = plain.chars().next() else {
        return plain.to_owned();
    };
    let Some(line_feed) = yaml[end..].find('\n') else {
        return plain.to_owned();
    };
    let mut text = block_scalar(style, &yaml[end + line_feed + 1..]);
    if plain[1..].starts_with('+') {
        text.push('\n');
    }
    text
}

/// The indented and blank lines at the start of `rest`, without their common indent. `|` keeps the lines; `>` joins
/// those that are not empty, so paragraphs run together. Indentation indicators (`|2`) are not read.
fn block_scalar(style: char, rest: &str) -> String {
    let lines: Vec<&str> = lines(rest)
        .map(|line| if line.trim().is_empty() { "" } else { line })
        .take_while(|line| line.is_empty() || line.starts_with([' ', '\t']))
        .collect();
    let indent = |line: &&str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let common = lines.iter().filter(|line| !line.is_empty()).map(indent).min().unwrap_or(0);
    let lines = lines.into_iter().map(|line| line.get(common..).unwrap_or_default());
    if style == '|' {
        lines.collect::<Vec<_>>().join("\n")
    } else {
        lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
    }
}

/// Lines as `StringReader.ReadLine` cuts them: at CR, LF and CRLF, with no empty line after the last end.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = rest.find(['\r', '\n']).unwrap_or(rest.len());
        let (line, after) = rest.split_at(end);
        rest = after.strip_prefix("\r\n").or_else(|| after.get(1..)).unwrap_or_default();
        Some(line)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn description(yaml: &str) -> Result<String, Rejection> {
        parse(&format!("---\nname: a\n{yaml}\n---\nbody\n")).map(|found| found.description)
    }

    #[test]
    fn accepts_what_a_yaml_parser_rejects() {
        assert_eq!(description("description: use when: x"), Ok("use when: x".into()));
        assert_eq!(description("description: [a, b"), Ok("[a, b".into()));
        assert_eq!(description("\tx: *nowhere\ndescription: ok"), Ok("ok".into()));
    }

    #[test]
    fn keys_match_in_any_case_and_the_last_one_wins() {
        assert_eq!(description("Description: first\nDESCRIPTION: second"), Ok("second".into()));
    }

    #[test]
    fn strips_quotes_but_reads_no_escapes() {
        assert_eq!(description(r#"description: "a \"b\" \n c""#), Ok(r#"a \"b\" \n c"#.into()));
        assert_eq!(description("description: 'it''s'"), Ok("it''s".into()));
        assert_eq!(description("description: \"mixed'"), Ok("mixed".into()), "the closing quote may be the other one");
        assert_eq!(description("description: \"a\" # b"), Ok("\"a\" # b".into()), "a comment is part of the value");
        assert_eq!(description("description: \"\""), Ok("\"\"".into()), "empty quotes are not a quoted value");
    }

    #[test]
    fn a_value_may_start_on_the_next_line() {
        assert_eq!(description("description:\n  below"), Ok("below".into()));
        assert_eq!(description("description:\nlicense: MIT"), Ok("license: MIT".into()), "even if that is a key");
    }

    #[test]
    fn reads_block_scalars_its_own_way() {
        assert_eq!(description("description: |\n  a\n    b\n\n  c\nx: y"), Ok("a\n  b\n\nc".into()));
        assert_eq!(description("description: >\n  a\n    b\n\n  c\nx: y"), Ok("a   b c".into()));
        assert_eq!(description("description: |+\n  a\nx: y"), Ok("a\n".into()));
        assert_eq!(
            description("description: |-\n\n  a\n\nx: y"),
            Ok("a\n".into()),
            "only the first blank line is lost"
        );
        assert_eq!(description("description: >2\n  a\nx: y"), Ok("a".into()));
        assert_eq!(description("description: |"), Ok("|".into()), "nothing follows");
        assert_eq!(description("description: |\r\n  a\r\n  b\r\nx: y\r"), Ok("a\nb".into()));
        assert_eq!(description("description: |\nx: y"), Err(Rejection::Invalid("Skill description is required.")));
    }

    #[test]
    fn needs_a_block_at_the_very_start() {
        for text in ["", "---", "\n---\nname: a\n---\n", "--- x\nname: a\n---\n", "---\nname: a\n"] {
            assert_eq!(parse(text), Err(Rejection::NoBlock), "{text:?}");
        }
        assert_eq!(parse("---\n---\n"), Err(Rejection::Invalid("Skill name is required.")), "an empty block is one");
        let found = parse("---  \nname: a\ndescription: b\n---\t\n---\nbody");
        assert_eq!(found, Ok(Frontmatter { name: "a".into(), description: "b".into() }));
    }

    #[test]
    fn counts_lengths_in_utf16_units() {
        assert_eq!(check_description(&"😀".repeat(512)), Ok(()));
        assert_eq!(check_description(&"😀".repeat(513)), Err("Skill description must be 1024 characters or fewer."));
        assert_eq!(check_name(&"a".repeat(64)), Ok(()));
        assert_eq!(check_name(&"a".repeat(65)), Err("Skill name must be 64 characters or fewer."));
    }

    #[test]
    fn names_are_lower_case_words_joined_by_single_hyphens() {
        for name in ["a", "a-b", "0-1-x9"] {
            assert_eq!(check_name(name), Ok(()), "{name}");
        }
        for name in ["-a", "a-", "a--b", "A", "a_b", "a b", "字"] {
            assert!(check_name(name).is_err_and(|reason| reason.starts_with("Skill name must use only")), "{name}");
        }
        assert_eq!(check_name(" "), Err("Skill name is required."));
    }

    #[test]
    fn a_long_compatibility_is_an_exception() {
        let yaml = format!("description: b\ncompatibility: {}", "c".repeat(501));
        assert_eq!(description(&yaml), Err(Rejection::Throws("Skill compatibility must be 500 characters or fewer.")));
    }
}
