//! Runs with permanent answers of the user.

use std::sync::{Arc, Mutex};

use camino::{Utf8Path, Utf8PathBuf};

use super::fakes::{Bench, calls, catalog, says, story};
use super::has_sandbox;
use crate::standing::{Concern, Memory};
use crate::{Approval, Given};
use config::{Network, SandboxMode};
use trace::{Decision, EventKind, Program, Standing, StepKind, fold};

const ALLOW: Decision = Decision::Allow { arguments: None, for_run: false };

/// A skill on disk with a script, and a memory that a test can look into.
struct OnDisk {
    _skill: tempfile::TempDir,
    script: Utf8PathBuf,
    kept: Arc<Mutex<Vec<(Concern, Standing)>>>,
}

fn place(bench: &mut Bench, said: Option<Standing>) -> OnDisk {
    let skill = tempfile::tempdir().unwrap();
    let folder = Utf8PathBuf::try_from(skill.path().canonicalize().unwrap()).unwrap();
    let script = folder.join("run.sh");
    std::fs::write(&script, "echo ran").unwrap();
    // If the tests run as root, scripts run as the user nobody.
    #[cfg(unix)]
    std::fs::set_permissions(&folder, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    bench.catalog = catalog();
    bench.catalog.skills[0].path = Some(folder);
    bench.approval = Approval::Ask;
    let kept: Arc<Mutex<Vec<(Concern, Standing)>>> = Arc::default();
    let keeps = kept.clone();
    bench.memory = Memory {
        said: Arc::new(move |_| said),
        keep: Arc::new(move |concern, standing| {
            keeps.lock().unwrap().push((concern.clone(), standing));
            Ok(())
        }),
    };
    OnDisk { _skill: skill, script, kept }
}

fn run(path: &Utf8Path) -> String {
    serde_json::json!({ "path": path, "arguments": "" }).to_string()
}

fn has(story: &[String], start: &str) -> bool {
    story.iter().any(|line| line.starts_with(start))
}

#[tokio::test]
async fn permanently_allowed_scripts_run_in_the_sandbox_without_a_question() {
    if !has_sandbox().await {
        return;
    }
    let mut bench = Bench::new();
    let place = place(&mut bench, Some(Standing::Sandbox));
    let events = bench.start(vec![calls(&[("a", "run", &run(&place.script))]), says("ok")]).events().await;
    let told = story(&events);
    assert!(
        has(&told, "remembered a: Sandbox Allow") && !has(&told, "asked") && has(&told, "replied a: ran"),
        "{told:?}"
    );
    let steps = fold::steps(&events);
    let tool = steps.iter().find_map(|step| match &step.kind {
        StepKind::Tool { standing, decision, enforcement, skills, .. } => {
            Some((standing, decision, enforcement, skills))
        }
        _ => None,
    });
    let (standing, decision, enforcement, skills) = tool.unwrap();
    assert_eq!((*standing, decision.as_ref()), (Some(Standing::Sandbox), Some(&ALLOW)));
    assert!(enforcement.as_ref().unwrap().layer.is_some() && skills == &["demo"]);

    bench.past = events;
    bench.prompt = "more";
    std::fs::remove_file(&place.script).unwrap();
    let more = bench.story(vec![says("yes")]).await;
    assert!(has(&more, "answered") && !has(&more, "noted: the run cannot be gone through"), "{more:?}");
}

#[tokio::test]
async fn without_a_whole_sandbox_a_remembered_yes_does_not_count() {
    for (mode, network) in [(SandboxMode::Off, Network::Denied), (SandboxMode::Prefer, Network::Allowed)] {
        let mut bench = Bench::new();
        let place = place(&mut bench, Some(Standing::Sandbox));
        bench.decisions = vec![("a", Decision::Deny { reason: None })];
        (bench.sandbox.mode, bench.sandbox.network) = (mode, network);
        let told = bench.story(vec![calls(&[("a", "run", &run(&place.script))]), says("ok")]).await;
        assert!(has(&told, "asked a") && !has(&told, "remembered"), "{told:?}");
    }
}

#[tokio::test]
async fn what_is_never_allowed_does_not_run_whoever_agrees() {
    for approval in [Approval::Ask, Approval::Allow] {
        let mut bench = Bench::new();
        let place = place(&mut bench, Some(Standing::Never));
        bench.approval = approval;
        bench.sandbox.mode = SandboxMode::Off;
        let told = bench.story(vec![calls(&[("a", "run", &run(&place.script))]), says("ok")]).await;
        assert!(has(&told, "remembered a: Never Deny") && has(&told, "replied with error a"), "{told:?}");
        assert!(!has(&told, "asked") && !has(&told, "performed"), "{told:?}");
    }
}

#[tokio::test]
async fn an_answer_that_is_to_be_kept_is_kept_for_the_skill_as_it_was_shown() {
    if !has_sandbox().await {
        return;
    }
    for (given, standing) in [(ALLOW, Standing::Sandbox), (Decision::Deny { reason: None }, Standing::Never)] {
        let mut bench = Bench::new();
        let place = place(&mut bench, None);
        let mut started = bench.start(vec![calls(&[("a", "run", &run(&place.script))]), says("ok")]);
        let question = started.until(|event| matches!(event, EventKind::ApprovalAsked { .. })).await;
        started.decide.give(question, Given { decision: given, remember: Some(standing) }).unwrap();
        let told = story(&started.events().await);
        assert!(has(&told, "noted: from now on scripts of demo"), "{told:?}");
        let kept = place.kept.lock().unwrap();
        let [(concern, kept)] = &kept[..] else { panic!("{kept:?}") };
        assert_eq!((*kept, concern.program, concern.names()), (standing, Program::Scripts, vec!["demo".to_owned()]));
        assert!(concern.is_known());
    }
}

#[tokio::test]
async fn a_yes_without_a_sandbox_is_kept_for_nothing() {
    let mut bench = Bench::new();
    let place = place(&mut bench, None);
    bench.sandbox.mode = SandboxMode::Off;
    let mut started = bench.start(vec![calls(&[("a", "run", &run(&place.script))]), says("ok")]);
    let question = started.until(|event| matches!(event, EventKind::ApprovalAsked { .. })).await;
    started.decide.give(question, Given { decision: ALLOW, remember: Some(Standing::Sandbox) }).unwrap();
    let told = story(&started.events().await);
    assert!(has(&told, "replied a: ran") && place.kept.lock().unwrap().is_empty(), "{told:?}");
}
