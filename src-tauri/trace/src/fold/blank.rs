//! Steps as they begin, before anything came in, and as they are kept where nobody reads them.

use crate::StepKind;
use harness::Disclosure;
use model::{Message, Part, ToolCall};

pub(super) fn unanswered() -> StepKind {
    StepKind::Answer {
        text: String::new(),
        reasoning: String::new(),
        calls: Vec::new(),
        usage: None,
        spent: None,
        finish: None,
        model: None,
        agents: Vec::new(),
        cut: None,
        first_token: None,
        error: None,
        hint: None,
        why: None,
        raw: None,
    }
}

pub(super) fn unreplied(call: &ToolCall, disclosure: &Disclosure) -> StepKind {
    StepKind::Tool {
        call: call.clone(),
        disclosure: disclosure.clone(),
        disclosed: Disclosure::None,
        asked: None,
        ran: None,
        leads_to: None,
        digest: None,
        enforcement: None,
        skills: Vec::new(),
        decision: None,
        standing: None,
        output: None,
        files: Vec::new(),
        reply: None,
        images: Vec::new(),
        wire: None,
    }
}

/// Takes out what may be long and what no later event looks at.
pub(super) fn forget_texts(kind: &mut StepKind) {
    match kind {
        StepKind::Prompt { text, images } => (*text, *images) = (String::new(), Vec::new()),
        StepKind::Answer { text, reasoning, calls, raw, .. } => {
            (*text, *reasoning, *calls, *raw) = (String::new(), String::new(), Vec::new(), None);
        }
        StepKind::Tool { call, asked, ran, output, files, reply, images, wire, .. } => {
            call.arguments = String::new();
            *images = Vec::new();
            (*asked, *ran, *output, *files, *reply, *wire) = (None, None, None, Vec::new(), None, None);
        }
        StepKind::Note { text, zh, retried } => (*text, *zh, *retried) = (String::new(), None, None),
        StepKind::End { .. } => {}
    }
}

/// Text, reasoning and calls of an answer.
pub(super) fn parts_of(message: &Message) -> (String, String, Vec<ToolCall>) {
    let (mut said, mut thought, mut calls) = (String::new(), String::new(), Vec::new());
    for part in &message.parts {
        match part {
            Part::Text { text } => said.push_str(text),
            Part::Reasoning { text, .. } => thought.push_str(text),
            Part::ToolCall(call) => calls.push(call.clone()),
            Part::ToolResult(_) | Part::Image(_) | Part::CachePoint => {}
        }
    }
    (said, thought, calls)
}
