//! Texts of files: read, saved, found, completed, merged, and as they were.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::findings::{FindingDto, SecurityDto};
use super::parts::{ProblemDto, TextRange, TierTokens, UnsavedText};
use skill::source::Newline;
use wording::Message;

/// A file opened for editing.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct FileText {
    pub path: String,
    pub text: String,
    /// Hash of the bytes on disk; pass it back when saving.
    pub version: String,
    pub bom: bool,
    pub newline: Newline,
    /// Why it cannot be edited: not UTF-8, too large, no permission.
    pub read_only: Option<ProblemDto>,
}

/// The result of saving a file.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum SaveResult {
    Saved {
        version: String,
    },
    /// Somebody else changed the file since; nothing was written.
    Changed {
        theirs: FileText,
    },
    /// It was deleted or renamed since; nothing was written.
    Gone,
}

/// Where earlier texts of a file are.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct FileHistory {
    /// What was saved here, the newest first.
    pub saved: Vec<SavedVersion>,
    pub git: GitHistory,
}

/// A text that was saved here, or that a save found.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SavedVersion {
    pub id: String,
    #[ts(type = "number")]
    pub saved_at: i64,
    /// In bytes.
    #[ts(type = "number")]
    pub size: u64,
    /// Against the version before; `null`: nobody knows.
    pub changed: Option<ChangedLines>,
}

/// A file or folder that was deleted and can be put back.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Trashed {
    pub id: String,
    /// Where it was.
    pub path: String,
    #[ts(type = "number")]
    pub deleted_at: i64,
    pub is_folder: bool,
}

impl From<disk::trash::Trashed> for Trashed {
    fn from(trashed: disk::trash::Trashed) -> Self {
        let disk::trash::Trashed { id, path, at, is_folder } = trashed;
        Self { id, path: path.into_string(), deleted_at: at, is_folder }
    }
}

/// Something that was deleted, by the `id` of [`Trashed`].
#[derive(Debug, Clone, Deserialize, TS)]
pub struct TrashArgs {
    pub id: String,
}

/// How much two texts differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ChangedLines {
    pub added: u32,
    pub removed: u32,
}

/// The revisions of a repository that changed the file.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum GitHistory {
    Revisions {
        /// The newest first. Empty: the file is not in the repository yet.
        revisions: Vec<GitRevision>,
        /// There may be older ones.
        more: bool,
    },
    /// The file is in no repository.
    None,
    /// There is no program `git`.
    Missing,
    /// git refuses a repository of another user, or something else is wrong with it.
    Failed { said: String, untrusted: bool },
}

/// A commit that changed a file.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct GitRevision {
    pub id: String,
    #[ts(type = "number")]
    pub committed_at: i64,
    pub author: String,
    pub subject: String,
}

/// An earlier text of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum VersionRef {
    Saved { id: String },
    Revision { id: String },
}

/// What differs between two texts, line by line.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct LineDiff {
    pub added: u32,
    pub removed: u32,
    /// Changed places, each with a few lines around it.
    pub places: Vec<Vec<DiffLine>>,
}

/// A line of one text, of the other, or of both.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct DiffLine {
    pub kind: DiffKind,
    /// Without its end.
    pub text: String,
    /// Its number in the first text, from 1.
    pub before: Option<u32>,
    /// Its number in the second.
    pub after: Option<u32>,
}

/// Where a text occurs in the files of skills that were searched so far.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct FoundTexts {
    /// By path.
    pub files: Vec<FoundFile>,
    /// How many files were looked through, with those of the answers before.
    pub looked: u32,
    pub of: u32,
    /// Texts that were not looked through: they are larger than `textLimit`.
    pub too_large: Vec<LargeFile>,
    /// Bytes.
    #[ts(type = "number")]
    pub text_limit: u64,
    /// What `after` of the next question says; `null`: that is all.
    pub next: Option<String>,
}

/// `name`: relative to the skill's folder.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct LargeFile {
    pub skill_name: String,
    pub path: String,
    pub name: String,
}

/// A file with the text that was searched for.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct FoundFile {
    /// The skill's id.
    pub skill: String,
    pub skill_name: String,
    /// Absolute.
    pub path: String,
    /// Relative to the skill's folder, with `/`.
    pub name: String,
    /// It was found in a text that is not saved.
    pub unsaved: bool,
    pub places: Vec<FoundPlace>,
    /// There are more in this file.
    pub more: bool,
}

/// A place with the line that it begins on, of which a part is shown.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct FoundPlace {
    pub range: TextRange,
    pub before: String,
    pub text: String,
    pub after: String,
}

/// A place where a text names a file or a skill, and the text after renaming.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Mention {
    pub path: String,
    pub place: FoundPlace,
    pub text: String,
}

/// What can be at a place in a text.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct TextCompletions {
    /// What is replaced.
    pub from: u32,
    pub to: u32,
    pub items: Vec<CompletionItem>,
}

/// A text that is offered at the caret.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct CompletionItem {
    pub kind: CompletionKindDto,
    pub label: String,
    /// What is put there, if that is not the label.
    pub insert: Option<String>,
    pub detail: Option<Message>,
}

/// What an offered text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum CompletionKindDto {
    Field,
    Value,
    Tool,
    File,
    Skill,
}

/// The results of checking a text that is being edited.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct TextCheck {
    /// Of the whole skill, as it would be with the texts that are not saved yet.
    pub findings: Vec<FindingDto>,
    /// `null`: the text is of no skill, or the project wants no verdict.
    pub security: Option<SecurityDto>,
    /// The other skills were not looked at yet: what rules find in several skills together is missing.
    pub alone: bool,
    pub outline: Vec<OutlineEntry>,
    /// `null` for files that are not a `SKILL.md`, or have no readable frontmatter.
    pub fields: Option<Vec<FieldDto>>,
    pub tokens: u32,
    pub tiers: Option<TierTokens>,
}

/// A heading of a text.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct OutlineEntry {
    pub level: u8,
    pub text: String,
    pub range: TextRange,
}

/// A frontmatter field for the form. Values that are not plain text are edited in the source.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct FieldDto {
    pub key: String,
    /// `null` for lists and maps.
    pub value: Option<String>,
    /// YAML source of the value.
    pub source: String,
    pub range: TextRange,
}

/// Two texts made one, with marks where they disagree.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct MergeResult {
    pub text: String,
    /// Places both sides changed; each stands in `text` between conflict markers.
    pub conflicts: u32,
}

/// A piece of two texts laid side by side.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct DiffPiece {
    pub kind: DiffKind,
    pub text: String,
}

/// Which text a piece belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum DiffKind {
    Same,
    /// Only in the first text.
    Removed,
    /// Only in the second.
    Added,
}

arguments! {
    /// `force` writes over whatever is there.
    FileSave { path: String, text: String, base: Option<String>, force: bool }
    FileMove { from: String, to: String }
    /// A move of a file or of a skill's folder that is not done yet. `unsaved`: texts in place of those on disk.
    MentionArgs { from: String, to: String, unsaved: Vec<UnsavedText> }
    /// Text as it is in the editor.
    TextArgs { path: String, text: String }
    /// A text as it is in the editor, and those of other files that are not saved yet.
    CheckArgs { path: String, text: String, unsaved: Vec<UnsavedText> }
    /// Sets one frontmatter field, or removes it with `null`.
    FieldEdit { path: String, text: String, key: String, value: Option<String> }
    /// Three-way merge of a file: what both started from, mine, theirs.
    MergeArgs { base: String, mine: String, theirs: String }
    /// Two texts, to be compared by words or by lines.
    TextDiffArgs { a: String, b: String }
    /// `at`: where somebody types.
    CompleteArgs { path: String, text: String, at: u32, unsaved: Vec<UnsavedText> }
    VersionArgs { path: String, of: VersionRef }
    /// `after`: the `next` of the answer before; `null`: from the first file.
    FindArgs { text: String, match_case: bool, whole_words: bool, regex: bool, unsaved: Vec<UnsavedText>, after: Option<String> }
}
