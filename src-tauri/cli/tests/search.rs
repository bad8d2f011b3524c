//! `trace search`, `trace note` and `trace verdict` as a user starts them: what they print and their exit codes.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod terminal;

use serde_json::Value;
use terminal::{Terminal, text};

/// A machine with one rehearsed run.
fn recorded() -> Terminal {
    let terminal = Terminal::new();
    let skills = terminal.home.path().join("skills");
    std::fs::create_dir_all(skills.join("dice")).unwrap();
    std::fs::write(skills.join("dice/SKILL.md"), "---\nname: dice\ndescription: Rolls.\n---\nRoll 掷骰子 twice.\n")
        .unwrap();
    let play = terminal.home.path().join("play.yaml");
    std::fs::write(&play, "prompt: Roll\nsteps:\n- activate: dice\n- say: Done.\n").unwrap();
    let (skills, play) = (skills.to_str().unwrap(), play.to_str().unwrap());
    let run = ["run", skills, "--model", "rehearsal", "--prompt", "Roll", "--screenplay", play];
    assert!(terminal.command(&run).output().unwrap().status.success());
    terminal
}

#[test]
fn steps_are_found_and_a_wrong_query_is_refused_with_its_part() {
    let terminal = recorded();
    let run = |arguments: &[&str]| terminal.command(arguments).output().unwrap();
    let found = run(&["trace", "search", "kind:tool", "掷骰"]);
    assert_eq!(found.status.code(), Some(0), "{}", text(&found.stderr));
    let told = text(&found.stdout);
    assert!(told.contains("\n    3  load_skill  ") && told.contains("Roll 掷骰子 twice."), "{told}");

    let json = run(&["trace", "search", "skill:dice twice", "--format", "json"]);
    let found: Value = serde_json::from_slice(&json.stdout).unwrap();
    let step = &found["runs"][0]["steps"][0];
    assert_eq!((&step["step"], &step["tool"]), (&3.into(), &"load_skill".into()), "{found}");
    assert!(step["excerpt"].as_array().unwrap().iter().any(|piece| piece["found"] == true), "{found}");

    assert_eq!(run(&["trace", "search", "nowhere"]).status.code(), Some(1));
    let wrong = run(&["trace", "search", "kind:tool stat:x"]);
    assert_eq!(wrong.status.code(), Some(2));
    let told = text(&wrong.stderr);
    assert!(told.contains("column 11: there is no filter `stat:`") && told.contains("correct it"), "{told}");

    let listed = |filter: &str| {
        let list = run(&["trace", "list", filter, "--format", "json"]);
        serde_json::from_slice::<Value>(&list.stdout).unwrap().as_array().unwrap().len()
    };
    assert_eq!((listed("harness:agent skill:dice"), listed("harness:eino")), (1, 0));
}

#[test]
fn notes_and_a_verdict_are_kept_shown_and_removed() {
    let terminal = recorded();
    let run = |arguments: &[&str]| {
        let output = terminal.command(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", text(&output.stderr));
        text(&output.stdout)
    };
    run(&["trace", "note", "last", "3", "为什么？", "--bookmark"]);
    assert!(run(&["trace", "verdict", "last", "fail", "rolled once"]).contains("fail  rolled once"));
    let shown = run(&["trace", "show", "last"]);
    assert!(shown.contains("verdict fail  rolled once") && shown.contains("✎ ★ 为什么？"), "{shown}");
    assert!(run(&["trace", "list", "verdict:fail"]).contains("fail"));
    let exported = run(&["trace", "export", "last", "--format", "markdown"]);
    assert!(exported.contains("* Verdict: fail – rolled once") && exported.contains("为什么？"), "{exported}");

    run(&["trace", "note", "last", "3", "--no-bookmark"]);
    let notes: Value = serde_json::from_str(&run(&["trace", "note", "last", "--format", "json"])).unwrap();
    let note = &notes["notes"][0];
    assert_eq!((&note["text"], &note["bookmark"]), (&"为什么？".into(), &false.into()), "{notes}");
    run(&["trace", "note", "last", "3", "--delete"]);
    run(&["trace", "verdict", "last", "--delete"]);
    assert!(!run(&["trace", "show", "last"]).contains("verdict"));
    let nowhere = terminal.command(&["trace", "note", "last", "99", "x"]).output().unwrap();
    assert_eq!(nowhere.status.code(), Some(2));
    assert!(text(&nowhere.stderr).contains("the run has no step 99"));
}

#[test]
fn a_text_is_found_in_all_files_of_skills() {
    let terminal = Terminal::new();
    let skills = terminal.home.path().join("skills");
    std::fs::create_dir_all(skills.join("dice/references")).unwrap();
    std::fs::write(skills.join("dice/SKILL.md"), "---\nname: dice\ndescription: Rolls.\n---\n掷骰子 twice.\n").unwrap();
    std::fs::write(skills.join("dice/references/table.md"), "Twice\u{202e} or more\n").unwrap();
    let root = skills.to_str().unwrap();
    let run = |arguments: &[&str]| terminal.command(&[&["find"], arguments, &[root]].concat()).output().unwrap();
    let found = run(&["twice"]);
    assert_eq!(found.status.code(), Some(0), "{}", text(&found.stderr));
    let told = text(&found.stdout);
    assert!(told.contains("dice/SKILL.md\n    5:5   掷骰子 twice.\n"), "{told}");
    assert!(told.contains("references/table.md\n    1:1   Twice\\u{202e} or more\n"), "{told}");

    let json = run(&["--format", "json", "--regex", "--match-case", "^T\\w+"]);
    let found: Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!((found.as_array().unwrap().len(), &found[0]["places"][0]["text"]), (1, &"Twice".into()), "{found}");

    assert_eq!(run(&["--whole-words", "twic"]).status.code(), Some(1));
    let wrong = run(&["--regex", "("]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(text(&wrong.stderr).contains("unclosed group"), "{}", text(&wrong.stderr));
}
