//! What ships inside the program: one recorded run.

/// A run of the unit-converter scene, as `skillbench trace export` writes it.
pub(super) const RUN: &str = include_str!("../bundled/unit-converter.jsonl");

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use camino::{Utf8Path, Utf8PathBuf};
    use tokio_util::sync::CancellationToken;

    use super::super::lock;
    use super::*;
    use config::{Policy, RunLimits, Screenplay};
    use engine::{Approval, Controls, Plan, Priced, rehearsal::Rehearsal};
    use harness::{Options, Session};
    use trace::clock::Clock;
    use trace::recorder::Recorder;
    use trace::review::Review;
    use trace::{EventKind, RunId, export};

    fn skills() -> Utf8PathBuf {
        Utf8PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../skills"))
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
            past: Vec::new(),
            branch: None,
            prompt: scene.prompt.clone(),
            images: Vec::new(),
            further: Vec::new(),
            notes: Vec::new(),
            without: Vec::new(),
            model: Priced { model: Arc::new(Rehearsal::new(Some(scene), harness, catalog, None)), prices: None },
            hub: Arc::new(|name| {
                Err(wording::Message::quoted(format!("the scene asks for no other model, not for {name}")))
            }),
            rehearsal: true,
            recording: None,
            session: Session::default(),
            roots: vec![root.clone()],
            limits: RunLimits::default(),
            sandbox: Policy::default(),
            approval: Approval::Allow,
            memory: engine::standing::Memory::none(),
            guard: model::secret::Guard::default(),
            paths: skill::paths::Paths::default(),
            working_directory: folder.clone(),
            app_version: super::super::VERSION.to_owned(),
        };
        let events = Arc::new(Mutex::new(Vec::new()));
        let heard = events.clone();
        let run = RunId(uuid::Uuid::from_u128(0x0193_4000_0000_7000_8000_0000_0000_0001));
        let recorder = Recorder::new(run, Clock::from_fn(|| 0), None, move |event| lock(&heard).push(event.clone()));
        let (_sender, decisions) = engine::questions();
        let (_chooser, cut_choices) = engine::questions();
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
            if let EventKind::Performed { output: Some(output), enforcement, .. } = &mut event.kind {
                output.took = 18;
                // Of this machine.
                *enforcement = None;
            }
        }
        let text = export::to_jsonl(run, &events, &Review::default());
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
}
