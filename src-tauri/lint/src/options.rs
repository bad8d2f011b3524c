//! Which rules look, and how much their findings weigh.

use std::collections::BTreeMap;

use camino::Utf8PathBuf;

use super::probe::Probe;
use super::runs::Usage;
use super::{Group, Rule};
pub use config::Setting;
use skill::Severity;

/// Whether comments in a skill's files may leave findings out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Comments {
    #[default]
    Heeded,
    Ignored,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct LintOptions {
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
    /// What scripts did when they were asked for help, by their paths; only those that were asked.
    pub probes: BTreeMap<Utf8PathBuf, Probe>,
}

impl LintOptions {
    /// Whether the skills are for a client or framework, by its id.
    pub fn is_for(&self, client: &str) -> bool {
        self.clients.is_empty() || self.clients.iter().any(|named| named == client)
    }

    /// These options as they would be if they named the rules of security alone that the project switches off; `None`:
    /// there are none.
    pub fn switched_off(&self) -> Option<Self> {
        let without = Self { rules: BTreeMap::new(), comments: Comments::Ignored, ..self.clone() };
        let is_off = |rule: &&Rule| self.severity(rule).is_none() && without.severity(rule).is_some();
        let of_security = super::rules().filter(|rule| rule.group == Group::Security);
        let off: Vec<String> = of_security.filter(is_off).map(|rule| rule.id.to_owned()).collect();
        (!off.is_empty()).then_some(Self { select: off, ..without })
    }

    /// What a rule's findings weigh; `None`: it does not look.
    pub fn severity(&self, rule: &Rule) -> Option<Severity> {
        let names = |list: &[String]| list.iter().any(|name| name == rule.id || name == rule.group.id());
        if names(&self.ignore) || (!self.select.is_empty() && !names(&self.select)) {
            return None;
        }
        match self.rules.get(rule.id).or_else(|| self.rules.get(rule.group.id())) {
            Some(Setting::Off) => None,
            Some(Setting::Info) => Some(Severity::Info),
            Some(Setting::Warning) => Some(Severity::Warning),
            Some(Setting::Error) => Some(Severity::Error),
            None => (rule.on || !self.select.is_empty()).then_some(rule.severity),
        }
    }
}
