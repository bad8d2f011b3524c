//! The signals that ask a program to end: Ctrl+C, SIGTERM, and SIGHUP of a terminal that is gone. Commands that run
//! scripts heed them, so that no script outlives them; the others leave them to the system.

use std::process::exit;
use std::sync::OnceLock;
use std::time::Duration;

use engine::tool::{group, signals::Asked};
use tokio::sync::watch;

/// How a command ends after the first signal.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// The command ends what it does in order, and then itself.
    Orderly,
    /// The command is dropped as it is.
    AtOnce,
}

/// Learns of the first signal. At a second one the program ends at once, its scripts with it.
#[derive(Clone)]
pub struct Signals {
    first: watch::Receiver<bool>,
}

impl Signals {
    /// Leaves them to the system.
    pub fn none() -> Self {
        Self { first: watch::channel(false).1 }
    }

    pub fn listen(manner: Manner) -> Self {
        let (sender, first) = watch::channel(false);
        let mut asked = Asked::listen();
        tokio::spawn(async move {
            let code = asked.next().await;
            FIRST.get_or_init(|| code);
            // There may be no receiver.
            let _ = sender.send(true);
            let again = asked.next();
            let code = match manner {
                Manner::Orderly => again.await,
                Manner::AtOnce => tokio::time::timeout(PATIENCE, again).await.unwrap_or(code),
            };
            end(code);
        });
        Self { first }
    }

    /// Comes with the first signal, and at once after it.
    pub async fn first(&self) {
        let mut first = self.first.clone();
        if first.wait_for(|heard| *heard).await.is_err() {
            std::future::pending().await
        }
    }
}

/// With a limit of file sizes (`ulimit -f`), writing to a full file then fails, as on a full disk, instead of ending
/// the program silently.
pub fn take_no_full_file_for_an_end() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        /// The same number on Linux, macOS and the BSDs.
        const SIGXFSZ: i32 = 25;
        // Once a handler is set, the signal no longer ends the program; scripts start with it as the system has it.
        let _ = signal(SignalKind::from_raw(SIGXFSZ));
    }
}

/// The exit code that says which signal came, if one did.
pub fn code() -> Option<i32> {
    FIRST.get().copied()
}

/// Ends the program, and the scripts it runs before.
pub fn end(code: i32) -> ! {
    group::kill_all();
    exit(code)
}

static FIRST: OnceLock<i32> = OnceLock::new();

/// For a command to be dropped.
const PATIENCE: Duration = Duration::from_secs(2);
