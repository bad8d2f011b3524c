//! Places where the client's behaviour hurts the author of a skill.

use camino::Utf8Path;

use super::SAMPLED;
use super::frontmatter::Parsed;
use crate::{Loaded, Quirk, QuirkKind, fields};
use config::options::{OpenCodeOptions, PermissionAction};
use skill::source::SourceText;

/// Those of one skill.
pub fn of_skill(parsed: &Parsed, action: PermissionAction, files: usize, source: &SourceText, quirks: &mut Vec<Quirk>) {
    let mut add = |kind, span, detail: &str| {
        let (skill, path) = (Some(parsed.name.clone()), Some(source.path.clone()));
        quirks.push(Quirk { kind, skill, path, span, detail: detail.to_owned() });
    };
    let place = |key: &str| fields::place(source, key);
    for (key, shown) in [("name", Some(&parsed.name)), ("description", parsed.description.as_ref())] {
        let Some(shown) = shown.filter(|shown| shown.contains(['<', '>', '&'])) else { continue };
        add(QuirkKind::NotEscaped, place(key), shown);
    }
    if parsed.is_repaired {
        let shown = parsed.description.as_deref().unwrap_or_default();
        add(QuirkKind::ReadDifferently, place("description"), shown);
    }
    match (action, &parsed.description) {
        (PermissionAction::Deny, _) => add(QuirkKind::NotListed, place("name"), "permission"),
        (_, None) => add(QuirkKind::NotListed, None, "description"),
        (PermissionAction::Ask, Some(_)) => add(QuirkKind::AsksBeforeLoad, place("name"), "permission"),
        (PermissionAction::Allow, Some(_)) => {}
    }
    if parsed.content.trim().is_empty() {
        add(QuirkKind::NoInstructions, None, "");
    }
    if files > SAMPLED {
        add(QuirkKind::FilesLeftOut, None, &SAMPLED.to_string());
    }
}

/// Of two skills with one name.
pub fn of_twins(name: &str, one: &Utf8Path, other: &Utf8Path, quirks: &mut Vec<Quirk>) {
    for (path, twin) in [(one, other), (other, one)] {
        quirks.push(Quirk {
            kind: QuirkKind::ChosenByChance,
            skill: Some(name.to_owned()),
            path: Some(path.to_owned()),
            span: None,
            detail: twin.to_string(),
        });
    }
}

/// Those of the list as a whole.
pub fn of_list(loaded: &mut Loaded, settings: &OpenCodeOptions) {
    if !settings.ripgrep && !loaded.skills.is_empty() {
        let (kind, detail) = (QuirkKind::ToolNotOffered, "ripgrep".to_owned());
        loaded.quirks.push(Quirk { kind, skill: None, path: None, span: None, detail });
    }
}
