//! Where the program keeps its own things.

use std::time::Duration;

use camino::Utf8PathBuf;

/// Folders outside the user's skills.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Places {
    /// The skills that ship with the program.
    pub bundled: Option<Utf8PathBuf>,
    /// Traces, run folders and settings.
    pub state: Utf8PathBuf,
    /// `models.yaml`.
    pub config: Utf8PathBuf,
    /// The folder for data that can be computed again at any time, and may be deleted.
    pub cache: Utf8PathBuf,
    /// How long to wait if another program holds the lock of the trace store.
    pub store_wait: Duration,
}

impl Places {
    /// The platform's folders for a program's state and configuration; both inside `SKILL_WORKBENCH_HOME` if that is
    /// set. `SKILL_WORKBENCH_STORE_WAIT` sets the wait for the store's lock, in milliseconds.
    pub fn standard(bundled: Option<Utf8PathBuf>) -> Self {
        let wait = std::env::var("SKILL_WORKBENCH_STORE_WAIT").ok().and_then(|wait| wait.parse().ok());
        let places = Self::of_platform(bundled);
        Self { store_wait: wait.map_or(places.store_wait, Duration::from_millis), ..places }
    }

    fn of_platform(bundled: Option<Utf8PathBuf>) -> Self {
        let bundled = bundled.filter(|path| path.is_dir());
        if let Some(home) = std::env::var("SKILL_WORKBENCH_HOME").ok().filter(|home| !home.is_empty()) {
            return Self::below(Utf8PathBuf::from(home), bundled);
        }
        let state = dirs::data_local_dir().and_then(|dir| Utf8PathBuf::try_from(dir).ok());
        let config = dirs::config_dir().and_then(|dir| Utf8PathBuf::try_from(dir).ok());
        let cache = dirs::cache_dir().and_then(|dir| Utf8PathBuf::try_from(dir).ok());
        match (state, config, cache) {
            (Some(state), Some(config), Some(cache)) => {
                let [state, config, cache] = [state, config, cache].map(|place| place.join("skill-workbench"));
                Self { bundled, state, config, cache, store_wait: trace::store::BUSY }
            }
            _ => Self::below(Utf8PathBuf::from(".skill-workbench"), bundled),
        }
    }

    /// Everything in one folder.
    pub fn below(home: Utf8PathBuf, bundled: Option<Utf8PathBuf>) -> Self {
        let [state, config, cache] = ["state", "config", "cache"].map(|place| home.join(place));
        Self { bundled, state, config, cache, store_wait: trace::store::BUSY }
    }

    /// The store of runs.
    pub fn traces(&self) -> Utf8PathBuf {
        self.state.join("traces.sqlite")
    }

    /// The user's `models.yaml`, which may be missing.
    pub fn models(&self) -> Utf8PathBuf {
        self.config.join("models.yaml")
    }

    /// What the user trusts outside of the open folders.
    pub fn trusted(&self) -> Utf8PathBuf {
        self.config.join("trusted.json")
    }

    /// The file with the user's permanent answers about what skills may run.
    pub fn approvals(&self) -> Utf8PathBuf {
        self.config.join("approvals.json")
    }

    /// Open folders and settings.
    pub fn desk(&self) -> Utf8PathBuf {
        self.state.join("desk.json")
    }

    /// What the linter found in skills. `None`: the place is relative to the folder that the program is started in, which
    /// others may fill.
    pub fn found(&self) -> Option<Utf8PathBuf> {
        self.cache.is_absolute().then(|| self.cache.join("found"))
    }

    /// The file with token counts from servers; `None` as for [`Places::found`].
    pub fn counts(&self) -> Option<Utf8PathBuf> {
        self.cache.is_absolute().then(|| self.cache.join("counts.json"))
    }

    /// Earlier versions of the files that were saved here.
    pub fn history(&self) -> Utf8PathBuf {
        self.state.join("history")
    }

    /// Files that users deleted and can put back.
    pub fn trash(&self) -> Utf8PathBuf {
        self.state.join("trash")
    }

    /// Removes other users' permissions from existing files.
    pub fn tighten(&self) {
        for folder in [&self.state, &self.config, &self.runs(), &self.history()] {
            disk::tighten(folder);
        }
        for file in [self.models(), self.trusted(), self.approvals(), self.desk(), self.traces()] {
            disk::tighten(&file);
        }
    }

    /// The folders in which scripts of runs work.
    pub fn runs(&self) -> Utf8PathBuf {
        self.state.join("runs")
    }

    /// This file exists while an imported run is unchanged, and no model was chosen for it here.
    pub fn taken_in(&self, run: trace::RunId) -> Utf8PathBuf {
        self.state.join("taken-in").join(run.to_string())
    }

    /// Whether a run is in that state; `false` if that cannot be found out.
    pub fn is_taken_in(&self, run: trace::RunId) -> bool {
        std::fs::symlink_metadata(self.taken_in(run)).is_ok()
    }

    /// Where the scripts of one run work.
    pub fn run_folder(&self, run: trace::RunId) -> Utf8PathBuf {
        self.runs().join(run.to_string())
    }
}
