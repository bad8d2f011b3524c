//! Who decides whether an effect may be performed, and waiting for the user where they do.

use tokio::sync::mpsc::UnboundedReceiver;
use tokio_util::sync::CancellationToken;

use super::Halt;
use crate::harness::Effect;
use crate::trace::recorder::Recorder;
use crate::trace::{Decision, EventKind};

/// What happens when something is wanted that is not done unasked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Approval {
    /// The run waits for the user.
    Ask,
    Deny,
    Allow,
}

/// The user's decisions, each for a call's id.
pub type Decisions = UnboundedReceiver<(String, Decision)>;

pub(super) struct Gate {
    approval: Approval,
    decisions: Decisions,
}

impl Gate {
    pub(super) fn new(approval: Approval, decisions: Decisions) -> Self {
        Self { approval, decisions }
    }

    /// The decision on an effect. "For this run" is remembered: what comes later is allowed without asking.
    pub(super) async fn decide(
        &mut self,
        call_id: &str,
        effect: &Effect,
        stop: &CancellationToken,
        recorder: &mut Recorder,
    ) -> Result<Decision, Halt> {
        if self.approval == Approval::Allow {
            return Ok(Decision::Allow { arguments: None, for_run: true });
        }
        let call_id = call_id.to_owned();
        recorder.record(EventKind::ApprovalAsked { call_id: call_id.clone(), effect: effect.clone() }).await?;
        let decision = match self.approval {
            Approval::Ask => self.wait(&call_id, stop, recorder).await?,
            Approval::Deny | Approval::Allow => Decision::Deny { reason: None },
        };
        if let Decision::Allow { for_run: true, .. } = decision {
            self.approval = Approval::Allow;
        }
        recorder.record(EventKind::ApprovalGiven { call_id, decision: decision.clone() }).await?;
        Ok(decision)
    }

    async fn wait(
        &mut self,
        call_id: &str,
        stop: &CancellationToken,
        recorder: &mut Recorder,
    ) -> Result<Decision, Halt> {
        loop {
            let decision = tokio::select! {
                biased;
                () = stop.cancelled() => return Err(Halt::stopped()),
                decision = self.decisions.recv() => decision,
            };
            match decision {
                Some((id, decision)) if id == call_id => return Ok(decision),
                Some((id, _)) => {
                    let text = format!("ignored a decision on call {id}, which does not wait for one");
                    recorder.record(EventKind::noted(text)).await?;
                }
                None => return Ok(Decision::Deny { reason: Some("nobody is there to approve it".into()) }),
            }
        }
    }
}
