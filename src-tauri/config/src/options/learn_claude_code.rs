//! Options of `learn-claude-code`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What seed 002 leaves open, or leaves to the reader. Where `null` is "as the variant", the defaults are those of the
/// seed's recorded runs and of the upstream course.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(
    rename_all = "camelCase",
    deny_unknown_fields,
    default,
    expecting = "⟪options of learn-claude-code‖learn-claude-code 的选项⟫"
)]
pub struct LearnClaudeCodeOptions {
    /// Rounds of tool calls in a row without `todo` after which that round and each later one carry a reminder; `null`:
    /// never. Recorded runs and upstream remind at the third round. The seed's sentence ("超过连续 3 轮") can
    /// also be read as the fourth.
    pub nag_after: Option<u32>,
    /// Where the reminder is placed; `null`: as in the variant.
    pub nag_position: Option<NagPosition>,
    /// The text of the reminder. The seed does not give it; this is upstream's.
    pub nag_text: String,
    /// `SUBAGENT_SYSTEM`; `null`: as in the variant. The seed mentions it without its text.
    pub subagent_instructions: Option<String>,
    /// Answers go back with every field that the SDK knows, `message.model_dump()`, as in the log of the seed's third
    /// chapter; `null`: only in `seed-s06`.
    pub empty_fields: Option<bool>,
    pub compaction: CompactionOptions,
}

impl Default for LearnClaudeCodeOptions {
    fn default() -> Self {
        Self {
            nag_after: Some(3),
            nag_position: None,
            nag_text: "<reminder>Update your todos.</reminder>".into(),
            subagent_instructions: None,
            empty_fields: None,
            compaction: CompactionOptions::default(),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum NagPosition {
    /// After the text of the round's last result and an empty line, as in `seed`.
    LastToolMessage,
    /// Before the text of the round's first result.
    FirstToolMessage,
    /// A user message after the results, as in `upstream`: its reminder is a text block in the message that holds the
    /// results, which on an OpenAI-compatible wire becomes a message of its own.
    UserMessage,
}

/// The three layers of context compaction. The seed names them without code or numbers; the numbers are those of
/// upstream's `agents/s06_context_compact.py`. By default nothing may differ from the seed's recorded runs: they send
/// old results unchanged and have no `compact` tool, so in `seed` the first and the third layer are off.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(
    rename_all = "camelCase",
    deny_unknown_fields,
    default,
    expecting = "⟪settings of compaction, e.g. `threshold: 50000`‖压缩的设置，例如 `threshold: 50000`⟫"
)]
pub struct CompactionOptions {
    /// First layer: before every request old results become `[Previous: used {tool}]`; `null`: only in `upstream`.
    pub results: Option<bool>,
    /// Second layer: past the threshold the conversation is written to a transcript and replaced by a summary.
    pub automatic: bool,
    /// Third layer: the tool `compact`, which does the same when the model asks, and ends the turn; `null`: only in
    /// `upstream`.
    pub tool: Option<bool>,
    /// Number of last results that the first layer leaves unchanged.
    pub keep_results: u32,
    /// Results of at most this many characters are left unchanged too.
    pub result_characters: u32,
    /// Tools whose results are left unchanged.
    pub keep_tools: Vec<String>,
    /// Tokens, estimated as a quarter of the characters of Python's `str(messages)`.
    pub threshold: u32,
    /// Characters from the end of the conversation that the summary is made from.
    pub summarised_characters: u32,
    /// Tokens of the summary.
    pub summary_tokens: u32,
}

impl Default for CompactionOptions {
    fn default() -> Self {
        Self {
            results: None,
            automatic: true,
            tool: None,
            keep_results: 3,
            result_characters: 100,
            keep_tools: vec!["read_file".into()],
            threshold: 50_000,
            summarised_characters: 80_000,
            summary_tokens: 2000,
        }
    }
}
