//! `cargo xtask record`: what the real Python frameworks say and do over several turns, and the open clients with the
//! fixtures, as golden files. The packages come from PyPI and npm by pinned hashes, and are kept below `target`; the
//! model is a script on the loopback interface. Clients run in their own network namespace, which has nothing else.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Instant, SystemTime, UNIX_EPOCH};
use std::{fs, io};

use crate::node::Packages as NodePackages;
use crate::python::Environment;
use crate::{cargo, command, must, root, target};

/// A program of `tests/record` and the packages that it runs with.
struct Recorder {
    name: &'static str,
    program: &'static str,
    packages: Packages,
    kind: Recorded,
}

/// By the name of the file or folder of pinned packages, which is also that of the installation below `target`.
#[derive(Clone, Copy)]
enum Packages {
    Python(&'static str),
    /// The program itself is Python and needs nothing but its own library.
    Node(&'static str),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Recorded {
    Framework,
    /// Only recorded if it is named, since it takes minutes.
    Client,
}

const fn framework(name: &'static str, program: &'static str, packages: &'static str) -> Recorder {
    Recorder { name, program, packages: Packages::Python(packages), kind: Recorded::Framework }
}

const fn client(name: &'static str, program: &'static str, packages: Packages) -> Recorder {
    Recorder { name, program, packages, kind: Recorded::Client }
}

const RECORDERS: [Recorder; 11] = [
    framework("agent-framework-1.13", "run_agent_framework.py", "agent-framework-1.13"),
    framework("agent-framework-1.23", "run_agent_framework.py", "agent-framework-1.23"),
    framework("agentscope", "run_agentscope.py", "agentscope-2.0.11"),
    // The article's code needs the official SDK of OpenAI alone, which is there.
    framework("learn-claude-code", "run_learn_claude_code.py", "agent-framework-1.23"),
    framework("strands", "run_strands.py", "strands-1.62"),
    framework("strands-tools", "run_strands_tools.py", "strands-tools-0.8"),
    client("skills-ref", "run_skills_ref.py", Packages::Python("skills-ref-0.1")),
    client("deepagents", "run_deepagents.py", Packages::Python("deepagents-0.7")),
    client("gemini-cli", "run_gemini_cli.py", Packages::Node("gemini-cli-0.61")),
    client("opencode", "run_opencode.py", Packages::Node("opencode-1.18")),
    client("codex", "run_codex.py", Packages::Node("codex-0.169")),
];

const GOLDEN: &str = "tests/fixtures/golden";
/// The course that the variant `upstream` of Learn Claude Code joins. There is no package of it, so it is recorded from
/// a checkout.
const COURSE: &str = "course";
const COURSE_RECORDER: Recorder = framework(COURSE, "run_course.py", "learn-claude-code-course");
const CHECK: &str = "--check";
const CHANCE: &str = "chance";
/// Recorders that have no conversations of chance.
const UNDRAWN: [&str; 2] = ["learn-claude-code", "strands-tools"];
/// Random conversations with each framework, by default.
const CONVERSATIONS: u32 = 40;
/// How many minutes they may take by default, without installing and building: half for the real packages, half for
/// Skill Workbench.
const MINUTES: u32 = 10;
const MINUTES_OPTION: &str = "--minutes";

/// What `record chance` is asked for.
#[derive(Debug, PartialEq)]
struct Chance {
    chosen: Vec<&'static str>,
    count: u32,
    seed: u64,
    minutes: u32,
}

impl Chance {
    fn of(arguments: &[String], now: u64) -> Result<Self, String> {
        let able: Vec<&str> = RECORDERS
            .iter()
            .filter(|recorder| recorder.kind == Recorded::Framework && !UNDRAWN.contains(&recorder.name))
            .map(|recorder| recorder.name)
            .collect();
        let (mut chosen, mut numbers, mut minutes) = (Vec::new(), Vec::new(), Some(MINUTES));
        let mut rest = arguments.iter();
        let mut known = true;
        while let Some(argument) = rest.next() {
            if argument == MINUTES_OPTION {
                minutes = rest.next().and_then(|given| given.parse().ok()).filter(|given| *given > 0);
            } else if let Ok(number) = argument.parse::<u64>() {
                numbers.push(number);
            } else if let Some(name) = able.iter().find(|name| *name == argument) {
                chosen.push(*name);
            } else {
                known = false;
            }
        }
        let count =
            numbers.first().map_or(Some(CONVERSATIONS), |count| u32::try_from(*count).ok().filter(|count| *count > 0));
        match (known && numbers.len() <= 2, count, minutes) {
            (true, Some(count), Some(minutes)) => Ok(Self {
                chosen: if chosen.is_empty() { able } else { chosen },
                count,
                seed: numbers.get(1).copied().unwrap_or(now),
                minutes,
            }),
            _ => Err(format!(
                "`record {CHANCE}` takes {}, how many conversations, a seed to have the same again, and `{MINUTES_OPTION} N`",
                able.join(", ")
            )),
        }
    }
}

/// Has random conversations with one of the frameworks that can, or with all, and the same ones with Skill Workbench.
/// Everything is kept below `target`. Conversations that are not done in time are left out and reported.
fn chance(arguments: &[String]) -> Result<(), String> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_secs());
    let Chance { chosen, count, seed, minutes } = Chance::of(arguments, now)?;
    let out = target().join("record/chance");
    remove(&out)?;
    let half = minutes * 60 / 2;
    let each = half / u32::try_from(chosen.len()).unwrap_or(1).max(1);
    println!(
        "{count} conversations each with {}; {minutes} min at the most, without installing and building.",
        chosen.join(", ")
    );
    let mut playing = Vec::new();
    for recorder in RECORDERS.iter().filter(|recorder| chosen.contains(&recorder.name)) {
        let Packages::Python(packages) = recorder.packages else { continue };
        let listed = format!("tests/record/{packages}.txt");
        let python = Environment::install_pinned(&format!("record/{packages}"), &listed)?.program("python");
        let mut program = command(python, &["-B", "tests/record/chance.py"]);
        program.arg(&out).arg(recorder.name).args([count.to_string(), seed.to_string(), each.to_string()]);
        playing.push(program);
    }
    // So that the time counts from here.
    let build = ["test", "--quiet", "--workspace", "--exclude", "skill-workbench", "--test", "it"];
    must(cargo(&[&build[..], &["--no-run"]].concat()))?;
    let begun = Instant::now();
    for program in playing {
        must(program)?;
    }
    let mut test = cargo(&[&build[..], &["conversations_of_chance", "--", "--nocapture"]].concat());
    test.env("SKILLBENCH_CHANCE", &out).env("SKILLBENCH_CHANCE_SECONDS", half.to_string());
    let done = must(test);
    println!("It took {} s.", begun.elapsed().as_secs());
    done
}

/// Records the course in a checkout, and says which golden files changed by it.
fn course(arguments: &[String]) -> Result<(), String> {
    let [folder] = arguments else {
        return Err(format!("`record {COURSE}` takes a folder with a checkout of shareAI-lab/learn-claude-code"));
    };
    let checkout = fs::canonicalize(folder).map_err(|error| format!("cannot open {folder}: {error}"))?;
    if !checkout.join("agents").is_dir() {
        return Err(format!("{folder} has no folder `agents`, where the course's chapters are"));
    }
    let changed = COURSE_RECORDER.run(Some(&checkout))?;
    println!("\n{}", told(changed));
    Ok(())
}

/// Records with those that are named, or with all frameworks, and says which golden files changed by it. `--check`, for
/// clients: only says it.
pub fn record(arguments: &[String]) -> Result<(), String> {
    if let [first, rest @ ..] = arguments
        && first == CHANCE
    {
        return chance(rest);
    }
    if let [first, rest @ ..] = arguments
        && first == COURSE
    {
        return course(rest);
    }
    let check = arguments.iter().any(|argument| argument == CHECK);
    let named: Vec<&String> = arguments.iter().filter(|argument| *argument != CHECK).collect();
    let chosen: Vec<&Recorder> = match named[..] {
        [] => RECORDERS.iter().filter(|recorder| recorder.kind == Recorded::Framework).collect(),
        [name] => RECORDERS.iter().filter(|recorder| recorder.name == name).collect(),
        _ => Vec::new(),
    };
    if chosen.is_empty() {
        let names: Vec<&str> = RECORDERS.iter().map(|recorder| recorder.name).collect();
        return Err(format!("`record` takes one of {}, or nothing for all frameworks", names.join(", ")));
    }
    if check && chosen.iter().any(|recorder| recorder.kind == Recorded::Framework) {
        return Err(format!("`{CHECK}` is for clients; recordings of frameworks are compared by `git diff`"));
    }
    let mut changed = 0;
    for recorder in chosen {
        match recorder.kind {
            Recorded::Framework => changed += recorder.run(None)?,
            Recorded::Client => return recorder.run_alone(check),
        }
    }
    println!("\n{}", told(changed));
    Ok(())
}

fn told(changed: usize) -> String {
    match changed {
        0 => "The recordings are as they were.".into(),
        1 => "One recording differs from what was there; see `git diff`.".into(),
        n => format!("{n} recordings differ from what was there; see `git diff`."),
    }
}

impl Recorder {
    /// Returns how many golden files changed. `checkout`: the program to record, if it is in no package.
    fn run(&self, checkout: Option<&Path>) -> Result<usize, String> {
        let (out, mut program) = self.prepared()?;
        program.args(checkout);
        must(program)?;
        let mut changed = 0;
        for file in files(&out)? {
            let below = file.strip_prefix(&out).map_err(|error| error.to_string())?;
            changed += usize::from(replace(&file, &root().join(GOLDEN).join(below), below)?);
        }
        Ok(changed)
    }

    /// In a network namespace. Its recording is compared value by value, since some of a client is chance.
    fn run_alone(&self, check: bool) -> Result<(), String> {
        let (out, program) = self.prepared()?;
        must(without_network(&program)?)?;
        let mut differences = command("python3", &["-B", "tests/record/differences.py"]);
        differences.arg(&out);
        if !check {
            differences.arg("--write");
        }
        must(differences)
    }

    /// An empty folder to write to, and the command to run.
    fn prepared(&self) -> Result<(PathBuf, Command), String> {
        let (python, installed) = match self.packages {
            Packages::Python(name) => {
                let listed = format!("tests/record/{name}.txt");
                (Environment::install_pinned(&format!("record/{name}"), &listed)?.program("python"), None)
            }
            Packages::Node(name) => {
                let packages = NodePackages::install(&format!("record/{name}"), &format!("tests/record/{name}"))?;
                (PathBuf::from("python3"), Some(packages.home))
            }
        };
        println!("\n── {}", self.name);
        let out = target().join("record/out").join(self.name);
        remove(&out)?;
        let mut program = command(python, &["-B"]);
        program.arg(Path::new("tests/record").join(self.program)).arg(&out).args(installed);
        Ok((out, program))
    }
}

fn remove(folder: &Path) -> Result<(), String> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(format!("cannot remove {}: {error}", folder.display()))
        }
        _ => Ok(()),
    }
}

/// bubblewrap gives it a loopback interface and nothing else to reach.
fn without_network(program: &Command) -> Result<Command, String> {
    const ALONE: [&str; 5] = ["--dev-bind", "/", "/", "--unshare-net", "--die-with-parent"];
    let works = command("bwrap", &ALONE).arg("true").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !works.is_ok_and(|status| status.success()) {
        return Err("clients are recorded without a network, which needs bwrap (bubblewrap) and user namespaces".into());
    }
    let mut alone = command("bwrap", &ALONE);
    alone.arg(program.get_program()).args(program.get_args());
    Ok(alone)
}

/// Whether the golden file is another one now.
fn replace(recorded: &Path, golden: &Path, shown: &Path) -> Result<bool, String> {
    let text = fs::read(recorded).map_err(|error| format!("cannot read {}: {error}", recorded.display()))?;
    let before = fs::read(golden).ok();
    if before.as_ref() == Some(&text) {
        return Ok(false);
    }
    println!("{}: {}", if before.is_some() { "differs" } else { "is new" }, shown.display());
    if let Some(folder) = golden.parent() {
        fs::create_dir_all(folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    }
    fs::write(golden, text).map_err(|error| format!("cannot write {}: {error}", golden.display()))?;
    Ok(true)
}

/// The files in the folders of `out`.
fn files(out: &Path) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    for folder in entries(out)? {
        files.extend(entries(&folder)?);
    }
    files.sort();
    Ok(files)
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let read = fs::read_dir(folder)
        .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<PathBuf>>>());
    read.map_err(|error| format!("cannot read {}: {error}", folder.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_recorder_has_its_program_and_its_pinned_packages() {
        for recorder in RECORDERS.iter().chain([&COURSE_RECORDER]) {
            let folder = root().join("tests/record");
            assert!(folder.join(recorder.program).is_file(), "{}", recorder.program);
            let (file, pinned) = match recorder.packages {
                Packages::Python(name) => (folder.join(format!("{name}.txt")), "--hash=sha256:"),
                Packages::Node(name) => (folder.join(name).join("package-lock.json"), "\"integrity\": \"sha512-"),
            };
            let packages = fs::read_to_string(&file).unwrap_or_default();
            assert!(packages.contains(pinned), "{}", file.display());
        }
    }

    #[test]
    fn a_recorder_that_does_not_exist_is_refused_with_the_names_of_all() {
        let error = record(&["nobody".to_owned()]).unwrap_err();
        assert!(
            error.contains("agentscope, learn-claude-code, strands, strands-tools, skills-ref, deepagents"),
            "{error}"
        );
    }

    #[test]
    fn the_course_is_recorded_from_a_checkout() {
        let asked = |rest: &[&str]| course(&rest.iter().map(|argument| (*argument).to_owned()).collect::<Vec<_>>());
        let takes = "`record course` takes a folder with a checkout of shareAI-lab/learn-claude-code";
        assert_eq!(asked(&[]), Err(takes.to_owned()));
        let error = asked(&["no-such-folder"]).unwrap_err();
        assert!(error.starts_with("cannot open no-such-folder: "), "{error}");
        let error = asked(&[&root().join("docs").to_string_lossy()]).unwrap_err();
        assert!(error.ends_with("has no folder `agents`, where the course's chapters are"), "{error}");
    }

    #[test]
    fn conversations_of_chance_have_a_count_a_seed_and_a_limit() {
        let asked =
            |given: &[&str]| Chance::of(&given.iter().map(|argument| (*argument).to_owned()).collect::<Vec<_>>(), 7);
        let all = vec!["agent-framework-1.13", "agent-framework-1.23", "agentscope", "strands"];
        let expected = Chance { chosen: all, count: CONVERSATIONS, seed: 7, minutes: MINUTES };
        assert_eq!(asked(&[]), Ok(expected));
        let expected = Chance { chosen: vec!["strands"], count: 100, seed: 3, minutes: 2 };
        assert_eq!(asked(&["strands", "100", "--minutes", "2", "3"]), Ok(expected));
        for wrong in
            [&["nobody"][..], &["strands-tools"], &["1", "2", "3"], &["0"], &["--minutes"], &["--minutes", "0"]]
        {
            assert!(asked(wrong).unwrap_err().contains("agentscope, strands, how many"), "{wrong:?}");
        }
    }

    #[test]
    fn only_clients_are_checked_against_what_is_committed() {
        for arguments in [&["strands", CHECK][..], &[CHECK]] {
            let arguments: Vec<String> = arguments.iter().map(|argument| (*argument).to_owned()).collect();
            assert!(record(&arguments).unwrap_err().contains("is for clients"), "{arguments:?}");
        }
    }
}
