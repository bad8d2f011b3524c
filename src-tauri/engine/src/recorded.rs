//! The recorded model: a stored run's answers, given again. No model is asked, and no key or network is needed. If a
//! request differs from the recorded one, the run says so and goes on.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use futures::StreamExt;
use futures::stream::{self, BoxStream};

use config::RECORDED;
use model::{
    ChatModel, FinishReason, Image, Message, ModelError, ModelEvent, ModelRequest, Part, Sampling, Usage, WireRequest,
    openai,
};
use trace::context::difference;
use trace::{Event, EventKind, RunId};
use wording::{Message as Words, message};

/// What a run's models answered, by conversation and request.
#[derive(Debug, Clone)]
pub struct Recording {
    label: String,
    /// What the user said, turn by turn.
    prompts: Vec<String>,
    /// The pictures with each.
    images: Vec<Vec<Image>>,
    /// The folder in which its scripts ran.
    working_directory: Utf8PathBuf,
    /// By what [`Event::within`] says.
    conversations: HashMap<Option<String>, Vec<Exchange>>,
    /// Between two pieces of text; `None`: no pause.
    pace: Option<Duration>,
}

/// A request and its answer.
#[derive(Debug, Clone)]
struct Exchange {
    body: String,
    pieces: Vec<Piece>,
    end: End,
}

/// A part of an answer that arrived at once.
#[derive(Debug, Clone)]
struct Piece {
    reasoning: String,
    text: String,
}

#[derive(Debug, Clone)]
enum End {
    Answered {
        message: Message,
        usage: Option<Usage>,
        finish: FinishReason,
    },
    Failed {
        reason: Words,
        raw: String,
    },
    /// The run ended first.
    Open,
}

impl Recording {
    /// `pace` is between two pieces of text.
    pub fn new(run: RunId, events: &[Event], pace: Option<Duration>) -> Self {
        let mut conversations: HashMap<Option<String>, Vec<Exchange>> = HashMap::new();
        for event in events {
            let exchanges = conversations.entry(event.within.clone()).or_default();
            match &event.kind {
                EventKind::Requested { body, .. } => {
                    exchanges.push(Exchange { body: body.clone(), pieces: Vec::new(), end: End::Open });
                }
                EventKind::Streamed { text, reasoning, .. } => {
                    if let Some(exchange) = exchanges.last_mut() {
                        exchange.pieces.push(Piece { reasoning: reasoning.clone(), text: text.clone() });
                    }
                }
                EventKind::Answered { message, usage, finish, .. } => {
                    if let Some(exchange) = exchanges.last_mut() {
                        let (message, usage, finish) = (message.clone(), *usage, finish.clone());
                        exchange.end = End::Answered { message, usage, finish };
                    }
                }
                EventKind::Failed { message, raw, why, .. } => {
                    if let Some(exchange) = exchanges.last_mut() {
                        let zh = why.as_ref().map_or_else(|| message.clone(), |why| why.worded().zh);
                        let reason = Words { en: message.clone(), zh };
                        exchange.end = End::Failed { reason, raw: raw.clone() };
                    }
                }
                _ => {}
            }
        }
        let working_directory = events.iter().find_map(|event| match &event.kind {
            EventKind::Started { setup } => Some(setup.working_directory.clone()),
            _ => None,
        });
        Self {
            label: format!("{RECORDED}{run}"),
            prompts: trace::turns::prompts(events).map(String::from).collect(),
            images: trace::turns::said(events).map(|setup| setup.images.clone()).collect(),
            working_directory: working_directory.unwrap_or_default(),
            conversations,
            pace,
        }
    }

    /// The message for a run that is answered from this.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// What the user said then, turn by turn.
    pub fn prompts(&self) -> &[String] {
        &self.prompts
    }

    /// The pictures with each of them.
    pub fn images(&self) -> &[Vec<Image>] {
        &self.images
    }

    /// The model that answers a run's first request.
    pub fn first(self: &Arc<Self>) -> Recorded {
        self.model(None, 0)
    }

    /// The model that answers the request `number`, from 0, of a conversation.
    pub(super) fn model(self: &Arc<Self>, within: Option<String>, number: u32) -> Recorded {
        Recorded { recording: self.clone(), within, number: number as usize }
    }

    fn exchanges(&self, within: &Option<String>) -> &[Exchange] {
        self.conversations.get(within).map_or(&[], Vec::as_slice)
    }
}

/// Answers one request.
pub struct Recorded {
    recording: Arc<Recording>,
    within: Option<String>,
    number: usize,
}

impl Recorded {
    /// The first difference between a request and the recorded one, as a sentence. Each run has another working
    /// directory, which does not count.
    pub(super) fn difference(&self, body: &str, working_directory: &Utf8Path) -> Option<Words> {
        let sent = body.replace(&in_json(working_directory), &in_json(&self.recording.working_directory));
        let what = difference(&self.exchange()?.body, &sent)?;
        Some(message!(
            "this request is not the one that was answered when the run was recorded: {what}",
            "此请求与录制时得到回答的请求不同：{what}";
            what
        ))
    }

    fn exchange(&self) -> Option<&Exchange> {
        self.recording.exchanges(&self.within).get(self.number)
    }

    fn nothing_left(&self) -> ModelError {
        let whose = match &self.within {
            None => message!("the run's own conversation", "运行本身的对话"),
            Some(within) => message!("the conversation `{within}`", "对话 `{within}` "),
        };
        no_answer(match self.recording.exchanges(&self.within).len() {
            0 => message!("the recording has no answers for {whose}", "录制中{whose}没有回答"; whose),
            1 => message!(
                "the recording has one answer for {whose}, and no second one",
                "录制中{whose}只有一个回答，没有第二个";
                whose
            ),
            many => message!(
                "the recording has {many} answers for {whose}, and no further one",
                "录制中{whose}有 {many} 个回答，没有更多了";
                whose
            ),
        })
    }
}

impl ChatModel for Recorded {
    fn label(&self) -> &str {
        self.recording.label()
    }

    fn encode(&self, request: &ModelRequest) -> WireRequest {
        let body = openai::encode(self.label(), request, true, &Sampling::default());
        WireRequest { url: None, body: body.into(), streamed: true }
    }

    fn send(&self, _wire: &WireRequest, _request: &ModelRequest) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
        let events = match self.exchange() {
            Some(exchange) => exchange.events(),
            None => vec![Err(self.nothing_left())],
        };
        let pace = self.recording.pace;
        stream::iter(events)
            .then(move |event| async move {
                if let (Some(pace), Ok(ModelEvent::Text { .. } | ModelEvent::Reasoning { .. })) = (pace, &event) {
                    tokio::time::sleep(pace).await;
                }
                event
            })
            .boxed()
    }
}

impl Exchange {
    fn events(&self) -> Vec<Result<ModelEvent, ModelError>> {
        let mut text = Pieces::new(self.pieces.iter().map(|piece| piece.text.as_str()));
        let mut reasoning = Pieces::new(self.pieces.iter().map(|piece| piece.reasoning.as_str()));
        let said = |delta: &str| Ok(ModelEvent::Text { delta: delta.to_owned() });
        let thought = |delta: &str| Ok(ModelEvent::Reasoning { delta: delta.to_owned() });
        let error = match &self.end {
            End::Answered { message, usage, finish } => {
                let mut events = Vec::new();
                let mut calls = 0;
                for part in &message.parts {
                    match part {
                        Part::Text { text: whole } => events.extend(text.cut(whole).into_iter().map(said)),
                        Part::Reasoning { text: whole, block } => {
                            events.extend(reasoning.cut(whole).into_iter().map(thought));
                            events.extend(block.clone().map(|block| Ok(ModelEvent::Sealed { block })));
                        }
                        Part::ToolCall(call) => {
                            let (id, name) = (Some(call.id.clone()), Some(call.name.clone()));
                            let arguments = call.arguments.clone();
                            events.push(Ok(ModelEvent::ToolCall { index: calls, id, name, arguments }));
                            let extra = call.extra.clone();
                            events.extend(extra.map(|extra| Ok(ModelEvent::Extra { index: calls, extra })));
                            calls += 1;
                        }
                        Part::ToolResult(_) | Part::Image(_) | Part::Document(_) | Part::CachePoint => {}
                    }
                }
                events.extend(usage.map(|usage| Ok(ModelEvent::Usage(usage))));
                events.push(Ok(ModelEvent::Finish { reason: finish.clone() }));
                return events;
            }
            End::Failed { reason, raw } => ModelError::Recorded { reason: reason.clone(), raw: raw.clone() },
            End::Open => no_answer(message!(
                "the recorded run ended before this answer did",
                "录制的运行在这个回答结束之前就结束了"
            )),
        };
        let came = self.pieces.iter().flat_map(|piece| [thought(&piece.reasoning), said(&piece.text)]);
        came.chain([Err(error)]).collect()
    }
}

fn no_answer(why: Words) -> ModelError {
    ModelError::Recorded { reason: why, raw: String::new() }
}

/// A path as it is within a JSON string.
fn in_json(path: &Utf8Path) -> String {
    let quoted = serde_json::Value::from(path.as_str()).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

/// Lengths of the pieces that a text arrived in.
struct Pieces(std::vec::IntoIter<usize>);

impl Pieces {
    fn new<'a>(pieces: impl Iterator<Item = &'a str>) -> Self {
        let lengths: Vec<usize> = pieces.map(str::len).filter(|length| *length > 0).collect();
        Self(lengths.into_iter())
    }

    /// The text divided into those pieces; the rest is one piece.
    fn cut<'a>(&mut self, mut text: &'a str) -> Vec<&'a str> {
        let mut cut = Vec::new();
        while !text.is_empty() {
            let length = self.0.next().filter(|length| text.is_char_boundary(*length)).unwrap_or(text.len());
            let (piece, rest) = text.split_at(length);
            cut.push(piece);
            text = rest;
        }
        cut
    }
}
