//! Fixes until nothing changes.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use camino::Utf8PathBuf;

use super::files::{Files, Overlay};
use super::fix::{Bounds, applied, edits};
use super::loading;
use super::rule::{Applicability, Edit, Finding};
use super::run::Linter;
use super::secrets::Secrets;
use skill::source::SourceText;
use skill::{Severity, Skill, SkillSet, in_parallel};

/// A skill after all fixes that could be applied.
pub struct Settled {
    /// The files that changed, with their new texts.
    pub texts: BTreeMap<Utf8PathBuf, Arc<SourceText>>,
    /// How many fixes were made, those of later rounds included.
    pub fixes: usize,
    /// The findings that remain.
    pub left: Vec<Finding>,
    pub secrets: Secrets,
}

impl Linter {
    /// Fixes and checks again, until nothing changes. Files that are not text, and files outside of the skill that
    /// links lead to, stay as they are, and so do findings that only a change there would fix.
    pub fn settle(&self, skill: &Skill, files: &dyn Files, most: Applicability) -> Settled {
        let mut now = Overlay { below: files, texts: HashMap::new() };
        let mut edited: Option<Skill> = None;
        let mut fixes = 0;
        let (mut left, secrets) = self.one_with_secrets(skill, &now);
        let bounds = Bounds::of(skill, files);
        let mut refused: HashSet<(&'static str, Utf8PathBuf, String)> = HashSet::new();
        let key = |finding: &Finding| (finding.rule.id, finding.path.clone(), finding.message.en.clone());
        for _ in 0..ROUNDS {
            for finding in left.iter_mut().filter(|finding| finding.fix.is_some()) {
                if refused.contains(&key(finding)) {
                    finding.fix = None;
                }
            }
            let (wanted, taken) = edits(&left, most, |path| bounds.hold(path));
            let Some((skill_now, texts)) = changed(skill, edited.as_ref(), &now, &wanted) else { break };
            let after = Overlay { below: files, texts };
            let before = edited.as_ref().unwrap_or(skill);
            let found = self.one(skill_now.as_ref().unwrap_or(before), &after);
            let is_lost = skill_now.as_ref().is_some_and(|now| loading::is_lost(before, now));
            if is_lost || harms(&left, &found, most) {
                // Which of them does is seen one by one.
                let mut blamed = false;
                for number in 0..left.len() {
                    let alone = std::slice::from_ref(&left[number]);
                    let (wanted, count) = edits(alone, most, |path| bounds.hold(path));
                    if count == 0 {
                        continue;
                    }
                    let Some((skill_now, texts)) = changed(skill, edited.as_ref(), &now, &wanted) else { continue };
                    let after = Overlay { below: files, texts };
                    let found = self.one(skill_now.as_ref().unwrap_or(before), &after);
                    let is_lost = skill_now.as_ref().is_some_and(|now| loading::is_lost(before, now));
                    if is_lost || is_worse(&left, &found, left[number].severity) {
                        blamed |= refused.insert(key(&left[number]));
                    }
                }
                if !blamed {
                    break;
                }
                continue;
            }
            edited = skill_now.or(edited);
            now.texts = after.texts;
            fixes += taken;
            left = found;
        }
        Settled { texts: now.texts.into_iter().collect(), fixes, left, secrets }
    }

    /// The texts of each skill of surveyed folders after all fixes. Nothing is written.
    pub fn fixed(&self, set: &SkillSet, files: &(dyn Files + Sync), most: Applicability) -> Vec<Settled> {
        let places = skill::places(set);
        in_parallel(places.len(), |number| self.settle(&places[number].read(), files, most))
    }
}

type Edited = (Option<Skill>, HashMap<Utf8PathBuf, Arc<SourceText>>);

/// The skill and the texts with edits in them; `None`: nothing changes.
fn changed(
    skill: &Skill,
    edited: Option<&Skill>,
    now: &Overlay<'_>,
    wanted: &BTreeMap<Utf8PathBuf, Vec<Edit>>,
) -> Option<Edited> {
    let (mut after, mut texts, mut is_changed) = (None, now.texts.clone(), false);
    for (path, edits) in wanted {
        let is_manifest = *path == skill.manifest.source.path;
        let source = || edited.unwrap_or(skill).manifest.source.clone();
        let Some(before) = (if is_manifest { Some(source()) } else { now.text(path) }) else { continue };
        let text = applied(&before.text, edits);
        if text == before.text {
            continue;
        }
        is_changed = true;
        let source = Arc::new(SourceText { text, ..SourceText::clone(&before) });
        if is_manifest {
            after = Some(edited.unwrap_or(skill).with_text(source.clone()));
        }
        texts.insert(path.clone(), source);
    }
    is_changed.then_some((after, texts))
}

/// Whether there is a new finding that weighs at least as much as the least serious one that was to be fixed.
fn harms(before: &[Finding], after: &[Finding], most: Applicability) -> bool {
    let fixed = before.iter().filter(|finding| finding.fix.as_ref().is_some_and(|fix| fix.applicability <= most));
    fixed.map(|finding| finding.severity).min().is_some_and(|least| is_worse(before, after, least))
}

/// Whether a rule says more than before, with findings that weigh `least` or more.
fn is_worse(before: &[Finding], after: &[Finding], least: Severity) -> bool {
    let count = |findings: &[Finding]| {
        let mut counts: HashMap<&'static str, usize> = HashMap::new();
        for finding in findings.iter().filter(|finding| finding.severity >= least) {
            *counts.entry(finding.rule.id).or_default() += 1;
        }
        counts
    };
    let before = count(before);
    count(after).into_iter().any(|(rule, found)| found > before.get(rule).copied().unwrap_or_default())
}

/// Fixes that show each other's faults would go on for ever.
const ROUNDS: usize = 10;
