//! The home folder and the project that a recording writes down.

use std::fs;

use camino::{Utf8Path, Utf8PathBuf};
use serde_json::Value;
use skill::SkillSet;

pub struct Machine {
    _folder: tempfile::TempDir,
    pub home: Utf8PathBuf,
    pub project: Utf8PathBuf,
    /// The project's folder of skills.
    pub skills: Utf8PathBuf,
}

impl Machine {
    /// `skills`: below the project, where the `files` of the case lie.
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

fn write(path: &Utf8Path, text: &Value) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text.as_str().unwrap()).unwrap();
}
