//! Codex CLI against recorded behaviour. `{SKILLS}` is the list of skills; the client's other texts, which end in `…`, are
//! left out on both sides.

use std::process::Command;

use camino::{Utf8Path, Utf8PathBuf};
use harness::{
    Catalog, CatalogSkill, Detail, Effect, FailureKind, Harness, Options, Origin, Performed, Prepared, ScriptOutput,
    Served, Session,
};
use model::{Message, Part, ToolCall, ToolResult};
use serde_json::{Value, json};
use skill::SkillSet;
use skillbench_tests::conformance::Suite;
use skillbench_tests::load;

use super::machine::Machine;

const FOLDER: &str = "codex-cli-0.169.0";
/// The model that all was recorded with, except for what differs by model.
const MODEL: &str = "gpt-5.5";

pub fn compare(suite: &mut Suite) {
    for file in suite.files(FOLDER, "fixture_") {
        fixture(suite, &file);
    }
    wire(suite);
    calls(suite);
    exec_tool(suite);
    for file in ["extras", "odd", "rare"] {
        extras(suite, &format!("{FOLDER}/{file}.json"));
    }
}

fn client() -> &'static dyn Harness {
    harness::find("codex").unwrap()
}

fn select(found: &SkillSet, model: &str, home: Option<&Utf8Path>) -> Catalog {
    let mut options = Options::default();
    options.settings.codex.model = model.to_owned();
    options.settings.codex.home = home.map(|home| home.to_string());
    client().select(found, &options)
}

fn root_of(suite: &Suite, fixture: &str) -> Utf8PathBuf {
    let root = if fixture == "skills" { "skills".to_owned() } else { format!("roots/{fixture}") };
    suite.golden.path().join(root)
}

/// The conversation at its first request.
fn history(catalog: &Catalog, prompt: &str) -> Vec<Message> {
    let mut session = Session { working_directory: Some("/project".into()), ..Session::default() };
    let system = client().present(catalog, &session).system().unwrap();
    let mut history = vec![system, Message::user(prompt)];
    let prepared = client().before_request(&mut history, None, catalog, &mut session);
    assert_eq!(prepared, Prepared::Send);
    history
}

fn list(catalog: &Catalog) -> Value {
    let lists =
        history(catalog, "hi").into_iter().skip(1).find(|message| message.text().starts_with("<skills_instructions>"));
    lists.map_or(Value::Null, |message| json!(message.text()))
}

/// The messages after a prompt.
fn injected(catalog: &Catalog, prompt: &str) -> Value {
    let history = history(catalog, prompt);
    let place = history.iter().position(|message| message.text() == prompt).unwrap();
    history[place + 1..].iter().map(Message::text).collect()
}

fn skill(skill: &CatalogSkill) -> Value {
    let Detail::Codex(detail) = &skill.detail else { panic!("{:?}", skill.detail) };
    let kept = detail.kept();
    let mut fields = json!({"name": skill.name, "description": skill.description});
    if let Some(short) = kept.get("short-description") {
        fields["shortDescription"] = short.clone();
    }
    let rest = json!({"path": detail.file(), "scope": kept["scope"], "enabled": true, "pluginId": null});
    fields.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
    fields
}

/// Without what `agents/openai.yaml` has for windows, which no model sees.
fn without_interfaces(skills: &Value) -> Value {
    let mut skills = skills.clone();
    for skill in skills.as_array_mut().unwrap() {
        for part in ["interface", "dependencies"] {
            skill.as_object_mut().unwrap().shift_remove(part);
        }
    }
    skills
}

/// What the client says of files that it does not read; the other reasons are ours.
fn errors(catalog: &Catalog) -> Value {
    let is_said =
        |reason: &str| ["missing ", "invalid ", "failed to read "].iter().any(|start| reason.starts_with(start));
    let said = catalog.skipped.iter().filter(|skipped| is_said(&skipped.reason.en));
    said.map(|skipped| json!({"path": skipped.path, "message": skipped.reason.en})).collect()
}

fn fixture(suite: &mut Suite, file: &str) {
    let recorded = suite.recorded(file);
    let name = file.split_once("fixture_").unwrap().1.trim_end_matches(".json");
    let root = root_of(suite, name);
    let catalog = select(&load(&root), MODEL, None);
    for (part, said) in recorded.as_object().unwrap() {
        match part.as_str() {
            "root" => suite.equal(file, part, &json!(root), said),
            "skills" => suite.equal(file, part, &catalog.skills.iter().map(skill).collect(), said),
            "errors" => suite.equal(file, part, &errors(&catalog), said),
            // Its place is compared with the whole request.
            "catalogue" => suite.equal(file, part, &list(&catalog), said.get("text").unwrap_or(&Value::Null)),
            "notices" => suite.equal(file, part, &json!(catalog.log), said),
            "mention_prompt" => {
                let names: Vec<String> = catalog.skills.iter().map(|skill| format!("${}", skill.name)).collect();
                suite.equal(file, part, &json!(names.join(" ")), said);
            }
            "mention_items" => {
                let prompt = recorded["mention_prompt"].as_str().unwrap();
                suite.equal(file, part, &injected(&catalog, prompt), said);
            }
            other => panic!("{file} has the part {other}"),
        }
    }
}

/// The first request of each root: the client's prompt, the list, the machine, and the prompt.
fn wire(suite: &mut Suite) {
    let file = format!("{FOLDER}/wire_first_request_per_fixture.json");
    for (name, said) in suite.recorded(&file).as_object().unwrap() {
        let root = root_of(suite, name);
        let catalog = select(&load(&root), MODEL, None);
        let list = list(&catalog);
        let text = |part: &Part| match part {
            Part::Text { text } if *text == list => Some(json!("{SKILLS}")),
            Part::Text { text } if text == "hi" => Some(json!("hi …")),
            _ => None,
        };
        let mut seen = items(&catalog, "hi");
        for (item, message) in seen.as_array_mut().unwrap().iter_mut().zip(history(&catalog, "hi")) {
            item["content"] = message.parts.iter().filter_map(text).collect();
        }
        let mut said = said.clone();
        for item in said["items"].as_array_mut().unwrap() {
            let own = |text: &&Value| !text.as_str().unwrap().ends_with('…') || *text == "hi …";
            item["content"] = item["content"].as_array().unwrap().iter().filter(own).cloned().collect();
        }
        // For an empty list there is no message.
        if list.is_null() {
            let empty = json!({"type": "message", "role": "developer", "content": []});
            said["items"].as_array_mut().unwrap().remove(1);
            assert_eq!(said["items"][0], empty);
        }
        suite.equal(&file, &format!("{name}: items"), &seen, &said["items"]);
        suite.equal(&file, &format!("{name}: tools"), &tools(&catalog), &needed(&said["tools"]));
    }
}

/// As the Responses protocol has it.
fn body(catalog: &Catalog, prompt: &str) -> Value {
    let request = model::ModelRequest {
        messages: history(catalog, prompt),
        tools: client().present(catalog, &Session::default()).definitions(),
        dialect: client().dialect(catalog),
        ..model::ModelRequest::default()
    };
    serde_json::from_str(&model::responses::encode(MODEL, &request, false, &model::Sampling::default())).unwrap()
}

/// Those that are a field of the request.
fn sent_tools(catalog: &Catalog) -> Value {
    let body = body(catalog, "hi");
    body["tools"].as_array().into_iter().flatten().map(|tool| tool["name"].clone()).collect()
}

/// Without their texts.
fn items(catalog: &Catalog, prompt: &str) -> Value {
    let body = body(catalog, prompt);
    let item = |item: &Value| json!({"type": item["type"], "role": item["role"], "content": []});
    body["input"].as_array().unwrap().iter().map(item).collect()
}

fn tools(catalog: &Catalog) -> Value {
    let tools = client().present(catalog, &Session::default()).definitions();
    tools.into_iter().map(|tool| tool.name).collect()
}

/// The tools that a skill needs. None is about skills.
fn needed(tools: &Value) -> Value {
    let is_needed =
        |tool: &&Value| *tool == "exec_command" || *tool == "view_image" || tool.as_str().unwrap().contains("skill");
    tools.as_array().unwrap().iter().filter(is_needed).cloned().collect()
}

/// Skills written down in the recording, in a separate project and home folder.
fn extras(suite: &mut Suite, file: &str) {
    for (name, case) in suite.recorded(file).as_object().unwrap() {
        if name == "by_model" {
            by_model(suite, file, case);
            continue;
        }
        let machine = Machine::new(case, ".agents/skills");
        let catalog = select(&machine.load(), MODEL, Some(&machine.home));
        let prompt = machine.located(&case["options"]["prompt"]);
        let prompt = prompt.as_str().unwrap_or("hi");
        let said = |part: &str| case[part].clone();
        suite.equal(file, &format!("{name}: catalogue"), &machine.portable(&list(&catalog)), &said("catalogue"));
        suite.equal(
            file,
            &format!("{name}: injected"),
            &machine.portable(&injected(&catalog, prompt)),
            &said("injected"),
        );
        suite.equal(file, &format!("{name}: notices"), &json!(catalog.log), &said("notices"));
        if case.get("errors").is_some() {
            let skills = machine.portable(&catalog.skills.iter().map(skill).collect());
            suite.equal(file, &format!("{name}: skills"), &skills, &without_interfaces(&said("skills")));
            suite.equal(file, &format!("{name}: errors"), &machine.portable(&errors(&catalog)), &said("errors"));
        }
    }
}

/// One call, with what it asks for done in a project that has the files of the case.
fn calls(suite: &mut Suite) {
    let file = format!("{FOLDER}/calls.json");
    for (name, case) in suite.recorded(&file).as_object().unwrap() {
        let mut files = case.clone();
        for part in ["files", "hex"] {
            let placed = case[part].as_object().into_iter().flatten();
            files[part] = placed.map(|(path, text)| (format!("../../{path}"), text.clone())).collect();
        }
        let machine = Machine::new(&files, ".agents/skills");
        let catalog = select(&machine.load(), case["model"].as_str().unwrap(), Some(&machine.home));
        let given = &case["call"];
        let arguments = match given.get("input") {
            Some(input) => json!({"input": input}).to_string(),
            None => given["arguments"].as_str().unwrap().to_owned(),
        };
        let call = ToolCall::new("call_1", given["name"].as_str().unwrap(), arguments);
        let mut session = Session { working_directory: Some(machine.project.clone()), ..Session::default() };
        let mut served = client().serve(&call, &catalog, &mut session);
        let reply = loop {
            match served {
                Served::Reply(reply) => break reply,
                Served::Perform(effect) => {
                    let done = performed(&effect, &machine.project);
                    served = client().settle(&call, done, &catalog, &mut session);
                }
                Served::Abort(error) => panic!("{name}: {error}"),
            }
        };
        let result = ToolResult {
            call_id: call.id.clone(),
            text: reply.text.clone(),
            wire: client().wire(&reply, &catalog),
            is_error: reply.is_error,
        };
        let messages = vec![Message::tool_calls([call]), Message::pictured_result(result, &reply.images)];
        let request =
            model::ModelRequest { messages, dialect: client().dialect(&catalog), ..model::ModelRequest::default() };
        let body = model::responses::encode(MODEL, &request, false, &model::Sampling::default());
        let body: Value = serde_json::from_str(&body).unwrap();
        let seen = by_chance(&machine.portable(&json!([body["input"][1]["output"]])));
        let said = without_detail(&case["outputs"]);
        match DEVIATIONS.iter().find(|(deviating, _)| deviating == name) {
            Some((_, why)) => suite.deviates(&file, name, &seen, &said, why),
            None => suite.equal(&file, name, &seen, &said),
        }
    }
}

const DEVIATIONS: [(&str, &str); 1] = [(
    "throw_error",
    "The place of an error is where it is made, in the engine that is used here, and not where it is thrown.",
)];

/// As the recorder writes what differs with each run; here it is always the same.
fn by_chance(value: &Value) -> Value {
    let mut text = value.to_string();
    for (head, chance, shown) in [("Chunk ID: ", 6, "{CHUNK}"), (r#"chunk_id\":\""#, 6, "{CHUNK}")] {
        if let Some(at) = text.find(head).map(|at| at + head.len()) {
            text.replace_range(at..at + chance, shown);
        }
    }
    let text = text.replace("Wall time: 0.0000 ", "Wall time: {TIME} ").replace("Wall time 0.0 ", "Wall time {TIME} ");
    serde_json::from_str(&text.replace(r#"wall_time_seconds\":0"#, r#"wall_time_seconds\":{TIME}"#)).unwrap()
}

/// The level of detail of a picture is not part of a message here.
fn without_detail(outputs: &Value) -> Value {
    let mut outputs = outputs.clone();
    for item in outputs.as_array_mut().unwrap().iter_mut().filter_map(Value::as_array_mut).flatten() {
        item.as_object_mut().unwrap().shift_remove("detail");
    }
    outputs
}

fn performed(effect: &Effect, project: &Utf8Path) -> Performed {
    match effect {
        Effect::Shell { command, working_directory, .. } => {
            let folder = working_directory.as_deref().unwrap_or(project);
            let output = Command::new("sh").args(["-c", command]).current_dir(folder).output().unwrap();
            let text = |bytes| String::from_utf8(bytes).unwrap();
            Performed::Ran(ScriptOutput {
                stdout: text(output.stdout),
                stderr: text(output.stderr),
                exit_code: output.status.code(),
                timed_out: false,
                truncated: false,
                took: 1,
            })
        }
        Effect::ReadFile { path, .. } => match std::fs::read(path) {
            Ok(bytes) => Performed::Read { bytes },
            Err(error) if path.is_dir() => Performed::failed(FailureKind::IsFolder, error.to_string()),
            Err(error) => Performed::failed(FailureKind::NotFound, error.to_string()),
        },
        other => panic!("{other:?}"),
    }
}

/// The tool for models that write programs: the grammar, and the parts of the text that are not withheld.
fn exec_tool(suite: &mut Suite) {
    let file = format!("{FOLDER}/exec.json");
    for (model, said) in suite.recorded(&file).as_object().unwrap() {
        let catalog = select(&load(&root_of(suite, "unit-converter")), model, None);
        let body = body(&catalog, "hi");
        let sent = &body["input"][0]["tools"][0]["tools"][0];
        let rest = |tool: &Value| json!({"type": tool["type"], "name": tool["name"], "format": tool["format"]});
        suite.equal(&file, &format!("{model}: format"), &rest(sent), &rest(said));
        let presented = client().present(&catalog, &Session::default()).tools.remove(0);
        let mut text = said["description"].as_str().unwrap().to_owned();
        for mark in &presented.marks {
            if let Origin::Withheld { characters, .. } = &mark.origin {
                // Each replaces that many characters between the texts around it.
                let before = presented.definition.description[..mark.span.start].rfind(']').map_or(0, |at| at + 1);
                let before = &presented.definition.description[before..mark.span.start];
                let start = text.find(before).unwrap_or_else(|| panic!("{before:?} is not in {model}'s text"));
                let start = start + before.len();
                let length: usize = text[start..].chars().take(characters.unwrap() as usize).map(char::len_utf8).sum();
                text.replace_range(start..start + length, mark.span.of(&presented.definition.description));
            }
        }
        suite.equal(&file, &format!("{model}: description"), &json!(presented.definition.description), &json!(text));
    }
}

fn by_model(suite: &mut Suite, file: &str, case: &Value) {
    let root = root_of(suite, "unit-converter");
    for (model, said) in case.as_object().unwrap() {
        let catalog = select(&load(&root), model, None);
        let text = list(&catalog);
        let text = text.as_str().unwrap_or_default();
        let has_how_to = json!(text.contains("### How to use skills"));
        suite.equal(file, &format!("{model}: how to"), &has_how_to, &said["catalogue_has_how_to"]);
        suite.equal(file, &format!("{model}: catalogue"), &json!(!text.is_empty()), &said["catalogue"]);
        let head = |text: &str| json!(text.split_once("- `r0` = `").map(|(head, _)| head.to_owned()));
        let recorded = head(said["catalogue_text_head"].as_str().unwrap());
        suite.equal(file, &format!("{model}: head"), &head(text), &recorded);
        let seen: Value =
            items(&catalog, "hi").as_array().unwrap().iter().map(|item| json!([item["type"], item["role"]])).collect();
        suite.equal(file, &format!("{model}: items"), &seen, &said["input_types"]);
        suite.equal(file, &format!("{model}: tools"), &sent_tools(&catalog), &needed(&said["tools"]));
    }
}
