//! A small framework, a model that answers from a list, and a bench to run them on.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};
use futures::stream::{self, BoxStream, StreamExt};
use serde_json::{Value, json};
use tokio::sync::{mpsc, watch};
use tokio_util::sync::CancellationToken;

use crate::clock::Clock;
use crate::config::{HarnessOptions, RunLimits, ScreenplayStep};
use crate::engine::{Approval, Controls, Plan, run};
use crate::harness::{
    Catalog, CatalogBody, CatalogFile, CatalogSkill, Detail, Disclosure, Effect, Expressed, FailedRounds, Harness,
    Limits, Marked, Options, Origin, Performed, Presentation, PresentedTool, Profile, ReplyAuthor, Served, Session,
    ToolReply, VariantInfo,
};
use crate::model::{
    ChatModel, FinishReason, Message, ModelError, ModelEvent, ModelRequest, Part, Sampling, ToolCall, ToolDef,
    WireRequest,
};
use crate::skill::SkillSet;
use crate::trace::recorder::Recorder;
use crate::trace::{Decision, EventKind, RunId, RunStatus};

/// Tools: `load {skill}`, `read {path}`, `run {path, arguments}`, `quit`.
pub(super) struct Fake;

static PROFILE: Profile = Profile {
    id: "fake",
    title: "Fake Framework",
    variants: &[VariantInfo { id: "only", title: "Only", source: "here", verified: true, limits: LIMITS }],
};
const LIMITS: Limits = Limits { iterations: Some(6), failed_rounds: Some(FailedRounds::EndAfter(2)) };

fn thrown(text: &str) -> ToolReply {
    ToolReply::error(text).by(ReplyAuthor::Exception)
}

impl Harness for Fake {
    fn profile(&self) -> &Profile {
        &PROFILE
    }

    fn select(&self, _found: &SkillSet, _options: &Options) -> Catalog {
        catalog()
    }

    fn present(&self, catalog: &Catalog, _session: &Session) -> Presentation {
        let mut instructions = Marked::default();
        instructions.push("Skills: ", Origin::Framework);
        for skill in &catalog.skills {
            instructions.push(&skill.name, Origin::Skill { skill: skill.name.clone(), field: "name".into() });
        }
        let load = ToolDef { name: "load".into(), description: "Loads".into(), parameters: json!({}) };
        Presentation { instructions: Some(instructions), tools: vec![PresentedTool::plain(load)] }
    }

    fn serve(&self, call: &ToolCall, catalog: &Catalog, session: &mut Session) -> Served {
        let Ok(arguments) = serde_json::from_str::<Value>(&call.arguments) else {
            return Served::Reply(thrown("Error: bad arguments."));
        };
        let text = |key: &str| arguments[key].as_str().unwrap_or_default().to_owned();
        match call.name.as_str() {
            "load" => match catalog.skills.iter().find(|skill| skill.id == text("skill")) {
                Some(skill) => {
                    session.activated.push(skill.id.clone());
                    Served::Reply(ToolReply::ok(&skill.content))
                }
                None => Served::Reply(ToolReply::error("Error: no such skill.")),
            },
            "read" => Served::Perform(Effect::ReadFile { path: text("path").into(), approval: false }),
            "run" => Served::Perform(run_script(Utf8Path::new(&text("path")), &text("arguments"))),
            "quit" => Served::Abort("the framework quits".into()),
            name => Served::Reply(ToolReply::error(format!("Error: no tool {name}."))),
        }
    }

    fn settle(&self, _call: &ToolCall, done: Performed, _catalog: &Catalog, _session: &mut Session) -> Served {
        Served::Reply(match done {
            Performed::Read { bytes } => ToolReply::ok(String::from_utf8_lossy(&bytes)),
            Performed::Stubbed { text } => ToolReply::ok(text),
            Performed::Ran(output) if output.timed_out => ToolReply::error("Error: timed out."),
            Performed::Ran(output) => ToolReply::ok(output.stdout.trim()),
            Performed::Denied { reason } => ToolReply::error(format!("Error: denied: {reason:?}.")),
            _ => ToolReply::error("Error: failed."),
        })
    }

    fn wire(&self, reply: &ToolReply, _catalog: &Catalog) -> Option<String> {
        Some(format!("<{}>", reply.text))
    }

    fn express(&self, step: &ScreenplayStep, _catalog: &Catalog, session: &Session) -> Option<Expressed> {
        match step {
            ScreenplayStep::Activate { activate } => {
                Some(Expressed { tool: "load".into(), arguments: json!({ "skill": activate }) })
            }
            ScreenplayStep::Read { read } => {
                let path = format!("{}/{read}", session.activated.last()?);
                Some(Expressed { tool: "read".into(), arguments: json!({ "path": path }) })
            }
            ScreenplayStep::Run { .. } | ScreenplayStep::Call { .. } | ScreenplayStep::Say { .. } => None,
        }
    }

    fn disclosure(&self, call: &ToolCall, _catalog: &Catalog) -> Disclosure {
        match call.name.as_str() {
            "load" => Disclosure::Instructions { skill: "demo".into() },
            "read" => Disclosure::Resource { skill: "demo".into(), resource: "notes.md".into() },
            "run" => Disclosure::Script { skill: "demo".into(), script: "run.sh".into() },
            _ => Disclosure::None,
        }
    }
}

pub(super) fn run_script(path: &Utf8Path, arguments: &str) -> Effect {
    Effect::RunScript {
        skill: "demo".into(),
        script: "run.sh".into(),
        path: path.to_owned(),
        interpreter: "sh".into(),
        arguments: arguments.split_whitespace().map(str::to_owned).collect(),
        approval: false,
        working_directory: None,
    }
}

pub(super) fn catalog() -> Catalog {
    let file = |name: &str| CatalogFile { name: name.into(), description: None, body: CatalogBody::Text(name.into()) };
    let demo = CatalogSkill {
        id: "demo".into(),
        name: "demo".into(),
        description: "Shows conversions".into(),
        path: None,
        content: "# Demo: see notes.md".into(),
        resources: vec![file("unused.md"), file("notes.md")],
        scripts: vec![file("run.sh")],
        detail: Detail::None,
    };
    Catalog {
        harness: "fake",
        variant: "only",
        limits: LIMITS,
        roots: Vec::new(),
        skills: vec![demo],
        skipped: Vec::new(),
        log: Vec::new(),
        quirks: Vec::new(),
        refused: None,
        options: HarnessOptions::default(),
        tool_groups: Vec::new(),
    }
}

/// One answer of the fake model, and whether the stream then stays open for ever.
pub(super) struct Script {
    events: Vec<Result<ModelEvent, ModelError>>,
    hangs: bool,
}

pub(super) fn says(text: &str) -> Script {
    let pieces = text.split_inclusive(' ').map(|piece| Ok(ModelEvent::Text { delta: piece.into() }));
    let finish = ModelEvent::Finish { reason: FinishReason::Stop };
    Script { events: pieces.chain([Ok(finish)]).collect(), hangs: false }
}

pub(super) fn says_and_hangs(text: &str) -> Script {
    Script { events: vec![Ok(ModelEvent::Text { delta: text.into() })], hangs: true }
}

pub(super) fn says_and_breaks(text: &str, error: ModelError) -> Script {
    Script { events: vec![Ok(ModelEvent::Text { delta: text.into() }), Err(error)], hangs: false }
}

pub(super) fn is_silent() -> Script {
    Script { events: Vec::new(), hangs: false }
}

/// Calls as `(id, tool, arguments)`, each streamed in two pieces.
pub(super) fn calls(calls: &[(&str, &str, &str)]) -> Script {
    let mut events = Vec::new();
    for (index, (id, name, arguments)) in (0..).zip(calls) {
        let (head, tail) = arguments.split_at(arguments.len() / 2);
        let id = (!id.is_empty()).then(|| (*id).to_owned());
        let name = Some((*name).to_owned());
        events.push(Ok(ModelEvent::ToolCall { index, id, name, arguments: head.into() }));
        events.push(Ok(ModelEvent::ToolCall { index, id: None, name: None, arguments: tail.into() }));
    }
    events.push(Ok(ModelEvent::Finish { reason: FinishReason::ToolCalls }));
    Script { events, hangs: false }
}

struct FakeModel {
    answers: Mutex<std::vec::IntoIter<Script>>,
}

impl ChatModel for FakeModel {
    fn label(&self) -> &str {
        "fake-1"
    }

    fn encode(&self, request: &ModelRequest) -> WireRequest {
        WireRequest { url: None, body: encode("fake-1", request, true).into(), streamed: true }
    }

    fn send(&self, _wire: &WireRequest, _request: &ModelRequest) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
        let Script { events, hangs } = self.answers.lock().unwrap().next().expect("the run asks no more than planned");
        let events = stream::iter(events);
        if hangs { events.chain(stream::pending()).boxed() } else { events.boxed() }
    }
}

/// A body a person can read: one line a message.
pub(super) fn encode(_model: &str, request: &ModelRequest, _streamed: bool) -> String {
    let part = |part: &Part| match part {
        Part::Text { text } => text.clone(),
        Part::Reasoning { .. } | Part::CachePoint => String::new(),
        Part::ToolCall(call) => format!("{}{}", call.name, call.arguments),
        Part::ToolResult(result) => result.wire.clone().unwrap_or_else(|| result.text.clone()),
    };
    let line = |message: &Message| message.parts.iter().map(part).collect::<Vec<_>>().join("; ");
    request.messages.iter().map(line).collect::<Vec<_>>().join(" / ")
}

/// A run's surroundings.
pub(super) struct Bench {
    folder: tempfile::TempDir,
    pub(super) approval: Approval,
    pub(super) limits: RunLimits,
    pub(super) catalog: Catalog,
    pub(super) reload: Option<Arc<dyn Fn() -> Catalog + Send + Sync>>,
    /// Sent before the run starts.
    pub(super) decisions: Vec<(&'static str, Decision)>,
}

impl Bench {
    pub(super) fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            approval: Approval::Allow,
            limits: RunLimits { turns: 10, script_seconds: 60, output_bytes: 1 << 16 },
            catalog: catalog(),
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

    pub(super) fn start(&self, answers: Vec<Script>) -> Started {
        self.start_with(Arc::new(FakeModel { answers: Mutex::new(answers.into_iter()) }))
    }

    pub(super) fn start_with(&self, model: Arc<dyn ChatModel>) -> Started {
        let plan = Plan {
            harness: &Fake,
            catalog: self.catalog.clone(),
            reload: self.reload.clone(),
            model,
            rehearsal: false,
            prompt: "hi".into(),
            session: Session::default(),
            roots: vec!["/skills".into()],
            limits: self.limits.clone(),
            approval: self.approval,
            sampling: Sampling::default(),
            working_directory: self.path().to_owned(),
            app_version: "0.1.0".into(),
            count: |text| u32::try_from(text.len()).unwrap(),
            tokenizer: "bytes",
        };
        let stop = CancellationToken::new();
        let (decide, decisions) = mpsc::unbounded_channel();
        for (call, decision) in &self.decisions {
            decide.send(((*call).to_owned(), decision.clone())).unwrap();
        }
        let (heard, events) = watch::channel(Vec::new());
        let recorder = Recorder::new(RunId(uuid::Uuid::nil()), Clock::from_fn(|| 0), None, move |event| {
            heard.send_modify(|events| events.push(event.kind.clone()));
        });
        let run = tokio::spawn(run(plan, Controls { stop: stop.clone(), decisions }, recorder));
        Started { run, stop, decide, events }
    }

    /// Runs to the end and tells what happened.
    pub(super) async fn story(&self, answers: Vec<Script>) -> Vec<String> {
        story(&self.start(answers).events().await)
    }
}

pub(super) struct Started {
    run: tokio::task::JoinHandle<RunStatus>,
    pub(super) stop: CancellationToken,
    pub(super) decide: mpsc::UnboundedSender<(String, Decision)>,
    events: watch::Receiver<Vec<EventKind>>,
}

impl Started {
    pub(super) async fn until(&mut self, wanted: impl Fn(&EventKind) -> bool) {
        self.events.wait_for(|events| events.iter().any(&wanted)).await.expect("it happens before the run ends");
    }

    pub(super) async fn events(self) -> Vec<EventKind> {
        let status = self.run.await.unwrap();
        let events = self.events.borrow().clone();
        match events.last() {
            Some(EventKind::Ended { status: recorded, .. }) => assert_eq!(*recorded, status),
            last => panic!("a run's last event says how it ended, not {last:?}"),
        }
        events
    }

    /// The other end of the decisions is closed.
    pub(super) fn without_user(self) -> Self {
        Self { decide: mpsc::unbounded_channel().0, ..self }
    }

    /// Stops the run, checks that this is quick, and tells what happened.
    pub(super) async fn stopped(self) -> Vec<String> {
        let pressed = Instant::now();
        self.stop.cancel();
        let events = self.events().await;
        let took = pressed.elapsed();
        assert!(took < Duration::from_millis(500), "stopping took {took:?}");
        story(&events)
    }
}

/// One line an event. `Streamed` events that follow one another are one line, since when they are cut is a matter of
/// time. The first event and the time a script took are left out.
pub(super) fn story(events: &[EventKind]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for event in &events[1..] {
        if let (EventKind::Streamed { text, .. }, Some(last)) = (event, lines.last_mut())
            && last.starts_with("streamed")
        {
            last.push_str(text);
            continue;
        }
        lines.push(line(event));
    }
    lines
}

fn line(event: &EventKind) -> String {
    match event {
        EventKind::Started { .. } => "started".into(),
        EventKind::Requested { turn, body, .. } => format!("requested {turn}: {body}"),
        EventKind::Streamed { turn, text, .. } => format!("streamed {turn}: {text}"),
        EventKind::Answered { turn, message, finish, .. } => {
            let request = ModelRequest { messages: vec![message.clone()], ..ModelRequest::default() };
            format!("answered {turn}: {} ({finish:?})", encode("", &request, true))
        }
        EventKind::Failed { turn, message, raw } => format!("failed {turn}: {message} [{raw}]"),
        EventKind::Called { turn, call, .. } => format!("called {turn}: {} {}{}", call.id, call.name, call.arguments),
        EventKind::ApprovalAsked { call_id, effect: Effect::RunScript { script, arguments, .. } } => {
            format!("asked {call_id}: {script} {}", arguments.join(" "))
        }
        EventKind::ApprovalAsked { call_id, effect } => format!("asked {call_id}: {effect:?}"),
        EventKind::ApprovalGiven { call_id, decision } => format!("given {call_id}: {decision:?}"),
        EventKind::Performed { call_id, output, files } => {
            let files: Vec<_> = files.iter().map(|file| format!("{}:{}", file.path, file.size)).collect();
            let mut output = serde_json::to_value(output).unwrap();
            output.as_object_mut().unwrap().remove("took");
            format!("performed {call_id}: {output} {files:?}")
        }
        EventKind::Replied { call_id, text, is_error, .. } => {
            format!("{} {call_id}: {text}", if *is_error { "replied with error" } else { "replied" })
        }
        EventKind::Noted { text } => format!("noted: {text}"),
        EventKind::Ended { status, error: None } => format!("ended {status:?}"),
        EventKind::Ended { status, error: Some(error) } => format!("ended {status:?}: {error}"),
    }
}
