//! Shared helpers of the tests.

use std::fs;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use skillbench_core::skill::{Entry, File, Folder, Link, Root, SkillSet};
use skillbench_core::source::SourceText;
use tempfile::TempDir;

/// The recorded behaviour of the frameworks, as it is in the repository.
pub const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/golden");

/// A copy of [`GOLDEN`] as it was when it was recorded: with real links and empty folders.
pub struct Golden {
    folder: TempDir,
}

impl Golden {
    /// Links are made on Unix only; elsewhere they stay the text files that the repository keeps.
    pub fn copy() -> Self {
        let golden = Self { folder: TempDir::new().expect("a temporary folder can be made") };
        for folder in ["roots", "skills", "symlink-target"] {
            copy(&Utf8Path::new(GOLDEN).join(folder), &golden.path().join(folder));
        }
        for link in LINKS {
            make_link(&golden.path().join(link));
        }
        for folder in EMPTY_FOLDERS {
            fs::create_dir_all(golden.path().join(folder)).expect("the copy is writable");
        }
        golden
    }

    pub fn path(&self) -> &Utf8Path {
        Utf8Path::from_path(self.folder.path()).expect("temporary folders have UTF-8 names")
    }

    /// The text with this copy's path in place of `{FIXTURES}`.
    pub fn locate(&self, text: &str) -> String {
        text.replace("{FIXTURES}", self.path().as_str())
    }
}

/// Everything below a folder, as the program reads it.
pub fn load(root: &Utf8Path) -> SkillSet {
    let tree = folder(root, None);
    SkillSet { roots: vec![Root { path: root.to_owned(), tree }], problems: Vec::new() }
}

/// Each is a text file that holds the link's target, since archives and some systems have no links.
const LINKS: [&str; 6] = [
    "roots/symlinked/unit-converter",
    "roots/pdf-tools/pdf-tools/references/link.md",
    "roots/pdf-tools/pdf-tools/references/escape.txt",
    "skills/symlinked-dir",
    "skills/pdf-tools/references/link.md",
    "skills/pdf-tools/references/escape.txt",
];

/// Git keeps no empty folders.
const EMPTY_FOLDERS: [&str; 1] = ["skills/empty-dir"];

fn copy(from: &Utf8Path, to: &Utf8Path) {
    fs::create_dir_all(to).expect("the copy is writable");
    for entry in from.read_dir_utf8().expect("the fixtures are in the repository") {
        let entry = entry.expect("the fixtures are readable");
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(entry.path(), &to);
        } else {
            fs::write(&to, fs::read(entry.path()).expect("the fixtures are readable")).expect("the copy is writable");
        }
    }
}

#[cfg(unix)]
fn make_link(path: &Utf8Path) {
    let target = fs::read_to_string(path).expect("the fixture holds the link's target");
    fs::remove_file(path).expect("the copy is writable");
    std::os::unix::fs::symlink(target, path).expect("a link can be made in a temporary folder");
}

#[cfg(not(unix))]
fn make_link(_path: &Utf8Path) {}

fn folder(path: &Utf8Path, link: Option<Link>) -> Folder {
    let mut paths: Vec<Utf8PathBuf> = match &link {
        Some(_) => Vec::new(),
        None => path
            .read_dir_utf8()
            .expect("the tests' folders are readable")
            .map(|entry| entry.expect("the tests' folders are readable").into_path())
            .collect(),
    };
    paths.sort();
    Folder {
        name: path.file_name().unwrap_or_default().into(),
        path: path.to_owned(),
        listed: link.is_none(),
        link,
        entries: paths.iter().map(|path| entry(path)).collect(),
    }
}

fn entry(path: &Utf8Path) -> Entry {
    let link = path.read_link_utf8().ok().map(|target| Link { target, broken: !path.exists() });
    if path.is_dir() {
        return Entry::Folder(folder(path, link));
    }
    let name = path.file_name().unwrap_or_default().to_owned();
    let source = name.eq_ignore_ascii_case("SKILL.md").then(|| Arc::new(source(path)));
    let size = path.metadata().map_or(0, |found| found.len());
    Entry::File(File { name, path: path.to_owned(), size, link, source })
}

fn source(path: &Utf8Path) -> SourceText {
    let text = fs::read_to_string(path).expect("the tests' files are UTF-8");
    let bom = text.starts_with('\u{FEFF}');
    let text = text.trim_start_matches('\u{FEFF}').to_owned();
    SourceText { path: path.to_owned(), text, bom, invalid_at: None, truncated_from: None }
}
