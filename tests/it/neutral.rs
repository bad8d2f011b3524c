//! Runs at neutral paths: the same as at real ones except for the paths, and nothing in them shows where they were
//! made.
#![cfg(target_os = "linux")]

use api::dto::{
    CheckRunArgs, CompareArgs, Comparison, ExportArgs, HarnessChoice, ImportArgs, InspectArgs, Inspection, NoArgs,
    RunArgs, RunExport, RunMeans, RunRequest,
};
use camino::{Utf8Path, Utf8PathBuf};
use config::SandboxMode;
use engine::tool::sandbox::Sandbox;
use harness::{Catalog, Harness, Options, Session};
use needed::require_or_skip;
use serde_json::Value;
use skill::paths::{Paths, WORKSPACE};
use skillbench_tests::Golden;
use trace::check::Checked;
use trace::{Event, EventKind, RunStatus, StepKind};

use crate::examples::{Bench, request};
use crate::turns::says;

const PROMPT: &str = "Where are you?";

/// Whether folders can be shown elsewhere here.
async fn can_show() -> bool {
    require_or_skip(Sandbox::find().await).is_some()
}

/// A text with one folder in place of another, and its parent in place of the other's.
fn moved(text: &str, from: &Utf8Path, to: &Utf8Path) -> String {
    let text = text.replace(from.as_str(), to.as_str());
    let (above, new) = (from.parent().unwrap(), to.parent().unwrap().as_str());
    text.replace(&format!("{above}/"), "/").replace(above.as_str(), new)
}

/// All that a model would read of it before it calls anything.
fn said(harness: &dyn Harness, catalog: &Catalog, session: &Session) -> Vec<String> {
    let shown = harness.present(catalog, session);
    let mut said: Vec<String> = shown.instructions.iter().map(|text| text.text.clone()).collect();
    said.extend(shown.definitions().iter().map(|tool| tool.to_json()));
    for skill in &catalog.skills {
        let path = skill.path.as_ref().map(ToString::to_string).unwrap_or_default();
        said.extend([skill.id.clone(), skill.description.clone(), skill.content.clone(), path]);
    }
    // Our own messages, and a link out leads to the same place in both.
    let of_framework = catalog.skipped.iter().filter(|skipped| !skipped.reason.en.contains("Skill Workbench"));
    said.extend(of_framework.map(|skipped| format!("{}: {}", skipped.path, skipped.reason.en)));
    said.extend(catalog.log.iter().cloned());
    said.extend(catalog.refused.clone());
    said
}

#[test]
fn every_framework_and_client_says_the_same_of_the_recordings_but_for_the_paths() {
    let golden = Golden::copy();
    let path = golden.path().canonicalize_utf8().unwrap();
    let entries = path.join("roots").read_dir_utf8().unwrap().map(|entry| entry.unwrap().into_path());
    let roots: Vec<Utf8PathBuf> = entries.chain([path.join("skills")]).filter(|path| path.is_dir()).collect();
    let work: Utf8PathBuf = "/home/ada/runs/1".into();
    let mut compared = 0;
    for root in &roots {
        let set = skill::load(std::slice::from_ref(root));
        let paths = Paths::neutral(&set, &[]).with(WORKSPACE, &work);
        let real = skill::followed(&set);
        let neutral = skill::paths::shown(&real, &paths);
        let shown = paths.shown(root);
        for harness in harness::all() {
            for variant in harness.profile().variants {
                let options = Options { variant: Some(variant.id.to_owned()), ..Options::default() };
                let at = |work: Utf8PathBuf| Session { working_directory: Some(work), ..Session::default() };
                let real = said(*harness, &harness.select(&real, &options), &at(work.clone()));
                let neutral = said(*harness, &harness.select(&neutral, &options), &at(paths.shown(&work)));
                let expected: Vec<String> = real
                    .iter()
                    .map(|text| moved(&text.replace(work.as_str(), WORKSPACE), root, &shown))
                    .map(|text| in_any_order(harness.profile().id, &named_by(&text, root, &shown)))
                    .collect();
                let mut neutral: Vec<String> =
                    neutral.iter().map(|text| in_any_order(harness.profile().id, text)).collect();
                let mut expected = expected;
                if harness.profile().id == "agentscope" {
                    neutral.sort();
                    expected.sort();
                }
                assert_same(&format!("{} {} over {root}", harness.profile().id, variant.id), &neutral, &expected);
                compared += neutral.len();
            }
        }
    }
    assert!(roots.len() >= 3 && compared > 1000, "{roots:?}: {compared}");
}

/// AgentScope for Java names a source, and deepagents a title, by the last names of a folder.
fn named_by(text: &str, from: &Utf8Path, to: &Utf8Path) -> String {
    let name = |path: &Utf8Path| {
        let parts: Vec<&str> = path.components().map(|part| part.as_str()).filter(|part| *part != "/").collect();
        format!("filesystem-{}", parts[parts.len().saturating_sub(2)..].join("_"))
    };
    let title = |path: &Utf8Path| {
        let mut letters = path.file_name().unwrap().chars();
        let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
        format!("**{first}{} Skills**", letters.as_str())
    };
    text.replace(&name(from), &name(to)).replace(&title(from), &title(to))
}

/// Codex says how long a command took, and counts what it printed with the paths in it.
fn uncounted(text: &str) -> String {
    ["Original token count: ", "Wall time: "].iter().fold(text.to_owned(), |text, said| {
        let mut parts = text.split(said);
        let first = parts.next().unwrap_or_default().to_owned();
        parts
            .fold(first, |whole, part| whole + said + part.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.'))
    })
}

/// AgentScope for Java goes through its skills by numbers that come of their names.
fn in_any_order(harness: &str, text: &str) -> String {
    if harness != "agentscope" {
        return text.to_owned();
    }
    let mut parts: Vec<&str> = text.split(['\n', ',', '[', ']']).collect();
    parts.sort_unstable();
    parts.join("\n")
}

/// Reports only the first difference of two lists.
fn assert_same(what: &str, found: &[String], expected: &[String]) {
    for (found, expected) in found.iter().zip(expected) {
        if let Some(at) = found.chars().zip(expected.chars()).position(|(a, b)| a != b) {
            let around = |text: &str| text.chars().skip(at.saturating_sub(60)).take(160).collect::<String>();
            panic!("{what}:\nfound    {}\nexpected {}", around(found), around(expected));
        }
        assert_eq!(found.len(), expected.len(), "{what}: {found}\n{expected}");
    }
    assert_eq!(found.len(), expected.len(), "{what}");
}

/// A skill whose script says where it is.
struct Scene {
    bench: Bench,
    root: Utf8PathBuf,
    _folder: tempfile::TempDir,
}

const WHERE: &str = "import os, sys
print(__file__, os.getcwd(), os.environ['HOME'], sorted(os.listdir('/')), sys.argv[1:])
print(open(os.path.dirname(__file__) + '/../notes.md').read())
try:
    open('/skills/place/SKILL.md', 'w')
except OSError as error:
    print(error)
open('made.txt', 'w').write(os.getcwd())
";

impl Scene {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::try_from(folder.path().canonicalize().unwrap()).unwrap().join("ada/tools");
        let write = |path: &str, text: &str| {
            let path = root.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write("place/SKILL.md", "---\nname: place\ndescription: Says where it is.\n---\nRun scripts/where.py.\n");
        write("place/notes.md", "Notes.\n");
        write("place/scripts/where.py", WHERE);
        let here = format!("ls -d {root} /skills /workspace");
        let steps = [
            "{activate: place}",
            "{read: notes.md}",
            "{run: scripts/where.py, with: {at: /workspace/made.txt}}",
            "{run: scripts/gone.py}",
            "{read: ../../../outside.md}",
            "{call: ls, with: {path: /skills/place}}",
            "{call: glob, with: {pattern: '**/*.md', path: /skills}}",
            "{call: grep, with: {pattern: Notes, path: /skills}}",
            "{call: bash, with: {command: 'pwd; ls /skills/place; cat /skills/place/notes.md'}}",
            "{call: execute, with: {command: 'pwd; ls /skills/place; cat made.txt'}}",
            &format!("{{call: bash, with: {{command: '{here}'}}}}"),
            &format!("{{call: execute, with: {{command: '{here}'}}}}"),
            &format!("{{call: read_file, with: {{file_path: {root}/place/notes.md, path: {root}/place/notes.md}}}}"),
            "{call: read_file, with: {file_path: /workspace/made.txt, path: /workspace/made.txt}}",
            "{say: There.}",
        ];
        let scene = format!("prompt: {PROMPT}\nsteps:\n{}", steps.map(|step| format!("  - {step}\n")).concat());
        write(".workbench/screenplays/where.yaml", &scene);
        Self { bench: Bench::on(&root).await, root, _folder: folder }
    }

    fn request(&self, harness: &str, variant: &str, neutral: bool) -> RunRequest {
        let neutral_paths = Some(neutral);
        let variant = Some(variant.to_owned());
        RunRequest { harness: harness.into(), variant, neutral_paths, ..request("rehearsal", PROMPT) }
    }

    async fn exported(&self, run: trace::RunId) -> String {
        self.bench.bench.run_export(ExportArgs { run, format: RunExport::Jsonl }).await.unwrap()
    }
}

fn events(text: &str) -> Vec<Event> {
    trace::export::from_jsonl(text).unwrap().1
}

/// Requests, results, questions and effects, without times.
fn told(events: &[Event]) -> Vec<String> {
    let told = events.iter().filter_map(|event| match &event.kind {
        EventKind::Requested { body, .. } => Some(body.clone()),
        EventKind::Replied { text, wire, .. } => Some(format!("{text} {wire:?}")),
        EventKind::Called { call, .. } => Some(format!("{call:?}")),
        EventKind::ApprovalAsked { effect, .. } => Some(format!("{effect:?}")),
        EventKind::Performed { files, outcome, .. } => Some(format!("{files:?} {outcome:?}")),
        EventKind::Noted { text, .. } => Some(text.clone()),
        EventKind::Ended { status, error, .. } => Some(format!("{status:?} {error:?}")),
        _ => None,
    });
    told.collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_names_no_real_place_under_any_framework() {
    if !can_show().await {
        return;
    }
    let scene = Scene::new().await;
    let harnesses = scene.bench.bench.harness_list(NoArgs {}).await.unwrap();
    let runs = harnesses.iter().filter(|harness| harness.runs);
    let choices = runs.flat_map(|harness| harness.variants.iter().map(|variant| (&*harness.id, &*variant.id)));
    let choices: Vec<(&str, &str)> = choices.collect();
    assert!(choices.len() > 10);
    let mut ran = 0;
    for (harness, variant) in choices {
        // A framework without these tools may fail.
        let (run, _, steps) = scene.bench.play(scene.request(harness, variant, true)).await;
        let exported = scene.exported(run).await;
        let folder = scene.bench.home.path().canonicalize().unwrap();
        let places = [scene.root.parent().unwrap().as_str(), folder.to_str().unwrap()];
        for (number, event) in events(&exported).into_iter().enumerate() {
            let event = serde_json::to_value(&event).unwrap();
            let text = without_what_the_scene_says(&without_mapping(event), &scene.root);
            for place in places {
                assert!(!text.contains(place), "{harness} {variant}, event {number} names {place}: {text}");
            }
        }
        ran +=
            steps.iter().filter(|step| output(&step.kind).is_some_and(|out| out.contains("/scripts/where.py"))).count();
        for out in steps.iter().filter_map(|step| output(&step.kind)).filter(|out| out.contains("/scripts/where.py /"))
        {
            assert!(
                out.starts_with("/skills/place/scripts/where.py /workspace /workspace ["),
                "{harness} {variant}: {out}"
            );
            assert!(out.contains("'skills'") && out.contains("'workspace'") && out.contains("Notes."), "{out}");
            assert!(out.contains("Read-only file system: '/skills/place/SKILL.md'"), "{out}");
        }
    }
    assert!(ran > 5, "{ran} scripts said where they are");
}

fn output(kind: &StepKind) -> Option<&str> {
    match kind {
        StepKind::Tool { output: Some(output), .. } => Some(&output.stdout),
        _ => None,
    }
}

/// Only the mapping itself shows where a run was made.
fn without_mapping(mut event: Value) -> String {
    fn clear(value: &mut Value) {
        match value {
            Value::Object(fields) => {
                fields.remove("neutral");
                fields.values_mut().for_each(clear);
            }
            Value::Array(values) => values.iter_mut().for_each(clear),
            _ => {}
        }
    }
    clear(&mut event);
    event.to_string()
}

/// The model of the scene names the real folder itself, and is answered with the name that it used.
fn without_what_the_scene_says(text: &str, root: &Utf8Path) -> String {
    let asked = [format!("ls -d {root}"), format!("{root}/place/notes.md"), format!("'{root}'"), format!("{root}:")];
    asked.iter().fold(text.to_owned(), |text, asked| text.replace(asked.as_str(), ""))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_is_the_same_as_at_real_paths_but_for_the_paths() {
    if !can_show().await {
        return;
    }
    let scene = Scene::new().await;
    // Only what every framework and client has words for, so that the model says no path itself.
    let screenplay = "prompt: Where are you?\nsteps: [{activate: place}, {read: notes.md}, {run: scripts/gone.py}, \
                      {read: gone.md}, {activate: nobody}, {say: There.}]\n";
    std::fs::write(scene.root.join(".workbench/screenplays/where.yaml"), screenplay).unwrap();
    let harnesses = scene.bench.bench.harness_list(NoArgs {}).await.unwrap();
    for harness in harnesses.iter().filter(|harness| harness.runs) {
        for variant in &harness.variants {
            let of = |neutral| scene.request(&harness.id, &variant.id, neutral);
            let (real, real_status, _) = scene.bench.play(of(false)).await;
            let (neutral, status, _) = scene.bench.play(of(true)).await;
            assert_eq!(status, real_status);
            let setup = scene.bench.bench.run_get(RunArgs { run: real }).await.unwrap().summary.setup;
            let (real, neutral) = (events(&scene.exported(real).await), events(&scene.exported(neutral).await));
            let shown = Utf8Path::new("/skills");
            let expected: Vec<String> = told(&real)
                .iter()
                .map(|text| text.replace(setup.working_directory.as_str(), WORKSPACE))
                .map(|text| uncounted(&named_by(&moved(&text, &scene.root, shown), &scene.root, shown)))
                .collect();
            let found: Vec<String> = told(&neutral).iter().map(|text| uncounted(text)).collect();
            assert_same(&format!("{} {}", harness.id, variant.id), &found, &expected);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_record_keeps_the_mapping_and_a_file_for_others_names_no_home() {
    if !can_show().await {
        return;
    }
    let scene = Scene::new().await;
    let (run, ..) = scene.bench.play(scene.request("eino", "newest", true)).await;
    let setup = scene.bench.bench.run_get(RunArgs { run }).await.unwrap().summary.setup;
    let shown: Vec<(&str, &Utf8Path)> =
        setup.neutral.iter().map(|place| (place.shown.as_str(), &*place.real)).collect();
    assert_eq!(shown[0], ("/skills", &*scene.root));
    assert_eq!((shown.len(), shown[1].0), (2, "/workspace"));
    assert!(shown[1].1.as_str().contains(&run.to_string()), "{shown:?}");
    assert_eq!((setup.roots[0].as_str(), setup.working_directory.as_str()), ("/skills", "/workspace"));
    assert_eq!(setup.folders["place"], "/skills/place");
    assert_eq!(setup.real("/skills/place".into()), scene.root.join("place"));

    let exported = scene.exported(run).await;
    let imported = scene.bench.bench.run_import(ImportArgs { text: exported.clone() }).await.unwrap();
    assert_eq!(scene.exported(imported).await, exported, "once more");

    let checked = scene.bench.bench.run_check(CheckRunArgs { run, roots: None, played: None }).await.unwrap();
    let bad: Vec<_> = checked.calls.iter().filter(|call| matches!(call.result, Checked::Changed { .. })).collect();
    assert!(bad.is_empty(), "{bad:#?}");

    let goes_on = scene.bench.bench.run_continue(says(run, "And now?")).await.unwrap();
    let (_, status, _) = scene.bench.to_end(goes_on).await;
    assert_eq!(status, RunStatus::Done);
    let notes: Vec<String> = events(&scene.exported(goes_on).await)
        .into_iter()
        .filter_map(|event| match event.kind {
            EventKind::Noted { text, .. } => Some(text),
            _ => None,
        })
        .collect();
    assert!(!notes.iter().any(|note| note.contains("cannot be gone through")), "{notes:?}");
    let setup = scene.bench.bench.run_get(RunArgs { run: goes_on }).await.unwrap().summary.setup;
    assert_eq!(setup.working_directory, "/workspace");
}

#[tokio::test(flavor = "multi_thread")]
async fn neutral_paths_without_the_sandbox_are_refused() {
    let scene = Scene::new().await;
    let request = RunRequest {
        means: RunMeans { sandbox: Some(SandboxMode::Off), ..RunMeans::default() },
        ..scene.request("eino", "newest", true)
    };
    let error = scene.bench.bench.run_start(request).await.unwrap_err();
    assert_eq!(error.message, "without the sandbox, scripts and commands find the real paths; neutral paths need it");
    let outside = scene.root.parent().unwrap().join("elsewhere.py");
    std::fs::write(&outside, "").unwrap();
    let project = "neutralPaths: true\ninlineSkills:\n  - {name: inline, description: x, instructions: y, scripts: \
                   [{name: a, file: ../elsewhere.py}]}\n";
    std::fs::write(scene.root.join("workbench.yaml"), project).unwrap();
    let request = RunRequest { neutral_paths: None, ..scene.request("agent-framework", "seed", true) };
    let error = scene.bench.bench.run_start(request).await.unwrap_err();
    assert!(error.message.contains("has no neutral path"), "{}", error.message);
}

fn inspect(harness: &str, variant: &str, neutral_paths: Option<bool>) -> InspectArgs {
    InspectArgs {
        roots: None,
        harness: harness.into(),
        variant: Some(variant.into()),
        prompt: Some(PROMPT.into()),
        cwd: None,
        neutral_paths,
        unsaved: Vec::new(),
        without: Vec::new(),
    }
}

/// Of a request, what does not depend on the model.
fn told_first(body: &str) -> [Value; 2] {
    let body: Value = serde_json::from_str(body).unwrap();
    ["messages", "tools"].map(|field| body[field].clone())
}

#[tokio::test(flavor = "multi_thread")]
async fn inspect_at_neutral_paths_shows_what_such_a_run_sends() {
    if !can_show().await {
        return;
    }
    let scene = Scene::new().await;
    let harnesses = scene.bench.bench.harness_list(NoArgs {}).await.unwrap();
    for harness in harnesses.iter().filter(|harness| harness.runs) {
        for variant in &harness.variants {
            let what = format!("{} {}", harness.id, variant.id);
            let shown = scene.bench.bench.inspect(inspect(&harness.id, &variant.id, Some(true))).await.unwrap();
            let (run, ..) = scene.bench.play(scene.request(&harness.id, &variant.id, true)).await;
            let sent = events(&scene.exported(run).await).into_iter().find_map(|event| match event.kind {
                EventKind::Requested { body, .. } => Some(body),
                _ => None,
            });
            assert_eq!(told_first(&shown.request), told_first(&sent.unwrap()), "{what}");
            assert!(!shown.request.contains(scene.root.parent().unwrap().as_str()), "{what}: {}", shown.request);
            assert!(!shown.curl.contains(scene.root.parent().unwrap().as_str()), "{what}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn inspect_and_compare_at_neutral_paths_know_where_files_really_are() {
    let scene = Scene::new().await;
    let long = "x".repeat(5000);
    std::fs::create_dir(scene.root.join("broken")).unwrap();
    std::fs::write(scene.root.join("broken/SKILL.md"), format!("---\nname: broken\ndescription: {long}\n---\n"))
        .unwrap();
    scene.bench.bench.forget_loaded();
    let harnesses = scene.bench.bench.harness_list(NoArgs {}).await.unwrap();
    let all = |shown: &Inspection| {
        let skills = shown.skills.iter().flat_map(|skill| {
            let files = skill.resources.iter().chain(&skill.scripts).flat_map(|file| file.path.clone());
            skill.path.iter().cloned().chain(files).collect::<Vec<_>>()
        });
        let skipped = shown.skipped.iter().map(|skipped| skipped.path.clone());
        let mut paths: Vec<String> =
            skills.chain(skipped).chain(shown.quirks.iter().flat_map(|quirk| quirk.path.clone())).collect();
        paths.sort();
        (paths, shown.quirks.iter().map(|quirk| quirk.range).collect::<Vec<_>>(), shown.tokens.tiers.resources)
    };
    let mut of = Vec::new();
    for harness in &harnesses {
        for variant in &harness.variants {
            let [real, neutral] = [Some(false), Some(true)].map(|neutral| inspect(&harness.id, &variant.id, neutral));
            let real = scene.bench.bench.inspect(real).await.unwrap();
            let neutral = scene.bench.bench.inspect(neutral).await.unwrap();
            assert_eq!(all(&neutral), all(&real), "{} {}", harness.id, variant.id);
            assert_eq!((neutral.neutral[0].shown.as_str(), &*neutral.neutral[0].real), ("/skills", &*scene.root));
            assert_eq!(real.neutral, []);
        }
        of.push(HarnessChoice::named(&harness.id));
    }
    let compare = |neutral_paths| CompareArgs {
        roots: None,
        of: of.clone(),
        prompt: None,
        cwd: None,
        neutral_paths,
        unsaved: Vec::new(),
        without: Vec::new(),
    };
    let real = scene.bench.bench.compare(compare(None)).await.unwrap();
    let neutral = scene.bench.bench.compare(compare(Some(true))).await.unwrap();
    let rows = |found: &Comparison| -> Vec<(String, Option<String>)> {
        found.skills.iter().map(|skill| (skill.name.clone(), skill.path.clone())).collect()
    };
    assert_eq!(rows(&neutral), rows(&real));
    std::fs::write(scene.root.join("workbench.yaml"), "neutralPaths: true\n").unwrap();
    scene.bench.bench.forget_loaded();
    let project = scene.bench.bench.compare(compare(None)).await.unwrap();
    assert_eq!(project, neutral, "as the project has it");
}
