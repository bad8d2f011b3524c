//! One verdict on the security of a skill, from everything that rules of security found in it. Strong findings decide
//! by themselves. A finding that the text around it makes less serious is weak, and counts only together with weak ones
//! of another kind. Nothing is dropped: the verdict holds all of its evidence.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::analysis::context::is_script;
use super::mark::Deed;
use super::rule::{Finding, Lowered};
use skill::Severity;

/// How a skill looks to rules of security.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(rename = "SecurityVerdict")]
pub enum Verdict {
    /// They found nothing.
    #[default]
    Clear,
    /// The evidence is weak by itself, and nothing supports it.
    Hints,
    /// It should be reviewed before the skill is used.
    Look,
    /// It would do harm.
    Dangerous,
}

/// A verdict with all of its evidence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Security<T> {
    pub verdict: Verdict,
    /// The strongest first, then by file and place.
    pub evidence: Vec<Evidence<T>>,
}

impl<T> Default for Security<T> {
    fn default() -> Self {
        Self { verdict: Verdict::Clear, evidence: Vec::new() }
    }
}

/// A finding that a verdict was made of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Evidence<T> {
    pub finding: T,
    /// It is also among the findings.
    pub listed: bool,
}

/// How much a finding says by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    /// The text around it, or its place, makes it less serious; or its rule alone proves too little.
    Weak,
    /// It is worth a look.
    Fair,
    /// It does harm.
    Strong,
}

/// Weighs up what rules of security say of one skill, and says whether weak findings made the verdict.
pub(super) fn verdict<'a>(findings: impl IntoIterator<Item = (&'a Finding, bool)>) -> (Verdict, bool) {
    let mut strengths: Vec<(Strength, Deed)> = Vec::new();
    for (finding, on) in findings {
        let Some(deed) = finding.rule.deed() else { continue };
        strengths.push((strength(finding, deed, on), deed));
    }
    let kinds = |least: Strength| -> BTreeSet<Deed> {
        strengths.iter().filter(|(strength, _)| *strength >= least).map(|(_, deed)| *deed).collect()
    };
    // A key that its author left in a skill harms the author.
    let harms = strengths.iter().any(|(strength, deed)| *strength == Strength::Strong && *deed != Deed::Leaks);
    let fair = kinds(Strength::Fair);
    if harms || support(&fair, &[Deed::Reads, Deed::Sends, Deed::Fetches, Deed::Stays]) {
        (Verdict::Dangerous, false)
    } else if !fair.is_empty() {
        (Verdict::Look, false)
    } else if support(&kinds(Strength::Weak), &[Deed::Reads, Deed::Sends, Deed::Fetches]) {
        (Verdict::Look, true)
    } else if strengths.is_empty() {
        (Verdict::Clear, false)
    } else {
        (Verdict::Hints, false)
    }
}

/// `on`: the rule looks by itself in the profile.
fn strength(finding: &Finding, deed: Deed, on: bool) -> Strength {
    let counts = match finding.lowered {
        None => true,
        // Text around code that sends private data does not stop it.
        Some(Lowered::Said) => deed == Deed::Sends,
        // A script does the same wherever it is.
        Some(Lowered::Placed) => is_script(&finding.path),
    };
    match finding.severity {
        _ if !on || !counts => Strength::Weak,
        Severity::Error => Strength::Strong,
        Severity::Warning => Strength::Fair,
        Severity::Info => Strength::Weak,
    }
}

/// Whether pieces of these kinds support each other: an order to the model or something hidden, together with a harmful
/// act; or private data, together with a way to send it.
fn support(kinds: &BTreeSet<Deed>, deeds: &[Deed]) -> bool {
    let has = |any: &[Deed]| any.iter().any(|deed| kinds.contains(deed));
    (has(&[Deed::Orders, Deed::Hides]) && has(deeds)) || (has(&[Deed::Reads]) && has(&[Deed::Sends, Deed::Fetches]))
}

/// The findings that are weak by themselves, for a list that is to be right.
pub(super) fn is_weak(finding: &Finding) -> bool {
    finding.lowered.is_some() && finding.rule.deed().is_some_and(|deed| strength(finding, deed, true) == Strength::Weak)
}

/// By which evidence is ordered.
pub(super) fn rank(finding: &Finding, on: bool) -> impl Ord + use<> {
    let strength = finding.rule.deed().map_or(Strength::Weak, |deed| strength(finding, deed, on));
    (std::cmp::Reverse(strength), std::cmp::Reverse(finding.severity))
}
