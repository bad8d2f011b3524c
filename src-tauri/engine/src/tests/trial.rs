//! Runs in which the user edits the arguments of a call that waits, and is shown what they would do.

use std::sync::Arc;

use camino::Utf8Path;
use serde_json::json;

use super::fakes::{Bench, Started, calls, run_script, says, story};
use crate::standing::Memory;
use crate::{Approval, Trial};
use harness::Effect;
use trace::{Decision, EventKind, Standing, Subject};

const DENY: Decision = Decision::Deny { reason: None };

fn run(path: &Utf8Path, arguments: &str) -> String {
    json!({ "path": path, "arguments": arguments }).to_string()
}

fn copy(from: impl std::fmt::Display, to: &str) -> String {
    json!({ "from": from.to_string(), "to": to }).to_string()
}

fn allow(arguments: &str) -> Decision {
    Decision::Allow { arguments: Some(arguments.to_owned()), for_run: false }
}

fn bench() -> Bench {
    let mut bench = Bench::new();
    bench.approval = Approval::Ask;
    bench
}

/// A call that waits, with the number of its question and its subject.
async fn waits(bench: &Bench, tool: &str, arguments: &str) -> (Started, u32, Subject) {
    let mut started = bench.start(vec![calls(&[("a", tool, arguments)]), says("ok")]);
    let question = started.until(|event| matches!(event, EventKind::ApprovalAsked { .. })).await;
    let EventKind::ApprovalAsked { subject, .. } = started.event(question) else { panic!("it is a question") };
    (started, question, subject)
}

/// What happened between the call and the next request.
fn middle(story: &[String]) -> &[String] {
    let start = story.iter().position(|line| line.starts_with("called")).unwrap();
    let end = story.iter().position(|line| line.starts_with("requested 1")).unwrap();
    &story[start + 1..end]
}

#[tokio::test]
async fn tells_what_other_arguments_would_do_and_does_nothing() {
    let bench = bench();
    let path = bench.script("touch ran");
    let (started, question, subject) = waits(&bench, "run", &run(&path, "1")).await;
    let tried = async |arguments: &str| started.decide.try_out(question, arguments.to_owned()).await.unwrap();
    let effect = run_script(&path, "2 3");
    assert_eq!(tried(&run(&path, "2 3")).await, Trial::Does { effect, subject: subject.clone() });
    let other = bench.path().join("other.sh");
    std::fs::write(&other, "true").unwrap();
    match tried(&run(&other, "")).await {
        Trial::Does { effect, subject: now } => {
            assert_eq!(effect, run_script(&other, ""));
            assert!(now.digest.is_some() && now.digest != subject.digest, "it is about another script");
        }
        trial => panic!("{trial:?}"),
    }
    let bad = Trial::Replies { text: "Error: bad arguments.".into(), is_error: true };
    assert_eq!(tried("{oops").await, bad);
    started.decide.give(question, DENY).unwrap();
    assert_eq!(
        middle(&story(&started.events().await)),
        ["asked a: run.sh 1", "given a: Deny { reason: None }", "replied with error a: Error: denied: None."],
        "nothing of it is recorded"
    );
    assert!(!bench.path().join("ran").exists());
}

#[tokio::test]
async fn reads_where_no_question_is_needed_and_keeps_the_frameworks_state() {
    let bench = bench();
    for name in ["one", "two"] {
        std::fs::write(bench.path().join(name), format!("text of {name}")).unwrap();
    }
    let outside = tempfile::tempdir().unwrap();
    let secret = Utf8Path::from_path(outside.path()).unwrap().canonicalize_utf8().unwrap().join("secret");
    std::fs::write(&secret, "SECRET").unwrap();
    let (started, question, subject) = waits(&bench, "copy", &copy("one", "made")).await;
    let tried = async |arguments: String| started.decide.try_out(question, arguments).await.unwrap();
    let effect = Effect::WriteFile { path: "elsewhere".into(), text: "text of two".into() };
    assert_eq!(tried(copy("two", "elsewhere")).await, Trial::Does { effect, subject });
    let failed = Trial::Replies { text: "Error: failed.".into(), is_error: true };
    assert_eq!(tried(copy("gone", "made")).await, failed);
    match tried(copy(&secret, "made")).await {
        Trial::Refused { why } => {
            let start = format!("Fake Framework reads {secret}, outside of the skills");
            assert!(why.en.starts_with(&start) && why.zh.contains(secret.as_str()), "{why:?}");
        }
        trial => panic!("{trial:?}"),
    }
    started.decide.give(question, Decision::Allow { arguments: None, for_run: false }).unwrap();
    let told = story(&started.events().await);
    assert_eq!(middle(&told).last().unwrap(), "replied a: wrote what was in one");
    assert!(!bench.path().join("elsewhere").exists());
    assert_eq!(std::fs::read_to_string(bench.path().join("made")).unwrap(), "text of one");
}

#[tokio::test]
async fn runs_what_was_shown_and_records_it_next_to_what_was_asked() {
    let bench = bench();
    let path = bench.script("echo \"got $*\"");
    let (started, question, _) = waits(&bench, "run", &run(&path, "1")).await;
    let edited = run(&path, "2");
    started.decide.try_out(question, edited.clone()).await.unwrap();
    started.decide.give(question, allow(&edited)).unwrap();
    let told = story(&started.events().await);
    assert_eq!(
        middle(&told)[2..],
        [
            "agreed a: run.sh 2",
            r#"performed a: {"stdout":"got 2\n","stderr":"","exitCode":0,"timedOut":false,"truncated":false} []"#,
            "replied a: got 2",
        ]
    );
}

#[tokio::test]
async fn asks_again_when_something_else_would_run_than_was_shown() {
    let bench = bench();
    let path = bench.script("echo first");
    let (mut started, question, _) = waits(&bench, "run", &run(&path, "1")).await;
    let edited = run(&path, "2");
    started.decide.try_out(question, edited.clone()).await.unwrap();
    bench.script("echo second");
    started.decide.give(question, allow(&edited)).unwrap();
    let again = started.until_after(Some(question), |event| matches!(event, EventKind::ApprovalAsked { .. })).await;
    started.decide.give(again, DENY).unwrap();
    assert_eq!(
        middle(&story(&started.events().await))[2..],
        [
            "noted: it changed while the question was open, so you are asked again",
            "asked a: run.sh 2",
            "given a: Deny { reason: None }",
            "replied with error a: Error: denied: None.",
        ]
    );
}

#[tokio::test]
async fn what_never_runs_does_not_run_by_edited_arguments_either() {
    let mut bench = bench();
    let never = bench.path().join("never.sh");
    std::fs::write(&never, "touch ran").unwrap();
    let path = bench.script("true");
    let place = never.clone();
    bench.memory = Memory {
        said: Arc::new(move |concern| concern.places.contains(&place).then_some(Standing::Never)),
        keep: Arc::new(|_, _| Ok(())),
    };
    let (started, question, _) = waits(&bench, "run", &run(&path, "1")).await;
    let edited = run(&never, "");
    match started.decide.try_out(question, edited.clone()).await.unwrap() {
        Trial::Refused { why } => assert_eq!(why.en, "you said that this never runs"),
        trial => panic!("{trial:?}"),
    }
    started.decide.give(question, allow(&edited)).unwrap();
    let told = story(&started.events().await);
    assert!(middle(&told).iter().any(|line| line.starts_with("remembered a: Never Deny")), "{told:?}");
    assert!(!bench.path().join("ran").exists());
}

#[tokio::test]
async fn a_run_with_edited_arguments_goes_on_by_its_record() {
    let mut bench = bench();
    let path = bench.script("echo \"got $*\"");
    let (started, question, _) = waits(&bench, "run", &run(&path, "1")).await;
    started.decide.give(question, allow(&run(&path, "2"))).unwrap();
    bench.past = started.events().await;
    bench.prompt = "more";
    let more = bench.story(vec![says("yes")]).await;
    let lost = more.iter().any(|line| line.starts_with("noted: the run cannot be gone through"));
    assert!(
        !lost && more.iter().any(|line| line.contains("got 2 / ok / more") || line.contains("<got 2>")),
        "{more:?}"
    );
}

#[tokio::test]
async fn what_the_framework_does_of_itself_has_no_arguments_to_edit() {
    let bench = bench();
    bench.before(|_, _| harness::Prepared::Perform(Effect::WriteFile { path: "log.txt".into(), text: "LOG".into() }));
    let mut started = bench.start(vec![says("ok")]);
    let question = started.until(|event| matches!(event, EventKind::ApprovalAsked { .. })).await;
    match started.decide.try_out(question, "{}".into()).await.unwrap() {
        Trial::Refused { why } => {
            assert_eq!(why.en, "the framework does this by itself: there are no arguments to edit");
        }
        trial => panic!("{trial:?}"),
    }
    started.decide.give(question, DENY).unwrap();
    started.events().await;
}
