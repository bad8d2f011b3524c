//! `skillbench` with a real model behind real servers, which `cargo xtask test-model` sets up. The model is a small
//! one, so its texts and choices are not checked. The tests check that it is asked according to the protocol, and that
//! everything it answers is in the trace.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod terminal;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use model::{FinishReason, ToolCall, Usage};
use serde_json::{Value, json};
use terminal::{Terminal, text};
use trace::spending::Spent;
use trace::{Event, EventKind, RunStatus, Step, StepKind, export, fold};

/// Each leaves a row of the table that is printed after the tests here.
const SEEN: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/local-model");

#[test]
#[ignore = "`cargo xtask test-model` sets up its servers"]
fn chat_completions_give_text() {
    gives_text(&LLAMA_SERVER, &CHAT);
}

#[test]
#[ignore = "`cargo xtask test-model` sets up its servers"]
fn responses_give_text() {
    gives_text(&LLAMA_SERVER, &RESPONSES);
}

#[test]
#[ignore = "`cargo xtask test-model` sets up its servers"]
fn messages_give_text() {
    gives_text(&LLAMA_SERVER, &MESSAGES);
}

fn gives_text(server: &Server, protocol: &Protocol) {
    for answers in [Answers::Streamed, Answers::Whole] {
        let terminal = Terminal::with_skill();
        terminal.add(server, protocol, answers, &["--max-tokens", "40"]);
        let run = terminal.run("Say hello.", &[]);
        let what = format!("{} of {}, {answers:?}", protocol.title, server.title);
        assert_eq!(run.status(), RunStatus::Done, "{what}");
        let [body] = &run.bodies()[..] else { panic!("{what}: one request") };
        (protocol.assert_asks)(body);
        assert_eq!(body["model"], "smollm2", "{what}");
        assert_eq!(body["stream"], answers == Answers::Streamed, "{what}");

        let [answer] = &run.answers()[..] else { panic!("{what}: one answer") };
        assert!(!answer.text.trim().is_empty(), "{what}");
        assert_eq!(run.streamed(), answer.text, "{what}: what arrived is the answer");
        assert!(matches!(answer.finish, FinishReason::Stop | FinishReason::Length), "{what}: {:?}", answer.finish);
        let usage = answer.usage.expect("llama-server counts in every protocol");
        assert!(usage.input > 0 && (1..=40).contains(&usage.output), "{what}: {usage:?}");
        assert_eq!((answer.spent.input, answer.spent.output), (usage.input, usage.output), "{what}");
        assert!(!answer.spent.estimated, "{what}: the server counted");
        run.leave_row(server, protocol, answers, "text");
    }
}

#[test]
#[ignore = "`cargo xtask test-model` sets up its servers"]
fn an_answer_that_is_cut_says_so_where_the_server_does() {
    // In Responses llama-server calls every answer completed.
    for (protocol, finish) in
        [(&CHAT, FinishReason::Length), (&RESPONSES, FinishReason::Stop), (&MESSAGES, FinishReason::Length)]
    {
        for answers in [Answers::Streamed, Answers::Whole] {
            let terminal = Terminal::with_skill();
            terminal.add(&LLAMA_SERVER, protocol, answers, &["--max-tokens", "3"]);
            let run = terminal.run("Tell me a long story about a river.", &[]);
            let what = format!("{}, {answers:?}", protocol.title);
            let [answer] = &run.answers()[..] else { panic!("{what}: one answer") };
            assert_eq!(answer.finish, finish, "{what}");
            assert_eq!(answer.usage.map(|usage| usage.output), Some(3), "{what}");
            run.leave_row(&LLAMA_SERVER, protocol, answers, "cut");
        }
    }
}

#[test]
#[ignore = "`cargo xtask test-model` sets up its servers"]
fn forced_calls_are_served_and_their_results_sent_back() {
    for answers in [Answers::Streamed, Answers::Whole] {
        let terminal = Terminal::with_skill();
        let forced = r#"function_call={"name":"skill"}"#;
        terminal.add(&LLAMA_CPP_PYTHON, &CHAT, answers, &["--body", forced, "--max-tokens", "100"]);
        let run = terminal.run("Use the skill pdf.", &["--harness", "eino", "--turns", "2"]);
        assert_eq!(run.status(), RunStatus::Limited, "a model that must call never ends by itself: {}", run.said);
        assert!(run.said.contains("the run was ended after 2 model requests, the limit of this run"), "{}", run.said);

        let [first, second] = &run.bodies()[..] else { panic!("{answers:?}: two requests") };
        (CHAT.assert_asks)(first);
        assert_eq!(first["function_call"], json!({ "name": "skill" }));
        let [one, another] = &run.answers()[..] else { panic!("{answers:?}: two answers") };
        for answer in [one, another] {
            let [call] = &answer.calls[..] else { panic!("{answers:?}: one call, not {:?}", answer.calls) };
            let arguments: Value = serde_json::from_str(&call.arguments).unwrap();
            assert!(call.name == "skill" && arguments["skill"].is_string(), "{answers:?}: {call:?}");
            assert_eq!(answer.finish, FinishReason::ToolCalls, "{answers:?}");
            // It counts no streamed answers, whatever it is asked.
            assert_eq!(answer.usage.is_none(), answers == Answers::Streamed);
            assert_eq!(answer.spent.estimated, answers == Answers::Streamed);
            assert!(answer.spent.input > 0 && answer.spent.output > 0);
        }
        let call = &one.calls[0];
        assert_ne!(call.id, another.calls[0].id);
        let [.., asked, replied] = &second["messages"].as_array().unwrap()[..] else { panic!("{second}") };
        let function = json!({ "name": call.name, "arguments": call.arguments });
        assert_eq!(asked["tool_calls"], json!([{ "id": call.id, "type": "function", "function": function }]));
        assert_eq!((&replied["role"], &replied["tool_call_id"]), (&json!("tool"), &json!(call.id)));
        assert_eq!(replied["content"], run.reply_to(&call.id));
        run.leave_row(&LLAMA_CPP_PYTHON, &CHAT, answers, "forced calls");
    }
}

/// The answer with the call was sent back as Agent Framework writes it, with `content: null`, which this server always
/// refuses.
#[test]
#[ignore = "`cargo xtask test-model` sets up its servers"]
fn a_servers_refusal_of_a_framework_is_shown_in_its_words() {
    let terminal = Terminal::with_skill();
    let forced = r#"function_call={"name":"load_skill"}"#;
    terminal.add(&LLAMA_CPP_PYTHON, &CHAT, Answers::Whole, &["--body", forced, "--max-tokens", "100"]);
    let run = terminal.run("Use the skill pdf.", &[]);
    assert_eq!(run.status(), RunStatus::Failed);
    let second = &run.bodies()[1]["messages"][2];
    assert_eq!((&second["role"], &second["content"]), (&json!("assistant"), &Value::Null));
    let (message, _) = run.failure();
    assert!(message.contains("answered 500") && message.contains("ChatCompletionRequestAssistantMes"), "{message}");
    run.leave_row(&LLAMA_CPP_PYTHON, &CHAT, Answers::Whole, "`content: null`");
}

#[test]
#[ignore = "`cargo xtask test-model` sets up its servers"]
fn a_stream_that_the_server_cannot_give_is_a_readable_failure() {
    let terminal = Terminal::with_skill();
    terminal.add(&LLAMA_CPP_PYTHON, &CHAT, Answers::Streamed, &["--max-tokens", "100"]);
    let run = terminal.run("Use the skill pdf.", &["--harness", "learn-claude-code"]);
    assert_eq!(run.bodies()[0]["tool_choice"], "auto", "which the server cannot stream");
    assert_eq!(run.status(), RunStatus::Failed);
    let (message, hint) = run.failure();
    assert_eq!(message, "the answer broke off: the server accepted the request and then sent nothing");
    assert!(hint.contains("`stream`"), "{hint}");
    assert!(run.said.contains(message) && run.said.contains(hint), "it is told on the terminal too: {}", run.said);
    run.leave_row(&LLAMA_CPP_PYTHON, &CHAT, Answers::Streamed, "`tool_choice: auto`");
}

/// By default neither server lets this model choose tools: that must be reported, but is not a failure.
#[test]
#[ignore = "`cargo xtask test-model` sets up its servers"]
fn models_test_reads_right() {
    let asked =
        [(&LLAMA_SERVER, &CHAT), (&LLAMA_SERVER, &RESPONSES), (&LLAMA_SERVER, &MESSAGES), (&LLAMA_CPP_PYTHON, &CHAT)];
    for (server, protocol) in asked {
        let terminal = Terminal::with_skill();
        terminal.add(server, protocol, Answers::Streamed, &[]);
        let output = terminal.output(&["models", "test", "real", "--format", "json"]);
        let checks: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
        let found = checks.iter().map(|check| ["kind", "state"].map(|key| check[key].as_str().unwrap_or_default()));
        let expected = [
            ["reach", "passed"],
            ["tls", "skipped"],
            ["key", "passed"],
            ["model", "passed"],
            ["answer", "passed"],
            ["stream", "passed"],
            ["tool", "warned"],
        ];
        let what = format!("{} of {}: {checks:#?}", protocol.title, server.title);
        assert_eq!(found.collect::<Vec<_>>(), expected, "{what}");
        assert_eq!(output.status.code(), Some(0), "{what}");
        assert_eq!(checks[3]["text"], "`smollm2` is the only model that the server lists", "{what}");
    }
}

struct Server {
    title: &'static str,
    /// Has its address, without a path.
    variable: &'static str,
}

const LLAMA_SERVER: Server = Server { title: "llama-server", variable: "SKILLBENCH_LLAMA_SERVER" };
const LLAMA_CPP_PYTHON: Server = Server { title: "llama-cpp-python", variable: "SKILLBENCH_LLAMA_CPP_PYTHON" };

struct Protocol {
    /// As its address ends.
    title: &'static str,
    /// As `--provider` names it.
    provider: &'static str,
    /// A request has the shape of the protocol.
    assert_asks: fn(&Value),
}

const CHAT: Protocol = Protocol {
    title: "/v1/chat/completions",
    provider: "openAi",
    assert_asks: |body| {
        assert_eq!(roles(&body["messages"]), ["system", "user"]);
        assert!(body["max_tokens"].is_u64() && body["tools"][0]["function"]["parameters"].is_object(), "{body}");
    },
};

const RESPONSES: Protocol = Protocol {
    title: "/v1/responses",
    provider: "openAiResponses",
    assert_asks: |body| {
        assert!(body["instructions"].is_string() || roles(&body["input"])[0] == "system", "{body}");
        assert!(body["max_output_tokens"].is_u64() && body["tools"][0]["parameters"].is_object(), "{body}");
    },
};

const MESSAGES: Protocol = Protocol {
    title: "/v1/messages",
    provider: "anthropic",
    assert_asks: |body| {
        assert_eq!(roles(&body["messages"]), ["user"]);
        assert!(!body["system"].is_null(), "{body}");
        assert!(body["max_tokens"].is_u64() && body["tools"][0]["input_schema"].is_object(), "{body}");
    },
};

fn roles(messages: &Value) -> Vec<&str> {
    messages.as_array().unwrap().iter().filter_map(|message| message["role"].as_str()).collect()
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Answers {
    Streamed,
    Whole,
}

impl Terminal {
    fn with_skill() -> Self {
        let terminal = Self::new();
        let skill = terminal.skills().join("pdf");
        fs::create_dir_all(&skill).unwrap();
        fs::write(skill.join("SKILL.md"), SKILL).unwrap();
        fs::write(terminal.skills().join("workbench.yaml"), PROJECT).unwrap();
        terminal
    }

    fn skills(&self) -> PathBuf {
        self.home.path().join("skills")
    }

    /// Writes the model `real` into models.yaml.
    fn add(&self, server: &Server, protocol: &Protocol, answers: Answers, settings: &[&str]) {
        let address = std::env::var(server.variable).expect("`cargo xtask test-model` says where the server is");
        let base = format!("{address}/v1");
        let add = ["models", "add", "real", "--preset", "llama-cpp", "--model", "smollm2", "--temperature", "0"];
        let at = ["--base-url", &base, "--provider", protocol.provider, "--idle-timeout", "600"];
        let stream = [if answers == Answers::Streamed { "--stream" } else { "--no-stream" }];
        let output = self.output(&[&add[..], &at, &stream, settings].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
    }

    fn run(&self, prompt: &str, settings: &[&str]) -> Run {
        let skills = self.skills();
        let run = ["run", skills.to_str().unwrap(), "--approve", "never", "--model", "real", "--prompt", prompt];
        let output = self.output(&[&run[..], settings].concat());
        let exported = self.output(&["trace", "export", "last"]);
        assert!(exported.status.success(), "{}\n{}", text(&output.stderr), text(&exported.stderr));
        let (_, events) = export::from_jsonl(&text(&exported.stdout)).unwrap();
        let run = Run { said: text(&output.stdout), events };
        assert_eq!(output.status.code(), Some(i32::from(run.status() != RunStatus::Done)), "{}", run.said);
        run
    }

    fn output(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }
}

/// Its name is one that even a small model says after Eino's own example of a name.
const SKILL: &str = "---\nname: pdf\ndescription: Reads PDF files.\n---\n\nSay how many pages it has.\n";

/// Short, since a model on a busy machine reads some ten tokens a second.
const PROJECT: &str = "\
harnesses:
  eino: { filesystem: false, shell: false, customSystemPrompt: Use skills., customToolDescription: Loads a skill. }
";

/// A run as it was stored, and the output about it on the terminal.
struct Run {
    said: String,
    events: Vec<Event>,
}

/// An answer as the trace has it.
struct Answer {
    text: String,
    calls: Vec<ToolCall>,
    usage: Option<Usage>,
    spent: Spent,
    finish: FinishReason,
    /// Milliseconds.
    took: i64,
    first_token: Option<i64>,
}

impl Run {
    fn status(&self) -> RunStatus {
        match self.events.last().map(|event| &event.kind) {
            Some(EventKind::Ended { status, .. }) => *status,
            other => panic!("a run ends with `ended`, not {other:?}"),
        }
    }

    /// The requests that were sent.
    fn bodies(&self) -> Vec<Value> {
        let bodies = self.events.iter().filter_map(|event| match &event.kind {
            EventKind::Requested { body, .. } => Some(serde_json::from_str(body).unwrap()),
            _ => None,
        });
        bodies.collect()
    }

    /// The text that arrived, piece by piece.
    fn streamed(&self) -> String {
        let pieces = self.events.iter().filter_map(|event| match &event.kind {
            EventKind::Streamed { text, .. } => Some(text.as_str()),
            _ => None,
        });
        pieces.collect()
    }

    /// Why it failed, and what to do.
    fn failure(&self) -> (&str, &str) {
        let mut failures = self.events.iter().filter_map(|event| match &event.kind {
            EventKind::Failed { message, hint, .. } => Some((message.as_str(), hint.as_deref().unwrap_or_default())),
            _ => None,
        });
        failures.next_back().unwrap()
    }

    fn reply_to(&self, call: &str) -> String {
        let reply = self.events.iter().find_map(|event| match &event.kind {
            EventKind::Replied { call_id, text, wire, .. } if call_id == call => Some(wire.as_ref().unwrap_or(text)),
            _ => None,
        });
        reply.cloned().unwrap()
    }

    fn answers(&self) -> Vec<Answer> {
        fold::steps(&self.events).into_iter().filter_map(answer).collect()
    }

    /// Adds the run to the table.
    fn leave_row(&self, server: &Server, protocol: &Protocol, answers: Answers, case: &str) {
        let given = self.answers();
        let spent = |of: fn(&Spent) -> u32| given.iter().map(|answer| of(&answer.spent)).sum::<u32>();
        let (input, output) = (spent(|spent| spent.input), spent(|spent| spent.output));
        let estimated = if given.iter().any(|answer| answer.spent.estimated) { " (estimated)" } else { "" };
        let seconds = given.iter().map(|answer| answer.took).sum::<i64>() as f64 / 1000.0;
        let first = given.first().and_then(|answer| answer.first_token).map(|first| first as f64 / 1000.0);
        let first = first.filter(|_| answers == Answers::Streamed).map(|first| format!("{first:.1}"));
        let rate = if seconds > 0.0 { format!("{:.1}", f64::from(output) / seconds) } else { String::new() };
        let ended = given.iter().map(|answer| format!("{:?}", answer.finish)).chain([self.status().word().to_owned()]);
        let row = format!(
            "| {} | {} | {answers:?}, {case} | {} | {input}{estimated} | {output} | {} | {rate} | {} |\n",
            server.title,
            protocol.title,
            self.bodies().len(),
            first.unwrap_or_default(),
            ended.collect::<Vec<_>>().join(", "),
        );
        fs::create_dir_all(SEEN).unwrap();
        let file = format!("{} {} {case} {answers:?}.md", server.title, protocol.provider);
        fs::write(Path::new(SEEN).join(file), row).unwrap();
    }
}

/// The answer of a step, if one came.
fn answer(step: Step) -> Option<Answer> {
    let Step { kind: StepKind::Answer { text, calls, usage, spent, finish, first_token, .. }, took, .. } = step else {
        return None;
    };
    Some(Answer { text, calls, usage, spent: spent?, finish: finish?, took: took?, first_token })
}
