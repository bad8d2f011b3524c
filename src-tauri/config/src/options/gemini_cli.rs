//! Options of `gemini-cli`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// How a user of Gemini CLI starts it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(
    rename_all = "camelCase",
    deny_unknown_fields,
    default,
    expecting = "⟪options of gemini-cli‖gemini-cli 的选项⟫"
)]
pub struct GeminiCliOptions {
    /// The opened folder that is the user's home: the skills in it belong to the user, and those of the project take
    /// precedence. `null`: every opened folder belongs to the project.
    pub home: Option<String>,
    /// The project's folder is trusted. In an untrusted folder, only the user's skills are loaded.
    pub trusted: bool,
    /// Whether the user is asked before a skill is loaded.
    pub approval: GeminiApproval,
    /// The client's built-in skills, which come first in its list. The recordings were made without them.
    pub builtin_skills: bool,
}

impl Default for GeminiCliOptions {
    fn default() -> Self {
        Self { home: None, trusted: true, approval: GeminiApproval::Interactive, builtin_skills: false }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum GeminiApproval {
    /// The user is asked before each skill.
    Interactive,
    /// `--yolo`: nothing is asked.
    Yolo,
    /// `--prompt` without `--yolo`: the list of skills is sent, and the tool that loads them is not.
    Headless,
    /// `--prompt` with `--approval-mode auto_edit`: the same, and files may be edited.
    HeadlessAutoEdit,
}
