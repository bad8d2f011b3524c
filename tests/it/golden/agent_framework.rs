//! Microsoft Agent Framework against recorded behaviour.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use camino::{Utf8Path, Utf8PathBuf};
use serde_json::{Value, json};
use skillbench_core::config::{InlineScript, InlineScriptBody, InlineSkill, ScreenplayStep};
use skillbench_core::harness::{
    self, Catalog, Effect, FailureKind, Harness, Options, Performed, ScriptOutput, Served, Session, ToolReply,
};
use skillbench_core::model::ToolCall;
use skillbench_core::skill::SkillSet;
use skillbench_tests::conformance::Suite;
use skillbench_tests::{GOLDEN, Golden, load};

const AGENT_FRAMEWORK: &str = "maf-dotnet-seed000-derived";

pub fn compare(_suite: &mut Suite) {}

fn settled(served: Served) -> ToolReply {
    match served {
        Served::Reply(reply) => reply,
        other => panic!("{other:?}"),
    }
}

fn agent_framework() -> &'static dyn Harness {
    harness::find("agent-framework").unwrap()
}

fn recorded(folder: &str, file: &str) -> Value {
    let path = Utf8Path::new(GOLDEN).join(folder).join(file);
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

fn call(name: &str, arguments: &str) -> ToolCall {
    ToolCall { id: "call".into(), name: name.into(), arguments: arguments.into() }
}

/// What the model gets for a call that needs no effect.
fn reply(catalog: &Catalog, name: &str, arguments: &Value) -> String {
    match agent_framework().serve(&call(name, &arguments.to_string()), catalog, &mut Session::default()) {
        Served::Reply(reply) => reply.text,
        other => panic!("{name} {arguments} needs no effect: {other:?}"),
    }
}

#[test]
#[cfg_attr(not(unix), ignore = "some fixtures hold links")]
fn agent_framework_reads_every_fixture_as_recorded() {
    let golden = Golden::copy();
    let mut compared = 0;
    for file in Utf8Path::new(GOLDEN).join(AGENT_FRAMEWORK).read_dir_utf8().unwrap() {
        let file = file.unwrap();
        let Some(fixture) = file.file_name().strip_prefix("fixture_") else { continue };
        let mut expected = recorded(AGENT_FRAMEWORK, file.file_name());
        let object = expected.as_object_mut().unwrap();
        object.shift_remove("status");
        object.shift_remove("order_note");

        let root = golden.locate(expected["root"].as_str().unwrap());
        let seen = read(&root).to_string().replace(golden.path().as_str(), "{FIXTURES}");
        let seen: Value = serde_json::from_str(&seen).unwrap();
        // As text, so that the order of keys counts.
        assert_eq!(pretty(&seen), pretty(&expected), "{fixture}");
        compared += 1;
    }
    assert_eq!(compared, 22, "every recorded fixture was compared");
}

fn read(root: &str) -> Value {
    let catalog = agent_framework().select(&load(root.into()), &Options::default());
    let shown = agent_framework().present(&catalog, &Session::default());
    let names = |files: &[harness::CatalogFile]| files.iter().map(|file| file.name.clone()).collect::<Vec<_>>();
    let skills: Vec<Value> = catalog
        .skills
        .iter()
        .map(|skill| {
            json!({
                "name": skill.name,
                "description": skill.description,
                "path": skill.path,
                "resources": names(&skill.resources),
                "scripts": names(&skill.scripts),
                "load_skill_result": reply(&catalog, "load_skill", &json!({"skillName": skill.name})),
            })
        })
        .collect();
    json!({
        "root": root,
        "instructions": shown.instructions.as_ref().map(|marked| &marked.text),
        "tools": shown.definitions(),
        "skills": skills,
        "log": catalog.log,
    })
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap()
}

/// What the recording says of newer releases, or in a remark behind the text.
const NEWER: [&str; 1] = ["script_throws_AgentSkillsProviderOptions.IncludeDetailedErrors (1.17)"];
const REMARK: &str = " (ArgumentException from AIFunctionFactory)";

#[test]
fn agent_framework_answers_mistakes_in_its_own_words() {
    let golden = Golden::copy();
    let found = load(&golden.path().join("roots/pdf-tools"));
    let catalog = agent_framework().select(&found, &Options::default());
    let detailed = with_options(&found, |options| options.include_detailed_errors = true);
    let csx = SkillSet { roots: vec![with_script(&golden, "x.csx")], ..SkillSet::default() };
    let no_runner = with_options(&csx, |options| options.include_detailed_errors = true);
    let say = |name: &str, arguments: Value| reply(&catalog, name, &arguments);
    let fail = |catalog: &Catalog, message: &str| {
        let done = Performed::failed(FailureKind::Other, message);
        settled(agent_framework().settle(&call("run_skill_script", "{}"), done, catalog, &mut Session::default())).text
    };
    let resource = |name: &str| say("read_skill_resource", json!({"skillName": "pdf-tools", "resourceName": name}));
    let script = |name: &str| say("run_skill_script", json!({"skillName": "pdf-tools", "scriptName": name}));

    let seen = BTreeMap::from([
        ("empty_skill", say("load_skill", json!({"skillName": " "}))),
        ("unknown_skill", say("load_skill", json!({"skillName": "nope"}))),
        ("empty_resource", resource("")),
        ("unknown_resource (also: traversal, absolute, symlink, depth>2, wrong case)", resource("../x")),
        ("empty_script", script("\t")),
        ("unknown_script", script("x.py")),
        ("script_throws_default", fail(&catalog, "{message}")),
        ("script_throws_FunctionInvokingChatClient.IncludeDetailedErrors", fail(&detailed, "{message}")),
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
    let expected = recorded(AGENT_FRAMEWORK, "error_texts.json");
    let expected: BTreeMap<&str, String> = expected
        .as_object()
        .unwrap()
        .iter()
        .filter(|(key, _)| !["status", "source"].contains(&key.as_str()) && !NEWER.contains(&key.as_str()))
        .map(|(key, text)| (key.as_str(), text.as_str().unwrap().to_owned()))
        .collect();
    assert_eq!(seen, expected);

    let absolute = golden.path().join("roots/pdf-tools/pdf-tools/forms.md");
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

fn with_options(
    found: &SkillSet,
    set: impl FnOnce(&mut skillbench_core::config::options::AgentFrameworkOptions),
) -> Catalog {
    let mut options = Options::default();
    set(&mut options.settings.agent_framework);
    agent_framework().select(found, &options)
}

fn without_placeholder(found: &SkillSet) -> String {
    let catalog = with_options(found, |options| options.skills_instruction_prompt = Some("No list.".into()));
    catalog.refused.unwrap()
}

/// The root of pdf-tools with one script more.
fn with_script(golden: &Golden, name: &str) -> skillbench_core::skill::Root {
    let root = golden.path().join("roots/pdf-tools");
    fs::write(root.join("pdf-tools/scripts").join(name), "").unwrap();
    load(&root).roots.remove(0)
}

fn returns_nothing() -> Catalog {
    let skill = InlineSkill {
        name: "a".into(),
        description: "d".into(),
        instructions: "i".into(),
        license: None,
        compatibility: None,
        allowed_tools: None,
        metadata: BTreeMap::new(),
        resources: Vec::new(),
        scripts: vec![InlineScript {
            name: "b".into(),
            description: None,
            body: InlineScriptBody::Result(String::new()),
        }],
    };
    let options = Options { inline_skills: vec![skill], ..Options::default() };
    agent_framework().select(&SkillSet::default(), &options)
}

/// Plays the seed's scene; `convert.py` really runs.
#[test]
fn agent_framework_sends_the_seeds_seven_messages() {
    let expected = recorded(AGENT_FRAMEWORK, "seven_messages.json");
    let golden = Golden::copy();
    let found = load(&golden.path().join("roots/unit-converter"));
    let catalog = agent_framework().select(&found, &Options::default());
    let mut session = Session::default();
    let shown = agent_framework().present(&catalog, &session);
    assert_eq!(pretty(&json!(shown.definitions())), pretty(&expected["tools"]));
    let mut messages = vec![
        json!({"role": "system", "content": shown.instructions.unwrap().text}),
        json!({"role": "user", "content": "一公斤有几磅?"}),
    ];
    let mut requests = vec![messages.clone()];
    let steps = [
        (ScreenplayStep::Activate { activate: "unit-converter".into() }, "call_8gfwzx1ybDJc7i9NYJeDfmhq"),
        (ScreenplayStep::Read { read: "references/conversion-table.md".into() }, "call_sjcJBsl4ihmpY6sEMIjD1dfK"),
        (
            ScreenplayStep::Run {
                run: "scripts/convert.py".into(),
                with: Some(json!({"value": 1, "factor": 2.20462})),
            },
            "call_VRIBhSYxFmX2OkVKiwA7YOqu",
        ),
    ];
    for (step, id) in steps {
        let expressed = agent_framework().express(&step, &catalog, &session).unwrap();
        let call = ToolCall { id: id.into(), name: expressed.tool, arguments: expressed.arguments.to_string() };
        let reply = match agent_framework().serve(&call, &catalog, &mut session) {
            Served::Reply(reply) => reply,
            Served::Perform(effect) => {
                settled(agent_framework().settle(&call, perform(effect), &catalog, &mut session))
            }
            Served::Abort(error) => panic!("{error}"),
        };
        let function = json!({"name": call.name, "arguments": call.arguments});
        messages.push(json!({
            "role": "assistant",
            "tool_calls": [{"id": call.id, "type": "function", "function": function}],
        }));
        messages.push(json!({
            "role": "tool",
            "tool_call_id": call.id,
            "content_as_seed_prints_it": reply.text,
            "content_on_openai_wire_JsonElement_serialised": agent_framework().wire(&reply, &catalog),
        }));
        requests.push(messages.clone());
    }
    assert_eq!(pretty(&json!(requests)), pretty(&expected["requests_messages"]));
    assert_eq!(session.activated, ["unit-converter"]);
}

fn perform(effect: Effect) -> Performed {
    match effect {
        Effect::ReadFile { path, .. } => Performed::Read { bytes: fs::read(path).unwrap() },
        Effect::RunScript { path, interpreter, arguments, .. } => ran(&interpreter, path, &arguments),
        other => panic!("{other:?}"),
    }
}

fn ran(interpreter: &str, path: Utf8PathBuf, arguments: &[String]) -> Performed {
    let output = Command::new(interpreter).arg(path).args(arguments).output().unwrap();
    Performed::Ran(ScriptOutput {
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
        exit_code: output.status.code(),
        timed_out: false,
        truncated: false,
        took: 0,
    })
}
