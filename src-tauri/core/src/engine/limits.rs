//! What a run may use: model requests, tokens, money and time. A request that would go beyond a limit is not sent; time
//! that is over ends whatever goes on, as the user's Stop does.

use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::Halt;
use crate::config::{Prices, RunLimits};
use crate::model::Usage;
use crate::trace::Reached;
use crate::trace::spending::{self, Spent, dollars};

/// Ends a run at once: the user stops it, or its time is over.
pub(super) struct Brake {
    stop: CancellationToken,
    seconds: Option<u32>,
    /// When the time is over.
    until: Option<Instant>,
}

impl Brake {
    /// `seconds` count from now.
    pub(super) fn new(stop: CancellationToken, seconds: Option<u32>) -> Self {
        let until = seconds.map(|seconds| Instant::now() + Duration::from_secs(seconds.into()));
        Self { stop, seconds, until }
    }

    /// What the user stops the run by.
    pub(super) fn stop(&self) -> &CancellationToken {
        &self.stop
    }

    /// Comes when the run must end, and not before.
    pub(super) async fn pulled(&self) -> Halt {
        tokio::select! {
            biased;
            () = self.stop.cancelled() => Halt::stopped(),
            () = tokio::time::sleep_until(self.until.unwrap_or_else(Instant::now)), if self.until.is_some() => self.over(),
        }
    }

    pub(super) fn check(&self) -> Result<(), Halt> {
        if self.stop.is_cancelled() {
            return Err(Halt::stopped());
        }
        if self.until.is_some_and(|until| until <= Instant::now()) { Err(self.over()) } else { Ok(()) }
    }

    /// Time in which the run waited for the user does not count.
    pub(super) fn give_back(&mut self, waited: Duration) {
        self.until = self.until.map(|until| until + waited);
    }

    fn over(&self) -> Halt {
        Halt::limited(Reached::Seconds { seconds: self.seconds.unwrap_or_default() })
    }
}

/// Whether one more request may be sent after so many, in all conversations together.
pub(super) fn check_requests(limits: &RunLimits, requests: u32) -> Result<(), Halt> {
    if requests < limits.turns {
        return Ok(());
    }
    Err(Halt::limited(Reached::Requests { requests }))
}

/// Whether a request of so many tokens may be sent to the model `id` after what was spent.
pub(super) fn check_spending(
    limits: &RunLimits,
    spent: &Spent,
    coming: u32,
    id: &str,
    prices: Option<Prices>,
) -> Result<(), Halt> {
    if let Some(limit) = limits.tokens.filter(|limit| spent.tokens().saturating_add(coming) > *limit) {
        return Err(Halt::limited(Reached::Tokens { used: spent.tokens(), coming, limit }));
    }
    let Some(limit) = limits.cost else { return Ok(()) };
    let (Some(prices), Some(cost)) = (prices, spent.cost) else {
        return Err(Halt::failed(format!(
            "the run has a limit of {}, which cannot be kept: what `{id}` costs is not known; give it `prices` in \
             models.yaml, or leave the limit out",
            dollars(limit)
        )));
    };
    let coming = spending::cost(Usage { input: coming, ..Usage::default() }, prices);
    if cost + coming <= limit {
        return Ok(());
    }
    Err(Halt::limited(Reached::Cost { spent: cost, coming, limit }))
}
