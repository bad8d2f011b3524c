//! How far WebKit's script engine lets the heap of the page grow before it collects.
//!
//! By default it waits until the heap has doubled, or longer if the machine has much memory: with a large library that
//! was a tenth of what the page took. WebKit takes this only from environment variables, which its processes inherit
//! from ours, so the program starts itself again with them. Variables that the user has set are kept.
//! (`JSC_forceMiniVMMode` saves more, but then each collection goes over the whole heap: a key in a text of 1 MB took
//! twice the processor time.)

use std::os::unix::process::CommandExt;
use std::process::Command;

/// A heap is first collected at 8 MiB, and then whenever a share of what is in use has been added.
const VARIABLES: [(&str, &str); 2] = [("JSC_largeHeapSize", "8388608"), ("JSC_heapGrowthMaxIncrease", "0.2")];

/// Replaces this process with itself, with the variables set. If that fails, goes on without them.
pub fn keep_small() {
    let missing = || VARIABLES.into_iter().filter(|(name, _)| std::env::var_os(name).is_none());
    let Ok(program) = std::env::current_exe() else { return };
    if missing().next().is_some() {
        let error = Command::new(program).args(std::env::args_os().skip(1)).envs(missing()).exec();
        tracing::warn!(%error, "the page may take more memory than it needs");
    }
}
