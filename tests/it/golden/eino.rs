//! Eino against recorded behaviour: `eino-adk-skill` is the variant `newest`, `eino-seed001-derived` the variant `seed`.

use std::collections::BTreeMap;

use camino::Utf8Path;
use config::ScreenplayStep;
use config::options::{EinoAgent, EinoLanguage, EinoOptions};
use harness::{
    Catalog, Delegated, DelegationEnd, Detail, Effect, Harness, Memory, Options, Performed, Served, Session,
};
use model::{Message, ToolCall};
use serde_json::{Map, Value, json};
use skill::SkillSet;
use skillbench_tests::conformance::Suite;
use skillbench_tests::load;

use super::play::{Play, answers};

pub fn compare(suite: &mut Suite) {
    common(suite);
    for (folder, variant) in [("eino-adk-skill", "newest"), ("eino-seed001-derived", "seed")] {
        for file in suite.files(folder, "fixture_") {
            fixture(suite, &file, variant);
        }
    }
    seven_messages(suite);
}

fn eino() -> &'static dyn Harness {
    harness::find("eino").unwrap()
}

fn select(found: &SkillSet, variant: &str, set: impl FnOnce(&mut EinoOptions)) -> Catalog {
    let mut options = Options { variant: Some(variant.into()), ..Options::default() };
    set(&mut options.settings.eino);
    eino().select(found, &options)
}

fn hubs(options: &mut EinoOptions) {
    let names = ["default", "helper-agent"];
    options.agents = Some(names.map(|name| (name.to_owned(), EinoAgent::default())).into());
    options.models = Some([("gpt-small".to_owned(), "rehearsal".to_owned())].into());
}

fn call(arguments: &str) -> ToolCall {
    ToolCall::new("call_1", "skill", arguments)
}

/// Go's error, without what the tools node puts in front.
fn error(catalog: &Catalog, arguments: &str) -> String {
    match eino().serve(&call(arguments), catalog, &mut Session::default()) {
        Served::Abort(error) => error.strip_prefix("failed to invoke tool[name:skill id:call_1]: ").unwrap().into(),
        other => panic!("{arguments}: {other:?}"),
    }
}

fn description(catalog: &Catalog) -> Value {
    let shown = eino().present(catalog, &Session::default());
    shown.definitions().into_iter().find(|tool| tool.name == "skill").map(|tool| tool.description).into()
}

fn common(suite: &mut Suite) {
    const FILE: &str = "eino-adk-skill/common.json";
    let recorded = suite.recorded(FILE);
    let nothing = SkillSet::default();
    let prompt = |set: fn(&mut EinoOptions)| {
        let catalog = select(&nothing, "newest", set);
        let shown = eino().present(&catalog, &Session::default());
        shown.instructions.unwrap().text.strip_prefix('\n').unwrap().to_owned()
    };
    let english = select(&nothing, "newest", |_| {});
    let tool = eino().present(&english, &Session::default()).definitions().pop().unwrap();
    let listed = select(&nothing, "newest", |options| options.custom_tool_description = Some("{skills}".into()));
    for (name, seen) in [
        ("system_prompt", json!(prompt(|_| {}))),
        ("system_prompt_renamed_tool", json!(prompt(|options| options.skill_tool_name = Some("load_skill".into())))),
        ("system_prompt_zh", json!(prompt(|options| options.use_chinese = true))),
        ("system_prompt_zh", json!(prompt(|options| options.language = EinoLanguage::Zh))),
        ("template_with_no_skills", description(&listed)),
        ("tool_parameters_json_schema", tool.parameters),
        ("missing_skill_arg", json!({"{}": error(&english, "{}")})),
    ] {
        suite.equal(FILE, name, &seen, &recorded[name]);
    }
    let session = Session { agent_instructions: Some("Instruction".into()), ..Session::default() };
    let joined = eino().present(&english, &session).instructions.unwrap().text;
    suite.equal(
        FILE,
        "note",
        &json!(joined),
        &json!(format!("Instruction\n{}", recorded["system_prompt"].as_str().unwrap())),
    );
    for (name, said) in recorded["bad_json_go_errors_encoding_json_go1.19"].as_object().unwrap() {
        let (_, arguments) = name.split_once(' ').unwrap();
        let seen = json!(error(&english, arguments));
        if said.as_str().unwrap().contains("ia") {
            let why = "the program that recorded it has the type `main.ia` in place of Eino's `skill.inputArguments`";
            suite.deviates(FILE, name, &seen, said, why);
        } else {
            suite.equal(FILE, name, &seen, said);
        }
    }
}

fn fixture(suite: &mut Suite, file: &str, variant: &str) {
    let mut recorded = suite.recorded(file);
    let expected = recorded.as_object_mut().unwrap();
    expected.shift_remove("status");
    let name = file.split_once("fixture_").unwrap().1.trim_end_matches(".json");
    let root = if name == "skills" { "skills".to_owned() } else { format!("roots/{name}") };
    let root = suite.golden.path().join(root);
    let found = load(&root);
    let catalog = select(&found, variant, hubs);
    let chinese = select(&found, variant, |options| {
        hubs(options);
        options.language = EinoLanguage::Zh;
    });
    for (part, said) in recorded.as_object().unwrap() {
        let seen = match part.as_str() {
            "root" => json!(root),
            "matters" => catalog.skills.iter().map(matter).collect(),
            "tool_description" => description(&catalog),
            "tool_description_zh" => description(&chinese),
            "tool_results" => results(&catalog, &chinese),
            "unknown_skill_go_error" => json!(error(&catalog, r#"{"skill":"nope"}"#)),
            "tool_info_error" => json!(catalog.refused),
            "list_error" => json!(catalog.refused.as_ref().unwrap().strip_prefix("failed to list skills: ")),
            "tool_call_error" => json!(error(&catalog, r#"{"skill":"nope"}"#)),
            other => panic!("{file} has the part {other}"),
        };
        suite.equal(file, part, &seen, said);
    }
}

fn matter(skill: &harness::CatalogSkill) -> Value {
    let Detail::Eino(detail) = &skill.detail else { panic!("{:?}", skill.detail) };
    json!({
        "Name": skill.name,
        "Description": skill.description,
        "Context": detail.context,
        "Agent": detail.agent,
        "Model": detail.model,
    })
}

fn results(catalog: &Catalog, chinese: &Catalog) -> Value {
    let mut results = BTreeMap::new();
    for skill in &catalog.skills {
        let name = &skill.name;
        let call = call(&json!({"skill": name}).to_string());
        match eino().serve(&call, catalog, &mut Session::default()) {
            Served::Reply(reply) => {
                results.insert(name.clone(), reply.text);
                results.insert(format!("{name} (zh)"), replied(eino().serve(&call, chinese, &mut Session::default())));
            }
            Served::Perform(Effect::Delegate(delegation)) => {
                let first = delegation.messages.first().unwrap();
                let handed = first.results().next().map_or_else(|| first.text(), |result| result.text.clone());
                let mode = if delegation.with_history { "fork_with_context" } else { "fork" };
                results.insert(format!("{name} [mode {mode}; first message content handed to sub-agent]"), handed);
                let said = Delegated {
                    messages: vec![Message::assistant("part1"), Message::assistant("part2")],
                    end: DelegationEnd::Done,
                    memory: Memory::default(),
                };
                let done = eino().settle(&call, Performed::Delegated(said), catalog, &mut Session::default());
                results.insert(format!("{name} [final tool result, sub-agent said part1, part2]"), replied(done));
            }
            other => panic!("{other:?}"),
        }
    }
    json!(results.into_iter().map(|(key, text)| (key, text.into())).collect::<Map<String, Value>>())
}

fn replied(served: Served) -> String {
    match served {
        Served::Reply(reply) => reply.text,
        other => panic!("{other:?}"),
    }
}

fn seven_messages(suite: &mut Suite) {
    const FILE: &str = "eino-seed001-derived/seven_messages.json";
    let recorded = suite.recorded(FILE);
    let root = suite.golden.path().join("roots/unit-converter");
    let found = load(&root);
    let catalog = select(&found, "seed", |_| {});
    let newest = select(&found, "newest", |_| {});
    let tool = eino().present(&catalog, &Session::default()).definitions().pop().unwrap();
    let seen = json!({
        "name": tool.name,
        "description_seed": tool.description,
        "description_newest": description(&newest),
        "parameters": tool.parameters,
    });
    suite.equal(FILE, "skill_tool", &seen, &recorded["skill_tool"]);

    let requests = recorded["requests_messages"].as_array().unwrap();
    let here: Value = serde_json::from_str(&suite.golden.locate(&requests.last().unwrap().to_string())).unwrap();
    let said = answers(&here);
    suite.equal(FILE, "screenplay", &screenplay(&catalog), &suite.portable(&calls(&said)));
    let session = Session { agent_instructions: Some("You are a helpful assistant.".into()), ..Session::default() };
    let last = Message::assistant("1 kg is about 2.20462 lb.");
    let mut play = Play::new(eino(), &catalog, session, said.into_iter().chain([last]), Utf8Path::new("."));
    play.prompt("一公斤有几磅?").unwrap();
    let seen: Value = play.requests.iter().map(|request| request["messages"].clone()).collect();
    suite.equal(FILE, "requests_messages", &seen, &recorded["requests_messages"]);
}

/// The seed's scene in this framework's words.
fn screenplay(catalog: &Catalog) -> Value {
    let steps = [
        ScreenplayStep::Activate { activate: "unit-converter".into() },
        ScreenplayStep::Read { read: "references/conversion-table.md".into() },
        ScreenplayStep::Run { run: "scripts/convert.py".into(), with: Some(json!({"value": 1, "factor": 2.20462})) },
    ];
    let session = Session { activated: vec!["unit-converter".into()], ..Session::default() };
    let expressed = steps.iter().map(|step| eino().express(step, catalog, &session).unwrap());
    expressed.map(|expressed| json!({"tool": expressed.tool, "arguments": expressed.arguments})).collect()
}

fn calls(said: &[Message]) -> Value {
    let calls = said.iter().flat_map(Message::calls);
    let arguments = |call: &ToolCall| serde_json::from_str::<Value>(&call.arguments).unwrap();
    calls.map(|call| json!({"tool": call.name, "arguments": arguments(call)})).collect()
}
