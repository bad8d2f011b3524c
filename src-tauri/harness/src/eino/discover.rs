//! Which folders the framework takes for skills: those with a `SKILL.md` exactly one level below a root, in the order of
//! their paths. One that cannot be loaded fails the whole list.

use super::MANIFEST;
use super::frontmatter::{self, Failure, Parsed};
use super::quirks;
use super::stripped::Stripped;
use super::{Detail, catalogue};
use crate::reasons::{self, Refusal};
use crate::{CatalogBody, CatalogFile, CatalogSkill, Detail as AnyDetail, Loaded, Quirk, QuirkKind, interpreter};
use config::InlineSkill;
use config::options::EinoOptions;
use skill::source::{SourceText, Span};
use skill::{File, Folder, SkillSet};
use wording::{Message, Wording};

const IN_ITSELF: Wording = Wording::new(
    "lies in the folder of skills itself, not in a folder below it",
    "位于技能文件夹本身，而不是其下的某个文件夹",
);
const LINKED: Wording = Wording::new("is a link, and the backend does not enter links", "是链接，而该后端不进入链接");
const FAILED: Wording =
    Wording::new("another skill cannot be loaded, which fails the whole list", "另一个技能无法加载，导致整个列表失败");

/// What the backend of folders lists, and why it leaves out the rest. Inline skills are not part of it.
pub fn load(found: &SkillSet, inline: &[InlineSkill], settings: &EinoOptions) -> Loaded {
    let mut loading = Loading { settings, loaded: Loaded::default() };
    for skill in inline {
        loading.loaded.skip(
            &skill.name,
            Wording::new(
                "the backend reads folders; `backend: memory` in workbench.yaml has inline skills",
                "该后端只读取文件夹；workbench.yaml 中的 `backend: memory` 才支持内联技能",
            ),
        );
    }
    for root in &found.roots {
        let mut folders: Vec<&Folder> = root.tree.folders().collect();
        // The paths are compared, so that `a-b/SKILL.md` comes before `a/SKILL.md`.
        folders.sort_by_cached_key(|folder| format!("{}/", folder.name));
        for file in root.tree.files().filter(|file| file.name == MANIFEST) {
            loading.loaded.skip(file.path.as_str(), IN_ITSELF);
        }
        for folder in folders {
            if folder.link.is_some() && !settings.follow_links {
                loading.loaded.skip(folder.path.as_str(), LINKED);
            } else {
                loading.folder(folder);
            }
        }
    }
    let mut loaded = loading.loaded;
    quirks::duplicates(&mut loaded);
    if loaded.refused.is_some() {
        for skill in std::mem::take(&mut loaded.skills) {
            let path = skill.path.map_or(skill.name, |path| path.join(MANIFEST).into_string());
            loaded.skip(path, FAILED);
        }
    }
    loaded
}

struct Loading<'a> {
    settings: &'a EinoOptions,
    loaded: Loaded,
}

impl Loading<'_> {
    fn folder(&mut self, folder: &Folder) {
        if let Some(file) = folder.files().find(|file| file.name == MANIFEST) {
            self.loaded.skip_below(folder, &reasons::inside(folder.path.as_str()));
            self.read(folder, file);
        } else if let Some(inner) = folder.folders().find(|inner| inner.name == MANIFEST) {
            let reason = format!("failed to read file: error reading file: read {}: is a directory", inner.path);
            self.fail(inner.path.as_str(), None, reason, None);
        } else {
            self.loaded.skip_miscased(folder);
            self.loaded.skip_below(folder, &reasons::ONE_LEVEL.into());
        }
    }

    fn read(&mut self, folder: &Folder, file: &File) {
        let (path, settings) = (&file.path, self.settings);
        let Some(source) = file.source.as_deref() else {
            if !file.is_regular {
                return self.loaded.skip(path.as_str(), reasons::not_regular());
            }
            let missing = file.link.as_ref().is_some_and(|link| link.broken);
            let reason = match missing {
                true => format!("failed to read file: file not found: {path}"),
                false => format!("failed to read file: failed to open file: open {path}: permission denied"),
            };
            return self.fail(path.as_str(), None, reason, None);
        };
        let shown = Span::new(0, lines_end(&source.text, settings.read_limit));
        let stripped = Stripped::of(shown.of(&source.text));
        match frontmatter::parse(source, &stripped) {
            Ok(parsed) => {
                let skill = skill(folder, &parsed, settings);
                self.loaded.quirks.extend(quirks::of(&skill, folder, source, &parsed, &stripped, shown, settings));
                self.loaded.skills.push(skill);
            }
            Err(Failure { why: Refusal::Theirs(reason), span }) => self.fail(path.as_str(), Some(source), reason, span),
            Err(Failure { why: Refusal::Ours(reason), .. }) => self.loaded.skip(path.as_str(), reason),
        }
    }

    /// The first failure is what the framework says; each of them keeps the list from loading.
    fn fail(&mut self, path: &str, source: Option<&SourceText>, reason: String, span: Option<Span>) {
        let error = format!("failed to load skill from {path}: {reason}");
        self.loaded.refused.get_or_insert_with(|| format!("failed to list skills: failed to list skills: {error}"));
        let quirk = |kind, span, detail: &str| Quirk {
            kind,
            skill: None,
            path: Some(path.into()),
            span,
            detail: detail.into(),
        };
        self.loaded.quirks.push(quirk(QuirkKind::OneBadSkillFailsAll, span, &reason));
        if source.is_some_and(|source| source.bom) {
            self.loaded.quirks.push(quirk(QuirkKind::ByteOrderMark, Some(Span::new(0, 0)), ""));
        }
        self.loaded.skip(path, Message::quoted(reason));
    }
}

fn skill(folder: &Folder, parsed: &Parsed, settings: &EinoOptions) -> CatalogSkill {
    let matter = &parsed.matter;
    let detail = Detail {
        body: parsed.body.clone(),
        context: matter.context.text.clone(),
        agent: matter.agent.text.clone(),
        model: matter.model.text.clone(),
    };
    let mut skill = CatalogSkill {
        id: matter.name.text.clone(),
        name: matter.name.text.clone(),
        description: matter.description.text.clone(),
        path: Some(folder.path.clone()),
        content: String::new(),
        resources: Vec::new(),
        scripts: Vec::new(),
        detail: AnyDetail::None,
    };
    skill.content = catalogue::launch(&skill, &detail, settings.language).text;
    skill.detail = AnyDetail::Eino(detail);
    reachable(folder, "", settings, &mut skill);
    skill
}

/// The framework lists no files. Those of the skill's folder can be read by their paths, and run if there is a shell.
fn reachable(folder: &Folder, prefix: &str, settings: &EinoOptions, skill: &mut CatalogSkill) {
    for file in folder.files().filter(|file| !file.link.as_ref().is_some_and(|link| link.broken)) {
        if prefix.is_empty() && file.name == MANIFEST {
            continue;
        }
        let name = format!("{prefix}{}", file.name);
        let is_script = file.path.extension().and_then(interpreter).is_some();
        let listed = CatalogFile { name, description: None, body: CatalogBody::File(file.path.clone()) };
        if settings.shell && is_script {
            skill.scripts.push(listed);
        } else if settings.shell || settings.filesystem {
            skill.resources.push(listed);
        }
    }
    for inner in folder.folders() {
        reachable(inner, &format!("{prefix}{}/", inner.name), settings, skill);
    }
}

/// The end of the last line within the limit.
fn lines_end(text: &str, limit: Option<u32>) -> usize {
    let Some(limit) = limit.and_then(|limit| usize::try_from(limit).ok()).filter(|limit| *limit > 0) else {
        return text.len();
    };
    text.match_indices('\n').nth(limit - 1).map_or(text.len(), |(at, _)| at + 1)
}
