//! The record of runs: append-only events, the store that keeps them, and the one fold that turns events into steps,
//! which the live view and the replay share. What the model saw is what is stored.

pub mod align;
pub mod branch;
pub mod check;
pub mod clock;
pub mod columns;
pub mod context;
pub mod diff;
mod enforcement;
pub mod export;
pub mod fold;
pub mod foreign;
pub mod kept;
mod left;
mod lines;
pub mod open_run;
mod outcome;
pub mod passage;
pub mod query;
mod reached;
pub mod recorder;
pub mod review;
#[cfg(test)]
pub(crate) mod sample;
pub mod spans;
pub mod spending;
pub mod spool;
mod standing;
pub mod store;
pub mod turns;

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use ts_rs::TS;
use wording::{Message as Words, message};

pub use self::enforcement::{Enforcement, Layer, Measure, Reason};
pub use self::foreign::Foreign;
pub use self::left::{Change, Content, Left, LeftFile, LeftSkill, Unkept};
pub use self::outcome::Outcome;
pub use self::reached::Reached;
use self::review::Judged;
use self::spending::Spent;
pub use self::standing::{Program, Standing};
use crate::clock::Millis;
use harness::{Disclosure, Effect, GroupState, Origin, ScriptOutput};
use model::entry::Prices;
use model::{Document, FinishReason, Image, Message, ModelError, Retried, Role, ToolCall, Usage};
use skill::paths::Paths;
use skill::source::Span;

/// A run's id: a UUID v7, so ids sort by time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(transparent)]
#[ts(type = "string")]
pub struct RunId(pub uuid::Uuid);

impl std::fmt::Display for RunId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl std::str::FromStr for RunId {
    type Err = uuid::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self)
    }
}

/// What can go wrong with the record.
#[derive(Debug, thiserror::Error)]
#[error("{}", self.worded().en)]
pub enum TraceError {
    Open {
        path: Utf8PathBuf,
        source: rusqlite::Error,
    },
    Damaged {
        path: Utf8PathBuf,
        source: rusqlite::Error,
    },
    Foreign {
        path: Utf8PathBuf,
    },
    Newer {
        path: Utf8PathBuf,
    },
    ReadOnly {
        path: Utf8PathBuf,
        reason: Words,
    },
    Strange {
        path: Utf8PathBuf,
        reason: Words,
    },
    Endless {
        path: Utf8PathBuf,
        seconds: u64,
    },
    Migrate {
        path: Utf8PathBuf,
        source: rusqlite_migration::Error,
    },
    Gone {
        path: Utf8PathBuf,
    },
    Lost {
        path: Utf8PathBuf,
        reason: Words,
    },
    Access {
        path: Utf8PathBuf,
        source: std::io::Error,
    },
    Closed,
    Slow,
    Unreadable {
        run: RunId,
        reason: Words,
    },
    NotRecording {
        run: RunId,
    },
    StillRunning {
        run: RunId,
    },
    WentOn {
        run: RunId,
    },
    Sql {
        #[from]
        source: rusqlite::Error,
    },
    Event {
        #[from]
        source: serde_json::Error,
    },
    Import {
        line: usize,
        reason: Words,
    },
}

impl TraceError {
    /// What failed, and what to do about it if there is something.
    pub fn worded(&self) -> Words {
        match self {
            Self::Open { path, source } => {
                message!("cannot open trace store {path}: {source}", "无法打开轨迹库 {path}：{source}")
            }
            Self::Damaged { path, .. } => message!(
                "{path} is damaged or is not a trace store; move it away to start an empty one",
                "{path} 已损坏，或不是轨迹库；把它移走即可新建一个空库"
            ),
            Self::Foreign { path } => message!(
                "{path} is a database of another program; name another file for the trace store",
                "{path} 是其他程序的数据库；请为轨迹库另选一个文件"
            ),
            Self::Newer { path } => message!(
                "trace store {path} was written by a newer version of this program; update the program, or move the file \
                 away to start an empty one",
                "轨迹库 {path} 由更新版本的程序写入；请更新程序，或把文件移走以新建一个空库"
            ),
            Self::ReadOnly { path, reason } => {
                message!("trace store {path} can only be read: {reason}", "轨迹库 {path} 只能读取：{reason}"; reason)
            }
            Self::Strange { path, reason } => message!(
                "{path} is not a trace store that this program made: {reason}; move it away to start an empty one",
                "{path} 不是本程序建立的轨迹库：{reason}；把它移走即可新建一个空库";
                reason
            ),
            Self::Endless { path, seconds } => message!(
                "trace store {path} did not answer a question within {seconds} s, which none takes; move it away to \
                 start an empty one",
                "轨迹库 {path} 在 {seconds} 秒内没有答复一次查询，正常的库不会这样；把它移走即可新建一个空库"
            ),
            Self::Migrate { path, source } => {
                message!("cannot set up trace store {path}: {source}", "无法建立轨迹库 {path}：{source}")
            }
            Self::Gone { path } => message!(
                "the trace store at {path} is no longer the file that this program opened",
                "{path} 处的轨迹库已不是本程序打开的那个文件"
            ),
            Self::Lost { path, reason } => message!(
                "the trace store at {path} does not contain what was written to it: {reason}",
                "{path} 处的轨迹库里没有写入的内容：{reason}";
                reason
            ),
            Self::Access { path, source } => {
                let why = wording::why(source);
                message!("cannot use {path}: {why}", "无法使用 {path}：{why}"; why)
            }
            Self::Closed => message!("the trace store is closed", "轨迹库已关闭"),
            Self::Slow => message!("the trace store did not answer in time", "轨迹库没有及时响应"),
            Self::Unreadable { run, reason } => {
                message!("cannot read run {run}: {reason}", "无法读取运行 {run}：{reason}"; reason)
            }
            Self::NotRecording { run } => {
                message!("run {run} was not started here, or has ended", "运行 {run} 不是在这里启动的，或已经结束")
            }
            Self::StillRunning { run } => {
                message!("run {run} is still running; stop it first", "运行 {run} 仍在进行；请先停止它")
            }
            Self::WentOn { run } => message!(
                "run {run} went on elsewhere in the meantime; open it again to see what was said",
                "运行 {run} 已在别处继续；请重新打开它，查看说了什么"
            ),
            Self::Sql { source } => message!("the trace store reported an error: {source}", "轨迹库出错：{source}"),
            Self::Event { source } => {
                let why = wording::refusal(&source.to_string());
                message!("cannot read an event in the trace store: {why}", "无法读取轨迹库中的一个事件：{why}"; why)
            }
            Self::Import { line, reason } => message!("line {line}: {reason}", "第 {line} 行：{reason}"; reason),
        }
    }

    /// Whether another program holds the lock of the store.
    pub fn is_locked(&self) -> bool {
        let (Self::Open { source, .. } | Self::Sql { source }) = self else { return false };
        is_locked(source)
    }
}

fn is_locked(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error_code();
    matches!(code, Some(rusqlite::ErrorCode::DatabaseBusy | rusqlite::ErrorCode::DatabaseLocked))
}

/// One thing that happened. `seq` counts from 0 within a run and is assigned by the recorder alone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Event {
    pub seq: u32,
    pub at: Millis,
    /// The conversation it belongs to: that of the sub-agent that the call of this id started, or a request of the
    /// framework's own, `summary-1`. `None`: the run's own conversation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<String>,
    pub kind: EventKind,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum EventKind {
    /// Always the first.
    Started {
        setup: RunSetup,
    },
    /// The user said more: after the end of a run that goes on, or after the answer to an earlier prompt. `setup`
    /// applies from here on; the harness and its variant stay.
    Continued {
        setup: RunSetup,
    },
    /// From here the run differs from the one that it was forked off: the events before this one were recorded there.
    /// `setup` applies from here on. A fork at a prompt has no such event: there `Started` or `Continued` says it.
    Forked {
        setup: RunSetup,
        /// The user gave another result to the call that was open there.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        edited: Option<EditedResult>,
        /// The user wrote the answer to the request that was open there; it comes next.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        answered: bool,
    },
    /// A model request went out. `body` is what was sent, byte for byte.
    Requested {
        turn: u32,
        body: String,
        /// So many messages at its head have the origins they had in the request before it in its conversation.
        #[serde(default, skip_serializing_if = "is_none_kept")]
        kept: u32,
        /// For each further message of the request as it is sent, in order, who put it there.
        origins: Vec<MessageOrigin>,
        /// Tokens of the messages and the tool definitions, by the tokenizer named in the setup; the JSON around them
        /// is not counted.
        tokens: u32,
        /// The model that was asked, where it is not the run's own.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        model: Option<AskedModel>,
        /// Names of the agents from the run's own down to the one that asked; empty where it has no name.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        agents: Vec<String>,
    },
    /// What arrived of the answer, about every 50 ms.
    Streamed {
        turn: u32,
        text: String,
        reasoning: String,
    },
    Answered {
        turn: u32,
        message: Message,
        usage: Option<Usage>,
        finish: FinishReason,
        /// Of the message, by the run's tokenizer.
        tokens: u32,
    },
    /// The request failed; `raw` is what the server said, capped.
    Failed {
        turn: u32,
        message: String,
        /// What to do now.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        hint: Option<String>,
        raw: String,
        /// What `message` says, to be said in other words.
        #[serde(default, deserialize_with = "if_known", skip_serializing_if = "Option::is_none")]
        why: Option<ModelError>,
    },
    /// `disclosure` is what the call discloses if it succeeds.
    Called {
        turn: u32,
        call: ToolCall,
        disclosure: Disclosure,
    },
    /// The run waits for the user. What the framework does of itself before a request has an id that no call has.
    ApprovalAsked {
        call_id: String,
        effect: Effect,
        #[serde(default, skip_serializing_if = "Subject::is_plain")]
        subject: Subject,
    },
    ApprovalGiven {
        call_id: String,
        decision: Decision,
    },
    /// The effect of the edited arguments that the user agreed to. It may differ from the effect in the question.
    Agreed {
        call_id: String,
        effect: Effect,
        #[serde(default, skip_serializing_if = "Subject::is_plain")]
        subject: Subject,
    },
    /// The user was not asked, because of a remembered answer: `subject` is as in a question, and `decision` the
    /// result.
    Remembered {
        call_id: String,
        effect: Effect,
        #[serde(default, skip_serializing_if = "Subject::is_plain")]
        subject: Subject,
        standing: Standing,
        decision: Decision,
    },
    /// The answer of a turn may be cut off, and the run waits for the user's choice.
    CutAsked {
        turn: u32,
    },
    CutSettled {
        turn: u32,
        choice: CutChoice,
    },
    /// What an effect came to: a script or a command ended, a file was read or written.
    Performed {
        call_id: String,
        /// `None` if nothing ran.
        output: Option<ScriptOutput>,
        files: Vec<WrittenFile>,
        /// What confined it; `None` if nothing ran, and in runs that were recorded before it was kept.
        #[serde(default, deserialize_with = "if_known", skip_serializing_if = "Option::is_none")]
        enforcement: Option<Enforcement>,
        /// What else the framework was given back, so that the run can be replayed; `None` if `output` says it, and in
        /// runs that were recorded before it was kept.
        #[serde(default, deserialize_with = "if_known", skip_serializing_if = "Option::is_none")]
        outcome: Option<Outcome>,
    },
    Replied {
        call_id: String,
        text: String,
        /// What the tool returned as pictures.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        images: Vec<Image>,
        /// What it returned as files.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        documents: Vec<Document>,
        wire: Option<String>,
        is_error: bool,
        /// Those of pictures and files are estimated.
        tokens: u32,
    },
    /// Something the reader should know: an ignored option, a repaired argument.
    Noted {
        text: String,
        /// `text` in Chinese; `None` in runs that were recorded before it was kept.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        zh: Option<String>,
        /// What `text` says, to be said in other words, where a request is made again.
        #[serde(default, deserialize_with = "if_known", skip_serializing_if = "Option::is_none")]
        retried: Option<Retried>,
    },
    /// A line of the file that the run was imported from, as it is written there except for keys.
    Source {
        /// From 1; of an archive or a list, the place in it.
        line: u32,
        text: String,
    },
    /// Text that the model was shown but that no one said and no tool returned: a reminder, or a text that a program
    /// put in front. Only in imported runs whose requests were not recorded; elsewhere it is in the request.
    Shown {
        message: Message,
        tokens: u32,
    },
    /// The files that a turn left on disk, if it could change any. The last event of the turn.
    Left {
        left: Left,
    },
    /// The last, unless the user says more: then `Continued` follows.
    Ended {
        status: RunStatus,
        error: Option<String>,
        /// `error` in Chinese; `None` in runs that were recorded before it was kept.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        zh: Option<String>,
        /// The limit, where one ended it.
        #[serde(default, deserialize_with = "if_known", skip_serializing_if = "Option::is_none")]
        reached: Option<Reached>,
    },
}

/// What says the same as the sentence next to it; `None` if a newer version said it.
fn if_known<'de, D: Deserializer<'de>, T: DeserializeOwned>(deserializer: D) -> Result<Option<T>, D::Error> {
    let value = Option::<Value>::deserialize(deserializer)?;
    Ok(value.and_then(|value| serde_json::from_value(value).ok()))
}

impl EventKind {
    /// A copy with the body of a request left empty; of any other event the whole.
    pub(crate) fn without_body(&self) -> Self {
        match self {
            Self::Requested { turn, body: _, kept, origins, tokens, model, agents } => Self::Requested {
                turn: *turn,
                body: String::new(),
                kept: *kept,
                origins: origins.clone(),
                tokens: *tokens,
                model: model.clone(),
                agents: agents.clone(),
            },
            other => other.clone(),
        }
    }

    /// A note of the workbench between the steps.
    pub fn noted(text: Words) -> Self {
        Self::Noted { text: text.en, zh: Some(text.zh), retried: None }
    }

    /// Replaces an event that cannot be read, from an older version or from a store or file that another program wrote,
    /// so that the rest of the run can be read.
    pub(crate) fn unreadable(seq: u32, reason: &Words) -> Self {
        Self::noted(message!(
            "event {seq} of this run cannot be read and is left out: {reason}",
            "此运行的事件 {seq} 无法读取，已略去：{reason}";
            reason
        ))
    }

    /// A request that is sent again, and why.
    pub fn retried(retried: &Retried) -> Self {
        let Words { en, zh } = retried.worded();
        Self::Noted { text: en, zh: Some(zh), retried: Some(retried.without_raw()) }
    }

    /// The last one.
    pub fn ended(status: RunStatus, error: Option<Words>, reached: Option<Reached>) -> Self {
        let (error, zh) = error.map(|error| (error.en, error.zh)).unzip();
        Self::Ended { status, error, zh, reached }
    }

    /// What the run was given: as it began, as the user said more, and as it was forked off.
    pub fn setup(&self) -> Option<&RunSetup> {
        match self {
            Self::Started { setup } | Self::Continued { setup } | Self::Forked { setup, .. } => Some(setup),
            _ => None,
        }
    }

    /// As [`EventKind::setup`].
    pub fn setup_mut(&mut self) -> Option<&mut RunSetup> {
        match self {
            Self::Started { setup } | Self::Continued { setup } | Self::Forked { setup, .. } => Some(setup),
            _ => None,
        }
    }

    /// As its JSON names it.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Started { .. } => "started",
            Self::Continued { .. } => "continued",
            Self::Forked { .. } => "forked",
            Self::Requested { .. } => "requested",
            Self::Streamed { .. } => "streamed",
            Self::Answered { .. } => "answered",
            Self::Failed { .. } => "failed",
            Self::Called { .. } => "called",
            Self::ApprovalAsked { .. } => "approvalAsked",
            Self::ApprovalGiven { .. } => "approvalGiven",
            Self::Agreed { .. } => "agreed",
            Self::Remembered { .. } => "remembered",
            Self::CutAsked { .. } => "cutAsked",
            Self::CutSettled { .. } => "cutSettled",
            Self::Performed { .. } => "performed",
            Self::Replied { .. } => "replied",
            Self::Noted { .. } => "noted",
            Self::Source { .. } => "source",
            Self::Shown { .. } => "shown",
            Self::Left { .. } => "left",
            Self::Ended { .. } => "ended",
        }
    }
}

/// The set-up that a run starts or continues with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct RunSetup {
    pub harness: String,
    pub variant: String,
    /// Id of the model, `rehearsal` for the rehearsal model.
    pub model: String,
    /// Of that model, when the run began; `null`: not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prices: Option<Prices>,
    /// Rehearsal or recorded: nobody's model answered.
    pub rehearsal: bool,
    pub prompt: String,
    /// What the user said it with.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(skip)]
    pub images: Vec<Image>,
    #[ts(type = "string[]")]
    pub roots: Vec<Utf8PathBuf>,
    /// Names of the skills the harness loaded, in its order.
    pub skills: Vec<String>,
    /// Names of the skills that the user left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(skip)]
    pub without: Vec<String>,
    /// Their folders, by what calls name them by. Skills that are on no disk are not here, nor is any in runs that were
    /// recorded before folders were.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[ts(skip)]
    pub folders: BTreeMap<String, Utf8PathBuf>,
    /// Where scripts ran and files were written.
    #[ts(type = "string")]
    pub working_directory: Utf8PathBuf,
    /// Folders that the run shows at neutral paths; empty: all are shown where they are. Every other path here, and all that
    /// the model reads, names folders as they are shown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<NeutralPath>>", optional)]
    pub neutral: Vec<NeutralPath>,
    /// A framework that looks outside of the open folders is answered as it would be.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(as = "Option<bool>", optional)]
    pub fidelity: bool,
    /// The tokenizer that counted, e.g. `o200k_base`.
    pub tokenizer: String,
    /// Tokens of the instructions and tool definitions: tier 1.
    pub catalogue_tokens: u32,
    /// Groups of tools as the run began with them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(skip)]
    pub groups: Vec<GroupState>,
    pub app_version: String,
    /// What recorded it, if that was not this program: then `harness` names it too, and requests are not as they were sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub imported: Option<Foreign>,
    /// The run that this one was forked off: what is before this setup was recorded there.
    #[serde(default, deserialize_with = "if_known", skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub forked: Option<ForkedFrom>,
}

/// Who leads a turn of the user, and over what: of a [`RunSetup`], what can be otherwise in a later turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct TurnSetup {
    pub harness: String,
    pub variant: String,
    pub model: String,
    pub rehearsal: bool,
    #[ts(type = "string[]")]
    pub roots: Vec<Utf8PathBuf>,
    pub skills: Vec<String>,
    #[ts(type = "string")]
    pub working_directory: Utf8PathBuf,
    pub app_version: String,
}

impl TurnSetup {
    pub(crate) fn of(setup: &RunSetup) -> Self {
        Self {
            harness: setup.harness.clone(),
            variant: setup.variant.clone(),
            model: setup.model.clone(),
            rehearsal: setup.rehearsal,
            roots: setup.roots.clone(),
            skills: setup.skills.clone(),
            working_directory: setup.working_directory.clone(),
            app_version: setup.app_version.clone(),
        }
    }
}

/// The result of a call as the user wrote it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EditedResult {
    pub call_id: String,
    pub text: String,
}

/// The step of another run at which a run goes another way. That run need not be here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ForkedFrom {
    pub run: RunId,
    /// From 0.
    pub step: u32,
}

/// A folder, as a run shows it and as it was on the machine that recorded the run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct NeutralPath {
    #[ts(type = "string")]
    pub shown: Utf8PathBuf,
    #[ts(type = "string")]
    pub real: Utf8PathBuf,
}

impl NeutralPath {
    /// A run's record of folders that it shows under other names.
    pub fn of(paths: &Paths) -> Vec<Self> {
        let places = paths.places().iter();
        places.map(|place| Self { shown: place.as_path.clone(), real: place.real.clone() }).collect()
    }
}

impl RunSetup {
    /// The real path of something that the run shows under this path.
    pub fn real(&self, shown: &Utf8Path) -> Utf8PathBuf {
        let within = |place: &NeutralPath| shown.strip_prefix(&place.shown).map(|rest| (place.real.clone(), rest));
        let place = self.neutral.iter().filter(|place| shown.starts_with(&place.shown));
        let place = place.max_by_key(|place| place.shown.as_str().len()).map(within);
        match place {
            Some(Ok((real, rest))) if rest.as_str().is_empty() => real,
            Some(Ok((real, rest))) => real.join(rest),
            Some(Err(_)) | None => shown.to_owned(),
        }
    }

    /// For others: without the name of the user's home folder.
    pub fn for_others(&mut self) {
        let paths = Paths::of_reader();
        for place in &mut self.neutral {
            place.real = paths.from_home(&place.real);
        }
    }
}

/// A model that a sub-agent or a skill names.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AskedModel {
    pub id: String,
    pub prices: Option<Prices>,
}

/// Where one message of a request came from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct MessageOrigin {
    pub role: Role,
    pub marks: Vec<OriginMark>,
    pub tokens: u32,
}

/// `span` is in bytes of the message's text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct OriginMark {
    pub span: Span,
    pub origin: Origin,
}

/// The subject of a question as it was when the question was asked, in addition to the effect's own description.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", default)]
pub struct Subject {
    /// Where the path really leads, if that is another place because of a link or `..`.
    #[ts(type = "string | null")]
    pub leads_to: Option<Utf8PathBuf>,
    /// SHA-256 of what would run, in hexadecimal digits; `null` if nothing runs.
    pub digest: Option<String>,
    /// What will confine it; `null` if nothing runs.
    #[serde(deserialize_with = "if_known", skip_serializing_if = "Option::is_none")]
    pub enforcement: Option<Enforcement>,
    /// The skills for which an answer can be remembered; empty: it cannot.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub skills: Vec<String>,
}

impl Subject {
    /// Whether the effect's own words say all.
    pub fn is_plain(&self) -> bool {
        *self == Self::default()
    }
}

/// The user's answer to an approval card.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Decision {
    /// `arguments` replaces the call's if the user edited them.
    Allow {
        arguments: Option<String>,
        for_run: bool,
    },
    Deny {
        reason: Option<String>,
    },
    /// The text is the result; nothing runs.
    Stub {
        text: String,
    },
}

/// What to do with an answer that may be cut off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum CutChoice {
    /// It is taken for the whole answer: its calls are made.
    Keep,
    /// It is dropped, and the request is sent again.
    AskAgain,
    /// The run ends, also if there is no user to ask.
    End,
}

/// A file that a call wrote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct WrittenFile {
    /// Relative to the working directory; absolute where it lies outside.
    pub path: String,
    /// Bytes.
    #[ts(type = "number")]
    pub size: u64,
}

/// Whether a run is running, and how it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum RunStatus {
    Running,
    /// The model gave its final answer.
    Done,
    /// An error ended it.
    Failed,
    /// The user stopped it.
    Stopped,
    /// A cap was reached.
    Limited,
    /// The program ended before the run did.
    Interrupted,
}

impl RunStatus {
    /// The status in one word: as the store keeps it and the terminal shows it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Stopped => "stopped",
            Self::Limited => "limited",
            Self::Interrupted => "interrupted",
        }
    }
}

/// The runs there are, the one started last first.
#[derive(Debug, Clone, Default, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct RunList {
    pub runs: Vec<RunSummary>,
    /// Those of which the store holds something that makes no sense.
    pub unreadable: Vec<UnreadableRun>,
}

/// A run that the store cannot read, and why.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct UnreadableRun {
    /// As the store has it, which need not be an id.
    pub id: String,
    pub reason: Words,
}

/// A run as lists show it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct RunSummary {
    pub id: RunId,
    pub setup: RunSetup,
    pub status: RunStatus,
    pub error: Option<String>,
    /// Milliseconds since the epoch.
    #[ts(type = "number")]
    pub started_at: Millis,
    #[ts(type = "number | null")]
    pub ended_at: Option<Millis>,
    pub steps: u32,
    /// Messages of the user.
    pub prompts: u32,
    /// Tokens of the last request.
    pub context_tokens: u32,
    /// All answers together, those of sub-agents too.
    pub spent: Spent,
    #[serde(default)]
    pub departures: Departures,
    /// Shipped with the program.
    pub bundled: bool,
    /// What a person says about it.
    #[serde(default)]
    pub verdict: Option<Judged>,
    /// Stays whatever the settings say about old runs.
    #[serde(default)]
    pub pinned: bool,
    /// Why the store does not hold all of it, so that it is gone with this process unless it is saved; `null`: it does.
    #[serde(default)]
    pub unsaved: Option<Words>,
}

/// How many calls did something else than the model asked for, because the user said so.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Departures {
    pub denied: u32,
    /// The user gave the result by hand.
    pub stubbed: u32,
    /// The user edited the arguments.
    pub edited: u32,
}

impl Departures {
    /// The number to which a decision belongs; `None`: the call did what the model asked for.
    pub(crate) fn of(&mut self, decision: &Decision) -> Option<&mut u32> {
        match decision {
            Decision::Deny { .. } => Some(&mut self.denied),
            Decision::Stub { .. } => Some(&mut self.stubbed),
            Decision::Allow { arguments: Some(_), .. } => Some(&mut self.edited),
            Decision::Allow { arguments: None, .. } => None,
        }
    }
}

/// A place to stop at when walking a run. There may be very many of them, so what few of them have is boxed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Step {
    /// From 0.
    pub index: u32,
    /// The number of the event that began it, by which notes know it.
    pub event: u32,
    #[ts(type = "number")]
    pub at: Millis,
    /// Milliseconds; `null` while it goes on.
    #[ts(type = "number | null")]
    pub took: Option<Millis>,
    /// The conversation it belongs to: that of the sub-agent which the call of this id started, or a request of the
    /// framework's own, `summary-1`; `null`: the run's own conversation.
    pub within: Option<String>,
    /// The model request this belongs to, from 0 in each conversation; prompts have `null`.
    pub turn: Option<u32>,
    pub state: StepState,
    /// The number of the question that it waits for, which an answer names: that of the event that asked. `null`: it does
    /// not wait.
    pub question: Option<u32>,
    pub kind: StepKind,
    /// Tokens this step adds to the context of its conversation.
    pub added_tokens: u32,
    /// Tokens in that context once this step is in it.
    pub context_tokens: u32,
    /// Of its long texts only the beginnings are here, as in the list of a long run. What is asked for by its number is whole.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(as = "Option<bool>", optional)]
    pub brief: bool,
}

/// Whether a step is running, waiting or over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum StepState {
    Running,
    /// Waits for the user.
    Waiting,
    Done,
    Failed,
    /// The run was stopped or broke off before it was over.
    Stopped,
}

impl StepState {
    const ALL: [Self; 5] = [Self::Running, Self::Waiting, Self::Done, Self::Failed, Self::Stopped];

    /// As the store keeps it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Waiting => "waiting",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Stopped => "stopped",
        }
    }

    pub(crate) fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.word() == word)
    }
}

/// The kind of a step, with its data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum StepKind {
    /// What the user said; the first also has what the framework set up: tier 1.
    Prompt {
        text: String,
        /// Said with it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[ts(as = "Option<Vec<Image>>", optional)]
        images: Vec<Image>,
        /// Who leads this turn, if not who began the run; absent: as the run began.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        setup: Option<Box<TurnSetup>>,
        /// Skills that it named (`$name`, `/name`), whose instructions went to the model with it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[ts(as = "Option<Vec<String>>", optional)]
        skills: Vec<String>,
    },
    /// One model request and its answer.
    Answer {
        text: String,
        reasoning: String,
        /// The calls it asked for, which are steps of their own.
        calls: Vec<ToolCall>,
        usage: Option<Usage>,
        /// `null` while it goes on, and where nothing came.
        spent: Option<Spent>,
        finish: Option<FinishReason>,
        /// The model that was asked, where it is not the run's own.
        model: Option<String>,
        /// Names of the agents from the run's own down to the one that answered; empty where it has no name.
        agents: Vec<String>,
        /// What was done with an answer that may be cut off; `null`: it is not, or nothing yet.
        cut: Option<CutChoice>,
        /// Milliseconds to the first token.
        #[ts(type = "number | null")]
        first_token: Option<Millis>,
        error: Option<String>,
        /// What to do about the error.
        hint: Option<String>,
        raw: Option<String>,
        /// What the error says, to be said in other words; `null` in runs that were recorded before it was kept.
        why: Option<Box<ModelError>>,
        /// The user wrote its text in place of the model's, where the run was forked off.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[ts(as = "Option<bool>", optional)]
        edited: bool,
    },
    /// One tool call and its reply; or, named `framework`, an effect that the framework asked for by itself.
    Tool {
        call: ToolCall,
        /// What the call discloses if it succeeds.
        disclosure: Disclosure,
        /// What it did disclose: nothing where there is no reply, or one that is an error, was denied or given by hand.
        disclosed: Disclosure,
        /// What the call wants to do, if that needed approval.
        asked: Option<Box<Effect>>,
        /// What it did instead, if the user edited the arguments; `null` also in runs that were recorded before
        /// it was kept.
        ran: Option<Box<Effect>>,
        /// Where the path in it really led when it was asked, if that is another place than it says.
        leads_to: Option<String>,
        /// SHA-256 of what would run when it was asked: the same words may be about something else the next time.
        digest: Option<String>,
        /// What confines what runs, or will; `null` if nothing runs, and in runs that were recorded before it was kept.
        enforcement: Option<Box<Enforcement>>,
        /// The skills for which an answer to the question can be remembered; empty: it cannot.
        skills: Vec<String>,
        decision: Option<Decision>,
        /// What the user had said for good, if that decided and nobody was asked.
        standing: Option<Standing>,
        output: Option<Box<ScriptOutput>>,
        files: Vec<WrittenFile>,
        /// What the tool returned.
        reply: Option<String>,
        /// What it returned as pictures.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[ts(as = "Option<Vec<Image>>", optional)]
        images: Vec<Image>,
        /// What it returned as files.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[ts(as = "Option<Vec<Document>>", optional)]
        documents: Vec<Document>,
        /// What went over the wire, where that differs.
        wire: Option<String>,
    },
    Note {
        text: String,
        /// The text in Chinese; `null` in runs that were recorded before it was kept.
        zh: Option<String>,
        /// What the text says, to be said in other words, where a request was made again.
        retried: Option<Retried>,
    },
    /// How the run ended, if not by a final answer.
    End {
        status: RunStatus,
        error: Option<String>,
        /// The error in Chinese; `null` in runs that were recorded before it was kept.
        zh: Option<String>,
        /// What the error says, to be said in other words, where a model failed.
        why: Option<Box<ModelError>>,
        /// The limit that ended it; `null` in runs that were recorded before it was kept.
        reached: Option<Reached>,
    },
}

/// The context window as it was at a step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ContextAtStep {
    pub step: u32,
    /// The recorded request body; `null` before the first request.
    pub body: Option<String>,
    /// `false`: messages after the recorded request were put together here and marked `reconstructed`.
    pub exact: bool,
    pub tools: Vec<ContextTool>,
    /// The framework's groups of tools. Those of a group that is not active are not among `tools`.
    pub groups: Vec<GroupState>,
    pub messages: Vec<ContextMessage>,
    /// The skills whose instructions this conversation was given, in the order in which they came.
    pub skills: Vec<SkillInContext>,
    pub tokens: u32,
}

/// A skill whose instructions came into the context.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SkillInContext {
    pub skill: String,
    /// The step that brought the instructions that are in the context now; of those that went, the last one.
    pub since: u32,
    /// What that step added to the context.
    pub tokens: u32,
    /// The framework has since replaced them by something shorter: the model no longer sees them.
    pub compacted: bool,
}

/// A tool that the model is offered at a step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ContextTool {
    pub name: String,
    /// The definition as sent, indented.
    pub json: String,
    /// Not there at the step before.
    pub added: bool,
    /// The provider may cache the definitions up to here.
    pub cache_point: bool,
}

/// A message that the model is shown at a step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ContextMessage {
    pub role: Role,
    /// As sent.
    pub text: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<Image>>", optional)]
    pub images: Vec<Image>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<Document>>", optional)]
    pub documents: Vec<Document>,
    pub calls: Vec<ToolCall>,
    pub call_id: Option<String>,
    /// In UTF-16 units of `text`.
    pub marks: Vec<OriginMark>,
    pub tokens: u32,
    /// Not there at the step before.
    pub added: bool,
    /// The provider may cache the request up to here.
    pub cache_point: bool,
    /// Not in a recorded request yet.
    pub reconstructed: bool,
}

fn is_none_kept(kept: &u32) -> bool {
    *kept == 0
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn unknown_values_of_a_newer_version_leave_the_sentence_next_to_them() {
        let unknown = json!({ "type": "tooWarm", "degrees": 40 });
        let failed = json!({ "type": "failed", "turn": 1, "message": "too warm", "raw": "", "why": unknown });
        let why = EventKind::Failed { turn: 1, message: "too warm".into(), hint: None, raw: String::new(), why: None };
        assert_eq!(serde_json::from_value::<EventKind>(failed).unwrap(), why);
        let again = json!({ "why": unknown, "pause": 1, "attempt": 1, "of": 2 });
        let noted = json!({ "type": "noted", "text": "asking again", "retried": again });
        assert_eq!(
            serde_json::from_value::<EventKind>(noted).unwrap(),
            EventKind::Noted { text: "asking again".into(), zh: None, retried: None }
        );
        let ended = json!({ "type": "ended", "status": "limited", "error": "too warm", "reached": unknown });
        let end =
            EventKind::Ended { status: RunStatus::Limited, error: Some("too warm".into()), zh: None, reached: None };
        assert_eq!(serde_json::from_value::<EventKind>(ended).unwrap(), end);
    }

    #[test]
    fn why_a_request_was_made_again_is_kept() {
        let retried = Retried { why: ModelError::Silent, pause: 500, attempt: 1, of: 2 };
        let noted = EventKind::retried(&retried);
        let written = serde_json::to_value(&noted).unwrap();
        assert_eq!(serde_json::from_value::<EventKind>(written).unwrap(), noted);
    }
}
