//! The types of the official Python SDKs, as a check of the requests that the tests make. They are installed from PyPI
//! below `target` by their first use.

use std::fs;
use std::path::PathBuf;
use std::process::Stdio;

use crate::tally::Tally;
use crate::{command, root, stamp, target};

const NAME: &str = "official SDKs accept the requests";
const REQUIREMENTS: &str = "tests/sdk/requirements.txt";

/// To be run after the integration tests, which leave their requests below `target`.
pub fn tests(tally: &mut Tally) {
    match python() {
        Ok(python) => {
            let requests = target().join("tmp/requests");
            let mut check = command(python, &["-B", "tests/sdk/accept.py"]);
            check.arg(requests);
            tally.check(NAME, check);
        }
        Err(reason) => tally.skip(NAME, &reason),
    }
}

/// A Python that has the SDKs.
fn python() -> Result<PathBuf, String> {
    let home = target().join("sdks");
    let python = home.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let requirements = [root().join(REQUIREMENTS)];
    if python.is_file() && !stamp::is_stale("sdks", &requirements) {
        return Ok(python);
    }
    println!("\nInstalling the official SDKs from PyPI.");
    // What is left of an attempt that broke off would be in the way.
    if home.exists() {
        fs::remove_dir_all(&home).map_err(|error| format!("cannot remove {}: {error}", home.display()))?;
    }
    let mut venv = command("python3", &["-m", "venv"]);
    venv.arg(&home);
    silently(venv)
        .map_err(|why| format!("python3 cannot make {}: {why}; Debian needs python3-venv", home.display()))?;
    let install = ["-m", "pip", "install", "--quiet", "--retries", "1", "--timeout", "20", "-r", REQUIREMENTS];
    silently(command(&python, &install)).map_err(|why| {
        format!("{REQUIREMENTS} cannot be installed: {why}; PyPI, or the mirror that pip is set up for, must be reached once")
    })?;
    stamp::write("sdks", &requirements)?;
    Ok(python)
}

/// Runs a command that must succeed; else the last thing it said is why it did not.
fn silently(mut command: std::process::Command) -> Result<(), String> {
    let output = command.stdin(Stdio::null()).output().map_err(|error| error.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    let said = [output.stderr, output.stdout].map(|said| String::from_utf8_lossy(&said).trim().to_owned());
    let last = said.iter().find_map(|said| said.lines().rfind(|line| line.contains("ERROR")).or(said.lines().last()));
    Err(last.map_or_else(|| output.status.to_string(), str::to_owned))
}
