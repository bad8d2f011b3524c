//! Claude Code against its recorded behaviour with skills. Its other texts are not in the recordings: `{OTHER
//! REMINDER}` and `{REMINDER}` are such texts, and are left out on both sides.

use std::collections::VecDeque;
use std::process::Command;

use camino::{Utf8Path, Utf8PathBuf};
use harness::{
    Catalog, Delegated, DelegationEnd, Detail, Effect, Harness, Memory, Options, Origin, Performed, Prepared, Served,
    Session,
};
use model::{Message, Part, Role, ToolCall, ToolResult};
use serde_json::{Map, Value, json};
use skill::SkillSet;
use skillbench_tests::conformance::Suite;
use skillbench_tests::load;

use super::machine::Machine;
use super::ran;

const FOLDERS: [(&str, &str); 2] = [("claude-code-2.1.330", "2.1.330"), ("claude-code-2.1.197", "2.1.197")];
/// What the recorded sub-agents said.
const ANSWER: &str = "A title";
/// The model of the recorded runs, which a skill that names none leaves as it is.
const MODEL: &str = "claude-sonnet-4-5";

pub fn compare(suite: &mut Suite) {
    for (folder, variant) in FOLDERS {
        for file in suite.files(folder, "fixture_") {
            fixture(suite, &file, variant);
        }
        wire(suite, folder, variant);
        calls(suite, folder, variant);
        extras(suite, folder, variant);
    }
}

fn client() -> &'static dyn Harness {
    harness::find("claude-code").unwrap()
}

fn select(found: &SkillSet, variant: &str, home: Option<&Utf8Path>) -> Catalog {
    let mut options = Options { variant: Some(variant.into()), ..Options::default() };
    options.settings.claude_code.home = home.map(|home| home.to_string());
    options.settings.claude_code.models = [("gpt-small".to_owned(), "gpt-small".to_owned())].into();
    client().select(found, &options)
}

/// A conversation with the client.
struct Talk<'a> {
    catalog: &'a Catalog,
    session: Session,
    history: Vec<Message>,
    /// Whether the user lets skills be loaded that ask.
    allows: bool,
    /// The first message and the model of each sub-agent.
    forked: Vec<Value>,
    folder: Utf8PathBuf,
}

impl<'a> Talk<'a> {
    fn new(catalog: &'a Catalog, prompt: &str) -> Self {
        let history = vec![Message::user(prompt)];
        let (session, folder) = (Session::default(), std::env::temp_dir().try_into().unwrap());
        let mut talk = Self { catalog, session, history, allows: true, forked: Vec::new(), folder };
        talk.prepare();
        talk
    }

    fn prepare(&mut self) {
        let mut done = None;
        loop {
            match client().before_request(&mut self.history, done, self.catalog, &mut self.session) {
                Prepared::Send => return,
                Prepared::Perform(effect) => done = Some(self.perform(&effect)),
                other => panic!("{other:?}"),
            }
        }
    }

    /// One answer with these calls: the results, and the texts behind the last of them.
    fn round(&mut self, calls: &[(String, String)]) -> Vec<Value> {
        let calls: Vec<ToolCall> = calls
            .iter()
            .enumerate()
            .map(|(at, (name, arguments))| {
                ToolCall::new(format!("toolu_{}_{at}", self.history.len()), name, arguments.clone())
            })
            .collect();
        self.history.push(Message::tool_calls(calls.clone()));
        let mut results = Vec::new();
        for call in calls {
            let mut served = client().serve(&call, self.catalog, &mut self.session);
            while let Served::Perform(effect) = served {
                let done = self.perform(&effect);
                served = client().settle(&call, done, self.catalog, &mut self.session);
            }
            let Served::Reply(reply) = served else { panic!("{served:?}") };
            let mut result = Map::new();
            result.insert("content".into(), json!(reply.text));
            if reply.is_error {
                result.insert("is_error".into(), json!(true));
            }
            result.insert("blocks_after".into(), json!([]));
            results.push(Value::Object(result));
            let (text, is_error) = (reply.text, reply.is_error);
            self.history.push(Message::tool_result(ToolResult { call_id: call.id, text, wire: None, is_error }));
        }
        let before = self.history.len();
        self.prepare();
        let texts = self.history[before..].iter().flat_map(texts).collect();
        if let Some(last) = results.last_mut() {
            last["blocks_after"] = texts;
        }
        results
    }

    fn perform(&mut self, effect: &Effect) -> Performed {
        match effect {
            Effect::Disclose { .. } if self.allows => Performed::Agreed,
            Effect::Disclose { .. } => Performed::Denied { reason: None },
            Effect::Shell { command, .. } => ran(Command::new("sh").args(["-c", command]).current_dir(&self.folder)),
            Effect::Delegate(delegation) => {
                self.forked.push(json!({
                    "model": delegation.model.as_deref().unwrap_or(MODEL),
                    "first_user_message": texts(delegation.messages.first().unwrap()),
                }));
                let messages = vec![Message::assistant(ANSWER)];
                Performed::Delegated(Delegated { messages, end: DelegationEnd::Done, memory: Memory::default() })
            }
            other => panic!("no recording needs {other:?}"),
        }
    }
}

fn texts(message: &Message) -> Vec<Value> {
    let text = |part: &Part| match part {
        Part::Text { text } => Some(json!(text)),
        _ => None,
    };
    message.parts.iter().filter_map(text).collect()
}

/// A call of `Skill`.
fn skill(name: &str) -> (String, String) {
    ("Skill".to_owned(), json!({"skill": name}).to_string())
}

fn root_of(suite: &Suite, fixture: &str) -> Utf8PathBuf {
    let root = if fixture == "skills" { "skills".to_owned() } else { format!("roots/{fixture}") };
    suite.golden.path().join(root)
}

fn fixture(suite: &mut Suite, file: &str, variant: &str) {
    let recorded = suite.recorded(file);
    let name = file.split_once("fixture_").unwrap().1.trim_end_matches(".json");
    let root = root_of(suite, name);
    let catalog = select(&load(&root), variant, None);
    let offered: Vec<&str> = offered(&catalog);
    let mut forked = Vec::new();
    for (part, said) in recorded.as_object().unwrap() {
        match part.as_str() {
            "root" => suite.equal(file, part, &json!(root), said),
            "skills" | "slash_commands" => suite.equal(file, part, &json!(offered), said),
            // Its place is compared with the whole request.
            "catalogue" => suite.equal(file, part, &catalogue(&catalog), &said["text"]),
            "tool" => {
                let definition = client().present(&catalog, &Session::default()).tools.swap_remove(0);
                let Origin::Withheld { characters, .. } = definition.marks[0].origin else { panic!("it is withheld") };
                let definition = definition.definition;
                let (seen, said) = (json!(definition.name), &said["name"]);
                suite.equal(file, "tool: name", &seen, said);
                let tool = &recorded["tool"];
                suite.equal(file, "tool: length", &json!(characters), &tool["description"]["characters"]);
                suite.equal(file, "tool: schema", &definition.parameters, &tool["input_schema"]);
            }
            "load" | "load_by_folder" => {
                for load in said.as_array().unwrap() {
                    let name = load["name"].as_str().unwrap();
                    let mut talk = Talk::new(&catalog, "hi");
                    let mut seen = Map::from_iter([("name".to_owned(), json!(name))]);
                    let result = talk.round(&[skill(name)]).remove(0);
                    seen.extend(result.as_object().unwrap().clone());
                    forked.append(&mut talk.forked);
                    suite.equal(file, &format!("{part}: {name}"), &Value::Object(seen), load);
                }
            }
            "forked" => {}
            other => panic!("{file} has the part {other}"),
        }
    }
    if let Some(said) = recorded["forked"].as_array() {
        let said: Vec<Value> = said
            .iter()
            .map(|said| json!({"model": said["model"], "first_user_message": own(&said["first_user_message"])}))
            .collect();
        suite.equal_in_any_order(file, "forked", &json!(forked), &json!(said));
    }
}

/// What the client names to the user.
fn offered(catalog: &Catalog) -> Vec<&str> {
    let skills = catalog.skills.iter().filter(|skill| match &skill.detail {
        Detail::ClaudeCode(detail) => detail.is_offered_to_user(),
        other => panic!("{other:?}"),
    });
    skills.map(|skill| skill.name.as_str()).collect()
}

/// Without the client's other texts.
fn own(blocks: &Value) -> Value {
    let blocks = blocks.as_array().unwrap();
    blocks.iter().filter(|block| !matches!(block.as_str(), Some("{REMINDER}" | "{OTHER REMINDER}"))).cloned().collect()
}

fn catalogue(catalog: &Catalog) -> Value {
    let talk = Talk::new(catalog, "hi");
    let blocks = texts(&talk.history[0]);
    if blocks.len() > 1 { blocks[0].clone() } else { Value::Null }
}

/// The first request of each root: one message, with the list before the prompt.
fn wire(suite: &mut Suite, folder: &str, variant: &str) {
    let file = format!("{folder}/wire_first_request_per_fixture.json");
    let recorded = suite.recorded(&file);
    for (name, said) in recorded.as_object().unwrap() {
        let root = root_of(suite, name);
        let catalog = select(&load(&root), variant, None);
        let list = catalogue(&catalog);
        let talk = Talk::new(&catalog, "hi");
        let block = |block: Value| if block == list { json!("{SKILLS}") } else { block };
        let message = |message: &Message| {
            assert_eq!(message.role, Role::User);
            json!({"role": "user", "content": texts(message).into_iter().map(block).collect::<Value>()})
        };
        let tools = client().present(&catalog, &talk.session).definitions();
        let seen = json!({
            "messages": talk.history.iter().map(message).collect::<Value>(),
            "skill_tool_present": tools.iter().any(|tool| tool.name == "Skill"),
        });
        let mut said = said.clone();
        for message in said["messages"].as_array_mut().unwrap() {
            message["content"] = own(&message["content"]);
        }
        suite.equal(&file, name, &seen, &said);
    }
}

fn calls(suite: &mut Suite, folder: &str, variant: &str) {
    let file = format!("{folder}/calls.json");
    for case in suite.recorded(&file).as_array().unwrap() {
        let root = suite.golden.path().join(case["root"].as_str().unwrap());
        let catalog = select(&load(&root), variant, None);
        let calls: Vec<(String, String)> = case["calls"].as_array().unwrap().iter().map(call).collect();
        let mut talk = Talk::new(&catalog, "hi");
        let seen: Vec<Value> = match case["mode"].as_str().unwrap() {
            "parallel" => talk.round(&calls),
            "independent" | "sequence" => {
                calls.iter().flat_map(|call| talk.round(std::slice::from_ref(call))).collect()
            }
            other => panic!("{file} has the mode {other}"),
        };
        for (at, said) in case["results"].as_array().unwrap().iter().enumerate() {
            suite.equal(&file, &format!("{} {at}", case["id"].as_str().unwrap()), &seen[at], said);
        }
    }
}

/// Arguments that are not an object are the text as it was sent.
fn call(call: &Value) -> (String, String) {
    let name = call["name"].as_str().unwrap_or("Skill").to_owned();
    let arguments = &call["arguments"];
    (name, arguments.as_str().map_or_else(|| arguments.to_string(), str::to_owned))
}

/// Skills written down in the recording, in a separate project and home folder.
fn extras(suite: &mut Suite, folder: &str, variant: &str) {
    let file = format!("{folder}/extras.json");
    for (name, case) in suite.recorded(&file).as_object().unwrap() {
        let machine = Machine::new(case, ".claude/skills");
        let catalog = select(&machine.load(), variant, Some(&machine.home));
        let prompt = case["options"]["prompt"].as_str().unwrap_or("hi");
        let mut talk = Talk::new(&catalog, prompt);
        talk.allows = !name.starts_with("default_permission");
        if let Some(said) = case.get("catalogue").filter(|_| name != "slash_prompt") {
            suite.equal(&file, &format!("{name}: catalogue"), &catalogue(&catalog), said);
        }
        if let Some(said) = case.get("first_user_blocks") {
            // The recording counts the list among the other texts.
            let seen: Vec<Value> = texts(&talk.history[0]).into_iter().skip(1).collect();
            suite.equal(&file, &format!("{name}: first_user_blocks"), &machine.portable(&json!(seen)), &own(said));
        }
        let mut denied = Vec::new();
        for (at, said) in case["calls"].as_array().unwrap().iter().enumerate() {
            let arguments = &said["arguments"];
            let result = talk.round(&[("Skill".to_owned(), arguments.to_string())]).remove(0);
            if result["content"].as_str().is_some_and(|text| text.starts_with("Execute skill: ")) {
                denied.push(json!({
                    "tool_name": "Skill",
                    "tool_use_id": format!("toolu_c{at}"),
                    "tool_input": arguments,
                }));
            }
            let mut seen = Map::from_iter([("arguments".to_owned(), arguments.clone())]);
            seen.extend(result.as_object().unwrap().clone());
            let seen = machine.portable(&Value::Object(seen));
            suite.equal(&file, &format!("{name}: call {at}"), &seen, said);
        }
        if let Some(said) = case.get("side") {
            suite.equal(&file, &format!("{name}: side"), &json!(talk.forked.len()), said);
        }
        if let Some(said) = case.get("denials") {
            suite.equal(&file, &format!("{name}: denials"), &json!(denied), said);
        }
    }
}

/// The messages a model is asked with are the recorded ones in the client's own protocol, too.
#[test]
fn instructions_follow_the_results_in_one_message() {
    let catalog = select(&load(&Utf8PathBuf::from(skillbench_tests::GOLDEN).join("roots/pdf-tools")), "2.1.330", None);
    let mut talk = Talk::new(&catalog, "hi");
    talk.round(&[skill("pdf-tools"), skill("nope")]);
    let request = model::ModelRequest {
        messages: talk.history.clone(),
        dialect: client().dialect(&catalog),
        ..model::ModelRequest::default()
    };
    let body = model::anthropic::encode("fake", &request, false, &model::Sampling::default());
    let body: Value = serde_json::from_str(&body).unwrap();
    let kinds: VecDeque<Vec<&str>> = body["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|message| {
            message["content"].as_array().unwrap().iter().filter_map(|block| block["type"].as_str()).collect()
        })
        .collect();
    assert_eq!(kinds, [vec!["text", "text"], vec!["tool_use", "tool_use"], vec!["tool_result", "tool_result", "text"]]);
}
