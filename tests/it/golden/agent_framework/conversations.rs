//! Whole conversations: every request, what the user is asked, and what the caller gets back.

use std::collections::VecDeque;
use std::fs;

use config::ScreenplayStep;
use config::options::{AgentFrameworkOptions, AutoApproval, ScriptRunner};
use harness::{Catalog, ReplyAuthor, Session};
use model::{Message, Part, Role, ToolCall};
use serde_json::{Value, json};
use skillbench_tests::conformance::Suite;
use skillbench_tests::load;

use super::errors::without_approvals;
use super::fixtures::{in_recorded_order, recorded_log};
use super::play::{Played, User, play, reply};
use super::{PYTHON_123, SEED, agent_framework, select};

pub fn compare(suite: &mut Suite) {
    compare_seed(suite);
    let no_runner = || AgentFrameworkOptions { script_runner: ScriptRunner::None, ..without_approvals() };
    let sample = || AgentFrameworkOptions { script_runner: ScriptRunner::Sample, ..without_approvals() };
    for (name, fixture, options) in [
        ("seven_messages", "unit-converter", without_approvals()),
        ("seven_messages_array_args_sample_runner", "unit-converter", sample()),
        ("seven_messages_dict_args_sample_runner", "unit-converter", sample()),
        ("parallel_calls", "unit-converter", without_approvals()),
        ("consecutive_errors", "pdf-tools", no_runner()),
        ("approval_default", "unit-converter", AgentFrameworkOptions::default()),
    ] {
        compare_run(suite, name, fixture, options);
    }
    for (name, auto_approval, user) in [
        ("approval_approved", AutoApproval::None, User::Agrees),
        ("approval_rejected", AutoApproval::None, User::Refuses),
        ("approval_auto_readonly", AutoApproval::ReadOnly, User::Agrees),
        ("approval_auto_all", AutoApproval::All, User::Agrees),
    ] {
        compare_approvals(suite, name, auto_approval, user);
    }
    compare_caching(suite);
}

/// One run as its caller sees it.
fn compare_run(suite: &mut Suite, name: &str, fixture: &str, options: AgentFrameworkOptions) {
    let file = format!("{PYTHON_123}/{name}.json");
    let expected = without_ids(&suite.recorded(&file));
    let catalog = catalog(suite, &file, fixture, options);
    let requests = expected["requests"].as_array().unwrap();
    let mut answers = answers(&requests[requests.len() - 1]["body"]["messages"]);
    if name == "approval_default" {
        let asked = &expected["user_input_requests"][0]["function_call"];
        answers.push_back(Message::tool_calls([called(asked)]));
    }
    let played = play(&catalog, expected["user"].as_str().unwrap(), answers, User::IsAway);

    let seen: Vec<Value> =
        played.requests.iter().map(|body| json!({"path": "/v1/chat/completions", "body": body})).collect();
    suite.equal(&file, "requests", &json!(seen), &expected["requests"]);

    let mut messages = response_messages(&played);
    let recorded = expected["response_messages"].as_array().unwrap();
    // The model's last text, which is from the recording.
    messages.extend(recorded.iter().filter(|message| message["contents"][0]["type"] == "text").cloned());
    suite.equal(&file, "response_messages", &json!(messages), &expected["response_messages"]);

    let asked: Vec<Value> = played.rounds.iter().flat_map(|round| &round.asked).map(approval_request).collect();
    suite.equal(&file, "user_input_requests", &json!(asked), &expected["user_input_requests"]);

    let log = expected["log"].as_array().unwrap().iter();
    let loading: Vec<&Value> = log.take_while(|line| !line.as_str().unwrap().starts_with(LOADED_BEFORE)).collect();
    suite.equal(&file, "log of loading", &json!(catalog.log), &json!(loading));
}

/// The part after the log of loading.
const LOADED_BEFORE: &str = "INFO: Function name: ";

/// A run that stops at each question and goes on with the user's answer.
fn compare_approvals(suite: &mut Suite, name: &str, auto_approval: AutoApproval, user: User) {
    let file = format!("{PYTHON_123}/{name}.json");
    let expected = without_ids(&suite.recorded(&file));
    let options = AgentFrameworkOptions { auto_approval, ..AgentFrameworkOptions::default() };
    let found = load(&suite.golden.path().join("roots/unit-converter"));
    let catalog = select("python-1.23", &found, |settings| *settings = options);
    let requests = expected["requests"].as_array().unwrap();
    let played = play(&catalog, "go", answers(&requests[requests.len() - 1]), user);

    let seen: Vec<&Value> = played.requests.iter().map(|body| &body["messages"]).collect();
    suite.equal(&file, "requests", &json!(seen), &expected["requests"]);

    let mut steps: Vec<Value> = Vec::new();
    for (index, round) in played.rounds.iter().enumerate() {
        if !round.asked.is_empty() {
            let asked: Vec<Value> = round.asked.iter().map(approval_request).collect();
            steps.push(json!({"user_input_requests": asked, "n_model_requests": index + 1, "text": ""}));
        }
    }
    steps.push(json!({"user_input_requests": [], "n_model_requests": played.requests.len(), "text": "done"}));
    suite.equal(&file, "steps", &json!(steps), &expected["steps"]);
    suite.equal(&file, "approved", &json!(user == User::Agrees), &expected["approved"]);
}

/// The list is read once, or before every request.
fn compare_caching(suite: &mut Suite) {
    let file = format!("{PYTHON_123}/caching.json");
    let root = suite.golden.path().join("roots/unit-converter");
    let manifest = root.join("unit-converter/SKILL.md");
    let text = fs::read_to_string(&manifest).unwrap();
    let seen: Vec<Value> = [false, true]
        .into_iter()
        .map(|disable_caching| {
            let read = || select("python-1.23", &load(&root), |options| options.disable_caching = disable_caching);
            let mut catalog = read();
            let shown = |catalog: &Catalog| agent_framework().present(catalog, &Session::default());
            let before = shown(&catalog);
            fs::write(&manifest, text.replace("Convert between", "Changed: convert between")).unwrap();
            if catalog.options.agent_framework.disable_caching {
                catalog = read();
            }
            let sees_change = shown(&catalog) != before;
            fs::write(&manifest, &text).unwrap();
            json!({"disable_caching": disable_caching, "second_request_sees_change": sees_change})
        })
        .collect();
    let expected = suite.recorded(&file);
    suite.equal(&file, "", &json!(seen), &expected);
}

/// Plays the seed's scene from its screenplay; `convert.py` really runs.
fn compare_seed(suite: &mut Suite) {
    let file = format!("{SEED}/seven_messages.json");
    let expected = suite.recorded(&file);
    let catalog = select("seed", &load(&suite.golden.path().join("roots/unit-converter")), |_| {});
    let mut session = Session::default();
    let shown = agent_framework().present(&catalog, &session);
    suite.equal(&file, "tools", &json!(shown.definitions()), &expected["tools"]);
    let mut messages = vec![
        json!({"role": "system", "content": shown.instructions.unwrap().text}),
        json!({"role": "user", "content": "一公斤有几磅?"}),
    ];
    let mut requests = vec![messages.clone()];
    let steps = [
        (ScreenplayStep::Activate { activate: "unit-converter".into() }, "call_8gfwzx1ybDJc7i9NYJeDfmhq"),
        (ScreenplayStep::Read { read: "references/conversion-table.md".into() }, "call_sjcJBsl4ihmpY6sEMIjD1dfK"),
        (
            ScreenplayStep::Run {
                run: "scripts/convert.py".into(),
                with: Some(json!({"value": 1, "factor": 2.20462})),
            },
            "call_VRIBhSYxFmX2OkVKiwA7YOqu",
        ),
    ];
    for (step, id) in steps {
        let expressed = agent_framework().express(&step, &catalog, &session).unwrap();
        let call = ToolCall::new(id, expressed.tool, expressed.arguments.to_string());
        let reply = reply(&call, &catalog, &mut session, User::IsAway, &mut Vec::new()).unwrap();
        let function = json!({"name": call.name, "arguments": call.arguments});
        messages.push(json!({
            "role": "assistant",
            "tool_calls": [{"id": call.id, "type": "function", "function": function}],
        }));
        messages.push(json!({
            "role": "tool",
            "tool_call_id": call.id,
            "content_as_seed_prints_it": reply.text,
            "content_on_openai_wire_JsonElement_serialised": agent_framework().wire(&reply, &catalog),
        }));
        requests.push(messages.clone());
    }
    suite.equal(&file, "requests_messages", &json!(requests), &expected["requests_messages"]);
    assert_eq!(session.activated, ["unit-converter"]);
}

fn catalog(suite: &Suite, file: &str, fixture: &str, options: AgentFrameworkOptions) -> Catalog {
    let mut found = load(&suite.golden.path().join("roots").join(fixture));
    in_recorded_order(&mut found, &recorded_log(suite, file));
    select("python-1.23", &found, |settings| *settings = options)
}

/// The recorded model's answers, taken from the last request.
fn answers(messages: &Value) -> VecDeque<Message> {
    let said = messages.as_array().unwrap().iter().filter(|message| message["role"] == "assistant");
    said.map(|message| {
        let calls = message["tool_calls"].as_array().unwrap().iter();
        let parts = calls.map(|call| {
            Part::ToolCall(ToolCall::new(
                call["id"].as_str().unwrap(),
                call["function"]["name"].as_str().unwrap(),
                call["function"]["arguments"].as_str().unwrap(),
            ))
        });
        Message { role: Role::Assistant, parts: parts.collect() }
    })
    .collect()
}

/// A call as the framework's own objects hold it.
fn called(content: &Value) -> ToolCall {
    let text = |key: &str| content[key].as_str().unwrap().to_owned();
    ToolCall::new(text("call_id"), text("name"), text("arguments"))
}

/// The framework's own ids differ with every run.
const ID: &str = "af-call-{id}";

fn without_ids(value: &Value) -> Value {
    match value {
        Value::String(text) if text.starts_with("af-call-") => ID.into(),
        Value::Array(items) => items.iter().map(without_ids).collect(),
        Value::Object(fields) => fields.iter().map(|(key, value)| (key.clone(), without_ids(value))).collect(),
        scalar => scalar.clone(),
    }
}

fn function_call(call: &ToolCall) -> Value {
    json!({
        "type": "function_call",
        "call_id": call.id,
        "name": call.name,
        "arguments": call.arguments,
        "hosted": false,
        "id": ID,
        "additional_properties": {},
    })
}

fn approval_request(call: &ToolCall) -> Value {
    json!({
        "type": "function_approval_request",
        "function_call": function_call(call),
        "user_input_request": true,
        "id": ID,
        "additional_properties": {},
    })
}

/// The messages that the framework gives its caller.
fn response_messages(played: &Played) -> Vec<Value> {
    let message = |role: &str, contents: Vec<Value>| {
        json!({
            "type": "message",
            "role": role,
            "contents": contents,
            "author_name": "UnnamedAgent",
            "additional_properties": {},
        })
    };
    let mut messages = Vec::new();
    for round in &played.rounds {
        let calls = round.calls.iter().map(function_call);
        messages.push(message("assistant", calls.chain(round.asked.iter().map(approval_request)).collect()));
        let results = round.calls.iter().zip(&round.replies).map(|(call, reply)| {
            let mut result = json!({"type": "function_result", "call_id": call.id});
            if reply.author == ReplyAuthor::Exception {
                result["exception"] = json!("FunctionInvocationError");
            }
            result["result"] = json!(reply.text);
            result["items"] = json!([{"type": "text", "text": reply.text, "additional_properties": {}}]);
            result["id"] = json!(ID);
            result["additional_properties"] = json!({});
            result
        });
        let results: Vec<Value> = results.collect();
        if !results.is_empty() {
            messages.push(message("tool", results));
        }
    }
    messages
}
