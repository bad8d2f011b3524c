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
    /// After so many rounds of tool calls in a row without `todo`, that round and each further one carries a reminder;
    /// `null`: never. Recorded runs and upstream remind at the third round. The seed's sentence ("超过连续 3 轮") can
    /// also be read as the fourth.
    pub nag_after: Option<u32>,
    /// Where the reminder goes; `null`: as the variant.
    pub nag_position: Option<NagPosition>,
    /// The reminder. The seed has no words for it; these are upstream's.
    pub nag_text: String,
    /// `SUBAGENT_SYSTEM`; `null`: as the variant. The seed names it and does not give it.
    pub subagent_instructions: Option<String>,
    /// Answers go back with every field that the SDK knows, `message.model_dump()`, as the seed's log of its third chapter shows
    /// them; `null`: in `seed-s06`.
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
    /// Behind the text of the round's last result, after an empty line. `seed`'s.
    LastToolMessage,
    /// Before the text of the round's first result.
    FirstToolMessage,
    /// A user message after the results. `upstream`'s: its reminder is a text block in the message that holds the
    /// results, which on an OpenAI-compatible wire becomes a message of its own.
    UserMessage,
}

/// The three layers of context compaction. The seed names them without code or numbers; the numbers are those of
/// upstream's `agents/s06_context_compact.py`. Of what the seed's recorded runs show nothing may differ by default: they
/// send old results unchanged and have no `compact` tool, so in `seed` the first and the third layer wait to be switched
/// on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(
    rename_all = "camelCase",
    deny_unknown_fields,
    default,
    expecting = "⟪settings of compaction, e.g. `threshold: 50000`‖压缩的设置，例如 `threshold: 50000`⟫"
)]
pub struct CompactionOptions {
    /// First layer: before every request old results become `[Previous: used {tool}]`; `null`: in `upstream`.
    pub results: Option<bool>,
    /// Second layer: past the threshold the conversation is written to a transcript and replaced by a summary.
    pub automatic: bool,
    /// Third layer: the tool `compact`, which does the same when the model asks, and ends the turn; `null`: in `upstream`.
    pub tool: Option<bool>,
    /// The last results, which the first layer leaves alone.
    pub keep_results: u32,
    /// Results of at most so many characters are left alone too.
    pub result_characters: u32,
    /// Tools whose results are left alone.
    pub keep_tools: Vec<String>,
    /// Tokens, estimated as a quarter of the characters of Python's `str(messages)`.
    pub threshold: u32,
    /// Characters from the end of the conversation that the summary is made of.
    pub summarised_characters: u32,
    /// Of the summary.
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
