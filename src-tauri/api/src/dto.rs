//! The values that cross to the window. camelCase; unions tagged `type`; `null` rather than missing; positions count
//! UTF-16 units, as the editor does; ids are strings; times end in `At`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

use crate::error::ApiError;
use config::{Profile, SandboxMode, Screenplay, Setting};
use harness::{Agent, Effect, FailedRounds, Group, GroupState, Origin, QuirkKind, Skipped};
use lint::Applicability;
use model::Image;
use model::check::Check;
use model::entry::ModelEntry;
use model::protocol::Protocol;
use model::secret::{KeyError, KeyRef, Secret};
use model::tokens::Tokenizer;
use skill::source::Newline;
use skill::{FileKind, ProblemKind, Severity};
use trace::check::CheckedCall;
use trace::fold::StepChange;
use trace::review::{Judged, Review};
use trace::spending::Spent;
use trace::store::GoingRun;
use trace::{
    Change, ContextMessage, ContextTool, CutChoice, Decision, Enforcement, Foreign, ForkedFrom, Layer, LeftSkill,
    NeutralPath, Program, Reason, RunId, RunStatus, RunSummary, SkillInContext, Standing, Step, Unkept, UnreadableRun,
    WrittenFile,
};
use wording::Message;

/// What the window needs to draw its first screen.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct BenchState {
    pub version: String,
    /// The open folders, the bundled one first where it is open.
    pub folders: Vec<Folder>,
    pub recent: Vec<String>,
    pub settings: Settings,
    /// Where keys, traces and settings live, for "show in folder" and for support.
    pub state_directory: String,
    pub config_directory: String,
    /// Those that the settings can name.
    pub tokenizers: Vec<Tokenizer>,
}

/// What a call that waits would do with other arguments.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Trial {
    /// This, if the user allows it.
    Does {
        effect: Effect,
        /// Where the path in it really leads, if that is another place than it says.
        leads_to: Option<String>,
        /// What will confine what runs; `null` if nothing does.
        enforcement: Option<Enforcement>,
    },
    /// The framework would do nothing and give the model this.
    Replies { text: String, is_error: bool },
    /// Nothing would be done.
    Refused { why: Message },
}

/// Places outside of the open folders, by their real paths.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct TrustState {
    pub trusted: Vec<String>,
    /// Those that project files name, or that links lead to, and that are not trusted.
    pub waiting: Vec<String>,
}

/// What the user has said for good about what a skill may run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ApprovalEntry {
    /// As the skill was called then.
    pub name: String,
    /// Where it really lay then.
    pub folder: String,
    pub program: Program,
    pub answer: Standing,
    /// `false`: the skill is another than then, so it is asked about again.
    pub holds: bool,
    /// The folder is there.
    pub there: bool,
    /// Milliseconds since the epoch.
    #[ts(type = "number")]
    pub at: i64,
}

/// What can confine what runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SandboxState {
    /// What this machine has; `null`: nothing.
    pub layer: Option<Layer>,
    /// Why there is nothing.
    pub reason: Option<Reason>,
    /// What the open projects ask for.
    pub mode: SandboxMode,
    /// What the run's folder may hold, in MiB.
    pub folder_mb: u32,
    /// The Python environment that the project names.
    pub venv: Option<String>,
    /// Whether the project shows folders at neutral paths.
    pub neutral_paths: bool,
    /// Why nothing runs at neutral paths on this machine; `null`: it can.
    pub not_neutral: Option<Reason>,
}

/// A folder that is open.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Folder {
    pub path: String,
    /// The last part of the path.
    pub name: String,
    /// Ships with the program.
    pub bundled: bool,
    pub watched: bool,
}

/// What the user set in the window.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", default)]
pub struct Settings {
    pub theme: Theme,
    pub language: Language,
    /// Percent.
    pub zoom: u32,
    pub show_preview: bool,
    /// Keys that the user gave a command, by its name; `|` between several, empty: none.
    pub keys: BTreeMap<String, String>,
    pub retention: Retention,
    /// The command that opens a path in an outside editor, with `{path}` where the path goes; empty: none yet.
    pub editor: String,
    /// What the tokens of skills are counted with. Rules and recorded runs have one of their own, so that they say the same
    /// for everybody.
    pub tokenizer: Tokenizer,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            theme: Theme::System,
            language: Language::System,
            zoom: 100,
            show_preview: false,
            keys: BTreeMap::new(),
            retention: Retention::default(),
            editor: String::new(),
            tokenizer: Tokenizer::default(),
        }
    }
}

/// An editor that was found on this machine.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct OutsideEditor {
    pub title: String,
    /// As the settings take it.
    pub command: String,
}

/// Which runs are kept; `null`: all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", default)]
pub struct Retention {
    /// Those of the last so many days.
    pub days: Option<u32>,
    /// The latest ones that take no more than this, with the files that they wrote.
    pub gigabytes: Option<f64>,
    /// Runs with a verdict, a note or a bookmark go like others.
    pub reviewed_too: bool,
}

/// The window's colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Theme {
    System,
    Light,
    Dark,
    /// High contrast, light or dark as the system.
    Contrast,
}

/// The window's language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
pub enum Language {
    #[serde(rename = "system")]
    System,
    #[serde(rename = "en")]
    English,
    #[serde(rename = "zh-CN")]
    Chinese,
}

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

/// A skill with its files, and what is wrong with it.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SkillDetail {
    pub summary: SkillSummary,
    /// `SKILL.md` first, then by path.
    pub files: Vec<SkillFileDto>,
    pub findings: Vec<FindingDto>,
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

/// The three tiers of progressive disclosure.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct TierTokens {
    pub catalogue: u32,
    pub instructions: u32,
    pub resources: u32,
}

/// What is wrong with a folder or a file as a whole.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ProblemDto {
    pub kind: ProblemKind,
    pub severity: Severity,
    /// English; the window shows its own words for `kind`.
    pub message: String,
    pub path: String,
}

/// What a lint rule says of a skill.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct FindingDto {
    /// The rule's id.
    pub rule: String,
    pub severity: Severity,
    /// With the names and figures of this case.
    pub message: String,
    pub message_zh: String,
    /// Where reading the skill found it: the window has its own words for these.
    pub problem: Option<ProblemKind>,
    pub path: String,
    /// `null`: it is about the file, or the folder, as a whole.
    pub range: Option<TextRange>,
    /// Where the range ends, for programs that count lines: the window asks its editor.
    #[ts(skip)]
    pub end: Option<TextPlace>,
    pub fix: Option<FixDto>,
    /// The same as long as the rule finds the same on the same line, wherever the line moves to in the file.
    pub fingerprint: String,
}

/// What a finding's fix would do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct FixDto {
    /// What it does, as a button says it.
    pub title: String,
    pub title_zh: String,
    pub applicability: Applicability,
    /// Places before the fix, in the files' texts as an editor has them; none overlaps another.
    pub edits: Vec<EditDto>,
}

/// A piece of a file, and the text in its place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct EditDto {
    pub path: String,
    pub range: TextRange,
    pub text: String,
}

/// What a file's text becomes.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct FixedText {
    pub path: String,
    pub text: String,
}

/// Texts with all safe fixes made.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Fixed {
    pub texts: Vec<FixedText>,
    pub fixes: u32,
}

/// What a look at skills came to.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct LintResult {
    pub skills: u32,
    /// How many rules looked.
    pub rules: u32,
    /// By file, then place.
    pub findings: Vec<FindingDto>,
    /// What in `workbench.yaml` could not be followed.
    pub complaints: Vec<wording::Message>,
    pub switched_off: SwitchedOff,
    /// Of the skills' texts, for callers in this process that show parts of them.
    #[serde(skip)]
    #[ts(skip)]
    pub secrets: lint::Secrets,
}

/// How many findings of rules of security there would be besides.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SwitchedOff {
    /// But for the project's settings.
    pub settings: u32,
    /// But for comments in the skills' files.
    pub comments: u32,
}

/// Whether a project's word on its own findings counts: the settings in its `workbench.yaml`, and comments in its files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum ProjectSettings {
    #[default]
    Followed,
    Ignored,
}

/// How many findings a skill has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SkillCounts {
    pub skill: String,
    pub errors: u32,
    pub warnings: u32,
    pub infos: u32,
}

/// A lint rule, with all that is to be said about it.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct RuleDto {
    pub id: String,
    pub group: lint::Group,
    /// What its findings weigh unless the project says otherwise.
    pub severity: Severity,
    /// `false`: it looks only where it is asked to.
    pub on: bool,
    /// What the project says of it.
    pub setting: Option<Setting>,
    pub title: String,
    pub title_zh: String,
    pub what: String,
    pub what_zh: String,
    pub why: String,
    pub why_zh: String,
    pub source: String,
    pub fix: Option<Applicability>,
    pub bad: Vec<RuleExampleFile>,
    pub good: Vec<RuleExampleFile>,
}

/// What cannot be seen stands as `<U+200B>`; long texts are cut.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct RuleExampleFile {
    pub path: String,
    pub text: String,
}

/// A file's text as it stands in an editor, not saved yet.
#[derive(Debug, Clone, PartialEq, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct UnsavedText {
    pub path: String,
    pub text: String,
}

/// A line and a column, in UTF-16 units, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextPlace {
    pub line: u32,
    pub column: u32,
}

/// UTF-16 offsets into the file's text, and the line and column (from 1) of the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct TextRange {
    pub from: u32,
    pub to: u32,
    pub line: u32,
    pub column: u32,
}

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

/// What came of saving a file.
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
    /// The file lies in no repository.
    None,
    /// There is no program `git`.
    Missing,
    /// git does not read a repository of somebody else's, or something else is wrong with it.
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

/// The options of a harness, as the project file has them that holds.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct OptionForm {
    /// The project file, which need not be there yet.
    pub path: String,
    pub exists: bool,
    /// Project files of other open folders that say something of this harness, which does not count.
    pub shadowed: Vec<String>,
    pub options: Vec<OptionDto>,
}

/// An option of a harness, with its value.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct OptionDto {
    /// With a dot before what is within another option.
    pub name: String,
    pub kind: OptionKindDto,
    /// It may also be `null`.
    pub nullable: bool,
    /// For `other`: as YAML.
    #[ts(type = "unknown")]
    pub default: Value,
    /// What counts, which is the default where the file does not say it.
    #[ts(type = "unknown")]
    pub value: Value,
    /// The file says it.
    pub set: bool,
    pub help: Message,
}

/// How the form asks for a value.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum OptionKindDto {
    Flag,
    Choice {
        choices: Vec<OptionChoiceDto>,
    },
    Whole,
    Number,
    Text,
    /// A list of texts.
    Texts,
    /// Anything else, as YAML.
    Other,
}

/// One of the values to choose from.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct OptionChoiceDto {
    pub value: String,
    pub help: Option<Message>,
}

/// What an option becomes.
#[derive(Debug, Clone, PartialEq, Deserialize, TS)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum OptionValue {
    /// The file says nothing of it.
    Default,
    Value {
        #[ts(type = "unknown")]
        value: Value,
    },
    Yaml {
        text: String,
    },
}

/// Where a text is in the files of skills, as far as was looked.
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

/// A file that holds what is looked for.
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

/// A place where a text names a file, or a skill, and its text once that has another name.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Mention {
    pub path: String,
    pub place: FoundPlace,
    pub text: String,
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

/// What can stand at a place in a text.
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

/// What can be said of a text that is being edited.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct TextCheck {
    /// Of the whole skill, as it would be with the texts that are not saved yet.
    pub findings: Vec<FindingDto>,
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

/// A frontmatter field for the form. Values that are no plain text are edited in the source.
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

/// What was written of a skill as one file.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct PackageSaved {
    pub path: String,
    pub files: u32,
    /// Of the archive.
    #[ts(type = "number")]
    pub bytes: u64,
    pub left_out: Vec<PackageLeftOut>,
}

/// What a package does not hold, and why.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct PackageLeftOut {
    pub name: String,
    pub why: Message,
}

/// What an archive holds.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct PackageLook {
    /// Of the archive's bytes.
    pub version: String,
    pub skills: Vec<PackagedSkill>,
    pub left_out: Vec<PackageLeftOut>,
}

/// A skill in a package.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct PackagedSkill {
    /// The name of its folder.
    pub folder: String,
    pub name: String,
    pub description: String,
    /// `SKILL.md` first.
    pub files: Vec<PackagedFile>,
    pub tokens: TierTokens,
    /// Paths are those in the archive; no settings and no comments of the archive count.
    pub findings: Vec<FindingDto>,
    /// Findings of the group `security` among them.
    pub security_errors: u32,
    pub security_warnings: u32,
    pub security_hints: u32,
}

/// A file of it.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct PackagedFile {
    /// Relative to the skill's folder, with `/`.
    pub name: String,
    #[ts(type = "number")]
    pub size: u64,
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

/// What a window shows of an [`Inspection`] at first sight, whatever the number of skills. The rest is asked for when somebody
/// looks at it.
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

/// What of a list costs how much; its tools and its skills are in their order.
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

/// Where a harness hurts an author.
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
/// where they are not treated alike. The rest is asked for when somebody looks at it.
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

/// What a harness makes of a skill, if that is worth a mark.
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

/// What one harness makes of one skill.
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

/// Where the model reads which skills there are.
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

/// A skill of Compare, with what each column makes of it.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ComparedSkill {
    /// The folder's, relative to its root where it lies in one; an inline skill's name.
    pub name: String,
    /// The folder; `null` for inline skills.
    pub path: Option<String>,
    /// One for each column.
    pub columns: Vec<Presence>,
}

/// What a harness makes of a skill.
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
    /// The framework does not look where it lies.
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
    /// It can be loaded by who knows of it.
    NotListed,
    LeftOut,
    /// The framework does not look where it lies.
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

/// A piece of two texts laid side by side.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct DiffPiece {
    pub kind: DiffKind,
    pub text: String,
}

/// Whose a piece of text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum DiffKind {
    Same,
    /// Only in the first text.
    Removed,
    /// Only in the second.
    Added,
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

/// Several runs of one scene, step by step beside each other.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Alignment {
    pub runs: Vec<RunDetail>,
    pub rows: Vec<AlignedRow>,
}

/// Steps of several runs that belong together.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct AlignedRow {
    /// For each run the index of its step; `null`: it has none here.
    pub steps: Vec<Option<u32>>,
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

/// What the server of a model says of the tokens of the first request: of all of it, and, from what it says of the request
/// without some of its parts, of those parts.
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

/// A model of the list.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ModelInfo {
    pub id: String,
    pub title: String,
    /// Plays a screenplay; nobody's model.
    pub rehearsal: bool,
    pub base_url: Option<String>,
    pub key: KeyState,
    /// `false`: its key is not to be had.
    pub ready: bool,
    pub context: Option<u32>,
    /// Its server can be asked how many tokens a request has.
    pub counts: bool,
    /// The preset whose address it has.
    pub preset: Option<String>,
    /// As `models.yaml` has it; `null` for the rehearsal model.
    pub entry: Option<ModelEntry>,
}

/// Where a key is, and whether it is there. The key itself never crosses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct KeyState {
    pub source: KeySource,
    /// Of the environment variable, of the keyring's entry, of the AWS profile, or of the program that prints it.
    pub name: Option<String>,
    pub state: KeyStanding,
    /// Why it is not there, or not usable.
    pub reason: Option<String>,
    /// What to do about it.
    pub hint: Option<String>,
    /// What the reason says, to be said in other words.
    pub why: Option<KeyError>,
}

/// Where a key comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum KeySource {
    None,
    Env,
    Keyring,
    /// A profile of AWS, or what the environment says if it has no name.
    Aws,
    Command,
}

/// Whether a key is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum KeyStanding {
    /// The server wants none.
    Unneeded,
    Set,
    /// A command prints it when a request is made.
    Printed,
    Missing,
    /// It is there and cannot be used, or nobody can tell.
    Unusable,
}

/// The models of `models.yaml`.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ModelList {
    pub models: Vec<ModelInfo>,
    /// `models.yaml`.
    pub path: String,
    /// Of the file's bytes; pass it back with a change. `null`: there is no file yet.
    pub version: Option<String>,
    /// Why `models.yaml` could not be used.
    pub error: Option<String>,
    /// The same in Chinese.
    pub error_zh: Option<String>,
}

/// A model to add.
#[derive(Debug, Clone, PartialEq, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ModelAddArgs {
    /// Read by the method itself, so that what is wrong with it is told like any other error.
    #[ts(as = "ModelEntry")]
    pub entry: Value,
    /// Of the list that it was made from; `null`: whatever stands in the file now.
    pub version: Option<String>,
}

/// Of an entry, saved or not; placeholders of a preset may still stand in it.
#[derive(Debug, Clone, PartialEq, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ModelAddressArgs {
    pub provider: Protocol,
    pub base_url: String,
}

/// Where the requests of an entry go.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ModelAddress {
    /// Where requests go.
    pub url: String,
    /// The preset whose address it is.
    pub preset: Option<String>,
}

/// Whose list of models is asked for.
#[derive(Debug, Clone, PartialEq, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ModelNamesArgs {
    #[ts(as = "ModelEntry")]
    pub entry: Value,
}

/// A model to try out.
#[derive(Debug, Clone, PartialEq, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ModelTestArgs {
    /// A name for the test, by which it is pushed and stopped.
    pub test: String,
    #[ts(as = "ModelEntry")]
    pub entry: Value,
}

/// A trial to end.
#[derive(Debug, Clone, PartialEq, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ModelTestStopArgs {
    pub test: String,
}

/// A model with other fields.
#[derive(Debug, Clone, PartialEq, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ModelUpdateArgs {
    pub id: String,
    /// May have another id.
    #[ts(as = "ModelEntry")]
    pub entry: Value,
    pub version: Option<String>,
}

/// A model to take off the list.
#[derive(Debug, Clone, PartialEq, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ModelRemoveArgs {
    pub id: String,
    pub version: Option<String>,
}

/// A key, as an entry names it.
#[derive(Debug, Clone, PartialEq, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct KeyArgs {
    /// Read by the method itself, as above.
    #[ts(as = "Option<KeyRef>")]
    pub key: Value,
}

/// The one value that holds a key, on its way to the keyring.
#[derive(Debug, Clone, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct KeySetArgs {
    /// Of the keyring's entry.
    pub name: String,
    pub secret: Secret,
}

/// A key to take out of the system's keyring.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct KeyDeleteArgs {
    /// Of the keyring's entry.
    pub name: String,
}

/// A screenplay of an open folder.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ScreenplayInfo {
    pub path: String,
    /// File name without its ending.
    pub name: String,
    pub screenplay: Screenplay,
    /// Why the file could not be used; `screenplay` is then empty.
    pub error: Option<Message>,
}

/// A run to start.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct RunRequest {
    /// `null`: all open folders.
    pub roots: Option<Vec<String>>,
    pub harness: String,
    pub variant: Option<String>,
    /// An id of `models.yaml`, `rehearsal`, or `recorded:` and the id of a run: its answers are given again.
    pub model: String,
    pub prompt: String,
    /// What the user says it with.
    #[serde(default)]
    #[ts(as = "Option<Vec<Image>>", optional)]
    pub images: Vec<Image>,
    /// `null`: the screenplay whose prompt is this one, else the fixed walk.
    pub screenplay: Option<String>,
    /// Names of skills to leave out.
    pub without: Vec<String>,
    /// Skills are shown at `/skills` and the run's folder at `/workspace`; `null`: as the project has it.
    #[serde(default)]
    pub neutral_paths: Option<bool>,
    #[serde(default)]
    pub means: RunMeans,
}

/// What a run may use, and how what runs in it is confined: of one that begins, goes on or is forked.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, TS)]
#[serde(rename_all = "camelCase", default)]
pub struct RunMeans {
    /// Model requests of the whole run; `null`: the project's cap.
    pub turns: Option<u32>,
    /// Tokens of all requests and answers together; `null`: the project's limit.
    pub tokens: Option<u32>,
    /// For the whole run, without the time it waits for the user; `null`: the project's limit.
    pub seconds: Option<u32>,
    /// US dollars; `null`: the project's limit.
    pub cost: Option<f64>,
    /// Milliseconds between the pieces of a rehearsed or recorded answer, so that a room can follow; `null`: none.
    pub pace: Option<u32>,
    /// `null`: as the project has it.
    pub sandbox: Option<SandboxMode>,
    /// What runs may use the network. No project can say so.
    pub network: bool,
    /// A framework that looks outside of the open folders is answered as it would be. No project can say so. `null`: as the
    /// run has it that goes on or is forked, if it was recorded here; else no.
    pub fidelity: Option<bool>,
    /// Asks about everything, also what the user allowed for good.
    pub ask_all: bool,
}

/// Something on this machine that could answer, of which no model is made yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ModelOffer {
    /// Id of the preset that a model of it begins with.
    pub preset: String,
    /// The variable in which its key is; `null`: its server answers on this machine.
    pub key_env: Option<String>,
}

/// What the user says further in a run that has ended.
#[derive(Debug, Clone, PartialEq, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ContinueArgs {
    pub run: RunId,
    /// `null`: all open folders.
    pub roots: Option<Vec<String>>,
    /// `null`: the one that it has. Only a run that another program recorded can go on under another one.
    #[serde(default)]
    #[ts(as = "Option<String>", optional)]
    pub harness: Option<String>,
    /// `null`: the one that answered last.
    pub model: Option<String>,
    pub prompt: String,
    #[serde(default)]
    #[ts(as = "Option<Vec<Image>>", optional)]
    pub images: Vec<Image>,
    #[serde(default)]
    pub means: RunMeans,
}

/// A new run that goes another way than a recorded one from a step on. What is left out stays as it was there.
#[derive(Debug, Clone, PartialEq, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ForkArgs {
    pub run: RunId,
    /// Index of the step that is done again, or otherwise.
    pub step: u32,
    /// `null`: all open folders.
    pub roots: Option<Vec<String>>,
    /// What the user says in place of a prompt, or behind any other step.
    #[serde(default)]
    pub prompt: Option<String>,
    /// What the user says it with; `null`: a prompt keeps its pictures, and what is said behind another step has none.
    #[serde(default)]
    pub images: Option<Vec<Image>>,
    /// The result of the call that the step is.
    #[serde(default)]
    pub result: Option<String>,
    #[serde(default)]
    pub harness: Option<String>,
    #[serde(default)]
    pub variant: Option<String>,
    #[serde(default)]
    pub model: Option<String>,
    /// `null`: the screenplay whose first prompt is that of the run, else the fixed walk.
    #[serde(default)]
    pub screenplay: Option<String>,
    #[serde(default)]
    pub means: RunMeans,
}

/// A run with all that were forked off it, and those that it was forked off.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct RunTree {
    /// Each before the runs that were forked off it, those by the step at which they were.
    pub runs: Vec<TreeRun>,
}

/// A run among those that were forked off each other.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct TreeRun {
    pub run: RunId,
    /// 0: the one from which all others come.
    pub depth: u32,
    /// Where it was forked off; `null`: nowhere, or it is not known.
    pub from: Option<ForkedFrom>,
    /// `null`: it is not here.
    pub summary: Option<RunSummary>,
}

/// A run with all its steps.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct RunDetail {
    pub summary: RunSummary,
    pub steps: Vec<Step>,
}

/// Which runs of the list.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct IndexArgs {
    /// Words that are all in a run's prompt or in the names of its framework and model; empty: all runs.
    pub words: String,
    /// Runs that are described; all are named.
    pub most: u32,
    /// Only runs that are over and have answers of their own, so that these can be given again in another run.
    pub answering: bool,
}

/// The list of runs: what each is called, and descriptions of the newest.
#[derive(Debug, Clone, Default, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct RunIndex {
    /// The one started last first.
    pub ids: Vec<RunId>,
    /// The first of them.
    pub runs: Vec<RunSummary>,
    /// What these runs can be told apart by.
    pub harnesses: Vec<String>,
    pub models: Vec<String>,
    pub skills: Vec<String>,
    /// Those of which the store holds something that makes no sense.
    pub unreadable: Vec<UnreadableRun>,
}

/// Runs to describe.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SomeRunsArgs {
    pub runs: Vec<RunId>,
}

/// Which steps of a run.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct PageArgs {
    pub run: RunId,
    /// Index of the first.
    pub from: u32,
    /// So many, or fewer if their texts are long.
    pub most: u32,
}

/// Some steps of a run, in order.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct RunPage {
    pub summary: RunSummary,
    /// Steps of the run.
    pub all: u32,
    /// So many events were taken in: updates up to this number are in the steps.
    pub events: u32,
    pub steps: Vec<Step>,
}

/// Runs that are not kept.
#[derive(Debug, Clone, Default, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct PrunedRuns {
    /// Those that go or are gone, the oldest first.
    pub runs: Vec<GoingRun>,
    /// Bytes that all runs took.
    #[ts(type = "number")]
    pub bytes: u64,
    /// Bytes that are given back to the disk.
    #[ts(type = "number")]
    pub freed: u64,
    /// Bytes in the store that later runs will use.
    #[ts(type = "number")]
    pub reusable: u64,
    /// Runs that would go if they were not pinned, and if nothing was said about them.
    pub pinned: u32,
    pub reviewed: u32,
}

/// The calls of a recorded run against what they come to now.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct RunCheck {
    pub run: RunId,
    /// The run that they are compared with; `null`: they were served again, and nothing was run.
    pub played: Option<RunId>,
    pub harness: String,
    pub variant: String,
    /// The folders of skills that were read.
    pub roots: Vec<String>,
    /// Calls that come to something else, or no longer resolve.
    pub bad: u32,
    /// Calls that were to run again, and that nobody allowed.
    pub refused: u32,
    pub calls: Vec<CheckedCall>,
}

/// What a run changed on disk.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct RunFiles {
    /// What the user said, each with what came of it on disk.
    pub turns: Vec<TurnFiles>,
    /// The run's folder; `null`: it is no longer there.
    pub folder: Option<String>,
    /// What file tools wrote outside of it, with a yes for each.
    pub outside: Vec<WrittenFile>,
}

/// What a turn left in the folder of the run.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct TurnFiles {
    pub known: FilesKnown,
    pub files: Vec<RunFile>,
    /// Further files that are not listed.
    pub more: u32,
    /// Something of the folder was not looked at.
    pub partial: bool,
    /// Whether the skills are as they were before; none where that is not known, or where nothing could change them.
    pub skills: Vec<LeftSkill>,
}

/// How it is known what a turn left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum FilesKnown {
    /// It was looked at when the turn was over.
    Recorded,
    /// Nothing ran and nothing was written.
    Nothing,
    /// The turn goes on, broke off, or was recorded before this was kept: the list is what the folder holds now.
    Found,
    /// The same, and the folder cannot say it: the list is what calls reported.
    Reported,
}

/// A file that it left or changed.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct RunFile {
    /// Below the run's folder.
    pub path: String,
    pub change: Change,
    /// Bytes; of a deleted file those it had.
    #[ts(type = "number")]
    pub size: u64,
    /// Why its text is not kept; `null`: it is.
    pub unkept: Option<Unkept>,
    /// It can be saved elsewhere.
    pub saveable: bool,
}

/// A file before and after a turn.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct RunFileText {
    pub change: Change,
    pub before: Option<String>,
    pub after: Option<String>,
    /// Why one of the texts is not there; then there are no pieces.
    pub unkept: Option<Unkept>,
    pub pieces: Vec<DiffPiece>,
}

/// What came of saving files of a run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SavedFiles {
    /// Where they are now.
    pub saved: Vec<String>,
    /// What is there already: nothing was written.
    pub existing: Vec<String>,
    /// Links, and files that neither the record nor the run's folder has any more.
    pub left_out: Vec<String>,
}

/// Pushed for each event while a run goes on: what it changed of the steps.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct RunUpdate {
    pub run: RunId,
    /// The event's number, from 1.
    pub event: u32,
    pub status: RunStatus,
    /// So far.
    pub spent: Spent,
    /// Steps that began, or whose content changed.
    pub steps: Vec<Step>,
    /// Of other steps, what changed.
    pub changes: Vec<StepChange>,
}

/// Pushed when something below an open folder changed on disk.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct FilesChanged {
    /// Absolute paths, as far as they are known.
    pub paths: Vec<String>,
}

/// What the core pushes to whoever shows it.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Push {
    FilesChanged(FilesChanged),
    RunUpdate(RunUpdate),
    ModelCheck(TestedCheck),
    ImportProgress(ImportProgress),
    TraceSent(TraceSent),
    /// Another process recorded, imported, changed or deleted runs.
    RunsChanged,
}

/// What the window shows and a command may change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Data {
    /// The open folders, the skills in them, and the files of these.
    Skills,
    /// What the project says of rules.
    Rules,
    /// The configured models, and which of their keys are there.
    Models,
    /// The list of runs, with their verdicts and pins.
    Runs,
}

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

/// What came of sending a run.
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

/// What somebody may not want to share.
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

/// What importing a file came to.
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

/// Something that was not known, and how often it was there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Counted {
    pub kind: String,
    pub count: u32,
}

/// A check of a test that goes on.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct TestedCheck {
    /// As `model_test` named it.
    pub test: String,
    pub check: Check,
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

macro_rules! arguments {
    ($($(#[$doc:meta])* $name:ident { $($field:ident: $type:ty),* $(,)? })*) => {
        $($(#[$doc])* #[derive(Debug, Clone, PartialEq, Deserialize, TS)]
        #[serde(rename_all = "camelCase")]
        pub struct $name { $(pub $field: $type),* })*
    };
}

arguments! {
    /// A folder by path.
    PathArgs { path: String }
    SkillArgs { id: String }
    /// The folder of a skill.
    CardArgs { skill: String }
    CardTextArgs { skill: String, format: CardFormat }
    CardSaveArgs { skill: String, format: CardFormat, path: String }
    /// `force` writes over whatever is there.
    FileSave { path: String, text: String, base: Option<String>, force: bool }
    FileMove { from: String, to: String }
    /// A move of a file or of a skill's folder that is not done yet. `unsaved`: texts in place of those on disk.
    MentionArgs { from: String, to: String, unsaved: Vec<UnsavedText> }
    /// Text as it stands in the editor.
    TextArgs { path: String, text: String }
    /// A text as it stands in the editor, and those of other files that are not saved yet.
    CheckArgs { path: String, text: String, unsaved: Vec<UnsavedText> }
    /// Rules and groups to look for, by id; none: those of the project.
    LintArgs { profile: Option<Profile>, select: Vec<String>, ignore: Vec<String>, settings: ProjectSettings }
    /// What the project is to say of a rule; `null`: nothing.
    RuleSetArgs { rule: String, setting: Option<Setting> }
    /// Writes which profile the project follows.
    RuleProfileArgs { profile: Profile }
    /// Sets one frontmatter field, or removes it with `null`.
    FieldEdit { path: String, text: String, key: String, value: Option<String> }
    /// Three-way merge of a file: what both started from, mine, theirs.
    MergeArgs { base: String, mine: String, theirs: String }
    /// `name`: of the folder, and in the frontmatter.
    SkillCopyArgs { skill: String, name: String }
    /// `path`: of the archive.
    PackageSaveArgs { skill: String, path: String }
    /// `version`: of the archive that was looked at; `null`: whatever is there. `names`: the skills that are taken, by their
    /// folders in the archive, each with the name of its new folder; empty: all, under their own. `renamed`: those whose
    /// `SKILL.md` gets that name too, by their folders in the archive.
    PackageOpenArgs { path: String, version: Option<String>, folder: String, names: BTreeMap<String, String>, renamed: Vec<String> }
    NewSkill { folder: String, name: String, description: String, template: String }
    /// `unsaved`: texts that stand in place of those on disk. `neutralPaths`: `null`: as the project has it.
    CompareArgs { roots: Option<Vec<String>>, of: Vec<HarnessChoice>, prompt: Option<String>, cwd: Option<String>, neutral_paths: Option<bool>, unsaved: Vec<UnsavedText>, without: Vec<String> }
    /// `skill`: its folder, or the name of an inline skill.
    CompareSkillArgs { of: CompareArgs, skill: String }
    /// Two texts, to be compared by words or by lines.
    TextDiffArgs { a: String, b: String }
    /// `unsaved`: texts that stand in place of those on disk.
    OptionsArgs { harness: String, unsaved: Vec<UnsavedText> }
    /// `text`: of the project file as it is edited. `option`: with dots, as in its description.
    OptionEdit { path: String, text: String, harness: String, option: String, value: OptionValue }
    /// `request`: of a user; `null`: only the skills are compared with each other. `unsaved`: texts that stand in place of
    /// those on disk. `without`: names of skills that take no part.
    CollisionArgs { request: Option<String>, unsaved: Vec<UnsavedText>, without: Vec<String> }
    /// `at`: where somebody types.
    CompleteArgs { path: String, text: String, at: u32, unsaved: Vec<UnsavedText> }
    VersionArgs { path: String, of: VersionRef }
    /// `after`: the `next` of the answer before; `null`: from the first file.
    FindArgs { text: String, match_case: bool, whole_words: bool, regex: bool, unsaved: Vec<UnsavedText>, after: Option<String> }
    /// One scene under several harnesses, with the rehearsal model. Scripts ask as in any run.
    RehearseArgs { roots: Option<Vec<String>>, of: Vec<HarnessChoice>, prompt: String, screenplay: Option<String>, without: Option<Vec<String>>, sandbox: Option<SandboxMode>, neutral_paths: Option<bool>, network: Option<bool>, fidelity: Option<bool>, ask_all: Option<bool> }
    AlignArgs { runs: Vec<RunId> }
    /// `neutralPaths`: `null`: as the project has it. `unsaved`: texts that stand in place of those on disk. `without`: names
    /// of skills that take no part.
    InspectArgs { roots: Option<Vec<String>>, harness: String, variant: Option<String>, prompt: Option<String>, cwd: Option<String>, neutral_paths: Option<bool>, unsaved: Vec<UnsavedText>, without: Vec<String> }
    /// `of`: the same as for the list that the skill is in. `skill`: its id there.
    InspectSkillArgs { of: InspectArgs, skill: String }
    /// `model`: the id of a model in `models.yaml`, whose server counts.
    CountArgs { of: InspectArgs, model: String }
    RunArgs { run: RunId }
    PinArgs { run: RunId, pinned: bool }
    /// `retention`: `null` for that of the settings. `dryRun`: only says which runs go.
    PruneArgs { retention: Option<Retention>, dry_run: bool }
    /// `turn` counts from 0.
    RunFileArgs { run: RunId, turn: u32, path: String }
    /// `paths` empty: all. `turn`: as that turn left them; `null`: as the run left them last. `replace`: over what is there.
    SaveFilesArgs { run: RunId, turn: Option<u32>, paths: Vec<String>, folder: String, replace: bool }
    StepArgs { run: RunId, step: u32 }
    /// `folder`: of the skill. `program`: `null` for all.
    ApprovalArgs { folder: String, program: Option<Program> }
    ApprovalSetArgs { folder: String, program: Option<Program>, answer: Standing }
    /// `question` is that of the step which waits. `remember`: it holds longer than the run, for the skill as it is.
    DecideArgs { run: RunId, question: u32, decision: Decision, remember: Option<Standing> }
    /// `arguments`: what the call that `question` is about would have instead of its own.
    TryArgs { run: RunId, question: u32, arguments: String }
    /// `question` is that of the step which waits.
    SettleArgs { run: RunId, question: u32, choice: CutChoice }
    ExportArgs { run: RunId, format: RunExport }
    DiffArgs { a: RunId, b: RunId }
    /// `roots`: of the skills; `null`: those of the run, or the open ones for a run from elsewhere. `played`: a run that was
    /// played again from it, to compare with.
    CheckRunArgs { run: RunId, roots: Option<Vec<String>>, played: Option<RunId> }
    PlayAgainArgs { run: RunId, roots: Option<Vec<String>>, sandbox: Option<SandboxMode>, ask_all: bool }
    /// Words, "phrases" and filters.
    SearchArgs { query: String }
    /// `event`: that began the step. Without a text and a bookmark, the note is taken away.
    NoteArgs { run: RunId, event: u32, text: String, bookmark: bool }
    /// `judged`: `null` takes the verdict away.
    VerdictArgs { run: RunId, judged: Option<Judged>, line: String }
    ImportArgs { text: String }
    /// `from`: what recorded it; `null`: told by what is in it. `import` is a name by which it can be stopped.
    ImportFileArgs { path: String, from: Option<Foreign>, import: String }
    ImportStopArgs { import: String }
    /// A page with a run in it, without the texts in `redact`.
    ReplayArgs { run: RunId, chinese: bool, redact: Vec<PrivateText> }
    ReplaySaveArgs { path: String, run: RunId, chinese: bool, redact: Vec<PrivateText> }
    /// To a tracing back end; `to`, `contents` and `skills`: `null` is what `models.yaml` says. `redact`: what is taken out;
    /// `null`: all that is found.
    PushArgs {
        run: RunId,
        to: Option<String>,
        contents: Option<bool>,
        skills: Option<bool>,
        redact: Option<Vec<PrivateText>>,
    }
    /// Where to write an export.
    SaveArgs { path: String, run: RunId, format: RunExport }
    SettingsArgs { settings: Settings }
    NoArgs {}
}
