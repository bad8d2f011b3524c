//! Anthropic Messages: requests out, answers in. Does no I/O.
//!
//! The system messages at the head are the blocks of `system`. What follows keeps its order, one message of the wire
//! for each of ours, but:
//!
//! * Later system messages become user messages: hardly any server takes them elsewhere.
//! * Results of tools are blocks, all those of one round in one user message in front of what else the user says.
//! * Messages of which nothing can be sent are left out. The API refuses texts in which there is nothing but space.
//! * Thoughts go back as they came, if they came by this protocol; others are left out.
//! * Arguments that are not a JSON object are wrapped in one, `{"INVALID_JSON": "…"}`, as Anthropic's documentation of
//!   streamed tool calls has it. The model sees what it wrote; empty arguments are an empty object.
//!
//! Of the habits of frameworks' clients for OpenAI ([`Dialect`](super::Dialect)) nothing applies.

mod decode;
mod encode;
#[cfg(test)]
mod tests;

pub use decode::{Decoder, decode};
pub use encode::{MAX_TOKENS, encode};
