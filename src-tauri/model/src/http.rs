//! Models that are reached over HTTP. Nothing is sent twice once any of the answer has come; the key is in one header
//! and nowhere else.

mod causes;
mod clients;
mod count;
mod hush;
mod list;
mod reading;
mod retry;
mod server;
mod sign;
mod spans;
#[cfg(test)]
mod tests;

pub use self::clients::Http;
pub(super) use self::clients::{Stop, is_loopback};
pub use self::count::Counting;
pub use self::list::{ListedModel, list_models};
pub(super) use self::server::base_url;
pub use self::spans::SpanReceiver;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use futures::stream::{self, BoxStream, Stream, StreamExt, TryStreamExt};
use reqwest::header::CONTENT_TYPE;
use reqwest::{Method, Response};
use serde::de::IgnoredAny;
use serde_json::{Map, Value};
use tokio::time::Instant;

use self::reading::{Intake, Limits};
use self::server::{Body, Pass, Question, Refused, Retry, Server};
use super::protocol::Protocol;
use super::{ChatModel, ModelError, ModelEvent, ModelRequest, Retried, Sampling, WireRequest, written};
use crate::entry::ModelEntry;
use crate::reasoning;
use crate::secret::{Keys, Scrubber};

/// For a key to be looked up, which may wait for the user to unlock a keyring.
pub const KEY_TIMEOUT: Duration = Duration::from_secs(60);
/// For the usage that may follow once the model has finished. Without it the answer is complete all the same.
pub const TAIL_TIMEOUT: Duration = Duration::from_secs(5);

/// A model behind a server.
pub struct HttpModel {
    id: String,
    protocol: Protocol,
    model: String,
    url: String,
    /// The address at which the server counts tokens, if its protocol has one.
    counter: Option<String>,
    streamed: bool,
    parameters: Sampling,
    body: Map<String, Value>,
    tools: bool,
    images: bool,
    server: Server,
}

impl HttpModel {
    /// The key is looked up in `keys` for each request.
    pub fn new(entry: &ModelEntry, http: Http, keys: Arc<dyn Keys>) -> Self {
        let base = base_url(entry, &*keys);
        let url = entry.provider.url(&base, &entry.model, entry.stream);
        Self {
            id: entry.id.clone(),
            protocol: entry.provider,
            model: entry.model.clone(),
            url,
            counter: entry.provider.count_url(&base, &entry.model),
            streamed: entry.stream,
            parameters: entry.parameters.clone(),
            body: reasoning::merged(entry.reasoning.fields(entry.provider), &entry.body),
            tools: entry.tools,
            images: entry.images,
            server: Server::of(entry, http, keys),
        }
    }

    /// A model that is asked only once, without retries.
    pub(super) fn once(mut self) -> Self {
        self.server.retries = 0;
        self
    }
}

/// OpenAI's reasoning models take this instead of `max_tokens`, which they refuse.
const COMPLETION_TOKENS: &str = "max_completion_tokens";
const REASONING_MODELS: [&str; 5] = ["o1", "o3", "o4", "gpt-5", "gpt-6"];

impl HttpModel {
    /// Because of its name, or because its entry writes the limit that way.
    fn wants_completion_tokens(&self) -> bool {
        // Gateways put the provider's name before the model's.
        let name = self.model.rsplit('/').next().unwrap_or(&self.model);
        let is_named = REASONING_MODELS.iter().any(|family| name.starts_with(family));
        self.protocol == Protocol::OpenAi && (is_named || self.body.contains_key(COMPLETION_TOKENS))
    }
}

impl ChatModel for HttpModel {
    fn label(&self) -> &str {
        &self.id
    }

    fn encode(&self, request: &ModelRequest) -> WireRequest {
        let (mut further, mut parameters) = (Cow::Borrowed(&self.body), self.parameters.clone());
        let mut request = Cow::Borrowed(request);
        if !self.images && request.messages.iter().any(|message| crate::has_media(&message.parts)) {
            request = Cow::Owned(request.into_owned().without_media());
        }
        if self.wants_completion_tokens() {
            let own = request.to_mut().parameters.max_tokens.take();
            let set = parameters.max_tokens.take().filter(|_| !self.body.contains_key(COMPLETION_TOKENS));
            if let Some(tokens) = own.or(set) {
                further.to_mut().insert(COMPLETION_TOKENS.to_owned(), tokens.into());
            }
        }
        let encode = |request| self.protocol.encode(&self.model, request, self.streamed, &parameters);
        let body = match self.tools {
            true => encode(&request),
            false => encode(&ModelRequest { tools: Vec::new(), tool_choice: None, ..request.into_owned() }),
        };
        let body = with_further_keys(body, &further);
        WireRequest { url: Some(self.url.clone()), body: body.into(), streamed: self.streamed }
    }

    fn send(&self, wire: &WireRequest, _: &ModelRequest) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
        let url = wire.url.as_ref().unwrap_or(&self.url).clone();
        let (server, protocol, streamed) = (self.server.clone(), self.protocol, wire.streamed);
        let body = wire.body.clone();
        let answer = async move {
            let pass = server.pass(&url).await?;
            let limits = server.limits(&url, &pass);
            let scrubber = Arc::new(server.scrubber(&url, [&pass]));
            let question = Question {
                method: Method::POST,
                url,
                accept: if streamed { protocol.stream_type() } else { "application/json" },
                body: Some(Body::Json(body)),
                // The head of a whole answer comes with its end.
                patience: if streamed { limits.idle } else { limits.total },
            };
            let exchange = Exchange { protocol, streamed, server, question, pass, limits, scrubber };
            Ok(exchange.events())
        };
        stream::once(answer).try_flatten().boxed()
    }
}

/// One request and the way to its answer.
struct Exchange {
    protocol: Protocol,
    streamed: bool,
    server: Server,
    question: Question,
    pass: Pass,
    limits: Limits,
    scrubber: Arc<Scrubber>,
}

/// An attempt that is still to be made, and how long to wait before it.
struct Attempt {
    number: usize,
    pause: Option<Duration>,
}

type Events = BoxStream<'static, Result<ModelEvent, ModelError>>;

impl Exchange {
    fn events(self) -> impl Stream<Item = Result<ModelEvent, ModelError>> + Send + 'static {
        let first = Attempt { number: 0, pause: None };
        let attempts = stream::unfold(Some((self, first)), async |next| {
            let (exchange, attempt) = next?;
            Some(exchange.attempt(attempt).await)
        });
        attempts.try_flatten()
    }

    /// The result of an attempt, and the next attempt if there is to be one.
    async fn attempt(mut self, attempt: Attempt) -> (Result<Events, ModelError>, Option<(Self, Attempt)>) {
        if let Some(pause) = attempt.pause {
            (self.server.http.pause)(pause).await;
        }
        let before = self.pass.clone();
        let asked = self.server.ask(&self.question, &mut self.pass, &self.limits).await;
        // A server may still repeat a key that has been replaced.
        self.scrubber = Arc::new(self.server.scrubber(&self.question.url, [&before, &self.pass]));
        let scrubber = self.scrubber.clone();
        let (events, next) = match asked {
            Ok(response) => (self.answer(response).await, None),
            Err(refused) => self.refused(refused, attempt),
        };
        let events = events.map_err(|error| reading::presentable_error(error, &scrubber));
        (events.map(|events| events.map(move |event| reading::presentable(event, &scrubber)).boxed()), next)
    }

    fn refused(self, refused: Refused, attempt: Attempt) -> (Result<Events, ModelError>, Option<(Self, Attempt)>) {
        let pause = match refused.retry {
            Retry::After(_) if attempt.number >= self.server.retries => None,
            Retry::Never => None,
            Retry::After(asked) => {
                retry::pause(attempt.number, asked, (self.server.http.jitter)(), self.server.longest_wait)
            }
        };
        // A wait that the whole exchange has no time for would only put its end off.
        let Some(pause) = pause.filter(|pause| Instant::now() + *pause < self.limits.deadline) else {
            return (Err(refused.error), None);
        };
        let number = attempt.number + 1;
        let retried = Retried {
            why: refused.error,
            pause: u64::try_from(pause.as_millis()).unwrap_or(u64::MAX),
            attempt: u32::try_from(number).unwrap_or(u32::MAX),
            of: u32::try_from(self.server.retries).unwrap_or(u32::MAX),
        };
        let told = stream::iter([Ok(ModelEvent::Retried(retried))]).boxed();
        (Ok(told), Some((self, Attempt { number, pause: Some(pause) })))
    }

    async fn answer(self, response: Response) -> Result<Events, ModelError> {
        let kind = response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        // Some servers stream under a wrong content type, and some answer in one piece although streaming was asked
        // for.
        let intake = Intake::new(self.scrubber);
        let is_whole = kind == "application/json" || kind == "text/html" || !self.streamed;
        if is_whole && kind != "text/event-stream" && kind != "application/vnd.amazon.eventstream" {
            let body = reading::whole(response, &self.limits).await?;
            let events = intake.whole(self.protocol.decode(&body)?)?;
            return Ok(stream::iter(events.into_iter().map(Ok)).boxed());
        }
        Ok(reading::streamed(response, self.protocol, self.limits, intake).boxed())
    }
}

/// The body, a JSON object, with further keys at its end, except for those it has. An object that both have is merged.
fn with_further_keys(mut body: String, further: &Map<String, Value>) -> String {
    if further.is_empty() {
        return body;
    }
    for (name, value) in further {
        let Some((inner, value)) =
            written::field(&body, name).filter(|inner| inner.starts_with('{')).zip(value.as_object())
        else {
            continue;
        };
        let inner = (inner.to_owned(), inner.as_ptr().addr() - body.as_ptr().addr());
        let range = inner.1..inner.1 + inner.0.len();
        body.replace_range(range, &with_further_keys(inner.0, value));
    }
    let written: BTreeMap<String, IgnoredAny> = serde_json::from_str(&body).unwrap_or_default();
    let Some(end) = body.rfind('}') else { return body };
    body.truncate(end);
    for (name, value) in further.iter().filter(|(name, _)| !written.contains_key(*name)) {
        if !body.trim_end().ends_with('{') {
            body.push(',');
        }
        body.push_str(&format!("{}:{value}", Value::String(name.clone())));
    }
    body.push('}');
    body
}
