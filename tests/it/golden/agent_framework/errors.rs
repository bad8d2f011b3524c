//! What the tools answer to calls that are wrong in some way, and to scripts that fail.

use std::collections::BTreeMap;
use std::fs;

use config::options::{AgentFrameworkOptions, ScriptRunner};
use config::{InlineScript, InlineScriptBody, InlineSkill};
use harness::{Catalog, FailureKind, Options, Performed, Served, Session};
use model::{Message, ToolCall};
use serde_json::{Value, json};
use skill::SkillSet;
use skillbench_tests::conformance::Suite;
use skillbench_tests::{Golden, load};

use super::fixtures::in_recorded_order;
use super::play::{self, User};
use super::{PYTHON_123, SEED, agent_framework, select, strings};

pub fn compare(suite: &mut Suite) {
    compare_python(suite);
    compare_dot_net(suite);
}

fn compare_python(suite: &mut Suite) {
    let file = format!("{PYTHON_123}/error_cases.json");
    let recorded = suite.recorded(&file);
    let mut found = load(&suite.golden.path().join("roots/pdf-tools"));
    for (name, expected) in recorded.as_object().unwrap() {
        let (runner, detail) = name.split_once('/').unwrap();
        let log: Vec<String> = strings(&expected["log"]).into_iter().map(|line| suite.golden.locate(line)).collect();
        in_recorded_order(&mut found, &log);
        let catalog = select("python-1.23", &found, |options| {
            *options = without_approvals();
            options.include_detailed_errors = detail.starts_with("detailed/");
            options.script_runner = match runner {
                "seed_runner" => ScriptRunner::Seed,
                "sample_runner" => ScriptRunner::Sample,
                _ => ScriptRunner::None,
            };
        });
        let asked = &expected["call"];
        let arguments = match &asked["arguments"] {
            Value::String(text) => text.clone(),
            given => given.to_string(),
        };
        let call = ToolCall::new("call_1", asked["name"].as_str().unwrap(), arguments.clone());
        let played = play::play(&catalog, "go", [Message::tool_calls([call])].into(), User::IsAway);
        let messages = &played.requests[1]["messages"];
        let seen = json!({
            "call": asked,
            "tool_message": messages[3],
            "assistant_message": messages[2],
            "error": null,
            // Logged while skills are loaded; the recording left out lines below a warning.
            "log": catalog.log.iter().filter(|line| !line.starts_with("INFO: ")).collect::<Vec<_>>(),
        });
        let mut expected = expected.clone();
        let while_running =
            |line: &&str| line.starts_with("ERROR: Error running script") || line.starts_with("ERROR: Function ");
        expected["log"] =
            strings(&expected["log"]).into_iter().filter(|line| !while_running(line)).map(str::to_owned).collect();
        suite.equal(&file, name, &seen, &expected);
    }
}

/// As the recordings were made, unless they are about approvals.
pub fn without_approvals() -> AgentFrameworkOptions {
    AgentFrameworkOptions {
        disable_load_skill_approval: true,
        disable_read_skill_resource_approval: true,
        disable_run_skill_script_approval: true,
        ..AgentFrameworkOptions::default()
    }
}

/// A remark of the recording's own behind the text.
const REMARK: &str = " (ArgumentException from AIFunctionFactory)";

fn compare_dot_net(suite: &mut Suite) {
    let file = format!("{SEED}/error_texts.json");
    let mut expected = suite.recorded(&file);
    for note in ["status", "source"] {
        expected.as_object_mut().unwrap().shift_remove(note);
    }
    let found = load(&suite.golden.path().join("roots/pdf-tools"));
    let catalog = select("seed", &found, |_| {});
    let detailed = select("seed", &found, |options| options.include_detailed_errors = true);
    let no_runner = select("seed", &with_script(&suite.golden, "x.csx"), |options| {
        (options.include_detailed_errors, options.script_runner) = (true, ScriptRunner::None);
    });
    let say = |name: &str, arguments: Value| reply(&catalog, name, &arguments);
    let resource = |name: &str| say("read_skill_resource", json!({"skillName": "pdf-tools", "resourceName": name}));
    let script = |name: &str| say("run_skill_script", json!({"skillName": "pdf-tools", "scriptName": name}));
    let any = json!({});

    let seen = BTreeMap::from([
        ("empty_skill", say("load_skill", json!({"skillName": " "}))),
        ("unknown_skill", say("load_skill", json!({"skillName": "nope"}))),
        ("empty_resource", resource("")),
        ("unknown_resource (also: traversal, absolute, symlink, depth>2, wrong case)", resource("../x")),
        ("empty_script", script("\t")),
        ("unknown_script", script("x.py")),
        ("script_throws_default", failed(&catalog, &any, "{message}")),
        ("script_throws_FunctionInvokingChatClient.IncludeDetailedErrors", failed(&detailed, &any, "{message}")),
        ("script_throws_AgentSkillsProviderOptions.IncludeDetailedErrors (1.17)", explodes()),
        (
            "no_runner_exception_message",
            reply(&no_runner, "run_skill_script", &json!({"skillName": "pdf-tools", "scriptName": "scripts/x.csx"}))
                .replace("Error: Function failed. Exception: ", "")
                .replace("x.csx", "x.py"),
        ),
        ("missing_required_argument", say("load_skill", json!({})) + REMARK),
        ("unknown_tool", say("no_such_tool", json!({}))),
        ("null_result", reply(&returns_nothing(), "run_skill_script", &json!({"skillName": "a", "scriptName": "b"}))),
        ("custom_prompt_without_placeholder", without_placeholder(&found)),
    ]);
    for (case, text) in expected.as_object().unwrap() {
        suite.equal(&file, case, &json!(seen.get(case.as_str())), text);
    }
    assert_eq!(seen.len(), expected.as_object().unwrap().len(), "nothing was compared that was not recorded");

    let absolute = suite.golden.path().join("roots/pdf-tools/pdf-tools/forms.md");
    for name in [absolute.as_str(), "references/deep/deep.md", "FORMS.md", "./forms.md", "references/noext", "SKILL.md"]
    {
        assert_eq!(resource(name), format!("Error: Resource '{name}' not found in skill 'pdf-tools'."));
    }
    if cfg!(unix) {
        assert_eq!(
            resource("references/escape.txt"),
            "Error: Resource 'references/escape.txt' not found in skill 'pdf-tools'.",
            "a link is not followed"
        );
    }
    assert_eq!(say("load_skill", json!({"skillName": "PDF-Tools"})), "Error: Skill 'PDF-Tools' not found.");
}

fn call(name: &str, arguments: &Value) -> ToolCall {
    ToolCall::new("call", name, arguments.to_string())
}

/// What the model gets for a call that needs no effect.
fn reply(catalog: &Catalog, name: &str, arguments: &Value) -> String {
    match agent_framework().serve(&call(name, arguments), catalog, &mut Session::default()) {
        Served::Reply(reply) => reply.text,
        other => panic!("{name} {arguments} needs no effect: {other:?}"),
    }
}

/// What the model gets if a script throws.
fn failed(catalog: &Catalog, arguments: &Value, message: &str) -> String {
    let done = Performed::failed(FailureKind::Other, message);
    match agent_framework().settle(&call("run_skill_script", arguments), done, catalog, &mut Session::default()) {
        Served::Reply(reply) => reply.text,
        other => panic!("{other:?}"),
    }
}

fn explodes() -> String {
    let skill = inline("script-skill", "explode", InlineScriptBody::File("/explode.py".into()));
    let mut options = Options { variant: Some("dotnet-1.17".into()), inline_skills: vec![skill], ..Options::default() };
    options.settings.agent_framework.include_detailed_script_errors = true;
    let catalog = agent_framework().select(&SkillSet::default(), &options);
    failed(&catalog, &json!({"skillName": "script-skill", "scriptName": "explode"}), "boom-script")
}

fn without_placeholder(found: &SkillSet) -> String {
    select("seed", found, |options| options.skills_instruction_prompt = Some("No list.".into())).refused.unwrap()
}

/// The root of pdf-tools with one script more.
fn with_script(golden: &Golden, name: &str) -> SkillSet {
    let root = golden.path().join("roots/pdf-tools");
    let script = root.join("pdf-tools/scripts").join(name);
    fs::write(&script, "").unwrap();
    let found = load(&root);
    fs::remove_file(script).unwrap();
    found
}

fn returns_nothing() -> Catalog {
    let inline_skills = vec![inline("a", "b", InlineScriptBody::Result(String::new()))];
    agent_framework().select(&SkillSet::default(), &Options { inline_skills, ..Options::default() })
}

fn inline(name: &str, script: &str, body: InlineScriptBody) -> InlineSkill {
    InlineSkill {
        kind: Default::default(),
        name: name.into(),
        description: "d".into(),
        instructions: "i".into(),
        license: None,
        compatibility: None,
        allowed_tools: None,
        metadata: BTreeMap::new(),
        resources: Vec::new(),
        scripts: vec![InlineScript { name: script.into(), description: None, parameters: None, body }],
    }
}
