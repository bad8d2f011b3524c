//! What must be on the machine. On Debian and its relatives missing packages are installed; elsewhere the error names
//! the missing step.

use std::process::{Command, Stdio};

use crate::{browser, must, npm, root, stamp};

/// Debian packages, and what each is for.
const PACKAGES: &[(&str, &str)] = &[
    ("build-essential", "a C compiler and linker"),
    ("pkg-config", "finds the libraries below"),
    ("libwebkit2gtk-4.1-dev", "the window's engine"),
    ("librsvg2-dev", "the window's icons"),
    ("libxdo-dev", "the window's menus"),
    ("webkit2gtk-driver", "drives the window in tests"),
    ("xvfb", "a display for tests"),
    ("xauth", "a display for tests"),
    ("fonts-noto-cjk", "Chinese text"),
    ("fonts-dejavu-core", "Latin text"),
    ("python3", "runs the example skills' scripts"),
    ("bubblewrap", "confines scripts that are asked for --help"),
    ("dbus-daemon", "a session for the keyring in tests"),
    ("gnome-keyring", "a keyring for tests"),
];

const NODE_AT_LEAST: (u32, u32) = (20, 19);

pub fn everything() -> Result<(), String> {
    node()?;
    if cfg!(target_os = "linux") {
        debian_packages()?;
        chromium()?;
    } else {
        other_systems()?;
    }
    npm_packages()
}

fn node() -> Result<(), String> {
    let step = format!("install Node.js {}.{} or newer, with npm", NODE_AT_LEAST.0, NODE_AT_LEAST.1);
    let version = output(Command::new("node").arg("--version")).ok_or_else(|| format!("Node.js is missing: {step}"))?;
    let mut parts = version.trim().trim_start_matches('v').split('.').map(|part| part.parse::<u32>().unwrap_or(0));
    let found = (parts.next().unwrap_or(0), parts.next().unwrap_or(0));
    if found < NODE_AT_LEAST { Err(format!("Node.js {} is too old: {step}", version.trim())) } else { Ok(()) }
}

fn debian_packages() -> Result<(), String> {
    let missing: Vec<&(&str, &str)> = PACKAGES.iter().filter(|(package, _)| !is_installed(package)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let names: Vec<&str> = missing.iter().map(|(name, _)| *name).collect();
    if output(Command::new("apt-get").arg("--version")).is_none() {
        return Err(format!(
            "these are missing, under the names Debian has for them: {}\nhint: install your distribution's packages for \
             WebKitGTK 4.1, librsvg and libxdo, then run this again",
            names.join(" ")
        ));
    }
    println!("Installing system packages with apt-get:");
    for (name, purpose) in &missing {
        println!("  {name:<24} {purpose}");
    }
    apt_get(&["update", "-qq"])?;
    let mut arguments = vec!["install", "-y", "-qq", "--no-install-recommends"];
    arguments.extend(&names);
    apt_get(&arguments)
}

/// Opens the replay page in tests. Debian calls it so; elsewhere the name may be another, or none.
fn chromium() -> Result<(), String> {
    if browser::path().is_some() || output(Command::new("apt-get").arg("--version")).is_none() {
        return Ok(());
    }
    println!("Installing Chromium, which opens the replay page in tests.");
    if apt_get(&["install", "-y", "-qq", "--no-install-recommends", "chromium"]).is_err() {
        println!("note: there is no package `chromium`; install Chromium or Chrome to test the replay page");
    }
    Ok(())
}

/// Directly as root, else through sudo.
fn apt_get(arguments: &[&str]) -> Result<(), String> {
    let is_root = output(Command::new("id").arg("-u")).is_some_and(|id| id.trim() == "0");
    let mut command = if is_root { Command::new("apt-get") } else { Command::new("sudo") };
    if !is_root {
        command.arg("apt-get");
    }
    command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive").stdout(Stdio::null());
    must(command)
}

fn is_installed(package: &str) -> bool {
    // python3 and a compiler need not come from the distribution.
    let own = match package {
        "python3" => Some("python3"),
        "build-essential" => Some("cc"),
        "pkg-config" => Some("pkg-config"),
        _ => None,
    };
    if own.is_some_and(|program| output(Command::new(program).arg("--version")).is_some()) {
        return true;
    }
    output(Command::new("dpkg-query").args(["-W", "-f=${db:Status-Abbrev}", package]))
        .is_some_and(|status| status.starts_with("ii"))
}

/// macOS and Windows bring their own engine; the rest is named, not installed.
fn other_systems() -> Result<(), String> {
    if output(Command::new("python3").arg("--version")).is_none() {
        println!("note: python3 is missing; the example skills' Python scripts will not run until it is installed");
    }
    if cfg!(target_os = "macos") && output(Command::new("xcode-select").arg("-p")).is_none() {
        return Err("the compiler is missing: run `xcode-select --install`".to_owned());
    }
    if cfg!(windows) && output(Command::new("cmd").args(["/c", "where", "link.exe"])).is_none() {
        println!("note: if linking fails, install the Visual Studio Build Tools with \"Desktop development with C++\"");
    }
    Ok(())
}

fn npm_packages() -> Result<(), String> {
    let lock = [root().join("ui/package.json"), root().join("ui/package-lock.json")];
    if root().join("ui/node_modules").is_dir() && !stamp::is_stale("npm-ci", &lock) {
        return Ok(());
    }
    println!("Installing the window's npm packages.");
    must(npm(&["ci", "--no-audit", "--no-fund", "--loglevel=error"]))?;
    stamp::write("npm-ci", &lock)
}

/// What a program prints, if it starts and succeeds.
fn output(command: &mut Command) -> Option<String> {
    let output = command.stderr(Stdio::null()).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}
