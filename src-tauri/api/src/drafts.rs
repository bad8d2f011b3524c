//! Skills with texts that are not saved yet.

use std::sync::Arc;

use camino::Utf8Path;

use super::dto::{CheckArgs, UnsavedText};
use super::judge::Judge;
use super::{Loaded, absolute, files};
use lint::{Check, Disk, Files, Finding, Judged, Overlay, Secrets};
use skill::files::{files_of, kind_of};
use skill::source::{Newline, SourceText};
use skill::{FileKind, Folder, Manifest, Skill, SkillFile, SkillSet, Texts};

/// A skill with the texts that are being edited in place of those on disk.
pub(super) struct Draft {
    texts: Texts,
    /// The skill as it would be; `None` if the text belongs to none.
    pub skill: Option<Skill>,
    /// The skill's folder, where it is on disk too.
    known: bool,
}

impl Draft {
    pub fn new(loaded: &Loaded, path: &Utf8Path, args: &CheckArgs) -> Self {
        let edited = UnsavedText { path: path.to_string(), text: args.text.clone() };
        let texts = as_texts(args.unsaved.iter().chain([&edited]));
        let on_disk = loaded.skills.iter().find(|skill| path.starts_with(&skill.path));
        let skill = match on_disk {
            Some(skill) => Some(match texts.get(&skill.manifest.source.path) {
                Some(source) => skill.with_text(source.clone()),
                None => skill.clone(),
            }),
            None => texts.get(path).and_then(|source| fresh(&loaded.set, path, source)),
        };
        let skill = skill.map(|skill| with_unsaved(skill, &texts));
        Self { texts, skill, known: on_disk.is_some() }
    }

    pub fn files(&self) -> Overlay<'_> {
        Overlay { below: &Disk, texts: self.texts.clone() }
    }

    /// Those in all of the skill's texts.
    pub fn secrets(&self) -> Secrets {
        self.skill.as_ref().map_or_else(Secrets::default, |skill| lint::secrets_of(skill, &self.files()))
    }

    /// The findings in the skill as it would be; for its neighbours, the findings for it as it is on disk.
    pub fn look(&self, judge: &Judge) -> Judged {
        self.looked(judge, true)
    }

    /// The same without waiting for the neighbours: if not all of them have been checked, only the skill's own
    /// findings, and `true`.
    pub fn look_now(&self, judge: &Judge) -> (Judged, bool) {
        let beside = judge.has_looked();
        (self.looked(judge, beside), self.skill.is_some() && self.known && !beside)
    }

    fn looked(&self, judge: &Judge, beside: bool) -> Judged {
        let Some(skill) = &self.skill else { return Judged::default() };
        let mut found = judge.linter().judge(skill, &self.files());
        if self.known && beside {
            let beside = judge.found_in(skill).filter(|finding| matches!(finding.rule.check, Check::Set(_)));
            for finding in beside {
                let same = match self.texts.get(&finding.path) {
                    Some(text) => Disk.text(&finding.path).is_some_and(|disk| disk.text == text.text),
                    None => true,
                };
                // Its place was another text's, and so was its fix's.
                let (span, fix) = if same { (finding.span, finding.fix.clone()) } else { (None, None) };
                found.findings.push(Finding { span, fix, ..finding.clone() });
            }
        }
        found
    }
}

/// The texts as a save would write them. Reads how those files are written now.
pub(super) fn as_texts<'a>(unsaved: impl IntoIterator<Item = &'a UnsavedText>) -> Texts {
    let text = |unsaved: &UnsavedText| {
        let path = absolute(Utf8Path::new(&unsaved.path));
        let source = Arc::new(as_saved(&path, &unsaved.text));
        (path, source)
    };
    unsaved.into_iter().map(text).collect()
}

/// The text as a save would write it: with the line ends and the mark that the file has.
fn as_saved(path: &Utf8Path, text: &str) -> SourceText {
    let before = SourceText::read(path).ok();
    let crlf = before.as_ref().is_some_and(|before| before.newline() == Newline::CrLf);
    let text = if crlf { files::with_crlf(text) } else { text.to_owned() };
    // An unchanged text is not saved, and keeps the flaws of its file.
    if let Some(before) = before.as_ref().filter(|before| before.text == text) {
        return before.clone();
    }
    SourceText { bom: before.is_some_and(|before| before.bom), ..SourceText::of_text(path.to_owned(), text) }
}

/// The skill with the files that are not saved yet.
fn with_unsaved(mut skill: Skill, texts: &Texts) -> Skill {
    for (path, source) in texts {
        let Ok(below) = path.strip_prefix(&skill.path) else { continue };
        if !path.exists() && skill.files.iter().all(|file| file.path != *path) {
            let name = below.components().map(|part| part.as_str()).collect::<Vec<_>>().join("/");
            let size = u64::try_from(source.text.len()).unwrap_or(u64::MAX);
            let kind = kind_of(&name);
            skill.files.push(SkillFile { kind, name, path: path.clone(), size, link: false, outside: false });
        }
    }
    let place = |file: &SkillFile| (file.kind != FileKind::Manifest, file.name.clone());
    skill.files.sort_by_key(place);
    skill
}

/// A `SKILL.md` that is not among the skills, because it is not on disk yet or no longer, with the files next to it.
fn fresh(set: &SkillSet, path: &Utf8Path, source: &Arc<SourceText>) -> Option<Skill> {
    let name = path.file_name().filter(|name| name.eq_ignore_ascii_case("SKILL.md"))?;
    let folder = path.parent()?;
    let manifest = Manifest::parse(source.clone());
    let beside = set.roots.iter().find_map(|root| listed(&root.tree, folder)).map(files_of);
    let mut files = beside.unwrap_or_default();
    if files.iter().all(|file| file.path != path) {
        let size = u64::try_from(source.text.len()).unwrap_or(u64::MAX);
        files.push(SkillFile {
            name: name.to_owned(),
            path: path.to_owned(),
            size,
            kind: FileKind::Manifest,
            link: false,
            outside: false,
        });
    }
    Some(Skill {
        path: folder.to_owned(),
        root: folder.parent().unwrap_or(folder).to_owned(),
        problems: manifest.problems.clone(),
        manifest,
        files,
    })
}

/// The folder with this path, in a tree that was read.
fn listed<'a>(folder: &'a Folder, path: &Utf8Path) -> Option<&'a Folder> {
    if folder.path == path {
        return Some(folder);
    }
    folder.folders().filter(|inner| path.starts_with(&inner.path)).find_map(|inner| listed(inner, path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_is_as_on_disk_keeps_the_flaws_of_its_file() {
        let place = tempfile::tempdir().unwrap();
        let path = Utf8Path::from_path(place.path()).unwrap().join("notes.md");
        std::fs::write(&path, b"a\xFF").unwrap();
        assert_eq!(as_saved(&path, "a\u{fffd}").invalid_at, Some(1));
        assert_eq!(as_saved(&path, "b").invalid_at, None);
    }
}
