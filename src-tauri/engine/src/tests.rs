//! Whole runs, compared event by event.

mod asides;
#[cfg(unix)]
mod check;
mod cut;
mod effects;
mod fakes;
mod fork;
mod left;
mod limits;
mod neutral;
mod rehearsal;
mod rooms;
#[cfg(unix)]
mod scripts;
mod standing;
#[cfg(unix)]
mod trial;
mod turns;

use std::collections::BTreeMap;
use std::sync::Arc;

use self::fakes::{Bench, calls, catalog, is_silent, says, says_and_breaks, says_and_hangs};
use crate::tool::sandbox::Sandbox;
use harness::{Disclosure, FailedRounds, Limits, Origin};
use model::{FinishReason, Message, ModelError, Part, Role, ToolCall, tokens};
use skill::source::Span;
use trace::{EventKind, MessageOrigin, OriginMark, RunSetup, RunStatus};

/// Whether this machine has the best sandbox.
async fn has_sandbox() -> bool {
    needed::require_or_skip(Sandbox::find().await).is_some()
}

fn mark(start: usize, end: usize, origin: Origin) -> OriginMark {
    OriginMark { span: Span::new(start, end), origin }
}

#[tokio::test]
async fn records_every_event_of_a_run_with_one_call() {
    let bench = Bench::new();
    let events = bench.start(vec![calls(&[("c1", "load", r#"{"skill":"demo"}"#)]), says("Done")]).events().await;

    let call = ToolCall::new("c1", "load", r#"{"skill":"demo"}"#);
    let instructions = MessageOrigin {
        role: Role::System,
        marks: vec![
            mark(0, 8, Origin::Framework),
            mark(8, 12, Origin::Skill { skill: "demo".into(), field: "name".into() }),
        ],
        tokens: tokens::count("Skills: demo"),
    };
    let prompt = MessageOrigin { role: Role::User, marks: vec![mark(0, 2, Origin::User)], tokens: tokens::count("hi") };
    let asking = tokens::count("load") + tokens::count(r#"{"skill":"demo"}"#);
    let asked = MessageOrigin { role: Role::Assistant, marks: Vec::new(), tokens: asking };
    let loaded = MessageOrigin {
        role: Role::Tool,
        marks: vec![mark(0, 22, Origin::Skill { skill: "demo".into(), field: "body".into() })],
        tokens: tokens::count("<# Demo: see notes.md>"),
    };
    let second = r#"Skills: demo / hi / load{"skill":"demo"} / <# Demo: see notes.md>"#;
    let said = |part| Message { role: Role::Assistant, parts: vec![part] };
    let tool = tokens::count(r#"{"name":"load","description":"Loads","parameters":{}}"#);
    let first_tokens = instructions.tokens + prompt.tokens + tool;
    assert_eq!(
        events.into_iter().map(|event| event.kind).collect::<Vec<_>>(),
        [
            EventKind::Started {
                setup: RunSetup {
                    images: Vec::new(),
                    without: Vec::new(),
                    harness: "fake".into(),
                    variant: "only".into(),
                    model: "fake-1".into(),
                    prices: None,
                    rehearsal: false,
                    prompt: "hi".into(),
                    roots: vec!["/skills".into()],
                    skills: vec!["demo".into()],
                    folders: BTreeMap::new(),
                    working_directory: bench.path().to_owned(),
                    neutral: Vec::new(),
                    fidelity: false,
                    tokenizer: "o200k_base".into(),
                    catalogue_tokens: instructions.tokens + tool,
                    groups: Vec::new(),
                    app_version: "0.1.0".into(),
                    imported: None,
                    forked: None,
                }
            },
            EventKind::Requested {
                turn: 0,
                body: "Skills: demo / hi".into(),
                kept: 0,
                origins: vec![instructions, prompt],
                tokens: first_tokens,
                model: None,
                agents: Vec::new(),
            },
            EventKind::Answered {
                turn: 0,
                message: said(Part::ToolCall(call.clone())),
                usage: None,
                finish: FinishReason::ToolCalls,
                tokens: asking,
            },
            EventKind::Called { turn: 0, call, disclosure: Disclosure::Instructions { skill: "demo".into() } },
            EventKind::Replied {
                images: Vec::new(),
                documents: Vec::new(),
                call_id: "c1".into(),
                text: "# Demo: see notes.md".into(),
                wire: Some("<# Demo: see notes.md>".into()),
                is_error: false,
                tokens: loaded.tokens,
            },
            EventKind::Requested {
                turn: 1,
                body: second.into(),
                kept: 2,
                tokens: first_tokens + asking + loaded.tokens,
                origins: vec![asked, loaded],
                model: None,
                agents: Vec::new(),
            },
            EventKind::Streamed { turn: 1, text: "Done".into(), reasoning: String::new() },
            EventKind::Answered {
                turn: 1,
                message: said(Part::Text { text: "Done".into() }),
                usage: None,
                finish: FinishReason::Stop,
                tokens: tokens::count("Done"),
            },
            EventKind::Ended { status: RunStatus::Done, error: None, zh: None, reached: None },
        ]
    );
}

#[tokio::test]
async fn ends_with_the_first_answer_that_asks_for_no_call() {
    assert_eq!(
        Bench::new().story(vec![says("All is well.")]).await,
        ["requested 0: Skills: demo / hi", "streamed 0: All is well.", "answered 0: All is well. (Stop)", "ended Done"]
    );
}

#[tokio::test]
async fn answers_several_calls_of_one_turn_in_order() {
    let bench = Bench::new();
    let notes = bench.path().join("notes.md");
    std::fs::write(&notes, "NOTES").unwrap();
    let read = format!(r#"{{"path":"{notes}"}}"#);
    assert_eq!(
        bench.story(vec![calls(&[("a", "load", r#"{"skill":"demo"}"#), ("b", "read", &read)]), says("ok")]).await,
        [
            "requested 0: Skills: demo / hi".to_owned(),
            format!("answered 0: load{{\"skill\":\"demo\"}}; read{read} (ToolCalls)"),
            "called 0: a load{\"skill\":\"demo\"}".into(),
            "replied a: # Demo: see notes.md".into(),
            format!("called 0: b read{read}"),
            "replied b: NOTES".into(),
            format!(
                "requested 1: Skills: demo / hi / load{{\"skill\":\"demo\"}}; read{read} / <# Demo: see notes.md> / <NOTES>"
            ),
            "streamed 1: ok".into(),
            "answered 1: ok (Stop)".into(),
            "ended Done".into(),
        ]
    );
}

#[tokio::test]
async fn gives_bad_arguments_and_unknown_tools_to_the_harness_as_they_came() {
    assert_eq!(
        Bench::new().story(vec![calls(&[("a", "load", "{oops"), ("b", "fly", "{}")]), says("sorry")]).await,
        [
            "requested 0: Skills: demo / hi",
            "answered 0: load{oops; fly{} (ToolCalls)",
            "called 0: a load{oops",
            "replied with error a: Error: bad arguments.",
            "called 0: b fly{}",
            "replied with error b: Error: no tool fly.",
            "requested 1: Skills: demo / hi / load{oops; fly{} / <Error: bad arguments.> / <Error: no tool fly.>",
            "streamed 1: sorry",
            "answered 1: sorry (Stop)",
            "ended Done",
        ]
    );
}

#[tokio::test]
async fn names_calls_that_come_without_an_id() {
    let story = Bench::new().story(vec![calls(&[("", "fly", "{}")]), says("ok")]).await;
    assert_eq!(story[1], "noted: tool calls came without an id and were given one: call_0");
    assert_eq!(story[3], "called 0: call_0 fly{}");
}

#[tokio::test]
async fn notes_why_a_file_could_not_be_read() {
    let bench = Bench::new();
    let folder = bench.path().join("notes");
    std::fs::create_dir(&folder).unwrap();
    let read = format!(r#"{{"path":"{folder}"}}"#);
    assert_eq!(
        bench.story(vec![calls(&[("a", "read", &read)]), says("ok")]).await[2..5],
        [
            format!("called 0: a read{read}"),
            format!("noted: {folder} is a folder"),
            "replied with error a: Error: failed.".into()
        ]
    );
}

#[tokio::test]
async fn stops_at_the_runs_cap_of_requests() {
    let mut bench = Bench::new();
    bench.limits.turns = 2;
    let load = || calls(&[("a", "load", r#"{"skill":"demo"}"#)]);
    let story = bench.story(vec![load(), load()]).await;
    assert_eq!(
        story[4..],
        [
            "requested 1: Skills: demo / hi / load{\"skill\":\"demo\"} / <# Demo: see notes.md>",
            "answered 1: load{\"skill\":\"demo\"} (ToolCalls)",
            "ended Limited: the run was ended after 2 model requests, the limit of this run; raise `turns` under `limits` in \
             workbench.yaml, or --turns",
        ]
    );
}

#[tokio::test]
async fn stops_at_the_frameworks_cap_of_requests() {
    let load = || calls(&[("a", "load", r#"{"skill":"demo"}"#)]);
    let story = Bench::new().story(std::iter::repeat_with(load).take(6).collect()).await;
    assert_eq!(
        story.last().unwrap(),
        "ended Limited: the run was ended after 6 model requests, the limit of Fake Framework"
    );
}

#[tokio::test]
async fn gives_up_after_too_many_failed_rounds_in_a_row() {
    let failing = || calls(&[("a", "load", "oops")]);
    let loading = calls(&[("a", "load", r#"{"skill":"demo"}"#)]);
    let story = Bench::new().story(vec![failing(), failing(), loading, says("phew")]).await;
    assert_eq!(story.last().unwrap(), "ended Done", "a round that worked resets the count");

    let unknown = || calls(&[("a", "fly", "{}")]);
    let story = Bench::new().story(vec![unknown(), unknown(), unknown(), says("phew")]).await;
    assert_eq!(story.last().unwrap(), "ended Done", "only what a tool threw counts");

    let story = Bench::new().story(std::iter::repeat_with(failing).take(3).collect()).await;
    assert_eq!(
        story.last().unwrap(),
        "ended Failed: Fake Framework gives up after 3 rounds in a row in which a tool failed; the last one: Error: bad arguments."
    );
}

#[tokio::test]
async fn lets_the_model_answer_a_last_time_where_the_framework_does() {
    let mut bench = Bench::new();
    bench.catalog.limits = Limits { iterations: None, failed_rounds: Some(FailedRounds::AnswerAfter(2)) };
    let failing = || calls(&[("a", "load", "oops")]);
    let story = bench.story(vec![failing(), failing(), says("I give up.")]).await;
    assert_eq!(
        story[8..],
        [
            "requested 2: Skills: demo / hi / loadoops / <Error: bad arguments.> / loadoops / <Error: bad arguments.> [no calls]",
            "streamed 2: I give up.",
            "answered 2: I give up. (Stop)",
            "ended Done",
        ]
    );
    let story = bench.story(vec![failing(), failing(), failing()]).await;
    assert_eq!(
        story[9..],
        ["answered 2: loadoops (ToolCalls)", "ended Done"],
        "what it calls all the same is not served"
    );
}

#[tokio::test]
async fn knows_no_cap_but_its_own_where_the_framework_has_none() {
    let mut bench = Bench::new();
    bench.catalog.limits = Limits { iterations: None, failed_rounds: None };
    let failing = || calls(&[("a", "load", "oops")]);
    let story = bench.story(std::iter::repeat_with(failing).take(10).collect()).await;
    assert_eq!(
        story.last().unwrap(),
        "ended Limited: the run was ended after 10 model requests, the limit of this run; raise `turns` under `limits` in \
             workbench.yaml, or --turns"
    );
}

#[tokio::test]
async fn ends_where_the_framework_aborts() {
    let story = Bench::new().story(vec![calls(&[("a", "quit", "{}"), ("b", "fly", "{}")])]).await;
    assert_eq!(story[2..], ["called 0: a quit{}", "ended Failed: the framework quits"]);
}

#[tokio::test]
async fn sends_nothing_where_the_framework_refuses_to_start() {
    let mut bench = Bench::new();
    bench.catalog.refused = Some("bad option".into());
    assert_eq!(bench.story(Vec::new()).await, ["ended Failed: bad option"]);
}

#[tokio::test]
async fn keeps_what_arrived_before_the_answer_broke_off() {
    let error = ModelError::Broken { reason: wording::Message::quoted("connection reset"), raw: "half a line".into() };
    assert_eq!(
        Bench::new().story(vec![says_and_breaks("Once upon", error)]).await,
        [
            "requested 0: Skills: demo / hi",
            "streamed 0: Once upon",
            "failed 0: the answer broke off: connection reset [half a line]",
            "ended Failed: the answer broke off: connection reset",
        ]
    );
}

#[tokio::test]
async fn takes_an_answer_of_nothing_for_a_failure() {
    assert_eq!(
        Bench::new().story(vec![is_silent()]).await[1..],
        ["failed 0: the model's answer is empty []", "ended Failed: the model's answer is empty"]
    );
}

#[tokio::test]
async fn stops_while_an_answer_streams_and_keeps_what_arrived() {
    let mut started = Bench::new().start(vec![says_and_hangs("Once upon")]);
    started.until(|event| matches!(event, EventKind::Streamed { .. })).await;
    assert_eq!(started.stopped().await, ["requested 0: Skills: demo / hi", "streamed 0: Once upon", "ended Stopped"]);
}

#[tokio::test]
async fn sends_nothing_when_it_was_stopped_before() {
    let started = Bench::new().start(Vec::new());
    // The run has not been polled yet: this test runs on one thread.
    assert_eq!(started.stopped().await, ["ended Stopped"]);
}

#[tokio::test]
async fn reads_the_skills_again_for_each_turn_of_the_user_if_they_are_not_cached() {
    let mut bench = Bench::new();
    bench.reload = Some(Arc::new(|| {
        let mut catalog = catalog();
        catalog.skills[0].name = "edited".into();
        catalog
    }));
    bench.further = vec!["more"];
    let story = bench.story(vec![calls(&[("a", "fly", "{}")]), says("ok"), says("yes")]).await;
    let requests: Vec<_> = story.iter().filter(|line| line.starts_with("requested")).collect();
    assert_eq!(
        requests,
        [
            "requested 0: Skills: demo / hi",
            "requested 1: Skills: demo / hi / fly{} / <Error: no tool fly.>",
            "requested 2: Skills: edited / hi / fly{} / <Error: no tool fly.> / ok / more",
        ]
    );
}
