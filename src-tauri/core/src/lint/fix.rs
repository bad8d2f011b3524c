//! Fixes, applied: to texts, never to the disk.

use std::collections::BTreeMap;

use camino::Utf8PathBuf;

use super::{Applicability, Edit, Finding};

/// The edits of all fixes that may be applied, by file. Of fixes that touch the same place only the first is taken; the
/// next round may take the other.
pub fn edits(findings: &[Finding], most: Applicability) -> BTreeMap<Utf8PathBuf, Vec<Edit>> {
    // By where they begin, so that neighbours are found without looking at all of them.
    let mut taken: BTreeMap<Utf8PathBuf, BTreeMap<usize, Edit>> = BTreeMap::new();
    let fixes = findings.iter().filter_map(|finding| finding.fix.as_ref());
    for fix in fixes.filter(|fix| fix.applicability <= most) {
        let free = |edit: &Edit| taken.get(&edit.path).is_none_or(|taken| !touches_any(edit, taken));
        if fix.edits.iter().all(free) {
            for edit in &fix.edits {
                taken.entry(edit.path.clone()).or_default().insert(edit.span.start, edit.clone());
            }
        }
    }
    taken.into_iter().map(|(path, edits)| (path, edits.into_values().collect())).collect()
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
    use crate::source::Span;

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
