//! A small framework, a model that answers from a list, and a bench to run them on.

mod framework;
mod model;
mod story;

pub(super) use self::framework::{Fake, catalog, run_script};
pub(super) use self::model::{Script, calls, counted, cut, is_silent, says, says_and_breaks, says_and_hangs};
pub(super) use self::story::story;

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use self::model::FakeModel;
use crate::standing::Memory;
use crate::{Answers, Approval, Branch, Controls, Given, Hub, Plan, Priced, Said, questions, run};
use ::model::entry::Prices;
use ::model::secret::Guard;
use ::model::{ChatModel, Message};
use config::{Policy, RunLimits};
use harness::{Catalog, Prepared, Session};
use trace::clock::Clock;
use trace::recorder::Recorder;
use trace::{CutChoice, Decision, Event, EventKind, RunId, RunStatus};

/// A run's surroundings.
pub(super) struct Bench {
    folder: tempfile::TempDir,
    pub(super) fake: &'static Fake,
    pub(super) rehearsal: bool,
    pub(super) approval: Approval,
    pub(super) memory: Memory,
    pub(super) guard: Guard,
    pub(super) limits: RunLimits,
    pub(super) sandbox: Policy,
    pub(super) prices: Option<Prices>,
    pub(super) catalog: Catalog,
    /// The events recorded so far.
    pub(super) past: Vec<Event>,
    pub(super) branch: Option<Branch>,
    pub(super) prompt: &'static str,
    pub(super) further: Vec<&'static str>,
    pub(super) reload: Option<Arc<dyn Fn() -> Catalog + Send + Sync>>,
    /// Given as the questions about these calls come, the earliest first.
    pub(super) decisions: Vec<(&'static str, Decision)>,
}

impl Bench {
    pub(super) fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            fake: Box::leak(Box::default()),
            rehearsal: false,
            approval: Approval::Allow,
            memory: Memory::none(),
            guard: Guard::default(),
            limits: RunLimits { turns: 10, script_seconds: 60, output_bytes: 1 << 16, ..RunLimits::default() },
            sandbox: Policy::default(),
            prices: None,
            catalog: catalog(),
            past: Vec::new(),
            branch: None,
            prompt: "hi",
            further: Vec::new(),
            reload: None,
            decisions: Vec::new(),
        }
    }

    pub(super) fn path(&self) -> &Utf8Path {
        Utf8Path::from_path(self.folder.path()).unwrap()
    }

    pub(super) fn script(&self, text: &str) -> Utf8PathBuf {
        let path = self.path().join("run.sh");
        std::fs::write(&path, text).unwrap();
        path
    }

    /// Before the next request that no earlier one of these was for.
    pub(super) fn before(&self, change: impl FnOnce(&mut Vec<Message>, &mut Session) -> Prepared + Send + 'static) {
        self.fake.before.lock().unwrap().push(Box::new(change));
    }

    pub(super) fn start(&self, answers: Vec<Script>) -> Started {
        let model = FakeModel { label: "fake-1", answers: Arc::new(Mutex::new(answers.into_iter())) };
        let other = Priced { model: Arc::new(FakeModel { label: "fake-2", ..model.clone() }), prices: None };
        let hub: Hub = Arc::new(move |name| match name {
            "other" => Ok(other.clone()),
            name => Err(wording::message!("there is no model `{name}`", "没有模型 `{name}`")),
        });
        self.start_on(Arc::new(model), hub)
    }

    pub(super) fn start_with(&self, model: Arc<dyn ChatModel>) -> Started {
        self.start_on(model, Arc::new(|_| panic!("no other model is asked for")))
    }

    fn start_on(&self, model: Arc<dyn ChatModel>, hub: Hub) -> Started {
        let model = Priced { model, prices: self.prices };
        let plan = Plan {
            harness: self.fake,
            catalog: self.catalog.clone(),
            reload: self.reload.clone(),
            model: model.clone(),
            hub,
            rehearsal: self.rehearsal,
            recording: None,
            past: self.past.clone(),
            branch: self.branch.clone(),
            prompt: self.prompt.into(),
            images: Vec::new(),
            further: self
                .further
                .iter()
                .map(|prompt| Said { prompt: (*prompt).into(), images: Vec::new(), model: model.clone() })
                .collect(),
            session: Session::default(),
            without: Vec::new(),
            notes: Vec::new(),
            roots: vec!["/skills".into()],
            limits: self.limits.clone(),
            sandbox: self.sandbox.clone(),
            approval: self.approval,
            memory: self.memory.clone(),
            guard: self.guard.clone(),
            paths: skill::paths::Paths::default(),
            working_directory: self.path().to_owned(),
            app_version: "0.1.0".into(),
        };
        let stop = CancellationToken::new();
        let (decide, decisions) = questions();
        let mut user = (!self.decisions.is_empty()).then(|| (decide.clone(), self.decisions.clone()));
        let (heard, events) = watch::channel(Vec::new());
        let recorder = Recorder::new(RunId(uuid::Uuid::nil()), Clock::from_fn(|| 0), None, move |event| {
            if let (Some((user, given)), EventKind::ApprovalAsked { call_id, .. }) = (&mut user, &event.kind)
                && let Some(next) = given.iter().position(|(call, _)| call == call_id)
            {
                user.give(event.seq, given.remove(next).1).unwrap();
            }
            heard.send_modify(|events| events.push(event.clone()));
        });
        let (choose, cut_choices) = questions();
        let run = tokio::spawn(run(plan, Controls { stop: stop.clone(), decisions, cut_choices }, recorder));
        Started { run, stop, decide, choose, events }
    }

    /// Runs to the end and returns what happened.
    pub(super) async fn story(&self, answers: Vec<Script>) -> Vec<String> {
        story(&self.start(answers).events().await)
    }
}

pub(super) struct Started {
    run: tokio::task::JoinHandle<RunStatus>,
    pub(super) stop: CancellationToken,
    pub(super) decide: Answers<Given>,
    pub(super) choose: Answers<CutChoice>,
    events: watch::Receiver<Vec<Event>>,
}

impl Started {
    /// Waits for such an event and gives its number.
    pub(super) async fn until(&mut self, wanted: impl Fn(&EventKind) -> bool) -> u32 {
        self.until_after(None, wanted).await
    }

    /// Waits for such an event behind the one of that number.
    pub(super) async fn until_after(&mut self, number: Option<u32>, wanted: impl Fn(&EventKind) -> bool) -> u32 {
        let is_it = |event: &&Event| number < Some(event.seq) && wanted(&event.kind);
        let events = self.events.wait_for(|events| events.iter().any(|event| is_it(&event))).await;
        events.expect("it happens before the run ends").iter().find(is_it).unwrap().seq
    }

    /// The event of that number.
    pub(super) fn event(&self, number: u32) -> EventKind {
        self.events.borrow().iter().find(|event| event.seq == number).unwrap().kind.clone()
    }

    pub(super) async fn events(self) -> Vec<Event> {
        let status = self.run.await.unwrap();
        let events = self.events.borrow().clone();
        match events.last() {
            Some(Event { kind: EventKind::Ended { status: recorded, .. }, within: None, .. }) => {
                assert_eq!(*recorded, status);
            }
            last => panic!("a run's last event says how it ended, not {last:?}"),
        }
        events
    }

    /// The other end of the decisions is closed.
    pub(super) fn without_user(self) -> Self {
        Self { decide: questions().0, choose: questions().0, ..self }
    }

    /// Stops the run, checks that this is quick, and returns what happened.
    pub(super) async fn stopped(self) -> Vec<String> {
        let pressed = Instant::now();
        self.stop.cancel();
        let events = self.events().await;
        let took = pressed.elapsed();
        assert!(took < Duration::from_millis(500), "stopping took {took:?}");
        story(&events)
    }
}
