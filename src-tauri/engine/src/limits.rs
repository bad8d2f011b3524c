//! What a run may use: model requests, tokens, money and time. A request that would go beyond a limit is not sent; if
//! the time is over, whatever is going on ends, as with the user's Stop.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::Halt;
use config::RunLimits;
use model::Usage;
use model::entry::Prices;
use trace::Reached;
use trace::clock::Millis;
use trace::spending::{self, Spent, dollars};
use wording::message;

/// Ends a run at once: the user stops it, or its time is over. Clones are one brake.
#[derive(Clone)]
pub(super) struct Brake {
    stop: CancellationToken,
    seconds: Option<u32>,
    /// When the time is over; `None` while it stands still, or if there is no limit.
    until: Arc<watch::Sender<Option<Instant>>>,
}

/// A clock that is stopped, and the time that is left.
#[must_use]
pub(super) struct Held(Option<Duration>);

impl Brake {
    /// `seconds` count from now, except for the milliseconds for which the run went on before.
    pub(super) fn new(stop: CancellationToken, seconds: Option<u32>, worked: Millis) -> Self {
        let worked = Duration::from_millis(u64::try_from(worked).unwrap_or_default());
        let left = |seconds: u32| Duration::from_secs(seconds.into()).saturating_sub(worked);
        let until = seconds.map(|seconds| Instant::now() + left(seconds));
        Self { stop, seconds, until: Arc::new(watch::Sender::new(until)) }
    }

    /// The token with which the user stops the run.
    pub(super) fn stop(&self) -> &CancellationToken {
        &self.stop
    }

    /// Comes when the run must end, and not before.
    pub(super) async fn pulled(&self) -> Halt {
        let mut until = self.until.subscribe();
        loop {
            let now = *until.borrow_and_update();
            tokio::select! {
                biased;
                () = self.stop.cancelled() => return Halt::stopped(),
                Ok(()) = until.changed() => {}
                () = tokio::time::sleep_until(now.unwrap_or_else(Instant::now)), if now.is_some() => return self.over(),
            }
        }
    }

    /// Comes when the run should have ended and did not: it waits for something that does not heed the brake, as a write
    /// to a store that another process holds.
    pub(super) async fn overdue(self) -> Halt {
        let halt = self.pulled().await;
        tokio::time::sleep(GRACE).await;
        halt
    }

    /// Comes when the end of a run has waited long enough to be recorded. `soon`: the run was to end at once.
    pub(super) async fn patience(self, soon: bool) {
        if !soon {
            tokio::select! {
                () = self.stop.cancelled() => {}
                () = tokio::time::sleep(LAST_WRITE) => return,
            }
        }
        tokio::time::sleep(LAST_WRITE_SOON).await;
    }

    pub(super) fn check(&self) -> Result<(), Halt> {
        if self.stop.is_cancelled() {
            return Err(Halt::stopped());
        }
        if self.until.borrow().is_some_and(|until| until <= Instant::now()) { Err(self.over()) } else { Ok(()) }
    }

    /// Time in which the run waits for the user does not count.
    pub(super) fn hold(&self) -> Held {
        let until = self.until.send_replace(None);
        Held(until.map(|until| until.saturating_duration_since(Instant::now())))
    }

    pub(super) fn go_on(&self, Held(left): Held) {
        self.until.send_replace(left.map(|left| Instant::now() + left));
    }

    fn over(&self) -> Halt {
        Halt::limited(Reached::Seconds { seconds: self.seconds.unwrap_or_default() })
    }
}

/// For what heeds the brake to end by itself.
const GRACE: Duration = Duration::from_millis(500);
/// How long writing the end of a run may take: the store itself stops trying after five seconds, twice.
const LAST_WRITE: Duration = Duration::from_secs(12);
/// The same if the user waits for the end.
const LAST_WRITE_SOON: Duration = Duration::from_secs(1);

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
        let limit = dollars(limit);
        return Err(Halt::failed(message!(
            "the run has a limit of {limit}, but the price of `{id}` is unknown; give it `prices` in models.yaml, or leave \
             the limit out",
            "本次运行的费用上限为 {limit}，但 `{id}` 的价格未知；请在 models.yaml 中写明 `prices`，或去掉此上限"
        )));
    };
    let coming = spending::cost(Usage { input: coming, ..Usage::default() }, prices);
    if cost + coming <= limit {
        return Ok(());
    }
    Err(Halt::limited(Reached::Cost { spent: cost, coming, limit }))
}
