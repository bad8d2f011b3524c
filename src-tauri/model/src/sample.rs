//! What the tests of all codecs share: streams, and events in a few words.

use serde_json::Value;
use wording::Message as Words;

use super::decode::Decode;
use super::{FinishReason, ModelError, ModelEvent};

/// The events of a stream, and the error that ended it.
pub fn stream<D: Decode + Default>(
    payloads: impl IntoIterator<Item = impl AsRef<str>>,
) -> (Vec<ModelEvent>, Option<ModelError>) {
    let mut decoder = Box::new(D::default());
    let mut events = Vec::new();
    for payload in payloads {
        match decoder.push(payload.as_ref()) {
            Ok(more) => events.extend(more),
            Err(error) => return (events, Some(error)),
        }
    }
    match decoder.end() {
        Ok(last) => events.extend(last),
        Err(error) => return (events, Some(error)),
    }
    (events, None)
}

pub fn text(delta: &str) -> ModelEvent {
    ModelEvent::Text { delta: delta.into() }
}

pub fn reasoning(delta: &str) -> ModelEvent {
    ModelEvent::Reasoning { delta: delta.into() }
}

pub fn sealed(block: Value) -> ModelEvent {
    ModelEvent::Sealed { block }
}

pub fn opens(index: u32, id: &str, name: &str, arguments: &str) -> ModelEvent {
    let known = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    ModelEvent::ToolCall { index, id: known(id), name: known(name), arguments: arguments.into() }
}

pub fn goes_on(index: u32, arguments: &str) -> ModelEvent {
    opens(index, "", "", arguments)
}

pub fn finish(reason: FinishReason) -> ModelEvent {
    ModelEvent::Finish { reason }
}

pub fn unsaid() -> ModelEvent {
    finish(FinishReason::Unsaid)
}

pub fn perhaps_cut() -> ModelEvent {
    finish(FinishReason::PerhapsCut)
}

/// A reason of an error in each language, by the English one. What is none of ours is quoted.
pub fn why(en: &str) -> Words {
    let zh = match en {
        "the server accepted the request and then sent nothing" => "服务器接受了请求，之后什么也没有发送",
        "the server says that the answer ended with an error" => "服务器表示回答因出错而结束",
        "it gave no reason" => "服务器没有说明原因",
        "there is no message in it" => "其中没有消息",
        "there is no output in it" => "其中没有输出",
        "there is no choice in it" => "其中没有 choice",
        "it is not JSON: expected value at line 1 column 1" => "它不是 JSON：这里应为值（第 1 行第 1 列）",
        "it is a web page titled “504 Gateway Time-out”" => "它是标题为“504 Gateway Time-out”的网页",
        "it is a web page titled “Sign in”" => "它是标题为“Sign in”的网页",
        "it has moved to https://example.com/v1" => "它已移到 https://example.com/v1",
        _ => match en.strip_prefix("the server says: ") {
            Some(said) => return Words { en: en.to_owned(), zh: format!("服务器报告：{said}") },
            None => en,
        },
    };
    Words { en: en.to_owned(), zh: zh.to_owned() }
}
