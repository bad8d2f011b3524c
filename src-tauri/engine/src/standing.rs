//! What the user has said for good: that a skill may run things in the sandbox without a question, or never. Where that is
//! kept is no matter of a run; here it is compared with what a run is about to do.

use std::sync::Arc;

use camino::Utf8PathBuf;
use trace::{Enforcement, Measure, Program, Standing};
use wording::Message as Words;

/// Whose doing it is that something runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Concern {
    pub program: Program,
    /// The skill of a script; for a command all skills of the run, since it may run any of theirs.
    pub skills: Vec<SkillPrint>,
    /// All that it touches, as it is named and where it really lies: a script and the skills around it; for a command the
    /// folders of all skills. What never runs does not run by any of these.
    pub places: Vec<Utf8PathBuf>,
    /// Why a yes can hold for no longer than the run, though it is known what the skills are: something else decides what
    /// runs too, such as a Python environment, a runner of the project file, or a skill that is no folder.
    pub passing: bool,
}

/// A skill as it is on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillPrint {
    pub name: String,
    /// Where it really lies.
    pub folder: Utf8PathBuf,
    /// SHA-256 of all that is in it, wherever it lies; `None`: it is too large, or cannot be read.
    pub digest: Option<String>,
}

type Said = dyn Fn(&Concern) -> Option<Standing> + Send + Sync;
type Keep = dyn Fn(&Concern, Standing) -> Result<(), Words> + Send + Sync;

/// The user's own record of what they said for good.
#[derive(Clone)]
pub struct Memory {
    /// What holds now. Reads a small file.
    pub said: Arc<Said>,
    /// Writes it down; an error says why that is not possible.
    pub keep: Arc<Keep>,
}

impl Memory {
    /// Nothing was said, and nothing is kept.
    pub fn none() -> Self {
        Self { said: Arc::new(|_| None), keep: Arc::new(|_, _| Ok(())) }
    }
}

impl std::fmt::Debug for Memory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Memory").finish_non_exhaustive()
    }
}

impl Concern {
    /// Of the skills, in order.
    pub fn names(&self) -> Vec<String> {
        self.skills.iter().map(|skill| skill.name.clone()).collect()
    }

    /// Whether the skills decide alone what runs, and it is known what each of them is. Else no yes is remembered, and none
    /// that was counts.
    pub fn is_known(&self) -> bool {
        !self.passing && !self.skills.is_empty() && self.skills.iter().all(|skill| skill.digest.is_some())
    }
}

/// Whether a sandbox holds with nothing missing: what was allowed for good was allowed for that alone. Landlock inside of
/// bubblewrap forbids once more what that does not show, so it may be missing.
pub fn holds_whole(enforcement: Option<&Enforcement>) -> bool {
    let is_needed = |measure: &Measure| *measure != Measure::Rules;
    enforcement.is_some_and(|enforcement| enforcement.layer.is_some() && !enforcement.missing.iter().any(is_needed))
}
