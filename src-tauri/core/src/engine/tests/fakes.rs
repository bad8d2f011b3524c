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
use crate::engine::{Approval, Controls, Hub, Plan, run};
use crate::harness::{
    Catalog, CatalogBody, CatalogFile, CatalogSkill, Detail, Disclosure, Effect, Expressed, FailedRounds, Harness,
    Limits, Marked, Options, Origin, Performed, Prepared, Presentation, PresentedTool, Profile, ReplyAuthor, Served,
    Session, ToolReply, VariantInfo,
};
use crate::model::{
    ChatModel, FinishReason, Message, ModelError, ModelEvent, ModelRequest, Part, ToolCall, ToolChoice, ToolDef,
    WireRequest,
};
use crate::skill::SkillSet;
use crate::trace::recorder::Recorder;
use crate::trace::{Decision, Event, EventKind, RunId, RunStatus};

/// Tools: `load {skill}`, `read {path}`, `run {path, arguments}`, `do {effects}`, `model {name}`, `quit`.
#[derive(Default)]
pub(super) struct Fake {
    /// What it does before requests, one after the other; then it sends.
    pub(super) before: Mutex<Vec<Before>>,
    /// What came of the effects of the call under way, and of those before requests.
    done: Mutex<Vec<String>>,
    pub(super) prepared: Mutex<Vec<String>>,
}

/// Changes the history and says how to go on.
pub(super) type Before = Box<dyn FnOnce(&mut Vec<Message>, &mut Session) -> Prepared + Send>;

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
            "do" => self.next(&arguments),
            "model" => {
                session.model = arguments["name"].as_str().map(String::from);
                Served::Reply(ToolReply::ok("switched"))
            }
            "marked" => {
                let mut text = Marked::default();
                text.push("framework ", Origin::Framework);
                text.push("skill", Origin::Skill { skill: "demo".into(), field: "body".into() });
                Served::Reply(ToolReply::marked(text))
            }
            "quit" => Served::Abort("the framework quits".into()),
            name => Served::Reply(ToolReply::error(format!("Error: no tool {name}."))),
        }
    }

    fn settle(&self, call: &ToolCall, done: Performed, _catalog: &Catalog, _session: &mut Session) -> Served {
        if call.name == "do" {
            self.done.lock().unwrap().push(shown(&done));
            return self.next(&serde_json::from_str(&call.arguments).unwrap());
        }
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
        reply.marks.is_empty().then(|| format!("<{}>", reply.text))
    }

    fn before_request(
        &self,
        history: &mut Vec<Message>,
        done: Option<Performed>,
        _catalog: &Catalog,
        session: &mut Session,
    ) -> Prepared {
        self.prepared.lock().unwrap().extend(done.as_ref().map(shown));
        let mut before = self.before.lock().unwrap();
        if before.is_empty() { Prepared::Send } else { before.remove(0)(history, session) }
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
            ScreenplayStep::Call { call, with } => {
                Some(Expressed { tool: call.clone(), arguments: with.clone().unwrap_or_default() })
            }
            ScreenplayStep::Run { .. } | ScreenplayStep::Say { .. } => None,
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

impl Fake {
    /// The effect of the call that comes next, or the reply once all are done. `again` wants the last for ever.
    fn next(&self, arguments: &Value) -> Served {
        let mut done = self.done.lock().unwrap();
        let effects = arguments["effects"].as_array().unwrap();
        let wanted = if arguments["again"] == true { effects.last() } else { effects.get(done.len()) };
        match wanted {
            Some(effect) => Served::Perform(serde_json::from_value(effect.clone()).unwrap()),
            None => Served::Reply(ToolReply::ok(std::mem::take(&mut *done).join("; "))),
        }
    }
}

/// What came of an effect, in short.
fn shown(done: &Performed) -> String {
    match done {
        Performed::Read { bytes } => format!("read {}", String::from_utf8_lossy(bytes)),
        Performed::Ran(output) => format!("ran {:?} {}", output.exit_code, output.stdout.trim()),
        Performed::Listed { entries } => {
            format!("listed {:?}", entries.iter().filter_map(|entry| entry.path.file_name()).collect::<Vec<_>>())
        }
        Performed::Found { lines } => {
            format!("found {:?}", lines.iter().map(|line| format!("{}:{}", line.line, line.text)).collect::<Vec<_>>())
        }
        Performed::Delegated(done) => {
            format!("delegated {:?}: {}", done.end, done.messages.iter().map(plain).collect::<Vec<_>>().join(" / "))
        }
        Performed::Failed { kind, .. } => format!("failed {kind:?}"),
        other => format!("{other:?}"),
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

#[derive(Clone)]
struct FakeModel {
    label: &'static str,
    answers: Arc<Mutex<std::vec::IntoIter<Script>>>,
}

impl ChatModel for FakeModel {
    fn label(&self) -> &str {
        self.label
    }

    fn encode(&self, request: &ModelRequest) -> WireRequest {
        WireRequest { url: None, body: encode(self.label, request).into(), streamed: true }
    }

    fn send(&self, _wire: &WireRequest, _request: &ModelRequest) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
        let Script { events, hangs } = self.answers.lock().unwrap().next().expect("the run asks no more than planned");
        let events = stream::iter(events);
        if hangs { events.chain(stream::pending()).boxed() } else { events.boxed() }
    }
}

/// A body a person can read: the messages, and what is not as usual.
fn encode(model: &str, request: &ModelRequest) -> String {
    let mut body = request.messages.iter().map(plain).collect::<Vec<_>>().join(" / ");
    if model != "fake-1" {
        body.insert_str(0, &format!("[{model}] "));
    }
    if request.tool_choice == Some(ToolChoice::None) {
        body.push_str(" [no calls]");
    }
    if request.tools.iter().map(|tool| tool.name.as_str()).ne(["load"]) {
        body.push_str(&format!(" {:?}", request.tools.iter().map(|tool| &tool.name).collect::<Vec<_>>()));
    }
    if let Some(tokens) = request.parameters.max_tokens {
        body.push_str(&format!(" [at most {tokens}]"));
    }
    body
}

fn plain(message: &Message) -> String {
    let part = |part: &Part| match part {
        Part::Text { text } => text.clone(),
        Part::Reasoning { .. } | Part::CachePoint => String::new(),
        Part::ToolCall(call) => format!("{}{}", call.name, call.arguments),
        Part::ToolResult(result) => result.wire.clone().unwrap_or_else(|| result.text.clone()),
    };
    message.parts.iter().map(part).collect::<Vec<_>>().join("; ")
}

/// The body of a rehearsal's request as [`encode`] would write it.
fn readable(body: &str) -> String {
    let Ok(body) = serde_json::from_str::<Value>(body) else { return body.to_owned() };
    let message = |message: &Value| {
        let content = message["content"].as_str().filter(|text| !text.is_empty()).map(String::from);
        let calls = message["tool_calls"].as_array().into_iter().flatten().map(|call| {
            let text = |key: &str| call["function"][key].as_str().unwrap();
            format!("{}{}", text("name"), text("arguments"))
        });
        content.into_iter().chain(calls).collect::<Vec<_>>().join("; ")
    };
    body["messages"].as_array().unwrap().iter().map(message).collect::<Vec<_>>().join(" / ")
}

/// A run's surroundings.
pub(super) struct Bench {
    folder: tempfile::TempDir,
    pub(super) fake: &'static Fake,
    pub(super) rehearsal: bool,
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
            fake: Box::leak(Box::default()),
            rehearsal: false,
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

    /// Before the next request that no earlier one of these was for.
    pub(super) fn before(&self, change: impl FnOnce(&mut Vec<Message>, &mut Session) -> Prepared + Send + 'static) {
        self.fake.before.lock().unwrap().push(Box::new(change));
    }

    pub(super) fn start(&self, answers: Vec<Script>) -> Started {
        let model = FakeModel { label: "fake-1", answers: Arc::new(Mutex::new(answers.into_iter())) };
        let other: Arc<dyn ChatModel> = Arc::new(FakeModel { label: "fake-2", ..model.clone() });
        let hub: Hub = Arc::new(move |name| match name {
            "other" => Ok(other.clone()),
            name => Err(format!("there is no model `{name}`")),
        });
        self.start_on(Arc::new(model), hub)
    }

    pub(super) fn start_with(&self, model: Arc<dyn ChatModel>) -> Started {
        self.start_on(model, Arc::new(|_| panic!("no other model is asked for")))
    }

    fn start_on(&self, model: Arc<dyn ChatModel>, hub: Hub) -> Started {
        let plan = Plan {
            harness: self.fake,
            catalog: self.catalog.clone(),
            reload: self.reload.clone(),
            model,
            hub,
            rehearsal: self.rehearsal,
            prompt: "hi".into(),
            session: Session::default(),
            roots: vec!["/skills".into()],
            limits: self.limits.clone(),
            approval: self.approval,
            working_directory: self.path().to_owned(),
            app_version: "0.1.0".into(),
        };
        let stop = CancellationToken::new();
        let (decide, decisions) = mpsc::unbounded_channel();
        for (call, decision) in &self.decisions {
            decide.send(((*call).to_owned(), decision.clone())).unwrap();
        }
        let (heard, events) = watch::channel(Vec::new());
        let recorder = Recorder::new(RunId(uuid::Uuid::nil()), Clock::from_fn(|| 0), None, move |event| {
            heard.send_modify(|events| events.push(event.clone()));
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
    events: watch::Receiver<Vec<Event>>,
}

impl Started {
    pub(super) async fn until(&mut self, wanted: impl Fn(&EventKind) -> bool) {
        self.events
            .wait_for(|events| events.iter().any(|event| wanted(&event.kind)))
            .await
            .expect("it happens before the run ends");
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
pub(super) fn story(events: &[Event]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut streams = false;
    for event in &events[1..] {
        let goes_on = streams;
        streams = matches!(event.kind, EventKind::Streamed { .. });
        if let (EventKind::Streamed { text, .. }, Some(last), true) = (&event.kind, lines.last_mut(), goes_on) {
            last.push_str(text);
            continue;
        }
        let within = event.within.as_ref().map(|within| format!("{within}> ")).unwrap_or_default();
        lines.push(within + &line(&event.kind));
    }
    lines
}

fn line(event: &EventKind) -> String {
    match event {
        EventKind::Started { .. } => "started".into(),
        EventKind::Requested { turn, body, .. } => format!("requested {turn}: {}", readable(body)),
        EventKind::Streamed { turn, text, .. } => format!("streamed {turn}: {text}"),
        EventKind::Answered { turn, message, finish, .. } => {
            format!("answered {turn}: {} ({finish:?})", plain(message))
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
            if let Some(output) = output.as_object_mut() {
                output.remove("took");
            }
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
