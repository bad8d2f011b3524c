//! How long a user waits: for an outside edit to show, for problems after a key stroke, for Stop to stop, for the
//! context at a step, for Inspect. Prints a table; `docs/benchmarks.md` keeps what it printed.
#![expect(clippy::unwrap_used, reason = "a benchmark that cannot go on may panic")]

use std::fs;
use std::io::Read;
use std::net::TcpListener;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use api::dto::{CheckArgs, InspectArgs, NoArgs, Push, RunArgs, RunRequest, StepArgs};
use api::{Freshness, Places, Workbench};
use camino::{Utf8Path, Utf8PathBuf};
use trace::RunStatus;

const TIMES: usize = 20;

struct Bench {
    bench: Workbench,
    pushes: mpsc::Receiver<Push>,
    root: Utf8PathBuf,
    home: tempfile::TempDir,
}

impl Bench {
    async fn on(skills: usize) -> Self {
        let home = tempfile::tempdir().unwrap();
        let base = Utf8PathBuf::try_from(home.path().canonicalize().unwrap()).unwrap();
        let root = base.join("skills");
        write_skills(&root, skills);
        let (send, pushes) = mpsc::channel();
        let places = Places::below(base.join("home"), None);
        let push = move |push| {
            // At the end there is no receiver.
            let _ = send.send(push);
        };
        let bench = Workbench::open(places, vec![root.clone()], Freshness::Watched, push).await;
        Self { bench, pushes, root, home }
    }

    fn request(&self, model: &str) -> RunRequest {
        RunRequest {
            harness: "agent-framework".into(),
            model: model.into(),
            prompt: "Do the thing of skill 0".into(),
            ..RunRequest::default()
        }
    }
}

fn write_skills(root: &Utf8Path, skills: usize) {
    for index in 0..skills {
        let folder = root.join(format!("skill-{index}"));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("SKILL.md"), manifest(index, 40)).unwrap();
    }
}

fn manifest(index: usize, lines: usize) -> String {
    let body: String = (0..lines).map(|line| format!("{line}. Do part {line} of the work, then check it.\n")).collect();
    format!(
        "---\nname: skill-{index}\ndescription: Does thing {index}. Use when asked for thing {index}.\n---\n\n# Work\n\n{body}"
    )
}

fn show(what: &str, mut times: Vec<Duration>) {
    times.sort();
    let milliseconds = |time: Duration| time.as_secs_f64() * 1000.0;
    let (low, middle, high) = (times[0], times[times.len() / 2], times[times.len() - 1]);
    println!("| {what} | {:.1} | {:.1} | {:.1} |", milliseconds(low), milliseconds(middle), milliseconds(high));
}

#[tokio::main]
async fn main() {
    println!("| wait | least ms | median ms | most ms |\n|---|---|---|---|");
    outside_edit().await;
    key_stroke().await;
    stop().await;
    context_at_a_step().await;
    thousand_skills().await;
}

async fn outside_edit() {
    let bench = Bench::on(10).await;
    let mut times = Vec::new();
    for round in 0..TIMES {
        let start = Instant::now();
        fs::write(bench.root.join("skill-3/SKILL.md"), manifest(3, 40 + round)).unwrap();
        bench.pushes.recv().unwrap();
        times.push(start.elapsed());
    }
    show("an outside edit reaches the window", times);
}

async fn key_stroke() {
    let bench = Bench::on(1).await;
    let path = bench.root.join("skill-0/SKILL.md").into_string();
    let mut text = manifest(0, 1100);
    let mut times = Vec::new();
    for _ in 0..TIMES {
        text.push('x');
        let start = Instant::now();
        bench
            .bench
            .text_check(CheckArgs { path: path.clone(), text: text.clone(), unsaved: Vec::new() })
            .await
            .unwrap();
        times.push(start.elapsed());
    }
    show(&format!("problems after a key stroke, SKILL.md of {} KB", text.len() / 1000), times);
}

async fn stop() {
    let bench = Bench::on(1).await;
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let config = bench.home.path().join("home/config");
    fs::create_dir_all(&config).unwrap();
    let address = server.local_addr().unwrap();
    let models = format!("models:\n- id: silent\n  provider: openAi\n  baseUrl: http://{address}/v1\n  model: m\n");
    fs::write(config.join("models.yaml"), models).unwrap();
    let mut times = Vec::new();
    for _ in 0..TIMES {
        let run = bench.bench.run_start(bench.request("silent")).await.unwrap();
        let (mut socket, _) = server.accept().unwrap();
        socket.read_exact(&mut [0; 4]).unwrap();
        let start = Instant::now();
        bench.bench.run_stop(RunArgs { run }).await.unwrap();
        // Closed from the other side: the request is really gone.
        let mut rest = Vec::new();
        socket.read_to_end(&mut rest).unwrap();
        loop {
            if let Push::RunUpdate(update) = bench.pushes.recv().unwrap()
                && update.status == RunStatus::Stopped
            {
                break;
            }
        }
        times.push(start.elapsed());
    }
    show("Stop closes a waiting request and ends the run", times);
}

async fn context_at_a_step() {
    let bench = Bench::on(10).await;
    let run = bench.bench.sample_run(NoArgs {}).await.unwrap();
    let mut times = Vec::new();
    for round in 0..TIMES {
        let start = Instant::now();
        let step = u32::try_from(round % 8).unwrap();
        bench.bench.step_context(StepArgs { run, step }).await.unwrap();
        times.push(start.elapsed());
    }
    show("the context at a step of the bundled run", times);
}

async fn thousand_skills() {
    let bench = Bench::on(1000).await;
    let mut times = Vec::new();
    for _ in 0..5 {
        let inspect = InspectArgs {
            roots: None,
            harness: "agent-framework".into(),
            variant: None,
            prompt: None,
            cwd: None,
            neutral_paths: None,
            unsaved: Vec::new(),
            without: Vec::new(),
        };
        let start = Instant::now();
        bench.bench.inspect(inspect).await.unwrap();
        times.push(start.elapsed());
    }
    show("Inspect of 1,000 skills, tokens counted", times);
}
