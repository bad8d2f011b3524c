//! A model's server: what each request to it carries, and what its refusals mean.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_LENGTH, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::header::{LOCATION, TRANSFER_ENCODING};
use reqwest::{Method, Response, Url};
use tokio::time::Instant;
use wording::{Message, message};

use super::causes::{cause, causes};
use super::reading::{self, Limits};
use super::{Http, KEY_TIMEOUT, TAIL_TIMEOUT, retry, sign};
use crate::entry::{KeyScheme, ModelEntry, Otlp, Timeouts};
use crate::protocol::Protocol;
use crate::secret::aws::{self, Credentials, Found};
use crate::secret::{KeyError, KeyRef, KeyringError, Keys, Scrubber, Secret};
use crate::{ModelError, Wait, address, said};

/// Which of Anthropic's interfaces is spoken; the only one there has been.
const ANTHROPIC_VERSION: &str = "2023-06-01";

/// How many bytes of a text one byte of a key can take, written in some code: a wide margin.
const SPELLING: usize = 16;

#[derive(Clone)]
pub struct Server {
    protocol: Protocol,
    key: Option<KeyRef>,
    key_header: Option<String>,
    /// What is before the key in `Authorization`.
    key_scheme: KeyScheme,
    headers: BTreeMap<String, String>,
    pub timing: Timing,
    /// How often a question is asked again at most.
    pub retries: usize,
    /// One that asks us to wait longer is not asked again.
    pub longest_wait: Duration,
    pub keys: Arc<dyn Keys>,
    pub http: Http,
}

#[derive(Clone, Copy)]
pub struct Timing {
    pub connect: Duration,
    pub idle: Duration,
    pub total: Duration,
    pub tail: Duration,
}

impl Timing {
    fn of(timeouts: &Timeouts) -> Self {
        let Timeouts { connect, idle, total } = *timeouts;
        Self { connect: seconds(connect), idle: seconds(idle), total: seconds(total), tail: TAIL_TIMEOUT }
    }
}

fn seconds(seconds: u32) -> Duration {
    Duration::from_secs(seconds.into())
}

/// The credentials of a request.
#[derive(Clone)]
pub enum Pass {
    Nothing,
    /// In a header.
    Key(Secret),
    Signature {
        credentials: Credentials,
        region: String,
    },
}

impl Pass {
    /// The values that must stay secret.
    fn secrets(&self) -> impl Iterator<Item = &Secret> {
        let secrets = match self {
            Self::Nothing => [None, None],
            Self::Key(key) => [Some(key), None],
            Self::Signature { credentials, .. } => [Some(&credentials.secret), credentials.session.as_ref()],
        };
        secrets.into_iter().flatten()
    }

    fn shows_the_same_as(&self, other: &Self) -> bool {
        self.secrets().map(Secret::reveal).eq(other.secrets().map(Secret::reveal))
    }
}

/// A request to a server.
pub struct Question {
    pub method: Method,
    pub url: String,
    /// The media type of the wanted answer.
    pub accept: &'static str,
    pub body: Option<Body>,
    /// From the question to the head of the answer.
    pub patience: Duration,
}

#[derive(Clone)]
pub enum Body {
    Json(Arc<str>),
    Protobuf(Arc<[u8]>),
}

impl Body {
    fn bytes(&self) -> &[u8] {
        match self {
            Self::Json(text) => text.as_bytes(),
            Self::Protobuf(bytes) => bytes,
        }
    }

    fn kind(&self) -> &'static str {
        match self {
            Self::Json(_) => "application/json",
            Self::Protobuf(_) => "application/x-protobuf",
        }
    }
}

/// An attempt that brought no answer.
pub struct Refused {
    pub error: ModelError,
    pub retry: Retry,
}

pub enum Retry {
    Never,
    /// After what the server asked for, or else what we think.
    After(Option<Duration>),
}

impl Refused {
    fn for_good(error: ModelError) -> Self {
        Self { error, retry: Retry::Never }
    }
}

impl Server {
    pub fn of(entry: &ModelEntry, http: Http, keys: Arc<dyn Keys>) -> Self {
        Self {
            protocol: entry.provider,
            key: entry.credentials(),
            key_header: entry.key_header.clone(),
            key_scheme: KeyScheme::Bearer,
            headers: entry.headers.clone(),
            timing: Timing::of(&entry.timeouts),
            retries: entry.retries.count as usize,
            longest_wait: seconds(entry.retries.longest_wait),
            keys,
            http,
        }
    }

    /// A receiver of spans takes its key as most servers of models do.
    pub fn of_spans(otlp: &Otlp, http: Http, keys: Arc<dyn Keys>) -> Self {
        Self {
            protocol: Protocol::OpenAi,
            key: otlp.key.clone(),
            key_header: otlp.key_header.clone(),
            key_scheme: otlp.key_scheme,
            headers: otlp.headers.clone(),
            timing: Timing::of(&otlp.timeouts),
            retries: otlp.retries.count as usize,
            longest_wait: seconds(otlp.retries.longest_wait),
            keys,
            http,
        }
    }

    /// The current key, looked up on a thread where waiting blocks nothing else.
    pub async fn pass(&self, url: &str) -> Result<Pass, ModelError> {
        let Some(key) = self.key.clone() else { return Ok(Pass::Nothing) };
        if url.contains(sign::PLACE) {
            return Err(no_region("baseUrl"));
        }
        if matches!(key, KeyRef::Aws(_)) && self.protocol != Protocol::Bedrock {
            let reason = message!(
                "only requests to Amazon Bedrock (`provider: bedrock`) are signed",
                "只有发往 Amazon Bedrock（`provider: bedrock`）的请求才会签名"
            );
            return Err(ModelError::Setting { setting: "key".to_owned(), reason });
        }
        let named = key.clone();
        let keys = self.keys.clone();
        let host = Url::parse(url).ok().and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_default();
        let found = tokio::task::spawn_blocking(move || {
            let KeyRef::Aws(profile) = &key else { return key.resolve(&*keys).map(|key| Ok(Pass::Key(key))) };
            let found = aws::find(profile, &*keys).map_err(|why| KeyError::Aws { key: key.clone(), why })?;
            let region = || sign::region_of(&host).map(str::to_owned).or_else(|| aws::region(profile, &*keys));
            Ok(match found {
                Found::Token(token) => key.checked(&token).map(|token| Ok(Pass::Key(token)))?,
                Found::Signs(credentials) => match region() {
                    Some(region) => Ok(Pass::Signature { credentials, region }),
                    None => Err(no_region("baseUrl")),
                },
            })
        });
        let why = match tokio::time::timeout(KEY_TIMEOUT, found).await {
            Ok(Ok(Ok(pass))) => return pass,
            Ok(Ok(Err(why))) => why,
            Ok(Err(error)) => KeyError::Keyring {
                key: named,
                why: KeyringError::Failed { reason: Message::quoted(error.to_string()) },
            },
            Err(_) => KeyError::Slow { key: named, seconds: KEY_TIMEOUT.as_secs() },
        };
        Err(ModelError::Key { why })
    }

    /// Finds what may not be shown of what a server says, or a proxy on the way: the key, what in the address may be one,
    /// and passwords of proxies.
    pub fn scrubber<'a>(&self, url: &str, passes: impl IntoIterator<Item = &'a Pass>) -> Scrubber {
        let of_proxies = self.http.credentials(|name| self.keys.env(name));
        let secrets = passes.into_iter().flat_map(Pass::secrets).map(|secret| secret.reveal().to_owned());
        Scrubber::new(address::secrets(url).into_iter().chain(of_proxies).chain(secrets))
    }

    /// The limits of an exchange that begins now.
    pub fn limits(&self, url: &str, pass: &Pass) -> Limits {
        let Timing { idle, total, tail, .. } = self.timing;
        let longest = pass.secrets().map(|secret| secret.reveal().len()).max().unwrap_or(0);
        let raw = reading::RAW_LIMIT + SPELLING * longest;
        Limits { url: url.to_owned(), idle, total, tail, deadline: Instant::now() + total, raw }
    }

    /// Asks; asks again at once if the key is no longer accepted and its command prints another one.
    pub async fn ask(&self, question: &Question, pass: &mut Pass, limits: &Limits) -> Result<Response, Refused> {
        let refused = match self.ask_once(question, pass, limits).await {
            Ok(response) => return Ok(response),
            Err(refused) => refused,
        };
        let is_unauthorized = matches!(refused.error, ModelError::Refused { status: Some(401), .. });
        let (Some(place), true) = (self.key.as_ref().filter(|key| key.may_change()), is_unauthorized) else {
            return Err(refused);
        };
        self.keys.forget(place);
        match self.pass(&question.url).await {
            Ok(new) if !new.shows_the_same_as(pass) => {
                *pass = new;
                self.ask_once(question, pass, limits).await
            }
            Ok(_) => Err(refused),
            Err(error) => Err(Refused::for_good(error)),
        }
    }

    /// Asks once. Returns an answer with a success status.
    async fn ask_once(&self, question: &Question, pass: &Pass, limits: &Limits) -> Result<Response, Refused> {
        let url = Url::parse(&question.url).map_err(|error| {
            Refused::for_good(ModelError::unreachable(&question.url, Message::quoted(error.to_string())))
        })?;
        let client = self.http.client(&url, self.timing.connect).await.map_err(Refused::for_good)?;
        let headers = self.headers(question, &url, pass).map_err(Refused::for_good)?;
        let mut request = client.request(question.method.clone(), url).headers(headers);
        if let Some(body) = &question.body {
            request = request.body(body.bytes().to_vec());
        }
        match limits.wait(question.patience, request.send()).await {
            Err(wait) => Err(Refused::for_good(limits.timeout(wait, &[]))),
            Ok(Err(error)) => Err(self.failure(&question.url, &error)),
            Ok(Ok(response)) if response.status().is_success() => Ok(response),
            Ok(Ok(response)) => Err(refusal(response, limits, self.longest_wait).await),
        }
    }

    /// Headers in `models.yaml` replace our own, except for the key.
    fn headers(&self, question: &Question, url: &Url, pass: &Pass) -> Result<HeaderMap, ModelError> {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static(question.accept));
        if let Some(body) = &question.body {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static(body.kind()));
        }
        if self.protocol == Protocol::Anthropic {
            headers.insert("anthropic-version", HeaderValue::from_static(ANTHROPIC_VERSION));
        }
        for (name, value) in &self.headers {
            let setting = || format!("headers.{name}");
            let header = header_name(name, &setting())?;
            if [CONTENT_LENGTH, TRANSFER_ENCODING].contains(&header) {
                let reason = message!("the workbench sets the length of a request itself", "请求长度由工作台自行设置");
                return Err(ModelError::Setting { setting: setting(), reason });
            }
            let unusable = |_| {
                let reason = message!("its value holds characters that no header has", "它的值含有标头中不能有的字符");
                ModelError::Setting { setting: setting(), reason }
            };
            headers.insert(header, sensitive(value).map_err(unusable)?);
        }
        if let Pass::Signature { credentials, region } = pass {
            let content_type = [(CONTENT_TYPE.as_str(), "application/json")];
            let request = sign::Signed {
                method: question.method.as_str(),
                url: url.as_str(),
                headers: if question.body.is_some() { &content_type } else { &[] },
                body: question.body.as_ref().map(Body::bytes).unwrap_or_default(),
            };
            let unusable = |reason: Message| ModelError::Setting { setting: "key".to_owned(), reason };
            for (name, value) in sign::headers(&request, credentials, region, SystemTime::now())
                .map_err(|why| unusable(Message::quoted(why)))?
            {
                let value = sensitive(&value).map_err(|_| {
                    unusable(message!("it holds characters that no key has", "它含有密钥中不能有的字符"))
                })?;
                headers.insert(header_name(&name, "key")?, value);
            }
        }
        if let Pass::Key(key) = pass {
            let header = match (&self.key_header, self.protocol) {
                (Some(name), _) => header_name(name, "keyHeader")?,
                (None, Protocol::Anthropic) => HeaderName::from_static("x-api-key"),
                (None, Protocol::OpenAi | Protocol::OpenAiResponses | Protocol::Bedrock) => AUTHORIZATION,
            };
            let value = match header == AUTHORIZATION {
                true => sensitive(&format!("{} {}", self.key_scheme.word(), key.reveal())),
                false => sensitive(key.reveal()),
            };
            headers.insert(header, value.expect("a key is printable ASCII, as KeyRef::resolve checks"));
        }
        Ok(headers)
    }

    fn failure(&self, url: &str, error: &reqwest::Error) -> Refused {
        let url = url.to_owned();
        let invalid = causes(error).find_map(|cause| match cause.downcast_ref::<rustls::Error>() {
            Some(rustls::Error::InvalidCertificate(invalid)) => Some(invalid.to_string()),
            Some(_) | None => None,
        });
        if let Some(reason) = invalid {
            return Refused::for_good(ModelError::Certificate { url, reason });
        }
        if error.is_connect() && error.is_timeout() {
            let seconds = self.timing.connect.as_secs();
            let error = ModelError::Timeout { url, wait: Wait::Connect, seconds, raw: String::new() };
            return Refused { error, retry: Retry::After(None) };
        }
        let broke = causes(error)
            .find_map(|cause| cause.downcast_ref::<hyper::Error>())
            .is_some_and(|broken| !broken.is_parse() && !broken.is_user());
        let proxy = self.http.proxy(&url).filter(|_| error.is_connect());
        let passes = (error.is_connect() && !is_refused_by_proxy(error)) || broke;
        let retry = if passes { Retry::After(None) } else { Retry::Never };
        Refused { error: ModelError::Unreachable { url, proxy, reason: cause(error) }, retry }
    }
}

/// The proxy is there and does not let us through (403, 407 …), which it would say again.
fn is_refused_by_proxy(error: &reqwest::Error) -> bool {
    // The type of this error has no name outside of its crate.
    let said = causes(error).map(ToString::to_string).find(|cause| cause.starts_with("tunnel error: "));
    said.is_some_and(|said| said.contains("authorization required") || said.contains("unsuccessful"))
}

async fn refusal(response: Response, limits: &Limits, longest_wait: Duration) -> Refused {
    let status = response.status();
    let passes = retry::may_pass(status, response.headers());
    let asked = retry::asked(response.headers());
    let location = response.headers().get(LOCATION).and_then(|to| to.to_str().ok()).map(str::to_owned);
    let raw = reading::beginning(response, limits).await;
    let reason = match location {
        Some(location) if status.is_redirection() => {
            let to = address::shown(&location);
            message!("it has moved to {to}", "它已移到 {to}")
        }
        _ => said::reason(&raw),
    };
    let reason = match asked.filter(|asked| passes && *asked > longest_wait) {
        Some(asked) => {
            let seconds = asked.as_secs();
            message!(
                "{reason} (it asks to wait {seconds} s, more than `retries.longestWait` allows)",
                "{reason}（它要求等待 {seconds} 秒，超过了 `retries.longestWait`）";
                reason
            )
        }
        None => reason,
    };
    let refusal = said::refusal(Some(status.as_u16()), &raw);
    let retry = if passes && refusal.may_pass() { Retry::After(asked) } else { Retry::Never };
    let url = limits.url.clone();
    Refused { error: ModelError::Refused { url, status: Some(status.as_u16()), refusal, reason, raw }, retry }
}

/// The base address of an entry, its region filled in as far as one is named.
pub fn base_url(entry: &ModelEntry, keys: &dyn Keys) -> String {
    let profile = match &entry.key {
        Some(KeyRef::Aws(profile)) => profile,
        Some(KeyRef::Env(_) | KeyRef::Keyring(_) | KeyRef::Command { .. }) | None => "",
    };
    let asks = entry.provider == Protocol::Bedrock && entry.base_url.contains(sign::PLACE);
    match asks.then(|| aws::region(profile, keys)).flatten() {
        Some(region) => entry.base_url.replace(sign::PLACE, &region),
        None => entry.base_url.clone(),
    }
}

fn no_region(setting: &str) -> ModelError {
    let reason = message!(
        "no AWS region is named: write it in the address, or set AWS_REGION",
        "没有指明 AWS 区域：请写在地址中，或设置 AWS_REGION"
    );
    ModelError::Setting { setting: setting.to_owned(), reason }
}

fn header_name(name: &str, setting: &str) -> Result<HeaderName, ModelError> {
    HeaderName::try_from(name).map_err(|_| ModelError::Setting {
        setting: setting.to_owned(),
        reason: message!("`{name}` cannot be the name of a header", "`{name}` 不能作为标头的名称"),
    })
}

/// Kept out of what the HTTP libraries print.
fn sensitive(value: &str) -> Result<HeaderValue, reqwest::header::InvalidHeaderValue> {
    let mut value = HeaderValue::from_str(value)?;
    value.set_sensitive(true);
    Ok(value)
}
