//! Frameworks next to each other, and the card of a skill.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::inspection::{CataloguePlace, HarnessChoice, Inspection, QuirkDto};
use super::parts::{TierTokens, UnsavedText};
use config::SandboxMode;
use harness::Group;
use model::tokens::Tokenizer;
use trace::NeutralPath;
use wording::Message;

/// The same skills under several harnesses.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Comparison {
    /// One for each that was asked for, in that order.
    pub columns: Vec<ComparedHarness>,
    /// Every folder that any of them loads or skips, and every other with a `SKILL.md`, by path; then inline skills, by
    /// name.
    pub skills: Vec<ComparedSkill>,
}

/// A column of Compare, with all that its harness presents.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ComparedHarness {
    /// The framework's name.
    pub title: String,
    /// The variant's.
    pub variant_title: Message,
    /// How many skills it loads.
    pub loaded: u32,
    pub inspection: Inspection,
}

/// What a window shows of a [`Comparison`] at first sight, whatever the number of skills: which column loads which, and
/// where they differ. The rest is fetched on demand.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ComparedTable {
    pub columns: Vec<ComparedColumn>,
    /// As in [`Comparison`].
    pub skills: Vec<ComparedRow>,
    /// Why skills are left out; cells name them by their place here.
    pub reasons: Vec<Message>,
    pub neutral: Vec<NeutralPath>,
}

/// A column of Compare, brief.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ComparedColumn {
    pub harness: String,
    pub variant: String,
    /// The framework's name.
    pub title: String,
    /// How many skills it loads.
    pub loaded: u32,
    pub catalogue: Vec<CataloguePlace>,
    /// By name.
    pub tools: Vec<String>,
    /// How many there are.
    pub quirks: u32,
    pub refused: Option<String>,
}

/// A skill of Compare, brief.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ComparedRow {
    pub name: String,
    /// The folder; `null` for inline skills.
    pub path: Option<String>,
    /// One for each column; `null`: it loads the skill as the first one that does, and there is nothing to say of it.
    pub cells: Vec<Option<ComparedCell>>,
}

/// How a harness treats a skill, if that is worth a mark.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ComparedCell {
    pub is: CellIs,
    /// How many quirks the skill meets here.
    pub quirks: u32,
    /// One of them is more than something to know.
    pub warns: bool,
}

/// Whether a harness takes a skill.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum CellIs {
    #[serde(rename_all = "camelCase")]
    Loaded {
        /// The first column that loads it reads another one.
        other_name: bool,
        other_description: bool,
    },
    Skipped {
        reason: u32,
    },
    Unseen,
}

/// How one harness treats one skill.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SkillVerdict {
    pub harness: String,
    /// The framework's name, and the variant's.
    pub title: String,
    pub variant_title: Message,
    pub refused: Option<String>,
    pub presence: Presence,
    pub quirks: Vec<QuirkDto>,
}

/// A skill of Compare, with what each column makes of it.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ComparedSkill {
    /// The folder's, relative to its root where it is in one; an inline skill's name.
    pub name: String,
    /// The folder; `null` for inline skills.
    pub path: Option<String>,
    /// One for each column.
    pub columns: Vec<Presence>,
}

/// How a harness treats a skill.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Presence {
    Loaded {
        /// What tool calls use to name it.
        id: String,
        name: String,
        description: String,
        tokens: TierTokens,
        /// The first column that loads it reads another name or description.
        differs: bool,
    },
    Skipped {
        reason: wording::Message,
    },
    /// The framework does not look where it is.
    Unseen,
}

/// Who sees what of one skill.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SkillCard {
    /// The folder's, relative to its root.
    pub name: String,
    /// Every framework and client in its default variant, in their order.
    pub rows: Vec<CardRow>,
    /// What its tokens are counted with.
    pub tokenizer: Tokenizer,
}

/// A harness on the card of a skill.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct CardRow {
    pub harness: String,
    pub title: String,
    /// The variant's title.
    pub variant: Message,
    pub group: Group,
    pub verified: bool,
    pub seen: CardSeen,
    /// The lines of the catalogue that are about it, exactly as they are sent; `null`: there are none.
    pub line: Option<String>,
    /// What is cut of it.
    pub cut: Vec<Message>,
    /// What follows once it is activated; `null`: nothing can be.
    pub loads: Option<CardLoads>,
    /// What the user is asked.
    pub asks: Vec<Message>,
    /// Why it is left out, and what else happens to it.
    pub why: Vec<Message>,
}

/// Whether the catalogue that the model reads has the skill.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum CardSeen {
    Listed,
    /// It is not listed, but can be loaded by name.
    NotListed,
    LeftOut,
    /// The framework does not look where it is.
    Unseen,
    /// The framework does not start with these skills.
    Refused,
}

/// How the skill's instructions are loaded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct CardLoads {
    /// The tool that the model loads the skill with, or what the user types if only they may; `null`: nothing loads it.
    pub tool: Option<String>,
    /// Tokens.
    pub instructions: u32,
    pub files: u32,
    /// Tokens of the files.
    pub resources: u32,
}

/// As what a card is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum CardFormat {
    Markdown,
    /// The same in Chinese.
    MarkdownChinese,
    /// A picture that needs nothing else.
    Svg,
    /// The same in Chinese.
    SvgChinese,
}

arguments! {
    /// The folder of a skill.
    CardArgs { skill: String }
    CardTextArgs { skill: String, format: CardFormat }
    CardSaveArgs { skill: String, format: CardFormat, path: String }
    /// `unsaved`: texts that are in place of those on disk. `neutralPaths`: `null`: as the project has it.
    CompareArgs { roots: Option<Vec<String>>, of: Vec<HarnessChoice>, prompt: Option<String>, cwd: Option<String>, neutral_paths: Option<bool>, unsaved: Vec<UnsavedText>, without: Vec<String> }
    /// `skill`: its folder, or the name of an inline skill.
    CompareSkillArgs { of: CompareArgs, skill: String }
    /// One scene under several harnesses, with the rehearsal model. Scripts ask as in any run.
    RehearseArgs { roots: Option<Vec<String>>, of: Vec<HarnessChoice>, prompt: String, screenplay: Option<String>, without: Option<Vec<String>>, sandbox: Option<SandboxMode>, neutral_paths: Option<bool>, network: Option<bool>, fidelity: Option<bool>, ask_all: Option<bool> }
}
