//! What must be found however it is written, and what looks like it and must stay quiet.

use std::fs;

use camino::Utf8PathBuf;

use crate::lint::{Disk, Group, LintOptions, Linter};
use crate::skill::{self, Severity};

/// The findings of this group, as `rule: message`, in a skill of these files; `SKILL.md` is only the body.
fn found(files: &[(&str, &[u8])]) -> Vec<(String, Severity, String)> {
    let folder = tempfile::tempdir().unwrap();
    let root = Utf8PathBuf::try_from(folder.path().canonicalize().unwrap()).unwrap();
    let mut all = vec![("SKILL.md", b"Do it.\n".as_slice())];
    all.extend(files);
    for (name, content) in all {
        let path = root.join("demo").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let head: &[u8] = match name {
            "SKILL.md" => b"---\nname: demo\ndescription: Use when asked for a demo.\n---\n",
            _ => b"",
        };
        fs::write(path, [head, content].concat()).unwrap();
    }
    let set = skill::load(std::slice::from_ref(&root));
    let findings = Linter::new(LintOptions::default()).all(&set, &skill::skills(&set), &Disk);
    let ours = findings.into_iter().filter(|finding| finding.rule.group == Group::Security);
    ours.map(|finding| (finding.rule.id.to_owned(), finding.severity, finding.message)).collect()
}

fn rules(files: &[(&str, &[u8])]) -> Vec<String> {
    found(files).into_iter().map(|(rule, ..)| rule).collect()
}
