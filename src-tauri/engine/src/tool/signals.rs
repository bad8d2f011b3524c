//! The signals that ask a program to end: Ctrl+C, SIGTERM, and SIGHUP of a terminal that is gone.

/// Shells expect the exit code of a program that a signal ended to be this plus the signal's number.
const ENDED: i32 = 128;

/// Those that came, one after the other.
#[cfg(unix)]
pub struct Asked(Vec<(i32, tokio::signal::unix::Signal)>);

#[cfg(unix)]
impl Asked {
    /// Handles signals from now on. Signals that were ignored when the program was started, as with `nohup`, stay
    /// ignored.
    pub fn listen() -> Self {
        use tokio::signal::unix::{SignalKind, signal};
        let ignored = ignored(&std::fs::read_to_string("/proc/self/status").unwrap_or_default());
        let kinds = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
        let heeded = kinds.into_iter().filter(|kind| ignored >> (kind.as_raw_value() - 1) & 1 == 0);
        Self(heeded.filter_map(|kind| Some((kind.as_raw_value(), signal(kind).ok()?))).collect())
    }

    /// The exit code that says which one came.
    pub async fn next(&mut self) -> i32 {
        let each = self.0.iter_mut().map(|(number, signal)| {
            Box::pin(async move {
                match signal.recv().await {
                    Some(()) => ENDED + *number,
                    None => std::future::pending().await,
                }
            })
        });
        let each: Vec<_> = each.collect();
        if each.is_empty() { std::future::pending().await } else { futures::future::select_all(each).await.0 }
    }
}

/// A bit for each signal, from 1, as Linux tells it.
#[cfg(unix)]
fn ignored(status: &str) -> u64 {
    let line = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    line.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default()
}

/// As often as it came.
#[cfg(not(unix))]
pub struct Asked;

#[cfg(not(unix))]
impl Asked {
    /// Heeds it from now on.
    pub fn listen() -> Self {
        Self
    }

    /// The exit code that says which one came.
    pub async fn next(&mut self) -> i32 {
        const INTERRUPT: i32 = 2;
        match tokio::signal::ctrl_c().await {
            Ok(()) => ENDED + INTERRUPT,
            Err(_) => std::future::pending().await,
        }
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    #[test]
    fn reads_which_signals_are_ignored() {
        let status = "Name:\tskillbench\nSigBlk:\t0000000000000000\nSigIgn:\t0000000000001003\nSigCgt:\t00000\n";
        assert_eq!(ignored(status), 0b1_0000_0000_0011, "1, 2 and 13");
        assert_eq!(ignored("nothing of the kind"), 0);
    }
}
