//! The rehearsal model, asked as the run asks it.

use std::sync::Arc;

use super::fakes::{Bench, Fake, catalog, story};
use crate::rehearsal::Rehearsal;
use config::{Screenplay, ScreenplayStep};
use model::{ChatModel, Message, ModelEvent, ModelRequest, Part, Role, WireRequest};

fn rehearsal(steps: Option<Vec<ScreenplayStep>>) -> Rehearsal {
    let screenplay = steps.map(|steps| Screenplay { prompt: "hi".into(), images: Vec::new(), title: None, steps });
    Rehearsal::new(screenplay, Box::leak(Box::<Fake>::default()), catalog(), None)
}

fn activate(name: &str) -> ScreenplayStep {
    ScreenplayStep::Activate { activate: name.into() }
}

fn read(name: &str) -> ScreenplayStep {
    ScreenplayStep::Read { read: name.into() }
}

fn say(text: &str) -> ScreenplayStep {
    ScreenplayStep::Say { say: text.into() }
}

async fn answer(model: &Rehearsal, messages: Vec<Message>) -> Vec<ModelEvent> {
    use futures::StreamExt;
    let request = ModelRequest { messages, ..ModelRequest::default() };
    let wire = model.encode(&request);
    model.send(&wire, &request).map(Result::unwrap).collect().await
}

fn user(text: &str) -> Vec<Message> {
    vec![Message { role: Role::User, parts: vec![Part::Text { text: text.into() }] }]
}

fn text(events: &[ModelEvent]) -> String {
    let delta = |event: &ModelEvent| match event {
        ModelEvent::Text { delta } => Some(delta.clone()),
        _ => None,
    };
    events.iter().filter_map(delta).collect()
}

#[tokio::test]
async fn plays_a_screenplay_one_call_a_turn() {
    let steps = vec![say("First I load it."), activate("demo"), read("notes.md"), say("1 kg is 2.2 lb."), say("Bye.")];
    let bench = Bench::new();
    let events = bench.start_with(Arc::new(rehearsal(Some(steps)))).events().await;
    let undone = "This is a rehearsal, and its last call failed or was not allowed, so what follows did not come about. \
                  The screenplay's answer reads:\n\n> 1 kg is 2.2 lb.\n> \n> Bye.";
    assert_eq!(
        story(&events),
        [
            "requested 0: Skills: demo / hi",
            "streamed 0: First I load it.",
            "answered 0: First I load it.; load{\"skill\":\"demo\"} (ToolCalls)",
            "called 0: call_1 load{\"skill\":\"demo\"}",
            "replied call_1: # Demo: see notes.md",
            "requested 1: Skills: demo / hi / First I load it.; load{\"skill\":\"demo\"} / <# Demo: see notes.md>",
            "answered 1: read{\"path\":\"demo/notes.md\"} (ToolCalls)",
            "called 1: call_2 read{\"path\":\"demo/notes.md\"}",
            &format!("noted: cannot read {}/demo/notes.md: No such file or directory (os error 2)", bench.path()),
            "replied with error call_2: Error: failed.",
            "requested 2: Skills: demo / hi / First I load it.; load{\"skill\":\"demo\"} / <# Demo: see notes.md> / read{\"path\":\"demo/notes.md\"} / <Error: failed.>",
            &format!("streamed 2: {undone}"),
            &format!("answered 2: {undone} (Stop)"),
            "ended Done",
        ],
        "a reply that is an error does not stop the play, and nothing is claimed of what it did not bring about"
    );
}

#[tokio::test]
async fn streams_text_in_small_pieces_that_keep_characters_whole() {
    let events = answer(&rehearsal(Some(vec![say("一公斤约等于 2.20462 磅。")])), user("hi")).await;
    assert_eq!(text(&events), "一公斤约等于 2.20462 磅。");
    assert_eq!(events.len(), 4, "three pieces and the end: {events:?}");
}

#[tokio::test]
async fn says_plainly_which_step_the_framework_cannot_express() {
    let run = ScreenplayStep::Run { run: "run.sh".into(), with: None };
    let events = answer(&rehearsal(Some(vec![run, say("Done.")])), user("hi")).await;
    assert_eq!(text(&events), "(This framework has no tool for the step `run: run.sh`.)\n\nDone.");
}

#[tokio::test]
async fn says_that_the_screenplay_is_over_when_it_ends_with_a_call() {
    let events = Bench::new().start_with(Arc::new(rehearsal(Some(vec![activate("demo")])))).events().await;
    assert_eq!(
        story(&events)[5..],
        ["streamed 1: (The screenplay ends here.)", "answered 1: (The screenplay ends here.) (Stop)", "ended Done",]
    );
}

#[tokio::test]
async fn walks_the_matching_skill_without_a_screenplay() {
    let model = rehearsal(None);
    let mut messages = user("Which conversion is it?");
    let first = answer(&model, messages.clone()).await;
    let load = ModelEvent::ToolCall {
        index: 0,
        id: Some("call_1".into()),
        name: Some("load".into()),
        arguments: r#"{"skill":"demo"}"#.into(),
    };
    assert_eq!(first[0], load);

    let reply = |text: &str, is_error| {
        let call_id = String::new();
        let result = model::ToolResult { call_id, text: text.into(), wire: None, is_error };
        Message { role: Role::Tool, parts: vec![Part::ToolResult(result)] }
    };
    let called = Message { role: Role::Assistant, parts: Vec::new() };
    messages.extend([called.clone(), reply("# Demo: see notes.md", false)]);
    let second = answer(&model, messages.clone()).await;
    let read = ModelEvent::ToolCall {
        index: 0,
        id: Some("call_2".into()),
        name: Some("read".into()),
        arguments: r#"{"path":"demo/notes.md"}"#.into(),
    };
    assert_eq!(second[0], read, "notes.md is the resource that the instructions mention");

    messages.extend([called, reply("Error: failed.", true)]);
    assert_eq!(
        text(&answer(&model, messages).await),
        "This is a rehearsal: no model was asked.\n\n- Loaded the instructions of `demo`.\n\
         - Asked for its resource `notes.md`; the answer was: Error: failed.\n\
         - Did not run `run.sh`: without a screenplay there are no arguments to give it."
    );
}

#[tokio::test]
async fn says_that_no_skill_matches() {
    assert_eq!(
        text(&answer(&rehearsal(None), user("Hallo")).await),
        "This is a rehearsal: no model was asked. No skill's name or description shares a word with the prompt, so none \
         was loaded."
    );
}

#[tokio::test]
async fn answers_in_the_language_of_the_prompt() {
    assert_eq!(
        text(&answer(&rehearsal(None), user("你好")).await),
        "这是排练，没有询问任何模型。没有哪个技能的名称或描述与提示词有相同的词，因此没有加载技能。"
    );
}

#[test]
fn is_labelled_and_shows_the_body_it_was_given() {
    let model = rehearsal(None);
    let request = ModelRequest { messages: user("hi"), ..ModelRequest::default() };
    assert_eq!(model.label(), "rehearsal");
    let WireRequest { url, body, streamed } = model.encode(&request);
    assert_eq!((url, streamed), (None, true));
    assert!(
        body.starts_with(r#"{"model":"rehearsal","messages":[{"role":"user","content":"hi"}],"stream":true"#),
        "{body}"
    );
}

#[tokio::test]
async fn an_answer_claims_nothing_that_failed() {
    let model = rehearsal(Some(vec![activate("demo"), say("Here is the deck.\nIt is good.")]));
    let after = |is_error| {
        let call = model::ToolCall::new("1", "load", r#"{"skill":"demo"}"#);
        let result = model::ToolResult { call_id: "1".into(), text: "denied".into(), wire: None, is_error };
        let mut messages = user("hi");
        messages.extend([Message::tool_calls([call]), Message::tool_result(result)]);
        messages
    };
    assert_eq!(text(&answer(&model, after(false)).await), "Here is the deck.\nIt is good.");
    let told = text(&answer(&model, after(true)).await);
    assert!(told.starts_with("This is a rehearsal, and its last call failed or was not allowed"), "{told}");
    assert!(told.ends_with("> Here is the deck.\n> It is good."), "{told}");
}
