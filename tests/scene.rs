//! A bench on which the scene of the mock server is played, as often and as much at once as wanted.

use std::collections::HashMap;
use std::fs;
use std::net::SocketAddr;

use api::dto::{ExportArgs, Push, RunExport, RunRequest};
use api::{Freshness, Places, Workbench};
use camino::{Utf8Path, Utf8PathBuf};
use tempfile::TempDir;
use tokio::sync::mpsc;
use trace::export::from_jsonl;
use trace::{Event, EventKind, RunId, RunStatus};

use crate::mock;

pub struct Scene {
    pub bench: Workbench,
    pub home: TempDir,
    pushes: mpsc::UnboundedReceiver<Push>,
}

impl Scene {
    /// Against a server in this process.
    pub async fn set_up() -> Self {
        Self::against(mock::serve().await).await
    }

    pub async fn against(server: SocketAddr) -> Self {
        let home = TempDir::new().expect("a temporary folder can be made");
        let base = Utf8PathBuf::try_from(home.path().to_owned()).expect("temporary folders have UTF-8 names");
        let root = base.join("skills");
        write(&root.join("workbench.yaml"), mock::PROJECT);
        let models =
            format!("models:\n- {{id: mock, provider: openAi, baseUrl: \"http://{server}/v1\", model: mock}}\n");
        write(&base.join("home/config/models.yaml"), &models);
        let (send, pushes) = mpsc::unbounded_channel();
        let bench =
            Workbench::open(Places::below(base.join("home"), None), vec![root], Freshness::ReadOnce, move |push| {
                // At the end there is no receiver.
                let _ = send.send(push);
            })
            .await;
        Self { bench, home, pushes }
    }

    /// Plays the scene so many times, so many at once; every run must come to its answer.
    pub async fn play(&mut self, times: usize, at_once: usize) -> Vec<RunId> {
        let mut runs = Vec::new();
        let mut going: HashMap<RunId, ()> = HashMap::new();
        while runs.len() < times || !going.is_empty() {
            while runs.len() < times && going.len() < at_once {
                let run = self.bench.run_start(request()).await.expect("the run starts");
                runs.push(run);
                going.insert(run, ());
            }
            let Some(Push::RunUpdate(update)) = self.pushes.recv().await else { continue };
            match update.status {
                RunStatus::Running => {}
                RunStatus::Done => drop(going.remove(&update.run)),
                status => panic!("run {} ended {}: {:?}", update.run, status.word(), update.steps.last()),
            }
        }
        runs
    }
}

/// The run's events as the store has them, which must be a whole play of the scene.
pub async fn whole_run(bench: &Workbench, run: RunId) -> Vec<Event> {
    let text = bench.run_export(ExportArgs { run, format: RunExport::Jsonl }).await.expect("the run is there");
    let (id, events) = from_jsonl(&text).expect("the events are numbered without a gap");
    assert_eq!(id, run);
    let requests = events.iter().filter(|event| matches!(event.kind, EventKind::Requested { .. })).count();
    let replies =
        events.iter().filter(|event| matches!(event.kind, EventKind::Replied { is_error: false, .. })).count();
    let streamed = events.iter().filter_map(|event| match &event.kind {
        EventKind::Streamed { text, .. } => Some(text.as_str()),
        _ => None,
    });
    assert_eq!((requests, replies), (mock::REQUESTS, mock::REQUESTS - 1));
    assert_eq!(streamed.collect::<String>(), mock::ANSWER);
    let last = events.last().map(|event| &event.kind);
    assert_eq!(last, Some(&EventKind::Ended { status: RunStatus::Done, error: None, zh: None, reached: None }));
    events
}

fn request() -> RunRequest {
    RunRequest {
        harness: "agent-framework".into(),
        variant: Some("python-1.23".into()),
        model: "mock".into(),
        prompt: mock::PROMPT.into(),
        ..RunRequest::default()
    }
}

fn write(path: &Utf8Path, text: &str) {
    fs::create_dir_all(path.parent().expect("it lies in a folder")).expect("the folder is writable");
    fs::write(path, text).expect("the folder is writable");
}
