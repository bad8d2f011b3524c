//! One tool call: served by the harness, approved, performed, replied to.

use super::{Halt, Run, effect};
use crate::harness::{Disclosure, Effect, Origin, Performed, Served, Session, ToolReply};
use crate::model::{Message, ToolCall, ToolResult};
use crate::trace::{Decision, EventKind};

impl Run {
    /// Answers a call: when this returns, the reply is recorded and part of the conversation.
    pub(super) async fn call(&mut self, turn: u32, call: &ToolCall) -> Result<ToolReply, Halt> {
        let disclosure = self.plan.harness.disclosure(call, &self.catalog);
        let called = EventKind::Called { turn, call: call.clone(), disclosure: disclosure.clone() };
        self.recorder.record(called).await?;

        let before = self.session.clone();
        let (reply, origin) = match self.plan.harness.serve(call, &self.catalog, &mut self.session) {
            Served::Reply(reply) => {
                let origin = origin(&reply, disclosure, call);
                (reply, origin)
            }
            Served::Perform(effect) => self.approve(call, effect, before).await?,
            Served::Abort(error) => return Err(Halt::failed(error)),
        };

        let wire = self.plan.harness.wire(&reply, &self.catalog);
        let result = ToolResult {
            call_id: call.id.clone(),
            text: reply.text.clone(),
            wire: wire.clone(),
            is_error: reply.is_error,
        };
        let tokens = (self.plan.count)(wire.as_ref().unwrap_or(&reply.text));
        self.conversation.push_whole(Message::tool_result(result), origin);
        let replied = EventKind::Replied {
            call_id: call.id.clone(),
            text: reply.text.clone(),
            wire,
            is_error: reply.is_error,
            tokens,
        };
        self.recorder.record(replied).await?;
        Ok(reply)
    }

    /// Performs an effect if it may be. `before` is the session as it was before the call was served, to which it
    /// returns where the user edited the arguments and the call is served again.
    async fn approve(&mut self, call: &ToolCall, effect: Effect, before: Session) -> Result<(ToolReply, Origin), Halt> {
        let decision = match &effect {
            Effect::ReadFile { approval: false, .. } => Decision::Allow { arguments: None, for_run: false },
            _ => self.gate.decide(&call.id, &effect, &self.stop, &mut self.recorder).await?,
        };
        match decision {
            Decision::Allow { arguments: None, .. } => self.perform(call, effect).await,
            Decision::Allow { arguments: Some(arguments), .. } => {
                let edited = ToolCall { arguments, ..call.clone() };
                self.session = before;
                match self.plan.harness.serve(&edited, &self.catalog, &mut self.session) {
                    Served::Reply(reply) => {
                        let disclosure = self.plan.harness.disclosure(&edited, &self.catalog);
                        let origin = origin(&reply, disclosure, &edited);
                        Ok((reply, origin))
                    }
                    Served::Perform(effect) => self.perform(&edited, effect).await,
                    Served::Abort(error) => Err(Halt::failed(error)),
                }
            }
            Decision::Deny { reason } => self.settle(call, Performed::Denied { reason }),
            Decision::Stub { text } => self.settle(call, Performed::Stubbed { text }),
        }
    }

    async fn perform(&mut self, call: &ToolCall, effect: Effect) -> Result<(ToolReply, Origin), Halt> {
        let done = tokio::select! {
            biased;
            () = self.stop.cancelled() => return Err(Halt::stopped()),
            done = effect::perform(&effect, &self.plan.limits, &self.plan.working_directory) => done,
        };
        match &done.performed {
            Performed::Ran(output) => {
                let (call_id, output) = (call.id.clone(), output.clone());
                self.recorder.record(EventKind::Performed { call_id, output, files: done.files }).await?;
            }
            // Frameworks may keep the reason from the model, so it is noted for the reader.
            Performed::Failed { message, .. } => {
                self.recorder.record(EventKind::Noted { text: message.clone() }).await?;
            }
            _ => {}
        }
        self.settle(call, done.performed)
    }

    fn settle(&mut self, call: &ToolCall, done: Performed) -> Result<(ToolReply, Origin), Halt> {
        let stubbed = matches!(done, Performed::Stubbed { .. });
        let reply = match self.plan.harness.settle(call, done, &self.catalog, &mut self.session) {
            Served::Reply(reply) => reply,
            Served::Perform(_) => return Err(Halt::failed("a second effect of one call is not performed here")),
            Served::Abort(error) => return Err(Halt::failed(error)),
        };
        let disclosure = self.plan.harness.disclosure(call, &self.catalog);
        let origin = if stubbed { Origin::User } else { origin(&reply, disclosure, call) };
        Ok((reply, origin))
    }
}

/// Who wrote a reply. Error texts are the framework's.
fn origin(reply: &ToolReply, disclosure: Disclosure, call: &ToolCall) -> Origin {
    if reply.is_error {
        return Origin::Framework;
    }
    match disclosure {
        Disclosure::Instructions { skill } => Origin::Skill { skill, field: "body".into() },
        Disclosure::Resource { skill, resource } => Origin::Skill { skill, field: resource },
        Disclosure::Script { .. } | Disclosure::None => Origin::Tool { tool: call.name.clone() },
    }
}
