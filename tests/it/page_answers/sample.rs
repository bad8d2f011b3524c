//! The sample folders of the pages, copied to where the workbench reads them.

use std::collections::BTreeMap;
use std::fs::{self, File};

use camino::Utf8Path;
use serde::Serialize;

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../ui/src/host/fake/sample");
pub const ANSWERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../ui/src/host/fake/answers");
/// The sample's path while the workbench reads it, and its path for the pages: of the same length, so that places in
/// texts stay correct. Token counts are those of the first.
pub const BUNDLED: [&str; 2] = ["/tmp/skill-workbench/skills", "/opt/skill-workbench/skills"];
pub const OWN: [&str; 2] = ["/tmp/ada_/work/skills", "/home/ada/work/skills"];
/// The working folder of an agent.
pub const WORK: &str = "/home/ada/work";
/// Files that the tests made there, so that they delete nothing else.
const MADE: [&str; 2] = ["/tmp/skill-workbench", "/tmp/ada_"];
/// In each of them.
const MARK: &str = "made-by-page-answers";
/// One at a time may have its sample there.
const LOCK: &str = "/tmp/skill-workbench-sample.lock";

/// While it lives, the sample is there.
pub struct Sample {
    _lock: File,
}

impl Sample {
    pub fn lay() -> Self {
        let lock = File::create(LOCK).unwrap();
        lock.lock().unwrap();
        let sample = Self { _lock: lock };
        sample.lay_again();
        sample
    }

    /// As it is in the folder of the pages, whatever was done to it.
    pub fn lay_again(&self) {
        clear();
        for (made, (from, [to, _])) in MADE.into_iter().zip([("bundled", BUNDLED), ("own", OWN)]) {
            fs::create_dir(made).unwrap();
            fs::write(Utf8Path::new(made).join(MARK), "").unwrap();
            copy(&Utf8Path::new(SAMPLE).join(from), Utf8Path::new(to));
        }
    }

    /// Other texts in place of these, by paths as the pages see them; `None`: the file is not there.
    pub fn change(&self, texts: &BTreeMap<String, Option<String>>) {
        for (path, text) in texts {
            let path = here(path);
            assert!([BUNDLED[0], OWN[0]].iter().any(|root| path.starts_with(root)), "{path} is not of the sample");
            match text {
                Some(text) => {
                    fs::create_dir_all(Utf8Path::new(&path).parent().unwrap()).unwrap();
                    fs::write(path, text).unwrap();
                }
                None => fs::remove_file(path).unwrap(),
            }
        }
    }

    /// The findings in one file when the user's folder is checked again.
    pub fn text(&self, path: &str) -> Option<String> {
        fs::read_to_string(here(path)).ok()
    }
}

impl Drop for Sample {
    fn drop(&mut self) {
        clear();
    }
}

/// Paths of the pages as paths of the sample that lies here.
pub fn here(text: &str) -> String {
    text.replace(BUNDLED[1], BUNDLED[0]).replace(OWN[1], OWN[0])
}

/// The other way.
pub fn there(text: &str) -> String {
    text.replace(BUNDLED[0], BUNDLED[1]).replace(OWN[0], OWN[1])
}

/// Compares with the file, or writes it if the answers are generated.
pub fn same(name: &str, answers: &impl Serialize) {
    same_text(name, serde_json::to_string_pretty(answers).unwrap() + "\n");
}

pub fn same_text(name: &str, text: String) {
    assert!([BUNDLED, OWN].iter().all(|[from, to]| from.len() == to.len()));
    let text = there(&text);
    let path = format!("{ANSWERS}/{name}.json");
    if std::env::var_os("SKILLBENCH_GENERATE").is_some() {
        fs::create_dir_all(Utf8Path::new(&path).parent().unwrap()).unwrap();
        fs::write(&path, &text).unwrap();
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == text,
        "{path} is not what the workbench answers; run `cargo xtask generate` and review the difference"
    );
}

/// Takes away what these tests left there, and nothing that others did.
fn clear() {
    for made in MADE.map(Utf8Path::new).into_iter().filter(|made| made.exists()) {
        assert!(made.join(MARK).exists(), "{made} is not of this test: move it away, so that the sample can lie there");
        fs::remove_dir_all(made).unwrap();
    }
}

fn copy(from: &Utf8Path, to: &Utf8Path) {
    fs::create_dir_all(to).unwrap();
    for entry in from.read_dir_utf8().unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}
