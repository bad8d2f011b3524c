//! Places where the demo's reading and listing of a skill hurt its author.

use camino::Utf8Path;

use super::catalogue;
use super::manifest::Manifest;
use crate::{CatalogSkill, Quirk, QuirkKind};
use skill::source::SourceText;
use skill::{Field, frontmatter};

/// Of one skill that is listed.
pub fn of_skill(skill: &CatalogSkill, manifest: &Manifest, source: &SourceText) -> Vec<Quirk> {
    let mut found = Vec::new();
    let mut push = |kind, span, detail: &str| {
        found.push(Quirk {
            kind,
            skill: Some(skill.id.clone()),
            path: Some(source.path.clone()),
            span,
            detail: detail.to_owned(),
        });
    };
    let (fields, whole) = yaml_fields(source);
    for (key, value, shown) in
        [("name", &manifest.name, &skill.name), ("description", &manifest.description, &skill.description)]
    {
        let field = fields.iter().find(|field| field.key == key);
        let span = value.as_ref().map(|value| value.span);
        match field {
            Some(field) if field.value.as_str().map(str::trim) != Some(shown) => {
                push(QuirkKind::ReadDifferently, Some(field.value_span), shown);
            }
            None if whole && value.is_some() => push(QuirkKind::ReadDifferently, span, shown),
            Some(_) | None => {}
        }
        if value.is_some() && shown.contains(['<', '>', '&']) {
            push(QuirkKind::NotEscaped, span, shown);
        }
        if catalogue::cuts(shown) {
            push(QuirkKind::CutsCatalogue, span, shown);
        }
    }
    if skill.name != skill.id {
        push(QuirkKind::ListedNameDoesNotLoad, manifest.name.as_ref().map(|value| value.span), &skill.id);
    }
    if manifest.body.trim().is_empty() {
        push(QuirkKind::NoInstructions, None, "");
    }
    found
}

/// Of the list as a whole.
pub fn of_list(skills: &[CatalogSkill]) -> Vec<Quirk> {
    let general = |kind| Quirk { kind, skill: None, path: None, span: None, detail: String::new() };
    let mut found = Vec::new();
    if !skills.is_empty() {
        found.push(general(QuirkKind::CatalogueNotClosed));
    }
    if skills.len() > 1 {
        found.push(general(QuirkKind::OnlyFirstLoadOfATurn));
    }
    found
}

/// For a file or folder that the framework does not accept as a skill.
pub fn of_path(kind: QuirkKind, path: &Utf8Path, detail: &str) -> Quirk {
    Quirk { kind, skill: None, path: Some(path.to_owned()), span: None, detail: detail.to_owned() }
}

/// The values that YAML reads, with spans in the file's text, and whether that is everything.
fn yaml_fields(source: &SourceText) -> (Vec<Field>, bool) {
    match frontmatter::split(&source.text) {
        frontmatter::Split::Closed(block) => {
            let (read, error) = frontmatter::parse(&source.text, block);
            (read.fields, error.is_none())
        }
        frontmatter::Split::Missing | frontmatter::Split::Unclosed(_) => (Vec::new(), false),
    }
}
