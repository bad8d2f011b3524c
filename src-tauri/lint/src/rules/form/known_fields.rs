//! The frontmatter fields that some client or framework reads.

use crate::analysis::client::{self, SPECIFIED};

/// Read by clients or frameworks other than those of [`client::ALL`]: OpenClaw, Hermes, Roo Code, oh-my-opencode,
/// nanobot, Deep Agents, Claude.ai.
const OF_OTHERS: [&str; 31] = [
    "alwaysApply",
    "always",
    "auto-invoke",
    "builtin-tools",
    "command-arg-mode",
    "command-dispatch",
    "command-tool",
    "dependencies",
    "fallback_for_toolsets",
    "globs",
    "inclusion",
    "interface",
    "isolated-context",
    "keep-coding-instructions",
    "mcp",
    "mcp-servers",
    "mode",
    "modeSlugs",
    "module",
    "os",
    "platforms",
    "policy",
    "prerequisites",
    "required_credential_files",
    "required_environment_variables",
    "requires",
    "requires_toolsets",
    "setup",
    "skills",
    "subtask",
    "trigger",
];

/// Fields with which authors describe a skill and that no framework uses; they belong in `metadata`.
pub const ABOUT_THE_SKILL: [&str; 32] = [
    "author",
    "authors",
    "categories",
    "category",
    "changelog",
    "copyright",
    "created",
    "created_at",
    "date",
    "displayName",
    "display_name",
    "domain",
    "emoji",
    "homepage",
    "icon",
    "keywords",
    "language",
    "last-updated",
    "last_updated",
    "maintainer",
    "maintainers",
    "owner",
    "repository",
    "short-description",
    "source",
    "status",
    "tags",
    "title",
    "updated",
    "updated_at",
    "url",
    "version",
];

/// Other words for a field of the specification.
const MEANT: [(&str, &str); 6] = [
    ("desc", "description"),
    ("licence", "license"),
    ("requirements", "compatibility"),
    ("skill-name", "name"),
    ("summary", "description"),
    ("tools", "allowed-tools"),
];

pub fn is_known(key: &str) -> bool {
    let known = fields().any(|field| field == key);
    // By convention, fields that begin like this are the author's own.
    known || key.starts_with("x-") || key.starts_with("x_") || key.starts_with('_')
}

fn fields() -> impl Iterator<Item = &'static str> {
    let of_clients = client::ALL.iter().flat_map(|client| client.fields);
    [&SPECIFIED[..], &OF_OTHERS, &ABOUT_THE_SKILL].into_iter().flatten().chain(of_clients).copied()
}

/// The known field that an unknown one was probably meant to be.
pub fn meant(key: &str) -> Option<&'static str> {
    if key.len() > LONGEST {
        return None;
    }
    let key = bare(key);
    if let Some((_, field)) = MEANT.iter().find(|(word, _)| *word == key) {
        return Some(field);
    }
    let near = fields().filter_map(|field| {
        let allowed = if field.len() < 4 {
            0
        } else if field.len() < 6 {
            1
        } else {
            2
        };
        // Each letter more or less is one change. Fields are written in ASCII.
        if key.chars().count().abs_diff(field.len()) > allowed {
            return None;
        }
        let distance = strsim::osa_distance(&key, &bare(field));
        (distance <= allowed).then_some((distance, field))
    });
    near.min_by_key(|(distance, _)| *distance).map(|(_, field)| field)
}

/// Longer keys are not typing mistakes.
const LONGEST: usize = 40;

/// Without differences of style.
fn bare(key: &str) -> String {
    key.to_lowercase().replace('_', "-")
}
