//! The variant `upstream` against the course's own chapters. They use Anthropic's protocol, each in a separate loop;
//! ours joins them in one, with OpenAI's. So what is compared is the catalogue, the tools, what calls answer, and
//! messages.

use std::fs;

use camino::{Utf8Path, Utf8PathBuf};
use harness::{Catalog, Options, Session};
use model::{Message, ModelRequest, Part, Role, Sampling, ToolCall, ToolResult, openai};
use serde_json::{Map, Value, json};
use skillbench_tests::conformance::Suite;
use skillbench_tests::load;

use super::{harness, select_variant};
use crate::golden::play::Play;

const FOLDER: &str = "learn-claude-code-b7de911";
/// Placeholder for the working folder, as in the recordings.
const WORKING: &str = "{WORKING}";
/// How the sub-agent's system prompt begins, which is the only one of s03, s04 and s06 that ours has.
const SUBAGENT: &str = "You are a coding subagent at ";
const MAIN: [&str; 4] = ["s03", "s04", "s05", "s06"];

pub fn compare(suite: &mut Suite) {
    fixtures(suite);
    odd(suite);
    tools(suite);
    calls(suite);
    rounds(suite);
}

fn fixtures(suite: &mut Suite) {
    let file = format!("{FOLDER}/fixtures.json");
    for (fixture, expected) in suite.recorded(&file).as_object().unwrap() {
        let catalog = select_variant(suite, &format!("{{FIXTURES}}/roots/{fixture}"), Some("upstream"));
        suite.equal(&file, fixture, &seen(&catalog), expected);
    }
}

fn odd(suite: &mut Suite) {
    let file = format!("{FOLDER}/odd.json");
    for (case, expected) in suite.recorded(&file).as_object().unwrap() {
        let folder = Folder::with(&expected["files"]);
        let mut shown = Map::from_iter([("files".to_owned(), expected["files"].clone())]);
        shown.extend(seen(&folder.catalog(|_| {})).as_object().unwrap().clone());
        suite.equal(&file, case, &folder.portable(&Value::Object(shown)), expected);
    }
}

/// The system prompt and each skill as a call can load it, or what ends the program.
fn seen(catalog: &Catalog) -> Value {
    if let Some(error) = &catalog.refused {
        return json!({"error": error});
    }
    let session = Session { working_directory: Some(WORKING.into()), ..Session::default() };
    let system = harness().present(catalog, &session).instructions.unwrap().text;
    let names: Vec<String> =
        catalog.skills.iter().map(|skill| skill.name.clone()).chain(["nobody".to_owned()]).collect();
    let mut loaded = Map::new();
    for name in names {
        let answer = super::reply(catalog, &json!({"name": name}));
        // A name that is not a text is in the list and cannot be asked for.
        if name == "nobody" || answer.starts_with("<skill ") {
            loaded.insert(name, answer.into());
        }
    }
    json!({"system": system, "loaded": loaded})
}

/// Chapters have few of the tools each; ours has those of all.
fn tools(suite: &mut Suite) {
    let file = format!("{FOLDER}/tools.json");
    let recorded = suite.recorded(&file);
    let catalog = select_variant(suite, "{FIXTURES}/roots/pdf-tools", Some("upstream"));
    let offered = harness().present(&catalog, &Session::default()).definitions();
    for chapter in MAIN {
        let expected = &recorded[chapter];
        let names: Vec<&str> = expected.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
        let known = offered
            .iter()
            .filter(|tool| names.contains(&tool.name.as_str()))
            .map(|tool| json!({"name": tool.name, "description": tool.description, "input_schema": tool.parameters}));
        suite.equal(&file, chapter, &known.collect(), expected);
    }
}

fn calls(suite: &mut Suite) {
    let file = format!("{FOLDER}/calls.json");
    let recorded = suite.recorded(&file);
    for (index, call) in recorded["calls"].as_array().unwrap().iter().enumerate() {
        let folder = Folder::with(&recorded["files"]);
        let catalog = folder.catalog(|_| {});
        let asked = ToolCall::new("c1", call["tool"].as_str().unwrap(), call["input"].to_string());
        let answer = Play::new(harness(), &catalog, folder.session(), [], &folder.path).call(&asked).unwrap();
        let seen = folder.portable(&answer.on_wire().into());
        suite.equal(&file, &format!("{} {}", index + 1, call["tool"].as_str().unwrap()), &seen, &call["result"]);
    }
}

fn rounds(suite: &mut Suite) {
    let file = format!("{FOLDER}/rounds.json");
    for (chapter, recorded) in suite.recorded(&file).as_object().unwrap() {
        let folder = Folder::with(&json!({"notes.txt": "one\ntwo\nthree\n", "long.txt": "y".repeat(150)}));
        // Only s03 has a list of todos, and its reminder.
        let catalog = folder.catalog(|options| {
            if chapter != "s03" {
                options.settings.learn_claude_code.nag_after = None;
            }
        });
        let answers: Vec<Message> = recorded["answers"].as_array().unwrap().iter().map(assistant).collect();
        let mut play = Play::new(harness(), &catalog, folder.session(), answers, &folder.path);
        let error = play.prompt("Begin.").err();
        suite.equal(&file, &format!("{chapter}, error"), &json!(error), &Value::Null);
        let mut known: Vec<Value> = Vec::new();
        for (index, request) in recorded["requests"].as_array().unwrap().iter().enumerate() {
            known.truncate(usize::try_from(request["same_messages"].as_u64().unwrap()).unwrap());
            known.extend(request["messages"].as_array().unwrap().iter().cloned());
            let system = request["system"].as_str().filter(|system| system.starts_with(SUBAGENT));
            let expected = on_wire(system, &known);
            let mut sent = play.requests.get(index).map(|sent| sent["messages"].clone()).unwrap_or_default();
            if system.is_none() && sent[0]["role"] == "system" {
                sent.as_array_mut().unwrap().remove(0);
            }
            let case = format!("{chapter}, request {}", index + 1);
            suite.equal(&file, &case, &summary_cut(folder.portable(&sent)), &summary_cut(expected));
        }
        let count = recorded["requests"].as_array().unwrap().len();
        suite.equal(&file, &format!("{chapter}, requests"), &json!(play.requests.len()), &json!(count));
        if let Some(left) = recorded["left"].as_array() {
            let left = on_wire(None, left).to_string().replace("transcript_{TIME}", "transcript_1");
            let seen = encoded(play.history.clone());
            suite.equal(
                &file,
                &format!("{chapter}, left"),
                &folder.portable(&seen),
                &serde_json::from_str(&left).unwrap(),
            );
        }
    }
}

/// A request for a summary up to the conversation in it, which is written as its own protocol has it.
fn summary_cut(mut messages: Value) -> Value {
    if let Some(text) = messages[0]["content"].as_str()
        && let Some((request, _)) = text.split_once("\n\n[{")
    {
        messages[0]["content"] = request.into();
    }
    messages
}

/// Messages of Anthropic's protocol as OpenAI's has them.
fn on_wire(system: Option<&str>, messages: &[Value]) -> Value {
    let mut converted: Vec<Message> = system.map(Message::system).into_iter().collect();
    for message in messages {
        match (&message["content"], message["role"] == "assistant") {
            (Value::String(text), _) => converted.push(Message::user(text)),
            (blocks, true) => converted.push(assistant(blocks)),
            (blocks, false) => converted.extend(blocks.as_array().unwrap().iter().map(|block| match &block["text"] {
                Value::String(text) => Message::user(text),
                _ => Message::tool_result(ToolResult {
                    call_id: block["tool_use_id"].as_str().unwrap().to_owned(),
                    text: block["content"].as_str().unwrap().to_owned(),
                    wire: None,
                    is_error: false,
                }),
            })),
        }
    }
    encoded(converted)
}

fn assistant(blocks: &Value) -> Message {
    let mut parts: Vec<Part> = Vec::new();
    let mut said = String::new();
    for block in blocks.as_array().unwrap() {
        match block["text"].as_str() {
            Some(text) => said.push_str(text),
            None => parts.push(Part::ToolCall(ToolCall::new(
                block["id"].as_str().unwrap(),
                block["name"].as_str().unwrap(),
                block["input"].to_string(),
            ))),
        }
    }
    if !said.is_empty() {
        parts.insert(0, Part::Text { text: said });
    }
    Message { role: Role::Assistant, parts }
}

fn encoded(messages: Vec<Message>) -> Value {
    let request = ModelRequest { messages, ..ModelRequest::default() };
    let body = openai::encode("fake", &request, false, &Sampling::default());
    serde_json::from_str::<Value>(&body).unwrap()["messages"].take()
}

/// A working folder with its skills in `skills`.
struct Folder {
    path: Utf8PathBuf,
    _kept: tempfile::TempDir,
}

impl Folder {
    fn with(files: &Value) -> Self {
        let kept = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::from_path_buf(kept.path().canonicalize().unwrap()).unwrap();
        for (name, text) in files.as_object().unwrap() {
            let file = path.join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text.as_str().unwrap()).unwrap();
        }
        fs::create_dir_all(path.join("skills")).unwrap();
        Self { path, _kept: kept }
    }

    fn catalog(&self, change: impl FnOnce(&mut Options)) -> Catalog {
        let mut options = Options { variant: Some("upstream".to_owned()), ..Options::default() };
        change(&mut options);
        harness().select(&load(Utf8Path::new(&self.path.join("skills"))), &options)
    }

    fn session(&self) -> Session {
        Session { working_directory: Some(self.path.clone()), ..Session::default() }
    }

    fn portable(&self, value: &Value) -> Value {
        serde_json::from_str(&value.to_string().replace(self.path.as_str(), WORKING)).unwrap()
    }
}
