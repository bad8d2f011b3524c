//! Answers that may be cut off: nothing in the protocol said that they are whole. Nothing that such an answer asks for is
//! done before the user has chosen to keep it.

use super::{Approval, Halt, Run};
use trace::{CutChoice, EventKind};
use wording::Wording;

/// Why a run ends if there is no user to choose.
pub(super) const CUT: Wording = Wording::new(
    "the answer may be cut off: the server closed the connection without saying that the answer is whole",
    "回答可能被截断：服务器没有表明回答完整就关闭了连接",
);

impl Run {
    /// Waits until the user has chosen what becomes of the answer of a turn; `true`: it is kept, `false`: asked again.
    pub(super) async fn is_kept(&mut self, turn: u32) -> Result<bool, Halt> {
        if let Some(past) = self.past.as_mut() {
            return past.is_kept();
        }
        let mut asked = self.cut_choices.open(self.recorder.next_number());
        self.recorder.record(EventKind::CutAsked { turn }).await?;
        let choice = match self.plan.approval {
            Approval::Deny => CutChoice::End,
            Approval::Ask | Approval::Allow => {
                let held = self.brake.hold();
                let choice = tokio::select! {
                    biased;
                    () = self.brake.stop().cancelled() => Err(Halt::stopped()),
                    choice = asked.answer() => Ok(choice.unwrap_or(CutChoice::End)),
                };
                self.brake.go_on(held);
                choice?
            }
        };
        self.recorder.record(EventKind::CutSettled { turn, choice }).await?;
        match choice {
            CutChoice::Keep => Ok(true),
            CutChoice::AskAgain => Ok(false),
            CutChoice::End => Err(Halt::Cut),
        }
    }
}
