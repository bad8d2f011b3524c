//! Who decides whether an effect may be performed.

use super::Halt;
use super::access::{Question, Scope};
use super::questions::{Asked, Questions};
use harness::Effect;
use trace::recorder::Recorder;
use trace::{Decision, EventKind, Standing};

/// What happens when an effect needs the user's consent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Approval {
    /// The run waits for the user.
    Ask,
    Deny,
    Allow,
}

/// A decision, and whether it holds longer than the run.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    pub decision: Decision,
    pub remember: Option<Standing>,
}

impl From<Decision> for Answer {
    fn from(decision: Decision) -> Self {
        Self { decision, remember: None }
    }
}

/// It may happen, this once.
pub(super) const AGREED: Decision = Decision::Allow { arguments: None, for_run: false };

pub(super) struct Gate {
    approval: Approval,
    decisions: Questions<Answer>,
    /// What the user allowed for the rest of the run.
    granted: Vec<Scope>,
}

impl Gate {
    pub(super) fn new(approval: Approval, decisions: Questions<Answer>) -> Self {
        Self { approval, decisions, granted: Vec::new() }
    }

    /// Whether no question is needed: everything is allowed, or just this was allowed for the run.
    pub(super) fn is_open_for(&self, question: &Question) -> bool {
        self.approval == Approval::Allow || self.granted.iter().any(|granted| granted.covers(&question.scope))
    }

    /// Remembers what the user allowed for the rest of the run.
    pub(super) fn grant(&mut self, question: &Question) {
        self.granted.push(question.scope.clone());
    }

    /// Puts a question to the user.
    pub(super) async fn ask(
        &self,
        call_id: &str,
        effect: &Effect,
        question: &Question,
        recorder: &mut Recorder,
    ) -> Result<Asked<Answer>, Halt> {
        let (call_id, effect, subject) = (call_id.to_owned(), effect.clone(), question.subject.clone());
        let asked = self.decisions.open(recorder.next_number());
        recorder.record(EventKind::ApprovalAsked { call_id, effect, subject }).await?;
        Ok(asked)
    }

    /// The answer if the run does not wait for the user.
    pub(super) fn settled(&self) -> Option<Answer> {
        match self.approval {
            Approval::Ask => None,
            Approval::Allow => Some(AGREED.into()),
            Approval::Deny => Some(Decision::Deny { reason: None }.into()),
        }
    }
}
