//! Completions at the caret: the same as in the window, apart from the names of other skills.

use camino::Utf8Path;
use lint::complete::{Completion, CompletionKind, Cursor};
use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionOptions, CompletionResponse, CompletionTextEdit, Position, Range,
    TextEdit,
};
use skill::Skill;

use super::documents::byte_at;
use super::positions::{Encoding, Index};
use crate::language::Chosen;

/// Letters behind which an editor asks by itself.
pub fn offered() -> CompletionOptions {
    let letters = ["/", "(", "`", ":", ","].map(str::to_owned).to_vec();
    CompletionOptions { trigger_characters: Some(letters), ..CompletionOptions::default() }
}

/// `skill`: the folder of the skill that the document belongs to.
pub fn complete(
    path: &Utf8Path,
    text: &str,
    position: Position,
    skill: Option<&Utf8Path>,
    encoding: Encoding,
) -> Option<CompletionResponse> {
    let skills: Vec<Skill> = skill.map(|folder| skill::skills(&skill::load(&[folder.to_owned()]))).unwrap_or_default();
    let own = skills.iter().find(|each| Some(&*each.path) == skill);
    let at = byte_at(text, position, encoding);
    let found = lint::complete::complete(Cursor { path, text, at, skill: own, skills: &[] })?;
    let index = Index::new(text, encoding);
    let range = Range { start: index.position(found.span.start), end: index.position(found.span.end) };
    Some(CompletionResponse::Array(found.items.into_iter().map(|each| item(each, range)).collect()))
}

fn item(Completion { kind, label, insert, detail }: Completion, range: Range) -> CompletionItem {
    let kind = match kind {
        CompletionKind::Field => CompletionItemKind::FIELD,
        CompletionKind::Value => CompletionItemKind::VALUE,
        CompletionKind::Tool => CompletionItemKind::FUNCTION,
        CompletionKind::File => CompletionItemKind::FILE,
        CompletionKind::Skill => CompletionItemKind::MODULE,
    };
    let new_text = insert.unwrap_or_else(|| label.clone());
    CompletionItem {
        label,
        kind: Some(kind),
        detail: detail.map(|detail| detail.chosen()),
        text_edit: Some(CompletionTextEdit::Edit(TextEdit { range, new_text })),
        ..CompletionItem::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offers_files_of_the_skill_in_the_place_of_what_is_typed() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = camino::Utf8PathBuf::try_from(folder.path().canonicalize().expect("there")).expect("UTF-8");
        let skill = root.join("demo");
        std::fs::create_dir_all(skill.join("references")).expect("writable");
        let text = "---\nname: demo\ndescription: d\n---\n读 [表](ref";
        std::fs::write(skill.join("SKILL.md"), text).expect("writable");
        std::fs::write(skill.join("references/table.md"), "").expect("writable");
        let position = Position { line: 4, character: 9 };
        let Some(CompletionResponse::Array(items)) =
            complete(&skill.join("SKILL.md"), text, position, Some(&skill), Encoding::Utf16)
        else {
            panic!("there is one file")
        };
        let start = Position { line: 4, character: 6 };
        let edit = TextEdit { range: Range { start, end: position }, new_text: "references/table.md".to_owned() };
        assert_eq!(items[0].text_edit, Some(CompletionTextEdit::Edit(edit)));
    }
}
