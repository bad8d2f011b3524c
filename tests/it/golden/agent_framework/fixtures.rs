//! The results of each release for each fixture: skills, instructions, tools, and its log.

use std::collections::HashSet;

use camino::Utf8PathBuf;
use harness::{Catalog, CatalogFile, CatalogSkill, Detail, Effect, Performed, Served, Session};
use model::{Message, ToolCall, ToolDef};
use serde_json::{Map, Value, json};
use skill::{Entry, Folder, SkillSet};
use skillbench_tests::conformance::Suite;
use skillbench_tests::load;

use super::play::{self, AGENT};
use super::{DOT_NET, PYTHON_113, PYTHON_123, SEED, agent_framework, select, strings};

pub fn compare(suite: &mut Suite) {
    for (folder, variant) in
        [(SEED, "seed"), (DOT_NET, "dotnet-1.17"), (PYTHON_113, "python-1.13"), (PYTHON_123, "python-1.23")]
    {
        for file in suite.files(folder, "fixture_") {
            compare_fixture(suite, &file, variant);
        }
    }
    compare_first_requests(suite);
}

fn compare_fixture(suite: &mut Suite, file: &str, variant: &str) {
    let mut expected = suite.recorded(file);
    for note in ["status", "order_note"] {
        expected.as_object_mut().unwrap().shift_remove(note);
    }
    let root = suite.golden.locate(expected["root"].as_str().unwrap());
    let mut found = load(root.as_str().into());
    if variant.starts_with("python") {
        in_recorded_order(&mut found, &recorded_log(suite, file));
    }
    let catalog = select(variant, &found, |_| {});
    let shown = agent_framework().present(&catalog, &Session::default());
    let instructions = json!(shown.instructions.as_ref().map(|marked| &marked.text));
    let tools: Vec<Value> = shown.definitions().iter().map(|tool| written(tool, variant, &catalog)).collect();

    let mut seen = Map::from_iter([("root".to_owned(), json!(root))]);
    let skills: Vec<Value> = catalog.skills.iter().map(|skill| described(skill, variant, &catalog)).collect();
    if variant.starts_with("python") {
        seen.insert("skills".into(), json!(skills));
        seen.insert("instructions".into(), instructions);
        seen.insert("tools".into(), json!(tools));
    } else {
        seen.insert("instructions".into(), instructions);
        seen.insert("tools".into(), json!(tools));
        seen.insert("skills".into(), json!(skills));
    }
    seen.insert("log".into(), json!(catalog.log));
    for (part, seen) in &seen {
        suite.equal(file, part, seen, &expected[part]);
    }
    suite.equal(file, "", &Value::Object(seen), &expected);
}

/// A tool as the recording of this release writes it.
fn written(tool: &ToolDef, variant: &str, catalog: &Catalog) -> Value {
    match variant {
        "python-1.13" | "python-1.23" => json!({"type": "function", "function": tool}),
        "dotnet-1.17" => {
            let mut written = json!(tool);
            let call = ToolCall::new("1", tool.name.clone(), "{}");
            let asked = agent_framework().serve(&call, catalog, &mut Session::default());
            written["approval_required_by_default"] = json!(matches!(asked, Served::Perform(Effect::Disclose { .. })));
            written
        }
        _ => json!(tool),
    }
}

/// A skill as the recording of this release describes it.
fn described(skill: &CatalogSkill, variant: &str, catalog: &Catalog) -> Value {
    let Detail::AgentFramework(detail) = &skill.detail else { panic!("{:?}", skill.detail) };
    let read = &detail.frontmatter;
    let metadata: Option<Map<String, Value>> =
        read.metadata.as_ref().map(|entries| entries.iter().map(|(key, value)| (key.clone(), json!(value))).collect());
    let names = |files: &[CatalogFile]| files.iter().map(|file| file.name.clone()).collect::<Vec<_>>();
    let mut seen =
        Map::from_iter([("name".to_owned(), json!(skill.name)), ("description".to_owned(), json!(skill.description))]);
    if variant == "python-1.23" {
        seen.insert("license".into(), json!(read.license));
        seen.insert("compatibility".into(), json!(read.compatibility));
        seen.insert("allowed_tools".into(), json!(read.allowed_tools));
    }
    if variant.starts_with("python") {
        seen.insert("metadata".into(), json!(metadata));
    }
    if variant != "python-1.13" {
        seen.insert("path".into(), json!(skill.path));
    }
    seen.insert("resources".into(), json!(names(&skill.resources)));
    seen.insert("scripts".into(), json!(names(&skill.scripts)));
    seen.insert("load_skill_result".into(), json!(instructions(&skill.name, catalog)));
    Value::Object(seen)
}

fn instructions(skill: &str, catalog: &Catalog) -> String {
    let name = if catalog.variant.starts_with("python") { "skill_name" } else { "skillName" };
    let call = ToolCall::new("1", "load_skill", json!({name: skill}).to_string());
    let mut session = Session::default();
    let mut served = agent_framework().serve(&call, catalog, &mut session);
    if let Served::Perform(Effect::Disclose { .. }) = served {
        served = agent_framework().settle(&call, Performed::Agreed, catalog, &mut session);
    }
    match served {
        Served::Reply(reply) => reply.text,
        other => panic!("{other:?}"),
    }
}

/// The log of a recording, with the paths of the copy.
pub fn recorded_log(suite: &Suite, file: &str) -> Vec<String> {
    let recorded = suite.recorded(file);
    strings(&recorded["log"]).into_iter().map(|line| suite.golden.locate(line)).collect()
}

/// Python lists folders as the file system gives them, so the order of a recording is that of the machine it was made on.
/// This puts a tree into the order that the recorded log shows.
pub fn in_recorded_order(found: &mut SkillSet, log: &[String]) {
    let mut folders = Vec::new();
    found.roots.iter().for_each(|root| collect(&root.tree, &mut folders));
    let duplicates: HashSet<&Utf8PathBuf> = folders
        .iter()
        .filter(|path| log.iter().any(|line| line.contains(&format!("'{path}' skipped in favor"))))
        .collect();
    let mut order: Vec<Utf8PathBuf> = Vec::new();
    for line in log {
        if let Some(name) = line.strip_prefix("INFO: Loaded skill: ") {
            let loaded = folders.iter().filter(|path| path.file_name() == Some(name) && !duplicates.contains(path));
            order.extend(loaded.cloned());
        } else if !line.contains("Skipping discovery entry") {
            order.extend(line.split('\'').filter(|part| part.starts_with('/')).map(Utf8PathBuf::from));
        }
    }
    for root in &mut found.roots {
        sort(&mut root.tree, &order);
    }
}

fn collect(folder: &Folder, into: &mut Vec<Utf8PathBuf>) {
    into.push(folder.path.clone());
    folder.folders().for_each(|inner| collect(inner, into));
}

fn sort(folder: &mut Folder, order: &[Utf8PathBuf]) {
    folder.entries.sort_by_key(|entry| {
        let path = match entry {
            Entry::File(file) => &file.path,
            Entry::Folder(folder) => &folder.path,
        };
        order.iter().position(|seen| seen.starts_with(path)).unwrap_or(usize::MAX)
    });
    for entry in &mut folder.entries {
        if let Entry::Folder(inner) = entry {
            sort(inner, order);
        }
    }
}

fn compare_first_requests(suite: &mut Suite) {
    let file = format!("{PYTHON_123}/wire_first_request_per_fixture.json");
    let expected = suite.recorded(&file);
    for (fixture, expected) in expected.as_object().unwrap() {
        let mut found = load(&suite.golden.path().join("roots").join(fixture));
        in_recorded_order(&mut found, &recorded_log(suite, &format!("{PYTHON_123}/fixture_{fixture}.json")));
        let catalog = select("python-1.23", &found, |_| {});
        let session = Session { agent_instructions: Some(AGENT.into()), ..Session::default() };
        let history = [Message::user("hi")];
        let request = play::request(&catalog, &session, &history, None);
        suite.equal(&file, fixture, &play::body(&request), expected);
    }
}
