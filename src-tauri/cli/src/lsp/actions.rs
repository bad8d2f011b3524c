//! What an editor offers to do about findings.

use camino::Utf8Path;
use lint::{Applicability, Secrets};
use lsp_types::{CodeAction, CodeActionKind, DocumentChanges, Range, TextDocumentEdit, TextEdit, WorkspaceEdit};
use similar::{Algorithm, DiffOp, capture_diff_slices};
use skill::source::LineIndex;

use super::check::{Checked, Placed, Text};
use super::ignore;
use super::positions::plain;
use wording::Message;

use crate::language::Chosen;

/// All fixes that keep the meaning, for this server only …
pub const FIX_ALL_OURS: CodeActionKind = CodeActionKind::new("source.fixAll.skillbench");

/// … and as editors ask every server on saving.
pub const FIX_ALL: CodeActionKind = CodeActionKind::SOURCE_FIX_ALL;

/// The requested actions.
pub struct Wish {
    pub range: Range,
    /// `None`: everything.
    pub only: Option<Vec<CodeActionKind>>,
    /// Whether the client knows edits that name the version they are for.
    pub versioned: bool,
}

pub async fn actions(checked: &Checked, path: &Utf8Path, wish: &Wish) -> Vec<CodeAction> {
    let Some(text) = checked.text(path) else { return Vec::new() };
    let mut actions = Vec::new();
    if wish.wants(&CodeActionKind::QUICKFIX) {
        let here = || checked.of_file(path).filter(|placed| touch(placed.diagnostic.range, wish.range));
        actions.extend(here().filter_map(|placed| quick_fix(checked, placed, wish)));
        for action in here().filter_map(|placed| ignored(path, text, placed, wish)) {
            // One comment lets all of a line pass.
            if !actions.iter().any(|other| other.edit == action.edit) {
                actions.push(action);
            }
        }
    }
    actions.extend(fix_all(checked, path, text, wish).await);
    actions
}

impl Wish {
    fn wants(&self, kind: &CodeActionKind) -> bool {
        let is_in = |wider: &CodeActionKind| {
            let rest = kind.as_str().strip_prefix(wider.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        self.only.as_ref().is_none_or(|only| only.iter().any(is_in))
    }

    fn edit(&self, edits: Vec<TextDocumentEdit>) -> WorkspaceEdit {
        if self.versioned {
            return WorkspaceEdit { document_changes: Some(DocumentChanges::Edits(edits)), ..WorkspaceEdit::default() };
        }
        let plain = |edit: TextDocumentEdit| {
            let edits = edit.edits.into_iter().map(|edit| match edit {
                lsp_types::OneOf::Left(edit) => edit,
                lsp_types::OneOf::Right(annotated) => annotated.text_edit,
            });
            (edit.text_document.uri, edits.collect::<Vec<TextEdit>>())
        };
        WorkspaceEdit { changes: Some(edits.into_iter().map(plain).collect()), ..WorkspaceEdit::default() }
    }
}

fn quick_fix(checked: &Checked, placed: &Placed, wish: &Wish) -> Option<CodeAction> {
    let fix = placed.finding.fix.as_ref()?;
    Some(CodeAction {
        title: Message { en: fix.title.clone(), zh: fix.title_zh.clone() }.chosen(),
        kind: Some(CodeActionKind::QUICKFIX),
        diagnostics: Some(vec![placed.diagnostic.clone()]),
        edit: Some(wish.edit(checked.edits(&fix.edits)?)),
        is_preferred: Some(fix.applicability == Applicability::Safe),
        ..CodeAction::default()
    })
}

fn ignored(path: &Utf8Path, text: &Text, placed: &Placed, wish: &Wish) -> Option<CodeAction> {
    let rule = &placed.finding.rule;
    // Comments are checked last: no comment can ignore findings about comments. Findings about the folder have no file.
    if rule.starts_with("suppression-") || placed.finding.path != *path {
        return None;
    }
    let shown = plain(&text.text);
    let units = LineIndex::new(&shown);
    let at = placed.finding.range.map(|range| units.byte(range.from));
    let comment = ignore::comment(path, &shown, at, rule)?;
    let place = text.index.position(text.index.byte_of_unit(units.utf16(comment.at)));
    let edit = text.edited([(Range { start: place, end: place }, comment.text.as_str())]);
    Some(CodeAction {
        title: match comment.whole_file {
            true => words!("Ignore {rule} in this file", "在此文件中忽略 {rule}"),
            false => words!("Ignore {rule} here", "在此处忽略 {rule}"),
        },
        kind: Some(CodeActionKind::QUICKFIX),
        diagnostics: Some(vec![placed.diagnostic.clone()]),
        edit: Some(wish.edit(vec![edit])),
        is_preferred: Some(false),
        ..CodeAction::default()
    })
}

/// In this document only: users who save a file do not expect others to change.
async fn fix_all(checked: &Checked, path: &Utf8Path, text: &Text, wish: &Wish) -> Option<CodeAction> {
    let safe =
        |placed: &Placed| placed.finding.fix.as_ref().is_some_and(|fix| fix.applicability == Applicability::Safe);
    if !wish.wants(&FIX_ALL_OURS) && !wish.wants(&FIX_ALL) || !checked.of_file(path).any(safe) {
        return None;
    }
    let fixed = checked.fixed().await.as_ref().ok()?;
    let after = fixed.texts.iter().find(|fixed| path == fixed.path.as_str())?;
    let edits = edits(text, &after.text, &checked.secrets().await)?;
    if edits.is_empty() {
        return None;
    }
    let asked = wish.only.iter().flatten().any(|kind| *kind == FIX_ALL);
    Some(CodeAction {
        title: words!("Fix all safe problems", "修复所有可安全修复的问题"),
        kind: Some(if asked { FIX_ALL } else { FIX_ALL_OURS }),
        edit: Some(wish.edit(vec![text.edited(edits.iter().map(|(range, text)| (*range, text.as_str())))])),
        ..CodeAction::default()
    })
}

/// The edits from one text to another, line by line, so that cursors and folds stay where they are, and leaving out
/// secrets. `None` if a secret would have to be written.
fn edits(before: &Text, after: &str, secrets: &Secrets) -> Option<Vec<(Range, String)>> {
    let shown = plain(&before.text);
    let units = LineIndex::new(&shown);
    let [old, new]: [Vec<&str>; 2] = [&shown, after].map(|text| text.split_inclusive('\n').collect());
    let starts: Vec<usize> = std::iter::once(0)
        .chain(old.iter().scan(0, |end, line| {
            *end += line.len();
            Some(*end)
        }))
        .collect();
    let place = |at: usize| before.index.position(before.index.byte_of_unit(units.utf16(at)));
    let mut edits = Vec::new();
    for change in capture_diff_slices(Algorithm::Myers, &old, &new) {
        if matches!(change, DiffOp::Equal { .. }) {
            continue;
        }
        let (from, to) = (change.old_range(), change.new_range());
        let (start, end, lines) = (starts[from.start], starts[from.end], new[to].concat());
        if secrets.spans(&lines).is_empty() {
            edits.push((Range { start: place(start), end: place(end) }, lines));
            continue;
        }
        for (span, part) in secrets.around(&shown[start..end], &lines)? {
            edits.push((Range { start: place(start + span.start), end: place(start + span.end) }, part));
        }
    }
    Some(edits)
}

/// Neighbours count: a cursor at the end of a word is on it.
fn touch(a: Range, b: Range) -> bool {
    a.start <= b.end && b.start <= a.end
}
