//! .NET: frontmatter by regular expressions, lengths in UTF-16 units as everywhere in .NET.

use super::regexes::{self, EmptyBlock};
use super::{Frontmatter, Rejection, is_name, no_block};
use crate::agent_framework::variant::Language;

/// Reads the whole text of a `SKILL.md`, without its BOM.
pub fn parse(text: &str, path: &str) -> Result<Frontmatter, Rejection> {
    let block = regexes::block(text, Language::DotNet).ok_or_else(|| no_block(path))?;
    let frontmatter = regexes::fields(block.trim(), Language::DotNet)
        .map_err(|EmptyBlock| Rejection::Throws("Sequence contains no elements".into()))?;
    let invalid = |reason: &'static str| Rejection::Skipped {
        log: format!("SKILL.md at '{path}' has an invalid 'frontmatter' value: {reason}"),
        reason: reason.into(),
    };
    check_name(&frontmatter.name).map_err(invalid)?;
    check_description(&frontmatter.description).map_err(invalid)?;
    // The check of the file leaves this one to the constructor, which throws.
    check_compatibility(frontmatter.compatibility.as_deref()).map_err(|reason| Rejection::Throws(reason.into()))?;
    Ok(frontmatter)
}

/// The error is the text that the framework logs.
pub fn check_name(name: &str) -> Result<(), &'static str> {
    if name.trim().is_empty() {
        return Err("Skill name is required.");
    }
    if utf16_length(name) > 64 {
        return Err("Skill name must be 64 characters or fewer.");
    }
    if !is_name(name) {
        return Err("Skill name must use only lowercase letters, numbers, and hyphens, and must not start or end \
                    with a hyphen or contain consecutive hyphens.");
    }
    Ok(())
}

/// The same of a description.
pub fn check_description(description: &str) -> Result<(), &'static str> {
    if description.trim().is_empty() {
        return Err("Skill description is required.");
    }
    if utf16_length(description) > 1024 {
        return Err("Skill description must be 1024 characters or fewer.");
    }
    Ok(())
}

/// The same of `compatibility`, which may be missing.
pub fn check_compatibility(compatibility: Option<&str>) -> Result<(), &'static str> {
    if compatibility.is_some_and(|text| utf16_length(text) > 500) {
        return Err("Skill compatibility must be 500 characters or fewer.");
    }
    Ok(())
}

fn utf16_length(text: &str) -> usize {
    text.encode_utf16().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Frontmatter, Rejection> {
        parse(text, "x/SKILL.md")
    }

    fn invalid(reason: &str) -> Rejection {
        Rejection::Skipped {
            log: format!("SKILL.md at 'x/SKILL.md' has an invalid 'frontmatter' value: {reason}"),
            reason: reason.into(),
        }
    }

    fn description(yaml: &str) -> Result<String, Rejection> {
        read(&format!("---\nname: a\n{yaml}\n---\nbody\n")).map(|found| found.description)
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
        assert_eq!(description("description: |\nx: y"), Err(invalid("Skill description is required.")));
    }

    #[test]
    fn needs_a_block_at_the_very_start() {
        for text in ["", "---", "\n---\nname: a\n---\n", "--- x\nname: a\n---\n", "---\nname: a\n"] {
            assert_eq!(read(text), Err(no_block("x/SKILL.md")), "{text:?}");
        }
        assert_eq!(read("---\n---\n"), Err(invalid("Skill name is required.")), "an empty block is one");
        let found = read("---  \nname: a\ndescription: b\n---\t\n---\nbody");
        assert_eq!(found, Ok(Frontmatter { name: "a".into(), description: "b".into(), ..Frontmatter::default() }));
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
        assert_eq!(
            description(&yaml),
            Err(Rejection::Throws("Skill compatibility must be 500 characters or fewer.".into()))
        );
    }
}
