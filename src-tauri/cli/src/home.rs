//! Which skill a file belongs to, if no folder says so.

use camino::Utf8Path;

/// The folder of the skill to which a file belongs: the outermost above it, in the same repository, that holds a
/// `SKILL.md`. A folder inside a skill belongs to that skill, as it does when the folder around it is checked.
pub fn skill_of(file: &Utf8Path, holds_manifest: impl Fn(&Utf8Path) -> bool) -> Option<&Utf8Path> {
    let repository = file.ancestors().skip(1).position(|folder| folder.join(".git").exists());
    let reach = repository.map_or(usize::MAX, |steps| steps + 1);
    let above = file.ancestors().skip(1).take(reach);
    above.filter(|folder| !is_too_much(folder) && holds_manifest(folder)).last()
}

pub fn holds_manifest(folder: &Utf8Path) -> bool {
    let Ok(entries) = folder.read_dir_utf8() else { return false };
    entries.flatten().any(|entry| is_manifest(entry.path()))
}

pub fn is_manifest(path: &Utf8Path) -> bool {
    path.file_name().is_some_and(|name| name.eq_ignore_ascii_case("SKILL.md"))
}

/// The root of the disk and a user's home hold far more than skills.
pub fn is_too_much(folder: &Utf8Path) -> bool {
    folder.parent().is_none() || std::env::home_dir().is_some_and(|home| folder == home)
}
