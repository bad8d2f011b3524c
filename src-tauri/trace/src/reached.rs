//! The limit that a run ended at.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::spending::dollars;

/// `Display` is a sentence, which names what to raise.
#[derive(Debug, Clone, PartialEq, thiserror::Error, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Reached {
    #[error(
        "the run was ended after {requests} model requests, the cap of this run; raise `turns` under `limits` in \
         workbench.yaml, or --turns"
    )]
    Requests { requests: u32 },
    /// The framework's own cap.
    #[error("the run was ended after {requests} model requests, the cap of {framework}")]
    FrameworkRequests { requests: u32, framework: String },
    #[error(
        "the run was ended after {seconds} s, its time limit; raise `seconds` under `limits` in workbench.yaml, or \
         --max-seconds"
    )]
    Seconds { seconds: u32 },
    /// Where `coming` more would have gone beyond it.
    #[error(
        "the run was ended before its next request: {used} tokens were used, the request has about {coming} more, and the \
         limit is {limit}; raise `tokens` under `limits` in workbench.yaml, or --max-tokens-total"
    )]
    Tokens { used: u32, coming: u32, limit: u32 },
    /// US dollars.
    #[error(
        "the run was ended before its next request: {} were spent, the request costs about {} more, and the limit is {}; \
         raise `cost` under `limits` in workbench.yaml, or --max-cost",
        dollars(*spent),
        dollars(*coming),
        dollars(*limit)
    )]
    Cost { spent: f64, coming: f64, limit: f64 },
}
