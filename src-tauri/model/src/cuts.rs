//! Streams that end anywhere: one that ends before its protocol says that it is over is never a whole answer.

use std::fs;

use crate::answer::{Answer, Answered};
use crate::protocol::Protocol;
use crate::{FinishReason, ModelError};

/// The answer of a stream that was cut behind these bytes.
fn cut(protocol: Protocol, stream: &[u8]) -> Result<Answered, ModelError> {
    let (mut reader, mut decoder) = (protocol.framing(), protocol.decoder());
    let mut answer = Answer::new(0);
    let mut events = Vec::new();
    for payload in reader.push(stream) {
        events.extend(decoder.push(&payload?)?);
    }
    match reader.finish().map(|payload| decoder.push(&payload)) {
        Some(Err(error)) if !decoder.has_finished() => return Err(error),
        Some(Err(_)) | None => {}
        Some(Ok(more)) => events.extend(more),
    }
    events.extend(decoder.end()?);
    events.iter().for_each(|event| answer.push(event));
    Ok(answer.finish())
}

#[test]
fn an_answer_is_whole_only_with_its_last_event() {
    for protocol in Protocol::ALL {
        let (folder, last, names) = match protocol {
            Protocol::OpenAi => ("openai", "\"finish_reason\":\"", ["aimock-calls", "aimock-text", "aimock-thought"]),
            Protocol::OpenAiResponses => ("responses", "\"response.completed\"", ["openai", "aimock-calls", "vllm"]),
            Protocol::Anthropic => ("anthropic", "message_stop\"}", ["anthropic", "aimock-calls", "aimock-thought"]),
            // Its frames are cut below.
            Protocol::Bedrock => continue,
        };
        for name in names {
            let path = format!("{}/../../tests/fixtures/wire/{folder}/{name}.sse", env!("CARGO_MANIFEST_DIR"));
            let stream = fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
            let whole = cut(protocol, &stream).unwrap();
            assert_ne!(whole.finish, FinishReason::PerhapsCut, "{path}");
            let text = String::from_utf8_lossy(&stream);
            let begins = text.find(last).unwrap_or_else(|| panic!("{path} has no {last}"));
            let over = begins + text[begins..].find('\n').unwrap_or(text.len() - begins);
            for at in 0..over {
                let answered = cut(protocol, &stream[..at]);
                let is_whole = matches!(&answered, Ok(answered) if answered.finish != FinishReason::PerhapsCut);
                // The line may end with a CR.
                assert!(!is_whole || at + 1 >= over, "{path} at {at} of {over}: {answered:?}");
            }
        }
    }
}

#[test]
fn an_answer_of_frames_is_whole_with_the_frame_that_ends_its_message() {
    for name in ["text", "calls"] {
        let path = format!("{}/../../tests/fixtures/wire/bedrock/{name}.eventstream", env!("CARGO_MANIFEST_DIR"));
        let stream = fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        let mut ends = vec![0];
        while let Some(length) = stream.get(ends[ends.len() - 1]..).and_then(|rest| rest.first_chunk()) {
            ends.push(ends[ends.len() - 1] + u32::from_be_bytes(*length) as usize);
        }
        // The frame before the last one is `messageStop`; behind it only the usage is missing.
        let over = ends[ends.len() - 2];
        let all = cut(Protocol::Bedrock, &stream).unwrap();
        for at in 0..=stream.len() {
            let answered = cut(Protocol::Bedrock, &stream[..at]);
            let is_whole = matches!(&answered, Ok(answered) if answered.finish != FinishReason::PerhapsCut);
            assert_eq!(is_whole, at >= over, "{path} at {at} of {over}: {answered:?}");
            if is_whole {
                let answered = answered.unwrap();
                assert_eq!((&answered.message, &answered.finish), (&all.message, &all.finish));
                assert_eq!(answered.usage.is_some(), at == stream.len());
            }
        }
    }
}
