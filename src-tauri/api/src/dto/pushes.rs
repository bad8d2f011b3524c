//! Messages that the window gets without asking.

use serde::Serialize;
use ts_rs::TS;

use super::models::TestedCheck;
use super::sharing::{ImportProgress, TraceSent};
use trace::fold::StepChange;
use trace::spending::Spent;
use trace::{RunId, RunStatus, Step};

/// Pushed for each event while a run goes on: its changes to the steps.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct RunUpdate {
    pub run: RunId,
    /// The event's number, from 1.
    pub event: u32,
    pub status: RunStatus,
    /// So far.
    pub spent: Spent,
    /// Steps that began, or whose content changed.
    pub steps: Vec<Step>,
    /// Of other steps, what changed.
    pub changes: Vec<StepChange>,
}

/// Pushed when something below an open folder changed on disk.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct FilesChanged {
    /// Absolute paths, as far as they are known.
    pub paths: Vec<String>,
}

/// What the core pushes to the window or terminal.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Push {
    FilesChanged(FilesChanged),
    RunUpdate(RunUpdate),
    ModelCheck(TestedCheck),
    ImportProgress(ImportProgress),
    TraceSent(TraceSent),
    /// Another process recorded, imported, changed or deleted runs.
    RunsChanged,
}

/// What the window shows and a command may change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Data {
    /// The open folders, the skills in them, and the files of these.
    Skills,
    /// What the project says of rules.
    Rules,
    /// The configured models, and which of their keys are there.
    Models,
    /// The list of runs, with their verdicts and pins.
    Runs,
}
