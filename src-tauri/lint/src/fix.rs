//! Fixes, applied: to texts, never to the disk.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};

use super::files::{Files, is_plain};
use super::loading;
use super::rule::{Applicability, Edit, Finding, Fix};
use super::subject::Subject;
use skill::Skill;
use skill::source::SourceText;

/// Takes away the fixes that [`Linter::settle`](super::Linter::settle) would not make, because a file of theirs is to stay as it is.
pub(super) fn keep_possible(skill: &Skill, files: &dyn Files, findings: &mut [Finding]) {
    let bounds = Bounds::of(skill, files);
    // Most fixes are in `SKILL.md`, which need not be read again for it.
    let source = &skill.manifest.source;
    if is_plain(source) && skill.files.iter().any(|file| file.path == source.path && !file.link) {
        bounds.known.borrow_mut().insert(source.path.clone(), true);
    }
    for finding in findings {
        finding.fix = finding.fix.take().filter(|fix| fix.edits.iter().all(|edit| bounds.hold(&edit.path)));
    }
}

/// Takes away the fixes after which a framework no longer reads the skill.
pub(super) fn keep_loading(subject: &Subject<'_>, findings: &mut [Finding]) {
    let skill = subject.skill;
    for finding in findings {
        finding.fix = finding.fix.take().filter(|fix| !changes_fields(skill, fix) || !loses(subject, fix));
    }
}

/// Whether a fix changes what frameworks read a skill by.
fn changes_fields(skill: &Skill, fix: &Fix) -> bool {
    let manifest = &skill.manifest;
    let front = manifest.body.start;
    fix.edits.iter().any(|edit| edit.path == manifest.source.path && edit.span.start < front)
}

/// Whether a framework that reads the skill now would not, with a fix.
fn loses(subject: &Subject<'_>, fix: &Fix) -> bool {
    let after = edited(subject.skill, &fix.edits);
    after.manifest.source.text != subject.text() && subject.loading().is_lost_in(&after)
}

/// Edits of frontmatter are safe if every framework makes the same of the skill afterwards.
pub(super) fn safe_if_same(skill: &Skill, edits: &[Edit]) -> Applicability {
    let front = skill.manifest.body.start;
    let is_front = |edit: &Edit| edit.path == skill.manifest.source.path && edit.span.end <= front;
    let is_safe = edits.iter().all(is_front) && loading::is_same(skill, &edited(skill, edits));
    if is_safe { Applicability::Safe } else { Applicability::Unsafe }
}

/// With edits of its `SKILL.md`.
fn edited(skill: &Skill, edits: &[Edit]) -> Skill {
    let source = &skill.manifest.source;
    let mut edits: Vec<Edit> = edits.iter().filter(|edit| edit.path == source.path).cloned().collect();
    edits.sort_by_key(|edit| edit.span.start);
    let text = applied(&source.text, &edits);
    skill.with_text(Arc::new(SourceText { text, ..SourceText::clone(source) }))
}

/// Which files of a skill fixes may change.
pub(super) struct Bounds<'a> {
    skill: &'a Utf8Path,
    /// The same without links; `None`: the skill is not on disk.
    folder: OnceCell<Option<Utf8PathBuf>>,
    files: &'a dyn Files,
    known: RefCell<HashMap<Utf8PathBuf, bool>>,
}

impl<'a> Bounds<'a> {
    /// The skill's own folder, as it is on the disk when that is first asked.
    pub fn of(skill: &'a Skill, files: &'a dyn Files) -> Self {
        Self { skill: &skill.path, folder: OnceCell::new(), files, known: RefCell::default() }
    }

    /// Whether a fix may change the file at this path.
    pub fn hold(&self, path: &Utf8Path) -> bool {
        if let Some(known) = self.known.borrow().get(path) {
            return *known;
        }
        let whole = |text: Arc<SourceText>| text.invalid_at.is_none() && text.truncated_from.is_none();
        let folder = self.folder.get_or_init(|| self.skill.canonicalize_utf8().ok());
        let inside = folder.as_ref().is_none_or(|folder| {
            // A file that is not saved yet will be in its real folder. A file in the skill that a link leads to is
            // fixed under its own name.
            let real = path.ancestors().find_map(|path| Some((path, path.canonicalize_utf8().ok()?)));
            let below = real.and_then(|(path, real)| Some((path.strip_prefix(self.skill).ok()?, real)));
            below.is_some_and(|(below, real)| real == folder.join(below))
        });
        let holds = inside && self.files.text(path).is_some_and(whole);
        self.known.borrow_mut().insert(path.to_owned(), holds);
        holds
    }
}

/// The edits of all fixes that may be applied, by file, and of how many fixes they are. Of fixes that touch the same place
/// only the first is taken; the next round may take the other.
pub fn edits(
    findings: &[Finding],
    most: Applicability,
    may_change: impl Fn(&Utf8Path) -> bool,
) -> (BTreeMap<Utf8PathBuf, Vec<Edit>>, usize) {
    let mut count = 0;
    // Sorted by where they begin, so that neighbours are found quickly.
    let mut taken: BTreeMap<Utf8PathBuf, BTreeMap<usize, Edit>> = BTreeMap::new();
    let fixes = findings.iter().filter_map(|finding| finding.fix.as_ref());
    for fix in fixes.filter(|fix| fix.applicability <= most) {
        let free =
            |edit: &Edit| taken.get(&edit.path).is_none_or(|taken| !touches_any(edit, taken)) && may_change(&edit.path);
        if fix.edits.iter().all(free) {
            count += 1;
            for edit in &fix.edits {
                taken.entry(edit.path.clone()).or_default().insert(edit.span.start, edit.clone());
            }
        }
    }
    (taken.into_iter().map(|(path, edits)| (path, edits.into_values().collect())).collect(), count)
}

/// A text with edits, sorted by place, in it. Edits that do not fit the text are left out.
pub fn applied(text: &str, edits: &[Edit]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for Edit { span, text: new, .. } in edits {
        if span.start < done || text.get(span.start..span.end).is_none() {
            continue;
        }
        out.push_str(&text[done..span.start]);
        out.push_str(new);
        done = span.end;
    }
    out.push_str(&text[done..]);
    out
}

fn touches_any(edit: &Edit, taken: &BTreeMap<usize, Edit>) -> bool {
    let before = taken.range(..=edit.span.start).next_back();
    let after = taken.range(edit.span.start..=edit.span.end);
    before.into_iter().chain(after).any(|(_, other)| touch(edit, other))
}

/// Insertions in the same place count: their order would be chance.
fn touch(a: &Edit, b: &Edit) -> bool {
    let apart = a.span.end < b.span.start || b.span.end < a.span.start;
    let beside = (a.span.end == b.span.start || b.span.end == a.span.start) && !a.span.is_empty() && !b.span.is_empty();
    !apart && !beside
}

#[cfg(test)]
mod tests {
    use super::*;
    use skill::source::Span;

    fn edit(start: usize, end: usize, text: &str) -> Edit {
        Edit { path: "a".into(), span: Span::new(start, end), text: text.into() }
    }

    #[test]
    fn applies_edits_in_order_and_leaves_out_what_does_not_fit() {
        let edits = [edit(0, 1, "A"), edit(0, 2, "no"), edit(3, 3, "+"), edit(5, 9, "no")];
        assert_eq!(applied("abcdé", &edits), "Abc+dé");
    }

    #[test]
    fn neighbours_do_not_touch_but_insertions_in_one_place_do() {
        assert!(!touch(&edit(0, 2, ""), &edit(2, 4, "")));
        assert!(touch(&edit(2, 2, ""), &edit(2, 4, "")));
        assert!(touch(&edit(0, 3, ""), &edit(2, 4, "")));
    }
}
