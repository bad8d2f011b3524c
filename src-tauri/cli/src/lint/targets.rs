//! What the paths on the command line mean.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

use api::{ApiError, Tried, absolute};
use camino::{Utf8Path, Utf8PathBuf};

use crate::home;

/// The folders that are checked.
#[derive(Debug, Default, PartialEq)]
pub struct Targets {
    pub roots: Vec<Utf8PathBuf>,
    /// Files that belong to no skill.
    pub strays: Vec<Utf8PathBuf>,
}

impl Targets {
    /// A folder means itself, a file the skill it belongs to, and a file of `.claude-plugin` the plugin or marketplace
    /// that it describes. A folder inside another one is not checked twice.
    pub fn of(paths: &[Utf8PathBuf]) -> Result<Self, ApiError> {
        let mut targets = Self::default();
        let folders = Folders::default();
        for path in paths {
            let whole = absolute(path);
            let facts = std::fs::metadata(&whole).map_err(|error| ApiError::io(path, Tried::Open, error))?;
            if facts.is_dir() {
                targets.roots.push(whole);
                continue;
            }
            match folders.skill_of(&whole).or_else(|| plugin_of(&whole)) {
                Some(folder) => targets.roots.push(folder),
                None => targets.strays.push(path.clone()),
            }
        }
        let named: BTreeSet<Utf8PathBuf> = targets.roots.iter().cloned().collect();
        let mut taken = BTreeSet::new();
        targets.roots.retain(|root| {
            let inside = root.ancestors().skip(1).any(|above| named.contains(above));
            !inside && taken.insert(root.clone())
        });
        Ok(targets)
    }
}

/// The folder that a file of `.claude-plugin` is about.
fn plugin_of(file: &Utf8Path) -> Option<Utf8PathBuf> {
    let described = file.parent().filter(|folder| folder.file_name() == Some(PLUGIN))?;
    described.parent().filter(|folder| !home::is_too_much(folder)).map(Utf8Path::to_owned)
}

/// Where Claude Code looks for the manifest of a plugin or a marketplace.
const PLUGIN: &str = ".claude-plugin";

/// Whether folders hold a `SKILL.md`; each is checked once.
#[derive(Default)]
struct Folders(RefCell<HashMap<Utf8PathBuf, bool>>);

impl Folders {
    fn skill_of(&self, file: &Utf8Path) -> Option<Utf8PathBuf> {
        let holds = |folder: &Utf8Path| {
            let known = self.0.borrow().get(folder).copied();
            known.unwrap_or_else(|| {
                let holds = home::holds_manifest(folder);
                self.0.borrow_mut().insert(folder.to_owned(), holds);
                holds
            })
        };
        home::skill_of(file, holds).map(Utf8Path::to_owned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_stand_for_their_skills_and_each_skill_is_taken_once() {
        let guard = tempfile::tempdir().expect("a folder");
        let base = Utf8PathBuf::try_from(guard.path().to_owned()).expect("UTF-8");
        let files = [
            "a/SKILL.md",
            "a/scripts/x.py",
            "b/skill.md",
            "README.md",
            ".git/HEAD",
            "set/c/SKILL.md",
            "b/in/SKILL.md",
            "tools/.claude-plugin/plugin.json",
            "tools/skills/d/SKILL.md",
        ];
        for file in files {
            let path = base.join(file);
            std::fs::create_dir_all(path.parent().expect("it has one")).expect("writable");
            std::fs::write(path, "").expect("writable");
        }
        let named = [
            "set",
            "a/scripts/x.py",
            "README.md",
            "a/SKILL.md",
            "b/in/SKILL.md",
            "set/c",
            "tools/skills/d/SKILL.md",
            "tools/.claude-plugin/plugin.json",
        ];
        let targets = Targets::of(&named.map(|name| base.join(name))).expect("all are there");
        let expected = Targets {
            roots: ["set", "a", "b", "tools"].map(|name| base.join(name)).to_vec(),
            strays: vec![base.join("README.md")],
        };
        assert_eq!(targets, expected);
        let error = Targets::of(&["no/such".into()]).expect_err("it is not there");
        assert_eq!(error.message, "cannot open no/such: no such file or folder");
    }
}
