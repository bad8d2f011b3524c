//! The user's permanent answers: a skill may run things in the sandbox without a question, or never. They are stored
//! elsewhere; here they are compared with what a run is about to do.

use std::sync::Arc;

use camino::Utf8PathBuf;
use trace::{Enforcement, Measure, Program, Standing};
use wording::Message as Words;

/// The skills that are responsible for a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Concern {
    pub program: Program,
    /// The skill of a script; for a command all skills of the run, since it may run any of theirs.
    pub skills: Vec<SkillPrint>,
    /// All that it touches, by named and real paths: a script and the skills around it; for a command the folders of
    /// all skills. If "never" holds for any of these, it does not run.
    pub places: Vec<Utf8PathBuf>,
    /// Whether consent can last only for the run although the skills are known: something else also decides what runs,
    /// such as a Python environment, a runner of the project file, or a skill without a folder.
    pub passing: bool,
}

/// A skill as it is on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillPrint {
    pub name: String,
    /// Its real path.
    pub folder: Utf8PathBuf,
    /// SHA-256 of its contents, independent of its place; `None`: it is too large, or cannot be read.
    pub digest: Option<String>,
}

type Said = dyn Fn(&Concern) -> Option<Standing> + Send + Sync;
type Keep = dyn Fn(&Concern, Standing) -> Result<(), Words> + Send + Sync;

/// The record of the user's permanent answers.
#[derive(Clone)]
pub struct Memory {
    /// The answers that hold now. Reads a small file.
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

    /// Whether only the skills decide what runs, and each of them is known. Otherwise consent is not remembered, and
    /// remembered consent does not count.
    pub fn is_known(&self) -> bool {
        !self.passing && !self.skills.is_empty() && self.skills.iter().all(|skill| skill.digest.is_some())
    }
}

/// Whether a complete sandbox is used: permanent consent is given only for that. Landlock inside of bubblewrap only
/// repeats what bubblewrap already hides, so it may be missing.
pub fn holds_whole(enforcement: Option<&Enforcement>) -> bool {
    let is_needed = |measure: &Measure| *measure != Measure::Rules;
    enforcement.is_some_and(|enforcement| enforcement.layer.is_some() && !enforcement.missing.iter().any(is_needed))
}
