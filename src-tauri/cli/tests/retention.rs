//! `trace pin`, `trace keep` and `trace prune` as a user starts them.

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
    assert!(text(&none.stderr).contains("kept all the same: 1 pinned"), "{}", text(&none.stderr));

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
