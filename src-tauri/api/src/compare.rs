//! The same skills under several harnesses, laid side by side.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use futures::future::try_join_all;
use tokio::sync::Semaphore;

use super::drafts::as_texts;
use super::dto::{
    CellIs, CompareArgs, CompareSkillArgs, ComparedCell, ComparedColumn, ComparedHarness, ComparedRow, ComparedSkill,
    ComparedTable, Comparison, DiffPiece, HarnessChoice, InspectedSent, InspectedTokens, NoArgs, Presence,
    ProjectChoice, QuirkDto, SkillVerdict, TextDiffArgs, TierTokens,
};
use super::error::ApiError;
use super::file_tokens::FileTokens;
use super::inspect::{Sent, Stage, find_harness, project_of, set_up_over, skipped, tiers, tiers_of, whole};
use super::{Loaded, Workbench, blocking, convert, cores, words};
use harness::{Quirk, Skipped};
use model::tokens::Tokenizer;
use skill::{Drafts, Entry, Folder, Severity, SkillSet};
use trace::NeutralPath;
use wording::Message;

impl Workbench {
    pub async fn compare(&self, args: CompareArgs) -> Result<Comparison, ApiError> {
        let tokenizer = self.tokenizer();
        let (loaded, without, prompt) =
            (self.loaded_from(args.roots.as_deref()).await, args.without.clone(), args.prompt.clone());
        let made = self.each(&loaded, args, Haste::Awaited, move |stage| {
            let profile = stage.harness.profile();
            let inspection = whole(stage, prompt.as_deref(), tokenizer);
            let tokens: Vec<TierTokens> = inspection.skills.iter().map(|skill| skill.tokens).collect();
            let column = ComparedHarness {
                title: profile.title.to_owned(),
                variant_title: profile.variant(Some(stage.catalog.variant)).title.into(),
                loaded: count(inspection.skills.len()),
                inspection,
            };
            (column, Read::of(stage, &tokens))
        });
        let (columns, reads): (Vec<_>, Vec<_>) = made.await?.into_iter().unzip();
        let skills = blocking(move || skills(&loaded, reads, &without)).await;
        Ok(Comparison { skills, columns })
    }

    /// The same for a window, which shows most of it only on demand. Reads no files and counts nothing.
    pub async fn compare_table(&self, args: CompareArgs) -> Result<ComparedTable, ApiError> {
        let (loaded, without, prompt) =
            (self.loaded_from(args.roots.as_deref()).await, args.without.clone(), args.prompt.clone());
        let made = self.each(&loaded, args, Haste::Awaited, move |stage| {
            let sent = Sent::of(stage, prompt.as_deref());
            let column = ComparedColumn {
                harness: stage.catalog.harness.to_owned(),
                variant: stage.catalog.variant.to_owned(),
                title: stage.harness.profile().title.to_owned(),
                loaded: count(stage.catalog.skills.len()),
                catalogue: sent.places(stage),
                tools: sent.tool_names(),
                quirks: count(stage.catalog.quirks.len()),
                refused: stage.catalog.refused.clone(),
            };
            (column, Read::of(stage, &[]), bites(stage), NeutralPath::of(&stage.paths))
        });
        let made = made.await?;
        Ok(blocking(move || table(&loaded, made, &without)).await)
    }

    /// What each column costs.
    pub async fn compare_tokens(&self, args: CompareArgs) -> Result<Vec<InspectedTokens>, ApiError> {
        let (tokenizer, prompt) = (self.tokenizer(), args.prompt.clone());
        let loaded = self.loaded_from(args.roots.as_deref()).await;
        self.each(&loaded, args, Haste::Awaited, move |stage| {
            let sent = Sent::of(stage, prompt.as_deref());
            sent.tokens(&tiers(stage, tokenizer), sent.tool_tokens(tokenizer).iter().sum(), tokenizer)
        })
        .await
    }

    /// What each column's first request says.
    pub async fn compare_sent(&self, args: CompareArgs) -> Result<Vec<InspectedSent>, ApiError> {
        let (tokenizer, prompt) = (self.tokenizer(), args.prompt.clone());
        let loaded = self.loaded_from(args.roots.as_deref()).await;
        self.each(&loaded, args, Haste::Awaited, move |stage| {
            Sent::of(stage, prompt.as_deref()).whole(stage, tokenizer)
        })
        .await
    }

    /// How each column treats one skill.
    pub async fn compare_skill(&self, args: CompareSkillArgs) -> Result<Vec<SkillVerdict>, ApiError> {
        let CompareSkillArgs { of, skill } = args;
        let place = RowKey::of(&skill);
        let tokenizer = self.tokenizer();
        let loaded = self.loaded_from(of.roots.as_deref()).await;
        let (set, wanted) = (loaded.clone(), place.clone());
        let made = self.each(&loaded, of, Haste::Aside, move |stage| {
            let read = Read::of(stage, &[]);
            let profile = stage.harness.profile();
            let verdict = SkillVerdict {
                harness: stage.catalog.harness.to_owned(),
                title: profile.title.to_owned(),
                variant_title: profile.variant(Some(stage.catalog.variant)).title.into(),
                refused: stage.catalog.refused.clone(),
                presence: read.presence(&wanted, stage, &set.set, tokenizer),
                quirks: Vec::new(),
            };
            let (bites, quirks) = bites_of(stage, &wanted, &verdict.presence);
            let inner = read.folders_in(&wanted, &set.set);
            (verdict, bites, quirks, inner)
        });
        let made = made.await?;
        let mut folders: BTreeSet<Utf8PathBuf> = loaded.skills.iter().map(|skill| skill.path.clone()).collect();
        folders.extend(made.iter().flat_map(|(_, _, _, inner)| inner.iter().cloned()));
        folders.extend(place.folder().map(Utf8Path::to_owned));
        let verdicts = made.into_iter().map(|(mut verdict, bites, quirks, _)| {
            let bitten = Bitten::new(&bites, &folders).of(&place, &verdict.presence);
            let quirks = quirks.into_iter().enumerate();
            verdict.quirks = quirks.filter(|(at, _)| bitten.contains(at)).map(|(_, quirk)| quirk).collect();
            verdict
        });
        let mut verdicts: Vec<SkillVerdict> = verdicts.collect();
        tell_apart(verdicts.iter_mut().map(|verdict| &mut verdict.presence));
        Ok(verdicts)
    }

    /// The name of one skill, and the result of `make` for it in each column. Nothing else of a column is kept, so this
    /// works for folders of any size. `None`: no column has such a skill.
    pub(super) async fn row<T: Send + 'static>(
        &self,
        of: CompareArgs,
        skill: &str,
        make: impl Fn(&Stage, &Presence) -> T + Clone + Send + 'static,
    ) -> Result<Option<(String, Vec<T>)>, ApiError> {
        let place = RowKey::of(skill);
        let tokenizer = self.tokenizer();
        let loaded = self.loaded_from(of.roots.as_deref()).await;
        let (set, wanted) = (loaded.clone(), place.clone());
        let made = self.each(&loaded, of, Haste::Awaited, move |stage| {
            let presence = Read::of(stage, &[]).presence(&wanted, stage, &set.set, tokenizer);
            (make(stage, &presence), presence)
        });
        let (made, presences): (Vec<T>, Vec<Presence>) = made.await?.into_iter().unzip();
        let is_known = loaded.skills.iter().any(|known| place.folder() == Some(&known.path))
            || presences.iter().any(|presence| *presence != Presence::Unseen);
        Ok(is_known.then(|| (named(place, &loaded.set).0, made)))
    }

    /// Something of each harness that is asked for, in their order: as many at once as there are cores for it, because each holds
    /// all texts of the skills for a while.
    async fn each<T: Send + 'static>(
        &self,
        loaded: &Arc<Loaded>,
        args: CompareArgs,
        haste: Haste,
        make: impl Fn(&Stage) -> T + Clone + Send + 'static,
    ) -> Result<Vec<T>, ApiError> {
        let mut chosen = Vec::new();
        for choice in args.of {
            chosen.push((find_harness(&choice.harness, choice.variant.as_deref())?, choice.variant));
        }
        let unsaved = args.unsaved;
        let saved = loaded.set.clone();
        let (set, drafts) = blocking(move || {
            let drafts = Drafts::new(as_texts(&unsaved));
            // Once for all of them.
            let changed = match skill::drafted(&saved, &drafts) {
                Cow::Owned(changed) => Some(Arc::new(changed)),
                Cow::Borrowed(_) => None,
            };
            (changed.unwrap_or(saved), Arc::new(drafts))
        })
        .await;
        let turns = Arc::new(Semaphore::new(haste.at_once()));
        let counted = Arc::<FileTokens>::default();
        let columns = chosen.into_iter().map(|(harness, variant)| {
            let (set, drafts, make, turns) = (set.clone(), drafts.clone(), make.clone(), turns.clone());
            let (cwd, without, stages) = (args.cwd.clone(), args.without.clone(), self.inner.stages.clone());
            let counted = counted.clone();
            async move {
                // Neither is ever closed.
                let _turn = turns.acquire_owned().await;
                let _stage = stages.acquire_owned().await;
                blocking(move || {
                    let mut stage = set_up_over(harness, variant, &set, &drafts, args.neutral_paths)?;
                    stage.catalog.leave_out(&without);
                    stage.work_in(cwd);
                    stage.counted = counted;
                    Ok::<_, ApiError>(make(&stage))
                })
                .await
            }
        });
        try_join_all(columns).await
    }

    /// The quirks of each choice for the skills of the open folders, in order.
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

/// How much of the machine a question may take.
#[derive(Clone, Copy)]
enum Haste {
    /// The user waits for the answer.
    Awaited,
    /// It runs after each pause in typing: one core stays free for the editor.
    Aside,
}

impl Haste {
    fn at_once(self) -> usize {
        match self {
            Self::Awaited => cores(),
            Self::Aside => cores().saturating_sub(1).max(1),
        }
    }
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// What identifies rows, in their order.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum RowKey {
    Folder(Utf8PathBuf),
    Inline(String),
}

impl RowKey {
    /// By what a row is called by: its folder, or the name of an inline skill.
    fn of(row: &str) -> Self {
        if Utf8Path::new(row).is_absolute() { Self::Folder(row.into()) } else { Self::Inline(row.to_owned()) }
    }

    fn folder(&self) -> Option<&Utf8Path> {
        match self {
            Self::Folder(folder) => Some(folder),
            Self::Inline(_) => None,
        }
    }
}

/// How one harness treats the skills.
struct Read {
    loaded: Vec<(RowKey, Presence)>,
    skipped: Vec<Skipped>,
}

impl Read {
    /// `tokens`: of each skill; nothing is counted.
    fn of(stage: &Stage, tokens: &[TierTokens]) -> Self {
        let loaded = stage.catalog.skills.iter().enumerate().map(|(at, skill)| {
            let place = match &skill.path {
                Some(path) => RowKey::Folder(stage.real(path)),
                None => RowKey::Inline(skill.name.clone()),
            };
            let presence = Presence::Loaded {
                id: skill.id.clone(),
                name: skill.name.clone(),
                description: skill.description.clone(),
                tokens: tokens.get(at).copied().unwrap_or_default(),
                differs: false,
            };
            (place, presence)
        });
        Self { loaded: loaded.collect(), skipped: skipped(stage).collect() }
    }

    /// Of one place alone, with its tokens.
    fn presence(&self, wanted: &RowKey, stage: &Stage, set: &SkillSet, tokenizer: Tokenizer) -> Presence {
        if let Some(at) = self.loaded.iter().position(|(place, _)| place == wanted) {
            let mut presence = self.loaded[at].1.clone();
            if let Presence::Loaded { tokens, .. } = &mut presence {
                *tokens = tiers_of(&stage.catalog.skills[at], stage, tokenizer);
            }
            return presence;
        }
        let files = Files::of(set);
        let mut presence = Presence::Unseen;
        for skipped in &self.skipped {
            if place_of(Utf8Path::new(&skipped.path), &files).as_ref() == Some(wanted) {
                add_reason(&mut presence, &skipped.reason);
            }
        }
        presence
    }

    /// Folders with separate rows below the folder of a row.
    fn folders_in(&self, row: &RowKey, set: &SkillSet) -> Vec<Utf8PathBuf> {
        let Some(row) = row.folder() else { return Vec::new() };
        let files = Files::of(set);
        let left_out = self.skipped.iter().filter(|skipped| Utf8Path::new(&skipped.path).starts_with(row));
        let left_out = left_out.filter_map(|skipped| place_of(Utf8Path::new(&skipped.path), &files));
        let loaded = self.loaded.iter().map(|(place, _)| place.clone());
        loaded
            .chain(left_out)
            .filter_map(|place| place.folder().map(Utf8Path::to_owned))
            .filter(|folder| folder.starts_with(row))
            .collect()
    }
}

/// How each column treats each row, in order. `without`: names of skills that take no part, and have no row.
fn rows(loaded: &Loaded, reads: Vec<Read>, without: &[String]) -> Vec<(RowKey, Vec<Presence>)> {
    // Put in order once: paths are compared part by part.
    let mut rows: HashMap<RowKey, Vec<Presence>> = HashMap::with_capacity(loaded.skills.len());
    let columns = reads.len();
    let unseen = || vec![Presence::Unseen; columns];
    let files = Files::of(&loaded.set);
    for skill in loaded.skills.iter() {
        rows.insert(RowKey::Folder(skill.path.clone()), unseen());
    }
    for (index, read) in reads.into_iter().enumerate() {
        for (place, found) in read.loaded {
            let presence = &mut rows.entry(place).or_insert_with(unseen)[index];
            // Of several skills in one place, the first is what the framework finds there.
            if *presence == Presence::Unseen {
                *presence = found;
            }
        }
        for skipped in read.skipped {
            let Some(place) = place_of(Utf8Path::new(&skipped.path), &files) else { continue };
            add_reason(&mut rows.entry(place).or_insert_with(unseen)[index], &skipped.reason);
        }
    }
    // A framework may have left out one of them for another reason.
    for skill in loaded.skills.iter().filter(|skill| without.iter().any(|name| name == skill.name())) {
        rows.remove(&RowKey::Folder(skill.path.clone()));
    }
    for columns in rows.values_mut() {
        tell_apart(columns.iter_mut());
    }
    let mut rows: Vec<(RowKey, Vec<Presence>)> = rows.into_iter().collect();
    rows.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
    rows
}

/// Adds a reason why a skill is left out, if it is.
fn add_reason(presence: &mut Presence, why: &Message) {
    match presence {
        Presence::Loaded { .. } => {}
        Presence::Skipped { reason } => *reason = Message::list([&*reason, why]),
        Presence::Unseen => *presence = Presence::Skipped { reason: why.clone() },
    }
}

fn skills(loaded: &Loaded, reads: Vec<Read>, without: &[String]) -> Vec<ComparedSkill> {
    let rows = rows(loaded, reads, without).into_iter();
    rows.map(|(place, columns)| {
        let (name, path) = named(place, &loaded.set);
        ComparedSkill { name, path, columns }
    })
    .collect()
}

fn named(place: RowKey, set: &SkillSet) -> (String, Option<String>) {
    match place {
        RowKey::Folder(path) => (shown_name(&path, set), Some(path.into_string())),
        RowKey::Inline(name) => (name, None),
    }
}

type Column = (ComparedColumn, Read, Vec<Bite>, Vec<NeutralPath>);

fn table(loaded: &Loaded, made: Vec<Column>, without: &[String]) -> ComparedTable {
    let neutral = made.first().map(|(_, _, _, neutral)| neutral.clone()).unwrap_or_default();
    let (mut columns, mut reads, mut bites) = (Vec::new(), Vec::new(), Vec::new());
    for (column, read, bite, _) in made {
        columns.push(column);
        reads.push(read);
        bites.push(bite);
    }
    let rows = rows(loaded, reads, without);
    let folders = rows.iter().filter_map(|(place, _)| place.folder().map(Utf8Path::to_owned)).collect();
    let bitten: Vec<Bitten> = bites.iter().map(|bites| Bitten::new(bites, &folders)).collect();
    let mut reasons = Reasons::default();
    let skills = rows.into_iter().map(|(place, presences)| {
        let first = first_loaded(&presences).map(|(name, description)| (name.to_owned(), description.to_owned()));
        let cells = presences.iter().zip(&bitten).map(|(presence, bitten)| {
            let found = bitten.of(&place, presence);
            let is = match presence {
                Presence::Loaded { name, description, .. } => {
                    let other = |own: &str, of: fn(&(String, String)) -> &String| {
                        first.as_ref().is_some_and(|first| of(first) != own)
                    };
                    CellIs::Loaded {
                        other_name: other(name, |first| &first.0),
                        other_description: other(description, |first| &first.1),
                    }
                }
                Presence::Skipped { reason } => CellIs::Skipped { reason: reasons.place(reason) },
                Presence::Unseen => CellIs::Unseen,
            };
            let warns = found.iter().any(|at| bitten.bites[*at].warns);
            let cell = ComparedCell { is, quirks: count(found.len()), warns };
            (cell != ComparedCell { is: PLAINLY_LOADED, quirks: 0, warns: false }).then_some(cell)
        });
        let cells = cells.collect();
        let (name, path) = named(place, &loaded.set);
        ComparedRow { name, path, cells }
    });
    ComparedTable { skills: skills.collect(), columns, reasons: reasons.all, neutral }
}

const PLAINLY_LOADED: CellIs = CellIs::Loaded { other_name: false, other_description: false };

/// Each reason once.
#[derive(Default)]
struct Reasons {
    all: Vec<Message>,
    places: HashMap<(String, String), u32>,
}

impl Reasons {
    fn place(&mut self, reason: &Message) -> u32 {
        *self.places.entry((reason.en.clone(), reason.zh.clone())).or_insert_with(|| {
            self.all.push(reason.clone());
            count(self.all.len() - 1)
        })
    }
}

/// The place of a quirk: a file or folder, or a skill by its id.
struct Bite {
    path: Option<Utf8PathBuf>,
    skill: Option<String>,
    /// It is more than something to know.
    warns: bool,
}

impl Bite {
    fn of(quirk: &Quirk, stage: &Stage) -> Self {
        Self {
            path: quirk.path.as_deref().map(|path| stage.real(path)),
            skill: quirk.skill.clone(),
            warns: quirk.kind.severity() != Severity::Info,
        }
    }
}

fn bites(stage: &Stage) -> Vec<Bite> {
    stage.catalog.quirks.iter().map(|quirk| Bite::of(quirk, stage)).collect()
}

/// Those that may be of one row, with their words.
fn bites_of(stage: &Stage, row: &RowKey, presence: &Presence) -> (Vec<Bite>, Vec<QuirkDto>) {
    let id = match presence {
        Presence::Loaded { id, .. } => Some(id),
        Presence::Skipped { .. } | Presence::Unseen => None,
    };
    let quirks: Vec<&Quirk> = stage
        .catalog
        .quirks
        .iter()
        .filter(|quirk| {
            let path = quirk.path.as_deref().map(|path| stage.real(path));
            let lies_there = path.zip(row.folder()).is_some_and(|(path, folder)| path.starts_with(folder));
            lies_there || id.is_some_and(|id| quirk.skill.as_ref() == Some(id))
        })
        .collect();
    let bites = quirks.iter().map(|quirk| Bite::of(quirk, stage)).collect();
    (bites, convert::quirks_of(&stage.catalog, &quirks, &stage.paths, &stage.drafts))
}

/// Quirks by what they bite. One is of the innermost row that it is in; without a place, of the skill that it names.
struct Bitten<'a> {
    bites: &'a [Bite],
    in_folder: HashMap<&'a Utf8Path, Vec<usize>>,
    named: HashMap<&'a str, Vec<usize>>,
}

impl<'a> Bitten<'a> {
    fn new(bites: &'a [Bite], folders: &BTreeSet<Utf8PathBuf>) -> Self {
        let (mut in_folder, mut named): (HashMap<_, Vec<_>>, HashMap<_, Vec<_>>) = Default::default();
        for (at, bite) in bites.iter().enumerate() {
            let lies_in =
                bite.path.as_deref().and_then(|path| path.ancestors().find(|folder| folders.contains(*folder)));
            if let Some(folder) = lies_in {
                in_folder.entry(folder).or_default().push(at);
            }
            if let Some(skill) = &bite.skill {
                named.entry(skill.as_str()).or_default().push(at);
            }
        }
        Self { bites, in_folder, named }
    }

    /// In their order.
    fn of(&self, row: &RowKey, presence: &Presence) -> BTreeSet<usize> {
        let named = match presence {
            Presence::Loaded { id, .. } => self.named.get(id.as_str()),
            Presence::Skipped { .. } | Presence::Unseen => None,
        };
        let named = named.into_iter().flatten().copied();
        match row.folder() {
            Some(folder) => {
                let placeless = named.filter(|at| self.bites[*at].path.is_none());
                self.in_folder.get(folder).into_iter().flatten().copied().chain(placeless).collect()
            }
            None => named.collect(),
        }
    }
}

/// The row of something that a harness left out: the folder of a manifest, a folder, or an inline skill, which has no
/// path. `None` for other files: they are not skills.
fn place_of(path: &Utf8Path, files: &Files) -> Option<RowKey> {
    if !path.is_absolute() {
        return Some(RowKey::Inline(path.to_string()));
    }
    match path.parent() {
        Some(folder) if path.file_name().is_some_and(|name| name.eq_ignore_ascii_case("SKILL.md")) => {
            Some(RowKey::Folder(folder.to_owned()))
        }
        _ if files.has(path) => None,
        _ => Some(RowKey::Folder(path.to_owned())),
    }
}

/// All files of a set, found when the first is asked for.
struct Files<'a> {
    set: &'a SkillSet,
    found: OnceCell<HashSet<&'a Utf8Path>>,
}

impl<'a> Files<'a> {
    fn of(set: &'a SkillSet) -> Self {
        Self { set, found: OnceCell::new() }
    }

    fn has(&self, path: &Utf8Path) -> bool {
        fn add<'a>(folder: &'a Folder, found: &mut HashSet<&'a Utf8Path>) {
            for entry in &folder.entries {
                match entry {
                    Entry::File(file) => _ = found.insert(&file.path),
                    Entry::Folder(inner) => add(inner, found),
                }
            }
        }
        let found = self.found.get_or_init(|| {
            let mut found = HashSet::new();
            self.set.roots.iter().for_each(|root| add(&root.tree, &mut found));
            found
        });
        found.contains(path)
    }
}

fn tell_apart<'a>(columns: impl Iterator<Item = &'a mut Presence>) {
    let mut first: Option<(String, String)> = None;
    for presence in columns {
        if let Presence::Loaded { name, description, differs, .. } = presence {
            let (first_name, first_description) = first.get_or_insert_with(|| (name.clone(), description.clone()));
            *differs = first_name != name || first_description != description;
        }
    }
}

fn first_loaded(columns: &[Presence]) -> Option<(&str, &str)> {
    columns.iter().find_map(|presence| match presence {
        Presence::Loaded { name, description, .. } => Some((&**name, &**description)),
        Presence::Skipped { .. } | Presence::Unseen => None,
    })
}

/// The path below its root; if a root is a skill itself, the folder's name.
fn shown_name(path: &Utf8Path, set: &SkillSet) -> String {
    let below = set.root_of(path).and_then(|root| path.strip_prefix(&root.path).ok());
    match below {
        Some(below) if !below.as_str().is_empty() => below.to_string(),
        Some(_) => path.file_name().unwrap_or(path.as_str()).to_owned(),
        None => path.to_string(),
    }
}
