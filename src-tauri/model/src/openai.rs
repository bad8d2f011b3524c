//! OpenAI-compatible chat completions: requests out, answers in. Does no I/O. What differs between the servers that
//! claim this protocol is absorbed here, so that nobody else needs to know of it.

mod decode;
mod encode;
#[cfg(test)]
mod tests;
mod thoughts;

pub use decode::{Decoder, decode};
pub use encode::encode;
