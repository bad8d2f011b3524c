//! What the skills of a run would have cost if all of their texts had been in the context from the start.

use std::collections::HashMap;

use camino::Utf8Path;

use super::dto::{EagerLoad, RunArgs};
use super::skills::Counting;
use super::trust::Open;
use super::{ApiError, Workbench, blocking, skills};
use model::tokens::Tokenizer;
use skill::Skill;
use trace::RunSetup;

impl Workbench {
    /// Counts the skills of a run as they are now, those of open folders alone: a record names folders, and may come from
    /// anywhere.
    pub async fn run_eager(&self, args: RunArgs) -> Result<EagerLoad, ApiError> {
        let setup = self.run_summary(args.run).await?.setup;
        let loaded = self.loaded().await;
        let (roots, places) = (self.open_folders().await, self.inner.places.clone());
        // Counted as in the run, because the numbers are shown next to the run's.
        let tokenizer = Tokenizer::named(&setup.tokenizer).unwrap_or_default();
        Ok(blocking(move || {
            let counting = Counting { open: Open::now(&roots, &places), tokenizer };
            let mut counted = EagerLoad { instructions: 0, resources: 0, skills: 0, missing: Vec::new() };
            for (name, skill) in skills_of(&setup, &loaded.skills) {
                match skill {
                    Some(skill) => {
                        let tokens = skills::tokens_of(skill, &counting);
                        counted.instructions = counted.instructions.saturating_add(tokens.instructions);
                        counted.resources = counted.resources.saturating_add(tokens.resources);
                        counted.skills += 1;
                    }
                    None => counted.missing.push(name.to_owned()),
                }
            }
            counted
        })
        .await)
    }
}

/// Each skill of the run by the folder that was recorded for it. Skills are found by name for runs from before folders
/// were recorded, and if the folders are on no machine, as in the bundled run.
fn skills_of<'a>(setup: &'a RunSetup, open: &'a [Skill]) -> Vec<(&'a str, Option<&'a Skill>)> {
    let by_path: HashMap<&Utf8Path, &Skill> = open.iter().map(|skill| (skill.path.as_path(), skill)).collect();
    let by_name: HashMap<&str, &Skill> = open.iter().rev().map(|skill| (skill.name(), skill)).collect();
    let found = |name: &str| match setup.folders.get(name) {
        Some(folder) if setup.real(folder).is_absolute() => by_path.get(setup.real(folder).as_path()).copied(),
        _ => by_name.get(name).copied(),
    };
    setup.skills.iter().map(|name| (name.as_str(), found(name))).collect()
}
