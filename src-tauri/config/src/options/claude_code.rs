//! Options of `claude-code`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What a user of Claude Code sets, and what the client knows about the machine and the model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(
    rename_all = "camelCase",
    deny_unknown_fields,
    default,
    expecting = "⟪options of claude-code‖claude-code 的选项⟫"
)]
pub struct ClaudeCodeOptions {
    /// The opened folder that is the user's home: `.claude/skills` in it belongs to the user, and comes before the
    /// project's. `null`: every opened folder belongs to the project.
    pub home: Option<String>,
    /// Size of the model's context window in tokens; the list of skills may use a part of it.
    pub context_window: u32,
    /// The part of the context window that the list of skills may use.
    pub skill_listing_budget_fraction: f64,
    /// Characters of a description that the list shows.
    pub skill_listing_max_desc_chars: u32,
    /// Ids of `models.yaml`, or `rehearsal`, by the name in the `model` of a skill with `context: fork`. Any other
    /// name means the model of the run.
    pub models: BTreeMap<String, String>,
}

impl Default for ClaudeCodeOptions {
    fn default() -> Self {
        Self {
            home: None,
            context_window: 200_000,
            skill_listing_budget_fraction: 0.01,
            skill_listing_max_desc_chars: 1536,
            models: BTreeMap::new(),
        }
    }
}
