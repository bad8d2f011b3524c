//! Plays a conversation with a harness as the engine does, but with given answers, and effects are performed at once
//! without questions. So a recorded conversation can be repeated request by request.

use std::collections::VecDeque;
use std::fs;
use std::io::ErrorKind;
use std::process::Command;

use camino::Utf8Path;
use harness::{
    Catalog, Delegated, Delegation, DelegationEnd, Effect, FailureKind, Harness, Performed, Prepared, Served, Session,
    ToolReply,
};
use model::{Message, ModelRequest, Role, Sampling, ToolCall, ToolDef, ToolResult, openai};
use serde_json::Value;

use super::ran;

pub struct Play<'a> {
    pub harness: &'static dyn Harness,
    pub catalog: &'a Catalog,
    pub session: Session,
    /// Without the system message.
    pub history: Vec<Message>,
    /// Each as it goes over the wire, in order, those of sub-agents too.
    pub requests: Vec<Value>,
    /// What the model says, one for each request, sub-agents' too.
    answers: VecDeque<Message>,
    /// Where commands run.
    folder: &'a Utf8Path,
    model: &'a str,
}

impl<'a> Play<'a> {
    pub fn new(
        harness: &'static dyn Harness,
        catalog: &'a Catalog,
        session: Session,
        answers: impl IntoIterator<Item = Message>,
        folder: &'a Utf8Path,
    ) -> Self {
        Self {
            harness,
            catalog,
            session,
            history: Vec::new(),
            requests: Vec::new(),
            answers: answers.into_iter().collect(),
            folder,
            model: "fake",
        }
    }

    /// One prompt, to the answer without calls. `Err` is what the framework ends the run with.
    pub fn prompt(&mut self, prompt: &str) -> Result<(), String> {
        self.history.push(Message::user(prompt));
        loop {
            let mut done = None;
            loop {
                let prepared = self.harness.before_request(&mut self.history, done, self.catalog, &mut self.session);
                match prepared {
                    Prepared::Send => break,
                    Prepared::Perform(effect) => done = Some(self.perform(&effect)),
                    Prepared::End => return Ok(()),
                    Prepared::Abort(error) => return Err(error),
                }
            }
            let shown = self.harness.present(self.catalog, &self.session);
            let system = shown.instructions.iter().map(|marked| Message::system(&marked.text));
            let messages = system.chain(self.history.iter().cloned()).collect();
            let answer = self.ask(messages, shown.definitions(), None);
            let calls: Vec<ToolCall> = answer.calls().cloned().collect();
            self.history.push(answer);
            if calls.is_empty() {
                return Ok(());
            }
            for call in calls {
                let result = self.call(&call)?;
                self.history.push(Message::tool_result(result));
            }
        }
    }

    /// A call, as the message that goes back.
    pub fn call(&mut self, call: &ToolCall) -> Result<ToolResult, String> {
        let reply = self.reply(call)?;
        let wire = self.harness.wire(&reply, self.catalog);
        Ok(ToolResult { call_id: call.id.clone(), text: reply.text, wire, is_error: reply.is_error })
    }

    fn reply(&mut self, call: &ToolCall) -> Result<ToolReply, String> {
        let mut served = self.harness.serve(call, self.catalog, &mut self.session);
        loop {
            served = match served {
                Served::Reply(reply) => return Ok(reply),
                Served::Abort(error) => return Err(error),
                Served::Perform(effect) => {
                    let done = self.perform(&effect);
                    self.harness.settle(call, done, self.catalog, &mut self.session)
                }
            };
        }
    }

    fn ask(&mut self, messages: Vec<Message>, tools: Vec<ToolDef>, max_tokens: Option<u32>) -> Message {
        let dialect = self.harness.dialect(self.catalog);
        let request = ModelRequest {
            messages,
            tools,
            parameters: Sampling { max_tokens, ..Sampling::default() },
            tool_choice: dialect.tool_choice,
            dialect,
        };
        let body = openai::encode(self.model, &request, false, &Sampling::default());
        let mut body: Value = serde_json::from_str(&body).unwrap();
        body.as_object_mut().unwrap().shift_remove("stream");
        self.requests.push(body);
        self.answers.pop_front().expect("there is an answer for each request")
    }

    fn perform(&mut self, effect: &Effect) -> Performed {
        match effect {
            Effect::Disclose { .. } => Performed::Agreed,
            Effect::ReadFile { path, .. } => match fs::read(path) {
                Ok(bytes) => Performed::Read { bytes },
                Err(error) if error.kind() == ErrorKind::IsADirectory => {
                    Performed::failed(FailureKind::IsFolder, error.to_string())
                }
                Err(error) => Performed::failed(FailureKind::NotFound, error.to_string()),
            },
            Effect::WriteFile { path, text } => {
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, text).unwrap();
                Performed::Wrote
            }
            Effect::Shell { command, .. } => ran(Command::new("sh").args(["-c", command]).current_dir(self.folder)),
            Effect::RunScript { interpreter, path, arguments, .. } => {
                ran(Command::new(interpreter).arg(path).args(arguments).current_dir(self.folder))
            }
            Effect::AskModel { .. } => Performed::Agreed,
            Effect::Delegate(delegation) => Performed::Delegated(self.delegate(delegation)),
            Effect::Summarise { messages, max_tokens } => {
                let text = self.ask(messages.clone(), Vec::new(), *max_tokens).text();
                Performed::Summarised { text }
            }
            Effect::ListFolder { .. }
            | Effect::FindFiles { .. }
            | Effect::SearchFiles { .. }
            | Effect::Shells { .. }
            | Effect::WriteFiles { .. }
            | Effect::FileHistory { .. } => {
                panic!("no recording needs {effect:?}")
            }
        }
    }

    /// The sub-agent's session is its own, except for what the harness remembers.
    fn delegate(&mut self, delegation: &Delegation) -> Delegated {
        let session = Session { delegated: true, activated: Vec::new(), ..self.session.clone() };
        let outer = std::mem::replace(&mut self.session, session);
        let mut messages = if delegation.with_history { self.history.clone() } else { Vec::new() };
        messages.extend(delegation.messages.iter().cloned());
        let given = messages.len();
        let mut end = DelegationEnd::Limited;
        for _ in 0..delegation.iterations.unwrap_or(u32::MAX) {
            let answer = self.ask(messages.clone(), delegation.tools.clone(), delegation.max_tokens);
            let calls: Vec<ToolCall> = answer.calls().cloned().collect();
            messages.push(answer);
            if calls.is_empty() {
                end = DelegationEnd::Done;
                break;
            }
            for call in calls {
                match self.call(&call) {
                    Ok(result) => messages.push(Message::tool_result(result)),
                    Err(error) => end = DelegationEnd::Failed(error),
                }
            }
        }
        let session = std::mem::replace(&mut self.session, outer);
        Delegated { messages: messages.split_off(given), end, memory: session.memory }
    }
}

/// The answers in a recorded list of OpenAI messages.
pub fn answers(messages: &Value) -> Vec<Message> {
    let messages = messages.as_array().map(Vec::as_slice).unwrap_or_default();
    let said = messages.iter().filter(|message| message["role"] == "assistant");
    said.map(answer).collect()
}

fn answer(message: &Value) -> Message {
    let text = message["content"]
        .as_str()
        .map(Message::assistant)
        .unwrap_or(Message { role: Role::Assistant, parts: Vec::new() });
    let calls = message["tool_calls"].as_array().map(Vec::as_slice).unwrap_or_default().iter().map(|call| {
        ToolCall::new(
            call["id"].as_str().unwrap(),
            call["function"]["name"].as_str().unwrap(),
            call["function"]["arguments"].as_str().unwrap(),
        )
    });
    let mut parts = text.parts;
    parts.extend(Message::tool_calls(calls).parts);
    Message { role: Role::Assistant, parts }
}
