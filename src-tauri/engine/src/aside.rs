//! What happens beside the run's own conversation: sub-agents, and model requests of the framework's own. Each is
//! recorded as a conversation of its own.

use futures::FutureExt;
use futures::future::BoxFuture;

use super::conversation::Conversation;
use super::{Dialogue, Errand, Finish, Halt, Run};
use harness::{Delegated, Delegation, DelegationEnd, FailureKind, Performed, Session};
use model::{Message, Role};
use trace::{EventKind, RunStatus};
use wording::message;

/// How deep sub-agents may start sub-agents: 1 is one that the run's own agent starts.
const DEPTH_LIMIT: u32 = 3;

impl Run {
    /// Lets a sub-agent work to its end.
    pub(super) fn delegate<'a>(
        &'a mut self,
        parent: &'a Dialogue,
        call_id: &'a str,
        delegation: Delegation,
    ) -> BoxFuture<'a, Result<Performed, Halt>> {
        // Boxed, because a sub-agent may start another.
        async move {
            if parent.depth == DEPTH_LIMIT {
                let text = message!(
                    "sub-agents start each other at most {DEPTH_LIMIT} deep",
                    "子智能体最多逐层启动 {DEPTH_LIMIT} 层"
                );
                self.recorder.record(EventKind::noted(text.clone())).await?;
                return Ok(Performed::failed(FailureKind::Other, text.en));
            }
            if let Err(reason) = self.model_named(delegation.model.as_deref()) {
                self.recorder.record(EventKind::noted(reason.clone())).await?;
                return Ok(Performed::failed(FailureKind::NotFound, reason.en));
            }
            let mut child = parent.child(call_id, delegation);
            let given = child.conversation.pushed().count();
            let outer = self.recorder.enter(Some(self.asides.name(call_id)));
            let finish = self.rounds(&mut child).await;
            self.recorder.enter(outer);
            let end = match finish {
                Ok(Finish::Done) => DelegationEnd::Done,
                Ok(Finish::Capped(requests)) => {
                    let text = message!(
                        "the sub-agent was ended after {requests} model requests, its limit",
                        "子智能体在 {requests} 次模型请求后结束，这是它的上限"
                    );
                    self.recorder.record(EventKind::noted(text)).await?;
                    DelegationEnd::Limited
                }
                Err(Halt::Ended { status: RunStatus::Failed, error, .. }) => {
                    let error = error.unwrap_or_default();
                    let text = message!("the sub-agent failed: {error}", "子智能体失败：{error}"; error);
                    self.recorder.record(EventKind::noted(text)).await?;
                    DelegationEnd::Failed(error.en)
                }
                Err(halt) => return Err(halt),
            };
            let messages = child.conversation.pushed().skip(given).cloned().collect();
            Ok(Performed::Delegated(Delegated { messages, end, memory: child.session.memory }))
        }
        .boxed()
    }

    /// Asks a model outside of the conversation.
    pub(super) async fn summarise(
        &mut self,
        parent: &Dialogue,
        messages: Vec<Message>,
        max_tokens: Option<u32>,
    ) -> Result<Performed, Halt> {
        let mut aside = Dialogue {
            conversation: Conversation::default().branch(0, messages),
            session: parent.session.clone(),
            errand: Some(Errand { tools: Vec::new(), max_tokens, iterations: None }),
            depth: parent.depth,
            difference: None,
        };
        let name = self.asides.summary();
        let outer = self.recorder.enter(Some(name));
        let answer = self.send(&mut aside, &mut 0, None).await;
        self.recorder.enter(outer);
        match answer {
            Ok(answer) => Ok(Performed::Summarised { text: answer.text() }),
            Err(Halt::Ended { status: RunStatus::Failed, error, .. }) => {
                Ok(Performed::failed(FailureKind::Other, error.unwrap_or_default().en))
            }
            Err(halt) => Err(halt),
        }
    }
}

impl Dialogue {
    fn child(&self, call_id: &str, delegation: Delegation) -> Self {
        let Delegation { agent: _, model, with_history, messages, tools, iterations, max_tokens } = delegation;
        let (parent, activated) = match with_history {
            true => (self.conversation.branch(self.answer_that_called(call_id), messages), &*self.session.activated),
            false => (Conversation::default().branch(0, messages), &[][..]),
        };
        Self {
            conversation: parent,
            session: Session {
                activated: activated.to_vec(),
                failed_rounds: 0,
                model,
                delegated: true,
                ..self.session.clone()
            },
            errand: Some(Errand { tools, max_tokens, iterations }),
            depth: self.depth + 1,
            difference: None,
        }
    }

    /// Messages of the history up to and with the answer that made a call; all of them where none did.
    fn answer_that_called(&self, call_id: &str) -> usize {
        let history = &self.conversation.history;
        let called =
            |message: &Message| message.role == Role::Assistant && message.calls().any(|call| call.id == call_id);
        history.iter().rposition(called).map_or(history.len(), |place| place + 1)
    }
}

/// Names for the conversations beside the run's own.
#[derive(Debug, Default)]
pub(super) struct Asides {
    /// Ids of calls that started a sub-agent; some models use an id again.
    calls: Vec<String>,
    summaries: u32,
}

impl Asides {
    /// The id of the call that delegates, with a number where an earlier one had it too.
    fn name(&mut self, call_id: &str) -> String {
        let earlier = self.calls.iter().filter(|id| *id == call_id).count();
        self.calls.push(call_id.to_owned());
        if earlier == 0 { call_id.to_owned() } else { format!("{call_id}#{}", earlier + 1) }
    }

    fn summary(&mut self) -> String {
        self.summaries += 1;
        format!("summary-{}", self.summaries)
    }
}
