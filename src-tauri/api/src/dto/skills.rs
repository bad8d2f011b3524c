//! Skills as lists and the editor show them, and what they bring.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::findings::{FindingDto, SecurityDto};
use super::parts::{ProblemDto, TierTokens, UnsavedText};
use super::settings::Folder;
use skill::FileKind;

/// The skills of the open folders, and what could not be read there.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SkillList {
    pub folders: Vec<Folder>,
    pub skills: Vec<SkillSummary>,
    /// Problems of the folders themselves: missing, unreadable, too many files.
    pub problems: Vec<ProblemDto>,
}

/// A skill as a list shows it.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SkillSummary {
    /// The skill folder's path.
    pub id: String,
    pub name: String,
    pub description: String,
    /// The open folder it lies in.
    pub folder: String,
    /// Path below that folder, with `/`.
    pub relative: String,
}

/// A skill with its files and its problems.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SkillDetail {
    pub summary: SkillSummary,
    /// `SKILL.md` first, then by path.
    pub files: Vec<SkillFileDto>,
    pub findings: Vec<FindingDto>,
    /// `null`: the project wants no verdict.
    pub security: Option<SecurityDto>,
    /// Tokens of name and description, of `SKILL.md`, and of everything else that is text.
    pub tokens: TierTokens,
}

/// What a context would begin with if a framework put everything that its skills hold into it.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct EagerLoad {
    /// Of every `SKILL.md`, as the skills are now.
    pub instructions: u32,
    /// Of every other text of theirs.
    pub resources: u32,
    /// How many skills were counted.
    pub skills: u32,
    /// Skills of the run that are in no open folder; they are not counted.
    pub missing: Vec<String>,
}

/// A file of a skill.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SkillFileDto {
    /// Absolute.
    pub path: String,
    /// Relative to the skill's folder, with `/`.
    pub name: String,
    pub kind: FileKind,
    #[ts(type = "number")]
    pub size: u64,
    /// `null`: not text, or too large to count.
    pub tokens: Option<u32>,
    /// It can be opened: it is text, or nobody looked because it lies outside.
    pub text: bool,
    /// Where it really lies, if a link leads there; `null`: no link does, or nobody can tell where.
    pub leads_to: Option<String>,
    /// A link leads out of the folders that are open or trusted: the api neither reads nor writes it.
    pub outside: bool,
}

/// Which skills compete for the same request.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Collisions {
    /// How many skills were compared.
    pub skills: u32,
    /// The closest first.
    pub pairs: Vec<CollidingPair>,
    /// There are more than those.
    pub more: bool,
    /// Skills with words of the request, the likeliest first.
    pub asked: Vec<AskedSkill>,
}

/// Two skills whose descriptions share many words.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct CollidingPair {
    pub a: CollidingSkill,
    pub b: CollidingSkill,
    /// How many of all words of both descriptions are in both, from 0 to 1.
    pub share: f64,
    /// A linter finds them too alike.
    pub close: bool,
    /// The rarest first.
    pub words: Vec<SharedWord>,
    /// Queries of their trigger sets that should trigger both.
    pub queries: Vec<String>,
}

/// One of the two.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct CollidingSkill {
    /// Its folder.
    pub id: String,
    pub name: String,
    pub description: String,
}

/// A word that both use, and how many skills do.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SharedWord {
    pub word: String,
    /// How many descriptions have it.
    pub skills: u32,
}

/// A skill that shares words with what a user asks.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct AskedSkill {
    pub skill: CollidingSkill,
    pub words: Vec<SharedWord>,
}

/// What a new skill can begin with.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct TemplateInfo {
    pub id: String,
    pub title: String,
    pub summary: String,
    pub files: Vec<String>,
}

arguments! {
    SkillArgs { id: String }
    /// `name`: of the folder, and in the frontmatter.
    SkillCopyArgs { skill: String, name: String }
    NewSkill { folder: String, name: String, description: String, template: String }
    /// `request`: of a user; `null`: only the skills are compared with each other. `unsaved`: texts that are in place
    /// of those on disk. `without`: names of skills that take no part.
    CollisionArgs { request: Option<String>, unsaved: Vec<UnsavedText>, without: Vec<String> }
}
