//! From the bytes of a response to events.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use futures::stream::{self, BoxStream, Stream, StreamExt};
use reqwest::Response;
use tokio::time::{Instant, Sleep};
use wording::Message;

use super::causes::cause;
use super::hush::Hush;
use crate::bounds::Bound;
use crate::decode::Decode;
use crate::framing::Framing;
use crate::protocol::Protocol;
use crate::secret::Scrubber;
use crate::tally::Tally;
use crate::{ModelError, ModelEvent, Refusal, Retried, Wait, address, said};

/// Bytes of what a server said that an error keeps.
pub const RAW_LIMIT: usize = 64 * 1024;

/// Characters of a reason, which is meant for one line.
const REASON_LIMIT: usize = 500;

/// What bounds one exchange.
pub struct Limits {
    pub url: String,
    pub idle: Duration,
    pub total: Duration,
    pub tail: Duration,
    /// When `total` is over.
    pub deadline: Instant,
    /// Bytes kept of what the server said: [`RAW_LIMIT`] and room for the key, so that a key at the cut is found whole.
    pub raw: usize,
}

impl Limits {
    /// The result of `coming` within `patience` and before the deadline, or which of the two was over.
    pub async fn wait<T>(&self, patience: Duration, coming: impl Future<Output = T>) -> Result<T, Wait> {
        let (until, over) = self.until(patience);
        tokio::time::timeout_at(until, coming).await.map_err(|_| over)
    }

    /// When a wait that begins now ends, and which limit ends it.
    fn until(&self, patience: Duration) -> (Instant, Wait) {
        self.until_from(Instant::now(), patience)
    }

    fn until_from(&self, begun: Instant, patience: Duration) -> (Instant, Wait) {
        let patient_until = begun + patience;
        if self.deadline <= patient_until { (self.deadline, Wait::Total) } else { (patient_until, Wait::Idle) }
    }

    pub fn timeout(&self, wait: Wait, said: &[u8]) -> ModelError {
        let time = if wait == Wait::Total { self.total } else { self.idle };
        ModelError::Timeout { url: self.url.clone(), wait, seconds: time.as_secs(), raw: self.raw(said) }
    }

    fn raw(&self, said: &[u8]) -> String {
        String::from_utf8_lossy(&said[..said.len().min(self.raw)]).into_owned()
    }
}

/// The beginning of a body, as much as an error keeps, or as came before it broke off.
pub async fn beginning(mut response: Response, limits: &Limits) -> String {
    let mut body = Vec::new();
    while body.len() < limits.raw {
        match limits.wait(limits.idle, response.chunk()).await {
            Ok(Ok(Some(chunk))) => body.extend_from_slice(&chunk),
            Ok(Ok(None) | Err(_)) | Err(_) => break,
        }
    }
    limits.raw(&body)
}

/// The text of an answer that is not streamed.
pub async fn whole(response: Response, limits: &Limits) -> Result<String, ModelError> {
    Ok(String::from_utf8_lossy(&whole_bytes(response, limits).await?).into_owned())
}

/// All of an answer that is not streamed.
pub async fn whole_bytes(mut response: Response, limits: &Limits) -> Result<Vec<u8>, ModelError> {
    let mut body = Vec::new();
    let broken = |reason: Message, body: &[u8]| Err(ModelError::Broken { reason, raw: limits.raw(body) });
    loop {
        match limits.wait(limits.idle, response.chunk()).await {
            Ok(Ok(Some(chunk))) => {
                Bound::Payload.check(body.len() + chunk.len())?;
                body.extend_from_slice(&chunk);
            }
            Ok(Ok(None)) => return Ok(body),
            Ok(Err(error)) => return broken(cause(&error), &body),
            Err(wait) => return Err(limits.timeout(wait, &body)),
        }
    }
}

/// All events of a codec pass through this: it counts them and removes keys.
pub struct Intake {
    tally: Tally,
    hush: Hush,
}

impl Intake {
    pub fn new(scrubber: Arc<Scrubber>) -> Self {
        Self { tally: Tally::default(), hush: Hush::new(scrubber) }
    }

    /// `block`: the one of the answer that the events are of.
    fn take(&mut self, block: u64, events: Vec<ModelEvent>) -> Result<Vec<ModelEvent>, ModelError> {
        events.iter().try_for_each(|event| self.tally.add(event))?;
        Ok(self.hush.pass(block, events))
    }

    /// All of an answer.
    pub fn whole(mut self, events: Vec<ModelEvent>) -> Result<Vec<ModelEvent>, ModelError> {
        let mut taken = self.take(0, events)?;
        taken.extend(self.hush.end());
        Ok(taken)
    }
}

/// An answer that is streamed. The connection is closed when the stream ends or is dropped.
pub fn streamed(
    response: Response,
    protocol: Protocol,
    limits: Limits,
    intake: Intake,
) -> impl Stream<Item = Result<ModelEvent, ModelError>> {
    let reading = Reading {
        bytes: response.bytes_stream().map(|chunk| chunk.map(|chunk| chunk.to_vec())).boxed(),
        alarm: Box::pin(tokio::time::sleep_until(limits.deadline)),
        limits,
        framing: protocol.framing(),
        protocol,
        decoder: protocol.decoder(),
        intake,
        came: 0,
        finished: None,
        said: Vec::new(),
        had_payload: false,
        ready: VecDeque::new(),
    };
    stream::unfold(State::Reading(Box::new(reading)), State::next)
}

/// As it may be shown and stored: an error known for what it is, without keys, and short enough.
pub fn presentable(event: Result<ModelEvent, ModelError>, scrubber: &Scrubber) -> Result<ModelEvent, ModelError> {
    match event {
        Ok(ModelEvent::Retried(Retried { why, pause, attempt, of })) => {
            Ok(ModelEvent::Retried(Retried { why: presentable_error(why, scrubber), pause, attempt, of }))
        }
        Ok(event) => Ok(event),
        Err(error) => Err(presentable_error(error, scrubber)),
    }
}

pub fn presentable_error(error: ModelError, scrubber: &Scrubber) -> ModelError {
    let raw = |text: String| {
        let text = scrubber.pieces(&text);
        text[..text.floor_char_boundary(RAW_LIMIT)].to_owned()
    };
    let line = |text: String| shortened(scrubber.pieces(&text));
    recognised(error).with_texts(|url| line(address::shown(&url)), line, raw)
}

/// An error that came in place of an answer, or in the middle of one, is a refusal too.
fn recognised(error: ModelError) -> ModelError {
    match error {
        ModelError::Broken { reason, raw } => match said::refusal(None, &raw) {
            Refusal::Other => ModelError::Broken { reason, raw },
            refusal => ModelError::Refused { url: String::new(), status: None, refusal, reason, raw },
        },
        error => error,
    }
}

enum State {
    Reading(Box<Reading>),
    /// The connection is closed; these are left to hand out.
    Ended(VecDeque<Result<ModelEvent, ModelError>>),
}

struct Reading {
    bytes: BoxStream<'static, Result<Vec<u8>, reqwest::Error>>,
    /// One timer for all bytes: to start one wakes a thread, to put it off does not.
    alarm: Pin<Box<Sleep>>,
    limits: Limits,
    framing: Framing,
    protocol: Protocol,
    decoder: Box<dyn Decode>,
    intake: Intake,
    /// Bytes so far.
    came: usize,
    /// When the answer was seen to have its finish.
    finished: Option<Instant>,
    /// The beginning of the answer, for errors.
    said: Vec<u8>,
    had_payload: bool,
    ready: VecDeque<Result<ModelEvent, ModelError>>,
}

enum Arrival {
    Chunk(Vec<u8>),
    End,
    Broken(ModelError),
}

impl State {
    async fn next(mut self) -> Option<(Result<ModelEvent, ModelError>, Self)> {
        loop {
            let mut reading = match self {
                State::Ended(mut left) => return left.pop_front().map(|event| (event, State::Ended(left))),
                State::Reading(reading) => reading,
            };
            if let Some(event) = reading.ready.pop_front() {
                return Some((event, State::Reading(reading)));
            }
            self = match reading.arrival().await {
                Arrival::Chunk(chunk) => reading.take(&chunk),
                Arrival::End => reading.end(),
                Arrival::Broken(_) if reading.decoder.has_finished() => reading.end(),
                Arrival::Broken(error) => reading.fail(error),
            };
        }
    }
}

impl Reading {
    async fn arrival(&mut self) -> Arrival {
        if self.decoder.has_finished() && self.finished.is_none() {
            self.finished = Some(Instant::now());
        }
        let (until, over) = match self.finished {
            // One wait for all that may follow, however it drips.
            Some(at) => self.limits.until_from(at, self.limits.tail),
            None => self.limits.until(self.limits.idle),
        };
        // A stream without a pause would never let the timer fire.
        if until <= Instant::now() {
            return Arrival::Broken(self.limits.timeout(over, &self.said));
        }
        self.alarm.as_mut().reset(until);
        tokio::select! {
            biased;
            chunk = self.bytes.next() => match chunk {
                Some(Ok(chunk)) => Arrival::Chunk(chunk),
                Some(Err(error)) => Arrival::Broken(ModelError::Broken { reason: cause(&error), raw: String::new() }),
                None => Arrival::End,
            },
            () = &mut self.alarm => Arrival::Broken(self.limits.timeout(over, &self.said)),
        }
    }

    fn take(mut self: Box<Self>, chunk: &[u8]) -> State {
        let room = self.limits.raw.saturating_sub(self.said.len());
        self.said.extend_from_slice(&chunk[..chunk.len().min(room)]);
        self.came += chunk.len();
        for payload in self.framing.push(chunk) {
            match payload.and_then(|payload| self.payload(&payload)) {
                Ok(()) => {}
                // Nothing after the answer is needed.
                Err(_) if self.decoder.is_done() => return self.end(),
                Err(error) => return self.fail(error),
            }
        }
        if self.decoder.is_done() {
            return self.end();
        }
        match Bound::Wire.check(self.came).and_then(|()| Bound::Payload.check(self.framing.pending())) {
            Ok(()) => State::Reading(self),
            // Nothing after the answer is needed.
            Err(_) if self.decoder.has_finished() => self.end(),
            Err(error) => self.fail(error),
        }
    }

    fn payload(&mut self, payload: &str) -> Result<(), ModelError> {
        self.had_payload = true;
        Bound::Payload.check(payload.len())?;
        let events = self.decoder.push(payload)?;
        let events = self.intake.take(self.decoder.block(), events)?;
        self.ready.extend(events.into_iter().map(Ok));
        Ok(())
    }

    fn end(mut self: Box<Self>) -> State {
        let framing = std::mem::take(&mut self.framing);
        let is_silent = framing.is_silent(&String::from_utf8_lossy(&self.said));
        if let Some(payload) = framing.finish()
            && let Err(error) = self.payload(&payload)
            // A cut after the finish loses nothing.
            && !self.decoder.has_finished()
        {
            return self.fail(error);
        }
        let Self { protocol, decoder, mut intake, said, had_payload, mut ready, .. } = *self;
        let block = decoder.block();
        let last = match (had_payload, String::from_utf8_lossy(&said)) {
            (true, _) => decoder.end(),
            (false, _) if is_silent => protocol.decode(""),
            // No stream at all: a whole answer under the wrong content type, or an error page.
            (false, said) => protocol.decode(&said),
        };
        let (last, error) = match last.and_then(|events| intake.take(block, events)) {
            Ok(events) => (events, None),
            Err(error) => (Vec::new(), Some(error)),
        };
        ready.extend(last.into_iter().chain(intake.hush.end()).map(Ok));
        ready.extend(error.map(|error| Err(with_raw(error, &said))));
        State::Ended(ready)
    }

    fn fail(mut self: Box<Self>, error: ModelError) -> State {
        self.ready.extend(self.intake.hush.end().into_iter().map(Ok));
        self.ready.push_back(Err(with_raw(error, &self.said)));
        State::Ended(self.ready)
    }
}

/// The error with the beginning of the answer, if it has none yet.
fn with_raw(error: ModelError, said: &[u8]) -> ModelError {
    match error {
        ModelError::Broken { reason, raw } if raw.is_empty() => {
            ModelError::Broken { reason, raw: String::from_utf8_lossy(said).into_owned() }
        }
        error => error,
    }
}

fn shortened(text: String) -> String {
    match text.char_indices().nth(REASON_LIMIT) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}
