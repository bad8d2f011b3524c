use std::io::Cursor;

use serde_json::{Map, Value, json};

use super::*;
use crate::foreign::{self, Foreign, Found};
use crate::{Event, EventKind, ForkedFrom, RunSetup, RunStatus, fold, sample};
use model::secret::Scrubber;
use model::{Message, Part as Piece};

/// As a server takes them apart.
fn sent(events: &[Event], said: Said) -> ExportTraceServiceRequest {
    let open = OpenRun::of(events);
    let mut spans = Spans::new(sample::run_id(), said, "0.1.0");
    let mut made = Vec::new();
    loop {
        let due = spans.due(&open, 2);
        if due.is_empty() {
            break;
        }
        for step in due {
            made.extend(spans.make(&open, step, open.context_among(step, events).as_ref()));
        }
    }
    ExportTraceServiceRequest::decode(&spans.message(made)[..]).unwrap()
}

fn of(request: &ExportTraceServiceRequest) -> &[Span] {
    &request.resource_spans[0].scope_spans[0].spans
}

/// A span as a person reads it.
fn read(span: &Span, all: &[Span]) -> Value {
    let parent = all.iter().find(|other| other.span_id == span.parent_span_id).map(|parent| parent.name.clone());
    let written = serde_json::to_value(&span.attributes).unwrap();
    let mut attributes = Map::new();
    for pair in written.as_array().unwrap() {
        let held = pair["value"].as_object().unwrap().values().next().unwrap();
        attributes.insert(pair["key"].as_str().unwrap().into(), held.clone());
    }
    json!({
        "name": span.name,
        "in": parent,
        "kind": span.kind,
        "from": span.start_time_unix_nano / 1_000_000 - sample::STARTED_AT as u64,
        "until": span.end_time_unix_nano / 1_000_000 - sample::STARTED_AT as u64,
        "failed": span.status.as_ref().map(|status| status.message.clone()),
        "attributes": attributes,
    })
}

const RUN: &str = "01934f00-0000-7000-8000-000000000001";

fn chat(finish: &str, from: u32, until: u32) -> Value {
    json!({
        "name": "chat rehearsal", "in": "invoke_agent agent-framework", "kind": 3, "from": from, "until": until, "failed": null,
        "attributes": {
            "gen_ai.conversation.id": RUN, "gen_ai.operation.name": "chat", "gen_ai.provider.name": "skill-workbench",
            "gen_ai.request.model": "rehearsal",
            "gen_ai.response.finish_reasons": { "values": [{ "stringValue": finish }] },
        },
    })
}

fn tool(name: &str, id: &str, from: u32, until: u32, further: Value) -> Value {
    let mut attributes = json!({
        "gen_ai.conversation.id": RUN, "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name,
        "gen_ai.tool.call.id": id, "gen_ai.tool.type": "function", "gen_ai.skill.name": "unit-converter",
    });
    attributes.as_object_mut().unwrap().extend(further.as_object().unwrap().clone());
    json!({
        "name": format!("execute_tool {name}"), "in": "invoke_agent agent-framework", "kind": 1, "from": from,
        "until": until, "failed": null, "attributes": attributes,
    })
}

#[test]
fn a_run_is_a_trace_of_its_requests_and_calls() {
    let events = sample::seven_messages();
    let request = sent(&events, Said { contents: false, skills: true });
    let spans = of(&request);
    assert!(spans.iter().all(|span| span.trace_id == sample::run_id().0.as_bytes()));
    let mut told: Vec<Value> = spans.iter().map(|span| read(span, spans)).collect();
    // Counts of the first chunk differ with the sample's clock.
    for span in &mut told {
        span["attributes"].as_object_mut().unwrap().remove("gen_ai.response.time_to_first_chunk");
        span["attributes"].as_object_mut().unwrap().retain(|name, _| !name.starts_with("gen_ai.usage"));
    }
    let ended = told.iter().map(|span| span["until"].as_u64().unwrap()).max().unwrap();
    let times: Vec<(u32, u32)> = told
        .iter()
        .map(|span| {
            let time = |name: &str| u32::try_from(span[name].as_u64().unwrap()).unwrap();
            (time("from"), time("until"))
        })
        .collect();
    let expected = [
        chat("tool_call", times[0].0, times[0].1),
        tool("load_skill", "call_1", times[1].0, times[1].1, json!({})),
        chat("tool_call", times[2].0, times[2].1),
        tool(
            "read_skill_resource",
            "call_2",
            times[3].0,
            times[3].1,
            json!({ "gen_ai.skill.resource.name": "references/conversion-table.md" }),
        ),
        chat("tool_call", times[4].0, times[4].1),
        tool(
            "run_skill_script",
            "call_3",
            times[5].0,
            times[5].1,
            json!({ "gen_ai.skill.resource.name": "scripts/convert.py", "process.exit.code": "0" }),
        ),
        chat("stop", times[6].0, times[6].1),
        json!({
            "name": "invoke_agent agent-framework", "in": null, "kind": 1, "from": 0, "until": ended, "failed": null,
            "attributes": {
                "gen_ai.conversation.id": RUN, "gen_ai.operation.name": "invoke_agent",
                "gen_ai.agent.name": "agent-framework", "gen_ai.agent.version": "seed",
                "gen_ai.request.model": "rehearsal", "gen_ai.provider.name": "skill-workbench",
            },
        }),
    ];
    assert_eq!(told, expected);
    assert!(times[..7].windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 <= pair[1].0), "{times:?}");
    assert_eq!(sent(&events, Said { contents: false, skills: true }), request, "again it is the same trace");
}

#[test]
fn an_answer_that_the_user_wrote_is_no_request_to_a_model() {
    let forked = ForkedFrom { run: sample::run_id(), step: 1 };
    let setup = RunSetup { forked: Some(forked), ..sample::setup() };
    let events = sample::events_of([
        EventKind::Started { setup: sample::setup() },
        sample::requested(0, &[]),
        EventKind::Forked { setup, edited: None, answered: true },
        sample::answered(0, "mine", &[]),
        EventKind::ended(RunStatus::Done, None, None),
    ]);
    let request = sent(&events, Said::default());
    let names: Vec<&str> = of(&request).iter().map(|span| span.name.as_str()).collect();
    assert_eq!(names, ["invoke_agent agent-framework"]);
}

#[test]
fn spans_name_the_conventions_that_they_follow() {
    let request = sent(&sample::seven_messages(), Said::default());
    let [of_resource] = &request.resource_spans[..] else { panic!("one resource") };
    let of_scopes: Vec<&str> = of_resource.scope_spans.iter().map(|scope| scope.schema_url.as_str()).collect();
    assert_eq!((of_resource.schema_url.as_str(), of_scopes), (SCHEMA, vec![SCHEMA]));
    let written = serde_json::to_value(&request).unwrap();
    assert_eq!(written["resourceSpans"][0]["schemaUrl"], SCHEMA);
}

#[test]
fn what_was_said_is_there_only_if_that_is_chosen() {
    let events = sample::seven_messages();
    let secret = |request: &ExportTraceServiceRequest| serde_json::to_string(request).unwrap();
    let quiet = secret(&sent(&events, Said::default()));
    for said in [sample::PROMPT, sample::ANSWER, "Conversion Tables", "available_skills", "2.20462", "gen_ai.skill"] {
        assert!(!quiet.contains(said), "{said}");
    }
    let request = sent(&events, Said { contents: true, skills: false });
    let spans = of(&request);
    let last = read(&spans[6], spans)["attributes"].clone();
    let value = |name: &str| serde_json::from_str::<Value>(last[name].as_str().unwrap()).unwrap();
    assert_eq!(value("gen_ai.system_instructions"), json!([{ "type": "text", "content": sample::CATALOGUE }]));
    let input = value("gen_ai.input.messages");
    let roles: Vec<&str> = input.as_array().unwrap().iter().map(|each| each["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["user", "assistant", "tool", "assistant", "tool", "assistant", "tool"]);
    assert_eq!(
        input[1]["parts"],
        json!([{ "type": "tool_call", "id": "call_1", "name": "load_skill", "arguments": { "skillName": "unit-converter" } }])
    );
    assert_eq!(
        input[2]["parts"],
        json!([{ "type": "tool_call_response", "id": "call_1", "response": json!(sample::INSTRUCTIONS).to_string() }]),
        "as the framework sends it"
    );
    assert_eq!(
        value("gen_ai.output.messages"),
        json!([{ "role": "assistant", "parts": [{ "type": "text", "content": sample::ANSWER }], "finish_reason": "stop" }])
    );
    assert_eq!(read(&spans[5], spans)["attributes"]["gen_ai.tool.call.result"], sample::PRINTED);
}

#[test]
fn what_is_sent_is_imported_as_the_same_conversation() {
    let events = sample::seven_messages();
    let message = sent(&events, Said { contents: true, skills: true }).encode_to_vec();
    let mut runs = Vec::new();
    let (foreign, report) = foreign::read(Cursor::new(message), None, 0, &Scrubber::default(), &mut |found| {
        if let Found::Run(_, events) = found {
            runs.push(events.into_vec().unwrap());
        }
        true
    })
    .unwrap();
    assert_eq!((foreign, report.unread, runs.len()), (Foreign::Otlp, Vec::new(), 1));
    let gist = |events: &[Event]| -> Vec<String> {
        let steps = fold::steps(events).into_iter();
        let told = steps.filter_map(|step| match step.kind {
            StepKind::Prompt { text, .. } => Some(format!("prompt {text}")),
            StepKind::Answer { text, calls, finish, .. } => Some(format!("answer {text} {} {finish:?}", calls.len())),
            StepKind::Tool { call, disclosed, reply, .. } => Some(format!("{} {disclosed:?} {reply:?}", call.name)),
            StepKind::Note { .. } | StepKind::End { .. } => None,
        });
        told.collect()
    };
    assert_eq!(gist(&runs[0]), gist(&events));
}

#[test]
fn spans_come_as_soon_as_what_they_are_about_is_over() {
    let events = sample::seven_messages();
    let mut open = OpenRun::default();
    let mut spans = Spans::new(sample::run_id(), Said::default(), "0.1.0");
    let mut names: Vec<(u32, String)> = Vec::new();
    for event in &events {
        open.push(event);
        loop {
            let due = spans.due(&open, 8);
            if due.is_empty() {
                break;
            }
            for step in due {
                names.extend(spans.make(&open, step, None).into_iter().map(|span| (event.seq, span.name)));
            }
        }
    }
    let came: Vec<&str> = names.iter().map(|(_, name)| name.split(' ').next().unwrap()).collect();
    let expected = ["chat", "execute_tool", "chat", "execute_tool", "chat", "execute_tool", "chat", "invoke_agent"];
    assert_eq!(came, expected);
    assert_eq!(names[0].0, 2, "with the answer, not with the end of the run: {names:?}");
}

#[test]
fn a_sub_agent_is_an_agent_below_the_call_that_began_it_and_what_failed_says_so() {
    let task = sample::call("call_1", "task", "{}");
    let mut events = sample::events_of([
        EventKind::Started { setup: sample::setup() },
        sample::requested(0, &[sample::user()]),
        sample::answered(0, "", &[&task]),
        sample::called(0, &task, harness::Disclosure::None),
        sample::requested(0, &[sample::user()]),
        EventKind::Answered {
            turn: 0,
            message: Message { role: model::Role::Assistant, parts: vec![Piece::Text { text: "done".into() }] },
            usage: Some(model::Usage { input: 120, output: 5, cached: 100, cache_written: 10 }),
            finish: model::FinishReason::Length,
            tokens: 1,
        },
        sample::replied("call_1", "done"),
        sample::requested(1, &[sample::user()]),
        EventKind::Failed { turn: 1, message: "too warm".into(), hint: None, raw: String::new(), why: None },
        EventKind::ended(RunStatus::Failed, Some(wording::Message::quoted("too warm")), None),
    ]);
    for place in [4, 5] {
        events[place].within = Some("call_1".into());
    }
    let request = sent(&events, Said::default());
    let spans = of(&request);
    let told: Vec<Value> = spans.iter().map(|span| read(span, spans)).collect();
    let tree: Vec<_> = told
        .iter()
        .map(|span| (span["name"].as_str().unwrap(), span["in"].as_str(), span["failed"].as_str()))
        .collect();
    let root = Some("invoke_agent agent-framework");
    let expected = [
        ("chat rehearsal", root, None),
        ("chat rehearsal", Some("invoke_agent call_1"), None),
        ("execute_tool task", root, None),
        ("invoke_agent call_1", Some("execute_tool task"), None),
        ("chat rehearsal", root, Some("too warm")),
        ("invoke_agent agent-framework", None, Some("too warm")),
    ];
    let mut sorted = tree.clone();
    sorted.sort_unstable();
    let mut wanted = expected.to_vec();
    wanted.sort_unstable();
    assert_eq!(sorted, wanted);
    let within = told.iter().find(|span| span["in"] == "invoke_agent call_1").unwrap();
    let counted = |name: &str| within["attributes"][format!("gen_ai.usage.{name}")].clone();
    assert_eq!(
        ["input_tokens", "output_tokens", "cache_read.input_tokens", "cache_creation.input_tokens"].map(counted),
        ["120", "5", "100", "10"].map(Value::from),
        "input has what was cached in it"
    );
    let failed = told.iter().find(|span| span["failed"] == "too warm" && span["kind"] == 3).unwrap();
    assert_eq!(failed["attributes"]["error.type"], "model_error");
}

#[test]
fn what_a_server_did_not_take_is_read_from_its_answer() {
    let answer = |partial| ExportTraceServiceResponse { partial_success: partial }.encode_to_vec();
    use opentelemetry_proto::tonic::collector::trace::v1::ExportTracePartialSuccess as Partial;
    assert_eq!(rejected(&answer(None)), None);
    assert_eq!(rejected(&answer(Some(Partial { rejected_spans: 0, error_message: "slow".into() }))), None);
    let refused = Some(Partial { rejected_spans: 3, error_message: "too long".into() });
    assert_eq!(rejected(&answer(refused)), Some((3, "too long".into())));
    assert_eq!(rejected(b"{}"), None);
}
