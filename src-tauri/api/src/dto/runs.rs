//! Runs: how they start, go on and ask, and how they are read.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::settings::Retention;
use super::texts::DiffPiece;
use config::{SandboxMode, Screenplay};
use harness::Effect;
use model::Image;
use trace::check::CheckedCall;
use trace::review::Judged;
use trace::store::GoingRun;
use trace::{
    Change, CutChoice, Decision, Enforcement, ForkedFrom, LeftSkill, RunId, RunSummary, Standing, Step, Unkept,
    UnreadableRun, WrittenFile,
};
use wording::Message;

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

/// Several runs of one scene, step by step next to each other.
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

/// The limits of a run that begins, continues or is forked, and how its scripts are confined.
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

/// A further prompt of the user in a run that has ended.
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

/// A new run that differs from a recorded one from a step on. Fields that are left out stay as they were there.
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
    /// The text of the answer that the step is; the calls in it are made. With it, `prompt` is what the user says after
    /// that answer, if it calls nothing.
    #[serde(default)]
    pub answer: Option<String>,
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
    /// The folder was read when the turn was over.
    Recorded,
    /// Nothing ran and nothing was written.
    Nothing,
    /// The turn goes on, broke off, or was recorded before this was kept: the list shows the folder as it is now.
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

/// The result of saving files of a run.
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

/// Something that was not known, and how often it was there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Counted {
    pub kind: String,
    pub count: u32,
}

arguments! {
    AlignArgs { runs: Vec<RunId> }
    RunArgs { run: RunId }
    PinArgs { run: RunId, pinned: bool }
    /// `retention`: `null` for that of the settings. `dryRun`: only says which runs go.
    PruneArgs { retention: Option<Retention>, dry_run: bool }
    /// `turn` counts from 0.
    RunFileArgs { run: RunId, turn: u32, path: String }
    /// `paths` empty: all. `turn`: as that turn left them; `null`: as the run left them last. `replace`: over what is there.
    SaveFilesArgs { run: RunId, turn: Option<u32>, paths: Vec<String>, folder: String, replace: bool }
    StepArgs { run: RunId, step: u32 }
    /// `question` is that of the step which waits. `remember`: it holds longer than the run, for the skill as it is.
    DecideArgs { run: RunId, question: u32, decision: Decision, remember: Option<Standing> }
    /// `arguments`: the arguments to try instead of the call's own, for the call of `question`.
    TryArgs { run: RunId, question: u32, arguments: String }
    /// `question` is that of the step which waits.
    SettleArgs { run: RunId, question: u32, choice: CutChoice }
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
}
