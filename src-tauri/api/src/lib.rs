//! The counter: one method per command on [`Workbench`], the values that cross it, and the errors the window
//! switches on. The shell, the CLI and the tests all come through here.

pub mod commands;
pub mod dto;

mod answers;
mod approvals;
mod bundled;
mod card;
mod changes;
mod check;
mod collisions;
mod compare;
mod completions;
mod convert;
mod copies;
mod counts;
mod drafts;
mod eager;
mod error;
mod excerpt;
mod exposed;
mod file_tokens;
mod files;
mod find;
mod folders;
mod fork_files;
mod forks;
mod held;
mod history;
mod imports;
mod inspect;
mod judge;
mod kept;
mod lines;
mod lint;
mod mentions;
mod models;
mod neutral;
mod open_runs;
mod options;
mod outside;
mod packages;
mod pattern;
mod places;
mod play;
mod private;
mod probes;
mod rehearse;
mod replay;
mod retention;
mod review;
mod rule_ids;
mod rules;
mod run_index;
mod runs;
mod save;
mod scenes;
mod search;
mod send;
mod skills;
mod starts;
mod trials;
mod trust;
#[cfg(test)]
mod typescript;
mod usage;
mod words;

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::Duration;

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};
use tokio::sync::{Notify, OnceCell, Semaphore, watch};
use tokio_util::sync::CancellationToken;

pub use error::{ApiError, Code, Tried};
pub use folders::folder_at;
pub use lint::{Earlier, FixedFile};
pub use places::Places;
pub use play::{PlayedCall, ScriptedCall};
pub use probes::Asked;
pub use scenes::screenplay_at;

use crate::dto::{Push, TraceSent};
use crate::folders::Desk;
use crate::held::{Held, LiveRun};
use crate::judge::Judges;
use crate::open_runs::OpenRuns;
use crate::trust::{Roots, Trusted};
use harness::Catalog;
use model::http::Http;
use model::tokens::Tokenizer;
use skill::paths::Paths;
use skill::{Skill, SkillSet, watch::Watcher};
use trace::RunId;
use trace::clock::Clock;
use trace::store::Store;

/// The program's version, as runs record it.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Everything the window and the terminal can do. Clones share one bench.
#[derive(Clone)]
pub struct Workbench {
    inner: Arc<Inner>,
}

struct Inner {
    places: Places,
    clock: Clock,
    push: Arc<dyn Fn(Push) + Send + Sync>,
    desk: Mutex<Desk>,
    freshness: Freshness,
    /// What the open folders hold; dropped whenever something below them changes.
    loaded: Cache,
    /// Limits how many harnesses are set up over all skills at once, since each such catalogue holds all their texts:
    /// as many as there are cores.
    stages: Arc<Semaphore>,
    /// Held while the open folders are read, so that several who ask for them wait for one reading.
    loading: tokio::sync::Mutex<()>,
    /// `None` if files are not watched.
    watcher: Mutex<Option<Watcher>>,
    /// Opened when first needed. The error is returned whenever something needs the store; the rest works without it.
    store: OnceCell<Result<Store, ApiError>>,
    http: OnceLock<Http>,
    /// Held from comparing a file's version to writing it.
    saving: Arc<Mutex<()>>,
    live: Mutex<HashMap<RunId, LiveRun>>,
    /// Runs of this process that are not whole in the store: those that go on, and those it refused.
    held: Mutex<HashMap<RunId, Arc<Held>>>,
    /// Runs that were read.
    open_runs: OpenRuns,
    /// The skills as runs of this process saw them last, for frameworks that keep them as long as they live.
    catalogs: Mutex<BTreeMap<RunId, (Catalog, Paths)>>,
    /// Notified whenever one of the `live` runs has ended.
    ended: Notify,
    /// Tests of models that go on, by the name that the caller gave them.
    trials: Mutex<HashMap<String, CancellationToken>>,
    /// Imports that go on, likewise.
    imports: Mutex<HashMap<String, CancellationToken>>,
    /// Held while runs are taken away that are not kept.
    pruning: tokio::sync::Mutex<()>,
    /// Runs that are sent to a tracing back end while they go on.
    sending: Mutex<HashMap<RunId, watch::Receiver<Option<TraceSent>>>>,
    /// The tokenizer that replaces the one in the settings.
    counts_with: OnceLock<Tokenizer>,
}

/// How long skills that were read from the open folders stay valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Freshness {
    /// Until something below them changes, which is pushed. If the system cannot watch, for one command.
    Watched,
    /// As long as the bench: for programs that answer one question and end.
    ReadOnce,
}

/// The contents of some folders, and their skills.
struct Loaded {
    /// A time before anything of it was read.
    since: kept::Clock,
    set: Arc<SkillSet>,
    skills: Arc<Vec<Skill>>,
    /// Made ready when first asked for.
    judges: OnceCell<Arc<Judges>>,
}

type Cache = Arc<Mutex<Kept>>;

#[derive(Default)]
struct Kept {
    loaded: Option<Arc<Loaded>>,
    /// Goes up with every change: results of reading that overlaps a change are not kept.
    changes: u64,
}

impl Kept {
    fn forget(&mut self) {
        self.loaded = None;
        self.changes += 1;
    }
}

impl Workbench {
    /// Opens the bench on `folders`, or on those open the last time, or on the bundled skills. Never fails: if
    /// something is broken (a trace store, a settings file), the commands that need it return the error.
    pub async fn open(
        places: Places,
        folders: Vec<Utf8PathBuf>,
        freshness: Freshness,
        push: impl Fn(Push) + Send + Sync + 'static,
    ) -> Workbench {
        let clock = Clock::system();
        let own = places.clone();
        blocking(move || own.tighten()).await;
        let push: Arc<dyn Fn(Push) + Send + Sync> = Arc::new(push);
        let desk = Desk::open(&places, folders);
        let loaded = Cache::default();
        let watcher = match freshness {
            Freshness::Watched => folders::watch(&desk, &Trusted::read(&places), loaded.clone(), push.clone()),
            Freshness::ReadOnce => None,
        };
        Workbench {
            inner: Arc::new(Inner {
                places,
                clock,
                push,
                desk: Mutex::new(desk),
                freshness,
                loaded,
                stages: Arc::new(Semaphore::new(cores())),
                loading: tokio::sync::Mutex::default(),
                watcher: Mutex::new(watcher),
                store: OnceCell::new(),
                http: OnceLock::new(),
                saving: Arc::default(),
                live: Mutex::default(),
                held: Mutex::default(),
                open_runs: OpenRuns::default(),
                catalogs: Mutex::default(),
                ended: Notify::new(),
                trials: Mutex::default(),
                imports: Mutex::default(),
                pruning: tokio::sync::Mutex::default(),
                sending: Mutex::default(),
                counts_with: OnceLock::new(),
            }),
        }
    }

    /// Reads the open folders ahead of the requests that will follow.
    pub async fn read_ahead(&self) {
        self.loaded().await;
    }

    /// What the open folders hold, from memory while nothing changed.
    async fn loaded(&self) -> Arc<Loaded> {
        let keeps = self.inner.freshness == Freshness::ReadOnce || lock(&self.inner.watcher).is_some();
        if let (true, Some(loaded)) = (keeps, lock(&self.inner.loaded).loaded.clone()) {
            return loaded;
        }
        let _reading = if keeps { Some(self.inner.loading.lock().await) } else { None };
        let changes = {
            let kept = lock(&self.inner.loaded);
            if let (true, Some(loaded)) = (keeps, kept.loaded.clone()) {
                return loaded;
            }
            kept.changes
        };
        // Asked for after the count, so that a folder opened in the meantime counts as a change.
        let folders = lock(&self.inner.desk).by_weight();
        let loaded = Arc::new(self.load(folders).await);
        let keeps = keeps && self.watches(&loaded);
        let mut kept = lock(&self.inner.loaded);
        if keeps && kept.changes == changes {
            kept.loaded = Some(loaded.clone());
        }
        loaded
    }

    /// Whether all of it was being watched while it was read. From now on also watches the folders that project files
    /// name, so that this is true the next time.
    fn watches(&self, loaded: &Loaded) -> bool {
        let mut watcher = lock(&self.inner.watcher);
        let Some(watcher) = watcher.as_mut() else { return self.inner.freshness == Freshness::ReadOnce };
        let fresh: Vec<&Utf8Path> =
            loaded.set.roots.iter().map(|root| &*root.path).filter(|root| !watcher.watches(root)).collect();
        for root in &fresh {
            if let Err(error) = watcher.add(root, Trusted::read(&self.inner.places).unmoved()) {
                tracing::warn!(%error, "a folder of the project is not watched");
            }
        }
        fresh.is_empty()
    }

    /// What `roots` hold, or the open folders with `None`.
    async fn loaded_from(&self, roots: Option<&[String]>) -> Arc<Loaded> {
        match roots {
            Some(roots) => {
                let roots = roots.iter().map(|root| absolute(Utf8Path::new(root))).collect();
                Arc::new(self.load(roots).await)
            }
            None => self.loaded().await,
        }
    }

    /// Forgets what was read; the next command reads it again. For callers that learn about disk changes in another
    /// way.
    pub fn forget_loaded(&self) {
        lock(&self.inner.loaded).forget();
    }

    /// For commands that need files as they are right now: the watcher may not have reported the latest edits yet.
    pub(crate) fn see_edits(&self) {
        if self.inner.freshness == Freshness::Watched {
            self.forget_loaded();
        }
    }

    /// Reads `roots`, and the further roots that their project files name and that may be read.
    async fn load(&self, roots: Vec<Utf8PathBuf>) -> Loaded {
        let places = self.inner.places.clone();
        blocking(move || {
            let since = kept::Clock::now();
            let trusted = Trusted::read(&places);
            let Roots { paths, problems, .. } = Roots::of(roots, &trusted);
            let mut set = trust::with_inline_skills(skill::load_trusting(&paths, &trusted.unmoved()));
            set.problems.extend(problems);
            Loaded { since, skills: Arc::new(skill::skills(&set)), set: Arc::new(set), judges: OnceCell::new() }
        })
        .await
    }

    /// The open folders, and the further ones that their project files name and that may be read.
    async fn roots(&self) -> Vec<Utf8PathBuf> {
        let (places, opened) = (self.inner.places.clone(), lock(&self.inner.desk).by_weight());
        blocking(move || Roots::of(opened, &Trusted::read(&places)).paths).await
    }

    async fn store(&self) -> Result<&Store, ApiError> {
        let open = || async {
            let store = runs::open_store(&self.inner.places, self.inner.clock.clone()).await?;
            if self.inner.freshness == Freshness::Watched {
                // Changes from here on are pushed.
                let _ = store.changed_elsewhere().await;
                tokio::spawn(follow(store.clone(), Arc::downgrade(&self.inner)));
            }
            Ok(store)
        };
        self.inner.store.get_or_init(open).await.as_ref().map_err(Clone::clone)
    }
}

/// How often the store is asked whether other processes wrote there. If none did, that costs almost nothing.
const FOLLOWED: Duration = Duration::from_secs(1);

/// Says when other processes record, import or delete runs, as long as the bench is there.
async fn follow(store: Store, bench: Weak<Inner>) {
    let mut next = tokio::time::interval(FOLLOWED);
    next.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        next.tick().await;
        // If this fails it may work the next time; commands about runs report why.
        let has_changed = store.changed_elsewhere().await.unwrap_or(false);
        let Some(inner) = bench.upgrade() else { return };
        if has_changed {
            (inner.push)(Push::RunsChanged);
        }
    }
}

/// A path without `.` and `..`, by its text alone: links are not resolved.
pub(crate) fn normal(path: &Utf8Path) -> Utf8PathBuf {
    let mut normal = Utf8PathBuf::new();
    for part in path.components() {
        match part {
            Utf8Component::CurDir => {}
            Utf8Component::ParentDir => {
                normal.pop();
            }
            other => normal.push(other),
        }
    }
    normal
}

/// Runs work that reads the disk or counts tokens on a thread that may block.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    match tokio::task::spawn_blocking(work).await {
        Ok(value) => value,
        Err(error) => match error.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            // The runtime is shutting down, and the waiting task is dropped with it.
            Err(_) => std::future::pending().await,
        },
    }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// A lock whose holders only assign: a panic elsewhere cannot leave the value half-made.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// `path` from the root of the file system, without following links.
pub fn absolute(path: &Utf8Path) -> Utf8PathBuf {
    normal(&camino::absolute_utf8(path).unwrap_or_else(|_| path.to_owned()))
}
