//! Fixes, applied: to texts, never to the disk.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};

use super::files::{Overlay, is_plain};
use super::{Applicability, Edit, Files, Finding, Linter};
use skill::Skill;
use skill::source::SourceText;

/// A skill after all fixes that could be applied.
pub struct Settled {
    /// The files that changed, with their new texts.
    pub texts: BTreeMap<Utf8PathBuf, Arc<SourceText>>,
    /// How many fixes were made, those of later rounds included.
    pub fixes: usize,
    /// What is still said of it.
    pub left: Vec<Finding>,
}

/// Fixes, looks again and fixes what that shows, until nothing changes. Files that are no text, and those outside of the
/// skill to which links in it lead, stay as they are, and so does what only a change there would fix.
pub fn settle(linter: &Linter, skill: &Skill, files: &dyn Files, most: Applicability) -> Settled {
    let mut now = Overlay { below: files, texts: HashMap::new() };
    let mut edited: Option<Skill> = None;
    let mut fixes = 0;
    let mut left = linter.one(skill, &now);
    let bounds = Bounds::of(skill, files);
    for _ in 0..ROUNDS {
        let (edits, taken) = edits(&left, most, |path| bounds.hold(path));
        let mut changed = false;
        for (path, edits) in &edits {
            let before = if *path == skill.manifest.source.path {
                Some(edited.as_ref().unwrap_or(skill).manifest.source.clone())
            } else {
                now.text(path)
            };
            let Some(before) = before else { continue };
            let text = applied(&before.text, edits);
            if text == before.text {
                continue;
            }
            changed = true;
            let after = Arc::new(SourceText { text, ..SourceText::clone(&before) });
            if *path == skill.manifest.source.path {
                edited = Some(edited.as_ref().unwrap_or(skill).with_text(after.clone()));
            }
            now.texts.insert(path.clone(), after);
        }
        if !changed {
            break;
        }
        fixes += taken;
        left = linter.one(edited.as_ref().unwrap_or(skill), &now);
    }
    Settled { texts: now.texts.into_iter().collect(), fixes, left }
}

/// Takes away the fixes that [`settle`] would not make, because a file of theirs is to stay as it is.
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

/// Fixes that show each other's faults would go on for ever.
const ROUNDS: usize = 10;

/// Which files of a skill fixes may change.
struct Bounds<'a> {
    skill: &'a Utf8Path,
    /// The same without links; `None`: the skill is not on disk.
    folder: OnceCell<Option<Utf8PathBuf>>,
    files: &'a dyn Files,
    known: RefCell<HashMap<Utf8PathBuf, bool>>,
}

impl<'a> Bounds<'a> {
    fn of(skill: &'a Skill, files: &'a dyn Files) -> Self {
        Self { skill: &skill.path, folder: OnceCell::new(), files, known: RefCell::default() }
    }

    fn hold(&self, path: &Utf8Path) -> bool {
        if let Some(known) = self.known.borrow().get(path) {
            return *known;
        }
        let whole = |text: Arc<SourceText>| text.invalid_at.is_none() && text.truncated_from.is_none();
        let folder = self.folder.get_or_init(|| self.skill.canonicalize_utf8().ok());
        let inside = folder.as_ref().is_none_or(|folder| {
            // A file that is not saved yet will lie where its folder does. One in the skill to which a link leads is
            // fixed by its own name.
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
    // By where they begin, so that neighbours are found without looking at all of them.
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
