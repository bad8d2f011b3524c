//! Whether a model can be used: the way to it, checked step by step, in at most three requests of a few tokens each.

#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::stream::{self, BoxStream, StreamExt};
use reqwest::Url;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::net::{TcpStream, lookup_host};
use ts_rs::TS;

use super::answer::{Answer, Answered};
use super::http::{Http, HttpModel, ListedModel, Stop, is_loopback, list_models};
use super::{ChatModel, Message, ModelError, ModelRequest, Refusal, Sampling, ToolDef, Wait};
use crate::config::ModelEntry;
use crate::secret::Keys;

/// What is checked, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum CheckKind {
    /// The server, or the proxy before it, takes a connection.
    Reach,
    /// The connection is encrypted, and the certificate holds.
    Tls,
    /// The key is accepted.
    Key,
    /// The model exists.
    Model,
    /// It answers in one piece.
    Answer,
    /// It streams its answer.
    Stream,
    /// It calls a tool.
    Tool,
}

impl CheckKind {
    pub const ALL: [Self; 7] = [Self::Reach, Self::Tls, Self::Key, Self::Model, Self::Answer, Self::Stream, Self::Tool];
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum CheckState {
    Passed,
    /// It can be used, but not as one would expect.
    Warned,
    Failed,
    /// It was not checked; the text says why.
    Skipped,
}

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Check {
    pub kind: CheckKind,
    pub state: CheckState,
    /// What was found, in a sentence.
    pub text: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// What the server said, capped and without the key.
    pub raw: Option<String>,
    /// Milliseconds; `null` where another check told.
    pub took: Option<u32>,
}

/// Checks a model; gives each finding as it is there. Dropping the stream ends it.
pub fn check(entry: &ModelEntry, http: Http, keys: Arc<dyn Keys>) -> BoxStream<'static, Check> {
    let checkup =
        Checkup { entry: entry.clone(), http, keys, list: None, whole: None, over: None, words: Some(ANSWER_TOKENS) };
    stream::unfold((checkup, CheckKind::ALL.into_iter()), async |(mut checkup, mut left)| {
        let check = checkup.next(left.next()?).await;
        Some((check, (checkup, left)))
    })
    .boxed()
}

/// Tokens of an answer, which is one word; and of one that calls a tool.
const ANSWER_TOKENS: u32 = 32;
const CALL_TOKENS: u32 = 64;

/// Bytes of what a server said that a finding keeps.
const RAW_LIMIT: usize = 16 * 1024;

/// Characters of an answer that a finding quotes.
const QUOTE_LIMIT: usize = 60;

struct Checkup {
    entry: ModelEntry,
    http: Http,
    keys: Arc<dyn Keys>,
    /// What came of asking for the list of models.
    list: Option<Timed<Result<Vec<ListedModel>, ModelError>>>,
    /// What came of asking for an answer in one piece.
    whole: Option<Timed<Result<Answered, ModelError>>>,
    /// The check that failed, after which the others make no sense.
    over: Option<CheckKind>,
    /// How long answers may be, if the server takes that at all.
    words: Option<u32>,
}

#[derive(Clone)]
struct Timed<T> {
    value: T,
    took: u32,
}

impl Checkup {
    async fn next(&mut self, kind: CheckKind) -> Check {
        if let Some(over) = self.over {
            return Check::skipped(kind, format!("not checked, because {} failed", over.phrase()));
        }
        let check = match kind {
            CheckKind::Reach => self.reach().await,
            CheckKind::Tls => self.tls().await,
            CheckKind::Key => self.key().await,
            CheckKind::Model => self.model().await,
            CheckKind::Answer => self.answer().await,
            CheckKind::Stream => self.stream().await,
            CheckKind::Tool => self.tool().await,
        };
        let may_go_on = matches!(kind, CheckKind::Answer | CheckKind::Stream | CheckKind::Tool);
        if check.state == CheckState::Failed && !may_go_on {
            self.over = Some(kind);
        }
        check
    }

    async fn reach(&mut self) -> Check {
        let kind = CheckKind::Reach;
        let url = match self.url() {
            Ok(url) => url,
            Err(error) => return Check::failed(kind, &error, None),
        };
        let stop = match self.http.first_stop(&url) {
            Ok(stop) => stop,
            Err(error) => return Check::failed(kind, &error, None),
        };
        let patience = Duration::from_secs(self.entry.timeouts.connect.into());
        let Timed { value: reached, took } = timed(connected(&stop, patience, &self.entry.base_url)).await;
        match reached {
            Ok(()) => Check::passed(kind, format!("{}:{} takes connections", stop.host, stop.port), Some(took)),
            Err(error) if stop.is_sure => Check::failed(kind, &error, Some(took)),
            // The system's settings may know a way that a connection of our own does not.
            Err(_) => {
                let Timed { value, took } = self.list().await;
                match value {
                    Err(error) if is_out_of_reach(&error) => Check::failed(kind, &error, Some(took)),
                    Ok(_) | Err(_) => {
                        Check::passed(kind, "the server is reached by the system's proxy".to_owned(), Some(took))
                    }
                }
            }
        }
    }

    async fn tls(&mut self) -> Check {
        let kind = CheckKind::Tls;
        match self.url() {
            Ok(url) if url.scheme() == "https" => {}
            Ok(url) if is_loopback(&url) => {
                return Check::skipped(kind, "not needed: the server is on this machine".to_owned());
            }
            Ok(_) | Err(_) => {
                let what = if self.entry.key.is_some() { "the key and all that is sent" } else { "all that is sent" };
                return Check {
                    state: CheckState::Warned,
                    hint: Some("use an address that begins with https, if the server has one".to_owned()),
                    ..Check::skipped(kind, format!("nothing is encrypted: others may read {what}"))
                };
            }
        }
        let Timed { value, took } = self.list().await;
        match value {
            Err(error) if is_out_of_reach(&error) || matches!(error, ModelError::Setting { .. }) => {
                Check::failed(kind, &error, Some(took))
            }
            Ok(_) | Err(_) => Check::passed(kind, "the certificate holds".to_owned(), Some(took)),
        }
    }

    async fn key(&mut self) -> Check {
        let kind = CheckKind::Key;
        let listed = self.list().await;
        if let Err(error) = &listed.value
            && (is_about_key(error) || is_out_of_reach(error) || matches!(error, ModelError::Setting { .. }))
        {
            return Check::failed(kind, error, Some(listed.took));
        }
        // Many servers list their models to everybody.
        let whole = self.whole().await;
        match (&whole.value, self.entry.key.is_some()) {
            (Err(error), _) if is_about_key(error) => Check::failed(kind, error, Some(whole.took)),
            (Ok(_), true) => Check::passed(kind, "the key is accepted".to_owned(), Some(whole.took)),
            (Ok(_), false) => Check::passed(kind, "the server asks for no key".to_owned(), Some(whole.took)),
            (Err(_), _) if listed.value.is_ok() => {
                Check::passed(kind, "the server lists its models".to_owned(), Some(listed.took))
            }
            (Err(_), _) => Check::skipped(kind, "the server gave no answer to tell by".to_owned()),
        }
    }

    async fn model(&mut self) -> Check {
        let kind = CheckKind::Model;
        let name = self.entry.model.clone();
        let listed = self.list().await.value.unwrap_or_default();
        let whole = self.whole().await;
        let is_listed = listed.iter().any(|model| model.id == name);
        match &whole.value {
            Err(error @ ModelError::Refused { refusal: Refusal::Model, .. }) => {
                let check = Check::failed(kind, error, None);
                Check { hint: nearest(&name, &listed).or(check.hint), ..check }
            }
            _ if is_listed => {
                Check::passed(kind, format!("`{name}` is one of {} models that the server lists", listed.len()), None)
            }
            Ok(_) if listed.is_empty() => Check::passed(kind, format!("the server answers for `{name}`"), None),
            Ok(_) => Check {
                state: CheckState::Warned,
                hint: nearest(&name, &listed),
                ..Check::passed(kind, format!("the server answers for `{name}`, but does not list it"), None)
            },
            Err(_) => Check::skipped(kind, "the server gave no answer to tell by".to_owned()),
        }
    }

    async fn answer(&mut self) -> Check {
        let kind = CheckKind::Answer;
        let whole = self.whole().await;
        match &whole.value {
            Ok(answered) => Check::passed(kind, said(answered), Some(whole.took)),
            Err(error) if self.entry.stream && may_do_better_streamed(error) => Check {
                state: CheckState::Warned,
                hint: Some("runs stream this model's answers, so this may not matter".to_owned()),
                ..Check::failed(kind, error, Some(whole.took))
            },
            Err(error) => {
                self.over = Some(kind);
                Check::failed(kind, error, Some(whole.took))
            }
        }
    }

    async fn stream(&mut self) -> Check {
        let kind = CheckKind::Stream;
        if !self.entry.stream {
            return Check::skipped(kind, "`stream` is `false` for this model".to_owned());
        }
        let Timed { value, took } = timed(self.ask(true, ask_for_a_word())).await;
        match value {
            Ok(answered) => Check::passed(kind, said(&answered), Some(took)),
            Err(error) => {
                self.over = Some(kind);
                let hint = "set `stream: false` for the model in models.yaml".to_owned();
                let check = Check::failed(kind, &error, Some(took));
                let whole_answers = self.whole.as_ref().is_some_and(|whole| whole.value.is_ok());
                if whole_answers { Check { hint: Some(hint), ..check } } else { check }
            }
        }
    }

    async fn tool(&mut self) -> Check {
        let kind = CheckKind::Tool;
        if !self.entry.tools {
            return Check::skipped(kind, "`tools` is `false` for this model".to_owned());
        }
        let Timed { value, took } = timed(self.ask(self.entry.stream, ask_for_a_call())).await;
        let answered = match value {
            Ok(answered) => answered,
            Err(error) => return Check::failed(kind, &error, Some(took)),
        };
        let warned = |text: String| Check {
            state: CheckState::Warned,
            hint: Some("run it once and see; skills are of use only to models that call tools".to_owned()),
            ..Check::passed(kind, text, Some(took))
        };
        let Some(call) = answered.message.calls().next() else {
            return warned(format!("it was asked to call a tool and called none: {}", said(&answered)));
        };
        match serde_json::from_str::<Value>(&call.arguments) {
            Ok(Value::Object(_)) if call.name == TOOL => {
                Check::passed(kind, format!("it called the tool: {TOOL} {}", quoted(&call.arguments)), Some(took))
            }
            Ok(_) | Err(_) => warned(format!(
                "it called a tool, but not as it should: {} {}",
                quoted(&call.name),
                quoted(&call.arguments)
            )),
        }
    }

    fn url(&self) -> Result<Url, ModelError> {
        let url = self.entry.provider.url(&self.entry.base_url);
        Url::parse(&url).map_err(|error| ModelError::Unreachable { url, reason: error.to_string() })
    }

    async fn list(&mut self) -> Timed<Result<Vec<ListedModel>, ModelError>> {
        if let Some(list) = &self.list {
            return list.clone();
        }
        let list = timed(list_models(&self.entry, self.http.clone(), self.keys.clone())).await;
        self.list.insert(list).clone()
    }

    async fn whole(&mut self) -> Timed<Result<Answered, ModelError>> {
        if let Some(whole) = &self.whole {
            return whole.clone();
        }
        let mut whole = timed(self.ask(false, ask_for_a_word())).await;
        if let (Err(error), Some(_)) = (&whole.value, self.words)
            && is_about_length(error)
        {
            // Newer models of OpenAI refuse the parameter, and with it a request that costs nothing.
            self.words = None;
            whole = timed(self.ask(false, ask_for_a_word())).await;
        }
        self.whole.insert(whole).clone()
    }

    async fn ask(&self, stream: bool, mut request: ModelRequest) -> Result<Answered, ModelError> {
        let mut entry = ModelEntry { stream, ..self.entry.clone() };
        entry.parameters.max_tokens = None;
        request.parameters.max_tokens = match (self.words, thinking_budget(&entry)) {
            (Some(_), Some(budget)) => request.parameters.max_tokens.map(|words| words.saturating_add(budget)),
            (Some(_), None) => request.parameters.max_tokens.filter(|_| !says_length(&entry)),
            (None, _) => None,
        };
        let model = HttpModel::new(&entry, self.http.clone(), self.keys.clone()).once();
        let mut events = model.send(&model.encode(&request), &request);
        let mut answer = Answer::new(0);
        while let Some(event) = events.next().await {
            answer.push(&event?);
        }
        if answer.is_nothing() { Err(ModelError::Silent) } else { Ok(answer.finish()) }
    }
}

impl Check {
    fn passed(kind: CheckKind, text: String, took: Option<u32>) -> Self {
        Self { kind, state: CheckState::Passed, text, hint: None, raw: None, took }
    }

    fn skipped(kind: CheckKind, text: String) -> Self {
        Self { kind, state: CheckState::Skipped, text, hint: None, raw: None, took: None }
    }

    fn failed(kind: CheckKind, error: &ModelError, took: Option<u32>) -> Self {
        let raw = error.raw();
        let raw = (!raw.is_empty()).then(|| raw[..raw.floor_char_boundary(RAW_LIMIT)].to_owned());
        Self { kind, state: CheckState::Failed, text: error.to_string(), hint: error.next_step(), raw, took }
    }
}

impl CheckKind {
    fn phrase(self) -> &'static str {
        match self {
            Self::Reach => "reaching the server",
            Self::Tls => "the encrypted connection",
            Self::Key => "the key",
            Self::Model => "the model",
            Self::Answer => "answering",
            Self::Stream => "streaming",
            Self::Tool => "calling a tool",
        }
    }
}

/// The tool that a model is to call.
const TOOL: &str = "report_number";

fn ask_for_a_word() -> ModelRequest {
    ModelRequest {
        messages: vec![Message::user("Answer with the one word: ready")],
        parameters: Sampling { temperature: None, max_tokens: Some(ANSWER_TOKENS) },
        ..ModelRequest::default()
    }
}

fn ask_for_a_call() -> ModelRequest {
    let tool = ToolDef {
        name: TOOL.to_owned(),
        description: "Reports a number to the user.".to_owned(),
        parameters: json!({
            "type": "object",
            "properties": {"number": {"type": "integer", "description": "The number to report."}},
            "required": ["number"],
        }),
    };
    ModelRequest {
        messages: vec![Message::user(format!("Call the tool {TOOL} with the number 7. Say nothing else."))],
        tools: vec![tool],
        parameters: Sampling { temperature: None, max_tokens: Some(CALL_TOKENS) },
        ..ModelRequest::default()
    }
}

async fn connected(stop: &Stop, patience: Duration, base: &str) -> Result<(), ModelError> {
    let unreachable = |reason: String| ModelError::Unreachable { url: base.to_owned(), reason };
    let connect = async {
        let addresses: Vec<_> = match lookup_host((stop.host.as_str(), stop.port)).await {
            Ok(addresses) => addresses.collect(),
            Err(error) => return Err(unreachable(format!("no address is known for `{}` ({error})", stop.host))),
        };
        let connected = TcpStream::connect(&addresses[..]).await;
        connected.map(drop).map_err(|error| unreachable(format!("{}:{}: {error}", stop.host, stop.port)))
    };
    tokio::time::timeout(patience, connect).await.unwrap_or_else(|_| {
        let (url, seconds) = (base.to_owned(), patience.as_secs());
        Err(ModelError::Timeout { url, wait: Wait::Connect, seconds, raw: String::new() })
    })
}

async fn timed<T>(work: impl Future<Output = T>) -> Timed<T> {
    let start = Instant::now();
    let value = work.await;
    Timed { value, took: u32::try_from(start.elapsed().as_millis()).unwrap_or(u32::MAX) }
}

fn is_out_of_reach(error: &ModelError) -> bool {
    matches!(
        error,
        ModelError::Unreachable { .. }
            | ModelError::Certificate { .. }
            | ModelError::Timeout { wait: Wait::Connect, .. }
    )
}

fn is_about_key(error: &ModelError) -> bool {
    matches!(error, ModelError::Key { .. } | ModelError::Refused { refusal: Refusal::Key, .. })
}

fn is_about_length(error: &ModelError) -> bool {
    let ModelError::Refused { status: Some(400 | 422), reason, .. } = error else { return false };
    ["max_tokens", "max_completion_tokens", "max_output_tokens"].iter().any(|name| reason.contains(name))
}

/// Not where nothing would be another way: no money is left, or nobody is there.
fn may_do_better_streamed(error: &ModelError) -> bool {
    match error {
        ModelError::Refused { refusal, .. } => matches!(refusal, Refusal::Other),
        ModelError::Broken { .. } | ModelError::Malformed { .. } | ModelError::Silent => true,
        ModelError::Timeout { wait, .. } => *wait == Wait::Total,
        ModelError::Unreachable { .. }
        | ModelError::Certificate { .. }
        | ModelError::Key { .. }
        | ModelError::Setting { .. }
        | ModelError::Recorded { .. } => false,
    }
}

/// The entry itself says in its body how long answers may be.
fn says_length(entry: &ModelEntry) -> bool {
    ["max_tokens", "max_completion_tokens", "max_output_tokens"].iter().any(|name| entry.body.contains_key(*name))
}

/// Anthropic's models may think for so many tokens, which an answer's length must be above.
fn thinking_budget(entry: &ModelEntry) -> Option<u32> {
    let budget = entry.body.get("thinking")?["budget_tokens"].as_u64()?;
    u32::try_from(budget).ok()
}

/// A sentence about what a model answered.
fn said(answered: &Answered) -> String {
    let text = answered.message.text();
    match (text.trim(), answered.message.calls().next()) {
        ("", Some(call)) => format!("it called {}", quoted(&call.name)),
        ("", None) => "it answered, though without a word in the few tokens it had".to_owned(),
        (text, _) => format!("it answered {}", quoted(text)),
    }
}

fn quoted(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(QUOTE_LIMIT) {
        Some((at, _)) => format!("“{}…”", &text[..at]),
        None => format!("“{text}”"),
    }
}

/// Where another name of the list may be the one meant.
fn nearest(name: &str, listed: &[ListedModel]) -> Option<String> {
    let (name, bare) = (name.to_lowercase(), |id: &str| id.to_lowercase());
    let near = |model: &&ListedModel| {
        let id = bare(&model.id);
        id.contains(&name) || name.contains(&id) || strsim::normalized_levenshtein(&id, &name) > 0.6
    };
    let ids: Vec<String> = listed.iter().filter(near).take(5).map(|model| format!("`{}`", model.id)).collect();
    (!ids.is_empty())
        .then(|| format!("set `model` in models.yaml to one that the server lists, e.g. {}", ids.join(", ")))
}
