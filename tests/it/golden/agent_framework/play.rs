//! A conversation as the framework leads it, with the recorded model's answers.

use std::collections::VecDeque;
use std::fs;
use std::process::Command;

use serde_json::{Value, json};

use harness::{Catalog, Effect, FailedRounds, FailureKind, Performed, ReplyAuthor, Served, Session, ToolReply};
use model::{Message, ModelRequest, Sampling, ToolCall, ToolChoice, ToolResult, openai};

use super::agent_framework;
use crate::golden::ran;

/// The agent's own instructions in the recordings.
pub const AGENT: &str = "You are a helpful assistant.";

/// What the user says to every question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum User {
    Agrees,
    Refuses,
    /// There is no answer; the conversation ends at the question.
    IsAway,
}

/// What happened.
#[derive(Default)]
pub struct Played {
    /// Bodies, as recorded.
    pub requests: Vec<Value>,
    pub rounds: Vec<Round>,
}

pub struct Round {
    pub calls: Vec<ToolCall>,
    pub replies: Vec<ToolReply>,
    /// The calls that the framework asked the user about.
    pub asked: Vec<ToolCall>,
}

/// Plays until the model's answers are used up.
pub fn play(catalog: &Catalog, user: &str, mut answers: VecDeque<Message>, decision: User) -> Played {
    let mut session = Session { agent_instructions: Some(AGENT.into()), ..Session::default() };
    let mut history = vec![Message::user(user)];
    let mut played = Played::default();
    loop {
        let exhausted =
            matches!(catalog.limits.failed_rounds, Some(FailedRounds::AnswerAfter(n)) if session.failed_rounds >= n);
        let request = request(catalog, &session, &history, exhausted.then_some(ToolChoice::None));
        played.requests.push(body(&request));
        let Some(answer) = answers.pop_front() else { return played };
        let mut round = Round { calls: answer.calls().cloned().collect(), replies: Vec::new(), asked: Vec::new() };
        history.push(answer);
        for call in round.calls.clone() {
            let Some(reply) = reply(&call, catalog, &mut session, decision, &mut round.asked) else {
                played.rounds.push(round);
                return played;
            };
            let wire = agent_framework().wire(&reply, catalog);
            history.push(Message::tool_result(ToolResult {
                call_id: call.id,
                text: reply.text.clone(),
                wire,
                is_error: reply.is_error,
            }));
            round.replies.push(reply);
        }
        let failed = round.replies.iter().any(|reply| reply.author == ReplyAuthor::Exception);
        session.failed_rounds = if failed { session.failed_rounds + 1 } else { 0 };
        played.rounds.push(round);
    }
}

/// What the model gets for a call; `None` if the user was asked and is away.
pub fn reply(
    call: &ToolCall,
    catalog: &Catalog,
    session: &mut Session,
    user: User,
    asked: &mut Vec<ToolCall>,
) -> Option<ToolReply> {
    let mut served = agent_framework().serve(call, catalog, session);
    loop {
        let effect = match served {
            Served::Reply(reply) => return Some(reply),
            Served::Perform(effect) => effect,
            Served::Abort(error) => panic!("{error}"),
        };
        let mut done = None;
        if asks(&effect) {
            asked.push(call.clone());
            match user {
                User::Agrees => {}
                User::Refuses => done = Some(Performed::Denied { reason: None }),
                User::IsAway => return None,
            }
        }
        let done = done.unwrap_or_else(|| perform(effect));
        served = agent_framework().settle(call, done, catalog, session);
    }
}

pub fn request(catalog: &Catalog, session: &Session, history: &[Message], choice: Option<ToolChoice>) -> ModelRequest {
    let shown = agent_framework().present(catalog, session);
    let dialect = agent_framework().dialect(catalog);
    let tools = shown.definitions();
    let system = shown.instructions.map(|marked| Message::system(marked.text));
    ModelRequest {
        messages: system.into_iter().chain(history.iter().cloned()).collect(),
        tools,
        tool_choice: choice.or(dialect.tool_choice),
        dialect,
        ..ModelRequest::default()
    }
}

/// The request's body, its keys in the order of the recordings.
pub fn body(request: &ModelRequest) -> Value {
    let written: Value = serde_json::from_str(&openai::encode("fake", request, false, &Sampling::default())).unwrap();
    let mut body = json!({});
    for key in ["model", "stream", "messages", "tool_choice", "tools"] {
        if let Some(value) = written.get(key) {
            body[key] = value.clone();
        }
    }
    assert_eq!(body.as_object().unwrap().len(), written.as_object().unwrap().len(), "nothing else is sent");
    body
}

fn asks(effect: &Effect) -> bool {
    match effect {
        Effect::Disclose { .. } => true,
        Effect::ReadFile { approval, .. } | Effect::RunScript { approval, .. } => *approval,
        other => panic!("{other:?}"),
    }
}

fn perform(effect: Effect) -> Performed {
    match effect {
        Effect::Disclose { .. } => Performed::Agreed,
        Effect::ReadFile { path, .. } => match fs::read(path) {
            Ok(bytes) => Performed::Read { bytes },
            Err(error) => Performed::failed(FailureKind::NotFound, error.to_string()),
        },
        Effect::RunScript { path, interpreter, arguments, working_directory, .. } => {
            let mut command = Command::new(interpreter);
            command.arg(path).args(arguments);
            if let Some(folder) = working_directory {
                command.current_dir(folder);
            }
            ran(&mut command)
        }
        other => panic!("{other:?}"),
    }
}
