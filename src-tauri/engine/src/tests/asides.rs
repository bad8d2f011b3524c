//! What happens alongside the run's own conversation: sub-agents, summaries, other models.

use std::sync::Arc;

use serde_json::{Value, json};

use super::fakes::{Bench, calls, catalog, says, says_and_breaks, says_and_hangs, story};
use crate::effect::Means;
use crate::rehearsal::Rehearsal;
use crate::tool::reach::Reach;
use crate::tool::room::Room;
use crate::{Approval, effect};
use config::{Policy, Screenplay, ScreenplayStep};
use harness::{Effect, Prepared};
use model::{Message, ModelError};
use trace::{Decision, EventKind, fold};

fn message(role: &str, text: &str) -> Value {
    json!({"role": role, "parts": [{"type": "text", "text": text}]})
}

/// A sub-agent with one tool `do`, with some changes.
fn delegate(changes: Value) -> Value {
    let mut effect = json!({
        "type": "delegate", "agent": null, "model": null, "withHistory": false,
        "messages": [message("system", "You help."), message("user", "Count.")],
        "tools": [{"name": "do", "description": "", "parameters": {}}],
        "iterations": null, "maxTokens": null,
    });
    effect.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
    effect
}

fn wants(effect: &Value) -> String {
    json!({ "effects": [effect] }).to_string()
}

fn summary() -> Value {
    json!({"type": "summarise", "messages": [message("user", "Sum up:\nall")], "maxTokens": 50})
}

#[tokio::test]
async fn a_sub_agent_works_on_a_conversation_of_its_own() {
    let bench = Bench::new();
    let task = wants(&delegate(json!({"maxTokens": 80})));
    let listing = r#"{"effects":[{"type":"listFolder","path":".","depth":1}]}"#;
    let answers =
        vec![calls(&[("a", "do", &task)]), calls(&[("a", "do", listing)]), says("None."), says("It found none.")];
    let story = bench.story(answers).await;
    assert_eq!(
        story[1..],
        [
            format!("answered 0: do{task} (ToolCalls)"),
            format!("called 0: a do{task}"),
            "a> requested 0: You help. / Count. [\"do\"] [at most 80]".into(),
            format!("a> answered 0: do{listing} (ToolCalls)"),
            format!("a> called 0: a do{listing}"),
            "a> replied a: listed []".into(),
            format!("a> requested 1: You help. / Count. / do{listing} / <listed []> [\"do\"] [at most 80]"),
            "a> streamed 1: None.".into(),
            "a> answered 1: None. (Stop)".into(),
            format!("replied a: delegated Done: do{listing} / <listed []> / None."),
            format!("requested 1: Skills: demo / hi / do{task} / <delegated Done: do{listing} / <listed []> / None.>"),
            "streamed 1: It found none.".into(),
            "answered 1: It found none. (Stop)".into(),
            "ended Done".into(),
        ]
    );
}

#[tokio::test]
async fn a_sub_agent_may_know_the_conversation_so_far() {
    let task = wants(&delegate(json!({"withHistory": true})));
    let answers = vec![calls(&[("x", "fly", "{}"), ("a", "do", &task)]), says("Yes."), says("ok")];
    let story = Bench::new().story(answers).await;
    let asked = story.iter().find(|line| line.starts_with("a> requested")).unwrap();
    assert_eq!(
        *asked,
        format!("a> requested 0: You help. / hi / fly{{}}; do{task} / Count. [\"do\"]"),
        "up to the answer that called, without the reply to the other call; its instructions come first"
    );
}

#[tokio::test]
async fn a_sub_agent_ends_at_its_cap_or_with_its_failure_and_the_run_goes_on() {
    let task = wants(&delegate(json!({"iterations": 1})));
    let story = Bench::new().story(vec![calls(&[("a", "do", &task)]), calls(&[("b", "fly", "{}")]), says("ok")]).await;
    assert_eq!(
        story[5..7],
        ["noted: the sub-agent was ended after 1 model requests, its limit", "replied a: delegated Limited: fly{}"]
    );

    let error = ModelError::Broken { reason: wording::Message::quoted("reset"), raw: String::new() };
    let story = Bench::new().story(vec![calls(&[("a", "do", &task)]), says_and_breaks("Hm", error), says("ok")]).await;
    assert_eq!(
        story[4..8],
        [
            "a> streamed 0: Hm",
            "a> failed 0: the answer broke off: reset []",
            "noted: the sub-agent failed: the answer broke off: reset",
            "replied a: delegated Failed(\"the answer broke off: reset\"): ",
        ]
    );

    let quits = calls(&[("b", "quit", "{}")]);
    let task = wants(&delegate(json!({})));
    let bench = Bench::new();
    let events = bench.start(vec![calls(&[("a", "do", &task)]), quits, says("ok")]).events().await;
    assert_eq!(story_end(&events), ["replied a: delegated Failed(\"the framework quits\"): quit{}"]);
    let open = fold::steps(&events).into_iter().filter(|step| step.took.is_none()).count();
    assert_eq!(open, 0, "what the sub-agent left open is over");
}

fn story_end(events: &[trace::Event]) -> Vec<String> {
    story(events).into_iter().filter(|line| line.starts_with("replied a")).collect()
}

#[tokio::test]
async fn sub_agents_start_sub_agents_to_a_small_depth() {
    let mut task = delegate(json!({}));
    let mut tasks = vec![wants(&task)];
    for _ in 0..3 {
        task = delegate(json!({}));
        tasks.push(wants(&task));
    }
    let mut answers: Vec<_> = tasks.iter().map(|task| calls(&[("a", "do", task)])).collect();
    answers.extend([says("deepest"), says("deeper"), says("deep"), says("top")]);
    let story = Bench::new().story(answers).await;
    let withins: Vec<_> =
        story.iter().filter_map(|line| line.split_once("> requested").map(|(within, _)| within)).collect();
    assert_eq!(withins, ["a", "a#2", "a#3", "a#3", "a#2", "a"], "an id that was used before gets a number");
    let refused = story.iter().find(|line| line.contains("noted")).unwrap();
    assert_eq!(refused, "a#3> noted: sub-agents start each other at most 3 deep");
    assert_eq!(story.last().unwrap(), "ended Done");
}

#[tokio::test]
async fn a_sub_agents_scripts_are_asked_about_as_in_the_run_itself() {
    let mut bench = Bench::new();
    bench.approval = Approval::Ask;
    bench.decisions = vec![("b", Decision::Deny { reason: None })];
    let write = wants(&json!({"type": "writeFile", "path": "x", "text": ""}));
    let answers = vec![
        calls(&[("a", "do", &wants(&delegate(json!({}))))]),
        calls(&[("b", "do", &write)]),
        says("no"),
        says("ok"),
    ];
    let story = bench.story(answers).await;
    assert_eq!(
        story[6..9],
        [
            "a> asked b: WriteFile { path: \"x\", text: \"\" }",
            "a> given b: Deny { reason: None }",
            "a> replied b: Denied { reason: None }",
        ]
    );
}

#[tokio::test]
async fn stop_ends_a_sub_agent_and_the_run() {
    let answers = vec![calls(&[("a", "do", &wants(&delegate(json!({}))))]), says_and_hangs("Well")];
    let mut started = Bench::new().start(answers);
    started.until(|event| matches!(event, EventKind::Streamed { .. })).await;
    assert_eq!(
        started.stopped().await[3..],
        ["a> requested 0: You help. / Count. [\"do\"]", "a> streamed 0: Well", "ended Stopped"]
    );
}

#[tokio::test]
async fn the_runs_own_cap_holds_for_all_conversations_together() {
    let mut bench = Bench::new();
    bench.limits.turns = 2;
    let answers = vec![calls(&[("a", "do", &wants(&delegate(json!({}))))]), calls(&[("b", "fly", "{}")])];
    let story = bench.story(answers).await;
    assert_eq!(
        story.last().unwrap(),
        "ended Limited: the run was ended after 2 model requests, the limit of this run; raise `turns` under `limits` in \
             workbench.yaml, or --turns"
    );
}

#[tokio::test]
async fn a_summary_is_a_request_of_its_own() {
    let bench = Bench::new();
    let summarise: Effect = serde_json::from_value(summary()).unwrap();
    bench.before(|_, _| Prepared::Perform(summarise));
    bench.before(|history, _| {
        *history = vec![Message::user("(summed up)")];
        Prepared::Send
    });
    assert_eq!(
        bench.story(vec![says("All."), says("ok")]).await,
        [
            "summary-1> requested 0: Sum up:\nall [] [at most 50]",
            "summary-1> streamed 0: All.",
            "summary-1> answered 0: All. (Stop)",
            "requested 0: Skills: demo / (summed up)",
            "streamed 0: ok",
            "answered 0: ok (Stop)",
            "ended Done",
        ]
    );
    assert_eq!(bench.fake.prepared.lock().unwrap().clone(), ["Summarised { text: \"All.\" }"]);
}

#[tokio::test]
async fn a_summary_that_fails_is_for_the_framework_to_handle() {
    let error = ModelError::Broken { reason: wording::Message::quoted("reset"), raw: String::new() };
    let answers = vec![calls(&[("a", "do", &wants(&summary()))]), says_and_breaks("", error), says("ok")];
    let story = Bench::new().story(answers).await;
    assert_eq!(story[4..6], ["summary-1> failed 0: the answer broke off: reset []", "replied a: failed Other"]);
}

#[tokio::test]
async fn a_call_may_switch_the_model_of_later_requests() {
    let bench = Bench::new();
    let answers = vec![calls(&[("a", "model", r#"{"name":"other"}"#)]), calls(&[("b", "fly", "{}")]), says("ok")];
    let story = bench.story(answers).await;
    let models: Vec<_> =
        story.iter().filter(|line| line.starts_with("requested")).map(|line| line.contains("[fake-2]")).collect();
    assert_eq!(models, [false, true, true]);

    let story = bench.story(vec![calls(&[("a", "model", r#"{"name":"none"}"#)])]).await;
    assert_eq!(story.last().unwrap(), "ended Failed: there is no model `none`");
}

#[tokio::test]
async fn a_sub_agent_may_have_a_model_of_its_own() {
    let task = wants(&delegate(json!({"model": "other"})));
    let story = Bench::new().story(vec![calls(&[("a", "do", &task)]), says("Yes."), says("ok")]).await;
    assert_eq!(story[3], "a> requested 0: [fake-2] You help. / Count. [\"do\"]");
    assert!(story[6].starts_with("requested 1: Skills") || story[7].starts_with("requested 1: Skills"), "{story:?}");

    let task = wants(&delegate(json!({"model": "none"})));
    let story = Bench::new().story(vec![calls(&[("a", "do", &task)]), says("ok")]).await;
    assert_eq!(story[3..5], ["noted: there is no model `none`", "replied a: failed NotFound"]);
}

#[tokio::test]
async fn another_model_is_asked_only_if_the_user_says_so_and_then_for_the_run() {
    let answers = || vec![calls(&[("a", "model", r#"{"name":"other"}"#)]), calls(&[("b", "fly", "{}")]), says("ok")];
    let mut bench = Bench::new();
    bench.approval = Approval::Ask;
    bench.decisions = vec![("model-fake-2", Decision::Deny { reason: None })];
    let story = bench.story(answers()).await;
    assert_eq!(story.last().unwrap(), "ended Failed: the model fake-2 may not be asked");
    assert!(!story.iter().any(|line| line.contains("[fake-2]")), "{story:?}");

    bench.decisions = vec![("model-fake-2", Decision::Allow { arguments: None, for_run: false })];
    let story = bench.story(answers()).await;
    assert_eq!(story.last().unwrap(), "ended Done");
    assert_eq!(story.iter().filter(|line| line.starts_with("asked model-fake-2")).count(), 1, "{story:?}");
}

#[tokio::test]
async fn a_rehearsal_says_that_no_model_was_asked_alongside_it() {
    let mut bench = Bench::new();
    bench.rehearsal = true;
    let call = |effect: Value| {
        let with = json!({ "effects": [effect] });
        ScreenplayStep::Call { call: "do".into(), with: Some(with) }
    };
    let steps =
        vec![call(delegate(json!({"model": "none"}))), call(summary()), ScreenplayStep::Say { say: "Done.".into() }];
    let screenplay = Screenplay { prompt: "hi".into(), images: Vec::new(), title: None, steps };
    let model = Rehearsal::new(Some(screenplay), bench.fake, catalog(), None);
    let story = story(&bench.start_with(Arc::new(model)).events().await);
    let answers: Vec<_> =
        story.iter().filter(|line| line.contains("answered")).filter(|line| line.contains("> ")).collect();
    assert_eq!(
        answers,
        [
            "call_1> answered 0: This is a rehearsal: no model was asked. The task began: Count. (Stop)",
            "summary-1> answered 0: This is a rehearsal: no model was asked. The task began: Sum up: (Stop)",
        ]
    );
    assert_eq!(story.last_chunk::<2>().unwrap()[0], "answered 2: Done. (Stop)");
}

#[tokio::test]
async fn effects_that_need_a_model_fail_where_calls_are_played_without_one() {
    let limits = Bench::new().limits;
    for (effect, reason) in [(summary(), "a summary needs a model"), (delegate(json!({})), "a sub-agent needs a model")]
    {
        let effect: Effect = serde_json::from_value(effect).unwrap();
        let room = Room::new(Policy::default(), Vec::new(), "/".into());
        let guard = model::secret::Guard::default();
        let reach = Reach::everywhere();
        let paths = &skill::paths::Paths::default();
        let means =
            Means { limits: &limits, room: &room, working_directory: "/".into(), paths, reach: &reach, guard: &guard };
        let done = effect::perform(&effect, means).await;
        assert_eq!(done, harness::Performed::failed(harness::FailureKind::Other, reason).into());
    }
}
