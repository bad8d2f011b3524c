//! The home folder and the project that a recording writes down.

use std::fs;

use camino::{Utf8Path, Utf8PathBuf};
use serde_json::Value;
use skill::SkillSet;
use skillbench_tests::link;

pub struct Machine {
    _folder: tempfile::TempDir,
    pub home: Utf8PathBuf,
    pub project: Utf8PathBuf,
    /// The project's folder of skills.
    pub skills: Utf8PathBuf,
}

impl Machine {
    /// `skills`: the folder below the project that has the `files` of the case.
    pub fn new(case: &Value, skills: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let base = Utf8PathBuf::try_from(folder.path().canonicalize().unwrap()).unwrap();
        let (home, project) = (base.join("home"), base.join("project"));
        let machine = Self { skills: project.join(skills), home, project, _folder: folder };
        for (path, text) in case["files"].as_object().unwrap() {
            write(&machine.skills.join(path), text);
        }
        for (path, text) in case["elsewhere"].as_object().into_iter().flatten() {
            let at = path.strip_prefix("{PROJ}/");
            let at = at.map_or_else(|| machine.home.join(path), |path| machine.project.join(path));
            write(&at, &machine.located(text));
        }
        for (path, bytes) in case["hex"].as_object().into_iter().flatten() {
            write_bytes(&machine.skills.join(path), &unhexed(bytes.as_str().unwrap()));
        }
        for folder in case["empty_folders"].as_array().into_iter().flatten() {
            fs::create_dir_all(machine.skills.join(folder.as_str().unwrap())).unwrap();
        }
        for (path, target) in case["links"].as_object().into_iter().flatten() {
            let at = path.strip_prefix("{PROJ}/");
            let at = at.map_or_else(|| machine.skills.join(path), |path| machine.project.join(path));
            fs::create_dir_all(at.parent().unwrap()).unwrap();
            link(machine.located(target).as_str().unwrap(), &at);
        }
        machine
    }

    pub fn load(&self) -> SkillSet {
        let roots = [self.project.clone(), self.home.clone()];
        skill::load(&roots.into_iter().filter(|root| root.exists()).collect::<Vec<_>>())
    }

    /// The other way round.
    pub fn located(&self, value: &Value) -> Value {
        let text = value.to_string().replace("{ROOT}", self.skills.as_str());
        let text = text.replace("{PROJECT}", self.project.as_str()).replace("{HOME}", self.home.as_str());
        serde_json::from_str(&text).unwrap()
    }

    /// With placeholders for its folders, as recordings have them.
    pub fn portable(&self, value: &Value) -> Value {
        let text = value.to_string().replace(self.skills.as_str(), "{ROOT}");
        let text = text.replace(self.project.as_str(), "{PROJECT}").replace(self.home.as_str(), "{HOME}");
        serde_json::from_str(&text).unwrap()
    }
}

/// A value that is not a text is written as JSON.
pub fn write(path: &Utf8Path, text: &Value) {
    let written = text.as_str().map_or_else(|| text.to_string(), str::to_owned);
    write_bytes(path, written.as_bytes());
}

fn write_bytes(path: &Utf8Path, bytes: &[u8]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

fn unhexed(digits: &str) -> Vec<u8> {
    let pairs = (0..digits.len()).step_by(2).map(|at| &digits[at..at + 2]);
    pairs.map(|pair| u8::from_str_radix(pair, 16).unwrap()).collect()
}
