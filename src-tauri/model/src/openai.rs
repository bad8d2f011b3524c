//! OpenAI-compatible chat completions: requests out, answers in. Does no I/O. Differences between servers of this
//! protocol are handled here, so that no other code needs to know them.

mod decode;
mod encode;
#[cfg(test)]
mod tests;
mod thoughts;

pub use decode::{Decoder, decode};
pub use encode::encode;
