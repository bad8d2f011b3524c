//! Answers that may be cut off: nothing in the protocol said that they are whole. Nothing that such an answer asks for is
//! done before the user has chosen to keep it.

use tokio::sync::mpsc::UnboundedReceiver;

use super::{Approval, Halt, Run};
use trace::{CutChoice, EventKind};

/// Which answer a choice is about: its conversation, as events name it, and the number of its request there.
pub type CutAnswer = (Option<String>, u32);

/// The user's choices.
pub type CutChoices = UnboundedReceiver<(CutAnswer, CutChoice)>;

/// Why a run ends that has nobody to choose.
pub(super) const CUT: &str =
    "the answer may be cut off: the server closed the connection without saying that the answer is whole";

impl Run {
    /// Waits until the user has chosen what becomes of the answer of a turn; `true`: it is kept, `false`: asked again.
    pub(super) async fn is_kept(&mut self, turn: u32) -> Result<bool, Halt> {
        self.recorder.record(EventKind::CutAsked { turn }).await?;
        let choice = match self.plan.approval {
            Approval::Deny => CutChoice::End,
            Approval::Ask | Approval::Allow => {
                let held = self.brake.hold();
                let choice = self.choice(turn).await;
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

    async fn choice(&mut self, turn: u32) -> Result<CutChoice, Halt> {
        let answer = (self.recorder.within().map(str::to_owned), turn);
        loop {
            let chosen = tokio::select! {
                biased;
                () = self.brake.stop().cancelled() => return Err(Halt::stopped()),
                chosen = self.cut_choices.recv() => chosen,
            };
            match chosen {
                Some((about, choice)) if about == answer => return Ok(choice),
                // Somebody chose twice.
                Some(_) => {}
                None => return Ok(CutChoice::End),
            }
        }
    }
}
