//! Which folders the library gets, in the order of their paths, and what it reads there.

use camino::Utf8Path;

use super::properties::{self, Parsed, Properties};
use crate::paths;
use crate::reasons::Refusal;
use crate::{CatalogSkill, Detail, Loaded, Quirk, QuirkKind, not_entered, python, reasons};
use config::InlineSkill;
use skill::source::{SourceText, Span};
use skill::{File, Folder, SkillSet};
use wording::{Message, Wording};

const FAILED: Wording = Wording::new(
    "another skill cannot be read, and then nothing is printed",
    "另一个技能无法读取，此时不会输出任何内容",
);

/// The first folder that cannot be read is what the library says.
pub fn load(found: &SkillSet, inline: &[InlineSkill]) -> Loaded {
    let mut loaded = Loaded::default();
    for skill in inline {
        loaded.skip(&skill.name, reasons::FOLDERS_ONLY);
    }
    for root in &found.roots {
        search(&root.tree, &root.path, &mut loaded);
        if manifest_of(&root.tree).is_none() {
            root.tree.folders().for_each(|folder| without_manifest(folder, &mut loaded));
        }
    }
    if loaded.refused.is_some() {
        for skill in std::mem::take(&mut loaded.skills) {
            if let Some(path) = skill.path {
                loaded.skip(path.as_str(), FAILED);
            }
        }
    }
    loaded
}

/// A folder and those in it; `real`: where it really is.
fn search(folder: &Folder, real: &Utf8Path, loaded: &mut Loaded) {
    if let Some(reason) = not_entered(folder) {
        return loaded.skip(folder.path.as_str(), reason);
    }
    match manifest_of(folder) {
        Some(file) => read(folder, file, real, loaded),
        None => {
            for file in folder.files().filter(|file| file.name.eq_ignore_ascii_case(NAMES[0])) {
                loaded.skip(file.path.as_str(), reasons::wrong_name(&NAMES, &file.name));
            }
        }
    }
    // Skills below a link are found at their real place, if that is open.
    for inner in folder.folders().filter(|_| folder.link.is_none()) {
        let real = match &inner.link {
            Some(link) => paths::plain(&real.join(&link.target)),
            None => real.join(&inner.name),
        };
        search(inner, &real, loaded);
    }
}

const UNACCEPTABLE: &str = "Invalid YAML in frontmatter: unacceptable character ";
const NO_PLACE: &str = "AttributeError: 'ReaderError' object has no attribute 'context_mark'";

const NAMES: [&str; 2] = ["SKILL.md", "skill.md"];

fn manifest_of(folder: &Folder) -> Option<&File> {
    NAMES.into_iter().find_map(|name| folder.files().find(|file| file.name == name))
}

fn read(folder: &Folder, file: &File, real: &Utf8Path, loaded: &mut Loaded) {
    let (parsed, source) = match parse(file) {
        Ok(read) => read,
        Err(Refusal::Ours(reason)) => return loaded.skip(file.path.as_str(), reason),
        Err(Refusal::Theirs(reason)) => {
            if reason.starts_with(UNACCEPTABLE) {
                // strictyaml asks this error for a place that it does not have, in `validate` too.
                return failed(file, NO_PLACE.to_owned(), &reason, loaded);
            }
            invalid(folder, &[&reason], loaded);
            return failed(file, format!("ParseError: {reason}"), &reason, loaded);
        }
    };
    let problems = parsed.problems(&folder.name);
    invalid(folder, &problems.iter().map(String::as_str).collect::<Vec<_>>(), loaded);
    let [name, description] = match parsed.required() {
        Ok(texts) => texts,
        Err(reason) => return failed(file, format!("ValidationError: {reason}"), &reason, loaded),
    };
    let mut hurts = |kind, span| {
        let (skill, path) = (Some(name.clone()), Some(file.path.clone()));
        loaded.quirks.push(Quirk { kind, skill, path, span, detail: String::new() });
    };
    if parsed.is_cut {
        hurts(QuirkKind::CutAtDashes, dashes(source));
    }
    if parsed.body.is_empty() {
        hurts(QuirkKind::NoInstructions, None);
    }
    let properties = Properties { location: real.join(&file.name), fields: parsed.kept() };
    loaded.skills.push(CatalogSkill {
        id: name.clone(),
        name,
        description,
        path: Some(folder.path.clone()),
        content: parsed.body,
        resources: Vec::new(),
        scripts: Vec::new(),
        detail: Detail::AgentSkills(properties),
    });
}

fn parse(file: &File) -> Result<(Parsed, &SourceText), Refusal> {
    let Some(source) = file.source.as_deref() else {
        if !file.is_regular {
            return Err(Refusal::Ours(reasons::not_regular()));
        }
        return Err(format!("[Errno 13] Permission denied: {}", python::repr(file.path.as_str())).into());
    };
    if let Some(at) = source.invalid_at {
        return Err(format!("'utf-8' codec can't decode byte in position {at}").into());
    }
    properties::parse(source).map(|parsed| (parsed, source))
}

/// The command line's message about a folder that is not a skill. It is not passed to `to_prompt` here, which would
/// then print nothing.
fn without_manifest(folder: &Folder, loaded: &mut Loaded) {
    if manifest_of(folder).is_none() && !folder.name.starts_with('.') {
        invalid(folder, &["Missing required file: SKILL.md"], loaded);
        loaded.log.push(format!("Error: SKILL.md not found in {}", folder.path));
    }
}

/// As the command line prints it.
fn invalid(folder: &Folder, problems: &[&str], loaded: &mut Loaded) {
    if !problems.is_empty() {
        loaded.log.push(format!("Validation failed for {}:", folder.path));
        loaded.log.extend(problems.iter().map(|problem| format!("  - {problem}")));
    }
}

/// `raised`: what `to_prompt` ends with.
fn failed(file: &File, raised: String, reason: &str, loaded: &mut Loaded) {
    let mut hurts = |kind, span, detail: &str| {
        let path = Some(file.path.clone());
        loaded.quirks.push(Quirk { kind, skill: None, path, span, detail: detail.to_owned() });
    };
    hurts(QuirkKind::OneBadSkillFailsAll, None, reason);
    if file.source.as_ref().is_some_and(|source| source.bom) {
        hurts(QuirkKind::ByteOrderMark, Some(Span::new(0, 0)), "");
    }
    loaded.refused.get_or_insert(raised);
    loaded.skip(file.path.as_str(), Message::quoted(reason));
}

/// Those that end the frontmatter.
fn dashes(source: &SourceText) -> Option<Span> {
    let at = 3 + source.text.get(3..)?.find("---")?;
    Some(Span::new(at, at + 3))
}
