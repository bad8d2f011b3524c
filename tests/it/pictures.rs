//! Pictures in prompts and in results of tools: from the file to the request, the steps, the context, the export, and a
//! run that goes on.

use std::fs;

use api::dto::{
    ContinueArgs, ExportArgs, ForkArgs, ImportArgs, RunArgs, RunExport, RunMeans, RunRequest, SaveArgs, StepArgs,
};
use camino::{Utf8Path, Utf8PathBuf};
use harness::Group;
use model::{Image, Role};
use trace::{RunId, RunStatus, Step, StepKind};

use crate::examples::{Bench, request};
use crate::forks::fork_of;

/// One black pixel.
const PIXEL: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==";

const DRAW: &str = r#"import base64
with open("chart.png", "wb") as chart:
    chart.write(base64.b64decode("PIXEL"))
print("drawn")
"#;

const MANIFEST: &str = "---\nname: chart\ndescription: Draws a chart. Use it if the user wants to see numbers.\n---\n\
                        Run `scripts/draw.py`, then look at `chart.png`. `assets/logo.png` is the logo.\n";

fn pixel() -> Image {
    serde_json::from_value(serde_json::json!({ "mediaType": "image/png", "data": PIXEL })).unwrap()
}

/// A skill that draws, and has a picture.
async fn bench() -> (Bench, tempfile::TempDir) {
    let guard = tempfile::tempdir().unwrap();
    let folder = Utf8Path::from_path(guard.path()).unwrap().canonicalize_utf8().unwrap();
    for (path, text) in [("SKILL.md", MANIFEST), ("scripts/draw.py", &DRAW.replace("PIXEL", PIXEL))] {
        let path = folder.join("skills/chart").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let assets = folder.join("skills/chart/assets");
    fs::create_dir_all(&assets).unwrap();
    let bytes = model_bytes();
    fs::write(assets.join("logo.png"), bytes).unwrap();
    (Bench::on(&folder.join("skills")).await, guard)
}

fn model_bytes() -> Vec<u8> {
    let digit = |char: u8| match char {
        b'A'..=b'Z' => char - b'A',
        b'a'..=b'z' => char - b'a' + 26,
        b'0'..=b'9' => char - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let digits: Vec<u8> = PIXEL.bytes().filter(|char| *char != b'=').map(digit).collect();
    let bits = digits.iter().flat_map(|digit| (0..6).rev().map(move |bit| digit >> bit & 1)).collect::<Vec<_>>();
    bits.chunks_exact(8).map(|byte| byte.iter().fold(0, |byte, bit| byte << 1 | bit)).collect()
}

fn scene(bench: &Bench, steps: &str) -> String {
    let path = Utf8PathBuf::try_from(bench.home.path().join("scene.yaml")).unwrap();
    fs::write(&path, format!("prompt: Draw a chart\nsteps:\n- activate: chart\n{steps}- say: Done.\n")).unwrap();
    path.into_string()
}

/// What the tools returned as pictures.
fn returned(steps: &[Step]) -> Vec<&Image> {
    let images = steps.iter().filter_map(|step| match &step.kind {
        StepKind::Tool { images, .. } => Some(images),
        _ => None,
    });
    images.flatten().collect()
}

/// The pictures in the context at the last step, by who says them.
async fn shown(bench: &Bench, run: RunId, steps: &[Step]) -> Vec<(Role, Image)> {
    let step = steps.last().unwrap().index;
    let context = bench.bench.step_context(StepArgs { run, step }).await.unwrap();
    assert!(context.exact);
    let of = context.messages.into_iter().flat_map(|message| {
        let role = message.role;
        message.images.into_iter().map(move |image| (role, image))
    });
    of.collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_show_the_model_a_picture_that_they_read_and_frameworks_do_not() {
    let (bench, _guard) = bench().await;
    let screenplay = scene(&bench, "- read: assets/logo.png\n");
    let mut see = Vec::new();
    for harness in bench.bench.harness_list(api::dto::NoArgs {}).await.unwrap() {
        if !harness.runs {
            continue;
        }
        let asked = RunRequest {
            harness: harness.id.clone(),
            screenplay: Some(screenplay.clone()),
            ..request("rehearsal", "Draw a chart")
        };
        let (run, status, steps) = bench.play(asked).await;
        assert_eq!(status, RunStatus::Done, "{}: {:?}", harness.id, steps.last());
        let images = returned(&steps);
        if images.is_empty() {
            continue;
        }
        assert_eq!((images, harness.group), (vec![&pixel()], Group::Client), "{}", harness.id);
        assert_eq!(shown(&bench, run, &steps).await, [(Role::Tool, pixel())], "{}", harness.id);
        see.push(harness.id);
    }
    assert_eq!(see, ["claude-code", "deepagents", "gemini-cli", "opencode"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_skill_that_draws_is_shown_drawing_and_the_run_goes_on_with_another_picture() {
    let (bench, _guard) = bench().await;
    let screenplay = scene(&bench, "- run: scripts/draw.py\n- call: Read\n  with: {file_path: chart.png}\n");
    let asked = RunRequest {
        harness: "claude-code".into(),
        screenplay: Some(screenplay),
        images: vec![pixel()],
        ..request("rehearsal", "Draw a chart")
    };
    let (run, status, steps) = bench.play(asked).await;
    assert_eq!(status, RunStatus::Done, "{:?}", steps.last());
    let StepKind::Prompt { images, .. } = &steps[0].kind else { panic!("{:?}", steps[0]) };
    assert_eq!(*images, [pixel()]);
    assert_eq!(returned(&steps), [&pixel()]);
    assert_eq!(shown(&bench, run, &steps).await, [(Role::User, pixel()), (Role::Tool, pixel())]);
    let listed = bench.bench.run_list(api::dto::NoArgs {}).await.unwrap();
    assert!(listed.runs.iter().all(|run| run.setup.images.is_empty()), "lists have no use for them");

    let more = ContinueArgs {
        run,
        roots: None,
        harness: None,
        model: None,
        prompt: "And this?".into(),
        images: vec![pixel()],
        means: RunMeans::default(),
    };
    let further = bench.bench.run_continue(more).await.unwrap();
    let (_, status, steps) = bench.to_end(further).await;
    assert_eq!(status, RunStatus::Done, "{:?}", steps.last());
    let notes = crate::examples::notes(&steps);
    assert!(notes.is_empty(), "the record is what the framework does now: {notes:?}");
    let all = [(Role::User, pixel()), (Role::Tool, pixel()), (Role::User, pixel())];
    assert_eq!(shown(&bench, further, &steps).await, all);

    let text = bench.bench.run_export(ExportArgs { run: further, format: RunExport::Jsonl }).await.unwrap();
    bench.bench.run_delete(RunArgs { run: further }).await.unwrap();
    let again = bench.bench.run_import(ImportArgs { text }).await.unwrap();
    let detail = bench.bench.run_get(RunArgs { run: again }).await.unwrap();
    assert_eq!(detail.steps, steps);
    assert_eq!(shown(&bench, again, &steps).await, all);
}

/// What the user said, with how many pictures.
fn said(steps: &[Step]) -> Vec<(&str, Vec<Image>)> {
    let prompts = steps.iter().filter_map(|step| match &step.kind {
        StepKind::Prompt { text, images, .. } => Some((text.as_str(), images.clone())),
        _ => None,
    });
    prompts.collect()
}

const PICTURED: &str = "prompt: What is this?\nimages: [../../chart/assets/logo.png]\nsteps:\n- activate: chart\n\
                        - say: A logo.\n- prompt: And these?\n  images: [dot.png, ../../chart/assets/logo.png]\n\
                        - say: The same twice.\n- prompt: Thanks.\n- say: You are welcome.\n";

#[tokio::test(flavor = "multi_thread")]
async fn a_screenplay_says_with_pictures_and_is_written_with_them_again() {
    let (bench, guard) = bench().await;
    let skills = Utf8Path::from_path(guard.path()).unwrap().join("skills");
    let scenes = skills.join(".workbench/screenplays");
    fs::create_dir_all(&scenes).unwrap();
    fs::write(scenes.join("what.yaml"), PICTURED).unwrap();
    fs::write(scenes.join("dot.png"), model_bytes()).unwrap();
    let expected = [("What is this?", vec![pixel()]), ("And these?", vec![pixel(); 2]), ("Thanks.", Vec::new())];

    // Found by its prompt, under a framework and a client.
    let mut last = None;
    for harness in ["eino", "claude-code"] {
        let asked = RunRequest { harness: harness.into(), ..request("rehearsal", "What is this?") };
        let (run, status, steps) = bench.play(asked).await;
        assert_eq!((status, said(&steps)), (RunStatus::Done, expected.to_vec()), "{harness}");
        let users = vec![(Role::User, pixel()); 3];
        assert_eq!(shown(&bench, run, &steps).await, users, "{harness}");
        last = Some(run);
    }
    let run = last.unwrap();

    // A file of one's own keeps what it has; the picture that all three are is one file.
    let folder = skills.join("chart/scenes");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("again-1.png"), "mine").unwrap();
    let path = folder.join("again.yaml");
    let save = SaveArgs { path: path.to_string(), run, format: RunExport::Screenplay };
    bench.bench.run_save(save).await.unwrap();
    let mut names: Vec<_> =
        folder.read_dir_utf8().unwrap().map(|entry| entry.unwrap().file_name().to_owned()).collect();
    names.sort();
    assert_eq!(names, ["again-1.png", "again-2.png", "again.yaml"]);
    assert_eq!(fs::read_to_string(folder.join("again-1.png")).unwrap(), "mine");
    assert_eq!(fs::read(folder.join("again-2.png")).unwrap(), model_bytes());
    let text = bench.bench.run_export(ExportArgs { run, format: RunExport::Screenplay }).await.unwrap();
    let saved = fs::read_to_string(&path).unwrap();
    assert_eq!(saved.replace("again-2.png", &pixel().data_url()), text, "a text has them in it");

    for (name, text) in [("again.yaml", saved), ("text.yaml", text)] {
        let path = folder.join(name);
        fs::write(&path, text).unwrap();
        let screenplay = Some(path.into_string());
        let asked = RunRequest { harness: "eino".into(), screenplay, ..request("rehearsal", "What is this?") };
        let (_, status, steps) = bench.play(asked).await;
        assert_eq!((status, said(&steps)), (RunStatus::Done, expected.to_vec()), "{name}");
    }

    // Pictures of one's own come before those of the scene, which a prompt of one's own has not.
    let others = Image::of(&[model_bytes(), vec![0; 3]].concat()).unwrap();
    let screenplay = Some(scenes.join("what.yaml").into_string());
    let asked = RunRequest {
        harness: "eino".into(),
        screenplay: screenplay.clone(),
        images: vec![others.clone()],
        ..request("rehearsal", "What is this?")
    };
    let (_, _, steps) = bench.play(asked).await;
    assert_eq!(said(&steps)[0], ("What is this?", vec![others]));
    let asked = RunRequest { harness: "eino".into(), screenplay, ..request("rehearsal", "Something else") };
    let (_, _, steps) = bench.play(asked).await;
    assert_eq!(said(&steps)[0], ("Something else", Vec::new()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_screenplay_whose_picture_is_missing_begins_no_run() {
    let (bench, _guard) = bench().await;
    let home = Utf8PathBuf::try_from(bench.home.path().to_owned()).unwrap();
    let scene = home.join("scene.yaml");
    fs::write(&scene, "prompt: What is this?\nsteps: []\nimages: [none.png]\n").unwrap();
    let screenplay = Some(scene.into_string());
    let asked = RunRequest { screenplay, ..request("rehearsal", "What is this?") };
    let refused = bench.bench.run_start(asked).await.unwrap_err();
    assert!(refused.message.starts_with(&format!("cannot read {}: ", home.join("none.png"))), "{}", refused.message);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fork_says_with_other_pictures_or_none() {
    let (bench, _guard) = bench().await;
    let screenplay = scene(&bench, "");
    let asked =
        RunRequest { screenplay: Some(screenplay), images: vec![pixel()], ..request("rehearsal", "Draw a chart") };
    let (run, _, steps) = bench.play(asked).await;
    let first = |steps: &[Step]| said(steps)[0].1.clone();
    assert_eq!(first(&steps), [pixel()]);
    for (images, prompt, expected) in [
        (None, None, vec![pixel()]),
        (None, Some("Draw two"), vec![pixel()]),
        (Some(vec![pixel(); 2]), None, vec![pixel(); 2]),
        (Some(Vec::new()), Some("Draw a chart"), Vec::new()),
    ] {
        let args = ForkArgs { images, prompt: prompt.map(str::to_owned), ..fork_of(run, 0) };
        let (fork, status, steps) = bench.fork(args).await;
        assert_eq!((status, first(&steps)), (RunStatus::Done, expected.clone()), "{prompt:?}");
        let users = expected.into_iter().map(|image| (Role::User, image)).collect::<Vec<_>>();
        assert_eq!(shown(&bench, fork, &steps).await, users);
    }
    let at = steps.iter().find(|step| matches!(step.kind, StepKind::Answer { .. })).unwrap().index;
    let args = ForkArgs { prompt: Some("And this?".into()), images: Some(vec![pixel()]), ..fork_of(run, at) };
    let (_, status, steps) = bench.fork(args).await;
    assert_eq!((status, said(&steps)[1].clone()), (RunStatus::Done, ("And this?", vec![pixel()])));
    let wrong = Image { data: "PHN2Zy8+".into(), ..pixel() };
    let refused = bench.bench.run_fork(ForkArgs { images: Some(vec![wrong]), ..fork_of(run, 0) }).await.unwrap_err();
    assert_eq!(refused.message, "cannot send an image: it is not a PNG, JPEG, GIF or WebP image");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_picture_begins_no_run() {
    let (bench, _guard) = bench().await;
    let said = |images: Vec<Image>| RunRequest { images, ..request("rehearsal", "Draw a chart") };
    let wrong = Image { data: "PHN2Zy8+".into(), ..pixel() };
    let refused = bench.bench.run_start(said(vec![wrong])).await.unwrap_err();
    assert_eq!(refused.message, "cannot send an image: it is not a PNG, JPEG, GIF or WebP image");
    let refused = bench.bench.run_start(said(vec![pixel(); 21])).await.unwrap_err();
    assert_eq!(refused.message, "a prompt can have at most 20 images");
}
