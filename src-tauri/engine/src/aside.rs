//! What happens alongside the run's own conversation: sub-agents, and the framework's own model requests. Each is
//! recorded as a separate conversation.

use futures::FutureExt;
use futures::future::BoxFuture;

use super::conversation::Conversation;
use super::{Dialogue, Errand, Finish, Halt, Run};
use harness::{Delegated, Delegation, DelegationEnd, FailureKind, Performed, Session};
use model::{Message, Role};
use trace::{Event, EventKind, Outcome, RunStatus};
use wording::{Message as Words, message};

/// Said before the reason.
pub(super) const SUB_AGENT_FAILED: &str = "the sub-agent failed: ";

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
                return self.not_begun(call_id, FailureKind::Other, text).await;
            }
            if let Some(past) = self.past.as_mut() {
                if let Some(failed) = past.not_begun(call_id) {
                    return Ok(failed);
                }
            } else if let Err(reason) = self.model_named(delegation.model.as_deref()) {
                return self.not_begun(call_id, FailureKind::NotFound, reason).await;
            }
            let mut child = parent.child(call_id, delegation);
            child.is_past = self.past.is_some();
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
                    self.record(EventKind::noted(text)).await?;
                    DelegationEnd::Limited
                }
                Err(Halt::Ended { status: RunStatus::Failed, error, .. }) => {
                    let error = error.unwrap_or_default();
                    let text = message!("{SUB_AGENT_FAILED}{error}", "子智能体失败：{error}"; error);
                    self.record(EventKind::noted(text)).await?;
                    DelegationEnd::Failed(error.en)
                }
                Err(halt) => return Err(halt),
            };
            let messages = child.conversation.pushed().skip(given).cloned().collect();
            Ok(Performed::Delegated(Delegated { messages, end, memory: child.session.memory }))
        }
        .boxed()
    }

    /// A sub-agent that was never asked anything.
    async fn not_begun(&mut self, call_id: &str, kind: FailureKind, reason: Words) -> Result<Performed, Halt> {
        self.record(EventKind::noted(reason.clone())).await?;
        let failed = Performed::failed(kind, reason.en);
        let (call_id, outcome) = (call_id.to_owned(), Outcome::of(&failed));
        self.note(EventKind::Performed { call_id, output: None, files: Vec::new(), enforcement: None, outcome });
        Ok(failed)
    }

    /// Asks a model outside of the conversation.
    pub(super) async fn summarise(
        &mut self,
        parent: &Dialogue,
        messages: Vec<Message>,
        max_tokens: Option<u32>,
    ) -> Result<Performed, Halt> {
        let mut aside = Dialogue {
            errand: Some(Errand { tools: Vec::new(), max_tokens, iterations: None }),
            depth: parent.depth,
            is_past: self.past.is_some(),
            ..Dialogue::new(Conversation::default().branch(0, messages), parent.session.clone())
        };
        let name = self.asides.summary();
        let outer = self.recorder.enter(Some(name));
        let answer = self.send(&mut aside, None).await;
        self.recorder.enter(outer);
        match answer {
            Ok(answer) => Ok(Performed::Summarised { text: answer.message.text() }),
            Err(Halt::Ended { status: RunStatus::Failed, error, .. }) => {
                Ok(Performed::failed(FailureKind::Other, error.unwrap_or_default().en))
            }
            Err(halt) => Err(halt),
        }
    }
}

impl Dialogue {
    fn child(&self, call_id: &str, delegation: Delegation) -> Self {
        let Delegation { agent, model, with_history, messages, tools, iterations, max_tokens } = delegation;
        let (parent, activated) = match with_history {
            true => (self.conversation.branch(self.answer_that_called(call_id), messages), &*self.session.activated),
            false => (Conversation::default().branch(0, messages), &[][..]),
        };
        let session =
            Session { activated: activated.to_vec(), failed_rounds: 0, model, delegated: true, ..self.session.clone() };
        Self {
            errand: Some(Errand { tools, max_tokens, iterations }),
            agents: self.agents.iter().cloned().chain(agent).collect(),
            depth: self.depth + 1,
            ..Self::new(parent, session)
        }
    }

    /// Messages of the history up to and with the answer that made a call; all of them if none did.
    fn answer_that_called(&self, call_id: &str) -> usize {
        let history = &self.conversation.history;
        let called =
            |message: &Message| message.role == Role::Assistant && message.calls().any(|call| call.id == call_id);
        history.iter().rposition(called).map_or(history.len(), |place| place + 1)
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Names for the conversations alongside the run's own.
#[derive(Debug, Default)]
pub(super) struct Asides {
    /// Ids of calls that started a sub-agent; some models use an id again.
    calls: Vec<String>,
    summaries: u32,
}

impl Asides {
    /// The id of the call that delegates, with a number if an earlier one had the same id.
    pub(super) fn name(&mut self, call_id: &str) -> String {
        let earlier = self.calls.iter().filter(|id| *id == call_id).count();
        self.calls.push(call_id.to_owned());
        if earlier == 0 { call_id.to_owned() } else { format!("{call_id}#{}", earlier + 1) }
    }

    /// As they were given in a run that is recorded.
    pub(super) fn of(events: &[Event]) -> Self {
        let mut names: Vec<&str> = events.iter().filter_map(|event| event.within.as_deref()).collect();
        names.sort_unstable();
        names.dedup();
        let (summaries, calls): (Vec<&str>, Vec<&str>) =
            names.into_iter().partition(|name| name.strip_prefix("summary-").is_some_and(is_number));
        let id = |name: &str| match name.rsplit_once('#') {
            Some((id, number)) if is_number(number) => id.to_owned(),
            _ => name.to_owned(),
        };
        let calls = calls.into_iter().map(id).collect();
        Self { calls, summaries: u32::try_from(summaries.len()).unwrap_or(u32::MAX) }
    }

    fn summary(&mut self) -> String {
        self.summaries += 1;
        format!("summary-{}", self.summaries)
    }
}
