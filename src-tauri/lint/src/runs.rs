//! What recorded runs did with a skill. Rules get this; nothing here reads traces.

use std::collections::BTreeMap;

use skill::{FileKind, Skill, SkillFile};

/// Over all recorded runs of a model in which the skill's instructions reached it and which came to their answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Usage {
    /// How many such runs there are.
    pub runs: u32,
    /// In how many of them each file was read, by its path in the skill's folder; one that never was is not here.
    pub read: BTreeMap<String, u32>,
    /// In how many each script was run; likewise.
    pub ran: BTreeMap<String, u32>,
}

/// Fewer runs say nothing.
pub const RUNS_NEEDED: u32 = 3;

impl Usage {
    /// The skill's files of a kind that no run used; none if there were too few runs to tell.
    pub fn untouched<'a>(&self, skill: &'a Skill, kind: FileKind) -> impl Iterator<Item = &'a SkillFile> {
        let touched = |file: &SkillFile| self.read.contains_key(&file.name) || self.ran.contains_key(&file.name);
        let files = skill.files.iter().filter(move |file| self.runs >= RUNS_NEEDED && file.kind == kind);
        files.filter(move |file| !touched(file))
    }
}
