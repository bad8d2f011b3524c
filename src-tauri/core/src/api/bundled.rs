//! What ships inside the program: one recorded run, and the digests by which an unchanged bundled skill is known.

use camino::Utf8Path;
use sha2::{Digest, Sha256};

/// A run of the unit-converter scene, as `skillbench trace export` writes it.
pub(super) const RUN: &str = include_str!("../../bundled/unit-converter.jsonl");

/// `name digest`, one bundled skill a line.
const DIGESTS: &str = include_str!("../../bundled/skills.sha256");

/// Whether `script` lies in a folder that equals one of the bundled skills, byte for byte and without a file more:
/// a file beside a script can change what the script does.
pub(super) fn is_unchanged(script: &Utf8Path) -> bool {
    let names: Vec<&str> = DIGESTS.lines().filter_map(|line| line.split(' ').next()).collect();
    script
        .ancestors()
        .skip(1)
        .find(|folder| folder.file_name().is_some_and(|name| names.contains(&name)))
        .is_some_and(|folder| digest_line(folder).is_some_and(|line| DIGESTS.lines().any(|known| known == line)))
}

/// The line that stands for a skill's folder; `None` where something in it cannot be read or is a link.
pub fn digest_line(folder: &Utf8Path) -> Option<String> {
    let mut files = Vec::new();
    collect(folder, folder, &mut files)?;
    files.sort();
    let mut hash = Sha256::new();
    for (name, content) in &files {
        hash.update((name.len() as u64).to_le_bytes());
        hash.update(name.as_bytes());
        hash.update((content.len() as u64).to_le_bytes());
        hash.update(content);
    }
    let digest: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    Some(format!("{} {digest}", folder.file_name()?))
}

fn collect(root: &Utf8Path, folder: &Utf8Path, files: &mut Vec<(String, Vec<u8>)>) -> Option<()> {
    for entry in folder.read_dir_utf8().ok()? {
        let entry = entry.ok()?;
        let path = entry.path();
        let kind = entry.file_type().ok()?;
        if kind.is_dir() {
            collect(root, path, files)?;
        } else if kind.is_file() {
            let name = path.strip_prefix(root).ok()?;
            let name = name.components().map(|part| part.as_str()).collect::<Vec<_>>().join("/");
            files.push((name, std::fs::read(path).ok()?));
        } else {
            return None;
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use camino::Utf8PathBuf;

    use super::*;

    fn skills() -> Utf8PathBuf {
        Utf8PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../skills"))
    }

    fn lines() -> String {
        let mut lines: Vec<String> = skills()
            .read_dir_utf8()
            .expect("the bundled skills are there")
            .filter_map(|entry| entry.ok().map(|entry| entry.into_path()))
            .filter(|path| path.join("SKILL.md").is_file())
            .filter_map(|path| digest_line(&path))
            .collect();
        lines.sort();
        lines.join("\n") + "\n"
    }

    #[test]
    fn the_digests_of_the_bundled_skills_are_up_to_date() {
        if std::env::var_os("SKILLBENCH_GENERATE").is_some() {
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/bundled/skills.sha256");
            std::fs::write(path, lines()).expect("writable");
            return;
        }
        assert_eq!(DIGESTS, lines(), "run `cargo xtask generate`");
    }

    #[test]
    fn a_file_beside_a_script_makes_the_skill_another() {
        let home = tempfile::tempdir().expect("a folder");
        let home = Utf8Path::from_path(home.path()).expect("UTF-8");
        let copy = home.join("unit-converter");
        for name in ["SKILL.md", "references/conversion-table.md", "scripts/convert.py"] {
            let to = copy.join(name);
            std::fs::create_dir_all(to.parent().expect("a parent")).expect("writable");
            std::fs::copy(skills().join("unit-converter").join(name), to).expect("copied");
        }
        let script = copy.join("scripts/convert.py");
        assert!(is_unchanged(&script));
        std::fs::write(copy.join("scripts/argparse.py"), "print('mine')").expect("writable");
        assert!(!is_unchanged(&script));
    }
}
