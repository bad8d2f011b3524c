//! Where keys come from. A key is named by reference and resolved at the moment of the request;
//! it never enters a file, a trace, a log or a DTO.

mod scrub;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// How `models.yaml` names a key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(from = "Written", into = "Written")]
#[ts(type = "{ env: string }")]
pub enum KeyRef {
    /// The environment variable that holds the key.
    Env(String),
}

impl KeyRef {
    /// The key itself; `env` looks a variable up. White space around it is dropped: keys come out of files with line ends.
    pub fn resolve(&self, env: impl Fn(&str) -> Option<String>) -> Result<Secret, KeyError> {
        let Self::Env(name) = self;
        let variable = || name.clone();
        let value = env(name).ok_or_else(|| KeyError::Unset { variable: variable() })?;
        match value.trim() {
            "" => Err(KeyError::Empty { variable: variable() }),
            key if key.bytes().all(|byte| byte.is_ascii_graphic()) => Ok(Secret::new(key.to_owned())),
            _ => Err(KeyError::Unusable { variable: variable() }),
        }
    }
}

/// As a map with one key: YAML and JSON write enums differently.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Written {
    env: String,
}

impl From<Written> for KeyRef {
    fn from(written: Written) -> Self {
        Self::Env(written.env)
    }
}

impl From<KeyRef> for Written {
    fn from(KeyRef::Env(env): KeyRef) -> Self {
        Self { env }
    }
}

/// Why there is no key. The value is never part of the text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    #[error("environment variable {variable} is not set")]
    Unset { variable: String },
    #[error("environment variable {variable} is empty")]
    Empty { variable: String },
    #[error("environment variable {variable} holds characters that no key has")]
    Unusable { variable: String },
}

/// A key in memory. It cannot be printed or serialised.
#[derive(Clone)]
pub struct Secret(String);

impl Secret {
    pub fn new(value: String) -> Self {
        Self(value)
    }

    /// The key itself, for the header that carries it and nothing else.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// The text with `[key]` wherever it holds the key: servers quote the key they refuse, in JSON, in addresses or
    /// Base64 too. A piece of the key at the end of the text is one as well: the text may be cut there.
    pub fn scrub(&self, text: &str) -> String {
        scrub::scrub(text, &self.0)
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolve(value: Option<&str>) -> Result<String, KeyError> {
        let key = KeyRef::Env("SOME_KEY".into());
        let env = |name: &str| (name == "SOME_KEY").then(|| value.map(str::to_owned)).flatten();
        key.resolve(env).map(|secret| secret.reveal().to_owned())
    }

    #[test]
    fn reads_the_named_variable_without_white_space_around_it() {
        assert_eq!(resolve(Some(" sk-abc\r\n")), Ok("sk-abc".to_owned()));
    }

    #[test]
    fn says_which_variable_is_missing_empty_or_unusable() {
        let variable = || "SOME_KEY".to_owned();
        assert_eq!(resolve(None), Err(KeyError::Unset { variable: variable() }));
        assert_eq!(resolve(Some("  \n")), Err(KeyError::Empty { variable: variable() }));
        assert_eq!(resolve(Some("sk-a\nb")), Err(KeyError::Unusable { variable: variable() }));
        assert_eq!(resolve(Some("sk-ключ")), Err(KeyError::Unusable { variable: variable() }));
    }

    #[test]
    fn never_shows_the_key() {
        let secret = Secret::new("sk-abc".into());
        assert_eq!(format!("{secret:?}"), "Secret(…)");
        assert_eq!(secret.scrub("bad key sk-abc, sk-abc!"), "bad key [key], [key]!");
    }
}
