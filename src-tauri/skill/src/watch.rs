//! Reports when something below the open folders changes on disk. Changes that come together are reported together.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use notify::event::{AccessKind, AccessMode, MetadataKind, ModifyKind};
use notify::{EventKind, RecommendedWatcher, RecursiveMode};
use notify_debouncer_full::{DebounceEventResult, DebouncedEvent, Debouncer, RecommendedCache, new_debouncer_opt};

use wording::{Message, message};

use super::Folder;
use super::discover::{GIT, MODULES, survey_trusting};

/// How long a change waits for others. A window shows it within three times that.
pub const DEBOUNCE: Duration = Duration::from_millis(100);
const TICK: Duration = Duration::from_millis(20);

/// Why changes cannot be watched.
#[derive(Debug, thiserror::Error)]
#[error("{}", self.worded().en)]
pub enum WatchError {
    Start { source: notify::Error },
    Folder { path: Utf8PathBuf, source: notify::Error },
    Missed { source: notify::Error },
}

impl WatchError {
    /// What failed, in both languages.
    pub fn worded(&self) -> Message {
        match self {
            Self::Start { source } => {
                message!("changes on disk cannot be watched: {source}", "无法监视磁盘上的更改：{source}")
            }
            Self::Folder { path, source } => {
                message!("cannot watch {path} for changes: {source}", "无法监视 {path} 的更改：{source}")
            }
            Self::Missed { source } => {
                message!("changes on disk may have been missed: {source}", "可能漏掉了磁盘上的更改：{source}")
            }
        }
    }
}

/// Watches folders until it is dropped. One that is deleted and made again, or that another takes the place of, is
/// watched on: the system forgets it, so every now and then the folders are compared with those that were watched.
pub struct Watcher {
    watched: Arc<Mutex<Watched>>,
    /// Ends the thread that compares when it is dropped.
    _alive: Sender<()>,
}

struct Watched {
    debouncer: Debouncer<RecommendedWatcher, RecommendedCache>,
    roots: Roots,
    /// What the user trusts, by its real paths: links to it are followed.
    trusted: Vec<Utf8PathBuf>,
}

type Roots = Arc<Mutex<Vec<Root>>>;

struct Root {
    path: Utf8PathBuf,
    /// The folder that is watched; `None`: it is gone, or another one by now.
    folder: Option<Identity>,
    /// Links below it to folders that are read too.
    links: Vec<Utf8PathBuf>,
}

/// How often the folders are compared.
const PATROL: Duration = Duration::from_millis(500);

impl Watcher {
    /// `on_change` is called on the watcher's thread, with the paths that changed, sorted, each once. A path means all
    /// below it if no more is known. Reading a file does not count as a change, nor does anything in a folder that
    /// [`super::load`] does not enter.
    pub fn start(
        on_change: impl FnMut(Result<Vec<Utf8PathBuf>, WatchError>) + Send + 'static,
    ) -> Result<Self, WatchError> {
        let on_change = Arc::new(Mutex::new(on_change));
        let tell = move |told| on_change.lock().unwrap_or_else(PoisonError::into_inner)(told);
        let roots = Roots::default();
        let (known, tell_events) = (roots.clone(), tell.clone());
        let handler = move |result: DebounceEventResult| match result {
            Ok(events) => {
                let paths = changed_paths(&events, &mut lock(&known));
                if !paths.is_empty() {
                    tell_events(Ok(paths));
                }
            }
            Err(errors) => errors.into_iter().for_each(|source| tell_events(Err(WatchError::Missed { source }))),
        };
        // A link may lead anywhere: which are followed, the walk over the folder says.
        let config = notify::Config::default().with_follow_symlinks(false);
        let debouncer = new_debouncer_opt(DEBOUNCE, Some(TICK), handler, RecommendedCache::new(), config)
            .map_err(|source| WatchError::Start { source })?;
        let watched = Arc::new(Mutex::new(Watched { debouncer, roots, trusted: Vec::new() }));
        let (alive, ended) = mpsc::channel();
        let weak = Arc::downgrade(&watched);
        std::thread::spawn(move || {
            while ended.recv_timeout(PATROL) == Err(RecvTimeoutError::Timeout) {
                let Some(watched) = weak.upgrade() else { return };
                let changed = lock(&watched).compare();
                if !changed.is_empty() {
                    tell(Ok(changed));
                }
            }
        });
        Ok(Self { watched, _alive: alive })
    }

    /// Watches a folder and all below it; one that is not there from when it is. `trusted`: see [`super::load_trusting`].
    pub fn add(&mut self, root: &Utf8Path, trusted: Vec<Utf8PathBuf>) -> Result<(), WatchError> {
        let mut watched = lock(&self.watched);
        watched.trusted = trusted;
        watched.add(root)
    }

    /// Whether changes below `path` are reported.
    pub fn watches(&self, path: &Utf8Path) -> bool {
        lock(&lock(&self.watched).roots).iter().any(|root| path.starts_with(&root.path))
    }

    /// Stops watching a folder. A folder that is not watched, or no longer exists, is not an error.
    pub fn remove(&mut self, root: &Utf8Path) {
        let mut watched = lock(&self.watched);
        watched.forget(root);
        lock(&watched.roots).retain(|watched| watched.path != root);
    }
}

impl Watched {
    fn add(&mut self, root: &Utf8Path) -> Result<(), WatchError> {
        // Asked for first: of a folder that is put there in between the next comparison knows.
        let folder = identity(root);
        if let Err(source) = self.debouncer.watch(root, RecursiveMode::Recursive)
            && folder.is_some()
        {
            return Err(WatchError::Folder { path: root.to_owned(), source });
        }
        let links = if folder.is_some() { self.linked(root) } else { Vec::new() };
        for link in &links {
            if let Err(error) = self.debouncer.watch(link, RecursiveMode::Recursive) {
                tracing::warn!(%link, %error, "changes behind this link are not noticed");
            }
        }
        let mut roots = lock(&self.roots);
        roots.retain(|known| known.path != root);
        roots.push(Root { path: root.to_owned(), folder, links });
        Ok(())
    }

    /// The links to folders that are read together with this one.
    fn linked(&self, root: &Utf8Path) -> Vec<Utf8PathBuf> {
        fn add(folder: &Folder, links: &mut Vec<Utf8PathBuf>) {
            if folder.link.is_some() && folder.listed {
                // A link by its own name would be passed over; what it leads to is not.
                links.push(folder.path.join("."));
            }
            folder.folders().for_each(|inner| add(inner, links));
        }
        let mut links = Vec::new();
        let set = survey_trusting(&[root.to_owned()], &self.trusted);
        set.roots.iter().for_each(|root| add(&root.tree, &mut links));
        links
    }

    fn forget(&mut self, root: &Utf8Path) {
        let known = lock(&self.roots).iter().find(|known| known.path == root).map(|known| known.links.clone());
        for path in known.iter().flatten().map(|link| &**link).chain([root]) {
            if let Err(error) = self.debouncer.unwatch(path) {
                tracing::debug!(%path, %error, "was not watched");
            }
        }
    }

    /// The folders that are gone or others since they were last compared; those that are there are watched.
    fn compare(&mut self) -> Vec<Utf8PathBuf> {
        let mut changed = Vec::new();
        let known: Vec<_> = lock(&self.roots).iter().map(|root| (root.path.clone(), root.folder)).collect();
        for (path, folder) in known {
            let now = identity(&path);
            if now == folder {
                continue;
            }
            self.forget(&path);
            if now.is_some() && self.add(&path).is_err() {
                // The next comparison tries again.
                continue;
            }
            if now.is_none() {
                lock(&self.roots).iter_mut().filter(|root| root.path == path).for_each(|root| root.folder = None);
            }
            changed.push(path);
        }
        changed
    }
}

/// Distinguishes a folder from a later one with the same path.
#[cfg(unix)]
type Identity = (u64, u64);
#[cfg(not(unix))]
type Identity = Option<std::time::SystemTime>;

/// `None`: there is no such folder.
fn identity(path: &Utf8Path) -> Option<Identity> {
    let facts = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_dir)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        Some((facts.dev(), facts.ino()))
    }
    #[cfg(not(unix))]
    Some(facts.created().ok())
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

fn changed_paths(events: &[DebouncedEvent], roots: &mut [Root]) -> Vec<Utf8PathBuf> {
    let mut paths = Vec::new();
    for event in events {
        if event.need_rescan() {
            paths.extend(roots.iter().map(|root| root.path.clone()));
        } else if is_change(&event.kind) {
            if event.kind.is_remove() {
                // The folder that comes next may have the number of the one that went.
                let gone = roots.iter_mut().filter(|root| event.paths.iter().any(|path| *path == *root.path));
                gone.for_each(|root| root.folder = None);
            }
            let of_event = event.paths.iter().filter_map(|path| Utf8Path::from_path(path));
            let plain = of_event.map(|path| path.components().collect::<Utf8PathBuf>());
            paths.extend(plain.filter(|path| is_wanted(path, roots)));
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

fn is_wanted(path: &Utf8Path, roots: &[Root]) -> bool {
    let below =
        roots.iter().filter_map(|root| path.strip_prefix(&root.path).ok()).min_by_key(|below| below.as_str().len());
    below.is_none_or(|below| !below.components().any(|component| [GIT, MODULES].contains(&component.as_str())))
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
            watcher.add(&path, Vec::new()).unwrap();
            Self { watcher, changes, path, _folder: folder }
        }

        /// Everything reported before `last`.
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
    fn tells_when_a_folder_that_was_not_there_is_made() {
        let mut watched = Watched::new();
        let folder = watched.path.join(".git/later");
        watched.watcher.add(&folder, Vec::new()).unwrap();
        fs::create_dir(&folder).unwrap();
        watched.until(".git/later");
        fs::write(folder.join("SKILL.md"), "one").unwrap();
        watched.until(".git/later/SKILL.md");
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
    fn a_root_that_is_made_again_is_watched_on() {
        let watched = Watched::new();
        for text in ["one", "two"] {
            fs::remove_dir_all(&watched.path).unwrap();
            fs::create_dir(&watched.path).unwrap();
            // Until the watcher knows that this is another folder, changes in it are reported together with the folder.
            watched.until("");
            let path = watched.path.join("SKILL.md");
            let mut told = Vec::new();
            while !told.contains(&path) {
                fs::write(&path, text).unwrap();
                told = watched.changes.recv_timeout(PATIENCE).expect("the change is told");
            }
        }
    }

    #[test]
    fn a_root_that_another_folder_takes_the_place_of_is_watched_on() {
        let watched = Watched::new();
        let away = watched.path.with_extension("away");
        fs::rename(&watched.path, &away).unwrap();
        watched.until("");
        fs::create_dir(&watched.path).unwrap();
        watched.until("");
        fs::write(watched.path.join("SKILL.md"), "two").unwrap();
        watched.until("SKILL.md");
        fs::remove_dir_all(away).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn tells_of_changes_behind_links_that_are_read() {
        let outside = tempfile::tempdir().unwrap();
        let mut watched = Watched::new();
        std::os::unix::fs::symlink(outside.path(), watched.path.join("linked")).unwrap();
        std::os::unix::fs::symlink("/", watched.path.join("all")).unwrap();
        let real = Utf8PathBuf::try_from(outside.path().canonicalize().unwrap()).unwrap();
        // Added again, it is read again.
        watched.watcher.add(&watched.path.clone(), vec![real]).unwrap();
        fs::write(outside.path().join("SKILL.md"), "one").unwrap();
        let told = watched.until("linked/SKILL.md");
        assert!(told.iter().all(|path| !path.starts_with("all/")), "{told:?}");
    }

    #[test]
    fn a_removed_root_is_silent() {
        let mut watched = Watched::new();
        let other = tempfile::tempdir().unwrap();
        let other = Utf8PathBuf::try_from(other.path().canonicalize().unwrap()).unwrap();
        watched.watcher.remove(&other);
        watched.watcher.remove(&watched.path);
        fs::write(watched.path.join("SKILL.md"), "two").unwrap();
        watched.watcher.add(&watched.path, Vec::new()).unwrap();
        fs::write(watched.path.join("last.md"), "x").unwrap();
        assert_eq!(watched.until("last.md"), ["last.md"]);
    }
}
