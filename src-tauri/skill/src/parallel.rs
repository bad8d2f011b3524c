//! Work on many things, on all cores.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Scripts are parsed by recursion: with this much, one of a usual length needs no second stack. Unused stack takes no
/// memory.
const STACK: usize = 64 << 20;

/// The results of `work` for each number below `count`, in order. As many threads as the machine has cores share the
/// work.
pub fn in_parallel<T: Send>(count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    // Asking how many cores there are reads files.
    let threads = if count > 1 { thread::available_parallelism().map_or(1, usize::from).min(count) } else { 1 };
    if threads <= 1 {
        return (0..count).map(work).collect();
    }
    let next = AtomicUsize::new(0);
    let take_turns = || {
        let turns = std::iter::from_fn(|| Some(next.fetch_add(1, Ordering::Relaxed)).filter(|number| *number < count));
        turns.map(|number| (number, work(number))).collect::<Vec<_>>()
    };
    let mut done = thread::scope(|scope| {
        let start = |_| thread::Builder::new().stack_size(STACK).spawn_scoped(scope, take_turns).ok();
        let running: Vec<_> = (0..threads).filter_map(start).collect();
        // If the system starts no thread, this one does the work.
        let own = if running.is_empty() { take_turns() } else { Vec::new() };
        let results = running.into_iter().map(|thread| match thread.join() {
            Ok(done) => done,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        results.flatten().chain(own).collect::<Vec<_>>()
    });
    done.sort_unstable_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, result)| result).collect()
}
