//! The skills in a set by the spec alone, by no framework's rules: every folder with a `SKILL.md`, at any depth.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};

use super::files::{files_of, manifest_of};
use super::{File, Folder, Manifest, Problem, ProblemKind, Root, Skill, SkillSet, discover};
use crate::source::{SourceText, Span};

/// The skills of a set, in the order of its roots and then of paths. A folder inside a skill belongs to that skill. A
/// link to a trusted place is followed, but no further links in there.
pub fn skills(set: &SkillSet) -> Vec<Skill> {
    let mut skills: Vec<Skill> = places(set).iter().map(SkillPlace::skill).collect();
    for (place, problem) in taken_names(&skills) {
        skills[place].problems.push(problem);
    }
    skills
}

/// The folders of the skills of a set, in the order of [`skills`].
pub fn places(set: &SkillSet) -> Vec<SkillPlace<'_>> {
    let mut search = Search { set, seen: HashSet::new(), places: Vec::new() };
    for root in &set.roots {
        search.visit(root, &root.tree, Links::None);
    }
    let mut places = search.places;
    add_problems(&mut places, &set.problems);
    places
}

/// A skill that is still to be read.
pub struct SkillPlace<'a> {
    root: &'a Root,
    folder: &'a Folder,
    manifest: &'a File,
    problems: Vec<&'a Problem>,
}

impl SkillPlace<'_> {
    /// The skill's folder.
    pub fn path(&self) -> &Utf8Path {
        &self.folder.path
    }

    /// The same with all that is in it.
    pub fn folder(&self) -> &Folder {
        self.folder
    }

    /// The path of its `SKILL.md`.
    pub fn manifest(&self) -> &Utf8Path {
        &self.manifest.path
    }

    /// What the walk found wrong in it.
    pub fn problems(&self) -> &[&Problem] {
        &self.problems
    }

    /// Whether npm brought it into the opened folder.
    pub fn is_installed(&self) -> bool {
        discover::is_installed(&self.folder.path, &self.root.path)
    }

    /// As it was loaded.
    pub fn skill(&self) -> Skill {
        self.with(self.manifest.source.clone(), self.problems.iter().copied().cloned())
    }

    /// As it is on disk now.
    pub fn read(&self) -> Skill {
        let is_readable = self.manifest.link.as_ref().is_none_or(|link| !link.broken && !link.outside);
        let (source, found) = match is_readable.then(|| discover::read(&self.manifest.path, &SourceText::read)) {
            Some(Ok(source)) => (Some(source), None),
            Some(Err(problem)) => (None, Some(problem)),
            None => (None, None),
        };
        // That it could not be read when it was loaded says nothing of now.
        let is_of_then = |problem: &&Problem| is_readable && discover::is_of_reading(problem, &self.manifest.path);
        let walked = self.problems.iter().copied().filter(|problem| !is_of_then(problem)).cloned();
        self.with(source, walked.chain(found))
    }

    fn with(&self, source: Option<Arc<SourceText>>, found: impl Iterator<Item = Problem>) -> Skill {
        let manifest = source.map_or_else(|| unread(&self.manifest.path), Manifest::parse);
        let mut problems = manifest.problems.clone();
        problems.extend(found);
        let files = files_of(self.folder);
        Skill { path: self.folder.path.clone(), root: self.root.path.clone(), manifest, files, problems }
    }
}

/// Names that an earlier skill has, by the skill's number.
pub fn taken_names(skills: &[Skill]) -> Vec<(usize, Problem)> {
    let mut named: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, skill) in skills.iter().enumerate() {
        named.entry(skill.name()).or_default().push(index);
    }
    let mut problems = Vec::new();
    for (name, indices) in named {
        for (nth, index) in indices.iter().enumerate() {
            let Some(other) = indices.get(usize::from(nth == 0)).filter(|_| indices.len() > 1) else { continue };
            let other = if nth == 0 { *other } else { indices[0] };
            let kind = ProblemKind::NameTaken { name: name.to_owned(), other: skills[other].path.to_string() };
            let manifest = &skills[*index].manifest;
            let span = manifest.field("name").map(|field| field.value_span);
            problems.push((*index, Problem { kind, path: manifest.source.path.clone(), span }));
        }
    }
    problems
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Links {
    None,
    One,
}

struct Search<'a> {
    set: &'a SkillSet,
    /// One root may be in another.
    seen: HashSet<&'a Utf8Path>,
    places: Vec<SkillPlace<'a>>,
}

impl<'a> Search<'a> {
    fn visit(&mut self, root: &'a Root, folder: &'a Folder, links: Links) {
        let links = match &folder.link {
            None => links,
            Some(link) => {
                let target = resolved(folder.path.parent().unwrap_or(&root.path), &link.target);
                if links == Links::One || self.set.root_of(&target).is_some() {
                    return;
                }
                Links::One
            }
        };
        if !self.seen.insert(&folder.path) {
            return;
        }
        if let Some(manifest) = manifest_of(folder) {
            self.places.push(SkillPlace { root, folder, manifest, problems: Vec::new() });
            return;
        }
        for inner in folder.folders() {
            self.visit(root, inner, links);
        }
    }
}

/// Gives each place the problems in its folder.
fn add_problems<'a>(places: &mut [SkillPlace<'a>], problems: &'a [Problem]) {
    let by_folder: HashMap<&Utf8Path, usize> =
        places.iter().enumerate().map(|(number, place)| (&*place.folder.path, number)).collect();
    for problem in problems {
        for number in problem.path.ancestors().filter_map(|folder| by_folder.get(folder)) {
            places[*number].problems.push(problem);
        }
    }
}

/// Placeholder for a `SKILL.md` that could not be read; the set's problems say why.
fn unread(path: &Utf8Path) -> Manifest {
    Manifest {
        source: Arc::new(SourceText::of_text(path.to_owned(), String::new())),
        frontmatter: None,
        body: Span::new(0, 0),
        problems: Vec::new(),
    }
}

/// Where a link in `folder` leads, by its text alone.
fn resolved(folder: &Utf8Path, target: &Utf8Path) -> Utf8PathBuf {
    let mut path = Utf8PathBuf::new();
    for component in folder.join(target).components() {
        match component {
            Utf8Component::ParentDir => {
                path.pop();
            }
            Utf8Component::CurDir => {}
            other => path.push(other),
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use std::fs;

    use proptest::prelude::*;
    use tempfile::TempDir;
    use wording::Message;

    use super::*;
    use crate::{FileKind, load, load_trusting};

    fn root(files: &[(&str, &str)]) -> (TempDir, Utf8PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::try_from(folder.path().canonicalize().unwrap()).unwrap();
        for (file, text) in files {
            let file = path.join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        (folder, path)
    }

    fn manifest(name: &str) -> String {
        format!("---\nname: {name}\ndescription: Does things.\n---\nDo them.\n")
    }

    /// Path below the root, name, and the texts of the problems.
    fn found(path: &Utf8Path) -> Vec<(String, String, Vec<String>)> {
        found_trusting(path, &[])
    }

    fn found_trusting(path: &Utf8Path, trusted: &[Utf8PathBuf]) -> Vec<(String, String, Vec<String>)> {
        skills(&load_trusting(&[path.to_owned()], trusted))
            .into_iter()
            .map(|skill| {
                let problems = skill.problems.iter().map(|problem| problem.kind.to_string()).collect();
                (skill.path.strip_prefix(path).unwrap().to_string(), skill.name().to_owned(), problems)
            })
            .collect()
    }

    fn skill(path: &str, name: &str, problems: &[&str]) -> (String, String, Vec<String>) {
        (path.into(), name.into(), problems.iter().map(|text| (*text).to_owned()).collect())
    }

    #[test]
    fn what_could_not_be_read_is_judged_by_how_it_is_read_now() {
        let (_folder, path) = root(&[("a/SKILL.md", &manifest("a"))]);
        let mut set = load(std::slice::from_ref(&path));
        let file = path.join("a/SKILL.md");
        let kind = ProblemKind::FileUnreadable { reason: Message::quoted("in use") };
        set.problems.push(Problem { kind: kind.clone(), path: file.clone(), span: None });
        let told = |skill: Skill| skill.problems.into_iter().map(|problem| problem.kind).collect::<Vec<_>>();
        assert_eq!(told(places(&set)[0].skill()), [kind]);
        assert_eq!(told(places(&set)[0].read()), []);
        fs::remove_file(file).unwrap();
        assert_eq!(told(places(&set)[0].read()).iter().filter(|kind| **kind == ProblemKind::Vanished).count(), 1);
    }

    #[test]
    fn finds_skills_at_any_depth_and_none_inside_another() {
        let (_folder, path) = root(&[
            ("one/SKILL.md", &manifest("one")),
            ("one/two/SKILL.md", &manifest("two")),
            ("deep/er/three/SKILL.md", &manifest("three")),
            ("four/skill.md", &manifest("four")),
            ("five/README.md", ""),
        ]);
        let expected = [
            skill("deep/er/three", "three", &[]),
            skill("four", "four", &["the file is called `skill.md`; frameworks look for `SKILL.md`"]),
            skill("one", "one", &[]),
        ];
        assert_eq!(found(&path), expected);
        let set = load(std::slice::from_ref(&path));
        let files: Vec<_> = skills(&set)[2].files.iter().map(|file| (file.name.clone(), file.kind)).collect();
        assert_eq!(
            files,
            [("SKILL.md".to_owned(), FileKind::Manifest), ("two/SKILL.md".to_owned(), FileKind::Reference)]
        );
    }

    #[test]
    fn the_root_itself_may_be_a_skill() {
        let (_folder, path) = root(&[("SKILL.md", "")]);
        let name = path.file_name().unwrap();
        assert_eq!(found(&path), [skill("", name, &["the file is empty"])]);
    }

    #[test]
    fn tells_of_names_that_are_taken() {
        let (_folder, path) = root(&[("a/same/SKILL.md", &manifest("same")), ("b/same/SKILL.md", &manifest("same"))]);
        let taken = |other: &str| format!("another skill here is also called `same`: {}", path.join(other));
        let expected = [skill("a/same", "same", &[&taken("b/same")]), skill("b/same", "same", &[&taken("a/same")])];
        assert_eq!(found(&path), expected);
    }

    #[test]
    fn a_root_inside_another_adds_nothing() {
        let (_folder, path) = root(&[("a/one/SKILL.md", &manifest("one"))]);
        let set = load(&[path.clone(), path.join("a")]);
        let paths: Vec<_> = skills(&set).into_iter().map(|skill| skill.path).collect();
        assert_eq!(paths, [path.join("a/one")]);
    }

    #[cfg(unix)]
    #[test]
    fn follows_one_link_to_a_trusted_place_and_none_inside() {
        use std::os::unix::fs::symlink;
        let (_folder, path) = root(&[("one/SKILL.md", &manifest("one"))]);
        let (_outside, outside) = root(&[("two/SKILL.md", &manifest("two")), ("more/x.md", "")]);
        symlink("one", path.join("alias")).unwrap();
        symlink(&outside, path.join("outside")).unwrap();
        let (_further, further) = root(&[("three/SKILL.md", &manifest("three"))]);
        symlink(&further, outside.join("more/further")).unwrap();
        symlink("nowhere", path.join("one/gone.md")).unwrap();
        let expected = [
            skill("one", "one", &["the link points to nowhere, which does not exist"]),
            skill("outside/two", "two", &[]),
        ];
        assert_eq!(found_trusting(&path, &[outside, further]), expected);
        assert_eq!(found(&path), expected[..1]);
    }

    #[cfg(unix)]
    #[test]
    fn a_manifest_that_cannot_be_read_is_still_a_skill() {
        use std::os::unix::fs::symlink;
        let (_folder, path) = root(&[("one/x.md", "")]);
        symlink("nowhere", path.join("one/SKILL.md")).unwrap();
        let expected = [skill("one", "one", &["the link points to nowhere, which does not exist"])];
        assert_eq!(found(&path), expected);
    }

    /// The name and description of a skill outside are not shown.
    #[cfg(unix)]
    #[test]
    fn a_manifest_that_is_a_link_out_is_a_skill_that_was_not_read() {
        let (_folder, path) = root(&[("one/x.md", "")]);
        let (_outside, outside) = root(&[("SKILL.md", &manifest("private"))]);
        let target = outside.join("SKILL.md");
        std::os::unix::fs::symlink(&target, path.join("one/SKILL.md")).unwrap();
        let text = format!(
            "the link leads to {target}, outside of the opened folders; nothing there is read until you trust it"
        );
        assert_eq!(found(&path), [skill("one", "one", &[&text])]);
        assert_eq!(places(&load(std::slice::from_ref(&path)))[0].read().name(), "one");
        let other_name = "the name `private` differs from the folder's name `one`";
        assert_eq!(found_trusting(&path, &[outside]), [skill("one", "private", &[other_name])]);
    }

    #[test]
    fn reads_ten_megabytes() {
        let text = format!("{}{}", manifest("big"), "Weigh it.\n".repeat(1 << 20));
        let (_folder, path) = root(&[("big/SKILL.md", &text)]);
        let found = skills(&load(&[path]));
        assert_eq!(found[0].problems, []);
        assert_eq!(found[0].manifest.source.text.len(), text.len());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn any_bytes_can_be_read(
            bytes in proptest::collection::vec(any::<u8>(), 0..200),
            frontmatter in proptest::bool::ANY,
        ) {
            let (_folder, path) = root(&[("a/SKILL.md", "")]);
            let start: &[u8] = if frontmatter { b"---\n" } else { b"" };
            let end: &[u8] = if frontmatter { b"\n---\n# a\n" } else { b"" };
            fs::write(path.join("a/SKILL.md"), [start, &bytes, end].concat()).unwrap();
            let found = skills(&load(&[path]));
            let text = &found[0].manifest.source.text;
            for problem in &found[0].problems {
                let _ = problem.span.map(|span| span.of(text));
            }
        }
    }
}
