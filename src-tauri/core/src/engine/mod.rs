//! The run: request, answer, tool calls, replies, until the model is done, a cap is reached or the user stops it.
//! The engine performs the effects that harnesses return and records everything as events.

mod approval;
mod calls;
mod conversation;
pub mod effect;
pub mod rehearsal;
mod skill_match;
#[cfg(test)]
mod tests;
mod turn;

use std::sync::Arc;

use camino::Utf8PathBuf;
use tokio_util::sync::CancellationToken;

use self::approval::Gate;
pub use self::approval::{Approval, Decisions};
use self::conversation::Conversation;
use crate::config::RunLimits;
use crate::harness::{Catalog, FailedRounds, Harness, Prepared, ReplyAuthor, Session};
use crate::model::answer::Answer;
use crate::model::{ChatModel, Message, ModelRequest, Sampling, ToolCall, ToolDef};
use crate::trace::recorder::Recorder;
use crate::trace::{EventKind, RunSetup, RunStatus, TraceError};

/// Everything a run is started with.
#[derive(Clone)]
pub struct Plan {
    pub harness: &'static dyn Harness,
    pub catalog: Catalog,
    /// Reads the skills anew before every further request, for frameworks that do not cache them. May block.
    pub reload: Option<Arc<dyn Fn() -> Catalog + Send + Sync>>,
    pub model: Arc<dyn ChatModel>,
    /// Nobody's model answers.
    pub rehearsal: bool,
    pub prompt: String,
    pub session: Session,
    pub roots: Vec<Utf8PathBuf>,
    pub limits: RunLimits,
    pub approval: Approval,
    pub sampling: Sampling,
    /// An existing folder, where scripts run.
    pub working_directory: Utf8PathBuf,
    pub app_version: String,
    /// Tokens of a text.
    pub count: fn(&str) -> u32,
    /// What `count` counts by, e.g. `o200k_base`.
    pub tokenizer: &'static str,
}

/// What the user has in hand while the run goes on.
pub struct Controls {
    pub stop: CancellationToken,
    pub decisions: Decisions,
}

/// Plays the run to its end and says how it ended. Dropping the future kills what it started, and leaves the record
/// without an end; cancel `controls.stop` instead.
pub async fn run(plan: Plan, controls: Controls, recorder: Recorder) -> RunStatus {
    let mut run = Run {
        conversation: Conversation::begin(&plan.prompt),
        session: plan.session.clone(),
        catalog: plan.catalog.clone(),
        gate: Gate::new(plan.approval, controls.decisions),
        stop: controls.stop,
        recorder,
        plan,
    };
    let (status, error) = match run.rounds().await {
        Ok(()) => (RunStatus::Done, None),
        Err(Halt::Ended { status, error }) => (status, error),
        Err(Halt::Unrecorded(error)) => return unrecorded(&run.recorder, &error),
    };
    match run.recorder.record(EventKind::Ended { status, error }).await {
        Ok(()) => status,
        Err(error) => unrecorded(&run.recorder, &error),
    }
}

/// A run under way.
struct Run {
    plan: Plan,
    /// As of the last request.
    catalog: Catalog,
    session: Session,
    conversation: Conversation,
    gate: Gate,
    stop: CancellationToken,
    recorder: Recorder,
}

/// Why a run goes no further.
enum Halt {
    Ended {
        status: RunStatus,
        error: Option<String>,
    },
    /// What happens can no longer be recorded, so nothing more may happen.
    Unrecorded(TraceError),
}

impl Halt {
    fn stopped() -> Self {
        Self::Ended { status: RunStatus::Stopped, error: None }
    }

    fn failed(error: impl Into<String>) -> Self {
        Self::Ended { status: RunStatus::Failed, error: Some(error.into()) }
    }

    fn limited(error: impl Into<String>) -> Self {
        Self::Ended { status: RunStatus::Limited, error: Some(error.into()) }
    }
}

impl From<TraceError> for Halt {
    fn from(error: TraceError) -> Self {
        Self::Unrecorded(error)
    }
}

impl Run {
    /// Rounds of request, answer, calls and replies, up to an answer that asks for no call.
    async fn rounds(&mut self) -> Result<(), Halt> {
        self.recorder.record(EventKind::Started { setup: self.setup() }).await?;
        let (requests, whose) = self.cap();
        for turn in 0..requests {
            if turn > 0 {
                self.reload().await?;
            }
            if let Some(refused) = &self.catalog.refused {
                return Err(Halt::failed(refused));
            }
            let answer = self.ask(turn).await?;
            let calls: Vec<ToolCall> = answer.calls().cloned().collect();
            self.conversation.push(answer, Vec::new());
            if calls.is_empty() {
                return Ok(());
            }
            if turn + 1 < requests {
                self.round(turn, &calls).await?;
            }
        }
        Err(Halt::limited(format!("the run was ended after {requests} model requests, the cap of {whose}")))
    }

    /// Model requests, and whose cap that is.
    fn cap(&self) -> (u32, &'static str) {
        match self.catalog.limits.iterations {
            Some(iterations) if iterations <= self.plan.limits.turns => (iterations, self.plan.harness.profile().title),
            Some(_) | None => (self.plan.limits.turns, "this run"),
        }
    }

    /// Sends the conversation as it stands and listens to the answer.
    async fn ask(&mut self, turn: u32) -> Result<Message, Halt> {
        if self.stop.is_cancelled() {
            return Err(Halt::stopped());
        }
        let history = &mut self.conversation.history;
        match self.plan.harness.before_request(history, None, &self.catalog, &mut self.session) {
            Prepared::Send => {}
            Prepared::Perform(_) | Prepared::End => return Err(Halt::failed("not performed here")),
            Prepared::Abort(error) => return Err(Halt::failed(error)),
        }
        let shown = self.plan.harness.present(&self.catalog, &self.session);
        let (instructions, tools) = (shown.instructions.as_ref(), shown.definitions());
        let dialect = self.plan.harness.dialect(&self.catalog);
        let (messages, origins) = self.conversation.request(instructions, self.plan.count);
        let parameters = self.plan.sampling.clone();
        let request = ModelRequest { messages, tools, parameters, tool_choice: dialect.tool_choice, dialect };
        let wire = self.plan.model.encode(&request);
        let body = wire.body.to_string();
        let tokens = origins.iter().map(|origin| origin.tokens).sum::<u32>() + self.tokens_of(&request.tools);
        self.recorder.record(EventKind::Requested { turn, body, origins, tokens }).await?;
        let events = self.plan.model.send(&wire, &request);
        let calls_before = self.conversation.history.iter().map(|message| message.calls().count()).sum::<usize>();
        let answer = Answer::new(u32::try_from(calls_before).unwrap_or(u32::MAX));
        turn::listen(turn, answer, events, self.plan.count, &self.stop, &mut self.recorder).await
    }

    /// All calls of one answer, in order.
    async fn round(&mut self, turn: u32, calls: &[ToolCall]) -> Result<(), Halt> {
        let mut failure = None;
        for call in calls {
            if self.stop.is_cancelled() {
                return Err(Halt::stopped());
            }
            let reply = self.call(turn, call).await?;
            if reply.author == ReplyAuthor::Exception {
                failure = Some(reply.text);
            }
        }
        let Some(failure) = failure else {
            self.session.failed_rounds = 0;
            return Ok(());
        };
        self.session.failed_rounds += 1;
        let failed = self.session.failed_rounds;
        let profile = self.plan.harness.profile();
        match self.catalog.limits.failed_rounds {
            Some(FailedRounds::EndAfter(limit)) if failed > limit => Err(Halt::failed(format!(
                "{} gives up after {failed} rounds in a row in which a tool failed; the last one: {failure}",
                profile.title
            ))),
            Some(_) | None => Ok(()),
        }
    }

    async fn reload(&mut self) -> Result<(), Halt> {
        let Some(reload) = self.plan.reload.clone() else { return Ok(()) };
        let read = tokio::task::spawn_blocking(move || reload());
        self.catalog = tokio::select! {
            biased;
            () = self.stop.cancelled() => return Err(Halt::stopped()),
            read = read => read.map_err(|_| Halt::failed("the skills could not be read anew"))?,
        };
        Ok(())
    }

    fn tokens_of(&self, tools: &[ToolDef]) -> u32 {
        tools.iter().map(|tool| (self.plan.count)(&tool.to_json())).sum()
    }

    fn setup(&self) -> RunSetup {
        let shown = self.plan.harness.present(&self.catalog, &self.session);
        let tools = shown.definitions();
        let instructions = shown.instructions.map_or(0, |instructions| (self.plan.count)(&instructions.text));
        RunSetup {
            harness: self.catalog.harness.into(),
            variant: self.catalog.variant.into(),
            model: self.plan.model.label().into(),
            rehearsal: self.plan.rehearsal,
            prompt: self.plan.prompt.clone(),
            roots: self.plan.roots.clone(),
            skills: self.catalog.skills.iter().map(|skill| skill.name.clone()).collect(),
            working_directory: self.plan.working_directory.clone(),
            tokenizer: self.plan.tokenizer.into(),
            catalogue_tokens: instructions + self.tokens_of(&tools),
            app_version: self.plan.app_version.clone(),
        }
    }
}

fn unrecorded(recorder: &Recorder, error: &TraceError) -> RunStatus {
    tracing::error!(run = %recorder.run(), %error, "the run ended because it could not be recorded");
    RunStatus::Failed
}
