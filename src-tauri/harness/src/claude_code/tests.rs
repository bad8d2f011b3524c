//! What the recordings do not show, and the steps between a call and its answer.

use serde_json::json;

use super::{CLIENT, ClaudeCode, MANIFEST};
use crate::sample::disk;
use crate::{
    Catalog, Delegated, DelegationEnd, Disclosure, Effect, Harness, Memory, Options, Origin, Performed, Prepared,
    QuirkKind, ScriptOutput, Served, Session,
};
use config::ScreenplayStep;
use config::options::ClaudeCodeOptions;
use model::{Message, Part, Role, ToolCall};

fn catalog_of(files: &[(&str, &str)], variant: &str, set: impl FnOnce(&mut ClaudeCodeOptions)) -> Catalog {
    let mut options = Options { variant: Some(variant.into()), ..Options::default() };
    set(&mut options.settings.claude_code);
    ClaudeCode.select(&disk(files), &options)
}

fn catalog(files: &[(&str, &str)]) -> Catalog {
    catalog_of(files, "2.1.330", |_| {})
}

fn skill(fields: &str, body: &str) -> String {
    format!("---\ndescription: About it.\n{fields}---\n{body}")
}

fn list(catalog: &Catalog) -> String {
    let mut history = vec![Message::user("hi")];
    let prepared = ClaudeCode.before_request(&mut history, None, catalog, &mut Session::default());
    assert_eq!(prepared, Prepared::Send);
    history[0].text().strip_suffix("hi").unwrap().to_owned()
}

fn call(arguments: &serde_json::Value) -> ToolCall {
    ToolCall::new("toolu_1", "Skill", arguments.to_string())
}

fn replied(served: Served) -> (String, bool) {
    match served {
        Served::Reply(reply) => (reply.text, reply.is_error),
        other => panic!("{other:?}"),
    }
}

fn printed(text: &str) -> Performed {
    Performed::Ran(ScriptOutput {
        stdout: text.into(),
        stderr: String::new(),
        exit_code: Some(0),
        timed_out: false,
        truncated: false,
        took: 1,
    })
}

/// What follows the results.
fn delivered(catalog: &Catalog, session: &mut Session) -> Vec<String> {
    let mut history = Vec::new();
    session.memory.claude_code.listed = true;
    ClaudeCode.before_request(&mut history, None, catalog, session);
    history.iter().map(Message::text).collect()
}

fn kinds(catalog: &Catalog) -> Vec<(QuirkKind, String)> {
    catalog.quirks.iter().map(|quirk| (quirk.kind, quirk.detail.clone())).collect()
}

#[test]
fn commands_in_the_instructions_run_before_they_are_given() {
    let text = skill("", "Now: !`echo $1` and\n!`date`\nnot`!x`.\n");
    let catalog = catalog(&[("clock/SKILL.md", &text)]);
    let mut session = Session::default();
    let call = call(&json!({"skill": "clock", "args": "a 'b !`rm x`'"}));
    let shell = |command: &str| {
        Served::Perform(Effect::Shell { command: command.into(), working_directory: None, timeout: None })
    };
    assert_eq!(ClaudeCode.serve(&call, &catalog, &mut session), shell("echo b !`rm x`"));
    assert_eq!(ClaudeCode.settle(&call, printed("$0 !`x`\n"), &catalog, &mut session), shell("date"));
    let last = ClaudeCode.settle(&call, printed("Monday\n"), &catalog, &mut session);
    assert_eq!(replied(last), ("Launching skill: clock".into(), false));
    assert_eq!(
        delivered(&catalog, &mut session),
        ["Base directory for this skill: /skills/clock\n\nNow: $0 !`x` and\nMonday\nnot`!x`.\n"],
        "neither output nor arguments are looked at again"
    );
    let origins: Vec<&Origin> = session.injected[0].marks.iter().map(|mark| &mark.origin).collect();
    assert!(origins.contains(&&Origin::Tool { tool: "Bash".into() }));
    assert_eq!(kinds(&catalog).len(), 2);
}

#[test]
fn a_command_that_the_user_refuses_keeps_the_skill_away() {
    let text = skill("", "!`date`\n");
    let catalog = catalog(&[("clock/SKILL.md", &text)]);
    let mut session = Session::default();
    let call = call(&json!({"skill": "clock"}));
    ClaudeCode.serve(&call, &catalog, &mut session);
    let done = Performed::Denied { reason: None };
    let (text, is_error) = replied(ClaudeCode.settle(&call, done, &catalog, &mut session));
    assert_eq!((text.as_str(), is_error), ("The user did not allow this call.", true));
    assert_eq!((session.activated.len(), delivered(&catalog, &mut session)), (0, Vec::new()));
}

#[test]
fn a_skill_with_allowed_tools_asks_and_then_runs_its_commands() {
    let text = skill("allowed-tools: Read\n", "!`date`\n");
    for (variant, refused) in [
        ("2.1.197", "Execute skill: clock"),
        (
            "2.1.330",
            "Execute skill: clock. The user can add the allow rule Skill(clock) to .claude/settings.local.json to let it \
             run without asking.",
        ),
    ] {
        let catalog = catalog_of(&[("clock/SKILL.md", &text)], variant, |_| {});
        let call = call(&json!({"skill": "clock"}));
        let mut session = Session::default();
        let asked = ClaudeCode.serve(&call, &catalog, &mut session);
        assert_eq!(asked, Served::Perform(Effect::Disclose { skill: "clock".into(), resource: None }));
        let done = Performed::Denied { reason: Some("no".into()) };
        assert_eq!(replied(ClaudeCode.settle(&call, done, &catalog, &mut session)), (refused.into(), true));
        ClaudeCode.serve(&call, &catalog, &mut session);
        let served = ClaudeCode.settle(&call, Performed::Agreed, &catalog, &mut session);
        assert!(matches!(served, Served::Perform(Effect::Shell { .. })));
        assert!(kinds(&catalog).contains(&(QuirkKind::AsksBeforeLoad, "allowed-tools".into())));
    }
}

#[test]
fn a_fork_works_on_the_instructions_with_the_model_that_the_project_has_for_it() {
    let text = skill("context: fork\nagent: Explore\nmodel: small\n", "Do $ARGUMENTS.\n");
    let files = [("fork/SKILL.md", text.as_str())];
    let with = catalog_of(&files, "2.1.330", |options| options.models = [("small".into(), "m".into())].into());
    let without = catalog(&files);
    let call = call(&json!({"skill": "fork", "args": "it"}));
    let mut session = Session::default();
    for (catalog, model) in [(&with, Some("m")), (&without, None)] {
        let Served::Perform(Effect::Delegate(delegation)) = ClaudeCode.serve(&call, catalog, &mut session) else {
            panic!("it is delegated");
        };
        assert_eq!(delegation.model.as_deref(), model);
        assert_eq!(delegation.agent.as_deref(), Some("Explore"));
        assert_eq!(delegation.messages, [Message::user("Base directory for this skill: /skills/fork\n\nDo it.\n")]);
        assert!(delegation.tools.iter().all(|tool| tool.name != "Skill"));
    }
    let done =
        Delegated { messages: vec![Message::assistant("Done.")], end: DelegationEnd::Done, memory: Memory::default() };
    let (text, _) = replied(ClaudeCode.settle(&call, Performed::Delegated(done), &with, &mut session));
    assert_eq!(text, "Skill \"fork\" completed (forked execution).\n\nResult:\nDone.");
    assert!(!kinds(&with).contains(&(QuirkKind::HubEntryMissing, "small".into())));
    assert!(kinds(&without).contains(&(QuirkKind::HubEntryMissing, "small".into())));
}

#[test]
fn instructions_that_have_changed_are_given_again() {
    let text = skill("", "For $ARGUMENTS.\n");
    let catalog = catalog(&[("a/SKILL.md", &text)]);
    let mut session = Session::default();
    let mut given = |arguments: &str| {
        ClaudeCode.serve(&call(&json!({"skill": "a", "args": arguments})), &catalog, &mut session);
        delivered(&catalog, &mut session).remove(0)
    };
    assert!(given("x").ends_with("For x.\n"));
    assert_eq!(given("x"), "Skill /a is already loaded above; instructions unchanged.");
    assert!(given("y").ends_with("For y.\n"));
}

#[test]
fn wide_characters_take_two_columns_of_the_list() {
    let narrow = format!("---\ndescription: {}\n---\nx", "a".repeat(10));
    let wide = format!("---\ndescription: {}\n---\nx", "中".repeat(10));
    // Two lines: `- a: ` and ten columns, and a line feed.
    let room = |columns: u32| {
        move |options: &mut ClaudeCodeOptions| {
            options.context_window = columns;
            options.skill_listing_budget_fraction = 0.25;
        }
    };
    let of = |text: &str, columns| {
        let catalog = catalog_of(&[("a/SKILL.md", text), ("b/SKILL.md", text)], "2.1.330", room(columns));
        let left_out = kinds(&catalog).iter().filter(|(kind, _)| *kind == QuirkKind::DescriptionLeftOut).count();
        assert_eq!(list(&catalog).matches(": ").count(), 2 - left_out);
        left_out
    };
    assert_eq!([of(&narrow, 31), of(&narrow, 30), of(&wide, 51), of(&wide, 50), of(&wide, 28)], [0, 1, 0, 1, 2]);
}

#[test]
fn long_descriptions_are_cut_and_hidden_ones_are_not_listed() {
    let long = format!("---\ndescription: {}\n---\nx", "a".repeat(1537));
    let just = format!("---\ndescription: {}\n---\nx", "a".repeat(1536));
    let (hidden, bound) = (skill("disable-model-invocation: true\n", "x"), skill("paths: '*.py'\n", "x"));
    let catalog =
        catalog(&[("a/SKILL.md", &long), ("b/SKILL.md", &just), ("c/SKILL.md", &hidden), ("d/SKILL.md", &bound)]);
    let list = list(&catalog);
    let lines: Vec<usize> = list.lines().skip(3).map(|line| line.chars().count()).collect();
    assert_eq!(lines, [1541, 1541, 18], "5 of the name, and 1536");
    assert!(list.contains("a…\n"));
    let kinds = kinds(&catalog);
    assert!(kinds.contains(&(QuirkKind::DescriptionCut, "1536".into())));
    assert!(kinds.contains(&(QuirkKind::NotListed, "disable-model-invocation".into())));
    assert!(kinds.contains(&(QuirkKind::NotListed, "paths".into())));
}

#[test]
fn a_project_has_skills_and_commands_in_its_own_folder() {
    let text = skill("", "x");
    let files = [
        (".claude/skills/own/SKILL.md", text.as_str()),
        (".claude/commands/say.md", "Say $ARGUMENTS\n"),
        (".agents/skills/other/SKILL.md", text.as_str()),
        ("sub/.claude/skills/deep/SKILL.md", text.as_str()),
    ];
    let catalog = catalog(&files);
    let names: Vec<&str> = catalog.skills.iter().map(|skill| skill.name.as_str()).collect();
    assert_eq!(names, ["own", "say"]);
    assert_eq!(catalog.skipped.len(), 2, "{:?}", catalog.skipped);
    let mut session = Session::default();
    ClaudeCode.serve(&call(&json!({"skill": "say", "args": "hello"})), &catalog, &mut session);
    assert_eq!(delivered(&catalog, &mut session), ["Say hello\n"], "a command has no folder");
}

#[test]
fn says_why_a_file_is_no_skill() {
    let text = skill("", "x");
    let catalog = catalog(&[
        (MANIFEST, text.as_str()),
        ("a/SKILL.md", text.as_str()),
        ("a/in/SKILL.md", text.as_str()),
        ("b/skill.md", text.as_str()),
        ("c/d/SKILL.md", text.as_str()),
    ]);
    let skipped: Vec<&str> = catalog.skipped.iter().map(|skipped| skipped.path.as_str()).collect();
    assert_eq!(skipped, ["/skills/SKILL.md", "/skills/a/in/SKILL.md", "/skills/b/skill.md", "/skills/c/d/SKILL.md"]);
    assert_eq!(catalog.skills.len(), 1);
}

#[test]
fn a_prompt_that_names_a_skill_becomes_its_instructions() {
    let (text, kept) = (skill("", "Do $ARGUMENTS: !`date`\n"), skill("user-invocable: false\n", "x"));
    let catalog = catalog(&[("a/SKILL.md", &text), ("b/SKILL.md", &kept)]);
    let mut session = Session::default();
    let mut history = vec![Message::user("/a one two")];
    let Prepared::Perform(effect) = ClaudeCode.before_request(&mut history, None, &catalog, &mut session) else {
        panic!("the command runs first");
    };
    assert_eq!(effect, Effect::Shell { command: "date".into(), working_directory: None, timeout: None });
    let sent = ClaudeCode.before_request(&mut history, Some(printed("Monday\n")), &catalog, &mut session);
    assert_eq!(sent, Prepared::Send);
    let texts: Vec<&str> = history[0]
        .parts
        .iter()
        .filter_map(|part| match part {
            Part::Text { text } => Some(text.as_str()),
            _ => None,
        })
        .collect();
    assert!(texts[0].starts_with("<system-reminder>"));
    assert_eq!(
        texts[1..],
        [
            "<command-message>a</command-message>\n<command-name>/a</command-name>\n<command-args>one two</command-args>\n",
            "Base directory for this skill: /skills/a\n\nDo one two: Monday\n",
        ]
    );
    for prompt in ["/b", "/none x", "a / b", "/"] {
        let mut history = vec![Message::user(prompt)];
        ClaudeCode.before_request(&mut history, None, &catalog, &mut session);
        assert_eq!(history, [Message::user(prompt)]);
    }
}

#[test]
fn texts_of_the_client_are_not_reproduced() {
    let catalog = catalog(&[]);
    let shown =
        ClaudeCode.present(&catalog, &Session { agent_instructions: Some("Mine.".into()), ..Session::default() });
    let instructions = shown.instructions.unwrap();
    assert_eq!(instructions.text, "[Claude Code's own text, not reproduced]\n\nMine.");
    assert_eq!(instructions.marks[0].origin, Origin::Withheld { client: CLIENT.into(), characters: None });
    let compared: Vec<(&str, bool)> =
        shown.tools.iter().map(|tool| (tool.definition.name.as_str(), tool.compared)).collect();
    assert_eq!(compared, [("Skill", true), ("Read", false), ("Bash", false)]);
    assert!(shown.tools[0].definition.description.contains("1,417 characters"));
}

#[test]
fn base_tools_read_and_run() {
    let text = skill("", "x");
    let catalog = catalog(&[("a/SKILL.md", &text), ("a/scripts/x.py", "")]);
    let mut session = Session::default();
    let read = ToolCall::new("1", "Read", r#"{"file_path":"/skills/a/SKILL.md","offset":2,"limit":1}"#);
    assert!(matches!(ClaudeCode.serve(&read, &catalog, &mut session), Served::Perform(Effect::ReadFile { .. })));
    let bytes = b"one\ntwo\nthree".to_vec();
    let done = ClaudeCode.settle(&read, Performed::Read { bytes }, &catalog, &mut session);
    assert_eq!(replied(done), ("2\ttwo".into(), false));
    assert_eq!(ClaudeCode.disclosure(&read, &catalog), Disclosure::Instructions { skill: "a".into() });
    let step = ScreenplayStep::Run { run: "a/scripts/x.py".into(), with: None };
    let run = ClaudeCode.express(&step, &catalog, &session).unwrap();
    let run = ToolCall::new("2", run.tool, run.arguments.to_string());
    let script = Disclosure::Script { skill: "a".into(), script: "scripts/x.py".into() };
    assert_eq!(ClaudeCode.disclosure(&run, &catalog), script);
    assert!(matches!(ClaudeCode.serve(&run, &catalog, &mut session), Served::Perform(Effect::Shell { .. })));
    assert_eq!(replied(ClaudeCode.settle(&run, printed("1\n"), &catalog, &mut session)), ("1".into(), false));
    let wrong = ToolCall::new("3", "bash", "{}");
    let (text, _) = replied(ClaudeCode.serve(&wrong, &catalog, &mut session));
    assert!(text.ends_with("call Bash instead.</tool_use_error>"), "{text}");
}

#[test]
fn a_sub_agent_has_no_skills() {
    let text = skill("", "x");
    let catalog = catalog(&[("a/SKILL.md", &text)]);
    let mut session = Session { delegated: true, ..Session::default() };
    let (text, is_error) = replied(ClaudeCode.serve(&call(&json!({"skill": "a"})), &catalog, &mut session));
    assert!(is_error && text.contains("No such tool available: Skill"));
    let mut history = vec![Message::user("x")];
    ClaudeCode.before_request(&mut history, None, &catalog, &mut session);
    assert_eq!(history, [Message::user("x")]);
    assert_eq!(history[0].role, Role::User);
}

/// Runs a check for both versions.
fn both(check: impl Fn(&str)) {
    for variant in ["2.1.330", "2.1.197"] {
        check(variant);
    }
}

#[test]
fn skills_come_before_commands_and_other_clients_folders_are_not_read() {
    let text = skill("", "x");
    both(|variant| {
        let files = [
            (".agents/skills/other/SKILL.md", text.as_str()),
            (".claude/commands/a.md", "Do it.\n"),
            (".claude/skills/b/SKILL.md", &text),
            (".claude/skills/z/SKILL.md", &text),
        ];
        let catalog = catalog_of(&files, variant, |_| {});
        let text = list(&catalog);
        let listed: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("- ")?.split(':').next()).collect();
        assert_eq!(listed, ["b", "z", "a"], "{variant}");
    });
}

#[test]
fn nothing_of_a_frontmatter_is_checked() {
    let long = "x".repeat(80);
    let text = format!(
        "---\nname: {long} With Spaces_\ndescription: d\nlicense: [1, {{a: b}}]\nmetadata: no map\nallowed_tools: 7\nunknown: true\n---\nBody.\n"
    );
    both(|variant| {
        let catalog = catalog_of(&[("Odd_Folder.x/SKILL.md", text.as_str())], variant, |_| {});
        assert!(list(&catalog).contains("- Odd_Folder.x"), "{variant}: {}", list(&catalog));
        assert_eq!((catalog.skills.len(), catalog.skipped.len()), (1, 0), "{variant}");
    });
}

#[test]
fn without_skills_there_is_no_list_and_the_tool_stays() {
    both(|variant| {
        let catalog = catalog_of(&[], variant, |_| {});
        assert_eq!(list(&catalog), "", "{variant}");
        let tools = ClaudeCode.present(&catalog, &Session::default()).tools;
        assert_eq!(tools[0].definition.name, "Skill", "{variant}");
    });
}

#[test]
fn arguments_are_counted_from_zero_and_quotes_group_them() {
    let body = "0 $0 1 $1 all $ARGUMENTS idx $ARGUMENTS[1] dir ${CLAUDE_SKILL_DIR} file @x.md 9 $9\n";
    both(|variant| {
        let catalog = catalog_of(&[("a/SKILL.md", &skill("", body))], variant, |_| {});
        let mut session = Session::default();
        let given = call(&json!({"skill": "a", "args": "one 'two words'"}));
        assert_eq!(replied(ClaudeCode.serve(&given, &catalog, &mut session)).0, "Launching skill: a");
        let given = delivered(&catalog, &mut session).concat();
        let (_, text) = given.split_once("\n\n").unwrap();
        let start = "0 one 1 two words all one 'two words' idx two words dir /skills/a file @x.md 9 ";
        assert!(text.starts_with(start), "{variant}: {text}");
    });
}

#[test]
fn arguments_without_a_place_follow_the_instructions() {
    both(|variant| {
        let catalog = catalog_of(&[("a/SKILL.md", &skill("", "Do it.\n"))], variant, |_| {});
        let mut session = Session::default();
        ClaudeCode.serve(&call(&json!({"skill": "a", "args": "x y"})), &catalog, &mut session);
        let given = delivered(&catalog, &mut session).concat();
        assert_eq!(given, "Base directory for this skill: /skills/a\n\nDo it.\n\n\nARGUMENTS: x y", "{variant}");
    });
}

#[test]
fn the_space_before_the_instructions_goes_and_the_rest_stays_as_it_is() {
    both(|variant| {
        let text = "---\r\ndescription: d\r\n---\r\n\r\n   \t First.\r\n  Second.\r\n\r\n \r\n";
        let catalog = catalog_of(&[("a/SKILL.md", text)], variant, |_| {});
        let mut session = Session::default();
        ClaudeCode.serve(&call(&json!({"skill": "a"})), &catalog, &mut session);
        let given = delivered(&catalog, &mut session).concat();
        let (_, body) = given.split_once("\n\n").unwrap();
        assert_eq!(body, "First.\r\n  Second.\r\n\r\n \r\n", "{variant}");
    });
}

#[test]
fn only_the_context_fork_is_one_and_a_model_of_a_skill_that_is_none_changes_nothing() {
    both(|variant| {
        for fields in ["context: fork_with_context\n", "context: Fork\n", "model: haiku\n"] {
            let text = skill(fields, "Do it.\n");
            let catalog = catalog_of(&[("a/SKILL.md", &text)], variant, |_| {});
            let mut session = Session::default();
            let reply = replied(ClaudeCode.serve(&call(&json!({"skill": "a"})), &catalog, &mut session));
            assert_eq!(reply, ("Launching skill: a".into(), false), "{variant}: {fields}");
            assert_eq!(session.model, None, "{variant}: {fields}");
        }
    });
}

#[test]
fn only_allowed_tools_make_it_ask() {
    both(|variant| {
        for (fields, asks) in [
            ("allowed-tools: Read\n", true),
            ("allowed-tools: [Read]\n", true),
            ("license: MIT\nmetadata:\n  a: b\n", false),
            ("context: fork\n", false),
            ("model: haiku\nuser-invocable: false\nargument-hint: x\n", false),
        ] {
            let text = skill(fields, "Do it.\n");
            let catalog = catalog_of(&[("a/SKILL.md", &text)], variant, |_| {});
            let served = ClaudeCode.serve(&call(&json!({"skill": "a"})), &catalog, &mut Session::default());
            let disclose = Served::Perform(Effect::Disclose { skill: "a".into(), resource: None });
            assert_eq!(served == disclose, asks, "{variant}: {fields}");
        }
    });
}

#[test]
fn a_second_load_repeats_everything_in_the_older_one_alone() {
    let text = skill("", "Do it.\n");
    for (variant, again) in [
        ("2.1.330", "Skill /a is already loaded above; instructions unchanged."),
        ("2.1.197", "Base directory for this skill: /skills/a\n\nDo it.\n"),
    ] {
        let catalog = catalog_of(&[("a/SKILL.md", &text)], variant, |_| {});
        let mut session = Session::default();
        let mut given = || {
            ClaudeCode.serve(&call(&json!({"skill": "a"})), &catalog, &mut session);
            delivered(&catalog, &mut session).concat()
        };
        assert_eq!(given(), "Base directory for this skill: /skills/a\n\nDo it.\n", "{variant}");
        assert_eq!(given(), again, "{variant}");
    }
}

#[test]
fn the_newer_one_escapes_angle_brackets_and_has_each_skill_on_one_line() {
    let text = "---\nname: other\ndescription: |\n  One <a> & \"b\"\n  two.\n---\nBody.\n";
    let entry = |variant: &str| list(&catalog_of(&[("a/SKILL.md", text)], variant, |_| {}));
    assert!(entry("2.1.330").contains("\n- a (other): One &lt;a&gt; & \"b\" two."), "{}", entry("2.1.330"));
    assert!(entry("2.1.197").contains("\n- a: One <a> & \"b\"\ntwo."), "{}", entry("2.1.197"));
    assert!(entry("2.1.330").ends_with("</system-reminder>\n") != entry("2.1.197").ends_with("</system-reminder>\n"));
}
