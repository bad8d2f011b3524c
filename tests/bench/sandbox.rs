//! What it costs to start a script in the sandbox: `cargo bench -p skillbench-tests --bench sandbox`. Each pair runs one
//! empty Python script with the user's rights and one in the sandbox, by the same interpreter, one after the other. Started
//! as root on Linux it also counts processor time, which other programs on the machine change little.
#![expect(clippy::unwrap_used, reason = "a benchmark that cannot go on may panic")]

use std::path::PathBuf;
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
    let meter = Meter::new();
    let mut taken: [Vec<f64>; 2] = Default::default();
    let mut worked: [Vec<f64>; 2] = Default::default();
    for _ in 0..PAIRS {
        for (place, (room, interpreter)) in [(&open, python.as_str()), (&confined, "python3")].into_iter().enumerate() {
            let (begun, before) = (Instant::now(), meter.as_ref().map(Meter::read));
            let (output, _) = room.run(&script(interpreter)).await.unwrap();
            assert_eq!(output.exit_code, Some(0), "{output:?}");
            taken[place].push(begun.elapsed().as_secs_f64() * 1000.0);
            worked[place].extend(meter.as_ref().zip(before).map(|(meter, before)| meter.read() - before));
        }
    }
    println!("| an empty Python script | least ms | median ms |\n|---|---|---|");
    table("time", taken);
    if meter.is_some() {
        table("processor time", worked);
    }
}

fn table(what: &str, measured: [Vec<f64>; 2]) {
    let [plain, held] = measured.map(|mut measured| {
        measured.sort_by(f64::total_cmp);
        (measured[0], measured[PAIRS / 2])
    });
    println!("| {what} with the user's rights | {:.1} | {:.1} |", plain.0, plain.1);
    println!("| {what} in the sandbox | {:.1} | {:.1} |", held.0, held.1);
    println!("| ratio | {:.2} | {:.2} |", held.0 / plain.0, held.1 / plain.1);
}

/// Processor time of this program and of all that it starts, by a control group: of processes in a namespace of their own
/// the kernel tells their parent nothing.
struct Meter {
    group: PathBuf,
    above: PathBuf,
}

impl Meter {
    /// `None`: there can be no group here.
    fn new() -> Option<Self> {
        let groups = ["/sys/fs/cgroup/cpuacct", "/sys/fs/cgroup"].map(PathBuf::from);
        let above = groups.into_iter().find(|above| above.join("cgroup.procs").is_file())?;
        let group = above.join(format!("skillbench-{}", std::process::id()));
        std::fs::create_dir(&group).ok()?;
        let meter = Self { group, above };
        std::fs::write(meter.group.join("cgroup.procs"), std::process::id().to_string()).ok()?;
        Some(meter)
    }

    /// Milliseconds.
    fn read(&self) -> f64 {
        let number = |text: &str| text.trim().parse::<f64>().unwrap();
        if let Ok(nanoseconds) = std::fs::read_to_string(self.group.join("cpuacct.usage")) {
            return number(&nanoseconds) / 1e6;
        }
        let counted = std::fs::read_to_string(self.group.join("cpu.stat")).unwrap();
        number(counted.lines().find_map(|line| line.strip_prefix("usage_usec ")).unwrap()) / 1e3
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        let _ = std::fs::write(self.above.join("cgroup.procs"), std::process::id().to_string());
        let _ = std::fs::remove_dir(&self.group);
    }
}
