//! Things that real files have in addition to a plain conversation: pictures, tools of the provider, compacted
//! contexts, conventions of other years.

use serde_json::{Value, json};

use super::*;
use model::Image;

/// A PNG of one pixel, as far as its head.
fn png() -> Image {
    let head = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0";
    Image::of(head).unwrap()
}

fn lines(values: &[Value]) -> Taken {
    told(&values.iter().map(|value| value.to_string() + "\n").collect::<String>())
}

/// A step in a line, with its pictures and what a tool replied.
fn whole(events: &[Event]) -> Vec<String> {
    let pictures = |images: &[Image]| if images.is_empty() { String::new() } else { format!(" +{}", images.len()) };
    let line = |step: &Step| match &step.kind {
        StepKind::Prompt { images, .. } => format!("{}{}", gist(step), pictures(images)),
        StepKind::Tool { call, reply, images, .. } => {
            let (reply, pictures) = (reply.as_deref().unwrap_or("?"), pictures(images));
            format!("{} {} -> {reply}{pictures}", call.name, call.arguments)
        }
        _ => gist(step),
    };
    fold::steps(events).iter().map(line).collect()
}

/// The messages in the context at a step: role, text, pictures.
fn context(events: &[Event], step: u32) -> Vec<String> {
    let context = OpenRun::of(events).context_among(step, events).unwrap();
    let message = |message: crate::ContextMessage| {
        format!("{:?} {} +{}", message.role, message.text, message.images.len()).to_lowercase()
    };
    context.messages.into_iter().map(message).collect()
}

#[test]
fn pictures_of_chat_completions_stay_pictures() {
    let user = json!([{ "type": "text", "text": "What is it?" }, { "type": "image_url", "image_url": { "url": png().data_url() } }]);
    let Taken { runs, .. } = lines(&[json!({ "messages": [
        { "role": "user", "content": user },
        { "role": "assistant", "content": null, "refusal": "I cannot say." },
        { "role": "user", "content": [{ "type": "image_url", "image_url": { "url": "https://example.com/a.png" } }] },
        { "role": "assistant", "content": "A page." },
    ] })]);
    let events = &runs[0].1;
    assert_eq!(
        whole(events)[..4],
        ["prompt What is it? +1", "answer I cannot say.[0]", "prompt [image_url]", "answer A page.[0]"]
    );
    assert_eq!(context(events, 1)[0], "user what is it? +1");
}

#[test]
fn tools_of_anthropic_s_own_are_calls_with_replies_and_pictures_of_results_stay() {
    let picture = png();
    let image =
        json!({ "type": "image", "source": { "type": "base64", "media_type": "image/png", "data": picture.data } });
    let Taken { runs, report, .. } = lines(&[json!({ "model": "m", "system": "s", "messages": [
        { "role": "user", "content": [{ "type": "text", "text": "Look." }, image] },
        { "role": "assistant", "content": [
            { "type": "redacted_thinking", "data": "xyz" },
            { "type": "server_tool_use", "id": "s1", "name": "web_search", "input": { "query": "kg" } },
            { "type": "web_search_tool_result", "tool_use_id": "s1", "content": [
                { "type": "web_search_result", "title": "Kilogram", "url": "https://example.com/kg", "encrypted_content": "zzz" },
            ] },
            { "type": "mcp_tool_use", "id": "m1", "name": "convert", "server_name": "units", "input": {} },
            { "type": "mcp_tool_result", "tool_use_id": "m1", "is_error": true, "content": [{ "type": "text", "text": "no" }] },
            { "type": "code_execution_tool_result", "tool_use_id": "gone", "content":
                { "type": "code_execution_result", "stdout": "2.2\n", "stderr": "", "return_code": 0 } },
            { "type": "text", "text": "It is mass.", "citations": [{ "type": "web_search_result_location", "url": "u", "cited_text": "mass" }] },
            { "type": "tool_use", "id": "t1", "name": "screenshot", "input": {} },
        ] },
        { "role": "user", "content": [{ "type": "tool_result", "tool_use_id": "t1", "content": [image] }] },
        { "role": "assistant", "content": [{ "type": "text", "text": "Done." }] },
    ] })]);
    let events = &runs[0].1;
    assert_eq!(
        whole(events),
        [
            "prompt Look. +1",
            "answer It is mass.[3]",
            "web_search {\"query\":\"kg\"} -> Kilogram\nhttps://example.com/kg",
            "convert {} -> no",
            "screenshot {} ->  +1",
            "answer Done.[0]",
        ]
    );
    assert_eq!(report.unread, []);
    assert_eq!(context(events, 1)[..2], ["system s +0", "user look. +1"]);
    assert!(context(events, 5).contains(&"tool  +1".to_owned()), "{:?}", context(events, 5));
}

fn codex(kind: &str, payload: Value) -> Value {
    json!({ "timestamp": "2026-03-01T10:00:00.000Z", "type": kind, "payload": payload })
}

fn said(role: &str, text: &str) -> Value {
    let kind = if role == "assistant" { "output_text" } else { "input_text" };
    json!({ "type": "message", "role": role, "content": [{ "type": kind, "text": text }] })
}

#[test]
fn a_rollout_that_was_compacted_goes_on_from_what_took_its_place() {
    let picture = json!({ "type": "input_image", "image_url": png().data_url() });
    let item = |payload| codex("response_item", payload);
    let Taken { runs, report, .. } = lines(&[
        codex(
            "session_meta",
            json!({ "id": "1", "cwd": "/w", "cli_version": "0.130.0", "base_instructions": { "text": "Be short." } }),
        ),
        codex("turn_context", json!({ "model": "gpt-5.4", "cwd": "/w" })),
        item(said("developer", "<permissions instructions>ask</permissions instructions>")),
        item(said("user", "See this.")),
        item(json!({ "type": "reasoning", "summary": [], "encrypted_content": "Zz" })),
        item(
            json!({ "type": "function_call", "name": "view_image", "arguments": "{\"path\":\"a.png\"}", "call_id": "c1" }),
        ),
        item(json!({ "type": "function_call_output", "call_id": "c1", "output": [picture] })),
        item(
            json!({ "type": "web_search_call", "status": "completed", "action": { "type": "search", "query": "kg" } }),
        ),
        item(json!({ "type": "custom_tool_call", "call_id": "c2", "name": "apply_patch", "input": "*** Begin Patch" })),
        item(
            json!({ "type": "custom_tool_call_output", "call_id": "c2", "output": "{\"output\":\"Failed\",\"metadata\":{\"exit_code\":1}}" }),
        ),
        item(json!({ "type": "ghost_snapshot", "ghost_commit": { "id": "0" } })),
        item(said("assistant", "Seen.")),
        codex(
            "compacted",
            json!({ "message": "", "replacement_history": [said("user", "See this."), said("user", "Summary: a picture.")] }),
        ),
        codex("event_msg", json!({ "type": "context_compacted" })),
        codex("event_msg", json!({ "type": "token_count", "info": null, "rate_limits": {} })),
        item(said("user", "And now?")),
        item(said("assistant", "Nothing.")),
        codex("world_state", json!({ "x": 1 })),
    ]);
    let events = &runs[0].1;
    assert_eq!(
        whole(events),
        [
            "prompt See this.",
            "answer [1]",
            "view_image {\"path\":\"a.png\"} ->  +1",
            "answer [1]",
            "web_search {\"type\":\"search\",\"query\":\"kg\"} -> completed",
            "answer [1]",
            "apply_patch *** Begin Patch -> Failed",
            "answer Seen.[0]",
            "prompt And now?",
            "answer Nothing.[0]",
            "note kept with the run and not shown as steps: context_compacted (1), ghost_snapshot (1), world_state (1)",
        ]
    );
    assert_eq!(report.unread, []);
    assert_eq!(
        context(events, 9),
        ["user see this. +0", "user summary: a picture. +0", "user and now? +0"],
        "what was before is gone"
    );
    assert_eq!(context(events, 3)[3..], ["assistant  +0", "tool  +1"]);
}

#[test]
fn items_of_the_provider_s_own_tools_say_what_was_asked_and_what_came() {
    let Taken { runs, report, .. } = lines(&[
        json!({ "object": "response", "model": "m", "instructions": "s", "output": [
        { "type": "code_interpreter_call", "id": "ci", "code": "1+1", "outputs": [{ "type": "logs", "logs": "2" }], "status": "completed" },
        { "type": "file_search_call", "id": "fs", "queries": ["kg"], "results": [{ "text": "found" }], "status": "completed" },
        { "type": "image_generation_call", "id": "ig", "status": "completed", "result": png().data },
        { "type": "shell_call", "id": "sh", "call_id": "sh1", "action": { "commands": ["ls"] } },
        { "type": "shell_call_output", "call_id": "sh1", "output": [{ "stdout": "a\n", "stderr": "b", "outcome": { "type": "exit", "exit_code": 2 } }] },
        { "type": "computer_call", "id": "cu", "call_id": "cu1", "action": { "type": "screenshot" } },
        { "type": "computer_call_output", "call_id": "cu1", "output": { "type": "computer_screenshot", "image_url": png().data_url() } },
        { "type": "mcp_list_tools", "id": "l", "server_label": "x", "tools": [] },
        { "type": "message", "role": "assistant", "content": [{ "type": "output_text", "text": "ok", "annotations": [] }] },
    ] }),
    ]);
    assert_eq!(
        whole(&runs[0].1),
        [
            "prompt ",
            "answer [1]",
            "code_interpreter {\"code_interpreter\":\"1+1\"} -> {\"type\":\"logs\",\"logs\":\"2\"}",
            "answer [1]",
            "file_search {\"file_search\":[\"kg\"]} -> found",
            "answer [1]",
            "image_generation  ->  +1",
            "answer [1]",
            "local_shell {\"commands\":[\"ls\"]} -> a\nb",
            "answer [1]",
            "computer {\"type\":\"screenshot\"} ->  +1",
            "answer ok[0]",
            "note kept with the run and not shown as steps: mcp_list_tools (1)",
        ]
    );
    assert_eq!(report.unread, []);
}

#[test]
fn a_session_of_claude_code_keeps_the_pictures_that_were_pasted_and_read() {
    let image =
        json!({ "type": "image", "source": { "type": "base64", "media_type": "image/png", "data": png().data } });
    let line = |uuid: &str, of: &str, message: Value| json!({ "type": of, "uuid": uuid, "sessionId": "s", "cwd": "/w", "timestamp": "2026-03-01T10:00:00.000Z", "message": message });
    let Taken { runs, .. } = lines(&[
        line(
            "1",
            "user",
            json!({ "role": "user", "content": [{ "type": "text", "text": "[Image #1] what is it" }, image] }),
        ),
        line(
            "2",
            "assistant",
            json!({ "id": "a", "role": "assistant", "content": [{ "type": "tool_use", "id": "t", "name": "Read", "input": { "file_path": "a.png" } }] }),
        ),
        line(
            "3",
            "user",
            json!({ "role": "user", "content": [{ "type": "tool_result", "tool_use_id": "t", "content": [image] }] }),
        ),
        line(
            "4",
            "assistant",
            json!({ "id": "b", "role": "assistant", "content": [{ "type": "text", "text": "A pixel." }] }),
        ),
        json!({ "type": "system", "subtype": "compact_boundary", "uuid": "5", "sessionId": "s", "compactMetadata": { "trigger": "auto" } }),
        json!({ "type": "user", "uuid": "6", "sessionId": "s", "isCompactSummary": true, "message": { "role": "user", "content": "We looked at a picture." } }),
        line("7", "user", json!({ "role": "user", "content": [{ "type": "text", "text": "again" }, image] })),
        line(
            "8",
            "assistant",
            json!({ "id": "c", "role": "assistant", "content": [{ "type": "text", "text": "Still one." }] }),
        ),
        json!({ "type": "last-prompt", "sessionId": "s", "lastPrompt": "again" }),
    ]);
    let events = &runs[0].1;
    assert_eq!(
        whole(events),
        [
            "prompt [Image #1] what is it +1",
            "answer [1]",
            "Read {\"file_path\":\"a.png\"} ->  +1",
            "answer A pixel.[0]",
            "prompt again +1",
            "answer Still one.[0]",
            "note kept with the run and not shown as steps: last-prompt (1)",
        ]
    );
    assert_eq!(context(events, 5), ["user we looked at a picture. +0", "user again +1"]);
    assert_eq!(context(events, 3)[2..], ["tool  +1"]);
}

fn span(id: &str, name: &str, attributes: &[(&str, Value)], more: Value) -> Value {
    let attributes: Vec<Value> = attributes.iter().map(|(key, value)| attribute(key, value)).collect();
    let mut span = json!({ "traceId": "t1", "spanId": id, "name": name, "startTimeUnixNano": "1700000000000000000",
        "endTimeUnixNano": "1700000001000000000", "attributes": attributes, "status": {} });
    for (key, value) in more.as_object().unwrap() {
        span[key] = value.clone();
    }
    span
}

fn attribute(key: &str, value: &Value) -> Value {
    let value = match value {
        Value::String(text) => json!({ "stringValue": text }),
        Value::Number(number) => json!({ "intValue": number.to_string() }),
        other => json!({ "stringValue": other.to_string() }),
    };
    json!({ "key": key, "value": value })
}

fn trace(spans: &[Value]) -> Taken {
    lines(&[json!({ "resourceSpans": [{ "scopeSpans": [{ "spans": spans }] }] })])
}

fn event(name: &str, attributes: &[(&str, Value)]) -> Value {
    let attributes: Vec<Value> = attributes.iter().map(|(key, value)| attribute(key, value)).collect();
    json!({ "name": name, "timeUnixNano": "1700000000000000000", "attributes": attributes })
}

#[test]
fn messages_that_older_conventions_put_into_events_are_read() {
    let chat = [
        ("gen_ai.operation.name", json!("chat")),
        ("gen_ai.request.model", json!("m")),
        ("gen_ai.usage.prompt_tokens", json!(7)),
    ];
    let called = json!([{ "id": "c1", "type": "function", "function": { "name": "load_skill", "arguments": "{\"name\":\"pdf\"}" } }]);
    let Taken { runs, .. } = trace(&[
        span(
            "1",
            "chat m",
            &chat,
            json!({ "events": [
            event("gen_ai.system.message", &[("content", json!("Be short."))]),
            event("gen_ai.user.message", &[("content", json!("How many?"))]),
            event("gen_ai.choice", &[("index", json!(0)), ("finish_reason", json!("tool_calls")),
                ("message", json!({ "role": "assistant", "tool_calls": called }))]),
        ] }),
        ),
        span(
            "2",
            "chat m",
            &chat,
            json!({ "startTimeUnixNano": "1700000002000000000", "events": [
            event("gen_ai.system.message", &[("content", json!("Be short."))]),
            event("gen_ai.user.message", &[("content", json!("How many?"))]),
            event("gen_ai.assistant.message", &[("tool_calls", called)]),
            event("gen_ai.tool.message", &[("id", json!("c1")), ("content", json!("# PDF"))]),
            event("gen_ai.choice", &[("index", json!(0)), ("finish_reason", json!("stop")), ("message", json!({ "content": "Two." }))]),
        ] }),
        ),
    ]);
    let events = &runs[0].1;
    assert_eq!(
        whole(events),
        ["prompt How many?", "answer [1]", "load_skill {\"name\":\"pdf\"} -> # PDF", "answer Two.[0]"]
    );
    assert_eq!(context(events, 3), ["system be short. +0", "user how many? +0", "assistant  +0", "tool # pdf +0"]);

    let Taken { runs, .. } = trace(&[span(
        "1",
        "chat",
        &chat,
        json!({ "events": [
        event("gen_ai.content.prompt", &[("gen_ai.prompt", json!([{ "role": "user", "content": "hi" }]))]),
        event("gen_ai.content.completion", &[("gen_ai.completion", json!([{ "role": "assistant", "content": "ho" }]))]),
    ] }),
    )]);
    assert_eq!(whole(&runs[0].1), ["prompt hi", "answer ho[0]"]);

    let Taken { runs, .. } = trace(&[span(
        "1",
        "chat",
        &chat,
        json!({ "events": [
        event("gen_ai.client.inference.operation.details", &[
            ("gen_ai.input.messages", json!([{ "role": "user", "parts": [{ "type": "text", "content": "hi" }] }])),
            ("gen_ai.output.messages", json!([{ "role": "assistant", "parts": [{ "type": "text", "content": "ho" }], "finish_reason": "length" }])),
        ]),
    ] }),
    )]);
    assert_eq!(whole(&runs[0].1), ["prompt hi", "answer ho[0]"]);
}

/// A record of a log, in which all but its name is the body or an attribute.
fn logged(name: &str, span: &str, at: u32, body: Value) -> Value {
    json!({ "timeUnixNano": format!("17000000{at:02}000000000"), "eventName": name, "spanId": span, "traceId": "t1",
        "body": attribute("body", &body)["value"] })
}

fn log(records: &[Value]) -> Value {
    json!({ "resourceLogs": [{ "scopeLogs": [{ "logRecords": records }] }] })
}

#[test]
fn messages_in_records_of_a_log_go_to_their_spans() {
    let called = json!([{ "id": "c1", "type": "function", "function": { "name": "load_skill", "arguments": "{\"skill_name\":\"pdf\"}" } }]);
    let spans = json!({ "resourceSpans": [{ "scopeSpans": [{ "spans": [
        span("a1", "chat m", &[("gen_ai.operation.name", json!("chat"))], json!({})),
        span("a2", "chat m", &[("gen_ai.operation.name", json!("chat"))], json!({ "startTimeUnixNano": "1700000005000000000" })),
    ] }] }] });
    let Taken { runs, report, foreign } = lines(&[
        log(&[
            logged(
                "gen_ai.choice",
                "a1",
                3,
                json!({ "index": 0, "finish_reason": "tool_calls", "message": { "role": "assistant", "tool_calls": called } }),
            ),
            logged("gen_ai.system.message", "a1", 1, json!({ "content": "Be short." })),
            logged("gen_ai.user.message", "a1", 2, json!({ "content": "How many?" })),
            logged("session.started", "a1", 1, json!("x")),
        ]),
        spans,
        log(&[
            logged("gen_ai.user.message", "a2", 5, json!({ "content": "How many?" })),
            logged("gen_ai.assistant.message", "a2", 5, json!({ "tool_calls": called })),
            logged("gen_ai.tool.message", "a2", 5, json!({ "id": "c1", "content": "# PDF" })),
            logged(
                "gen_ai.choice",
                "a2",
                6,
                json!({ "index": 0, "finish_reason": "stop", "message": { "content": "Two." } }),
            ),
        ]),
    ]);
    assert_eq!((foreign, runs.len(), &report.unread), (Foreign::Otlp, 1, &Vec::new()));
    assert_eq!(report.unknown, BTreeMap::from([("session.started".to_owned(), 1)]));
    let events = &runs[0].1;
    assert_eq!(
        whole(events)[..4],
        ["prompt How many?", "answer [1]", "load_skill {\"skill_name\":\"pdf\"} -> # PDF", "answer Two.[0]"]
    );
    assert_eq!(context(events, 1)[..2], ["system be short. +0", "user how many? +0"]);
}

#[test]
fn records_of_a_log_without_their_spans_are_requests() {
    let message = |role: &str, text: &str| json!({ "role": role, "parts": [{ "type": "text", "content": text }] });
    let details = |input: &[Value], answer: &str| {
        json!({ "gen_ai.request.model": "m",
            "gen_ai.input.messages": Value::from(input).to_string(),
            "gen_ai.output.messages": json!([message("assistant", answer)]).to_string() })
    };
    let talk = [message("user", "hi"), message("assistant", "ho"), message("user", "once more")];
    let name = "gen_ai.client.inference.operation.details";
    let Taken { runs, .. } = lines(&[
        log(&[logged(name, "", 1, details(&talk[..1], "ho"))]),
        log(&[logged(name, "b2", 2, details(&talk, "ha"))]),
    ]);
    assert_eq!(gists(&runs[0].1), ["prompt hi", "answer ho[0]", "prompt once more", "answer ha[0]"]);
    assert_eq!(fold::replay(&runs[0].1).summary(runs[0].0, false).unwrap().setup.model, "m");
}

/// A line of a session, with what it says as its message has it.
fn session(kind: &str, id: &str, parent: Option<&str>, content: Value, more: Value) -> Value {
    let mut message = json!({ "role": kind, "content": content });
    if kind == "assistant" {
        message["id"] = more["answer"].as_str().unwrap_or(id).into();
    }
    let mut line = json!({ "type": kind, "uuid": id, "parentUuid": parent, "sessionId": "s", "timestamp": "2026-02-03T10:00:01.000Z", "message": message });
    for (key, value) in more.as_object().into_iter().flatten() {
        line[key] = value.clone();
    }
    line
}

#[test]
fn a_session_in_which_the_user_went_back_goes_on_from_there() {
    let text = |text: &str| json!([{ "type": "text", "text": text }]);
    let called = |id: &str| json!([{ "type": "tool_use", "id": id, "name": "Bash", "input": { "command": id } }]);
    let result = |id: &str| json!([{ "type": "tool_result", "tool_use_id": id, "content": format!("of {id}") }]);
    let two = json!({ "answer": "two" });
    let Taken { runs, .. } = lines(&[
        session("user", "u1", None, json!("First."), json!({})),
        // Two calls of one answer: the result of the first one is above nothing.
        session("assistant", "a1", Some("u1"), called("c1"), two.clone()),
        session("assistant", "a2", Some("a1"), called("c2"), two),
        session("user", "r1", Some("a1"), result("c1"), json!({})),
        session("user", "r2", Some("a2"), result("c2"), json!({})),
        session("assistant", "a3", Some("r2"), text("One."), json!({})),
        session("user", "u2", Some("a3"), json!("Second."), json!({})),
        session("assistant", "a4", Some("u2"), text("Two."), json!({})),
        session("user", "u3", Some("a3"), json!("Another second."), json!({})),
        session("assistant", "a5", Some("u3"), text("Three."), json!({})),
        session("user", "u4", Some("a5"), json!("Third."), json!({})),
        session("assistant", "a6", Some("u4"), text("Four."), json!({})),
        session("user", "u5", None, json!("Another first."), json!({})),
        session("assistant", "a7", Some("u5"), text("Five."), json!({})),
    ]);
    let events = &runs[0].1;
    let back = |gone| {
        format!(
            "note the conversation goes on from an earlier place; messages that are no longer in the context: {gone}"
        )
    };
    assert_eq!(
        gists(events),
        [
            "prompt First.",
            "answer [2]",
            "tool Bash ",
            "tool Bash ",
            "answer One.[0]",
            "prompt Second.",
            "answer Two.[0]",
            &back(2),
            "prompt Another second.",
            "answer Three.[0]",
            "prompt Third.",
            "answer Four.[0]",
            &back(9),
            "prompt Another first.",
            "answer Five.[0]",
        ]
    );
    assert_eq!(
        context(events, 9),
        [
            "user first. +0",
            "assistant  +0",
            "tool of c1 +0",
            "tool of c2 +0",
            "assistant one. +0",
            "user another second. +0"
        ]
    );
    assert_eq!(context(events, 11)[5..], ["user another second. +0", "assistant three. +0", "user third. +0"]);
    assert_eq!(context(events, 14), ["user another first. +0"]);
    let tokens: Vec<u32> = fold::steps(events).iter().map(|step| step.context_tokens).collect();
    assert!(tokens[9] < tokens[11] && tokens[13] < tokens[9], "{tokens:?}");
}

#[test]
fn a_line_whose_parent_is_in_no_line_goes_on_where_the_session_is() {
    let text = |text: &str| json!([{ "type": "text", "text": text }]);
    let Taken { runs, .. } = lines(&[
        session("user", "u1", Some("in another file"), json!("First."), json!({})),
        session("assistant", "a1", Some("u1"), text("One."), json!({})),
        session("user", "m1", Some("a1"), json!("<command-name>/x</command-name>"), json!({ "isMeta": true })),
        session("user", "u2", Some("lost"), json!("Second."), json!({})),
        session("assistant", "a2", Some("u2"), text("Two."), json!({})),
        session("user", "u3", Some("u3"), json!("Third."), json!({})),
    ]);
    assert_eq!(
        gists(&runs[0].1)[..5],
        ["prompt First.", "answer One.[0]", "prompt Second.", "answer Two.[0]", "prompt Third."]
    );
}

#[test]
fn turns_that_were_rolled_back_are_no_longer_in_the_context() {
    let item = |payload| codex("response_item", payload);
    let back = |turns: Value| codex("event_msg", json!({ "type": "thread_rolled_back", "num_turns": turns }));
    let Taken { runs, report, .. } = lines(&[
        codex("session_meta", json!({ "id": "1", "cwd": "/w", "cli_version": "0.130.0", "instructions": "Be short." })),
        item(said("user", "<environment_context></environment_context>")),
        item(said("user", "First.")),
        item(said("assistant", "One.")),
        item(said("user", "Second.")),
        item(json!({ "type": "function_call", "name": "shell", "arguments": "{}", "call_id": "c1" })),
        item(json!({ "type": "function_call_output", "call_id": "c1", "output": "done" })),
        item(said("assistant", "Two.")),
        item(said("user", "Third.")),
        item(said("assistant", "Three.")),
        back(json!(2)),
        item(said("user", "Another second.")),
        item(said("assistant", "Four.")),
        back(json!(99)),
        item(said("user", "Another first.")),
        item(said("assistant", "Five.")),
        back(json!(0)),
    ]);
    let events = &runs[0].1;
    assert_eq!(report.unknown, BTreeMap::new());
    let note = |gone| {
        format!(
            "note the conversation goes on from an earlier place; messages that are no longer in the context: {gone}"
        )
    };
    let told = gists(events);
    assert_eq!(
        told[..7],
        [
            "prompt First.",
            "answer One.[0]",
            "prompt Second.",
            "answer [1]",
            "tool shell ",
            "answer Two.[0]",
            "prompt Third."
        ]
    );
    assert_eq!(told[7..11], ["answer Three.[0]", &note(6), "prompt Another second.", "answer Four.[0]"]);
    assert_eq!(told[11..], [&note(4), "prompt Another first.", "answer Five.[0]"]);
    let of = |step| context(events, step).into_iter().filter(|told| !told.contains("environment")).collect::<Vec<_>>();
    assert_eq!(of(10), ["system be short. +0", "user first. +0", "assistant one. +0", "user another second. +0"]);
    assert_eq!(of(13), ["system be short. +0", "user another first. +0"]);
}

#[test]
fn pictures_in_spans_stay_pictures_and_spans_without_messages_say_what_they_can() {
    let picture = png();
    let parts = json!([{ "role": "user", "parts": [
        { "type": "text", "content": "See." },
        { "type": "blob", "modality": "image", "mime_type": "image/png", "content": picture.data },
        { "type": "blob", "modality": "audio", "mime_type": "audio/wav", "content": "AAAA" },
    ] }]);
    let output =
        json!([{ "role": "assistant", "parts": [{ "type": "text", "content": "Seen." }], "finish_reason": "stop" }]);
    let chat = ("gen_ai.operation.name", json!("chat"));
    let Taken { runs, .. } = trace(&[span(
        "1",
        "chat",
        &[chat.clone(), ("gen_ai.input.messages", parts), ("gen_ai.output.messages", output)],
        json!({}),
    )]);
    assert_eq!(whole(&runs[0].1), ["prompt See.[audio] +1", "answer Seen.[0]"]);
    assert_eq!(context(&runs[0].1, 1), ["user see.[audio] +1"]);

    let llm = ("openinference.span.kind", json!("LLM"));
    let at = |rest: &str| format!("llm.input_messages.0.message.{rest}");
    let Taken { runs, .. } = trace(&[span(
        "1",
        "ChatCompletion",
        &[
            llm.clone(),
            (&at("role"), json!("user")),
            (&at("contents.0.message_content.type"), json!("text")),
            (&at("contents.0.message_content.text"), json!("See.")),
            (&at("contents.1.message_content.type"), json!("image")),
            (&at("contents.1.message_content.image.image.url"), json!(picture.data_url())),
            ("llm.output_messages.0.message.role", json!("assistant")),
            ("llm.output_messages.0.message.content", json!("Seen.")),
        ],
        json!({}),
    )]);
    assert_eq!(whole(&runs[0].1), ["prompt See. +1", "answer Seen.[0]"]);

    let Taken { runs, .. } = trace(&[
        span("1", "llm", &[llm.clone(), ("input.value", json!("plain")), ("output.value", json!("words"))], json!({})),
        span(
            "2",
            "llm",
            &[
                llm.clone(),
                ("input.value", json!({ "messages": [{ "role": "user", "content": "plain" }] })),
                ("output.value", json!({ "choices": [{ "message": { "role": "assistant", "content": "more" } }] })),
            ],
            json!({ "startTimeUnixNano": "1700000002000000000" }),
        ),
        span(
            "3",
            "llm",
            &[llm],
            json!({
                "startTimeUnixNano": "1700000003000000000", "status": { "code": 2 },
                "events": [event("exception", &[("exception.type", json!("E")), ("exception.message", json!("too long"))])],
            }),
        ),
    ]);
    let steps = fold::steps(&runs[0].1);
    let errors = steps.iter().filter_map(|step| match &step.kind {
        StepKind::Answer { error: Some(error), .. } => Some(error.as_str()),
        _ => None,
    });
    assert_eq!(errors.collect::<Vec<_>>(), ["too long"]);
    assert_eq!(whole(&runs[0].1)[..3], ["prompt plain", "answer words[0]", "answer more[0]"]);
}

#[test]
fn a_log_of_inspect_keeps_pictures_and_says_why_it_has_no_samples() {
    let image = json!([{ "type": "text", "text": "See." }, { "type": "image", "image": png().data_url() }]);
    let log = |samples: Value| json!({ "version": 2, "status": "success", "eval": { "task": "t", "model": "m" }, "samples": samples });
    let Taken { runs, .. } = lines(&[log(json!([{ "id": 1, "epoch": 1, "messages": [
        { "role": "user", "content": image.clone() },
        { "role": "assistant", "content": "Seen." },
    ], "events": [{ "event": "model", "timestamp": "2026-01-01T00:00:00Z", "model": "m",
        "input": [{ "role": "user", "content": image }],
        "output": { "choices": [{ "message": { "role": "assistant", "content": "Seen." }, "stop_reason": "stop" }] } }] }]))]);
    assert_eq!(whole(&runs[0].1)[..2], ["prompt See. +1", "answer Seen.[0]"]);
    assert_eq!(context(&runs[0].1, 1), ["user see. +1"]);

    let failed = json!({ "version": 2, "status": "error", "eval": { "task": "t", "model": "m" },
        "error": { "message": "no such dataset", "traceback": "…" } });
    let refused = read_all(failed.to_string().into_bytes(), None).err().unwrap().to_string();
    assert_eq!(refused, "line 1: the log has no samples: no such dataset");
}

#[test]
fn an_archive_that_was_cut_off_gives_the_samples_that_are_whole() {
    let whole_archive = bytes("inspect.eval");
    let directory = whole_archive.windows(4).position(|at| at == b"PK\x01\x02").unwrap();
    let Taken { report, runs, .. } = read_all(whole_archive[..directory].to_vec(), None).unwrap();
    assert_eq!(gists(&runs[0].1)[..8], STORY);
    assert_eq!(report.unread_count, 1, "{:?}", report.unread);
    assert!(report.unread[0].reason.en.starts_with("the archive is cut off"), "{:?}", report.unread);
    for at in 1..whole_archive.len().min(400) {
        // Whatever is left, reading it gives a run or an error.
        drop(read_all(whole_archive[..at].to_vec(), None));
    }
}

#[test]
fn pieces_of_a_stream_are_no_conversations() {
    let piece = json!({ "object": "chat.completion.chunk", "choices": [{ "index": 0, "delta": { "content": "h" } }] });
    let whole = json!({ "messages": [{ "role": "user", "content": "hi" }, { "role": "assistant", "content": "ho" }] });
    let Taken { report, runs, .. } = lines(&[piece.clone(), piece, whole]);
    assert_eq!((runs.len(), report.unknown.values().sum::<u32>()), (1, 2));
}
