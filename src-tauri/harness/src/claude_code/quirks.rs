//! Places where the client's behaviour hurts the author of a skill.

use super::frontmatter::Parsed;
use super::{MANIFEST, Variant, catalogue, detail, expand};
use crate::{CatalogSkill, Loaded, Quirk, QuirkKind};
use config::options::ClaudeCodeOptions;
use skill::source::{SourceText, Span};

/// Those of one skill.
pub fn of_skill(
    skill: &CatalogSkill,
    source: &SourceText,
    parsed: &Parsed,
    settings: &ClaudeCodeOptions,
    quirks: &mut Vec<Quirk>,
) {
    let Some(detail) = detail(skill) else { return };
    let mut add = |kind, span, said: &str| {
        let (skill, path) = (Some(skill.id.clone()), Some(source.path.clone()));
        quirks.push(Quirk { kind, skill, path, span, detail: said.to_owned() });
    };
    let first_line = Span::new(0, source.text.find('\n').unwrap_or(source.text.len()));
    if source.bom && !parsed.has_frontmatter {
        add(QuirkKind::ByteOrderMark, Some(Span::new(0, 0)), "");
    }
    if !detail.described {
        add(QuirkKind::DescribedByBody, Some(first_line), &skill.description);
    }
    if parsed.body.trim().is_empty() {
        add(QuirkKind::NoInstructions, None, "");
    }
    for span in expand::replaced(&parsed.body).into_iter().take(PLACES) {
        let said = span.of(&parsed.body).to_owned();
        let place = Span::new(span.start + parsed.body_start, span.end + parsed.body_start);
        add(QuirkKind::ReplacedOnLoad, (!source.bom || parsed.has_frontmatter).then_some(place), &said);
    }
    if detail.asks {
        add(QuirkKind::AsksBeforeLoad, Some(first_line), "allowed-tools");
    }
    if detail.for_users_only {
        add(QuirkKind::NotListed, Some(first_line), "disable-model-invocation");
    } else if !detail.in_list {
        add(QuirkKind::NotListed, Some(first_line), "paths");
    }
    if let Some(model) = detail.model.as_deref().filter(|_| detail.forks)
        && model != "inherit"
        && !settings.models.contains_key(model)
    {
        add(QuirkKind::HubEntryMissing, Some(first_line), model);
    }
}

/// Quirks of the whole list: descriptions that were cut or left out.
pub fn of_list(loaded: &mut Loaded, variant: Variant, settings: &ClaudeCodeOptions) {
    let count = loaded.skills.len();
    let mut quirks = Vec::new();
    for line in catalogue::lines(&loaded.skills, variant, settings) {
        let kind = match (&line.shown, line.cut) {
            (None, _) => QuirkKind::DescriptionLeftOut,
            (Some(_), true) => QuirkKind::DescriptionCut,
            (Some(_), false) => continue,
        };
        let said = match kind {
            QuirkKind::DescriptionCut => settings.skill_listing_max_desc_chars.to_string(),
            _ => count.to_string(),
        };
        quirks.push(Quirk {
            kind,
            skill: Some(line.skill.id.clone()),
            path: line.skill.path.as_ref().map(|folder| folder.join(MANIFEST)),
            span: None,
            detail: said,
        });
    }
    loaded.quirks.extend(quirks);
}

/// Places of one file that are reported one by one.
const PLACES: usize = 20;
