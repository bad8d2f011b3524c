//! The display, and the tests that drive the real window on one of their own.

use std::process::{Child, Command, Stdio};

use crate::tally::Tally;
use crate::{binary, cargo};

/// Whether a window can be opened here.
pub fn has_display() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || set("DISPLAY") || set("WAYLAND_DISPLAY")
}

/// Linux only: WebKit's driver and Xvfb are what the tests need, and other systems have neither.
pub fn tests(tally: &mut Tally) {
    if !cfg!(target_os = "linux") {
        println!("\n── desktop tests: they run on Linux only");
        return;
    }
    let (display, screen) = match Screen::start() {
        Ok(started) => started,
        Err(why) => return tally.fail("desktop tests", &why),
    };
    let mut test = cargo(&[
        "test",
        "-p",
        "skillbench-tests",
        "--features",
        "desktop",
        "--test",
        "desktop",
        "--",
        "--test-threads=1",
    ]);
    test.env("DISPLAY", display)
        .env_remove("WAYLAND_DISPLAY")
        .env("SKILL_WORKBENCH_APP", binary("skill-workbench"))
        .env("SKILLBENCH", binary("skillbench"));
    tally.tests("desktop tests", test);
    drop(screen);
}

/// An Xvfb that ends with this value.
struct Screen(Child);

impl Screen {
    /// Xvfb chooses a free display and writes its number to the descriptor named, here its standard output.
    fn start() -> Result<(String, Self), String> {
        use std::io::{BufRead, BufReader};
        let mut child = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1600x1000x24", "-nolisten", "tcp"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("Xvfb could not start: {error}"))?;
        let mut number = String::new();
        if let Some(stdout) = child.stdout.take() {
            BufReader::new(stdout).read_line(&mut number).map_err(|error| format!("Xvfb said nothing: {error}"))?;
        }
        let screen = Self(child);
        match number.trim().parse::<u32>() {
            Ok(number) => Ok((format!(":{number}"), screen)),
            Err(_) => Err("Xvfb did not say which display it opened".to_owned()),
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // It may have ended by itself; then there is nothing left to end.
        if self.0.kill().is_ok() {
            let _ = self.0.wait();
        }
    }
}
