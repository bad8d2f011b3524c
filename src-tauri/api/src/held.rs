//! Runs of this process: how each is stopped and answered, and which parts of it are in memory.

use std::sync::{Arc, Mutex};

use tokio_util::sync::CancellationToken;

use super::dto::RunUpdate;
use super::lock;
use engine::{Answers, Given};
use trace::context::Reads;
use trace::fold::Changes;
use trace::kept::Kept;
use trace::open_run::OpenRun;
use trace::recorder::Refusal;
use trace::{CutChoice, Event, RunId, RunStatus, RunSummary};

/// A run in this process: the way to stop it and to answer its approvals.
pub(super) struct LiveRun {
    pub stop: CancellationToken,
    pub decisions: Answers<Given>,
    pub cut_choices: Answers<CutChoice>,
}

/// A run of this process in memory, which is read from there as long as the store does not have all of it.
#[derive(Default)]
pub(super) struct Held {
    pub kept: Mutex<Kept>,
    /// The same, folded: pushes and answers are made from it.
    pub run: Arc<Mutex<OpenRun>>,
    pub refusal: Refusal,
}

impl Held {
    pub fn of(past: &[Event]) -> Self {
        let (kept, run) = (Mutex::new(Kept::of(past)), Arc::new(Mutex::new(OpenRun::of(past))));
        Self { kept, run, refusal: Refusal::default() }
    }

    /// Takes the next event in.
    pub(super) fn push(&self, run: RunId, event: &Event) -> RunUpdate {
        // A step that can be found must have its events.
        lock(&self.kept).push(event);
        let mut open = lock(&self.run);
        let Changes { steps, further } = open.push(event);
        let (status, spent) = (open.fold().status(), open.fold().spent());
        RunUpdate { run, event: open.events(), status, spent, steps, changes: further }
    }

    pub(super) fn events(&self) -> Vec<Event> {
        lock(&self.kept).events()
    }

    pub fn outline(&self) -> Vec<Event> {
        lock(&self.kept).outline()
    }

    pub fn read(&self, reads: &Reads) -> Vec<Event> {
        lock(&self.kept).read(reads)
    }

    pub fn summary(&self, run: RunId) -> Option<RunSummary> {
        let summary = lock(&self.run).fold().summary(run, false)?;
        let unsaved = self.refusal.why().filter(|_| summary.status != RunStatus::Running);
        Some(RunSummary { unsaved, ..summary })
    }
}
