//! Amazon Bedrock's Converse and ConverseStream: requests out, answers in. Does no I/O.
//!
//! The model is part of the address and not of the body. The system messages at the head are the blocks of `system`,
//! one for each of their texts. What follows keeps its order, but:
//!
//! * Bedrock requires the user and the model to alternate, so several messages of one of them become one message.
//! * System messages further on are the user's: there is no other place for them.
//! * Results of tools are blocks, all those of one round in front of what else the user says then.
//! * Blank texts, and messages of which nothing can be sent, are left out. Bedrock refuses them.
//! * Cache points are blocks after what may be cached. Only the last four are kept: Bedrock refuses more.
//! * Thoughts go back as they came, if they came by this protocol; others are left out.
//! * Arguments that are not a JSON object are wrapped in one, `{"INVALID_JSON": "…"}`.
//! * Bedrock cannot forbid a model to call tools. Such a model is offered none, unless the conversation already has
//!   calls, which Bedrock accepts only with tools.
//!
//! Of the habits of frameworks' clients for OpenAI ([`Dialect`](super::Dialect)) only the cache point of the tools
//! applies.

mod decode;
mod encode;
#[cfg(test)]
mod tests;

pub use decode::{Decoder, decode};
pub use encode::encode;

/// The regions that an inference profile sends requests to: profiles' names begin with them.
const REGIONS: [&str; 8] = ["us", "us-gov", "eu", "apac", "jp", "au", "ca", "global"];

/// The model behind an inference profile of Amazon's: `eu.anthropic.…` is `anthropic.…`.
pub fn foundation_model(model: &str) -> &str {
    match model.split_once('.') {
        Some((region, model)) if REGIONS.contains(&region) => model,
        _ => model,
    }
}
