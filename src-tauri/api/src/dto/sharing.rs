//! Runs that come from elsewhere and go there: imports, exports, replays, tracing back ends.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::runs::{Counted, RunDetail};
use crate::error::ApiError;
use harness::GroupState;
use trace::review::Review;
use trace::{ContextMessage, ContextTool, Foreign, RunId, SkillInContext};
use wording::Message;

/// Pushed when the sending of a run that went on is over.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct TraceSent {
    pub run: RunId,
    /// Without what may be a key.
    pub url: String,
    pub spans: u32,
    /// Of them, those that the back end did not take.
    pub rejected: u32,
    /// Why the rest was not sent; `null`: all of it was.
    pub error: Option<ApiError>,
}

/// What `models.yaml` says about a tracing back end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct OtlpState {
    /// Without what may be a key; `null`: none is set up.
    pub endpoint: Option<String>,
    /// Runs are sent while they go on.
    pub live: bool,
    pub contents: bool,
    pub skills: bool,
    /// Of `models.yaml`.
    pub path: String,
}

/// The result of sending a run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Pushed {
    /// Without what may be a key.
    pub url: String,
    pub spans: u32,
    /// Of them, those that the back end did not take.
    pub rejected: u32,
    /// Why it did not take them.
    pub reason: Option<String>,
}

/// Kinds of text that users may not want to share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum PrivateKind {
    Key,
    /// A home folder.
    Home,
    Email,
}

/// A text in a run that is one of these, and how often it is there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct PrivateText {
    pub kind: PrivateKind,
    pub text: String,
    pub count: u32,
}

/// What the page of a replay holds.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ReplayedRun {
    pub detail: RunDetail,
    pub review: Review,
    pub chinese: bool,
    /// For each step.
    pub contexts: Vec<ReplayContext>,
    pub messages: Vec<ContextMessage>,
    pub tools: Vec<ContextTool>,
    pub tool_lists: Vec<Vec<ReplayTool>>,
    pub groups: Vec<Vec<GroupState>>,
    pub skills: Vec<Vec<SkillInContext>>,
    pub bodies: Vec<ReplayBody>,
}

/// A context as it differs from the one before. Every so many contexts one has nothing of the one before, and so has every
/// so manieth body, so that a page finds each without all those before it.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ReplayContext {
    /// A place among the bodies.
    pub body: Option<u32>,
    pub exact: bool,
    /// Places among the lists of tools, of groups and of skills.
    pub tools: u32,
    pub groups: u32,
    pub skills: u32,
    /// So many messages at its head are those of the context before.
    pub same: u32,
    /// The places of the further ones among all messages.
    pub further: Vec<u32>,
    /// Which of its messages are new there: from one to before another.
    pub added: Vec<(u32, u32)>,
    pub tokens: u32,
}

/// A tool among all, and whether it is new in a context.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ReplayTool {
    pub tool: u32,
    pub added: bool,
}

/// A body as it differs from the one before: so many UTF-16 units at its head and its tail are the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ReplayBody {
    pub head: u32,
    pub text: String,
    pub tail: u32,
}

/// How far a file is read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ImportProgress {
    /// As `run_import_file` named it.
    pub import: String,
    /// Bytes.
    #[ts(type = "number")]
    pub read: u64,
    #[ts(type = "number")]
    pub size: u64,
    /// Percent of a long run that is in the store; `null`: it is still being read.
    pub stored: Option<u32>,
}

/// The result of importing a file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Imported {
    pub runs: Vec<RunId>,
    /// What recorded them; `null`: this program.
    pub format: Option<Foreign>,
    /// Events of an export of our own that cannot be read: in their place are notes.
    pub unreadable: u32,
    /// Lines that cannot be read, the first of them.
    pub unread: Vec<UnreadLine>,
    /// How many there are.
    pub unread_count: u32,
    /// What is kept with the runs and is no step.
    pub unknown: Vec<Counted>,
    /// Keys that were taken out.
    pub keys: u32,
    /// The user wanted no more; what was imported by then is here.
    pub stopped: bool,
}

/// A line of an imported file that could not be read.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct UnreadLine {
    /// From 1.
    pub line: u32,
    pub reason: Message,
}

/// As what a run is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum RunExport {
    /// One event a line, as stored.
    Jsonl,
    /// The run as a screenplay that rehearses it.
    Screenplay,
    /// A request of OpenAI chat completions with the whole conversation, on one line.
    Openai,
    /// The same for Anthropic Messages.
    Anthropic,
    /// A log of inspect_ai, as JSON.
    Inspect,
    /// A document to read, with its headings in English.
    Markdown,
    /// The same in Chinese.
    MarkdownChinese,
    /// The file that the run was imported from, line by line.
    Source,
}

arguments! {
    ExportArgs { run: RunId, format: RunExport }
    ImportArgs { text: String }
    /// `from`: the program that recorded it; `null`: found out from its contents. `import` is a name by which it can be
    /// stopped.
    ImportFileArgs { path: String, from: Option<Foreign>, import: String }
    ImportStopArgs { import: String }
    /// A page with a run in it, without the texts in `redact`.
    ReplayArgs { run: RunId, chinese: bool, redact: Vec<PrivateText> }
    ReplaySaveArgs { path: String, run: RunId, chinese: bool, redact: Vec<PrivateText> }
    /// To a tracing back end; `to`, `contents` and `skills`: `null` is what `models.yaml` says. `redact`: the texts to
    /// remove; `null`: everything that is found.
    PushArgs {
        run: RunId,
        to: Option<String>,
        contents: Option<bool>,
        skills: Option<bool>,
        redact: Option<Vec<PrivateText>>,
    }
    /// Where to write an export.
    SaveArgs { path: String, run: RunId, format: RunExport }
}
