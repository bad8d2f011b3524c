//! Whether a model can be used: the way to it, checked step by step, in at most four requests, which a model
//! answers in a few tokens unless it thinks.

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
use wording::{Message as Words, Wording, message};

use super::answer::{Answer, Answered};
use super::http::{Http, HttpModel, ListedModel, Stop, base_url, is_loopback, list_models};
use super::{
    ChatModel, FinishReason, Message, ModelError, ModelRequest, Refusal, Sampling, ToolDef, ToolResult, Wait, address,
};
use crate::entry::ModelEntry;
use crate::protocol::Protocol;
use crate::secret::{DISTINCT, Keys};

/// The checks, in this order.
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

/// The outcome of a check.
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

/// What one check found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Check {
    pub kind: CheckKind,
    pub state: CheckState,
    pub found: Finding,
    pub advice: Option<Advice>,
    /// What was found, in a sentence.
    pub text: String,
    /// What to do about it: the advice, or the next step of the error that was found.
    pub hint: Option<String>,
    /// What the server said, capped and without the key.
    pub raw: Option<String>,
    /// Milliseconds; `null` where another check told.
    pub took: Option<u32>,
}

impl Check {
    /// What to do about it, as `hint` says it.
    pub fn next_step(&self) -> Option<Words> {
        match (&self.advice, &self.found) {
            (Some(advice), _) => Some(advice.worded()),
            (None, Finding::Failed { error }) => error.next_step(),
            (None, _) => None,
        }
    }
}

/// `Display` is a sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[error("{}", self.worded().en)]
pub enum Finding {
    Connects {
        host: String,
        port: u16,
    },
    ReachedByProxy,
    OnThisMachine,
    /// `key`: a key is sent, too.
    Unencrypted {
        key: bool,
    },
    CertificateHolds,
    KeyAccepted,
    KeyShort {
        length: usize,
    },
    NoKeyAsked,
    ModelsListed,
    NothingToTellBy,
    Listed {
        model: String,
        count: usize,
    },
    AnswersFor {
        model: String,
    },
    NotListed {
        model: String,
    },
    Answered {
        said: Said,
    },
    PerhapsCut {
        said: Said,
    },
    CalledTool {
        tool: String,
        arguments: String,
    },
    CalledNone {
        said: Said,
    },
    CutShort {
        tokens: u32,
        said: Said,
    },
    NotAfterResult {
        tool: String,
        arguments: String,
        error: ModelError,
    },
    Refused {
        said: Said,
    },
    CalledWrongly {
        tool: String,
        arguments: String,
    },
    /// `models.yaml` says that the model does not do it.
    SwitchedOff {
        setting: String,
    },
    NotChecked {
        after: CheckKind,
    },
    Failed {
        error: ModelError,
    },
}

impl Finding {
    /// What was found, as a line below the name of its check.
    pub fn worded(&self) -> Words {
        match self {
            Self::Connects { host, port } => {
                message!("{host}:{port} accepts connections", "{host}:{port} 接受连接")
            }
            Self::ReachedByProxy => {
                message!("the server is reached through the system's proxy", "通过系统代理连到了服务器")
            }
            Self::OnThisMachine => {
                message!("not needed: the server is on this machine", "不需要：服务器就在本机")
            }
            Self::Unencrypted { key: true } => message!(
                "nothing is encrypted: others may read the key and all that is sent",
                "没有加密：密钥和发送的一切都可能被他人读到"
            ),
            Self::Unencrypted { key: false } => message!(
                "nothing is encrypted: others may read all that is sent",
                "没有加密：发送的一切都可能被他人读到"
            ),
            Self::CertificateHolds => message!("the certificate is valid", "证书有效"),
            Self::KeyAccepted => message!("the key is accepted", "密钥被接受"),
            // What is shown instead if the server repeats it.
            Self::KeyShort { length: length @ 0..4 } => message!(
                "the key is accepted, but has only {length} characters: answers that repeat it are stored with it",
                "密钥被接受，但只有 {length} 个字符：回答中出现的密钥会原样保存"
            ),
            Self::KeyShort { length } => message!(
                "the key is accepted, but has only {length} characters: if an answer contains it as a word of its own, \
                 `[key]` replaces it",
                "密钥被接受，但只有 {length} 个字符：回答中单独出现的这个词会显示为 `[key]`"
            ),
            Self::NoKeyAsked => message!("the server does not ask for a key", "服务器不要求密钥"),
            Self::ModelsListed => message!("the server lists its models", "服务器列出了它的模型"),
            Self::NothingToTellBy => {
                message!("the server's answer was inconclusive", "服务器没有给出可据以判断的回答")
            }
            Self::Listed { model, count: 1 } => {
                message!("`{model}` is the only model that the server lists", "`{model}` 是服务器列出的唯一模型")
            }
            Self::Listed { model, count } => message!(
                "`{model}` is one of {count} models that the server lists",
                "`{model}` 在服务器列出的 {count} 个模型之中"
            ),
            Self::AnswersFor { model } => message!("the server answers for `{model}`", "服务器能以 `{model}` 回答"),
            Self::NotListed { model } => message!(
                "the server answers for `{model}`, but does not list it",
                "服务器能以 `{model}` 回答，但未将其列出"
            ),
            Self::Answered { said } => said.worded(),
            Self::PerhapsCut { said } => {
                let said = said.worded();
                message!(
                    "{said}, but nothing says that it is over, so it may be cut off",
                    "{said}，但没有任何内容表明回答已经结束，因此它可能被截断";
                    said
                )
            }
            Self::CalledTool { tool, arguments } => {
                message!("it called the tool: {tool} {arguments}", "它调用了工具：{tool} {arguments}")
            }
            Self::CalledNone { said } => {
                let said = said.worded();
                message!(
                    "it was asked to call a tool, but did not: {said}",
                    "要求它调用工具，但它没有调用：{said}";
                    said
                )
            }
            Self::CutShort { tokens, said } => {
                let said = said.worded();
                message!(
                    "it called no tool, because the limit of {tokens} tokens ended its answer: {said}",
                    "它没有调用工具，因为回答达到了 {tokens} token 的上限：{said}";
                    said
                )
            }
            Self::NotAfterResult { tool, arguments, error } => {
                let error = error.worded();
                message!(
                    "it called the tool: {tool} {arguments}; asked again with the tool's result, {error}",
                    "它调用了工具：{tool} {arguments}；带着工具结果再次询问时，{error}";
                    error
                )
            }
            Self::Refused { said } => {
                let said = said.worded();
                message!(
                    "it refused to answer, or the provider filtered its answer: {said}",
                    "它拒绝回答，或提供商过滤了它的回答：{said}";
                    said
                )
            }
            Self::CalledWrongly { tool, arguments } => message!(
                "it called a tool, but not as asked: {tool} {arguments}",
                "它调用了工具，但方式不对：{tool} {arguments}"
            ),
            Self::SwitchedOff { setting } => {
                message!("`{setting}` is `false` for this model", "此模型的 `{setting}` 为 `false`")
            }
            Self::NotChecked { after } => {
                let what = after.failed();
                message!("not checked, because {what} failed", "未检查：{what}"; what)
            }
            Self::Failed { error } => error.worded(),
        }
    }
}

/// An answer, cut if it is long.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[error("{}", self.worded().en)]
pub enum Said {
    Text { text: String },
    Call { tool: String },
    Nothing,
}

/// Advice that is not the next step of an error. `Display` is a sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[error("{}", self.worded().en)]
pub enum Advice {
    UseHttps,
    ChooseModel { models: Vec<String> },
    StreamMayDo,
    DoNotStream,
    LeaveKeyOut,
    AskProvider,
    RunAndSee,
}

impl Said {
    /// A clause about the model, which is `it`.
    pub fn worded(&self) -> Words {
        match self {
            Self::Text { text } => message!("it answered {text}", "它回答了 {text}"),
            Self::Call { tool } => message!("it called {tool}", "它调用了 {tool}"),
            Self::Nothing => message!(
                "it answered, but said nothing in the few tokens it had",
                "它作了回答，但在有限的 token 内没有说出任何内容"
            ),
        }
    }
}

impl Advice {
    /// A sentence that tells the user what to do.
    pub fn worded(&self) -> Words {
        match self {
            Self::UseHttps => message!(
                "use an address that begins with https, if the server has one",
                "如果服务器提供，请使用以 https 开头的地址"
            ),
            Self::ChooseModel { models } => {
                let models = models.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>();
                let models = Words { en: models.join(", "), zh: models.join("、") };
                message!(
                    "set `model` in models.yaml to one that the server lists, e.g. {models}",
                    "请将 models.yaml 中的 `model` 改为服务器列出的模型，例如 {models}";
                    models
                )
            }
            Self::StreamMayDo => message!(
                "runs stream this model's answers, so this may not matter",
                "运行时会以流式接收此模型的回答，因此这可能无关紧要"
            ),
            Self::DoNotStream => message!(
                "set `stream: false` for the model in models.yaml",
                "请在 models.yaml 中为该模型设置 `stream: false`"
            ),
            Self::LeaveKeyOut => message!(
                "if the server needs no key, leave out `key`; otherwise use a longer one",
                "如果服务器不需要密钥，请去掉 `key`；否则请使用更长的密钥"
            ),
            Self::AskProvider => message!(
                "ask the provider, or use another server; a run waits for you at each such answer",
                "请询问提供商，或换用其他服务器；运行时每遇到这样的回答都会等待你"
            ),
            Self::RunAndSee => message!(
                "run it once and see; skills are only useful to models that call tools",
                "请运行一次看看；技能只对会调用工具的模型有用"
            ),
        }
    }
}

/// Checks a model; gives each finding as it is there. Dropping the stream ends it.
pub fn check(entry: &ModelEntry, http: Http, keys: Arc<dyn Keys>) -> BoxStream<'static, Check> {
    let checkup = Checkup::new(entry, http, keys);
    stream::unfold((checkup, CheckKind::ALL.into_iter()), async |(mut checkup, mut left)| {
        let check = checkup.next(left.next()?).await;
        Some((check, (checkup, left)))
    })
    .boxed()
}

/// Tokens of an answer, which is one word; and of one that calls a tool, before which a model may think.
const ANSWER_TOKENS: u32 = 32;
const CALL_TOKENS: u32 = 2048;

/// Bytes of what a server said that a finding keeps.
const RAW_LIMIT: usize = 16 * 1024;

/// Characters of an answer that a finding quotes.
const QUOTE_LIMIT: usize = 60;

struct Checkup {
    entry: ModelEntry,
    http: Http,
    keys: Arc<dyn Keys>,
    /// The result of asking for the list of models.
    list: Option<Timed<Result<Vec<ListedModel>, ModelError>>>,
    /// The same without the key, if the key is not available.
    way: Option<Timed<Result<Vec<ListedModel>, ModelError>>>,
    /// The result of asking for an answer in one piece.
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
    fn new(entry: &ModelEntry, http: Http, keys: Arc<dyn Keys>) -> Self {
        let (entry, words) = (entry.clone(), Some(ANSWER_TOKENS));
        Self { entry, http, keys, list: None, way: None, whole: None, over: None, words }
    }

    async fn next(&mut self, kind: CheckKind) -> Check {
        if let Some(over) = self.over {
            return Check::skipped(kind, Finding::NotChecked { after: over });
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
            Ok(()) => Check::passed(kind, Finding::Connects { host: stop.host, port: stop.port }, Some(took)),
            Err(error) if stop.is_sure => Check::failed(kind, &error, Some(took)),
            // The system's settings may know a way that a connection of our own does not.
            Err(_) => {
                let Timed { value, took } = self.way().await;
                match value {
                    Err(error) if is_out_of_reach(&error) || matches!(error, ModelError::Setting { .. }) => {
                        Check::failed(kind, &error, Some(took))
                    }
                    Ok(_) | Err(_) => Check::passed(kind, Finding::ReachedByProxy, Some(took)),
                }
            }
        }
    }

    async fn tls(&mut self) -> Check {
        let kind = CheckKind::Tls;
        match self.url() {
            Ok(url) if url.scheme() == "https" => {}
            Ok(url) if is_loopback(&url) => {
                return Check::skipped(kind, Finding::OnThisMachine);
            }
            Ok(_) | Err(_) => {
                let found = Finding::Unencrypted { key: self.entry.credentials().is_some() };
                return Check { state: CheckState::Warned, ..Check::skipped(kind, found).advised(Advice::UseHttps) };
            }
        }
        let Timed { value, took } = self.way().await;
        match value {
            Err(error) if is_out_of_reach(&error) || matches!(error, ModelError::Setting { .. }) => {
                Check::failed(kind, &error, Some(took))
            }
            Ok(_) | Err(_) => Check::passed(kind, Finding::CertificateHolds, Some(took)),
        }
    }

    async fn key(&mut self) -> Check {
        let kind = CheckKind::Key;
        let listed = self.list().await;
        if let Err(error) = &listed.value
            && !self.may_not_list(error)
            && (is_about_key(error) || is_out_of_reach(error) || matches!(error, ModelError::Setting { .. }))
        {
            return Check::failed(kind, error, Some(listed.took));
        }
        // Many servers list their models to everybody.
        let whole = self.whole().await;
        match (&whole.value, self.entry.credentials().is_some()) {
            (Err(error), _) if is_about_key(error) => Check::failed(kind, error, Some(whole.took)),
            (Ok(_), true) => match self.key_length().await.filter(|length| *length < DISTINCT) {
                Some(length) => {
                    let check = Check::passed(kind, Finding::KeyShort { length }, Some(whole.took));
                    Check { state: CheckState::Warned, ..check.advised(Advice::LeaveKeyOut) }
                }
                None => Check::passed(kind, Finding::KeyAccepted, Some(whole.took)),
            },
            (Ok(_), false) => Check::passed(kind, Finding::NoKeyAsked, Some(whole.took)),
            (Err(_), _) if listed.value.is_ok() => Check::passed(kind, Finding::ModelsListed, Some(listed.took)),
            (Err(_), _) => Check::skipped(kind, Finding::NothingToTellBy),
        }
    }

    async fn model(&mut self) -> Check {
        let kind = CheckKind::Model;
        let model = self.entry.model.clone();
        let listed = self.list().await.value.unwrap_or_default();
        let whole = self.whole().await;
        let is_listed = listed.iter().any(|listed| listed.id == model);
        let nearest = nearest(&model, &listed);
        let advised = |check: Check| match nearest {
            Some(nearest) => check.advised(nearest),
            None => check,
        };
        match &whole.value {
            Err(error @ ModelError::Refused { refusal: Refusal::Model, .. }) => {
                advised(Check::failed(kind, error, None))
            }
            _ if is_listed => Check::passed(kind, Finding::Listed { model, count: listed.len() }, None),
            Ok(_) if listed.is_empty() => Check::passed(kind, Finding::AnswersFor { model }, None),
            Ok(_) => {
                let check = advised(Check::passed(kind, Finding::NotListed { model }, None));
                Check { state: CheckState::Warned, ..check }
            }
            Err(_) => Check::skipped(kind, Finding::NothingToTellBy),
        }
    }

    async fn answer(&mut self) -> Check {
        let kind = CheckKind::Answer;
        let whole = self.whole().await;
        match &whole.value {
            Ok(answered) if self.entry.stream && is_cut(answered) => Check {
                state: CheckState::Warned,
                ..Check::cut(kind, answered, whole.took).advised(Advice::StreamMayDo)
            },
            Ok(answered) if is_cut(answered) => Check::cut(kind, answered, whole.took),
            Ok(answered) if is_refused(answered) => Check::refused(kind, answered, whole.took),
            Ok(answered) => Check::passed(kind, Finding::Answered { said: said(answered) }, Some(whole.took)),
            Err(error) if self.entry.stream && may_do_better_streamed(error) => Check {
                state: CheckState::Warned,
                ..Check::failed(kind, error, Some(whole.took)).advised(Advice::StreamMayDo)
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
            return Check::skipped(kind, Finding::SwitchedOff { setting: "stream".to_owned() });
        }
        let Timed { value, took } = timed(self.ask(true, ask_for_a_word())).await;
        match value {
            Ok(answered) if is_cut(&answered) => Check::cut(kind, &answered, took),
            Ok(answered) if is_refused(&answered) => Check::refused(kind, &answered, took),
            Ok(answered) => Check::passed(kind, Finding::Answered { said: said(&answered) }, Some(took)),
            Err(error) => {
                self.over = Some(kind);
                let check = Check::failed(kind, &error, Some(took));
                let whole_answers = self.whole.as_ref().is_some_and(|whole| whole.value.is_ok());
                if whole_answers { check.advised(Advice::DoNotStream) } else { check }
            }
        }
    }

    async fn tool(&mut self) -> Check {
        let kind = CheckKind::Tool;
        if !self.entry.tools {
            return Check::skipped(kind, Finding::SwitchedOff { setting: "tools".to_owned() });
        }
        let Timed { value, took } = timed(self.ask(self.entry.stream, ask_for_a_call())).await;
        let answered = match value {
            Ok(answered) => answered,
            Err(error) => return Check::failed(kind, &error, Some(took)),
        };
        if is_cut(&answered) {
            return Check::cut(kind, &answered, took);
        }
        if is_refused(&answered) {
            return Check::refused(kind, &answered, took);
        }
        let warned = |found| Check {
            state: CheckState::Warned,
            ..Check::passed(kind, found, Some(took)).advised(Advice::RunAndSee)
        };
        let Some(call) = answered.message.calls().next() else {
            let said = said(&answered);
            return warned(match answered.finish {
                FinishReason::Length => Finding::CutShort { tokens: CALL_TOKENS, said },
                _ => Finding::CalledNone { said },
            });
        };
        let arguments = quoted(&call.arguments);
        match serde_json::from_str::<Value>(&call.arguments) {
            Ok(Value::Object(_)) if call.name == TOOL => self.after_result(&answered, arguments, took).await,
            Ok(_) | Err(_) => warned(Finding::CalledWrongly { tool: quoted(&call.name), arguments }),
        }
    }

    /// Asks again with the tool's result: some providers then miss what they sent before.
    async fn after_result(&self, answered: &Answered, arguments: String, took: u32) -> Check {
        let (kind, tool) = (CheckKind::Tool, TOOL.to_owned());
        let mut request = ask_for_a_call();
        request.messages.push(answered.message.clone());
        request.messages.extend(answered.message.calls().map(|call| {
            let (call_id, text) = (call.id.clone(), "The number was reported.".to_owned());
            Message::tool_result(ToolResult { call_id, text, wire: None, is_error: false })
        }));
        let again = timed(self.ask(self.entry.stream, request)).await;
        let took = took.saturating_add(again.took);
        match again.value {
            Ok(answered) if is_cut(&answered) => Check::cut(kind, &answered, took),
            Ok(answered) if is_refused(&answered) => Check::refused(kind, &answered, took),
            Ok(_) => Check::passed(kind, Finding::CalledTool { tool, arguments }, Some(took)),
            Err(error) => {
                let found = Finding::NotAfterResult { tool, arguments, error: error.without_raw() };
                let Check { text, .. } = Check::passed(kind, found.clone(), None);
                Check { found, text, ..Check::failed(kind, &error, Some(took)) }
            }
        }
    }

    fn url(&self) -> Result<Url, ModelError> {
        let base = base_url(&self.entry, &*self.keys);
        let url = self.entry.provider.url(&base, &self.entry.model, self.entry.stream);
        Url::parse(&url)
            .map_err(|error| ModelError::unreachable(&address::shown(&url), Words::quoted(error.to_string())))
    }

    /// The account may use models of Amazon Bedrock without the separate permission to list them.
    fn may_not_list(&self, error: &ModelError) -> bool {
        self.entry.provider == Protocol::Bedrock && matches!(error, ModelError::Refused { .. })
    }

    async fn key_length(&self) -> Option<usize> {
        let (key, keys) = (self.entry.credentials()?, self.keys.clone());
        let found = tokio::task::spawn_blocking(move || key.resolve(&*keys).map(|key| key.reveal().len()));
        found.await.ok()?.ok()
    }

    async fn list(&mut self) -> Timed<Result<Vec<ListedModel>, ModelError>> {
        if let Some(list) = &self.list {
            return list.clone();
        }
        let list = timed(list_models(&self.entry, self.http.clone(), self.keys.clone())).await;
        self.list.insert(list).clone()
    }

    /// The result of reaching the server: the list of models, asked for without the key if there is none.
    async fn way(&mut self) -> Timed<Result<Vec<ListedModel>, ModelError>> {
        let list = self.list().await;
        match (&list.value, &self.way) {
            // Nothing was asked.
            (Err(ModelError::Key { .. }), None) => {
                let base_url = base_url(&self.entry, &*self.keys);
                let mut provider = self.entry.provider;
                if provider == Protocol::Bedrock {
                    // Nothing is asked of it without a signature.
                    provider = Protocol::OpenAi;
                }
                let entry = ModelEntry { key: None, base_url, provider, ..self.entry.clone() };
                let way = timed(list_models(&entry, self.http.clone(), self.keys.clone())).await;
                self.way.insert(way).clone()
            }
            (Err(ModelError::Key { .. }), Some(way)) => way.clone(),
            (Ok(_) | Err(_), _) => list,
        }
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
    fn passed(kind: CheckKind, found: Finding, took: Option<u32>) -> Self {
        let text = found.to_string();
        Self { kind, state: CheckState::Passed, found, advice: None, text, hint: None, raw: None, took }
    }

    fn skipped(kind: CheckKind, found: Finding) -> Self {
        Self { state: CheckState::Skipped, ..Self::passed(kind, found, None) }
    }

    fn failed(kind: CheckKind, error: &ModelError, took: Option<u32>) -> Self {
        let raw = error.raw();
        let raw = (!raw.is_empty()).then(|| raw[..raw.floor_char_boundary(RAW_LIMIT)].to_owned());
        let found = Finding::Failed { error: error.without_raw() };
        Self {
            state: CheckState::Failed,
            hint: error.next_step().map(|hint| hint.en),
            raw,
            ..Self::passed(kind, found, took)
        }
    }

    /// Values that a run would not accept without a question.
    fn cut(kind: CheckKind, answered: &Answered, took: u32) -> Self {
        let found = Finding::PerhapsCut { said: said(answered) };
        Self { state: CheckState::Failed, ..Self::passed(kind, found, Some(took)).advised(Advice::AskProvider) }
    }

    fn refused(kind: CheckKind, answered: &Answered, took: u32) -> Self {
        let found = Finding::Refused { said: said(answered) };
        Self { state: CheckState::Failed, ..Self::passed(kind, found, Some(took)) }
    }

    fn advised(self, advice: Advice) -> Self {
        Self { hint: Some(advice.to_string()), advice: Some(advice), ..self }
    }
}

impl CheckKind {
    fn failed(self) -> Wording {
        match self {
            Self::Reach => Wording::new("reaching the server", "没有连到服务器"),
            Self::Tls => Wording::new("the encrypted connection", "连接不安全"),
            Self::Key => Wording::new("the key", "密钥未被接受"),
            Self::Model => Wording::new("the model", "没有找到模型"),
            Self::Answer => Wording::new("answering", "没有得到回答"),
            Self::Stream => Wording::new("streaming", "流式输出失败"),
            Self::Tool => Wording::new("calling a tool", "工具调用失败"),
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
    let base = address::shown(base);
    let connect = async {
        let addresses: Vec<_> = match lookup_host((stop.host.as_str(), stop.port)).await {
            Ok(addresses) => addresses.collect(),
            Err(error) => {
                let host = &stop.host;
                let reason =
                    message!("no address is known for `{host}` ({error})", "找不到 `{host}` 的地址（{error}）");
                return Err(ModelError::unreachable(&base, reason));
            }
        };
        let connected = TcpStream::connect(&addresses[..]).await;
        connected.map(drop).map_err(|error| {
            let (host, port, error) = (&stop.host, stop.port, wording::why(&error));
            let reason = message!("{host}:{port}: {error}", "{host}:{port}：{error}"; error);
            ModelError::unreachable(&base, reason)
        })
    };
    tokio::time::timeout(patience, connect).await.unwrap_or_else(|_| {
        let (url, seconds) = (base.clone(), patience.as_secs());
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
    ["max_tokens", "max_completion_tokens", "max_output_tokens"].iter().any(|name| reason.en.contains(name))
}

/// Not if streaming would change nothing: no money is left, or no server is there.
fn may_do_better_streamed(error: &ModelError) -> bool {
    match error {
        ModelError::Refused { refusal, .. } => matches!(refusal, Refusal::Other),
        ModelError::Broken { .. } | ModelError::Malformed { .. } | ModelError::Silent => true,
        ModelError::Timeout { wait, .. } => *wait == Wait::Total,
        ModelError::Unreachable { .. }
        | ModelError::Certificate { .. }
        | ModelError::TooMuch { .. }
        | ModelError::Key { .. }
        | ModelError::Setting { .. }
        | ModelError::Recorded { .. } => false,
    }
}

/// The entry itself says in its body how long answers may be.
fn says_length(entry: &ModelEntry) -> bool {
    let of_bedrock = entry.body.get("inferenceConfig").is_some_and(|config| config.get("maxTokens").is_some());
    let names = ["max_tokens", "max_completion_tokens", "max_output_tokens"];
    of_bedrock || names.iter().any(|name| entry.body.contains_key(*name))
}

/// Anthropic's models may think for so many tokens, which an answer's length must be above.
fn thinking_budget(entry: &ModelEntry) -> Option<u32> {
    let below = |fields: &Value| fields["thinking"]["budget_tokens"].as_u64();
    let own = entry.body.get("thinking").and_then(|thinking| thinking["budget_tokens"].as_u64());
    let budget = own.or_else(|| entry.body.get("additionalModelRequestFields").and_then(below))?;
    u32::try_from(budget).ok()
}

fn is_cut(answered: &Answered) -> bool {
    answered.finish == FinishReason::PerhapsCut
}

fn is_refused(answered: &Answered) -> bool {
    answered.finish == FinishReason::Filtered
}

/// A sentence about what a model answered.
fn said(answered: &Answered) -> Said {
    let text = answered.message.text();
    match (text.trim(), answered.message.calls().next()) {
        ("", Some(call)) => Said::Call { tool: quoted(&call.name) },
        ("", None) => Said::Nothing,
        (text, _) => Said::Text { text: quoted(text) },
    }
}

fn quoted(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(QUOTE_LIMIT) {
        Some((at, _)) => format!("“{}…”", &text[..at]),
        None => format!("“{text}”"),
    }
}

/// Advice, if another name of the list may be the one that is meant.
fn nearest(name: &str, listed: &[ListedModel]) -> Option<Advice> {
    let (name, bare) = (name.to_lowercase(), |id: &str| id.to_lowercase());
    let near = |model: &&ListedModel| {
        let id = bare(&model.id);
        id.contains(&name) || name.contains(&id) || strsim::normalized_levenshtein(&id, &name) > 0.6
    };
    let models: Vec<String> = listed.iter().filter(near).take(5).map(|model| model.id.clone()).collect();
    (!models.is_empty()).then_some(Advice::ChooseModel { models })
}
