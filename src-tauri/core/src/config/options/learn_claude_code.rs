//! Options of `learn-claude-code`.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default, expecting = "options of learn-claude-code")]
pub struct LearnClaudeCodeOptions {}
