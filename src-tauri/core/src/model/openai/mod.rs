//! OpenAI-compatible chat completions: requests out, answers in. Does no I/O. What differs between the servers that
//! claim this protocol is absorbed here, so that nobody else needs to know of it.

mod decode;
mod encode;
mod halves;
#[cfg(test)]
mod quirks;
mod said;

pub use decode::{Decoder, decode};
pub use encode::encode;
pub use said::reason;
