//! The limit that a run ended at.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use wording::{Message, message};

use super::spending::dollars;

/// `Display` is a sentence, which names what to raise.
#[derive(Debug, Clone, PartialEq, thiserror::Error, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[error("{}", self.worded().en)]
pub enum Reached {
    Requests {
        requests: u32,
    },
    /// The framework's own cap.
    FrameworkRequests {
        requests: u32,
        framework: String,
    },
    Seconds {
        seconds: u32,
    },
    /// Where `coming` more would have gone beyond it.
    Tokens {
        used: u32,
        coming: u32,
        limit: u32,
    },
    /// US dollars.
    Cost {
        spent: f64,
        coming: f64,
        limit: f64,
    },
}

impl Reached {
    /// Which limit ended the run, and how to raise it.
    pub fn worded(&self) -> Message {
        match self {
            Self::Requests { requests } => message!(
                "the run was ended after {requests} model requests, the limit of this run; raise `turns` under `limits` in \
                 workbench.yaml, or --turns",
                "运行在 {requests} 次模型请求后结束，这是本次运行的上限；请调高 workbench.yaml 中 `limits` 下的 `turns`，或使用 --turns"
            ),
            Self::FrameworkRequests { requests, framework } => message!(
                "the run was ended after {requests} model requests, the limit of {framework}",
                "运行在 {requests} 次模型请求后结束，这是 {framework} 自身的上限"
            ),
            Self::Seconds { seconds } => message!(
                "the run was ended after {seconds} s, its time limit; raise `seconds` under `limits` in workbench.yaml, or \
                 --max-seconds",
                "运行在 {seconds} 秒后结束，这是本次运行的时间上限；请调高 workbench.yaml 中 `limits` 下的 `seconds`，或使用 --max-seconds"
            ),
            Self::Tokens { used, coming, limit } => message!(
                "the run was ended before its next request: {used} tokens were used, the request needs about {coming} more, \
                 and the limit is {limit}; raise `tokens` under `limits` in workbench.yaml, or --max-tokens-total",
                "运行在下一次请求前结束：已用 {used} 个 token，该请求约需 {coming} 个，上限为 {limit}；请调高 workbench.yaml 中 \
                 `limits` 下的 `tokens`，或使用 --max-tokens-total"
            ),
            Self::Cost { spent, coming, limit } => {
                let (spent, coming, limit) = (dollars(*spent), dollars(*coming), dollars(*limit));
                message!(
                    "the run was ended before its next request: {spent} were spent, the request costs about {coming} more, \
                     and the limit is {limit}; raise `cost` under `limits` in workbench.yaml, or --max-cost",
                    "运行在下一次请求前结束：已花费 {spent}，该请求约需 {coming}，上限为 {limit}；请调高 workbench.yaml 中 `limits` \
                     下的 `cost`，或使用 --max-cost"
                )
            }
        }
    }
}
