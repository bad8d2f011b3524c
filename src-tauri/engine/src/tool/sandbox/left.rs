//! Folders of scripts whose process was killed before it could delete them. Each holds a file that its process keeps locked;
//! the lock goes with the process however it ends.

use std::fs::File;
use std::sync::Once;

use camino::Utf8Path;

/// How the names of our folders begin.
pub(super) const PREFIX: &str = "skillbench-scratch-";

const LOCK: &str = "lock";

/// Claims a folder of ours. Its lock has its name only once it is held, so no sweep finds it free before.
pub(super) fn claim(folder: &Utf8Path) -> std::io::Result<File> {
    let unheld = folder.join("unheld");
    let lock = File::create_new(&unheld)?;
    lock.try_lock()?;
    std::fs::rename(&unheld, folder.join(LOCK))?;
    Ok(lock)
}

/// Deletes leftovers, once in a process and in the background. What it does not finish is left to the next process.
pub(super) fn sweep_once() {
    static SWEPT: Once = Once::new();
    SWEPT.call_once(|| {
        std::thread::spawn(|| {
            if let Some(folder) = Utf8Path::from_path(&std::env::temp_dir()) {
                sweep(folder);
            }
        });
    });
}

/// Deletes folders of ours that no process holds. Links and other users' folders stay.
fn sweep(within: &Utf8Path) {
    for entry in within.read_dir_utf8().into_iter().flatten().flatten() {
        let folder = entry.path();
        if !entry.file_name().starts_with(PREFIX) || !is_own(folder) {
            continue;
        }
        // It is held until the folder is gone, so that no two sweeps delete it at once.
        if let Ok((lock, _)) = disk::open_unlinked(&folder.join(LOCK))
            && lock.try_lock().is_ok()
        {
            // Folders that cannot be deleted now are tried again by the next process.
            let _ = disk::remove_tree(folder);
        }
    }
}

#[cfg(unix)]
fn is_own(folder: &Utf8Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::symlink_metadata(folder)
        .is_ok_and(|facts| facts.is_dir() && facts.uid() == rustix::process::geteuid().as_raw())
}

#[cfg(not(unix))]
fn is_own(folder: &Utf8Path) -> bool {
    std::fs::symlink_metadata(folder).is_ok_and(|facts| facts.is_dir())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_dead_process_left_is_swept_and_nothing_else() {
        let guard = tempfile::tempdir().unwrap();
        let base = Utf8Path::from_path(guard.path()).unwrap();
        let folder = |name: &str| {
            let folder = base.join(name);
            std::fs::create_dir_all(folder.join("tmp/deep")).unwrap();
            std::fs::write(folder.join("tmp/deep/file"), "text").unwrap();
            folder
        };
        let (held, left) = (folder("skillbench-scratch-held"), folder("skillbench-scratch-left"));
        let (bare, other) = (folder("skillbench-scratch-bare"), folder("other"));
        let _lock = claim(&held).unwrap();
        for free in [&left, &other] {
            drop(claim(free).unwrap());
        }
        sweep(base);
        assert_eq!([&held, &left, &bare, &other].map(|folder| folder.exists()), [true, false, true, true]);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_of_such_a_name_leads_no_sweep_elsewhere() {
        let guard = tempfile::tempdir().unwrap();
        let base = Utf8Path::from_path(guard.path()).unwrap();
        let theirs = base.join("theirs");
        std::fs::create_dir(&theirs).unwrap();
        drop(claim(&theirs).unwrap());
        std::os::unix::fs::symlink(&theirs, base.join("skillbench-scratch-link")).unwrap();
        sweep(base);
        assert!(theirs.join("lock").exists());
    }
}
