//! `cargo xtask bench engine`: what a conversation costs the client, compared with two Python frameworks. The server is
//! a separate process and the same for all; each client counts the processor time of its own process alone, after a
//! warm-up.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use super::{PYTHON, median, output};
use crate::{cargo, command, root};

/// Conversations at once.
const AT_ONCE: [usize; 2] = [1, 50];
/// Measurements of each client; the median counts.
const TIMES: usize = 3;
/// Conversations of one measurement: those of Python take long enough to be measured with the clock's ticks.
const OURS: usize = 1000;
const THEIRS: usize = 50;

/// A framework, as `conversations.py` names it, what pip installs for it, and how much less processor time a
/// conversation must take here.
struct Peer {
    id: &'static str,
    title: &'static str,
    folder: &'static str,
    packages: &'static [&'static str],
    gate: Option<f64>,
}

const PEERS: [Peer; 3] = [
    Peer {
        id: "agent-framework",
        title: "agent-framework-core 1.23.0",
        folder: "agent-framework",
        packages: &["agent-framework-core==1.23.0", "agent-framework-openai==1.17.0"],
        gate: Some(10.0),
    },
    Peer { id: "strands", title: "strands-agents 1.62.0", folder: "strands", packages: STRANDS, gate: Some(50.0) },
    Peer {
        id: "strands-shared",
        title: "strands-agents 1.62.0, one HTTP client for all",
        folder: "strands",
        packages: STRANDS,
        gate: None,
    },
];

const STRANDS: &[&str] = &["strands-agents[openai]==1.62.0"];

pub fn engine() -> Result<(), String> {
    let program = program()?;
    let server = Server::start(&program)?;
    println!("| at once | client | processor ms a conversation | conversations/s | ratio |\n|---|---|---|---|---|");
    let mut missed = Vec::new();
    for at_once in AT_ONCE {
        let number = at_once.to_string();
        let mut ours = Vec::new();
        let mut theirs: Vec<Vec<Cost>> = PEERS.iter().map(|_| Vec::new()).collect();
        for _ in 0..TIMES {
            ours.push(cost(command(&program, &["client", &server.address, &OURS.to_string(), &number]), OURS)?);
            for (peer, costs) in PEERS.iter().zip(&mut theirs) {
                costs.push(cost(peer.command(&server.address, &number)?, THEIRS)?);
            }
        }
        let (own, speed) = typical(&ours);
        println!("| {at_once} | skillbench, runs recorded | {:.2} | {speed:.0} | |", own * 1000.0);
        for (peer, costs) in PEERS.iter().zip(&theirs) {
            let (each, speed) = typical(costs);
            let ratio = each / own;
            println!("| {at_once} | {} | {:.1} | {speed:.0} | {ratio:.0} |", peer.title, each * 1000.0);
            if let Some(gate) = peer.gate.filter(|gate| ratio < *gate) {
                missed.push(format!("{ratio:.1} times less than {} at {at_once} at once, not {gate}", peer.title));
            }
        }
    }
    if missed.is_empty() { Ok(()) } else { Err(missed.join("; ")) }
}

/// Of one conversation.
struct Cost {
    /// Seconds.
    processor: f64,
    /// Conversations a second.
    speed: f64,
}

fn typical(costs: &[Cost]) -> (f64, f64) {
    let of = |part: fn(&Cost) -> f64| median(costs.iter().map(part).collect());
    (of(|cost| cost.processor), of(|cost| cost.speed))
}

/// What a client prints: seconds of processor and wall for so many conversations.
fn cost(client: Command, conversations: usize) -> Result<Cost, String> {
    let text = output(client)?;
    let figures: Vec<f64> = text.split_whitespace().filter_map(|figure| figure.parse().ok()).collect();
    let [processor, wall] = figures[..] else { return Err(format!("a client said {text}")) };
    let count = conversations as f64;
    Ok(Cost { processor: processor / count, speed: count / wall })
}

impl Peer {
    fn command(&self, server: &str, at_once: &str) -> Result<Command, String> {
        let script = root().join("src-tauri/xtask/src/bench/conversations.py");
        let scene = root().join("tests/fixtures/scene.yaml");
        let (script, scene) = (script.to_string_lossy(), scene.to_string_lossy());
        Ok(command(self.python()?, &[&script, self.id, server, &THEIRS.to_string(), at_once, &scene]))
    }

    /// Its interpreter, with the framework installed below `target` by its first use.
    fn python(&self) -> Result<PathBuf, String> {
        let home = root().join("target/bench").join(self.folder);
        let python = home.join("bin/python");
        if !python.is_file() {
            output(command(PYTHON, &["-m", "venv", &home.to_string_lossy()]))?;
        }
        let mut install = vec!["install", "--quiet", "--disable-pip-version-check"];
        install.extend(self.packages);
        output(command(home.join("bin/pip"), &install))?;
        Ok(python)
    }
}

/// The mock server; it goes when the benchmark ends.
struct Server {
    process: Child,
    address: String,
}

impl Server {
    fn start(program: &Path) -> Result<Self, String> {
        let mut process = command(program, &["serve"])
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("the mock server could not start: {error}"))?;
        let stdout = process.stdout.take().ok_or("the mock server says nothing")?;
        let mut address = String::new();
        BufReader::new(stdout).read_line(&mut address).map_err(|error| format!("the mock server is gone: {error}"))?;
        Ok(Self { process, address: address.trim().to_owned() })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The benchmark's program, built. It is started directly: what ends `cargo` would not end it.
fn program() -> Result<PathBuf, String> {
    let arguments =
        ["bench", "--quiet", "-p", "skillbench-tests", "--bench", "engine", "--no-run", "--message-format=json"];
    let told = output(cargo(&arguments))?;
    let found = told.split("\"executable\":\"").skip(1).filter_map(|rest| rest.split('"').next()).last();
    found.map(|path| PathBuf::from(path.replace("\\\\", "\\"))).ok_or_else(|| "cargo built no benchmark".to_owned())
}
