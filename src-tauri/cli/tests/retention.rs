//! `trace pin`, `trace delete`, `trace keep` and `trace prune` as a user starts them.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod terminal;

use serde_json::Value;
use terminal::{Terminal, text};

#[test]
fn runs_are_kept_until_the_user_says_otherwise_and_pinned_ones_whatever_they_say() {
    let terminal = Terminal::new();
    let skills = terminal.home.path().join("skills");
    std::fs::create_dir_all(skills.join("dice")).unwrap();
    std::fs::write(skills.join("dice/SKILL.md"), "---\nname: dice\ndescription: Rolls.\n---\nRoll.\n").unwrap();
    let run = |arguments: &[&str]| terminal.command(arguments).output().unwrap();
    let rehearse = ["run", skills.to_str().unwrap(), "--model", "rehearsal", "--prompt", "Roll"];
    assert!(run(&rehearse).status.success());

    let kept = run(&["trace", "keep"]);
    assert_eq!(text(&kept.stdout), "All runs are kept.\n");
    let nothing = run(&["trace", "prune"]);
    assert_eq!(nothing.status.code(), Some(2));
    assert!(text(&nothing.stderr).contains("no rule says which runs to remove"), "{}", text(&nothing.stderr));

    assert!(run(&["trace", "pin", "last"]).status.success());
    assert!(text(&run(&["trace", "list"]).stdout).lines().next().unwrap().contains("pinned"));
    let none = run(&["trace", "prune", "--gb", "0.000001"]);
    assert!(text(&none.stdout).starts_with("0 runs removed"), "{}", text(&none.stdout));
    assert!(text(&none.stderr).contains("kept anyway: 1 pinned"), "{}", text(&none.stderr));

    assert!(run(&["trace", "unpin", "last"]).status.success());
    let set = run(&["trace", "keep", "--gb", "0.000001"]);
    assert!(text(&set.stdout).starts_with("The latest runs up to 0.000001 GB are kept"), "{}", text(&set.stdout));
    let listed = || -> usize {
        let list = run(&["trace", "list", "--format", "json"]);
        serde_json::from_slice::<Value>(&list.stdout).unwrap().as_array().unwrap().len()
    };
    let told = run(&["trace", "prune", "--dry-run"]);
    assert!(text(&told.stdout).contains("1 run would be removed"), "{}", text(&told.stdout));
    assert_eq!(listed(), 2, "nothing is removed when it is set, and nothing by a dry run");
    let done = run(&["trace", "prune"]);
    assert!(text(&done.stdout).contains("1 run removed"), "{}", text(&done.stdout));
    assert_eq!(listed(), 1, "the sample stays");
    assert_eq!(text(&run(&["trace", "keep", "--all"]).stdout), "All runs are kept.\n");
}

#[test]
fn a_run_is_deleted_at_once_and_a_pinned_one_only_by_force() {
    let terminal = Terminal::new();
    let run = |arguments: &[&str]| terminal.command(arguments).output().unwrap();
    let listed = || -> Vec<String> {
        let list = run(&["trace", "list", "--format", "json"]);
        let runs = serde_json::from_slice::<Value>(&list.stdout).unwrap();
        runs.as_array().unwrap().iter().map(|run| run["id"].as_str().unwrap().to_owned()).collect()
    };
    let [sample] = &listed()[..] else { panic!("a new store has the sample alone") };

    assert!(run(&["trace", "pin", sample]).status.success());
    let refused = run(&["trace", "delete", sample]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("the run is pinned"), "{}", text(&refused.stderr));
    assert!(text(&refused.stderr).contains("--force"), "{}", text(&refused.stderr));
    assert_eq!(listed(), [sample.as_str()]);

    let done = run(&["trace", "delete", sample, "--force"]);
    assert!(done.status.success(), "{}", text(&done.stderr));
    assert!(text(&done.stdout).starts_with(&format!("Deleted run {sample}, ")), "{}", text(&done.stdout));
    assert_eq!(listed(), [""; 0]);

    let gone = run(&["trace", "delete", sample]);
    assert_eq!(gone.status.code(), Some(2));
    assert!(text(&gone.stderr).contains(&format!("there is no run `{sample}`")), "{}", text(&gone.stderr));
}
