//! The run: request, answer, tool calls, replies, until the model is done, a cap is reached or the user stops it.
//! The engine performs the effects that harnesses return and records everything as events.

mod access;
mod approval;
mod aside;
mod bulk;
mod calls;
pub mod check;
mod conversation;
mod cut;
pub mod effect;
mod fork;
mod left;
mod limits;
mod past;
mod places;
mod provenance;
mod questions;
pub mod recorded;
pub mod rehearsal;
mod resume;
mod skill_match;
pub mod standing;
#[cfg(test)]
mod tests;
pub mod tool;
mod trial;
mod turn;

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use camino::Utf8PathBuf;
use futures::FutureExt;
use tokio_util::sync::CancellationToken;

use self::access::Open;
use self::approval::Gate;
pub use self::approval::{Answer as Given, Approval};
use self::aside::Asides;
use self::bulk::Long as _;
use self::conversation::{Assembled, Conversation};
use self::fork::Forking;
pub use self::fork::{Branch, Then};
use self::left::Before;
use self::limits::Brake;
use self::past::{Asked, Past};
pub use self::questions::{Answers, NotOpen, Questions, Trial, questions};
use self::recorded::Recording;
use self::rehearsal::Understudy;
use self::standing::Memory;
use self::tool::reach::Reach;
use self::trial::Tried;
use self::turn::Heard;
use config::{Fidelity, Policy, RunLimits};
use harness::{Catalog, FailedRounds, Harness, Origin, Presentation, ReplyAuthor, Session, TurnEnd};
use model::answer::Answer;
use model::entry::Prices;
use model::secret::Guard;
use model::{ChatModel, Image, Message, ModelRequest, Sampling, ToolCall, ToolChoice, ToolDef, tokens};
use skill::paths::Paths;
use trace::recorder::Recorder;
use trace::{AskedModel, CutChoice, Event, EventKind, NeutralPath, Reached, RunSetup, RunStatus, TraceError, context};
use wording::{Message as Words, Wording, message};

/// Everything a run is started with.
#[derive(Clone)]
pub struct Plan {
    pub harness: &'static dyn Harness,
    pub catalog: Catalog,
    /// Reads the skills again each time the user says more, for frameworks that do. May block.
    pub reload: Option<Arc<dyn Fn() -> Catalog + Send + Sync>>,
    pub model: Priced,
    pub hub: Hub,
    /// No real model answers: `hub` is not asked, nor is `model` for conversations alongside the run's own.
    pub rehearsal: bool,
    /// Answers in place of every model, in a rehearsal.
    pub recording: Option<Arc<Recording>>,
    /// All recorded events of the run, if it goes on.
    pub past: Vec<Event>,
    /// `past` is of another run, off which this one is forked.
    pub branch: Option<Branch>,
    pub prompt: String,
    /// What the user says it with.
    pub images: Vec<Image>,
    /// What the user says then, each once the one before it has come to its answer.
    pub further: Vec<Said>,
    pub session: Session,
    pub roots: Vec<Utf8PathBuf>,
    /// Names of skills that the user left out.
    pub without: Vec<String>,
    /// Messages for the user about what is missing in the run; shown when it begins.
    pub notes: Vec<Words>,
    pub limits: RunLimits,
    /// How what runs is confined.
    pub sandbox: Policy,
    pub approval: Approval,
    /// The user's permanent answers.
    pub memory: Memory,
    pub guard: Guard,
    /// Where scripts run. Created when something is first read, run or written.
    pub working_directory: Utf8PathBuf,
    /// By which the catalogue, the session and all that a model reads name folders. `roots` and `working_directory` are as
    /// they really are.
    pub paths: Paths,
    pub app_version: String,
}

/// Finds a model by the project's name for it; `Err` says why there is none. Reads no more than a small file.
pub type Hub = Arc<dyn Fn(&str) -> Result<Priced, Words> + Send + Sync>;

/// What the user says, and who answers it.
#[derive(Clone)]
pub struct Said {
    pub prompt: String,
    pub images: Vec<Image>,
    pub model: Priced,
}

/// Words of the user, and the pictures with them.
struct Prompt {
    text: String,
    images: Vec<Image>,
}

impl Plan {
    fn said(&self) -> Prompt {
        Prompt { text: self.prompt.clone(), images: self.images.clone() }
    }
}

/// A model, and what it costs; `None`: not known.
#[derive(Clone)]
pub struct Priced {
    pub model: Arc<dyn ChatModel>,
    pub prices: Option<Prices>,
}

/// The user's controls while the run goes on.
pub struct Controls {
    pub stop: CancellationToken,
    pub decisions: Questions<Given>,
    pub cut_choices: Questions<CutChoice>,
}

/// Plays the run to its end and says how it ended. A run that goes on is first replayed from its record, so that its
/// harness has the same state again; nothing is asked or done for that. The run ends whatever the store does: once
/// something cannot be recorded, nothing more is done, and only the recorder's listener has the events that the store
/// refused. Dropping the future kills what it started, and leaves the record without an end; cancel `controls.stop`
/// instead.
pub async fn run(mut plan: Plan, controls: Controls, recorder: Recorder) -> RunStatus {
    let past = std::mem::take(&mut plan.past);
    let (worked, recorder) = match &plan.branch {
        // Events of the other run cost nothing here.
        Some(_) => (0, recorder.forked(&past)),
        None => (trace::turns::worked(&past), recorder.behind(&past)),
    };
    let forking = plan.branch.take().map(Forking::new);
    let mut dialogue = Dialogue::new(Conversation::default(), plan.session.clone());
    let roots: Vec<Utf8PathBuf> = plan.catalog.roots.iter().filter_map(|root| plan.paths.real(root)).collect();
    let open = Open::of(&plan.working_directory, &roots).await;
    let mut run = Run {
        catalog: plan.catalog.clone(),
        reach: open.reach(),
        withheld: None,
        tried: None,
        open,
        gate: Gate::new(plan.approval, controls.decisions),
        cut_choices: controls.cut_choices,
        brake: Brake::new(controls.stop, plan.limits.seconds, worked),
        recorder,
        past: None,
        forking,
        requests: 0,
        asides: Asides::default(),
        counted: (Vec::new(), 0),
        before: None,
        plan,
    };
    let overdue = run.brake.clone().overdue();
    let played = tokio::select! {
        biased;
        played = AssertUnwindSafe(run.play(&mut dialogue, past)).catch_unwind() => played.unwrap_or_else(|_| Err(Halt::failed(FAULT.into()))),
        halt = overdue => Err(halt),
    };
    let (status, error, reached) = match played {
        Ok(()) => (RunStatus::Done, None, None),
        Err(Halt::Ended { status, error, reached }) => (status, error, reached),
        Err(Halt::Cut) => (RunStatus::Failed, Some(cut::CUT.into()), None),
        // Both are for `Run::go_through` alone.
        Err(Halt::Over | Halt::Lost(_)) => (RunStatus::Failed, Some(FAULT.into()), None),
        Err(Halt::Unrecorded(error)) => {
            let why = error.worded();
            let ended = message!(
                "the run was ended because it cannot be recorded: {why}",
                "运行已结束，因为无法记录：{why}";
                why
            );
            (RunStatus::Failed, Some(ended), None)
        }
    };
    let error = error.map(|error| run.plan.paths.in_words(error));
    let soon = run.brake.check().is_err();
    run.recorder.enter(None);
    run.note_left().await;
    run.recorder.end(EventKind::ended(status, error, reached), run.brake.patience(soon)).await;
    status
}

/// Said in place of what a program that is in order would have done. The log has the details.
const FAULT: Wording =
    Wording::new("a fault in Skill Workbench itself ended the run", "Skill Workbench 自身的故障使运行结束");

/// A run under way: what all its conversations share.
struct Run {
    plan: Plan,
    /// The places that it may read without asking.
    open: Open,
    /// What the effect that was decided last may read and write.
    reach: Reach,
    /// Why that effect will come to nothing, for the user.
    withheld: Option<Words>,
    /// The result shown for the arguments that the user is writing.
    tried: Option<Tried>,
    /// As of the last request.
    catalog: Catalog,
    gate: Gate,
    cut_choices: Questions<CutChoice>,
    brake: Brake,
    recorder: Recorder,
    /// The record, while the run is replayed.
    past: Option<Past>,
    /// The fork, until the run continues by itself.
    forking: Option<Forking>,
    /// Sent so far, in all conversations.
    requests: u32,
    asides: Asides,
    /// The tools that were counted last, and their tokens: mostly those of the next request.
    counted: (Vec<ToolDef>, u32),
    /// How things were before the turn changed anything; `None` as long as nothing could.
    before: Option<Before>,
}

/// One conversation: the run's own, a sub-agent's, or one request of the framework's own.
struct Dialogue {
    conversation: Conversation,
    session: Session,
    /// `None`: the run's own conversation, for which the harness presents instructions and tools.
    errand: Option<Errand>,
    /// Names of the sub-agents from the run's own agent down to this one.
    agents: Vec<String>,
    /// How many sub-agents there are from the run's own agent down to this one.
    depth: u32,
    /// How the last request differed from the recorded one.
    difference: Option<Words>,
    /// The number of the next request.
    turn: u32,
    /// It is from the record, and nothing was sent or called in it since.
    is_past: bool,
}

impl Dialogue {
    fn new(conversation: Conversation, session: Session) -> Self {
        Self {
            conversation,
            session,
            errand: None,
            agents: Vec::new(),
            depth: 0,
            difference: None,
            turn: 0,
            is_past: false,
        }
    }

    /// The user says something.
    fn hear(&mut self, prompt: Prompt) {
        self.session.failed_rounds = 0;
        self.difference = None;
        self.conversation.push_whole(Message::prompt(prompt.text, &prompt.images), Origin::User);
    }
}

/// What one conversation alongside the run's own may use.
struct Errand {
    tools: Vec<ToolDef>,
    max_tokens: Option<u32>,
    /// Model requests; `None`: the framework's cap.
    iterations: Option<u32>,
}

/// How a conversation came to its end.
enum Finish {
    Done,
    /// After so many model requests, its cap.
    Capped(u32),
}

/// Why a run goes no further.
enum Halt {
    Ended {
        status: RunStatus,
        error: Option<Words>,
        reached: Option<Reached>,
    },
    /// An answer may be cut off, and there was no decision to keep it or to ask again. Sub-agents and summaries end
    /// with the run.
    Cut,
    /// Events can no longer be recorded, so nothing more may happen.
    Unrecorded(TraceError),
    /// The run is replayed, and the turn was recorded up to here.
    Over,
    /// During replay, the record does not match what the framework does now; with a sentence about it.
    Lost(Words),
}

impl Halt {
    fn stopped() -> Self {
        Self::Ended { status: RunStatus::Stopped, error: None, reached: None }
    }

    fn failed(error: Words) -> Self {
        Self::Ended { status: RunStatus::Failed, error: Some(error), reached: None }
    }

    fn limited(reached: Reached) -> Self {
        Self::Ended { status: RunStatus::Limited, error: Some(reached.worded()), reached: Some(reached) }
    }
}

impl From<TraceError> for Halt {
    fn from(error: TraceError) -> Self {
        Self::Unrecorded(error)
    }
}

impl Run {
    async fn play(&mut self, dialogue: &mut Dialogue, past: Vec<Event>) -> Result<(), Halt> {
        let mut in_turn = false;
        if past.is_empty() {
            dialogue.hear(self.plan.said());
            let setup = self.setup(dialogue);
            self.recorder.note(EventKind::Started { setup });
            for note in std::mem::take(&mut self.plan.notes) {
                self.recorder.note(EventKind::noted(self.plan.paths.in_words(note)));
            }
        } else if self.forking.as_ref().is_some_and(Forking::is_within_turn) {
            self.go_another_way(dialogue, &past).await?;
            in_turn = true;
        } else {
            self.go_on_behind(dialogue, &past).await?;
        }
        loop {
            if !std::mem::take(&mut in_turn) {
                self.turn(dialogue).await?;
            }
            self.note_left().await;
            if self.plan.further.is_empty() {
                return Ok(());
            }
            let Said { prompt, images, model } = self.plan.further.remove(0);
            (self.plan.prompt, self.plan.images, self.plan.model) = (prompt, images, model);
            self.reload().await?;
            self.go_on(dialogue, TurnEnd::Done, Vec::new());
        }
    }

    /// Notes what the turn left on disk, if anything could be changed.
    async fn note_left(&mut self) {
        let Some(before) = self.before.take() else { return };
        let left = before.left(self.plan.working_directory.clone(), &self.plan.guard).await;
        self.recorder.note(left);
    }

    /// A turn of the user, up to its answer.
    async fn turn(&mut self, dialogue: &mut Dialogue) -> Result<(), Halt> {
        match self.rounds(dialogue).await? {
            Finish::Done => Ok(()),
            Finish::Capped(requests) => {
                let title = self.plan.harness.profile().title;
                Err(Halt::limited(Reached::FrameworkRequests { requests, framework: title.to_owned() }))
            }
        }
    }

    /// Rounds of request, answer, calls and replies, up to an answer that asks for no call.
    async fn rounds(&mut self, dialogue: &mut Dialogue) -> Result<Finish, Halt> {
        let own_cap = dialogue.errand.as_ref().and_then(|errand| errand.iterations);
        // Of which something was made.
        let mut answers = 0;
        loop {
            if let Some(refused) = &self.catalog.refused {
                return Err(Halt::failed(Words::quoted(refused)));
            }
            let is_last = matches!(self.catalog.limits.failed_rounds,
                Some(FailedRounds::AnswerAfter(limit)) if dialogue.session.failed_rounds >= limit);
            self.check()?;
            if !self.prepare(dialogue).await? {
                return Ok(Finish::Done);
            }
            let answer = self.send(dialogue, is_last.then_some(ToolChoice::None)).await?;
            let calls: Vec<ToolCall> = answer.message.calls().cloned().collect();
            let marks = answer.marks();
            dialogue.conversation.push(answer.message, marks);
            if calls.is_empty() || is_last {
                return Ok(Finish::Done);
            }
            if dialogue.errand.is_none() && !self.plan.harness.makes_calls(&self.catalog) {
                let title = self.plan.harness.profile().title;
                let text = message!(
                    "{title} has no tools here, so it makes no calls, and the answer ends the turn",
                    "{title} 在这里没有工具，因此不会执行任何调用，本轮到此回答为止"
                );
                self.note(EventKind::noted(text));
                return Ok(Finish::Done);
            }
            answers += 1;
            // If no request may follow, the results of calls would reach no one.
            if let Some(cap) = own_cap.or(self.catalog.limits.iterations).filter(|cap| answers >= *cap) {
                return Ok(Finish::Capped(cap));
            }
            self.check_requests()?;
            self.round(dialogue, &calls).await?;
        }
    }

    /// Sends a conversation as it is and listens to the answer, again if the user does not keep one that may be cut
    /// off.
    async fn send(&mut self, dialogue: &mut Dialogue, tool_choice: Option<ToolChoice>) -> Result<Heard, Halt> {
        loop {
            self.leave_past(dialogue);
            let turn = dialogue.turn;
            let heard = match self.past.is_some() {
                true => {
                    // So that the run can be stopped between requests that need no waiting.
                    tokio::task::yield_now().await;
                    self.ask_again(dialogue, tool_choice)?
                }
                false => self.ask(dialogue, turn, tool_choice).await?,
            };
            if !heard.is_cut || self.is_kept(turn).await? {
                return Ok(heard);
            }
        }
    }

    async fn ask(
        &mut self,
        dialogue: &mut Dialogue,
        turn: u32,
        tool_choice: Option<ToolChoice>,
    ) -> Result<Heard, Halt> {
        self.check_requests()?;
        let recorded = self.plan.recording.as_ref().map(|recording| {
            let within = self.recorder.within().map(str::to_owned);
            Arc::new(recording.model(within, turn))
        });
        let Priced { model, prices } = match &recorded {
            Some(recorded) => Priced { model: recorded.clone(), prices: None },
            None => self.model(dialogue)?,
        };
        let is_other = dialogue.session.model.is_some() && !self.plan.rehearsal;
        if is_other && model.label() != self.plan.model.model.label() {
            self.may_ask(model.label()).await?;
        }
        let (request, Assembled { kept, origins, tokens, .. }) = self.request(dialogue, tool_choice);
        let tokens = tokens + self.tokens_of(&request.tools);
        let (size, encoder) = (request.messages.size(), model.clone());
        let encode = move || {
            let wire = encoder.encode(&request);
            (wire.body.to_string(), wire, request)
        };
        let (body, wire, request) = bulk::braked(self.brake.clone(), size, encode).await?;
        let kept = u32::try_from(kept).unwrap_or(u32::MAX);
        if !self.plan.rehearsal {
            let spent = self.recorder.spent();
            limits::check_spending(&self.plan.limits, &spent, tokens, model.label(), prices)?;
        }
        self.requests += 1;
        dialogue.turn += 1;
        let asked = is_other.then(|| AskedModel { id: model.label().to_owned(), prices });
        let own = self.plan.harness.agent(&self.catalog).map(|agent| agent.name);
        let agents = own.into_iter().chain(dialogue.agents.iter().cloned()).collect();
        self.recorder.record(EventKind::Requested { turn, body, kept, origins, tokens, model: asked, agents }).await?;
        if let Some(recorded) = recorded {
            let difference = recorded.difference(&wire.body, &self.plan.paths.shown(&self.plan.working_directory));
            self.note_difference(dialogue, difference).await?;
        }
        let events = model.send(&wire, &request);
        let calls_before = dialogue.conversation.history.iter().map(|message| message.calls().count()).sum::<usize>();
        let answer = Answer::new(u32::try_from(calls_before).unwrap_or(u32::MAX));
        turn::listen(turn, answer, events, &self.brake, &mut self.recorder).await
    }

    /// The outcome of a recorded request.
    fn ask_again(&mut self, dialogue: &mut Dialogue, tool_choice: Option<ToolChoice>) -> Result<Heard, Halt> {
        let (request, _) = self.request(dialogue, tool_choice);
        let Some(past) = self.past.as_mut() else { return Err(Halt::Over) };
        let Asked { body, answer } = past.requested(self.recorder.within())?;
        self.requests += 1;
        dialogue.turn += 1;
        dialogue.is_past = true;
        if !context::is_readable(&body) {
            return self.edited_answer(dialogue).map_or(answer, Ok);
        }
        let now = context::protocol(&body).encode("", &request, true, &Sampling::default());
        if let Some(difference) = context::difference_of_messages(&body, &now) {
            let turn = dialogue.turn;
            return Err(Halt::Lost(message!(
                "request {turn} would be different now: {difference}",
                "第 {turn} 个请求现在会不同：{difference}";
                difference
            )));
        }
        if dialogue.errand.is_none() {
            past.shows_otherwise = context::difference(&body, &now);
        }
        self.edited_answer(dialogue).map_or(answer, Ok)
    }

    /// A conversation as it is sent, and the origins of its messages.
    fn request(&self, dialogue: &mut Dialogue, tool_choice: Option<ToolChoice>) -> (ModelRequest, Assembled) {
        let shown = self.shown(dialogue);
        let system = shown.system();
        let Presentation { instructions, tools, .. } = shown;
        let dialect = self.plan.harness.dialect(&self.catalog);
        let mut assembled = dialogue.conversation.assemble(instructions.as_ref(), &dialogue.session.injected);
        if let (Some(system), Some(first)) = (system, assembled.messages.first_mut()) {
            *first = system;
        }
        let max_tokens = dialogue.errand.as_ref().and_then(|errand| errand.max_tokens);
        let request = ModelRequest {
            messages: std::mem::take(&mut assembled.messages),
            tools: tools.into_iter().map(|tool| tool.definition).collect(),
            parameters: Sampling { max_tokens, ..Sampling::default() },
            tool_choice: tool_choice.or(dialect.tool_choice),
            dialect,
        };
        (request, assembled)
    }

    /// Tells how a request differs from the recorded one, once for as long as that stays the same.
    async fn note_difference(&mut self, dialogue: &mut Dialogue, difference: Option<Words>) -> Result<(), Halt> {
        if let Some(text) = difference.clone().filter(|_| difference != dialogue.difference) {
            self.recorder.record(EventKind::noted(text)).await?;
        }
        dialogue.difference = difference;
        Ok(())
    }

    /// Instructions and tools of a conversation. A sub-agent's instructions are among its messages.
    fn shown(&self, dialogue: &Dialogue) -> Presentation {
        match &dialogue.errand {
            None => self.plan.harness.present(&self.catalog, &dialogue.session),
            Some(errand) => {
                let tools = errand.tools.iter().cloned().map(harness::PresentedTool::plain).collect();
                Presentation { tools, ..Presentation::default() }
            }
        }
    }

    fn model(&self, dialogue: &Dialogue) -> Result<Priced, Halt> {
        if self.plan.rehearsal && dialogue.errand.is_some() {
            return Ok(Priced { model: Arc::new(Understudy), prices: None });
        }
        self.model_named(dialogue.session.model.as_deref()).map_err(Halt::failed)
    }

    /// The run's own model for `None`. A rehearsal never asks a real one.
    fn model_named(&self, name: Option<&str>) -> Result<Priced, Words> {
        match name {
            Some(name) if !self.plan.rehearsal => (self.plan.hub)(name),
            Some(_) | None => Ok(self.plan.model.clone()),
        }
    }

    /// All calls of one answer, in order.
    async fn round(&mut self, dialogue: &mut Dialogue, calls: &[ToolCall]) -> Result<(), Halt> {
        let mut failure = None;
        let turn = dialogue.turn - 1;
        for call in calls {
            self.check()?;
            let reply = self.call(dialogue, turn, call).await?;
            if reply.author == ReplyAuthor::Exception {
                failure = Some(reply.text);
            }
        }
        let Some(failure) = failure else {
            dialogue.session.failed_rounds = 0;
            return Ok(());
        };
        dialogue.session.failed_rounds += 1;
        let failed = dialogue.session.failed_rounds;
        let profile = self.plan.harness.profile();
        match self.catalog.limits.failed_rounds {
            Some(FailedRounds::EndAfter(limit)) if failed > limit => {
                let title = profile.title;
                Err(Halt::failed(message!(
                    "{title} gives up after {failed} rounds in a row in which a tool failed; the last one: {failure}",
                    "连续 {failed} 轮都有工具失败，{title} 因此放弃；最后一次：{failure}"
                )))
            }
            Some(_) | None => Ok(()),
        }
    }

    async fn reload(&mut self) -> Result<(), Halt> {
        let Some(reload) = self.plan.reload.clone() else { return Ok(()) };
        self.recorder.flush().await?;
        let read = tokio::task::spawn_blocking(move || reload());
        self.catalog = tokio::select! {
            biased;
            halt = self.brake.pulled() => return Err(halt),
            read = read => read.map_err(|_| Halt::failed(message!("could not read the skills again", "无法重新读取技能")))?,
        };
        Ok(())
    }

    /// Nothing holds back what happened already.
    fn check(&self) -> Result<(), Halt> {
        if self.past.is_some() { Ok(()) } else { self.brake.check() }
    }

    fn check_requests(&self) -> Result<(), Halt> {
        if self.past.is_some() { Ok(()) } else { limits::check_requests(&self.plan.limits, self.requests) }
    }

    /// Records something together with the next event, unless it is in the record already.
    fn note(&mut self, kind: EventKind) {
        if self.past.is_none() {
            self.recorder.note(kind);
        }
    }

    async fn record(&mut self, kind: EventKind) -> Result<(), Halt> {
        if self.past.is_none() {
            self.recorder.record(kind).await?;
        }
        Ok(())
    }

    fn tokens_of(&mut self, tools: &[ToolDef]) -> u32 {
        if self.counted.0 != tools {
            self.counted = (tools.to_vec(), tools.iter().map(|tool| tokens::count(&tool.to_json())).sum());
        }
        self.counted.1
    }

    /// The set-up for a prompt; it says where the run was forked off, if that is here.
    fn setup(&mut self, dialogue: &mut Dialogue) -> RunSetup {
        let forked = self.forking.take().map(|forking| forking.from);
        let shown = self.shown(dialogue);
        let instructions = shown.instructions.as_ref();
        let instructions = instructions.map_or(0, |instructions| dialogue.conversation.count(&instructions.text));
        RunSetup { forked, ..self.setup_showing(&shown, instructions, &dialogue.session) }
    }

    /// `instructions`: their tokens.
    fn setup_showing(&mut self, shown: &Presentation, instructions: u32, session: &Session) -> RunSetup {
        let catalogue_tokens = instructions + self.tokens_of(&shown.definitions());
        RunSetup {
            harness: self.catalog.harness.into(),
            variant: self.catalog.variant.into(),
            model: self.plan.model.model.label().into(),
            prices: self.plan.model.prices,
            rehearsal: self.plan.rehearsal,
            prompt: self.plan.prompt.clone(),
            images: self.plan.images.clone(),
            roots: self.plan.roots.iter().map(|root| self.plan.paths.shown(root)).collect(),
            skills: self.catalog.skills.iter().map(|skill| skill.name.clone()).collect(),
            without: self.plan.without.clone(),
            folders: self.catalog.folders(),
            working_directory: self.plan.paths.shown(&self.plan.working_directory),
            neutral: NeutralPath::of(&self.plan.paths),
            fidelity: self.plan.sandbox.fidelity == Fidelity::On,
            tokenizer: tokens::TOKENIZER.into(),
            catalogue_tokens,
            groups: self.plan.harness.groups(&self.catalog, session),
            app_version: self.plan.app_version.clone(),
            imported: None,
            forked: None,
        }
    }
}
