//! Which skills the demo's `init_skills` lists. Python's `os.listdir` gives folders in the order of the file system; here
//! they come as the tree has them, which is sorted by name. One folder without a readable `SKILL.md` ends the listing,
//! and without a list there is no `Skill` tool: the agent goes on without it.

use camino::Utf8Path;

use super::manifest::{self, Manifest};
use super::{python, quirks};
use crate::reasons;
use crate::{CatalogBody, CatalogFile, CatalogSkill, Detail, Loaded, QuirkKind};
use config::InlineSkill;
use skill::files::files_of;
use skill::source::SourceText;
use skill::{FileKind, Folder, SkillFile, SkillSet};
use wording::{Message, Wording, message};

const UNFRAMED: Wording =
    Wording::new("does not begin with frontmatter between two lines `---`", "开头没有位于两行 `---` 之间的前置元数据");
const IN_ITSELF: Wording = Wording::new(
    "lies in the folder of skills itself, not in a folder of its own",
    "位于技能文件夹本身，而不是自己的文件夹",
);
const HIDDEN: Wording = Wording::new("the folder's name starts with a dot", "文件夹名称以点开头");

pub const MANIFEST: &str = "SKILL.md";

/// What the demo's loader finds in the folders, and why it leaves out the rest. It knows no inline skills.
pub fn load(found: &SkillSet, inline: &[InlineSkill]) -> Loaded {
    let mut loaded = Loaded::default();
    for skill in inline {
        loaded.skip(&skill.name, reasons::FOLDERS_ONLY);
    }
    let folders = || found.roots.iter().flat_map(|root| root.tree.folders()).filter(|folder| is_candidate(folder));
    let listed = unreadable_root(found).map_or_else(|| folders().try_for_each(|folder| list(folder, &mut loaded)), Err);
    overlooked(found, &mut loaded);
    match listed {
        Ok(()) => loaded.quirks.extend(quirks::of_list(&loaded.skills)),
        Err(broken) => {
            loaded.skills.clear();
            loaded.quirks.clear();
            for folder in folders() {
                let file = folder.path.join(MANIFEST);
                let known = file == broken.path || loaded.skipped.iter().any(|skipped| file == skipped.path);
                if !known && folder.files().any(|file| file.name == MANIFEST) {
                    let at = &broken.path;
                    loaded.skip(
                        file,
                        message!("the listing of all skills failed at {at}", "列出所有技能时在 {at} 处失败"),
                    );
                }
            }
            let reason = &*broken.reason;
            let left_out =
                message!("{reason}; this keeps all skills from the model", "{reason}；这使模型看不到任何技能"; reason);
            loaded.skip(&broken.path, left_out);
            // Words of ours are in the reason, in each language; a detail is of the framework or of the skill.
            let detail = if reason.en == reason.zh { &*reason.en } else { "" };
            loaded.quirks.push(quirks::of_path(broken.kind, &broken.blamed, detail));
            loaded.log.push(format!("ERROR: 💥 技能初始化失败: {}", broken.error));
        }
    }
    if loaded.skills.is_empty() {
        loaded.log.push("WARNING: ⚠️ 没有找到可用的技能，跳过工具生成".into());
    }
    loaded
}

/// What ends the listing.
struct Broken {
    path: String,
    /// The folder or file to put right.
    blamed: camino::Utf8PathBuf,
    kind: QuirkKind,
    reason: Box<Message>,
    /// The exception's text.
    error: String,
}

impl Broken {
    fn os_error(path: &Utf8Path, number: u32, text: &str, blamed: &Utf8Path, kind: QuirkKind, reason: Message) -> Self {
        Self {
            path: path.to_string(),
            blamed: blamed.to_owned(),
            kind,
            reason: Box::new(reason),
            error: format!("[Errno {number}] {text}: {}", python::repr_text(path.as_str())),
        }
    }
}

fn is_candidate(folder: &Folder) -> bool {
    !folder.name.starts_with('.')
}

fn unreadable_root(found: &SkillSet) -> Option<Broken> {
    let root = found.roots.iter().find(|root| !root.tree.listed && root.tree.entries.is_empty())?;
    let reason = message!("the folder of skills cannot be listed", "无法列出技能文件夹");
    let kind = QuirkKind::OneBadSkillFailsAll;
    Some(Broken::os_error(&root.path, 2, "No such file or directory", &root.path, kind, reason))
}

fn list(folder: &Folder, loaded: &mut Loaded) -> Result<(), Broken> {
    if let Some(file) = folder.files().find(|file| file.name == MANIFEST && !file.is_regular) {
        loaded.skip(file.path.as_str(), reasons::not_regular());
        return Ok(());
    }
    let source = read(folder)?;
    let Some(manifest) = manifest::read(source) else {
        loaded.log.push(format!("ERROR: ❌ 技能 '{}' 格式无效，缺少YAML前置内容", folder.name));
        loaded.skip(source.path.as_str(), UNFRAMED);
        if source.bom {
            loaded.quirks.push(quirks::of_path(QuirkKind::ByteOrderMark, &source.path, ""));
        }
        return Ok(());
    };
    let skill = skill(folder, &manifest);
    loaded.quirks.extend(quirks::of_skill(&skill, &manifest, source));
    loaded.skills.push(skill);
    Ok(())
}

fn read(folder: &Folder) -> Result<&SourceText, Broken> {
    let path = folder.path.join(MANIFEST);
    let fails = |number, text, reason: Message| {
        Broken::os_error(&path, number, text, &path, QuirkKind::OneBadSkillFailsAll, reason)
    };
    if folder.folders().any(|inner| inner.name == MANIFEST) {
        return Err(fails(21, "Is a directory", message!("SKILL.md is a folder", "SKILL.md 是文件夹")));
    }
    let file = folder.files().find(|file| file.name == MANIFEST);
    let Some(file) = file.filter(|file| !file.link.as_ref().is_some_and(|link| link.broken)) else {
        let kind = QuirkKind::MissingManifestRemovesTool;
        let other = folder.files().find(|file| file.name.eq_ignore_ascii_case(MANIFEST) && file.name != MANIFEST);
        let reason = other.map_or_else(
            || message!("the folder has no SKILL.md", "该文件夹没有 SKILL.md"),
            |other| {
                message!(
                    "the folder has no SKILL.md; {} is another name",
                    "该文件夹没有 SKILL.md；{} 是另一个名称",
                    other.name
                )
            },
        );
        return Err(Broken::os_error(&path, 2, "No such file or directory", &folder.path, kind, reason));
    };
    let Some(source) = file.source.as_deref() else {
        return Err(fails(13, "Permission denied", message!("SKILL.md cannot be read", "无法读取 SKILL.md")));
    };
    match source.invalid_at {
        None => Ok(source),
        Some(at) => Err(Broken {
            error: format!("'utf-8' codec can't decode byte in position {at}"),
            ..fails(0, "", message!("SKILL.md is not UTF-8", "SKILL.md 不是 UTF-8"))
        }),
    }
}

fn skill(folder: &Folder, manifest: &Manifest) -> CatalogSkill {
    let text = |value: &Option<manifest::Value>, default: &str| {
        value.as_ref().map_or_else(|| default.to_owned(), |value| value.text.clone())
    };
    let files: Vec<SkillFile> = files_of(folder).into_iter().filter(|file| file.kind != FileKind::Manifest).collect();
    CatalogSkill {
        id: folder.name.clone(),
        name: text(&manifest.name, &folder.name),
        description: text(&manifest.description, "No description available"),
        path: Some(folder.path.clone()),
        content: format!("Base directory for this skill: {}\n\n{}", folder.path, manifest.body),
        resources: reachable(&files, |kind| kind != FileKind::Script),
        scripts: reachable(&files, |kind| kind == FileKind::Script),
        detail: Detail::None,
    }
}

/// The framework lists no files; these can be reached below the base directory that it names.
fn reachable(files: &[SkillFile], of: fn(FileKind) -> bool) -> Vec<CatalogFile> {
    let wanted = files.iter().filter(|file| of(file.kind));
    let listed = wanted.map(|file| CatalogFile {
        name: file.name.clone(),
        description: None,
        body: CatalogBody::File(file.path.clone()),
    });
    listed.collect()
}

/// Skills in places where the framework does not look. The framework does not report them, but their authors want to
/// know.
fn overlooked(found: &SkillSet, loaded: &mut Loaded) {
    fn below(folder: &Folder, loaded: &mut Loaded) {
        for inner in folder.folders().filter(|inner| inner.link.is_none()) {
            for file in inner.files().filter(|file| file.name == MANIFEST) {
                loaded.skip(file.path.as_str(), reasons::ONE_LEVEL);
            }
            below(inner, loaded);
        }
    }
    for root in &found.roots {
        for file in root.tree.files().filter(|file| file.name == MANIFEST) {
            loaded.skip(file.path.as_str(), IN_ITSELF);
        }
        for folder in root.tree.folders().filter(|folder| folder.link.is_none()) {
            if !is_candidate(folder) {
                for file in folder.files().filter(|file| file.name == MANIFEST) {
                    loaded.skip(file.path.as_str(), HIDDEN);
                }
            }
            below(folder, loaded);
        }
    }
}
