//! Events to steps. The live view applies each event as it comes, the replay applies them all at once, the store keeps
//! its summaries by it: one fold, so they cannot differ. Events may come in any order; those that make no sense are
//! ignored.

mod blank;
mod changes;
mod named;
mod tokens;

use std::collections::BTreeMap;

pub(crate) use self::blank::put_back;
use self::blank::{parts_of, unanswered, unreplied};
pub use self::changes::{Changes, StepChange};
use super::spending::{Spending, Spent};
use super::{
    CutChoice, Decision, Departures, EditedResult, Event, EventKind, RunId, RunSetup, RunStatus, RunSummary, Standing,
    Step, StepKind, StepState, Subject, TurnSetup,
};
use crate::clock::Millis;
use harness::{Disclosure, Effect};
use model::{FinishReason, ModelError, ToolCall};

/// All steps of a run.
pub fn steps(events: &[Event]) -> Vec<Step> {
    replay(events).steps
}

/// The fold after all events of a run.
pub fn replay(events: &[Event]) -> Fold {
    let mut fold = Fold::new();
    for event in events {
        fold.apply(event);
    }
    fold
}

/// A run so far.
#[derive(Debug, Clone, PartialEq)]
pub struct Fold {
    steps: Vec<Step>,
    /// Indices of the steps that go on, ascending.
    open: Vec<usize>,
    /// Those of them that no call began but the framework, getting ready for a request.
    own: Vec<usize>,
    /// Those that began with the last event, or whose content it changed.
    told: Vec<usize>,
    /// So many of them are in it because the event itself says something of them; to the rest it only adds what they cost.
    said: usize,
    conversations: BTreeMap<Within, Conversation>,
    spending: Spending,
    setup: Option<RunSetup>,
    /// The model that the user chose for this turn, if it is not the run's.
    chosen: Option<String>,
    /// So many steps are of the run that this one was forked off.
    taken_over: usize,
    status: RunStatus,
    error: Option<String>,
    started_at: Millis,
    prompts: u32,
    departures: Departures,
    /// The number of the event that is being applied.
    seq: u32,
    /// The time of the last event.
    heard_at: Option<Millis>,
    ended_at: Option<Millis>,
}

/// The parts of a run's summary that change while the run goes on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    pub status: RunStatus,
    pub ended_at: Option<Millis>,
    pub steps: u32,
    pub prompts: u32,
    pub context_tokens: u32,
    pub spent: Spent,
    pub departures: Departures,
}

/// Which conversation: as [`Event::within`] says it.
type Within = Option<String>;

#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Conversation {
    request: Option<Request>,
    /// Index of its last step.
    last: Option<usize>,
    /// Of its first and its last prompt, and of its last call.
    prompts: Option<(usize, usize)>,
    call: Option<usize>,
}

/// The last model request of a conversation.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Request {
    turn: u32,
    tokens: u32,
    /// Index of its Answer step.
    step: usize,
}

impl Default for Fold {
    fn default() -> Self {
        Self::new()
    }
}

impl Fold {
    /// Of a run of which no event came yet.
    pub fn new() -> Self {
        Self {
            steps: Vec::new(),
            open: Vec::new(),
            own: Vec::new(),
            told: Vec::new(),
            said: 0,
            conversations: BTreeMap::new(),
            spending: Spending::default(),
            setup: None,
            chosen: None,
            taken_over: 0,
            status: RunStatus::Running,
            error: None,
            started_at: 0,
            prompts: 0,
            departures: Departures::default(),
            seq: 0,
            heard_at: None,
            ended_at: None,
        }
    }

    /// All, those of a fork that were taken over first.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Those that were not recorded in the run that this one was forked off, except for what was open there.
    pub fn own_steps(&self) -> &[Step] {
        &self.steps[self.taken_over..]
    }

    /// Drops the texts of the steps from this one on, for callers that only continue from here.
    pub fn forget_texts(&mut self, from: usize) {
        self.steps.iter_mut().skip(from).for_each(|step| blank::forget_texts(&mut step.kind));
    }

    /// As [`Fold::forget_texts`], of these steps.
    pub(crate) fn forget_texts_of(&mut self, places: std::ops::Range<usize>) {
        for step in self.steps.get_mut(places).unwrap_or_default() {
            blank::forget_texts(&mut step.kind);
        }
    }

    /// The first open step.
    pub(crate) fn first_open(&self) -> Option<usize> {
        self.open.iter().copied().find(|place| is_open(&self.steps[*place]))
    }

    /// The step of the last request of the run's own conversation.
    pub(crate) fn last_request(&self) -> Option<usize> {
        self.request(&None).map(|request| request.step)
    }

    /// Keeps only the beginnings of the long texts of a step that is over.
    pub(crate) fn shorten(&mut self, place: usize) {
        let Some(step) = self.steps.get_mut(place).filter(|step| !step.brief && !is_open(step)) else { return };
        step.brief = blank::shorten(&mut step.kind);
    }

    /// Indices of the steps that began with the last event, or whose content or cost it changed; some more than once.
    pub(crate) fn touched(&self) -> &[usize] {
        &self.told
    }

    /// Those that the last event itself says something of.
    pub(crate) fn touched_by_itself(&self) -> &[usize] {
        &self.told[..self.said]
    }

    /// `Running` until an event says that the run is over.
    pub fn status(&self) -> RunStatus {
        self.status
    }

    /// Why the run failed, in English.
    pub fn error(&self) -> Option<&str> {
        self.error.as_deref()
    }

    /// Of all answers so far, by the prices that the run recorded.
    pub fn spent(&self) -> Spent {
        self.spending.total()
    }

    /// `None` before the run has started.
    pub fn progress(&self) -> Option<Progress> {
        self.setup.as_ref()?;
        Some(Progress {
            status: self.status,
            ended_at: self.ended_at,
            steps: index(self.steps.len()),
            prompts: self.prompts,
            context_tokens: self.request(&None).map_or(0, |request| request.tokens),
            spent: self.spent(),
            departures: self.departures,
        })
    }

    /// `None` before the run has started.
    pub fn summary(&self, id: RunId, bundled: bool) -> Option<RunSummary> {
        let Progress { status, ended_at, steps, prompts, context_tokens, spent, departures } = self.progress()?;
        let (setup, error) = (self.setup.clone()?, self.error.clone());
        Some(RunSummary {
            id,
            setup,
            status,
            error,
            started_at: self.started_at,
            ended_at,
            steps,
            prompts,
            context_tokens,
            spent,
            departures,
            bundled,
            verdict: None,
            pinned: false,
            unsaved: None,
        })
    }

    /// Applies one event; returns the indices of the steps that changed or appeared, ascending. Events after the end
    /// change nothing, unless the run goes on.
    pub fn apply(&mut self, event: &Event) -> Vec<u32> {
        self.told.clear();
        self.said = 0;
        let goes_on = matches!(event.kind, EventKind::Continued { .. } | EventKind::Forked { .. });
        if self.ended_at.is_some() && !goes_on {
            return Vec::new();
        }
        self.seq = event.seq;
        let mut changed = self.take_in(event);
        self.said = self.told.len();
        changed.extend(self.charge(event));
        // Most events close nothing.
        if changed.iter().any(|place| !is_open(&self.steps[*place])) {
            self.open.retain(|place| is_open(&self.steps[*place]));
        }
        self.heard_at = Some(event.at);
        changed.sort_unstable();
        changed.dedup();
        changed.into_iter().map(index).collect()
    }

    fn take_in(&mut self, event: &Event) -> Vec<usize> {
        let (at, within) = (event.at, &event.within);
        match &event.kind {
            EventKind::Started { setup } => {
                // Lists of runs have no use for the pictures.
                self.setup = Some(RunSetup { images: Vec::new(), ..setup.clone() });
                self.started_at = at;
                self.prompts = 1;
                let (text, images) = (setup.prompt.clone(), setup.images.clone());
                let prompt = StepKind::Prompt { text, images, setup: None, skills: Vec::new() };
                vec![self.push(within, at, None, StepState::Done, setup.catalogue_tokens, prompt)]
            }
            EventKind::Continued { setup } => {
                self.fork(at, setup);
                self.choose(&setup.model);
                self.go_on(at, setup)
            }
            EventKind::Forked { setup, edited, answered } => {
                self.fork(at, setup);
                self.choose(&setup.model);
                self.skip_pause(at);
                (self.status, self.error, self.ended_at) = (RunStatus::Running, None, None);
                if let Some(Request { turn, .. }) = self.request(within).filter(|_| *answered) {
                    return self.change_answer(within, turn, |step| {
                        if let StepKind::Answer { edited, .. } = &mut step.kind {
                            *edited = true;
                        }
                    });
                }
                let Some(EditedResult { call_id, text }) = edited else { return Vec::new() };
                self.decided(event, call_id, &Decision::Stub { text: text.clone() }, None)
            }
            EventKind::Requested { turn, origins, tokens, model, agents, .. } => {
                let mut changed = self.close_own(within, at);
                changed.extend(self.measure_last_answer(within, origins));
                changed.extend(match self.said_since(within) {
                    Some(prompt) => self.measure_further_prompt(prompt, *tokens),
                    None => self.measure_injected(within, origins),
                });
                changed.extend(self.name_skills(within, origins));
                if self.request(within).is_none() {
                    changed.extend(self.measure_prompt(within, *tokens));
                }
                let step = self.push(within, at, Some(*turn), StepState::Running, 0, unanswered());
                self.steps[step].context_tokens = *tokens;
                if let StepKind::Answer { model: asked, agents: asking, .. } = &mut self.steps[step].kind {
                    *asked = model.as_ref().map(|model| model.id.clone()).or_else(|| self.chosen.clone());
                    asking.clone_from(agents);
                }
                let request = Request { turn: *turn, tokens: *tokens, step };
                self.conversations.entry(within.clone()).or_default().request = Some(request);
                changed.push(step);
                changed
            }
            EventKind::Streamed { turn, text, reasoning } => self.change_answer(within, *turn, |step| {
                let waited = elapsed(step.at, at);
                if let StepKind::Answer { text: shown, reasoning: thought, first_token, .. } = &mut step.kind {
                    shown.push_str(text);
                    thought.push_str(reasoning);
                    if first_token.is_none() && !(text.is_empty() && reasoning.is_empty()) {
                        *first_token = Some(waited);
                    }
                }
            }),
            EventKind::Answered { turn, message, usage, finish, tokens } => self.change_answer(within, *turn, |step| {
                // One that may be cut off is not over before the user has chosen.
                if *finish != FinishReason::PerhapsCut {
                    close(step, StepState::Done, at);
                }
                step.added_tokens = *tokens;
                step.context_tokens = step.context_tokens.saturating_add(*tokens);
                if let StepKind::Answer { text, reasoning, calls, usage: counted, finish: reason, .. } = &mut step.kind
                {
                    (*text, *reasoning, *calls) = parts_of(message);
                    *counted = *usage;
                    *reason = Some(finish.clone());
                }
            }),
            EventKind::Failed { turn, message, hint, raw, why } => self.change_answer(within, *turn, |step| {
                close(step, StepState::Failed, at);
                if let StepKind::Answer { error, hint: advice, raw: said, why: cause, .. } = &mut step.kind {
                    *error = Some(message.clone());
                    advice.clone_from(hint);
                    *said = Some(raw.clone());
                    *cause = why.clone().map(Box::new);
                }
            }),
            EventKind::Called { turn, call, disclosure } => {
                vec![self.push(within, at, Some(*turn), StepState::Running, 0, unreplied(call, disclosure))]
            }
            EventKind::ApprovalAsked { call_id, effect, subject } => self.ask(event, call_id, effect, subject),
            EventKind::ApprovalGiven { call_id, decision } => self.decided(event, call_id, decision, None),
            EventKind::Agreed { call_id, effect, subject } => self.change_tool(within, call_id, |step| {
                if let StepKind::Tool { ran, enforcement, .. } = &mut step.kind {
                    *ran = Some(Box::new(effect.clone()));
                    *enforcement = subject.enforcement.clone().map(Box::new);
                }
            }),
            EventKind::Remembered { call_id, effect, subject, standing, decision } => {
                let mut changed = self.ask(event, call_id, effect, subject);
                changed.extend(self.decided(event, call_id, decision, Some(*standing)));
                changed
            }
            EventKind::CutAsked { turn } => self.change_answer(within, *turn, |step| {
                if is_perhaps_cut(step) {
                    step.state = StepState::Waiting;
                    step.question = Some(event.seq);
                }
            }),
            EventKind::CutSettled { turn, choice } => self.change_answer(within, *turn, |step| {
                if !is_perhaps_cut(step) {
                    return;
                }
                let state = match choice {
                    CutChoice::Keep => StepState::Done,
                    CutChoice::AskAgain => StepState::Stopped,
                    CutChoice::End => StepState::Failed,
                };
                close(step, state, at);
                if let StepKind::Answer { cut, .. } = &mut step.kind {
                    *cut = Some(*choice);
                }
            }),
            EventKind::Performed { call_id, output, files, enforcement, outcome: _ } => {
                self.change_tool(within, call_id, |step| {
                    if let StepKind::Tool { output: printed, files: wrote, enforcement: held, .. } = &mut step.kind {
                        if enforcement.is_some() {
                            *held = enforcement.clone().map(Box::new);
                        }
                        if output.is_some() {
                            *printed = output.clone().map(Box::new);
                        }
                        wrote.retain(|known| !files.iter().any(|file| file.path == known.path));
                        wrote.extend(files.iter().cloned());
                    }
                })
            }
            EventKind::Replied { call_id, text, images, documents, wire, is_error, tokens } => {
                let mut changed = self.close_delegated(call_id, at);
                changed.extend(self.change_tool(within, call_id, |step| {
                    close(step, if *is_error { StepState::Failed } else { StepState::Done }, at);
                    step.added_tokens = *tokens;
                    step.context_tokens = step.context_tokens.saturating_add(*tokens);
                    if let StepKind::Tool {
                        reply,
                        images: pictures,
                        documents: filed,
                        wire: sent,
                        disclosure,
                        disclosed,
                        decision,
                        ..
                    } = &mut step.kind
                    {
                        *reply = Some(text.clone());
                        pictures.clone_from(images);
                        filed.clone_from(documents);
                        sent.clone_from(wire);
                        let stands = !matches!(decision, Some(Decision::Deny { .. } | Decision::Stub { .. }));
                        if stands && !*is_error {
                            disclosed.clone_from(disclosure);
                        }
                    }
                }));
                changed
            }
            EventKind::Noted { text, zh, retried } => {
                let turn = self.request(within).map(|request| request.turn);
                let kind = StepKind::Note { text: text.clone(), zh: zh.clone(), retried: retried.clone() };
                vec![self.push(within, at, turn, StepState::Done, 0, kind)]
            }
            // It is read when it is asked for: `api::changes`.
            EventKind::Left { .. } => Vec::new(),
            // The next request counts shown texts, and a line of a file is not a step.
            EventKind::Source { .. } | EventKind::Shown { .. } => Vec::new(),
            EventKind::Ended { status, error, zh, reached } => {
                let end = StepKind::End {
                    status: *status,
                    error: error.clone(),
                    zh: zh.clone(),
                    why: self.why(error.as_deref()),
                    reached: reached.clone(),
                };
                self.end(at, *status, error.clone(), end)
            }
        }
    }

    /// Puts what an answer cost to its step.
    fn charge(&mut self, event: &Event) -> Vec<usize> {
        let mut changed = Vec::new();
        for (within, cost) in self.spending.take_in(event) {
            let Some(Request { step, .. }) = self.request(&within) else { continue };
            if let StepKind::Answer { spent, .. } = &mut self.steps[step].kind {
                *spent = Some(cost);
                self.told.push(step);
                changed.push(step);
            }
        }
        changed
    }

    /// Begins a step on top of its conversation's context so far.
    fn push(
        &mut self,
        within: &Within,
        at: Millis,
        turn: Option<u32>,
        state: StepState,
        added_tokens: u32,
        kind: StepKind,
    ) -> usize {
        let place = self.steps.len();
        let conversation = self.conversations.entry(within.clone()).or_default();
        let before = conversation.last.replace(place);
        match &kind {
            StepKind::Prompt { .. } => {
                conversation.prompts = Some((conversation.prompts.map_or(place, |(first, _)| first), place));
            }
            StepKind::Tool { .. } => conversation.call = Some(place),
            StepKind::Answer { .. } | StepKind::Note { .. } | StepKind::End { .. } => {}
        }
        let before = before.map_or(0, |last| self.steps[last].context_tokens);
        let goes_on = matches!(state, StepState::Running | StepState::Waiting);
        self.steps.push(Step {
            index: index(place),
            event: self.seq,
            at,
            took: if goes_on { None } else { Some(0) },
            within: within.clone(),
            turn,
            state,
            question: None,
            kind,
            added_tokens,
            context_tokens: before.saturating_add(added_tokens),
            brief: false,
        });
        if goes_on {
            self.open.push(place);
        }
        self.told.push(place);
        place
    }

    fn request(&self, within: &Within) -> Option<Request> {
        self.conversation(within).request
    }

    fn conversation(&self, within: &Within) -> Conversation {
        self.conversations.get(within).copied().unwrap_or_default()
    }

    /// The answer of a turn that has not come in whole.
    fn change_answer(&mut self, within: &Within, turn: u32, change: impl FnOnce(&mut Step)) -> Vec<usize> {
        let is_it = |step: &Step| {
            step.turn == Some(turn) && step.within == *within && matches!(step.kind, StepKind::Answer { .. })
        };
        let place = self.open.iter().rev().find(|place| is_it(&self.steps[**place])).copied();
        self.change(place, change)
    }

    fn change_tool(&mut self, within: &Within, call_id: &str, change: impl FnOnce(&mut Step)) -> Vec<usize> {
        let place = self.open_tool(within, call_id);
        self.change(place, change)
    }

    /// The earliest open call of this id in its conversation: some models use an id again.
    fn open_tool(&self, within: &Within, call_id: &str) -> Option<usize> {
        let is_it = |step: &Step| {
            step.within == *within && matches!(&step.kind, StepKind::Tool { call, .. } if call.id == call_id)
        };
        self.open.iter().find(|place| is_it(&self.steps[**place])).copied()
    }

    fn change(&mut self, place: Option<usize>, change: impl FnOnce(&mut Step)) -> Vec<usize> {
        let Some(place) = place else { return Vec::new() };
        change(&mut self.steps[place]);
        self.told.push(place);
        let mut changed = vec![place];
        changed.extend(self.recount(place));
        changed
    }

    /// A call's step waits for the user. If no call asks for the effect, the framework does it by itself, and a new
    /// step begins.
    fn ask(&mut self, event: &Event, call_id: &str, effect: &Effect, subject: &Subject) -> Vec<usize> {
        let (at, within) = (event.at, &event.within);
        let mut changed = Vec::new();
        let place = self.open_tool(within, call_id).unwrap_or_else(|| {
            let call = ToolCall::new(call_id.to_owned(), FRAMEWORK.to_owned(), "");
            let turn = self.request(within).map(|request| request.turn);
            let kind = unreplied(&call, &Disclosure::None);
            let place = self.push(within, at, turn, StepState::Running, 0, kind);
            self.own.push(place);
            place
        });
        changed.extend(self.change(Some(place), |step| {
            step.state = StepState::Waiting;
            step.question = Some(event.seq);
            if let StepKind::Tool { asked, leads_to, digest, enforcement, skills, .. } = &mut step.kind {
                *asked = Some(Box::new(effect.clone()));
                *leads_to = subject.leads_to.as_ref().map(|path| path.to_string());
                digest.clone_from(&subject.digest);
                *enforcement = subject.enforcement.clone().map(Box::new);
                skills.clone_from(&subject.skills);
            }
        }));
        changed
    }

    /// A call's step continues. `standing`: a remembered answer of the user decided.
    fn decided(&mut self, event: &Event, call_id: &str, decision: &Decision, standing: Option<Standing>) -> Vec<usize> {
        let own = self.own.clone();
        let denied = matches!(decision, Decision::Deny { .. });
        // A call that asks several times departs as it was decided last.
        let mut departures = self.departures;
        if let Some(count) = departures.of(decision) {
            *count = count.saturating_add(1);
        }
        let changed = self.change_tool(&event.within, call_id, |step| {
            step.state = StepState::Running;
            step.question = None;
            if denied && own.contains(&(step.index as usize)) {
                close(step, StepState::Failed, event.at);
            }
            if let StepKind::Tool { decision: decided, standing: stood, .. } = &mut step.kind {
                if let Some(count) = decided.as_ref().and_then(|before| departures.of(before)) {
                    *count = count.saturating_sub(1);
                }
                *decided = Some(decision.clone());
                *stood = standing;
            }
        });
        if !changed.is_empty() {
            self.departures = departures;
        }
        changed
    }

    /// Steps that the framework did by itself before a request end when the request goes out.
    fn close_own(&mut self, within: &Within, at: Millis) -> Vec<usize> {
        let is_here = |place: &usize| self.steps[*place].within == *within;
        let (mut over, left): (Vec<usize>, Vec<usize>) = self.own.iter().copied().partition(is_here);
        self.own = left;
        over.retain(|place| is_open(&self.steps[*place]));
        for place in &over {
            close(&mut self.steps[*place], StepState::Done, at);
        }
        over
    }

    /// Steps that a sub-agent left open when it failed.
    fn close_delegated(&mut self, call_id: &str, at: Millis) -> Vec<usize> {
        let mut left = self.open.clone();
        left.retain(|place| self.steps[*place].within.as_deref() == Some(call_id));
        for place in &left {
            close(&mut self.steps[*place], StepState::Failed, at);
        }
        left
    }

    /// From here on this is another run than the one the events so far belong to. Skills, prompt and so on stay.
    fn fork(&mut self, at: Millis, setup: &RunSetup) {
        if setup.forked.is_none() {
            return;
        }
        let (prompt, imported) = match self.setup.take() {
            Some(begun) => (begun.prompt, begun.imported),
            None => (setup.prompt.clone(), None),
        };
        self.setup = Some(RunSetup { prompt, imported, ..setup.clone() });
        self.started_at = at;
        self.taken_over = self.steps.len();
    }

    /// Sets the model from here on. Imported runs may not have named one at first.
    fn choose(&mut self, model: &str) {
        let own = self.setup.as_ref().map_or("", |setup| setup.model.as_str());
        self.chosen = Some(model.to_owned()).filter(|model| !own.is_empty() && model != own);
    }

    /// Open steps did not run between the other run's last event about them and now.
    fn skip_pause(&mut self, at: Millis) {
        let pause = self.heard_at.map_or(0, |heard| elapsed(heard, at));
        for place in &self.open {
            let step = &mut self.steps[*place];
            step.at = step.at.saturating_add(pause);
        }
    }

    /// The user says more.
    fn go_on(&mut self, at: Millis, setup: &RunSetup) -> Vec<usize> {
        // Steps that the turn before left open, if it had no end.
        let mut changed = std::mem::take(&mut self.open);
        self.own.clear();
        for place in &changed {
            close(&mut self.steps[*place], StepState::Stopped, at);
        }
        (self.status, self.error, self.ended_at) = (RunStatus::Running, None, None);
        self.prompts = self.prompts.saturating_add(1);
        let led = TurnSetup::of(setup);
        let led = self.setup.as_ref().filter(|begun| TurnSetup::of(begun) != led).map(|_| Box::new(led));
        let (text, images) = (setup.prompt.clone(), setup.images.clone());
        let prompt = StepKind::Prompt { text, images, setup: led, skills: Vec::new() };
        changed.push(self.push(&None, at, None, StepState::Done, 0, prompt));
        changed
    }

    fn end(&mut self, at: Millis, status: RunStatus, error: Option<String>, mut end: StepKind) -> Vec<usize> {
        let (status, state) = match status {
            RunStatus::Done => (status, StepState::Done),
            RunStatus::Failed | RunStatus::Limited => (status, StepState::Failed),
            RunStatus::Stopped | RunStatus::Interrupted => (status, StepState::Stopped),
            RunStatus::Running => (RunStatus::Interrupted, StepState::Stopped),
        };
        // An interruption is noticed long after it: the run's last sign of life is then the nearest known end.
        let ended_at = if status == RunStatus::Interrupted { self.heard_at.unwrap_or(at) } else { at };
        let mut changed = Vec::new();
        for place in &self.open {
            close(&mut self.steps[*place], state, ended_at);
            changed.push(*place);
        }
        if status != RunStatus::Done {
            let turn = self.request(&None).map(|request| request.turn);
            if let StepKind::End { status: said, .. } = &mut end {
                *said = status;
            }
            changed.push(self.push(&None, ended_at, turn, state, 0, end));
        }
        self.status = status;
        self.error = error;
        self.ended_at = Some(ended_at);
        changed
    }

    /// The model error behind this error message of the run.
    fn why(&self, ended: Option<&str>) -> Option<Box<ModelError>> {
        let ended = ended?;
        self.steps.iter().rev().find_map(|step| match &step.kind {
            StepKind::Answer { error, why, .. } if error.as_deref() == Some(ended) => why.clone(),
            _ => None,
        })
    }
}

/// Used instead of a tool's name if no call asked for the effect.
const FRAMEWORK: &str = "framework";

fn is_open(step: &Step) -> bool {
    matches!(step.state, StepState::Running | StepState::Waiting)
}

fn is_perhaps_cut(step: &Step) -> bool {
    matches!(step.kind, StepKind::Answer { finish: Some(FinishReason::PerhapsCut), .. })
}

fn close(step: &mut Step, state: StepState, at: Millis) {
    step.state = state;
    step.question = None;
    step.took = Some(elapsed(step.at, at));
}

/// Never negative, even if the clock was set back.
fn elapsed(from: Millis, to: Millis) -> Millis {
    to.saturating_sub(from).max(0)
}

fn index(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;
