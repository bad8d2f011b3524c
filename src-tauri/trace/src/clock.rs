//! The only `now()`. Everything that needs the time takes a [`Clock`].

use std::sync::Arc;

/// Milliseconds since the Unix epoch, UTC.
pub type Millis = i64;

/// The source of the time. Tests pass a fixed one.
#[derive(Clone)]
pub struct Clock(Arc<dyn Fn() -> Millis + Send + Sync>);

impl Clock {
    /// The machine's.
    pub fn system() -> Self {
        Self(Arc::new(|| jiff::Timestamp::now().as_millisecond()))
    }

    /// A clock that a test controls.
    pub fn from_fn(now: impl Fn() -> Millis + Send + Sync + 'static) -> Self {
        Self(Arc::new(now))
    }

    /// Milliseconds since the Unix epoch.
    pub fn now(&self) -> Millis {
        (self.0)()
    }
}

/// Seconds since the Unix epoch as the clock on this machine's wall shows them: `2026-11-26T10:47:09`.
pub fn local(seconds: i64) -> String {
    let time = jiff::Timestamp::from_second(seconds).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    time.to_zoned(jiff::tz::TimeZone::system()).datetime().to_string()
}

impl std::fmt::Debug for Clock {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Clock")
    }
}
