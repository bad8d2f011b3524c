//! Amazon Bedrock's Converse and ConverseStream: requests out, answers in. Does no I/O.
//!
//! The model is part of the address and not of the body. The system messages at the head are the blocks of `system`, one for
//! each of their texts. What follows keeps its order, but:
//!
//! * Bedrock wants the user and the model to take turns, so what one of them says in several messages is one message.
//! * System messages further on are the user's: there is no other place for them.
//! * Results of tools are blocks, all those of one round in front of what else the user says then.
//! * Blank texts, and messages of which nothing can be sent, are left out. Bedrock refuses them.
//! * Cache points are blocks behind what may be cached, the last four of them: Bedrock refuses more.
//! * Thoughts go back as they came, if they came by this protocol; others are left out.
//! * Arguments that are no JSON object stand in one, `{"INVALID_JSON": "…"}`.
//! * Bedrock has no word for a model that may not call tools. Then it is offered none, unless the conversation has calls
//!   already, which Bedrock takes with tools only.
//!
//! Of what frameworks' clients for OpenAI do ([`Dialect`](super::Dialect)) only the cache point of the tools applies.

mod decode;
mod encode;
#[cfg(test)]
mod tests;

pub use decode::{Decoder, decode};
pub use encode::encode;

/// Where an inference profile sends requests, as the names of profiles begin.
const REGIONS: [&str; 8] = ["us", "us-gov", "eu", "apac", "jp", "au", "ca", "global"];

/// The model that an inference profile of Amazon's own stands for: `eu.anthropic.…` is `anthropic.…`.
pub fn foundation_model(model: &str) -> &str {
    match model.split_once('.') {
        Some((region, model)) if REGIONS.contains(&region) => model,
        _ => model,
    }
}
