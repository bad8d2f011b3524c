//! `cargo xtask bench lint`: the linter beside agnix, whole processes on the same made-up skills, one after the other; then
//! what it costs inside of the process.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{PYTHON, median, output};
use crate::{cargo, command, must, root, target};

/// Numbers of skills.
const SIZES: [usize; 4] = [1, 100, 1_000, 10_000];
/// Runs of each program on each; the median counts.
const TIMES: usize = 3;
/// The fastest peer, in the version that figures are given for.
const PEER: &str = "agnix==0.59.3";
/// Rules of that version that can say something about a folder of skills; the others are about other files.
const PEER_RULES: usize = 83;

pub fn lint() -> Result<(), String> {
    must(cargo(&["build", "--quiet", "--release", "-p", "skillbench"]))?;
    must(inside(&["--no-run"]))?;
    // Below `target` they would be passed over: the peer heeds `.gitignore`.
    let skills = Folder(std::env::temp_dir().join(format!("skillbench-bench-{}", std::process::id())));
    let peer = peer().map_err(|reason| println!("Without a peer: {reason}.\n")).ok();
    println!("| skills | program | skills/s | wall s | user s | system s | peak MiB |\n|---|---|---|---|---|---|---|");
    for size in SIZES {
        let folder = skills.0.join(size.to_string());
        must(inside(&["--", "corpus", &folder.to_string_lossy(), &size.to_string()]))?;
        compare(size, &folder, peer.as_deref())?;
    }
    let rules = output(command(ours(), &["rules", "--format", "json"])).map(|json| json.matches("\"id\":").count());
    println!();
    if let Ok(rules) = rules {
        println!("Rules that look at skills: skillbench {rules}, agnix {PEER_RULES}.\n");
    }
    must(inside(&[]))
}

/// The folder of made-up skills; it goes when the benchmark ends.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left lies among the system's temporary files.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// What one run of a program took.
#[derive(Clone, Copy)]
struct Cost {
    wall: f64,
    user: f64,
    system: f64,
    /// In KiB.
    memory: f64,
}

fn compare(size: usize, folder: &Path, peer: Option<&Path>) -> Result<(), String> {
    let folder = folder.to_string_lossy();
    let mut programs = vec![("skillbench", ours(), vec!["lint", &folder, "--format", "json"], Vec::new())];
    if let Some(peer) = peer {
        let arguments = vec!["--max-files", "0", "--format", "json", &folder];
        programs.push(("agnix", peer.to_owned(), arguments, Vec::new()));
    }
    for _ in 0..TIMES {
        for (_, program, arguments, costs) in &mut programs {
            costs.push(measure(program, arguments)?);
        }
    }
    let mut walls = Vec::new();
    for (name, _, _, costs) in &programs {
        let of = |part: fn(&Cost) -> f64| median(costs.iter().map(part).collect());
        let (wall, user, system) = (of(|cost| cost.wall), of(|cost| cost.user), of(|cost| cost.system));
        let memory = of(|cost| cost.memory) / 1024.0;
        println!("| {size} | {name} | {:.0} | {wall:.3} | {user:.2} | {system:.2} | {memory:.0} |", size as f64 / wall);
        walls.push(wall);
    }
    if let [ours, theirs] = walls[..] {
        println!("| {size} | ratio | {:.2} | | | | |", theirs / ours);
    }
    Ok(())
}

/// Of the process alone, as the system counts it.
const MEASURE: &str = "\
import os, sys, time
null = os.open(os.devnull, os.O_WRONLY)
start = time.monotonic()
child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ,
    file_actions=[(os.POSIX_SPAWN_DUP2, null, 1), (os.POSIX_SPAWN_DUP2, null, 2)])
_, status, used = os.wait4(child, 0)
wall = time.monotonic() - start
print(os.waitstatus_to_exitcode(status), wall, used.ru_utime, used.ru_stime, used.ru_maxrss)
";

fn measure(program: &Path, arguments: &[&str]) -> Result<Cost, String> {
    let mut python = Command::new(PYTHON);
    python.args(["-c", MEASURE]).arg(program).args(arguments);
    let text = output(python)?;
    let figures: Vec<f64> = text.split_whitespace().filter_map(|figure| figure.parse().ok()).collect();
    match figures[..] {
        // Both end with 1 where they find errors, and there are some.
        [code, wall, user, system, memory] if (0.0..=1.0).contains(&code) => Ok(Cost { wall, user, system, memory }),
        _ => Err(format!("{} {} went wrong: {text}", program.display(), arguments.join(" "))),
    }
}

/// The peer's program, installed below `target` by its first use.
fn peer() -> Result<PathBuf, String> {
    let home = root().join("target/bench/agnix");
    let program = home.join("bin/agnix");
    if !program.is_file() {
        output(command(PYTHON, &["-m", "venv", &home.to_string_lossy()]))?;
        output(command(home.join("bin/pip"), &["install", "--quiet", PEER]))?;
    }
    Ok(program)
}

fn ours() -> PathBuf {
    target().join("release").join(format!("skillbench{}", std::env::consts::EXE_SUFFIX))
}

/// The benchmark that runs inside of a process.
fn inside(arguments: &[&str]) -> Command {
    let mut all = vec!["bench", "--quiet", "-p", "skillbench-tests", "--bench", "lint"];
    all.extend(arguments);
    cargo(&all)
}
