//! Codex CLI against recorded behaviour. `{SKILLS}` is the list of skills; the client's other texts, which end in `…`, are
//! left out on both sides.

use camino::{Utf8Path, Utf8PathBuf};
use harness::{Catalog, CatalogSkill, Detail, Harness, Options, Prepared, Session};
use model::{Message, Part};
use serde_json::{Value, json};
use skill::SkillSet;
use skillbench_tests::conformance::Suite;
use skillbench_tests::load;

use super::machine::Machine;

const FOLDER: &str = "codex-cli-0.169.0";
/// The model that all was recorded with, but for what differs by model.
const MODEL: &str = "gpt-5.5";

pub fn compare(suite: &mut Suite) {
    for file in suite.files(FOLDER, "fixture_") {
        fixture(suite, &file);
    }
    wire(suite);
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

/// What comes behind a prompt.
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
            // Where it stands is compared with the whole request.
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
        // An empty list is no message.
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
    let is_needed = |tool: &&Value| *tool == "exec_command" || tool.as_str().unwrap().contains("skill");
    tools.as_array().unwrap().iter().filter(is_needed).cloned().collect()
}

/// Skills written down in the recording, in a project and a home folder of their own.
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
