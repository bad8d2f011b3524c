//! How a framework reads, presents and serves skills: one implementation of [`Harness`] for each, reproducing its
//! framework byte for byte. Pure: no I/O, no clock. Effects are returned, and the engine performs them.

mod agent_framework;

use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

use crate::config::{HarnessOptions, InlineSkill, ScreenplayStep};
use crate::model::{Message, ToolCall, ToolDef};
use crate::skill::SkillSet;
use crate::source::Span;

/// Every harness, in the order lists show them.
pub fn all() -> &'static [&'static dyn Harness] {
    &[&agent_framework::AgentFramework]
}

pub fn find(id: &str) -> Option<&'static dyn Harness> {
    all().iter().copied().find(|harness| harness.profile().id == id)
}

pub trait Harness: Send + Sync {
    fn profile(&self) -> &Profile;
    /// What this framework loads of what is on disk and in the project file, and why the rest is left out.
    fn select(&self, found: &SkillSet, options: &Options) -> Catalog;
    /// Instructions and tool definitions as sent, with provenance.
    fn present(&self, catalog: &Catalog, session: &Session) -> Presentation;
    fn serve(&self, call: &ToolCall, catalog: &Catalog, session: &mut Session) -> Served;
    /// Frames what an effect returned as the tool's reply.
    fn settle(&self, call: &ToolCall, done: Performed, catalog: &Catalog, session: &mut Session) -> ToolReply;
    /// The reply's text as it goes over an OpenAI-compatible wire; `None`: as it is.
    fn wire(&self, reply: &ToolReply, catalog: &Catalog) -> Option<String>;
    /// What the framework does to the history before each model request.
    fn before_request(&self, history: &mut Vec<Message>, session: &mut Session);
    /// A screenplay step in this framework's words; `None` where the framework has no tool for it.
    fn express(&self, step: &ScreenplayStep, catalog: &Catalog, session: &Session) -> Option<Expressed>;
    /// Which tier of progressive disclosure a call reaches.
    fn disclosure(&self, call: &ToolCall, catalog: &Catalog) -> Disclosure;
}

/// What a harness is, for lists and for the user's choice.
#[derive(Debug, Clone)]
pub struct Profile {
    pub id: &'static str,
    pub title: &'static str,
    /// The first is the default.
    pub variants: &'static [VariantInfo],
    pub limits: Limits,
    /// How a result's text travels on an OpenAI-compatible wire.
    pub result_encoding: ResultEncoding,
    /// What runs scripts of this file ending in the framework, e.g. `python3`; `None`: the framework does not run it.
    pub runner: fn(extension: &str) -> Option<&'static str>,
}

#[derive(Debug, Clone, Copy)]
pub struct VariantInfo {
    pub id: &'static str,
    pub title: &'static str,
    /// Where the behaviour was taken from.
    pub source: &'static str,
    /// `false` where it was derived from source and never compared with a run.
    pub verified: bool,
}

/// The framework's own caps on a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Model requests in one run.
    pub iterations: u32,
    /// Rounds in a row in which a tool failed, after which the framework gives up.
    pub failed_rounds: Option<u32>,
}

/// What the user set for a harness, after `workbench.yaml` and the command line.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// `None`: the default variant.
    pub variant: Option<String>,
    pub settings: HarnessOptions,
    pub inline_skills: Vec<InlineSkill>,
}

/// What one framework loaded.
#[derive(Debug, Clone, PartialEq)]
pub struct Catalog {
    pub harness: &'static str,
    pub variant: &'static str,
    /// In the framework's order.
    pub skills: Vec<CatalogSkill>,
    pub skipped: Vec<Skipped>,
    /// What the framework writes to its log while loading, verbatim.
    pub log: Vec<String>,
    /// The option is wrong in a way the framework refuses to start with: its own message.
    pub refused: Option<String>,
    pub options: HarnessOptions,
}

#[derive(Debug, Clone, PartialEq)]
pub struct CatalogSkill {
    /// What tool calls use to name it.
    pub id: String,
    pub name: String,
    pub description: String,
    /// The folder; `None` for inline skills.
    pub path: Option<Utf8PathBuf>,
    /// What activating the skill gives the model.
    pub content: String,
    pub resources: Vec<CatalogFile>,
    pub scripts: Vec<CatalogFile>,
}

/// A resource or script under the name the framework lists it by.
#[derive(Debug, Clone, PartialEq)]
pub struct CatalogFile {
    pub name: String,
    pub description: Option<String>,
    pub body: CatalogBody,
}

#[derive(Debug, Clone, PartialEq)]
pub enum CatalogBody {
    File(Utf8PathBuf),
    /// An inline skill's fixed text.
    Text(String),
}

#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Skipped {
    pub path: String,
    pub reason: String,
}

/// The harness's memory of one conversation.
#[derive(Debug, Clone, Default)]
pub struct Session {
    /// The agent's own instructions, which frameworks join to theirs.
    pub agent_instructions: Option<String>,
    pub working_directory: Option<Utf8PathBuf>,
    /// Ids of skills activated so far, in order.
    pub activated: Vec<String>,
    /// Rounds in a row in which a tool failed.
    pub failed_rounds: u32,
}

/// What the model is shown before the first message.
#[derive(Debug, Clone, PartialEq)]
pub struct Presentation {
    /// `None` where the framework adds no instructions.
    pub instructions: Option<Marked>,
    pub tools: Vec<ToolDef>,
}

/// Text whose every byte has an origin; `marks` are in order, without gaps or overlaps.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Marked {
    pub text: String,
    pub marks: Vec<Mark>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    pub span: Span,
    pub origin: Origin,
}

/// Who put a byte there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Origin {
    /// The framework's own text.
    Framework,
    /// A field of a skill, e.g. `description`, or its `body`.
    Skill { skill: String, field: String },
    /// The user's prompt, agent instructions or template.
    User,
    /// A tool's output.
    Tool { tool: String },
}

impl Marked {
    pub fn push(&mut self, text: &str, origin: Origin) {
        if text.is_empty() {
            return;
        }
        let start = self.text.len();
        self.text.push_str(text);
        let end = self.text.len();
        match self.marks.last_mut() {
            Some(last) if last.origin == origin => last.span.end = end,
            _ => self.marks.push(Mark { span: Span { start, end }, origin }),
        }
    }
}

/// What a harness answers to a tool call.
#[derive(Debug, Clone, PartialEq)]
pub enum Served {
    Reply(ToolReply),
    Perform(Effect),
    /// The framework ends the run with this error.
    Abort(String),
}

/// A text for the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolReply {
    pub text: String,
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
    /// The layer that calls tools, after the tool threw. Counts towards [`Limits::failed_rounds`].
    Exception,
}

impl ToolReply {
    pub fn ok(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_error: false, author: ReplyAuthor::Tool }
    }

    pub fn error(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_error: true, author: ReplyAuthor::Tool }
    }
}

/// Something only the engine may do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Effect {
    ReadFile {
        #[ts(type = "string")]
        path: Utf8PathBuf,
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
        /// The user must agree before it runs.
        approval: bool,
        /// `None`: the working directory of the run.
        #[ts(type = "string | null")]
        working_directory: Option<Utf8PathBuf>,
    },
}

/// What came of an [`Effect`].
#[derive(Debug, Clone, PartialEq)]
pub enum Performed {
    Read {
        text: String,
    },
    Ran(ScriptOutput),
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
        message: String,
    },
}

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

#[derive(Debug, Clone, PartialEq)]
pub struct Expressed {
    pub tool: String,
    pub arguments: Value,
}

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

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum ResultEncoding {
    /// The text itself.
    Plain,
    /// The text as a JSON string literal, quotes included.
    JsonString,
}
