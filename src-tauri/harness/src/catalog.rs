//! What one framework loaded.

use std::collections::{BTreeMap, HashMap, HashSet};

use camino::{Utf8Path, Utf8PathBuf};
use serde::Serialize;
use serde_json::{Map, Value};
use ts_rs::TS;

use super::{
    Limits, Options, Profile, Quirk, agent_framework, agent_skills, agentscope, claude_code, codex, deepagents, eino,
    gemini_cli, learn_claude_code, opencode, reasons, strands,
};
use config::{HarnessOptions, ToolGroup};
use skill::discover::{GIT, MODULES};
use skill::files::files_of;
use skill::{FileKind, Folder, ProblemKind, SkillFile, SkillSet, manifest};
use wording::{Message, Wording, message};

/// The skills that a harness takes, and what it makes of the others.
#[derive(Debug, Clone, PartialEq)]
pub struct Catalog {
    pub harness: &'static str,
    pub variant: &'static str,
    pub limits: Limits,
    /// The folders it was read from, as the user named them.
    pub roots: Vec<Utf8PathBuf>,
    /// In the framework's order.
    pub skills: Vec<CatalogSkill>,
    pub skipped: Vec<Skipped>,
    /// What the framework writes to its log while loading, verbatim.
    pub log: Vec<String>,
    /// Where the framework's real behaviour hurts an author.
    pub quirks: Vec<Quirk>,
    /// The framework refuses to start with what it found, or with these options: its own message.
    pub refused: Option<String>,
    pub options: HarnessOptions,
    /// For harnesses that have tool groups.
    pub tool_groups: Vec<ToolGroup>,
}

impl Catalog {
    /// Removes the skills with these names, either the framework's name for them or that in their frontmatter, and the
    /// quirks that concern only them.
    pub fn leave_out(&mut self, names: &[String]) {
        let names: HashSet<&str> = names.iter().map(String::as_str).collect();
        let is_out = |skill: &CatalogSkill| {
            names.contains(&*skill.name) || skill.detail.alias().is_some_and(|alias| names.contains(alias))
        };
        let (out, kept): (Vec<_>, Vec<_>) = std::mem::take(&mut self.skills).into_iter().partition(is_out);
        let folders = |skills: &[CatalogSkill], is_out: bool| -> Vec<(Utf8PathBuf, bool)> {
            skills.iter().filter_map(|skill| Some((skill.path.clone()?, is_out))).collect()
        };
        let folders: HashMap<Utf8PathBuf, bool> =
            folders(&out, true).into_iter().chain(folders(&kept, false)).collect();
        let ids: HashSet<&str> = kept.iter().map(|skill| &*skill.id).collect();
        let ids_out: HashSet<&str> = out.iter().map(|skill| &*skill.id).filter(|id| !ids.contains(id)).collect();
        self.quirks.retain(|quirk| {
            // The innermost of skills that are nested.
            let lies_in = quirk.path.iter().flat_map(|path| path.ancestors()).find_map(|folder| folders.get(folder));
            let named = quirk.skill.as_deref().is_some_and(|id| ids_out.contains(id));
            !lies_in.copied().unwrap_or(named)
        });
        self.skills = kept;
        // Its order is that of a hash table, which is of another size then.
        agentscope::registry::put_in_order(&mut self.skills);
    }

    /// The folders of the skills that are on disk, by their ids.
    pub fn folders(&self) -> BTreeMap<String, Utf8PathBuf> {
        self.skills.iter().filter_map(|skill| Some((skill.id.clone(), skill.path.clone()?))).collect()
    }

    /// The skill that a path is in, and the path within it; the folder itself is the empty path.
    pub fn skill_at<'a>(&self, path: &'a Utf8Path) -> Option<(&CatalogSkill, &'a Utf8Path)> {
        let inside = |skill: &&CatalogSkill| skill.path.as_ref().is_some_and(|folder| path.starts_with(folder));
        // The innermost of skills that are nested.
        let skill = self
            .skills
            .iter()
            .filter(inside)
            .max_by_key(|skill| skill.path.as_ref().map(|path| path.as_str().len()))?;
        Some((skill, path.strip_prefix(skill.path.as_ref()?).ok()?))
    }
}

/// A skill as the harness has it.
#[derive(Debug, Clone, PartialEq)]
pub struct CatalogSkill {
    /// What tool calls use to name it.
    pub id: String,
    pub name: String,
    pub description: String,
    /// The folder; `None` for inline skills.
    pub path: Option<Utf8PathBuf>,
    /// What activating the skill gives the model.
    pub content: String,
    pub resources: Vec<CatalogFile>,
    pub scripts: Vec<CatalogFile>,
    pub detail: Detail,
}

impl CatalogSkill {
    /// Its `SKILL.md`; empty for inline skills.
    pub fn manifest(&self) -> Utf8PathBuf {
        self.path.as_ref().map(|folder| folder.join(manifest::FILE_NAME)).unwrap_or_default()
    }
}

/// Facts about a skill that only one harness needs.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Detail {
    #[default]
    None,
    AgentFramework(agent_framework::Detail),
    AgentScope(agentscope::Detail),
    AgentSkills(agent_skills::Detail),
    ClaudeCode(claude_code::Detail),
    Codex(codex::Detail),
    DeepAgents(deepagents::Detail),
    Eino(eino::Detail),
    GeminiCli(gemini_cli::Detail),
    LearnClaudeCode(learn_claude_code::Detail),
    OpenCode(opencode::Detail),
    Strands(strands::Detail),
}

impl Detail {
    /// The `name` in the frontmatter, if the framework uses another name.
    pub fn alias(&self) -> Option<&str> {
        match self {
            Self::ClaudeCode(detail) => detail.alias(),
            _ => None,
        }
    }

    /// What the framework keeps of the skill next to its name, description and instructions.
    pub fn kept(&self) -> Map<String, Value> {
        match self {
            Self::None | Self::GeminiCli(_) | Self::OpenCode(_) => Map::new(),
            Self::AgentFramework(detail) => detail.kept(),
            Self::AgentScope(detail) => detail.kept(),
            Self::AgentSkills(detail) => detail.kept(),
            Self::ClaudeCode(detail) => detail.kept(),
            Self::Codex(detail) => detail.kept(),
            Self::DeepAgents(detail) => detail.kept(),
            Self::Eino(detail) => detail.kept(),
            Self::Strands(detail) => detail.kept(),
            Self::LearnClaudeCode(detail) => {
                detail.meta.iter().map(|(key, value)| (key.clone(), Value::from(value.as_str()))).collect()
            }
        }
    }
}

/// A resource or script under the name the framework lists it by. If a framework lists none, the files that the model
/// can reach by their paths.
#[derive(Debug, Clone, PartialEq)]
pub struct CatalogFile {
    pub name: String,
    pub description: Option<String>,
    pub body: CatalogBody,
}

impl CatalogFile {
    fn of(file: SkillFile) -> Self {
        Self { name: file.name, description: None, body: CatalogBody::File(file.path) }
    }
}

/// The scripts in a skill's folder, and its other files, among those that the framework gives.
pub fn scripts_and_others(
    folder: &Folder,
    is_given: impl Fn(&SkillFile) -> bool,
) -> (Vec<CatalogFile>, Vec<CatalogFile>) {
    let (scripts, others): (Vec<_>, Vec<_>) =
        files_of(folder).into_iter().filter(is_given).partition(|file| file.kind == FileKind::Script);
    let given = |files: Vec<SkillFile>| files.into_iter().map(CatalogFile::of).collect();
    (given(scripts), given(others))
}

/// Its instructions: a file, or a text.
#[derive(Debug, Clone, PartialEq)]
pub enum CatalogBody {
    File(Utf8PathBuf),
    /// An inline skill's fixed text.
    Text(String),
}

/// A skill that is left out, and why.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Skipped {
    pub path: String,
    /// The framework's own words are the same in every language.
    pub reason: Message,
}

/// Why skills in a folder are not known, if a framework enters it and we do not: `.git`, and a large `node_modules`.
pub fn not_entered(folder: &Folder) -> Option<Wording> {
    match folder.name.as_str() {
        _ if folder.listed || !folder.entries.is_empty() => None,
        GIT => Some(Wording::new(
            "Skill Workbench does not look into folders of this name; the framework does, and loads skills that it finds there",
            "Skill Workbench 不查看叫这个名字的文件夹；该框架会查看，并加载在其中找到的技能",
        )),
        MODULES => Some(Wording::new(
            "this folder holds so many files that Skill Workbench does not look for skills in it; the framework does, and \
             loads those that it finds there",
            "此文件夹中的文件太多，Skill Workbench 不在其中查找技能；该框架会查找，并加载找到的技能",
        )),
        _ => None,
    }
}

/// Things that no harness sees although a framework would: files and folders whose names are not UTF-8, and untrusted
/// targets of links.
pub fn not_met(found: &SkillSet) -> impl Iterator<Item = Skipped> {
    found.problems.iter().filter_map(|problem| match &problem.kind {
        ProblemKind::LinkOutside { target } => {
            Some(Skipped { path: problem.path.clone().into_string(), reason: link_outside(target) })
        }
        ProblemKind::NameNotUtf8 { shown } => Some(Skipped {
            path: problem.path.join(shown).into_string(),
            reason: message!(
                "the name is not valid UTF-8; Skill Workbench does not read it, and the framework may",
                "名称不是有效的 UTF-8；Skill Workbench 不会读取它，而该框架可能会读取"
            ),
        }),
        _ => None,
    })
}

/// The message about a link that was not followed.
pub fn link_outside(target: &str) -> Message {
    message!(
        "the link leads to {target}, outside of the opened folders; Skill Workbench does not read it until you trust it, \
         and the framework does",
        "该链接指向 {target}，位于所打开的文件夹之外；在你信任它之前 Skill Workbench 不会读取，而框架会读取"
    )
}

/// What becomes a [`Catalog`], while a framework loads it.
#[derive(Debug, Default)]
pub struct Loaded {
    pub skills: Vec<CatalogSkill>,
    pub skipped: Vec<Skipped>,
    pub log: Vec<String>,
    pub quirks: Vec<Quirk>,
    pub refused: Option<String>,
}

impl Loaded {
    pub fn skip(&mut self, path: impl Into<String>, reason: impl Into<Message>) {
        self.skipped.push(Skipped { path: path.into(), reason: reason.into() });
    }

    /// Notes the skill in a folder in which a framework does not look. The framework does not report it, but its author
    /// wants to know.
    pub fn skip_in(&mut self, folder: &Folder, reason: &Message) {
        for file in folder.files().filter(|file| file.name == manifest::FILE_NAME) {
            self.skip(file.path.as_str(), reason.clone());
        }
    }

    /// Notes those in a folder and below it, except for folders that the framework reaches in another way. No link is
    /// followed.
    pub fn skip_all(&mut self, folder: &Folder, is_entered: &impl Fn(&Folder) -> bool, reason: &Message) {
        if is_entered(folder) {
            return;
        }
        self.skip_in(folder, reason);
        for inner in folder.folders().filter(|inner| inner.link.is_none()) {
            self.skip_all(inner, is_entered, reason);
        }
    }

    /// Those below a folder.
    pub fn skip_below(&mut self, folder: &Folder, reason: &Message) {
        for inner in folder.folders().filter(|inner| inner.link.is_none()) {
            self.skip_all(inner, &|_| false, reason);
        }
    }

    /// The file of a folder that would be its `SKILL.md` if capitals did not count, or if it could be read.
    pub fn skip_miscased(&mut self, folder: &Folder) {
        if let Some(file) = folder.files().find(|file| file.name.eq_ignore_ascii_case(manifest::FILE_NAME)) {
            let reason = match file.name == manifest::FILE_NAME {
                true => reasons::unread(file).into(),
                false => reasons::wrong_name(&[manifest::FILE_NAME], &file.name),
            };
            self.skip(file.path.as_str(), reason);
        }
    }

    /// Two skills that are called the same are still two: the later one's id gets a number. Calls find the first.
    fn tell_apart(&mut self) {
        let ids: HashSet<&str> = self.skills.iter().map(|skill| skill.id.as_str()).collect();
        if ids.len() == self.skills.len() {
            return;
        }
        let mut known: HashSet<String> = HashSet::new();
        // Where the search for a free number continues.
        let mut next: HashMap<String, usize> = HashMap::new();
        // By folder and what the skill there was called.
        let mut ids: HashMap<Utf8PathBuf, HashMap<String, String>> = HashMap::new();
        for skill in &mut self.skills {
            let called = skill.id.clone();
            if known.contains(&called) {
                let number = next.entry(called.clone()).or_insert(2);
                while known.contains(&format!("{called}#{number}")) {
                    *number += 1;
                }
                skill.id = format!("{called}#{number}");
            }
            known.insert(skill.id.clone());
            if let Some(folder) = &skill.path {
                ids.entry(folder.clone()).or_default().entry(called).or_insert_with(|| skill.id.clone());
            }
        }
        for quirk in &mut self.quirks {
            let (Some(path), Some(called)) = (&quirk.path, &quirk.skill) else { continue };
            let id = path.ancestors().find_map(|folder| ids.get(folder)?.get(called)).cloned();
            if id.is_some() {
                quirk.skill = id;
            }
        }
    }

    /// A framework that refuses to start has no skills.
    pub fn into_catalog(mut self, profile: &Profile, found: &SkillSet, options: &Options) -> Catalog {
        self.skipped.extend(not_met(found));
        self.tell_apart();
        let variant = profile.variant(options.variant.as_deref());
        Catalog {
            harness: profile.id,
            variant: variant.id,
            limits: variant.limits,
            roots: found.roots.iter().map(|root| root.path.clone()).collect(),
            skills: if self.refused.is_none() { self.skills } else { Vec::new() },
            skipped: self.skipped,
            log: self.log,
            quirks: self.quirks,
            refused: self.refused,
            options: options.settings.clone(),
            tool_groups: options.tool_groups.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Harness, QuirkKind};

    #[test]
    fn what_hurts_a_skill_that_is_left_out_goes_with_it() {
        let skill = |id: &str, path: Option<&str>| CatalogSkill {
            id: id.to_owned(),
            name: id.to_owned(),
            description: String::new(),
            path: path.map(Utf8PathBuf::from),
            content: String::new(),
            resources: Vec::new(),
            scripts: Vec::new(),
            detail: Detail::None,
        };
        let quirk = |skill: Option<&str>, path: Option<&str>| Quirk {
            kind: QuirkKind::HiddenByDuplicate,
            skill: skill.map(str::to_owned),
            path: path.map(Utf8PathBuf::from),
            span: None,
            detail: String::new(),
        };
        let skills = [("out", Some("/s/out")), ("in", Some("/s/out/in")), ("inline", None), ("other", None)];
        let loaded = Loaded { skills: skills.iter().map(|(id, path)| skill(id, *path)).collect(), ..Loaded::default() };
        let mut catalog =
            loaded.into_catalog(agent_skills::AgentSkills.profile(), &SkillSet::default(), &Options::default());
        let of_others = [
            quirk(Some("in"), Some("/s/out/in/SKILL.md")),
            quirk(None, Some("/s/out/in/scripts/x.py")),
            quirk(None, Some("/s/elsewhere/SKILL.md")),
            quirk(Some("other"), None),
            quirk(None, None),
        ];
        let of_left_out = [quirk(None, Some("/s/out/notes.md")), quirk(Some("inline"), None), quirk(Some("out"), None)];
        catalog.quirks = of_left_out.iter().chain(&of_others).cloned().collect();
        catalog.leave_out(&["out".to_owned(), "inline".to_owned()]);
        assert_eq!(catalog.skills.iter().map(|skill| &*skill.id).collect::<Vec<_>>(), ["in", "other"]);
        assert_eq!(catalog.quirks, of_others);
    }

    /// Each once tried all numbers before its own, and went through the quirks of all.
    #[test]
    fn thousands_with_one_name_are_distinguished_in_time() {
        const MANY: usize = 20_000;
        let folder = |number: usize| Utf8PathBuf::from(format!("/skills/s{number}"));
        let skill = |number| CatalogSkill {
            id: "same".to_owned(),
            name: "same".to_owned(),
            description: String::new(),
            path: Some(folder(number)),
            content: String::new(),
            resources: Vec::new(),
            scripts: Vec::new(),
            detail: Detail::None,
        };
        let quirk = |number| Quirk {
            kind: QuirkKind::HiddenByDuplicate,
            skill: Some("same".to_owned()),
            path: Some(folder(number).join("SKILL.md")),
            span: None,
            detail: String::new(),
        };
        let mut loaded = Loaded {
            skills: (0..MANY).map(skill).collect(),
            quirks: (0..MANY).map(quirk).collect(),
            ..Loaded::default()
        };
        let began = std::time::Instant::now();
        loaded.tell_apart();
        assert!(began.elapsed().as_secs() < 15, "{:?}", began.elapsed());
        let id = |number: usize| if number == 0 { "same".to_owned() } else { format!("same#{}", number + 1) };
        for number in [0, 1, MANY - 1] {
            assert_eq!(loaded.skills[number].id, id(number));
            assert_eq!(loaded.quirks[number].skill, Some(id(number)));
        }
    }
}
