//! Completions for the text at the caret.

use camino::Utf8Path;

use super::convert::Ruler;
use super::drafts::Draft;
use super::dto::{CheckArgs, CompleteArgs, CompletionItem, CompletionKindDto, TextCompletions};
use super::error::ApiError;
use super::{Workbench, absolute, blocking};
use lint::complete::{Completion, CompletionKind, Cursor, complete};
use skill::source::LineIndex;

impl Workbench {
    /// An empty list at the caret itself if nothing is known there.
    pub async fn text_complete(&self, args: CompleteArgs) -> Result<TextCompletions, ApiError> {
        let loaded = self.loaded().await;
        Ok(blocking(move || {
            let CompleteArgs { path, text, at: unit, unsaved } = args;
            let check = CheckArgs { path, text, unsaved };
            let path = absolute(Utf8Path::new(&check.path));
            let draft = Draft::new(&loaded, &path, &check);
            let at = LineIndex::new(&check.text).byte(unit);
            let cursor =
                Cursor { path: &path, text: &check.text, at, skill: draft.skill.as_ref(), skills: &loaded.skills };
            match complete(cursor) {
                Some(found) => {
                    let range = Ruler::new(&check.text).range(found.span);
                    TextCompletions {
                        from: range.from,
                        to: range.to,
                        items: found.items.into_iter().map(item).collect(),
                    }
                }
                None => TextCompletions { from: unit, to: unit, items: Vec::new() },
            }
        })
        .await)
    }
}

fn item(Completion { kind, label, insert, detail }: Completion) -> CompletionItem {
    let kind = match kind {
        CompletionKind::Field => CompletionKindDto::Field,
        CompletionKind::Value => CompletionKindDto::Value,
        CompletionKind::Tool => CompletionKindDto::Tool,
        CompletionKind::File => CompletionKindDto::File,
        CompletionKind::Skill => CompletionKindDto::Skill,
    };
    CompletionItem { kind, label, insert, detail }
}
