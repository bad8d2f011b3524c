//! The same skills under several harnesses, laid side by side.

use std::collections::BTreeMap;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use futures::future::try_join_all;

use super::drafts::as_texts;
use super::dto::{
    CompareArgs, ComparedDetail, ComparedHarness, ComparedSkill, Comparison, DiffPiece, HarnessChoice, InspectedSkill,
    Inspection, NoArgs, Presence, ProjectChoice, QuirkDto, TextDiffArgs,
};
use super::error::ApiError;
use super::inspect::{find_harness, inspection, project_of, set_up_with, whole};
use super::{Loaded, Workbench, blocking, convert, words};
use skill::{Drafts, Entry, Folder, SkillSet};
use wording::Message;

impl Workbench {
    pub async fn compare(&self, args: CompareArgs) -> Result<Comparison, ApiError> {
        let mut chosen = Vec::new();
        for choice in args.of {
            chosen.push((find_harness(&choice.harness, choice.variant.as_deref())?, choice.variant));
        }
        let loaded = self.loaded_from(args.roots.as_deref()).await;
        let unsaved = args.unsaved;
        let drafts = Arc::new(blocking(move || Drafts::new(as_texts(&unsaved))).await);
        let tokenizer = self.tokenizer();
        let columns = try_join_all(chosen.into_iter().map(|(harness, variant)| {
            let (loaded, drafts) = (loaded.clone(), drafts.clone());
            let (prompt, cwd, without) = (args.prompt.clone(), args.cwd.clone(), args.without.clone());
            blocking(move || {
                let mut stage = set_up_with(harness, variant, &loaded.set, &drafts, args.neutral_paths)?;
                stage.catalog.leave_out(&without);
                stage.work_in(cwd);
                let profile = harness.profile();
                let shown = if args.detail == ComparedDetail::Whole { whole } else { inspection };
                let inspection = shown(&stage, prompt.as_deref(), tokenizer);
                Ok::<_, ApiError>(ComparedHarness {
                    title: profile.title.to_owned(),
                    variant_title: profile.variant(Some(stage.catalog.variant)).title.into(),
                    loaded: u32::try_from(inspection.skills.len()).unwrap_or(u32::MAX),
                    inspection,
                })
            })
        }))
        .await?;
        let found = move || {
            let skills = skills(&loaded, &columns, &args.without);
            reduced(Comparison { skills, columns }, args.detail)
        };
        Ok(blocking(found).await)
    }

    /// Where frameworks hurt the skills of the open folders: the quirks of each choice, in their order.
    pub async fn quirks(&self, of: &[HarnessChoice]) -> Result<Vec<QuirkDto>, ApiError> {
        let mut found = Vec::new();
        for choice in of {
            let stage = self.stage(None, &choice.harness, choice.variant.as_deref()).await?;
            found.append(&mut blocking(move || convert::quirks(&stage.catalog, &stage.paths, &stage.drafts)).await);
        }
        Ok(found)
    }

    /// The harness and the model that the project files of the open folders name. Skills are not read for it.
    pub async fn project_choice(&self, _: NoArgs) -> Result<ProjectChoice, ApiError> {
        let roots = self.roots().await;
        let project = blocking(move || project_of(roots.iter().map(|root| &**root), &Drafts::default())).await?;
        Ok(ProjectChoice {
            harness: project.harness.as_deref().map(HarnessChoice::named),
            model: project.model.filter(|model| !model.is_empty()),
        })
    }

    /// What differs between two texts, word by word.
    pub async fn text_diff(&self, args: TextDiffArgs) -> Result<Vec<DiffPiece>, ApiError> {
        Ok(blocking(move || words::diff(&args.a, &args.b)).await)
    }
}

fn reduced(mut found: Comparison, detail: ComparedDetail) -> Comparison {
    if detail == ComparedDetail::Whole {
        return found;
    }
    let no_descriptions = detail == ComparedDetail::Verdicts;
    for Inspection { skills, instructions, tools, .. } in found.columns.iter_mut().map(|column| &mut column.inspection)
    {
        skills.clear();
        if no_descriptions {
            *instructions = None;
            tools.clear();
        }
    }
    for presence in found.skills.iter_mut().flat_map(|skill| &mut skill.columns).filter(|_| no_descriptions) {
        if let Presence::Loaded { description, .. } = presence {
            description.clear();
        }
    }
    found
}

/// What tells rows apart, in their order.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Folder(Utf8PathBuf),
    Inline(String),
}

/// `without`: names of skills that take no part, and have no row.
fn skills(loaded: &Loaded, columns: &[ComparedHarness], without: &[String]) -> Vec<ComparedSkill> {
    let mut rows: BTreeMap<Place, Vec<Presence>> = BTreeMap::new();
    let unseen = || vec![Presence::Unseen; columns.len()];
    for skill in loaded.skills.iter() {
        rows.insert(Place::Folder(skill.path.clone()), unseen());
    }
    for (index, column) in columns.iter().enumerate() {
        for skill in &column.inspection.skills {
            let place = match &skill.path {
                Some(path) => Place::Folder(path.into()),
                None => Place::Inline(skill.name.clone()),
            };
            let presence = &mut rows.entry(place).or_insert_with(unseen)[index];
            // Of several skills in one place, the first is what the framework finds there.
            if *presence == Presence::Unseen {
                *presence = loaded_as(skill);
            }
        }
        for skipped in &column.inspection.skipped {
            let Some(place) = place_of(Utf8Path::new(&skipped.path), &loaded.set) else { continue };
            match &mut rows.entry(place).or_insert_with(unseen)[index] {
                Presence::Loaded { .. } => {}
                Presence::Skipped { reason } => {
                    *reason = Message::list([&*reason, &skipped.reason]);
                }
                unseen @ Presence::Unseen => *unseen = Presence::Skipped { reason: skipped.reason.clone() },
            }
        }
    }
    // A framework may have left one of them out for reasons of its own.
    for skill in loaded.skills.iter().filter(|skill| without.iter().any(|name| name == skill.name())) {
        rows.remove(&Place::Folder(skill.path.clone()));
    }
    let rows = rows.into_iter().map(|(place, mut columns)| {
        tell_apart(&mut columns);
        match place {
            Place::Folder(path) => {
                ComparedSkill { name: shown_name(&path, &loaded.set), path: Some(path.into_string()), columns }
            }
            Place::Inline(name) => ComparedSkill { name, path: None, columns },
        }
    });
    rows.collect()
}

fn loaded_as(skill: &InspectedSkill) -> Presence {
    Presence::Loaded {
        id: skill.id.clone(),
        name: skill.name.clone(),
        description: skill.description.clone(),
        tokens: skill.tokens,
        differs: false,
    }
}

/// What a harness left out, as a row: the folder of a manifest, a folder, or an inline skill, which has no path.
/// `None` for other files: leaving one of those out leaves no skill out.
fn place_of(path: &Utf8Path, set: &SkillSet) -> Option<Place> {
    if !path.is_absolute() {
        return Some(Place::Inline(path.to_string()));
    }
    match path.parent() {
        Some(folder) if path.file_name().is_some_and(|name| name.eq_ignore_ascii_case("SKILL.md")) => {
            Some(Place::Folder(folder.to_owned()))
        }
        _ if is_file(path, set) => None,
        _ => Some(Place::Folder(path.to_owned())),
    }
}

fn is_file(path: &Utf8Path, set: &SkillSet) -> bool {
    fn within(folder: &Folder, path: &Utf8Path) -> bool {
        folder.entries.iter().any(|entry| match entry {
            Entry::File(file) => file.path == path,
            Entry::Folder(inner) => path.starts_with(&inner.path) && within(inner, path),
        })
    }
    set.roots.iter().any(|root| path.starts_with(&root.path) && within(&root.tree, path))
}

fn tell_apart(columns: &mut [Presence]) {
    let mut first: Option<(String, String)> = None;
    for presence in columns {
        if let Presence::Loaded { name, description, differs, .. } = presence {
            let (first_name, first_description) = first.get_or_insert_with(|| (name.clone(), description.clone()));
            *differs = first_name != name || first_description != description;
        }
    }
}

/// Below its root; a root that is a skill itself goes by the folder's name.
fn shown_name(path: &Utf8Path, set: &SkillSet) -> String {
    let below = set.root_of(path).and_then(|root| path.strip_prefix(&root.path).ok());
    match below {
        Some(below) if !below.as_str().is_empty() => below.to_string(),
        Some(_) => path.file_name().unwrap_or(path.as_str()).to_owned(),
        None => path.to_string(),
    }
}
