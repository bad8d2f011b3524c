//! One tool call: served by the harness, approved, performed, replied to.

use std::time::Duration;

use camino::Utf8PathBuf;

use super::{Halt, Run};
use crate::harness::{Disclosure, Effect, Origin, Performed, ScriptOutput, Served, Session, ToolReply};
use crate::model::{Message, Part, Role, ToolCall, ToolResult};
use crate::tool::ToolError;
use crate::tool::files::{self, Snapshot};
use crate::tool::script::{self, Script};
use crate::trace::{Decision, EventKind, WrittenFile};

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

        let wire = self.plan.harness.wire_text(&reply, &self.catalog);
        let result = ToolResult {
            call_id: call.id.clone(),
            text: reply.text.clone(),
            wire: wire.clone(),
            is_error: reply.is_error,
        };
        let tokens = (self.plan.count)(wire.as_ref().unwrap_or(&reply.text));
        self.conversation.push_whole(Message { role: Role::Tool, parts: vec![Part::ToolResult(result)] }, origin);
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
            Effect::ReadFile { .. } => Decision::Allow { arguments: None, for_run: false },
            Effect::RunScript { .. } => self.gate.decide(&call.id, &effect, &self.stop, &mut self.recorder).await?,
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
            Decision::Deny { reason } => Ok(self.settle(call, Performed::Denied { reason })),
            Decision::Stub { text } => Ok(self.settle(call, Performed::Stubbed { text })),
        }
    }

    async fn perform(&mut self, call: &ToolCall, effect: Effect) -> Result<(ToolReply, Origin), Halt> {
        let done = match effect {
            Effect::ReadFile { path } => {
                let read = tokio::select! {
                    biased;
                    () = self.stop.cancelled() => return Err(Halt::stopped()),
                    read = files::read_text(&path) => read,
                };
                match read {
                    Ok(text) => Performed::Read { text },
                    Err(error) => self.could_not(error.to_string()).await?,
                }
            }
            Effect::RunScript { script: name, path, interpreter, arguments, working_directory, .. } => {
                let script = Script {
                    interpreter,
                    path,
                    arguments,
                    working_directory: working_directory.unwrap_or_else(|| self.plan.working_directory.clone()),
                    time: Duration::from_secs(self.plan.limits.script_seconds.into()),
                    output_bytes: usize::try_from(self.plan.limits.output_bytes).unwrap_or(usize::MAX),
                };
                let ran = tokio::select! {
                    biased;
                    () = self.stop.cancelled() => return Err(Halt::stopped()),
                    ran = run_watched(&script, self.plan.working_directory.clone()) => ran,
                };
                match ran {
                    Ok((output, files)) => {
                        let call_id = call.id.clone();
                        self.recorder.record(EventKind::Performed { call_id, output: output.clone(), files }).await?;
                        Performed::Ran(output)
                    }
                    Err(error) => self.could_not(format!("{name} did not run: {error}")).await?,
                }
            }
        };
        Ok(self.settle(call, done))
    }

    /// Frameworks may keep the reason from the model, so it is noted for the reader.
    async fn could_not(&mut self, message: String) -> Result<Performed, Halt> {
        self.recorder.record(EventKind::Noted { text: message.clone() }).await?;
        Ok(Performed::Failed { message })
    }

    fn settle(&mut self, call: &ToolCall, done: Performed) -> (ToolReply, Origin) {
        let stubbed = matches!(done, Performed::Stubbed { .. });
        let reply = self.plan.harness.settle(call, done, &mut self.session);
        let disclosure = self.plan.harness.disclosure(call, &self.catalog);
        let origin = if stubbed { Origin::User } else { origin(&reply, disclosure, call) };
        (reply, origin)
    }
}

async fn run_watched(script: &Script, folder: Utf8PathBuf) -> Result<(ScriptOutput, Vec<WrittenFile>), ToolError> {
    let before = Snapshot::take(&folder).await;
    let output = script::run(script).await?;
    let after = Snapshot::take(&folder).await;
    Ok((output, after.written_since(&before)))
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
