//! deepagents against recorded behaviour: each root as the only source, with the files of its skills read.

use std::fs;

use camino::{Utf8Path, Utf8PathBuf};
use harness::{Catalog, Effect, FailureKind, Harness, ListedEntry, Options, Performed, Served, Session};
use model::ToolCall;
use serde_json::{Map, Value, json};
use skillbench_tests::conformance::Suite;
use skillbench_tests::load;

use super::machine::Machine;

const FOLDER: &str = "deepagents-0.7.32";

pub fn compare(suite: &mut Suite) {
    let wire_file = format!("{FOLDER}/wire_first_request_per_fixture.json");
    let wire = suite.recorded(&wire_file);
    for file in suite.files(FOLDER, "fixture_") {
        let name = file.trim_start_matches(FOLDER).trim_start_matches("/fixture_").trim_end_matches(".json").to_owned();
        let recorded = suite.recorded(&file);
        let catalog = fixture(suite, &file, &recorded);
        suite.equal(&wire_file, &name, &first_request(&catalog), &wire[&name]);
    }
    let rare = format!("{FOLDER}/rare.json");
    for (name, case) in suite.recorded(&rare).as_object().unwrap() {
        let machine = Machine::new(case, &format!("roots/{name}"));
        source(suite, &rare, &format!("{name}: "), &machine.located(case), &machine.skills);
    }
    calls(suite);
    first_request_full(suite);
}

fn harness() -> &'static dyn Harness {
    harness::find("deepagents").unwrap()
}

fn own() -> Session {
    Session { agent_instructions: Some("You are a helpful assistant.".into()), ..Session::default() }
}

fn select(root: &Utf8Path) -> Catalog {
    harness().select(&load(root), &Options::default())
}

fn fixture(suite: &mut Suite, file: &str, recorded: &Value) -> Catalog {
    let root = Utf8PathBuf::from(suite.golden.locate(recorded["root"].as_str().unwrap()));
    source(suite, file, "", recorded, &root)
}

/// The results for one source. The names of its values begin with `case`.
fn source(suite: &mut Suite, file: &str, case: &str, recorded: &Value, root: &Utf8Path) -> Catalog {
    let catalog = select(root);
    suite.equal(file, &format!("{case}error"), &json!(catalog.refused), &recorded["error"]);
    // Creating the agent fails with the error.
    if recorded.get("skills").is_none() {
        return catalog;
    }
    let skill = |skill: &harness::CatalogSkill| {
        let mut fields = Map::new();
        fields.insert("name".into(), skill.name.as_str().into());
        fields.insert("description".into(), skill.description.as_str().into());
        fields.insert("path".into(), skill.path.as_ref().unwrap().join("SKILL.md").as_str().into());
        fields.extend(skill.detail.kept());
        Value::Object(fields)
    };
    let skills: Value = catalog.skills.iter().map(skill).collect();
    let section =
        harness().present(&catalog, &Session::default()).instructions.map(|marked| recorded_label(&marked.text));
    suite.equal(file, &format!("{case}skills"), &skills, &recorded["skills"]);
    suite.equal(file, &format!("{case}log"), &json!(catalog.log), &recorded["log"]);
    let errors: Vec<&str> =
        catalog.log.iter().filter_map(|line| line.strip_prefix("WARNING: Cannot load skills")).collect();
    suite.equal(file, &format!("{case}load_errors"), &json!(errors), &recorded["load_errors"]);
    suite.equal(file, &format!("{case}skills_section"), &json!(section), &recorded["skills_section"]);
    for load in recorded["load"].as_array().unwrap() {
        let name = format!("{case}load {}", load["name"].as_str().unwrap());
        let seen = played(suite, &catalog, &load["call"]);
        suite.equal(file, &name, &seen, &load["content"]);
    }
    catalog
}

/// A source called `skills` has the name of its parent, which was `fx` in the recording.
fn recorded_label(section: &str) -> String {
    match (section.split_once("\n**"), section.split_once("/skills` (higher priority)")) {
        (Some((head, _)), Some((before, tail))) => {
            let place = before.split_once(" Skills**: `").map_or("", |(_, place)| place);
            format!("{head}\n**Fx Skills**: `{place}/skills` (higher priority){tail}")
        }
        _ => section.to_owned(),
    }
}

fn first_request(catalog: &Catalog) -> Value {
    let section = harness().present(catalog, &Session::default()).instructions.unwrap().text;
    let shown = harness().present(catalog, &own());
    let system = shown.instructions.unwrap().text;
    let base = system.strip_suffix(&section).unwrap();
    let tools: Vec<String> = shown.tools.iter().map(|tool| tool.definition.name.clone()).collect();
    json!({
        "messages": [{"role": "system", "content": "{BASE}{SKILLS}"}, {"role": "user", "content": "hi"}],
        "base_characters": base.chars().count(),
        "tools": tools,
    })
}

fn calls(suite: &mut Suite) {
    let file = format!("{FOLDER}/calls.json");
    let catalog = select(&suite.golden.path().join("roots/pdf-tools"));
    for case in suite.recorded(&file).as_array().unwrap() {
        let id = case["id"].as_str().unwrap();
        let seen = played(suite, &catalog, &case["call"]);
        if case["result"].is_array() {
            suite.deviates(
                &file,
                id,
                &seen,
                &case["result"],
                "results here are texts; a picture is not shown to the model",
            );
        } else {
            suite.equal(&file, id, &seen, &case["result"]);
        }
    }
}

/// The content of the system message is one text here, and two with the same letters there.
fn first_request_full(suite: &mut Suite) {
    let file = format!("{FOLDER}/first_request_full.json");
    let recorded = suite.recorded(&file);
    let shown = harness().present(&select(&suite.golden.path().join("roots/unit-converter")), &own());
    let parts = recorded["messages"][0]["content"].as_array().unwrap();
    let system: String = parts.iter().map(|part| part["text"].as_str().unwrap()).collect();
    suite.equal(&file, "system", &json!(shown.instructions.as_ref().unwrap().text), &json!(system));
    for (tool, expected) in shown.tools.iter().zip(recorded["tools"].as_array().unwrap()) {
        let tool = &tool.definition;
        let seen = json!({"name": tool.name, "description": tool.description, "parameters": tool.parameters});
        suite.equal_in_any_order(&file, &tool.name, &seen, &expected["function"]);
    }
}

fn played(suite: &Suite, catalog: &Catalog, call: &Value) -> Value {
    let arguments = suite.golden.locate(&call["arguments"].to_string());
    let call = ToolCall::new("call_1", call["name"].as_str().unwrap(), arguments);
    let mut session = own();
    let mut served = harness().serve(&call, catalog, &mut session);
    loop {
        served = match served {
            Served::Reply(reply) => return reply.text.into(),
            Served::Abort(error) => return json!({"abort": error}),
            Served::Perform(effect) => harness().settle(&call, performed(&effect), catalog, &mut session),
        };
    }
}

fn performed(effect: &Effect) -> Performed {
    let missing = |path: &Utf8Path| {
        let kind = if path.is_dir() { FailureKind::IsFolder } else { FailureKind::NotFound };
        Performed::failed(kind, "")
    };
    match effect {
        Effect::ReadFile { path, .. } => {
            fs::read(path).map_or_else(|_| missing(path), |bytes| Performed::Read { bytes })
        }
        Effect::ListFolder { path, .. } => Performed::Listed { entries: entries(path, false) },
        Effect::FindFiles { path, pattern } if pattern == "**/*" => Performed::Listed { entries: entries(path, true) },
        other => panic!("no recording needs {other:?}"),
    }
}

fn entries(folder: &Utf8Path, deep: bool) -> Vec<ListedEntry> {
    let mut found = Vec::new();
    for entry in folder.read_dir_utf8().unwrap() {
        let path = entry.unwrap().into_path();
        let folder = path.is_dir();
        if deep && folder {
            found.extend(entries(&path, true));
        } else {
            found.push(ListedEntry { path, folder, size: 0 });
        }
    }
    found.sort_by(|a, b| a.path.as_str().cmp(b.path.as_str()));
    found
}
