//! What the newer .NET release and the Python releases do otherwise than the seed.

use super::*;
use crate::{CatalogBody, CatalogFile, FailureKind, QuirkKind, Served};
use config::options::{AutoApproval, ScriptRunner};
use skill::Entry;
use skill::source::Span;

const NEWER: [&str; 3] = ["dotnet-1.17", "python-1.13", "python-1.23"];
const PYTHON: [&str; 2] = ["python-1.13", "python-1.23"];

fn select_as(variant: &str, found: &SkillSet, settings: AgentFrameworkOptions) -> Catalog {
    let mut options = Options { variant: Some(variant.into()), ..Options::default() };
    options.settings.agent_framework = settings;
    AgentFramework.select(found, &options)
}

fn unit_converter() -> SkillSet {
    let text = manifest("a");
    disk(&[("a/SKILL.md", text.as_str()), ("a/x.md", ""), ("a/scripts/x.py", ""), ("a/scripts/x.sh", "")])
}

fn call(name: &str, arguments: serde_json::Value) -> ToolCall {
    ToolCall::new("1", name, arguments.to_string())
}

/// The three calls, in the words of a variant.
fn calls(variant: &str) -> [ToolCall; 3] {
    let python = variant.starts_with("python");
    let [skill, resource, script] = if python {
        ["skill_name", "resource_name", "script_name"]
    } else {
        ["skillName", "resourceName", "scriptName"]
    };
    [
        call("load_skill", json!({skill: "a"})),
        call("read_skill_resource", json!({skill: "a", resource: "x.md"})),
        call("run_skill_script", json!({skill: "a", script: "scripts/x.py"})),
    ]
}

fn serve(call: &ToolCall, catalog: &Catalog) -> Served {
    AgentFramework.serve(call, catalog, &mut Session::default())
}

fn text(served: Served) -> String {
    match served {
        Served::Reply(reply) => reply.text,
        other => panic!("{other:?}"),
    }
}

fn free() -> AgentFrameworkOptions {
    AgentFrameworkOptions { auto_approval: AutoApproval::All, ..AgentFrameworkOptions::default() }
}

#[test]
fn all_three_tools_ask_unless_an_option_says_otherwise() {
    let asks = |variant: &str, settings: &AgentFrameworkOptions| {
        let catalog = select_as(variant, &unit_converter(), settings.clone());
        calls(variant).map(|call| match serve(&call, &catalog) {
            Served::Perform(Effect::Disclose { .. }) => true,
            Served::Perform(Effect::ReadFile { approval, .. } | Effect::RunScript { approval, .. }) => approval,
            Served::Reply(_) => false,
            other => panic!("{other:?}"),
        })
    };
    let base = AgentFrameworkOptions::default;
    let read_only = AgentFrameworkOptions { auto_approval: AutoApproval::ReadOnly, ..base() };
    let no_load = AgentFrameworkOptions { disable_load_skill_approval: true, ..base() };
    let no_read = AgentFrameworkOptions { disable_read_skill_resource_approval: true, ..base() };
    let no_run = AgentFrameworkOptions { disable_run_skill_script_approval: true, ..base() };
    for variant in NEWER {
        assert_eq!(asks(variant, &base()), [true, true, true], "{variant}");
        assert_eq!(asks(variant, &read_only), [false, false, true]);
        assert_eq!(asks(variant, &free()), [false, false, false]);
        assert_eq!(asks(variant, &no_load), [false, true, true]);
        assert_eq!(asks(variant, &no_read), [true, false, true]);
        assert_eq!(asks(variant, &no_run), [true, true, false]);
    }
    let script = AgentFrameworkOptions { script_approval: true, ..base() };
    assert_eq!(asks("seed", &base()), [false, false, false]);
    assert_eq!(asks("seed", &script), [false, false, true]);
    assert_eq!(asks("dotnet-1.17", &AgentFrameworkOptions { script_approval: true, ..free() }), [false, false, false]);
}

#[test]
fn a_skill_is_active_once_the_user_agreed() {
    let catalog = select_as("python-1.23", &unit_converter(), AgentFrameworkOptions::default());
    let mut session = Session::default();
    let [load, ..] = calls("python-1.23");
    let asked = AgentFramework.serve(&load, &catalog, &mut session);
    assert_eq!(asked, Served::Perform(Effect::Disclose { skill: "a".into(), resource: None }));
    assert_eq!(session.activated, Vec::<String>::new());
    let reply = AgentFramework.settle(&load, Performed::Agreed, &catalog, &mut session);
    assert!(text(reply).ends_with("</available_scripts>"));
    assert_eq!(session.activated, ["a"]);
    let wrong = call("load_skill", json!({"skill_name": "b"}));
    assert_eq!(
        AgentFramework.serve(&wrong, &catalog, &mut session),
        Served::Perform(Effect::Disclose { skill: "b".into(), resource: None }),
        "the framework asks before it looks"
    );
    let reply = AgentFramework.settle(&wrong, Performed::Agreed, &catalog, &mut session);
    assert_eq!(text(reply), "Error: Skill 'b' not found.");
}

#[test]
fn loading_tells_the_files_and_marks_who_wrote_what() {
    let catalog = select_as("dotnet-1.17", &unit_converter(), free());
    let Served::Reply(reply) = serve(&calls("dotnet-1.17")[0], &catalog) else { panic!("it needs no effect") };
    let [body, .., end] = reply.marks.as_slice() else { panic!("{:?}", reply.marks) };
    assert_eq!(body.span.of(&reply.text), manifest("a"));
    assert_eq!(body.origin, Origin::Skill { skill: "a".into(), field: "body".into() });
    assert_eq!((end.span.end, &end.origin), (reply.text.len(), &Origin::Framework));
    insta::assert_snapshot!(reply.text[body.span.end..].trim_start(), @r#"
    <available_resources>
      <resource name="x.md"/>
    </available_resources>

    <available_scripts>
      <script name="scripts/x.py">
        <parameters_schema>{"type":"array","items":{"type":"string"}}</parameters_schema>
      </script>
      <script name="scripts/x.sh">
        <parameters_schema>{"type":"array","items":{"type":"string"}}</parameters_schema>
      </script>
    </available_scripts>
    "#);
}

#[test]
fn python_looks_names_up_in_any_case_and_repeats_them_as_called() {
    for variant in PYTHON {
        let catalog = select_as(variant, &unit_converter(), free());
        let read = |skill: &str, resource: &str| {
            let call = call("read_skill_resource", json!({"skill_name": skill, "resource_name": resource}));
            (AgentFramework.disclosure(&call, &catalog), serve(&call, &catalog))
        };
        let (disclosed, served) = read("A", "X.MD");
        assert_eq!(disclosed, Disclosure::Resource { skill: "a".into(), resource: "x.md".into() });
        assert_eq!(served, Served::Perform(Effect::ReadFile { path: "/skills/a/x.md".into(), approval: false }));
        assert_eq!(text(read("A", "y").1), "Error: Resource 'y' not found in skill 'A'.");
    }
}

#[test]
fn python_checks_arguments_against_the_schema() {
    let detailed = || AgentFrameworkOptions { include_detailed_errors: true, ..free() };
    let say = |variant: &str, name: &str, arguments: serde_json::Value| {
        text(serve(&call(name, arguments), &select_as(variant, &unit_converter(), detailed())))
    };
    let newest = "python-1.23";
    insta::assert_snapshot!(
        [
            say(newest, "read_skill_resource", json!({"x": 1})),
            say(newest, "load_skill", json!({"skill_name": "a", "z": 1, "b": 2})),
            say(newest, "read_skill_resource", json!({"resource_name": null, "skill_name": [1]})),
            say("python-1.13", "load_skill", json!({"skill_name": "a", "z": 1})),
            say("python-1.13", "read_skill_resource", json!({"skill_name": "a", "resource_name": "none", "z": 1})),
        ]
        .join("\n"),
        @r"
    Error: Argument parsing failed. Exception: Missing required argument(s) for 'read_skill_resource': resource_name, skill_name
    Error: Argument parsing failed. Exception: Unexpected argument(s) for 'load_skill': b, z
    Error: Argument parsing failed. Exception: Invalid type for 'resource_name' in 'read_skill_resource': expected string, got NoneType
    Error: Function failed. Exception: SkillsProvider._create_tools.<locals>._load() got an unexpected keyword argument 'z'
    Error: Resource 'none' not found in skill 'a'.
    ");
    let catalog = select_as(newest, &unit_converter(), detailed());
    for name in ["load_skill", "no_such_tool"] {
        let Served::Reply(reply) = serve(&call(name, json!({})), &catalog) else { panic!("it needs no effect") };
        assert_eq!(reply.author, ReplyAuthor::Exception, "{name} makes the round a failed one");
        assert_eq!(AgentFramework.wire(&reply, &catalog), None);
    }
}

#[test]
fn the_sample_runner_stays_in_the_scripts_folder_and_tells_everything() {
    let settings = AgentFrameworkOptions { script_runner: ScriptRunner::Sample, ..free() };
    let ran = |stdout: &str, stderr: &str, exit_code, timed_out| {
        let (stdout, stderr) = (stdout.into(), stderr.into());
        Performed::Ran(ScriptOutput { stdout, stderr, exit_code, timed_out, truncated: false, took: 1 })
    };
    for (variant, blank, late) in [
        ("dotnet-1.17", "", "out"),
        ("python-1.23", "(no output)", "Error: Script 'scripts/x.py' timed out after 30 seconds."),
    ] {
        let catalog = select_as(variant, &unit_converter(), settings.clone());
        let [_, _, run] = calls(variant);
        assert_eq!(
            serve(&run, &catalog),
            Served::Perform(Effect::RunScript {
                skill: "a".into(),
                script: "scripts/x.py".into(),
                path: "/skills/a/scripts/x.py".into(),
                interpreter: "python3".into(),
                arguments: Vec::new(),
                approval: false,
                working_directory: Some("/skills/a/scripts".into()),
            })
        );
        let settle = |done| text(AgentFramework.settle(&run, done, &catalog, &mut Session::default()));
        assert_eq!(settle(ran("out\n", "err", Some(2), false)), "out\n\nStderr:\nerr\nScript exited with code 2");
        assert_eq!(settle(ran("", "", Some(0), false)), "(no output)");
        assert_eq!(settle(ran(" \n", "", Some(0), false)), blank);
        assert_eq!(settle(ran("out", "", None, true)), late);
        assert_eq!(
            settle(Performed::failed(FailureKind::Other, "no such program")),
            "Error: Failed to execute script 'scripts/x.py': no such program"
        );
    }
}

#[test]
fn a_screenplays_arguments_take_the_form_that_the_runner_needs() {
    let step = ScreenplayStep::Run { run: "a/scripts/x.py".into(), with: Some(json!({"value": 1, "f": "x y"})) };
    let arguments = |script_runner| {
        let settings = AgentFrameworkOptions { script_runner, ..free() };
        let catalog = select_as("python-1.23", &unit_converter(), settings);
        AgentFramework.express(&step, &catalog, &Session::default()).unwrap().arguments["args"].clone()
    };
    assert_eq!(arguments(ScriptRunner::Seed), json!({"value": 1, "f": "x y"}));
    assert_eq!(arguments(ScriptRunner::Sample), json!(["--value", "1", "--f", "x y"]));
}

#[test]
fn a_resource_that_is_gone_fails_in_the_words_of_each_release() {
    let settings = AgentFrameworkOptions { include_detailed_errors: true, ..free() };
    let messages = NEWER.map(|variant| {
        let catalog = select_as(variant, &unit_converter(), settings.clone());
        let gone = Performed::failed(FailureKind::NotFound, "gone");
        text(AgentFramework.settle(&calls(variant)[1], gone, &catalog, &mut Session::default()))
    });
    insta::assert_snapshot!(messages.join("\n"), @r"
    Error: Function failed. Exception: Could not find file '/skills/a/x.md'.
    Error: Function failed. Exception: Resource file 'x.md' not found at '/skills/a/x.md'.
    Error: Function failed. Exception: Resource file 'x.md' not found in skill directory '/skills/a'.
    ");
}

#[test]
fn a_template_of_python_is_a_format_string() {
    let shown = |template: &str| {
        let settings = AgentFrameworkOptions { skills_instruction_prompt: Some(template.into()), ..free() };
        let catalog = select_as("python-1.23", &unit_converter(), settings);
        match &catalog.refused {
            Some(refused) => refused.split(". It").next().unwrap_or_default().to_owned(),
            None => AgentFramework.present(&catalog, &Session::default()).instructions.unwrap().text,
        }
    };
    assert_eq!(
        shown("{{x}}\n{skills}"),
        "{x}\n  <skill>\n    <name>a</name>\n    <description>About a</description>\n  </skill>"
    );
    assert!(shown("{skills}{resource_instructions}").ends_with("`\"FAQ.md\"`).\n"));
    assert_eq!(shown("{skills} {other}"), "The provided instruction_template is not a valid format string");
    assert_eq!(shown("{skills} {"), "The provided instruction_template is not a valid format string");
    assert_eq!(shown("none"), "The provided instruction_template must contain a '{skills}' placeholder.");
    let settings = AgentFrameworkOptions { skills_instruction_prompt: Some("none".into()), ..free() };
    assert_eq!(select_as("python-1.23", &SkillSet::default(), settings).refused, None, "nobody looks without skills");
}

#[test]
fn python_logs_what_it_does_and_passes_over_what_it_cannot_read() {
    let mut found = disk(&[
        ("a/SKILL.md", &manifest("a")),
        ("b/SKILL.md", &manifest("b")),
        ("c/SKILL.md", "->../b/SKILL.md"),
        ("x/a/SKILL.md", &manifest("a")),
    ]);
    let Entry::Folder(folder) = &mut found.roots[0].tree.entries[1] else { unreachable!("it holds folders") };
    let Entry::File(file) = &mut folder.entries[0] else { unreachable!("it holds one file") };
    file.source = None;
    let catalog = select_as("python-1.23", &found, free());
    insta::assert_snapshot!(catalog.log.join("\n"), @r"
    WARNING: Skipping skill directory '/skills/c': 'SKILL.md' is a symbolic link or reparse point, or could not be inspected
    INFO: Discovered 3 potential skills
    INFO: Loaded skill: a
    ERROR: Failed to read SKILL.md at '/skills/b/SKILL.md'
    WARNING: Duplicate skill name 'a': skill from '/skills/x/a' skipped in favor of existing skill
    INFO: Successfully loaded 1 skills
    ");
    assert_eq!(catalog.quirks.iter().map(|quirk| quirk.kind).collect::<Vec<_>>(), [QuirkKind::HiddenByDuplicate]);
}

#[test]
fn quirks_name_the_place_and_what_is_read_there() {
    let text = "---\nname: a\ndescription: \"say \\\"hi\\\"\"\n---\nRun `x.sh`.\n";
    let found = disk(&[
        ("a/SKILL.md", text),
        ("a/references/deep/x.md", ""),
        ("a/scripts/x.sh", ""),
        ("a/scripts/lib/used-by-x.sh", ""),
        ("a/logo.png", ""),
    ]);
    let quirks = |variant: &str| {
        let catalog = select_as(variant, &found, free());
        let shown = catalog.quirks.iter().map(|quirk| {
            let place = quirk.span.map(|span: Span| span.of(text).to_owned());
            (quirk.kind, place, quirk.detail.clone())
        });
        shown.collect::<Vec<_>>()
    };
    let differently = (QuirkKind::ReadDifferently, Some(r#""say \"hi\"""#.to_owned()), r#"say \"hi\""#.to_owned());
    let deep = (QuirkKind::FileNotOffered, None, "references/deep/x.md".to_owned());
    let shell = (QuirkKind::FileNotOffered, None, "scripts/x.sh".to_owned());
    let python = (QuirkKind::ScriptRunByPython, Some("x.sh".to_owned()), "scripts/x.sh".to_owned());
    assert_eq!(quirks("seed"), [differently.clone(), deep.clone(), python]);
    assert_eq!(quirks("python-1.13"), [differently, deep.clone(), shell.clone()]);
    assert_eq!(quirks("python-1.23"), [deep, shell]);
    let plain = disk(&[("a/SKILL.md", manifest("a").as_str()), ("a/x.md", ""), ("a/scripts/x.py", "")]);
    for variant in ["seed", "dotnet-1.17", "python-1.13", "python-1.23"] {
        assert_eq!(select_as(variant, &plain, free()).quirks, Vec::new(), "{variant}");
    }
}

#[test]
fn an_inline_skill_of_python_keeps_its_instructions_and_tells_descriptions() {
    let mut skill = inline("a");
    skill.resources.push(InlineResource {
        name: "r".into(),
        description: Some("it's".into()),
        body: InlineResourceBody::Value("x".into()),
    });
    skill.scripts.push(script("nothing", InlineScriptBody::Result(String::new())));
    let mut options = Options { variant: Some("python-1.23".into()), inline_skills: vec![skill], ..Options::default() };
    options.settings.agent_framework = free();
    let catalog = AgentFramework.select(&SkillSet::default(), &options);
    insta::assert_snapshot!(catalog.skills[0].content, @r#"
    <name>a</name>
    <description>Written &lt;in&gt; the project</description>

    <instructions>
    Say "hi" & stop.
    </instructions>

    <available_resources>
      <resource name="r" description="it&#x27;s"/>
    </available_resources>

    <available_scripts>
      <script name="nothing"/>
    </available_scripts>
    "#);
    let run = call("run_skill_script", json!({"skill_name": "a", "script_name": "nothing"}));
    assert_eq!(serve(&run, &catalog), Served::Reply(ToolReply::ok("")));
}

#[test]
fn half_of_a_character_in_a_name_ends_a_run_of_python() {
    let served = |variant: &str, name: &str, arguments: &str| {
        let catalog = select_as(variant, &unit_converter(), AgentFrameworkOptions::default());
        serve(&ToolCall::new("1", name, arguments), &catalog)
    };
    let ended = Served::Abort("'utf-8' codec can't encode character '\\ud800': surrogates not allowed".into());
    assert_eq!(served("python-1.23", "load_skill", r#"{"skill_name": "a\ud800"}"#), ended);
    assert_eq!(
        served("python-1.23", "read_skill_resource", r#"{"skill_name": "a", "resource_name": "\ud800"}"#),
        ended
    );
    let refused = served("python-1.23", "read_skill_resource", r#"{"skill_name": "\ud800"}"#);
    assert!(!matches!(refused, Served::Abort(_)), "the other name is missing: {refused:?}");
    let whole = served("python-1.23", "load_skill", r#"{"skill_name": "\ud83d\ude00"}"#);
    assert!(!matches!(whole, Served::Abort(_)), "two halves are a character: {whole:?}");
    let elsewhere = r#"{"skill_name": "a", "script_name": "scripts/x.py", "args": ["\ud800"]}"#;
    let elsewhere = served("python-1.23", "run_skill_script", elsewhere);
    assert!(!matches!(elsewhere, Served::Abort(_)), "no answer repeats it: {elsewhere:?}");
}

#[test]
fn python_takes_backslashes_in_names_of_files_for_slashes() {
    let text = manifest("a");
    let of = |files: &[(&str, &str)]| {
        let found = disk(&[&[("a/SKILL.md", text.as_str())], files].concat());
        select_as("python-1.23", &found, AgentFrameworkOptions::default())
    };
    let catalog = of(&[("a/x\\y.md", ""), ("a/x/y.md", "")]);
    let resources: Vec<&CatalogFile> = catalog.skills[0].resources.iter().collect();
    let both = ("x/y.md", CatalogBody::File("/skills/a/x/y.md".into()));
    assert_eq!(
        resources.iter().map(|file| (file.name.as_str(), file.body.clone())).collect::<Vec<_>>(),
        [both.clone(), both]
    );
    let refused = |name: &str| of(&[(&format!("a/{name}"), "")]).refused.unwrap();
    let missing = refused("x\\y.md");
    assert!(missing.contains("Resource file 'x/y.md' not found in skill directory '/skills/a'."), "{missing}");
    let outside = refused("\\y.md");
    assert!(outside.contains("Resource file '/y.md' references a path outside the skill directory."), "{outside}");
}

#[test]
fn folders_that_only_the_framework_enters_are_reported() {
    let text = manifest("a");
    let mut found = disk(&[("a/SKILL.md", text.as_str()), ("node_modules/x", "")]);
    for entry in &mut found.roots[0].tree.entries {
        if let Entry::Folder(folder) = entry
            && folder.name == "node_modules"
        {
            folder.listed = false;
            folder.entries.clear();
        }
    }
    let catalog = select_as("python-1.23", &found, AgentFrameworkOptions::default());
    let expected = "this folder holds so many files that Skill Workbench does not look for skills in it; the framework does, \
                    and loads those that it finds there";
    let skipped = &catalog.skipped[0];
    assert_eq!((skipped.path.as_str(), skipped.reason.en.as_str()), ("/skills/node_modules", expected));
}

#[cfg(unix)]
#[test]
fn pipes_are_no_skills_and_no_files_of_skills() {
    let guard = tempfile::tempdir().unwrap();
    let root = camino::Utf8PathBuf::from_path_buf(guard.path().canonicalize().unwrap()).unwrap();
    for (path, text) in [("a/SKILL.md", manifest("a")), ("a/x.md", String::new()), ("b/in/SKILL.md", manifest("in"))] {
        std::fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
        std::fs::write(root.join(path), text).unwrap();
    }
    for pipe in ["a/pipe.md", "a/pipe.py", "b/SKILL.md"] {
        assert!(std::process::Command::new("mkfifo").arg(root.join(pipe)).status().unwrap().success());
    }
    // These pipes have no writer: opening one would block forever.
    let catalog = select_as("python-1.23", &skill::load(std::slice::from_ref(&root)), free());
    let names = |files: &[CatalogFile]| files.iter().map(|file| file.name.clone()).collect::<Vec<_>>();
    let skills: Vec<_> =
        catalog.skills.iter().map(|skill| (&*skill.name, names(&skill.resources), names(&skill.scripts))).collect();
    assert_eq!(skills, [("a", vec!["x.md".to_owned()], vec![]), ("in", vec![], vec![])]);
    let skipped: Vec<_> = catalog.skipped.iter().map(|skipped| (skipped.path.as_str(), &*skipped.reason.en)).collect();
    let reason = "is a pipe, a socket or a device; the framework takes the folder for no skill";
    assert_eq!(skipped, [(root.join("b/SKILL.md").as_str(), reason)]);
}

/// As in the other frameworks that use `json.loads`, texts that it refuses count as no arguments.
#[test]
fn arguments_nested_too_deep_are_none() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let given = |depth: usize| format!(r#"{{"skill_name":"a","script_name":"scripts/x.py","args":{}}}"#, nested(depth));
    for variant in PYTHON {
        let settings = AgentFrameworkOptions { auto_approval: AutoApproval::All, ..AgentFrameworkOptions::default() };
        let catalog = select_as(variant, &unit_converter(), settings);
        let reply = |arguments: String| {
            let call = ToolCall::new("1", "run_skill_script", arguments);
            format!("{:?}", AgentFramework.serve(&call, &catalog, &mut Session::default()))
        };
        assert_ne!(reply(given(900)), reply("{}".into()), "{variant}");
        for depth in [995, 3_000, 100_000] {
            assert_eq!(reply(given(depth)), reply("{}".into()), "{variant}: {depth}");
        }
        let named = format!(r#"{{"skill_name":{},"script_name":"x"}}"#, nested(100_000));
        assert_eq!(reply(named), reply("{}".into()), "{variant}");
    }
}

#[test]
fn python_1_13_sends_what_an_answer_says_and_what_it_calls_as_two_messages() {
    let thought = Part::Reasoning { text: "hm".into(), block: None };
    let said = Part::Text { text: "Let me see.".into() };
    let [skill, resource, _] = calls("python-1.13").map(Part::ToolCall);
    let assistant = |parts: Vec<Part>| Message { role: Role::Assistant, parts };
    let whole = vec![
        Message::user("hi"),
        assistant(vec![thought.clone(), said.clone(), skill.clone(), resource.clone()]),
        assistant(vec![thought.clone(), skill.clone()]),
        assistant(vec![Part::Text { text: String::new() }, resource.clone()]),
        Message::assistant("Done."),
    ];
    let prepared = |variant: &str| {
        let catalog = select_as(variant, &unit_converter(), free());
        let mut history = whole.clone();
        for _ in 0..2 {
            let prepared = AgentFramework.before_request(&mut history, None, &catalog, &mut Session::default());
            assert_eq!(prepared, Prepared::Send);
        }
        history
    };
    for variant in ["seed", "python-1.23"] {
        assert_eq!(prepared(variant), whole, "{variant}");
    }
    let split = [
        whole[0].clone(),
        assistant(vec![said]),
        assistant(vec![thought, skill, resource]),
        whole[2].clone(),
        whole[3].clone(),
        whole[4].clone(),
    ];
    assert_eq!(prepared("python-1.13"), split);
}

#[test]
fn python_1_23_loses_what_it_says_of_unknown_tools_in_an_answer_that_asks() {
    let called = |id: &str, name: &str| ToolCall::new(id, name, "{}");
    let result = |id: &str| {
        Message::tool_result(model::ToolResult { call_id: id.into(), text: "x".into(), wire: None, is_error: false })
    };
    let whole = vec![
        Message::user("hi"),
        Message::tool_calls([called("1", "nothing"), called("2", "load_skill")]),
        result("1"),
        result("2"),
        Message::tool_calls([called("3", "nothing")]),
        result("3"),
    ];
    let prepared = |variant: &str, settings: AgentFrameworkOptions| {
        let catalog = select_as(variant, &unit_converter(), settings);
        let mut history = whole.clone();
        AgentFramework.before_request(&mut history, None, &catalog, &mut Session::default());
        history
    };
    let lost: Vec<Message> = [0, 1, 3, 4, 5].map(|place| whole[place].clone()).into();
    assert_eq!(prepared("python-1.23", AgentFrameworkOptions::default()), lost);
    let unasked = AgentFrameworkOptions { disable_load_skill_approval: true, ..AgentFrameworkOptions::default() };
    assert_eq!(prepared("python-1.23", unasked), whole, "nothing in the answer asks");
    assert_eq!(prepared("python-1.13", AgentFrameworkOptions::default()), whole);
}

#[test]
fn a_turn_that_breaks_takes_nothing_of_the_one_before_along() {
    let catalog = select_as("python-1.13", &SkillSet::default(), AgentFrameworkOptions::default());
    let mut session = Session::default();
    let said = Message::assistant("I will load it.");
    let called = Message::tool_calls([ToolCall::new("1", "load_skill", "{}")]);
    let both = Message { role: Role::Assistant, parts: [&said.parts[..], &called.parts].concat() };
    let mut history = vec![Message::user("a"), both];
    AgentFramework.next_turn(&mut history, TurnEnd::Done, &catalog, &mut session);
    history.push(Message::user("b"));
    AgentFramework.before_request(&mut history, None, &catalog, &mut session);
    let split = [Message::user("a"), said, called];
    assert_eq!(history, [&split[..], &[Message::user("b")]].concat());
    AgentFramework.next_turn(&mut history, TurnEnd::Broken, &catalog, &mut session);
    assert_eq!(history, split);
}

#[test]
fn python_1_23_leaves_what_another_framework_answered_before() {
    let catalog = select_as("python-1.23", &unit_converter(), AgentFrameworkOptions::default());
    let mut session = Session::default();
    let result = |id: &str| {
        Message::tool_result(model::ToolResult { call_id: id.into(), text: "x".into(), wire: None, is_error: false })
    };
    let call = |id: &str, name: &str| ToolCall::new(id, name, "{}");
    let asked = Message::tool_calls([call("1", "load_skill"), call("2", "bash"), call("3", "bash")]);
    let before = [Message::user("a"), asked, result("1"), result("2"), result("3"), Message::assistant("b")];
    let mut history = [&before[..], &[Message::user("c")]].concat();
    AgentFramework.before_request(&mut history, None, &catalog, &mut session);
    history.push(Message::assistant("d"));
    let whole = [&before[..], &[Message::user("c"), Message::assistant("d")]].concat();
    assert_eq!(history, whole);
    AgentFramework.next_turn(&mut history, TurnEnd::Done, &catalog, &mut session);
    assert_eq!(history, whole);
}

#[test]
fn python_1_23_keeps_a_turn_that_repeats_the_one_before_once() {
    let kept = |variant: &str, turns: &[[&str; 2]]| {
        let catalog = select_as(variant, &unit_converter(), free());
        let mut history = Vec::new();
        for [said, answer] in turns {
            history.extend([Message::user(*said), Message::assistant(*answer)]);
            AgentFramework.next_turn(&mut history, TurnEnd::Done, &catalog, &mut Session::default());
        }
        history.len()
    };
    let twice = [["Hi", "Hello."], ["Hi", "Hello."]];
    assert_eq!((kept("python-1.23", &twice), kept("python-1.13", &twice), kept("seed", &twice)), (2, 4, 4));
    assert_eq!(kept("python-1.23", &[["Hi", "Hello."], ["Hi", "Hello again."]]), 4, "another answer");
    assert_eq!(kept("python-1.23", &[["Hi", "Hello."], ["And?", "Yes."], ["Hi", "Hello."]]), 6, "not the one before");
    assert_eq!(kept("python-1.23", &[["And?", "Yes."], ["Hi", "Hello."], ["Hi", "Hello."]]), 4);
}
