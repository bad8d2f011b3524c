//! `trace check` as a user starts it: what it prints and its exit codes.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod terminal;

use serde_json::Value;
use terminal::{Terminal, text};

#[test]
fn a_changed_skill_gives_exit_code_1_and_scripts_run_only_if_asked_for() {
    let terminal = Terminal::new();
    let skills = terminal.home.path().join("skills");
    let folder = skills.join("dice");
    std::fs::create_dir_all(folder.join("scripts")).unwrap();
    let manual = folder.join("SKILL.md");
    std::fs::write(&manual, "---\nname: dice\ndescription: Rolls.\n---\nRoll.\n").unwrap();
    std::fs::write(folder.join("scripts/roll.sh"), "echo four\n").unwrap();
    std::fs::write(skills.join("workbench.yaml"), "harnesses:\n  agent-framework:\n    scriptRunner: byEnding\n")
        .unwrap();
    let play = terminal.home.path().join("play.yaml");
    std::fs::write(&play, "prompt: Roll\nsteps:\n- activate: dice\n- run: scripts/roll.sh\n- say: Done.\n").unwrap();
    let run = |arguments: &[&str]| terminal.command(arguments).output().unwrap();
    let (skills, play) = (skills.to_str().unwrap(), play.to_str().unwrap());
    run(&["run", skills, "--model", "rehearsal", "--prompt", "Roll", "--screenplay", play, "--approve", "always"]);

    let check = ["trace", "check", "last"];
    let same = run(&check);
    assert_eq!(same.status.code(), Some(0), "{}", text(&same.stderr));
    let told = text(&same.stdout);
    assert!(told.contains("1 the same, 0 changed, 0 no longer resolve, 1 not run, 0 not checked"), "{told}");

    let list = || serde_json::from_slice::<Value>(&run(&["trace", "list", "--format", "json"]).stdout).unwrap();
    let id = list()[0]["id"].as_str().unwrap().to_owned();
    std::fs::write(folder.join("scripts/roll.sh"), "echo five\n").unwrap();
    let played = run(&["trace", "check", &id, "--scripts", "--approve", "always"]);
    assert_eq!(played.status.code(), Some(1), "{}", text(&played.stderr));
    let told = text(&played.stdout);
    assert!(told.contains("- four") && told.contains("+ five"), "{told}");

    let refused = run(&["trace", "check", &id, "--scripts", "--approve", "never"]);
    assert_eq!(refused.status.code(), Some(1), "nothing was found out about the script");
    let told = text(&refused.stdout);
    assert!(told.contains("1 the same, 0 changed, 0 no longer resolve, 1 not run, 0 not checked"), "{told}");
    assert!(told.contains("not run; nobody allowed it"), "{told}");

    std::fs::write(&manual, "---\nname: dice\ndescription: Rolls.\n---\nRoll twice.\n").unwrap();
    let changed = run(&["trace", "check", &id, "--format", "json"]);
    assert_eq!(changed.status.code(), Some(1));
    let found: Value = serde_json::from_slice(&changed.stdout).unwrap();
    assert_eq!((&found["bad"], &found["calls"][0]["result"]["type"]), (&1.into(), &"changed".into()), "{found}");
    assert_eq!(run(&["trace", "check", "nonsense"]).status.code(), Some(2));
}
