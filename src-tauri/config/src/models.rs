//! `models.yaml`: which models there are, how they are reached, and where runs are sent.

use model::entry::{ModelEntry, Network, Otlp};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::check;

/// The whole file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default, expecting = "⟪a list of `models`‖`models` 的列表⟫")]
pub struct Models {
    /// No two have the same id.
    #[serde(deserialize_with = "check::distinct_models")]
    pub models: Vec<ModelEntry>,
    pub network: Network,
    /// Where runs are sent; `null`: nowhere.
    pub otlp: Option<Otlp>,
}
