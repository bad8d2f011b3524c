//! `SkillLoader._load_skills`: every `SKILL.md` at any depth, also inside other skills, sorted by the parts of its path.
//! Folders that are links are not entered. The last of two skills of one name is kept, in the place of the first.

use std::collections::HashMap;
use std::sync::Arc;

use super::frontmatter::{Field, Read, parse};
use super::{Detail, catalogue, shell};
use crate::reasons;
use crate::{CatalogSkill, Detail as AnyDetail, Loaded, Quirk, QuirkKind, not_entered, scripts_and_others};
use skill::frontmatter::{self, Split};
use skill::source::{SourceText, Span};
use skill::{Entry, File, FileKind, Folder, SkillSet};
use wording::{Wording, message};

/// The skills are in the order of the dictionary. An exception ends the program while it loads.
pub fn load(found: &SkillSet) -> Loaded {
    let mut loading = Loading::default();
    let mut candidates = Vec::new();
    for root in &found.roots {
        search(&root.tree, &mut candidates, &mut loading.loaded);
    }
    for Candidate { folder, manifest } in candidates {
        match read(manifest) {
            Ok((source, read)) => loading.keep(folder, source, &read),
            Err(refusal) => {
                loading.loaded.quirks.push(refusal.quirk(manifest));
                return Loaded { refused: Some(refusal.message), ..loading.loaded };
            }
        }
    }
    loading.loaded
}

const MANIFEST: &str = "SKILL.md";
const BELOW_LINK: Wording =
    Wording::new("lies below a link to a folder, which is not followed", "位于指向文件夹的链接之下，不会跟随该链接");

/// A `SKILL.md`, which Python may fail to read.
struct Candidate<'a> {
    folder: &'a Folder,
    manifest: Manifested<'a>,
}

#[derive(Clone, Copy)]
enum Manifested<'a> {
    File(&'a File),
    /// `rglob` finds folders of that name too.
    Folder(&'a Folder),
}

struct Refusal {
    message: String,
    span: Option<Span>,
}

impl Refusal {
    fn quirk(&self, manifest: Manifested) -> Quirk {
        let path = match manifest {
            Manifested::File(file) => &file.path,
            Manifested::Folder(folder) => &folder.path,
        };
        Quirk {
            kind: QuirkKind::OneBadSkillFailsAll,
            skill: None,
            path: Some(path.clone()),
            span: self.span,
            detail: self.message.clone(),
        }
    }
}

/// In the order of the entries' names, `SKILL.md` among them: that is the order of the paths by their parts.
fn search<'a>(folder: &'a Folder, found: &mut Vec<Candidate<'a>>, loaded: &mut Loaded) {
    for entry in &folder.entries {
        match entry {
            Entry::File(file) if file.name == MANIFEST => {
                if file.link.as_ref().is_some_and(|link| link.broken) {
                    loaded.skip(file.path.as_str(), reasons::BROKEN_LINK);
                } else {
                    found.push(Candidate { folder, manifest: Manifested::File(file) });
                }
            }
            Entry::File(file) if file.name.eq_ignore_ascii_case(MANIFEST) => {
                loaded.skip(file.path.as_str(), reasons::wrong_name(&[MANIFEST], &file.name));
            }
            Entry::File(_) => {}
            Entry::Folder(inner) => {
                if inner.name == MANIFEST {
                    found.push(Candidate { folder, manifest: Manifested::Folder(inner) });
                }
                if let Some(reason) = not_entered(inner).filter(|_| inner.link.is_none()) {
                    loaded.skip(inner.path.as_str(), reason);
                }
                if inner.link.is_none() {
                    search(inner, found, loaded);
                } else {
                    linked(inner, loaded);
                }
            }
        }
    }
}

/// Lists the skills below a link. The framework says nothing of them; their authors want to know.
fn linked(folder: &Folder, loaded: &mut Loaded) {
    for file in folder.files().filter(|file| file.name == MANIFEST) {
        loaded.skip(file.path.as_str(), BELOW_LINK);
    }
    folder.folders().for_each(|inner| linked(inner, loaded));
}

fn read(manifest: Manifested) -> Result<(Arc<SourceText>, Read), Refusal> {
    let refuse = |message, span| Refusal { message, span };
    let file = match manifest {
        Manifested::File(file) => file,
        Manifested::Folder(folder) => {
            return Err(refuse(format!("IsADirectoryError: [Errno 21] Is a directory: '{}'", folder.path), None));
        }
    };
    let path = &file.path;
    let Some(source) = &file.source else {
        return Err(refuse(format!("PermissionError: [Errno 13] Permission denied: '{path}'"), None));
    };
    if let Some(at) = source.invalid_at {
        let message = format!("UnicodeDecodeError: 'utf-8' codec can't decode byte in position {at} of '{path}'");
        return Err(refuse(message, source.invalid_span()));
    }
    Ok((Arc::clone(source), parse(source)))
}

#[derive(Default)]
struct Loading {
    loaded: Loaded,
    /// Of the skills, by their names.
    places: HashMap<String, usize>,
}

impl Loading {
    fn keep(&mut self, folder: &Folder, source: Arc<SourceText>, read: &Read) {
        let named = read.get("name");
        let name = named.map_or_else(|| folder.name.clone(), |field| field.value.clone());
        let skill = skill(folder, &name, read);
        quirks(&skill, &source, read, &mut self.loaded.quirks);
        match self.places.get(&name) {
            None => {
                self.places.insert(name, self.loaded.skills.len());
                self.loaded.skills.push(skill);
            }
            Some(&place) => {
                let hidden = std::mem::replace(&mut self.loaded.skills[place], skill);
                self.hide(hidden, &source);
            }
        }
    }

    /// Another file has taken the name of a skill.
    fn hide(&mut self, hidden: CatalogSkill, winner: &SourceText) {
        let path = hidden.path.map(|folder| folder.join(MANIFEST));
        self.loaded.quirks.retain(|quirk| quirk.path != path);
        self.loaded.quirks.push(Quirk {
            kind: QuirkKind::HiddenByDuplicate,
            skill: Some(hidden.id.clone()),
            path: path.clone(),
            span: None,
            detail: winner.path.to_string(),
        });
        let reason = message!(
            "{} has the same name '{}', and the last one read is kept",
            "{} 有相同的名称 '{}'，保留最后读取的那一个",
            winner.path,
            hidden.name
        );
        self.loaded.skip(path.unwrap_or_default(), reason);
    }
}

fn skill(folder: &Folder, name: &str, read: &Read) -> CatalogSkill {
    let meta = read.fields.iter().flatten().map(|field| (field.key.clone(), field.value.clone())).collect();
    let (scripts, resources) =
        scripts_and_others(folder, |file| file.kind != FileKind::Manifest && !in_inner_skill(folder, &file.name));
    CatalogSkill {
        id: name.into(),
        name: name.into(),
        description: read.get("description").map(|field| field.value.clone()).unwrap_or_default(),
        path: Some(folder.path.clone()),
        content: catalogue::skill(name, name, &read.body).text,
        resources,
        scripts,
        detail: AnyDetail::LearnClaudeCode(Detail { meta, body: read.body.clone() }),
    }
}

/// Files of a skill within the skill are its own.
fn in_inner_skill(folder: &Folder, name: &str) -> bool {
    let mut folder = folder;
    let mut rest = name;
    while let Some((first, behind)) = rest.split_once('/') {
        let Some(inner) = folder.folders().find(|inner| inner.name == first) else { return false };
        if inner.files().any(|file| file.name == MANIFEST) {
            return true;
        }
        (folder, rest) = (inner, behind);
    }
    false
}

fn quirks(skill: &CatalogSkill, source: &SourceText, read: &Read, quirks: &mut Vec<Quirk>) {
    let mut add = |kind, span, detail: &str| {
        quirks.push(Quirk {
            kind,
            skill: Some(skill.id.clone()),
            path: Some(source.path.clone()),
            span,
            detail: detail.into(),
        });
    };
    if source.bom {
        add(QuirkKind::ByteOrderMark, Some(Span::new(0, 0)), "");
    } else if read.fields.is_none() {
        let end = source.text.find('\n').unwrap_or(source.text.len());
        add(QuirkKind::OfferedWithoutFrontmatter, Some(Span::new(0, end)), "");
    }
    for field in misread(source, read) {
        add(QuirkKind::ReadDifferently, Some(field.line), &field.value);
    }
    for (span, danger) in refused_commands(&source.text) {
        add(QuirkKind::CommandBlocked, Some(span), danger);
    }
    if read.body.trim().is_empty() {
        add(QuirkKind::NoInstructions, None, "");
    }
}

/// Where code in the instructions holds what `bash` refuses, once for each line: inside a fence, or between backticks.
fn refused_commands(text: &str) -> Vec<(Span, &'static str)> {
    let mut found = Vec::new();
    let mut fence: Option<&str> = None;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let inner = line.trim_start();
        let mark = ["```", "~~~"].into_iter().find(|mark| inner.starts_with(mark));
        match (fence, mark) {
            (None, Some(mark)) => fence = Some(mark),
            (Some(open), Some(mark)) if open == mark => fence = None,
            (Some(_), _) => found.extend(refused_part(line, start)),
            // Every second piece stands between backticks.
            (None, None) => {
                let mut at = start;
                let pieces = line.split('`').enumerate().filter_map(|(index, piece)| {
                    let place = at;
                    at += piece.len() + 1;
                    (index % 2 == 1).then(|| refused_part(piece, place)).flatten()
                });
                found.extend(pieces.take(1));
            }
        }
        start += line.len();
    }
    found
}

fn refused_part(code: &str, start: usize) -> Option<(Span, &'static str)> {
    let mut dangers = shell::DANGEROUS.into_iter();
    let (at, danger) = dangers.find_map(|danger| Some((code.find(danger)?, danger)))?;
    Some((Span::new(start + at, start + at + danger.len()), danger))
}

/// The fields that are shown and that YAML reads otherwise, where it is YAML at all.
fn misread<'a>(source: &SourceText, read: &'a Read) -> Vec<&'a Field> {
    let shown = ["name", "description"].into_iter().filter_map(|key| read.get(key));
    let shown: Vec<&Field> = shown.filter(|field| !is_plain(field, &source.text)).collect();
    if shown.is_empty() {
        return shown;
    }
    let Split::Closed(block) = frontmatter::split(&source.text) else { return Vec::new() };
    let (yaml, error) = frontmatter::parse(&source.text, block);
    if error.is_some() {
        return Vec::new();
    }
    let as_yaml = |key: &str| {
        let field = yaml.fields.iter().rev().find(|field| field.key == key);
        field.and_then(|field| field.value.as_str()).unwrap_or_default()
    };
    shown.into_iter().filter(|field| as_yaml(&field.key) != field.value).collect()
}

/// Surely the same in YAML, without asking its parser: one line at the left margin whose value starts with a letter and
/// holds nothing that YAML gives a meaning, with nothing behind it that could continue it.
fn is_plain(field: &Field, text: &str) -> bool {
    let (before, line, after) = (&text[..field.line.start], field.line.of(text), &text[field.line.end..]);
    let next = after.trim_start_matches(['\r', '\n']);
    before.ends_with('\n')
        && line.starts_with(&field.key)
        && !next.starts_with([' ', '\t'])
        && field.value.starts_with(char::is_alphabetic)
        && field.value.chars().all(|letter| letter.is_alphanumeric() || " -_.,;()/'!?".contains(letter))
}
