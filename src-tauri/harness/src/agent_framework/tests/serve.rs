//! What the model is shown and what its calls get.

use super::*;
use config::options::ScriptRunner;
use model::ToolCall;

fn serve(catalog: &Catalog, name: &str, arguments: &str) -> Served {
    let call = ToolCall::new("1", name, arguments);
    AgentFramework.serve(&call, catalog, &mut Session::default())
}

fn settle(catalog: &Catalog, done: Performed) -> ToolReply {
    let call = ToolCall::new("1", "run_skill_script", "{}");
    match AgentFramework.settle(&call, done, catalog, &mut Session::default()) {
        Served::Reply(reply) => reply,
        other => panic!("{other:?}"),
    }
}

fn ran(stdout: &str, exit_code: i32) -> Performed {
    Performed::Ran(ScriptOutput {
        stdout: stdout.into(),
        stderr: "a warning".into(),
        exit_code: Some(exit_code),
        timed_out: false,
        truncated: false,
        took: 1,
    })
}

#[test]
fn is_found_by_its_id() {
    assert_eq!(crate::find("agent-framework").map(|found| found.profile().title), Some(PROFILE.title));
    assert!(crate::find("Agent-Framework").is_none());
}

#[test]
fn inline_resources_and_canned_scripts_answer_at_once() {
    let mut skill = inline("fake");
    skill.resources.push(InlineResource {
        name: "table".into(),
        description: None,
        body: InlineResourceBody::Value("1 = 1\n".into()),
    });
    skill.scripts.push(script("canned", InlineScriptBody::Result("Done\n".into())));
    skill.scripts.push(script("nothing", InlineScriptBody::Result(String::new())));
    skill.scripts.push(script("file", InlineScriptBody::File("/project/sum.js".into())));
    let catalog = select(&SkillSet::default(), AgentFrameworkOptions::default(), vec![skill]);

    let read = serve(&catalog, "read_skill_resource", r#"{"skillName":"fake","resourceName":"table"}"#);
    assert_eq!(read, Served::Reply(ToolReply::ok("1 = 1\n")));
    let run =
        |name: &str| serve(&catalog, "run_skill_script", &json!({"skillName": "fake", "scriptName": name}).to_string());
    assert_eq!(run("canned"), Served::Reply(ToolReply::ok("Done\n")));
    assert_eq!(run("nothing"), Served::Reply(ToolReply::ok("Success: Function completed.").by(ReplyAuthor::Caller)));
    assert_eq!(
        run("file"),
        Served::Perform(Effect::RunScript {
            skill: "fake".into(),
            script: "file".into(),
            path: "/project/sum.js".into(),
            interpreter: "node".into(),
            arguments: Vec::new(),
            approval: false,
            working_directory: None,
        })
    );
}

#[test]
fn the_catalogue_escapes_sorts_and_marks_where_each_byte_comes_from() {
    let inline_skills = vec![inline("zeta"), InlineSkill { description: "it's".into(), ..inline("alpha") }];
    let settings = AgentFrameworkOptions {
        skills_instruction_prompt: Some("Skills:\n{skills}\nUse {them}.".into()),
        ..AgentFrameworkOptions::default()
    };
    let catalog = select(&SkillSet::default(), settings, inline_skills);
    let session = Session { agent_instructions: Some("Be brief.".into()), ..Session::default() };
    let shown = AgentFramework.present(&catalog, &session).instructions.unwrap();
    let marked: Vec<String> = shown
        .marks
        .iter()
        .map(|mark| {
            let origin = match &mark.origin {
                Origin::Framework => "framework".into(),
                Origin::Skill { skill, field } => format!("{skill}.{field}"),
                Origin::User => "user".into(),
                Origin::Tool { tool } => tool.clone(),
                Origin::Withheld { client, .. } => client.clone(),
            };
            format!("{origin}: {:?}", mark.span.of(&shown.text))
        })
        .collect();
    insta::assert_snapshot!(marked.join("\n"), @r#"
    user: "Be brief."
    framework: "\n"
    user: "Skills:\n"
    framework: "  <skill>\n    <name>"
    alpha.name: "alpha"
    framework: "</name>\n    <description>"
    alpha.description: "it&apos;s"
    framework: "</description>\n  </skill>\n  <skill>\n    <name>"
    zeta.name: "zeta"
    framework: "</name>\n    <description>"
    zeta.description: "Written &lt;in&gt; the project"
    framework: "</description>\n  </skill>"
    user: "\nUse {them}."
    "#);
}

#[test]
fn without_skills_only_the_agents_own_instructions_remain() {
    let catalog = select(&SkillSet::default(), AgentFrameworkOptions::default(), Vec::new());
    let session = Session { agent_instructions: Some("Be brief.".into()), ..Session::default() };
    let shown = AgentFramework.present(&catalog, &session);
    assert_eq!((shown.instructions.unwrap().text.as_str(), shown.tools), ("Be brief.", Vec::new()));
    assert_eq!(AgentFramework.present(&catalog, &Session::default()).instructions, None);
    assert_eq!(
        serve(&catalog, "load_skill", r#"{"skillName":"a"}"#),
        Served::Reply(ToolReply::error("Error: Requested function \"load_skill\" not found.").by(ReplyAuthor::Caller))
    );
}

#[test]
fn a_script_gives_its_trimmed_stdout_whatever_its_exit_code() {
    let catalog = select(&SkillSet::default(), AgentFrameworkOptions::default(), Vec::new());
    assert_eq!(settle(&catalog, ran("\u{3000} partial output\r\n\n", 3)), ToolReply::ok("partial output"));
    assert_eq!(settle(&catalog, ran("", 0)), ToolReply::ok(""));
    assert_eq!(settle(&catalog, Performed::Stubbed { text: " as is\n".into() }), ToolReply::ok(" as is\n"));
}

#[test]
fn a_refused_call_says_so_and_nothing_else() {
    let catalog = select(&SkillSet::default(), AgentFrameworkOptions::default(), Vec::new());
    let denied = settle(&catalog, Performed::Denied { reason: Some("not today".into()) });
    assert_eq!(denied.text, "Error: Tool call invocation was rejected by user.");
    assert_eq!((denied.author, AgentFramework.wire(&denied, &catalog)), (ReplyAuthor::Caller, None));

    let options = Options { variant: Some("dotnet-1.17".into()), ..Options::default() };
    let catalog = AgentFramework.select(&SkillSet::default(), &options);
    let said = |reason: Option<&str>| {
        let reason = reason.map(str::to_owned);
        settle(&catalog, Performed::Denied { reason }).text
    };
    assert_eq!(said(Some("not today")), "Tool call invocation rejected. not today");
    assert_eq!([said(None), said(Some(" "))], ["Tool call invocation rejected."; 2]);
}

#[test]
fn expresses_steps_in_its_own_tools() {
    let text = manifest("unit-converter");
    let found = disk(&[
        ("unit-converter/SKILL.md", text.as_str()),
        ("unit-converter/references/table.md", ""),
        ("unit-converter/scripts/convert.py", ""),
        ("references/SKILL.md", &manifest("references")),
    ]);
    let catalog = select(&found, AgentFrameworkOptions::default(), Vec::new());
    let active = Session { activated: vec!["unit-converter".into()], ..Session::default() };
    let steps = "
- activate: unit-converter
- read: references/table.md
- read: unit-converter/references/table.md
- read: references/none.md
- run: scripts/convert.py
  with: {value: 1, factor: 2.20462}
- run: scripts/convert.py
- say: done
";
    let steps: Vec<ScreenplayStep> = serde_yaml::from_str(steps).unwrap();
    let calls = steps.iter().map(|step| match AgentFramework.express(step, &catalog, &active) {
        Some(Expressed { tool, arguments }) => format!("{tool} {arguments}"),
        None => "-".into(),
    });
    insta::assert_snapshot!(calls.collect::<Vec<_>>().join("\n"), @r#"
    load_skill {"skillName":"unit-converter"}
    read_skill_resource {"skillName":"unit-converter","resourceName":"references/table.md"}
    read_skill_resource {"skillName":"unit-converter","resourceName":"references/table.md"}
    read_skill_resource {"skillName":"references","resourceName":"none.md"}
    run_skill_script {"skillName":"unit-converter","scriptName":"scripts/convert.py","arguments":{"value":1,"factor":2.20462}}
    run_skill_script {"skillName":"unit-converter","scriptName":"scripts/convert.py"}
    -
    "#);
}

#[test]
fn knows_what_a_call_discloses() {
    let text = manifest("a");
    let found = disk(&[("a/SKILL.md", text.as_str()), ("a/x.md", ""), ("a/x.py", "")]);
    let catalog = select(&found, AgentFrameworkOptions::default(), Vec::new());
    let of = |name: &str, arguments: &str| {
        let call = ToolCall::new("1", name, arguments);
        AgentFramework.disclosure(&call, &catalog)
    };
    let skill = || "a".to_owned();
    assert_eq!(of("load_skill", r#"{"skillName":"a"}"#), Disclosure::Instructions { skill: skill() });
    assert_eq!(
        of("read_skill_resource", r#"{"skillName":"a","resourceName":"x.md"}"#),
        Disclosure::Resource { skill: skill(), resource: "x.md".into() }
    );
    assert_eq!(
        of("run_skill_script", r#"{"skillName":"a","scriptName":"x.py"}"#),
        Disclosure::Script { skill: skill(), script: "x.py".into() }
    );
    assert_eq!(of("load_skill", r#"{"skillName":"A"}"#), Disclosure::None);
    assert_eq!(of("read_skill_resource", r#"{"skillName":"a","resourceName":"y.md"}"#), Disclosure::None);
    assert_eq!(of("load_skill", "{"), Disclosure::None);
}

#[test]
fn a_resource_is_decoded_as_its_byte_order_mark_says() {
    let catalog = select(&SkillSet::default(), AgentFrameworkOptions::default(), Vec::new());
    let read = |bytes: &[u8]| settle(&catalog, Performed::Read { bytes: bytes.into() }).text;
    assert_eq!(read("a\r\n公斤\n".as_bytes()), "a\r\n公斤\n");
    assert_eq!(read(b"\xEF\xBB\xBFabc"), "abc");
    assert_eq!(read(b"\xFF\xFEa\0-N"), "a中");
    assert_eq!(read(b"\xFE\xFF\0aN-\0"), "a中\u{fffd}");
    assert_eq!(read(b"a\xFFb"), "a\u{fffd}b");
}

fn call(tool: &str, arguments: &str) -> ToolCall {
    ToolCall::new("c", tool, arguments)
}

/// The article's `UnitConverterSkill`.
fn converter() -> InlineSkill {
    let mut skill = InlineSkill { kind: config::InlineKind::Class, ..inline("unit-converter") };
    let body = InlineResourceBody::File("/project/table.py".into());
    skill.resources.push(InlineResource { name: "conversion-table".into(), description: None, body });
    let parameters = json!({"type": "object", "properties": {"value": {"type": "number"}}, "required": ["value"]});
    let body = InlineScriptBody::File("/project/convert.py".into());
    let script = InlineScript { name: "convert".into(), description: None, parameters: Some(parameters), body };
    skill.scripts.push(script);
    skill
}

#[test]
fn functions_of_the_program_need_no_runner_and_take_named_arguments() {
    for runner in [ScriptRunner::None, ScriptRunner::Sample, ScriptRunner::Seed] {
        let settings = AgentFrameworkOptions { script_runner: runner, ..AgentFrameworkOptions::default() };
        let catalog = select(&disk(&[]), settings, vec![converter()]);
        let mut session = Session::default();
        let arguments = r#"{"skillName":"unit-converter","scriptName":"convert","arguments":{"value":1}}"#;
        let run = call("run_skill_script", arguments);
        let effect = |script: &str, path: &str, arguments: &[&str]| {
            Served::Perform(Effect::RunScript {
                skill: "unit-converter".into(),
                script: script.into(),
                path: path.into(),
                interpreter: "python3".into(),
                arguments: arguments.iter().map(|&word| word.to_owned()).collect(),
                approval: false,
                working_directory: None,
            })
        };
        let served = AgentFramework.serve(&run, &catalog, &mut session);
        assert_eq!(served, effect("convert", "/project/convert.py", &["--value", "1"]), "{runner:?}");
        let read = call("read_skill_resource", r#"{"skillName":"unit-converter","resourceName":"conversion-table"}"#);
        let served = AgentFramework.serve(&read, &catalog, &mut session);
        assert_eq!(
            served,
            effect("conversion-table", "/project/table.py", &[]),
            "a resource may be made by a function"
        );

        let ran = |exit_code, stdout: &str| {
            Performed::Ran(ScriptOutput {
                stdout: stdout.into(),
                stderr: "why".into(),
                exit_code: Some(exit_code),
                timed_out: false,
                truncated: false,
                took: 1,
            })
        };
        let mut settle = |done| match AgentFramework.settle(&run, done, &catalog, &mut session) {
            Served::Reply(reply) => (reply.text, reply.author),
            other => panic!("{other:?}"),
        };
        assert_eq!(settle(ran(0, "2.2\n")), ("2.2".to_owned(), ReplyAuthor::Tool));
        assert_eq!(settle(ran(1, "2.2\n")), ("Error: Function failed.".to_owned(), ReplyAuthor::Exception));
    }
}

#[test]
fn loading_shows_the_schema_of_a_function() {
    let schema = r#"{"type":"object","properties":{"value":{"type":"number"}},"required":["value"]}"#;
    let load = call("load_skill", r#"{"skillName":"unit-converter"}"#);
    let text = |variant: &str| {
        let options = Options { variant: Some(variant.into()), inline_skills: vec![converter()], ..Options::default() };
        AgentFramework.select(&disk(&[]), &options).skills[0].content.clone()
    };
    let shown = text("seed");
    assert!(shown.contains(&format!("<parameters_schema>{schema}</parameters_schema>")), "{shown}");
    let spaced = schema.replace(':', ": ").replace(',', ", ");
    let shown = text("python-1.23");
    assert!(shown.contains(&format!("<parameters_schema>{spaced}</parameters_schema>")), "{shown}");
    assert_eq!(load.name, "load_skill");
}

#[test]
fn members_of_a_class_have_names_of_their_own() {
    let mut skill = converter();
    skill.scripts.push(script("convert", InlineScriptBody::Result("x".into())));
    let refused = |kind, variant: &str| {
        let skill = InlineSkill { kind, ..skill.clone() };
        let options = Options { variant: Some(variant.into()), inline_skills: vec![skill], ..Options::default() };
        AgentFramework.select(&disk(&[]), &options).refused
    };
    let said = |mark: &str| {
        format!("Skill 'unit-converter' already has a script named 'convert'. Ensure each {mark} has a unique name.")
    };
    assert_eq!(refused(config::InlineKind::Class, "seed"), Some(said("[AgentSkillScript]")));
    assert_eq!(refused(config::InlineKind::Class, "python-1.23"), Some(said("@ClassSkill.script")));
    assert_eq!(refused(config::InlineKind::Inline, "seed"), None, "a chain of calls is not checked");
}

#[test]
fn a_folder_may_have_endings_and_a_runner_of_its_own() {
    let found = disk(&[("a/SKILL.md", &manifest("a")), ("a/x.log", ""), ("a/run.sh", ""), ("a/run.py", "")]);
    let run = |settings: AgentFrameworkOptions, script: &str| {
        let catalog = select(&found, settings, Vec::new());
        let arguments = json!({"skillName": "a", "scriptName": script, "arguments": {"k": "a b"}});
        let served =
            AgentFramework.serve(&call("run_skill_script", &arguments.to_string()), &catalog, &mut Session::default());
        match served {
            Served::Perform(Effect::RunScript { interpreter, .. }) => interpreter,
            Served::Perform(Effect::Shell { command, .. }) => command,
            other => format!("{other:?}"),
        }
    };
    let with = |script_runner| AgentFrameworkOptions { script_runner, ..AgentFrameworkOptions::default() };
    assert_eq!(run(with(ScriptRunner::Seed), "run.sh"), "python3", "the article's runner knows one program");
    assert_eq!(run(with(ScriptRunner::ByEnding), "run.sh"), "bash");
    let words = ["docker", "run", "box", "python3", "{script}", "{arguments}", "--quiet"];
    let script_command = Some(words.iter().map(|&word| word.to_owned()).collect());
    let command = AgentFrameworkOptions { script_command, ..with(ScriptRunner::Command) };
    assert_eq!(run(command.clone(), "run.py"), "docker run box python3 /skills/a/run.py --k 'a b' --quiet");

    let own = config::options::FolderOptions {
        allowed_resource_extensions: Some(vec![".log".into()]),
        script_runner: Some(ScriptRunner::ByEnding),
        ..Default::default()
    };
    let settings = AgentFrameworkOptions { folders: [("/skills".into(), own)].into(), ..command };
    assert_eq!(run(settings.clone(), "run.sh"), "bash");
    let listed = select(&found, settings, Vec::new()).skills[0]
        .resources
        .iter()
        .map(|file| file.name.clone())
        .collect::<Vec<_>>();
    assert_eq!(listed, ["x.log"]);
}
