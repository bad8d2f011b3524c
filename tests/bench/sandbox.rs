//! What it costs to start a script in the sandbox: `cargo xtask bench sandbox`. Each pair runs one empty Python script with
//! the user's rights and one in the sandbox, by the same interpreter, one after the other.
#![expect(clippy::unwrap_used, reason = "a benchmark that cannot go on may panic")]

use std::time::{Duration, Instant};

use camino::Utf8PathBuf;
use config::{Policy, ProcessLimits, SandboxMode};
use engine::tool::room::Room;
use engine::tool::script::{Program, Script};

const PAIRS: usize = 41;

#[tokio::main]
async fn main() {
    let folder = tempfile::tempdir().unwrap();
    let base = Utf8PathBuf::try_from(folder.path().canonicalize().unwrap()).unwrap();
    let (skill, work) = (base.join("skill"), base.join("run"));
    [&skill, &work].into_iter().for_each(|folder| std::fs::create_dir(folder).unwrap());
    std::fs::write(skill.join("empty.py"), "").unwrap();
    let script = |interpreter: &str| Script {
        program: Program::File { interpreter: interpreter.into(), path: skill.join("empty.py"), arguments: Vec::new() },
        working_directory: work.clone(),
        time: Duration::from_secs(60),
        output_bytes: 1 << 16,
        withheld: Vec::new(),
    };
    let room = |mode| {
        let policy = Policy { mode, limits: ProcessLimits::default(), ..Policy::default() };
        Room::new(policy, vec![skill.clone()], work.clone())
    };
    let (open, confined) = (room(SandboxMode::Off), room(SandboxMode::Require));
    // Once to prove that the sandbox holds, and to know the interpreter.
    let (_, held) = confined.run(&script("python3")).await.unwrap();
    let python = held.interpreter.unwrap();
    let mut taken: [Vec<f64>; 2] = Default::default();
    for _ in 0..PAIRS {
        for (place, (room, interpreter)) in [(&open, python.as_str()), (&confined, "python3")].into_iter().enumerate() {
            let begun = Instant::now();
            let (output, _) = room.run(&script(interpreter)).await.unwrap();
            assert_eq!(output.exit_code, Some(0), "{output:?}");
            taken[place].push(begun.elapsed().as_secs_f64() * 1000.0);
        }
    }
    let [plain, held] = taken.map(|mut taken| {
        taken.sort_by(f64::total_cmp);
        (taken[0], taken[PAIRS / 2])
    });
    println!("| an empty Python script | least ms | median ms |\n|---|---|---|");
    println!("| with the user's rights | {:.1} | {:.1} |", plain.0, plain.1);
    println!("| in the sandbox | {:.1} | {:.1} |", held.0, held.1);
    println!("| ratio | {:.2} | {:.2} |", held.0 / plain.0, held.1 / plain.1);
}
