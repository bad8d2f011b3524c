//! Judgement on skills: what any tool checks, and what none does. One rule a file; its documentation, its card in the
//! window and its tests come from the rule itself. Nothing here writes: fixes are values.

pub mod analysis;
mod code;
mod comments;
pub mod complete;
mod crowd;
pub mod docs;
mod files;
mod finder;
pub mod fix;
mod gate;
mod group;
mod judged;
pub mod kept;
pub mod leads;
mod left_out;
mod literals;
mod loading;
mod mark;
mod markdown;
mod newlines;
mod options;
mod overlap;
mod pattern;
mod plain;
pub mod probe;
mod profile;
mod references;
pub mod renamed;
mod rule;
mod rules;
mod run;
pub mod runs;
mod same;
mod secrets;
mod settle;
mod subject;
mod suppress;
#[cfg(test)]
mod tests;
mod texts;
pub mod verdict;
mod words;

pub use comments::{Comment, Fault};
pub use files::{Disk, Files, Overlay, TEXT_LIMIT, is_too_large};
pub use group::Group;
pub use mark::{Deed, Mark};
pub use options::{Comments, LintOptions};
pub use rule::{
    Applicability, Check, CommentCheck, Edit, Example, Finding, Fix, LoadCheck, Lowered, Report, Rule, SetCheck,
    SkillCheck,
};
pub use rules::{find, rules};
pub use run::{Judged, Linter, Sweep, swept};
pub use secrets::Secrets;
pub use settle::Settled;
pub use subject::{Subject, SubjectSet};

use std::sync::LazyLock;

use camino::Utf8Path;

use skill::Skill;
use skill::source::Span;

static FINDER: LazyLock<finder::Finder> = LazyLock::new(|| finder::Finder::new(&LintOptions::default()));

/// Where secrets are in a text, those that its skill is known to hold included, in order and apart: for callers that
/// show parts of it.
pub fn secrets(path: &Utf8Path, text: &str, known: &Secrets) -> Vec<Span> {
    let mut spans = FINDER.secrets(path, text);
    spans.extend(known.spans(text));
    spans.sort_by_key(|span| (span.start, span.end));
    spans.dedup_by(|next, last| {
        let overlaps = next.start < last.end;
        if overlaps {
            last.end = last.end.max(next.end);
        }
        overlaps
    });
    spans
}

/// The secrets in all texts of a skill.
pub fn secrets_of(skill: &Skill, files: &dyn Files) -> Secrets {
    let options = LintOptions::default();
    Secrets::of(FINDER.look(&Subject::new(skill, &options, files), &mut Vec::new()).texts)
}

/// A part of a text; of its secrets only so much is shown that they can be told apart.
pub fn without_secrets(text: &str, part: Span, secrets: &[Span]) -> String {
    analysis::secret::without(text, part, secrets)
}
