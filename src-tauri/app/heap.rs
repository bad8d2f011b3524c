//! How far WebKit's script engine lets the heap of the page grow before it collects.
//!
//! By itself it waits until as much again is in use, and more if the machine has much memory: with a large library that was a fifth
//! of what the page took. WebKit has no setting for it but a variable, which its processes take from ours; so the program starts
//! itself once more with it. One that the user has set comes first.

use std::os::unix::process::CommandExt;
use std::process::Command;

/// The heap grows by a quarter of what is in use.
const SMALL: &str = "JSC_forceMiniVMMode";

/// Goes on as the same process with the variable set. If that is not possible, without it.
pub fn keep_small() {
    let Ok(program) = std::env::current_exe() else { return };
    if std::env::var_os(SMALL).is_none() {
        let error = Command::new(program).args(std::env::args_os().skip(1)).env(SMALL, "true").exec();
        tracing::warn!(%error, "the page may take more memory than it needs");
    }
}
