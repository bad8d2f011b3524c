//! `application/vnd.amazon.eventstream`, the binary framing of AWS's streams: bytes in, JSON out. Each event becomes an object
//! with the event's type as its only key, `{"contentBlockDelta": {…}}`; an exception becomes `{"error": {"type": …, …}}`, the
//! shape that other servers report errors in. Both checksums of a frame count. Does no I/O.

use aws_smithy_eventstream::frame::read_message_from;
use aws_smithy_types::event_stream::Message;
use serde_json::{Map, Value, json};
use wording::{Message as Words, Wording};

use super::{Bound, ModelError, payload};

/// The length of a frame, that of its headers, and the checksum of both.
const PRELUDE: usize = 12;

/// Splits a byte stream into payloads. Chunks may end anywhere.
#[derive(Debug, Default)]
pub struct Reader {
    /// The beginning of a frame.
    held: Vec<u8>,
    /// Nothing after a broken frame can be read.
    is_broken: bool,
}

impl Reader {
    /// The payloads that are complete with these bytes, and the error that ends them.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<Result<String, ModelError>> {
        let mut payloads = Vec::new();
        if self.is_broken {
            return payloads;
        }
        self.held.extend_from_slice(bytes);
        let mut at = 0;
        loop {
            let rest = &self.held[at..];
            let payload = match frame(rest) {
                Ok(None) => break,
                Ok(Some(frame)) => {
                    at += frame.len();
                    read_message_from(frame)
                        .map_err(|error| broken(Words::quoted(error.to_string()), frame))
                        .and_then(|message| as_json(&message))
                }
                Err(error) => Err(error),
            };
            self.is_broken = payload.is_err();
            payloads.push(payload);
            if self.is_broken {
                self.held.clear();
                return payloads;
            }
        }
        self.held.drain(..at);
        payloads
    }

    /// Bytes held back until their frame is complete.
    pub fn pending(&self) -> usize {
        self.held.len()
    }
}

/// The first frame, once all of it is there. How long it is counts as soon as its checksum is there.
fn frame(bytes: &[u8]) -> Result<Option<&[u8]>, ModelError> {
    let Some((prelude, _)) = bytes.split_first_chunk::<PRELUDE>() else { return Ok(None) };
    let number = |at: usize| u32::from_be_bytes([prelude[at], prelude[at + 1], prelude[at + 2], prelude[at + 3]]);
    if crc32fast::hash(&prelude[..8]) != number(8) {
        return Err(broken(
            Wording::new("the checksum at the beginning of a frame is wrong", "帧开头的校验和不对"),
            prelude,
        ));
    }
    let length = usize::try_from(number(0)).unwrap_or(usize::MAX);
    Bound::Payload.check(length)?;
    if length < PRELUDE + 4 {
        return Err(broken(Wording::new("a frame is shorter than its own beginning", "帧比自身的开头还短"), prelude));
    }
    Ok(bytes.get(..length))
}

fn broken(reason: impl Into<Words>, frame: &[u8]) -> ModelError {
    payload::malformed(reason, &String::from_utf8_lossy(frame))
}

fn as_json(message: &Message) -> Result<String, ModelError> {
    let header = |name: &str| {
        let header = message.headers().iter().find(|header| header.name().as_str() == name)?;
        header.value().as_string().ok().map(|text| text.as_str())
    };
    let said = String::from_utf8_lossy(message.payload());
    match header(":message-type") {
        Some("event") => {
            let kind = Value::from(header(":event-type").unwrap_or_default());
            let said = if said.trim().is_empty() { "{}" } else { &*said };
            Ok(format!("{{{kind}:{said}}}"))
        }
        Some("exception") => Ok(exception(header(":exception-type").unwrap_or_default(), &said)),
        Some("error") => {
            let [code, text] = [":error-code", ":error-message"].map(|name| header(name).unwrap_or_default());
            Ok(json!({"error": {"type": code, "message": text}}).to_string())
        }
        Some(_) | None => {
            Err(payload::malformed(Wording::new("a frame has no type that is known", "有一帧的类型未知"), &said))
        }
    }
}

/// With what the exception itself says.
fn exception(kind: &str, said: &str) -> String {
    let mut error = Map::from_iter([("type".to_owned(), Value::from(kind))]);
    match serde_json::from_str::<Map<String, Value>>(said) {
        Ok(fields) => error.extend(fields.into_iter().filter(|(name, _)| name != "type")),
        Err(_) => drop(error.insert("message".to_owned(), said.into())),
    }
    json!({"error": error}).to_string()
}

#[cfg(test)]
mod tests {
    use aws_smithy_eventstream::frame::write_message_to;
    use aws_smithy_types::event_stream::{Header, HeaderValue};
    use proptest::prelude::*;

    use super::*;
    use crate::bounds;

    fn frame(headers: &[(&str, &str)], payload: &[u8]) -> Vec<u8> {
        let mut message = Message::new(payload.to_vec());
        for (name, value) in headers {
            message =
                message.add_header(Header::new((*name).to_owned(), HeaderValue::String((*value).to_owned().into())));
        }
        let mut bytes = Vec::new();
        write_message_to(&message, &mut bytes).unwrap();
        bytes
    }

    fn event(kind: &str, payload: &str) -> Vec<u8> {
        frame(&[(":message-type", "event"), (":event-type", kind)], payload.as_bytes())
    }

    fn read<'a>(chunks: impl IntoIterator<Item = &'a [u8]>) -> Vec<Result<String, ModelError>> {
        let mut reader = Reader::default();
        chunks.into_iter().flat_map(|chunk| reader.push(chunk)).collect()
    }

    fn reason(read: Vec<Result<String, ModelError>>) -> String {
        read.into_iter().next_back().unwrap().unwrap_err().to_string()
    }

    #[test]
    fn events_exceptions_and_errors_become_objects() {
        let stream = [
            event("messageStart", r#"{"role":"assistant"}"#),
            event("a\"b", " "),
            frame(
                &[(":message-type", "exception"), (":exception-type", "throttlingException")],
                r#"{"type":"no","message":"Too many 漢"}"#.as_bytes(),
            ),
            frame(&[(":message-type", "exception"), (":exception-type", "x")], b"busy"),
            frame(&[(":message-type", "error"), (":error-code", "c"), (":error-message", "m")], b""),
        ]
        .concat();
        let expected = [
            r#"{"messageStart":{"role":"assistant"}}"#,
            r#"{"a\"b":{}}"#,
            r#"{"error":{"type":"throttlingException","message":"Too many 漢"}}"#,
            r#"{"error":{"type":"x","message":"busy"}}"#,
            r#"{"error":{"type":"c","message":"m"}}"#,
        ]
        .map(|payload| Ok(payload.to_owned()));
        assert_eq!(read([&stream[..]]), expected);
    }

    #[test]
    fn every_byte_of_a_frame_counts() {
        let good = event("messageStart", r#"{"role":"assistant"}"#);
        for at in 0..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 1;
            let read = read([&bad[..], &good[..]]);
            assert!(matches!(&read[..], [Err(ModelError::Malformed { .. })]), "{at}: {read:?}");
        }
    }

    #[test]
    fn a_frame_is_refused_for_its_length_before_it_comes() {
        let begins = |length: u32| {
            let mut prelude = [length.to_be_bytes(), 0u32.to_be_bytes()].concat();
            prelude.extend(crc32fast::hash(&prelude).to_be_bytes());
            prelude
        };
        assert_eq!(read([&begins(bounds::PAYLOAD as u32)[..]]), []);
        let much = read([&begins(bounds::PAYLOAD as u32 + 1)[..]]);
        assert_eq!(much, [Err(Bound::Payload.passed())]);
        assert_eq!(
            reason(read([&begins(15)[..]])),
            "the answer does not follow the protocol: a frame is shorter than its own beginning"
        );
        let page = reason(read([&b"<html>not found</html>"[..]]));
        assert_eq!(page, "the answer does not follow the protocol: the checksum at the beginning of a frame is wrong");
    }

    #[test]
    fn a_frame_without_a_known_type_is_an_error() {
        for headers in [&[][..], &[(":message-type", "new")]] {
            let told = reason(read([&frame(headers, b"{}")[..]]));
            assert_eq!(told, "the answer does not follow the protocol: a frame has no type that is known");
        }
    }

    proptest! {
        #[test]
        fn any_chunking_gives_the_same_payloads(
            payloads in prop::collection::vec("[a\"{}漢]{0,9}", 0..6),
            noise in prop::collection::vec(any::<u8>(), 0..40),
            sizes in prop::collection::vec(1usize..30, 1..8),
        ) {
            let mut stream: Vec<u8> = payloads.iter().flat_map(|payload| event("e", payload)).collect();
            stream.extend(noise);
            let at_once = read([&stream[..]]);
            let mut rest = &stream[..];
            let mut chunks = Vec::new();
            for size in sizes.iter().cycle() {
                if rest.is_empty() { break }
                let (chunk, after) = rest.split_at((*size).min(rest.len()));
                chunks.push(chunk);
                rest = after;
            }
            prop_assert_eq!(&read(chunks), &at_once);
            prop_assert_eq!(&read(stream.chunks(1)), &at_once);
        }
    }
}
