//! Where a recorded run can be forked: how much of it is kept when a step is repeated or changed, and what happens
//! next.

use super::{Event, EventKind};
use model::Message;
use wording::{Message as Words, message};

/// A user's change at a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edit {
    /// Nothing: it is done again.
    None,
    /// A prompt says something else, or the user says something behind any other step.
    Prompt,
    /// A call gets another result.
    Result,
    /// The model said something else.
    Answer,
}

/// How a forked run continues.
#[derive(Debug, Clone, PartialEq)]
pub struct ForkPoint {
    /// So many events of its beginning are kept.
    pub kept: usize,
    pub then: Then,
}

/// What comes after the events that are kept.
#[derive(Debug, Clone, PartialEq)]
pub enum Then {
    /// The user says something. `breaks_off`: in the middle of a turn, which ends there.
    Said { breaks_off: bool },
    /// What came next is done again.
    Again,
    /// This call is answered.
    Replied { call_id: String },
    /// The request is answered: by this message with another text. It is empty if no answer came.
    Answered { message: Message },
}

/// Why there is no such fork.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoPlace {
    Missing,
    /// A new result was given for a step that is not a call.
    NoCall,
    /// A new text was given for a step that is not an answer of the model.
    NoAnswer,
    /// The user does not speak there.
    SubAgent,
    /// The run came to its answer, so there is nothing to be done again.
    Over,
}

impl NoPlace {
    /// Why a fork is refused, as a clause.
    pub fn worded(self) -> Words {
        match self {
            Self::Missing => message!("the run has no such step", "运行没有这一步"),
            Self::NoCall => {
                message!("it is not a tool call, so it has no result to edit", "它不是工具调用，没有可编辑的结果")
            }
            Self::NoAnswer => message!(
                "it is not an answer of the model, so it has no answer to edit",
                "它不是模型的回答，没有可编辑的回答"
            ),
            Self::SubAgent => message!(
                "it is in the conversation of a sub-agent, in which the user says nothing",
                "它在子智能体的对话中，用户不在那里发言"
            ),
            Self::Over => {
                message!("the turn was over by then, so nothing comes after it", "那一轮当时已结束，其后没有内容")
            }
        }
    }

    /// What to do.
    pub fn hint(self) -> Words {
        match self {
            Self::Missing => message!("look at its steps with `trace show`", "用 `trace show` 查看它的步骤"),
            Self::NoCall => message!("name the step of a tool call", "请指明一个工具调用的步骤"),
            Self::NoAnswer => message!("name the step of an answer", "请指明一个回答的步骤"),
            Self::SubAgent => message!(
                "fork at the call that started the sub-agent, or edit a result there",
                "请在启动子智能体的调用处分叉，或编辑那里的结果"
            ),
            Self::Over => {
                message!("fork at an earlier step, or say something there", "请在更早的步骤分叉，或在那里说些什么")
            }
        }
    }
}

/// Where the step that began with event `begun` can be changed.
pub fn place(events: &[Event], begun: u32, edit: Edit) -> Result<ForkPoint, NoPlace> {
    let at = events.iter().position(|event| event.seq == begun).ok_or(NoPlace::Missing)?;
    let step = &events[at];
    match (edit, &step.kind) {
        (Edit::None | Edit::Prompt, EventKind::Started { .. } | EventKind::Continued { .. }) => {
            Ok(ForkPoint { kept: at, then: Then::Said { breaks_off: false } })
        }
        (Edit::Result, EventKind::Called { call, .. }) => {
            let kept = reply(events, at, &call.id).unwrap_or_else(|| end_of_turn(events, at));
            Ok(ForkPoint { kept, then: Then::Replied { call_id: call.id.clone() } })
        }
        (Edit::Result, _) => Err(NoPlace::NoCall),
        (Edit::Answer, EventKind::Requested { .. }) => {
            Ok(ForkPoint { kept: at + 1, then: Then::Answered { message: answer(events, at) } })
        }
        (Edit::Answer, _) => Err(NoPlace::NoAnswer),
        (Edit::Prompt, _) if step.within.is_some() => Err(NoPlace::SubAgent),
        (Edit::Prompt, _) => Ok(behind(events, at)),
        (Edit::None, _) => Ok(ForkPoint { kept: again(events, at).ok_or(NoPlace::Over)?, then: Then::Again }),
    }
}

/// The reply to the call that is made at a place.
fn reply(events: &[Event], at: usize, id: &str) -> Option<usize> {
    let within = &events[at].within;
    let is_it = |event: &Event| {
        event.within == *within && matches!(&event.kind, EventKind::Replied { call_id, .. } if call_id == id)
    };
    (at..end_of_turn(events, at)).find(|place| is_it(&events[*place]))
}

/// The answer to the request that is made at a place.
fn answer(events: &[Event], at: usize) -> Message {
    let within = &events[at].within;
    let mut later = events[at + 1..end_of_turn(events, at)].iter().filter(|event| event.within == *within);
    let ended = later.find(|event| {
        matches!(event.kind, EventKind::Answered { .. } | EventKind::Failed { .. } | EventKind::Requested { .. })
    });
    match ended.map(|event| &event.kind) {
        Some(EventKind::Answered { message, .. }) => message.clone(),
        _ => Message::assistant(""),
    }
}

/// Where the user says something after a step of the run's own conversation.
fn behind(events: &[Event], at: usize) -> ForkPoint {
    let end = end_of_turn(events, at);
    let own = |place: &usize| events[*place].within.is_none();
    let last = match &events[at].kind {
        EventKind::Called { call, .. } => reply(events, at, &call.id),
        EventKind::Requested { .. } => (at + 1..end)
            .filter(own)
            .find(|place| matches!(&events[*place].kind, EventKind::Answered { .. } | EventKind::Failed { .. })),
        EventKind::ApprovalAsked { .. } | EventKind::Remembered { .. } => {
            let asked =
                (at + 1..end).filter(own).find(|place| matches!(events[*place].kind, EventKind::Requested { .. }));
            asked.map(|place| place - 1)
        }
        _ => Some(at),
    };
    let mut kept = last.map_or(end, |last| last + 1).min(end);
    // Events about the answer belong to it, and so does the record of the files that the turn left.
    let belongs = |event: &Event| {
        use EventKind as K;
        matches!(
            event.kind,
            K::CutAsked { .. } | K::CutSettled { .. } | K::Streamed { .. } | K::Source { .. } | K::Left { .. }
        )
    };
    while kept < end && belongs(&events[kept]) {
        kept += 1;
    }
    let breaks_off = match events.get(kept).map(|next| &next.kind) {
        Some(EventKind::Ended { .. }) => {
            kept += 1;
            false
        }
        Some(EventKind::Continued { .. }) => false,
        _ => !matches!(events[at].kind, EventKind::Ended { .. }),
    };
    ForkPoint { kept, then: Then::Said { breaks_off } }
}

/// The first event that is not kept if what a step did is done again; `None`: nothing is to be done.
fn again(events: &[Event], at: usize) -> Option<usize> {
    use EventKind as K;
    if matches!(
        events[at].kind,
        K::Requested { .. } | K::Called { .. } | K::ApprovalAsked { .. } | K::Remembered { .. }
    ) {
        return Some(at);
    }
    // A note or an end: takes the conversation that was active then, or that came next.
    let within = &events[at].within;
    let here = |place: &usize| events[*place].within == *within;
    let before = (0..at).rev().filter(here).find(|place| {
        matches!(
            events[*place].kind,
            K::Started { .. }
                | K::Continued { .. }
                | K::Requested { .. }
                | K::Answered { .. }
                | K::Failed { .. }
                | K::Called { .. }
                | K::Replied { .. }
        )
    })?;
    match &events[before].kind {
        K::Requested { .. } | K::Called { .. } => Some(before),
        K::Failed { .. } => {
            (0..before).rev().filter(here).find(|place| matches!(events[*place].kind, K::Requested { .. }))
        }
        K::Answered { message, .. } if message.calls().next().is_none() => None,
        _ => {
            let end = end_of_turn(events, at);
            let next = (at..end).filter(here).find(|place| {
                matches!(
                    events[*place].kind,
                    K::Requested { .. } | K::Called { .. } | K::ApprovalAsked { .. } | K::Remembered { .. }
                )
            });
            Some(next.unwrap_or(end))
        }
    }
}

/// The end of the turn that an event is in, or where the next one begins.
fn end_of_turn(events: &[Event], at: usize) -> usize {
    let ends = |event: &Event| matches!(event.kind, EventKind::Ended { .. } | EventKind::Continued { .. });
    let next = match events[at].kind {
        EventKind::Ended { .. } => return at,
        _ => events[at + 1..].iter().position(ends),
    };
    next.map_or(events.len(), |ahead| at + 1 + ahead)
}

#[cfg(test)]
mod tests {
    use super::super::{RunStatus, sample};
    use super::*;
    use harness::Disclosure;

    fn ended(status: RunStatus) -> EventKind {
        EventKind::ended(status, None, None)
    }

    /// 0 said, 1 request, 2 answer, 3 call a, 4 note, 5 reply, 6 call b, 7 reply, 8 request, 9 answer, 10 end, 11 said,
    /// 12 request, 13 end
    fn run() -> Vec<Event> {
        let setup = sample::setup();
        let (a, b) = (sample::call("a", "x", "{}"), sample::call("b", "x", "{}"));
        sample::events_of([
            EventKind::Started { setup: setup.clone() },
            sample::requested(0, &[]),
            sample::answered(0, "", &[&a, &b]),
            sample::called(0, &a, Disclosure::None),
            EventKind::noted(Words::quoted("slow")),
            sample::replied("a", "ok"),
            sample::called(0, &b, Disclosure::None),
            sample::replied("b", "ok"),
            sample::requested(1, &[]),
            sample::answered(1, "done", &[]),
            ended(RunStatus::Done),
            EventKind::Continued { setup },
            sample::requested(2, &[]),
            ended(RunStatus::Interrupted),
        ])
    }

    fn said(kept: usize, breaks_off: bool) -> Result<ForkPoint, NoPlace> {
        Ok(ForkPoint { kept, then: Then::Said { breaks_off } })
    }

    #[test]
    fn what_is_done_again_is_not_kept() {
        let again = |begun| place(&run(), begun, Edit::None).map(|place| place.kept);
        assert_eq!([0, 1, 3, 6, 8, 11, 12].map(again), [0, 1, 3, 6, 8, 11, 12].map(Ok));
        assert_eq!(again(4), Ok(3), "a note in a call is about the call");
        assert_eq!(again(13), Ok(12), "what broke off is done again");
        assert_eq!((again(10), again(99)), (Err(NoPlace::Over), Err(NoPlace::Missing)));
    }

    #[test]
    fn a_prompt_is_edited_where_it_is_and_said_behind_anything_else() {
        let say = |begun| place(&run(), begun, Edit::Prompt);
        assert_eq!((say(0), say(11)), (said(0, false), said(11, false)));
        assert_eq!((say(1), say(3), say(6)), (said(3, true), said(6, true), said(8, true)));
        assert_eq!((say(8), say(10)), (said(11, false), said(11, false)), "the turn had come to its answer");
        assert_eq!(say(12), said(14, false), "it broke off before");
    }

    #[test]
    fn an_answer_is_edited_behind_its_request() {
        let answer = |events: &[Event], begun| place(events, begun, Edit::Answer);
        let answered =
            |kept, message: &Message| Ok(ForkPoint { kept, then: Then::Answered { message: message.clone() } });
        let run = run();
        let message = |at: usize| match &run[at].kind {
            EventKind::Answered { message, .. } => message.clone(),
            other => panic!("an answer, not {other:?}"),
        };
        assert_eq!(answer(&run, 1), answered(2, &message(2)));
        assert_eq!(answer(&run, 8), answered(9, &message(9)));
        assert_eq!(answer(&run, 12), answered(13, &Message::assistant("")), "none came");
        assert_eq!((answer(&run, 0), answer(&run, 3)), (Err(NoPlace::NoAnswer), Err(NoPlace::NoAnswer)));
    }

    #[test]
    fn a_result_is_edited_behind_what_the_call_did() {
        let result = |begun| place(&run(), begun, Edit::Result);
        let replied = |kept, id: &str| Ok(ForkPoint { kept, then: Then::Replied { call_id: id.into() } });
        assert_eq!((result(3), result(6)), (replied(5, "a"), replied(7, "b")));
        assert_eq!(result(8), Err(NoPlace::NoCall));
    }
}
