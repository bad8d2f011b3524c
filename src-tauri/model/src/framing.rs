//! How the payloads of a streamed answer are wrapped: as server-sent events, or in AWS's binary frames.

use super::{ModelError, eventstream, sse};

/// How a stream is divided into pieces.
#[derive(Debug)]
pub enum Framing {
    Events(sse::Reader),
    Frames(eventstream::Reader),
}

impl Framing {
    /// The payloads that are complete with these bytes, and the error that ends them.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<Result<String, ModelError>> {
        match self {
            Self::Events(reader) => reader.push(bytes).into_iter().map(Ok).collect(),
            Self::Frames(reader) => reader.push(bytes),
        }
    }

    /// The payload that was complete except for its end. What there is of a frame is none.
    pub fn finish(self) -> Option<String> {
        match self {
            Self::Events(reader) => reader.finish(),
            Self::Frames(_) => None,
        }
    }

    /// Bytes held back until their payload is complete.
    pub fn pending(&self) -> usize {
        match self {
            Self::Events(reader) => reader.pending(),
            Self::Frames(reader) => reader.pending(),
        }
    }

    /// Whether a whole stream brought no payload. Text without any frame has been reported as an error before.
    pub fn is_silent(&self, stream: &str) -> bool {
        match self {
            Self::Events(_) => sse::is_silent(stream),
            Self::Frames(_) => true,
        }
    }
}

impl Default for Framing {
    fn default() -> Self {
        Self::Events(sse::Reader::default())
    }
}
