//! Skills as one file for export and import, and copies of a skill. An archive is examined completely before anything
//! is kept: its contents, and the findings of rules.

use std::collections::BTreeMap;
use std::io::Cursor;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};

use super::dto::{
    LintArgs, PackageLeftOut, PackageLook, PackageOpenArgs, PackageSaveArgs, PackageSaved, PackagedFile, PackagedSkill,
    PathArgs, ProjectSettings, SkillArgs, SkillCopyArgs, SkillSummary, TierTokens,
};
use super::error::{ApiError, Code, Tried};
use super::judge::Judges;
use super::skills::Counting;
use super::trust::{Open, Trusted};
use super::{Workbench, absolute, blocking, convert, skills};
use lint::Disk;
use model::tokens::Tokenizer;
use skill::package::{self, LeftOut, Package, PackageError, PackedSkill};
use skill::{Severity, Skill};
use wording::message;

/// The largest archive that is examined, in bytes.
const ARCHIVE_LIMIT: u64 = 128 << 20;

impl Workbench {
    /// Writes a skill as one file, whole.
    pub async fn package_save(&self, args: PackageSaveArgs) -> Result<PackageSaved, ApiError> {
        let skill = self.skill_at(&args.skill).await?;
        let path = absolute(Utf8Path::new(&args.path));
        blocking(move || {
            let (bytes, left_out) = package::pack(&skill).map_err(|error| refused(&skill.path, error))?;
            disk::write_atomically(&path, &bytes).map_err(|error| ApiError::io(&path, Tried::Write, error))?;
            Ok(PackageSaved {
                path: path.into_string(),
                files: count(skill.files.len() - left_out.len()),
                bytes: bytes.len() as u64,
                left_out: named(left_out),
            })
        })
        .await
    }

    /// The contents of an archive, and the findings of all rules of the recommended profile, whatever the archive's own
    /// settings and comments say. Nothing stays on the disk.
    pub async fn package_look(&self, args: PathArgs) -> Result<PackageLook, ApiError> {
        let path = absolute(Utf8Path::new(&args.path));
        let tokenizer = self.tokenizer();
        blocking(move || {
            let (package, version) = read(&path)?;
            look(package, version, tokenizer).map_err(|error| refused(&path, error))
        })
        .await
    }

    /// Imports skills from an archive that was examined into an open folder, each as a whole. Without `names`, all of
    /// them. Those in `renamed` get the folder's name in their `SKILL.md` too.
    pub async fn package_open(&self, args: PackageOpenArgs) -> Result<Vec<SkillSummary>, ApiError> {
        let (path, folder) = (absolute(Utf8Path::new(&args.path)), absolute(Utf8Path::new(&args.folder)));
        let made = blocking(move || {
            let (mut package, version) = read(&path)?;
            if args.version.is_some_and(|looked_at| looked_at != version) {
                return Err(ApiError::new(
                    Code::Invalid,
                    message!("{path} has changed since you looked at it", "{path} 在你查看之后已改变"),
                )
                .hint(message!("look at it again", "请重新查看"))
                .at(&path));
            }
            for skill in package.skills.iter_mut().filter(|skill| args.renamed.contains(&skill.folder)) {
                let name = args.names.get(&skill.folder).unwrap_or(&skill.folder).clone();
                skill.rename(&name).map_err(|error| refused(&path, error))?;
            }
            let wanted = wanted(&package, &args.names, &path)?;
            // Nothing is written if one of them could not be.
            for (_, name) in &wanted {
                let place = folder.join(name);
                if std::fs::symlink_metadata(&place).is_ok() {
                    return Err(refused(&path, PackageError::Exists { path: place }));
                }
            }
            wanted
                .into_iter()
                .map(|(skill, name)| {
                    package::unpack(skill, &folder, name).map_err(|error| match error {
                        PackageError::Io(error) => ApiError::io(&folder.join(name), Tried::Write, error),
                        other => refused(&path, other),
                    })
                })
                .collect::<Result<Vec<_>, _>>()
        })
        .await?;
        self.forget_loaded();
        let mut taken = Vec::new();
        for path in made {
            taken.push(self.skill_get(SkillArgs { id: path.into_string() }).await?.summary);
        }
        Ok(taken)
    }

    /// Another skill next to one, with the same files and its own name.
    pub async fn skill_copy(&self, args: SkillCopyArgs) -> Result<SkillSummary, ApiError> {
        let skill = self.skill_at(&args.skill).await?;
        let made = blocking(move || {
            package::duplicate(&skill, &args.name).map(|(path, _)| path).map_err(|error| refused(&skill.path, error))
        })
        .await?;
        self.forget_loaded();
        Ok(self.skill_get(SkillArgs { id: made.into_string() }).await?.summary)
    }

    /// As it is on disk now.
    async fn skill_at(&self, id: &str) -> Result<Skill, ApiError> {
        self.forget_loaded();
        let loaded = self.loaded().await;
        loaded.skills.iter().find(|skill| skill.path == id).cloned().ok_or_else(|| skills::gone(id))
    }
}

fn read(path: &Utf8Path) -> Result<(Package, String), ApiError> {
    let bytes = disk::read(path, ARCHIVE_LIMIT).map_err(|error| ApiError::io(path, Tried::Read, error))?;
    let version = disk::digest(&bytes);
    let name = path.file_stem().unwrap_or("skill");
    let package = package::look(Cursor::new(bytes), name).map_err(|error| refused(path, error))?;
    Ok((package, version))
}

/// The skills of these names in the archive, each with the name it is to have.
fn wanted<'a>(
    package: &'a Package,
    names: &'a BTreeMap<String, String>,
    path: &Utf8Path,
) -> Result<Vec<(&'a PackedSkill, &'a str)>, ApiError> {
    if names.is_empty() {
        return Ok(package.skills.iter().map(|skill| (skill, &*skill.folder)).collect());
    }
    let found = names.iter().map(|(folder, name)| {
        let skill = package.skills.iter().find(|skill| skill.folder == *folder).ok_or_else(|| {
            ApiError::new(
                Code::Unknown,
                message!("there is no skill `{folder}` in {path}", "{path} 中没有技能 `{folder}`"),
            )
        })?;
        Ok((skill, &**name))
    });
    found.collect()
}

fn look(package: Package, version: String, tokenizer: Tokenizer) -> Result<PackageLook, PackageError> {
    let place = tempfile::Builder::new().prefix("skill-workbench-look-").tempdir()?;
    let root = Utf8PathBuf::try_from(place.path().canonicalize()?).map_err(camino::FromPathBufError::into_io_error)?;
    for skill in &package.skills {
        package::unpack(skill, &root, &skill.folder)?;
    }
    let set = Arc::new(skill::load(std::slice::from_ref(&root)));
    let found = skill::skills(&set);
    let args = LintArgs { profile: None, select: Vec::new(), ignore: Vec::new(), settings: ProjectSettings::Ignored };
    let judges = Judges::of(&set, &BTreeMap::new());
    // The rules of the program itself are always known.
    let judges = judges.with(&args, &BTreeMap::new()).unwrap_or(judges);
    let counting = Counting { open: Open::of(std::slice::from_ref(&root), &Trusted::default()), tokenizer };
    let inside =
        |path: &str| Utf8Path::new(path).strip_prefix(&root).map_or_else(|_| path.to_owned(), ToString::to_string);
    let skills = package.skills.iter().map(|packed| {
        let path = root.join(&packed.folder);
        let files =
            packed.files.iter().map(|file| PackagedFile { name: file.name.clone(), size: file.bytes.len() as u64 });
        let skill = found.iter().find(|skill| skill.path == path);
        let mut findings =
            skill.map(|skill| convert::findings(judges.of_path(&path).found_in(skill), &Disk)).unwrap_or_default();
        let mut security = skill.and_then(|skill| {
            let found = judges.of_path(&path).security_of(skill)?;
            Some(convert::security(Utf8Path::new(&packed.folder), found, &Disk))
        });
        let evidence = security.iter_mut().flat_map(|security| &mut security.evidence);
        for finding in findings.iter_mut().chain(evidence.map(|evidence| &mut evidence.finding)) {
            finding.path = inside(&finding.path);
            finding.steps.iter_mut().for_each(|step| step.path = inside(&step.path));
        }
        let of_security = |severity: Severity| {
            let evidence = security.iter().flat_map(|security| &security.evidence);
            count(evidence.filter(|evidence| evidence.finding.severity == severity).count())
        };
        PackagedSkill {
            folder: packed.folder.clone(),
            name: skill.map_or_else(|| packed.folder.clone(), |skill| skill.name().to_owned()),
            description: skill.map(|skill| skills::description(&skill.manifest).to_owned()).unwrap_or_default(),
            files: files.collect(),
            tokens: skill.map_or(TierTokens { catalogue: 0, instructions: 0, resources: 0 }, |skill| {
                skills::tokens_of(skill, &counting)
            }),
            security_errors: of_security(Severity::Error),
            security_warnings: of_security(Severity::Warning),
            security_hints: of_security(Severity::Info),
            security,
            findings,
        }
    });
    Ok(PackageLook { version, skills: skills.collect(), left_out: named(package.left_out) })
}

fn named(left_out: Vec<LeftOut>) -> Vec<PackageLeftOut> {
    left_out.into_iter().map(|LeftOut { name, why }| PackageLeftOut { name, why }).collect()
}

fn count(of: usize) -> u32 {
    u32::try_from(of).unwrap_or(u32::MAX)
}

fn refused(path: &Utf8Path, error: PackageError) -> ApiError {
    let (code, hint) = match error {
        PackageError::Io(error) => return ApiError::io(path, Tried::Read, error),
        PackageError::Exists { .. } => (Code::Exists, message!("choose another name", "请换一个名称")),
        PackageError::SkillName { .. } => (Code::Invalid, message!("choose another name", "请换一个名称")),
        PackageError::Name { .. } | PackageError::Twice { .. } => (
            Code::Invalid,
            message!(
                "do not unpack it by other means before you know who made it",
                "在弄清来源之前，请不要用其他方式解压"
            ),
        ),
        PackageError::Broken(_)
        | PackageError::Locked { .. }
        | PackageError::TooMany
        | PackageError::TooLarge
        | PackageError::NoSkill => {
            (Code::Invalid, message!("check that it is the file you mean", "请确认这是你要的文件"))
        }
    };
    let why = error.worded();
    ApiError::new(code, message!("{path}: {why}", "{path}：{why}"; why)).hint(hint).at(path)
}
