//! Shared helpers of the tests.

pub mod conformance;
pub mod mock;
pub mod scene;
pub mod shapes;

use std::fs;

use camino::{Utf8Path, Utf8PathBuf};
use skill::SkillSet;
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

/// Everything below a folder, as the program reads it. What is next to the folder of the fixtures is trusted.
pub fn load(root: &Utf8Path) -> SkillSet {
    let around: Vec<Utf8PathBuf> =
        root.canonicalize_utf8().iter().flat_map(|root| root.ancestors().nth(2)).map(Utf8Path::to_owned).collect();
    skill::load_trusting(&[root.to_owned()], &around)
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
    link(&target, path);
}

#[cfg(not(unix))]
fn make_link(_path: &Utf8Path) {}

/// A link in a temporary folder. If none can be made, none is.
pub fn link(target: &str, path: &Utf8Path) {
    #[cfg(unix)]
    std::os::unix::fs::symlink(target, path).expect("a link can be made in a temporary folder");
    #[cfg(not(unix))]
    let _ = (target, path);
}
