//! Recorded calls, served again over the skills as they are now. No model is asked, nothing is run and nothing is
//! written: only files of skills are read; all other results come from the record.

use std::collections::{HashMap, VecDeque};
use std::mem::{Discriminant, discriminant};

use camino::{Utf8Path, Utf8PathBuf};

use super::access::{self, Open, Question};
use super::aside::Asides;
use super::bulk;
use super::effect::{self, EFFECT_LIMIT, Means, Serving};
use super::past::Past;
use super::places;
use super::tool::room::{Room, folders};
use config::{Policy, RunLimits};
use harness::{
    Catalog, Delegated, Delegation, DelegationEnd, Disclosure, Effect, FailureKind, Harness, Performed, Prepared,
    Served, Session, ToolReply, TurnEnd,
};
use model::secret::Guard;
use model::{Message, ToolCall, ToolResult};
use skill::paths::Paths;
use trace::check::{Checked, CheckedCall, Reply};
use trace::fold::Fold;
use trace::{CutChoice, Decision, Event, EventKind, RunSetup, Subject};
use wording::{Message as Words, Wording, message};

/// The state for serving recorded calls.
pub struct Ground {
    pub harness: &'static dyn Harness,
    pub catalog: Catalog,
    /// By which the catalogue names folders.
    pub paths: Paths,
    /// As a run begins with it.
    pub session: Session,
    pub limits: RunLimits,
    pub guard: Guard,
}

/// Serves each call of a recorded run again, in order, and compares the replies. A skill that is in another folder now
/// is the same skill.
pub async fn check(ground: Ground, events: &[Event]) -> Vec<CheckedCall> {
    let Some(setup) = events.iter().find_map(setup_of) else { return Vec::new() };
    let working_directory = setup.working_directory.clone();
    let moved = moved(setup, &ground.catalog);
    let shown = folders(ground.catalog.skills.iter().map(|skill| skill.path.as_deref()));
    let roots: Vec<Utf8PathBuf> = ground.catalog.roots.iter().filter_map(|root| ground.paths.real(root)).collect();
    let session = Session { working_directory: Some(working_directory.clone()), ..ground.session.clone() };
    let mut again = Again {
        // The folder of the run is the record's word, and opens nothing.
        open: Open::to(&working_directory, &roots).await,
        room: Room::new(Policy::default(), shown, working_directory.clone()),
        working_directory,
        moved,
        talks: HashMap::from([(None, Talk::new(session.clone(), Vec::new()))]),
        session,
        delegated: Vec::new(),
        asides: Asides::default(),
        ended: None,
        checked: Vec::new(),
        ground,
    };
    let mut fold = Fold::new();
    for (place, event) in events.iter().enumerate() {
        let changed = fold.apply(event);
        again.take(event, changed.last().copied().unwrap_or_default(), &events[place + 1..]).await;
    }
    again.checked.sort_by_key(|call| call.step);
    again.checked
}

fn setup_of(event: &Event) -> Option<&RunSetup> {
    match &event.kind {
        EventKind::Started { setup } => Some(setup),
        _ => None,
    }
}

/// Old and new folders of skills that moved; the longest path first, for one may be inside another.
fn moved(setup: &RunSetup, catalog: &Catalog) -> Vec<(Utf8PathBuf, Utf8PathBuf)> {
    let now = catalog.folders();
    let both = setup.folders.iter().filter_map(|(id, then)| Some((then.clone(), now.get(id)?.clone())));
    let mut moved: Vec<_> = both.filter(|(then, now)| then != now).collect();
    moved.sort_by_key(|(then, _)| std::cmp::Reverse(then.as_str().len()));
    moved
}

struct Again {
    ground: Ground,
    open: Open,
    room: Room,
    working_directory: Utf8PathBuf,
    moved: Vec<(Utf8PathBuf, Utf8PathBuf)>,
    /// As a conversation begins with it.
    session: Session,
    /// By what [`Event::within`] says.
    talks: HashMap<Option<String>, Talk>,
    /// Calls whose sub-agents are at work.
    delegated: Vec<Waiting>,
    asides: Asides,
    /// How the turn before ended, if it did.
    ended: Option<Event>,
    checked: Vec<CheckedCall>,
}

/// A conversation.
struct Talk {
    session: Session,
    history: Vec<Message>,
    /// So many messages a sub-agent was given.
    given: usize,
}

impl Talk {
    fn new(session: Session, history: Vec<Message>) -> Self {
        Self { session, given: history.len(), history }
    }
}

/// A call that waits for its sub-agent.
struct Waiting {
    within: Option<String>,
    child: String,
    serving: Serving,
}

/// The result of a call now.
enum Came {
    Reply(ToolReply),
    /// Its sub-agent is at work.
    Delegated,
    /// The record does not hold what the framework would be given.
    Unknown,
}

/// Why the reply says nothing about the skills as they are now.
#[derive(Clone)]
enum Held {
    NotRun { unchanged: Option<bool> },
    Kept(Words),
}

impl From<Held> for Checked {
    fn from(held: Held) -> Self {
        match held {
            Held::NotRun { unchanged } => Self::NotRun { unchanged },
            Held::Kept(reason) => Self::Unchecked { reason },
        }
    }
}

const UNANSWERED: Wording =
    Wording::new("the run ended before this call was answered", "运行在此调用得到回复之前就结束了");
const UNKNOWN: Wording =
    Wording::new("the record does not hold what this call was given", "记录中没有此调用得到的内容");
const BY_USER: Wording = Wording::new("the user denied it or answered it by hand", "用户拒绝了它，或亲自给出了结果");
const BY_SUB_AGENT: Wording = Wording::new(
    "a sub-agent answered it; the sub-agent's own calls are checked",
    "由子智能体回答；子智能体自己的调用已检查",
);
const ELSEWHERE: Wording = Wording::new(
    "the framework gives the model these instructions outside of the reply, where they are not compared",
    "框架在结果之外把这些指令交给模型，那部分不作比较",
);
/// Bytes of a line that is not in a text by chance.
const TELLING: usize = 12;
const WRITES: Wording = Wording::new("it writes a file, which a check does not do", "它要写文件，检查时不写");

impl Again {
    async fn take(&mut self, event: &Event, step: u32, next: &[Event]) {
        match &event.kind {
            EventKind::Started { setup } => self.hear(setup),
            EventKind::Continued { setup } => {
                self.close_turn();
                self.hear(setup);
            }
            EventKind::Requested { .. } => self.prepare(&event.within).await,
            EventKind::Answered { message, .. } => self.talk(&event.within).history.push(message.clone()),
            EventKind::CutSettled { choice: CutChoice::AskAgain, .. } => {
                self.talk(&event.within).history.pop();
            }
            EventKind::Called { call, .. } => self.call(event, call, step, next).await,
            EventKind::Replied { call_id, .. } => self.sub_agent_done(&event.within, call_id),
            EventKind::Ended { .. } => self.ended = Some(event.clone()),
            _ => {}
        }
    }

    fn talk(&mut self, within: &Option<String>) -> &mut Talk {
        let fresh = || Talk::new(Session { delegated: true, ..self.session.clone() }, Vec::new());
        self.talks.entry(within.clone()).or_insert_with(fresh)
    }

    fn hear(&mut self, setup: &RunSetup) {
        let talk = self.talk(&None);
        talk.session.failed_rounds = 0;
        talk.history.push(Message::prompt(&setup.prompt, &setup.images));
    }

    fn close_turn(&mut self) {
        let ended = self.ended.take();
        // If no end is recorded, the next prompt followed at once.
        let end = ended.map_or(TurnEnd::Done, |end| Past::new(vec![end]).end().unwrap_or(TurnEnd::Broken));
        let Self { ground, talks, .. } = self;
        if let Some(Talk { session, history, .. }) = talks.get_mut(&None) {
            ground.harness.next_turn(history, end, &ground.catalog, session);
        }
    }

    /// Lets the framework prepare a request, without steps that need a model or the user.
    async fn prepare(&mut self, within: &Option<String>) {
        let mut done = None;
        for _ in 0..=EFFECT_LIMIT {
            self.talk(within);
            let Self { ground, talks, .. } = &mut *self;
            let Some(Talk { session, history, .. }) = talks.get_mut(within) else { return };
            match ground.harness.before_request(history, done.take(), &ground.catalog, session) {
                Prepared::Perform(effect) => {
                    let looked = self.look(&effect).await;
                    done = Some(looked.unwrap_or_else(|_| Performed::failed(FailureKind::Other, "nothing is done")));
                }
                Prepared::Send | Prepared::End | Prepared::Abort(_) => return,
            }
        }
    }

    async fn call(&mut self, event: &Event, call: &ToolCall, step: u32, next: &[Event]) {
        let mut record = Record::of(event, call, next);
        let call = match record.edited.take() {
            Some(arguments) => ToolCall { arguments, ..call.clone() },
            None => call.clone(),
        };
        let call = ToolCall { arguments: self.as_now(&call.arguments), ..call };
        let result = match &self.ground.catalog.refused {
            Some(refused) => record.compare(ToolReply::error(refused.clone()), |text| text.to_owned()),
            None => match self.serve(&event.within, &call, &mut record).await {
                Came::Reply(reply) => {
                    let reply = self.as_sent(reply);
                    self.push(&event.within, &call, &reply);
                    let elsewhere = self.is_shown_elsewhere(&event.kind, &reply.text);
                    match record.compare(reply, |text| self.as_now(text)) {
                        Checked::Same if elsewhere => Checked::Unchecked { reason: ELSEWHERE.into() },
                        result => result,
                    }
                }
                Came::Delegated => Checked::Unchecked { reason: BY_SUB_AGENT.into() },
                Came::Unknown => match record.held.take() {
                    Some(held @ Held::NotRun { .. }) => held.into(),
                    Some(_) | None => Checked::Unchecked { reason: UNKNOWN.into() },
                },
            },
        };
        let (tool, arguments) = (call.name, call.arguments);
        self.checked.push(CheckedCall { step, tool, arguments, result });
    }

    /// Whether the call gives the model a skill's instructions, and its reply holds nothing of them.
    fn is_shown_elsewhere(&self, called: &EventKind, reply: &str) -> bool {
        let EventKind::Called { disclosure: Disclosure::Instructions { skill }, .. } = called else { return false };
        let skill = self.ground.catalog.skills.iter().find(|known| known.name == *skill);
        let lines = skill.into_iter().flat_map(|skill| skill.content.lines()).map(str::trim);
        let mut telling = lines.filter(|line| line.len() >= TELLING).peekable();
        telling.peek().is_some() && !telling.any(|line| reply.contains(line))
    }

    async fn serve(&mut self, within: &Option<String>, call: &ToolCall, record: &mut Record<'_>) -> Came {
        let mut serving = Serving::new(self.ground.harness, call.clone());
        let mut done = None;
        loop {
            self.talk(within);
            let Self { ground, talks, .. } = &mut *self;
            let Some(Talk { session, .. }) = talks.get_mut(within) else { return Came::Unknown };
            let served = match done.take() {
                None => serving.begin(&ground.catalog, session),
                Some(done) => serving.go_on(done, &ground.catalog, session),
            };
            let effect = match served {
                Ok(Served::Reply(reply)) => return Came::Reply(reply),
                Ok(Served::Abort(error)) => return Came::Reply(ToolReply::error(error)),
                Err(limit) => return Came::Reply(ToolReply::error(limit.en)),
                Ok(Served::Perform(effect)) => effect,
            };
            match record.decision(&effect) {
                Some(Decision::Deny { reason }) => {
                    record.hold(Held::Kept(BY_USER.into()));
                    done = Some(Performed::Denied { reason });
                    continue;
                }
                Some(Decision::Stub { text }) => {
                    record.hold(Held::Kept(BY_USER.into()));
                    done = Some(Performed::Stubbed { text });
                    continue;
                }
                Some(Decision::Allow { .. }) | None => {}
            }
            if let Effect::Delegate(delegation) = effect {
                if let Some(failed) = record.not_begun() {
                    done = Some(failed);
                    continue;
                }
                self.delegate(within, serving, delegation);
                return Came::Delegated;
            }
            match self.given(&effect, record).await {
                Some(given) => done = Some(given),
                None => return Came::Unknown,
            }
        }
    }

    /// The result of an effect for the framework; `None`: unknown.
    async fn given(&self, effect: &Effect, record: &mut Record<'_>) -> Option<Performed> {
        let held = match effect {
            Effect::RunScript { .. } | Effect::Shell { .. } | Effect::Shells { .. } => {
                let unchanged = match record.digest.take() {
                    Some(then) => {
                        let question = self.question(effect).await;
                        Some(question.is_some_and(|question| question.subject.digest.as_deref() == Some(then)))
                    }
                    None => None,
                };
                Held::NotRun { unchanged }
            }
            Effect::WriteFile { .. } | Effect::WriteFiles { .. } => Held::Kept(WRITES.into()),
            _ => match self.look(effect).await {
                Ok(performed) => {
                    record.outcome(effect);
                    return Some(performed);
                }
                Err(reason) => Held::Kept(reason),
            },
        };
        record.hold(held);
        record.outcome(effect)
    }

    /// Looks something up in the skills; an error says why it is not looked up.
    async fn look(&self, effect: &Effect) -> Result<Performed, Words> {
        let looked_at = match effect {
            Effect::Disclose { .. } | Effect::AskModel { .. } => return Ok(Performed::Agreed),
            Effect::ReadFile { path, .. }
            | Effect::ListFolder { path, .. }
            | Effect::FindFiles { path, .. }
            | Effect::SearchFiles { path, .. } => path,
            Effect::FileHistory { .. } => {
                return Err(message!("a check does not look at what a file held before", "检查时不查看文件以前的内容"));
            }
            Effect::RunScript { .. }
            | Effect::Shell { .. }
            | Effect::Shells { .. }
            | Effect::WriteFile { .. }
            | Effect::WriteFiles { .. } => {
                return Err(message!("a check runs and writes nothing", "检查时不运行也不写入任何东西"));
            }
            Effect::Delegate(_) | Effect::Summarise { .. } => {
                return Err(message!("a check asks no model", "检查时不询问模型"));
            }
        };
        let asks = match effect {
            // The record has the answers to the framework's own questions.
            Effect::ReadFile { path, .. } => Effect::ReadFile { path: path.clone(), approval: false },
            effect => effect.clone(),
        };
        if self.question(&asks).await.is_some() {
            return Err(message!("it looks outside of the skills, at {looked_at}", "它查看的是技能之外的 {looked_at}"));
        }
        let Ground { limits, guard, paths, .. } = &self.ground;
        let (reach, working_directory) = (self.open.reach(), &*self.working_directory);
        let means = Means { limits, room: &self.room, working_directory, paths, reach: &reach, guard };
        Ok(effect::perform(effect, means).await.performed)
    }

    async fn question(&self, effect: &Effect) -> Option<Question> {
        let Ground { harness, catalog, paths, .. } = &self.ground;
        let effect = places::real(effect, &self.working_directory, paths).ok()?;
        access::question(*harness, &effect, catalog, &self.open, &Policy::default(), paths).await
    }

    fn delegate(&mut self, within: &Option<String>, serving: Serving, delegation: Delegation) {
        let call_id = serving.call().id.clone();
        let Delegation { model, with_history, messages, .. } = delegation;
        let child = self.asides.name(&call_id);
        let parent = self.talk(within);
        let (history, activated) = match with_history {
            true => (parent.history.clone(), parent.session.activated.clone()),
            false => (Vec::new(), Vec::new()),
        };
        let session = Session { activated, failed_rounds: 0, model, delegated: true, ..parent.session.clone() };
        let talk = Talk::new(session, [history, messages].concat());
        self.talks.insert(Some(child.clone()), talk);
        self.delegated.push(Waiting { within: within.clone(), child, serving });
    }

    /// Lets the framework remember what its sub-agent said.
    fn sub_agent_done(&mut self, within: &Option<String>, call_id: &str) {
        let is_it = |waiting: &Waiting| waiting.within == *within && waiting.serving.call().id == call_id;
        let Some(place) = self.delegated.iter().rposition(is_it) else { return };
        let Waiting { child, mut serving, .. } = self.delegated.remove(place);
        let Some(Talk { session, mut history, given, .. }) = self.talks.remove(&Some(child)) else { return };
        let messages = history.split_off(given.min(history.len()));
        let done = Delegated { messages, end: DelegationEnd::Done, memory: session.memory };
        let Self { ground, talks, .. } = &mut *self;
        let Some(Talk { session, .. }) = talks.get_mut(within) else { return };
        if let Ok(Served::Reply(reply)) = serving.go_on(Performed::Delegated(done), &ground.catalog, session) {
            let call = serving.call().clone();
            self.push(within, &call, &reply);
        }
    }

    fn push(&mut self, within: &Option<String>, call: &ToolCall, reply: &ToolReply) {
        let wire = self.ground.harness.wire(reply, &self.ground.catalog);
        let (call_id, text, is_error) = (call.id.clone(), reply.text.clone(), reply.is_error);
        let message = Message::pictured_result(ToolResult { call_id, text, wire, is_error }, &reply.images);
        let message = message.with_documents(&reply.documents);
        self.talk(within).history.push(message);
    }

    /// As a model gets it, and as it is recorded.
    fn as_sent(&self, reply: ToolReply) -> ToolReply {
        let reply = bulk::cut(reply, self.ground.harness.profile().title);
        let scrubber = self.ground.guard.scrubber();
        if scrubber.is_idle() { reply } else { ToolReply { text: scrubber.text(&reply.text), ..reply } }
    }

    /// A recorded text with the folders of skills as they are now.
    fn as_now(&self, text: &str) -> String {
        moved_in(text, self.moved.iter().map(|(then, now)| (then, now)))
    }
}

/// A text with paths as they are now: each `(then, now)` in turn, the longest first.
pub fn moved_in<'a>(text: &str, moved: impl Iterator<Item = (&'a Utf8PathBuf, &'a Utf8PathBuf)>) -> String {
    moved.fold(text.to_owned(), |text, (then, now)| replaced(&text, then, now))
}

/// A path, if it is one: followed by more of a path or by its end.
fn replaced(text: &str, then: &Utf8Path, now: &Utf8Path) -> String {
    let mut pieces = text.split(then.as_str());
    let mut whole = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let is_longer = piece.starts_with(|next: char| next.is_alphanumeric() || next == '-' || next == '_');
        whole.push_str(if is_longer { then.as_str() } else { now.as_str() });
        whole.push_str(piece);
    }
    whole
}

/// The recorded events of one call.
struct Record<'a> {
    /// What the user wrote instead of the arguments.
    edited: Option<String>,
    decisions: VecDeque<(Discriminant<Effect>, Decision)>,
    /// Of what would run.
    digest: Option<&'a str>,
    outcomes: VecDeque<Performed>,
    reply: Option<Reply<'a>>,
    held: Option<Held>,
}

impl<'a> Record<'a> {
    /// `next`: what follows the call.
    fn of(called: &Event, call: &ToolCall, next: &'a [Event]) -> Self {
        let (decisions, outcomes) = (VecDeque::new(), VecDeque::new());
        let mut record = Self { edited: None, decisions, digest: None, outcomes, reply: None, held: None };
        let mut asked = None;
        for event in next.iter().filter(|event| event.within == called.within) {
            match &event.kind {
                EventKind::ApprovalAsked { call_id, effect, subject } if *call_id == call.id => {
                    record.about(subject);
                    asked = Some(discriminant(effect));
                }
                EventKind::ApprovalGiven { call_id, decision } if *call_id == call.id => match (decision, asked) {
                    (Decision::Allow { arguments: Some(arguments), .. }, _) => record.edited = Some(arguments.clone()),
                    (decision, Some(asked)) => record.decisions.push_back((asked, decision.clone())),
                    (_, None) => {}
                },
                EventKind::Agreed { call_id, subject, .. } if *call_id == call.id => record.about(subject),
                EventKind::Remembered { call_id, effect, subject, decision, .. } if *call_id == call.id => {
                    record.about(subject);
                    record.decisions.push_back((discriminant(effect), decision.clone()));
                }
                EventKind::Performed { call_id, output, files, outcome, .. } if *call_id == call.id => {
                    let ran = output.clone().map(Performed::Ran);
                    let other = || outcome.as_ref().and_then(trace::Outcome::performed);
                    let wrote = || (!files.is_empty()).then_some(Performed::Wrote);
                    record.outcomes.extend(ran.or_else(other).or_else(wrote));
                }
                EventKind::Replied { call_id, text, images, documents, is_error, .. } if *call_id == call.id => {
                    record.reply = Some(Reply { text, images, documents, is_error: *is_error });
                    break;
                }
                EventKind::Forked { edited: Some(edited), .. } if edited.call_id == call.id => {
                    record.hold(Held::Kept(BY_USER.into()));
                }
                // Some models use an id again.
                EventKind::Called { call: another, .. } if another.id == call.id => break,
                EventKind::Requested { .. } | EventKind::Ended { .. } => break,
                _ => {}
            }
        }
        record
    }

    fn about(&mut self, subject: &'a Subject) {
        self.digest = subject.digest.as_deref().or(self.digest);
    }

    /// What the user decided about the next effect of this kind.
    fn decision(&mut self, effect: &Effect) -> Option<Decision> {
        let place = self.decisions.iter().position(|(kind, _)| *kind == discriminant(effect))?;
        self.decisions.remove(place).map(|(_, decision)| decision)
    }

    /// The recorded result of such an effect, if it comes next.
    fn outcome(&mut self, effect: &Effect) -> Option<Performed> {
        let next = self.outcomes.front()?;
        let fits = match next {
            Performed::Ran(_) => matches!(effect, Effect::RunScript { .. } | Effect::Shell { .. }),
            Performed::Read { .. } => matches!(effect, Effect::ReadFile { .. }),
            Performed::RanTogether { .. } => matches!(effect, Effect::Shells { .. }),
            Performed::History(_) => matches!(effect, Effect::FileHistory { .. }),
            Performed::Wrote => matches!(effect, Effect::WriteFile { .. } | Effect::WriteFiles { .. }),
            Performed::Listed { .. } => matches!(effect, Effect::ListFolder { .. } | Effect::FindFiles { .. }),
            Performed::Found { .. } => matches!(effect, Effect::SearchFiles { .. }),
            Performed::Failed { .. } => true,
            _ => false,
        };
        if fits { self.outcomes.pop_front() } else { None }
    }

    /// Why a sub-agent never began, if it did not.
    fn not_begun(&mut self) -> Option<Performed> {
        let failed = matches!(self.outcomes.front(), Some(Performed::Failed { .. }));
        if failed { self.outcomes.pop_front() } else { None }
    }

    fn hold(&mut self, held: Held) {
        self.held.get_or_insert(held);
    }

    fn compare(&mut self, now: ToolReply, as_now: impl Fn(&str) -> String) -> Checked {
        let Some(recorded) = self.reply else { return Checked::Unchecked { reason: UNANSWERED.into() } };
        let text = as_now(recorded.text);
        let ToolReply { images, documents, is_error, .. } = &now;
        let now = Reply { text: &now.text, images, documents, is_error: *is_error };
        match (Checked::of(Reply { text: &text, ..recorded }, now), self.held.take()) {
            (Checked::Same, Some(held)) => held.into(),
            (result, _) => result,
        }
    }
}
