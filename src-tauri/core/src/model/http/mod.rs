//! Models that are reached over HTTP. Nothing is sent twice once any of the answer has come; the key is in one header
//! and nowhere else.

mod reading;
mod retry;
#[cfg(test)]
mod tests;

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use futures::stream::{self, BoxStream, StreamExt, TryStreamExt};
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use reqwest::{Client, Response, StatusCode, Url};

use self::reading::Limits;
use super::protocol::Protocol;
use super::said;
use super::{ChatModel, ModelError, ModelEvent, ModelRequest, Sampling, WireRequest};
use crate::config::ModelEntry;
use crate::secret::{KeyRef, Keys, Secret};

/// For a connection to be made.
pub const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// From a request to the head of its answer. Servers that do not stream write the whole answer in that time.
pub const HEAD_TIMEOUT: Duration = Duration::from_secs(600);
/// Between two pieces of an answer.
pub const IDLE_TIMEOUT: Duration = Duration::from_secs(120);
/// For a key to be looked up, which may wait for the user to unlock a keyring.
pub const KEY_TIMEOUT: Duration = Duration::from_secs(60);
/// For the usage that may follow once the model has finished. Without it the answer is complete all the same.
pub const TAIL_TIMEOUT: Duration = Duration::from_secs(5);

type Pause = Arc<dyn Fn(Duration) -> BoxFuture<'static, ()> + Send + Sync>;

/// The connections that all models share.
#[derive(Clone)]
pub struct Http {
    /// Through the system's proxy, where one is set.
    outside: Result<Client, String>,
    /// This machine's own servers, which no proxy can reach.
    loopback: Result<Client, String>,
    timing: Timing,
}

#[derive(Clone)]
struct Timing {
    head: Duration,
    idle: Duration,
    tail: Duration,
    /// Waits before a retry.
    pause: Pause,
}

impl Http {
    /// Where the system's certificates or proxy settings cannot be read, each request says so.
    pub fn new() -> Self {
        let pause: Pause = Arc::new(|time| Box::pin(tokio::time::sleep(time)));
        Self::with_timing(Timing { head: HEAD_TIMEOUT, idle: IDLE_TIMEOUT, tail: TAIL_TIMEOUT, pause })
    }

    fn with_timing(timing: Timing) -> Self {
        // An error means that somebody chose a provider before, and theirs will do.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let builder = || {
            Client::builder()
                .connect_timeout(CONNECT_TIMEOUT)
                .redirect(reqwest::redirect::Policy::none())
                .user_agent(concat!("skill-workbench/", env!("CARGO_PKG_VERSION")))
        };
        Self {
            outside: builder().build().map_err(|error| cause(&error)),
            loopback: builder().no_proxy().build().map_err(|error| cause(&error)),
            timing,
        }
    }

    fn client(&self, url: &Url) -> Result<&Client, String> {
        let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
        let is_loopback = host == "localhost" || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback());
        if is_loopback { self.loopback.as_ref() } else { self.outside.as_ref() }.map_err(String::clone)
    }
}

impl Default for Http {
    fn default() -> Self {
        Self::new()
    }
}

/// A model behind a server.
pub struct HttpModel {
    id: String,
    protocol: Protocol,
    model: String,
    url: String,
    streamed: bool,
    parameters: Sampling,
    key: Option<KeyRef>,
    keys: Arc<dyn Keys>,
    http: Http,
}

impl HttpModel {
    /// The key is looked up in `keys` for each request.
    pub fn new(entry: &ModelEntry, http: Http, keys: Arc<dyn Keys>) -> Self {
        Self {
            id: entry.id.clone(),
            protocol: entry.provider,
            model: entry.model.clone(),
            url: entry.provider.url(&entry.base_url),
            streamed: entry.stream,
            parameters: entry.parameters.clone(),
            key: entry.key.clone(),
            keys,
            http,
        }
    }
}

/// The key, looked up where waiting for it holds up nobody else.
async fn look_up(key: KeyRef, keys: Arc<dyn Keys>) -> Result<Secret, ModelError> {
    let name = key.to_string();
    let found = tokio::task::spawn_blocking(move || key.resolve(&*keys));
    let reason = match tokio::time::timeout(KEY_TIMEOUT, found).await {
        Ok(Ok(Ok(secret))) => return Ok(secret),
        Ok(Ok(Err(error))) => error.to_string(),
        Ok(Err(error)) => format!("{name} could not be looked up: {error}"),
        Err(_) => format!("{name} was not to be had within {} s; the keyring may be locked", KEY_TIMEOUT.as_secs()),
    };
    Err(ModelError::Key { reason })
}

impl ChatModel for HttpModel {
    fn label(&self) -> &str {
        &self.id
    }

    fn encode(&self, request: &ModelRequest) -> WireRequest {
        let body = self.protocol.encode(&self.model, request, self.streamed, &self.parameters);
        WireRequest { url: Some(self.url.clone()), body: body.into(), streamed: self.streamed }
    }

    fn send(&self, wire: &WireRequest, _: &ModelRequest) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
        let (key, keys) = (self.key.clone(), self.keys.clone());
        let mut exchange = Exchange {
            protocol: self.protocol,
            url: wire.url.clone().unwrap_or_else(|| self.url.clone()),
            body: wire.body.clone(),
            streamed: wire.streamed,
            key: None,
            http: self.http.clone(),
        };
        let answer = async move {
            if let Some(key) = key {
                exchange.key = Some(look_up(key, keys).await?);
            }
            let key = exchange.key.clone();
            let events = exchange.answer().await.map_err(|error| reading::presentable(error, key.as_ref()))?;
            Ok(events.map_err(move |error| reading::presentable(error, key.as_ref())))
        };
        stream::once(answer).try_flatten().boxed()
    }
}

/// One request and the way to its answer.
struct Exchange {
    protocol: Protocol,
    url: String,
    body: Arc<str>,
    streamed: bool,
    key: Option<Secret>,
    http: Http,
}

/// An attempt that brought no answer.
struct Refused {
    error: ModelError,
    retry: Retry,
}

enum Retry {
    Never,
    /// After what the server asked for, or else what we think.
    After(Option<Duration>),
}

impl Refused {
    fn for_good(error: ModelError) -> Self {
        Self { error, retry: Retry::Never }
    }
}

impl Exchange {
    async fn answer(self) -> Result<BoxStream<'static, Result<ModelEvent, ModelError>>, ModelError> {
        let mut attempt = 0;
        let response = loop {
            let refused = match self.attempt().await {
                Ok(response) => break response,
                Err(refused) => refused,
            };
            let pause = match refused.retry {
                Retry::Never => None,
                Retry::After(asked) => retry::pause(attempt, asked),
            };
            match pause {
                Some(pause) => (self.http.timing.pause)(pause).await,
                None => return Err(refused.error),
            }
            attempt += 1;
        };
        let limits = self.limits();
        let kind = response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        // Some servers stream under a wrong content type, and some answer whole what was to be streamed.
        let is_whole = kind == "application/json" || kind == "text/html" || !self.streamed;
        if is_whole && kind != "text/event-stream" {
            let events = reading::whole(response, self.protocol, &limits).await?;
            return Ok(stream::iter(events.into_iter().map(Ok)).boxed());
        }
        Ok(reading::streamed(response, self.protocol, limits).boxed())
    }

    async fn attempt(&self) -> Result<Response, Refused> {
        let unreachable = |reason: String| ModelError::Unreachable { url: self.url.clone(), reason };
        let url = Url::parse(&self.url).map_err(|error| Refused::for_good(unreachable(error.to_string())))?;
        let client = self.http.client(&url).map_err(|reason| Refused::for_good(unreachable(reason)))?;
        let accept = if self.streamed { "text/event-stream" } else { "application/json" };
        let mut request = client
            .post(url)
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, accept)
            .body(String::from(&*self.body));
        if let Some(key) = &self.key {
            let mut value = HeaderValue::from_str(&format!("Bearer {}", key.reveal()))
                .expect("a key is printable ASCII, as KeyRef::resolve checks");
            value.set_sensitive(true);
            request = request.header(AUTHORIZATION, value);
        }
        let head = self.http.timing.head;
        match tokio::time::timeout(head, request.send()).await {
            Err(_) => {
                let error = ModelError::Timeout { url: self.url.clone(), seconds: head.as_secs() };
                Err(Refused::for_good(error))
            }
            Ok(Err(error)) => {
                let retry = if error.is_connect() { Retry::After(None) } else { Retry::Never };
                Err(Refused { error: unreachable(cause(&error)), retry })
            }
            Ok(Ok(response)) if response.status().is_success() => Ok(response),
            Ok(Ok(response)) => Err(self.refusal(response).await),
        }
    }

    async fn refusal(&self, response: Response) -> Refused {
        let status = response.status();
        let retry = match status {
            StatusCode::REQUEST_TIMEOUT | StatusCode::TOO_MANY_REQUESTS => true,
            status => status.is_server_error(),
        };
        let retry = if retry { Retry::After(retry::asked(response.headers())) } else { Retry::Never };
        let location = response.headers().get("location").and_then(|to| to.to_str().ok()).map(str::to_owned);
        let raw = reading::beginning(response, &self.limits()).await;
        let reason = match location {
            Some(location) if status.is_redirection() => format!("it has moved to {location}"),
            _ => said::reason(&raw),
        };
        let error = ModelError::Status { url: self.url.clone(), status: status.as_u16(), reason, raw };
        Refused { error, retry }
    }

    fn limits(&self) -> Limits {
        Limits {
            idle: self.http.timing.idle,
            tail: self.http.timing.tail,
            raw: reading::RAW_LIMIT + self.key.as_ref().map_or(0, |key| key.reveal().len()),
        }
    }
}

/// The innermost reason, as the outer ones only name the request again.
fn cause(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string()
}
