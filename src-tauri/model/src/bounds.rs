//! How much a server may send for one answer. If a server sends more, the connection is cut and the request fails with
//! what was too much. No server may fill the memory or keep a run busy forever.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use wording::{Message, message};

/// Bytes of a streamed answer as it comes over the wire. Servers wrap each word into some hundred bytes, so this is far
/// more than the text itself.
pub const WIRE: usize = 128 << 20;

/// Bytes of an answer that is not streamed, of one event of a stream, and of one page of a list. Parsing takes many
/// times as much memory.
pub const PAYLOAD: usize = 8 << 20;

/// Bytes of what an answer says and thinks: some two million tokens.
pub const TEXT: usize = 8 << 20;

/// Bytes of the arguments of one tool call.
pub const ARGUMENTS: usize = 4 << 20;

/// Bytes of a whole answer, with every call and every sealed thought.
pub const ANSWER: usize = 16 << 20;

/// Tool calls of one answer.
pub const CALLS: usize = 256;

/// Parts of one answer, whatever they are.
pub const PARTS: usize = 4096;

/// Nesting levels of JSON that a server sends and that is stored as it is. Readers of JSON give up at 128, and the
/// event, the export and the next request around it add some.
pub const DEPTH: usize = 64;

/// Models in the list of a server.
pub const MODELS: usize = 20_000;

/// What there was too much of. `Display` names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Bound {
    /// See [`WIRE`], and so on.
    Wire,
    Payload,
    Text,
    Arguments,
    Answer,
    Calls,
    Parts,
    Depth,
    Models,
}

impl Bound {
    /// The maximum, and the unit in which messages give it.
    pub(super) fn limit(self) -> (usize, usize) {
        match self {
            Self::Wire => (WIRE, MIB),
            Self::Payload => (PAYLOAD, MIB),
            Self::Text => (TEXT, MIB),
            Self::Arguments => (ARGUMENTS, MIB),
            Self::Answer => (ANSWER, MIB),
            Self::Calls => (CALLS, 1),
            Self::Parts => (PARTS, 1),
            Self::Depth => (DEPTH, 1),
            Self::Models => (MODELS, 1),
        }
    }

    /// That there was more than `most`.
    pub(super) fn exceeded(self, most: u32) -> Message {
        let what = match self {
            Self::Wire => message!("more than {most} MiB came from the server", "服务器发送的数据超过 {most} MiB"),
            Self::Payload => message!("more than {most} MiB came in one piece", "单个数据块超过 {most} MiB"),
            Self::Text => message!("more than {most} MiB of text came", "文本超过 {most} MiB"),
            Self::Arguments => message!(
                "more than {most} MiB came as the arguments of one tool call",
                "一次工具调用的参数超过 {most} MiB"
            ),
            Self::Answer => {
                message!("more than {most} MiB of text and tool calls came", "文本和工具调用合计超过 {most} MiB")
            }
            Self::Calls => message!("more than {most} tool calls came", "工具调用超过 {most} 个"),
            Self::Parts => message!("more than {most} parts came", "内容片段超过 {most} 个"),
            Self::Depth => {
                message!("its JSON has more than {most} nested levels", "JSON 嵌套超过 {most} 层")
            }
            Self::Models => {
                message!("more than {most} models are in the server's list", "服务器列出的模型超过 {most} 个")
            }
        };
        message!("the answer was cut off: {what}", "回答已被截断：{what}"; what)
    }
}

const MIB: usize = 1 << 20;
