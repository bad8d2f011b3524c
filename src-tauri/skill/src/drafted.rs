//! The set as it would be if unsaved texts of some files were saved.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};

use super::discover::is_read;
use super::source::SourceText;
use super::{Entry, File, Folder, Root, Seen, SkillSet};

/// Texts by the path of their file.
pub type Texts = HashMap<Utf8PathBuf, Arc<SourceText>>;

/// Texts in place of those on disk, found by every path that leads to their file.
#[derive(Debug, Clone, Default)]
pub struct Drafts {
    texts: Texts,
    /// By the real path of the folder.
    folders: HashMap<Utf8PathBuf, Vec<Draft>>,
}

#[derive(Debug, Clone)]
struct Draft {
    name: String,
    source: Arc<SourceText>,
}

impl Drafts {
    /// Takes texts by the paths at which they are open; finds out where each path really leads.
    pub fn new(texts: Texts) -> Self {
        let mut folders: HashMap<Utf8PathBuf, Vec<Draft>> = HashMap::new();
        for (path, source) in &texts {
            let real = real_file(path);
            if let (Some(folder), Some(name)) = (real.parent(), real.file_name()) {
                let draft = Draft { name: name.to_owned(), source: source.clone() };
                folders.entry(folder.to_owned()).or_default().push(draft);
            }
        }
        Self { texts, folders }
    }

    /// The text that this path leads to.
    pub fn text(&self, path: &Utf8Path) -> Option<&Arc<SourceText>> {
        self.texts.get(path).or_else(|| if self.texts.is_empty() { None } else { self.at(&real_file(path)) })
    }

    fn at(&self, real: &Utf8Path) -> Option<&Arc<SourceText>> {
        let there = self.folders.get(real.parent()?)?.iter();
        there.filter(|draft| Some(&*draft.name) == real.file_name()).map(|draft| &draft.source).next()
    }
}

/// The set with these texts in it, wherever links show their files. A text whose folder is not in the set is left out.
pub fn drafted<'a>(set: &'a SkillSet, drafts: &Drafts) -> Cow<'a, SkillSet> {
    if drafts.texts.is_empty() {
        return Cow::Borrowed(set);
    }
    let roots = set.roots.iter().map(|root| {
        let real = real(&root.path).unwrap_or_else(|| root.path.clone());
        Root { path: root.path.clone(), tree: folder(&root.tree, &real, drafts) }
    });
    Cow::Owned(SkillSet { roots: roots.collect(), problems: set.problems.clone() })
}

/// `at`: where the folder really is.
fn folder(of: &Folder, at: &Utf8Path, drafts: &Drafts) -> Folder {
    let here = drafts.folders.get(at).map_or(&[][..], Vec::as_slice);
    let mut entries: Vec<Entry> = Vec::with_capacity(of.entries.len());
    for entry in &of.entries {
        entries.push(match entry {
            Entry::Folder(inner) => {
                let place = match &inner.link {
                    Some(_) => real(&inner.path).unwrap_or_else(|| inner.path.clone()),
                    None => at.join(&inner.name),
                };
                Entry::Folder(folder(inner, &place, drafts))
            }
            Entry::File(file) => Entry::File(with_draft(file, here, drafts)),
        });
    }
    for draft in here.iter().filter(|_| of.listed) {
        let taken = |entry: &Entry| match entry {
            Entry::Folder(inner) => inner.name == draft.name,
            Entry::File(file) => file.name == draft.name,
        };
        if !entries.iter().any(taken) {
            let path = of.path.join(&draft.name);
            let source = is_read(&of.path, &draft.name).then(|| at_path(&draft.source, &path));
            let (name, size) = (draft.name.clone(), size(&draft.source));
            entries.push(Entry::File(File {
                name,
                path,
                size,
                is_regular: true,
                link: None,
                seen: Seen::default(),
                source,
            }));
        }
    }
    entries.sort_by(|a, b| name_of(a).cmp(name_of(b)));
    Folder { name: of.name.clone(), path: of.path.clone(), link: of.link.clone(), listed: of.listed, entries }
}

fn with_draft(file: &File, here: &[Draft], drafts: &Drafts) -> File {
    let found = match &file.link {
        None => here.iter().find(|draft| draft.name == file.name).map(|draft| &draft.source),
        Some(link) if link.broken || link.outside => None,
        Some(_) => drafts.at(&real_file(&file.path)),
    };
    let Some(source) = found else { return file.clone() };
    let is_read = file.path.parent().is_some_and(|folder| is_read(folder, &file.name));
    File { size: size(source), source: is_read.then(|| at_path(source, &file.path)), ..file.clone() }
}

fn at_path(source: &Arc<SourceText>, path: &Utf8Path) -> Arc<SourceText> {
    if source.path == path {
        return source.clone();
    }
    Arc::new(SourceText { path: path.to_owned(), ..SourceText::clone(source) })
}

/// In bytes, as saved.
fn size(source: &SourceText) -> u64 {
    let mark = if source.bom { '\u{feff}'.len_utf8() } else { 0 };
    u64::try_from(source.text.len() + mark).unwrap_or(u64::MAX)
}

fn name_of(entry: &Entry) -> &str {
    match entry {
        Entry::Folder(folder) => &folder.name,
        Entry::File(file) => &file.name,
    }
}

fn real(path: &Utf8Path) -> Option<Utf8PathBuf> {
    path.canonicalize_utf8().ok()
}

/// The real path of a file that may not exist yet.
fn real_file(path: &Utf8Path) -> Utf8PathBuf {
    let missing = || Some(real(path.parent()?)?.join(path.file_name()?));
    real(path).or_else(missing).unwrap_or_else(|| path.to_owned())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::load;

    fn texts(root: &Utf8Path, files: &[(&str, &str)]) -> Drafts {
        let text = |(file, text): &(&str, &str)| {
            let path = root.join(file);
            (path.clone(), Arc::new(SourceText::of_text(path, (*text).to_owned())))
        };
        Drafts::new(files.iter().map(text).collect())
    }

    fn written(root: &Utf8Path, files: &[(&str, &str)]) {
        for (file, text) in files {
            let file = root.join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
    }

    #[test]
    fn is_what_is_loaded_after_a_save() {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::try_from(folder.path().canonicalize().unwrap()).unwrap();
        written(&root, &[("a/SKILL.md", "---\nname: a\n---\n"), ("a/references/r.md", "r"), ("b/SKILL.md", "b")]);
        #[cfg(unix)]
        std::os::unix::fs::symlink("a", root.join("linked")).unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink("../a/SKILL.md", root.join("b/other.md")).unwrap();
        let edits = [
            ("a/SKILL.md", "---\nname: other\n---\n"),
            ("a/references/r.md", "longer"),
            ("a/references/agents", "no folder"),
            ("b/new.md", "new"),
        ];
        let before = load(std::slice::from_ref(&root));
        let drafts = texts(&root, &edits);
        let would_be = drafted(&before, &drafts).into_owned();
        #[cfg(unix)]
        assert_eq!(drafts.text(&root.join("b/other.md")).map(|text| &*text.text), Some(edits[0].1));
        written(&root, &edits);
        assert_eq!(would_be, load(std::slice::from_ref(&root)));
    }

    #[test]
    fn a_manifest_that_is_not_on_disk_yet_is_there_and_a_text_of_no_folder_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::try_from(folder.path().canonicalize().unwrap()).unwrap();
        written(&root, &[("a/notes.md", "n"), ("b/SKILL.md", "b")]);
        let before = load(std::slice::from_ref(&root));
        let drafts = texts(&root, &[("a/SKILL.md", "new"), ("gone/SKILL.md", "gone")]);
        let found: Vec<_> = crate::skills(&drafted(&before, &drafts)).into_iter().map(|skill| skill.path).collect();
        assert_eq!(found, [root.join("a"), root.join("b")]);
    }

    #[test]
    fn nothing_unsaved_is_the_set_itself() {
        assert!(matches!(drafted(&SkillSet::default(), &Drafts::default()), Cow::Borrowed(_)));
    }
}
