//! What an earlier sweep found. The caller decides where it is kept, and how to find out that nothing has changed
//! since.

use std::fmt::Write;

use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};

use super::files::Files;
use super::rule::Finding;
use super::verdict::Security;

/// What one sweep leaves for the next over the same folders with the same rules.
pub trait Kept<T>: Sync {
    /// What was found in a skill, by its number among those that are swept. `None`: something that its findings depend on
    /// has changed, or nothing is known of it.
    fn skill(&self, number: usize) -> Option<Found<T>>;
    /// What was found outside of all skills. Asked only if no skill has changed. `None`: something else has.
    fn outside(&self) -> Option<Outside<T>>;
    /// Through which a skill is read; `None`: what all skills together need.
    fn files(&self, number: Option<usize>) -> &(dyn Files + Sync);
    fn keep(&self, number: usize, found: &Found<T>);
    fn keep_outside(&self, found: &Outside<T>);
}

/// What was found outside of all skills, by file.
pub type Outside<T> = Vec<(Utf8PathBuf, Vec<T>)>;

/// What was found in one skill.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Found<T> {
    pub findings: Vec<T>,
    /// How many findings of security comments ignored.
    pub left_out: usize,
    pub security: Security<T>,
    /// Places of secrets in its texts. The secrets themselves are not kept, but read again.
    pub secrets: Vec<Hidden>,
    /// The hash of the findings from checking all skills together.
    pub beside: String,
}

/// Keeps nothing.
pub(super) struct Nothing<'a>(pub &'a (dyn Files + Sync));

impl<T> Kept<T> for Nothing<'_> {
    fn skill(&self, _: usize) -> Option<Found<T>> {
        None
    }

    fn outside(&self) -> Option<Outside<T>> {
        None
    }

    fn files(&self, _: Option<usize>) -> &(dyn Files + Sync) {
        self.0
    }

    fn keep(&self, _: usize, _: &Found<T>) {}

    fn keep_outside(&self, _: &Outside<T>) {}
}

/// A text with secrets, and where they are in it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Hidden {
    pub path: Utf8PathBuf,
    pub spans: Vec<(usize, usize)>,
}

/// A sum of all that findings say; empty: there are none.
pub(super) fn sum(findings: &[Finding]) -> String {
    if findings.is_empty() {
        return String::new();
    }
    let mut all = String::new();
    for finding in findings {
        let Finding {
            rule,
            severity,
            path,
            span,
            message,
            problem,
            consequence,
            quotes_nothing,
            lowered: _,
            steps: _,
            fix,
        } = finding;
        let said = (severity, path, span, message, problem, consequence, quotes_nothing, fix);
        // Writing to a `String` cannot fail.
        let _ = writeln!(all, "{} {said:?}", rule.id);
    }
    disk::digest(all)
}
