//! What ships inside the program: one recorded run, and the digests by which an unchanged bundled skill is known.

use camino::Utf8Path;
use sha2::{Digest, Sha256};

use super::hex;

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
    Some(format!("{} {}", folder.file_name()?, hex(&hash.finalize())))
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
    use std::sync::{Arc, Mutex};

    use camino::Utf8PathBuf;
    use tokio_util::sync::CancellationToken;

    use super::super::lock;
    use super::*;
    use crate::clock::Clock;
    use crate::config::{RunLimits, Screenplay};
    use crate::engine::{self, Approval, Controls, Plan, Priced, rehearsal::Rehearsal};
    use crate::harness::{self, Options, Session};
    use crate::skill;
    use crate::trace::recorder::Recorder;
    use crate::trace::{EventKind, RunId, export};

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

    /// The scene as the program plays it, with times and paths that are the same everywhere.
    async fn played() -> String {
        let home = tempfile::tempdir().expect("a folder");
        let folder = Utf8Path::from_path(home.path()).expect("UTF-8").to_owned();
        let root = skills().canonicalize_utf8().expect("the bundled skills are there");
        let harness = harness::find("agent-framework").expect("it is known");
        let catalog = harness.select(&skill::load(std::slice::from_ref(&root)), &Options::default());
        let scene = root.join(".workbench/screenplays/unit-converter.yaml");
        let scene =
            Screenplay::parse(&scene, &std::fs::read_to_string(&scene).expect("readable")).expect("a screenplay");
        let plan = Plan {
            harness,
            catalog: catalog.clone(),
            reload: None,
            prompt: scene.prompt.clone(),
            model: Priced { model: Arc::new(Rehearsal::new(Some(scene), harness, catalog, None)), prices: None },
            hub: Arc::new(|name| Err(format!("the scene asks for no other model, not for {name}"))),
            rehearsal: true,
            recording: None,
            session: Session::default(),
            roots: vec![root.clone()],
            limits: RunLimits::default(),
            approval: Approval::Allow,
            guard: crate::secret::Guard::default(),
            working_directory: folder.clone(),
            app_version: super::super::VERSION.to_owned(),
        };
        let events = Arc::new(Mutex::new(Vec::new()));
        let heard = events.clone();
        let run = RunId(uuid::Uuid::from_u128(0x0193_4000_0000_7000_8000_0000_0000_0001));
        let recorder = Recorder::new(run, Clock::from_fn(|| 0), None, move |event| lock(&heard).push(event.clone()));
        let (_sender, decisions) = tokio::sync::mpsc::unbounded_channel();
        let (_chooser, cut_choices) = tokio::sync::mpsc::unbounded_channel();
        engine::run(plan, Controls { stop: CancellationToken::new(), decisions, cut_choices }, recorder).await;
        let mut events = lock(&events).clone();
        // How an answer is cut into pieces depends on the clock.
        events.dedup_by(|next, kept| match (&next.kind, &mut kept.kind) {
            (EventKind::Streamed { text: more, .. }, EventKind::Streamed { text, .. }) => {
                text.push_str(more);
                true
            }
            _ => false,
        });
        let mut at = 1_764_000_000_000;
        for (seq, event) in (0..).zip(&mut events) {
            event.seq = seq;
            event.at = at;
            at += if matches!(event.kind, EventKind::Requested { .. }) { 640 } else { 18 };
            if let EventKind::Performed { output: Some(output), .. } = &mut event.kind {
                output.took = 18;
            }
        }
        let text = export::to_jsonl(run, &events);
        text.replace(root.as_str(), "skills").replace(folder.as_str(), "run")
    }

    #[tokio::test]
    async fn the_bundled_run_is_up_to_date() {
        let played = played().await;
        if std::env::var_os("SKILLBENCH_GENERATE").is_some() {
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/bundled/unit-converter.jsonl");
            std::fs::write(path, played).expect("writable");
            return;
        }
        assert_eq!(RUN, played, "run `cargo xtask generate`");
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
