//! Folders inside a set that are examined separately.

use std::borrow::Cow;
use std::collections::HashSet;

use camino::Utf8Path;

use super::files::manifest_of;
use super::{Entry, File, Folder, ProblemKind, Root, SkillSet, manifest};

/// The folders below the roots that meet a condition. Folders inside a skill and links are not among them: they belong
/// to the skill, and to the place they lead to.
pub fn apart(set: &SkillSet, meets: impl Fn(&Folder) -> bool) -> Vec<&Folder> {
    let mut found = Vec::new();
    for root in &set.roots {
        collect(&root.tree, &meets, &mut found);
    }
    found
}

/// A folder with its contents, without the contents of some folders below it.
pub fn without(folder: &Folder, apart: &HashSet<&Utf8Path>) -> Folder {
    let entries = folder.entries.iter().map(|entry| match entry {
        Entry::Folder(inner) if apart.contains(&*inner.path) => {
            Entry::Folder(Folder { listed: false, entries: Vec::new(), ..bare(inner) })
        }
        Entry::Folder(inner) => Entry::Folder(without(inner, apart)),
        Entry::File(file) => Entry::File(file.clone()),
    });
    Folder { entries: entries.collect(), ..bare(folder) }
}

/// The set without links to folders or a `SKILL.md` outside of the folders that the user opened or trusts: this is what
/// a framework, and so a model, may see. Of a link to another file only the name is left, not the target.
pub fn followed(set: &SkillSet) -> Cow<'_, SkillSet> {
    if !set.problems.iter().any(|problem| matches!(problem.kind, ProblemKind::LinkOutside { .. })) {
        return Cow::Borrowed(set);
    }
    let roots = set.roots.iter().map(|root| Root { path: root.path.clone(), tree: without_outside(&root.tree) });
    Cow::Owned(SkillSet { roots: roots.collect(), problems: set.problems.clone() })
}

fn without_outside(folder: &Folder) -> Folder {
    let entries = folder.entries.iter().filter_map(|entry| match entry {
        Entry::Folder(inner) => Some(Entry::Folder(without_outside(inner))),
        Entry::File(file) if is_hidden(file) => None,
        Entry::File(file) => Some(Entry::File(file.clone())),
    });
    Folder { entries: entries.collect(), ..bare(folder) }
}

fn is_hidden(file: &File) -> bool {
    let is_manifest = file.name.eq_ignore_ascii_case(manifest::FILE_NAME);
    file.link.as_ref().is_some_and(|link| link.outside && (link.broken || is_manifest))
}

fn collect<'a>(folder: &'a Folder, meets: &impl Fn(&Folder) -> bool, found: &mut Vec<&'a Folder>) {
    if manifest_of(folder).is_some() {
        return;
    }
    for inner in folder.folders().filter(|inner| inner.link.is_none()) {
        if meets(inner) {
            found.push(inner);
        }
        collect(inner, meets, found);
    }
}

fn bare(folder: &Folder) -> Folder {
    let Folder { name, path, link, listed, .. } = folder;
    Folder { name: name.clone(), path: path.clone(), link: link.clone(), listed: *listed, entries: Vec::new() }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use camino::Utf8PathBuf;

    use super::*;
    use crate::{load, skills};

    #[cfg(unix)]
    #[test]
    fn what_is_followed_names_no_link_that_leads_out() {
        let (guard, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let root = Utf8PathBuf::try_from(guard.path().canonicalize().unwrap()).unwrap();
        fs::create_dir(root.join("a")).unwrap();
        fs::write(root.join("a/SKILL.md"), "").unwrap();
        let plain = load(std::slice::from_ref(&root));
        assert!(matches!(followed(&plain), Cow::Borrowed(_)));
        std::os::unix::fs::symlink(outside.path(), root.join("a/assets")).unwrap();
        let set = load(std::slice::from_ref(&root));
        assert_eq!(set.roots[0].tree.folders().next().unwrap().entries.len(), 2, "the window shows the link");
        assert_eq!(followed(&set).roots, plain.roots);
    }

    #[test]
    fn finds_folders_outside_of_skills_and_leaves_them_out() {
        let guard = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::try_from(guard.path().canonicalize().unwrap()).unwrap();
        for file in ["x", "a/SKILL.md", "b/x", "b/c/SKILL.md", "b/d/x", "b/d/e/SKILL.md", "f/x", "f/SKILL.md", "a/g/x"]
        {
            let path = root.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let mut set = load(std::slice::from_ref(&root));
        let below = |path: &Utf8PathBuf| path.strip_prefix(&root).unwrap().to_string();
        let found = apart(&set, |folder| folder.files().any(|file| file.name == "x"));
        assert_eq!(found.iter().map(|folder| below(&folder.path)).collect::<Vec<_>>(), ["b", "b/d", "f"]);
        let paths: HashSet<&Utf8Path> = found.iter().map(|folder| &*folder.path).collect();
        let rest = without(&set.roots[0].tree, &paths);
        let inner = without(found[0], &paths);
        set.roots[0].tree = rest;
        assert_eq!(skills(&set).iter().map(|skill| below(&skill.path)).collect::<Vec<_>>(), ["a"]);
        set.roots[0].tree = inner;
        assert_eq!(skills(&set).iter().map(|skill| below(&skill.path)).collect::<Vec<_>>(), ["b/c"]);
    }
}
