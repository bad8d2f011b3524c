//! Places where the framework's behaviour hurts the author of a skill.

use std::collections::HashMap;

use camino::{Utf8Path, Utf8PathBuf};

use super::MANIFEST;
use super::Mode;
use super::frontmatter::Parsed;
use super::paths::clean;
use super::stripped::Stripped;
use super::yaml::Text;
use crate::{CatalogSkill, Loaded, Quirk, QuirkKind, interpreter};
use config::options::EinoOptions;
use skill::source::{SourceText, Span};
use skill::{File, Folder};

/// Those of a skill that loads. `shown` is what the backend reads of the file.
pub fn of(
    skill: &CatalogSkill,
    folder: &Folder,
    source: &SourceText,
    parsed: &Parsed,
    stripped: &Stripped,
    shown: Span,
    settings: &EinoOptions,
) -> Vec<Quirk> {
    let mut list = List { skill: skill.id.clone(), path: folder.path.join(MANIFEST), quirks: Vec::new() };
    if source.bom {
        list.push(QuirkKind::ByteOrderMark, Some(Span::new(0, 0)), "");
    }
    if shown.end < source.text.len() {
        let limit = settings.read_limit.unwrap_or_default();
        list.push(QuirkKind::CutWhenLong, Some(Span::new(shown.end, source.text.len())), &limit.to_string());
    }
    lost_before_tabs(&source.text, stripped, &mut list);
    if let Some(closing) = parsed.odd_closing {
        list.push(QuirkKind::CutAtDashes, Some(closing), excerpt(closing.of(&source.text)));
    }
    for field in [&parsed.matter.name, &parsed.matter.description] {
        if field.text.contains(['<', '>', '&']) {
            list.push(QuirkKind::NotEscaped, field.span, excerpt(&field.text));
        }
    }
    if parsed.body.is_empty() {
        list.push(QuirkKind::NoInstructions, None, "");
    }
    modes(parsed, settings, &mut list);
    files(folder, &folder.path, settings, &mut list);
    list.quirks
}

/// Of a backend that keeps its files in a map.
pub fn by_chance() -> Quirk {
    Quirk { kind: QuirkKind::OrderedByChance, skill: None, path: None, span: None, detail: String::new() }
}

/// Both are listed; a call gets the first.
pub fn duplicates(loaded: &mut Loaded) {
    let mut first: HashMap<&str, &CatalogSkill> = HashMap::new();
    let mut quirks = Vec::new();
    for skill in &loaded.skills {
        match first.get(skill.name.as_str()) {
            None => {
                first.insert(&skill.name, skill);
            }
            Some(other) => quirks.push(Quirk {
                kind: QuirkKind::HiddenByDuplicate,
                skill: Some(skill.id.clone()),
                path: skill.path.as_ref().map(|path| path.join(MANIFEST)),
                span: None,
                detail: other.path.as_ref().map_or_else(String::new, |path| path.join(MANIFEST).into_string()),
            }),
        }
    }
    loaded.quirks.extend(quirks);
}

/// Lines of one file that are reported one by one.
const LINE_LIMIT: usize = 20;
/// Characters of an excerpt.
const EXCERPT: usize = 60;

struct List {
    skill: String,
    /// Of the `SKILL.md`.
    path: Utf8PathBuf,
    quirks: Vec<Quirk>,
}

impl List {
    fn push(&mut self, kind: QuirkKind, span: Option<Span>, detail: &str) {
        let path = self.path.clone();
        self.quirks.push(Quirk {
            kind,
            skill: Some(self.skill.clone()),
            path: Some(path),
            span,
            detail: detail.into(),
        });
    }

    fn push_at(&mut self, kind: QuirkKind, path: &Utf8Path, detail: &str) {
        self.quirks.push(Quirk {
            kind,
            skill: Some(self.skill.clone()),
            path: Some(path.to_owned()),
            span: None,
            detail: detail.into(),
        });
    }
}

/// A blank line that loses blanks loses nothing.
fn lost_before_tabs(text: &str, stripped: &Stripped, list: &mut List) {
    let damaged: Vec<Span> = stripped.lost.iter().copied().filter(|lost| hurts(text, *lost)).collect();
    let (each, rest) = damaged.split_at(damaged.len().min(LINE_LIMIT));
    for lost in each {
        list.push(QuirkKind::LostBeforeTab, Some(*lost), excerpt(lost.of(text)));
    }
    if let (Some(first), Some(last)) = (rest.first(), rest.last()) {
        let detail = format!("… +{}", rest.len());
        list.push(QuirkKind::LostBeforeTab, Some(Span::new(first.start, last.end)), &detail);
    }
}

fn hurts(text: &str, lost: Span) -> bool {
    let line_end = text[lost.end..].find('\n').map_or(text.len(), |at| lost.end + at);
    !text[lost.start..line_end].trim().is_empty()
}

fn modes(parsed: &Parsed, settings: &EinoOptions, list: &mut List) {
    let matter = &parsed.matter;
    let ignored = |field: &Text, list: &mut List| list.push(QuirkKind::ValueIgnored, field.span, excerpt(&field.text));
    let mode = Mode::of(&matter.context.text);
    if mode.is_none() {
        ignored(&matter.context, list);
    }
    let is_delegated = matches!(mode, Some(Mode::Fork | Mode::ForkWithContext));
    if !matter.agent.text.is_empty() && !is_delegated {
        ignored(&matter.agent, list);
    }
    if is_delegated {
        let name = if matter.agent.text.is_empty() { DEFAULT_AGENT } else { &matter.agent.text };
        if !settings.agents.as_ref().is_some_and(|agents| agents.contains_key(name)) {
            let span = matter.agent.span.or(matter.context.span);
            list.push(QuirkKind::HubEntryMissing, span, name);
        }
    }
    if !matter.model.text.is_empty() {
        match &settings.models {
            Some(models) if models.contains_key(&matter.model.text) => {}
            None if !is_delegated => ignored(&matter.model, list),
            _ => list.push(QuirkKind::HubEntryMissing, matter.model.span, excerpt(&matter.model.text)),
        }
    }
}

/// The hub's agent for skills that name none.
pub const DEFAULT_AGENT: &str = "default";

fn files(folder: &Folder, skill: &Utf8Path, settings: &EinoOptions, list: &mut List) {
    let reachable = settings.filesystem || settings.shell;
    for file in folder.files().filter(|file| !(folder.path == skill && file.name == MANIFEST)) {
        if leaves(file, skill) {
            list.push_at(QuirkKind::LinkLeavesSkill, &file.path, target(file));
        }
        if !reachable {
            list.push_at(QuirkKind::FileNotOffered, &file.path, &file.name);
        } else if !settings.shell && file.path.extension().and_then(interpreter).is_some() {
            list.push_at(QuirkKind::ScriptsCannotRun, &file.path, &file.name);
        }
    }
    for inner in folder.folders() {
        if let Some(link) = inner.link.as_ref().filter(|link| is_outside(&inner.path, &link.target, skill)) {
            list.push_at(QuirkKind::LinkLeavesSkill, &inner.path, link.target.as_str());
        }
        files(inner, skill, settings, list);
    }
}

fn leaves(file: &File, skill: &Utf8Path) -> bool {
    file.link.as_ref().is_some_and(|link| !link.broken && is_outside(&file.path, &link.target, skill))
}

fn target(file: &File) -> &str {
    file.link.as_ref().map_or("", |link| link.target.as_str())
}

fn is_outside(link: &Utf8Path, target: &Utf8Path, skill: &Utf8Path) -> bool {
    let folder = link.parent().unwrap_or(skill);
    !clean(folder.join(target).as_str()).starts_with(clean(skill.as_str()))
}

fn excerpt(text: &str) -> &str {
    let end = text.char_indices().nth(EXCERPT).map_or(text.len(), |(at, _)| at);
    &text[..end]
}
