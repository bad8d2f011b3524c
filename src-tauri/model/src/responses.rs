//! OpenAI Responses: requests out, answers in. Does no I/O, and keeps no state on the server: every request carries the
//! whole conversation, and thoughts come back encrypted so that they can be sent along.
//!
//! `input` is a flat list in the order of the conversation. One message of ours becomes:
//!
//! | message | items |
//! |---|---|
//! | system, user | one `message` |
//! | assistant | its parts in their order: `reasoning`, a `message` for each run of text, a `function_call` for each call |
//! | tool | one `function_call_output` for each result |
//!
//! Tools are a field of their own, or, in one dialect, an item `additional_tools` before all others.
//!
//! So a reader gets the messages back by joining each run of `reasoning`, assistant `message` and `function_call`
//! items, up to the next item of another kind. Runs of adjacent assistant messages come back as one, and an assistant
//! message of which nothing can be sent has no items.

mod decode;
mod encode;
mod output;
#[cfg(test)]
mod tests;

pub use decode::{Decoder, decode};
pub use encode::encode;
