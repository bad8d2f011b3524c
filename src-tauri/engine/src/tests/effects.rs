//! The effects that a harness may ask for in a call or before a request, and the user's questions.

use serde_json::{Value, json};

use super::fakes::{Bench, calls, says, story};
use crate::Approval;
use config::Fidelity;
use harness::{Effect, Origin, Prepared};
use model::{Message, Part, Role};
use trace::{Decision, EventKind};

const ALLOW: Decision = Decision::Allow { arguments: None, for_run: false };
const DENY: Decision = Decision::Deny { reason: None };

/// A call that asks for these effects, one after the other.
fn wants(effects: &[Value]) -> String {
    json!({ "effects": effects }).to_string()
}

fn write(path: &str, text: &str) -> Value {
    json!({"type": "writeFile", "path": path, "text": text})
}

fn read(path: impl std::fmt::Display) -> Value {
    json!({"type": "readFile", "path": path.to_string()})
}

fn asking(decisions: Vec<(&'static str, Decision)>) -> Bench {
    let mut bench = Bench::new();
    bench.approval = Approval::Ask;
    bench.decisions = decisions;
    bench
}

/// The events between a call that asks for these effects and the next request.
async fn middle(bench: &Bench, effects: &[Value]) -> Vec<String> {
    let story = bench.story(vec![calls(&[("a", "do", &wants(effects))]), says("ok")]).await;
    let start = story.iter().position(|line| line.starts_with("called")).unwrap();
    let end = story.iter().position(|line| line.starts_with("requested 1")).unwrap();
    story[start + 1..end].to_vec()
}

#[tokio::test]
async fn performs_one_effect_after_the_other_until_the_harness_replies() {
    let bench = Bench::new();
    let effects = [
        write("a/notes.md", "one\ntwo\n"),
        read("a/notes.md"),
        json!({"type": "listFolder", "path": "a", "depth": 1}),
        json!({"type": "findFiles", "path": ".", "pattern": "**/*.md"}),
        json!({"type": "searchFiles", "path": "a", "pattern": "TW", "files": null, "ignoreCase": true, "multiline": false}),
        json!({"type": "disclose", "skill": "demo", "resource": null}),
        read("gone.md"),
    ];
    assert_eq!(
        middle(&bench, &effects).await,
        [
            r#"performed a: null ["a/notes.md:8"]"#.to_owned(),
            format!("noted: cannot read {}/gone.md: No such file or directory (os error 2)", bench.path()),
            "replied a: Wrote; read one\ntwo\n; listed [\"notes.md\"]; listed [\"notes.md\"]; found [\"2:two\"]; Agreed; \
             failed NotFound"
                .into(),
        ]
    );
}

#[cfg(unix)]
#[tokio::test]
async fn runs_a_command_within_the_shorter_of_two_time_limits() {
    let bench = Bench::new();
    let shell = |command: &str, timeout: Value| json!({"type": "shell", "command": command, "workingDirectory": null, "timeout": timeout});
    let effects = [shell("echo hi > made.txt; cat made.txt", Value::Null), shell("sleep 300", json!(1))];
    assert_eq!(
        middle(&bench, &effects).await,
        [
            r#"performed a: {"stdout":"hi\n","stderr":"","exitCode":0,"timedOut":false,"truncated":false} ["made.txt:3"]"#,
            r#"performed a: {"stdout":"","stderr":"","exitCode":null,"timedOut":true,"truncated":false} []"#,
            "replied a: ran Some(0) hi; ran None ",
        ]
    );
}

#[tokio::test]
async fn cuts_off_a_harness_that_never_comes_to_an_end() {
    let bench = Bench::new();
    let arguments = json!({"effects": [{"type": "disclose", "skill": "demo", "resource": null}], "again": true});
    let story = bench.story(vec![calls(&[("a", "do", &arguments.to_string())])]).await;
    assert_eq!(
        story.last().unwrap(),
        "ended Failed: Fake Framework asked for more than 256 things to be done for one call"
    );
}

#[tokio::test]
async fn asks_for_what_runs_or_writes_and_for_what_the_framework_asks_for() {
    let inside = |bench: &Bench| {
        std::fs::write(bench.path().join("in.md"), "IN").unwrap();
        let path = bench.path().join("in.md");
        json!({"type": "readFile", "path": path, "approval": true})
    };
    let mut bench = asking(vec![("a", ALLOW), ("a", DENY), ("a", ALLOW)]);
    let approved = inside(&bench);
    let lines = middle(
        &bench,
        &[json!({"type": "disclose", "skill": "demo", "resource": null}), write("x.md", "x"), approved.clone()],
    )
    .await;
    assert_eq!(
        lines,
        [
            "asked a: Disclose { skill: \"demo\", resource: None }".to_owned(),
            "given a: Allow { arguments: None, for_run: false }".into(),
            "asked a: WriteFile { path: \"x.md\", text: \"x\" }".into(),
            "given a: Deny { reason: None }".into(),
            format!("asked a: ReadFile {{ path: \"{}/in.md\", approval: true }}", bench.path()),
            "given a: Allow { arguments: None, for_run: false }".into(),
            "replied a: Agreed; Denied { reason: None }; read IN".into(),
        ]
    );
    assert!(!bench.path().join("x.md").exists());

    bench.decisions = vec![("a", Decision::Allow { arguments: None, for_run: true }), ("a", DENY)];
    let lines = middle(&bench, &[approved.clone(), approved, write("x.md", "x")]).await;
    let asked: Vec<_> = lines.iter().filter(|line| line.starts_with("asked")).collect();
    assert_eq!(asked.len(), 2, "reading the file was allowed for the run, and nothing else was: {lines:?}");
    assert_eq!(asked[1], "asked a: WriteFile { path: \"x.md\", text: \"x\" }");
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn reads_nothing_of_the_system_even_if_everything_is_allowed() {
    let bench = Bench::new();
    let effects = [
        read("/proc/self/environ"),
        json!({"type": "listFolder", "path": "/proc/self", "depth": 1}),
        json!({"type": "searchFiles", "path": "/dev", "pattern": ".", "files": null, "ignoreCase": false, "multiline": false}),
        json!({"type": "writeFile", "path": "/dev/shm/x", "text": ""}),
    ];
    let lines = middle(&bench, &effects).await;
    let all = "replied a: failed NoPermission; failed NoPermission; failed NoPermission; failed NoPermission";
    assert_eq!(lines.last().unwrap(), all);
}

#[cfg(unix)]
#[tokio::test]
async fn asks_again_when_a_path_leads_elsewhere_than_when_it_was_asked() {
    let mut bench = asking(vec![]);
    let folder = tempfile::tempdir().unwrap();
    let outside = camino::Utf8Path::from_path(folder.path()).unwrap().canonicalize_utf8().unwrap();
    for name in ["first", "second"] {
        std::fs::write(outside.join(name), name).unwrap();
    }
    let link = bench.path().join("link");
    std::os::unix::fs::symlink(outside.join("first"), &link).unwrap();
    bench.approval = Approval::Ask;
    let asks = json!({"type": "readFile", "path": "link", "approval": true});
    let mut started = bench.start(vec![calls(&[("a", "do", &wants(&[asks]))]), says("ok")]);
    let leads_to = |name: &str| {
        let path = outside.join(name);
        move |event: &EventKind| matches!(event, EventKind::ApprovalAsked { subject, .. } if subject.leads_to.as_ref() == Some(&path))
    };
    let first = started.until(leads_to("first")).await;
    std::fs::remove_file(&link).unwrap();
    std::os::unix::fs::symlink(outside.join("second"), &link).unwrap();
    started.decide.give(first, ALLOW).unwrap();
    let second = started.until(leads_to("second")).await;
    started.decide.give(second, DENY).unwrap();
    let story = story(&started.events().await);
    assert!(story.contains(&"replied a: Denied { reason: None }".to_owned()), "{story:?}");
}

#[tokio::test]
async fn makes_its_folder_when_something_is_done_there() {
    let bench = asking(vec![("a", ALLOW), ("a", ALLOW)]);
    std::fs::remove_dir(bench.path()).unwrap();
    middle(&bench, &[json!({"type": "disclose", "skill": "demo", "resource": null})]).await;
    assert!(!bench.path().exists(), "nothing but talk");
    let lines = middle(&bench, &[json!({"type": "listFolder", "path": ".", "depth": 1})]).await;
    assert_eq!(lines, ["replied a: listed []"], "it lies in what the run is about");
    assert!(bench.path().exists());
}

#[tokio::test]
async fn a_folder_that_cannot_be_made_ends_the_run() {
    let bench = asking(vec![]);
    std::fs::remove_dir(bench.path()).unwrap();
    std::fs::write(bench.path(), "a file in its place").unwrap();
    let story = bench.story(vec![calls(&[("a", "do", &wants(&[read("in.md")]))])]).await;
    std::fs::remove_file(bench.path()).unwrap();
    let reason = format!("cannot create {}, the run's working directory: ", bench.path());
    assert!(story.last().is_some_and(|line| line.contains(&reason)), "{story:?}");
}

#[tokio::test]
async fn a_reply_of_any_size_reaches_the_model_cut_and_says_so() {
    let bench = Bench::new();
    std::fs::write(bench.path().join("large"), "公 斤\n".repeat(700_000)).unwrap();
    let read = json!({ "path": bench.path().join("large") }).to_string();
    let events = bench.start(vec![calls(&[("a", "read", &read)]), says("ok")]).events().await;
    let replied = events.iter().find_map(|event| match &event.kind {
        EventKind::Replied { text, .. } => Some(text),
        _ => None,
    });
    let note = "[Skill Workbench cut this reply after 4194304 of 5600000 bytes. The limit is Skill Workbench's own; \
                Fake Framework would pass the reply whole.]";
    assert!(replied.is_some_and(|text| text.ends_with(note)), "{:?}", replied.map(|text| &text[text.len() - 200..]));
}

#[tokio::test]
async fn refuses_to_look_outside_of_what_the_run_is_about_and_says_that_the_framework_would() {
    for approval in [Approval::Ask, Approval::Allow, Approval::Deny] {
        let mut bench = asking(vec![]);
        bench.approval = approval;
        let (_folder, outside) = outside(&mut bench);
        let effects = [
            read(outside.join("skill/SKILL.md")),
            read(outside.join("secret")),
            json!({"type": "listFolder", "path": outside, "depth": 1}),
            json!({"type": "findFiles", "path": outside.join("skill/.."), "pattern": "*"}),
        ];
        let lines = middle(&bench, &effects).await;
        let refused = |path: &str| {
            format!(
                "noted: Fake Framework reads {path}, outside of the skills and the folders that you opened: here that is \
                 refused. To answer as the framework does, begin the run with fidelity (`skillbench run --fidelity`, or in \
                 Run's form)"
            )
        };
        let secret = refused(outside.join("secret").as_str());
        let above = format!("{}, which leads to {outside},", outside.join("skill/.."));
        let above = refused(above.trim_end_matches(','));
        let all = "replied a: read SKILL; failed NoPermission; failed NoPermission; failed NoPermission";
        assert_eq!(lines, [&secret, &refused(outside.as_str()), &above, all]);
    }
}

/// A skill and a secret next to it.
fn outside(bench: &mut Bench) -> (tempfile::TempDir, camino::Utf8PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let outside = camino::Utf8Path::from_path(folder.path()).unwrap().canonicalize_utf8().unwrap();
    std::fs::create_dir(outside.join("skill")).unwrap();
    std::fs::write(outside.join("skill/SKILL.md"), "SKILL").unwrap();
    std::fs::write(outside.join("secret"), "SECRET").unwrap();
    bench.catalog.skills[0].path = Some(outside.join("skill"));
    bench.catalog.roots.push(outside.join("skill"));
    (folder, outside)
}

#[tokio::test]
async fn with_fidelity_it_looks_outside_as_the_framework_does_and_leaves_out_what_is_private() {
    let mut bench = asking(vec![("a", DENY)]);
    bench.sandbox.fidelity = Fidelity::On;
    let (_folder, outside) = outside(&mut bench);
    std::fs::create_dir(outside.join(".ssh")).unwrap();
    for key in [".ssh/config", "server.key", ".env"] {
        std::fs::write(outside.join(key), "SECRET").unwrap();
    }
    let searched = json!({"type": "searchFiles", "path": outside, "pattern": "S", "files": null, "ignoreCase": false, "multiline": false});
    let effects = [
        read(outside.join("secret")),
        json!({"type": "listFolder", "path": outside, "depth": 2}),
        searched,
        read(outside.join(".ssh/config")),
        read(outside.join("server.key")),
        json!({"type": "readFile", "path": outside.join("secret"), "approval": true}),
        read("/proc/self/environ"),
    ];
    let lines = middle(&bench, &effects).await;
    assert_eq!(
        lines.last().unwrap(),
        "replied a: read SECRET; listed [\"secret\", \"skill\", \"SKILL.md\"]; found [\"1:SECRET\", \"1:SKILL\"]; \
         failed NoPermission; failed NoPermission; Denied { reason: None }; failed NoPermission"
    );
    let told = |words: &str| lines.iter().filter(|line| line.starts_with("noted: ") && line.ends_with(words)).count();
    assert_eq!(told("the model is given it, since the run answers as the framework does (fidelity)"), 3, "{lines:?}");
    assert_eq!(told("no model is given it, with fidelity neither"), 3, "{lines:?}");
    let asked: Vec<_> = lines.iter().filter(|line| line.starts_with("asked")).collect();
    assert_eq!(asked.len(), 1, "what the framework itself asks for: {lines:?}");
}

#[tokio::test]
async fn a_framework_that_asks_before_it_looks_outside_asks_here_too_and_a_yes_is_none_for_keys() {
    for fidelity in [Fidelity::Off, Fidelity::On] {
        let deny = Decision::Deny { reason: Some("mine".into()) };
        let mut bench = asking(vec![("a", ALLOW), ("a", deny), ("a", ALLOW)]);
        bench.fake.asks_outside.store(true, std::sync::atomic::Ordering::Relaxed);
        bench.sandbox.fidelity = fidelity;
        let (_folder, outside) = outside(&mut bench);
        for name in ["other", "server.key"] {
            std::fs::write(outside.join(name), name).unwrap();
        }
        let listed = json!({"type": "listFolder", "path": outside, "depth": 1});
        let effects = [
            read(outside.join("skill/SKILL.md")),
            read(outside.join("secret")),
            read(outside.join("other")),
            listed,
            read(outside.join("server.key")),
        ];
        let lines = middle(&bench, &effects).await;
        assert_eq!(
            lines.last().unwrap(),
            "replied a: read SKILL; read SECRET; Denied { reason: Some(\"mine\") }; listed [\"other\", \"secret\", \
             \"skill\"]; failed NoPermission"
        );
        let starting = |words: &str| lines.iter().filter(|line| line.starts_with(words)).count();
        assert_eq!((starting("asked a: "), starting("given a: ")), (3, 3), "{lines:?}");
        let notes: Vec<_> = lines.iter().filter(|line| line.starts_with("noted: ")).collect();
        let key = outside.join("server.key");
        assert_eq!(
            notes,
            [&format!(
                "noted: Fake Framework reads {key}, outside of the skills and the folders that you opened: it holds keys, or \
                 belongs to the system or to programs in a home folder; no model is given it, with fidelity neither"
            )],
        );
    }
}

#[tokio::test]
async fn a_run_records_whether_it_answers_as_the_framework_does() {
    for (fidelity, recorded) in [(Fidelity::Off, false), (Fidelity::On, true)] {
        let mut bench = Bench::new();
        bench.sandbox.fidelity = fidelity;
        let events = bench.start(vec![says("ok")]).events().await;
        assert_eq!(events[0].kind.setup().unwrap().fidelity, recorded);
    }
}

#[tokio::test]
async fn serves_again_with_edited_arguments_without_a_second_question() {
    let edited = wants(&[read("in.md"), write("out.md", "edited")]);
    let bench = asking(vec![("a", Decision::Allow { arguments: Some(edited), for_run: false })]);
    std::fs::write(bench.path().join("in.md"), "IN").unwrap();
    let lines = middle(&bench, &[write("out.md", "first")]).await;
    assert_eq!(
        lines[2..],
        [
            "agreed a: WriteFile { path: \"out.md\", text: \"edited\" }".to_owned(),
            r#"performed a: null ["out.md:6"]"#.to_owned(),
            "replied a: read IN; Wrote".into()
        ],
        "the read is inside, the write is what the user agreed to: {lines:?}"
    );
    assert_eq!(std::fs::read_to_string(bench.path().join("out.md")).unwrap(), "edited");
}

#[tokio::test]
async fn lets_the_framework_get_ready_for_a_request() {
    let bench =
        asking(vec![("before-request-0-0", ALLOW), ("before-request-0-1", Decision::Stub { text: "?".into() })]);
    bench.before(|_, _| Prepared::Perform(Effect::WriteFile { path: "log.txt".into(), text: "LOG".into() }));
    bench.before(|_, _| Prepared::Perform(Effect::WriteFile { path: "more.txt".into(), text: "LOG".into() }));
    bench.before(|history, _| {
        history.push(Message::user("reminder"));
        Prepared::Send
    });
    let events = bench.start(vec![says("ok")]).events().await;
    assert_eq!(
        story(&events)[..6],
        [
            "asked before-request-0-0: WriteFile { path: \"log.txt\", text: \"LOG\" }",
            "given before-request-0-0: Allow { arguments: None, for_run: false }",
            r#"performed before-request-0-0: null ["log.txt:3"]"#,
            "asked before-request-0-1: WriteFile { path: \"more.txt\", text: \"LOG\" }",
            "given before-request-0-1: Stub { text: \"?\" }",
            "requested 0: Skills: demo / hi / reminder",
        ]
    );
    let prepared = bench.fake.prepared.lock().unwrap().clone();
    assert_eq!(prepared, ["Wrote", "Denied { reason: None }"], "there is no reply to give by hand");
    assert!(!bench.path().join("more.txt").exists());
}

#[tokio::test]
async fn ends_where_the_framework_ends_before_a_request() {
    let bench = Bench::new();
    bench.before(|_, _| Prepared::End);
    assert_eq!(bench.story(Vec::new()).await, ["ended Done"]);
    bench.before(|_, _| Prepared::Abort("too much".into()));
    assert_eq!(bench.story(Vec::new()).await, ["ended Failed: too much"]);
    for _ in 0..300 {
        bench.before(|_, _| Prepared::Perform(Effect::Disclose { skill: "demo".into(), resource: None }));
    }
    let story = bench.story(Vec::new()).await;
    assert_eq!(story, ["ended Failed: Fake Framework asked for more than 256 things to be done before one request"]);
}

#[tokio::test]
async fn marks_a_reply_as_the_harness_says() {
    let bench = Bench::new();
    let events = bench.start(vec![calls(&[("a", "marked", "{}")]), says("ok")]).events().await;
    let origins = events.iter().rev().find_map(|event| match &event.kind {
        EventKind::Requested { origins, .. } => origins.last().cloned(),
        _ => None,
    });
    let origin = origins.unwrap();
    let marks: Vec<_> = origin.marks.into_iter().map(|mark| (mark.span.start, mark.span.end, mark.origin)).collect();
    let skill = Origin::Skill { skill: "demo".into(), field: "body".into() };
    assert_eq!((origin.role, marks), (Role::Tool, vec![(0, 10, Origin::Framework), (10, 15, skill)]));
}

#[tokio::test]
async fn sends_a_system_message_wherever_the_framework_puts_it() {
    let bench = Bench::new();
    bench.before(|history, session| {
        let mut text = harness::Marked::default();
        text.push("Skills: ", Origin::Framework);
        text.push("demo", Origin::Skill { skill: "demo".into(), field: "name".into() });
        history.push(Message::system(&text.text));
        history[0].parts.push(Part::Text { text: " (be brief)".into() });
        session.injected.push(text);
        Prepared::Send
    });
    let events = bench.start(vec![says("ok")]).events().await;
    let Some(EventKind::Requested { origins, body, .. }) = events.get(1).map(|event| &event.kind) else { panic!() };
    assert_eq!(body, "Skills: demo / hi;  (be brief) / Skills: demo");
    let marks =
        |place: usize| origins[place].marks.iter().map(|mark| (mark.span.end, mark.origin.clone())).collect::<Vec<_>>();
    assert_eq!(origins.iter().map(|origin| origin.role).collect::<Vec<_>>(), [Role::System, Role::User, Role::System]);
    assert_eq!(marks(1), [(2, Origin::User), (13, Origin::Framework)]);
    assert_eq!(marks(2), marks(0), "an injected text keeps its origins");
}

#[cfg(unix)]
#[tokio::test]
async fn commands_run_at_the_same_time_and_are_reported_in_the_order_in_which_they_end() {
    let bench = Bench::new();
    let shells = |commands: &[&str], timeout: Value, until_failure: bool| json!({"type": "shells", "commands": commands, "workingDirectory": null, "timeout": timeout, "untilFailure": until_failure});
    let slow = "while [ ! -e go ]; do sleep 0.05; done; echo slow";
    let effects =
        [shells(&[slow, "echo fast; touch go"], Value::Null, false), shells(&["sleep 300", "exit 3"], json!(1), true)];
    let lines = middle(&bench, &effects).await;
    assert_eq!(
        lines.last().unwrap(),
        "replied a: together [(1, Some(0), \"fast\"), (0, Some(0), \"slow\")]; together [(1, Some(3), \"\"), (0, None, \"\")]"
    );
    let many: Vec<String> = (0..64).map(|number| format!("touch made-{number}; exit 1")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    middle(&bench, &[shells(&many, Value::Null, true)]).await;
    let made = std::fs::read_dir(bench.path()).unwrap().flatten();
    let made = made.filter(|entry| entry.file_name().to_string_lossy().starts_with("made-")).count();
    assert!((1..64).contains(&made), "once one failed no other one begins, and {made} had begun");
}

#[cfg(unix)]
#[tokio::test]
async fn several_files_are_asked_about_once_and_none_lands_elsewhere() {
    let several = || {
        let file = |path: &str, text: &str| json!({"path": path, "text": text});
        json!({"type": "writeFiles", "files": [file("a/one.md", "1"), file("link/two.md", "2"), file("three.md", "3")]})
    };
    let mut bench = asking(vec![("a", ALLOW)]);
    let (_folder, outside) = outside(&mut bench);
    std::fs::create_dir(bench.path().join("inside")).unwrap();
    std::os::unix::fs::symlink(bench.path().join("inside"), bench.path().join("link")).unwrap();
    let lines = middle(&bench, &[several()]).await;
    let asked: Vec<_> = lines.iter().filter(|line| line.starts_with("asked")).collect();
    assert_eq!(asked.len(), 1, "{lines:?}");
    assert!(lines.contains(&r#"performed a: null ["a/one.md:1", "three.md:1"]"#.to_owned()), "{lines:?}");
    let left_out = "link/two.md leads out of what may be touched here, so it is left alone";
    assert!(lines.iter().any(|line| line.starts_with("noted: ") && line.ends_with(left_out)), "{lines:?}");
    assert!(!bench.path().join("inside/two.md").exists() && !outside.join("two.md").exists());

    let bench = asking(vec![("a", DENY)]);
    let lines = middle(&bench, &[several()]).await;
    assert_eq!(lines.last().unwrap(), "replied a: Denied { reason: None }");
    assert!(!bench.path().join("three.md").exists());
}

#[tokio::test]
async fn what_a_file_held_before_is_asked_about() {
    let history = |revisions: Value| json!({"type": "fileHistory", "path": "a.md", "revisions": revisions});
    let mut bench = asking(vec![("a", ALLOW)]);
    std::fs::write(bench.path().join("a.md"), "one\n").unwrap();
    let lines = middle(&bench, &[history(json!(5))]).await;
    let expected = [
        "asked a: FileHistory { path: \"a.md\", revisions: Some(5) }",
        "given a: Allow { arguments: None, for_run: false }",
    ];
    assert_eq!(
        (&lines[..2], &*lines[lines.len() - 1]),
        (&expected.map(str::to_owned)[..], "replied a: History(NoRepository)")
    );
    bench.decisions = vec![("a", DENY)];
    let lines = middle(&bench, &[history(Value::Null)]).await;
    assert_eq!(lines.last().unwrap(), "replied a: Denied { reason: None }");
    bench.approval = Approval::Allow;
    let lines = middle(&bench, &[history(Value::Null)]).await;
    assert!(lines.last().unwrap().starts_with("replied a: History(Disk { size: 4, "), "{lines:?}");
}
