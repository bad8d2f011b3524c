//! What scripts did when they were run with `--help`. Rules get these results; nothing is run here.

use camino::Utf8Path;

use skill::{FileKind, Skill, SkillFile};

/// What one script did. It ran alone, in an empty folder, without a terminal or a network.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probe {
    pub end: End,
    /// Characters on both streams; at least so many, if it was cut off.
    pub printed: usize,
    pub errors: String,
    /// Files it wrote in its folder.
    pub wrote: Vec<String>,
    /// It read from standard input.
    pub asked: bool,
}

/// How a script ended that was asked for help.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    Exit(i32),
    /// It was still running after so many seconds.
    TimedOut(u64),
}

/// A script to ask, and what runs it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Candidate<'a> {
    pub file: &'a SkillFile,
    pub interpreter: &'static str,
}

/// The scripts of a skill that are run directly, if their interpreter is known. Links may lead elsewhere, so they are
/// left out.
pub fn candidates(skill: &Skill) -> impl Iterator<Item = Candidate<'_>> {
    let scripts = skill.files.iter().filter(|file| file.kind == FileKind::Script && !file.link && is_entry(&file.name));
    scripts.filter_map(|file| {
        let interpreter = harness::interpreter(Utf8Path::new(&file.name).extension()?)?;
        Some(Candidate { file, interpreter })
    })
}

/// Modules that other scripts import are in deeper folders, or their names begin with an underscore.
pub fn is_entry(name: &str) -> bool {
    let path = Utf8Path::new(name);
    path.components().count() <= 2 && !path.file_name().unwrap_or_default().starts_with('_')
}

impl Probe {
    /// Its own code was not reached: something it needs is not installed here, or it is a module and not a script.
    pub fn lacks_something(&self) -> bool {
        const SIGNS: [&str; 5] =
            ["ModuleNotFoundError", "ImportError", "MODULE_NOT_FOUND", "command not found", "not installed"];
        matches!(self.end, End::Exit(127)) || SIGNS.iter().any(|sign| self.errors.contains(sign))
    }

    /// It tried to write to places where it must not: next to itself, or into the system.
    pub fn wrote_elsewhere(&self) -> bool {
        ["Read-only file system", "EROFS"].iter().any(|sign| self.errors.contains(sign))
    }

    /// Its error, in one line.
    pub fn complaint(&self) -> Option<String> {
        let lines = || self.errors.lines().map(str::trim).filter(|line| !line.is_empty());
        let line = lines().rfind(|line| line.contains("rror")).or_else(|| lines().next_back())?;
        Some(line.chars().take(LONGEST_COMPLAINT).collect())
    }
}

/// Characters.
const LONGEST_COMPLAINT: usize = 120;

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(code: i32, errors: &str) -> Probe {
        Probe { end: End::Exit(code), printed: errors.len(), errors: errors.into(), wrote: Vec::new(), asked: false }
    }

    #[test]
    fn a_missing_library_is_not_the_scripts_fault() {
        for errors in [
            "Traceback (most recent call last):\n  File \"a.py\", line 1\nModuleNotFoundError: No module named 'pandas'\n",
            "ImportError: attempted relative import with no known parent package\n",
            "Error: Cannot find module 'yargs'\n  code: 'MODULE_NOT_FOUND',\n\nNode.js v20.19.0\n",
            "a.sh: line 3: jq: command not found\n",
            "error: ffmpeg is not installed\n",
        ] {
            assert!(failed(1, errors).lacks_something(), "{errors}");
        }
        assert!(!failed(1, "KeyError: 'HOME'\n").lacks_something());
        assert!(!failed(2, "").lacks_something());
    }

    #[test]
    fn a_complaint_is_the_line_that_names_the_error() {
        let complaint = |errors: &str| failed(1, errors).complaint();
        let node =
            "file.js:1\n  boom();\n  ^\n\nReferenceError: boom is not defined\n    at file.js:1:1\n\nNode.js v20\n";
        assert_eq!(complaint(node).as_deref(), Some("ReferenceError: boom is not defined"));
        assert_eq!(complaint("usage: a <file>\n\n").as_deref(), Some("usage: a <file>"));
        assert_eq!(complaint(" \n"), None);
        assert_eq!(complaint(&"e".repeat(500)).map(|line| line.len()), Some(120));
    }

    #[test]
    fn modules_are_not_run_by_themselves() {
        let runs = ["main.py", "scripts/draw.py"];
        let taken_in = ["scripts/lib/walls.py", "scripts/__init__.py", "scripts/_walls.py"];
        assert!(runs.into_iter().all(is_entry) && !taken_in.into_iter().any(is_entry));
    }
}
