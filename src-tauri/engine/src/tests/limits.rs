//! Limits that end a run. Time jumps ahead whenever nothing else is going on.

use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use futures::stream::BoxStream;
use tokio::time::{Instant, advance};

use super::fakes::{Bench, calls, counted, says, says_and_hangs, story};
use crate::Approval;
use config::RunLimits;
use model::entry::Prices;
use model::{ChatModel, ModelError, ModelEvent, ModelRequest, WireRequest};
use trace::{Decision, EventKind};

const LOAD: &[(&str, &str, &str)] = &[("a", "load", r#"{"skill":"demo"}"#)];
const PRICES: Prices = Prices { input: 10.0, output: 100.0, cached: None, cache_written: None };

fn limited(change: impl FnOnce(&mut RunLimits)) -> Bench {
    let mut bench = Bench::new();
    change(&mut bench.limits);
    bench
}

fn last(story: &[String]) -> &str {
    story.last().unwrap()
}

#[tokio::test]
async fn a_request_that_goes_beyond_the_tokens_is_not_sent() {
    let answers = || vec![counted(calls(LOAD), 900, 50), says("Done")];
    let story = limited(|limits| limits.tokens = Some(1000)).story(answers()).await;
    assert_eq!(last(&story), "ended Done", "950 and what the request has are within 1000");
    let story = limited(|limits| limits.tokens = Some(960)).story(answers()).await;
    assert!(!story.iter().any(|line| line.starts_with("requested 1")), "{story:#?}");
    assert_eq!(
        last(&story),
        "ended Limited: the run was ended before its next request: 950 tokens were used, the request needs about 30 more, \
         and the limit is 960; raise `tokens` under `limits` in workbench.yaml, or --max-tokens-total"
    );
}

#[tokio::test]
async fn tokens_that_no_provider_counts_are_estimated() {
    let story = limited(|limits| limits.tokens = Some(30)).story(vec![calls(LOAD), says("Done")]).await;
    assert!(last(&story).starts_with("ended Limited"), "{story:#?}");
}

#[tokio::test]
async fn what_sub_agents_use_counts() {
    let bench = limited(|limits| limits.tokens = Some(1000));
    let task = r#"{"effects":[{"type":"delegate","agent":null,"model":null,"withHistory":false,"messages":[{"role":"user","parts":[{"type":"text","text":"Count."}]}],"tools":[],"iterations":null,"maxTokens":null}]}"#;
    let delegates = calls(&[("a", "do", task)]);
    let story = bench.story(vec![delegates, counted(says("Found"), 900, 90), says("Done")]).await;
    assert!(last(&story).starts_with("ended Limited: the run was ended before its next request: 1"), "{story:#?}");
}

#[tokio::test]
async fn a_request_that_goes_beyond_the_cost_is_not_sent() {
    let answers = || vec![counted(calls(LOAD), 1000, 100), says("Done")];
    let run = async |cost| {
        let mut bench = limited(|limits| limits.cost = Some(cost));
        bench.prices = Some(PRICES);
        bench.story(answers()).await
    };
    assert_eq!(last(&run(0.03).await), "ended Done", "two cents, and some thousandths for the request");
    assert_eq!(
        last(&run(0.02).await),
        "ended Limited: the run was ended before its next request: $0.0200 were spent, the request costs about $0.000300 \
         more, and the limit is $0.0200; raise `cost` under `limits` in workbench.yaml, or --max-cost"
    );
}

#[tokio::test]
async fn a_limit_of_cost_needs_prices() {
    let mut bench = limited(|limits| limits.cost = Some(1.0));
    assert_eq!(
        bench.story(vec![says("Done")]).await,
        ["ended Failed: the run has a limit of $1.00, but the price of `fake-1` is unknown; give it \
          `prices` in models.yaml, or leave the limit out"]
    );
    bench.rehearsal = true;
    assert_eq!(last(&bench.story(vec![says("Done")]).await), "ended Done", "nobody charges for a rehearsal");
}

#[tokio::test(start_paused = true)]
async fn time_that_is_over_ends_an_answer_that_goes_on() {
    let started = Instant::now();
    let story = limited(|limits| limits.seconds = Some(30)).story(vec![says_and_hangs("So")]).await;
    assert_eq!(
        story,
        [
            "requested 0: Skills: demo / hi",
            "streamed 0: So",
            "ended Limited: the run was ended after 30 s, its time limit; raise `seconds` under `limits` in workbench.yaml, \
             or --max-seconds",
        ]
    );
    assert_eq!(started.elapsed().as_secs(), 30);
}

/// Its requests are never written to their end.
struct Endless {
    begun: tokio::sync::mpsc::UnboundedSender<()>,
    held: Mutex<mpsc::Receiver<()>>,
}

impl ChatModel for Endless {
    fn label(&self) -> &str {
        "endless"
    }

    fn encode(&self, _: &ModelRequest) -> WireRequest {
        self.begun.send(()).unwrap();
        let _ = self.held.lock().unwrap().recv();
        WireRequest { url: None, body: "".into(), streamed: true }
    }

    fn send(&self, _: &WireRequest, _: &ModelRequest) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
        unreachable!("nothing is written that could be sent")
    }
}

#[tokio::test]
async fn a_request_that_takes_long_to_write_does_not_outlast_the_brake() {
    let (let_go, held) = mpsc::channel();
    let (begun, mut writes) = tokio::sync::mpsc::unbounded_channel();
    let mut bench = Bench::new();
    bench.prompt = Box::leak("word ".repeat(crate::bulk::AT_ONCE / 4).into_boxed_str());
    let started = bench.start_with(Arc::new(Endless { begun, held: Mutex::new(held) }));
    writes.recv().await.unwrap();
    let story = started.stopped().await;
    drop(let_go);
    assert_eq!(last(&story), "ended Stopped");
}

#[tokio::test(start_paused = true)]
async fn time_in_which_the_run_waits_for_the_user_does_not_count() {
    let mut bench = limited(|limits| limits.seconds = Some(30));
    bench.approval = Approval::Ask;
    let writes = calls(&[("a", "do", r#"{"effects":[{"type":"writeFile","path":"a","text":""}]}"#)]);
    let mut run = bench.start(vec![writes, says_and_hangs("So")]);
    let question = run.until(|event| matches!(event, EventKind::ApprovalAsked { .. })).await;
    let started = Instant::now();
    advance(Duration::from_secs(3600)).await;
    run.decide.give(question, Decision::Allow { arguments: None, for_run: false }).unwrap();
    let story = story(&run.events().await);
    assert!(last(&story).starts_with("ended Limited: the run was ended after 30 s"), "{story:#?}");
    assert_eq!(started.elapsed().as_secs(), 3630, "an hour for the user, and then as long as ever");
}

#[cfg(unix)]
#[tokio::test(start_paused = true)]
async fn time_that_is_over_kills_a_script() {
    let bench = limited(|limits| (limits.seconds, limits.script_seconds) = (Some(5), 600));
    let survivor = bench.path().join("survived");
    let command = format!("sleep 300; touch {survivor}");
    let effect = serde_json::json!({"effects": [
        {"type": "shell", "command": command, "workingDirectory": null, "timeout": null}
    ]});
    let before = std::time::Instant::now();
    let story = bench.story(vec![calls(&[("a", "do", &effect.to_string())])]).await;
    assert!(last(&story).starts_with("ended Limited: the run was ended after 5 s"), "{story:#?}");
    assert!(before.elapsed() < Duration::from_secs(60), "nobody waited for the script");
    assert!(!survivor.exists());
}
