//! Where keys come from. A key is named by reference and resolved at the moment of the request; it never enters a file,
//! a trace, a log or a DTO.

pub mod aws;
mod command;
mod guard;
pub mod keyring;
pub mod recognise;
mod scrub;

use std::collections::BTreeMap;
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::Duration;

use serde::de::{Error as _, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use ts_rs::TS;
use wording::{Message, Wording, message};

use self::aws::{AwsError, Found};
pub use self::command::CommandError;
pub use self::guard::{Guard, close_memory};
pub use self::keyring::KeyringError;
pub use self::scrub::{DISTINCT, MARK, Passage, Scrubber};

/// How `models.yaml` names a key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(into = "Written")]
#[ts(type = "{ env: string } | { keyring: string } | { aws: string } | { command: string[]; lifetime?: number }")]
pub enum KeyRef {
    /// The environment variable that holds the key.
    Env(String),
    /// The entry of the system's keyring that holds it.
    Keyring(String),
    /// The AWS profile whose access key signs requests; without a name, what the environment says.
    Aws(String),
    /// A command that prints it, and the seconds for which what it printed is used; `None`: [`command::LIFETIME`].
    Command { command: Vec<String>, lifetime: Option<u32> },
}

/// References follow the rules of those in files. `Err`: why it is not allowed; it does not repeat the given value,
/// which may be the key itself.
impl KeyRef {
    /// By the name of an environment variable; an error if it is not a valid name, without repeating it.
    pub fn env(name: String) -> Result<Self, Message> {
        if is_variable(&name) {
            return Ok(Self::Env(name));
        }
        Err(message!(
            "what stands under `env` is not the name of an environment variable: letters, digits and `_`, e.g. \
             `OPENAI_API_KEY`",
            "`env` 的值不是环境变量名：只能有字母、数字和 `_`，例如 `OPENAI_API_KEY`",
        ))
    }

    /// By the name of an entry of the system's keyring; an error if it is not a valid name.
    pub fn keyring(name: String) -> Result<Self, Message> {
        if is_entry(&name) {
            return Ok(Self::Keyring(name));
        }
        Err(message!(
            "what stands under `keyring` is not the name of an entry: up to {NAME_LIMIT} letters, digits and `-_.:/@`, e.g. \
             `openai`",
            "`keyring` 的值不是条目名：最多 {NAME_LIMIT} 个字母、数字和 `-_.:/@`，例如 `openai`",
        ))
    }

    /// By a profile of AWS; an empty name is that which AWS takes itself.
    pub fn aws(profile: String) -> Result<Self, Message> {
        if profile.is_empty() || is_entry(&profile) {
            return Ok(Self::Aws(profile));
        }
        Err(message!(
            "what stands under `aws` is not the name of an AWS profile: up to {NAME_LIMIT} letters, digits and `-_.:/@`, e.g. \
             `default`",
            "`aws` 的值不是 AWS 配置文件名：最多 {NAME_LIMIT} 个字母、数字和 `-_.:/@`，例如 `default`",
        ))
    }

    /// By a program and its arguments. `lifetime`: seconds for which its output is reused; `None`: as long as the
    /// program runs.
    pub fn command(command: Vec<String>, lifetime: Option<u32>) -> Result<Self, Message> {
        if !command.first().is_some_and(|program| command::is_program(program)) {
            return Err(message!(
                "`command` is a list whose first item is a program of the PATH or its whole path, e.g. `[pass, show, \
                 openai]`",
                "`command` 是一个列表，第一项是 PATH 中的程序或程序的完整路径，例如 `[pass, show, openai]`",
            ));
        }
        if lifetime == Some(0) {
            return Err(message!("`lifetime` is a whole number of seconds from 1", "`lifetime` 是从 1 开始的整数秒数"));
        }
        Ok(Self::Command { command, lifetime })
    }
}

impl KeyRef {
    /// The key itself. White space around it is dropped: keys come out of files with line ends. May block.
    pub fn resolve(&self, keys: &dyn Keys) -> Result<Secret, KeyError> {
        let key = || self.shown();
        let found = match self {
            Self::Env(name) => keys.env(name).map(Secret::new),
            Self::Keyring(name) => keys.keyring(name).map_err(|why| KeyError::Keyring { key: key(), why })?,
            Self::Aws(profile) => match aws::find(profile, keys).map_err(|why| KeyError::Aws { key: key(), why })? {
                Found::Signs(credentials) => Some(credentials.secret),
                Found::Token(token) => Some(token),
            },
            Self::Command { command, lifetime } => {
                let lifetime = Duration::from_secs(lifetime.unwrap_or(command::LIFETIME).into());
                let printed = keys.command(command, lifetime).map_err(|why| KeyError::Command { key: key(), why })?;
                let checked = self.checked(&printed);
                if checked.is_err() {
                    keys.forget(self);
                }
                return checked;
            }
        };
        self.checked(&found.ok_or_else(|| KeyError::Missing { key: key() })?)
    }

    /// The key in `found`, which is or is to be kept here.
    pub fn checked(&self, found: &Secret) -> Result<Secret, KeyError> {
        match found.reveal().trim() {
            "" => Err(KeyError::Empty { key: self.shown() }),
            trimmed if trimmed.bytes().all(|byte| byte.is_ascii_graphic()) => Ok(Secret::new(trimmed.to_owned())),
            _ => Err(KeyError::Unusable { key: self.shown() }),
        }
    }

    /// What it is called in a sentence. Never the key.
    pub fn worded(&self) -> Message {
        match self {
            Self::Env(name) => message!("environment variable {name}", "环境变量 {name}"),
            Self::Keyring(name) => message!("keyring entry {name}", "密钥环条目 {name}"),
            Self::Aws(profile) if profile.is_empty() => message!("AWS credentials", "AWS 凭证"),
            Self::Aws(profile) => message!("AWS profile {profile}", "AWS 配置文件 {profile}"),
            Self::Command { .. } => {
                let name = self.name();
                message!("the output of {name}", "{name} 的输出")
            }
        }
    }

    /// The name of the place; of a command its program.
    pub fn name(&self) -> &str {
        match self {
            Self::Env(name) | Self::Keyring(name) | Self::Aws(name) => name,
            Self::Command { command, .. } => command.first().map_or("", String::as_str),
        }
    }

    /// As errors and records name it: without the arguments of a command, which are private.
    pub fn shown(&self) -> Self {
        match self {
            Self::Env(_) | Self::Keyring(_) | Self::Aws(_) => self.clone(),
            Self::Command { .. } => Self::Command { command: vec![self.name().to_owned()], lifetime: None },
        }
    }

    /// It may give another key the next time.
    pub fn may_change(&self) -> bool {
        matches!(self, Self::Command { .. })
    }
}

impl std::fmt::Display for KeyRef {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.worded().en)
    }
}

/// The places where keys are looked up.
pub trait Keys: Send + Sync {
    /// The value of an environment variable.
    fn env(&self, name: &str) -> Option<String>;

    /// What the system's keyring holds under a name. May block, and wait for the user to unlock it.
    fn keyring(&self, name: &str) -> Result<Option<Secret>, KeyringError>;

    /// What a command of the user's `models.yaml` prints, now or at most `lifetime` ago. May block.
    fn command(&self, command: &[String], lifetime: Duration) -> Result<Secret, CommandError>;

    /// A server refused this key: if the key may change, it is looked up again next time.
    fn forget(&self, key: &KeyRef);
}

/// The environment of this process and the keyring of this user.
#[derive(Debug, Clone, Copy)]
pub struct OwnKeys;

impl Keys for OwnKeys {
    fn env(&self, name: &str) -> Option<String> {
        std::env::var(name).ok()
    }

    fn keyring(&self, name: &str) -> Result<Option<Secret>, KeyringError> {
        let found = keyring::read(name)?;
        let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
        read.extend(found.clone().map(|secret| (name.to_owned(), secret)));
        Ok(found)
    }

    fn command(&self, command: &[String], lifetime: Duration) -> Result<Secret, CommandError> {
        PRINTED.key(command, lifetime)
    }

    fn forget(&self, key: &KeyRef) {
        if let KeyRef::Command { command, .. } = key {
            PRINTED.forget(command);
        }
    }
}

/// The keys that came from elsewhere than the environment: those that commands have printed and that are still in use, and
/// those that were read from the keyring.
pub fn fetched() -> Vec<Secret> {
    let read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    PRINTED.all().into_iter().chain(read.values().cloned()).collect()
}

/// From the keyring, by name.
static READ: Mutex<BTreeMap<String, Secret>> = Mutex::new(BTreeMap::new());

/// All models with the same key command share its output.
static PRINTED: LazyLock<command::Commands> = LazyLock::new(command::Commands::default);

const ENVIRONMENT_ONLY: Wording = Wording::new("only environment variables are at hand", "这里只有环境变量");

/// An environment alone, on a machine without a keyring.
impl<F: Fn(&str) -> Option<String> + Send + Sync> Keys for F {
    fn env(&self, name: &str) -> Option<String> {
        self(name)
    }

    fn keyring(&self, _: &str) -> Result<Option<Secret>, KeyringError> {
        Err(KeyringError::Absent { reason: ENVIRONMENT_ONLY.into() })
    }

    fn command(&self, _: &[String], _: Duration) -> Result<Secret, CommandError> {
        Err(CommandError::NotStarted { reason: ENVIRONMENT_ONLY.into() })
    }

    fn forget(&self, _: &KeyRef) {}
}

/// As a map: YAML and JSON write enums differently.
#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Written {
    #[serde(skip_serializing_if = "Option::is_none")]
    env: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    keyring: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    aws: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "words")]
    command: Option<Vec<String>>,
    /// Of what a command prints.
    #[serde(skip_serializing_if = "Option::is_none")]
    lifetime: Option<u32>,
}

/// A list of texts. One text alone is not repeated: it may be a key.
fn words<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<String>>, D::Error> {
    struct Words;

    impl<'de> Visitor<'de> for Words {
        type Value = Vec<String>;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            let expected = Wording::new(
                "a list of a program and its arguments, e.g. `[pass, show, openai]`",
                "程序及其参数的列表，例如 `[pass, show, openai]`",
            );
            f.write_str(&expected.carried())
        }

        fn visit_str<E: serde::de::Error>(self, _: &str) -> Result<Self::Value, E> {
            let why = Wording::new(
                "`command` is a list, as there is no shell to take it apart: e.g. `[pass, show, openai]`",
                "`command` 是一个列表，因为没有 shell 来拆分它：例如 `[pass, show, openai]`",
            );
            Err(E::custom(why.carried()))
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
            let mut words = Vec::new();
            while let Some(word) = items.next_element()? {
                words.push(word);
            }
            Ok(words)
        }
    }

    deserializer.deserialize_any(Words).map(Some)
}

/// The user may have written the key itself instead of a name, so errors do not repeat it.
impl<'de> Deserialize<'de> for KeyRef {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let named: Result<Self, Message> = match Written::deserialize(deserializer)? {
            Written { env: Some(name), keyring: None, aws: None, command: None, lifetime: None } => Self::env(name),
            Written { env: None, keyring: Some(name), aws: None, command: None, lifetime: None } => Self::keyring(name),
            Written { env: None, keyring: None, aws: Some(name), command: None, lifetime: None } => Self::aws(name),
            Written { env: None, keyring: None, aws: None, command: Some(command), lifetime } => {
                Self::command(command, lifetime)
            }
            Written { command: None, lifetime: Some(_), .. } => {
                Err(message!("`lifetime` belongs to a `command`", "`lifetime` 只用于 `command`"))
            }
            Written { env: None, keyring: None, aws: None, command: None, .. } => Err(message!(
                "name where the key is: `{{ env: OPENAI_API_KEY }}`, `{{ keyring: openai }}` or `{{ command: [pass, show, \
                 openai] }}`",
                "请写明密钥在哪里：`{{ env: OPENAI_API_KEY }}`、`{{ keyring: openai }}` 或 `{{ command: [pass, show, \
                 openai] }}`",
            )),
            Written { .. } => Err(message!(
                "name one of `env`, `keyring`, `aws` and `command`",
                "`env`、`keyring`、`aws` 和 `command` 只能写一个"
            )),
        };
        named.map_err(|why| D::Error::custom(why.carried()))
    }
}

impl From<KeyRef> for Written {
    fn from(key: KeyRef) -> Self {
        match key {
            KeyRef::Env(name) => Self { env: Some(name), ..Self::default() },
            KeyRef::Keyring(name) => Self { keyring: Some(name), ..Self::default() },
            KeyRef::Aws(name) => Self { aws: Some(name), ..Self::default() },
            KeyRef::Command { command, lifetime } => Self { command: Some(command), lifetime, ..Self::default() },
        }
    }
}

/// Characters of the name of a keyring's entry; keys are longer.
const NAME_LIMIT: usize = 64;

fn is_variable(name: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    !name.is_empty() && !name.starts_with(|first: char| first.is_ascii_digit()) && name.bytes().all(is_part)
}

fn is_entry(name: &str) -> bool {
    let is_part = |char: char| char.is_alphanumeric() || "-_.:/@".contains(char);
    !name.is_empty() && name.chars().count() <= NAME_LIMIT && name.chars().all(is_part)
}

/// Why there is no key. The value is never part of it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[error("{}", self.worded().en)]
pub enum KeyError {
    Missing {
        key: KeyRef,
    },
    Empty {
        key: KeyRef,
    },
    Unusable {
        key: KeyRef,
    },
    Keyring {
        key: KeyRef,
        why: KeyringError,
    },
    Aws {
        key: KeyRef,
        why: AwsError,
    },
    Command {
        key: KeyRef,
        why: CommandError,
    },
    /// No one waits longer for a keyring that may be asking its user.
    Slow {
        key: KeyRef,
        #[ts(type = "number")]
        seconds: u64,
    },
}

impl KeyError {
    /// What failed, with the key's name and never the key.
    pub fn worded(&self) -> Message {
        match self {
            Self::Missing { key } => {
                let name = key.worded();
                match key {
                    KeyRef::Env(_) => message!("{name} is not set", "没有设置{name}"; name),
                    KeyRef::Keyring(_) => message!("there is no {name}", "没有{name}"; name),
                    // Their names begin with what is no Chinese.
                    KeyRef::Aws(_) | KeyRef::Command { .. } => message!("there is no {name}", "没有 {name}"; name),
                }
            }
            Self::Empty { key } => {
                let name = key.worded();
                message!("{name} is empty", "{name} 是空的"; name)
            }
            Self::Unusable { key } => {
                let name = key.worded();
                message!("{name} contains characters that no key has", "{name} 含有密钥中不会出现的字符"; name)
            }
            Self::Keyring { key, why } => {
                let (name, why) = (key.worded(), why.worded());
                message!("{name} cannot be read: {why}", "{name} 无法读取：{why}"; name, why)
            }
            Self::Aws { why, .. } => why.worded(),
            Self::Command { key, why } => {
                let (name, why) = (key.name(), why.worded());
                message!("the command {name} gave no key: {why}", "命令 {name} 没有给出密钥：{why}"; why)
            }
            Self::Slow { key, seconds } => {
                let name = key.worded();
                message!(
                    "timed out after {seconds} s reading {name}; the keyring may be locked",
                    "{name} 在 {seconds} 秒内没有取到；密钥环可能已锁定";
                    name
                )
            }
        }
    }

    /// The next step.
    pub fn hint(&self) -> Message {
        let (Self::Missing { key }
        | Self::Empty { key }
        | Self::Unusable { key }
        | Self::Keyring { key, .. }
        | Self::Aws { key, .. }
        | Self::Command { key, .. }
        | Self::Slow { key, .. }) = self;
        match (self, key) {
            (Self::Keyring { why, .. }, _) => why.hint(),
            (Self::Aws { why, .. }, _) => why.hint(),
            (Self::Command { why, .. }, _) => why.hint(),
            (_, KeyRef::Aws(_)) => AwsError::Nothing.hint(),
            (Self::Slow { .. }, _) => message!("unlock the keyring and try again", "请解锁密钥环后重试"),
            (_, KeyRef::Env(name)) => {
                message!("set {name} to the key and start again", "请将 {name} 设为密钥，然后重新启动")
            }
            (_, KeyRef::Command { .. }) => message!(
                "the command has to print the key and nothing else, on one line",
                "该命令必须只输出密钥本身，且只占一行"
            ),
            (_, KeyRef::Keyring(_)) => message!(
                "store the key with `skillbench models key set`, or in the window under Models",
                "请用 `skillbench models key set` 或在窗口的“模型”中存入密钥"
            ),
        }
    }
}

/// A key in memory. It can be read from JSON, and neither be printed nor serialised.
#[derive(Clone, Deserialize, TS)]
#[ts(type = "string")]
pub struct Secret(String);

impl Secret {
    /// The key as it is; [`KeyRef::checked`] says whether it can be one.
    pub fn new(value: String) -> Self {
        Self(value)
    }

    /// The key itself, for the header that carries it, the keyring that keeps it, and nothing else.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(…)")
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// A machine where each place may hold one value, under one name.
    struct Fake {
        env: Option<&'static str>,
        keyring: Result<Option<&'static str>, KeyringError>,
    }

    impl Keys for Fake {
        fn env(&self, name: &str) -> Option<String> {
            self.env.filter(|_| name == "SOME_KEY").map(str::to_owned)
        }

        fn keyring(&self, name: &str) -> Result<Option<Secret>, KeyringError> {
            Ok(self.keyring.clone()?.filter(|_| name == "some").map(|value| Secret::new(value.to_owned())))
        }

        fn command(&self, _: &[String], _: Duration) -> Result<Secret, CommandError> {
            Ok(Secret::new(self.env.unwrap_or_default().to_owned()))
        }

        fn forget(&self, _: &KeyRef) {}
    }

    fn env() -> KeyRef {
        KeyRef::Env("SOME_KEY".into())
    }

    fn entry() -> KeyRef {
        KeyRef::Keyring("some".into())
    }

    fn command() -> KeyRef {
        KeyRef::Command { command: vec!["vault".into(), "read".into(), "some/path".into()], lifetime: Some(60) }
    }

    fn resolve(key: &KeyRef, keys: &Fake) -> Result<String, KeyError> {
        key.resolve(keys).map(|secret| secret.reveal().to_owned())
    }

    fn both(value: Option<&'static str>) -> [Result<String, KeyError>; 2] {
        let keys = Fake { env: value, keyring: Ok(value) };
        [resolve(&env(), &keys), resolve(&entry(), &keys)]
    }

    #[test]
    fn reads_the_named_place_without_white_space_around_the_key() {
        assert_eq!(both(Some(" sk-abc\r\n")), [Ok("sk-abc".to_owned()), Ok("sk-abc".to_owned())]);
        let keys = Fake { env: Some("sk-env"), keyring: Ok(Some("sk-kept")) };
        assert_eq!(resolve(&env(), &keys), Ok("sk-env".to_owned()));
        assert_eq!(resolve(&entry(), &keys), Ok("sk-kept".to_owned()));
    }

    #[test]
    fn says_which_place_is_missing_empty_or_unusable() {
        assert_eq!(both(None), [env(), entry()].map(|key| Err(KeyError::Missing { key })));
        assert_eq!(both(Some("  \n")), [env(), entry()].map(|key| Err(KeyError::Empty { key })));
        for unusable in ["sk-a\nb", "sk-ключ"] {
            assert_eq!(both(Some(unusable)), [env(), entry()].map(|key| Err(KeyError::Unusable { key })));
        }
        let said = |key| KeyError::Missing { key }.to_string();
        assert_eq!(said(env()), "environment variable SOME_KEY is not set");
        assert_eq!(said(entry()), "there is no keyring entry some");
    }

    #[test]
    fn what_a_command_prints_is_checked_and_its_arguments_are_not_repeated() {
        let print = |printed| resolve(&command(), &Fake { env: Some(printed), keyring: Ok(None) });
        assert_eq!(print("tok-1\n"), Ok("tok-1".to_owned()));
        let key = KeyRef::Command { command: vec!["vault".into()], lifetime: None };
        assert_eq!(print("\n"), Err(KeyError::Empty { key: key.clone() }));
        for unusable in ["tok-1\ntok-2", "tok-1\u{1b}[0m", "logged in as me"] {
            assert_eq!(print(unusable), Err(KeyError::Unusable { key: key.clone() }), "{unusable}");
        }
        assert_eq!(KeyError::Empty { key }.to_string(), "the output of vault is empty");
    }

    #[test]
    fn without_a_keyring_the_environment_is_recommended() {
        let why = KeyringError::Absent { reason: Message::quoted("no bus") };
        let keys = Fake { env: None, keyring: Err(why.clone()) };
        let error = entry().resolve(&keys).unwrap_err();
        assert_eq!(error, KeyError::Keyring { key: entry(), why });
        assert_eq!(
            error.to_string(),
            "keyring entry some cannot be read: this machine has no keyring that can be reached (no bus)"
        );
        assert_eq!(
            error.hint().en,
            "use an environment variable, which works everywhere, e.g. `key: { env: OPENAI_API_KEY }`"
        );
    }

    #[test]
    fn a_reference_names_one_place_and_an_error_repeats_no_name() {
        let read =
            |value| serde_json::from_value::<KeyRef>(value).map_err(|error| wording::refusal(&error.to_string()).en);
        assert_eq!(read(json!({"env": "SOME_KEY"})), Ok(env()));
        assert_eq!(read(json!({"keyring": "some"})), Ok(entry()));
        assert_eq!(read(json!({"aws": "work"})), Ok(KeyRef::Aws("work".into())));
        let written = json!({"command": ["vault", "read", "some/path"], "lifetime": 60});
        assert_eq!(read(written.clone()), Ok(command()));
        assert_eq!(
            serde_json::to_value([env(), entry(), KeyRef::Aws("work".into()), command()]).unwrap(),
            json!([{"env": "SOME_KEY"}, {"keyring": "some"}, {"aws": "work"}, written])
        );
        let several = [
            json!({"env": "A", "keyring": "a"}),
            json!({"env": "A", "command": ["a"]}),
            json!({"aws": "a", "command": ["a"]}),
        ];
        for several in several {
            assert_eq!(read(several), Err("name one of `env`, `keyring`, `aws` and `command`".to_owned()));
        }
        for (wrong, about) in [
            (json!({"env": "sk-secret"}), "under `env`"),
            (json!({"env": "9SECRET"}), "under `env`"),
            (json!({"keyring": "two secrets"}), "under `keyring`"),
            (json!({"keyring": "secret".repeat(20)}), "under `keyring`"),
            (json!({}), "`{ keyring: openai }`"),
            (json!({"command": []}), "`command` is a list"),
            (json!({"command": "secret"}), "`command` is a list"),
            (json!({"command": ["./secret"]}), "`command` is a list"),
            (json!({"command": ["a"], "lifetime": 0}), "`lifetime` is a whole number"),
            (json!({"env": "A", "lifetime": 5}), "`lifetime` belongs"),
            (json!({"aws": "A", "lifetime": 5}), "`lifetime` belongs"),
            (json!({"aws": "two secrets"}), "under `aws`"),
        ] {
            let error = read(wrong).unwrap_err();
            assert!(error.contains(about) && !error.to_lowercase().contains("secret"), "{error}");
        }
    }

    #[test]
    fn never_shows_the_key() {
        let secret = Secret::new("sk-abc".into());
        assert_eq!(format!("{secret:?}"), "Secret(…)");
    }
}
