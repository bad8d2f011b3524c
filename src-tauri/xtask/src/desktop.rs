//! The virtual display, and the tests that drive the real window on it.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use crate::tally::Tally;
use crate::{binary, built, cargo, must, pages, programs, root, setup};

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
    match Screen::start() {
        Ok(screen) => tally.tests_twice("desktop tests", test_on(&screen), |failed| {
            let mut again = test_on(&screen);
            again.arg("--exact").args(failed);
            again
        }),
        Err(why) => tally.fail("desktop tests", &why),
    }
}

/// Takes a picture of each view and keeps those that the README shows.
pub fn pictures() -> Result<(), String> {
    let screen = Screen::start()?;
    let taken = root().join("target/pictures");
    fs::create_dir_all(&taken).map_err(|error| format!("cannot create {}: {error}", taken.display()))?;
    let mut test = test_on(&screen);
    // The views of one list or run, and those that need more of a story.
    test.args(["pictures::", "traces::two_runs", "traces::a_run_is_presented", "compare::all_frameworks"])
        .env("SKILLBENCH_PICTURES", &taken);
    must(test)?;
    let shown = [
        ("skills", "editor"),
        ("inspect", "inspect"),
        ("compare", "compare"),
        ("run", "run"),
        ("traces", "trace"),
        ("pair", "runs-compared"),
        ("presenter", "presenter"),
        ("card", "card"),
        ("clients", "clients"),
    ];
    for (place, name) in shown {
        let from = taken.join(format!("{place}-light-en.png"));
        let to = root().join(format!("docs/images/{name}.png"));
        fs::copy(&from, &to).map_err(|error| format!("cannot copy {} to {}: {error}", from.display(), to.display()))?;
    }
    println!("The README's pictures are new; all of them are in {}.", taken.display());
    Ok(())
}

/// How long a user of the window waits with many skills, and what memory it takes. The benchmark itself is not optimised: the
/// page takes the times.
pub fn bench(arguments: &[String]) -> Result<(), String> {
    let (dev, own): (Vec<&str>, Vec<&str>) =
        arguments.iter().map(String::as_str).partition(|argument| *argument == "--dev");
    setup::everything()?;
    pages()?;
    let mut build = programs();
    if dev.is_empty() {
        build.arg("--release");
    }
    must(build)?;
    let screen = Screen::start()?;
    let mut bench =
        cargo(&["test", "--quiet", "-p", "skillbench-tests", "--features", "desktop", "--bench", "window", "--"]);
    bench
        .args(own)
        .env("DISPLAY", &screen.display)
        .env_remove("WAYLAND_DISPLAY")
        .env("SKILL_WORKBENCH_APP", built(if dev.is_empty() { "release" } else { "debug" }, "skill-workbench"));
    must(bench)
}

fn test_on(screen: &Screen) -> Command {
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
    test.env("DISPLAY", &screen.display)
        .env_remove("WAYLAND_DISPLAY")
        .env("SKILL_WORKBENCH_APP", binary("skill-workbench"));
    test
}

/// An Xvfb that ends with this value.
struct Screen {
    /// As `DISPLAY` names it.
    display: String,
    server: Child,
}

impl Screen {
    /// Xvfb chooses a free display and writes its number to the descriptor named, here its standard output.
    fn start() -> Result<Self, String> {
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1920x1200x24", "-nolisten", "tcp"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("Xvfb could not start: {error}"))?;
        let mut number = String::new();
        if let Some(stdout) = server.stdout.take() {
            BufReader::new(stdout).read_line(&mut number).map_err(|error| format!("Xvfb said nothing: {error}"))?;
        }
        // Made first, so that the server ends with it whatever it said.
        let screen = Self { display: format!(":{}", number.trim()), server };
        if number.trim().parse::<u32>().is_ok() {
            Ok(screen)
        } else {
            Err("Xvfb did not say which display it opened".to_owned())
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // It may have ended by itself; then there is nothing left to end.
        if self.server.kill().is_ok() {
            let _ = self.server.wait();
        }
    }
}
