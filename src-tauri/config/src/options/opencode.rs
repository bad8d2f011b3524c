//! Options of `opencode`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What a user of OpenCode sets in `opencode.json`, and what the client knows about the machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default, expecting = "⟪options of opencode‖opencode 的选项⟫")]
pub struct OpenCodeOptions {
    /// The opened folder that is the user's home: the skills in it belong to the user, and those of the project take
    /// precedence. `null`: every opened folder belongs to the project.
    pub home: Option<String>,
    /// `permission.skill`: the last rule whose pattern matches a skill's name applies.
    pub permission: Vec<SkillPermission>,
    /// `skills.urls` is set: the skills that it downloaded are in `.cache/opencode/skills` of the home folder, are read last, and
    /// take precedence.
    pub urls: bool,
    /// Whether ripgrep is installed. Without it no skill can be loaded.
    pub ripgrep: bool,
}

impl Default for OpenCodeOptions {
    /// As in the recordings, which leave the client's own skill out.
    fn default() -> Self {
        let rule = |pattern: &str, action| SkillPermission { pattern: pattern.to_owned(), action };
        Self {
            home: None,
            permission: vec![rule("*", PermissionAction::Allow), rule("customize-opencode", PermissionAction::Deny)],
            urls: false,
            ripgrep: true,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(
    rename_all = "camelCase",
    deny_unknown_fields,
    expecting = "⟪a rule, e.g. `{pattern: \"internal-*\", action: deny}`‖一条规则，例如 `{pattern: \"internal-*\", action: deny}`⟫"
)]
pub struct SkillPermission {
    /// `*` stands for any letters, `?` for one.
    pub pattern: String,
    pub action: PermissionAction,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum PermissionAction {
    Allow,
    /// The user is asked.
    Ask,
    /// The skill is not listed, and cannot be loaded.
    Deny,
}
