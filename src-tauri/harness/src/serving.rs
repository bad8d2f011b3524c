//! What a harness answers to a tool call, and what it asks the engine to do.

use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

use super::{Mark, Marked, Memory};
use model::{Document, Image, Message, ToolDef};

/// What a harness makes of a call: a reply, or something to do first.
#[derive(Debug, Clone, PartialEq)]
pub enum Served {
    Reply(ToolReply),
    Perform(Effect),
    /// The framework ends the run with this error.
    Abort(String),
}

/// The result of preparing a model request.
#[derive(Debug, Clone, PartialEq)]
pub enum Prepared {
    Send,
    Perform(Effect),
    /// The framework ends the run here, without an answer.
    End,
    /// The framework ends the run with this error.
    Abort(String),
}

/// A text for the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolReply {
    pub text: String,
    /// Pictures that go with it.
    pub images: Vec<Image>,
    /// Files that go with it.
    pub documents: Vec<Document>,
    /// The origin of each byte of the text; empty: the engine decides from what the call discloses.
    pub marks: Vec<Mark>,
    /// The call failed, as far as the framework can tell.
    pub is_error: bool,
    /// Who wrote the text.
    pub author: ReplyAuthor,
}

/// Who in the framework wrote a reply; a failed round is one with a reply by [`ReplyAuthor::Exception`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplyAuthor {
    /// The tool: a result, or its own words for why there is none.
    Tool,
    /// The layer that calls tools, instead of the tool: no such tool, not approved, nothing returned.
    Caller,
    /// The layer that calls tools, after the tool threw. Counts towards [`super::Limits::failed_rounds`].
    Exception,
}

impl ToolReply {
    /// A result of the tool.
    pub fn ok(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            images: Vec::new(),
            documents: Vec::new(),
            marks: Vec::new(),
            is_error: false,
            author: ReplyAuthor::Tool,
        }
    }

    /// The tool's own words for why there is no result.
    pub fn error(text: impl Into<String>) -> Self {
        Self { is_error: true, ..Self::ok(text) }
    }

    /// A result of the tool of which it is known who put each byte there.
    pub fn marked(Marked { text, marks }: Marked) -> Self {
        Self { marks, ..Self::ok(text) }
    }

    /// A picture, and the words with it.
    pub fn pictured(text: impl Into<String>, image: Image) -> Self {
        Self { images: vec![image], ..Self::ok(text) }
    }

    /// Files without words.
    pub fn filed(documents: Vec<Document>) -> Self {
        Self { documents, ..Self::ok("") }
    }

    /// The same with another author.
    pub fn by(self, author: ReplyAuthor) -> Self {
        Self { author, ..self }
    }
}

/// Something only the engine may do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Effect {
    /// Only tells the model something that the harness already has. For frameworks that ask first.
    Disclose {
        skill: String,
        /// `None`: the skill's instructions.
        resource: Option<String>,
    },
    ReadFile {
        #[ts(type = "string")]
        path: Utf8PathBuf,
        /// The framework itself asks first.
        #[serde(default)]
        approval: bool,
    },
    RunScript {
        skill: String,
        script: String,
        #[ts(type = "string")]
        path: Utf8PathBuf,
        /// The program, e.g. `python3`.
        interpreter: String,
        /// After the script's path.
        arguments: Vec<String>,
        /// The framework itself asks first.
        approval: bool,
        /// `None`: the working directory of the run.
        #[ts(type = "string | null")]
        working_directory: Option<Utf8PathBuf>,
    },
    /// A command line for `sh -c`.
    Shell {
        command: String,
        /// `None`: the working directory of the run.
        #[ts(type = "string | null")]
        working_directory: Option<Utf8PathBuf>,
        /// The framework's own time limit in seconds; the run's limit holds besides.
        timeout: Option<u32>,
    },
    /// Command lines that run at the same time, each for `sh -c`.
    Shells {
        commands: Vec<String>,
        /// `None`: the working directory of the run.
        #[ts(type = "string | null")]
        working_directory: Option<Utf8PathBuf>,
        /// The framework's own time limit for each, in seconds; the run's limit holds besides.
        timeout: Option<u32>,
        /// Once one has failed, no other one begins.
        until_failure: bool,
    },
    /// Writes a file whole; folders on the way are made.
    WriteFile {
        #[ts(type = "string")]
        path: Utf8PathBuf,
        text: String,
    },
    /// Writes several whole files after a single question. Files that cannot be written, or would land elsewhere than
    /// their path says, are left out.
    WriteFiles {
        #[ts(type = "Array<{ path: string, text: string }>")]
        files: Vec<NewFile>,
    },
    /// The revisions of a file that Git has, or what the disk says of it.
    FileHistory {
        #[ts(type = "string")]
        path: Utf8PathBuf,
        /// So many at most; `None`: what the disk says.
        revisions: Option<u32>,
    },
    /// The entries of a folder, sorted by path; links are not entered.
    ListFolder {
        #[ts(type = "string")]
        path: Utf8PathBuf,
        /// Levels below the folder: 1 is its own entries.
        depth: u32,
    },
    /// The files below a folder whose path within it matches a glob (`**` crosses folders), sorted by path.
    FindFiles {
        #[ts(type = "string")]
        path: Utf8PathBuf,
        pattern: String,
    },
    /// The lines below a folder, or of a file, that match a regular expression, by path and line.
    SearchFiles {
        #[ts(type = "string")]
        path: Utf8PathBuf,
        pattern: String,
        /// Only files whose name matches this glob.
        files: Option<String>,
        ignore_case: bool,
        /// `.` matches line ends, and a match may span lines.
        multiline: bool,
    },
    /// Another model than the user chose for the run is asked.
    AskModel {
        /// Its label.
        model: String,
    },
    /// A sub-agent works on its own conversation.
    Delegate(Delegation),
    /// A model request of the framework's own, outside of the conversation and without tools.
    Summarise {
        #[ts(type = "unknown")]
        messages: Vec<Message>,
        max_tokens: Option<u32>,
    },
}

/// A file to be written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NewFile {
    pub path: Utf8PathBuf,
    pub text: String,
}

/// A task for a sub-agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Delegation {
    /// The agent's name; `None`: the framework's default.
    pub agent: Option<String>,
    /// By the project's name for it; `None`: the model of the run.
    pub model: Option<String>,
    /// The conversation so far, up to and with the answer that called, comes before `messages`, but behind the system
    /// messages that those begin with: the sub-agent's instructions, which nobody presents otherwise.
    pub with_history: bool,
    #[ts(type = "unknown")]
    pub messages: Vec<Message>,
    /// Their calls are served by the same harness, in a session of its own with [`super::Session::delegated`] set.
    pub tools: Vec<ToolDef>,
    /// Model requests; `None`: the harness's cap.
    pub iterations: Option<u32>,
    pub max_tokens: Option<u32>,
}

/// The result of an [`Effect`].
#[derive(Debug, Clone, PartialEq)]
pub enum Performed {
    /// [`Effect::Disclose`]: the user agreed.
    Agreed,
    Read {
        bytes: Vec<u8>,
    },
    /// [`Effect::RunScript`] and [`Effect::Shell`].
    Ran(ScriptOutput),
    /// [`Effect::Shells`], in the order in which they ended.
    RanTogether {
        outputs: Vec<Finished>,
    },
    /// [`Effect::WriteFile`] and [`Effect::WriteFiles`].
    Wrote,
    /// [`Effect::FileHistory`].
    History(FileHistory),
    /// [`Effect::ListFolder`] and [`Effect::FindFiles`].
    Listed {
        entries: Vec<ListedEntry>,
    },
    Found {
        lines: Vec<FoundLine>,
    },
    Delegated(Delegated),
    Summarised {
        text: String,
    },
    /// The user said no.
    Denied {
        reason: Option<String>,
    },
    /// The user gave the result instead of running it.
    Stubbed {
        text: String,
    },
    /// It could not be done.
    Failed {
        kind: FailureKind,
        message: String,
    },
}

impl Performed {
    /// It was not done, in the words that the harness makes a reply of.
    pub fn failed(kind: FailureKind, message: impl Into<String>) -> Self {
        Self::Failed { kind, message: message.into() }
    }
}

/// Frameworks have different words for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum FailureKind {
    NotFound,
    NoPermission,
    IsFolder,
    NotFolder,
    /// A pattern that is none.
    BadPattern,
    Other,
}

/// A name in a folder that was listed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ListedEntry {
    /// Absolute.
    pub path: Utf8PathBuf,
    pub folder: bool,
    /// Bytes.
    pub size: u64,
}

/// A line that a search found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FoundLine {
    pub path: Utf8PathBuf,
    /// From 1.
    pub line: u32,
    /// Without its line end.
    pub text: String,
}

/// A sub-agent's conversation, over.
#[derive(Debug, Clone, PartialEq)]
pub struct Delegated {
    /// What the sub-agent added to the conversation it was given: answers and tool results.
    pub messages: Vec<Message>,
    pub end: DelegationEnd,
    /// As the sub-agent left it.
    pub memory: Memory,
}

/// How a sub-agent ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DelegationEnd {
    /// The last message is the answer.
    Done,
    /// A cap was reached.
    Limited,
    Failed(String),
}

/// What a script or a command printed, and how it ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ScriptOutput {
    pub stdout: String,
    pub stderr: String,
    /// `None` where a signal or the time limit ended it.
    pub exit_code: Option<i32>,
    pub timed_out: bool,
    /// Output past the cap was dropped.
    pub truncated: bool,
    /// Milliseconds.
    pub took: u32,
}

/// One of several command lines that ran at the same time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Finished {
    /// Its place among them.
    pub command: usize,
    pub output: ScriptOutput,
}

/// Earlier versions of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "from", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum FileHistory {
    Git {
        /// The newest first.
        revisions: Vec<FileRevision>,
        /// The newest revision of all has the file.
        tracked: bool,
        /// Below the folder of the repository.
        path: String,
    },
    /// No repository that Git reads holds it.
    NoRepository,
    /// The program is not there.
    NoGit,
    Disk {
        size: u64,
        /// Local times, as `2026-11-26T10:47:09`.
        changed: String,
        modified: String,
        accessed: String,
        /// The number of the user that it belongs to.
        owner: u32,
        /// The nine lowest bits of its mode.
        permissions: u32,
    },
}

/// One revision of a file, as Git tells it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileRevision {
    /// Short.
    pub id: String,
    pub author: String,
    /// `3 days ago`
    pub ago: String,
    pub subject: String,
    /// What it changed.
    pub patch: String,
}

/// An act as a call of the harness's own tools.
#[derive(Debug, Clone, PartialEq)]
pub struct Expressed {
    pub tool: String,
    pub arguments: Value,
}

/// Which part of a skill a call showed to the model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Disclosure {
    /// Tier 2: a skill's instructions.
    Instructions { skill: String },
    /// Tier 3: one of its files.
    Resource { skill: String, resource: String },
    /// Tier 3: what one of its scripts printed.
    Script { skill: String, script: String },
    /// A call that discloses nothing of a skill.
    None,
}

impl Disclosure {
    /// The tier of progressive disclosure it reaches; `None` if nothing of a skill is disclosed.
    pub fn tier(&self) -> Option<u8> {
        match self {
            Self::Instructions { .. } => Some(2),
            Self::Resource { .. } | Self::Script { .. } => Some(3),
            Self::None => None,
        }
    }
}
