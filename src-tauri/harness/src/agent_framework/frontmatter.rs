//! The frontmatter of a `SKILL.md` as each release reads it: .NET and Python up to 1.13 with regular expressions, Python
//! since 1.23 with PyYAML.

mod dotnet;
mod python;
mod regexes;

use super::variant::Variant;
use wording::Message;

pub use dotnet::{check_compatibility, check_description, check_name};
pub use python::check_inline;

/// The fields that the framework knows.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Frontmatter {
    pub name: String,
    pub description: String,
    pub license: Option<String>,
    pub compatibility: Option<String>,
    pub allowed_tools: Option<String>,
    pub metadata: Option<Vec<(String, String)>>,
}

/// Why a `SKILL.md` is not a skill to the framework.
#[derive(Debug, PartialEq, Eq)]
pub enum Rejection {
    /// The skill is skipped.
    Skipped {
        /// What the framework writes to its log, without the level.
        log: String,
        reason: String,
    },
    /// The message of an exception that is not caught; no skill is loaded at all.
    Throws(String),
    /// The framework may well read it, and we do not.
    Ours(Message),
}

/// Reads the whole text of a `SKILL.md` as the framework has it: without its BOM in .NET, with it and with plain line feeds
/// in Python. What the framework warns of goes to `warnings`, without the level.
pub fn parse(text: &str, path: &str, variant: Variant, warnings: &mut Vec<String>) -> Result<Frontmatter, Rejection> {
    match variant {
        Variant::Seed | Variant::DotNet117 => dotnet::parse(text, path),
        Variant::Python113 => python::parse_by_regex(text, path),
        Variant::Python123 => python::parse_yaml(text, path, warnings),
    }
}

/// A `SKILL.md` that does not start with a block between two `---` lines.
fn no_block(path: &str) -> Rejection {
    let reason = "does not contain valid YAML frontmatter delimited by '---'";
    Rejection::Skipped { log: format!("SKILL.md at '{path}' {reason}"), reason: reason.into() }
}

/// The framework's `$` also matches before a final line feed.
fn is_name(name: &str) -> bool {
    let is_word =
        |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    name.strip_suffix('\n').unwrap_or(name).split('-').all(is_word)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(
            yaml in r#"([a-z: \n\t'"\[\]{},|>&*!%@#?0-9+.=~<\\-]|name: |description: |\n  |---|\u{2028}|字|\PC){0,40}"#,
        ) {
            for variant in [Variant::Seed, Variant::Python113, Variant::Python123] {
                for text in [yaml.clone(), format!("---\nname: a\ndescription: b\n{yaml}\n---\n")] {
                    let _ = parse(&text, "SKILL.md", variant, &mut Vec::new());
                }
            }
        }
    }
}
