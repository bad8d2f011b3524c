//! Options of `codex`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What Codex knows about the machine and the model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default, expecting = "⟪options of codex‖codex 的选项⟫")]
pub struct CodexOptions {
    /// The opened folder that is the user's home: `.agents/skills` and `.codex/skills` in it belong to the user. `null`: every
    /// opened folder belongs to the project.
    pub home: Option<String>,
    /// The model that Codex is configured to use. For `gpt-5.5` the list of skills ends with how to use them; for newer models
    /// Codex's own prompt says so, and their tools are an item of the conversation; for models that it does not know, nothing does.
    pub model: String,
    /// Size of the model's context window in tokens; the list of skills may use 2 % of it.
    pub context_window: u32,
}

impl Default for CodexOptions {
    fn default() -> Self {
        Self { home: None, model: "gpt-5.5".to_owned(), context_window: 272_000 }
    }
}
