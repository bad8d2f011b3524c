//! Counts what passed and what failed over several test runners, and says so in one closing line.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::Instant;

#[derive(Default)]
pub struct Tally {
    passed: u32,
    failed: Vec<String>,
    /// Tests that failed, and passed when they ran again by themselves.
    unsteady: Vec<String>,
    skipped: Vec<String>,
}

/// More than these at once do not fail by chance.
const TRIED_AGAIN: usize = 5;

impl Tally {
    /// A command that passes or fails as a whole.
    pub fn check(&mut self, name: &str, command: Command) {
        let run = Self::run(name, command, false);
        self.add(name, run);
    }

    /// A test runner: its own counts are added.
    pub fn tests(&mut self, name: &str, command: Command) {
        let run = Self::run(name, command, true);
        self.add(name, run);
    }

    /// The same, for tests that can fail because of other load on the machine. Those that fail run again by themselves,
    /// and the closing lines name those that pass then. `again`: runs the tests of these names alone.
    pub fn tests_twice(&mut self, name: &str, command: Command, again: impl FnOnce(&[String]) -> Command) {
        let first = Self::run(name, command, true);
        if first.ok || first.failed.is_empty() || first.failed.len() > TRIED_AGAIN {
            return self.add(name, first);
        }
        let second = Self::run(&format!("{name}, those that failed once more"), again(&first.failed), true);
        // One that did not run did not pass.
        if second.ok && second.passed as usize >= first.failed.len() {
            self.unsteady.extend(first.failed.iter().map(|test| format!("{name}: {test}")));
            self.passed += first.passed + second.passed;
        } else {
            self.add(name, first);
        }
    }

    pub fn fail(&mut self, name: &str, why: &str) {
        println!("✗ {name}: {why}");
        self.failed.push(name.to_owned());
    }

    /// A check for which something outside of this machine is missing.
    pub fn skip(&mut self, name: &str, why: &str) {
        println!("– {name}: not run: {why}");
        self.skipped.push(format!("{name}: {why}"));
    }

    /// A check for which something is missing that CI always has.
    pub fn lacks(&mut self, name: &str, why: &str) {
        match std::env::var_os("CI").is_some_and(|ci| !ci.is_empty()) {
            true => self.fail(name, why),
            false => self.skip(name, why),
        }
    }

    pub fn report(self) -> Result<(), String> {
        println!();
        for check in &self.skipped {
            println!("not run: {check}");
        }
        for name in &self.unsteady {
            println!("passed only at the second try: {name}");
        }
        for name in &self.failed {
            println!("failed: {name}");
        }
        let skipped = if self.skipped.is_empty() { String::new() } else { format!(", {} not run", self.skipped.len()) };
        println!("{} passed, {} failed{skipped}", self.passed, self.failed.len());
        if self.failed.is_empty() { Ok(()) } else { Err("some checks failed".to_owned()) }
    }

    fn run(name: &str, mut command: Command, counts: bool) -> Ran {
        println!("\n── {name}");
        let start = Instant::now();
        let mut ran = Ran::default();
        let mut child = match command.stdout(Stdio::piped()).stdin(Stdio::null()).spawn() {
            Ok(child) => child,
            Err(error) => {
                println!("✗ {name}: {error}");
                return ran;
            }
        };
        if let Some(stdout) = child.stdout.take() {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if counts {
                    ran.passed += passed_in(&line);
                    ran.failed.extend(failed_test(&line));
                }
                println!("{line}");
            }
        }
        ran.ok = child.wait().is_ok_and(|status| status.success());
        println!("{} {name} ({:.0} s)", if ran.ok { "✓" } else { "✗" }, start.elapsed().as_secs_f32());
        if !counts {
            ran.passed = u32::from(ran.ok);
        }
        ran
    }

    fn add(&mut self, name: &str, Ran { ok, passed, failed }: Ran) {
        self.passed += passed;
        if !ok && failed.is_empty() {
            self.failed.push(name.to_owned());
        } else if !ok {
            self.failed.extend(failed.into_iter().map(|test| format!("{name}: {test}")));
        }
    }
}

/// The outcome of a command.
#[derive(Default)]
struct Ran {
    ok: bool,
    passed: u32,
    /// Tests by name, where the command has some.
    failed: Vec<String>,
}

/// `test result: ok. 12 passed; …` of cargo, ` Tests  34 passed (34)` of Vitest.
fn passed_in(line: &str) -> u32 {
    let plain = without_colours(line);
    let counted = plain.trim_start().starts_with("test result:") || plain.trim_start().starts_with("Tests ");
    if !counted {
        return 0;
    }
    let words: Vec<&str> = plain.split_whitespace().collect();
    words
        .windows(2)
        .find(|pair| pair[1].trim_end_matches([';', ',']) == "passed")
        .and_then(|pair| pair[0].parse().ok())
        .unwrap_or(0)
}

/// The name in cargo's `test a::b ... FAILED` and in Vitest's `   × opens the card 548ms`.
fn failed_test(line: &str) -> Option<String> {
    if let Some(test) = line.strip_prefix("test ") {
        return test.strip_suffix(" ... FAILED").map(str::to_owned);
    }
    let plain = without_colours(line);
    let (test, time) = plain.trim_start().strip_prefix("× ")?.rsplit_once(' ')?;
    time.ends_with("ms").then(|| test.to_owned())
}

fn without_colours(line: &str) -> String {
    let mut plain = String::new();
    let mut escape = false;
    for character in line.chars() {
        match (escape, character) {
            (false, '\u{1b}') => escape = true,
            (true, 'm') => escape = false,
            (true, _) => {}
            (false, other) => plain.push(other),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_what_cargo_and_vitest_say() {
        assert_eq!(passed_in("test result: ok. 12 passed; 0 failed; 0 ignored"), 12);
        assert_eq!(passed_in("\u{1b}[2m      Tests \u{1b}[22m \u{1b}[32m34 passed\u{1b}[39m (34)"), 34);
        assert_eq!(passed_in("      Tests  1 failed | 33 passed (34)"), 33);
        assert_eq!(passed_in("nothing 3 passed"), 0);
    }

    /// Says what a test runner would, and ends as it would.
    fn says(text: &str, ok: bool) -> Command {
        let mut shell = Command::new("sh");
        shell.args(["-c", "printf '%s' \"$0\"; exit $1", text, if ok { "0" } else { "1" }]);
        shell
    }

    #[cfg(unix)]
    #[test]
    fn failed_tests_run_again_by_themselves() {
        let first = "test a ... ok\ntest b::c ... FAILED\ntest result: FAILED. 1 passed; 1 failed\n";
        let after = |second: &str, ok: bool| {
            let mut tally = Tally::default();
            tally.tests_twice("tests", says(first, false), |names| {
                assert_eq!(names, ["b::c"]);
                says(second, ok)
            });
            (tally.passed, tally.failed, tally.unsteady)
        };
        let name = || vec!["tests: b::c".to_owned()];
        assert_eq!(after("test result: ok. 1 passed; 0 failed\n", true), (2, vec![], name()));
        assert_eq!(after("test result: FAILED. 0 passed; 1 failed\n", false), (1, name(), vec![]));
        assert_eq!(after("test result: ok. 0 passed; 0 failed\n", true), (1, name(), vec![]), "it did not run");
    }

    /// With another program in place of cargo.
    #[cfg(unix)]
    #[test]
    fn what_ci_runs_knows_that_it_is_ci() {
        use std::os::unix::fs::PermissionsExt;

        let folder = std::env::temp_dir().join(format!("skillbench-ci-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let cargo = folder.join("cargo");
        std::fs::write(&cargo, "#!/bin/sh\necho \"$CI $*\"\n").unwrap();
        std::fs::set_permissions(&cargo, std::fs::Permissions::from_mode(0o755)).unwrap();
        let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
        let said = |ci: Option<&str>| {
            let mut run = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../.ci/run"));
            run.env("PATH", &path).env_remove("CI");
            if let Some(ci) = ci {
                run.env("CI", ci);
            }
            String::from_utf8(run.output().unwrap().stdout).unwrap()
        };
        assert_eq!([said(None), said(Some(""))], ["1 xtask test\n"; 2]);
        assert_eq!(said(Some("true")), "true xtask test\n");
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn names_what_failed() {
        assert_eq!(failed_test("test a::b ... FAILED").as_deref(), Some("a::b"));
        assert_eq!(failed_test("test a::b ... ok"), None);
        let line =
            "\u{1b}[31m   \u{1b}[31m×\u{1b}[31m opens the card\u{1b}[39m\u{1b}[32m 118\u{1b}[2mms\u{1b}[22m\u{1b}[39m";
        assert_eq!(failed_test(line).as_deref(), Some("opens the card"));
        assert_eq!(failed_test(" ✓ opens the card 548ms"), None);
    }
}
