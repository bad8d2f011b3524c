//! Gemini CLI against recorded behaviour. The order of skills is that of the disk they were recorded on, so lists are
//! compared as sets; of two skills with one name the recorded one is the last in that order.

use config::options::GeminiApproval;
use harness::{Catalog, Effect, Harness, Options, Performed, Prepared, Served, Session};
use model::{Message, Part, ToolCall};
use serde_json::{Map, Value, json};
use skillbench_tests::conformance::Suite;
use skillbench_tests::load;

use super::machine::{Machine, write};

const FOLDER: &str = "gemini-cli-0.61.0";

pub fn compare(suite: &mut Suite) {
    let wire_file = format!("{FOLDER}/wire_first_request_per_fixture.json");
    let wire = suite.recorded(&wire_file);
    for file in suite.files(FOLDER, "fixture_") {
        let name = file.split_once("fixture_").unwrap().1.trim_end_matches(".json").to_owned();
        let catalog = fixture(suite, &file, &name);
        let (seen, said) = (first_request(&catalog), &wire[&name]);
        suite.equal(&wire_file, &format!("{name}: contents"), &seen["contents"], &said["contents"]);
        suite.equal(&wire_file, &format!("{name}: system"), &seen["system"], &said["system"]);
        let tools = said["tools"].as_array().unwrap();
        let is_there = |tool: &Value| tools.contains(tool);
        suite.equal(
            &wire_file,
            &format!("{name}: tools"),
            &json!(seen["tools"].as_array().unwrap().iter().all(is_there)),
            &json!(true),
        );
    }
    calls(suite);
    for file in ["extras", "odd", "rare"] {
        extras(suite, &format!("{FOLDER}/{file}.json"));
    }
}

fn client() -> &'static dyn Harness {
    harness::find("gemini-cli").unwrap()
}

/// As the recordings were made: nothing is asked.
fn options() -> Options {
    let mut options = Options::default();
    options.settings.gemini_cli.approval = GeminiApproval::Yolo;
    options
}

fn fixture(suite: &mut Suite, file: &str, name: &str) -> Catalog {
    let recorded = suite.recorded(file);
    let root = if name == "skills" { "skills".to_owned() } else { format!("roots/{name}") };
    let root = suite.golden.path().join(root);
    let catalog = client().select(&load(&root), &options());
    let names: Vec<&str> = catalog.skills.iter().map(|skill| skill.name.as_str()).collect();
    for (part, said) in recorded.as_object().unwrap() {
        match part.as_str() {
            "root" => suite.equal(file, part, &json!(root), said),
            "skills" => suite.equal(file, part, &as_set(&json!(names)), &as_set(said)),
            "log" => suite.equal(file, part, &as_set(&json!(catalog.log)), &as_set(said)),
            // Its place is compared with the whole request.
            "catalogue" => {
                suite.equal(file, part, &entries(&catalogue(&catalog)), &entries(&said["text"]));
            }
            "tool" => {
                let tool = tool(&catalog).unwrap();
                for key in ["name", "description", "parametersJsonSchema"] {
                    suite.equal(file, &format!("tool: {key}"), &unordered(&tool[key]), &unordered(&said[key]));
                }
            }
            "load" | "load_by_folder" => {
                for load in said.as_array().unwrap() {
                    let name = load["name"].as_str().unwrap();
                    let seen =
                        json!({"name": name, "response": respond(&catalog, "activate_skill", &json!({"name": name}))});
                    suite.equal(file, &format!("{part}: {name}"), &seen, load);
                }
            }
            other => panic!("{file} has the part {other}"),
        }
    }
    catalog
}

fn tool(catalog: &Catalog) -> Option<Value> {
    let tools = client().present(catalog, &Session::default()).definitions();
    let tool = tools.into_iter().find(|tool| tool.name == "activate_skill")?;
    Some(json!({"name": tool.name, "description": tool.description, "parametersJsonSchema": tool.parameters}))
}

const OPENING: &str = "# Available Agent Skills";

fn catalogue(catalog: &Catalog) -> Value {
    let text = client().present(catalog, &Session::default()).instructions.unwrap().text;
    let list = text.find(OPENING).map(|start| {
        let end = text.rfind("</available_skills>").unwrap() + "</available_skills>".len();
        text[start..end].to_owned()
    });
    json!(list)
}

/// The text around the entries, and these without their order.
fn entries(catalogue: &Value) -> Value {
    let Some(text) = catalogue.as_str() else { return Value::Null };
    let parts: Vec<&str> = text.split("\n  <skill>").collect();
    let end = "\n</available_skills>";
    let mut own: Vec<&str> = parts[1..].iter().map(|part| part.trim_end_matches(end)).collect();
    own.sort_unstable();
    json!({"around": [parts[0], text.ends_with(end)], "entries": own})
}

fn as_set(list: &Value) -> Value {
    let mut items = list.as_array().unwrap().clone();
    items.sort_by_key(Value::to_string);
    Value::Array(items)
}

/// The description of the tool and its schema, without the order of the names.
fn unordered(value: &Value) -> Value {
    match value {
        Value::String(text) => match text.split_once(" (Available: ") {
            Some((start, rest)) => {
                let (names, end) = rest.split_once("). Returns").unwrap();
                let mut names: Vec<&str> = names.split(", ").collect();
                names.sort_unstable();
                json!([start, names, end])
            }
            None => value.clone(),
        },
        Value::Object(fields) => {
            let field = |(key, value): (&String, &Value)| match key.as_str() {
                "enum" => (key.clone(), as_set(value)),
                _ => (key.clone(), unordered(value)),
            };
            Value::Object(fields.iter().map(field).collect())
        }
        other => other.clone(),
    }
}

fn first_request(catalog: &Catalog) -> Value {
    const OWN: &str = "[Gemini CLI's own text, not reproduced]";
    let mut session = Session::default();
    let mut history = vec![Message::user("hi")];
    assert_eq!(client().before_request(&mut history, None, catalog, &mut session), Prepared::Send);
    let part = |part: &Part| match part {
        Part::Text { text } => json!({"text": text.replace(OWN, "{SESSION_CONTEXT}")}),
        other => panic!("{other:?}"),
    };
    let parts: Value = history[0].parts.iter().map(part).collect();
    let shown = client().present(catalog, &session);
    let list = catalogue(catalog);
    let system = shown.instructions.as_ref().unwrap().text.replace(OWN, "{BASE}");
    let system = list.as_str().map_or_else(|| system.clone(), |list| system.replace(list, "{SKILLS}"));
    let tools: Vec<String> = shown.definitions().into_iter().map(|tool| tool.name).collect();
    json!({"contents": [{"parts": parts, "role": "user"}], "system": system, "tools": tools})
}

fn respond(catalog: &Catalog, tool: &str, arguments: &Value) -> Value {
    let arguments = arguments.as_str().map_or_else(|| arguments.to_string(), str::to_owned);
    let call = ToolCall::new("call_1", tool, arguments);
    let mut session = Session::default();
    let mut served = client().serve(&call, catalog, &mut session);
    while let Served::Perform(effect) = served {
        let Effect::Disclose { .. } = effect else { panic!("no recording needs {effect:?}") };
        served = client().settle(&call, Performed::Agreed, catalog, &mut session);
    }
    let Served::Reply(reply) = served else { panic!("{served:?}") };
    let key = if reply.is_error { "error" } else { "output" };
    Value::Object(Map::from_iter([(key.to_owned(), json!(reply.text))]))
}

/// Exceptions of the tool itself are printed with their kind.
fn printed_error(error: &str) -> String {
    let kind = if error.starts_with("Skill ") { "Error: " } else { "" };
    format!("Error executing tool activate_skill: {kind}{error}")
}

fn calls(suite: &mut Suite) {
    let file = format!("{FOLDER}/calls.json");
    for case in suite.recorded(&file).as_array().unwrap() {
        let root = suite.golden.path().join(case["root"].as_str().unwrap());
        let catalog = client().select(&load(&root), &options());
        let calls = case["calls"].as_array().unwrap().iter().zip(case["results"].as_array().unwrap());
        for (at, (call, said)) in calls.enumerate() {
            let seen = json!({"response": respond(&catalog, call["name"].as_str().unwrap(), &call["arguments"])});
            suite.equal(&file, &format!("{} {at}", case["id"].as_str().unwrap()), &seen, said);
        }
    }
}

/// Skills written down in the recording, in a separate project and home folder.
fn extras(suite: &mut Suite, file: &str) {
    for (name, case) in suite.recorded(file).as_object().unwrap() {
        let machine = Machine::new(case, ".gemini/skills");
        let mut options = options();
        let settings = &mut options.settings.gemini_cli;
        settings.home = Some(machine.home.to_string());
        if let Some(said) = case["options"].get("settings") {
            settings.builtin_skills = said.get("skills").is_none();
            write(&machine.home.join(".gemini/settings.json"), said);
        }
        settings.approval = match case["options"]["approval"].as_str() {
            Some("default") => GeminiApproval::Headless,
            Some("auto_edit") => GeminiApproval::HeadlessAutoEdit,
            _ => GeminiApproval::Yolo,
        };
        let catalog = client().select(&machine.load(), &options);
        let list = machine.portable(&catalogue(&catalog));
        suite.equal(file, &format!("{name}: catalogue"), &entries(&list), &entries(&case["catalogue"]));
        let mut failures = Vec::new();
        for (at, said) in case["calls"].as_array().unwrap().iter().enumerate() {
            let response = respond(&catalog, "activate_skill", &said["arguments"]);
            failures.extend(response["error"].as_str().map(printed_error));
            let seen = machine.portable(&json!({"arguments": said["arguments"], "response": response}));
            suite.equal(file, &format!("{name}: call {at}"), &seen, said);
        }
        let names =
            tool(&catalog).map_or(Value::Null, |tool| tool["parametersJsonSchema"]["properties"]["name"].clone());
        suite.equal(file, &format!("{name}: enum"), &unordered(&names), &unordered(&case["enum"]));
        // Output of a call is printed too, and is not part of loading.
        let printed: Vec<&Value> = case["log"].as_array().unwrap().iter().collect();
        let is_of_a_call = |line: &&Value| line.as_str().is_some_and(|line| line.starts_with("Error executing tool"));
        let (of_calls, own): (Vec<&Value>, Vec<&Value>) = printed.into_iter().partition(is_of_a_call);
        suite.equal(
            file,
            &format!("{name}: log"),
            &as_set(&machine.portable(&json!(catalog.log))),
            &as_set(&json!(own)),
        );
        if !of_calls.is_empty() {
            suite.equal(file, &format!("{name}: failures"), &json!(failures), &json!(of_calls));
        }
    }
}
