//! OpenCode against recorded behaviour. Which of the skills with one name is there, and which ten files a result names, is
//! chance in each start of the client: any winner, and any ten of the files, are right.

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};
use config::options::{PermissionAction, SkillPermission};
use harness::{Catalog, Detail, Effect, Harness, Options, Performed, Served, Session};
use model::{Message, ToolCall};
use serde_json::{Value, json};
use skill::{Entry, Folder, SkillSet};
use skillbench_tests::conformance::Suite;
use skillbench_tests::load;

use super::machine::Machine;

const FOLDER: &str = "opencode-1.18.33";
const OWN: &str = "[OpenCode's own text, 8,872 characters, not reproduced]";

pub fn compare(suite: &mut Suite) {
    let wire_file = format!("{FOLDER}/wire_first_request_per_fixture.json");
    let wire = suite.recorded(&wire_file);
    for file in suite.files(FOLDER, "fixture_") {
        let name = file.split_once("fixture_").unwrap().1.trim_end_matches(".json").to_owned();
        let catalog = fixture(suite, &file, &name);
        let (seen, said) = (first_request(&catalog), &wire[&name]);
        for key in ["messages", "system_base_characters"] {
            suite.equal(&wire_file, &format!("{name}: {key}"), &seen[key], &said[key]);
        }
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
    harness::find("opencode").unwrap()
}

/// One catalog for each way in which chance may choose among the skills with one name; the program's own comes first.
struct Starts(Vec<Catalog>);

impl Starts {
    fn of(found: &SkillSet, options: &Options) -> Self {
        let mut starts = vec![(found.clone(), client().select(found, options))];
        let own = starts[0].1.clone();
        // Other places of a skill with this name.
        let mut others: BTreeMap<String, Vec<Utf8PathBuf>> = BTreeMap::new();
        for quirk in own.quirks.iter().filter(|quirk| quirk.kind == harness::QuirkKind::ChosenByChance) {
            others.entry(quirk.skill.clone().unwrap()).or_default().push(quirk.path.clone().unwrap());
        }
        for places in others.values() {
            for (set, _) in starts.clone() {
                for kept in places {
                    let without: Vec<&Utf8PathBuf> = places.iter().filter(|place| *place != kept).collect();
                    let set = lacking(&set, &without);
                    let catalog = client().select(&set, options);
                    starts.push((set, catalog));
                }
            }
        }
        Self(starts.into_iter().map(|(_, catalog)| catalog).collect())
    }

    fn own(&self) -> &Catalog {
        &self.0[0]
    }

    /// The result of a start that matches the recording, if there is one; else that of the first start.
    fn seen(&self, said: &Value, of: impl Fn(&Catalog) -> Value) -> Value {
        let all: Vec<Value> = self.0.iter().map(of).collect();
        all.iter().find(|seen| *seen == said).unwrap_or(&all[0]).clone()
    }
}

fn lacking(found: &SkillSet, files: &[&Utf8PathBuf]) -> SkillSet {
    let mut found = found.clone();
    for root in &mut found.roots {
        remove(&mut root.tree, files);
    }
    found
}

fn remove(folder: &mut Folder, files: &[&Utf8PathBuf]) {
    folder.entries.retain(|entry| !matches!(entry, Entry::File(file) if files.contains(&&file.path)));
    for entry in &mut folder.entries {
        if let Entry::Folder(inner) = entry {
            remove(inner, files);
        }
    }
}

fn fixture(suite: &mut Suite, file: &str, name: &str) -> Catalog {
    let recorded = suite.recorded(file);
    let root = if name == "skills" { "skills".to_owned() } else { format!("roots/{name}") };
    let root = suite.golden.path().join(root);
    let mut starts = Starts::of(&load(&root), &Options::default());
    let here = suite.golden.path().to_owned();
    let portable = |value: Value| -> Value {
        serde_json::from_str(&value.to_string().replace(here.as_str(), "{FIXTURES}")).unwrap()
    };
    for (part, said) in recorded.as_object().unwrap() {
        match part.as_str() {
            "root" => suite.equal(file, part, &json!(root), said),
            "skills" => {
                let said = by_name(said);
                let seen = starts.seen(&said, |catalog| portable(skills(catalog)));
                suite.equal(file, part, &seen, &said);
            }
            "log" => {
                let said = pairs(said);
                let seen = pairs(&portable(json!(starts.own().log)));
                suite.equal(file, part, &seen, &said);
            }
            // Its place is compared with the whole request.
            "catalogue" => {
                let seen = starts.seen(&said["text"], |catalog| portable(catalogue(catalog)));
                suite.equal(file, part, &seen, &said["text"]);
            }
            "tool" => {
                let tools = client().present(starts.own(), &Session::default()).definitions();
                let tool = tools.into_iter().find(|tool| tool.name == "skill").unwrap();
                let said = &said["function"];
                suite.equal(file, "tool: name", &json!(tool.name), &said["name"]);
                suite.equal(file, "tool: description", &json!(tool.description), &said["description"]);
                suite.equal(file, "tool: schema", &tool.parameters, &said["parameters"]);
            }
            "load" | "load_by_folder" => {
                for load in said.as_array().unwrap() {
                    let name = load["name"].as_str().unwrap();
                    let seen = starts.seen(&load["content"], |catalog| {
                        portable(respond(catalog, "skill", &json!({"name": name}), &load["content"]))
                    });
                    suite.equal(file, &format!("{part}: {name}"), &seen, &load["content"]);
                }
            }
            other => panic!("{file} has the part {other}"),
        }
    }
    starts.0.swap_remove(0)
}

/// As `debug skill` prints them.
fn skills(catalog: &Catalog) -> Value {
    let skill = |skill: &harness::CatalogSkill| {
        let Detail::OpenCode(detail) = &skill.detail else { panic!("{:?}", skill.detail) };
        let mut fields = serde_json::Map::from_iter([("name".to_owned(), json!(skill.name))]);
        if detail.is_described() {
            fields.insert("description".to_owned(), json!(skill.description));
        }
        fields.insert("location".to_owned(), json!(skill.path.as_ref().unwrap().join("SKILL.md")));
        fields.insert("content".to_owned(), json!(detail.content()));
        Value::Object(fields)
    };
    by_name(&catalog.skills.iter().map(skill).collect())
}

fn by_name(skills: &Value) -> Value {
    let mut skills = skills.as_array().unwrap().clone();
    skills.sort_by_key(|skill| skill["name"].to_string());
    Value::Array(skills)
}

/// The lines about skills with one name, without the run's id and without an order of the two.
fn pairs(log: &Value) -> Value {
    let line = |line: &Value| {
        let line = line.as_str().unwrap();
        let mut words: Vec<&str> = line.split(' ').filter(|word| !word.starts_with("run=")).collect();
        let path = |word: &str| word.split_once("=").map(|(_, path)| path.to_owned()).unwrap();
        let mut both = [path(words.pop().unwrap()), path(words.pop().unwrap())];
        both.sort();
        json!([words.join(" "), both])
    };
    let mut lines: Vec<Value> = log.as_array().unwrap().iter().map(line).collect();
    lines.sort_by_key(Value::to_string);
    Value::Array(lines)
}

fn catalogue(catalog: &Catalog) -> Value {
    let text = client().present(catalog, &Session::default()).instructions.unwrap().text;
    json!(text.strip_prefix(OWN).unwrap().strip_prefix('\n'))
}

fn first_request(catalog: &Catalog) -> Value {
    let shown = client().present(catalog, &Session::default());
    let list = catalogue(catalog);
    let text = shown.instructions.as_ref().unwrap().text.replace(OWN, "{BASE}");
    let system = text.replace(list.as_str().unwrap(), "{SKILLS}");
    let characters = match &shown.instructions.as_ref().unwrap().marks[0].origin {
        harness::Origin::Withheld { characters, .. } => *characters,
        other => panic!("{other:?}"),
    };
    let mut history = vec![Message::user("hi")];
    let prepared = client().before_request(&mut history, None, catalog, &mut Session::default());
    assert_eq!(prepared, harness::Prepared::Send);
    let tools: Vec<String> = shown.definitions().into_iter().map(|tool| tool.name).collect();
    json!({
        "messages": [{"role": "system", "content": system}, {"role": "user", "content": history[0].text()}],
        "tools": tools,
        "system_base_characters": characters,
    })
}

/// The result, with the recorded files instead of ours if they may as well have been chosen.
fn respond(catalog: &Catalog, tool: &str, arguments: &Value, said: &Value) -> Value {
    let arguments = arguments.as_str().map_or_else(|| arguments.to_string(), str::to_owned);
    let call = ToolCall::new("call_1", tool, arguments);
    let mut session = Session::default();
    let mut served = client().serve(&call, catalog, &mut session);
    while let Served::Perform(effect) = served {
        let Effect::Disclose { .. } = effect else { panic!("no recording needs {effect:?}") };
        served = client().settle(&call, Performed::Denied { reason: None }, catalog, &mut session);
    }
    let text = match served {
        Served::Reply(reply) => reply.text,
        Served::Abort(_) => return Value::Null,
        Served::Perform(_) => unreachable!("it was settled"),
    };
    let (Some((start, own, end)), Some((_, theirs, _))) = (parts(&text), said.as_str().and_then(parts)) else {
        return json!(text);
    };
    let skill = catalog.skills.iter().find(|skill| session.activated.contains(&skill.id)).unwrap();
    let Detail::OpenCode(detail) = &skill.detail else { panic!("{:?}", skill.detail) };
    let is_one = |line: &str| {
        let is = |path: &Utf8PathBuf| {
            line == format!("<file>{{FIXTURES}}{}</file>", below(path)) || line == format!("<file>{path}</file>")
        };
        detail.files().iter().any(is)
    };
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let is_right = lines(theirs).len() == lines(own).len() && theirs.lines().all(is_one);
    json!(if is_right { format!("{start}{theirs}{end}") } else { text })
}

/// A path of the fixtures without the folder that they are copied to.
fn below(path: &Utf8Path) -> String {
    let at = ["/roots/", "/skills/"].iter().filter_map(|folder| path.as_str().find(folder)).min();
    at.map_or_else(String::new, |at| path.as_str()[at..].to_owned())
}

fn parts(text: &str) -> Option<(&str, &str, &str)> {
    let start = text.find("<skill_files>\n")? + "<skill_files>\n".len();
    let end = text.rfind("\n</skill_files>").filter(|end| *end >= start)?;
    Some((&text[..start], &text[start..end], &text[end..]))
}

fn calls(suite: &mut Suite) {
    let file = format!("{FOLDER}/calls.json");
    for case in suite.recorded(&file).as_array().unwrap() {
        let root = suite.golden.path().join(case["root"].as_str().unwrap());
        let catalog = client().select(&load(&root), &Options::default());
        let calls = case["calls"].as_array().unwrap().iter().zip(case["results"].as_array().unwrap());
        for (at, (call, said)) in calls.enumerate() {
            let name = call["name"].as_str().unwrap_or("skill");
            let seen = json!({"content": respond(&catalog, name, &call["arguments"], &said["content"])});
            suite.equal(&file, &format!("{} {at}", case["id"].as_str().unwrap()), &seen, said);
        }
    }
}

/// Skills written down in the recording, in a separate project and home folder.
fn extras(suite: &mut Suite, file: &str) {
    for (name, case) in suite.recorded(file).as_object().unwrap() {
        let machine = Machine::new(case, ".opencode/skills");
        // What `skills.urls` brought.
        for (path, text) in case["cached"].as_object().into_iter().flatten() {
            let path = machine.home.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text.as_str().unwrap()).unwrap();
        }
        let mut options = Options::default();
        let settings = &mut options.settings.opencode;
        settings.home = Some(machine.home.to_string());
        settings.ripgrep = case["options"]["path"] != "/nonexistent";
        settings.urls = case["options"]["config"]["skills"].get("urls").is_some();
        if let Some(config) = case["options"].get("config") {
            settings.permission = rules(&config["permission"]["skill"]);
        }
        let starts = Starts::of(&machine.load(), &options);
        let list = starts.seen(&case["catalogue"], |catalog| machine.portable(&catalogue(catalog)));
        suite.equal(file, &format!("{name}: catalogue"), &list, &case["catalogue"]);
        for (at, said) in case["calls"].as_array().unwrap().iter().enumerate() {
            let located = machine.located(&said["content"]);
            let content = starts.seen(&located, |catalog| respond(catalog, "skill", &said["arguments"], &located));
            let mut seen = json!({"arguments": said["arguments"]});
            match content {
                Value::Null => seen["no_result"] = json!(true),
                content => seen["content"] = content,
            }
            suite.equal(file, &format!("{name}: call {at}"), &machine.portable(&seen), said);
        }
    }
}

fn rules(said: &Value) -> Vec<SkillPermission> {
    let action = |said: &Value| match said.as_str() {
        Some("ask") => PermissionAction::Ask,
        Some("deny") => PermissionAction::Deny,
        _ => PermissionAction::Allow,
    };
    match said {
        Value::Object(rules) => rules
            .iter()
            .map(|(pattern, said)| SkillPermission { pattern: pattern.clone(), action: action(said) })
            .collect(),
        Value::String(_) => vec![SkillPermission { pattern: "*".into(), action: action(said) }],
        _ => Vec::new(),
    }
}
