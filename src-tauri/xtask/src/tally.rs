//! Counts what passed and what failed over several test runners, and says so in one closing line.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::Instant;

#[derive(Default)]
pub struct Tally {
    passed: u32,
    failed: Vec<String>,
    skipped: Vec<String>,
}

impl Tally {
    /// A command that passes or fails as a whole.
    pub fn check(&mut self, name: &str, command: Command) {
        self.run(name, command, false);
    }

    /// A test runner: its own counts are added.
    pub fn tests(&mut self, name: &str, command: Command) {
        self.run(name, command, true);
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
        for name in &self.failed {
            println!("failed: {name}");
        }
        let skipped = if self.skipped.is_empty() { String::new() } else { format!(", {} not run", self.skipped.len()) };
        println!("{} passed, {} failed{skipped}", self.passed, self.failed.len());
        if self.failed.is_empty() { Ok(()) } else { Err("some checks failed".to_owned()) }
    }

    fn run(&mut self, name: &str, mut command: Command, counts: bool) {
        println!("\n── {name}");
        let start = Instant::now();
        let mut child = match command.stdout(Stdio::piped()).stdin(Stdio::null()).spawn() {
            Ok(child) => child,
            Err(error) => return self.fail(name, &error.to_string()),
        };
        let (mut passed, mut failed) = (0, Vec::new());
        if let Some(stdout) = child.stdout.take() {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if counts {
                    passed += passed_in(&line);
                    failed.extend(failed_test(&line));
                }
                println!("{line}");
            }
        }
        let ok = child.wait().is_ok_and(|status| status.success());
        println!("{} {name} ({:.0} s)", if ok { "✓" } else { "✗" }, start.elapsed().as_secs_f32());
        self.passed += if counts { passed } else { u32::from(ok) };
        if !ok {
            if failed.is_empty() {
                failed.push(name.to_owned());
            }
            self.failed.extend(failed.into_iter().map(|test| format!("{name}: {test}")));
        }
    }
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
