//! Events to steps. The live view applies each event as it comes, the replay applies them all at once, the store keeps
//! its summaries by it: one fold, so they cannot differ. Any order of events is taken; what makes no sense is ignored.

use super::{Event, EventKind, RunId, RunSetup, RunStatus, RunSummary, Step, StepKind, StepState};
use crate::clock::Millis;
use crate::harness::Disclosure;
use crate::model::{Message, Part, Role, ToolCall};

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
    setup: Option<RunSetup>,
    status: RunStatus,
    error: Option<String>,
    started_at: Millis,
    /// When the run was last heard of.
    heard_at: Option<Millis>,
    ended_at: Option<Millis>,
    request: Option<Request>,
}

/// The last model request.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Request {
    turn: u32,
    tokens: u32,
    messages: usize,
    /// Index of its Answer step.
    step: usize,
}

impl Default for Fold {
    fn default() -> Self {
        Self::new()
    }
}

impl Fold {
    pub fn new() -> Self {
        Self {
            steps: Vec::new(),
            open: Vec::new(),
            setup: None,
            status: RunStatus::Running,
            error: None,
            started_at: 0,
            heard_at: None,
            ended_at: None,
            request: None,
        }
    }

    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    pub fn status(&self) -> RunStatus {
        self.status
    }

    pub fn error(&self) -> Option<&str> {
        self.error.as_deref()
    }

    /// `None` before the run has started.
    pub fn summary(&self, id: RunId, bundled: bool) -> Option<RunSummary> {
        Some(RunSummary {
            id,
            setup: self.setup.clone()?,
            status: self.status,
            error: self.error.clone(),
            started_at: self.started_at,
            ended_at: self.ended_at,
            steps: index(self.steps.len()),
            context_tokens: self.request.map_or(0, |request| request.tokens),
            bundled,
        })
    }

    /// Takes one event in; gives the indices of the steps that changed or appeared, ascending. Events after the end
    /// change nothing.
    pub fn apply(&mut self, event: &Event) -> Vec<u32> {
        if self.ended_at.is_some() {
            return Vec::new();
        }
        let mut changed = self.take_in(event);
        self.open.retain(|place| is_open(&self.steps[*place]));
        self.heard_at = Some(event.at);
        changed.sort_unstable();
        changed.dedup();
        changed.into_iter().map(index).collect()
    }

    fn take_in(&mut self, event: &Event) -> Vec<usize> {
        let at = event.at;
        match &event.kind {
            EventKind::Started { setup } => {
                self.setup = Some(setup.clone());
                self.started_at = at;
                let prompt = StepKind::Prompt { text: setup.prompt.clone() };
                vec![self.push(at, None, StepState::Done, setup.catalogue_tokens, prompt)]
            }
            EventKind::Requested { turn, origins, tokens, .. } => {
                let mut changed = self.measure_last_answer(origins.get(self.messages_sent()));
                if self.request.is_none() {
                    changed.extend(self.measure_prompt(*tokens));
                }
                let step = self.push(at, Some(*turn), StepState::Running, 0, unanswered());
                self.steps[step].context_tokens = *tokens;
                self.request = Some(Request { turn: *turn, tokens: *tokens, messages: origins.len(), step });
                changed.push(step);
                changed
            }
            EventKind::Streamed { turn, text, reasoning } => self.change_answer(*turn, |step| {
                let waited = elapsed(step.at, at);
                if let StepKind::Answer { text: shown, reasoning: thought, first_token, .. } = &mut step.kind {
                    shown.push_str(text);
                    thought.push_str(reasoning);
                    if first_token.is_none() && !(text.is_empty() && reasoning.is_empty()) {
                        *first_token = Some(waited);
                    }
                }
            }),
            EventKind::Answered { turn, message, usage, finish, tokens } => self.change_answer(*turn, |step| {
                close(step, StepState::Done, at);
                step.added_tokens = *tokens;
                step.context_tokens = step.context_tokens.saturating_add(*tokens);
                if let StepKind::Answer { text, reasoning, calls, usage: counted, finish: reason, .. } = &mut step.kind
                {
                    (*text, *reasoning, *calls) = parts_of(message);
                    *counted = *usage;
                    *reason = Some(finish.clone());
                }
            }),
            EventKind::Failed { turn, message, raw } => self.change_answer(*turn, |step| {
                close(step, StepState::Failed, at);
                if let StepKind::Answer { error, raw: said, .. } = &mut step.kind {
                    *error = Some(message.clone());
                    *said = Some(raw.clone());
                }
            }),
            EventKind::Called { turn, call, disclosure } => {
                vec![self.push(at, Some(*turn), StepState::Running, 0, unreplied(call, disclosure))]
            }
            EventKind::ApprovalAsked { call_id, effect } => self.change_tool(call_id, |step| {
                step.state = StepState::Waiting;
                if let StepKind::Tool { asked, .. } = &mut step.kind {
                    *asked = Some(effect.clone());
                }
            }),
            EventKind::ApprovalGiven { call_id, decision } => self.change_tool(call_id, |step| {
                step.state = StepState::Running;
                if let StepKind::Tool { decision: decided, .. } = &mut step.kind {
                    *decided = Some(decision.clone());
                }
            }),
            EventKind::Performed { call_id, output, files } => self.change_tool(call_id, |step| {
                if let StepKind::Tool { output: printed, files: wrote, .. } = &mut step.kind {
                    *printed = Some(output.clone());
                    wrote.clone_from(files);
                }
            }),
            EventKind::Replied { call_id, text, wire, is_error, tokens } => self.change_tool(call_id, |step| {
                close(step, if *is_error { StepState::Failed } else { StepState::Done }, at);
                step.added_tokens = *tokens;
                step.context_tokens = step.context_tokens.saturating_add(*tokens);
                if let StepKind::Tool { reply, wire: sent, .. } = &mut step.kind {
                    *reply = Some(text.clone());
                    sent.clone_from(wire);
                }
            }),
            EventKind::Noted { text } => {
                let turn = self.request.map(|request| request.turn);
                vec![self.push(at, turn, StepState::Done, 0, StepKind::Note { text: text.clone() })]
            }
            EventKind::Ended { status, error } => self.end(at, *status, error.clone()),
        }
    }

    /// Begins a step on top of the context so far.
    fn push(&mut self, at: Millis, turn: Option<u32>, state: StepState, added_tokens: u32, kind: StepKind) -> usize {
        let place = self.steps.len();
        let before = self.steps.last().map_or(0, |step| step.context_tokens);
        self.steps.push(Step {
            index: index(place),
            at,
            took: if state == StepState::Running { None } else { Some(0) },
            turn,
            state,
            kind,
            added_tokens,
            context_tokens: before.saturating_add(added_tokens),
        });
        if state == StepState::Running {
            self.open.push(place);
        }
        place
    }

    /// The answer of a turn that has not come in whole.
    fn change_answer(&mut self, turn: u32, change: impl FnOnce(&mut Step)) -> Vec<usize> {
        let is_it = |step: &Step| step.turn == Some(turn) && matches!(step.kind, StepKind::Answer { .. });
        let place = self.open.iter().rev().find(|place| is_it(&self.steps[**place])).copied();
        self.change(place, change)
    }

    /// The earliest open call of this id: some models use an id again.
    fn change_tool(&mut self, call_id: &str, change: impl FnOnce(&mut Step)) -> Vec<usize> {
        let is_it = |step: &Step| matches!(&step.kind, StepKind::Tool { call, .. } if call.id == call_id);
        let place = self.open.iter().find(|place| is_it(&self.steps[**place])).copied();
        self.change(place, change)
    }

    fn change(&mut self, place: Option<usize>, change: impl FnOnce(&mut Step)) -> Vec<usize> {
        let Some(place) = place else { return Vec::new() };
        change(&mut self.steps[place]);
        let mut changed = vec![place];
        changed.extend(self.recount(place + 1));
        changed
    }

    fn messages_sent(&self) -> usize {
        self.request.map_or(0, |request| request.messages)
    }

    /// The first request shows what the set-up and the prompt really take.
    fn measure_prompt(&mut self, tokens: u32) -> Vec<usize> {
        let Some(prompt) = self.steps.iter_mut().find(|step| matches!(step.kind, StepKind::Prompt { .. })) else {
            return Vec::new();
        };
        prompt.added_tokens = tokens;
        prompt.context_tokens = tokens;
        vec![prompt.index as usize]
    }

    /// A request counts the answer before it with the run's own tokenizer, which the provider's figure then yields to.
    fn measure_last_answer(&mut self, sent: Option<&super::MessageOrigin>) -> Vec<usize> {
        let (Some(request), Some(origin)) = (self.request, sent) else { return Vec::new() };
        if origin.role != Role::Assistant {
            return Vec::new();
        }
        let answer = &mut self.steps[request.step];
        if answer.added_tokens == origin.tokens {
            return Vec::new();
        }
        answer.added_tokens = origin.tokens;
        answer.context_tokens = request.tokens.saturating_add(origin.tokens);
        let mut changed = vec![request.step];
        changed.extend(self.recount(request.step + 1));
        changed
    }

    /// Sums the context anew from a step on (not the first), up to the next answer, which begins from the count of its
    /// own request.
    fn recount(&mut self, from: usize) -> Vec<usize> {
        let mut changed = Vec::new();
        let mut context = self.steps[from - 1].context_tokens;
        for (place, step) in self.steps.iter_mut().enumerate().skip(from) {
            if matches!(step.kind, StepKind::Answer { .. }) {
                break;
            }
            context = context.saturating_add(step.added_tokens);
            if step.context_tokens != context {
                step.context_tokens = context;
                changed.push(place);
            }
        }
        changed
    }

    fn end(&mut self, at: Millis, status: RunStatus, error: Option<String>) -> Vec<usize> {
        let status = if status == RunStatus::Running { RunStatus::Interrupted } else { status };
        // An interruption is noticed long after it: the run's last sign of life is then the nearest known end.
        let ended_at = if status == RunStatus::Interrupted { self.heard_at.unwrap_or(at) } else { at };
        let state = if status == RunStatus::Done { StepState::Done } else { StepState::Failed };
        let mut changed = Vec::new();
        for place in &self.open {
            close(&mut self.steps[*place], state, ended_at);
            changed.push(*place);
        }
        if status != RunStatus::Done {
            let turn = self.request.map(|request| request.turn);
            let end = StepKind::End { status, error: error.clone() };
            changed.push(self.push(ended_at, turn, state, 0, end));
        }
        self.status = status;
        self.error = error;
        self.ended_at = Some(ended_at);
        changed
    }
}

fn unanswered() -> StepKind {
    StepKind::Answer {
        text: String::new(),
        reasoning: String::new(),
        calls: Vec::new(),
        usage: None,
        finish: None,
        first_token: None,
        error: None,
        raw: None,
    }
}

fn unreplied(call: &ToolCall, disclosure: &Disclosure) -> StepKind {
    StepKind::Tool {
        call: call.clone(),
        disclosure: disclosure.clone(),
        asked: None,
        decision: None,
        output: None,
        files: Vec::new(),
        reply: None,
        wire: None,
    }
}

/// Text, reasoning and calls of an answer.
fn parts_of(message: &Message) -> (String, String, Vec<ToolCall>) {
    let (mut said, mut thought, mut calls) = (String::new(), String::new(), Vec::new());
    for part in &message.parts {
        match part {
            Part::Text { text } => said.push_str(text),
            Part::Reasoning { text } => thought.push_str(text),
            Part::ToolCall(call) => calls.push(call.clone()),
            Part::ToolResult(_) | Part::CachePoint => {}
        }
    }
    (said, thought, calls)
}

fn is_open(step: &Step) -> bool {
    matches!(step.state, StepState::Running | StepState::Waiting)
}

fn close(step: &mut Step, state: StepState, at: Millis) {
    step.state = state;
    step.took = Some(elapsed(step.at, at));
}

/// Never negative, even where the clock was set back.
fn elapsed(from: Millis, to: Millis) -> Millis {
    to.saturating_sub(from).max(0)
}

fn index(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;
