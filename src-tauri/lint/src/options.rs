//! Which rules look, and how much their findings weigh.

use std::collections::BTreeMap;

use camino::Utf8PathBuf;

use super::probe::Probe;
use super::runs::Usage;
use config::{Profile, Setting};

/// Whether comments in a skill's files may leave findings out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Comments {
    #[default]
    Heeded,
    Ignored,
}

/// Which rules are on, and their settings.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LintOptions {
    /// The project's.
    pub profile: Profile,
    /// What the user asks for in its place.
    pub asked: Option<Profile>,
    /// By the id of a rule or of a group, as `workbench.yaml` has them.
    pub rules: BTreeMap<String, Setting>,
    /// Only these, by id of rule or group; empty: those that are on. Rules that are off by default are on if named.
    pub select: Vec<String>,
    pub ignore: Vec<String>,
    pub comments: Comments,
    /// The clients that the skills are for, e.g. `claude-code`; empty: all.
    pub clients: Vec<String>,
    /// What recorded runs did with a skill, by its folder.
    pub usage: BTreeMap<Utf8PathBuf, Usage>,
    /// What scripts did with `--help`, by their paths; only scripts that were run.
    pub probes: BTreeMap<Utf8PathBuf, Probe>,
}

impl LintOptions {
    /// Whether the skills are for a client or framework, by its id.
    pub fn is_for(&self, client: &str) -> bool {
        self.clients.is_empty() || self.clients.iter().any(|named| named == client)
    }
}
