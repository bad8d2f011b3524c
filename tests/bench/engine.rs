//! What running costs: `cargo xtask bench engine` compares `serve` and `client` with two Python frameworks; `many`
//! plays the scene a thousand times at once and measures the memory.
#![expect(clippy::unwrap_used, reason = "a benchmark that cannot go on may panic")]

use std::fs;
use std::time::Instant;

use skillbench_tests::mock;
use skillbench_tests::scene::{Scene, whole_run};

/// Runs at once, and how often.
const RUNS: usize = 1000;
const ROUNDS: usize = 4;
/// How much memory a round may leave behind after the first two have filled the caches, in MiB.
const LEFT: f64 = 16.0;

#[tokio::main]
async fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let number = |place: usize| -> usize { arguments[place].parse().unwrap() };
    match arguments.first().map(String::as_str) {
        Some("serve") => {
            println!("{}", mock::serve().await);
            std::future::pending().await
        }
        Some("client") => client(&arguments[1], number(2), number(3)).await,
        _ => many().await,
    }
}

/// Plays the scene so many times, so many at once, and prints seconds of processor and wall.
async fn client(server: &str, times: usize, at_once: usize) {
    let mut scene = Scene::against(server.parse().unwrap()).await;
    scene.play(WARM_UP, at_once).await;
    let (cpu, wall) = (processor_seconds(), Instant::now());
    scene.play(times, at_once).await;
    println!("{} {}", processor_seconds() - cpu, wall.elapsed().as_secs_f64());
}

/// Conversations before anything is measured.
const WARM_UP: usize = 20;

async fn many() {
    println!(
        "| round of {RUNS} runs at once | seconds | runs/s | processor ms a run | resident MiB |\n|---|---|---|---|---|"
    );
    let mut scene = Scene::set_up().await;
    let mut left = Vec::new();
    for round in 1..=ROUNDS {
        let (cpu, wall) = (processor_seconds(), Instant::now());
        let runs = scene.play(RUNS, RUNS).await;
        let (wall, cpu) = (wall.elapsed().as_secs_f64(), processor_seconds() - cpu);
        for run in &runs {
            whole_run(&scene.bench, *run).await;
        }
        left.push(resident());
        let (speed, each) = (RUNS as f64 / wall, cpu * 1000.0 / RUNS as f64);
        println!("| {round} | {wall:.2} | {speed:.0} | {each:.2} | {:.0} |", left[round - 1]);
    }
    let grown = left[ROUNDS - 1] - left[1];
    assert!(grown < LEFT, "the rounds after the second left {grown:.0} MiB behind");
}

/// The processor time of this process, user and system; 0 if the system does not report it this way.
fn processor_seconds() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let behind_name = stat.rsplit(')').next().unwrap_or_default();
    let ticks: Vec<f64> = behind_name.split_whitespace().skip(11).take(2).flat_map(str::parse).collect();
    ticks.iter().sum::<f64>() / TICKS
}

/// A second, as Linux tells processor time to programs.
const TICKS: f64 = 100.0;

/// MiB.
fn resident() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or("0 kB");
    line.split_whitespace().next().and_then(|size| size.parse::<f64>().ok()).unwrap_or_default() / 1024.0
}
