//! Skills written to disk, and what the linter says of them.

use std::fs;
use std::sync::LazyLock;

use camino::{Utf8Path, Utf8PathBuf};
use lint::{Disk, Finding, Group, LintOptions, Linter};
use skill::Severity;
use tempfile::TempDir;

/// A folder of skills.
pub struct Skills {
    folder: TempDir,
}

impl Skills {
    /// Files by their paths below the folder.
    pub fn with<P: AsRef<str>, T: AsRef<[u8]>>(files: impl IntoIterator<Item = (P, T)>) -> Self {
        let skills = Self { folder: TempDir::new().unwrap() };
        for (path, text) in files {
            skills.write(path.as_ref(), text.as_ref());
        }
        skills
    }

    pub fn write(&self, path: &str, text: &[u8]) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        if text.starts_with(b"#!") {
            make_executable(&path);
        }
    }

    pub fn root(&self) -> Utf8PathBuf {
        Utf8PathBuf::try_from(self.folder.path().canonicalize().unwrap()).unwrap()
    }

    pub fn lint(&self, linter: &Linter) -> Vec<Finding> {
        lint(&self.root(), linter)
    }
}

/// The rules that are on by default.
pub static DEFAULT: LazyLock<Linter> = LazyLock::new(|| Linter::new(LintOptions::default()));

pub static ALL_RULES: LazyLock<Linter> = LazyLock::new(|| {
    let select = Group::ALL.iter().map(|group| group.id().to_owned()).collect();
    Linter::new(LintOptions { select, ..LintOptions::default() })
});

pub fn lint(root: &Utf8Path, linter: &Linter) -> Vec<Finding> {
    let set = skill::load(&[root.to_owned()]);
    linter.all(&set, &skill::skills(&set), &Disk)
}

/// As `path: rule: message`, with paths below `root`.
pub fn said(root: &Utf8Path, findings: &[Finding]) -> Vec<String> {
    let line = |finding: &Finding| {
        let path = finding.path.strip_prefix(root).unwrap_or(&finding.path);
        format!("{path}: {}: {}", finding.rule.id, finding.message.en)
    };
    findings.iter().map(line).collect()
}

/// Those that weigh at least so much.
pub fn at_least(findings: Vec<Finding>, severity: Severity) -> Vec<Finding> {
    findings.into_iter().filter(|finding| finding.severity >= severity).collect()
}

#[cfg(unix)]
fn make_executable(path: &Utf8Path) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

#[cfg(not(unix))]
fn make_executable(_path: &Utf8Path) {}
