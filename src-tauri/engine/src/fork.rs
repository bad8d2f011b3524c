//! A run that is forked off another one in the middle of a turn. The record is replayed as for a run that goes on; at
//! its end, the loop continues by itself from exactly that place.

use super::past::Past;
use super::resume::{setup_of, shown_otherwise};
use super::turn::Heard;
use super::{Dialogue, Halt, Run, provenance};
use harness::{Origin, ToolReply};
use model::{FinishReason, Message, Role, ToolCall, tokens};
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
    /// The request that is open there gets this answer; its calls are made.
    Answered(Message),
}

/// What the user wrote in place of what comes next in the record.
enum Edit {
    Result(EditedResult),
    Answer(Message),
}

/// A run that is still replaying the record of another one.
pub(super) struct Forking {
    pub(super) from: ForkedFrom,
    pub(super) other: Option<String>,
    within_turn: bool,
    edit: Option<Edit>,
    /// The set-up of the run's own conversation, if another one continues first.
    setup: Option<RunSetup>,
}

impl Forking {
    pub(super) fn new(branch: Branch) -> Self {
        let (within_turn, edit) = match branch.then {
            Then::Said => (false, None),
            Then::Again => (true, None),
            Then::Replied(edited) => (true, Some(Edit::Result(edited))),
            Then::Answered(message) => (true, Some(Edit::Answer(message))),
        };
        Self { from: branch.from, other: branch.other, within_turn, edit, setup: None }
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
        let mut notes = vec![note];
        // Only the messages of the run's own conversation are known.
        let is_aside = events.last().is_some_and(|last| last.within.is_some());
        if let Some(forking) = &mut self.forking
            && forking.edit.take_if(|edit| is_aside && matches!(edit, Edit::Answer(_))).is_some()
        {
            notes.push(message!(
                "the edited answer is one of a sub-agent, whose conversation does not go on; the call that started it is \
                 made again",
                "编辑的回答属于子智能体，而它的对话无法继续；启动它的调用会重新执行"
            ));
        }
        let mut edited = None;
        match self.go_on_alone(dialogue, notes) {
            Some(Edit::Answer(message)) => {
                let heard = self.answered_by_hand(dialogue, message);
                let (marks, is_last) = (heard.marks(), heard.message.calls().next().is_none());
                dialogue.conversation.push(heard.message, marks);
                if is_last {
                    return Ok(());
                }
            }
            Some(Edit::Result(result)) => edited = Some(result),
            None => {}
        }
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
        let waits_for_edit = self.forking.as_ref().is_some_and(|forking| forking.edit.is_some());
        if !waits_for_edit {
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
        match self.forking.as_ref()?.edit.as_ref()? {
            Edit::Result(edited) if edited.call_id == call.id => {}
            Edit::Result(_) | Edit::Answer(_) => return None,
        }
        match self.leave_past_here(dialogue)? {
            Edit::Result(edited) => Some(ToolReply::ok(edited.text)),
            Edit::Answer(_) => None,
        }
    }

    /// The answer that the user gave to the request that was read last, if the run is forked off there.
    pub(super) fn edited_answer(&mut self, dialogue: &mut Dialogue) -> Option<Heard> {
        if !matches!(self.forking.as_ref()?.edit, Some(Edit::Answer(_))) {
            return None;
        }
        match self.leave_past_here(dialogue)? {
            Edit::Answer(message) => Some(self.answered_by_hand(dialogue, message)),
            Edit::Result(_) => None,
        }
    }

    /// Records an answer that no model gave.
    fn answered_by_hand(&mut self, dialogue: &Dialogue, message: Message) -> Heard {
        let calls = message.calls().next().is_some();
        self.recorder.note(EventKind::Answered {
            turn: dialogue.turn.saturating_sub(1),
            message: message.clone(),
            usage: None,
            finish: if calls { FinishReason::ToolCalls } else { FinishReason::Stop },
            tokens: provenance::tokens_of(&message),
        });
        Heard::edited(message)
    }

    fn leave_past_here(&mut self, dialogue: &mut Dialogue) -> Option<Edit> {
        let past = self.past.take_if(Past::is_left)?;
        self.go_on_alone(dialogue, past.shows_otherwise.map(shown_otherwise).into_iter().collect())
    }

    /// Records that the events of the other run end here. Returns what the user wrote for what was open there.
    fn go_on_alone(&mut self, dialogue: &mut Dialogue, notes: Vec<Words>) -> Option<Edit> {
        let mut forking = self.forking.take()?;
        self.requests = 0;
        let setup = match forking.setup.take() {
            Some(setup) if dialogue.errand.is_some() => setup,
            _ => self.setup(dialogue),
        };
        let (edited, answered) = match &forking.edit {
            Some(Edit::Result(edited)) => (Some(edited.clone()), false),
            Some(Edit::Answer(_)) => (None, true),
            None => (None, false),
        };
        let setup = RunSetup { forked: Some(forking.from), ..setup };
        self.recorder.note(EventKind::Forked { setup, edited, answered });
        for note in std::mem::take(&mut self.plan.notes).into_iter().chain(notes) {
            self.recorder.note(EventKind::noted(note));
        }
        forking.edit
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
