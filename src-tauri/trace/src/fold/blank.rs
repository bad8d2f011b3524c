//! Steps as they begin, without contents, and as they are kept without their texts.

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
        edited: false,
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
        documents: Vec::new(),
        wire: None,
    }
}

/// Removes texts that may be long and that no later event needs.
pub(super) fn forget_texts(kind: &mut StepKind) {
    match kind {
        StepKind::Prompt { text, images, .. } => (*text, *images) = (String::new(), Vec::new()),
        StepKind::Answer { text, reasoning, calls, raw, .. } => {
            (*text, *reasoning, *calls, *raw) = (String::new(), String::new(), Vec::new(), None);
        }
        StepKind::Tool { call, asked, ran, output, files, reply, images, documents, wire, .. } => {
            call.arguments = String::new();
            (*images, *documents) = (Vec::new(), Vec::new());
            (*asked, *ran, *output, *files, *reply, *wire) = (None, None, None, Vec::new(), None, None);
        }
        StepKind::Note { text, zh, retried } => (*text, *zh, *retried) = (String::new(), None, None),
        StepKind::End { .. } => {}
    }
}

/// Bytes of a text that stay in a step whose texts are shortened: enough for its line in a list. Tests have short texts.
const BEGINNING: usize = if cfg!(test) { 1 } else { 240 };

/// Keeps the beginnings of long texts. Returns whether anything was cut. Texts that loaded skills stay whole: they are
/// needed to see whether the skill is still in a context.
pub(super) fn shorten(kind: &mut StepKind) -> bool {
    let mut went = false;
    match kind {
        StepKind::Prompt { text, images, .. } => went |= cut(text) | take_all(images),
        StepKind::Answer { text, reasoning, calls, raw, .. } => {
            went |= cut(text) | cut(reasoning);
            went |= calls.iter_mut().fold(false, |went, call| cut(&mut call.arguments) | went);
            went |= cut_some(raw);
        }
        StepKind::Tool { call, disclosed, asked, ran, output, files, reply, images, documents, wire, .. } => {
            went |= cut(&mut call.arguments);
            went |= asked.take().is_some() | ran.take().is_some();
            if let Some(output) = output {
                went |= cut(&mut output.stdout) | cut(&mut output.stderr);
            }
            went |= take_all(files) | take_all(images) | take_all(documents);
            if !matches!(disclosed, Disclosure::Instructions { .. }) {
                went |= cut_some(reply) | cut_some(wire);
            }
        }
        StepKind::Note { text, zh, .. } => went |= cut(text) | cut_some(zh),
        StepKind::End { .. } => {}
    }
    went
}

fn cut_some(text: &mut Option<String>) -> bool {
    text.as_mut().is_some_and(cut)
}

fn take_all<T>(some: &mut Vec<T>) -> bool {
    !std::mem::take(some).is_empty()
}

fn cut(text: &mut String) -> bool {
    let goes = text.len() > BEGINNING;
    if goes {
        text.truncate(text.floor_char_boundary(BEGINNING));
        text.shrink_to_fit();
    }
    goes
}

/// Restores a shortened step from one that was made of its own events alone. Cost, model, and the framework of a turn
/// depend on the whole run and stay as they are.
pub(crate) fn put_back(kind: &mut StepKind, mut whole: StepKind) {
    if let (StepKind::Answer { spent, model, .. }, StepKind::Answer { spent: cost, model: asked, .. }) =
        (&mut whole, &*kind)
    {
        spent.clone_from(cost);
        model.clone_from(asked);
    }
    if let (StepKind::Prompt { setup, .. }, StepKind::Prompt { setup: led, .. }) = (&mut whole, &*kind) {
        setup.clone_from(led);
    }
    if std::mem::discriminant(kind) == std::mem::discriminant(&whole) {
        *kind = whole;
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
            Part::ToolResult(_) | Part::Image(_) | Part::Document(_) | Part::CachePoint => {}
        }
    }
    (said, thought, calls)
}
