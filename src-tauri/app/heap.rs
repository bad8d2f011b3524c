//! How far WebKit's script engine lets the heap of the page grow before it collects.
//!
//! By itself it waits until as much again is in use, and more if the machine has much memory: with a large library that was a tenth
//! of what the page took. WebKit has no setting for it but variables, which its processes take from ours; so the program starts
//! itself once more with them. Those that the user has set come first. (`JSC_forceMiniVMMode` saves more, but then each
//! collection goes over the whole heap: a key in a text of 1 MB took twice the processor time.)

use std::os::unix::process::CommandExt;
use std::process::Command;

/// A heap is first collected at 8 MiB, and then whenever a share of what is in use has been added.
const VARIABLES: [(&str, &str); 2] = [("JSC_largeHeapSize", "8388608"), ("JSC_heapGrowthMaxIncrease", "0.2")];

/// Goes on as the same process with the variables set. If that is not possible, without them.
pub fn keep_small() {
    let missing = || VARIABLES.into_iter().filter(|(name, _)| std::env::var_os(name).is_none());
    let Ok(program) = std::env::current_exe() else { return };
    if missing().next().is_some() {
        let error = Command::new(program).args(std::env::args_os().skip(1)).envs(missing()).exec();
        tracing::warn!(%error, "the page may take more memory than it needs");
    }
}
