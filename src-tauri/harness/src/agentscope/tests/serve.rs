use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::sample::manifest;
use crate::{Disclosure, Effect, Expressed, FailureKind, Performed, Prepared, ReplyAuthor, ScriptOutput};
use crate::{GroupState, TurnEnd};
use config::options::{Deactivation, HarnessOptions};
use config::{InlineResource, InlineResourceBody, InlineSkill, ScreenplayStep};
use model::{Message, Role, ToolResult};

const LOAD: &str = "load_skill_through_path";
const JAVA: &str = "java-2.0.3";
const FIRST: &str = "java-1.0.5";

fn sample(variant: &str) -> Catalog {
    let text = manifest("a");
    let files = [("a/SKILL.md", text.as_str()), ("a/x.md", ""), ("a/.h.md", ""), ("a/s/run.py", "")];
    with(&files, variant, vec![group("a", "run", Some("s/run.py")), group("a", "ask", None)], |options| {
        options.source = Some("fs".into());
    })
}

fn ran(stdout: &str, stderr: &str, code: i32) -> Performed {
    Performed::Ran(ScriptOutput {
        stdout: stdout.into(),
        stderr: stderr.into(),
        exit_code: Some(code),
        timed_out: false,
        truncated: false,
        took: 1,
    })
}

fn tools(catalog: &Catalog, session: &Session) -> Vec<String> {
    AgentScope.present(catalog, session).definitions().into_iter().map(|tool| tool.name).collect()
}

#[test]
fn tools_of_a_skill_open_when_it_is_loaded_and_stay_open() {
    for variant in ["seed", JAVA] {
        let catalog = sample(variant);
        let mut session = Session::default();
        assert_eq!(tools(&catalog, &session), [LOAD]);
        let closed = reply(&catalog, &mut session, "ask", &json!({}));
        assert_eq!(closed.text, "Error: Unauthorized tool call: 'ask' is not available");
        assert_eq!(closed.author, ReplyAuthor::Caller);
        let unknown = reply(&catalog, &mut session, "nope", &json!({}));
        assert_eq!(unknown.text, "Error: Tool not found: nope");

        reply(&catalog, &mut session, LOAD, &json!({"skillId": "a_fs", "path": "SKILL.md"}));
        let mut open = tools(&catalog, &session);
        open.sort();
        assert_eq!(open, ["ask", LOAD, "run"]);
        assert_eq!(reply(&catalog, &mut session, "ask", &json!({})), ToolReply::ok("done"));
    }
}

#[test]
fn version_1_0_has_three_tools_and_groups_that_open_with_the_next_request_and_close_after_the_turn() {
    let catalog = sample(FIRST);
    let mut session = Session::default();
    let own = ["skill_resources_load_tool", "get_all_resources_path_tool", "skill_md_load_tool"];
    let mut known = tools(&catalog, &session);
    known.sort();
    let mut own_sorted = own;
    own_sorted.sort();
    assert_eq!(known, own_sorted);
    assert_eq!(
        reply(&catalog, &mut session, "ask", &json!({})).text,
        "Error: Unauthorized tool call: 'ask' is not available (group 'a_fs_skill_tools' is not active)"
    );
    assert_eq!(reply(&catalog, &mut session, LOAD, &json!({})).text, format!("Error: Tool not found: {LOAD}"));

    let mut of = |tool: &str, arguments: Value| reply(&catalog, &mut session, tool, &arguments).text;
    assert_eq!(
        of(own[2], json!({"skillId": "a_fs"})),
        "Successfully loaded skill: a_fs\n\nName: a\nDescription: About a\nSource: fs\n\nContent:\n---\nBody of a.\n\n---\n"
    );
    assert_eq!(
        of(own[1], json!({"skillId": "a_fs"})),
        "Available resource paths (3 total):\n\n1. x.md\n2. .h.md\n3. s/run.py\n",
        "hidden files too"
    );
    assert_eq!(
        of(own[0], json!({"skillId": "a_fs", "path": "SKILL.md"})),
        "Error: Resource not found: 'SKILL.md' in skill 'a_fs'. Use get_all_resources_path_tool to see available \
         resources."
    );
    assert_eq!(of(own[0], json!({"skillId": "a_fs"})), "Error: Missing or empty required parameter: path");
    assert_eq!(of(own[2], json!({"skillId": 5})), "Error: Skill not found: '5'. Please check the skill ID.");
    assert_eq!(of(own[2], json!({"skillId": ["a"]})), "Error: Skill not found: '[a]'. Please check the skill ID.");
    let asked = call(own[0], r#"{"skillId": "a_fs", "path": "x.md"}"#);
    let read = Effect::ReadFile { path: "/skills/a/x.md".into(), approval: false };
    assert_eq!(AgentScope.serve(&asked, &catalog, &mut session), Served::Perform(read));
    let mut settled = |bytes: &[u8]| match AgentScope.settle(
        &asked,
        Performed::Read { bytes: bytes.to_vec() },
        &catalog,
        &mut session,
    ) {
        Served::Reply(reply) => reply.text,
        other => panic!("{other:?}"),
    };
    assert_eq!(
        settled(b"text"),
        "Successfully loaded resource from skill: a_fs\nResource path: x.md\n\nContent:\n---\ntext\n---\n"
    );
    assert!(settled(&[0xff]).starts_with("Error: Resource not found: 'x.md'"), "it is no text");

    let group = |session: &Session| AgentScope.groups(&catalog, session);
    let state = |is_active| {
        [GroupState { name: "a_fs_skill_tools".into(), is_active, tools: vec!["run".into(), "ask".into()] }]
    };
    assert_eq!(group(&session), state(false), "the hook before a request opens it");
    let mut history = vec![Message::user("hi")];
    AgentScope.before_request(&mut history, None, &catalog, &mut session);
    assert_eq!(history[1].role, Role::System);
    assert_eq!(group(&session), state(true));
    assert_eq!(reply(&catalog, &mut session, "ask", &json!({})), ToolReply::ok("done"));
    assert_eq!(tools(&catalog, &session).len(), 3, "the request listed its tools before the hook");
    AgentScope.before_request(&mut history, None, &catalog, &mut session);
    assert_eq!(tools(&catalog, &session).len(), 5);
    AgentScope.next_turn(&mut history, TurnEnd::Done, &catalog, &mut session);
    assert_eq!(group(&session), state(false));
    AgentScope.before_request(&mut history, None, &catalog, &mut session);
    assert_eq!(group(&session), state(false));

    let run = ScreenplayStep::Run { run: "s/run.py".into(), with: None };
    let mut loading = Session::default();
    reply(&catalog, &mut loading, own[2], &json!({"skillId": "a_fs"}));
    let tool = AgentScope.express(&run, &catalog, &loading).unwrap().tool;
    assert_eq!(tool, "run", "it can be called once the next request is answered");
    let said = |step: ScreenplayStep| AgentScope.express(&step, &catalog, &Session::default());
    let expressed = |tool: &str, arguments: Value| Some(Expressed { tool: tool.into(), arguments });
    assert_eq!(said(ScreenplayStep::Activate { activate: "a".into() }), expressed(own[2], json!({"skillId": "a_fs"})));
    let read = ScreenplayStep::Read { read: "a/x.md".into() };
    assert_eq!(said(read), expressed(own[0], json!({"skillId": "a_fs", "path": "x.md"})));
    let tier = |tool: &str| AgentScope.disclosure(&call(tool, r#"{"skillId": "a_fs", "path": "x.md"}"#), &catalog);
    assert_eq!(tier(own[2]), Disclosure::Instructions { skill: "a_fs".into() });
    assert_eq!(tier(own[0]), Disclosure::Resource { skill: "a_fs".into(), resource: "x.md".into() });
    assert_eq!(tier(own[1]), Disclosure::None);
}

#[test]
fn an_application_may_deactivate_all_skills_before_each_turn() {
    let open_after = |deactivate: Option<Deactivation>| {
        let catalog = sample("seed");
        let options = HarnessOptions {
            agentscope: AgentScopeOptions { deactivate, ..AgentScopeOptions::default() },
            ..HarnessOptions::default()
        };
        let catalog = Catalog { options, ..catalog };
        let mut session = Session::default();
        reply(&catalog, &mut session, LOAD, &json!({"skillId": "a_fs", "path": "SKILL.md"}));
        AgentScope.next_turn(&mut Vec::new(), TurnEnd::Done, &catalog, &mut session);
        AgentScope.groups(&catalog, &session)[0].is_active
    };
    assert!(open_after(None));
    assert!(open_after(Some(Deactivation::Skills)), "groups stay active without `syncToolGroupStates`");
    assert!(!open_after(Some(Deactivation::Groups)));
}

#[test]
fn code_execution_of_the_seed_runs_what_is_on_its_list() {
    let text = manifest("a");
    let files = [("a/SKILL.md", text.as_str()), ("a/s/run.py", "")];
    let set = |folder: Option<&str>| {
        with(&files, "seed", Vec::new(), |options| {
            options.code_execution = true;
            options.work_dir = folder.map(str::to_owned);
        })
    };
    let shown = |catalog: &Catalog| {
        let tools = AgentScope.present(catalog, &Session::default()).definitions();
        tools.into_iter().find(|tool| tool.name == "execute_shell_command").unwrap().description
    };
    assert!(shown(&set(None)).contains("result. ALLOWED COMMANDS WHITELIST: [python3, node, python, nodejs]. Only"));
    assert!(shown(&set(Some("/w"))).contains("executed in the directory: /w. All relative paths"));
    let groups = AgentScope.groups(&set(None), &Session::default());
    assert_eq!(groups[1].name, "skill_code_execution_tool_group");
    let serve = |command: &str| {
        let mut session = Session::default();
        serve(&set(Some("/w")), &mut session, "execute_shell_command", &json!({"command": command}))
    };
    let effect =
        Effect::Shell { command: "python3 a.py".into(), working_directory: Some("/w".into()), timeout: Some(300) };
    assert_eq!(serve("python3 a.py"), Served::Perform(effect));
    let Served::Reply(refused) = serve("ls") else { panic!("it is not on the list") };
    assert_eq!(
        refused.text,
        "<returncode>-1</returncode><stdout></stdout><stderr>SecurityError: Command 'ls' is not in the allowed whitelist \
         and no approval callback is configured.</stderr>"
    );
    let mut history = Vec::new();
    AgentScope.before_request(&mut history, None, &set(None), &mut Session::default());
    assert!(!history[0].text().contains("Code Execution"), "the prompt does not speak of it");
}

#[test]
fn the_seed_activates_before_it_looks_for_the_path() {
    let activated = |variant: &str| {
        let mut session = Session::default();
        let catalog = sample(variant);
        let asked = call(LOAD, r#"{"skillId": "a_fs", "path": "none.md"}"#);
        if let Served::Perform(_) = AgentScope.serve(&asked, &catalog, &mut session) {
            AgentScope.settle(&asked, Performed::failed(FailureKind::NotFound, ""), &catalog, &mut session);
        }
        session.activated
    };
    assert_eq!(activated("seed"), ["a_fs"]);
    assert_eq!(activated(JAVA), Vec::<String>::new());
}

#[test]
fn only_the_newest_looks_on_disk_for_what_it_has_not_loaded() {
    let served = |variant: &str, path: &str| {
        let asked = json!({"skillId": "a_fs", "path": path});
        serve(&sample(variant), &mut Session::default(), LOAD, &asked)
    };
    let read = |path: &str| Served::Perform(Effect::ReadFile { path: path.into(), approval: false });
    assert!(matches!(served("seed", ".h.md"), Served::Perform(Effect::ReadFile { .. })), "it has loaded hidden files");
    for path in ["./x.md", "s//run.py", "s\\run.py", "none.md"] {
        assert!(matches!(served("seed", path), Served::Reply(reply) if reply.is_error), "{path}");
        assert!(matches!(served(JAVA, path), Served::Perform(Effect::ReadFile { .. })), "{path}");
    }
    assert_eq!(served(JAVA, "./x.md"), read("/skills/a/x.md"));
    assert_eq!(served(JAVA, "./SKILL.md"), read("/skills/a/SKILL.md"));
    for path in ["../x.md", "a..b", "/etc/hostname", ".", "./", "\\x"] {
        assert!(matches!(served(JAVA, path), Served::Reply(reply) if reply.is_error), "{path}");
    }
    let nul = "Error: Nul character not allowed: a\0";
    assert_eq!(served(JAVA, "a\0"), Served::Reply(ToolReply::error(nul)));
}

#[test]
fn arguments_are_checked_first_unless_told_otherwise() {
    let of = |catalog: &Catalog, arguments: Value| reply(catalog, &mut Session::default(), LOAD, &arguments).text;
    let wrong = json!({"skillId": "b_fs", "path": 1});
    assert_eq!(
        of(&sample("seed"), wrong.clone()),
        "Error: Parameter validation failed for tool 'load_skill_through_path': does not have a value in the enumeration \
         [\"a_fs\"]; integer found, string expected\nPlease correct the parameters and try again."
    );
    assert_eq!(
        of(&sample(JAVA), wrong.clone()),
        "Error: Parameter validation failed for tool 'load_skill_through_path': /skillId: does not have a value in the \
         enumeration [\"a_fs\"]; /path: integer found, string expected\nPlease correct the parameters and try again."
    );
    let cast = "Error: class java.lang.Integer cannot be cast to class java.lang.String (java.lang.Integer and \
                java.lang.String are in module java.base of loader 'bootstrap')";
    let unchecked = || Catalog {
        options: HarnessOptions {
            agentscope: AgentScopeOptions { validate_arguments: Some(false), ..AgentScopeOptions::default() },
            ..HarnessOptions::default()
        },
        ..sample("seed")
    };
    assert_eq!(of(&unchecked(), wrong), cast);
    assert_eq!(of(&unchecked(), json!({"skillId": "b", "path": "x"})), "Error: Skill not found: b");
    assert_eq!(of(&unchecked(), json!({"skillId": null})), "Error: Missing or empty required parameter: skillId");
    for (given, class) in
        [("1e3", "Double"), ("true", "Boolean"), ("[]", "ArrayList"), ("{}", "LinkedHashMap"), ("5000000000", "Long")]
    {
        let served =
            AgentScope.serve(&call(LOAD, &format!("{{\"skillId\": {given}}}")), &unchecked(), &mut Session::default());
        assert!(matches!(served, Served::Reply(reply) if reply.text.contains(class)), "{given}");
    }
    let served = AgentScope.serve(&call(LOAD, "not json"), &unchecked(), &mut Session::default());
    let missing = "Error: Missing or empty required parameter: skillId";
    assert_eq!(served, Served::Reply(ToolReply::error(missing)));
}

#[test]
fn a_tool_may_stand_for_a_script() {
    let catalog = sample("seed");
    let mut session = Session::default();
    reply(&catalog, &mut session, LOAD, &json!({"skillId": "a_fs", "path": "SKILL.md"}));
    let run = call("run", r#"{"value": 1.50, "unit": "kg", "none": null, "exp": 1e3}"#);
    let effect = Effect::RunScript {
        skill: "a_fs".into(),
        script: "s/run.py".into(),
        path: "/skills/a/s/run.py".into(),
        interpreter: "python3".into(),
        arguments: ["--value", "1.50", "--unit", "kg", "--exp", "1e3"].map(str::to_owned).to_vec(),
        approval: false,
        working_directory: None,
    };
    assert_eq!(AgentScope.serve(&run, &catalog, &mut session), Served::Perform(effect));
    let mut settled = |done| match AgentScope.settle(&run, done, &catalog, &mut session) {
        Served::Reply(reply) => (reply.text, reply.is_error),
        other => panic!("{other:?}"),
    };
    assert_eq!(settled(ran("3\n", "", 0)), ("3".into(), false));
    assert_eq!(settled(ran("", "boom\n", 1)), ("Error: Tool execution failed: boom".into(), true));
    assert!(settled(Performed::Denied { reason: None }).1);
    assert_eq!(settled(Performed::Stubbed { text: "4".into() }), ("4".into(), false));
    assert_eq!(
        AgentScope.disclosure(&run, &catalog),
        Disclosure::Script { skill: "a_fs".into(), script: "s/run.py".into() }
    );
}

#[test]
fn the_shell_answers_in_tags() {
    let text = manifest("a");
    let files = [("a/SKILL.md", text.as_str()), ("a/s/run.py", "")];
    let catalog = with(&files, JAVA, Vec::new(), |options| options.code_execution = true);
    let ask = call("execute_shell_command", r#"{"command": "python3 /skills/a/s/run.py", "timeout": 5}"#);
    let effect =
        Effect::Shell { command: "python3 /skills/a/s/run.py".into(), working_directory: None, timeout: Some(5) };
    assert_eq!(AgentScope.serve(&ask, &catalog, &mut Session::default()), Served::Perform(effect));
    let settled = |done| match AgentScope.settle(&ask, done, &catalog, &mut Session::default()) {
        Served::Reply(reply) => reply.text,
        other => panic!("{other:?}"),
    };
    assert_eq!(settled(ran("a\r\nb\n", "", 0)), "<returncode>0</returncode><stdout>a\nb</stdout><stderr></stderr>");
    let Performed::Ran(output) = ran("", "", 0) else { panic!("it ran") };
    let late = Performed::Ran(ScriptOutput { timed_out: true, exit_code: None, ..output });
    assert_eq!(
        settled(late),
        "<returncode>-1</returncode><stdout></stdout><stderr>TimeoutError: The command execution exceeded the timeout \
         of 5 seconds.</stderr>"
    );
    assert_eq!(
        AgentScope.disclosure(&ask, &catalog),
        Disclosure::Script { skill: catalog.skills[0].id.clone(), script: "s/run.py".into() }
    );
}

#[test]
fn a_screenplay_comes_out_in_its_own_words() {
    let text = manifest("a");
    let files = [("a/SKILL.md", text.as_str()), ("a/x.md", ""), ("a/s/run.py", "")];
    let run = ScreenplayStep::Run { run: "s/run.py".into(), with: Some(json!({"value": 1, "factor": 2.20462})) };
    let said = |tool: &str, arguments: Value| Some(Expressed { tool: tool.into(), arguments });
    let load = |path: &str| said(LOAD, json!({"skillId": "a_custom", "path": path}));
    let catalog = select(&files, "seed");
    let mut session = Session::default();
    let activate = ScreenplayStep::Activate { activate: "a".into() };
    assert_eq!(AgentScope.express(&activate, &catalog, &session), load("SKILL.md"));
    let read = ScreenplayStep::Read { read: "a/x.md".into() };
    assert_eq!(AgentScope.express(&read, &catalog, &session), load("x.md"));
    session.activate("a_custom");
    let read = ScreenplayStep::Read { read: "x.md".into() };
    assert_eq!(AgentScope.express(&read, &catalog, &session), load("x.md"));
    assert_eq!(AgentScope.express(&run, &catalog, &session), load("s/run.py"), "the model can only read it");

    let code = with(&files, JAVA, Vec::new(), |options| {
        options.code_execution = true;
        options.source = Some("custom".into());
    });
    let line = json!({"command": "python3 /skills/a/s/run.py --value 1 --factor 2.20462"});
    assert_eq!(AgentScope.express(&run, &code, &session), said("execute_shell_command", line));

    let grouped = with(&files, "seed", vec![group("a", "convert", Some("s/run.py"))], |_| {});
    assert_eq!(AgentScope.express(&run, &grouped, &session), load("s/run.py"), "the group is not open yet");
    reply(&grouped, &mut session, LOAD, &json!({"skillId": "a_custom", "path": "SKILL.md"}));
    assert_eq!(AgentScope.express(&run, &grouped, &session), said("convert", json!({"value": 1, "factor": 2.20462})));
    let other = ScreenplayStep::Call { call: "bash".into(), with: None };
    assert_eq!(AgentScope.express(&other, &grouped, &session), None);
}

#[test]
fn tells_which_tier_a_call_reaches() {
    let catalog = sample(JAVA);
    let of = |path: &str| {
        AgentScope.disclosure(&call(LOAD, &json!({"skillId": "a_fs", "path": path}).to_string()), &catalog)
    };
    let skill = || "a_fs".to_owned();
    assert_eq!(of("SKILL.md"), Disclosure::Instructions { skill: skill() });
    assert_eq!(of("./x.md"), Disclosure::Resource { skill: skill(), resource: "x.md".into() });
    assert_eq!(of(".h.md"), Disclosure::Resource { skill: skill(), resource: ".h.md".into() });
    assert_eq!(of("none.md"), Disclosure::None);
    assert_eq!(AgentScope.disclosure(&call("ask", "{}"), &catalog), Disclosure::None);
}

#[test]
fn python_gives_the_body_and_its_own_errors() {
    let text = manifest("a");
    let catalog =
        with(&[("a/SKILL.md", text.as_str())], "python-2.0.11", Vec::new(), |options| options.scan_subdir = true);
    let mut session = Session::default();
    let mut of = |tool: &str, arguments: Value| reply(&catalog, &mut session, tool, &arguments).text;
    assert_eq!(of("Skill", json!({"skill": "b"})), "SkillNotFoundError: Skill 'b' not found.");
    assert_eq!(
        of("Skill", json!({})),
        "Input validation failed for tool 'Skill': 'skill' is a required property (at $)"
    );
    assert_eq!(
        of("Skill", json!({"skill": null})),
        "Input validation failed for tool 'Skill': None is not of type 'string' (at $.skill)"
    );
    assert_eq!(of("skill", json!({})), "ToolNotFoundError: The tool named 'skill' doesn't exist.");
    assert_eq!(of("", json!({})), "ToolNotFoundError: The tool named 'unknown' doesn't exist.");
    for skill in ["a", "b"] {
        assert_eq!(
            of("Skill", json!({"skill": skill, "path": "x", "more": 1})),
            "SkillViewer.call() got an unexpected keyword argument 'path'"
        );
    }
    assert_eq!(of("Skill", json!({"skill": "a"})), "Body of a.");
    assert_eq!(session.activated, ["a"]);
    let step = ScreenplayStep::Activate { activate: "a".into() };
    let expressed = Expressed { tool: "Skill".into(), arguments: json!({"skill": "a"}) };
    assert_eq!(AgentScope.express(&step, &catalog, &session), Some(expressed));
    assert_eq!(AgentScope.express(&ScreenplayStep::Read { read: "x".into() }, &catalog, &session), None);
}

#[test]
fn python_names_a_call_without_a_name_and_ends_at_half_of_a_character() {
    let text = manifest("a");
    let catalog =
        with(&[("a/SKILL.md", text.as_str())], "python-2.0.11", Vec::new(), |options| options.scan_subdir = true);
    let mut session = Session::default();
    let mut history = vec![Message::tool_calls(vec![call("", "{}"), call("Skill", "{}")])];
    AgentScope.before_request(&mut history, None, &catalog, &mut session);
    assert_eq!(history, [Message::tool_calls(vec![call("unknown", "{}"), call("Skill", "{}")])]);
    let half = call("Skill", r#"{"skill": "\ud800"}"#);
    let ended = "ExceptionGroup: One or more tool calls raised an exception (1 sub-exception)";
    assert_eq!(AgentScope.serve(&half, &catalog, &mut session), Served::Abort(ended.into()));
}

proptest! {
    #[test]
    fn no_manifest_and_no_call_makes_it_panic(
        front in "(name|description|x|<<|[0-9.:]{1,9})[:]? ?(\\PC{0,12}|[|>\"'&*!\\[{\t-]{0,4}[a-z0-9:. ]{0,20})\n?\\PC{0,8}",
        path in "[./a-z\\\\]{0,12}|\\PC{0,6}", arguments in "\\PC{0,20}",
    ) {
        let manifest = format!("---\nname: a\ndescription: b\n{front}\n---\nbody");
        let files = [("a/SKILL.md", manifest.as_str()), ("a/x.py", ""), ("b/SKILL.md", &arguments)];
        for variant in ["seed", FIRST, JAVA, "python-2.0.11"] {
            let catalog = with(&files, variant, vec![group("a", "run", Some("x.py"))], |options| {
                options.scan_subdir = true;
                options.code_execution = true;
                options.validate_arguments = Some(false);
            });
            let mut session = Session::default();
            AgentScope.present(&catalog, &session);
            let id = catalog.skills.first().map_or("a", |skill| skill.id.as_str());
            let calls = [
                call(LOAD, &json!({"skillId": id, "path": path}).to_string()),
                call(LOAD, &arguments),
                call("run", &arguments),
                call("skill_resources_load_tool", &json!({"skillId": id, "path": path}).to_string()),
                call("get_all_resources_path_tool", &arguments),
                call("execute_shell_command", &json!({"command": path}).to_string()),
                call("Skill", &json!({"skill": arguments}).to_string()),
            ];
            for call in calls {
                AgentScope.disclosure(&call, &catalog);
                if let Served::Perform(_) = AgentScope.serve(&call, &catalog, &mut session) {
                    let read = Performed::Read { bytes: arguments.clone().into_bytes() };
                    AgentScope.settle(&call, read, &catalog, &mut session);
                }
            }
        }
    }
}

/// Reads and writes before the first request, by path. `bytes`: the content of each file.
fn copied(catalog: &Catalog, bytes: &[u8]) -> (Vec<String>, Vec<(String, String)>) {
    let mut session = Session { working_directory: Some("/work".into()), ..Session::default() };
    let (mut read, mut wrote, mut done) = (Vec::new(), Vec::new(), None);
    let mut history = vec![Message::user("go")];
    loop {
        done = match AgentScope.before_request(&mut history, done, catalog, &mut session) {
            Prepared::Send => break,
            Prepared::Perform(Effect::ReadFile { path, .. }) => {
                read.push(path.into_string());
                Some(Performed::Read { bytes: bytes.to_vec() })
            }
            Prepared::Perform(Effect::WriteFiles { files }) => {
                assert_eq!(wrote, [], "the user is asked once");
                wrote.extend(files.into_iter().map(|file| (file.path.into_string(), file.text)));
                // The run goes on without them.
                Some(Performed::Denied { reason: None })
            }
            other => panic!("{other:?}"),
        };
    }
    AgentScope.next_turn(&mut history, TurnEnd::Done, catalog, &mut session);
    history.push(Message::user("and again"));
    assert_eq!(AgentScope.before_request(&mut history, None, catalog, &mut session), Prepared::Send, "once");
    read.sort();
    wrote.sort();
    (read, wrote)
}

#[test]
fn code_execution_copies_scripts_to_where_commands_run() {
    let text = manifest("a");
    let files = [
        ("a/SKILL.md", text.as_str()),
        ("a/scripts/run.py", ""),
        ("a/scripts/data.csv", ""),
        ("a/x.sh", ""),
        ("a/n.md", ""),
    ];
    let select = |variant: &str, folder: Option<&str>| {
        with(&files, variant, Vec::new(), |options| {
            options.code_execution = true;
            options.work_dir = folder.map(str::to_owned);
        })
    };
    let names = ["scripts/data.csv", "scripts/run.py", "x.sh"];
    for (folder, to) in [(None, "/work"), (Some("/w/dir"), "/w/dir")] {
        let (read, wrote) = copied(&select("seed", folder), b"print(1)");
        assert_eq!(read, names.map(|name| format!("/skills/a/{name}")));
        assert_eq!(wrote, names.map(|name| (format!("{to}/a_custom/{name}"), "print(1)".to_owned())));
    }
    let (read, wrote) = copied(&select("seed", None), b"\xff");
    assert_eq!((read.len(), wrote), (3, Vec::new()), "what is no text");
    assert_eq!(copied(&select(JAVA, None), b""), (Vec::new(), Vec::new()), "there a skill with a folder stays in it");
    let off = with(&files, "seed", Vec::new(), |_| {});
    assert_eq!(copied(&off, b""), (Vec::new(), Vec::new()));
}

#[test]
fn the_newest_copies_the_files_of_skills_without_a_folder() {
    let resource = |name: &str, text: &str| InlineResource {
        name: name.into(),
        description: None,
        body: InlineResourceBody::Value(text.into()),
    };
    let inline = InlineSkill {
        kind: Default::default(),
        name: "tone".into(),
        description: "d".into(),
        instructions: "body".into(),
        license: None,
        compatibility: None,
        allowed_tools: None,
        metadata: Default::default(),
        resources: vec![resource("notes.md", "Be kind."), resource("../out.md", "no")],
        scripts: Vec::new(),
    };
    let mut options = Options { variant: Some(JAVA.into()), inline_skills: vec![inline], ..Options::default() };
    options.settings.agentscope.code_execution = true;
    let catalog = AgentScope.select(&skill::SkillSet::default(), &options);
    let written = ("/work/skills/tone_custom/notes.md".to_owned(), "Be kind.".to_owned());
    assert_eq!(copied(&catalog, b""), (Vec::new(), vec![written]), "where the prompt says that they are");
}

#[test]
fn an_answer_that_only_calls_unknown_tools_ends_the_turn_of_version_1_0() {
    let result = |text: &str| {
        Message::tool_result(ToolResult { call_id: "1".into(), text: text.into(), wire: None, is_error: true })
    };
    for (variant, goes_on) in [(FIRST, true), ("java-1.0.8", false), ("seed", false)] {
        let (catalog, mut session) = (sample(variant), Session::default());
        let called = Message::tool_calls([call("none", "{}")]);
        let mut history = vec![Message::user("go"), called.clone(), result("Error: Tool not found: none")];
        assert_eq!(AgentScope.before_request(&mut history, None, &catalog, &mut session), Prepared::End);
        assert_eq!(history, [Message::user("go"), called.clone()], "the call stays open");
        AgentScope.next_turn(&mut history, TurnEnd::Done, &catalog, &mut session);
        assert_eq!(history.len(), 2);
        history.push(Message::user("go on"));
        let prepared = AgentScope.before_request(&mut history, None, &catalog, &mut session);
        if goes_on {
            assert_eq!((prepared, history.len()), (Prepared::Send, 4), "with the catalogue");
            continue;
        }
        let error = "Cannot add messages without tool results when pending tool calls exist. Pending IDs: [1]";
        assert_eq!(prepared, Prepared::Abort(error.into()));
        AgentScope.next_turn(&mut history, TurnEnd::Broken, &catalog, &mut session);
        assert_eq!(history, [Message::user("go"), called]);
    }
    let mut history = vec![Message::user("go"), Message::tool_calls([call("ask", "{}")]), result("Error")];
    let prepared = AgentScope.before_request(&mut history, None, &sample("seed"), &mut Session::default());
    assert_eq!(prepared, Prepared::Send, "a tool whose group is not active is known");
}

#[test]
fn version_1_0_5_writes_arguments_again() {
    let (catalog, mut session) = (sample(FIRST), Session::default());
    let mut again = |arguments: &str| {
        let mut history = vec![Message::user("go"), Message::tool_calls([call("ask", arguments)])];
        AgentScope.before_request(&mut history, None, &catalog, &mut session);
        history[1].calls().next().unwrap().arguments.clone()
    };
    for (given, written) in [
        ("", "{}"),
        ("[1]", "{}"),
        ("{\"a\": 1e3, \"b\": [1, null, \"\\u0001/é\"]} and more", "{\"a\":1000.0,\"b\":[1,null,\"\\u0001/é\"]}"),
        ("{\"a\": 123456789012345678901234567890}", "{\"a\":123456789012345678901234567890}"),
    ] {
        assert_eq!(again(given), written);
    }
}
