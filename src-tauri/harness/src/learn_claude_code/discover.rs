//! `SkillLoader._load_skills`: every `SKILL.md` at any depth, also inside other skills, sorted by the parts of its
//! path. Folders that are links are not entered. The last of two skills of one name is kept, in place of the first.

use std::collections::HashMap;
use std::sync::Arc;

use super::frontmatter::{CourseRead, Field, Read, Unread, course, parse};
use super::{Detail, Variant, catalogue, shell};
use crate::reasons;
use crate::yaml::{Key, Object};
use crate::{CatalogSkill, Detail as AnyDetail, Loaded, Quirk, QuirkKind, not_entered, scripts_and_others};
use camino::Utf8PathBuf;
use skill::frontmatter::{self, Split};
use skill::source::{SourceText, Span};
use skill::{Entry, File, FileKind, Folder, SkillSet};
use wording::{Message, Wording, message};

/// The skills are in the order of the dictionary. An exception ends the program while it loads.
pub fn load(found: &SkillSet, variant: Variant) -> Loaded {
    let mut loading = Loading::default();
    let mut candidates = Vec::new();
    for root in &found.roots {
        search(&root.tree, &mut candidates, &mut loading.loaded);
    }
    for Candidate { folder, manifest } in candidates {
        let read = source(manifest).and_then(|source| Ok((source, told(source, folder, variant)?)));
        match read {
            Ok((source, told)) => loading.keep(folder, source, told),
            Err(Refused::Ours(message)) => loading.loaded.skip(manifest.path().as_str(), message),
            Err(Refused::Raised { message, span }) => {
                loading.loaded.quirks.push(Quirk {
                    kind: QuirkKind::OneBadSkillFailsAll,
                    skill: None,
                    path: Some(manifest.path().clone()),
                    span,
                    detail: message.clone(),
                });
                return Loaded { refused: Some(message), ..loading.loaded };
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

impl Manifested<'_> {
    fn path(&self) -> &Utf8PathBuf {
        match self {
            Self::File(file) => &file.path,
            Self::Folder(folder) => &folder.path,
        }
    }
}

/// Why a file is not a skill.
enum Refused {
    /// An exception that is not caught.
    Raised { message: String, span: Option<Span> },
    /// Python may well read it.
    Ours(Message),
}

impl From<Unread> for Refused {
    fn from(unread: Unread) -> Self {
        match unread {
            Unread::Raised(message) => Self::Raised { message, span: None },
            Unread::Ours(message) => Self::Ours(message),
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

/// Lists the skills below a link. The framework does not report them, but their authors want to know.
fn linked(folder: &Folder, loaded: &mut Loaded) {
    for file in folder.files().filter(|file| file.name == MANIFEST) {
        loaded.skip(file.path.as_str(), BELOW_LINK);
    }
    folder.folders().for_each(|inner| linked(inner, loaded));
}

fn source(manifest: Manifested<'_>) -> Result<&Arc<SourceText>, Refused> {
    let raise = |message, span| Refused::Raised { message, span };
    let file = match manifest {
        Manifested::File(file) => file,
        Manifested::Folder(folder) => {
            return Err(raise(format!("IsADirectoryError: [Errno 21] Is a directory: '{}'", folder.path), None));
        }
    };
    let path = &file.path;
    let Some(source) = &file.source else {
        if !file.is_regular {
            return Err(Refused::Ours(reasons::not_regular()));
        }
        return Err(raise(format!("PermissionError: [Errno 13] Permission denied: '{path}'"), None));
    };
    if let Some(at) = source.invalid_at {
        let message = format!("UnicodeDecodeError: 'utf-8' codec can't decode byte in position {at} of '{path}'");
        return Err(raise(message, source.invalid_span()));
    }
    Ok(source)
}

/// What a file says of its skill.
struct Told {
    name: String,
    /// `None`: like no other name.
    key: Option<Key>,
    /// Whether there is any frontmatter that can be read.
    is_described: bool,
    /// Values that are shown otherwise than YAML reads them.
    misread: Vec<(Option<Span>, String)>,
    detail: Detail,
}

fn told(source: &SourceText, folder: &Folder, variant: Variant) -> Result<Told, Refused> {
    match variant {
        Variant::Seed => Ok(told_by_lines(source, folder, parse(source))),
        Variant::Upstream => told_by_course(folder, course(source)?),
    }
}

fn told_by_lines(source: &SourceText, folder: &Folder, read: Read) -> Told {
    let name = read.get("name").map_or_else(|| folder.name.clone(), |field| field.value.clone());
    let misread = misread(source, &read).into_iter().map(|field| (Some(field.line), field.value.clone())).collect();
    Told {
        key: Some(Key::Text(name.clone())),
        name,
        is_described: read.fields.is_some(),
        misread,
        detail: Detail {
            meta: read.fields.into_iter().flatten().map(|field| (field.key, field.value)).collect(),
            tags: String::new(),
            unaskable: None,
            body: read.body,
        },
    }
}

/// Names, descriptions and tags are what an f-string makes of them.
fn told_by_course(folder: &Folder, read: CourseRead) -> Result<Told, Refused> {
    let raise = |message| Refused::Raised { message, span: None };
    let folder_name = Object::Text(folder.name.clone());
    let Some(objects) = read.meta else {
        return Ok(Told {
            name: folder.name.clone(),
            key: folder_name.key(),
            is_described: false,
            misread: Vec::new(),
            detail: Detail { meta: Vec::new(), tags: String::new(), unaskable: None, body: read.body },
        });
    };
    let str = |id| objects.str(id).map_err(|failure| Refused::from(Unread::from(failure)));
    let named = objects.field("name");
    let object = named.map_or(&folder_name, |id| objects.get(id));
    object.check_hashable().map_err(|message| raise(format!("TypeError: {message}")))?;
    let name = named.map_or_else(|| Ok(folder.name.clone()), str)?;
    let tags = objects.true_field("tags").map_or_else(|| Ok(String::new()), str)?;
    let pairs = objects.root().unwrap_or_default().iter();
    let meta = pairs.map(|(key, value)| Ok((str(*key)?, str(*value)?))).collect::<Result<Vec<_>, Refused>>()?;
    let mut misread = Vec::new();
    for id in ["name", "description"].into_iter().filter_map(|key| objects.field(key)) {
        if objects.get(id).as_text().is_none() {
            misread.push((None, str(id)?));
        }
    }
    let unaskable = object.as_text().is_none().then(|| object.type_name());
    Ok(Told {
        name,
        key: object.key(),
        is_described: true,
        misread,
        detail: Detail { meta, tags, unaskable, body: read.body },
    })
}

#[derive(Default)]
struct Loading {
    loaded: Loaded,
    /// Of the skills, by their names.
    places: HashMap<Key, usize>,
}

impl Loading {
    fn keep(&mut self, folder: &Folder, source: &SourceText, mut told: Told) {
        let place = told.key.as_ref().and_then(|key| self.places.get(key)).copied();
        // The dictionary keeps the first of two equal keys, e.g. `1` and `true`.
        if let Some(first) = place.map(|place| &self.loaded.skills[place]) {
            told.name.clone_from(&first.name);
            told.detail.unaskable = catalogue::detail(first).and_then(|detail| detail.unaskable);
        }
        let skill = skill(folder, &told);
        quirks(&skill, source, &told, &mut self.loaded.quirks);
        match place {
            None => {
                self.places.extend(told.key.map(|key| (key, self.loaded.skills.len())));
                self.loaded.skills.push(skill);
            }
            Some(place) => {
                let hidden = std::mem::replace(&mut self.loaded.skills[place], skill);
                self.hide(hidden, source);
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

fn skill(folder: &Folder, told: &Told) -> CatalogSkill {
    let (scripts, resources) =
        scripts_and_others(folder, |file| file.kind != FileKind::Manifest && !in_inner_skill(folder, &file.name));
    let Told { name, detail, .. } = told;
    CatalogSkill {
        id: name.clone(),
        name: name.clone(),
        description: detail.meta("description").unwrap_or_default().to_owned(),
        path: Some(folder.path.clone()),
        content: catalogue::skill(name, name, &detail.body).text,
        resources,
        scripts,
        detail: AnyDetail::LearnClaudeCode(detail.clone()),
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

fn quirks(skill: &CatalogSkill, source: &SourceText, told: &Told, quirks: &mut Vec<Quirk>) {
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
    } else if !told.is_described {
        let end = source.text.find('\n').unwrap_or(source.text.len());
        add(QuirkKind::OfferedWithoutFrontmatter, Some(Span::new(0, end)), "");
    }
    for (span, shown) in &told.misread {
        add(QuirkKind::ReadDifferently, *span, shown);
    }
    if told.detail.unaskable.is_some() {
        add(QuirkKind::ListedNameDoesNotLoad, None, "");
    }
    for (span, danger) in refused_commands(&source.text) {
        add(QuirkKind::CommandBlocked, Some(span), danger);
    }
    if told.detail.body.trim().is_empty() {
        add(QuirkKind::NoInstructions, None, "");
    }
}

/// Where code in the instructions contains commands that `bash` refuses, once for each line: inside a fence, or between
/// backticks.
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
            // Every second piece is between backticks.
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

/// The fields that are shown and that YAML reads differently, if the text is YAML at all.
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
/// has no characters with a meaning in YAML, and no line after it that could continue it.
fn is_plain(field: &Field, text: &str) -> bool {
    let (before, line, after) = (&text[..field.line.start], field.line.of(text), &text[field.line.end..]);
    let next = after.trim_start_matches(['\r', '\n']);
    before.ends_with('\n')
        && line.starts_with(&field.key)
        && !next.starts_with([' ', '\t'])
        && field.value.starts_with(char::is_alphabetic)
        && field.value.chars().all(|letter| letter.is_alphanumeric() || " -_.,;()/'!?".contains(letter))
}
