//! `FileSystemSkillRepository` and `SkillBox` registration: which folders become skills, and under which ids. That of 1.0
//! lists a folder in the order of its names. That of 2.0 takes the order of the file system; here that is the order of the
//! tree.

use std::borrow::Cow;
use std::collections::HashMap;

use super::MANIFEST;
use super::markdown::Reading;
use super::{Detail, JavaValue, Markdown, Variant, order, quirks, registry};
use crate::reasons::{self, Refusal};
use crate::{CatalogBody, CatalogFile, CatalogSkill, Loaded, Options, Quirk, QuirkKind};
use config::{InlineResourceBody, InlineScriptBody, InlineSkill};
use skill::source::SourceText;
use skill::{Entry, File, Folder, ProblemKind, Root, SkillSet, in_parallel};
use wording::{Message, Wording, message};

/// What AgentScope for Java registers of the folders and of the inline skills, and why it leaves out the rest.
pub fn load(found: &SkillSet, options: &Options, variant: Variant) -> Loaded {
    let mut loading = Loading { variant, options, loaded: Loaded::default(), places: HashMap::new() };
    for root in &found.roots {
        if variant == Variant::Java
            && let Some(refusal) = refusal(found, root)
        {
            loading.loaded.refused.get_or_insert(refusal);
        }
        loading.root(root);
    }
    for skill in &options.inline_skills {
        loading.inline(skill);
    }
    for (number, skill) in loading.loaded.skills.iter_mut().enumerate() {
        if let crate::Detail::AgentScope(detail) = &mut skill.detail {
            detail.registered = number;
        }
    }
    registry::put_in_order(&mut loading.loaded.skills);
    loading.loaded
}

const IN_ITSELF: Wording = Wording::new(
    "lies in the folder itself; only the folders in it can be skills",
    "位于该文件夹本身；只有其中的文件夹才能成为技能",
);
const ONE_LEVEL: Wording = Wording::new("lies more than one level below the folder", "位于该文件夹之下一层以上的位置");
const LINKED: Wording = Wording::new(
    "lies in a linked folder, and the framework does not follow links to folders",
    "位于链接的文件夹中，而该框架不跟随指向文件夹的链接",
);
const CUSTOM: &str = "custom";
const NO_FIELDS: &str = "The SKILL.md must have a YAML Front Matter including `name` and `description` fields.";
const STACK_OVERFLOW: &str = "java.lang.StackOverflowError";
const NO_CONTENT: &str = "The SKILL.md must have content except for the YAML Front Matter.";

/// The message of the exception of the repository's constructor.
fn refusal(found: &SkillSet, root: &Root) -> Option<String> {
    let path = &root.path;
    let problem = found.problems.iter().find(|problem| problem.path == *path)?;
    match problem.kind {
        ProblemKind::RootMissing => Some(format!("Base directory does not exist: {path}")),
        ProblemKind::RootNotFolder => Some(format!("Base directory is not a directory: {path}")),
        _ => None,
    }
}

/// Makes skills of folders.
struct Reader<'a> {
    variant: Variant,
    options: &'a Options,
    source: &'a str,
}

/// What was read from a folder.
struct ReadFolder {
    /// What the framework refuses, it says by an exception.
    skill: Result<CatalogSkill, Refusal>,
    quirks: Vec<Quirk>,
    /// An `Error` in Java, which handlers of exceptions do not catch.
    overflows: bool,
}

impl Reader<'_> {
    fn read(&self, folder: &Folder, manifest: &File) -> ReadFolder {
        let (mut quirks, mut overflows) = (Vec::new(), false);
        let skill = self.skill(folder, manifest, &mut quirks, &mut overflows);
        ReadFolder { skill, quirks, overflows }
    }

    /// What the framework refuses, it says by an exception.
    fn skill(
        &self,
        folder: &Folder,
        manifest: &File,
        quirks: &mut Vec<Quirk>,
        overflows: &mut bool,
    ) -> Result<CatalogSkill, Refusal> {
        let readable = manifest.source.as_deref().filter(|text| text.invalid_at.is_none());
        let is_old = self.variant.is_old();
        let text = readable.ok_or_else(|| match is_old {
            true => format!("Failed to load skill: {}", folder.name),
            false => format!("Failed to load skill from: {}", folder.path),
        })?;
        let whole = with_mark(text);
        let markdown = Markdown::read(&whole, self.variant);
        if markdown.frontmatter.reading == Reading::Endless {
            *overflows = true;
            return Err(STACK_OVERFLOW.into());
        }
        if let Reading::Ours(reason) = markdown.frontmatter.reading {
            return Err(Refusal::Ours(reason));
        }
        if let Reading::Invalid(reason) = &markdown.frontmatter.reading {
            quirks::of_unread(text, &markdown, quirks);
            return Err(reason.as_str().into());
        }
        let field = |key| markdown.frontmatter.field(key);
        let required = |key| match is_old {
            // `String.valueOf`, and nothing but no text at all is empty.
            true => field(key)
                .filter(|value| **value != JavaValue::Null)
                .map(ToString::to_string)
                .filter(|text| !text.is_empty()),
            false => field(key).and_then(JavaValue::as_text).filter(|text| !text.trim().is_empty()).map(str::to_owned),
        };
        let (Some(name), Some(description)) = (required("name"), required("description")) else {
            quirks::of_unread(text, &markdown, quirks);
            return Err(NO_FIELDS.into());
        };
        if markdown.content.is_empty() {
            return Err(NO_CONTENT.into());
        }
        let id = format!("{name}_{}", self.source);
        quirks.extend(quirks::of_manifest(&id, text, &markdown, self.variant, &self.options.settings));
        let files = Files::of(folder, !is_old);
        quirks.extend(quirks::of_links(&id, folder));
        let is_lazy = self.variant == Variant::Java && self.options.settings.agentscope.lazy;
        let loaded = match is_old {
            true => files.all(),
            false if is_lazy => Vec::new(),
            false => files.loaded(),
        };
        let listed = if is_lazy { files.names() } else { loaded.clone() };
        Ok(CatalogSkill {
            id,
            name,
            description,
            path: Some(folder.path.clone()),
            content: markdown.content.to_owned(),
            resources: listed
                .iter()
                .map(|name| CatalogFile {
                    name: name.clone(),
                    description: None,
                    body: CatalogBody::File(folder.path.join(name)),
                })
                .collect(),
            scripts: Vec::new(),
            detail: crate::Detail::AgentScope(Detail {
                registered: 0,
                source: self.source.to_owned(),
                metadata: markdown.frontmatter.fields,
                loaded,
                on_disk: if self.variant == Variant::Java { files.names() } else { Vec::new() },
            }),
        })
    }
}

struct Loading<'a> {
    variant: Variant,
    options: &'a Options,
    loaded: Loaded,
    /// Where each id is among the skills.
    places: HashMap<String, usize>,
}

impl Loading<'_> {
    /// Exactly one level is searched.
    fn root(&mut self, root: &Root) {
        let source = match (&self.options.settings.agentscope.source, self.variant) {
            (Some(source), _) => source.clone(),
            (None, Variant::Seed | Variant::First | Variant::Python) => CUSTOM.into(),
            (None, Variant::Java) => default_source(root),
        };
        if let Some(manifest) = root.tree.files().find(|file| file.name == MANIFEST) {
            self.loaded.skip(manifest.path.as_str(), IN_ITSELF);
        }
        let mut folders: Vec<&Folder> = root.tree.folders().collect();
        if self.variant.is_old() {
            folders.sort_by(|a, b| a.name.encode_utf16().cmp(b.name.encode_utf16()));
            let (linked, kept): (Vec<_>, Vec<_>) = folders.into_iter().partition(|folder| folder.link.is_some());
            linked.into_iter().for_each(|folder| self.overlooked(folder, &LINKED.into()));
            folders = kept;
        }
        let reader = Reader { variant: self.variant, options: self.options, source: &source };
        // Reading a folder does not depend on others.
        let read = in_parallel(folders.len(), |number| {
            let folder = folders[number];
            let manifest = folder.files().find(|file| file.name == MANIFEST && !is_broken(file))?;
            Some((manifest.path.as_str(), reader.read(folder, manifest)))
        });
        for (folder, read) in folders.into_iter().zip(read) {
            match read {
                Some((manifest, read)) => {
                    self.take(folder, manifest, read);
                    folder.folders().for_each(|inner| self.overlooked(inner, &reasons::inside(folder.path.as_str())));
                }
                None => {
                    self.loaded.skip_miscased(folder);
                    folder.folders().for_each(|inner| self.overlooked(inner, &ONE_LEVEL.into()));
                }
            }
        }
    }

    /// Lists skills in places where the framework does not look. The framework does not report them, but their authors
    /// want to know.
    fn overlooked(&mut self, folder: &Folder, reason: &Message) {
        for manifest in folder.files().filter(|file| file.name == MANIFEST) {
            self.loaded.skip(manifest.path.as_str(), reason.clone());
        }
        folder.folders().for_each(|inner| self.overlooked(inner, reason));
    }

    fn take(&mut self, folder: &Folder, manifest: &str, read: ReadFolder) {
        if read.overflows {
            self.loaded.refused.get_or_insert_with(|| STACK_OVERFLOW.into());
        }
        self.loaded.quirks.extend(read.quirks);
        match read.skill {
            Ok(skill) => self.register(skill),
            Err(Refusal::Ours(reason)) => self.loaded.skip(manifest, reason),
            Err(Refusal::Theirs(reason)) => {
                self.loaded.log.push(match self.variant.is_old() {
                    true => format!("Failed to load skill '{}': {reason}", folder.name),
                    false => format!("Failed to load skill from '{}': {reason}", folder.path),
                });
                self.loaded.skip(manifest, Message::quoted(reason));
            }
        }
    }

    /// A skill made in code: `AgentSkill` with a map of resources.
    fn inline(&mut self, skill: &InlineSkill) {
        let shown = format!("inline skill '{}'", skill.name);
        if skill.name.trim().is_empty() || skill.description.trim().is_empty() {
            self.loaded.skip(shown, Message::quoted("name and description must not be empty"));
            return;
        }
        if skill.instructions.is_empty() {
            self.loaded.skip(shown, Message::quoted("The skill must have content"));
            return;
        }
        let mut files: Vec<(&str, CatalogBody)> = Vec::new();
        for resource in &skill.resources {
            match &resource.body {
                InlineResourceBody::Value(text) => files.push((&resource.name, CatalogBody::Text(text.clone()))),
                InlineResourceBody::File(_) => {
                    let reason = Wording::new(
                        "a resource is a text in this framework, and no function makes it",
                        "在该框架中资源就是文本，不由函数生成",
                    );
                    self.loaded.skip(format!("{shown}, resource '{}'", resource.name), reason);
                }
            }
        }
        for script in &skill.scripts {
            match &script.body {
                InlineScriptBody::File(path) => files.push((&script.name, CatalogBody::File(path.as_str().into()))),
                InlineScriptBody::Result(_) => {
                    let reason = Wording::new(
                        "a script without a file can only belong to a tool of a tool group",
                        "没有文件的脚本只能属于工具组中的工具",
                    );
                    self.loaded.skip(format!("{shown}, script '{}'", script.name), reason);
                }
            }
        }
        let loaded: Vec<&str> = order::copied_hash_map(files.iter().map(|(name, _)| *name));
        let file = |name: &&str| {
            let (_, body) = files.iter().rev().find(|(known, _)| known == name)?;
            Some(CatalogFile { name: (*name).to_owned(), description: None, body: body.clone() })
        };
        let text = |text: &str| JavaValue::Text(text.to_owned());
        let id = format!("{}_{CUSTOM}", skill.name);
        let skill = CatalogSkill {
            id,
            name: skill.name.clone(),
            description: skill.description.clone(),
            path: None,
            content: skill.instructions.clone(),
            resources: loaded.iter().filter_map(file).collect(),
            scripts: Vec::new(),
            detail: crate::Detail::AgentScope(Detail {
                registered: 0,
                source: CUSTOM.into(),
                metadata: vec![("name".into(), text(&skill.name)), ("description".into(), text(&skill.description))],
                loaded: loaded.iter().map(|&name| name.to_owned()).collect(),
                on_disk: Vec::new(),
            }),
        };
        self.register(skill);
    }

    /// The same id again replaces the skill, in its place.
    fn register(&mut self, skill: CatalogSkill) {
        let Some(&place) = self.places.get(&skill.id) else {
            self.places.insert(skill.id.clone(), self.loaded.skills.len());
            self.loaded.skills.push(skill);
            return;
        };
        let shown = |skill: &CatalogSkill| match &skill.path {
            Some(folder) => folder.join(MANIFEST).into_string(),
            None => format!("inline skill '{}'", skill.name),
        };
        let winner = shown(&skill);
        let lost = std::mem::replace(&mut self.loaded.skills[place], skill);
        let reason = message!(
            "another skill is registered later under the same id '{}'",
            "后来另一个技能以相同的 id '{}' 注册",
            lost.id
        );
        self.loaded.skip(shown(&lost), reason);
        self.loaded.quirks.push(Quirk {
            kind: QuirkKind::HiddenByDuplicate,
            skill: Some(lost.id),
            path: lost.path.map(|folder| folder.join(MANIFEST)),
            span: None,
            detail: winner,
        });
    }
}

/// `filesystem-{folder above}_{folder}`.
fn default_source(root: &Root) -> String {
    let folder = root.path.file_name();
    match (folder, root.path.parent().and_then(|above| above.file_name())) {
        (None, _) => "filesystem-unknown".into(),
        (Some(folder), None) => format!("filesystem-{folder}"),
        (Some(folder), Some(above)) => format!("filesystem-{above}_{folder}"),
    }
}

/// The text as it is on disk: Java does not remove a byte order mark.
fn with_mark(source: &SourceText) -> Cow<'_, str> {
    if source.bom { format!("\u{feff}{}", source.text).into() } else { source.text.as_str().into() }
}

/// The files of a skill's folder except its own `SKILL.md`, with `/`, in the order of `Files.walk`.
struct Files(Vec<String>);

impl Files {
    /// `follow`: linked folders too.
    fn of(folder: &Folder, follow: bool) -> Self {
        fn walk(folder: &Folder, prefix: &str, follow: bool, out: &mut Vec<String>) {
            for entry in &folder.entries {
                match entry {
                    Entry::File(file) if is_broken(file) => {}
                    Entry::File(file) => out.push(format!("{prefix}{}", file.name)),
                    Entry::Folder(inner) if !follow && inner.link.is_some() => {}
                    Entry::Folder(inner) => walk(inner, &format!("{prefix}{}/", inner.name), follow, out),
                }
            }
        }
        let mut out = Vec::new();
        walk(folder, "", follow, &mut out);
        out.retain(|name| name != MANIFEST);
        Self(out)
    }

    fn names(&self) -> Vec<String> {
        self.0.clone()
    }

    /// Hidden ones too, in the order of a hash table.
    fn all(&self) -> Vec<String> {
        order::copied_hash_map(self.0.iter().map(String::as_str)).into_iter().map(str::to_owned).collect()
    }

    /// Nothing hidden is read; the rest is in the order of a hash table.
    fn loaded(&self) -> Vec<String> {
        let is_hidden = |name: &str| name.split('/').any(|part| part.starts_with('.'));
        let read = self.0.iter().map(String::as_str).filter(|name| !is_hidden(name));
        order::copied_hash_map(read).into_iter().map(str::to_owned).collect()
    }
}

fn is_broken(file: &File) -> bool {
    file.link.as_ref().is_some_and(|link| link.broken)
}
