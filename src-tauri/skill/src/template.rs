//! New skills: what they start with, and how they get onto the disk whole or not at all.

use std::fs;
use std::io;

use camino::{Utf8Path, Utf8PathBuf};

use wording::{Message, message};

use super::edit::scalar;
use super::manifest::{DESCRIPTION_LIMIT, FILE_NAME, NAME_LIMIT, is_valid_name};

/// Something to start a skill from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Template {
    pub id: &'static str,
    pub title: &'static str,
    pub summary: &'static str,
    pub files: &'static [TemplateFile],
}

/// `{{name}}`, `{{title}}` and `{{description}}` in the text are replaced by the skill's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TemplateFile {
    /// Relative to the skill's folder, with `/`.
    pub path: &'static str,
    pub text: &'static str,
    pub executable: bool,
}

/// Why no skill could be made from a template.
#[derive(Debug, thiserror::Error)]
#[error("{}", self.worded().en)]
pub enum TemplateError {
    Name { name: String },
    DescriptionEmpty,
    DescriptionTooLong { length: usize },
    Unknown { id: String, known: String },
    Exists { path: Utf8PathBuf },
    Write { path: Utf8PathBuf, source: io::Error },
}

impl TemplateError {
    /// What failed, in both languages.
    pub fn worded(&self) -> Message {
        match self {
            Self::Name { name } => message!(
                "`{name}` is not a name for a skill: use a-z, 0-9 and single hyphens between them, at most {NAME_LIMIT} \
                 characters",
                "`{name}` 不能作为技能名称：只能使用 a-z、0-9 和其间的单个连字符，最多 {NAME_LIMIT} 个字符"
            ),
            Self::DescriptionEmpty => message!(
                "the description is empty: say what the skill does and when to use it",
                "描述是空的：请写明技能做什么、何时使用"
            ),
            Self::DescriptionTooLong { length } => message!(
                "the description has {length} characters; at most {DESCRIPTION_LIMIT} are allowed",
                "描述有 {length} 个字符；最多允许 {DESCRIPTION_LIMIT} 个"
            ),
            Self::Unknown { id, known } => {
                message!("there is no template `{id}`; available: {known}", "没有模板 `{id}`；可用的有：{known}")
            }
            Self::Exists { path } => message!("{path} already exists", "{path} 已存在"),
            Self::Write { path, source } => {
                let why = wording::why(source);
                message!("cannot create {path}: {why}", "无法创建 {path}：{why}"; why)
            }
        }
    }
}

/// Those that a new skill can begin with, the plainest first.
pub fn templates() -> &'static [Template] {
    &TEMPLATES
}

/// Creates a skill in `folder` and returns its own folder. A failure leaves nothing behind.
pub fn create(folder: &Utf8Path, name: &str, description: &str, template: &str) -> Result<Utf8PathBuf, TemplateError> {
    if !is_valid_name(name) {
        return Err(TemplateError::Name { name: name.to_owned() });
    }
    let description = description.trim();
    if description.is_empty() {
        return Err(TemplateError::DescriptionEmpty);
    }
    let length = description.chars().count();
    if length > DESCRIPTION_LIMIT {
        return Err(TemplateError::DescriptionTooLong { length });
    }
    let Some(template) = TEMPLATES.iter().find(|known| known.id == template) else {
        let known = TEMPLATES.map(|known| format!("`{}`", known.id)).join(", ");
        return Err(TemplateError::Unknown { id: template.to_owned(), known });
    };
    let path = folder.join(name);
    if fs::symlink_metadata(&path).is_ok() {
        return Err(TemplateError::Exists { path });
    }
    let files = template.files.iter();
    let files = files.map(|file| (file.path, filled(file.text, name, description).into_bytes(), file.executable));
    match write_whole(folder, name, files) {
        Ok(()) => Ok(path),
        Err(source) => Err(TemplateError::Write { path, source }),
    }
}

const TEMPLATES: [Template; 3] = [
    Template {
        id: "minimal",
        title: "Minimal",
        summary: "Instructions only: one SKILL.md.",
        files: &[text(FILE_NAME, include_str!("templates/minimal/SKILL.md"))],
    },
    Template {
        id: "with-reference",
        title: "With a reference",
        summary: "Short instructions, and a guide that is read when it is needed.",
        files: &[
            text(FILE_NAME, include_str!("templates/with-reference/SKILL.md")),
            text("references/guide.md", include_str!("templates/with-reference/guide.md")),
        ],
    },
    Template {
        id: "with-script",
        title: "With a script",
        summary: "Instructions that run a Python script and use what it prints.",
        files: &[
            text(FILE_NAME, include_str!("templates/with-script/SKILL.md")),
            TemplateFile {
                path: "scripts/count.py",
                text: include_str!("templates/with-script/count.py"),
                executable: true,
            },
        ],
    },
];

const fn text(path: &'static str, text: &'static str) -> TemplateFile {
    TemplateFile { path, text, executable: false }
}

const STAGING: &str = ".new-skill-";

/// Writes a folder of files into a hidden folder next to it and moves it into place, so that no one sees half a skill.
/// Each file is its path in the folder, its bytes, and whether it is executable.
pub(crate) fn write_whole<'a, B: AsRef<[u8]>>(
    folder: &Utf8Path,
    name: &str,
    files: impl Iterator<Item = (&'a str, B, bool)>,
) -> io::Result<()> {
    disk::sweep(folder, STAGING);
    let staging = tempfile::Builder::new().prefix(STAGING).tempdir_in(folder)?;
    let _claim = staging.path().try_into().ok().and_then(disk::claim);
    let skill = staging.path().join(name);
    for (file, bytes, executable) in files {
        let path = skill.join(file);
        fs::create_dir_all(path.parent().unwrap_or(&skill))?;
        fs::write(&path, bytes)?;
        if executable {
            make_executable(&path)?;
        }
    }
    fs::rename(&skill, folder.join(name))
}

/// One pass, so that a description with `{{name}}` in it stays as it is.
fn filled(text: &str, name: &str, description: &str) -> String {
    let mut out = String::with_capacity(text.len() + description.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("{{") {
        out.push_str(before);
        let Some((key, after)) = after.split_once("}}") else {
            out.push_str("{{");
            rest = after;
            continue;
        };
        match key {
            "name" => out.push_str(name),
            "title" => out.push_str(&title(name)),
            "description" => out.push_str(&scalar(description)),
            other => out.push_str(&format!("{{{{{other}}}}}")),
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

/// `unit-converter` as a heading: `Unit converter`.
fn title(name: &str) -> String {
    let words = name.replace('-', " ");
    let mut chars = words.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

#[cfg(unix)]
pub(crate) fn make_executable(path: &std::path::Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mode = fs::metadata(path)?.permissions().mode();
    // Everybody who may read it may run it.
    fs::set_permissions(path, fs::Permissions::from_mode(mode | (mode & 0o444) >> 2))
}

#[cfg(not(unix))]
pub(crate) fn make_executable(_: &std::path::Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{load, skills};

    fn folder() -> (tempfile::TempDir, Utf8PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::try_from(folder.path().canonicalize().unwrap()).unwrap();
        (folder, path)
    }

    fn names(folder: &Utf8Path) -> Vec<String> {
        folder.read_dir_utf8().unwrap().map(|entry| entry.unwrap().file_name().to_owned()).collect()
    }

    #[test]
    fn every_template_makes_a_skill_without_problems() {
        let (_guard, path) = folder();
        let description = "换算: \"kg\" {{name}}\nand more";
        for template in templates() {
            let created = create(&path, &format!("a-{}", template.id), description, template.id).unwrap();
            assert_eq!(created, path.join(format!("a-{}", template.id)));
        }
        let set = load(&[path]);
        assert_eq!(set.problems, []);
        let found = skills(&set);
        assert_eq!(found.len(), templates().len());
        for (skill, template) in found.iter().zip(templates()) {
            assert_eq!(skill.problems, []);
            assert_eq!(skill.manifest.field("description").and_then(|field| field.value.as_str()), Some(description));
            let files: Vec<_> = skill.files.iter().map(|file| file.name.as_str()).collect();
            assert_eq!(files, template.files.iter().map(|file| file.path).collect::<Vec<_>>());
            assert!(!skill.manifest.source.text.contains("{{title"));
        }
    }

    #[cfg(unix)]
    #[test]
    fn the_script_runs() {
        let (_guard, path) = folder();
        let skill = create(&path, "counter", "Counts words.", "with-script").unwrap();
        let output = std::process::Command::new(skill.join("scripts/count.py"))
            .args(["--text", "one two three"])
            .output()
            .unwrap();
        assert_eq!(
            String::from_utf8(output.stdout).unwrap(),
            "{\"lines\": 1, \"words\": 3, \"characters\": 13}\n",
            "as its SKILL.md says"
        );
    }

    #[test]
    fn refuses_what_cannot_be_a_skill() {
        let (_guard, path) = folder();
        fs::create_dir(path.join("taken")).unwrap();
        let error = |name: &str, description: &str, template: &str| {
            create(&path, name, description, template).unwrap_err().to_string()
        };
        assert_eq!(
            error("../x", "d", "minimal"),
            "`../x` is not a name for a skill: use a-z, 0-9 and single hyphens between them, at most 64 characters"
        );
        assert_eq!(error("a", " ", "minimal"), "the description is empty: say what the skill does and when to use it");
        assert_eq!(
            error("a", &"中".repeat(1025), "minimal"),
            "the description has 1025 characters; at most 1024 are allowed"
        );
        assert_eq!(
            error("a", "d", "big"),
            "there is no template `big`; available: `minimal`, `with-reference`, `with-script`"
        );
        assert_eq!(error("taken", "d", "minimal"), format!("{} already exists", path.join("taken")));
        assert_eq!(names(&path), ["taken"]);
    }

    #[test]
    fn a_failure_leaves_nothing_behind() {
        let (_guard, path) = folder();
        let missing = path.join("none");
        let error = create(&missing, "a", "d", "minimal").unwrap_err();
        assert!(matches!(error, TemplateError::Write { path, .. } if path == missing.join("a")));
        assert_eq!(names(&path), [] as [&str; 0]);
    }
}
