//! A run that continues. The state of its harness is not stored: the same loop replays the run, with the record instead
//! of models, tools and the user, and each request is compared with the recorded one. So it makes no difference whether
//! the run is from this process or another, broke off, or was imported.

use super::aside::Asides;
use super::past::Past;
use super::{Dialogue, Halt, Run};
use harness::{Session, TurnEnd};
use model::{Message, Role};
use trace::{Event, EventKind, RunSetup, context, turns};
use wording::{Message as Words, message};

impl Run {
    /// Restores the state at the end of the recorded run, and lets the user say more.
    pub(super) async fn go_on_behind(&mut self, dialogue: &mut Dialogue, events: &[Event]) -> Result<(), Halt> {
        let fresh = dialogue.session.clone();
        let mut notes = std::mem::take(&mut self.plan.notes);
        let other = match &self.forking {
            Some(forking) => forking.other.clone(),
            None => self.led_by_another(events),
        };
        let through = match other {
            Some(other) => {
                self.go_on_from_messages(dialogue, fresh, events);
                notes.push(self.taken_over_from(&other, dialogue));
                end_of(events)
            }
            None if self.forking.is_none() && self.was_begun_by_another(events) => {
                let reason =
                    message!("another framework or program recorded its beginning", "它的开头是另一个框架或程序录制的");
                notes.push(self.on_messages_alone(reason));
                self.go_on_from_messages(dialogue, fresh, events);
                end_of(events)
            }
            None => match self.go_through(dialogue, events).await {
                Ok(Through { end, shows_otherwise }) => {
                    notes.extend(shows_otherwise.map(shown_otherwise));
                    end
                }
                Err(reason) => {
                    notes.push(self.on_messages_alone(reason));
                    self.go_on_from_messages(dialogue, fresh, events);
                    end_of(events)
                }
            },
        };
        self.requests = match &self.forking {
            Some(_) => 0,
            None => turns::requests(events),
        };
        dialogue.conversation.forget_origins();
        self.go_on(dialogue, through, notes);
        Ok(())
    }

    /// The harness or program of the last turn, if it is another one than this run's.
    fn led_by_another(&self, events: &[Event]) -> Option<String> {
        let last = events.iter().rev().find_map(|event| event.kind.setup())?.harness.as_str();
        let own = self.plan.harness.profile().id;
        (last != own).then(|| harness::find(last).map_or(last, |known| known.profile().title).to_owned())
    }

    fn was_begun_by_another(&self, events: &[Event]) -> bool {
        let own = self.plan.harness.profile().id;
        turns::said(events).any(|setup| setup.harness != own)
    }

    /// The note about a run that continues from its messages alone.
    pub(super) fn on_messages_alone(&self, reason: Words) -> Words {
        let title = self.plan.harness.profile().title;
        message!(
            "the run cannot be gone through as it was recorded: {reason}. It goes on from the messages of its last \
             request, as recorded; what else {title} knew of the conversation is not known",
            "无法按记录重走这次运行：{reason}。它从记录中最后一个请求的消息继续；{title} 对这段对话的其他了解已无从得知";
            reason
        )
    }

    /// The user says what the plan has next. `notes`: what the reader should know first.
    pub(super) fn go_on(&mut self, dialogue: &mut Dialogue, end: TurnEnd, mut notes: Vec<Words>) {
        notes.extend(self.close_turn(dialogue, end));
        dialogue.hear(self.plan.said());
        let setup = self.setup(dialogue);
        self.recorder.note(EventKind::Continued { setup });
        for note in notes {
            self.recorder.note(EventKind::noted(note));
        }
    }

    /// Lets the framework make of a turn what it makes of it; a sentence, if that is not just to keep it.
    pub(super) fn close_turn(&self, dialogue: &mut Dialogue, end: TurnEnd) -> Option<Words> {
        let Dialogue { conversation, session, .. } = dialogue;
        let results = |history: &[Message]| history.iter().filter(|message| message.role == Role::Tool).count();
        let said = |history: &[Message]| history.iter().filter(|message| message.role != Role::System).count();
        let before = (said(&conversation.history), results(&conversation.history));
        self.plan.harness.next_turn(&mut conversation.history, end, &self.catalog, session);
        let after = (said(&conversation.history), results(&conversation.history));
        let title = self.plan.harness.profile().title;
        if after.0 < before.0 {
            let gone = before.0 - after.0;
            if end == TurnEnd::Done {
                return Some(message!(
                    "{title} keeps only the end of a long conversation: {gone} messages of it are not in the one that goes \
                     on",
                    "{title} 只保留长对话的末尾：其中 {gone} 条消息不在继续的对话里"
                ));
            }
            return Some(message!(
                "the turn before did not come to its answer, and {title} keeps nothing of such a turn: {gone} messages of it \
                 are not in the conversation that goes on",
                "上一轮没有得到回答，而 {title} 不保留这样的一轮：其中 {gone} 条消息不在继续的对话里"
            ));
        }
        (after.1 > before.1).then(|| {
            let closed = after.1 - before.1;
            message!(
                "{closed} calls were open when the turn before ended; they are given results that say so",
                "上一轮结束时有 {closed} 个调用尚未完成；它们会得到说明这一点的结果"
            )
        })
    }

    async fn go_through(&mut self, dialogue: &mut Dialogue, events: &[Event]) -> Result<Through, Words> {
        // The folder of an imported run was another one; texts of the conversation name it.
        let folder = setup_of(events).map(|setup| setup.working_directory.clone());
        let own = std::mem::replace(&mut dialogue.session.working_directory, folder);
        self.past = Some(Past::new(events.to_vec()));
        let end = self.turns_gone_through(dialogue).await;
        let shows_otherwise = self.past.take().and_then(|past| past.shows_otherwise);
        dialogue.session.working_directory = own;
        Ok(Through { end: end?, shows_otherwise })
    }

    async fn turns_gone_through(&mut self, dialogue: &mut Dialogue) -> Result<TurnEnd, Words> {
        let mut prompt =
            self.past.as_mut().and_then(Past::prompt).ok_or_else(|| message!("it has no beginning", "它没有开头"))?;
        loop {
            dialogue.hear(prompt);
            // However it ended: the record says how.
            if let Err(Halt::Lost(reason)) = self.turn(dialogue).await {
                return Err(reason);
            }
            let Some(past) = self.past.as_mut() else { return Err(message!("it is over", "它已结束")) };
            let end = past.end()?;
            let Some(next) = past.prompt() else { return Ok(end) };
            self.close_turn(dialogue, end);
            prompt = next;
        }
    }

    /// Restores only what is certain: the messages of the last request.
    pub(super) fn go_on_from_messages(&mut self, dialogue: &mut Dialogue, session: Session, events: &[Event]) {
        *dialogue = Dialogue::new(Default::default(), session);
        for (message, marks) in context::last_known(events) {
            dialogue.conversation.push(message, marks);
        }
        let asked = events.iter().filter(|event| matches!(event.kind, EventKind::Requested { .. }));
        dialogue.turn = u32::try_from(asked.filter(|event| event.within.is_none()).count()).unwrap_or(u32::MAX);
        self.asides = Asides::of(events);
    }
}

/// A recorded run that matches what the framework does now.
struct Through {
    end: TurnEnd,
    /// What the last request would show the model otherwise now.
    shows_otherwise: Option<Words>,
}

pub(super) fn shown_otherwise(difference: Words) -> Words {
    message!(
        "the framework shows the model something else than in the last request: {difference}",
        "框架给模型看的内容与上一个请求不同：{difference}";
        difference
    )
}

fn end_of(events: &[Event]) -> TurnEnd {
    let last = events.iter().rev().find(|event| matches!(event.kind, EventKind::Ended { .. }));
    let end = last.map(|event| Past::new(vec![event.clone()]).end());
    end.and_then(Result::ok).unwrap_or(TurnEnd::Broken)
}

pub(super) fn setup_of(events: &[Event]) -> Option<&RunSetup> {
    events.iter().find_map(|event| match &event.kind {
        EventKind::Started { setup } => Some(setup),
        _ => None,
    })
}
