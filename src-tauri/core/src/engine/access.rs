//! Which effects the user is asked about: whatever runs or writes, whatever the framework itself asks about, and looks
//! at files outside of what the run is about.

use camino::{Utf8Path, Utf8PathBuf};

use crate::harness::{Catalog, Effect};

/// Whether an effect is put to the user.
pub(super) async fn asks_first(effect: &Effect, catalog: &Catalog, working_directory: &Utf8Path) -> bool {
    let looked_at = match effect {
        Effect::RunScript { .. } | Effect::Shell { .. } | Effect::WriteFile { .. } | Effect::Disclose { .. } => {
            return true;
        }
        Effect::ReadFile { approval: true, .. } => return true,
        // What a sub-agent does is asked about when it does it.
        Effect::Delegate(_) | Effect::Summarise { .. } => return false,
        Effect::ReadFile { path, approval: false }
        | Effect::ListFolder { path, .. }
        | Effect::FindFiles { path, .. }
        | Effect::SearchFiles { path, .. } => working_directory.join(path),
    };
    let folders = catalog.skills.iter().filter_map(|skill| skill.path.clone());
    let known: Vec<Utf8PathBuf> =
        std::iter::once(working_directory.to_owned()).chain(catalog.roots.iter().cloned()).chain(folders).collect();
    let inside = tokio::task::spawn_blocking(move || is_below_any(&looked_at, &known)).await;
    !inside.unwrap_or(false)
}

/// By where the paths really lead, so that a link that leads out is outside.
pub fn is_below_any(path: &Utf8Path, folders: &[Utf8PathBuf]) -> bool {
    let path = resolved(path);
    folders.iter().any(|folder| folder.canonicalize_utf8().is_ok_and(|folder| path.starts_with(folder)))
}

/// The path without links and dots. What of it does not exist cannot be a link, so it stays as it is, and `..` there
/// takes the part before it away.
fn resolved(path: &Utf8Path) -> Utf8PathBuf {
    if let Ok(resolved) = path.canonicalize_utf8() {
        return resolved;
    }
    match (path.parent(), path.components().next_back()) {
        (Some(parent), Some(camino::Utf8Component::ParentDir)) => {
            let mut resolved = resolved(parent);
            resolved.pop();
            resolved
        }
        (Some(parent), Some(last)) => resolved(parent).join(last),
        _ => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folders() -> (tempfile::TempDir, Utf8PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::from_path_buf(folder.path().canonicalize().unwrap()).unwrap();
        std::fs::create_dir_all(path.join("skills/demo")).unwrap();
        std::fs::write(path.join("secret"), "").unwrap();
        (folder, path)
    }

    #[test]
    fn a_path_is_inside_by_where_it_leads() {
        let (_folder, path) = folders();
        let skills = path.join("skills");
        let inside = |within: &str| is_below_any(&skills.join(within), std::slice::from_ref(&skills));
        assert!(inside("") && inside("demo") && inside("demo/not/there") && inside("gone/../demo"));
        assert!(!inside("../secret") && !inside("gone/../../secret") && !inside("..") && !inside("../skills-too"));
        assert!(!is_below_any(&skills, &[path.join("gone")]));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_that_leads_out_is_outside() {
        let (_folder, path) = folders();
        let skills = path.join("skills");
        std::os::unix::fs::symlink(&path, skills.join("up")).unwrap();
        std::os::unix::fs::symlink("../elsewhere", skills.join("broken")).unwrap();
        let inside = |path: &Utf8Path| is_below_any(path, std::slice::from_ref(&skills));
        assert!(!inside(&skills.join("up/secret")) && !inside(&skills.join("up/not-there")));
        assert!(inside(&skills.join("up/skills/demo")), "and back in");
        assert!(inside(&path.join("skills/broken")), "a link that leads nowhere cannot be read either");
    }
}
