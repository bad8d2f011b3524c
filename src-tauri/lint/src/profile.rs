//! Which rules are on, and the severity of their findings: decided by the selection, then the settings, then the
//! profile.

use super::group::Group;
use super::options::LintOptions;
use super::rule::Rule;
use super::rules;
use config::{Profile, Setting};
use skill::Severity;

impl LintOptions {
    /// The severity of a rule's findings; `None`: it is off.
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

    /// Whether skills get a verdict on their security: not if only some rules were asked for, or the specification's verdict.
    pub fn has_verdict(&self) -> bool {
        self.select.is_empty()
            && self.asked.unwrap_or(self.profile) != Profile::Spec
            && rules::rules().any(|rule| rule.group == Group::Security && self.severity(rule).is_some())
    }

    /// The severity of a rule's findings. This includes security rules that the profile does not list and that count
    /// only for verdicts. `None`: the rule is off.
    pub fn severity_of_evidence(&self, rule: &Rule) -> Option<Severity> {
        let is_evidence = || {
            let is_ignored = self.ignore.iter().any(|name| name == rule.id || name == rule.group.id());
            rule.group == Group::Security && !is_ignored && self.setting(rule).is_none() && self.has_verdict()
        };
        self.severity(rule).or_else(|| is_evidence().then_some(rule.severity))
    }

    /// Whether weak findings of a rule are listed whatever the verdict: if the profile is one that lists everything, or the
    /// user names the rule.
    pub(super) fn lists_weak(&self, rule: &Rule) -> bool {
        !self.has_verdict()
            || self.asked.unwrap_or(self.profile) != Profile::Recommended
            || matches!(self.setting(rule), Some(Setting::Info | Setting::Warning | Setting::Error))
    }

    /// The setting of a rule, or of its group.
    pub fn setting(&self, rule: &Rule) -> Option<Setting> {
        self.rules.get(rule.id).or_else(|| self.rules.get(rule.group.id())).copied()
    }

    /// The severity of a rule's findings if no setting names it; `None`: the rule is not in the profile.
    pub fn profile_severity(&self, rule: &Rule) -> Option<Severity> {
        match self.asked.unwrap_or(self.profile) {
            Profile::Spec => rules::is_of_specification(rule).then_some(Severity::Error),
            Profile::Recommended => rule.on.then_some(rule.severity),
            Profile::Security => (rule.group == Group::Security).then_some(rule.severity),
            Profile::All => Some(rule.severity),
        }
    }
}
