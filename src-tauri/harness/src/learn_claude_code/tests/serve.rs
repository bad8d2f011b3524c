//! What the model is shown and what its calls get.

use super::*;
use crate::{Delegated, DelegationEnd, FailureKind, ScriptOutput};

fn serve(catalog: &Catalog, name: &str, arguments: &str) -> Served {
    LearnClaudeCode.serve(&call(name, arguments), catalog, &mut session())
}

fn settle(catalog: &Catalog, name: &str, arguments: &str, done: Performed) -> Served {
    LearnClaudeCode.settle(&call(name, arguments), done, catalog, &mut session())
}

fn ran(stdout: &str, stderr: &str, timed_out: bool) -> Performed {
    let (stdout, stderr) = (stdout.into(), stderr.into());
    Performed::Ran(ScriptOutput { stdout, stderr, exit_code: Some(1), timed_out, truncated: false, took: 1 })
}

#[test]
fn marks_where_each_byte_of_the_catalogue_and_of_a_skill_comes_from() {
    let catalog = catalog("seed");
    let session = Session { agent_instructions: Some("Be brief.".into()), ..Session::default() };
    let shown = LearnClaudeCode.present(&catalog, &session).instructions.unwrap();
    insta::assert_snapshot!(marked(&shown), @r#"
    user: "Be brief."
    framework: "\n\nYou are a coding assistant at {cwd}.\nUse the todo tool to plan multi-step tasks. Mark in_progress before starting, completed when done.\nPrefer tools over prose.\nYour thinking and response must be the same language as the user's question.\n\nSkills available:\n - "
    greeter.name: "greeter"
    framework: ": "
    greeter.description: "About greeter"
    framework: "\n"
    "#);
    let Served::Reply(ToolReply { text, marks, .. }) = serve(&catalog, "load_skill", r#"{"name":"greeter"}"#) else {
        panic!("a skill is loaded at once")
    };
    assert_eq!(text, catalog.skills[0].content);
    insta::assert_snapshot!(marked(&Marked { text, marks }), @r#"
    framework: "<skill name=\""
    greeter.name: "greeter"
    framework: "\">\n"
    greeter.body: "Body of greeter."
    framework: "\n</skill>"
    "#);
}

#[test]
fn fails_as_python_does() {
    let catalog = catalog("seed");
    let said = |name: &str, arguments: &str| text(serve(&catalog, name, arguments));
    assert_eq!(said("load_skill", r#"{"name":5}"#), "(Error: Skill '5' not found)");
    assert_eq!(said("load_skill", r#"{"name":null}"#), "(Error: Skill 'None' not found)");
    assert_eq!(said("load_skill", r#"{"name":["greeter"]}"#), "Error: unhashable type: 'list'");
    assert_eq!(
        said("load_skill", "null"),
        "Error: __main__.<lambda>() argument after ** must be a mapping, not NoneType"
    );
    assert_eq!(
        said("nosuch", "{"),
        "Error: invalid JSON arguments - Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"
    );
    assert_eq!(said("nosuch", "[]"), "Error: unknown tool `nosuch`");
    assert_eq!(said("compact", "{}"), "Error: unknown tool `compact`", "the seed's list of tools does not have it");
    assert_eq!(said("bash", "{}"), "Error: 'command'");
    assert_eq!(said("bash", r#"{"command":5}"#), "Error: argument of type 'int' is not iterable");
    assert_eq!(said("bash", r#"{"command":[1]}"#), "Error: expected str, bytes or os.PathLike object, not int");
    assert_eq!(said("bash", r#"{"command":"a\u0000"}"#), "Error: embedded null byte");
    assert_eq!(said("bash", r#"{"command":"echo > /dev/null"}"#), "Error: Dangerous command blocked");
    assert_eq!(said("task", "{}"), "Error: 'prompt'");
    let mut child = Session { delegated: true, ..session() };
    let task = LearnClaudeCode.serve(&call("task", r#"{"prompt":"x"}"#), &catalog, &mut child);
    assert_eq!(text(task), "Error: unknown tool `task`");
}

#[test]
fn a_command_gives_both_outputs_whatever_its_exit_code() {
    let catalog = catalog("seed");
    let said = |done| text(settle(&catalog, "bash", r#"{"command":"x"}"#, done));
    assert_eq!(said(ran("a\r\nb\n", "c\n", false)), "a\nb\nc");
    assert_eq!(said(ran(" \n", "", false)), "(no output)");
    assert_eq!(said(ran("中", "", true)), "Error: Timeout (120s)");
    assert_eq!(said(ran(&"中".repeat(50_001), "", false)).chars().count(), 50_000);
    assert_eq!(said(Performed::Stubbed { text: " as is".into() }), " as is");
    assert_eq!(said(Performed::Denied { reason: Some("no".into()) }), "Error: the user did not allow it: no");
    assert_eq!(said(Performed::failed(FailureKind::Other, "boom")), "Error: boom");
    let list = effect(serve(&catalog, "bash", r#"{"command":["ls","-l"]}"#));
    assert_eq!(
        list,
        Effect::Shell { command: "/bin/sh -c ls -l".into(), working_directory: None, timeout: Some(120) },
        "further items are the command's own arguments"
    );
}

#[test]
fn a_sub_agent_gives_its_last_answer_and_shares_the_todos() {
    let catalog = catalog("seed");
    let mut session = session();
    let task = call("task", r#"{"prompt":"look"}"#);
    let Effect::Delegate(delegation) = effect(LearnClaudeCode.serve(&task, &catalog, &mut session)) else {
        panic!("a sub-agent is asked")
    };
    assert_eq!(delegation.messages, [Message::system("You are a subagent."), Message::user("look")]);
    assert_eq!((delegation.iterations, delegation.max_tokens, delegation.with_history), (Some(30), Some(8000), false));

    let mut child = Session { delegated: true, ..session.clone() };
    let todo = call("todo", r#"{"items":[{"id":"1","text":"a"}]}"#);
    text(LearnClaudeCode.serve(&todo, &catalog, &mut child));
    let mut over = |end, said: &str| {
        let messages = vec![Message::assistant(said)];
        let delegated = Delegated { messages, end, memory: child.memory.clone() };
        text(LearnClaudeCode.settle(&task, Performed::Delegated(delegated), &catalog, &mut session))
    };
    assert_eq!(over(DelegationEnd::Done, "found it"), "found it");
    assert_eq!(over(DelegationEnd::Done, ""), "(no summary)");
    assert_eq!(over(DelegationEnd::Limited, "still at it"), "(no summary)");
    assert_eq!(over(DelegationEnd::Failed("timeout".into()), ""), "Error: timeout");
    assert_eq!(session.memory.learn_claude_code.todos, child.memory.learn_claude_code.todos);
}

#[test]
fn upstream_has_its_own_words() {
    let catalog = catalog("upstream");
    let shown = LearnClaudeCode.present(&catalog, &session());
    insta::assert_snapshot!(shown.instructions.as_ref().unwrap().text, @r"
    You are a coding agent at /project.
    Use load_skill to access specialized knowledge before tackling unfamiliar topics.

    Skills available:
      - greeter: About greeter
    ");
    let tools: Vec<_> = shown.tools.iter().map(|tool| tool.definition.name.as_str()).collect();
    assert_eq!(tools, ["bash", "read_file", "write_file", "edit_file", "todo", "load_skill", "task", "compact"]);
    let child = LearnClaudeCode.present(&catalog, &Session { delegated: true, ..session() });
    assert_eq!(child.tools.len(), 4);
    let said = |name: &str, arguments: &str| text(serve(&catalog, name, arguments));
    assert_eq!(said("load_skill", r#"{"name":"x"}"#), "Error: Unknown skill 'x'. Available: greeter");
    assert_eq!(said("nosuch", "{}"), "Unknown tool: nosuch");

    let tagged = disk(&[("a/SKILL.md", "---\nname: a\ntags: x, y\n---\nA\n")]);
    let shown = LearnClaudeCode.present(&catalog_of(&tagged, "upstream", |_| {}), &session()).instructions.unwrap();
    assert!(shown.text.ends_with("\n  - a: No description [x, y]"));
    let none = LearnClaudeCode.present(&catalog_of(&SkillSet::default(), "upstream", |_| {}), &session());
    assert!(none.instructions.unwrap().text.ends_with("\n(no skills available)"));
}

#[test]
fn upstream_reads_writes_and_edits_inside_the_working_directory() {
    let catalog = catalog("upstream");
    let begun = |name: &str, arguments: serde_json::Value| serve(&catalog, name, &arguments.to_string());
    let done = |name: &str, arguments: serde_json::Value, done| settle(&catalog, name, &arguments.to_string(), done);
    let bytes = |text: &str| Performed::Read { bytes: text.into() };
    assert_eq!(text(begun("read_file", json!({"path": "../x"}))), "Error: Path escapes workspace: ../x");
    let Served::Reply(refused) = begun("read_file", json!({"path": "../x"})) else { panic!("no file is read") };
    assert!(refused.is_error, "an exception that the tool caught is one");
    assert_eq!(text(begun("read_file", json!({"path": "/etc/x"}))), "Error: Path escapes workspace: /etc/x");
    assert_eq!(
        effect(begun("read_file", json!({"path": "a/../x"}))),
        Effect::ReadFile { path: "/project/x".into(), approval: false }
    );
    let limited =
        |limit: serde_json::Value| text(done("read_file", json!({"path": "x", "limit": limit}), bytes("1\r\n2\n3\n")));
    assert_eq!(limited(json!(null)), "1\n2\n3");
    assert_eq!(limited(json!(2)), "1\n2\n... (1 more)");
    assert_eq!(limited(json!(-1)), "1\n2\n... (4 more)");
    assert_eq!(limited(json!(3)), "1\n2\n3");
    assert_eq!(limited(json!("2")), "Error: '<' not supported between instances of 'str' and 'int'");
    let none = Performed::failed(FailureKind::NotFound, "gone");
    assert_eq!(
        text(done("read_file", json!({"path": "x"}), none)),
        "Error: [Errno 2] No such file or directory: '/project/x'"
    );
    let write = || json!({"path": "x", "content": "中文"});
    assert_eq!(
        effect(begun("write_file", write())),
        Effect::WriteFile { path: "/project/x".into(), text: "中文".into() }
    );
    assert_eq!(text(done("write_file", write(), Performed::Wrote)), "Wrote 2 bytes");
    let edit = || json!({"path": "x", "old_text": "a", "new_text": "b"});
    assert_eq!(text(done("edit_file", edit(), bytes("xyz"))), "Error: Text not found in x");
    assert_eq!(
        effect(done("edit_file", edit(), bytes("a a"))),
        Effect::WriteFile { path: "/project/x".into(), text: "b a".into() }
    );
    assert_eq!(text(done("edit_file", edit(), Performed::Wrote)), "Edited x");
    assert_eq!(text(begun("edit_file", json!({"path": "x"}))), "Error: 'old_text'");
}

#[test]
fn expresses_steps_in_its_own_tools() {
    let catalog = catalog("seed");
    let active = Session { activated: vec!["greeter".into()], ..session() };
    let steps = "
- activate: greeter
- read: references/words.md
- run: greeter/scripts/greet.py
  with: {value: 1, factor: 2.20462}
- call: todo
  with: {items: []}
- call: read_file
- say: done
";
    let steps: Vec<ScreenplayStep> = serde_yaml::from_str(steps).unwrap();
    let calls = steps.iter().map(|step| match LearnClaudeCode.express(step, &catalog, &active) {
        Some(Expressed { tool, arguments }) => format!("{tool} {arguments}"),
        None => "-".into(),
    });
    insta::assert_snapshot!(calls.collect::<Vec<_>>().join("\n"), @r#"
    load_skill {"name":"greeter"}
    bash {"command":"cat /skills/greeter/references/words.md"}
    bash {"command":"python3 /skills/greeter/scripts/greet.py --value 1 --factor 2.20462"}
    todo {"items":[]}
    -
    -
    "#);
}

#[test]
fn knows_what_a_call_discloses() {
    let catalog = catalog("upstream");
    let of = |name: &str, arguments: serde_json::Value| {
        LearnClaudeCode.disclosure(&call(name, &arguments.to_string()), &catalog)
    };
    let skill = || "greeter".to_owned();
    assert_eq!(of("load_skill", json!({"name": "greeter"})), Disclosure::Instructions { skill: skill() });
    assert_eq!(of("load_skill", json!({"name": "Greeter"})), Disclosure::None);
    let words = Disclosure::Resource { skill: skill(), resource: "references/words.md".into() };
    assert_eq!(of("bash", json!({"command": "cat /skills/greeter/references/words.md"})), words);
    assert_eq!(of("read_file", json!({"path": "/skills/greeter/references/words.md"})), words);
    assert_eq!(of("todo", json!({"items": []})), Disclosure::None);
    assert_eq!(LearnClaudeCode.disclosure(&call("bash", "{"), &catalog), Disclosure::None);
}

#[test]
fn arbitrary_arguments_never_panic() {
    use proptest::prelude::*;
    let catalogs = [catalog("seed"), catalog("upstream")];
    proptest!(|(name in 0..8usize, key in 0..8usize, value in "[\\[\\]{}\":,0-9a-z\\\\./-]{0,20}")| {
        let tools = ["bash", "read_file", "write_file", "edit_file", "todo", "load_skill", "task", "compact"];
        let keys = ["command", "path", "content", "items", "name", "prompt", "limit", "focus"];
        for catalog in &catalogs {
            for arguments in [value.clone(), format!("{{\"{}\":{value}}}", keys[key]), json!({keys[key]: value}).to_string()] {
                let call = call(tools[name], &arguments);
                LearnClaudeCode.disclosure(&call, catalog);
                LearnClaudeCode.serve(&call, catalog, &mut session());
                let read = Performed::Read { bytes: value.clone().into_bytes() };
                LearnClaudeCode.settle(&call, read, catalog, &mut session());
            }
        }
    });
}
