//! What recorded runs did with the skills of the open folders, for the linter.

use std::collections::{BTreeMap, HashMap};

use camino::{Utf8Path, Utf8PathBuf};

use super::Workbench;
use lint::runs::Usage;
use skill::Skill;
use trace::store::{Used, Uses, Whose};

impl Workbench {
    /// For each skill of the open folders that a run used, by its folder. A single query to the store, whatever the
    /// number of runs; nothing if there is no store or it cannot be read, since the linter works without.
    pub async fn usage(&self) -> BTreeMap<Utf8PathBuf, Usage> {
        let loaded = self.loaded().await;
        self.usage_of(&loaded.skills).await
    }

    /// `skills`: for runs from before folders were recorded.
    pub(super) async fn usage_of(&self, skills: &[Skill]) -> BTreeMap<Utf8PathBuf, Usage> {
        // Opening would make one.
        if !self.inner.places.traces().exists() {
            return BTreeMap::new();
        }
        let Ok(store) = self.store().await else { return BTreeMap::new() };
        match store.uses().await {
            Ok(uses) => by_skill(uses, skills),
            Err(error) => {
                tracing::warn!(%error, "what runs did with the skills is not known");
                BTreeMap::new()
            }
        }
    }
}

/// A run belongs to the skill whose folder it recorded. One from before folders were recorded belongs to the skill of
/// that name below a root of the run, unless there are several.
fn by_skill(uses: Vec<Uses>, skills: &[Skill]) -> BTreeMap<Utf8PathBuf, Usage> {
    let mut named: HashMap<(&Utf8Path, &str), Vec<&Utf8Path>> = HashMap::new();
    for skill in skills {
        named.entry((&skill.root, skill.name())).or_default().push(&skill.path);
    }
    let mut usage: BTreeMap<Utf8PathBuf, Usage> = BTreeMap::new();
    for Uses { whose, used, runs } in uses {
        let folder = match &whose {
            Whose::Folder(folder) => Some(folder.as_path()),
            Whose::Named { root, skill } => match named.get(&(root.as_path(), skill.as_str())).map(Vec::as_slice) {
                Some([folder]) => Some(*folder),
                _ => None,
            },
        };
        let Some(folder) = folder else { continue };
        let usage = usage.entry(folder.to_owned()).or_default();
        match used {
            Used::Instructions => usage.runs += runs,
            Used::Resource(file) => *usage.read.entry(file).or_default() += runs,
            Used::Script(file) => *usage.ran.entry(file).or_default() += runs,
        }
    }
    usage
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_belongs_to_one_skill_or_to_none() {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::try_from(folder.path().canonicalize().unwrap()).unwrap();
        for (place, name) in [("plan", "plan"), ("a/twin", "twin"), ("b/twin", "twin")] {
            std::fs::create_dir_all(root.join(place)).unwrap();
            let text = format!("---\nname: {name}\ndescription: Use when asked.\n---\nDo it.\n");
            std::fs::write(root.join(place).join("SKILL.md"), text).unwrap();
        }
        let skills = skill::skills(&skill::load(std::slice::from_ref(&root)));
        let of = |whose: Whose, used: Used, runs| Uses { whose, used, runs };
        let named = |root: &Utf8Path, skill: &str| Whose::Named { root: root.to_owned(), skill: skill.into() };
        let here = |place: &str| Whose::Folder(root.join(place));
        let uses = vec![
            of(here("plan"), Used::Instructions, 3),
            of(here("plan"), Used::Resource("references/a.md".into()), 2),
            of(here("a/twin"), Used::Instructions, 4),
            of(here("gone"), Used::Instructions, 9),
            of(named(&root, "plan"), Used::Instructions, 1),
            of(named(&root, "plan"), Used::Resource("references/a.md".into()), 1),
            of(named(&root, "plan"), Used::Script("scripts/draw.py".into()), 1),
            of(named(&root, "twin"), Used::Instructions, 5),
            of(named(Utf8Path::new("/elsewhere"), "plan"), Used::Instructions, 7),
        ];
        let files = |files: &[(&str, u32)]| files.iter().map(|(file, runs)| ((*file).to_owned(), *runs)).collect();
        let plan = Usage { runs: 4, read: files(&[("references/a.md", 3)]), ran: files(&[("scripts/draw.py", 1)]) };
        let twin = Usage { runs: 4, ..Usage::default() };
        let gone = Usage { runs: 9, ..Usage::default() };
        let expected =
            BTreeMap::from([(root.join("plan"), plan), (root.join("a/twin"), twin), (root.join("gone"), gone)]);
        assert_eq!(by_skill(uses, &skills), expected, "two skills are called twin, so its name alone tells neither");
    }
}
