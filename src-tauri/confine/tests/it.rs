//! The program by itself, without a sandbox around it.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

use std::process::{Command, Output};

use needed::require_or_skip;

/// What programs need to start.
const SYSTEM: [&str; 6] =
    ["--read=/usr", "--read=/bin", "--read=/lib", "--read=/lib64", "--read=/etc", "--use=/dev/null"];

fn run(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_skillbench-confine")).args(words).output().unwrap()
}

fn shell(rules: &[&str], line: &str) -> Output {
    run(&[&SYSTEM[..], rules, &["--", "sh", "-c", line]].concat())
}

fn said(output: &Output) -> (Option<i32>, String) {
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Whether this kernel has Landlock.
fn has_landlock() -> bool {
    let output = run(&["--read=/", "--", "true"]);
    let there =
        if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) };
    require_or_skip(there).is_some()
}

#[test]
fn keeps_the_program_and_what_it_starts_to_the_rules() {
    if !has_landlock() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    for name in ["read", "write", "hidden"] {
        std::fs::create_dir(at(name)).unwrap();
        std::fs::write(at(name) + "/file", name).unwrap();
    }
    let tries = format!(
        "cd {}; for name in read write hidden; do cat $name/file 2>/dev/null && echo; done; \
         for name in read write hidden; do (echo new > $name/made) 2>/dev/null && echo made $name; done; \
         sh -c ': > hidden/file' 2>/dev/null || echo held; [ -e hidden/file ] && echo seen",
        folder.path().display()
    );
    let rules = [format!("--read={}", at("read")), format!("--write={}", at("write")), "--read=/no/such/place".into()];
    let rules = rules.each_ref().map(String::as_str);
    assert_eq!(said(&shell(&rules, &tries)), (Some(0), "read\nwrite\nmade write\nheld\nseen\n".into()));
    assert_eq!(std::fs::read_to_string(at("hidden") + "/file").unwrap(), "hidden");

    let (listed, hidden) = (format!("--list={}", folder.path().display()), at("hidden"));
    let line = format!("ls {hidden} && cat {hidden}/file 2>/dev/null");
    assert_eq!(said(&shell(&[&listed], &line)), (Some(1), "file\n".into()), "names, and nothing more");
}

#[test]
fn limits_the_program() {
    if !has_landlock() {
        return;
    }
    let limits = ["--nofile=23", "--core=0", "--fsize=4096", "--cpu=7"];
    let output = shell(&limits, "ulimit -n; ulimit -Hn; ulimit -c; ulimit -t");
    assert_eq!(said(&output), (Some(0), "23\n23\n0\n7\n".into()));
}

#[test]
fn runs_nothing_where_it_does_not_understand_or_cannot_do_what_it_is_to_do() {
    for (words, why) in [
        (&["--read=/"][..], "there is no program to run"),
        (&["--read=/", "--", "no-such-program"], "no-such-program: No such file or directory (os error 2)"),
        (&["--everything=/", "--", "true"], "`--everything` is no rule"),
        (&["true"], "`true` is neither a limit nor a rule"),
        (&["--cpu=long", "--", "true"], "--cpu=long: not a number"),
    ] {
        if !has_landlock() {
            return;
        }
        let output = run(words);
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), stderr), (Some(121), format!("skillbench-confine: {why}\n")));
    }
}
