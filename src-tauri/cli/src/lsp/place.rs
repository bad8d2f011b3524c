//! Where a document belongs: its skill, and the folders that are checked together with it.

use std::collections::BTreeSet;

use camino::{Utf8Path, Utf8PathBuf};
use config::PROJECT_FILE;

use super::documents::Documents;
use crate::home;
pub use crate::home::is_manifest;

/// A skill among its neighbours.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SkillHome {
    pub skill: Utf8PathBuf,
    /// Those that a window would have open.
    pub folders: Vec<Utf8PathBuf>,
}

/// The folders of which a `SKILL.md` is open, saved or not.
pub fn open_skills(documents: &Documents) -> BTreeSet<Utf8PathBuf> {
    let manifests = documents.keys().filter(|path| is_manifest(path));
    manifests.filter_map(|path| Some(path.parent()?.to_owned())).collect()
}

/// `None`: the file is in no skill. A folder inside a skill belongs to that skill, as far up as the workspace reaches,
/// or the repository if the workspace has no skill around the file.
pub fn place(path: &Utf8Path, workspace: &[Utf8PathBuf], open: &BTreeSet<Utf8PathBuf>) -> Option<SkillHome> {
    let is_skill = |folder: &Utf8Path| open.contains(folder) || NAMES.iter().any(|name| folder.join(name).is_file());
    let root = workspace.iter().filter(|root| path.starts_with(root)).min_by_key(|root| root.as_str().len());
    let within = root.and_then(|root| {
        let above = path.ancestors().skip(1).take_while(|folder| folder.starts_with(root));
        above.filter(|folder| is_skill(folder)).last()
    });
    if let Some(skill) = within {
        return Some(SkillHome { skill: skill.to_owned(), folders: workspace.to_vec() });
    }
    let skill = home::skill_of(path, is_skill)?;
    let folder = skill.parent().filter(|parent| !home::is_too_much(parent)).unwrap_or(skill);
    Some(SkillHome { skill: skill.to_owned(), folders: vec![folder.to_owned()] })
}

pub fn is_settings(path: &Utf8Path) -> bool {
    path.file_name() == Some(PROJECT_FILE)
}

/// How `SKILL.md` is written in practice.
const NAMES: [&str; 3] = ["SKILL.md", "skill.md", "Skill.md"];

#[cfg(test)]
mod tests {
    use super::super::documents::Document;
    use super::*;

    #[test]
    fn finds_the_skill_and_what_is_open_around_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let base = Utf8PathBuf::try_from(folder.path().to_owned()).expect("UTF-8");
        let files =
            ["a/one/SKILL.md", "a/one/inner/skill.md", "a/sub/workbench.yaml", "a/sub/two/SKILL.md", "a/plain/x.md"];
        for file in files {
            let path = base.join(file);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("writable");
            std::fs::write(path, "").expect("writable");
        }
        let uri = "file:///x".parse().expect("an address");
        let new = Document { uri, version: 1, text: String::new() };
        let documents = Documents::from([(base.join("a/new/SKILL.md"), new)]);
        let [a, b] = ["a", "b"].map(|name| base.join(name));
        let workspace = [a.clone(), b.clone()];
        let of = |path: &str, workspace: &[Utf8PathBuf]| {
            let place = place(&base.join(path), workspace, &open_skills(&documents))?;
            let short = |path: Utf8PathBuf| path.strip_prefix(&base).expect("below").to_string();
            Some((short(place.skill), place.folders.into_iter().map(short).collect::<Vec<_>>().join(" ")))
        };
        let is = |skill: &str, folders: &str| Some((skill.to_owned(), folders.to_owned()));
        assert_eq!(of("a/one/inner/x.py", &workspace), is("a/one", "a b"), "the outer skill owns what is in it");
        assert_eq!(
            of("a/sub/two/SKILL.md", &workspace),
            is("a/sub/two", "a b"),
            "settings of its own make it no other place"
        );
        assert_eq!(of("a/new/references/x.md", &workspace), is("a/new", "a b"), "a manifest that is not saved yet");
        assert_eq!(of("a/plain/x.md", &workspace), None);
        assert_eq!(of("a/one/scripts/x.py", &[]), is("a/one", "a"), "nothing is open");
        assert_eq!(of("a/one/inner/x.py", &[]), is("a/one", "a"), "nor with nothing open");
        assert_eq!(of("a/one/scripts/x.py", &[base.join("a/one/scripts")]), is("a/one", "a"), "above the workspace");
    }
}
