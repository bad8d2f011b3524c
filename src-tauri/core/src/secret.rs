//! Where keys come from. A key is named by reference and resolved at the moment of the request;
//! it never enters a file, a trace, a log or a DTO.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// How `models.yaml` names a key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct KeyRef {
    /// The environment variable that holds the key.
    pub env: String,
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
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(…)")
    }
}
