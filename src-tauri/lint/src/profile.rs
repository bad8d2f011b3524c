//! Which rules look, and what their findings weigh: what is selected, then settings, then the profile.

use super::group::Group;
use super::options::LintOptions;
use super::rule::Rule;
use super::rules;
use config::{Profile, Setting};
use skill::Severity;

impl LintOptions {
    /// What a rule's findings weigh; `None`: it does not look.
    pub fn severity(&self, rule: &Rule) -> Option<Severity> {
        let names = |list: &[String]| list.iter().any(|name| name == rule.id || name == rule.group.id());
        if names(&self.ignore) || (!self.select.is_empty() && !names(&self.select)) {
            return None;
        }
        let is_named = self.select.iter().any(|name| name == rule.id) || self.rules.contains_key(rule.id);
        if rules::is_verdict(rule) && !is_named && self.asked.unwrap_or(self.profile) != Profile::Spec {
            return None;
        }
        match self.setting(rule) {
            Some(Setting::Off) => None,
            Some(Setting::Info) => Some(Severity::Info),
            Some(Setting::Warning) => Some(Severity::Warning),
            Some(Setting::Error) => Some(Severity::Error),
            None if self.select.is_empty() => self.profile_severity(rule),
            None => Some(self.profile_severity(rule).unwrap_or(rule.severity)),
        }
    }

    /// What settings say of a rule, or of its group.
    pub fn setting(&self, rule: &Rule) -> Option<Setting> {
        self.rules.get(rule.id).or_else(|| self.rules.get(rule.group.id())).copied()
    }

    /// What a rule's findings weigh where no setting names it; `None`: the profile is without it.
    pub fn profile_severity(&self, rule: &Rule) -> Option<Severity> {
        match self.asked.unwrap_or(self.profile) {
            Profile::Spec => rules::is_of_specification(rule).then_some(Severity::Error),
            Profile::Recommended => rule.on.then_some(rule.severity),
            Profile::Security => (rule.group == Group::Security).then_some(rule.severity),
            Profile::All => Some(rule.severity),
        }
    }
}
