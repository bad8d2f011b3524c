//! Folders of skills that are no longer used, or not yet: no client loads skills from there.

use camino::Utf8Path;

/// Whether a folder, or one above it, holds skills that were put away: an archive, or the workspace in which a skill's
/// versions are tried out (`demo-workspace/skill-snapshot`, `demo-workspace/iteration-1`).
pub fn is_put_away(folder: &Utf8Path) -> bool {
    folder.components().any(|part| {
        let name = part.as_str().trim_start_matches(['.', '_']);
        matches!(name, "archive" | "archived" | "archives" | "deprecated" | "attic")
            || name.starts_with("skill-snapshot")
            || name.starts_with("deleted-skills")
            || name
                .strip_prefix("iteration-")
                .is_some_and(|rest| rest.starts_with(|letter: char| letter.is_ascii_digit()))
    })
}
