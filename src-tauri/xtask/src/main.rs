//! `cargo xtask`: sets the workspace up, builds it, runs it and tests it. No dependencies, so that it starts at once.

mod bedrock;
mod bench;
mod browser;
mod deny;
mod desktop;
mod local_model;
mod node;
mod other_user;
mod otlp;
mod python;
mod record;
mod sdks;
mod setup;
mod stamp;
mod tally;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use tally::Tally;

const HELP: &str = "\
cargo xtask COMMAND

  run [FOLDER…]   build what changed and open the window on FOLDER (the bundled skills)
  test            everything that CI runs
  test-model      runs against a real model on this machine; needs python3 and a C++ compiler, and half an hour the first time
  test-otlp       sends a run to Phoenix on this machine and reads it back; needs python3, PyPI, and 700 MB
  bench           how long users wait for common actions, in a release build
  bench engine    what a run costs, compared with two Python frameworks; needs python3
  bench lint [FOLDER]
                  the linter compared with its fastest peer, and what its rules cost; with a folder, on the skills in it; needs
                  python3
  bench sandbox [--dev]
                  how much longer scripts take to start in the sandbox; --dev: without optimisation
  bench present [--dev]
                  1,000 skills presented under every framework and client; --dev: without optimisation
  bench trace [--dev] [runs|million|record|at-once|import|pair|lists…] [EVENTS…]
                  how long users wait when they step through runs of 1,000, 10,000 and 100,000 events; --dev: without
                  optimisation
  bench window [--dev] [--minutes N] [SKILLS…]
                  the real window with 2,000 and 10,000 skills, and with a SKILL.md of 1 MB: waits and memory; --minutes: then
                  N minutes of use, and whether its memory grows; --dev: without optimisation; Linux only
  precision FOLDER
                  how often the linter is right about the skills in checkouts of real repositories: tests/precision/README.md
  fuzz codecs [--seconds N]
                  mutate recorded answers of models, for a minute or N seconds
  record [NAME]   record golden conversations of the real Python frameworks, of all or of one; needs python3 and PyPI
  record course FOLDER
                  record the chapters of the course that Learn Claude Code's variant `upstream` joins, from a checkout in
                  FOLDER; needs python3 and PyPI
  record chance [NAME…] [COUNT [SEED]] [--minutes N]
                  compare random conversations of the real Python frameworks with those of Skill Workbench; takes at most 10
                  or N minutes, without installing and building
  record CLIENT [--check]
                  record a client: skills-ref, deepagents, gemini-cli, opencode, codex; needs bwrap, python3, and npm or PyPI;
                  --check: only report what differs from the committed recording
  record bedrock  record what botocore sends to Amazon Bedrock and reads from it; needs python3
  pictures        take the README's pictures again
  setup           install what is missing: system packages and the window's npm packages
  build           the window's pages, the app and skillbench
  deny            check dependencies against deny.toml and RustSec's current advisories; needs a network
  advisories [FOLDER]
                  take a new snapshot of RustSec's advisories, from the copy in FOLDER or a fresh one
  generate        write all generated files again: ui/src/generated/api.ts, the answers of the page tests, the bundled
                  run, docs/rules.md and the other tables of docs, and the linter's gates.json and judged.json
  help            this text
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let result = match arguments.first().map(String::as_str) {
        Some("run") => run(&arguments[1..]),
        Some("test") => test(),
        Some("test-model") => local_model::test(),
        Some("test-otlp") => otlp::test(),
        Some("bench") if arguments.get(1).is_some_and(|what| what == "lint") => {
            bench::lint(arguments.get(2).map(String::as_str))
        }
        Some("bench") if arguments.get(1).is_some_and(|what| what == "engine") => bench::engine(),
        Some("bench") if arguments.get(1).is_some_and(|what| what == "trace") => bench_inside("trace", &arguments[2..]),
        Some("bench") if arguments.get(1).is_some_and(|what| what == "sandbox") => {
            bench_inside("sandbox", &arguments[2..])
        }
        Some("bench") if arguments.get(1).is_some_and(|what| what == "present") => {
            bench_inside("present", &arguments[2..])
        }
        Some("bench") if arguments.get(1).is_some_and(|what| what == "window") => desktop::bench(&arguments[2..]),
        Some("bench") => must(cargo(&["bench", "--quiet", "-p", "skillbench-tests", "--bench", "waits"])),
        Some("precision") => {
            let measure =
                ["bench", "--quiet", "--profile", "dev", "-p", "skillbench-tests", "--bench", "precision", "--"];
            must(cargo(&measure.into_iter().chain(arguments[1..].iter().map(String::as_str)).collect::<Vec<_>>()))
        }
        Some("fuzz") if arguments.get(1).is_some_and(|what| what == "codecs") => fuzz_codecs(&arguments[2..]),
        Some("record") if arguments.get(1).is_some_and(|what| what == "bedrock") => bedrock::record(),
        Some("record") => record::record(&arguments[1..]),
        Some("pictures") => setup::everything().and_then(|()| build()).and_then(|()| desktop::pictures()),
        Some("setup") => setup::everything(),
        Some("build") => setup::everything().and_then(|()| build()),
        Some("deny") => deny::check(),
        Some("advisories") => deny::take_advisories(&arguments[1..]),
        Some("generate") => generate(),
        Some("help" | "--help" | "-h") => {
            print!("{HELP}");
            Ok(())
        }
        Some(other) => Err(format!("there is no command `{other}`\n\n{HELP}")),
        None => Err(HELP.to_owned()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

/// The workspace's folder.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap_or_else(|_| PathBuf::from("."))
}

/// A command in the workspace's folder.
fn command(program: impl AsRef<OsStr>, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root());
    command
}

/// Cargo, as it was started; a nested `cargo` must not inherit this package's variables.
fn cargo(arguments: &[&str]) -> Command {
    let mut cargo = command(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()), arguments);
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy().into_owned();
        if name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST") || name == "CARGO_BIN_NAME" {
            cargo.env_remove(name);
        }
    }
    cargo
}

fn npm(arguments: &[&str]) -> Command {
    let mut npm = if cfg!(windows) { command("cmd", &["/c", "npm"]) } else { command("npm", &[]) };
    npm.args(arguments).current_dir(root().join("ui"));
    npm
}

/// Runs a command that must succeed.
fn must(mut command: Command) -> Result<(), String> {
    let shown = format!("{command:?}");
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{shown} ended with {status}")),
        Err(error) => Err(format!("{shown} could not start: {error}")),
    }
}

/// Where cargo builds.
fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

fn binary(name: &str) -> PathBuf {
    built("debug", name)
}

fn built(profile: &str, name: &str) -> PathBuf {
    target().join(profile).join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

/// The pages first: the app embeds them.
fn build() -> Result<(), String> {
    pages()?;
    must(programs())
}

fn pages() -> Result<(), String> {
    if stamp::is_stale("ui-built", &stamp::ui_sources()) || !root().join("ui/dist/index.html").is_file() {
        must(npm(&["run", "--silent", "build"]))?;
        stamp::write("ui-built", &stamp::ui_sources())?;
    }
    Ok(())
}

/// The window, `skillbench`, and what both start inside of a sandbox.
fn programs() -> Command {
    cargo(&["build", "--quiet", "-p", "skill-workbench", "-p", "skillbench", "-p", "skillbench-confine"])
}

/// A benchmark of `tests/bench`; `--dev` is for us, the rest for it.
fn bench_inside(name: &str, arguments: &[String]) -> Result<(), String> {
    let (dev, own): (Vec<&str>, Vec<&str>) =
        arguments.iter().map(String::as_str).partition(|argument| *argument == "--dev");
    // With what the tests are built with, so that nothing is built twice.
    let command = if dev.is_empty() { "bench" } else { "test" };
    let whole = ["--quiet", "--workspace", "--exclude", "skill-workbench"];
    // The programs that the benchmark starts.
    let optimised: &[&str] = if dev.is_empty() { &["--release"] } else { &[] };
    must(cargo(&[&["build"], &whole[..], &["--bin", "skillbench-confine"], optimised].concat()))?;
    must(cargo(&[&[command], &whole[..], &["--bench", name, "--"], &own].concat()))
}

fn run(folders: &[String]) -> Result<(), String> {
    if !desktop::has_display() {
        println!("No display here: showing the same in the terminal.");
        return in_terminal(folders);
    }
    setup::everything()?;
    build()?;
    let folders: Vec<&str> =
        if folders.is_empty() { vec!["skills"] } else { folders.iter().map(String::as_str).collect() };
    must(command(binary("skill-workbench"), &folders))
}

/// The tour that the window gives, for machines without one.
fn in_terminal(folders: &[String]) -> Result<(), String> {
    must(cargo(&["build", "--quiet", "-p", "skillbench", "-p", "skillbench-confine"]))?;
    let folder = folders.first().map_or("skills", String::as_str);
    let tour: [(&str, Vec<&str>); 4] = [
        ("The skills that agent-framework loads", vec!["list", folder]),
        ("What is wrong with them", vec!["lint", folder]),
        ("What the model is shown first", vec!["inspect", folder, "--harness", "agent-framework"]),
        (
            "A rehearsed run, step by step",
            vec![
                "run",
                folder,
                "--harness",
                "agent-framework",
                "--model",
                "rehearsal",
                "--prompt",
                "How many pounds is 1 kilogram?",
                "--approve",
                "always",
            ],
        ),
    ];
    for (title, arguments) in &tour {
        println!("\n── {title}\n   skillbench {}\n", arguments.join(" "));
        must(command(binary("skillbench"), arguments))?;
    }
    Ok(())
}

fn generate() -> Result<(), String> {
    for package in ["skillbench-api", "skillbench-lint", "skillbench-tests"] {
        let mut test = cargo(&["test", "--quiet", "-p", package, "up_to_date"]);
        test.env("SKILLBENCH_GENERATE", "1");
        must(test)?;
    }
    Ok(())
}

/// The test that is otherwise short, for as long as asked for.
fn fuzz_codecs(arguments: &[String]) -> Result<(), String> {
    let seconds = match arguments {
        [] => "60",
        [option, seconds] if option == "--seconds" && seconds.parse::<u64>().is_ok() => seconds,
        _ => return Err(format!("`fuzz codecs` takes `--seconds` and a whole number\n\n{HELP}")),
    };
    let test = "codecs::mutated_answers_are_read_the_same_in_any_chunks_and_never_panic";
    let mut fuzz = cargo(&["test", "--quiet", "-p", "skillbench-tests", "--test", "it", test, "--", "--nocapture"]);
    fuzz.env("SKILLBENCH_FUZZ_SECONDS", seconds);
    must(fuzz)
}

/// A pattern for the tests of these names, as Vitest takes it.
fn any_of(names: &[String]) -> String {
    let escaped = |name: &String| {
        let plain = |character: char| character.is_alphanumeric() || character == ' ';
        name.chars().map(|c| if plain(c) { c.to_string() } else { format!("\\{c}") }).collect::<String>()
    };
    names.iter().map(escaped).collect::<Vec<_>>().join("|")
}

/// Every check, in the order in which they fail fastest; all of them run even if one fails.
fn test() -> Result<(), String> {
    setup::everything()?;
    let mut tally = Tally::default();
    tally.check("rustfmt", cargo(&["fmt", "--all", "--check"]));
    deny::test(&mut tally);
    tally.check("pages: prettier", npm(&["run", "--silent", "format:check"]));
    tally.check("pages: types", npm(&["run", "--silent", "check"]));
    tally.check("pages: eslint", npm(&["run", "--silent", "lint"]));
    tally.tests_twice("pages: tests", npm(&["test", "--silent"]), |failed| {
        npm(&["test", "--silent", "--", "-t", &any_of(failed)])
    });
    tally.check("pages: build", npm(&["run", "--silent", "build"]));
    tally.check(
        "clippy",
        cargo(&["clippy", "--quiet", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"]),
    );
    let of_rooms = || cargo(&["test", "--no-fail-fast", "--workspace", "--exclude", "skill-workbench"]);
    tally.tests_twice("rooms, cli and integration tests", of_rooms(), |failed| {
        let mut again = of_rooms();
        again.args(["--", "--exact"]).args(failed);
        again
    });
    other_user::tests(&mut tally);
    sdks::tests(&mut tally);
    tally.check("app: build", programs());
    browser::tests(&mut tally);
    desktop::tests(&mut tally);
    tally.report()
}
