//! Python programs of others, installed from PyPI below `target` by their first use.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::{command, root, stamp, target};

/// An environment of Python that has what `requirements` lists.
pub struct Environment {
    home: PathBuf,
}

impl Environment {
    /// `name` is its folder below `target`; `requirements` is below the workspace's folder.
    pub fn install(name: &str, requirements: &str) -> Result<Self, String> {
        Self::install_with(name, requirements, &[])
    }

    /// As [`Environment::install`], but `requirements` lists every package with its hashes, and nothing else is installed.
    pub fn install_pinned(name: &str, requirements: &str) -> Result<Self, String> {
        Self::install_with(name, requirements, &["--require-hashes", "--no-deps"])
    }

    fn install_with(name: &str, requirements: &str, options: &[&str]) -> Result<Self, String> {
        let environment = Self { home: target().join(name) };
        let listed = [root().join(requirements)];
        let python = environment.program("python");
        if python.is_file() && !stamp::is_stale(name, &listed) {
            return Ok(environment);
        }
        println!("\nInstalling {name} from PyPI.");
        let home = &environment.home;
        // The remains of an attempt that broke off would be in the way.
        if home.exists() {
            fs::remove_dir_all(home).map_err(|error| format!("cannot remove {}: {error}", home.display()))?;
        }
        let mut venv = command("python3", &["-m", "venv"]);
        venv.arg(home);
        silently(venv)
            .map_err(|why| format!("python3 cannot make {}: {why}; Debian needs python3-venv", home.display()))?;
        let install = ["-m", "pip", "install", "--quiet", "--retries", "1", "--timeout", "20", "-r", requirements];
        let mut pip = command(&python, &install);
        pip.args(options);
        silently(pip).map_err(|why| {
            format!("{requirements} cannot be installed: {why}; PyPI, or the mirror that pip is set up for, must be reached once")
        })?;
        stamp::write(name, &listed)?;
        Ok(environment)
    }

    pub fn program(&self, name: &str) -> PathBuf {
        let folder = if cfg!(windows) { "Scripts" } else { "bin" };
        self.home.join(folder).join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
    }
}

/// Runs a command that must succeed; else the last thing it said is why it did not.
fn silently(mut command: Command) -> Result<(), String> {
    let output = command.stdin(Stdio::null()).output().map_err(|error| error.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    let said = [output.stderr, output.stdout].map(|said| String::from_utf8_lossy(&said).trim().to_owned());
    let last = said.iter().find_map(|said| said.lines().rfind(|line| line.contains("ERROR")).or(said.lines().last()));
    Err(last.map_or_else(|| output.status.to_string(), str::to_owned))
}
