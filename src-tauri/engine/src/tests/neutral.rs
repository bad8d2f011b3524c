//! Effects of a run that shows its folders at neutral paths.

use camino::{Utf8Path, Utf8PathBuf};

use crate::effect::{self, Done, Means};
use crate::tool::reach::Reach;
use crate::tool::room::Room;
use config::{Policy, RunLimits, SandboxMode};
use harness::{Effect, FailureKind, ListedEntry, Performed};
use model::secret::Guard;
use skill::paths::{Paths, SKILLS, WORKSPACE};
use trace::Layer;

struct Bench {
    _folder: tempfile::TempDir,
    base: Utf8PathBuf,
    paths: Paths,
}

impl Bench {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let base = Utf8PathBuf::try_from(folder.path().canonicalize().unwrap()).unwrap();
        std::fs::create_dir_all(base.join("tools/demo")).unwrap();
        std::fs::create_dir(base.join("run")).unwrap();
        std::fs::write(base.join("tools/demo/notes.md"), "One.\nTwo.\n").unwrap();
        std::fs::write(base.join("tools/demo/where.sh"), "pwd; echo \"$0 $HOME\"; ls /skills/demo").unwrap();
        let paths = Paths::default().with(SKILLS, &base.join("tools")).with(WORKSPACE, &base.join("run"));
        Self { _folder: folder, base, paths }
    }

    async fn perform(&self, effect: &Effect, mode: SandboxMode, first: Layer) -> Done {
        let work = self.base.join("run");
        let policy = Policy { mode, ..Policy::default() };
        let room = Room::new(policy, vec![self.base.join("tools/demo")], work.clone());
        let room = room.showing(self.paths.clone()).starting_with(first);
        let (limits, guard, reach) = (RunLimits::default(), Guard::default(), Reach::to([self.base.clone()]));
        let (working_directory, paths) = (&*work, &self.paths);
        effect::perform(
            effect,
            Means { limits: &limits, room: &room, working_directory, paths, reach: &reach, guard: &guard },
        )
        .await
    }

    async fn done(&self, effect: Effect) -> Performed {
        let done = self.perform(&effect, SandboxMode::Prefer, Layer::Bubblewrap).await;
        assert!(!format!("{done:?}").contains(self.base.as_str()), "{done:?}");
        done.performed
    }
}

fn read(path: &str) -> Effect {
    Effect::ReadFile { path: path.into(), approval: false }
}

#[tokio::test]
async fn files_are_read_written_and_found_by_the_names_that_are_shown() {
    let bench = Bench::new();
    let text = |done| match done {
        Performed::Read { bytes } => String::from_utf8(bytes).unwrap(),
        other => panic!("{other:?}"),
    };
    for path in ["/skills/demo/notes.md", "../skills/demo/notes.md", "/workspace/../skills/demo/notes.md"] {
        assert_eq!(text(bench.done(read(path)).await), "One.\nTwo.\n", "{path}");
    }
    let write = Effect::WriteFile { path: "/workspace/made/a.txt".into(), text: "made".into() };
    assert_eq!(bench.done(write).await, Performed::Wrote);
    assert_eq!(std::fs::read_to_string(bench.base.join("run/made/a.txt")).unwrap(), "made");
    assert_eq!(text(bench.done(read("made/a.txt")).await), "made");

    let listed = bench.done(Effect::ListFolder { path: "/skills".into(), depth: 1 }).await;
    let demo = ListedEntry { path: "/skills/demo".into(), folder: true, size: 0 };
    let Performed::Listed { entries } = listed else { panic!("{listed:?}") };
    assert_eq!(entries.into_iter().map(|entry| ListedEntry { size: 0, ..entry }).collect::<Vec<_>>(), [demo]);
    let Performed::Listed { entries } =
        bench.done(Effect::FindFiles { path: "../skills/demo".into(), pattern: "*.md".into() }).await
    else {
        panic!("nothing was found")
    };
    assert_eq!(entries[0].path, Utf8Path::new("/workspace/../skills/demo/notes.md"), "as it was asked for");
    let search = Effect::SearchFiles {
        path: "/skills/demo".into(),
        pattern: "Two".into(),
        files: None,
        ignore_case: false,
        multiline: false,
    };
    let Performed::Found { lines } = bench.done(search).await else { panic!("nothing was found") };
    assert_eq!((lines[0].path.as_str(), lines[0].line), ("/skills/demo/notes.md", 2));
}

#[tokio::test]
async fn what_is_not_there_is_named_as_it_was_and_real_places_are_not_there() {
    let bench = Bench::new();
    let gone = |path: &str| Performed::Failed {
        kind: FailureKind::NotFound,
        message: format!("cannot read {path}: No such file or directory (os error 2)"),
    };
    assert_eq!(bench.done(read("/skills/demo/gone.md")).await, gone("/skills/demo/gone.md"));
    let real = bench.base.join("tools/demo/notes.md");
    let done = bench.perform(&read(real.as_str()), SandboxMode::Prefer, Layer::Bubblewrap).await;
    assert_eq!(done.performed, gone(real.as_str()));
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn what_runs_finds_folders_where_they_are_shown_or_does_not_run() {
    let bench = Bench::new();
    let script = Effect::RunScript {
        skill: "demo".into(),
        script: "where.sh".into(),
        path: "/skills/demo/where.sh".into(),
        interpreter: "bash".into(),
        arguments: Vec::new(),
        approval: false,
        working_directory: None,
    };
    if super::has_sandbox().await {
        let Performed::Ran(output) = bench.done(script.clone()).await else { panic!("it did not run") };
        assert_eq!(output.stdout, "/workspace\n/skills/demo/where.sh /workspace\nnotes.md\nwhere.sh\n", "{output:?}");
    }
    let shell = Effect::Shell { command: "true".into(), working_directory: None, timeout: None };
    for (effect, mode, first) in [
        (&script, SandboxMode::Prefer, Layer::Landlock),
        (&shell, SandboxMode::Require, Layer::Landlock),
        (&shell, SandboxMode::Off, Layer::Bubblewrap),
    ] {
        let done = bench.perform(effect, mode, first).await;
        let Performed::Failed { kind: FailureKind::NoPermission, message } = &done.performed else {
            panic!("{done:?}")
        };
        let said = "scripts and commands would find the real paths, since only bubblewrap shows folders at neutral ones, so \
                    nothing is run";
        assert!(message.contains(said) || message.contains("a sandbox is required and there is none"), "{message}");
    }
}
