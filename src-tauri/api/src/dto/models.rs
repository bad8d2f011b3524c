//! Models and their keys.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

use model::check::Check;
use model::entry::ModelEntry;
use model::protocol::Protocol;
use model::secret::{KeyError, KeyRef, Secret};

/// A model of the list.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ModelInfo {
    pub id: String,
    pub title: String,
    /// Plays a screenplay; nobody's model.
    pub rehearsal: bool,
    pub base_url: Option<String>,
    pub key: KeyState,
    /// `false`: its key cannot be read.
    pub ready: bool,
    pub context: Option<u32>,
    /// Its server can be asked how many tokens a request has.
    pub counts: bool,
    /// The preset whose address it has.
    pub preset: Option<String>,
    /// As `models.yaml` has it; `null` for the rehearsal model.
    pub entry: Option<ModelEntry>,
}

/// Where a key is, and whether it is there. The key itself is never sent to the window.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct KeyState {
    pub source: KeySource,
    /// Of the environment variable, of the keyring's entry, of the AWS profile, or of the program that prints it.
    pub name: Option<String>,
    pub state: KeyStanding,
    /// Why it is not there, or not usable.
    pub reason: Option<String>,
    /// What to do about it.
    pub hint: Option<String>,
    /// What the reason says, to be said in other words.
    pub why: Option<KeyError>,
}

/// Where a key comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum KeySource {
    None,
    Env,
    Keyring,
    /// A profile of AWS, or what the environment says if it has no name.
    Aws,
    Command,
}

/// Whether a key is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum KeyStanding {
    /// The server needs none.
    Unneeded,
    Set,
    /// A command prints it when a request is made.
    Printed,
    Missing,
    /// There is one that cannot be used, or that cannot be checked.
    Unusable,
}

/// The models of `models.yaml`.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ModelList {
    pub models: Vec<ModelInfo>,
    /// `models.yaml`.
    pub path: String,
    /// Of the file's bytes; pass it back with a change. `null`: there is no file yet.
    pub version: Option<String>,
    /// Why `models.yaml` could not be used.
    pub error: Option<String>,
    /// The same in Chinese.
    pub error_zh: Option<String>,
}

/// A model to add.
#[derive(Debug, Clone, PartialEq, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ModelAddArgs {
    /// Read by the method itself, so that what is wrong with it is reported like any other error.
    #[ts(as = "ModelEntry")]
    pub entry: Value,
    /// Of the list that it was made from; `null`: whatever stands in the file now.
    pub version: Option<String>,
}

/// Of an entry, saved or not; placeholders of a preset may still are in it.
#[derive(Debug, Clone, PartialEq, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ModelAddressArgs {
    pub provider: Protocol,
    pub base_url: String,
}

/// Where the requests of an entry go.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ModelAddress {
    /// Where requests go.
    pub url: String,
    /// The preset whose address it is.
    pub preset: Option<String>,
}

/// The entry whose list of models is requested.
#[derive(Debug, Clone, PartialEq, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ModelNamesArgs {
    #[ts(as = "ModelEntry")]
    pub entry: Value,
}

/// A model to try out.
#[derive(Debug, Clone, PartialEq, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ModelTestArgs {
    /// A name for the test, by which it is pushed and stopped.
    pub test: String,
    #[ts(as = "ModelEntry")]
    pub entry: Value,
}

/// A trial to end.
#[derive(Debug, Clone, PartialEq, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ModelTestStopArgs {
    pub test: String,
}

/// A model with other fields.
#[derive(Debug, Clone, PartialEq, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ModelUpdateArgs {
    pub id: String,
    /// May have another id.
    #[ts(as = "ModelEntry")]
    pub entry: Value,
    pub version: Option<String>,
}

/// A model to take off the list.
#[derive(Debug, Clone, PartialEq, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ModelRemoveArgs {
    pub id: String,
    pub version: Option<String>,
}

/// A key, as an entry names it.
#[derive(Debug, Clone, PartialEq, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct KeyArgs {
    /// Read by the method itself, as above.
    #[ts(as = "Option<KeyRef>")]
    pub key: Value,
}

/// The one value that holds a key, on its way to the keyring.
#[derive(Debug, Clone, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct KeySetArgs {
    /// Of the keyring's entry.
    pub name: String,
    pub secret: Secret,
}

/// A key to take out of the system's keyring.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct KeyDeleteArgs {
    /// Of the keyring's entry.
    pub name: String,
}

/// A server on this machine that is not used in a model yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ModelOffer {
    /// Id of the preset that a model of it begins with.
    pub preset: String,
    /// The variable in which its key is; `null`: its server answers on this machine.
    pub key_env: Option<String>,
}

/// A check of a running test.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct TestedCheck {
    /// As `model_test` named it.
    pub test: String,
    pub check: Check,
}
