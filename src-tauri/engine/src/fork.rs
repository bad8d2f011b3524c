//! A run that is forked off another one in the middle of a turn. The record is replayed as for a run that goes on; at
//! its end, the loop continues by itself from exactly that place.

use super::past::Past;
use super::resume::{setup_of, shown_otherwise};
use super::{Dialogue, Halt, Run};
use harness::{Origin, ToolReply};
use model::{Role, ToolCall, tokens};
use trace::{EditedResult, Event, EventKind, ForkedFrom, RunSetup};
use wording::{Message as Words, message};

/// Where a run is forked off, and how it goes on.
#[derive(Debug, Clone)]
pub struct Branch {
    pub from: ForkedFrom,
    /// The title of the framework that led the conversation so far, if it is another one.
    pub other: Option<String>,
    pub then: Then,
}

/// How a forked run continues.
#[derive(Debug, Clone)]
pub enum Then {
    /// The user says something.
    Said,
    /// The next event happens again.
    Again,
    /// The call that is open there gets this result.
    Replied(EditedResult),
}

/// A run that is still replaying the record of another one.
pub(super) struct Forking {
    pub(super) from: ForkedFrom,
    pub(super) other: Option<String>,
    within_turn: bool,
    edited: Option<EditedResult>,
    /// The set-up of the run's own conversation, if another one continues first.
    setup: Option<RunSetup>,
}

impl Forking {
    pub(super) fn new(branch: Branch) -> Self {
        let (within_turn, edited) = match branch.then {
            Then::Said => (false, None),
            Then::Again => (true, None),
            Then::Replied(edited) => (true, Some(edited)),
        };
        Self { from: branch.from, other: branch.other, within_turn, edited, setup: None }
    }

    pub(super) fn is_within_turn(&self) -> bool {
        self.within_turn
    }
}

impl Run {
    /// Replays everything up to the fork, and runs the turn from there to its end.
    pub(super) async fn go_another_way(&mut self, dialogue: &mut Dialogue, events: &[Event]) -> Result<(), Halt> {
        let fresh = dialogue.session.clone();
        let other = self.forking.as_ref().and_then(|forking| forking.other.clone());
        let note = match other {
            Some(other) => {
                self.go_on_from_messages(dialogue, fresh, events);
                self.taken_over_from(&other, dialogue)
            }
            None => match self.go_through_to_fork(dialogue, events).await {
                Ok(played) => return played,
                Err(reason) => {
                    self.past = None;
                    self.go_on_from_messages(dialogue, fresh, events);
                    self.on_messages_alone(reason)
                }
            },
        };
        let edited = self.go_on_alone(dialogue, vec![note]);
        self.finish_round(dialogue, edited).await?;
        self.turn(dialogue).await
    }

    /// How the turn that was run from the fork on ended; an error if the record does not lead there.
    async fn go_through_to_fork(
        &mut self,
        dialogue: &mut Dialogue,
        events: &[Event],
    ) -> Result<Result<(), Halt>, Words> {
        dialogue.is_past = true;
        dialogue.session.working_directory = setup_of(events).map(|setup| setup.working_directory.clone());
        let mut past = Past::of_other(events.to_vec());
        let mut prompt = past.prompt().ok_or_else(|| message!("it has no beginning", "它没有开头"))?;
        self.past = Some(past);
        loop {
            dialogue.hear(prompt);
            let played = self.turn(dialogue).await;
            let Some(past) = self.past.as_mut() else { return Ok(played) };
            if let Err(Halt::Lost(reason)) = played {
                return Err(reason);
            }
            let end = past.end()?;
            prompt = past.prompt().ok_or_else(|| {
                message!("the framework comes to its end before the fork", "框架在分叉处之前就结束了")
            })?;
            self.close_turn(dialogue, end);
        }
    }

    /// Lets the run continue by itself once it has reached the fork.
    pub(super) fn leave_past(&mut self, dialogue: &mut Dialogue) {
        let waits_for_result = self.forking.as_ref().is_some_and(|forking| forking.edited.is_some());
        if !waits_for_result {
            self.leave_past_here(dialogue);
        }
        if let Some(folder) = self.past.as_mut().and_then(Past::folder) {
            dialogue.session.working_directory = Some(folder.clone());
        }
        if self.past.is_none() && std::mem::take(&mut dialogue.is_past) {
            dialogue.conversation.forget_origins();
            dialogue.session.working_directory.clone_from(&self.plan.session.working_directory);
        }
    }

    /// The result that the user gave to this call, if the run is forked off there.
    pub(super) fn edited_result(&mut self, dialogue: &mut Dialogue, call: &ToolCall) -> Option<ToolReply> {
        let edited = self.forking.as_ref()?.edited.as_ref()?;
        if edited.call_id != call.id {
            return None;
        }
        self.leave_past_here(dialogue).map(|edited| ToolReply::ok(edited.text))
    }

    fn leave_past_here(&mut self, dialogue: &mut Dialogue) -> Option<EditedResult> {
        let past = self.past.take_if(Past::is_left)?;
        self.go_on_alone(dialogue, past.shows_otherwise.map(shown_otherwise).into_iter().collect())
    }

    /// Records that the events of the other run end here. Returns the result that the user wrote for the open call.
    fn go_on_alone(&mut self, dialogue: &mut Dialogue, notes: Vec<Words>) -> Option<EditedResult> {
        let mut forking = self.forking.take()?;
        self.requests = 0;
        let setup = match forking.setup.take() {
            Some(setup) if dialogue.errand.is_some() => setup,
            _ => self.setup(dialogue),
        };
        let edited = forking.edited;
        let setup = RunSetup { forked: Some(forking.from), ..setup };
        self.recorder.note(EventKind::Forked { setup, edited: edited.clone() });
        for note in std::mem::take(&mut self.plan.notes).into_iter().chain(notes) {
            self.recorder.note(EventKind::noted(note));
        }
        edited
    }

    /// Keeps the state of the run's own conversation while another one is replayed.
    pub(super) fn set_aside(&mut self, dialogue: &Dialogue) {
        if self.forking.is_none() || self.past.is_none() || dialogue.errand.is_some() {
            return;
        }
        let shown = self.shown(dialogue);
        let instructions = shown.instructions.as_ref().map_or(0, |instructions| tokens::count(&instructions.text));
        let setup = self.setup_showing(&shown, instructions, &dialogue.session);
        if let Some(forking) = &mut self.forking {
            forking.setup = Some(setup);
        }
    }

    /// Answers the calls that were open, if only the messages are known.
    async fn finish_round(&mut self, dialogue: &mut Dialogue, edited: Option<EditedResult>) -> Result<(), Halt> {
        let history = &dialogue.conversation.history;
        let Some(answer) = history.iter().rposition(|message| message.role == Role::Assistant) else { return Ok(()) };
        let (asked, since) = history[answer..].split_at(1);
        let is_open = |call: &&ToolCall| {
            !since.iter().flat_map(|message| message.results()).any(|result| result.call_id == call.id)
        };
        let mut open: Vec<ToolCall> =
            asked.iter().flat_map(|message| message.calls()).filter(is_open).cloned().collect();
        if let Some(EditedResult { call_id, text }) = edited
            && let Some(place) = open.iter().position(|call| call.id == call_id)
        {
            let call = open.remove(place);
            self.reply(dialogue, &call, ToolReply::ok(text), Origin::User).await?;
        }
        if open.is_empty() { Ok(()) } else { self.round(dialogue, &open).await }
    }

    /// How a conversation of another framework continues.
    pub(super) fn taken_over_from(&self, other: &str, dialogue: &Dialogue) -> Words {
        let title = self.plan.harness.profile().title;
        let known = self.shown(dialogue).definitions();
        let called = dialogue.conversation.history.iter().flat_map(|message| message.calls());
        let mut unknown: Vec<&str> = called.map(|call| call.name.as_str()).collect();
        unknown.retain(|name| !known.iter().any(|tool| tool.name == *name));
        unknown.sort_unstable();
        unknown.dedup();
        let tools = match unknown.join(", ") {
            names if names.is_empty() => Words::default(),
            names => message!(
                " {title} has no tool {names}; calls of it stay in the conversation.",
                "{title} 没有工具 {names}；对它的调用仍留在对话中。"
            ),
        };
        message!(
            "{title} takes over a conversation that {other} led. Kept: what was said, called and returned. Not kept: the \
             instructions of {other}, and what else it knew, such as which skills are loaded.{tools}",
            "{title} 接过由 {other} 主持的对话。保留：说过的话、调用和结果。不保留：{other} 的指令，以及它另外知道的内容，例如已加载哪些技能。{tools}";
            tools
        )
    }
}
