//! Work that need not be done again: a stamp holds a digest of what the work depended on.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

use crate::root;

/// Whether `files` differ from those at the last [`write`].
pub fn is_stale(name: &str, files: &[PathBuf]) -> bool {
    fs::read_to_string(path(name)).ok() != Some(digest(files))
}

pub fn write(name: &str, files: &[PathBuf]) -> Result<(), String> {
    let path = path(name);
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(&path, digest(files)))
        .map_err(|error| format!("cannot write {}: {error}", path.display()))
}

/// What the window's pages are built from.
pub fn ui_sources() -> Vec<PathBuf> {
    let ui = root().join("ui");
    let mut files = Vec::new();
    collect(&ui, &mut files);
    files.sort();
    files
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let name = entry.file_name();
        if name == "node_modules" || name == "dist" {
            continue;
        }
        if path.is_dir() {
            collect(&path, files);
        } else {
            files.push(path);
        }
    }
}

fn path(name: &str) -> PathBuf {
    root().join("target/xtask").join(name)
}

fn digest(files: &[PathBuf]) -> String {
    let mut hasher = DefaultHasher::new();
    for file in files {
        file.hash(&mut hasher);
        fs::read(file).unwrap_or_default().hash(&mut hasher);
    }
    format!("{:016x}", hasher.finish())
}
