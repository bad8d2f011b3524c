//! Strands Agents against recorded behaviour: the demo's published code, and the official plugin. Both ran with
//! strands-agents 1.62.0.

use std::fs;
use std::io;
use std::process::Command;

use camino::{Utf8Path, Utf8PathBuf};
use config::ScreenplayStep;
use harness::{Catalog, Effect, FailureKind, Harness, Options, Performed, Prepared, Served, Session, bedrock};
use model::{Message, ModelRequest, Role, Sampling, ToolCall, ToolResult, openai};
use serde_json::{Value, json};
use skill::{Entry, SkillSet};
use skillbench_tests::conformance::Suite;
use skillbench_tests::load;

use super::ran;

const DEMO: &str = "strands-demo-seed003";
const PLUGIN: &str = "strands-vended-1.62.0";
const AGENT: &str = "You are a helpful AI assistant with access to various skills that enhance your capabilities.";

pub fn compare(suite: &mut Suite) {
    for folder in [DEMO, PLUGIN] {
        first_requests(suite, folder);
        errors(suite, folder);
        conversation(suite, folder, "seven_messages_blocks.json", scene);
        wire(suite, folder);
    }
    load_each(suite);
    conversation(suite, DEMO, "two_turns_cachepoint_blocks.json", scene_and_again);
    conversation(suite, DEMO, "two_skills_parallel_blocks.json", two_at_once);
    conversation(suite, PLUGIN, "two_turns_blocks.json", scene_and_again);
    conversation(suite, PLUGIN, "activate_each_fixture.json", activate_each);
    conversation(suite, PLUGIN, "no_system_prompt.json", only_prompts);
    conversation(suite, PLUGIN, "structured_system_prompt.json", only_prompts);
}

fn strands() -> &'static dyn Harness {
    harness::find("strands").unwrap()
}

/// One agent at work, and every request it sends in the framework's form.
struct Agent {
    catalog: Catalog,
    session: Session,
    history: Vec<Message>,
    requests: Vec<Value>,
    wire: Vec<Value>,
    /// What ended it.
    error: Option<String>,
}

impl Agent {
    fn new(folder: &str, found: &SkillSet, set: impl FnOnce(&mut Options, &mut Session)) -> Self {
        let variant = if folder == DEMO { "demo-repo" } else { "vended-1.62" };
        let mut options = Options { variant: Some(variant.into()), ..Options::default() };
        let mut session = Session { agent_instructions: Some(AGENT.into()), ..Session::default() };
        // The model of the recorded agents is a fake that adds no cache points.
        options.settings.strands.cache_prompt = Some(false);
        options.settings.strands.cache_tools = Some(false);
        set(&mut options, &mut session);
        let catalog = strands().select(found, &options);
        Self { catalog, session, history: Vec::new(), requests: Vec::new(), wire: Vec::new(), error: None }
    }

    fn prompt(&mut self, text: &str) -> &mut Self {
        self.history.push(Message::user(text));
        self
    }

    /// Adds the request that is sent now.
    fn request(&mut self) -> &mut Self {
        let prepared = strands().before_request(&mut self.history, None, &self.catalog, &mut self.session);
        assert_eq!(prepared, Prepared::Send);
        let shown = strands().present(&self.catalog, &self.session);
        let instructions = shown.instructions.as_ref().map(|instructions| &instructions.text);
        self.requests.push(json!({
            "system_prompt": instructions,
            "system_prompt_content": bedrock::system(&self.catalog, &self.session),
            "tool_specs": bedrock::tools(&shown),
            "tool_choice": null,
            "messages": bedrock::blocks(&self.history),
        }));
        let system = instructions.map(Message::system);
        let request = ModelRequest {
            messages: system.into_iter().chain(self.history.iter().cloned()).collect(),
            tools: shown.definitions(),
            dialect: strands().dialect(&self.catalog),
            ..ModelRequest::default()
        };
        let body = openai::encode("fake", &request, true, &Sampling::default());
        self.wire.push(serde_json::from_str(&body).unwrap());
        self
    }

    fn says(&mut self, text: &str) -> &mut Self {
        self.history.push(Message::assistant(text));
        self
    }

    /// One answer with these calls, and their results.
    fn calls(&mut self, calls: &[(&str, &str, String)]) -> &mut Self {
        let calls = calls.iter().map(|(id, name, arguments)| ToolCall::new(*id, *name, arguments.clone()));
        let calls: Vec<ToolCall> = calls.collect();
        self.history.push(Message::tool_calls(calls.clone()));
        for call in calls {
            let mut served = strands().serve(&call, &self.catalog, &mut self.session);
            while let Served::Perform(effect) = served {
                served = strands().settle(&call, perform(&effect), &self.catalog, &mut self.session);
            }
            match served {
                Served::Reply(reply) => self.history.push(Message::tool_result(ToolResult {
                    call_id: call.id,
                    text: reply.text,
                    wire: None,
                    is_error: reply.is_error,
                })),
                Served::Abort(error) => self.error = Some(error),
                Served::Perform(effect) => panic!("{effect:?}"),
            }
        }
        self
    }

    fn step(&mut self, id: &str, step: &ScreenplayStep) -> &mut Self {
        let expressed = strands().express(step, &self.catalog, &self.session).unwrap();
        self.calls(&[(id, &expressed.tool, expressed.arguments.to_string())])
    }

    /// What the recordings keep when the agent is done. Tokens, times and random ids are the recorder's.
    fn final_messages(&self) -> Value {
        bedrock::blocks(&self.history)
    }
}

fn messages_without_accounts(recorded: &Value) -> Value {
    let messages = recorded.as_array().unwrap().iter().map(|message| {
        let mut message = message.as_object().unwrap().clone();
        message.shift_remove("metadata");
        message.shift_remove("tracking_id");
        Value::Object(message)
    });
    messages.collect()
}

fn conversation(suite: &mut Suite, folder: &str, file: &str, play: fn(&mut Agent)) {
    let path = format!("{folder}/{file}");
    let recorded = suite.recorded(&path);
    // One folder, or a list as Python shows it.
    let roots = recorded["skills_root"].as_str().unwrap().trim_matches(['[', ']']).split(", ");
    let roots: Vec<Utf8PathBuf> = roots.map(|root| suite.golden.locate(root.trim_matches('\'')).into()).collect();
    let mut agent = Agent::new(folder, &skill::load(&roots), |options, session| match file {
        "no_system_prompt.json" => session.agent_instructions = None,
        "structured_system_prompt.json" => {
            session.agent_instructions = Some("You are X.".into());
            options.settings.strands.system_cache_point = true;
        }
        _ => {}
    });
    play(&mut agent);
    suite.equal(&path, "requests", &json!(agent.requests), &recorded["requests"]);
    let expected = messages_without_accounts(&recorded["final_messages"]);
    suite.equal(&path, "final messages", &agent.final_messages(), &expected);
    suite.equal(&path, "error", &json!(agent.error), &recorded["error"]);
    suite.equal(&path, "log", &json!(agent.catalog.log), &recorded["log"]);
    state(suite, &path, &agent, &recorded);
}

/// What the recordings have of the agent in addition to its messages.
fn state(suite: &mut Suite, path: &str, agent: &Agent, recorded: &Value) {
    let shown = strands().present(&agent.catalog, &agent.session);
    if let Some(state) = recorded.get("agent_state") {
        let system = bedrock::system(&agent.catalog, &agent.session);
        let xml = system.as_array().and_then(|blocks| blocks.last()).map(|block| block["text"].clone());
        let mut own = json!({"last_injected_xml": xml});
        if !agent.session.activated.is_empty() {
            own["activated_skills"] = json!(agent.session.activated);
        }
        suite.equal(path, "agent state", &json!({"agent_skills": own}), state);
    }
    if let Some(expected) = recorded.get("tool_is_none") {
        let none = shown.definitions().iter().all(|tool| tool.name != "Skill");
        suite.equal(path, "whether there is a tool", &json!(none), expected);
    }
}

fn scene(agent: &mut Agent) {
    agent.prompt("一公斤有几磅?").request();
    agent.step("tooluse_1", &ScreenplayStep::Activate { activate: "unit-converter".into() }).request();
    agent.step("tooluse_2", &ScreenplayStep::Read { read: "references/conversion-table.md".into() }).request();
    let with = Some(json!({"value": 1, "factor": 2.20462}));
    agent.step("tooluse_3", &ScreenplayStep::Run { run: "scripts/convert.py".into(), with }).request();
    agent.says("1 公斤 ≈ **2.20462 磅**。");
}

fn scene_and_again(agent: &mut Agent) {
    scene(agent);
    agent.prompt("再来一次").request().says("again");
}

fn two_at_once(agent: &mut Agent) {
    let command = || json!({"command": "pdf-tools"}).to_string();
    agent.prompt("go").request().calls(&[("t1", "Skill", command()), ("t2", "Skill", command())]).request();
    agent.says("a").prompt("more").request().says("b");
}

fn activate_each(agent: &mut Agent) {
    agent.prompt("go").request();
    const NAMES: &str = "pdf-tools xml-special cjk-skill crlf-skill empty-body block-scalar dup-a dup-same Bad_Name \
                         other-name colon-desc lower-case bom-skill no-frontmatter nested-one";
    for (index, name) in NAMES.split(' ').enumerate() {
        agent.calls(&[(&format!("t{index}"), "skills", json!({"skill_name": name}).to_string())]).request();
    }
    agent.says("done");
}

fn only_prompts(agent: &mut Agent) {
    agent.prompt("a").request().says("x").prompt("b").request().says("y");
}

/// The scene as an OpenAI-compatible server sees it. Keys of a message come in the order of our own codec.
fn wire(suite: &mut Suite, folder: &str) {
    let path = format!("{folder}/seven_messages_openai_wire.json");
    let recorded = suite.recorded(&path);
    let root = suite.golden.path().join("roots/unit-converter");
    let mut agent = Agent::new(folder, &load(&root), |_, _| {});
    scene(&mut agent);
    let requests: Vec<Value> =
        agent.wire.iter().map(|body| json!({"path": "/v1/chat/completions", "body": body})).collect();
    suite.equal_in_any_order(&path, "requests", &json!(requests), &recorded["requests"]);
    let expected = messages_without_accounts(&recorded["final_messages"]);
    suite.equal(&path, "final messages", &agent.final_messages(), &expected);
    suite.equal(&path, "error", &json!(agent.error), &recorded["error"]);
    suite.equal(&path, "log", &json!(agent.catalog.log), &recorded["log"]);
    state(suite, &path, &agent, &recorded);
}

fn first_requests(suite: &mut Suite, folder: &str) {
    let path = format!("{folder}/first_request_per_fixture.json");
    let recorded = suite.recorded(&path);
    for (fixture, expected) in recorded.as_object().unwrap() {
        let root = match fixture.as_str() {
            "skills" => suite.golden.path().join("skills"),
            fixture => suite.golden.path().join("roots").join(fixture),
        };
        let mut found = load(&root);
        if folder == DEMO {
            in_recorded_order(&mut found, fixture);
        }
        let mut agent = Agent::new(folder, &found, |_, _| {});
        agent.prompt("hi").request();
        let mut seen = json!({"blocks_first_request": agent.requests[0]});
        if folder == DEMO {
            seen["tool_is_none"] = json!(agent.requests[0]["tool_specs"].as_array().unwrap().len() == 2);
        } else {
            let mut strict = Agent::new(folder, &found, |options, _| options.settings.strands.strict = true);
            seen["strict_system_prompt"] = strict.prompt("hi").request().requests[0]["system_prompt"].clone();
        }
        seen["error"] = json!(agent.error);
        seen["log"] = json!(agent.catalog.log);
        let mut expected = expected.as_object().unwrap().clone();
        let wire = expected.shift_remove("openai_first_request").unwrap();
        suite.equal(&path, fixture, &seen, &Value::Object(expected));
        suite.equal_in_any_order(&path, &format!("{fixture}: OpenAI"), &agent.wire[0], &wire);
    }
}

/// `os.listdir` gives folders as the disk has them: the folders that came first when this was recorded.
fn in_recorded_order(found: &mut SkillSet, fixture: &str) {
    let first: &[&str] = match fixture {
        "eino-modes" => &["model-skill", "forkctx-skill", "fork-skill"],
        "dup-names" => &["dupset2"],
        "skills" => &["category"],
        _ => &[],
    };
    for root in &mut found.roots {
        root.tree.entries.sort_by_key(|entry| {
            let Entry::Folder(folder) = entry else { return usize::MAX };
            first.iter().position(|name| *name == folder.name).unwrap_or(first.len())
        });
    }
}

/// `load_skill`, for every folder of `skills`.
fn load_each(suite: &mut Suite) {
    let path = format!("{DEMO}/load_skill_per_fixture.json");
    let recorded = suite.recorded(&path);
    let found = load(&suite.golden.path().join("skills"));
    for (command, expected) in recorded.as_object().unwrap() {
        let mut agent = Agent::new(DEMO, &found, |options, _| options.settings.strands.cache_points = false);
        agent.prompt("go").calls(&[("t", "Skill", json!({"command": command}).to_string())]).request();
        let messages = agent.final_messages();
        let content = messages.as_array().unwrap().last().unwrap()["content"].as_array().unwrap().clone();
        suite.equal(&path, command, &json!(content[1..]), expected);
    }
}

fn errors(suite: &mut Suite, folder: &str) {
    let path = format!("{folder}/error_cases.json");
    let recorded = suite.recorded(&path);
    let found = load(&suite.golden.path().join("roots/pdf-tools"));
    for (case, expected) in recorded.as_object().unwrap() {
        let (name, arguments) = match (case.as_str(), folder) {
            ("unknown_tool", DEMO) => ("no_such", "{}".to_owned()),
            ("unknown_tool", _) => ("nosuch", "{}".to_owned()),
            (_, folder) => {
                let written = match &expected["arguments"] {
                    Value::String(raw) => raw.clone(),
                    map => map.to_string(),
                };
                (if folder == DEMO { "Skill" } else { "skills" }, suite.golden.locate(&written))
            }
        };
        let mut agent = Agent::new(folder, &found, |_, _| {});
        agent.prompt("go").request().calls(&[("t1", name, arguments)]);
        let messages = match agent.error {
            None => agent.request().requests[1]["messages"].clone(),
            Some(_) => Value::Null,
        };
        suite.equal(&path, case, &messages, &expected["request2_messages"]);
        suite.equal(&path, &format!("{case}: error"), &json!(agent.error), &expected["error"]);
        if let Some(log) = expected.get("log") {
            let lines: Vec<&String> = agent.catalog.log.iter().chain(&agent.session.memory.strands.log).collect();
            suite.equal(&path, &format!("{case}: log"), &json!(lines), log);
        }
    }
}

fn perform(effect: &Effect) -> Performed {
    match effect {
        Effect::ReadFile { path, .. } => read(path),
        Effect::Shell { command, .. } => ran(Command::new("sh").arg("-c").arg(command)),
        other => panic!("{other:?}"),
    }
}

fn read(path: &Utf8Path) -> Performed {
    fs::read(path).map(|bytes| Performed::Read { bytes }).unwrap_or_else(|error| {
        let kind = if error.kind() == io::ErrorKind::NotFound { FailureKind::NotFound } else { FailureKind::Other };
        Performed::failed(kind, error.to_string())
    })
}

#[test]
fn roles_alternate_in_the_frameworks_own_form() {
    let call = ToolCall::new("1", "x", "{}");
    let result = |id: &str| {
        Message::tool_result(ToolResult { call_id: id.into(), text: "r".into(), wire: None, is_error: true })
    };
    let history = [
        Message::user("a"),
        Message::tool_calls([call]),
        result("1"),
        result("2"),
        Message::user("b"),
        Message::assistant("c"),
    ];
    let blocks = bedrock::blocks(&history);
    let roles: Vec<&Value> = blocks.as_array().unwrap().iter().map(|message| &message["role"]).collect();
    assert_eq!(roles, ["user", "assistant", "user", "assistant"]);
    assert_eq!(history[4].role, Role::User);
}
