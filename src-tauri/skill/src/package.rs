//! A skill as one file: a ZIP archive with the skill's folder in it, as `.skill` files are. An archive is checked as a
//! whole, within limits, before anything is written.

use std::collections::HashSet;
use std::io::{self, Cursor, Read, Seek, Write};
use std::path::Component;

use camino::{Utf8Path, Utf8PathBuf};
use wording::{Message, message};
use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use crate::manifest::{FILE_NAME, is_valid_name};
use crate::template::write_whole;
use crate::{Skill, edit};

/// Entries of an archive.
const MOST_FILES: usize = 10_000;
/// Bytes of all files of an archive, unpacked.
const MOST_BYTES: u64 = 256 << 20;

/// Files that systems and tools leave in folders and that nobody means to share.
const LITTER: [&str; 7] =
    [".DS_Store", "Thumbs.db", "__MACOSX", "__pycache__", ".git", "node_modules", ".pytest_cache"];

/// What an archive holds.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Package {
    /// By their folders' names.
    pub skills: Vec<PackedSkill>,
    /// Files that belong to no skill, or are not imported.
    pub left_out: Vec<LeftOut>,
}

/// A skill in a package.
#[derive(Debug, Clone, PartialEq)]
pub struct PackedSkill {
    /// The name of its folder; of a `SKILL.md` that is in no folder, the archive's own without its ending.
    pub folder: String,
    /// `SKILL.md` first, then by name.
    pub files: Vec<PackedFile>,
}

impl PackedSkill {
    /// Writes another name into its `SKILL.md`; the folder's is said to [`unpack`].
    pub fn rename(&mut self, name: &str) -> Result<(), PackageError> {
        if !is_valid_name(name) {
            return Err(PackageError::SkillName { name: name.to_owned() });
        }
        for file in self.files.iter_mut().filter(|file| file.name.eq_ignore_ascii_case(FILE_NAME)) {
            // A text that is none, or that cannot be changed safely, stays; the rules say that its name is not the folder's.
            if let Ok(text) = std::str::from_utf8(&file.bytes) {
                file.bytes = edit::set_field(text, "name", Some(name)).into_bytes();
            }
        }
        Ok(())
    }
}

/// A file of it.
#[derive(Debug, Clone, PartialEq)]
pub struct PackedFile {
    /// Relative to the skill's folder, with `/`.
    pub name: String,
    pub bytes: Vec<u8>,
    pub executable: bool,
}

/// What was not packed, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct LeftOut {
    pub name: String,
    pub why: Message,
}

/// Why a package is not written or read.
#[derive(Debug, thiserror::Error)]
#[error("{}", self.worded().en)]
pub enum PackageError {
    /// The archive cannot be read or written, or the system refused.
    Io(#[from] io::Error),
    /// It is not an archive, or is damaged.
    Broken(String),
    /// A name that would leave the folder, or that not every system can write.
    Name {
        name: String,
    },
    /// Two names that are the same file on systems that ignore case.
    Twice {
        name: String,
    },
    Locked {
        name: String,
    },
    TooMany,
    TooLarge,
    NoSkill,
    Exists {
        path: Utf8PathBuf,
    },
    SkillName {
        name: String,
    },
}

impl PackageError {
    /// The words that follow the file's name in a message.
    pub fn worded(&self) -> Message {
        match self {
            Self::Io(error) => wording::why(error),
            Self::Broken(why) => {
                message!("it is not a readable ZIP archive ({why})", "它不是可读取的 ZIP 归档（{why}）")
            }
            Self::Name { name } => message!(
                "it holds a file with the name {name:?}, which would not stay in the skill's folder on every system; nothing of it is \
                 taken",
                "其中有名为 {name:?} 的文件，在某些系统上会落到技能文件夹之外；因此不取用其中任何内容"
            ),
            Self::Twice { name } => message!(
                "it holds {name:?} twice, apart from upper and lower case",
                "不区分大小写时，其中有两个 {name:?}"
            ),
            Self::Locked { name } => message!("{name:?} in it needs a password", "其中的 {name:?} 需要密码"),
            Self::TooMany => message!("it holds more than {MOST_FILES} files", "其中的文件超过 {MOST_FILES} 个"),
            Self::TooLarge => {
                let most = MOST_BYTES >> 20;
                message!("unpacked it is larger than {most} MiB", "解压后超过 {most} MiB")
            }
            Self::NoSkill => message!("there is no SKILL.md in it", "其中没有 SKILL.md"),
            Self::Exists { path } => message!("{path} already exists", "{path} 已存在"),
            Self::SkillName { name } => message!(
                "`{name}` is not a name for a skill: use a-z, 0-9 and single hyphens between them",
                "`{name}` 不能作为技能名称：只能使用 a-z、0-9 和其间的单个连字符"
            ),
        }
    }
}

/// Writes a skill as an archive: the same files give the same bytes. Links out of the skill's folder are left out, and
/// so are files that nobody means to share; the answer names them.
pub fn pack(skill: &Skill) -> Result<(Vec<u8>, Vec<LeftOut>), PackageError> {
    let folder = skill.path.file_name().unwrap_or("skill");
    let (files, left_out) = files_of(skill)?;
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for file in &files {
        let mode = if file.executable { 0o755 } else { 0o644 };
        let options =
            SimpleFileOptions::default().compression_method(CompressionMethod::Deflated).unix_permissions(mode);
        archive.start_file(format!("{folder}/{}", file.name), options).map_err(broken)?;
        archive.write_all(&file.bytes)?;
    }
    Ok((archive.finish().map_err(broken)?.into_inner(), left_out))
}

/// Another skill next to this one, with the same files and its own name. A failure leaves nothing behind.
pub fn duplicate(skill: &Skill, name: &str) -> Result<(Utf8PathBuf, Vec<LeftOut>), PackageError> {
    let (files, left_out) = files_of(skill)?;
    let mut copy = PackedSkill { folder: name.to_owned(), files };
    copy.rename(name)?;
    let folder = skill.path.parent().unwrap_or(&skill.path);
    Ok((unpack(&copy, folder, name)?, left_out))
}

/// Writes a skill into `folder` under the name `name`, whole or not at all, and never over another. The answer is its path.
pub fn unpack(skill: &PackedSkill, folder: &Utf8Path, name: &str) -> Result<Utf8PathBuf, PackageError> {
    if !is_one_name(name) {
        return Err(PackageError::Name { name: name.to_owned() });
    }
    let path = folder.join(name);
    if std::fs::symlink_metadata(&path).is_ok() {
        return Err(PackageError::Exists { path });
    }
    write_whole(folder, name, skill.files.iter().map(|file| (&*file.name, &file.bytes, file.executable)))?;
    Ok(path)
}

/// The contents of an archive. `name`: the archive's own name, used for a `SKILL.md` that is in no folder.
pub fn look(archive: impl Read + Seek, name: &str) -> Result<Package, PackageError> {
    let mut archive = ZipArchive::new(archive).map_err(broken)?;
    if archive.len() > MOST_FILES {
        return Err(PackageError::TooMany);
    }
    let (mut files, mut left_out) = (Vec::new(), Vec::new());
    let (mut seen, mut left) = (HashSet::new(), MOST_BYTES);
    for at in 0..archive.len() {
        let entry = archive.by_index_raw(at).map_err(broken)?;
        let name = std::str::from_utf8(entry.name_raw()).map(str::to_owned);
        let name = name.map_err(|_| PackageError::Name { name: entry.name().unwrap_or_default().into_owned() })?;
        let (is_folder, is_link, locked) = (entry.is_dir(), entry.is_symlink(), entry.encrypted());
        let executable = entry.unix_mode().is_some_and(|mode| mode & 0o111 != 0);
        drop(entry);
        let Some(parts) = parts(&name) else { return Err(PackageError::Name { name }) };
        if is_folder {
            continue;
        }
        if is_link {
            left_out.push(LeftOut { name, why: message!("it is a link", "它是链接") });
            continue;
        }
        if parts.iter().any(|part| LITTER.contains(part)) {
            left_out.push(LeftOut { why: litter(), name });
            continue;
        }
        if locked {
            return Err(PackageError::Locked { name });
        }
        if !seen.insert(name.to_lowercase()) {
            return Err(PackageError::Twice { name });
        }
        // The sizes that an archive states may be false.
        let bytes = read(archive.by_index(at).map_err(broken)?, left)?;
        left -= bytes.len() as u64;
        files.push(PackedFile { name, bytes, executable });
    }
    // A file cannot be written if another file needs a folder of the same name.
    let folders: HashSet<String> = files
        .iter()
        .flat_map(|file| Utf8Path::new(&file.name).ancestors().skip(1).map(|folder| folder.as_str().to_lowercase()))
        .collect();
    if let Some(file) = files.iter().find(|file| folders.contains(&file.name.to_lowercase())) {
        return Err(PackageError::Twice { name: file.name.clone() });
    }
    let package = sorted(files, left_out, name);
    if package.skills.is_empty() { Err(PackageError::NoSkill) } else { Ok(package) }
}

/// Each file to the outermost folder above it that holds a `SKILL.md`.
fn sorted(files: Vec<PackedFile>, mut left_out: Vec<LeftOut>, name: &str) -> Package {
    let is_manifest = |file: &&PackedFile| {
        Utf8Path::new(&file.name).file_name().is_some_and(|name| name.eq_ignore_ascii_case(FILE_NAME))
    };
    let folders: HashSet<Utf8PathBuf> = files
        .iter()
        .filter(is_manifest)
        .map(|file| Utf8Path::new(&file.name).parent().unwrap_or(Utf8Path::new("")).to_owned())
        .collect();
    let mut skills: Vec<(Utf8PathBuf, PackedSkill)> = Vec::new();
    for file in files {
        let path = Utf8PathBuf::from(&file.name);
        let outermost = path.ancestors().skip(1).filter(|folder| folders.contains(*folder)).last();
        let Some(folder) = outermost else {
            left_out
                .push(LeftOut { name: file.name, why: message!("it belongs to no skill", "它不属于任何技能") });
            continue;
        };
        let inner = path.strip_prefix(folder).unwrap_or(&path).to_string();
        let file = PackedFile { name: inner, ..file };
        match skills.iter_mut().find(|(known, _)| known == folder) {
            Some((_, skill)) => skill.files.push(file),
            None => {
                let called = folder.file_name().unwrap_or(name).to_owned();
                skills.push((folder.to_owned(), PackedSkill { folder: called, files: vec![file] }));
            }
        }
    }
    let mut skills: Vec<PackedSkill> = skills.into_iter().map(|(_, skill)| skill).collect();
    for skill in &mut skills {
        skill.files.sort_by_key(|file| (!file.name.eq_ignore_ascii_case(FILE_NAME), file.name.clone()));
    }
    skills.sort_by(|a, b| a.folder.cmp(&b.folder));
    Package { skills, left_out }
}

/// The files of a skill on disk.
fn files_of(skill: &Skill) -> Result<(Vec<PackedFile>, Vec<LeftOut>), PackageError> {
    let (mut files, mut left_out) = (Vec::new(), Vec::new());
    let mut left = MOST_BYTES;
    for file in &skill.files {
        let name = file.name.clone();
        if file.outside {
            left_out.push(LeftOut {
                name, why: message!("it is a link that leads outside", "它是指向外部的链接")
            });
            continue;
        }
        if name.split('/').any(|part| LITTER.contains(&part)) {
            left_out.push(LeftOut { name, why: litter() });
            continue;
        }
        if files.len() == MOST_FILES {
            return Err(PackageError::TooMany);
        }
        let (opened, facts) = disk::open(&file.path)?;
        let bytes = read(opened, left)?;
        left -= bytes.len() as u64;
        files.push(PackedFile { name, bytes, executable: is_executable(&facts) });
    }
    Ok((files, left_out))
}

fn read(stream: impl Read, most: u64) -> Result<Vec<u8>, PackageError> {
    disk::read_stream(stream, most).map_err(|error| match error.kind() {
        io::ErrorKind::FileTooLarge => PackageError::TooLarge,
        // The bytes do not unpack, or not to what their checksum says.
        io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput => PackageError::Broken(error.to_string()),
        _ => PackageError::Io(error),
    })
}

fn litter() -> Message {
    message!("a system or a tool left it there", "它是系统或工具留下的")
}

fn broken(error: ZipError) -> PackageError {
    match error {
        ZipError::Io(error) => PackageError::Io(error),
        other => PackageError::Broken(other.to_string()),
    }
}

/// The parts of a name that stays below a folder on every system; `None` for one that would not.
fn parts(name: &str) -> Option<Vec<&str>> {
    let name = name.strip_suffix('/').unwrap_or(name);
    let parts: Vec<&str> = name.split('/').collect();
    parts.iter().all(|part| is_one_name(part)).then_some(parts)
}

fn is_one_name(name: &str) -> bool {
    let mut components = std::path::Path::new(name).components();
    matches!((components.next(), components.next()), (Some(Component::Normal(_)), None))
        && !name.contains(|c: char| c.is_control() || matches!(c, '/' | '\\' | ':'))
        && name.len() <= 255
}

#[cfg(unix)]
fn is_executable(facts: &std::fs::Metadata) -> bool {
    std::os::unix::fs::PermissionsExt::mode(&facts.permissions()) & 0o111 != 0
}

#[cfg(not(unix))]
fn is_executable(_: &std::fs::Metadata) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::template::make_executable;
    use crate::{load, skills};

    fn folder() -> (tempfile::TempDir, Utf8PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::try_from(folder.path().canonicalize().unwrap()).unwrap();
        (folder, path)
    }

    fn manifest(name: &str) -> String {
        format!("---\nname: {name}\ndescription: Counts words.\n---\n# Counting\n")
    }

    /// A skill with a script that can be run and a picture.
    fn written(root: &Utf8Path, name: &str) -> Skill {
        let at = root.join(name);
        std::fs::create_dir_all(at.join("scripts")).unwrap();
        std::fs::create_dir_all(at.join("__pycache__")).unwrap();
        std::fs::write(at.join("SKILL.md"), manifest(name)).unwrap();
        std::fs::write(at.join("scripts/run.sh"), "echo hi\n").unwrap();
        make_executable(at.join("scripts/run.sh").as_std_path()).unwrap();
        std::fs::write(at.join("logo.png"), [0u8, 159, 146, 150]).unwrap();
        std::fs::write(at.join("__pycache__/run.pyc"), "x").unwrap();
        skills(&load(&[root.to_owned()])).into_iter().find(|skill| skill.path == at).unwrap()
    }

    /// An archive with these entries, as they are.
    fn archive(entries: &[(&str, &str)]) -> Cursor<Vec<u8>> {
        let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, text) in entries {
            let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
            archive.start_file(*name, options).unwrap();
            archive.write_all(text.as_bytes()).unwrap();
        }
        archive.finish().unwrap()
    }

    fn refused(entries: &[(&str, &str)]) -> String {
        look(archive(entries), "it").unwrap_err().to_string()
    }

    #[test]
    fn a_skill_comes_out_of_its_archive_as_it_went_in() {
        let (_guard, root) = folder();
        let skill = written(&root, "count-words");
        let (bytes, left_out) = pack(&skill).unwrap();
        assert_eq!(pack(&skill).unwrap().0, bytes, "the same files give the same bytes");
        let names = |left_out: &[LeftOut]| left_out.iter().map(|each| each.name.clone()).collect::<Vec<_>>();
        assert_eq!(names(&left_out), ["__pycache__/run.pyc"]);
        let package = look(Cursor::new(bytes), "anything").unwrap();
        assert_eq!(package.left_out, []);
        let [packed] = &*package.skills else { panic!("one skill") };
        assert_eq!(packed.folder, "count-words");
        let told: Vec<_> = packed.files.iter().map(|file| (&*file.name, file.executable)).collect();
        assert_eq!(told, [("SKILL.md", false), ("logo.png", false), ("scripts/run.sh", cfg!(unix))]);

        let path = unpack(packed, &root, "again").unwrap();
        for file in ["SKILL.md", "logo.png", "scripts/run.sh"] {
            assert_eq!(std::fs::read(path.join(file)).unwrap(), std::fs::read(skill.path.join(file)).unwrap());
        }
        assert_eq!(is_executable(&std::fs::metadata(path.join("scripts/run.sh")).unwrap()), cfg!(unix));
        let error = unpack(packed, &root, "again").unwrap_err();
        assert_eq!(error.to_string(), format!("{path} already exists"));
        assert!(unpack(packed, &root, "../out").is_err());
    }

    #[test]
    fn a_copy_has_the_files_and_its_own_name() {
        let (_guard, root) = folder();
        let skill = written(&root, "count-words");
        let (path, _) = duplicate(&skill, "count-words-2").unwrap();
        assert_eq!(std::fs::read_to_string(path.join("SKILL.md")).unwrap(), manifest("count-words-2"));
        assert_eq!(std::fs::read(path.join("logo.png")).unwrap(), [0u8, 159, 146, 150]);
        assert!(duplicate(&skill, "Count Words").unwrap_err().to_string().starts_with("`Count Words` is not a name"));
        let mut left: Vec<String> =
            root.read_dir_utf8().unwrap().map(|entry| entry.unwrap().file_name().to_owned()).collect();
        left.sort();
        assert_eq!(left, ["count-words", "count-words-2"], "nothing is left of what did not work");
    }

    #[test]
    fn skills_are_found_where_they_lie_and_the_rest_is_named() {
        let a = manifest("a");
        let package = look(
            archive(&[
                ("set/a/SKILL.md", &a),
                ("set/a/inner/SKILL.md", "belongs to a"),
                ("set/b/skill.md", "b"),
                ("set/README.md", "about both"),
                ("__MACOSX/set/a/._SKILL.md", "x"),
                ("set/a/", ""),
            ]),
            "set",
        )
        .unwrap();
        let told: Vec<(&str, Vec<&str>)> = package
            .skills
            .iter()
            .map(|skill| (&*skill.folder, skill.files.iter().map(|file| &*file.name).collect()))
            .collect();
        assert_eq!(told, [("a", vec!["SKILL.md", "inner/SKILL.md"]), ("b", vec!["skill.md"])]);
        let left: Vec<_> = package.left_out.iter().map(|each| (&*each.name, &*each.why.en)).collect();
        assert_eq!(
            left,
            [
                ("__MACOSX/set/a/._SKILL.md", "a system or a tool left it there"),
                ("set/README.md", "it belongs to no skill")
            ]
        );
        let bare = look(archive(&[("SKILL.md", &a), ("references/guide.md", "g")]), "count-words").unwrap();
        assert_eq!(bare.skills[0].folder, "count-words");
    }

    #[test]
    fn names_that_would_leave_the_folder_are_refused_whole() {
        for name in [
            "../SKILL.md",
            "a/../../SKILL.md",
            "/etc/SKILL.md",
            "a\\..\\SKILL.md",
            "C:/SKILL.md",
            "a//SKILL.md",
            "a/\u{1b}[2J",
        ] {
            assert_eq!(
                refused(&[("a/SKILL.md", "x"), (name, "x")]),
                PackageError::Name { name: name.to_owned() }.to_string()
            );
        }
        assert_eq!(
            refused(&[("a/SKILL.md", "x"), ("a/skill.md", "y")]),
            "it holds \"a/skill.md\" twice, apart from upper and lower case"
        );
        assert!(refused(&[("a/SKILL.md", "x"), ("a/B", "y"), ("a/b/c", "z")]).contains("twice"));
        assert_eq!(refused(&[("README.md", "x")]), "there is no SKILL.md in it");
        let nothing = look(Cursor::new(b"PK no".to_vec()), "it").unwrap_err().to_string();
        assert!(nothing.starts_with("it is not a readable ZIP archive"), "{nothing}");
    }

    #[test]
    fn a_bomb_and_links_do_no_harm() {
        let zeros = "0".repeat(1 << 20);
        let bomb: Vec<(String, &str)> = (0..=MOST_BYTES >> 20).map(|at| (format!("a/{at}"), &*zeros)).collect();
        let entries: Vec<(&str, &str)> =
            [("a/SKILL.md", "x")].into_iter().chain(bomb.iter().map(|(name, text)| (&**name, *text))).collect();
        assert_eq!(refused(&entries), "unpacked it is larger than 256 MiB");

        let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
        archive.start_file("a/SKILL.md", SimpleFileOptions::default()).unwrap();
        archive.write_all(b"x").unwrap();
        archive.add_symlink("a/secret", "/etc/passwd", SimpleFileOptions::default()).unwrap();
        let package = look(archive.finish().unwrap(), "it").unwrap();
        assert_eq!(
            package.left_out,
            [LeftOut { name: "a/secret".to_owned(), why: message!("it is a link", "它是链接") }]
        );
        assert_eq!(package.skills[0].files.len(), 1);
    }

    #[test]
    fn any_byte_may_be_broken() {
        let (_guard, root) = folder();
        let (bytes, _) = pack(&written(&root, "count-words")).unwrap();
        for at in 0..bytes.len() {
            let mut broken = bytes.clone();
            broken[at] ^= 0xff;
            // An error or the contents; never a panic.
            let _ = look(Cursor::new(broken), "it");
            let _ = look(Cursor::new(bytes[..at].to_vec()), "it");
        }
    }
}
