//! The same skills, and the same scene, under every harness there is.

use std::collections::{BTreeMap, BTreeSet};

use api::dto::{
    AlignArgs, Alignment, CataloguePlace, CellIs, CompareArgs, CompareSkillArgs, ComparedCell, ComparedColumn,
    ComparedSkill, DecideArgs, DiffKind, DiffPiece, HarnessChoice, InspectedSent, Inspection, NoArgs, Presence, Push,
    QuirkDto, RehearseArgs, SkillVerdict, TextDiffArgs, UnsavedText,
};
use camino::Utf8PathBuf;
use config::RunLimits;
use harness::Disclosure;
use skill::Severity;
use skillbench_tests::Golden;
use trace::{Decision, RunId, RunStatus, StepKind};

use crate::examples::{Bench, skills};

const SCENE: &str = "How many pounds is 1 kilogram?";

/// Each harness in its default variant, or in all.
async fn choices(bench: &Bench, every_variant: bool) -> Vec<HarnessChoice> {
    let mut choices = Vec::new();
    for harness in bench.bench.harness_list(NoArgs {}).await.unwrap() {
        let shown = if every_variant { harness.variants.len() } else { 1 };
        let of = |variant: String| HarnessChoice { harness: harness.id.clone(), variant: Some(variant) };
        choices.extend(harness.variants.into_iter().take(shown).map(|variant| of(variant.id)));
    }
    choices
}

fn of(choices: &[HarnessChoice]) -> CompareArgs {
    CompareArgs {
        roots: None,
        of: choices.to_vec(),
        prompt: None,
        cwd: None,
        neutral_paths: Some(false),
        unsaved: Vec::new(),
        without: Vec::new(),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn unsaved_texts_show_what_a_save_would() {
    let golden = Golden::copy();
    let skills = golden.path().join("skills");
    let bench = Bench::on(&skills).await;
    let choices = choices(&bench, true).await;
    let manifest = skills.join("unit-converter/SKILL.md");
    let text = std::fs::read_to_string(&manifest).unwrap();
    let edits = [
        (manifest.clone(), text.replacen("description: ", "description: Not saved yet. ", 1)),
        (skills.join("unit-converter/references/conversion-table.md"), "# Tables\n\nNothing but this.\n".to_owned()),
        (skills.join("pdf-tools/notes.md"), "A file that is not on disk yet.\n".to_owned()),
        (skills.join("workbench.yaml"), "harnesses:\n  agent-framework:\n    scriptApproval: true\n".to_owned()),
    ];
    let saved = bench.bench.compare(of(&choices)).await.unwrap();
    let unsaved = edits.iter().map(|(path, text)| UnsavedText { path: path.to_string(), text: text.clone() }).collect();
    let drafted = bench.bench.compare(CompareArgs { unsaved, ..of(&choices) }).await.unwrap();
    assert_ne!(drafted, saved);
    assert_eq!(bench.bench.compare(of(&choices)).await.unwrap(), saved, "nothing of a draft stays");
    for (path, text) in edits {
        std::fs::write(path, text).unwrap();
    }
    bench.bench.forget_loaded();
    let written = bench.bench.compare(of(&choices)).await.unwrap();
    for (drafted, written) in drafted.columns.iter().zip(&written.columns) {
        assert_eq!(drafted, written);
    }
    assert_eq!(drafted.skills, written.skills);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_skill_that_takes_no_part_is_as_if_it_were_not_there() {
    let golden = Golden::copy();
    let skills = golden.path().join("skills");
    let bench = Bench::on(&skills).await;
    let choices = choices(&bench, true).await;
    let without = vec!["cjk-skill".to_owned(), "no-such-skill".to_owned()];
    let left_out = bench.bench.compare(CompareArgs { without, ..of(&choices) }).await.unwrap();
    std::fs::remove_dir_all(skills.join("cjk-skill")).unwrap();
    bench.bench.forget_loaded();
    let removed = bench.bench.compare(of(&choices)).await.unwrap();
    for (left_out, removed) in left_out.columns.iter().zip(&removed.columns) {
        // A framework's log and skipped skills cover everything that it found.
        let (left_out, removed) = (&left_out.inspection, &removed.inspection);
        assert_eq!(left_out.instructions, removed.instructions, "{}", removed.variant);
        assert_eq!(left_out.tools, removed.tools, "{}", removed.variant);
        assert_eq!(left_out.skills, removed.skills, "{}", removed.variant);
        assert_eq!(left_out.request, removed.request, "{}", removed.variant);
    }
    let names = |skills: &[ComparedSkill]| skills.iter().map(|skill| skill.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&left_out.skills), names(&removed.skills));
}

#[tokio::test(flavor = "multi_thread")]
async fn every_variant_has_a_column_and_every_skill_a_row() {
    let golden = Golden::copy();
    let bench = Bench::on(&golden.path().join("skills")).await;
    let choices = choices(&bench, true).await;
    let found = bench.bench.compare(of(&choices)).await.unwrap();

    let asked: Vec<_> =
        choices.iter().map(|choice| (choice.harness.clone(), choice.variant.clone().unwrap())).collect();
    let columns = found.columns.iter().map(|column| &column.inspection);
    let shown: Vec<_> = columns.map(|column| (column.harness.clone(), column.variant.clone())).collect();
    assert_eq!(shown, asked);

    let paths: Vec<&String> = found.skills.iter().filter_map(|skill| skill.path.as_ref()).collect();
    assert!(paths.is_sorted(), "by path: {paths:?}");
    let on_disk = bench.bench.skill_list(NoArgs {}).await.unwrap();
    for skill in &on_disk.skills {
        assert!(paths.contains(&&skill.id), "a skill on disk has a row whoever sees it: {}", skill.id);
    }
    for (index, column) in found.columns.iter().enumerate() {
        let loaded: BTreeSet<Option<&String>> =
            column.inspection.skills.iter().map(|skill| skill.path.as_ref()).collect();
        let in_rows: BTreeSet<Option<&String>> = found
            .skills
            .iter()
            .filter(|skill| matches!(skill.columns[index], Presence::Loaded { .. }))
            .map(|skill| skill.path.as_ref())
            .collect();
        assert_eq!(in_rows, loaded, "{} {}", column.inspection.harness, column.inspection.variant);
    }
    for skill in &found.skills {
        assert_eq!(skill.columns.len(), choices.len());
        assert_eq!(differences(skill), told_differences(skill), "{}", skill.name);
    }
}

/// Whether name or description differ from those of the first column that loads the skill.
fn differences(skill: &ComparedSkill) -> Vec<Option<bool>> {
    let read = skill.columns.iter().map(|presence| match presence {
        Presence::Loaded { name, description, .. } => Some((name, description)),
        Presence::Skipped { .. } | Presence::Unseen => None,
    });
    let first = read.clone().flatten().next();
    read.map(|read| read.map(|read| Some(read) != first)).collect()
}

fn told_differences(skill: &ComparedSkill) -> Vec<Option<bool>> {
    let told = skill.columns.iter().map(|presence| match presence {
        Presence::Loaded { differs, .. } => Some(*differs),
        Presence::Skipped { .. } | Presence::Unseen => None,
    });
    told.collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_skill_that_is_left_out_says_why_in_its_own_row() {
    let golden = Golden::copy();
    let bench = Bench::on(&golden.path().join("roots/no-frontmatter")).await;
    let choice = HarnessChoice { harness: "agent-framework".into(), variant: None };
    let found = bench.bench.compare(of(&[choice])).await.unwrap();
    let reason = "does not contain valid YAML frontmatter delimited by '---'";
    let row = ComparedSkill {
        name: "no-frontmatter".into(),
        path: Some(golden.path().join("roots/no-frontmatter/no-frontmatter").into_string()),
        columns: vec![Presence::Skipped { reason: wording::Message::quoted(reason) }],
    };
    assert_eq!(found.skills, [row]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_harness_asked_for_twice_has_two_columns_and_an_unknown_one_is_an_error() {
    let bench = Bench::on(&skills()).await;
    let twice = [(); 2].map(|()| HarnessChoice { harness: "agent-framework".into(), variant: None });
    let found = bench.bench.compare(of(&twice)).await.unwrap();
    assert_eq!(found.columns[0], found.columns[1]);
    let unknown = HarnessChoice { harness: "agent-framework".into(), variant: Some("nope".into()) };
    let error = bench.bench.compare(of(&[unknown])).await.unwrap_err();
    assert_eq!(error.message, "agent-framework has no variant `nope`");
    assert_eq!(bench.bench.compare(of(&[])).await.unwrap().columns, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_catalogue_is_found_where_each_framework_puts_it() {
    let description = |tool: &str| CataloguePlace::ToolDescription { tool: tool.into() };
    let parameter = |tool: &str| CataloguePlace::ToolParameter { tool: tool.into() };
    let expected = BTreeMap::from([
        ("agent-framework", vec![CataloguePlace::Instructions]),
        ("eino", vec![description("skill")]),
        ("learn-claude-code", vec![CataloguePlace::Instructions]),
        ("strands", vec![description("Skill")]),
        ("agentscope", vec![CataloguePlace::Instructions, parameter("load_skill_through_path")]),
        ("agent-skills", vec![CataloguePlace::Instructions]),
        ("claude-code", vec![CataloguePlace::FirstMessage]),
        ("codex", vec![CataloguePlace::DeveloperMessage]),
        ("deepagents", vec![CataloguePlace::Instructions]),
        ("gemini-cli", vec![CataloguePlace::Instructions, description("activate_skill"), parameter("activate_skill")]),
        ("opencode", vec![CataloguePlace::Instructions]),
    ]);
    let bench = Bench::on(&skills()).await;
    let found = bench.bench.compare(of(&choices(&bench, false).await)).await.unwrap();
    for column in found.columns {
        let harness = column.inspection.harness.as_str();
        assert_eq!(Some(&column.inspection.catalogue), expected.get(harness), "{harness}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_scene_goes_the_same_way_under_every_harness() {
    let bench = Bench::on(&skills()).await;
    let mut choices = choices(&bench, false).await;
    choices.retain(|choice| harness::find(&choice.harness).unwrap().profile().group == harness::Group::Framework);
    let found = rehearsed(&bench, choices.clone()).await;
    let by: Vec<_> = found.runs.iter().map(|run| &run.summary.setup.harness).collect();
    assert_eq!(by, choices.iter().map(|choice| &choice.harness).collect::<Vec<_>>());
    for run in &found.runs {
        assert_eq!((run.summary.status, &run.summary.error), (RunStatus::Done, &None), "{}", run.summary.setup.harness);
    }
    // Prompt, skill, table, script, answer: what every framework must do for this scene is in one row each.
    assert!(found.rows[0].steps.iter().all(|step| *step == Some(0)));
    for what in ["instructions", "resource", "script", "last answer"] {
        let rows = found.runs.iter().enumerate().map(|(index, run)| {
            let step = run.steps.iter().rposition(|step| match &step.kind {
                StepKind::Tool { disclosure, .. } => disclosed(disclosure) == what,
                StepKind::Answer { .. } => what == "last answer",
                StepKind::Prompt { .. } | StepKind::Note { .. } | StepKind::End { .. } => false,
            });
            let step = step.and_then(|step| u32::try_from(step).ok());
            assert!(step.is_some(), "{} has no step for {what}", run.summary.setup.harness);
            found.rows.iter().position(|row| row.steps[index] == step)
        });
        let rows: BTreeSet<Option<usize>> = rows.collect();
        assert_eq!(rows.len(), 1, "{what} stands in one row: {rows:?}");
    }
}

fn disclosed(disclosure: &Disclosure) -> &'static str {
    match disclosure {
        Disclosure::Instructions { .. } => "instructions",
        // AgentScope has nothing to run a script with, so it shows the script.
        Disclosure::Resource { resource, .. } if resource.starts_with("scripts/") => "script",
        Disclosure::Resource { .. } => "resource",
        Disclosure::Script { .. } => "script",
        Disclosure::None => "none",
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_framework_that_refuses_has_a_run_that_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let root = Utf8PathBuf::try_from(folder.path().canonicalize().unwrap()).unwrap();
    let options = "harnesses:\n  agent-framework:\n    allowedScriptExtensions: [py]\n";
    std::fs::write(root.join("workbench.yaml"), options).unwrap();
    let bench = Bench::on(&root).await;
    let choice = HarnessChoice { harness: "agent-framework".into(), variant: None };
    let found = rehearsed(&bench, vec![choice]).await;
    let [run] = found.runs.as_slice() else { panic!("one was asked for") };
    let error = Some("Each extension must start with '.'. Invalid value: 'py'".to_owned());
    assert_eq!((run.summary.status, run.summary.error.clone()), (RunStatus::Failed, error));
    assert_eq!(found.rows.iter().map(|row| row.steps[0]).collect::<Vec<_>>(), [Some(0), Some(1)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_starts_where_one_choice_is_unknown() {
    let bench = Bench::on(&skills()).await;
    let before = bench.bench.run_list(NoArgs {}).await.unwrap();
    let of = ["agent-framework", "nope"].map(|harness| HarnessChoice { harness: harness.into(), variant: None });
    let args = RehearseArgs {
        roots: None,
        of: of.to_vec(),
        prompt: SCENE.into(),
        screenplay: None,
        without: None,
        sandbox: None,
        neutral_paths: None,
        network: None,
        fidelity: None,
        ask_all: None,
    };
    let error = bench.bench.rehearse(args).await.unwrap_err();
    assert_eq!(error.message, "there is no framework `nope`");
    assert_eq!(bench.bench.run_list(NoArgs {}).await.unwrap(), before);
}

/// The scene under each, side by side, allowing whatever asks.
async fn rehearsed(bench: &Bench, of: Vec<HarnessChoice>) -> Alignment {
    let args = RehearseArgs {
        roots: None,
        of,
        prompt: SCENE.into(),
        screenplay: None,
        without: None,
        sandbox: None,
        neutral_paths: None,
        network: None,
        fidelity: None,
        ask_all: None,
    };
    let runs = bench.bench.rehearse(args).await.unwrap();
    let mut going: BTreeSet<RunId> = runs.iter().copied().collect();
    while !going.is_empty() {
        let Push::RunUpdate(update) = tokio::task::block_in_place(|| bench.pushes.recv()).unwrap() else { continue };
        for question in update.steps.iter().filter_map(|step| step.question) {
            let decision = Decision::Allow { arguments: None, for_run: true };
            bench.bench.run_decide(DecideArgs { run: update.run, question, decision, remember: None }).await.unwrap();
        }
        if update.status != RunStatus::Running {
            going.remove(&update.run);
        }
    }
    bench.bench.run_align(AlignArgs { runs }).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn texts_are_compared_word_by_word() {
    let bench = Bench::on(&skills()).await;
    let args = TextDiffArgs { a: "Load a skill.".into(), b: "Load the skill.".into() };
    let piece = |kind, text: &str| DiffPiece { kind, text: text.into() };
    let expected = [
        piece(DiffKind::Same, "Load "),
        piece(DiffKind::Removed, "a"),
        piece(DiffKind::Added, "the"),
        piece(DiffKind::Same, " skill."),
    ];
    assert_eq!(bench.bench.text_diff(args).await.unwrap(), expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_project_file_says_whose_quirks_matter_and_what_a_run_may_use() {
    let folder = tempfile::tempdir().unwrap();
    let root = Utf8PathBuf::try_from(folder.path().canonicalize().unwrap()).unwrap();
    let bench = Bench::on(&root).await;
    assert_eq!(bench.bench.project_choice(NoArgs {}).await.unwrap().harness, None);
    assert_eq!(bench.bench.run_limits(NoArgs {}).await.unwrap(), RunLimits::default());
    std::fs::write(root.join("workbench.yaml"), "harness: eino\nlimits: { turns: 7, cost: 0.5 }\n").unwrap();
    let bench = Bench::on(&root).await;
    let eino = HarnessChoice { harness: "eino".into(), variant: None };
    assert_eq!(bench.bench.project_choice(NoArgs {}).await.unwrap().harness, Some(eino));
    let limits = RunLimits { turns: 7, cost: Some(0.5), ..RunLimits::default() };
    assert_eq!(bench.bench.run_limits(NoArgs {}).await.unwrap(), limits);
}

/// What the window asks for, piece by piece, is what the whole comparison says.
#[tokio::test(flavor = "multi_thread")]
async fn the_pieces_of_a_comparison_are_those_of_the_whole() {
    let golden = Golden::copy();
    let skills = golden.path().join("skills");
    // A skill inside of another one, and a project with an inline skill.
    let inner = skills.join("unit-converter/inner");
    std::fs::create_dir(&inner).unwrap();
    std::fs::write(inner.join("SKILL.md"), "---\nname: Inner Skill\ndescription: a\tb\n---\n").unwrap();
    let project = "inlineSkills:\n- { name: inline-skill, description: d, instructions: i }\n";
    std::fs::write(skills.join("workbench.yaml"), project).unwrap();
    let bench = Bench::on(&skills).await;
    let choices = choices(&bench, true).await;
    let bench = &bench.bench;
    let whole = bench.compare(of(&choices)).await.unwrap();
    let table = bench.compare_table(of(&choices)).await.unwrap();

    for (column, whole) in table.columns.iter().zip(&whole.columns) {
        let shown = &whole.inspection;
        let tools: Vec<String> = shown.tools.iter().map(|tool| tool.name.clone()).collect();
        let expected = ComparedColumn {
            harness: shown.harness.clone(),
            variant: shown.variant.clone(),
            title: whole.title.clone(),
            loaded: whole.loaded,
            catalogue: shown.catalogue.clone(),
            tools,
            quirks: shown.quirks.len() as u32,
            refused: shown.refused.clone(),
        };
        assert_eq!((column, whole.loaded as usize), (&expected, shown.skills.len()));
    }
    let tokens: Vec<_> = whole.columns.iter().map(|column| column.inspection.tokens.clone()).collect();
    assert_eq!(bench.compare_tokens(of(&choices)).await.unwrap(), tokens);
    let sent = whole.columns.iter().map(|column| &column.inspection);
    let sent: Vec<_> = sent
        .map(|shown| InspectedSent { instructions: shown.instructions.clone(), tools: shown.tools.clone() })
        .collect();
    assert_eq!(bench.compare_sent(of(&choices)).await.unwrap(), sent);

    assert_eq!(table.skills.len(), whole.skills.len());
    let mut bitten = 0;
    for (row, skill) in table.skills.iter().zip(&whole.skills) {
        assert_eq!((&row.name, &row.path), (&skill.name, &skill.path));
        let key = skill.path.clone().unwrap_or_else(|| skill.name.clone());
        let verdicts = bench.compare_skill(CompareSkillArgs { of: of(&choices), skill: key }).await.unwrap();
        let first = skill.columns.iter().find_map(said);
        for (((cell, verdict), presence), column) in
            row.cells.iter().zip(&verdicts).zip(&skill.columns).zip(&whole.columns)
        {
            let quirks = quirks_of(&column.inspection, skill, presence, &whole.skills);
            bitten += quirks.len();
            let expected = SkillVerdict {
                harness: column.inspection.harness.clone(),
                title: column.title.clone(),
                variant_title: column.variant_title.clone(),
                refused: column.inspection.refused.clone(),
                presence: presence.clone(),
                quirks: quirks.clone(),
            };
            assert_eq!(verdict, &expected, "{}", skill.name);

            let is = match presence {
                Presence::Loaded { name, description, .. } => CellIs::Loaded {
                    other_name: first.is_some_and(|(first, _)| first != name),
                    other_description: first.is_some_and(|(_, first)| first != description),
                },
                Presence::Skipped { reason } => {
                    let place = table.reasons.iter().position(|each| each == reason).unwrap();
                    CellIs::Skipped { reason: place as u32 }
                }
                Presence::Unseen => CellIs::Unseen,
            };
            let warns = quirks.iter().any(|quirk| quirk.severity != Severity::Info);
            let expected = ComparedCell { is, quirks: quirks.len() as u32, warns };
            let plain = CellIs::Loaded { other_name: false, other_description: false };
            let nothing = expected == ComparedCell { is: plain, quirks: 0, warns: false };
            assert_eq!(cell, &(!nothing).then_some(expected), "{}", skill.name);
        }
    }
    assert!(bitten > 20, "{bitten} quirks are of skills");
    let own = |row: &ComparedSkill| row.path.as_deref() == Some(inner.as_str());
    assert!(whole.skills.iter().any(own) && whole.skills.iter().any(|row| row.path.is_none()));
}

fn said(presence: &Presence) -> Option<(&String, &String)> {
    match presence {
        Presence::Loaded { name, description, .. } => Some((name, description)),
        Presence::Skipped { .. } | Presence::Unseen => None,
    }
}

/// A quirk is of the row with the longest path that it is in; without a place, of the skill that it names.
fn quirks_of(shown: &Inspection, row: &ComparedSkill, presence: &Presence, rows: &[ComparedSkill]) -> Vec<QuirkDto> {
    let row_of = |path: &str| {
        let around = rows.iter().filter_map(|row| row.path.as_deref());
        let around = around.filter(|folder| camino::Utf8Path::new(path).starts_with(folder));
        around.max_by_key(|folder| folder.len()).map(str::to_owned)
    };
    let names = |quirk: &QuirkDto| match presence {
        Presence::Loaded { id, .. } => quirk.skill.as_ref() == Some(id),
        Presence::Skipped { .. } | Presence::Unseen => false,
    };
    let quirks = shown.quirks.iter().filter(|quirk| match (&row.path, &quirk.path) {
        (Some(folder), Some(path)) => row_of(path).as_ref() == Some(folder),
        (None, _) | (Some(_), None) => names(quirk),
    });
    quirks.cloned().collect()
}
