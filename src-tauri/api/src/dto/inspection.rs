//! What a framework shows the model before the first message.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

use super::parts::{TextRange, TierTokens, UnsavedText};
use harness::{Agent, FailedRounds, Group, GroupState, Origin, QuirkKind, Skipped};
use model::tokens::Tokenizer;
use skill::Severity;
use trace::NeutralPath;
use wording::Message;

/// A framework or client, with its variants.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct HarnessInfo {
    pub id: String,
    pub title: String,
    pub group: Group,
    /// `false`: it only presents skills, and cannot be run.
    pub runs: bool,
    pub variants: Vec<VariantDto>,
}

/// A variant of it.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct VariantDto {
    pub id: String,
    pub title: Message,
    /// Where the behaviour was taken from.
    pub source: Message,
    /// `false`: derived from source, never compared with a run.
    pub verified: bool,
    /// The framework's own cap on model requests in one run; `null`: none.
    pub iterations: Option<u32>,
    /// What it does about tools that keep failing; `null`: nothing.
    pub failed_rounds: Option<FailedRounds>,
}

/// One harness's view of the open folders.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Inspection {
    pub harness: String,
    pub variant: String,
    /// `false`: derived from source, never compared with a run.
    pub verified: bool,
    /// Who the application says that its agent is; `null`: nobody.
    pub agent: Option<Agent>,
    /// What the first request says before the prompt: its system messages, and what is put into the user's; where these are
    /// several, with an empty line between them.
    pub instructions: Option<MarkedText>,
    /// Where the model finds the skills' descriptions.
    pub catalogue: Vec<CataloguePlace>,
    pub tools: Vec<InspectedTool>,
    /// Groups of tools, with those that the model is not told of yet.
    pub groups: Vec<GroupState>,
    pub skills: Vec<InspectedSkill>,
    pub skipped: Vec<Skipped>,
    pub log: Vec<String>,
    /// Where the framework's real behaviour hurts an author.
    pub quirks: Vec<QuirkDto>,
    /// The framework's own error where it refuses to start with these skills or options.
    pub refused: Option<String>,
    pub tokens: InspectedTokens,
    /// The body of the first request, exactly as sent for an empty conversation and the prompt given.
    pub request: String,
    pub curl: String,
    /// Folders that the texts show at another place than their own; the paths of skills and files here are real.
    pub neutral: Vec<NeutralPath>,
}

/// What a window shows of an [`Inspection`] at first, whatever the number of skills. The rest is fetched on demand.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct InspectionList {
    pub harness: String,
    pub variant: String,
    pub verified: bool,
    pub agent: Option<Agent>,
    pub instructions: Option<TextStart>,
    pub catalogue: Vec<CataloguePlace>,
    pub tools: Vec<ListedTool>,
    pub groups: Vec<GroupState>,
    pub skills: Vec<ListedSkill>,
    pub skipped: Vec<Skipped>,
    pub log: Vec<String>,
    pub quirks: Vec<QuirkDto>,
    pub refused: Option<String>,
    /// `null`: there are many skills, and counting takes longer than all the rest. `inspect_tokens` counts.
    pub tokens: Option<ListedTokens>,
    pub neutral: Vec<NeutralPath>,
}

/// The token costs of a list's parts; its tools and skills are in order.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ListedTokens {
    pub all: InspectedTokens,
    pub tools: Vec<u32>,
    /// Of all tiers.
    pub skills: Vec<u32>,
}

/// How a text begins, or all of one that is not long.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct TextStart {
    pub text: String,
    pub marks: Vec<TextMark>,
    /// UTF-16 units of the whole.
    pub units: u32,
}

/// A tool, with the beginning of its description.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ListedTool {
    pub name: String,
    /// Its beginning.
    pub description: String,
    /// Of the description.
    pub marks: Vec<TextMark>,
    /// UTF-16 units of the whole description.
    pub units: u32,
    #[ts(type = "unknown")]
    pub parameters: Value,
    /// The framework itself asks before each call.
    pub asks: bool,
    /// `false`: one of a client's own tools, not compared with the client's.
    pub compared: bool,
}

/// A skill as a brief row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ListedSkill {
    /// What tool calls use to name it.
    pub id: String,
    pub name: String,
}

/// What a first request says before and around the prompt.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct InspectedSent {
    pub instructions: Option<MarkedText>,
    pub tools: Vec<InspectedTool>,
}

/// The body of a first request, exactly as sent, and the command that sends it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct InspectedRequest {
    pub body: String,
    pub curl: String,
}

/// Text and, for every part of it, who put it there; offsets in UTF-16 units.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct MarkedText {
    pub text: String,
    pub marks: Vec<TextMark>,
}

/// Who wrote a piece of a text.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct TextMark {
    pub from: u32,
    pub to: u32,
    pub origin: Origin,
}

/// A tool that the model is offered.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct InspectedTool {
    pub name: String,
    pub description: String,
    /// Of the description.
    pub marks: Vec<TextMark>,
    #[ts(type = "unknown")]
    pub parameters: Value,
    /// The framework itself asks before each call.
    pub asks: bool,
    /// `false`: one of a client's own tools, not compared with the client's.
    pub compared: bool,
    pub tokens: u32,
}

/// A place where a harness hurts an author.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct QuirkDto {
    pub kind: QuirkKind,
    /// Harness and kind, as linters name their rules, e.g. `eino/lost-before-tab`.
    pub code: String,
    /// A warning, or something to know; no quirk is an error of the author's.
    pub severity: Severity,
    /// English; the window shows its own words for `kind`.
    pub message: String,
    /// Id of the skill, where it is about one.
    pub skill: Option<String>,
    pub path: Option<String>,
    pub range: Option<TextRange>,
    /// What is lost, changed or hidden there; may be empty.
    pub detail: String,
}

/// The place of the list of skills in the request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum CataloguePlace {
    /// In the system message.
    Instructions,
    /// In a message of the developer behind the client's own prompt.
    DeveloperMessage,
    /// In the first message of the user, before the prompt.
    FirstMessage,
    ToolDescription {
        tool: String,
    },
    /// In the values that a parameter of the tool may have.
    ToolParameter {
        tool: String,
    },
}

/// A harness and its variant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct HarnessChoice {
    pub harness: String,
    /// `null`: the default.
    pub variant: Option<String>,
}

impl HarnessChoice {
    /// `harness` or `harness@variant`, as the project file and the command line name it.
    pub fn named(name: &str) -> Self {
        match name.split_once('@') {
            Some((harness, variant)) => Self { harness: harness.into(), variant: Some(variant.into()) },
            None => Self { harness: name.into(), variant: None },
        }
    }
}

/// What the project files say to begin with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ProjectChoice {
    pub harness: Option<HarnessChoice>,
    /// A model's id.
    pub model: Option<String>,
}

/// A skill as a harness has it.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct InspectedSkill {
    /// What tool calls use to name it.
    pub id: String,
    pub name: String,
    pub description: String,
    /// `null` for inline skills.
    pub path: Option<String>,
    /// What activating it gives the model.
    pub content: String,
    /// The tool that the model loads it with, or what the user types if only they may; `null`: nothing loads it.
    pub loaded_with: Option<String>,
    pub resources: Vec<InspectedFile>,
    pub scripts: Vec<InspectedFile>,
    /// What else the framework keeps of it, e.g. `license`.
    #[ts(type = "Record<string, unknown>")]
    pub kept: serde_json::Map<String, serde_json::Value>,
    pub tokens: TierTokens,
}

/// A file that the harness keeps of it.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct InspectedFile {
    pub name: String,
    pub path: Option<String>,
    pub tokens: Option<u32>,
}

/// What the parts of a request cost.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct InspectedTokens {
    pub instructions: u32,
    pub tools: u32,
    /// Tier 1, 2 and 3 over all skills.
    pub tiers: TierTokens,
    pub tokenizer: Tokenizer,
}

/// The token counts of a model's server for the first request: for all of it, and for some parts, derived from counts
/// without these parts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ProviderTokens {
    /// The model's id, and the provider's name of it.
    pub model: String,
    pub named: String,
    /// Who counted: the host of its address.
    pub server: String,
    /// Of the whole request, with the prompt.
    pub request: u32,
    /// Of the request with the prompt alone.
    pub prompt: u32,
    /// No prompt was given, so a short one was sent: there is no request without one.
    pub stand_in: bool,
    pub instructions: u32,
    pub tools: u32,
    /// Of what all skills give when they are loaded.
    pub skills: u32,
    /// Of the texts of their files; `null`: they are too long to be asked about.
    pub files: Option<u32>,
    /// How many questions were sent for it; what was counted before is known.
    pub asked: u32,
}

arguments! {
    /// `neutralPaths`: `null`: as the project has it. `unsaved`: texts that are in place of those on disk. `without`:
    /// names of skills that take no part.
    InspectArgs { roots: Option<Vec<String>>, harness: String, variant: Option<String>, prompt: Option<String>, cwd: Option<String>, neutral_paths: Option<bool>, unsaved: Vec<UnsavedText>, without: Vec<String> }
    /// `of`: the same as for the list that the skill is in. `skill`: its id there.
    InspectSkillArgs { of: InspectArgs, skill: String }
    /// `model`: the id of a model in `models.yaml`, whose server counts.
    CountArgs { of: InspectArgs, model: String }
}
