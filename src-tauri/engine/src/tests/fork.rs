//! A run that is forked off another one.

use serde_json::json;

use super::fakes::{Bench, Script, calls, says, story};
use crate::{Branch, Then};
use harness::Origin;
use trace::branch::{self, Edit, place};
use trace::spending::Spent;
use trace::{Decision, EditedResult, Event, EventKind, ForkedFrom, RunId, RunStatus, Step, StepKind, fold};

const RESULT: &str = "something else";

/// What happens in a run that is forked off another one at a step, and all its events.
async fn fork(
    bench: &mut Bench,
    first: &[Event],
    step: u32,
    edit: Edit,
    answers: Vec<Script>,
) -> (Vec<String>, Vec<Event>) {
    let place = place(first, fold::steps(first)[step as usize].event, edit).unwrap();
    bench.past = first[..place.kept].to_vec();
    let then = match place.then {
        branch::Then::Said { .. } => Then::Said,
        branch::Then::Again => Then::Again,
        branch::Then::Replied { call_id } => Then::Replied(EditedResult { call_id, text: RESULT.into() }),
        branch::Then::Answered { message } => Then::Answered(message.saying(RESULT)),
    };
    bench.branch = Some(Branch { from: from(step), other: None, then });
    let new = bench.start(answers).events().await;
    bench.branch = None;
    let all = [&bench.past[..], &new].concat();
    for (place, event) in (0..).zip(&all) {
        assert_eq!(event.seq, place, "events are numbered on");
    }
    (story(&[&all[..1], &new[..]].concat()), all)
}

fn from(step: u32) -> ForkedFrom {
    ForkedFrom { run: RunId(uuid::Uuid::nil()), step }
}

fn requested(story: &[String]) -> Vec<&str> {
    story.iter().filter_map(|line| line.split_once("requested ")).map(|(_, request)| request).collect()
}

fn bodies(events: &[Event]) -> Vec<&str> {
    let bodies = events.iter().filter_map(|event| match &event.kind {
        EventKind::Requested { body, .. } => Some(body.as_str()),
        _ => None,
    });
    bodies.collect()
}

fn load() -> Script {
    calls(&[("a", "load", r#"{"skill":"demo"}"#), ("b", "join", r#"{"a":"1","b":"2"}"#)])
}

fn tool(steps: &[Step], id: &str) -> Step {
    let is_it = |step: &&Step| matches!(&step.kind, StepKind::Tool { call, .. } if call.id == id);
    steps.iter().find(is_it).unwrap().clone()
}

#[tokio::test]
async fn what_is_done_again_is_asked_with_the_very_request() {
    let mut bench = Bench::new();
    bench.limits.turns = 2;
    let first = bench.start(vec![load(), says("done")]).events().await;
    let (story, all) = fork(&mut bench, &first, 4, Edit::None, vec![says("otherwise")]).await;
    assert_eq!(story[0], "forked");
    assert_eq!(story.last().unwrap(), "ended Done", "what was asked before counts for no limit");
    assert_eq!(bodies(&all), bodies(&first), "to the byte");
    let (was, is) = (fold::steps(&first), fold::replay(&all));
    assert_eq!(is.steps()[..4], was[..4]);
    let setup = is.summary(RunId(uuid::Uuid::nil()), false).unwrap().setup;
    assert_eq!((setup.forked, setup.prompt.as_str()), (Some(from(4)), "hi"));
    let cost = |step: &Step| match &step.kind {
        StepKind::Answer { spent, .. } => spent.unwrap(),
        _ => panic!("an answer"),
    };
    assert_eq!(is.spent(), cost(&is.steps()[4]), "only its own answers cost it something");
}

#[tokio::test]
async fn a_call_that_is_made_again_is_served_again_and_its_round_goes_on() {
    let mut bench = Bench::new();
    let first = bench.start(vec![load(), says("done")]).events().await;
    for step in [2, 3] {
        let (story, all) = fork(&mut bench, &first, step, Edit::None, vec![says("done")]).await;
        assert_eq!(bodies(&all), bodies(&first), "{story:?}");
        let mut steps = fold::steps(&all);
        // The fork itself is an event.
        steps[step as usize..].iter_mut().for_each(|step| step.event -= 1);
        assert_eq!(steps, fold::steps(&first), "step {step}");
    }
}

#[tokio::test]
async fn a_result_is_edited_as_if_the_tool_had_returned_it() {
    let mut bench = Bench::new();
    let first = bench.start(vec![load(), says("done")]).events().await;
    let (story, all) = fork(&mut bench, &first, 2, Edit::Result, vec![says("so")]).await;
    let sent =
        "1: Skills: demo / hi / load{\"skill\":\"demo\"}; join{\"a\":\"1\",\"b\":\"2\"} / <something else> / <12>";
    assert_eq!(requested(&story), [sent]);
    let edited = tool(&fold::steps(&all), "a");
    let StepKind::Tool { decision, reply, disclosed, .. } = edited.kind else { panic!("a call") };
    assert_eq!((decision, reply.as_deref()), (Some(Decision::Stub { text: RESULT.into() }), Some(RESULT)));
    assert_eq!(disclosed, harness::Disclosure::None);
    let origins = |events: &[Event]| {
        events.iter().rev().find_map(|event| match &event.kind {
            EventKind::Requested { origins, .. } => Some(origins.clone()),
            _ => None,
        })
    };
    let by = |events: &[Event]| origins(events).unwrap()[3].marks[0].origin.clone();
    assert_eq!(by(&all), Origin::User);

    bench.past = all;
    bench.prompt = "more";
    let new = bench.start(vec![says("yes")]).events().await;
    let told = story_of(&new);
    assert_eq!(requested(&told), [format!("2: {} / so / more", &sent[3..])], "{told:?}");
    assert!(!told.iter().any(|line| line.starts_with("noted")), "it goes on exactly: {told:?}");
    assert_eq!(by(&new), Origin::User);
}

fn story_of(events: &[Event]) -> Vec<String> {
    story(&[&events[..1], events].concat())
}

fn answered(steps: &[Step]) -> Vec<(&str, bool, Option<Spent>)> {
    let answers = steps.iter().filter_map(|step| match &step.kind {
        StepKind::Answer { text, edited, spent, .. } => Some((text.as_str(), *edited, *spent)),
        _ => None,
    });
    answers.collect()
}

#[tokio::test]
async fn an_edited_answer_that_calls_nothing_ends_the_turn() {
    let mut bench = Bench::new();
    let first = bench.start(vec![load(), says("done")]).events().await;
    let (story, all) = fork(&mut bench, &first, 4, Edit::Answer, Vec::new()).await;
    assert_eq!(requested(&story), Vec::<&str>::new(), "no model is asked: {story:?}");
    assert_eq!((story[0].as_str(), story.last().unwrap().as_str()), ("forked", "ended Done"));
    assert_eq!(bodies(&all), bodies(&first), "the request is the one that was answered");
    let (was, is) = (fold::steps(&first), fold::replay(&all));
    assert_eq!(is.steps()[..4], was[..4]);
    assert_eq!(answered(is.steps())[1], (RESULT, true, None));
    assert_eq!(is.spent(), Spent { cost: is.spent().cost, ..Spent::default() }, "the user is not paid");

    bench.past = all;
    bench.prompt = "more";
    let new = bench.start(vec![says("yes")]).events().await;
    let told = story_of(&new);
    assert!(requested(&told)[0].ends_with("/ <12> / something else / more"), "{told:?}");
    assert!(!told.iter().any(|line| line.starts_with("noted")), "it goes on exactly: {told:?}");
    let origins = new.iter().find_map(|event| match &event.kind {
        EventKind::Requested { origins, .. } => Some(origins.clone()),
        _ => None,
    });
    let written = &origins.unwrap()[5].marks;
    assert_eq!(written.iter().map(|mark| mark.origin.clone()).collect::<Vec<_>>(), [Origin::User]);
}

#[tokio::test]
async fn the_calls_of_an_edited_answer_are_made() {
    let mut bench = Bench::new();
    let first = bench.start(vec![load(), says("done")]).events().await;
    let (story, all) = fork(&mut bench, &first, 1, Edit::Answer, vec![says("so")]).await;
    let sent = "1: Skills: demo / hi / something else; load{\"skill\":\"demo\"}; join{\"a\":\"1\",\"b\":\"2\"} / \
                <# Demo: see notes.md> / <12>";
    assert_eq!(requested(&story), [sent]);
    let steps = fold::steps(&all);
    assert_eq!(
        answered(&steps).iter().map(|(text, edited, _)| (*text, *edited)).collect::<Vec<_>>(),
        [(RESULT, true), ("so", false)]
    );
    let tools = |steps: &[Step]| ["a", "b"].map(|id| tool(steps, id).kind);
    assert_eq!(tools(&steps), tools(&fold::steps(&first)));
}

#[tokio::test]
async fn the_user_says_more_after_an_edited_answer() {
    let mut bench = Bench::new();
    let first = bench.start(vec![says("done")]).events().await;
    bench.further = vec!["and"];
    let (story, _) = fork(&mut bench, &first, 1, Edit::Answer, vec![says("well")]).await;
    assert_eq!(requested(&story), ["1: Skills: demo / hi / something else / and"]);
}

#[tokio::test]
async fn an_answer_is_written_where_none_came() {
    let mut bench = Bench::new();
    let mut first = bench.start(vec![says("done")]).events().await;
    first.truncate(2);
    let (story, all) = fork(&mut bench, &first, 1, Edit::Answer, Vec::new()).await;
    assert_eq!(story.last().unwrap(), "ended Done");
    assert_eq!(answered(&fold::steps(&all))[0].0, RESULT);
}

#[tokio::test]
async fn an_answer_of_a_sub_agent_is_what_the_call_that_started_it_returns() {
    let mut bench = Bench::new();
    let task = json!({"effects": [{
        "type": "delegate", "agent": null, "model": null, "withHistory": false,
        "messages": [{"role": "user", "parts": [{"type": "text", "text": "task"}]}],
        "tools": [], "iterations": null, "maxTokens": null,
    }]});
    let first = bench.start(vec![calls(&[("a", "do", &task.to_string())]), says("found"), says("done")]).events().await;
    let (story, all) = fork(&mut bench, &first, 3, Edit::Answer, vec![says("oh")]).await;
    assert!(requested(&story)[0].contains("delegated Done: something else"), "{story:?}");
    let steps = fold::steps(&all);
    assert_eq!((steps[3].within.as_deref(), answered(&steps)[1].1), (Some("a"), true));
}

#[tokio::test]
async fn an_edited_answer_is_used_where_only_messages_are_known() {
    let mut bench = Bench::new();
    let first = bench.start(vec![load(), says("done")]).events().await;
    for (step, calls) in [(1, true), (4, false)] {
        let place = place(&first, fold::steps(&first)[step as usize].event, Edit::Answer).unwrap();
        let branch::Then::Answered { message } = place.then else { panic!("an answer") };
        bench.past = first[..place.kept].to_vec();
        let then = Then::Answered(message.saying(RESULT));
        bench.branch = Some(Branch { from: from(step), other: Some("Other Framework".into()), then });
        let new = bench.start(vec![says("well")]).events().await;
        let told = story_of(&new);
        assert_eq!(requested(&told).len(), usize::from(calls), "{told:?}");
        assert!(requested(&told).iter().all(|sent| sent.ends_with("/ <# Demo: see notes.md> / <12>")), "{told:?}");
        assert_eq!(
            answered(&fold::steps(&[&bench.past[..], &new].concat())).last().unwrap().0,
            if calls { "well" } else { RESULT }
        );
    }
}

#[tokio::test]
async fn scripts_of_the_past_do_not_run_again() {
    let mut bench = Bench::new();
    let path = bench.script("echo ran >> log.txt; cat log.txt");
    let run = json!({"path": path, "arguments": ""}).to_string();
    let first = bench.start(vec![calls(&[("a", "run", &run)]), says("done")]).events().await;
    let (_, all) = fork(&mut bench, &first, 3, Edit::None, vec![says("done")]).await;
    assert_eq!(bodies(&all), bodies(&first));
    let (_, all) = fork(&mut bench, &first, 2, Edit::Result, vec![says("done")]).await;
    assert!(bodies(&all)[1].contains(RESULT));
    assert_eq!(std::fs::read_to_string(bench.path().join("log.txt")).unwrap(), "ran\n");
    let (_, all) = fork(&mut bench, &first, 2, Edit::None, vec![says("done")]).await;
    assert!(bodies(&all)[1].contains("ran\nran"), "the call itself does: {}", bodies(&all)[1]);
}

#[tokio::test]
async fn the_user_says_something_else_or_something_more() {
    let mut bench = Bench::new();
    bench.further = vec!["and"];
    let first = bench.start(vec![load(), says("done"), says("that")]).events().await;
    bench.further = Vec::new();
    bench.prompt = "but";
    let (story, _) = fork(&mut bench, &first, 5, Edit::Prompt, vec![says("well")]).await;
    assert_eq!(story[0], "said: but");
    assert!(requested(&story)[0].ends_with("/ <12> / done / but"), "{story:?}");
    let (story, all) = fork(&mut bench, &first, 4, Edit::Prompt, vec![says("well")]).await;
    assert!(requested(&story)[0].ends_with("/ <12> / done / but"), "behind the answer: {story:?}");
    assert_eq!(fold::replay(&all).status(), RunStatus::Done);
    let (story, _) = fork(&mut bench, &first, 0, Edit::Prompt, vec![says("well")]).await;
    assert_eq!(requested(&story), ["0: Skills: demo / but"]);
}

#[tokio::test]
async fn a_sub_agent_goes_another_way_and_the_call_that_started_it_returns() {
    let mut bench = Bench::new();
    let task = json!({"effects": [{
        "type": "delegate", "agent": null, "model": null, "withHistory": false,
        "messages": [{"role": "user", "parts": [{"type": "text", "text": "task"}]}],
        "tools": [], "iterations": null, "maxTokens": null,
    }]});
    let first = bench.start(vec![calls(&[("a", "do", &task.to_string())]), says("found"), says("done")]).events().await;
    let (story, all) = fork(&mut bench, &first, 3, Edit::None, vec![says("lost"), says("oh")]).await;
    assert_eq!(bodies(&all)[..2], bodies(&first)[..2]);
    assert!(requested(&story)[1].contains("delegated Done: lost"), "{story:?}");
    let steps = fold::steps(&all);
    assert_eq!((steps[3].within.as_deref(), fold::replay(&all).status()), (Some("a"), RunStatus::Done));
    assert!(fold::replay(&all).summary(RunId(uuid::Uuid::nil()), false).unwrap().setup.catalogue_tokens > 0);
}

#[tokio::test]
async fn another_framework_takes_the_messages_over_and_says_what_it_does_not_know() {
    let mut bench = Bench::new();
    let first = bench.start(vec![load(), says("done")]).events().await;
    let place = place(&first, fold::steps(&first)[3].event, Edit::None).unwrap();
    bench.past = first[..place.kept].to_vec();
    bench.branch = Some(Branch { from: from(3), other: Some("Other Framework".into()), then: Then::Again });
    let new = bench.start(vec![says("well")]).events().await;
    let told = story_of(&new);
    assert!(
        told[1].starts_with("noted: Fake Framework takes over a conversation that Other Framework led.")
            && told[1].ends_with("Fake Framework has no tool join; calls of it stay in the conversation."),
        "{told:?}"
    );
    assert!(requested(&told)[0].ends_with("<# Demo: see notes.md> / <12>"), "the open call is served: {told:?}");
}

#[tokio::test]
async fn a_record_that_did_not_come_of_this_framework_is_forked_by_its_messages() {
    let mut bench = Bench::new();
    let mut first = bench.start(vec![load(), says("done")]).events().await;
    for event in &mut first {
        if let EventKind::Requested { body, .. } = &mut event.kind {
            *body = json!({"messages": [{"role": "user", "content": "good day"}]}).to_string();
        }
    }
    let (story, _) = fork(&mut bench, &first, 3, Edit::Result, vec![says("well")]).await;
    assert_eq!(story[0], "forked");
    assert!(story[1].starts_with("noted: the run cannot be gone through as it was recorded"), "{story:?}");
    assert!(
        requested(&story)[0].contains("good day") && requested(&story)[0].ends_with("<something else>"),
        "{story:?}"
    );
}
