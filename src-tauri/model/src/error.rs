//! What can go wrong between us and a model, and what to do about it.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use wording::{Message, message};

use super::Bound;
use crate::secret::KeyError;

/// `Display` is a plain sentence; `raw` is what the server said, and is kept apart wherever the error is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[error("{}", self.worded().en)]
pub enum ModelError {
    Unreachable {
        url: String,
        /// The proxy by which it was tried.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        proxy: Option<String>,
        reason: Message,
    },
    Certificate {
        url: String,
        reason: String,
    },
    Timeout {
        url: String,
        wait: Wait,
        #[ts(type = "number")]
        seconds: u64,
        #[serde(skip)]
        raw: String,
    },
    /// The server said no; in the middle of its answer if there is no `status`.
    Refused {
        url: String,
        status: Option<u16>,
        refusal: Refusal,
        reason: Message,
        #[serde(skip)]
        raw: String,
    },
    Broken {
        reason: Message,
        #[serde(skip)]
        raw: String,
    },
    Malformed {
        reason: Message,
        #[serde(skip)]
        raw: String,
    },
    /// The server sent more than an answer may have, and was cut off.
    TooMuch {
        bound: Bound,
        /// MiB, or a number of things.
        most: u32,
    },
    Silent,
    Key {
        why: KeyError,
    },
    /// Something in `models.yaml` that only its use shows to be wrong.
    Setting {
        setting: String,
        reason: Message,
    },
    /// A recorded model fails as the recorded one did, or has no answer left.
    Recorded {
        reason: Message,
        #[serde(skip)]
        raw: String,
    },
}

/// Which wait came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Wait {
    Connect,
    Idle,
    Total,
}

/// Why a server refuses, as far as the next step depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Refusal {
    /// The request does not fit into the model's context, or is more than the server takes.
    TooLong,
    /// The key is missing, wrong, or may not do this.
    Key,
    /// There is no such model, or not for this key.
    Model,
    /// Nothing is left to pay with.
    Quota,
    /// Too many requests, too much to do, or still starting.
    Busy,
    /// The model, or the server as it was started, takes no tools.
    Tools,
    /// Nothing of the kind is at this address.
    Address,
    /// The account may use the model only after somebody enables it.
    NotEnabled,
    /// The model can be used by the name of an inference profile only.
    Profile,
    /// The credentials were for a time that is over.
    Expired,
    /// The clock here is wrong, so that signatures do not hold.
    Clock,
    /// The request was signed for another region.
    Region,
    Other,
}

impl Bound {
    /// An error if there is more than may be.
    pub fn check(self, found: usize) -> Result<(), ModelError> {
        if found > self.limit().0 { Err(self.passed()) } else { Ok(()) }
    }

    /// The error when there is more.
    pub fn passed(self) -> ModelError {
        let (limit, unit) = self.limit();
        ModelError::TooMuch { bound: self, most: u32::try_from(limit / unit).unwrap_or(u32::MAX) }
    }
}

impl ModelError {
    /// By no proxy.
    pub(super) fn unreachable(url: &str, reason: Message) -> Self {
        Self::Unreachable { url: url.to_owned(), proxy: None, reason }
    }

    /// What went wrong, in one sentence.
    pub fn worded(&self) -> Message {
        match self {
            Self::Unreachable { url, proxy: None, reason } => {
                message!("cannot reach {url}: {reason}", "无法连接 {url}：{reason}"; reason)
            }
            Self::Unreachable { url, proxy: Some(proxy), reason } => message!(
                "cannot reach {url} through the proxy {proxy}: {reason}",
                "无法通过代理 {proxy} 连接 {url}：{reason}";
                reason
            ),
            Self::Certificate { url, reason } if is_of_an_authority(reason) => message!(
                "the certificate of {url} is not trusted: it is that of an authority, which a server must not show",
                "{url} 的证书不可信：它是证书颁发机构的证书，服务器不能出示这样的证书"
            ),
            Self::Certificate { url, reason } => {
                message!("the certificate of {url} is not trusted: {reason}", "{url} 的证书不可信：{reason}")
            }
            Self::Timeout { url, wait, seconds, .. } => wait.over(url, *seconds),
            Self::Refused { url, status: Some(status), reason, .. } => {
                message!("{url} answered {status}: {reason}", "{url} 返回 {status}：{reason}"; reason)
            }
            Self::Refused { status: None, reason, .. } | Self::Broken { reason, .. } => {
                message!("the answer broke off: {reason}", "回答中断：{reason}"; reason)
            }
            Self::Malformed { reason, .. } => {
                message!("the answer does not follow the protocol: {reason}", "回答不符合协议：{reason}"; reason)
            }
            Self::TooMuch { bound, most } => bound.exceeded(*most),
            Self::Silent => message!("the model's answer is empty", "模型的回答是空的"),
            Self::Key { why } => {
                let why = why.worded();
                message!("no key: {why}", "没有密钥：{why}"; why)
            }
            Self::Setting { setting, reason } => {
                message!(
                    "cannot use `{setting}` of models.yaml: {reason}",
                    "models.yaml 中的 `{setting}` 无法使用：{reason}";
                    reason
                )
            }
            Self::Recorded { reason, .. } => reason.clone(),
        }
    }

    /// What to do now, in one sentence; `None`: nothing that would help is known.
    pub fn next_step(&self) -> Option<Message> {
        let step = match self {
            Self::Unreachable { .. } => message!(
                "check that the server is running, that `baseUrl` in models.yaml is its address, and whether a proxy is \
                 needed (`network.proxy`)",
                "请检查服务器是否在运行、models.yaml 中的 `baseUrl` 是否是它的地址，以及是否需要代理（`network.proxy`）"
            ),
            Self::Certificate { reason, .. } if is_of_an_authority(reason) => message!(
                "if you made it yourself, as `openssl req -x509` does by default, make it again with `-addext \
                 basicConstraints=critical,CA:FALSE` and name it under `network.certificates` in models.yaml; naming this one does not \
                 help",
                "如果证书是你自己生成的（`openssl req -x509` 默认如此），请加上 `-addext basicConstraints=critical,CA:FALSE` 重新生成，并在 models.yaml 的 `network.certificates` 中写明；写明现在这一个没有用"
            ),
            Self::Certificate { .. } => message!(
                "if your own organisation signs the server's certificate, name its PEM file under `network.certificates` in \
                 models.yaml; otherwise do not send a key there",
                "如果证书由你自己的机构签发，请在 models.yaml 的 `network.certificates` 中写明其 PEM 文件；否则不要向它发送密钥"
            ),
            Self::Timeout { wait, .. } => {
                let (advice, word) = (wait.advice(), wait.word());
                message!(
                    "{advice}, or raise `timeouts.{word}` of the model in models.yaml",
                    "{advice}，或在 models.yaml 中调高该模型的 `timeouts.{word}`";
                    advice
                )
            }
            Self::Refused { refusal, .. } => return refusal.next_step(),
            Self::Broken { .. } | Self::Silent => message!(
                "run it again; a server that keeps doing this may not support `stream` or `tools`: set them to `false` for \
                 the model in models.yaml",
                "请重试；若一再如此，该服务器可能不支持 `stream` 或 `tools`：请在 models.yaml 中为该模型设为 `false`"
            ),
            Self::Malformed { .. } => message!(
                "check that `baseUrl` and `provider` in models.yaml fit the server",
                "请检查 models.yaml 中的 `baseUrl` 和 `provider` 是否与服务器相符"
            ),
            Self::TooMuch { .. } => message!(
                "run it again; a model that repeats itself may need `maxTokens` under `parameters` in models.yaml",
                "请重新运行；如果模型不断重复，请在 models.yaml 的 `parameters` 中设置 `maxTokens`"
            ),
            Self::Key { why } => return Some(why.hint()),
            Self::Setting { .. } => {
                message!("correct it in models.yaml and run again", "请在 models.yaml 中更正后重新运行")
            }
            Self::Recorded { .. } => return None,
        };
        Some(step)
    }

    /// What the server said, as far as it was kept.
    pub fn raw(&self) -> &str {
        match self {
            Self::Timeout { raw, .. }
            | Self::Refused { raw, .. }
            | Self::Broken { raw, .. }
            | Self::Malformed { raw, .. }
            | Self::Recorded { raw, .. } => raw,
            Self::Unreachable { .. }
            | Self::Certificate { .. }
            | Self::TooMuch { .. }
            | Self::Silent
            | Self::Key { .. }
            | Self::Setting { .. } => "",
        }
    }

    /// The error without what the server said.
    pub fn without_raw(&self) -> Self {
        self.clone().with_texts(|url| url, |line| line, |_| String::new())
    }

    /// The error with each of its texts changed: its addresses, its reasons, and its raw text.
    pub(super) fn with_texts(
        self,
        address: impl Fn(String) -> String,
        line: impl Fn(String) -> String,
        raw: impl Fn(String) -> String,
    ) -> Self {
        let both = |Message { en, zh }: Message| Message { en: line(en), zh: line(zh) };
        match self {
            Self::Unreachable { url, proxy, reason } => {
                Self::Unreachable { url: address(url), proxy: proxy.map(&address), reason: both(reason) }
            }
            Self::Certificate { url, reason } => Self::Certificate { url: address(url), reason: line(reason) },
            Self::Timeout { url, wait, seconds, raw: said } => {
                Self::Timeout { url: address(url), wait, seconds, raw: raw(said) }
            }
            Self::Refused { url, status, refusal, reason, raw: said } => {
                Self::Refused { url: address(url), status, refusal, reason: both(reason), raw: raw(said) }
            }
            Self::Broken { reason, raw: said } => Self::Broken { reason: both(reason), raw: raw(said) },
            Self::Malformed { reason, raw: said } => Self::Malformed { reason: both(reason), raw: raw(said) },
            Self::TooMuch { bound, most } => Self::TooMuch { bound, most },
            Self::Silent => Self::Silent,
            Self::Key { why } => Self::Key { why },
            Self::Setting { setting, reason } => Self::Setting { setting, reason: both(reason) },
            Self::Recorded { reason, raw: said } => Self::Recorded { reason: both(reason), raw: raw(said) },
        }
    }
}

/// As rustls says it of a certificate that may sign others.
fn is_of_an_authority(reason: &str) -> bool {
    reason.contains("CaUsedAsEndEntity")
}

impl Wait {
    fn over(self, url: &str, seconds: u64) -> Message {
        match self {
            Self::Connect => {
                message!("could not connect to {url} within {seconds} s", "{url} 在 {seconds} 秒内没有接受连接")
            }
            Self::Idle => message!("{url} sent nothing for {seconds} s", "{url} 已有 {seconds} 秒没有发来任何内容"),
            Self::Total => message!("{url} was not done after {seconds} s", "{url} 在 {seconds} 秒后仍未答完"),
        }
    }

    fn advice(self) -> Message {
        match self {
            Self::Connect => message!(
                "check that the server is running and that no firewall is in between",
                "请检查服务器是否在运行、中间有无防火墙"
            ),
            Self::Idle => message!("check that the server is still working", "请检查服务器是否仍在工作"),
            Self::Total => message!("ask for a shorter answer", "请让回答短一些"),
        }
    }

    /// As `models.yaml` calls it.
    fn word(self) -> &'static str {
        match self {
            Self::Connect => "connect",
            Self::Idle => "idle",
            Self::Total => "total",
        }
    }
}

impl Refusal {
    /// Whether the same request may succeed later, as far as the refusal's words show.
    pub(super) fn may_pass(self) -> bool {
        match self {
            Self::Busy | Self::Other => true,
            Self::TooLong | Self::Key | Self::Model | Self::Quota | Self::Tools | Self::Address => false,
            Self::NotEnabled | Self::Profile | Self::Expired | Self::Clock | Self::Region => false,
        }
    }

    fn next_step(self) -> Option<Message> {
        let step = match self {
            Self::TooLong => message!(
                "let the run read less (fewer or shorter skills and references, a shorter prompt), or choose a model with \
                 a larger context",
                "请减少运行要读的内容：更少或更短的技能和参考文件、更短的提示词；或换用上下文更大的模型"
            ),
            Self::Key => message!(
                "check that the key is the right one for this server and may use this model",
                "请检查密钥是否属于此服务器，以及是否有权使用此模型"
            ),
            Self::Model => message!(
                "check `model` in models.yaml against the server's list of models",
                "请对照服务器列出的模型检查 models.yaml 中的 `model`"
            ),
            Self::Quota => message!(
                "the account behind the key has nothing left: top it up, or use another key or model",
                "密钥所属账户的额度已用完：请充值，或换用其他密钥或模型"
            ),
            Self::Busy => message!("wait a moment and run it again", "请稍等片刻后重试"),
            Self::Tools => message!(
                "choose a model that calls tools, start the server with tools switched on, or set `tools: false` for the \
                 model in models.yaml",
                "请选择能调用工具的模型，或在启动服务器时启用工具，或在 models.yaml 中为该模型设置 `tools: false`"
            ),
            Self::Address => message!(
                "check `baseUrl` in models.yaml; for most servers it ends with /v1",
                "请检查 models.yaml 中的 `baseUrl`；多数服务器的地址以 /v1 结尾"
            ),
            Self::NotEnabled => message!(
                "enable the model for your AWS account in the Bedrock console, in the region of the address, or ask for \
                 `bedrock:InvokeModel` on it",
                "请在 Bedrock 控制台中、在该地址所属的区域为你的 AWS 账户启用此模型，或申请对它的 `bedrock:InvokeModel` 权限"
            ),
            Self::Profile => message!(
                "set `model` in models.yaml to the inference profile of the model, e.g. with `us.`, `eu.` or `global.` before \
                 its name; `skillbench models names` lists them",
                "请将 models.yaml 中的 `model` 改为该模型的推理配置文件，例如在名称前加 `us.`、`eu.` 或 `global.`；`skillbench models names` 会列出它们"
            ),
            Self::Expired => message!(
                "the credentials have expired: sign in again, renew them, and start again",
                "凭证已过期：请重新登录并更新凭证，然后重新启动"
            ),
            Self::Clock => message!(
                "set the clock of this machine; AWS accepts signatures for five minutes",
                "请校准本机时钟；AWS 只接受五分钟以内的签名"
            ),
            Self::Region => message!(
                "use the region of the address: write it in `baseUrl`, or set AWS_REGION to it",
                "请使用与地址一致的区域：在 `baseUrl` 中写明，或将 AWS_REGION 设为该区域"
            ),
            Self::Other => return None,
        };
        Some(step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_run_recorded_before_reasons_had_two_languages_is_read() {
        let old = r#"{"type": "unreachable", "url": "http://x", "reason": "refused"}"#;
        let error: ModelError = serde_json::from_str(old).unwrap();
        assert_eq!(error, ModelError::unreachable("http://x", Message::quoted("refused")));
    }

    #[test]
    fn says_which_time_ran_out_and_where_it_is_set() {
        let timeout = |wait| {
            let error = ModelError::Timeout { url: "http://x/v1".into(), wait, seconds: 7, raw: String::new() };
            (error.to_string(), error.next_step().unwrap().en)
        };
        let of_the_model =
            |advice: &str, word: &str| format!("{advice}, or raise `timeouts.{word}` of the model in models.yaml");
        assert_eq!(
            [Wait::Connect, Wait::Idle, Wait::Total].map(timeout),
            [
                (
                    "could not connect to http://x/v1 within 7 s".to_owned(),
                    of_the_model("check that the server is running and that no firewall is in between", "connect")
                ),
                (
                    "http://x/v1 sent nothing for 7 s".to_owned(),
                    of_the_model("check that the server is still working", "idle")
                ),
                ("http://x/v1 was not done after 7 s".to_owned(), of_the_model("ask for a shorter answer", "total")),
            ]
        );
    }

    #[test]
    fn what_the_server_said_does_not_go_along_with_the_error() {
        let (url, reason) = ("http://x/v1".to_owned(), Message::quoted("no such model"));
        let (status, refusal) = (Some(404), Refusal::Model);
        let error = ModelError::Refused { url, status, refusal, reason, raw: "<html>".into() };
        let written = serde_json::to_value(&error).unwrap();
        assert_eq!(
            written,
            serde_json::json!({"type": "refused", "url": "http://x/v1", "status": 404, "refusal": "model",
                "reason": {"en": "no such model", "zh": "no such model"}})
        );
        assert_eq!(serde_json::from_value::<ModelError>(written).unwrap(), error.without_raw());
    }

    #[test]
    fn names_the_status_where_there_is_one() {
        let refused = |status| {
            let (url, reason, raw) = ("http://x/v1".into(), Message::quoted("no"), String::new());
            ModelError::Refused { url, status, refusal: Refusal::Other, reason, raw }.to_string()
        };
        assert_eq!(refused(Some(418)), "http://x/v1 answered 418: no");
        assert_eq!(refused(None), "the answer broke off: no");
    }
}
