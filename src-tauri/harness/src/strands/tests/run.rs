use camino::Utf8PathBuf;
use serde_json::json;

use super::*;
use crate::sample::manifest;
use crate::{Disclosure, Effect, Expressed, FailureKind, Origin, Prepared, ReplyAuthor};
use config::ScreenplayStep;
use model::{Message, Part, Role, ToolResult};

fn result(id: &str, text: &str) -> Message {
    Message::tool_result(ToolResult { call_id: id.into(), text: text.into(), wire: None, is_error: false })
}

fn prepare(history: &mut Vec<Message>, catalog: &Catalog, session: &mut Session) {
    assert_eq!(Strands.before_request(history, None, catalog, session), Prepared::Send);
}

#[test]
fn only_the_first_skill_of_an_answer_gets_its_instructions() {
    let (one, two) = (manifest("a"), manifest("b"));
    let catalog = catalog("seed", &[("a/SKILL.md", &one), ("b/SKILL.md", &two)]);
    let mut session = Session::default();
    assert_eq!(load("1", "a", &one, &catalog, &mut session), "Launching skill: a");
    assert_eq!(load("2", "b", &two, &catalog, &mut session), "Launching skill: b");
    let calls = [call("1", "Skill", "{\"command\":\"a\"}"), call("2", "Skill", "{\"command\":\"b\"}")];
    let mut history =
        vec![Message::user("go"), Message::tool_calls(calls), result("1", "Launching skill: a"), result("2", "…")];
    prepare(&mut history, &catalog, &mut session);

    let running = "<command-message>The \"a\" skill is running</command-message>\n<command-name>a</command-name>";
    let text = |text: &str| Part::Text { text: text.into() };
    let parts = vec![text(running), text("Base directory for this skill: /skills/a\n\nBody of a.\n"), Part::CachePoint];
    assert_eq!(history.last(), Some(&Message { role: Role::User, parts }));
    let arguments: Vec<&str> = history[1].calls().map(|call| call.arguments.as_str()).collect();
    assert_eq!(arguments, [r#"{"command": "a"}"#, r#"{"command": "b"}"#], "written as Python writes them");
    assert_eq!(session.activated, ["a"]);
    let [first, instructions] = session.injected.as_slice() else { panic!("{:?}", session.injected) };
    assert_eq!(first.text, running);
    let own = Origin::Skill { skill: "a".into(), field: "body".into() };
    let bodies = instructions.marks.iter().filter(|mark| mark.origin == own);
    assert_eq!(bodies.map(|mark| mark.span.of(&instructions.text)).collect::<Vec<_>>(), ["Body of a.\n"]);

    let before = history.clone();
    prepare(&mut history, &catalog, &mut session);
    assert_eq!(history, before, "asking again changes nothing");
    assert_eq!(session.memory.strands.stash.len(), 1, "the second stays for ever");
}

#[test]
fn the_cache_point_moves_to_the_last_message() {
    let catalog = catalog("seed", &[]);
    let mut session = Session::default();
    let mut history = vec![Message::user("a")];
    prepare(&mut history, &catalog, &mut session);
    history.push(Message::tool_calls([call("1", "shell", "{}")]));
    history.push(result("1", "x"));
    prepare(&mut history, &catalog, &mut session);
    let marked: Vec<bool> = history.iter().map(|message| message.parts.contains(&Part::CachePoint)).collect();
    assert_eq!(marked, [false, false, true]);
    let off = catalog_with("seed", &[], |options| options.settings.strands.cache_points = false);
    let mut plain = vec![Message::user("a")];
    prepare(&mut plain, &off, &mut session);
    assert_eq!(plain, [Message::user("a")]);
}

#[test]
fn the_seed_has_its_own_words_for_a_skill_that_does_not_load() {
    let last = |variant: &str| {
        let catalog = catalog(variant, &[("a/SKILL.md", &manifest("a"))]);
        let mut session = Session::default();
        let call = call("1", "Skill", r#"{"command":"nope"}"#);
        let Served::Perform(effect) = Strands.serve(&call, &catalog, &mut session) else { panic!("it reads") };
        assert_eq!(effect, Effect::ReadFile { path: "/skills/nope/SKILL.md".into(), approval: false });
        let done = Performed::failed(FailureKind::NotFound, "");
        let first = reply(Strands.settle(&call, done, &catalog, &mut session));
        assert_eq!((first.text.as_str(), first.is_error), ("Launching skill: nope", false));
        let mut history = vec![result("1", "")];
        prepare(&mut history, &catalog, &mut session);
        assert_eq!(session.activated, [""; 0]);
        history[1].text()
    };
    assert_eq!(last("seed"), "<command-message>The \"nope\" skill failed to load</command-message>");
    assert_eq!(
        last("demo-repo"),
        "<command-message>The \"nope\" skill launching failed</command-message>\n<command-name>nope</command-name>"
    );
}

#[test]
fn the_hook_loads_skills_even_where_there_is_no_tool() {
    let catalog = catalog("seed", &[("a/SKILL.md", &manifest("a")), ("b/x", "")]);
    let mut session = Session::default();
    assert_eq!(load("1", "a", &manifest("a"), &catalog, &mut session), "Unknown tool: Skill");
    assert_eq!(session.memory.strands.stash[0].blocks.len(), 2);
}

#[test]
fn any_path_is_read() {
    let catalog = catalog("seed", &[("a/SKILL.md", &manifest("a"))]);
    let path = |command: &str| {
        let arguments = json!({"command": command}).to_string();
        match Strands.serve(&call("1", "Skill", &arguments), &catalog, &mut Session::default()) {
            Served::Perform(Effect::ReadFile { path, .. }) => path,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(path("../x"), "/skills/../x/SKILL.md");
    assert_eq!(path("/etc"), "/etc/SKILL.md");
    assert_eq!(path(""), "/skills/SKILL.md");
    let call = call("1", "Skill", r#"{"command":"../skills/a"}"#);
    assert_eq!(Strands.disclosure(&call, &catalog), Disclosure::Instructions { skill: "a".into() });
}

#[test]
fn an_input_without_a_command_ends_the_run() {
    let catalog = catalog("seed", &[("a/SKILL.md", &manifest("a"))]);
    let served = |arguments: &str| Strands.serve(&call("1", "Skill", arguments), &catalog, &mut Session::default());
    let aborts = |thrown: &str| Served::Abort(format!("EventLoopException: {thrown}"));
    assert_eq!(served("{}"), aborts("'command'"));
    assert_eq!(served("{\"command\""), aborts("'command'"));
    assert_eq!(served("[1]"), aborts("list indices must be integers or slices, not str"));
    assert_eq!(served("\"x\""), aborts("string indices must be integers, not 'str'"));
    assert_eq!(served("null"), aborts("'NoneType' object is not subscriptable"));
}

#[test]
fn tells_names_that_no_tool_can_have() {
    let catalog = catalog("vended-1.62", &[]);
    let text = |name: &str| {
        let answer = reply(Strands.serve(&call("1", name, "{}"), &catalog, &mut Session::default()));
        assert_eq!((answer.is_error, answer.author), (true, ReplyAuthor::Caller));
        answer.text
    };
    assert_eq!(text("Skill"), "Unknown tool: Skill");
    assert_eq!(text("no such"), "Error: tool_name=<no such> | invalid tool name pattern");
    let long = "a".repeat(65);
    assert_eq!(text(&long), format!("Error: tool_name=<{long}>, tool_name_max_length=<64> | invalid tool name length"));
}

/// Recorded from strands-agents 1.62.0 with the model of OpenAI.
#[test]
fn what_a_model_called_is_written_again_as_python_writes_it() {
    let catalog = catalog("vended-1.62", &[]);
    let sent = |calls: &[(&str, &str)]| {
        let parts = calls
            .iter()
            .enumerate()
            .map(|(id, (name, arguments))| Part::ToolCall(call(&id.to_string(), name, arguments)));
        let answers = calls.iter().enumerate().map(|(id, _)| result(&id.to_string(), "x"));
        let assistant = Message { role: Role::Assistant, parts: parts.collect() };
        let mut history: Vec<Message> = std::iter::once(assistant).chain(answers).collect();
        Strands.before_request(&mut history, None, &catalog, &mut Session::default());
        let called = history[0].parts.iter().map(|part| match part {
            Part::ToolCall(call) => format!("{} {}", call.name, call.arguments),
            Part::Text { text } => text.clone(),
            other => panic!("{other:?}"),
        });
        (called.collect::<Vec<_>>(), history.len() - 1)
    };
    let odd = r#"{"n":[NaN,Infinity,-1e400,123456789012345678901234567890,-0,1.0,1e16],"t":"\u4e2d\u0001"}"#;
    let written = "skills {\"n\": [NaN, Infinity, -Infinity, 123456789012345678901234567890, 0, 1.0, 1e+16], \"t\": \
                   \"中\\u0001\"}";
    assert_eq!(sent(&[("skills", odd)]), (vec![written.to_owned()], 1));
    let long = "a".repeat(65);
    let invalid = || "INVALID_TOOL_NAME {}".to_owned();
    assert_eq!(sent(&[("no such", "{}"), (&long, "[1"), ("a-b", "")]).0, [invalid(), invalid(), "a-b {}".to_owned()]);
    assert_eq!(sent(&[("", "{}")]), (vec!["[blank text]".to_owned()], 0), "a call without a name gets no result");
    assert_eq!(sent(&[("", "{}"), ("a", "{}")]), (vec!["a {}".to_owned()], 1));
}

#[test]
fn half_of_a_character_in_a_name_ends_the_run() {
    let catalog = catalog("vended-1.62", &[("a/SKILL.md", "---\nname: a\ndescription: d\n---\nDo it.\n")]);
    let served = |name: &str| {
        let call = call("1", "skills", &format!(r#"{{"skill_name":"{name}"}}"#));
        Strands.serve(&call, &catalog, &mut Session::default())
    };
    let ended = "EventLoopException: 'utf-8' codec can't encode character '\\ud800': surrogates not allowed";
    assert_eq!(served(r"a\ud800"), Served::Abort(ended.into()));
    assert_eq!(reply(served(r"\ud83d\ude00")).text, "Skill '😀' not found. Available skills: a");
    assert_eq!(reply(served("\u{fffd}")).text, "Skill '\u{fffd}' not found. Available skills: a");
}

#[test]
fn files_are_read_as_python_reads_text() {
    let catalog = catalog("demo-repo", &[]);
    let call = call("1", "file_read", r#"{"path":"it's.md"}"#);
    let mut session = Session { working_directory: Some("/work".into()), ..Session::default() };
    let Served::Perform(effect) = Strands.serve(&call, &catalog, &mut session) else { panic!("it reads") };
    assert_eq!(effect, Effect::ReadFile { path: "/work/it's.md".into(), approval: false });
    let mut text = |done| reply(Strands.settle(&call, done, &catalog, &mut session)).text;
    assert_eq!(text(Performed::Read { bytes: b"a\r\nb\rc".to_vec() }), "a\nb\nc");
    assert_eq!(
        text(Performed::Read { bytes: vec![b'a', 0xFF] }),
        "Error: 'utf-8' codec can't decode byte 0xff in position 1: invalid start byte"
    );
    assert_eq!(
        text(Performed::failed(FailureKind::NotFound, "")),
        "Error: FileNotFoundError - [Errno 2] No such file or directory: \"it's.md\""
    );
    assert_eq!(text(Performed::Denied { reason: None }), "tool cancelled by user");
}

#[test]
fn the_plugin_answers_with_instructions_and_where_they_are_from() {
    let text = "---\nname: a\ndescription: d\nallowed-tools: Read\n---\nDo it.\n";
    let catalog = catalog("vended-1.62", &[("a/SKILL.md", text), ("a/scripts/x.py", "")]);
    let mut session = Session::default();
    let call = call("1", "skills", r#"{"skill_name":"a"}"#);
    let answer = reply(Strands.serve(&call, &catalog, &mut session));
    assert_eq!(
        answer.text,
        "Do it.\n\n---\nAllowed tools: Read\nLocation: /skills/a/SKILL.md\n\nAvailable resources:\n  scripts/x.py"
    );
    let own: Vec<&str> = answer
        .marks
        .iter()
        .filter(|mark| mark.origin != Origin::Framework)
        .map(|mark| mark.span.of(&answer.text))
        .collect();
    assert_eq!(own, ["Do it.", "Read"]);
    assert_eq!(session.activated, ["a"]);
}

#[test]
fn steps_become_calls_of_the_frameworks_tools() {
    let text = manifest("a");
    let found = [("a/SKILL.md", text.as_str()), ("a/scripts/run.py", ""), ("a/notes.md", "")];
    let session = Session { activated: vec!["a".into()], ..Session::default() };
    let steps = [
        ScreenplayStep::Activate { activate: "a".into() },
        ScreenplayStep::Read { read: "notes.md".into() },
        ScreenplayStep::Run { run: "a/scripts/run.py".into(), with: Some(json!({"value": 1})) },
        ScreenplayStep::Call { call: "editor".into(), with: None },
        ScreenplayStep::Say { say: "done".into() },
    ];
    let said = |variant: &str| {
        let catalog = catalog(variant, &found);
        steps.iter().map(|step| Strands.express(step, &catalog, &session)).collect::<Vec<_>>()
    };
    let call = |tool: &str, arguments| Some(Expressed { tool: tool.into(), arguments });
    let read = call("file_read", json!({"path": "/skills/a/notes.md"}));
    let run = call("shell", json!({"command": "python3 /skills/a/scripts/run.py --value 1"}));
    let load = call("Skill", json!({"command": "a"}));
    let view = call("file_read", json!({"path": "/skills/a/notes.md", "mode": "view"}));
    assert_eq!(said("seed"), [load, view, run.clone(), call("editor", json!({})), None]);
    let load = call("skills", json!({"skill_name": "a"}));
    assert_eq!(said("vended-1.62"), [load, read, run, None, None]);
}

#[test]
fn calls_tell_what_they_disclose() {
    let text = manifest("a");
    let catalog = catalog("seed", &[("a/SKILL.md", &text), ("a/scripts/run.py", ""), ("a/notes.md", "")]);
    let told =
        |name: &str, input: serde_json::Value| Strands.disclosure(&call("1", name, &input.to_string()), &catalog);
    let resource = Disclosure::Resource { skill: "a".into(), resource: "notes.md".into() };
    let instructions = Disclosure::Instructions { skill: "a".into() };
    assert_eq!(told("Skill", json!({"command": "a"})), instructions);
    assert_eq!(told("file_read", json!({"path": "/skills/a/notes.md"})), resource);
    assert_eq!(told("file_read", json!({"path": "/skills/a/SKILL.md"})), instructions);
    assert_eq!(told("shell", json!({"command": "cat /skills/a/notes.md | wc"})), resource);
    assert_eq!(told("editor", json!({"command": "view", "path": "/skills/a/notes.md"})), resource);
    assert_eq!(
        told("shell", json!({"command": "python3 /skills/a/scripts/run.py --value 1"})),
        Disclosure::Script { skill: "a".into(), script: "scripts/run.py".into() }
    );
    for input in [json!({"command": 5}), json!([]), json!({"command": "nope"})] {
        assert_eq!(told("Skill", input), Disclosure::None);
    }
}

#[test]
fn several_folders_of_skills_are_each_searched() {
    let (one, two) = (manifest("a"), manifest("b"));
    let mut found = disk(&[("a/SKILL.md", &one)]);
    let mut other = disk(&[("b/SKILL.md", &two)]).roots.remove(0);
    other.path = Utf8PathBuf::from("/more");
    if let Some(skill::Entry::Folder(folder)) = other.tree.entries.first_mut() {
        folder.path = "/more/b".into();
    }
    found.roots.push(other);
    let catalog = Strands.select(&found, &Options::default());
    let call = call("1", "Skill", r#"{"command":"b"}"#);
    let served = Strands.serve(&call, &catalog, &mut Session::default());
    assert_eq!(served, Served::Perform(Effect::ReadFile { path: "/more/b/SKILL.md".into(), approval: false }));
}

#[test]
fn the_real_tools_read_and_run() {
    let catalog = catalog("seed", &[("a/SKILL.md", &manifest("a"))]);
    let shown = Strands.present(&catalog, &Session::default()).tools;
    let parameters = |name: &str| {
        let tool = shown.iter().find(|tool| tool.definition.name == name).unwrap();
        tool.definition.parameters["properties"].as_object().unwrap().len()
    };
    assert_eq!(["file_read", "shell", "editor"].map(parameters), [15, 5, 10]);

    let mut session = Session { working_directory: Some("/work".into()), ..Session::default() };
    let mut read = |input: serde_json::Value, done: Vec<Performed>| {
        let call = call("1", "file_read", &input.to_string());
        let mut served = Strands.serve(&call, &catalog, &mut session);
        for done in done {
            served = Strands.settle(&call, done, &catalog, &mut session);
        }
        let reply = reply(served);
        (reply.text, reply.is_error)
    };
    let text = || Performed::Read { bytes: b"one\nTwo\nthree\n".to_vec() };
    let good = |text: &str| (text.to_owned(), false);
    assert_eq!(
        read(json!({"path": "x.md", "mode": "view"}), vec![text()]),
        good("Content of x.md:\none\nTwo\nthree\n")
    );
    let lines = json!({"path": "x.md", "mode": "lines", "start_line": 1, "end_line": 2});
    assert_eq!(read(lines, vec![text()]), good("Two\n"));
    let search = json!({"path": "x.md", "mode": "search", "search_pattern": "two", "context_lines": 1});
    assert_eq!(read(search, vec![text()]), good("  1: one\n→ 2: [bold yellow]Two[/bold yellow]\n  3: three"));
    assert_eq!(read(json!({"path": "x.md"}), vec![]), ("Error: mode parameter is required".to_owned(), true));
    let gone = || Performed::failed(FailureKind::NotFound, "");
    let diff = || json!({"path": "x.md", "mode": "diff", "comparison_path": "old/y.md"});
    let other = Performed::Read { bytes: b"one\r\ntwo\nthree\n".to_vec() };
    let lines = "--- x.md\n+++ y.md\n@@ -1,3 +1,3 @@\n one\n\n-Two\n\n+two\n\n three\n";
    assert_eq!(
        read(diff(), vec![text(), other]),
        good(&format!("Diff between x.md and old/y.md:\n{lines}")),
        "lines keep their ends"
    );
    for (done, why) in [
        (gone(), "Both paths must be either files or directories"),
        (Performed::failed(FailureKind::NoPermission, ""), "[Errno 13] Permission denied: 'old/y.md'"),
        (
            Performed::Read { bytes: vec![0xff] },
            "'utf-8' codec can't decode byte 0xff in position 0: invalid start byte",
        ),
    ] {
        let said = format!("Error processing file x.md: Error creating diff: {why}");
        assert_eq!(read(diff(), vec![text(), done]), good(&said));
    }
    let nothing = Performed::Listed { entries: Vec::new() };
    assert_eq!(
        read(json!({"path": "x.md", "mode": "view"}), vec![gone(), nothing]),
        ("No files found matching pattern(s): x.md".to_owned(), true)
    );

    let ran = |exit_code, stdout: &str| {
        Performed::Ran(crate::ScriptOutput {
            stdout: stdout.into(),
            stderr: String::new(),
            exit_code: Some(exit_code),
            timed_out: false,
            truncated: false,
            took: 1,
        })
    };
    let call = call("2", "shell", r#"{"command": ["cd a", "false", "never"]}"#);
    let Served::Perform(_) = Strands.serve(&call, &catalog, &mut session) else { panic!("it runs") };
    let Served::Perform(second) = Strands.settle(&call, ran(0, ""), &catalog, &mut session) else { panic!("and on") };
    let expected =
        Effect::Shell { command: "false".into(), working_directory: Some("/work/a".into()), timeout: Some(900) };
    assert_eq!(second, expected);
    let reply = reply(Strands.settle(&call, ran(1, "no\n"), &catalog, &mut session));
    assert_eq!(
        reply.text,
        "Execution Summary:\nTotal commands: 2\nSuccessful: 1\nFailed: 1\nCommand: cd a\nStatus: success\nExit Code: 0\n\
         Output: \nError: \nCommand: false\nStatus: error\nExit Code: 1\nOutput: no\r\n\nError: "
    );
    assert!(reply.is_error);
}

#[test]
fn what_a_framework_puts_behind_results_is_in_their_message() {
    let text = |text: &str| Part::Text { text: text.into() };
    let injected = Message { role: Role::User, parts: vec![text("one"), text("two"), Part::CachePoint] };
    let messages =
        vec![Message::user("go"), Message::tool_calls([call("1", "Skill", "{}")]), result("1", "x"), injected];
    let dialect = Strands.dialect(&catalog("seed", &[]));
    let request = model::ModelRequest { messages, dialect, ..model::ModelRequest::default() };
    let body = model::protocol::Protocol::Anthropic.encode("m", &request, false, &model::Sampling::default());
    let body: serde_json::Value = serde_json::from_str(&body).unwrap();
    let last = body["messages"].as_array().unwrap().last().unwrap();
    let kinds: Vec<&str> =
        last["content"].as_array().unwrap().iter().map(|block| block["type"].as_str().unwrap()).collect();
    assert_eq!((last["role"].as_str(), kinds), (Some("user"), vec!["tool_result", "text", "text"]));
    assert_eq!(last["content"][2]["cache_control"], json!({"type": "ephemeral"}));
}

#[test]
fn bedrock_is_sent_the_conversation_as_the_framework_keeps_it() {
    let text = |text: &str| Part::Text { text: text.into() };
    let injected = Message { role: Role::User, parts: vec![text("one"), text("two"), Part::CachePoint] };
    let messages =
        vec![Message::user("go"), Message::tool_calls([call("1", "Skill", "{}")]), result("1", "x"), injected];
    let kept = crate::strands::bedrock::blocks(&messages);
    let dialect = Strands.dialect(&catalog("seed", &[]));
    let request = model::ModelRequest { messages, dialect, ..model::ModelRequest::default() };
    let body = model::protocol::Protocol::Bedrock.encode("m", &request, false, &model::Sampling::default());
    let body: serde_json::Value = serde_json::from_str(&body).unwrap();
    assert_eq!(body["messages"], kept);
}

#[test]
fn half_of_a_character_in_a_call_ends_the_run_before_the_next_request() {
    let prepared = |variant: &str, arguments: &str| {
        let calls = Message::tool_calls([call("1", "file_read", arguments)]);
        let mut history = vec![Message::user("go"), calls, result("1", "Error")];
        Strands.before_request(&mut history, None, &catalog(variant, &[]), &mut Session::default())
    };
    let half = r#"{"path": "\ud83d"}"#;
    let ended = "EventLoopException: 'utf-8' codec can't encode character '\\ud83d': surrogates not allowed";
    assert_eq!(prepared("vended-1.62", half), Prepared::Abort(ended.into()));
    assert_eq!(prepared("vended-1.62", r#"{"path": "\ud83d\ude00"}"#), Prepared::Send, "both halves");
    assert_eq!(prepared("vended-1.62", r#"{"path": "\ud83d"#), Prepared::Send, "no JSON, which counts as empty");
}

#[test]
fn file_read_hands_over_whole_files_with_names_of_their_own() {
    let catalog = catalog("seed", &[("a/SKILL.md", &manifest("a"))]);
    let mut session = Session { working_directory: Some("/work".into()), ..Session::default() };
    let mut read = |input: serde_json::Value, done: Vec<Performed>| {
        let call = call("1", "file_read", &input.to_string());
        let mut served = Strands.serve(&call, &catalog, &mut session);
        for done in done {
            served = Strands.settle(&call, done, &catalog, &mut session);
        }
        let reply = reply(served);
        assert!(!reply.is_error, "{}", reply.text);
        let told = reply.documents.into_iter().map(|file| (file.name, file.format, file.data));
        (reply.text, told.collect::<Vec<_>>())
    };
    let bytes = || Performed::Read { bytes: vec![0xff] };
    let (_, once) = read(json!({"path": "x/Report.v2.PDF", "mode": "document"}), vec![bytes()]);
    let (_, twice) = read(json!({"path": "x/Report.v2.PDF", "mode": "document"}), vec![bytes()]);
    for [(name, format, data)] in [&once, &twice].map(|files| <[_; 1]>::try_from(files.clone()).unwrap()) {
        let (stem, chance) = name.split_once('-').unwrap();
        assert_eq!((stem, format.as_str(), data.as_str(), chance.len()), ("Report.v2", "pdf", "/w==", 8));
    }
    assert_ne!(once[0].0, twice[0].0, "a provider refuses two of one name");

    let named = json!({"path": "a.md,.csv", "mode": "document", "neutral_name": "Numbers", "format": "md"});
    let file = |format: &str| ("Numbers".to_owned(), format.to_owned(), "/w==".to_owned());
    assert_eq!(read(named, vec![bytes(), bytes()]), (String::new(), vec![file("md"), file("md")]));
    let hidden = json!({"path": ".csv", "mode": "document", "neutral_name": "Numbers", "format": ""});
    assert_eq!(read(hidden, vec![bytes()]).1, [file("txt")], "a name that is an ending has none");

    let both = json!({"path": "a.csv,b.csv,c.csv", "mode": "document", "neutral_name": "Numbers"});
    let refused = Performed::failed(FailureKind::NoPermission, "");
    let too_long = Performed::failed(FailureKind::Other, "it has more than 8 MiB");
    let (text, files) = read(both, vec![bytes(), refused, too_long]);
    assert_eq!(text, "Error creating document block for c.csv: it has more than 8 MiB", "the tool itself keeps this");
    assert_eq!(files, [file("csv")]);
}
