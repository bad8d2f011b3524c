//! The record of a run while it is replayed: instead of models, tools and the user, it gives the results that the
//! framework asks for. It is read once, in order.

use std::collections::VecDeque;

use camino::Utf8PathBuf;

use super::aside::SUB_AGENT_FAILED;
use super::turn::Heard;
use super::{Halt, Prompt};
use harness::{Effect, Performed, ToolReply, TurnEnd};
use model::{FinishReason, ToolCall};
use trace::{CutChoice, Decision, Event, EventKind, Outcome, Reached, RunStatus};
use wording::{Message as Words, message};

pub(super) struct Past {
    events: VecDeque<Event>,
    /// The note that was passed last.
    note: String,
    /// What the last request would show the model otherwise now, in a sentence.
    pub(super) shows_otherwise: Option<Words>,
    /// That of the run from here on: a fork has its own.
    folder: Option<Utf8PathBuf>,
    /// After it the run continues by itself, for it was forked off there.
    is_forked: bool,
    /// The call that was passed last; the user edited its result when forking the run.
    edited: Option<String>,
    /// The user wrote the next answer when forking the run.
    answered: bool,
}

/// A request that went out.
pub(super) struct Asked {
    pub(super) body: String,
    pub(super) answer: Result<Heard, Halt>,
}

impl Past {
    pub(super) fn new(events: Vec<Event>) -> Self {
        Self {
            events: events.into(),
            note: String::new(),
            shows_otherwise: None,
            folder: None,
            is_forked: false,
            edited: None,
            answered: false,
        }
    }

    /// The record of another run, up to the fork.
    pub(super) fn of_other(events: Vec<Event>) -> Self {
        Self { is_forked: true, ..Self::new(events) }
    }

    /// Whether the run continues by itself from here on.
    pub(super) fn is_left(&mut self) -> bool {
        self.is_forked && self.next().is_none()
    }

    /// The folder of the run when the next event was recorded; `None`: the one where it began.
    pub(super) fn folder(&mut self) -> Option<&Utf8PathBuf> {
        self.next();
        self.folder.as_ref()
    }

    /// Whether the reply to a call that was read last was edited.
    pub(super) fn was_edited(&mut self, call: &ToolCall) -> bool {
        self.edited.take_if(|edited| *edited == call.id).is_some()
    }

    /// The user's prompt, if it comes next.
    pub(super) fn prompt(&mut self) -> Option<Prompt> {
        let event = self.take(|event| matches!(event, EventKind::Started { .. } | EventKind::Continued { .. }))?;
        match event.kind {
            EventKind::Started { setup } | EventKind::Continued { setup } => {
                if setup.forked.is_some() {
                    self.folder = Some(setup.working_directory);
                }
                Some(Prompt { text: setup.prompt, images: setup.images })
            }
            _ => None,
        }
    }

    /// How the turn ended, if that comes next; an error if it went on.
    pub(super) fn end(&mut self) -> Result<TurnEnd, Words> {
        if let Some(next) = self.next().filter(|next| !is_end(&next.kind)) {
            return Err(went_on(next));
        }
        let end = self.take(|event| matches!(event, EventKind::Ended { .. }));
        Ok(match end.map(|end| end.kind) {
            Some(EventKind::Ended { reached: Some(Reached::FrameworkRequests { .. }), .. }) => TurnEnd::Capped,
            Some(EventKind::Ended { status: RunStatus::Done, .. }) => TurnEnd::Done,
            Some(_) => TurnEnd::Broken,
            // The next prompt followed at once.
            None => TurnEnd::Done,
        })
    }

    /// The next request of a conversation, and its answer.
    pub(super) fn requested(&mut self, within: Option<&str>) -> Result<Asked, Halt> {
        let may_ask = |event: &EventKind| {
            matches!(event, EventKind::ApprovalAsked { effect: Effect::AskModel { .. }, .. })
                || matches!(event, EventKind::ApprovalGiven { call_id, .. } if call_id.starts_with("model-"))
        };
        while self.take(may_ask).is_some() {}
        if self.is_over() {
            return Err(Halt::Over);
        }
        if within.is_some() && self.next().is_some_and(|next| next.within.as_deref() != within) {
            // Nothing was asked: the sub-agent failed before.
            let error = self.note.strip_prefix(SUB_AGENT_FAILED).unwrap_or_default();
            return Err(Halt::failed(Words::quoted(error)));
        }
        let asked = self.take_within(within, |event| matches!(event, EventKind::Requested { .. }))?;
        let EventKind::Requested { body, .. } = asked.kind else { return Err(self.lost()) };
        Ok(Asked { body, answer: self.answered(within) })
    }

    fn answered(&mut self, within: Option<&str>) -> Result<Heard, Halt> {
        if self.is_over() {
            return Err(Halt::Over);
        }
        let is_answer = |event: &EventKind| matches!(event, EventKind::Answered { .. } | EventKind::Failed { .. });
        match self.take_within(within, is_answer)?.kind {
            EventKind::Answered { message, finish, .. } => {
                let is_edited = std::mem::take(&mut self.answered);
                Ok(Heard { message, is_cut: finish == FinishReason::PerhapsCut, is_edited })
            }
            EventKind::Failed { message, .. } => Err(Halt::failed(Words::quoted(message))),
            _ => Err(self.lost()),
        }
    }

    /// Whether an answer that may be cut off was kept.
    pub(super) fn is_kept(&mut self) -> Result<bool, Halt> {
        self.take(|event| matches!(event, EventKind::CutAsked { .. }));
        let settled = self.take(|event| matches!(event, EventKind::CutSettled { .. })).map(|event| event.kind);
        match settled {
            Some(EventKind::CutSettled { choice: CutChoice::Keep, .. }) => Ok(true),
            Some(EventKind::CutSettled { choice: CutChoice::AskAgain, .. }) => Ok(false),
            _ if self.is_over() => Err(Halt::Over),
            _ => Err(self.lost()),
        }
    }

    pub(super) fn called(&mut self, call: &ToolCall) -> Result<(), Halt> {
        if self.is_over() {
            return Err(Halt::Over);
        }
        let is_it = |event: &EventKind| matches!(event, EventKind::Called { call: called, .. } if called == call);
        self.take(is_it).map(drop).ok_or_else(|| self.lost())
    }

    /// What the user decided about an effect; consent if the user was not asked.
    pub(super) fn decision(&mut self, call_id: &str, effect: &Effect) -> Result<Decision, Halt> {
        let mut decided = super::approval::AGREED;
        let is_agreed = |event: &EventKind| matches!(event, EventKind::Agreed { call_id: asked, effect: about, .. } if asked == call_id && about == effect);
        if self.take(is_agreed).is_some() {
            return Ok(decided);
        }
        let is_remembered = |event: &EventKind| matches!(event, EventKind::Remembered { call_id: asked, effect: about, .. } if asked == call_id && about == effect);
        let is_question = |event: &EventKind| matches!(event, EventKind::ApprovalAsked { call_id: asked, effect: about, .. } if asked == call_id && about == effect);
        while self.take(is_question).is_some() {
            let is_answer = |event: &EventKind| matches!(event, EventKind::ApprovalGiven { call_id: given, .. } if given == call_id);
            match self.take(is_answer).map(|event| event.kind) {
                Some(EventKind::ApprovalGiven { decision, .. }) => decided = decision,
                _ if self.is_over() => return Err(Halt::Over),
                _ => return Err(self.lost()),
            }
            // The same question is asked again if its subject changed while it was open.
            if !matches!(decided, Decision::Allow { arguments: None, .. }) {
                break;
            }
        }
        if let Some(EventKind::Remembered { decision, .. }) = self.take(is_remembered).map(|event| event.kind) {
            decided = decision;
        }
        Ok(decided)
    }

    /// The result of an effect.
    pub(super) fn performed(&mut self, call_id: &str, effect: &Effect) -> Result<Performed, Halt> {
        if matches!(effect, Effect::Disclose { .. } | Effect::AskModel { .. }) {
            return Ok(Performed::Agreed);
        }
        if self.is_over() {
            return Err(Halt::Over);
        }
        let is_it = |event: &EventKind| matches!(event, EventKind::Performed { call_id: performed, .. } if performed == call_id);
        let found = match self.take(is_it).map(|event| event.kind) {
            Some(EventKind::Performed { output: Some(output), .. }) => Some(Performed::Ran(output)),
            Some(EventKind::Performed { outcome: Some(outcome), .. }) => outcome.performed(),
            Some(EventKind::Performed { files, .. }) if !files.is_empty() => Some(Performed::Wrote),
            _ => None,
        };
        found.ok_or_else(|| {
            Halt::Lost(message!(
                "the result of call {call_id} is not in the record",
                "记录中没有调用 {call_id} 得到的内容"
            ))
        })
    }

    /// Why a sub-agent never began, if it did not.
    pub(super) fn not_begun(&mut self, call_id: &str) -> Option<Performed> {
        let is_it = |event: &EventKind| matches!(event, EventKind::Performed { call_id: performed, outcome: Some(Outcome::Failed { .. }), .. } if performed == call_id);
        match self.take(is_it)?.kind {
            EventKind::Performed { outcome, .. } => outcome?.performed(),
            _ => None,
        }
    }

    /// The recorded reply, which replaces the one that the model would get now; and its text as it was sent.
    pub(super) fn replied(&mut self, call: &ToolCall, now: ToolReply) -> Result<(ToolReply, Option<String>), Halt> {
        if self.is_over() {
            return Err(Halt::Over);
        }
        let is_it = |event: &EventKind| matches!(event, EventKind::Replied { call_id, .. } if *call_id == call.id);
        match self.take(is_it).map(|event| event.kind) {
            Some(EventKind::Replied { text, images, documents, wire, is_error, .. }) => {
                let marks = if text == now.text { now.marks } else { Vec::new() };
                Ok((ToolReply { text, images, documents, marks, is_error, author: now.author }, wire))
            }
            _ => Err(self.lost()),
        }
    }

    fn next(&mut self) -> Option<&Event> {
        while let Some(
            EventKind::Noted { .. } | EventKind::Streamed { .. } | EventKind::Left { .. } | EventKind::Forked { .. },
        ) = self.events.front().map(|next| &next.kind)
        {
            match self.events.pop_front().map(|passed| passed.kind) {
                Some(EventKind::Noted { text, .. }) => self.note = text,
                Some(EventKind::Forked { setup, edited, answered }) => {
                    self.folder = Some(setup.working_directory);
                    self.answered = answered;
                    self.edited = edited.map(|edited| edited.call_id);
                }
                _ => {}
            }
        }
        self.events.front()
    }

    /// Whether nothing more was recorded of this turn.
    fn is_over(&mut self) -> bool {
        self.next().is_none_or(|next| is_end(&next.kind))
    }

    /// The next event, if it is that.
    fn take(&mut self, is_it: impl Fn(&EventKind) -> bool) -> Option<Event> {
        self.next().filter(|next| is_it(&next.kind))?;
        self.events.pop_front()
    }

    fn take_within(&mut self, within: Option<&str>, is_it: impl Fn(&EventKind) -> bool) -> Result<Event, Halt> {
        let is_here = self.next().is_some_and(|next| next.within.as_deref() == within && is_it(&next.kind));
        if is_here { self.events.pop_front().ok_or(Halt::Over) } else { Err(self.lost()) }
    }

    fn lost(&mut self) -> Halt {
        Halt::Lost(self.next().map_or_else(
            || message!("the record ends before the framework would", "记录在框架结束之前就结束了"),
            went_on,
        ))
    }
}

fn is_end(event: &EventKind) -> bool {
    matches!(event, EventKind::Ended { .. } | EventKind::Continued { .. })
}

fn went_on(next: &Event) -> Words {
    message!(
        "its event {}, `{}`, is not what the framework would do there now",
        "其中的事件 {}（`{}`）不是框架现在会在该处做的事",
        next.seq,
        next.kind.word()
    )
}
