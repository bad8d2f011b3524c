//! What the program is set up with: folders, trust, approvals, the sandbox, the window.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use config::SandboxMode;
use model::tokens::Tokenizer;
use trace::{Layer, Program, Reason, Standing};

/// What the window needs to draw its first screen.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct BenchState {
    pub version: String,
    /// The open folders, the bundled one first where it is open.
    pub folders: Vec<Folder>,
    pub recent: Vec<String>,
    pub settings: Settings,
    /// Where keys, traces and settings live, for "show in folder" and for support.
    pub state_directory: String,
    pub config_directory: String,
    /// Those that the settings can name.
    pub tokenizers: Vec<Tokenizer>,
}

/// Places outside of the open folders, by their real paths.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct TrustState {
    pub trusted: Vec<String>,
    /// Those that project files name, or that links lead to, and that are not trusted.
    pub waiting: Vec<String>,
}

/// The user's permanent answer about what a skill may run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ApprovalEntry {
    /// As the skill was called then.
    pub name: String,
    /// Where it really lay then.
    pub folder: String,
    pub program: Program,
    pub answer: Standing,
    /// `false`: the skill is another than then, so it is asked about again.
    pub holds: bool,
    /// The folder is there.
    pub there: bool,
    /// Milliseconds since the epoch.
    #[ts(type = "number")]
    pub at: i64,
}

/// The sandboxes of this machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SandboxState {
    /// What this machine has; `null`: nothing.
    pub layer: Option<Layer>,
    /// Why there is nothing.
    pub reason: Option<Reason>,
    /// What the open projects ask for.
    pub mode: SandboxMode,
    /// What the run's folder may hold, in MiB.
    pub folder_mb: u32,
    /// The Python environment that the project names.
    pub venv: Option<String>,
    /// Whether the project shows folders at neutral paths.
    pub neutral_paths: bool,
    /// Why nothing runs at neutral paths on this machine; `null`: it can.
    pub not_neutral: Option<Reason>,
}

/// A folder that is open.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Folder {
    pub path: String,
    /// The last part of the path.
    pub name: String,
    /// Ships with the program.
    pub bundled: bool,
    pub watched: bool,
}

/// What the user set in the window.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", default)]
pub struct Settings {
    pub theme: Theme,
    pub language: Language,
    /// Percent.
    pub zoom: u32,
    pub show_preview: bool,
    /// Keys that the user gave a command, by its name; `|` between several, empty: none.
    pub keys: BTreeMap<String, String>,
    pub retention: Retention,
    /// The command that opens a path in an outside editor, with `{path}` where the path goes; empty: none yet.
    pub editor: String,
    /// What the tokens of skills are counted with. Rules and recorded runs have one of their own, so that they say the same
    /// for everybody.
    pub tokenizer: Tokenizer,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            theme: Theme::System,
            language: Language::System,
            zoom: 100,
            show_preview: false,
            keys: BTreeMap::new(),
            retention: Retention::default(),
            editor: String::new(),
            tokenizer: Tokenizer::default(),
        }
    }
}

/// An editor that was found on this machine.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct OutsideEditor {
    pub title: String,
    /// As the settings take it.
    pub command: String,
}

/// Which runs are kept; `null`: all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", default)]
pub struct Retention {
    /// Those of the last so many days.
    pub days: Option<u32>,
    /// The latest ones that take no more than this, with the files that they wrote.
    pub gigabytes: Option<f64>,
    /// Runs with a verdict, a note or a bookmark go like others.
    pub reviewed_too: bool,
}

/// The window's colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Theme {
    System,
    Light,
    Dark,
    /// High contrast, light or dark as the system.
    Contrast,
}

/// The window's language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
pub enum Language {
    #[serde(rename = "system")]
    System,
    #[serde(rename = "en")]
    English,
    #[serde(rename = "zh-CN")]
    Chinese,
}

arguments! {
    /// A folder by path.
    PathArgs { path: String }
    /// `folder`: of the skill. `program`: `null` for all.
    ApprovalArgs { folder: String, program: Option<Program> }
    ApprovalSetArgs { folder: String, program: Option<Program>, answer: Standing }
    SettingsArgs { settings: Settings }
    NoArgs {}
}
