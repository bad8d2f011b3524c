//! Hostile code, in the room in which everything runs that a model causes: whatever it tries, it gets nothing. What it
//! tries is in `sandbox/attacks.py`.
#![cfg(target_os = "linux")]

use std::collections::BTreeMap;
use std::fs;
use std::io::{ErrorKind, Read};
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};
use config::{Policy, ProcessLimits, SandboxMode};
use engine::tool::room::Room;
use engine::tool::sandbox::landlock::Landlock;
use engine::tool::sandbox::{Sandbox, SandboxError};
use engine::tool::script::{Program, Script};
use harness::ScriptOutput;
use needed::require_or_skip;
use serde_json::json;
use tokio::sync::Mutex;
use trace::{Enforcement, Layer, Measure};

const ATTACKS: &str = include_str!("sandbox/attacks.py");
const CANARY: &str = "canary-7c41e0";

/// The sandboxes to attack that are there.
async fn layers() -> Vec<Layer> {
    let found =
        [(Layer::Bubblewrap, Sandbox::find().await.map(drop)), (Layer::Landlock, Landlock::find().await.map(drop))];
    let is_there = |(layer, found): (Layer, Result<(), SandboxError>)| {
        require_or_skip(found.map_err(|error| format!("{layer:?}: {error}"))).map(|()| layer)
    };
    found.into_iter().filter_map(is_there).collect()
}

/// A skill, the folder of a run, and what is near them.
struct Scene {
    _folder: tempfile::TempDir,
    skill: Utf8PathBuf,
    work: Utf8PathBuf,
    outside: Utf8PathBuf,
    /// It starts processes without end.
    floods: bool,
}

/// Held by tests that start endless processes, and by those that need some: as root, all scripts run as the same user
/// nobody, whose processes are counted together.
static PROCESSES: Mutex<()> = Mutex::const_new(());

impl Scene {
    fn new(script: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let base = Utf8PathBuf::try_from(folder.path().canonicalize().unwrap()).unwrap();
        let (skill, work, other) = (base.join("skills/hostile"), base.join("runs/run"), base.join("runs/other-run"));
        [&skill, &work, &other].into_iter().for_each(|folder| fs::create_dir_all(folder).unwrap());
        let outside = base.join("outside");
        fs::write(&outside, CANARY).unwrap();
        fs::write(other.join("note"), CANARY).unwrap();
        fs::write(skill.join("SKILL.md"), "---\nname: hostile\n---\n").unwrap();
        fs::write(skill.join("attacks.py"), script).unwrap();
        std::os::unix::fs::symlink(&outside, skill.join("linked")).unwrap();
        Self { _folder: folder, skill, work, outside, floods: script == ATTACKS }
    }

    /// In a sandbox of this kind; `None`: without one.
    async fn run(&self, layer: Option<Layer>, arguments: &[&str], seconds: u64) -> ScriptOutput {
        self.run_in(layer, arguments, seconds).await.0
    }

    async fn run_in(&self, layer: Option<Layer>, arguments: &[&str], seconds: u64) -> (ScriptOutput, Enforcement) {
        self.run_at(self.room(layer), arguments, seconds).await
    }

    fn room(&self, layer: Option<Layer>) -> Room {
        let limits = ProcessLimits { file_mb: 16, ..ProcessLimits::default() };
        let mode = if layer.is_some() { SandboxMode::Require } else { SandboxMode::Off };
        let policy = Policy { mode, limits, ..Policy::default() };
        let room = Room::new(policy, vec![self.skill.clone()], self.work.clone());
        room.starting_with(layer.unwrap_or(Layer::Bubblewrap))
    }

    async fn run_at(&self, room: Room, arguments: &[&str], seconds: u64) -> (ScriptOutput, Enforcement) {
        let _turn = if self.floods { Some(PROCESSES.lock().await) } else { None };
        let script = Script {
            program: Program::File {
                interpreter: "python3".into(),
                path: self.skill.join("attacks.py"),
                arguments: arguments.iter().map(|&argument| argument.into()).collect(),
            },
            working_directory: self.work.clone(),
            time: Duration::from_secs(seconds),
            output_bytes: 1 << 16,
            withheld: Vec::new(),
        };
        room.run(&script).await.unwrap()
    }

    /// All files, with their contents.
    fn files(&self, folder: &Utf8Path) -> BTreeMap<String, String> {
        let entries = folder.read_dir_utf8().unwrap().map(Result::unwrap);
        entries
            .map(|entry| (entry.file_name().to_owned(), fs::read_to_string(entry.path()).unwrap_or_default()))
            .collect()
    }
}

#[tokio::test]
async fn nothing_that_hostile_code_tries_succeeds() {
    for layer in layers().await {
        attack(layer).await;
    }
}

async fn attack(layer: Layer) {
    let scene = Scene::new(ATTACKS);
    let home = tempfile::Builder::new().prefix(".skillbench-").tempfile_in(std::env::home_dir().unwrap()).unwrap();
    fs::write(home.path(), CANARY).unwrap();
    let (tcp, udp) = (TcpListener::bind(("127.0.0.1", 0)).unwrap(), UdpSocket::bind(("127.0.0.1", 0)).unwrap());
    udp.set_nonblocking(true).unwrap();
    let socket = scene.outside.with_file_name("socket");
    let _by_path = UnixListener::bind(&socket).unwrap();
    let hidden = format!("skillbench-{layer:?}-{}", std::process::id());
    let _by_name = UnixListener::bind_addr(&SocketAddr::from_abstract_name(&hidden).unwrap()).unwrap();
    let enforcement = scene.room(Some(layer)).enforcement("python3").await.unwrap();
    let given = json!({
        "canary": CANARY,
        "home": home.path(),
        "outside": scene.outside,
        "pid": std::process::id(),
        "program": std::env::current_exe().unwrap(),
        "rules": !enforcement.missing.contains(&Measure::Rules),
        "tcp": tcp.local_addr().unwrap().port(),
        "udp": udp.local_addr().unwrap().port(),
        "unix": socket,
        "abstract": hidden,
    })
    .to_string();
    let before = scene.files(&scene.skill);
    let arrived = || udp.recv(&mut [0; 8]).map_err(|error| error.kind());

    let (output, enforcement) = scene.run_in(Some(layer), &[&given, "attack"], 60).await;
    assert_eq!(enforcement.layer, Some(layer));
    let came: BTreeMap<String, bool> = serde_json::from_str(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"));
    let got: Vec<_> = came.iter().filter(|(_, got)| **got).map(|(name, _)| name).collect();
    assert_eq!(got, Vec::<&String>::new(), "in the sandbox: {layer:?}");
    assert!(came.len() >= 90, "{}", came.len());
    assert_eq!(arrived(), Err(ErrorKind::WouldBlock), "a packet");
    assert_eq!(scene.files(&scene.skill), before);
    assert_eq!(fs::read_to_string(&scene.outside).unwrap(), CANARY);

    let output = scene.run(None, &[&given, "control"], 60).await;
    let came: BTreeMap<String, bool> = serde_json::from_str(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"));
    let failed: Vec<_> = came.iter().filter(|(_, got)| !**got).map(|(name, _)| name).collect();
    assert_eq!(failed, Vec::<&String>::new(), "without it each of these succeeds, so that its failure means something");
    assert!(came.len() >= 25, "{}", came.len());
    assert_eq!(arrived(), Ok(3), "a packet");
}

/// The attacks of `attacks.py` that only Landlock stops inside of bubblewrap.
const STOPPED_BY_RULES: [&str; 6] = [
    "call itself something else for who looks at processes",
    "choose who is killed when memory runs out",
    "choose what is in a dump of its memory",
    "forget which pages it touched",
    "write to its memory by a file, past what may be written there",
    "rename a thread of its own by a file",
];

#[tokio::test]
async fn landlock_inside_of_bubblewrap_stops_what_that_lets_through() {
    if !layers().await.contains(&Layer::Bubblewrap) {
        return;
    }
    let scene = Scene::new(ATTACKS);
    let room = || scene.room(Some(Layer::Bubblewrap));
    let enforcement = room().enforcement("python3").await.unwrap();
    let why = enforcement.reason.clone().map(|reason| reason.en).unwrap_or_default();
    let there = if enforcement.missing.contains(&Measure::Rules) { Err(why) } else { Ok(()) };
    if require_or_skip(there).is_none() {
        return;
    }
    assert_eq!((enforcement.missing, enforcement.reason), (Vec::new(), None));
    let given = json!({
        "canary": CANARY,
        "home": scene.outside,
        "outside": scene.outside,
        "pid": std::process::id(),
        "program": std::env::current_exe().unwrap(),
        "rules": true,
        "tcp": 1,
        "udp": 1,
        "unix": scene.outside,
        "abstract": "none",
    })
    .to_string();
    for (room, succeeds) in [(room(), false), (room().without_rules(), true)] {
        let (output, _) = scene.run_at(room, &[&given, "attack"], 60).await;
        let came: BTreeMap<String, bool> =
            serde_json::from_str(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"));
        let came: Vec<_> = STOPPED_BY_RULES.map(|name| (name, came[name])).into();
        assert_eq!(came, STOPPED_BY_RULES.map(|name| (name, succeeds)));
    }
}

#[tokio::test]
async fn without_landlock_inside_that_is_said_and_all_else_holds() {
    if !layers().await.contains(&Layer::Bubblewrap) {
        return;
    }
    let scene = Scene::new("print('ran')");
    let room = scene.room(Some(Layer::Bubblewrap)).without_rules();
    let (output, enforcement) = scene.run_at(room, &[], 60).await;
    assert_eq!((output.stdout.as_str(), &enforcement.missing[..]), ("ran\n", &[Measure::Rules][..]));
    assert!(engine::standing::holds_whole(Some(&enforcement)), "what was allowed for good still is");
    let reason = enforcement.reason.unwrap();
    assert_eq!(reason.en, "Landlock inside of bubblewrap is not in force: it was left out");
    assert_eq!(reason.zh, "bubblewrap 内的 Landlock 未生效：未使用");
}

/// Leaves a process behind that left its group and its session, twice over, and holds a pipe open.
const SURVIVES: &str = r#"
import os, sys, time
pipe = os.open("pipe", os.O_WRONLY)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.write(pipe, b"alive")
        time.sleep(300)
    os._exit(0)
os.close(pipe)
time.sleep(float(sys.argv[1]))
"#;

fn pairs(layers: &[Layer]) -> Vec<(Layer, &'static str, u64)> {
    layers.iter().flat_map(|layer| [(*layer, "0.3", 60), (*layer, "300", 2)]).collect()
}

#[tokio::test]
async fn what_leaves_its_group_and_its_session_dies_with_its_script() {
    for (layer, pause, seconds) in pairs(&layers().await) {
        let scene = Scene::new(SURVIVES);
        let pipe = scene.work.join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let reader = tokio::task::spawn_blocking(move || {
            let mut heard = String::new();
            fs::File::open(pipe).unwrap().read_to_string(&mut heard).unwrap();
            heard
        });
        let output = scene.run(Some(layer), &[pause], seconds).await;
        assert_eq!(output.timed_out, pause == "300", "{output:?}");
        let heard = tokio::time::timeout(Duration::from_secs(20), reader).await;
        assert_eq!(heard.expect("the pipe ends because nobody holds it any more").unwrap(), "alive");
    }
}

#[tokio::test]
async fn a_flood_is_cut_and_a_script_that_ignores_signals_ends_in_time() {
    let text = "import os, signal, sys\nfor kind in (1, 2, 15):\n    signal.signal(kind, signal.SIG_IGN)\nwhile True:\n    os.write(1, b'y' * 65536)";
    for layer in layers().await {
        let started = Instant::now();
        let output = Scene::new(text).run(Some(layer), &[], 2).await;
        let kept = output.stdout.chars().filter(|letter| *letter == 'y').count();
        // "Bytes" has one more.
        assert_eq!((output.timed_out, output.truncated, kept), (true, true, (1 << 16) + 1));
        assert!(started.elapsed() < Duration::from_secs(20));
    }
}

#[tokio::test]
async fn files_of_a_run_can_be_changed_by_it_and_by_us_in_turn() {
    let text = "import pathlib, tempfile\npathlib.Path('made').mkdir(exist_ok=True)\npath = pathlib.Path('made/note')\n\
                path.write_text(path.read_text() + 'b' if path.exists() else 'a')\ntempfile.mkdtemp()\nprint(path.read_text())";
    for layer in layers().await {
        let scene = Scene::new(text);
        assert_eq!(scene.run(Some(layer), &[], 60).await.stdout, "a\n");
        let note = scene.work.join("made/note");
        fs::remove_file(&note).unwrap();
        fs::write(&note, "ours").unwrap();
        assert_eq!(scene.run(Some(layer), &[], 60).await.stdout, "oursb\n");
    }
}

/// What ordinary scripts do, each of which must come to its end.
const ORDINARY: &str = r#"
import asyncio, json, multiprocessing, os, pathlib, shutil, sqlite3, ssl, subprocess, tempfile, threading, zipfile
work = pathlib.Path.cwd()
(work / "a.txt").write_text("a")
shutil.copy("a.txt", "b.txt")
shutil.copy2("a.txt", "c.txt")
shutil.copytree(work, work / "tree", ignore=shutil.ignore_patterns("tree"))
shutil.move("c.txt", "tree/d.txt")
with tempfile.TemporaryDirectory() as folder:
    with zipfile.ZipFile(pathlib.Path(folder) / "a.zip", "w") as archive:
        archive.write("a.txt")
sqlite3.connect("data.db").execute("create table t (x)").connection.close()
threading.Thread(target=lambda: None).start()
asyncio.run(asyncio.create_subprocess_exec("true"))
child = multiprocessing.get_context("fork").Process(target=lambda: None)
child.start()
child.join()
lines = subprocess.run("cp b.txt e.txt && touch e.txt && ls | sort | head -1; echo a | tee >(cat > /dev/null) | sort; timeout 5 true; nice true",
                       shell=True, executable="/bin/bash", capture_output=True, text=True)
print(json.dumps([lines.stdout, lines.stderr, lines.returncode, child.exitcode]))
"#;

#[tokio::test]
async fn ordinary_scripts_run_in_each_sandbox() {
    let _turn = PROCESSES.lock().await;
    for layer in layers().await {
        let output = Scene::new(ORDINARY).run(Some(layer), &[], 60).await;
        assert_eq!(output.stdout, "[\"a.txt\\na\\n\", \"\", 0, 0]\n", "{layer:?}: {output:?}");
    }
}

#[tokio::test]
async fn what_landlock_does_not_hide_is_said() {
    if !layers().await.contains(&Layer::Landlock) {
        return;
    }
    let (_, enforcement) = Scene::new("").run_in(Some(Layer::Landlock), &[], 60).await;
    assert_eq!(enforcement.missing, [Measure::Files, Measure::Temporary, Measure::Processes]);
    let reason = enforcement.reason.unwrap();
    assert!(
        reason.en.starts_with("bubblewrap was left out. Under Landlock, names and sizes of other files"),
        "{reason:?}"
    );
    assert!(reason.zh.starts_with("未使用 bubblewrap。在 Landlock 下"), "{reason:?}");
}

#[tokio::test]
async fn what_a_script_leaves_in_its_home_runs_in_no_other() {
    let text = "import pathlib, site, sys\nplace = pathlib.Path(site.getusersitepackages())\n\
                place.mkdir(parents=True, exist_ok=True)\n(place / 'usercustomize.py').write_text('print(\"left\")')\nprint('ran')";
    let layers = layers().await.into_iter().map(Some).chain([None]);
    for layer in layers {
        let scene = Scene::new(text);
        for _ in 0..2 {
            assert_eq!(scene.run(layer, &[], 60).await.stdout, "ran\n", "{layer:?}");
        }
    }
}

#[tokio::test]
async fn folders_deeper_than_any_path_end_no_later_script() {
    let text = "import os\nfor _ in range(40):\n    os.mkdir('d' * 200)\n    os.chdir('d' * 200)\nprint('ran')";
    for layer in layers().await {
        let scene = Scene::new(text);
        assert_eq!(scene.run(Some(layer), &[], 60).await.stdout, "ran\n");
        fs::write(scene.skill.join("attacks.py"), "print('ran')").unwrap();
        let output = scene.run(Some(layer), &[], 60).await;
        assert_eq!(output.stdout, "ran\n", "{layer:?}: {output:?}");
    }
}
