//! The seven-message run of seed 000, written out by hand: what the tests of this room read.

use serde_json::{Value, json};

use super::*;
use model::Part;

pub const CATALOGUE: &str = "You have access to skills.\n\n<available_skills>\n  <skill>\n    <name>unit-converter</name>\n  </skill>\n</available_skills>";
pub const PROMPT: &str = "一公斤有几磅?";
pub const INSTRUCTIONS: &str =
    "---\nname: unit-converter\n---\n\nReview **references/conversion-table.md**, then run **scripts/convert.py**.\n";
pub const TABLE: &str = "# Conversion Tables\n\nFormula: **result = value × factor**\n";
pub const PRINTED: &str = "{\"result\": 2.20462, \"value\": 1.0, \"factor\": 2.20462}";
pub const ANSWER: &str = "1 公斤 ≈ **2.20462 磅**。";

/// The time of the first event.
pub const STARTED_AT: Millis = 1_700_000_000_000;

/// Of every run made here.
pub fn run_id() -> RunId {
    RunId(uuid::Uuid::from_u128(0x0193_4f00_0000_7000_8000_0000_0000_0001))
}

pub fn other_run_id() -> RunId {
    RunId(uuid::Uuid::from_u128(0x0193_4f00_0000_7000_8000_0000_0000_0002))
}

pub fn setup() -> RunSetup {
    RunSetup {
        images: Vec::new(),
        harness: "agent-framework".into(),
        variant: "seed".into(),
        model: "rehearsal".into(),
        prices: None,
        rehearsal: true,
        prompt: PROMPT.into(),
        roots: vec!["/skills".into()],
        skills: vec!["unit-converter".into()],
        without: Vec::new(),
        folders: [("unit-converter".into(), "/skills/unit-converter".into())].into(),
        working_directory: "/work".into(),
        neutral: Vec::new(),
        fidelity: false,
        tokenizer: "o200k_base".into(),
        catalogue_tokens: 100,
        groups: Vec::new(),
        app_version: "0.1.0".into(),
        imported: None,
        forked: None,
    }
}

/// Events ten milliseconds apart.
pub fn events_of(kinds: impl IntoIterator<Item = EventKind>) -> Vec<Event> {
    (0..)
        .zip(kinds)
        .map(|(seq, kind)| Event { seq, at: STARTED_AT + 10 * i64::from(seq), within: None, kind })
        .collect()
}

pub fn seven_messages() -> Vec<Event> {
    let load = call("call_1", "load_skill", r#"{"skillName":"unit-converter"}"#);
    let read = call(
        "call_2",
        "read_skill_resource",
        r#"{"skillName":"unit-converter","resourceName":"references/conversion-table.md"}"#,
    );
    let convert = call(
        "call_3",
        "run_skill_script",
        r#"{"skillName":"unit-converter","scriptName":"scripts/convert.py","arguments":{"value":1,"factor":2.20462}}"#,
    );
    let skill = String::from("unit-converter");
    let output = ScriptOutput {
        stdout: format!("{PRINTED}\n"),
        stderr: String::new(),
        exit_code: Some(0),
        timed_out: false,
        truncated: false,
        took: 30,
    };
    let mut sent = vec![system(), user()];
    let mut kinds = vec![EventKind::Started { setup: setup() }, requested(0, &sent)];
    kinds.extend([
        answered(0, "", &[&load]),
        called(0, &load, Disclosure::Instructions { skill: skill.clone() }),
        replied("call_1", INSTRUCTIONS),
    ]);
    sent.extend([asks(&load), result("call_1", INSTRUCTIONS)]);
    kinds.extend([
        requested(1, &sent),
        answered(1, "", &[&read]),
        called(
            1,
            &read,
            Disclosure::Resource { skill: skill.clone(), resource: "references/conversion-table.md".into() },
        ),
        replied("call_2", TABLE),
    ]);
    sent.extend([asks(&read), result("call_2", TABLE)]);
    kinds.extend([
        requested(2, &sent),
        answered(2, "", &[&convert]),
        called(2, &convert, Disclosure::Script { skill, script: "scripts/convert.py".into() }),
        asked("call_3", script()),
        EventKind::ApprovalGiven {
            call_id: "call_3".into(),
            decision: Decision::Allow { arguments: None, for_run: false },
        },
        EventKind::Performed {
            call_id: "call_3".into(),
            output: Some(output),
            files: Vec::new(),
            enforcement: None,
            outcome: None,
        },
        replied("call_3", PRINTED),
    ]);
    sent.extend([asks(&convert), result("call_3", PRINTED)]);
    kinds.extend([
        requested(3, &sent),
        EventKind::Streamed { turn: 3, text: "1 公斤".into(), reasoning: String::new() },
        EventKind::Streamed { turn: 3, text: " ≈ **2.20462 磅**。".into(), reasoning: String::new() },
        answered(3, ANSWER, &[]),
        EventKind::Ended { status: RunStatus::Done, error: None, zh: None, reached: None },
    ]);
    events_of(kinds)
}

pub fn script() -> Effect {
    Effect::RunScript {
        skill: "unit-converter".into(),
        script: "scripts/convert.py".into(),
        path: "/skills/unit-converter/scripts/convert.py".into(),
        interpreter: "python3".into(),
        arguments: ["--value", "1", "--factor", "2.20462"].map(String::from).to_vec(),
        approval: false,
        working_directory: None,
    }
}

pub fn call(id: &str, name: &str, arguments: &str) -> ToolCall {
    ToolCall::new(id, name, arguments)
}

pub fn called(turn: u32, call: &ToolCall, disclosure: Disclosure) -> EventKind {
    EventKind::Called { turn, call: call.clone(), disclosure }
}

/// A question about what an effect's own words say all of.
pub fn asked(call_id: &str, effect: Effect) -> EventKind {
    EventKind::ApprovalAsked { call_id: call_id.to_owned(), effect, subject: Subject::default() }
}

/// Twenty tokens in any text, which go out as a JSON string literal.
pub fn replied(call_id: &str, text: &str) -> EventKind {
    EventKind::Replied {
        images: Vec::new(),
        documents: Vec::new(),
        call_id: call_id.into(),
        text: text.into(),
        wire: Some(json_string(text)),
        is_error: false,
        tokens: 20,
    }
}

/// By itself an answer counts nine tokens; within the next request, ten.
pub fn answered(turn: u32, text: &str, calls: &[&ToolCall]) -> EventKind {
    let mut parts = Vec::new();
    if !text.is_empty() {
        parts.push(Part::Text { text: text.into() });
    }
    parts.extend(calls.iter().map(|call| Part::ToolCall((*call).clone())));
    EventKind::Answered {
        turn,
        message: Message { role: Role::Assistant, parts },
        usage: Some(Usage { input: 1, output: 9, cached: 0, cache_written: 0 }),
        finish: if calls.is_empty() { FinishReason::Stop } else { FinishReason::ToolCalls },
        tokens: 9,
    }
}

/// An answer that may be cut off.
pub fn perhaps_cut(turn: u32, text: &str) -> EventKind {
    match answered(turn, text, &[]) {
        EventKind::Answered { turn, message, usage, tokens, .. } => {
            EventKind::Answered { turn, message, usage, finish: FinishReason::PerhapsCut, tokens }
        }
        other => other,
    }
}

/// A request's event: tokens are 100 for the system message, 5 for the user's, 10 for an answer, 20 for a reply.
pub fn requested(turn: u32, messages: &[Value]) -> EventKind {
    let origins: Vec<_> = messages.iter().map(origin).collect();
    EventKind::Requested {
        turn,
        body: body(messages),
        kept: 0,
        tokens: origins.iter().map(|origin| origin.tokens).sum(),
        origins,
        model: None,
        agents: Vec::new(),
    }
}

pub fn body(messages: &[Value]) -> String {
    json!({
        "model": "rehearsal",
        "messages": messages,
        "tools": [{"type": "function", "function": {
            "name": "load_skill",
            "description": "Loads the full content of a specific skill",
            "parameters": {"type": "object", "properties": {"skillName": {"type": "string"}}, "required": ["skillName"]},
        }}],
    })
    .to_string()
}

pub fn system() -> Value {
    json!({"role": "system", "content": CATALOGUE})
}

pub fn user() -> Value {
    json!({"role": "user", "content": PROMPT})
}

pub fn asks(call: &ToolCall) -> Value {
    json!({"role": "assistant", "content": null, "tool_calls": [
        {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}},
    ]})
}

pub fn result(call_id: &str, text: &str) -> Value {
    json!({"role": "tool", "tool_call_id": call_id, "content": json_string(text)})
}

pub fn json_string(text: &str) -> String {
    Value::from(text).to_string()
}

fn origin(message: &Value) -> MessageOrigin {
    let content = message["content"].as_str().unwrap_or_default();
    let (role, origin, tokens) = match message["role"].as_str() {
        Some("system") => (Role::System, Origin::Framework, 100),
        Some("user") => (Role::User, Origin::User, 5),
        Some("tool") => (Role::Tool, Origin::Tool { tool: "tool".into() }, 20),
        _ => (Role::Assistant, Origin::User, 10),
    };
    let marks =
        if content.is_empty() { vec![] } else { vec![OriginMark { span: Span::new(0, content.len()), origin }] };
    MessageOrigin { role, marks, tokens }
}

/// A run with this many turns of the user; each turn contains everything that long runs consist of.
pub fn turns(turns: u32) -> Vec<Event> {
    let turn = [Act::Load, Act::Call, Act::Delegate, Act::Two, Act::Sum, Act::Retry, Act::Note, Act::Call, Act::Answer];
    long(&turn.repeat(turns as usize))
}

/// Any such run, finished or not.
pub fn long_run() -> impl proptest::strategy::Strategy<Value = Vec<Event>> {
    use proptest::prelude::*;
    let all = [Act::Load, Act::Call, Act::Delegate, Act::Two, Act::Sum, Act::Retry, Act::Note, Act::Answer];
    (prop::collection::vec(prop::sample::select(all.to_vec()), 0..16), 0..9_usize).prop_map(|(acts, cut)| {
        let mut events = long(&acts);
        events.truncate(events.len().saturating_sub(cut).max(1));
        events
    })
}

/// What happens in a long run.
#[derive(Debug, Clone, Copy)]
pub enum Act {
    /// A call that loads one of two skills.
    Load,
    Call,
    /// Two calls of one answer, replied to in the other order.
    Two,
    /// A call that lets a sub-agent work.
    Delegate,
    /// The framework sums up all but the system message.
    Sum,
    /// A request that fails and is made again.
    Retry,
    Note,
    /// The answer, the end, and what the user says next.
    Answer,
}

/// A conversation as its next request shows it.
struct Talk {
    within: Option<String>,
    turn: u32,
    messages: Vec<Value>,
    /// Those of the last request.
    sent: Vec<Value>,
}

impl Talk {
    fn new(within: Option<&str>, messages: Vec<Value>) -> Self {
        Self { within: within.map(String::from), turn: 0, messages, sent: Vec::new() }
    }

    fn request(&mut self) -> EventKind {
        let same = self.sent.iter().zip(&self.messages).take_while(|(a, b)| a == b).count();
        let asked = kept(u32::try_from(same).unwrap(), requested(self.turn, &self.messages));
        self.sent.clone_from(&self.messages);
        self.turn += 1;
        asked
    }

    /// A round: a request, its answer with these calls, and then the calls with their replies.
    fn round(&mut self, events: &mut Vec<(Option<String>, EventKind)>, calls: &[(ToolCall, Disclosure, String)]) {
        let within = self.within.clone();
        let mut push = |kind| events.push((within.clone(), kind));
        push(self.request());
        let asked: Vec<&ToolCall> = calls.iter().map(|(call, ..)| call).collect();
        push(answered(self.turn - 1, "", &asked));
        for (call, disclosure, _) in calls {
            push(called(self.turn - 1, call, disclosure.clone()));
            self.messages.push(asks(call));
        }
        for (call, _, reply) in calls.iter().rev() {
            push(replied(&call.id, reply));
        }
        for (call, _, reply) in calls {
            self.messages.push(result(&call.id, reply));
        }
    }
}

fn long(acts: &[Act]) -> Vec<Event> {
    let mut events = vec![(None, EventKind::Started { setup: setup() })];
    let mut own = Talk::new(None, vec![system(), user()]);
    for (number, act) in acts.iter().enumerate() {
        let id = format!("call_{number}");
        let plain = |id: &str| (call(id, "tool", &format!("[{number}]")), Disclosure::None, format!("reply {number}"));
        match act {
            Act::Load => {
                let skill = ["a", "b"][number % 2];
                let disclosure = Disclosure::Instructions { skill: skill.into() };
                own.round(&mut events, &[(call(&id, "load_skill", "{}"), disclosure, format!("# {skill}"))]);
            }
            Act::Call => own.round(&mut events, &[plain(&id)]),
            Act::Two => own.round(&mut events, &[plain(&id), plain(&format!("{id}b"))]),
            Act::Delegate => {
                own.round(&mut events, &[(call(&id, "task", "{}"), Disclosure::None, "done".into())]);
                let reply = events.pop();
                let mut inner =
                    Talk::new(Some(&id), vec![json!({ "role": "user", "content": format!("do {number}") })]);
                inner.round(&mut events, &[plain(&id)]);
                events.push((Some(id), inner.request()));
                events.push((inner.within.clone(), answered(inner.turn - 1, "done", &[])));
                events.extend(reply);
            }
            Act::Sum => {
                own.messages.truncate(1);
                own.messages.push(json!({ "role": "user", "content": format!("summary {number}") }));
            }
            Act::Retry => {
                let asked = own.request();
                events.push((None, asked));
                let (message, raw) = ("busy".into(), String::new());
                events.push((None, EventKind::Failed { turn: own.turn - 1, message, hint: None, raw, why: None }));
            }
            Act::Note => events.push((None, EventKind::noted(wording::Message::quoted("noted")))),
            Act::Answer => {
                let asked = own.request();
                events.push((None, asked));
                events.push((None, answered(own.turn - 1, ANSWER, &[])));
                own.messages.push(json!({ "role": "assistant", "content": ANSWER }));
                let ended = EventKind::Ended { status: RunStatus::Done, error: None, zh: None, reached: None };
                events.push((None, ended));
                let prompt = format!("more {number}");
                own.messages.push(json!({ "role": "user", "content": prompt }));
                let model = [setup().model, "another".into()][number % 2].clone();
                events.push((None, EventKind::Continued { setup: RunSetup { prompt, model, ..setup() } }));
            }
        }
    }
    let event = |(seq, (within, kind))| Event { seq, at: STARTED_AT + i64::from(seq), within, kind };
    (0..).zip(events).map(event).collect()
}

/// Events of every kind in any order, over few turns and call ids so that they meet.
pub fn any_events() -> impl proptest::strategy::Strategy<Value = Vec<Event>> {
    drawn(17)
}

/// The same, of runs that go on, some of which another program recorded.
pub fn any_events_that_go_on() -> impl proptest::strategy::Strategy<Value = Vec<Event>> {
    drawn(19)
}

/// `kinds`: so many kinds of events are drawn from.
fn drawn(kinds: u8) -> impl proptest::strategy::Strategy<Value = Vec<Event>> {
    use proptest::prelude::*;
    let id = prop::sample::select(vec!["a", "b"]);
    let text = prop::sample::select(vec!["", "hi", "公斤 ≈ 磅", "{\"skillName\":1}"]);
    let led = |foreign: bool, harness: String| {
        let imported = foreign.then_some(crate::Foreign::Codex);
        let group = GroupState { name: harness.clone(), is_active: true, tools: vec!["load_skill".into()] };
        RunSetup { harness, groups: vec![group], imported, ..setup() }
    };
    let kind = (0..kinds, 0..3u32, id, text, any::<u32>()).prop_map(move |(kind, turn, id, text, tokens)| {
        let asked = call(id, "load_skill", text);
        match kind {
            0 => EventKind::Started { setup: led(turn == 1, setup().harness) },
            1 => requested(turn, &[system(), user(), asks(&asked), result(id, text)]),
            2 => EventKind::Requested {
                turn,
                body: text.into(),
                kept: tokens % 4,
                origins: vec![],
                tokens,
                model: None,
                agents: vec![],
            },
            3 => EventKind::Streamed { turn, text: text.into(), reasoning: id.into() },
            4 => answered(turn, text, &[&asked]),
            5 => {
                let (hint, why) = ((turn == 1).then(|| id.into()), (turn == 2).then_some(ModelError::Silent));
                EventKind::Failed { turn, message: text.into(), hint, raw: text.into(), why }
            }
            6 => called(turn, &asked, Disclosure::Instructions { skill: id.into() }),
            7 => EventKind::ApprovalAsked {
                call_id: id.into(),
                effect: script(),
                subject: Subject {
                    leads_to: (turn == 1).then(|| text.into()),
                    digest: Some(id.into()),
                    enforcement: None,
                    skills: Vec::new(),
                },
            },
            8 => EventKind::ApprovalGiven { call_id: id.into(), decision: Decision::Stub { text: text.into() } },
            9 => EventKind::Replied {
                images: Vec::new(),
                documents: Vec::new(),
                call_id: id.into(),
                text: text.into(),
                wire: None,
                is_error: turn == 1,
                tokens,
            },
            10 => requested(turn, &[user(), asks(&asked)]),
            11 => EventKind::noted(wording::Message::quoted(text)),
            12 => EventKind::CutAsked { turn },
            13 => EventKind::CutSettled { turn, choice: CutChoice::AskAgain },
            14 => perhaps_cut(turn, text),
            15 => EventKind::Agreed { call_id: id.into(), effect: script(), subject: Subject::default() },
            17 | 18 => EventKind::Continued { setup: led(turn == 1, id.into()) },
            _ => EventKind::Ended { status: RunStatus::Running, error: None, zh: None, reached: None },
        }
    });
    // An end is rare, so that most sequences go on for long.
    let within = prop::sample::select(vec![None, None, Some("a")]);
    prop::collection::vec((kind, any::<i32>(), within), 0..40).prop_map(|drawn| {
        let last = drawn.len().saturating_sub(1);
        let kept = drawn
            .into_iter()
            .enumerate()
            .filter(|(place, (kind, ..))| *place >= last / 2 || !matches!(kind, EventKind::Ended { .. }));
        let event = |seq, kind, at, within: Option<&str>| Event { seq, at, within: within.map(String::from), kind };
        (0..).zip(kept).map(|(seq, (_, (kind, at, within)))| event(seq, kind, i64::from(at), within)).collect()
    })
}

/// A run in which a call lets a sub-agent work, which calls a tool under the id that the outer call has too.
pub fn delegated() -> Vec<Event> {
    let outer = call("a", "task", "{}");
    let inner = call("a", "bash", "{}");
    let task = json!({"role": "user", "content": "Count."});
    let mut sent = vec![system(), user()];
    let mut own = vec![task];
    let mut kinds = vec![
        (None, EventKind::Started { setup: setup() }),
        (None, requested(0, &sent)),
        (None, answered(0, "", &[&outer])),
        (None, called(0, &outer, Disclosure::None)),
        (Some("a"), requested(0, &own)),
        (Some("a"), answered(0, "", &[&inner])),
        (Some("a"), called(0, &inner, Disclosure::None)),
        (Some("a"), replied("a", "7")),
    ];
    own.extend([asks(&inner), result("a", "7")]);
    kinds.extend([
        (Some("a"), kept(1, requested(1, &own))),
        (Some("a"), EventKind::noted(wording::Message::quoted("counted"))),
        (Some("a"), answered(1, "Seven.", &[])),
        (None, replied("a", "Seven.")),
    ]);
    sent.extend([asks(&outer), result("a", "Seven.")]);
    kinds.extend([
        (None, kept(2, requested(1, &sent))),
        (None, answered(1, "It is seven.", &[])),
        (None, EventKind::Ended { status: RunStatus::Done, error: None, zh: None, reached: None }),
    ]);
    let (withins, kinds): (Vec<_>, Vec<_>) = kinds.into_iter().unzip();
    let mut events = events_of(kinds);
    events.iter_mut().zip(withins).for_each(|(event, within)| event.within = within.map(String::from));
    events
}

/// The request, with so many of its origins left to the request before.
pub fn kept(messages: u32, mut request: EventKind) -> EventKind {
    if let EventKind::Requested { kept, origins, .. } = &mut request {
        *kept = messages;
        origins.drain(..messages as usize);
    }
    request
}
