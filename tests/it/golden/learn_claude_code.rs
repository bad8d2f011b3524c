//! The loop of seed 002 against recorded runs of its code, and of the course that it retells.

mod course;

use camino::Utf8Path;
use harness::{Catalog, Detail, Harness, Options, Served, Session};
use model::{Message, ModelRequest, Part, Role, Sampling, ToolCall, openai};
use serde_json::{Map, Value, json};
use skillbench_tests::conformance::Suite;
use skillbench_tests::load;

use super::play::{self, Play};

const FOLDER: &str = "learn-claude-code-seed002";
/// What the article prints, and what follows from it.
const DERIVED: &str = "learn-claude-code-seed002-derived";
/// The folder of the recorded runs; they do not depend on its contents.
const WORKING_DIRECTORY: &str = "/home/user/project";

pub fn compare(suite: &mut Suite) {
    fixtures(suite);
    single_calls(suite);
    tools(suite);
    for name in ["seven_messages", "nag_after_3_rounds", "todo_bad_status_then_clear", "subagent"] {
        conversation(suite, name);
    }
    endless_subagent(suite);
    compaction_chapter(suite);
    course::compare(suite);
}

fn fixtures(suite: &mut Suite) {
    let file = format!("{FOLDER}/fixtures.json");
    let recorded = suite.recorded(&file);
    for (fixture, expected) in recorded.as_object().unwrap() {
        let root =
            if fixture == "skills" { "{FIXTURES}/skills".into() } else { format!("{{FIXTURES}}/roots/{fixture}") };
        let catalog = select(suite, &root);
        let skills: Map<String, Value> = catalog
            .skills
            .iter()
            .map(|skill| {
                let Detail::LearnClaudeCode(detail) = &skill.detail else { panic!("{:?}", skill.detail) };
                let meta: Map<String, Value> =
                    detail.meta.iter().map(|(key, value)| (key.clone(), json!(value))).collect();
                let result = reply(&catalog, &json!({"name": skill.name}));
                (skill.name.clone(), json!({"meta": meta, "load_skill_result": result}))
            })
            .collect();
        let system = harness().present(&catalog, &session()).instructions.unwrap().text;
        suite.equal(&file, fixture, &json!({"system_message": system, "skills": skills}), expected);
    }
}

fn single_calls(suite: &mut Suite) {
    let file = format!("{FOLDER}/error_and_todo_cases.json");
    let recorded = suite.recorded(&file);
    let catalog = select(suite, "{FIXTURES}/roots/pdf-tools");
    for (case, expected) in recorded.as_object().unwrap() {
        let arguments = match &expected["call"][1] {
            Value::String(raw) => raw.clone(),
            given => given.to_string(),
        };
        let name = expected["call"][0].as_str().unwrap();
        let call = ToolCall::new("c1", name, suite.golden.locate(&arguments));
        let folder = suite.golden.path().to_owned();
        let result = Play::new(harness(), &catalog, session(), [], &folder).call(&call).unwrap();
        let message = json!({"role": "tool", "tool_call_id": result.call_id, "content": result.on_wire()});
        let seen = json!({"call": expected["call"], "tool_message": message, "error": null});
        if expected["tool_message"]["content"].as_str().is_some_and(|text| text.contains("tutorial.Loop")) {
            let why = "the program that recorded it keeps the handlers in a class `tutorial.Loop`; in the framework they \
                       are the script's own";
            suite.deviates(&file, case, &seen, expected, why);
        } else {
            suite.equal(&file, case, &seen, expected);
        }
    }
}

fn tools(suite: &mut Suite) {
    let file = format!("{FOLDER}/tools.json");
    let recorded = suite.recorded(&file);
    let catalog = select(suite, "{FIXTURES}/roots/pdf-tools");
    for (who, delegated) in [("parent", false), ("child", true)] {
        let shown = harness().present(&catalog, &Session { delegated, ..session() });
        let tools = shown.definitions().into_iter().map(|tool| json!({"type": "function", "function": tool}));
        suite.equal(&file, who, &tools.collect(), &recorded[who]);
    }
}

/// All requests and the messages at the end. The client that was recorded writes keys in another order than ours, which
/// is not the framework's doing.
fn conversation(suite: &mut Suite, name: &str) {
    let file = format!("{FOLDER}/{name}.json");
    let recorded = suite.recorded(&file);
    let located: Value = serde_json::from_str(&suite.golden.locate(&recorded.to_string())).unwrap();
    let catalog = select(suite, recorded["skills_dir"].as_str().unwrap());
    let folder = suite.golden.path().to_owned();
    let mut play = Play::new(harness(), &catalog, session(), said(&located), &folder);
    let error = play.prompt(located["requests"][0]["messages"][1]["content"].as_str().unwrap()).err();
    for (index, expected) in recorded["requests"].as_array().unwrap().iter().enumerate() {
        let seen = play.requests.get(index).cloned().unwrap_or_default();
        suite.equal_in_any_order(&file, &format!("request {}", index + 1), &seen, expected);
    }
    let count = recorded["requests"].as_array().unwrap().len();
    suite.equal(&file, "requests", &json!(play.requests.len()), &json!(count));
    suite.equal_in_any_order(&file, "final_messages", &at_the_end(&play), &recorded["final_messages"]);
    suite.equal(&file, "error", &json!(error), &recorded["error"]);
}

/// The model's answers, in the order of the requests. If a request has fewer messages than the one before it, a
/// sub-agent's conversation begins; its last answer is the result of the call.
fn said(recorded: &Value) -> Vec<Message> {
    let mut outer = play::answers(&recorded["final_messages"]);
    let requests = recorded["requests"].as_array().unwrap();
    let inner = |request: &&Value| request["max_tokens"].is_number();
    if let Some(last) = requests.iter().rfind(inner) {
        let mut answers = play::answers(&last["messages"]);
        let messages = recorded["final_messages"].as_array().unwrap();
        let result = messages.iter().find(|message| message["role"] == "tool").unwrap();
        answers.push(Message::assistant(result["content"].as_str().unwrap()));
        outer.splice(1..1, answers);
    }
    outer
}

fn at_the_end(play: &Play) -> Value {
    let mut again =
        Play::new(play.harness, play.catalog, play.session.clone(), [Message::assistant("")], Utf8Path::new("/"));
    again.history.clone_from(&play.history);
    again.prompt("").unwrap();
    let mut messages = again.requests[0]["messages"].take();
    messages.as_array_mut().unwrap().pop();
    messages
}

/// A sub-agent that calls a tool in every answer.
fn endless_subagent(suite: &mut Suite) {
    let file = format!("{FOLDER}/subagent_30_rounds_no_summary.json");
    let recorded = suite.recorded(&file);
    let catalog = select(suite, "{FIXTURES}/roots/pdf-tools");
    let call =
        |id: &str, name: &str, arguments: Value| Message::tool_calls([ToolCall::new(id, name, arguments.to_string())]);
    let rounds = (0..30).map(|round| call(&format!("s{round}"), "bash", json!({"command": "echo again"})));
    let answers = [call("p1", "task", json!({"prompt": "never end"}))]
        .into_iter()
        .chain(rounds)
        .chain([Message::assistant("parent done")]);
    let folder = suite.golden.path().to_owned();
    let mut play = Play::new(harness(), &catalog, session(), answers, &folder);
    let error = play.prompt("go").err();
    let messages = at_the_end(&play);
    let results: Vec<&Value> =
        messages.as_array().unwrap().iter().filter(|message| message["role"] == "tool").collect();
    let seen = json!({"n_requests": play.requests.len(), "task_tool_message": results, "error": error});
    suite.equal_in_any_order(&file, "", &seen, &recorded);
}

/// `seed-s06` sends each answer back as the article's logs have it. For the rest it is the recorded code, with one tool
/// more: what that answers is the same.
fn compaction_chapter(suite: &mut Suite) {
    let file = format!("{DERIVED}/rounds.json");
    let recorded = suite.recorded(&file);
    let catalog = select_variant(suite, "{FIXTURES}/roots/pdf-tools", Some("seed-s06"));
    for (log, messages) in recorded["logs"].as_array().unwrap().iter().enumerate() {
        for (round, expected) in messages.as_array().unwrap().iter().enumerate() {
            let case = format!("log {}, round {}", log + 1, round + 1);
            suite.equal(&file, &case, &sent_back(&catalog, expected), expected);
        }
    }
    let file = format!("{FOLDER}/tools.json");
    let recorded = suite.recorded(&file);
    for (who, delegated) in [("parent", false), ("child", true)] {
        let shown = harness().present(&catalog, &Session { delegated, ..session() });
        let known = shown.definitions().into_iter().filter(|tool| tool.name != "compact");
        let tools: Value = known.map(|tool| json!({"type": "function", "function": tool})).collect();
        suite.equal(&file, &format!("{who}, seed-s06"), &tools, &recorded[who]);
    }
    let file = format!("{FOLDER}/error_and_todo_cases.json");
    let recorded = suite.recorded(&file);
    let plain = select(suite, "{FIXTURES}/roots/pdf-tools");
    for (case, expected) in recorded.as_object().unwrap() {
        let arguments = match &expected["call"][1] {
            Value::String(raw) => raw.clone(),
            given => given.to_string(),
        };
        let arguments = suite.golden.locate(&arguments);
        let call = ToolCall::new("c1", expected["call"][0].as_str().unwrap(), arguments);
        let folder = suite.golden.path().to_owned();
        let of = |catalog: &Catalog| {
            let result = Play::new(harness(), catalog, session(), [], &folder).call(&call).unwrap();
            json!(result.on_wire())
        };
        suite.equal(&file, &format!("{case}, seed-s06"), &of(&catalog), &of(&plain));
    }
}

/// An answer of the log, as the next request holds it.
fn sent_back(catalog: &Catalog, logged: &Value) -> Value {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut parts = vec![Part::Reasoning { text: text(&logged["reasoning"]), block: None }];
    parts.push(Part::Text { text: text(&logged["content"]) });
    for call in logged["tool_calls"].as_array().into_iter().flatten() {
        let function = &call["function"];
        parts.push(Part::ToolCall(ToolCall::new(
            text(&call["id"]),
            text(&function["name"]),
            text(&function["arguments"]),
        )));
    }
    let request = ModelRequest {
        messages: vec![Message { role: Role::Assistant, parts }],
        dialect: harness().dialect(catalog),
        ..ModelRequest::default()
    };
    let body = openai::encode("fake", &request, false, &Sampling::default());
    serde_json::from_str::<Value>(&body).unwrap()["messages"][0].take()
}

fn select(suite: &Suite, root: &str) -> Catalog {
    select_variant(suite, root, None)
}

fn select_variant(suite: &Suite, root: &str, variant: Option<&str>) -> Catalog {
    let root = suite.golden.locate(root);
    let options = Options { variant: variant.map(str::to_owned), ..Options::default() };
    harness().select(&load(Utf8Path::new(&root)), &options)
}

fn session() -> Session {
    Session { working_directory: Some(WORKING_DIRECTORY.into()), ..Session::default() }
}

fn reply(catalog: &Catalog, arguments: &Value) -> String {
    let call = ToolCall::new("c1", "load_skill", arguments.to_string());
    match harness().serve(&call, catalog, &mut session()) {
        Served::Reply(reply) => reply.text,
        other => panic!("{other:?}"),
    }
}

fn harness() -> &'static dyn Harness {
    harness::find("learn-claude-code").unwrap()
}
