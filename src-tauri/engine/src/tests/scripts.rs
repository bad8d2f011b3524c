//! Runs in which a call asks to run a script.

use camino::Utf8Path;

use super::fakes::{Bench, calls, run_script, says, story};
use crate::tool::room;
use crate::{Approval, NotOpen};
use config::SandboxMode;
use model::secret::Guard;
use trace::{Decision, Enforcement, Event, EventKind};

const ALLOW: Decision = Decision::Allow { arguments: None, for_run: false };

fn arguments(path: &Utf8Path, arguments: &str) -> String {
    format!(r#"{{"path":"{path}","arguments":"{arguments}"}}"#)
}

/// What happens between the answer that calls and the next request.
fn middle(story: &[String]) -> &[String] {
    let start = story.iter().position(|line| line.starts_with("called")).unwrap();
    let end = story.iter().position(|line| line.starts_with("requested 1")).unwrap();
    &story[start + 1..end]
}

fn asking(decision: Decision) -> Bench {
    let mut bench = Bench::new();
    bench.approval = Approval::Ask;
    bench.decisions = vec![("a", decision)];
    bench
}

const ECHO: &str = "echo \"got $*\"; echo text > made.txt";

#[tokio::test]
async fn asks_then_runs_the_script_and_names_the_files_it_wrote() {
    let mut bench = Bench::new();
    bench.approval = Approval::Ask;
    let path = bench.script(ECHO);
    let mut started = bench.start(vec![calls(&[("a", "run", &arguments(&path, "1 2"))]), says("ok")]);
    let wanted = run_script(&path, "1 2");
    let is_it = |event: &EventKind| matches!(event, EventKind::ApprovalAsked { call_id, effect, .. } if call_id == "a" && *effect == wanted);
    let question = started.until(is_it).await;
    assert!(!bench.path().join("made.txt").exists(), "nothing runs before the user agreed");
    started.decide.give(question, ALLOW).unwrap();
    assert_eq!(
        middle(&story(&started.events().await)),
        [
            "asked a: run.sh 1 2",
            "given a: Allow { arguments: None, for_run: false }",
            r#"performed a: {"stdout":"got 1 2\n","stderr":"","exitCode":0,"timedOut":false,"truncated":false} ["made.txt:5"]"#,
            "replied a: got 1 2",
        ]
    );
}

#[tokio::test]
async fn runs_without_asking_where_that_was_allowed() {
    let bench = Bench::new();
    let path = bench.script("echo yes");
    let story = bench.story(vec![calls(&[("a", "run", &arguments(&path, ""))]), says("ok")]).await;
    assert_eq!(
        middle(&story),
        [
            r#"performed a: {"stdout":"yes\n","stderr":"","exitCode":0,"timedOut":false,"truncated":false} []"#,
            "replied a: yes",
        ]
    );
}

#[tokio::test]
async fn serves_the_call_again_with_the_arguments_the_user_edited() {
    let mut bench = Bench::new();
    bench.approval = Approval::Ask;
    let path = bench.script("echo \"got $*\"");
    let edited = arguments(&path, "7");
    bench.decisions = vec![("a", Decision::Allow { arguments: Some(edited.clone()), for_run: false })];
    let story = bench.story(vec![calls(&[("a", "run", &arguments(&path, "1"))]), says("ok")]).await;
    assert_eq!(
        middle(&story),
        [
            "asked a: run.sh 1",
            &format!("given a: Allow {{ arguments: Some({edited:?}), for_run: false }}"),
            "agreed a: run.sh 7",
            r#"performed a: {"stdout":"got 7\n","stderr":"","exitCode":0,"timedOut":false,"truncated":false} []"#,
            "replied a: got 7",
        ]
    );
}

#[tokio::test]
async fn takes_the_frameworks_answer_to_edited_arguments_it_cannot_read() {
    let bench = asking(Decision::Allow { arguments: Some("{oops".into()), for_run: false });
    let path = bench.script("echo never");
    let story = bench.story(vec![calls(&[("a", "run", &arguments(&path, "1"))]), says("ok")]).await;
    assert_eq!(middle(&story).last().unwrap(), "replied with error a: Error: bad arguments.");
}

#[tokio::test]
async fn does_not_run_what_the_user_denied() {
    let bench = asking(Decision::Deny { reason: Some("too risky".into()) });
    let path = bench.script(ECHO);
    let story = bench.story(vec![calls(&[("a", "run", &arguments(&path, "1"))]), says("ok")]).await;
    assert_eq!(
        middle(&story),
        [
            "asked a: run.sh 1",
            "given a: Deny { reason: Some(\"too risky\") }",
            "replied with error a: Error: denied: Some(\"too risky\").",
        ]
    );
    assert!(!bench.path().join("made.txt").exists());
}

#[tokio::test]
async fn denies_at_once_where_scripts_are_never_allowed() {
    let mut bench = Bench::new();
    bench.approval = Approval::Deny;
    let path = bench.script(ECHO);
    let story = bench.story(vec![calls(&[("a", "run", &arguments(&path, "1"))]), says("ok")]).await;
    assert_eq!(
        middle(&story),
        ["asked a: run.sh 1", "given a: Deny { reason: None }", "replied with error a: Error: denied: None."]
    );
}

#[tokio::test]
async fn takes_the_users_result_instead_of_running() {
    let bench = asking(Decision::Stub { text: "42".into() });
    let path = bench.script(ECHO);
    let story = bench.story(vec![calls(&[("a", "run", &arguments(&path, "1"))]), says("ok")]).await;
    assert_eq!(middle(&story), ["asked a: run.sh 1", "given a: Stub { text: \"42\" }", "replied a: 42"]);
    assert!(!bench.path().join("made.txt").exists());
}

#[tokio::test]
async fn asks_only_once_when_allowed_for_this_run() {
    let bench = asking(Decision::Allow { arguments: None, for_run: true });
    let path = bench.script("echo \"$1\"");
    let (first, second) = (arguments(&path, "1"), arguments(&path, "2"));
    let story = bench.story(vec![calls(&[("a", "run", &first), ("b", "run", &second)]), says("ok")]).await;
    assert_eq!(
        middle(&story),
        [
            "asked a: run.sh 1",
            "given a: Allow { arguments: None, for_run: true }",
            r#"performed a: {"stdout":"1\n","stderr":"","exitCode":0,"timedOut":false,"truncated":false} []"#,
            "replied a: 1",
            &format!("called 0: b run{second}"),
            r#"performed b: {"stdout":"2\n","stderr":"","exitCode":0,"timedOut":false,"truncated":false} []"#,
            "replied b: 2",
        ]
    );
}

#[tokio::test]
async fn asks_again_for_another_script_and_for_one_that_was_changed() {
    let for_run = Decision::Allow { arguments: None, for_run: true };
    let mut bench = asking(for_run);
    bench.decisions.extend([("b", Decision::Deny { reason: None }), ("c", Decision::Deny { reason: None })]);
    let path = bench.script("echo \"$1\"; echo '# more' >> run.sh");
    let other = bench.path().join("other.sh");
    std::fs::write(&other, "echo other").unwrap();
    let (first, second, third) = (arguments(&path, "1"), arguments(&other, "1"), arguments(&path, "1"));
    let story = bench
        .story(vec![calls(&[("a", "run", &first), ("b", "run", &second), ("c", "run", &third)]), says("ok")])
        .await;
    let asked: Vec<_> = story.iter().filter(|line| line.starts_with("asked")).collect();
    assert_eq!(asked.len(), 3, "one answer is for one script, as it was: {story:?}");
}

#[tokio::test]
async fn does_not_run_what_was_swapped_while_the_question_was_open() {
    let mut bench = Bench::new();
    bench.approval = Approval::Ask;
    let path = bench.script("echo fine");
    let mut started = bench.start(vec![calls(&[("a", "run", &arguments(&path, ""))]), says("ok")]);
    let first = started.until(|event| matches!(event, EventKind::ApprovalAsked { .. })).await;
    std::fs::write(&path, "echo evil").unwrap();
    started.decide.give(first, ALLOW).unwrap();
    assert_eq!(started.decide.give(first, ALLOW), Err(NotOpen(first)), "a second click");
    let second = started.until_after(Some(first), |event| matches!(event, EventKind::ApprovalAsked { .. })).await;
    assert_eq!(started.decide.give(first, ALLOW), Err(NotOpen(first)), "the same call, and another question");
    started.decide.give(second, Decision::Deny { reason: None }).unwrap();
    assert_eq!(
        middle(&story(&started.events().await)),
        [
            "asked a: run.sh ",
            "given a: Allow { arguments: None, for_run: false }",
            "noted: it changed while the question was open, so you are asked again",
            "asked a: run.sh ",
            "given a: Deny { reason: None }",
            "replied with error a: Error: denied: None.",
        ]
    );
}

#[tokio::test]
async fn denies_when_nobody_can_decide_any_more() {
    let mut bench = Bench::new();
    bench.approval = Approval::Ask;
    let path = bench.script(ECHO);
    let mut started = bench.start(vec![calls(&[("a", "run", &arguments(&path, ""))]), says("ok")]);
    started.until(|event| matches!(event, EventKind::ApprovalAsked { .. })).await;
    let story = story(&started.without_user().events().await);
    assert_eq!(middle(&story)[1], "given a: Deny { reason: Some(\"nobody is there to approve it\") }");
}

#[tokio::test]
async fn tells_the_framework_that_a_script_ran_too_long() {
    let mut bench = Bench::new();
    bench.limits.script_seconds = 1;
    let path = bench.script("echo begun; sleep 300");
    let story = bench.story(vec![calls(&[("a", "run", &arguments(&path, ""))]), says("ok")]).await;
    assert_eq!(
        middle(&story),
        [
            r#"performed a: {"stdout":"begun\n","stderr":"","exitCode":null,"timedOut":true,"truncated":false} []"#,
            "replied with error a: Error: timed out.",
        ]
    );
}

#[tokio::test]
async fn caps_the_output_of_a_script() {
    let mut bench = Bench::new();
    bench.limits.output_bytes = 5;
    let path = bench.script("yes x | head -c 500000 | tr -d '\\n'");
    let story = bench.story(vec![calls(&[("a", "run", &arguments(&path, ""))]), says("ok")]).await;
    assert_eq!(
        middle(&story)[0],
        r#"performed a: {"stdout":"xxx\n[… Skill Workbench leaves out 249995 bytes here …]\nxx","stderr":"","exitCode":0,"timedOut":false,"truncated":true} []"#
    );
}

#[tokio::test]
async fn stops_while_it_waits_for_the_user() {
    let mut bench = Bench::new();
    bench.approval = Approval::Ask;
    let path = bench.script(ECHO);
    let mut started = bench.start(vec![calls(&[("a", "run", &arguments(&path, ""))])]);
    started.until(|event| matches!(event, EventKind::ApprovalAsked { .. })).await;
    assert_eq!(started.stopped().await[3..], ["asked a: run.sh ", "ended Stopped"]);
}

#[tokio::test]
async fn stops_while_a_script_runs_and_kills_it() {
    let bench = Bench::new();
    let fifo = bench.path().join("fifo");
    assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let path = bench.script("exec 3> \"$1\"; echo alive >&3; sleep 300");
    let started = bench.start(vec![calls(&[("a", "run", &arguments(&path, fifo.as_str()))])]);
    let mut pipe = tokio::task::spawn_blocking(move || {
        let mut pipe = std::io::BufReader::new(std::fs::File::open(fifo).unwrap());
        let mut line = String::new();
        std::io::BufRead::read_line(&mut pipe, &mut line).unwrap();
        assert_eq!(line, "alive\n");
        pipe
    })
    .await
    .unwrap();
    let story = started.stopped().await;
    assert_eq!(story.last().unwrap(), "ended Stopped");
    assert!(story.last_chunk::<2>().unwrap()[0].starts_with("called 0: a run"), "{story:?}");
    let gone = tokio::task::spawn_blocking(move || std::io::Read::read_to_end(&mut pipe, &mut Vec::new()).unwrap());
    tokio::time::timeout(std::time::Duration::from_secs(20), gone)
        .await
        .expect("the pipe ends because the script and its child were killed")
        .unwrap();
}

#[tokio::test]
async fn a_key_that_a_script_or_a_file_gives_away_reaches_neither_record_nor_model() {
    const KEY: &str = "sk-canary-5d2f9c";
    let mut bench = Bench::new();
    let keys = |name: &str| (name == "SOME_KEY").then(|| KEY.to_owned());
    bench.guard = Guard::new(["SOME_KEY".to_owned()], Vec::new(), &keys);
    let path = bench
        .script(&format!("printf '%s ' {KEY} && printf {KEY} | base64 && echo {KEY} >&2 && echo {KEY} > made.txt"));
    let made = serde_json::json!({ "path": bench.path().join("made.txt") }).to_string();
    let run = arguments(&path, "1");
    let events = bench.start(vec![calls(&[("a", "run", &run), ("b", "read", &made)]), says("ok")]).events().await;
    let record = serde_json::to_string(&events).unwrap();
    assert!(record.contains("[key] [key]w==") && record.contains("\"stderr\":\"[key]"), "{record}");
    assert!(!record.contains(KEY) && !record.contains("c2stY2FuYXJ5"), "{record}");
}

#[tokio::test]
async fn a_key_in_a_reply_from_memory_reaches_neither_record_nor_model() {
    const KEY: &str = "sk-canary-5d2f9c";
    let mut bench = Bench::new();
    let keys = |name: &str| (name == "SOME_KEY").then(|| KEY.to_owned());
    bench.guard = Guard::new(["SOME_KEY".to_owned()], Vec::new(), &keys);
    // The framework answers it without an effect.
    let halves = r#"{"a": "sk-canary-", "b": "5d2f9c"}"#;
    let events = bench.start(vec![calls(&[("a", "join", halves)]), says("ok")]).events().await;
    let record = serde_json::to_string(&events).unwrap();
    assert!(record.contains(r#""text":"[key]""#) && !record.contains(KEY), "{record}");
}

/// The sandbox that is announced before a script runs, and the one recorded afterwards.
fn enforcements(events: &[Event]) -> (Option<Enforcement>, Option<Enforcement>) {
    let asked = events.iter().find_map(|event| match &event.kind {
        EventKind::ApprovalAsked { subject, .. } => subject.enforcement.clone(),
        _ => None,
    });
    let ran = events.iter().find_map(|event| match &event.kind {
        EventKind::Performed { enforcement, .. } => enforcement.clone(),
        _ => None,
    });
    (asked, ran)
}

/// A script that says whether it is confined: a variable of ours, and a file that is outside.
const LOOKS: &str = "(: < \"$1\") 2>/dev/null && echo sees; echo \"$HOME\"";

#[tokio::test]
async fn what_confines_a_script_is_shown_before_it_runs_and_recorded() {
    let bench = asking(ALLOW);
    let outside = tempfile::NamedTempFile::new().unwrap();
    let path = bench.script(LOOKS);
    let call = arguments(&path, outside.path().to_str().unwrap());
    let events = bench.start(vec![calls(&[("a", "run", &call)]), says("ok")]).events().await;
    let (asked, ran) = enforcements(&events);
    assert!(asked.is_some() && asked == ran, "{asked:?} {ran:?}");
    let story = story(&events);
    let held = ran.unwrap();
    assert_eq!(held.layer.is_some(), is_there().await);
    assert_eq!(story.iter().any(|line| line.contains("sees")), held.layer.is_none(), "{story:?}");
    if held.layer.is_some() {
        assert_eq!(held.interpreter, Some("/usr/bin/sh".into()));
    } else {
        assert!(held.reason.is_some());
    }
}

#[tokio::test]
async fn a_run_without_a_sandbox_says_so_and_why() {
    let mut bench = asking(ALLOW);
    bench.sandbox.mode = SandboxMode::Off;
    let outside = tempfile::NamedTempFile::new().unwrap();
    let path = bench.script(LOOKS);
    let call = arguments(&path, outside.path().to_str().unwrap());
    let events = bench.start(vec![calls(&[("a", "run", &call)]), says("ok")]).events().await;
    let (asked, ran) = enforcements(&events);
    let ran = ran.unwrap();
    assert_eq!(
        (ran.layer, ran.reason.as_ref().unwrap().en.as_str()),
        (None, "the sandbox is switched off for this run")
    );
    assert_eq!(asked, Some(ran));
    assert!(story(&events).iter().any(|line| line.contains("sees")), "the control: it has our rights");
}

#[tokio::test]
async fn a_sandbox_that_is_required_and_missing_refuses_and_asks_nobody() {
    let mut bench = asking(ALLOW);
    bench.sandbox.mode = SandboxMode::Require;
    let path = bench.script(ECHO);
    let story = bench.story(vec![calls(&[("a", "run", &arguments(&path, "1"))]), says("ok")]).await;
    assert_eq!(bench.path().join("made.txt").exists(), is_there().await, "{story:?}");
    if !is_there().await {
        let lines = middle(&story);
        let why = "noted: run.sh did not run: a sandbox is required and there is none, so nothing was run: ";
        assert!(lines[0].starts_with(why), "{lines:?}");
        assert_eq!(lines[1..], ["replied with error a: Error: failed.".to_owned()]);
    }
}

/// Whether this machine has a sandbox of any kind.
async fn is_there() -> bool {
    room::layer().await.is_ok()
}

#[tokio::test]
async fn programs_call_themselves_the_same_with_and_without_the_sandbox() {
    let mut said = Vec::new();
    for mode in [SandboxMode::Off, SandboxMode::Prefer] {
        let mut bench = Bench::new();
        bench.sandbox.mode = mode;
        let command = "no-such-program; cat /no/such/file; echo $0; pwd";
        let wants = serde_json::json!({ "effects": [{ "type": "shell", "command": command, "workingDirectory": null, "timeout": null }] });
        let events = bench.start(vec![calls(&[("a", "do", &wants.to_string())]), says("ok")]).events().await;
        let output = events.iter().find_map(|event| match &event.kind {
            EventKind::Performed { output, .. } => output.clone(),
            _ => None,
        });
        let output = output.unwrap();
        said.push([output.stdout, output.stderr].map(|text| text.replace(bench.path().as_str(), "RUN")));
    }
    assert_eq!(said[0], said[1]);
}
