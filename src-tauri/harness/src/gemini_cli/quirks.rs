//! Places where the client's behaviour hurts the author of a skill.

use camino::Utf8Path;

use super::frontmatter::{Parsed, Unread};
use super::tree::{self, Tree};
use crate::{Loaded, Quirk, QuirkKind, fields};
use config::options::{GeminiApproval, GeminiCliOptions};
use skill::source::{SourceText, Span};

/// Those of one skill.
pub fn of_skill(parsed: &Parsed, tree: &Tree, source: &SourceText, quirks: &mut Vec<Quirk>) {
    let mut add = |kind, span, detail: &str| {
        let (skill, path) = (Some(parsed.name.clone()), Some(source.path.clone()));
        quirks.push(Quirk { kind, skill, path, span, detail: detail.to_owned() });
    };
    for (key, shown) in [("name", &parsed.name), ("description", &parsed.description)] {
        let field = fields::find(source, key);
        let span = field.as_ref().map(|field| field.value_span);
        let is_as_written = field.as_ref().is_some_and(|field| field.value.as_str() == Some(shown));
        if !is_as_written && (parsed.by_lines || field.is_some()) && !is_trimmed(field.as_ref(), shown) {
            add(QuirkKind::ReadDifferently, span, shown);
        }
        if shown.contains(['<', '>', '&']) {
            add(QuirkKind::NotEscaped, span, shown);
        }
    }
    if parsed.behind_closer {
        add(QuirkKind::InstructionsLost, None, "");
    } else if parsed.body.is_empty() {
        add(QuirkKind::NoInstructions, None, "");
    }
    if tree.is_full {
        add(QuirkKind::FilesLeftOut, None, &tree::MOST.to_string());
    }
}

/// For a file that the client does not accept as a skill.
pub fn of_unread(unread: Unread, source: &SourceText, quirks: &mut Vec<Quirk>) {
    if unread == Unread::ByteOrderMark {
        let (path, span) = (Some(source.path.clone()), Some(Span::new(0, 0)));
        quirks.push(Quirk { kind: QuirkKind::ByteOrderMark, skill: None, path, span, detail: String::new() });
    }
}

/// Of a skill that another one overrides.
pub fn of_hidden(name: &str, path: &Utf8Path, by: &Utf8Path, quirks: &mut Vec<Quirk>) {
    quirks.push(Quirk {
        kind: QuirkKind::HiddenByDuplicate,
        skill: Some(name.to_owned()),
        path: Some(path.to_owned()),
        span: None,
        detail: by.to_string(),
    });
}

/// Those of the list as a whole.
pub fn of_list(loaded: &mut Loaded, settings: &GeminiCliOptions) {
    let kind = match settings.approval {
        GeminiApproval::Interactive => QuirkKind::AsksBeforeLoad,
        GeminiApproval::Headless | GeminiApproval::HeadlessAutoEdit => QuirkKind::ToolNotOffered,
        GeminiApproval::Yolo => return,
    };
    if !loaded.skills.is_empty() {
        let detail = "approval".to_owned();
        loaded.quirks.push(Quirk { kind, skill: None, path: None, span: None, detail });
    }
}

/// White space around a value, and the line ends of a block, are not worth a word.
fn is_trimmed(field: Option<&skill::Field>, shown: &str) -> bool {
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    field.and_then(|field| field.value.as_str()).is_some_and(|text| words(text) == words(shown))
}
