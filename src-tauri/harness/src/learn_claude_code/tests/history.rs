//! What happens to the history before a request: reminders and compaction.

use super::*;
use config::options::NagPosition;
use model::{Role, ToolResult};

/// A round of calls and their results, after the calls went through the harness.
fn round(history: &mut Vec<Message>, catalog: &Catalog, session: &mut Session, calls: &[(&str, &str, &str)]) {
    let made = calls.iter().map(|(id, name, _)| ToolCall {
        id: (*id).into(),
        ..call(name, r#"{"command":"x","items":[],"name":"greeter"}"#)
    });
    let made: Vec<ToolCall> = made.collect();
    history.push(Message::tool_calls(made.clone()));
    for (call, (_, _, said)) in made.iter().zip(calls) {
        let mut served = LearnClaudeCode.serve(call, catalog, session);
        if let Served::Perform(_) = served {
            served = LearnClaudeCode.settle(call, Performed::Stubbed { text: (*said).into() }, catalog, session);
        }
        let result = ToolResult { call_id: call.id.clone(), text: text(served), wire: None, is_error: false };
        history.push(Message::tool_result(result));
    }
}

fn before(history: &mut Vec<Message>, catalog: &Catalog, session: &mut Session) -> Prepared {
    LearnClaudeCode.before_request(history, None, catalog, session)
}

fn shown(history: &[Message]) -> Vec<String> {
    let text = |message: &Message| match message.role {
        Role::Tool => message.results().map(|result| result.text.clone()).collect(),
        Role::System | Role::User | Role::Assistant => message.text(),
    };
    history.iter().filter(|message| message.role != Role::Assistant).map(text).collect()
}

const NAG: &str = "<reminder>Update your todos.</reminder>";

#[test]
fn reminds_in_every_position_and_says_who_wrote_what() {
    let positions = [NagPosition::LastToolMessage, NagPosition::FirstToolMessage, NagPosition::UserMessage];
    let reminded = positions.map(|position| {
        let catalog = catalog_of(&SkillSet::default(), "seed", |options| {
            options.nag_after = Some(1);
            options.nag_position = Some(position);
        });
        let (mut history, mut session) = (vec![Message::user("go")], session());
        round(&mut history, &catalog, &mut session, &[("1", "bash", "one"), ("2", "bash", "two")]);
        assert_eq!(before(&mut history, &catalog, &mut session), Prepared::Send);
        before(&mut history, &catalog, &mut session);
        (shown(&history)[1..].join(" | "), session.injected.iter().map(marked).collect::<Vec<_>>().join("\n"))
    });
    let own = format!("framework: {NAG:?}");
    assert_eq!(
        reminded,
        [
            (format!("one | two\n\n{NAG}"), format!("user: \"two\"\nframework: \"\\n\\n\"\n{own}")),
            (format!("{NAG}\n\none | two"), format!("framework: {:?}\nuser: \"one\"", format!("{NAG}\n\n"))),
            (format!("one | two | {NAG}"), own),
        ],
        "asked twice before one request, it reminds once"
    );
}

#[test]
fn counts_rounds_and_not_calls_and_starts_again_after_a_todo() {
    let catalog = catalog_of(&SkillSet::default(), "seed", |options| options.nag_after = Some(2));
    let (mut history, mut session) = (vec![Message::user("go")], session());
    let mut reminded = Vec::new();
    for calls in [
        &[("1", "bash", "a"), ("2", "bash", "b"), ("3", "bash", "c")][..],
        &[("4", "bash", "d")],
        &[("5", "todo", ""), ("6", "bash", "e")],
        &[("7", "bash", "f")],
        &[("7", "bash", "g")],
        &[("9", "bash", "h")],
    ] {
        round(&mut history, &catalog, &mut session, calls);
        before(&mut history, &catalog, &mut session);
        reminded.push(shown(&history).last().unwrap().contains(NAG));
    }
    assert_eq!(reminded, [false, true, false, false, true, true]);

    let never = catalog_of(&SkillSet::default(), "seed", |options| options.nag_after = None);
    round(&mut history, &never, &mut session, &[("10", "bash", "i")]);
    before(&mut history, &never, &mut session);
    assert_eq!(shown(&history).last().unwrap(), "i");
}

#[test]
fn a_sub_agents_history_is_left_alone() {
    let catalog = catalog_of(&SkillSet::default(), "upstream", |options| options.nag_after = Some(1));
    let (mut history, mut session) = (vec![Message::user("go")], Session { delegated: true, ..session() });
    round(&mut history, &catalog, &mut session, &[("1", "bash", "a")]);
    let untouched = history.clone();
    assert_eq!(before(&mut history, &catalog, &mut session), Prepared::Send);
    assert_eq!(history, untouched);
}

#[test]
fn the_first_layer_replaces_all_long_results_but_the_last_three() {
    let long = "x".repeat(101);
    let play = |variant: &str| {
        let catalog = catalog_of(&SkillSet::default(), variant, |options| options.nag_after = None);
        let (mut history, mut session) = (vec![Message::user("go")], session());
        for (id, name, said) in [
            ("1", "bash", long.as_str()),
            ("2", "read_file", &long),
            ("3", "bash", &long[..100]),
            ("4", "bash", &long),
            ("5", "bash", &long),
            ("6", "bash", &long),
        ] {
            history.push(Message::tool_calls([ToolCall { id: id.into(), ..call(name, "{}") }]));
            let result = ToolResult { call_id: id.into(), text: said.into(), wire: None, is_error: false };
            history.push(Message::tool_result(result));
        }
        assert_eq!(before(&mut history, &catalog, &mut session), Prepared::Send);
        shown(&history)[1..].iter().map(|text| text.len()).collect::<Vec<_>>()
    };
    let placeholder = "[Previous: used bash]".len();
    assert_eq!(play("upstream"), [placeholder, 101, 100, 101, 101, 101]);
    assert_eq!(play("seed"), [101, 101, 100, 101, 101, 101], "the recorded runs send them all");
}

#[test]
fn the_second_layer_writes_a_transcript_and_goes_on_with_a_summary() {
    let catalog = catalog_of(&SkillSet::default(), "seed", |options| {
        options.compaction.threshold = 10;
        options.compaction.summarised_characters = 30;
    });
    let (mut history, mut session) = (vec![Message::user("一公斤有几磅? Tell me, it's urgent.")], session());
    let written = before(&mut history, &catalog, &mut session);
    let line = r#"{"role": "user", "content": "\u4e00\u516c\u65a4\u6709\u51e0\u78c5? Tell me, it's urgent."}"#;
    assert_eq!(
        written,
        Prepared::Perform(Effect::WriteFile {
            path: "/project/.transcripts/transcript_1.jsonl".into(),
            text: format!("{line}\n"),
        })
    );
    let asked = LearnClaudeCode.before_request(&mut history, Some(Performed::Wrote), &catalog, &mut session);
    let end = &line[line.len() - 29..];
    let request = format!(
        "Summarize this conversation for continuity. Include: 1) What was accomplished, 2) Current state, 3) Key \
         decisions made. Be concise but preserve critical details.\n\n{end}]"
    );
    assert_eq!(
        asked,
        Prepared::Perform(Effect::Summarise { messages: vec![Message::user(request)], max_tokens: Some(2000) })
    );
    let summary = Performed::Summarised { text: "They asked.".into() };
    assert_eq!(LearnClaudeCode.before_request(&mut history, Some(summary), &catalog, &mut session), Prepared::Send);
    let compressed = "[Conversation compressed. Transcript: /project/.transcripts/transcript_1.jsonl]\n\nThey asked.";
    assert_eq!(history, [Message::user(compressed)]);
    assert_eq!(session.injected.last().map(|marked| marked.text.as_str()), Some(compressed));

    let Prepared::Perform(Effect::WriteFile { path, .. }) = before(&mut history, &catalog, &mut session) else {
        panic!("the summary is past the threshold again")
    };
    assert_eq!(path, "/project/.transcripts/transcript_2.jsonl");
    let failed = Performed::failed(crate::FailureKind::Other, "disk full");
    let ended = LearnClaudeCode.before_request(&mut history, Some(failed), &catalog, &mut session);
    assert_eq!(ended, Prepared::Abort("disk full".into()));
}

#[test]
fn the_third_layer_summarises_when_asked_and_ends_the_turn() {
    let catalog = catalog("upstream");
    let (mut history, mut session) = (vec![Message::user("go")], session());
    let asked = LearnClaudeCode.serve(&call("compact", r#"{"focus":"the file names"}"#), &catalog, &mut session);
    assert_eq!(text(asked), "Compressing...");
    assert!(matches!(before(&mut history, &catalog, &mut session), Prepared::Perform(Effect::WriteFile { .. })));
    let written = Performed::Stubbed { text: String::new() };
    let Prepared::Perform(Effect::Summarise { messages, .. }) =
        LearnClaudeCode.before_request(&mut history, Some(written), &catalog, &mut session)
    else {
        panic!("a summary comes next")
    };
    assert!(messages[0].text().contains(" Pay special attention to preserving details about: the file names.\n\n["));
    let summary = Performed::Summarised { text: String::new() };
    assert_eq!(LearnClaudeCode.before_request(&mut history, Some(summary), &catalog, &mut session), Prepared::End);
    assert!(shown(&history)[0].ends_with("]\n\nNo summary generated."));
    let seed = catalog_of(&SkillSet::default(), "seed", |options| options.compaction.tool = Some(true));
    assert!(LearnClaudeCode.present(&seed, &session).tools.iter().any(|tool| tool.definition.name == "compact"));
}

#[test]
fn the_chapter_on_compaction_has_all_three_layers_on() {
    let tools = |variant: &str| {
        let shown = LearnClaudeCode.present(&catalog(variant), &session()).tools;
        shown.into_iter().map(|tool| tool.definition.name).collect::<Vec<_>>()
    };
    assert_eq!(tools("seed"), ["bash", "todo", "load_skill", "task"]);
    assert_eq!(tools("seed-s06"), ["bash", "todo", "load_skill", "task", "compact"]);
    let long = "x".repeat(200);
    let mut history = vec![Message::user("go")];
    for id in ["1", "2", "3", "4"] {
        let call = ToolCall::new(id, "bash", "{}");
        history.push(Message::tool_calls([call]));
        let result = model::ToolResult { call_id: id.into(), text: long.clone(), wire: None, is_error: false };
        history.push(Message::tool_result(result));
    }
    let first = |variant: &str| {
        let mut history = history.clone();
        LearnClaudeCode.before_request(&mut history, None, &catalog(variant), &mut session());
        history[2].results().next().unwrap().text.clone()
    };
    assert_eq!(first("seed"), long);
    assert_eq!(first("seed-s06"), "[Previous: used bash]");
}

#[test]
fn answers_go_back_as_the_sdk_dumps_them() {
    let call = ToolCall::new("c1", "bash", "{\"command\": \"ls\"}");
    let mut said = Message::tool_calls([call]);
    said.parts.insert(0, model::Part::Reasoning { text: "Look.".into(), block: None });
    let sent = |variant: &str, empty_fields: Option<bool>| {
        let mut catalog = catalog(variant);
        catalog.options.learn_claude_code.empty_fields = empty_fields;
        let dialect = LearnClaudeCode.dialect(&catalog);
        let request = model::ModelRequest { messages: vec![said.clone()], dialect, ..model::ModelRequest::default() };
        let body = model::openai::encode("m", &request, false, &model::Sampling::default());
        serde_json::from_str::<serde_json::Value>(&body).unwrap()["messages"][0].to_string()
    };
    let dumped = sent("seed-s06", None);
    assert_eq!(
        dumped,
        "{\"content\":\"\",\"refusal\":null,\"role\":\"assistant\",\"annotations\":null,\"audio\":null,\"function_call\":null,\
         \"tool_calls\":[{\"id\":\"c1\",\"function\":{\"arguments\":\"{\\\"command\\\": \\\"ls\\\"}\",\"name\":\"bash\"},\
         \"type\":\"function\"}],\"reasoning\":\"Look.\"}"
    );
    assert!(!sent("seed", None).contains("refusal"), "the recorded runs left out what is empty");
    assert_eq!(sent("seed", Some(true)), dumped, "as the third chapter has it");
    assert_eq!(sent("seed-s06", Some(false)), sent("seed", None));
}
