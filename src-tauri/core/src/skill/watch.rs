//! Tells when something below the open folders changes on disk. Changes that come together are told together.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use notify::event::{AccessKind, AccessMode, MetadataKind, ModifyKind};
use notify::{EventKind, RecommendedWatcher, RecursiveMode};
use notify_debouncer_full::{DebounceEventResult, DebouncedEvent, Debouncer, RecommendedCache, new_debouncer};

use super::discover::NOT_ENTERED;

/// How long a change waits for others. A window shows it within three times that.
pub const DEBOUNCE: Duration = Duration::from_millis(100);
const TICK: Duration = Duration::from_millis(20);

#[derive(Debug, thiserror::Error)]
pub enum WatchError {
    #[error("changes on disk cannot be watched: {source}")]
    Start { source: notify::Error },
    #[error("cannot watch {path} for changes: {source}")]
    Folder { path: Utf8PathBuf, source: notify::Error },
    #[error("changes on disk may have been missed: {source}")]
    Missed { source: notify::Error },
}

/// Watches folders until it is dropped.
pub struct Watcher {
    debouncer: Debouncer<RecommendedWatcher, RecommendedCache>,
    roots: Roots,
}

type Roots = Arc<Mutex<Vec<Utf8PathBuf>>>;

impl Watcher {
    /// `on_change` is called on a thread of the watcher's, with the paths that changed, sorted, each once. A path stands
    /// for all below it where more is not known. Reading a file is no change, nor is anything in a folder that
    /// [`super::load`] does not enter.
    pub fn start(
        mut on_change: impl FnMut(Result<Vec<Utf8PathBuf>, WatchError>) + Send + 'static,
    ) -> Result<Self, WatchError> {
        let roots = Roots::default();
        let watched = roots.clone();
        let handler = move |result: DebounceEventResult| match result {
            Ok(events) => {
                let paths = changed_paths(&events, &watched.lock().unwrap_or_else(PoisonError::into_inner));
                if !paths.is_empty() {
                    on_change(Ok(paths));
                }
            }
            Err(errors) => errors.into_iter().for_each(|source| on_change(Err(WatchError::Missed { source }))),
        };
        let debouncer = new_debouncer(DEBOUNCE, Some(TICK), handler).map_err(|source| WatchError::Start { source })?;
        Ok(Self { debouncer, roots })
    }

    /// Watches a folder and all below it.
    pub fn add(&mut self, root: &Utf8Path) -> Result<(), WatchError> {
        self.debouncer
            .watch(root, RecursiveMode::Recursive)
            .map_err(|source| WatchError::Folder { path: root.to_owned(), source })?;
        let mut roots = self.roots.lock().unwrap_or_else(PoisonError::into_inner);
        if !roots.iter().any(|watched| watched == root) {
            roots.push(root.to_owned());
        }
        Ok(())
    }

    /// Whether changes below `path` are told.
    pub fn watches(&self, path: &Utf8Path) -> bool {
        let roots = self.roots.lock().unwrap_or_else(PoisonError::into_inner);
        roots.iter().any(|root| path.starts_with(root))
    }

    /// Stops watching a folder. One that is not watched, or is gone, is no error.
    pub fn remove(&mut self, root: &Utf8Path) {
        self.roots.lock().unwrap_or_else(PoisonError::into_inner).retain(|watched| watched != root);
        if let Err(error) = self.debouncer.unwatch(root) {
            tracing::debug!(%root, %error, "was not watched");
        }
    }
}

fn changed_paths(events: &[DebouncedEvent], roots: &[Utf8PathBuf]) -> Vec<Utf8PathBuf> {
    let mut paths = Vec::new();
    for event in events {
        if event.need_rescan() {
            paths.extend(roots.iter().cloned());
        } else if is_change(&event.kind) {
            let of_event = event.paths.iter().filter_map(|path| Utf8Path::from_path(path));
            paths.extend(of_event.filter(|path| is_wanted(path, roots)).map(Utf8Path::to_owned));
        }
    }
    paths.sort();
    paths.dedup();
    paths
}

fn is_change(kind: &EventKind) -> bool {
    match kind {
        EventKind::Access(AccessKind::Close(AccessMode::Write)) => true,
        EventKind::Access(_) | EventKind::Modify(ModifyKind::Metadata(MetadataKind::AccessTime)) => false,
        EventKind::Any | EventKind::Create(_) | EventKind::Modify(_) | EventKind::Remove(_) | EventKind::Other => true,
    }
}

fn is_wanted(path: &Utf8Path, roots: &[Utf8PathBuf]) -> bool {
    let below = roots.iter().filter_map(|root| path.strip_prefix(root).ok()).min_by_key(|below| below.as_str().len());
    below.is_none_or(|below| !below.components().any(|component| NOT_ENTERED.contains(&component.as_str())))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::mpsc::{Receiver, channel};

    use tempfile::TempDir;

    use super::*;

    /// Longer than any machine needs; only a failing test waits so long.
    const PATIENCE: Duration = Duration::from_secs(20);

    struct Watched {
        watcher: Watcher,
        changes: Receiver<Vec<Utf8PathBuf>>,
        path: Utf8PathBuf,
        _folder: TempDir,
    }

    impl Watched {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let path = Utf8PathBuf::try_from(folder.path().canonicalize().unwrap()).unwrap();
            fs::create_dir_all(path.join(".git")).unwrap();
            fs::write(path.join("SKILL.md"), "one").unwrap();
            let (sender, changes) = channel();
            let mut watcher = Watcher::start(move |change| {
                let _ = sender.send(change.unwrap());
            })
            .unwrap();
            watcher.add(&path).unwrap();
            Self { watcher, changes, path, _folder: folder }
        }

        /// All that was told until `last` was.
        fn until(&self, last: &str) -> Vec<String> {
            let mut told = Vec::new();
            while !told.iter().any(|path| path == last) {
                let paths = self.changes.recv_timeout(PATIENCE).expect("the change is told");
                told.extend(paths.iter().map(|path| path.strip_prefix(&self.path).unwrap().to_string()));
            }
            told
        }
    }

    #[test]
    fn tells_of_an_outside_edit() {
        let watched = Watched::new();
        fs::write(watched.path.join("SKILL.md"), "two").unwrap();
        assert_eq!(watched.until("SKILL.md"), ["SKILL.md"]);
    }

    #[test]
    fn tells_of_files_in_a_folder_made_later() {
        let watched = Watched::new();
        let folder = watched.path.join("references");
        fs::create_dir(&folder).unwrap();
        watched.until("references");
        fs::write(folder.join("a.md"), "a").unwrap();
        watched.until("references/a.md");
    }

    #[test]
    fn reading_and_git_are_no_changes() {
        let watched = Watched::new();
        fs::read(watched.path.join("SKILL.md")).unwrap();
        fs::write(watched.path.join(".git/index.lock"), "x").unwrap();
        fs::write(watched.path.join("last.md"), "x").unwrap();
        assert_eq!(watched.until("last.md"), ["last.md"]);
    }

    #[test]
    fn a_removed_root_is_silent() {
        let mut watched = Watched::new();
        let other = tempfile::tempdir().unwrap();
        let other = Utf8PathBuf::try_from(other.path().canonicalize().unwrap()).unwrap();
        watched.watcher.remove(&other);
        watched.watcher.remove(&watched.path);
        fs::write(watched.path.join("SKILL.md"), "two").unwrap();
        watched.watcher.add(&watched.path).unwrap();
        fs::write(watched.path.join("last.md"), "x").unwrap();
        assert_eq!(watched.until("last.md"), ["last.md"]);
    }

    #[test]
    fn a_missing_folder_is_an_error() {
        let mut watched = Watched::new();
        let missing = watched.path.join("none");
        let error = watched.watcher.add(&missing).unwrap_err().to_string();
        assert!(error.starts_with(&format!("cannot watch {missing} for changes")), "{error}");
    }
}
