//! What a harness shows the model, before anything is run.

use std::borrow::Cow;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use serde_json::Value;

use super::drafts::as_texts;
use super::dto::{
    CataloguePlace, HarnessInfo, InspectArgs, InspectSkillArgs, InspectedFile, InspectedRequest, InspectedSent,
    InspectedSkill, InspectedTokens, InspectedTool, Inspection, InspectionList, ListedSkill, ListedTokens, ListedTool,
    NoArgs, QuirkDto, TextStart, TierTokens, VariantDto,
};
use super::error::{ApiError, Code};
use super::file_tokens::FileTokens;
use super::{Workbench, blocking, convert, neutral, normal, trust};
use config::{ConfigError, InlineResourceBody, InlineScriptBody, PROJECT_FILE, Project};
use harness::{
    Catalog, CatalogBody, CatalogFile, CatalogSkill, Harness, Mark, Marked, Options, Origin, Presentation,
    PresentedTool, Profile, Session, Skipped, VariantInfo,
};
use model::tokens::Tokenizer;
use model::{Dialect, Message, ModelRequest, Part, Role, Sampling, curl, openai};
use skill::paths::{Paths, WORKSPACE};
use skill::source::SourceText;
use skill::{Drafts, SkillSet, in_parallel};
use trace::NeutralPath;
use wording::message;

/// The model's name in a request for which no model was chosen.
const SOME_MODEL: &str = "MODEL";
/// Where such a request would go.
const SOME_URL: &str = "https://api.openai.com/v1/chat/completions";

/// A harness over what some folders hold: what Inspect shows and what a run starts from.
pub(super) struct Stage {
    pub harness: &'static dyn Harness,
    pub roots: Vec<Utf8PathBuf>,
    pub options: Options,
    pub project: Project,
    /// Names its folders as `paths` shows them.
    pub catalog: Catalog,
    pub paths: Paths,
    pub session: Session,
    /// Targets of links that would bring in skills from outside; see [`super::trust`].
    pub untrusted: Vec<Utf8PathBuf>,
    /// A run's note about other links that are not followed.
    pub left_out: Vec<wording::Message>,
    /// Texts that are in place of those on disk.
    pub drafts: Drafts,
    /// Stages that are compared share it.
    pub counted: Arc<FileTokens>,
}

impl Stage {
    /// Names the folder that a run would work in, which is known before there is one if its name is neutral.
    pub(super) fn work_in(&mut self, cwd: Option<String>) {
        self.session.working_directory = match (cwd, self.paths.are_real()) {
            (Some(cwd), _) => Some(self.paths.shown(Utf8Path::new(&cwd))),
            (None, false) => Some(WORKSPACE.into()),
            (None, true) => None,
        };
    }

    /// The real path of a path in the catalogue.
    pub(super) fn real(&self, shown: &Utf8Path) -> Utf8PathBuf {
        self.paths.real(shown).unwrap_or_else(|| shown.to_owned())
    }
}

impl Workbench {
    pub async fn harness_list(&self, _: NoArgs) -> Result<Vec<HarnessInfo>, ApiError> {
        let harnesses = harness::all().iter().map(|harness| harness.profile()).map(|profile| HarnessInfo {
            id: profile.id.to_owned(),
            title: profile.title.to_owned(),
            group: profile.group,
            runs: profile.runs,
            variants: profile.variants.iter().map(variant_dto).collect(),
        });
        Ok(harnesses.collect())
    }

    pub async fn inspect(&self, args: InspectArgs) -> Result<Inspection, ApiError> {
        self.look(args, whole).await
    }

    /// The same for a window, which shows most of it only on demand: the beginnings of texts, and for each skill the
    /// contents of its row.
    pub async fn inspect_listed(&self, args: InspectArgs) -> Result<InspectionList, ApiError> {
        self.look(args, listed).await
    }

    /// The tokens of such a list.
    pub async fn inspect_tokens(&self, args: InspectArgs) -> Result<ListedTokens, ApiError> {
        self.look(args, |stage, prompt, tokenizer| listed_tokens(stage, &Sent::of(stage, prompt), tokenizer)).await
    }

    /// The full texts of the first request; a list has only their beginnings.
    pub async fn inspect_sent(&self, args: InspectArgs) -> Result<InspectedSent, ApiError> {
        self.look(args, |stage, prompt, tokenizer| Sent::of(stage, prompt).whole(stage, tokenizer)).await
    }

    /// Where the framework's real behaviour hurts an author.
    pub async fn inspect_quirks(&self, args: InspectArgs) -> Result<Vec<QuirkDto>, ApiError> {
        self.look(args, |stage, _, _| convert::quirks(&stage.catalog, &stage.paths, &stage.drafts)).await
    }

    /// One of the skills, whole.
    pub async fn inspect_skill(&self, args: InspectSkillArgs) -> Result<InspectedSkill, ApiError> {
        let InspectSkillArgs { of, skill } = args;
        let found = self.look(of, move |stage, prompt, tokenizer| {
            let Stage { harness, catalog, session, .. } = stage;
            let (_, session) = begun(*harness, catalog, session, prompt);
            let found = catalog.skills.iter().find(|known| known.id == skill);
            found.map(|skill| inspected_skill(skill, stage, &session, tokenizer)).ok_or(skill)
        });
        found.await?.map_err(|id| {
            ApiError::new(Code::NotFound, message!("there is no skill `{id}`", "没有技能 `{id}`"))
                .hint(message!("it may have been changed or deleted", "它可能已被更改或删除"))
        })
    }

    pub async fn inspect_request(&self, args: InspectArgs) -> Result<InspectedRequest, ApiError> {
        self.look(args, |stage, prompt, _| request(stage, prompt)).await
    }

    /// Sets the harness up, and makes something of it and of the prompt.
    async fn look<T: Send + 'static>(
        &self,
        args: InspectArgs,
        make: impl FnOnce(&Stage, Option<&str>, Tokenizer) -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let (prompt, tokenizer) = (args.prompt.clone(), self.tokenizer());
        // It is never closed.
        let _turn = self.inner.stages.clone().acquire_owned().await;
        let stage = self.staged(args).await?;
        Ok(blocking(move || make(&stage, prompt.as_deref(), tokenizer)).await)
    }

    /// The harness set up as for an inspection.
    pub(super) async fn staged(&self, args: InspectArgs) -> Result<Stage, ApiError> {
        let harness = find_harness(&args.harness, args.variant.as_deref())?;
        let loaded = self.loaded_from(args.roots.as_deref()).await;
        blocking(move || {
            let drafts = Drafts::new(as_texts(&args.unsaved));
            let mut stage = set_up_with(harness, args.variant, &loaded.set, &drafts, args.neutral_paths)?;
            stage.catalog.leave_out(&args.without);
            stage.work_in(args.cwd);
            Ok(stage)
        })
        .await
    }

    /// Sets a harness up over `roots`, or over the open folders.
    pub(super) async fn stage(
        &self,
        roots: Option<&[String]>,
        harness: &str,
        variant: Option<&str>,
    ) -> Result<Stage, ApiError> {
        self.stage_of_run(roots, harness, variant, Some(false)).await
    }

    /// The same, with neutral paths if a run asks for them; `None`: as the project has it.
    pub(super) async fn stage_of_run(
        &self,
        roots: Option<&[String]>,
        harness: &str,
        variant: Option<&str>,
        neutral_paths: Option<bool>,
    ) -> Result<Stage, ApiError> {
        let harness = find_harness(harness, variant)?;
        let loaded = self.loaded_from(roots).await;
        let variant = variant.map(str::to_owned);
        blocking(move || set_up_with(harness, variant, &loaded.set, &Drafts::default(), neutral_paths)).await
    }
}

/// A harness over a set of folders that is already read. Reads their project files. `drafts`: texts that are not saved yet,
/// of skills and of the project files themselves. `neutral_paths`: `None`: as the project has it.
pub(super) fn set_up_with(
    harness: &'static dyn Harness,
    variant: Option<String>,
    set: &SkillSet,
    drafts: &Drafts,
    neutral_paths: Option<bool>,
) -> Result<Stage, ApiError> {
    set_up_over(harness, variant, &skill::drafted(set, drafts), drafts, neutral_paths)
}

/// The same over a set that has the unsaved texts in it.
pub(super) fn set_up_over(
    harness: &'static dyn Harness,
    variant: Option<String>,
    set: &SkillSet,
    drafts: &Drafts,
    neutral_paths: Option<bool>,
) -> Result<Stage, ApiError> {
    let mut project = project_of(set.roots.iter().map(|root| &*root.path), drafts)?;
    let followed = skill::followed(set);
    let (paths, followed) = if neutral_paths.unwrap_or(project.neutral_paths) {
        let paths = neutral::of(set, &mut project)?;
        let shown = skill::paths::shown(&followed, &paths);
        (paths, Cow::Owned(shown))
    } else {
        (Paths::default(), followed)
    };
    let options = Options {
        variant,
        settings: project.harnesses.clone(),
        inline_skills: project.inline_skills.clone(),
        tool_groups: project.tool_groups.clone(),
    };
    let catalog = harness.select(&followed, &options);
    let session = Session { agent_instructions: project.agent_instructions.clone(), ..Session::default() };
    let roots = set.roots.iter().map(|root| root.path.clone()).collect();
    let (untrusted, left_out) = (trust::skills_outside(set), trust::left_out(set));
    let drafts = drafts.clone();
    let counted = Arc::default();
    Ok(Stage { harness, roots, options, project, catalog, paths, session, untrusted, left_out, drafts, counted })
}

pub(super) fn find_harness(id: &str, variant: Option<&str>) -> Result<&'static dyn Harness, ApiError> {
    let known = |ids: Vec<&str>| ids.join(", ");
    let harness = harness::find(id).ok_or_else(|| {
        let known = known(harness::all().iter().map(|harness| harness.profile().id).collect());
        ApiError::new(Code::Unknown, message!("there is no framework `{id}`", "没有框架 `{id}`"))
            .hint(message!("known: {known}", "已有的：{known}"))
    })?;
    let variants = harness.profile().variants;
    match variant {
        Some(variant) if !variants.iter().any(|known| known.id == variant) => {
            let known = known(variants.iter().map(|variant| variant.id).collect());
            Err(ApiError::new(Code::Unknown, message!("{id} has no variant `{variant}`", "{id} 没有变体 `{variant}`"))
                .hint(message!("known: {known}", "已有的：{known}")))
        }
        _ => Ok(harness),
    }
}

/// A harness that only presents skills cannot run: it never asks a model.
pub(super) fn check_runs(harness: &dyn Harness) -> Result<(), ApiError> {
    let Profile { title, runs, .. } = harness.profile();
    if *runs {
        return Ok(());
    }
    Err(ApiError::new(
        Code::Invalid,
        message!("{title} only presents skills; it cannot run them", "{title} 只呈现技能，不能运行"),
    )
    .hint(message!("inspect it, or run another client", "请改为查看它，或运行其他客户端")))
}

/// The project files of all roots as one: inline skills and tool groups add up, options and limits are those of the
/// first file, and for other optional settings the first file that has one wins.
pub(super) fn project(set: &SkillSet) -> Result<Project, ApiError> {
    project_of(set.roots.iter().map(|root| &*root.path), &Drafts::default())
}

/// `drafts`: project files among them count as they are there.
pub(super) fn project_of<'a>(roots: impl Iterator<Item = &'a Utf8Path>, drafts: &Drafts) -> Result<Project, ApiError> {
    let mut whole: Option<Project> = None;
    for root in roots {
        let path = root.join(PROJECT_FILE);
        let found = match drafts.text(&path) {
            Some(draft) => Some(Project::parse(&path, &draft.text)?),
            None => Project::load(root)?,
        };
        let Some(mut found) = found else { continue };
        // Written relative to the project file; scripts run elsewhere.
        let absolute = |file: &mut String| *file = root.join(&*file).into_string();
        for skill in &mut found.inline_skills {
            for script in &mut skill.scripts {
                if let InlineScriptBody::File(file) = &mut script.body {
                    absolute(file);
                }
            }
            for resource in &mut skill.resources {
                if let InlineResourceBody::File(file) = &mut resource.body {
                    absolute(file);
                }
            }
        }
        if let Some(venv) = &mut found.sandbox.venv {
            absolute(venv);
        }
        for home in found.harnesses.homes_mut() {
            absolute(home);
            *home = normal(home.as_str().into()).into_string();
        }
        let folders = std::mem::take(&mut found.harnesses.agent_framework.folders);
        found.harnesses.agent_framework.folders =
            folders.into_iter().map(|(folder, options)| (normal(&root.join(folder)).into_string(), options)).collect();
        whole = Some(match whole {
            None => found,
            Some(mut first) => {
                first.agent_instructions = first.agent_instructions.or(found.agent_instructions);
                first.model = first.model.or(found.model);
                first.harness = first.harness.or(found.harness);
                first.inline_skills.extend(found.inline_skills);
                first.tool_groups.extend(found.tool_groups);
                // No folder loosens what another one asks for.
                first.sandbox.mode = first.sandbox.mode.max(found.sandbox.mode);
                first.neutral_paths |= found.neutral_paths;
                first.sandbox.venv = first.sandbox.venv.or(found.sandbox.venv);
                first
            }
        });
    }
    Ok(whole.unwrap_or_default())
}

impl From<ConfigError> for ApiError {
    fn from(error: ConfigError) -> Self {
        let path = error.path().to_owned();
        ApiError::new(Code::Invalid, error.worded())
            .hint(message!("correct the file and try again", "请更正文件后重试"))
            .at(&path)
    }
}

/// What the stage shows, with the request.
pub(super) fn whole(stage: &Stage, prompt: Option<&str>, tokenizer: Tokenizer) -> Inspection {
    let InspectedRequest { body: request, curl } = request(stage, prompt);
    Inspection { request, curl, ..inspection(stage, prompt, tokenizer) }
}

/// What the stage shows, without the request. Reads the skills' files and counts tokens, so it may take a while.
pub(super) fn inspection(stage: &Stage, prompt: Option<&str>, tokenizer: Tokenizer) -> Inspection {
    let Stage { harness, catalog, .. } = stage;
    let sent = Sent::of(stage, prompt);
    let skills: Vec<InspectedSkill> =
        catalog.skills.iter().map(|skill| inspected_skill(skill, stage, &sent.session, tokenizer)).collect();
    let tiers: Vec<TierTokens> = skills.iter().map(|skill| skill.tokens).collect();
    let InspectedSent { instructions, tools } = sent.whole(stage, tokenizer);
    let tokens = sent.tokens(&tiers, tools.iter().map(|tool| tool.tokens).sum(), tokenizer);
    Inspection {
        harness: catalog.harness.to_owned(),
        variant: catalog.variant.to_owned(),
        catalogue: sent.places(stage),
        instructions,
        tokens,
        agent: harness.agent(catalog),
        verified: harness.profile().variant(Some(catalog.variant)).verified,
        quirks: convert::quirks(catalog, &stage.paths, &stage.drafts),
        tools,
        groups: harness.groups(catalog, &sent.session),
        skills,
        skipped: skipped(stage).collect(),
        log: catalog.log.clone(),
        refused: catalog.refused.clone(),
        curl: String::new(),
        request: String::new(),
        neutral: NeutralPath::of(&stage.paths),
    }
}

/// What a window shows of the stage at first sight.
fn listed(stage: &Stage, prompt: Option<&str>, tokenizer: Tokenizer) -> InspectionList {
    let Stage { harness, catalog, .. } = stage;
    let sent = Sent::of(stage, prompt);
    let skills = catalog.skills.iter().map(|skill| ListedSkill { id: skill.id.clone(), name: skill.name.clone() });
    let tools = sent.shown.tools.iter().map(|tool| listed_tool(tool, *harness, catalog));
    let at_once = catalog.skills.len() <= COUNTED_AT_ONCE;
    InspectionList {
        harness: catalog.harness.to_owned(),
        variant: catalog.variant.to_owned(),
        verified: harness.profile().variant(Some(catalog.variant)).verified,
        agent: harness.agent(catalog),
        instructions: sent.said.as_ref().map(|said| convert::start(&said.text, &said.marks, SHOWN)),
        catalogue: sent.places(stage),
        tools: tools.collect(),
        groups: harness.groups(catalog, &sent.session),
        skills: skills.collect(),
        skipped: skipped(stage).collect(),
        log: catalog.log.clone(),
        quirks: convert::quirks(catalog, &stage.paths, &stage.drafts),
        refused: catalog.refused.clone(),
        tokens: at_once.then(|| listed_tokens(stage, &sent, tokenizer)),
        neutral: NeutralPath::of(&stage.paths),
    }
}

fn listed_tokens(stage: &Stage, sent: &Sent, tokenizer: Tokenizer) -> ListedTokens {
    let tiers = tiers(stage, tokenizer);
    let tools = sent.tool_tokens(tokenizer);
    ListedTokens {
        all: sent.tokens(&tiers, tools.iter().sum(), tokenizer),
        tools,
        skills: tiers.iter().map(|tiers| tiers.catalogue + tiers.instructions + tiers.resources).collect(),
    }
}

/// The tokens of so many skills are part of a list.
const COUNTED_AT_ONCE: usize = 500;

/// UTF-16 units of a text that a window shows before it is asked for the rest.
const SHOWN: usize = 200_000;

/// What the first request says before and around the prompt.
pub(super) struct Sent {
    shown: Presentation,
    history: Vec<Message>,
    session: Session,
    said: Option<Marked>,
}

impl Sent {
    pub(super) fn of(stage: &Stage, prompt: Option<&str>) -> Self {
        let Stage { harness, catalog, session, .. } = stage;
        let shown = harness.present(catalog, session);
        let (history, session) = begun(*harness, catalog, session, prompt);
        let said = instructions(&shown, &history, &session);
        Self { shown, history, session, said }
    }

    pub(super) fn places(&self, stage: &Stage) -> Vec<CataloguePlace> {
        let dialect = stage.harness.dialect(&stage.catalog);
        catalogue(&self.shown, &self.history, &self.session, &stage.catalog.skills, &dialect)
    }

    pub(super) fn tool_names(&self) -> Vec<String> {
        self.shown.tools.iter().map(|tool| tool.definition.name.clone()).collect()
    }

    /// The messages and the descriptions of tools, with the origin of each byte.
    pub(super) fn texts(&self) -> impl Iterator<Item = (&str, &[Mark])> {
        let said = self.said.iter().map(|said| (&*said.text, &*said.marks));
        said.chain(self.shown.tools.iter().map(|tool| (&*tool.definition.description, &*tool.marks)))
    }

    pub(super) fn skill(&self, stage: &Stage, id: &str, tokenizer: Tokenizer) -> Option<InspectedSkill> {
        let found = stage.catalog.skills.iter().find(|skill| skill.id == id)?;
        Some(inspected_skill(found, stage, &self.session, tokenizer))
    }

    pub(super) fn whole(&self, stage: &Stage, tokenizer: Tokenizer) -> InspectedSent {
        let tools = self.shown.tools.iter();
        InspectedSent {
            instructions: self.said.as_ref().map(convert::marked),
            tools: tools.map(|tool| inspected_tool(tool, stage.harness, &stage.catalog, tokenizer)).collect(),
        }
    }

    /// Of each tool.
    pub(super) fn tool_tokens(&self, tokenizer: Tokenizer) -> Vec<u32> {
        self.shown.tools.iter().map(|tool| tokens_of(tool, tokenizer)).collect()
    }

    /// With those of the skills, and those of all tools, whose descriptions may hold the whole catalogue.
    pub(super) fn tokens(&self, skills: &[TierTokens], tools: u32, tokenizer: Tokenizer) -> InspectedTokens {
        let sum = |tier: fn(&TierTokens) -> u32| skills.iter().map(tier).sum();
        let instructions = self.said.as_ref().map_or(0, |marked| tokenizer.count(&marked.text));
        InspectedTokens {
            instructions,
            tools,
            tiers: TierTokens {
                catalogue: instructions + tools,
                instructions: sum(|tiers| tiers.instructions),
                resources: sum(|tiers| tiers.resources),
            },
            tokenizer,
        }
    }
}

/// Of each skill. Reads their files.
pub(super) fn tiers(stage: &Stage, tokenizer: Tokenizer) -> Vec<TierTokens> {
    let skills = &stage.catalog.skills;
    in_parallel(skills.len(), |number| tiers_of(&skills[number], stage, tokenizer))
}

pub(super) fn tiers_of(skill: &CatalogSkill, stage: &Stage, tokenizer: Tokenizer) -> TierTokens {
    let resources: Vec<_> = skill.resources.iter().map(|file| inspected_file(file, stage, tokenizer)).collect();
    counted(skill, &resources, tokenizer)
}

pub(super) fn skipped(stage: &Stage) -> impl Iterator<Item = Skipped> {
    stage.catalog.skipped.iter().map(|skipped| really_skipped(skipped, stage))
}

/// The first request of the stage.
fn request(stage: &Stage, prompt: Option<&str>) -> InspectedRequest {
    let Stage { harness, catalog, session, .. } = stage;
    let shown = harness.present(catalog, session);
    let (history, _) = begun(*harness, catalog, session, prompt);
    let request = first_request(&shown, harness.dialect(catalog), history);
    let body = openai::encode(SOME_MODEL, &request, false, &Sampling::default());
    InspectedRequest { curl: curl::curl(SOME_URL, &body, Some("OPENAI_API_KEY")), body }
}

/// A conversation as it is when the first request is made, and the session then.
pub(super) fn begun(
    harness: &dyn Harness,
    catalog: &Catalog,
    session: &Session,
    prompt: Option<&str>,
) -> (Vec<Message>, Session) {
    let mut session = session.clone();
    let mut history: Vec<Message> = prompt.filter(|prompt| !prompt.is_empty()).map(Message::user).into_iter().collect();
    // Effects before a first request do not appear in it.
    harness.before_request(&mut history, None, catalog, &mut session);
    (history, session)
}

/// With the real path of the file that was left out. An inline skill has its name there.
fn really_skipped(skipped: &Skipped, stage: &Stage) -> Skipped {
    let path = Utf8Path::new(&skipped.path);
    let path = if path.is_absolute() { stage.real(path).into_string() } else { skipped.path.clone() };
    Skipped { path, ..skipped.clone() }
}

/// What the framework says before the prompt: in the system messages, its own and those that it puts into the conversation
/// for each request, and in messages of the user.
fn instructions(shown: &Presentation, history: &[Message], session: &Session) -> Option<Marked> {
    let mut said = shown.instructions.clone().unwrap_or_default();
    let mut add = |text: Marked| {
        if !said.text.is_empty() {
            said.push("\n\n", Origin::Framework);
        }
        said.append(&text);
    };
    for message in history.iter().filter(|message| message.role == Role::System) {
        let text = message.text();
        add(put_there(&text, session).cloned().unwrap_or_else(|| {
            let mut own = Marked::default();
            own.push(&text, Origin::Framework);
            own
        }));
    }
    put_first(history, session).into_iter().for_each(add);
    (!said.text.is_empty()).then_some(said)
}

/// What the framework puts into messages of the user.
fn put_first(history: &[Message], session: &Session) -> Vec<Marked> {
    let parts = history.iter().filter(|message| message.role == Role::User).flat_map(|message| &message.parts);
    let texts = parts.filter_map(|part| match part {
        Part::Text { text } => put_there(text, session).cloned(),
        Part::Reasoning { .. }
        | Part::ToolCall(_)
        | Part::ToolResult(_)
        | Part::Image(_)
        | Part::Document(_)
        | Part::CachePoint => None,
    });
    texts.collect()
}

fn put_there<'a>(text: &str, session: &'a Session) -> Option<&'a Marked> {
    session.injected.iter().find(|injected| injected.text == text)
}

/// Where the model finds the catalogue, derived from the origins of bytes.
fn catalogue(
    shown: &Presentation,
    history: &[Message],
    session: &Session,
    skills: &[CatalogSkill],
    dialect: &Dialect,
) -> Vec<CataloguePlace> {
    let of_skills = |marks: &[Mark]| marks.iter().any(|mark| matches!(mark.origin, Origin::Skill { .. }));
    let mut places = Vec::new();
    let systems = history.iter().filter(|message| message.role == Role::System);
    let mut put = systems.filter_map(|message| put_there(&message.text(), session));
    let put = put.any(|text| of_skills(&text.marks));
    if shown.instructions.iter().any(|text| of_skills(&text.marks)) || (put && !dialect.developer) {
        places.push(CataloguePlace::Instructions);
    }
    if put && dialect.developer {
        places.push(CataloguePlace::DeveloperMessage);
    }
    if put_first(history, session).iter().any(|text| of_skills(&text.marks)) {
        places.push(CataloguePlace::FirstMessage);
    }
    for PresentedTool { definition, marks, .. } in &shown.tools {
        if of_skills(marks) {
            places.push(CataloguePlace::ToolDescription { tool: definition.name.clone() });
        }
        if allows_ids(&definition.parameters, skills) {
            places.push(CataloguePlace::ToolParameter { tool: definition.name.clone() });
        }
    }
    places
}

/// Whether a JSON Schema has an `enum` with the id of a skill anywhere.
fn allows_ids(schema: &Value, skills: &[CatalogSkill]) -> bool {
    let is_id = |value: &Value| skills.iter().any(|skill| value.as_str() == Some(&*skill.id));
    match schema {
        Value::Object(fields) => fields.iter().any(|(key, value)| match value {
            Value::Array(values) if key == "enum" => values.iter().any(is_id),
            other => allows_ids(other, skills),
        }),
        Value::Array(items) => items.iter().any(|item| allows_ids(item, skills)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

/// The messages a conversation starts with.
pub(super) fn first_request(shown: &Presentation, dialect: Dialect, history: Vec<Message>) -> ModelRequest {
    let system = shown.instructions.as_ref().map(|marked| Message::system(&marked.text));
    ModelRequest {
        messages: system.into_iter().chain(history).collect(),
        tools: shown.definitions(),
        tool_choice: dialect.tool_choice,
        dialect,
        ..ModelRequest::default()
    }
}

fn variant_dto(variant: &VariantInfo) -> VariantDto {
    VariantDto {
        id: variant.id.to_owned(),
        title: variant.title.into(),
        source: variant.source.into(),
        verified: variant.verified,
        iterations: variant.limits.iterations,
        failed_rounds: variant.limits.failed_rounds,
    }
}

fn listed_tool(tool: &PresentedTool, harness: &dyn Harness, catalog: &Catalog) -> ListedTool {
    let PresentedTool { definition, marks, compared } = tool;
    let TextStart { text: description, marks, units } = convert::start(&definition.description, marks, SHOWN);
    ListedTool {
        name: definition.name.clone(),
        description,
        marks,
        units,
        parameters: definition.parameters.clone(),
        asks: harness.asks(&definition.name, catalog),
        compared: *compared,
    }
}

fn inspected_tool(
    tool: &PresentedTool,
    harness: &dyn Harness,
    catalog: &Catalog,
    tokenizer: Tokenizer,
) -> InspectedTool {
    let PresentedTool { definition, marks, compared } = tool;
    let TextStart { text: description, marks, .. } = convert::start(&definition.description, marks, usize::MAX);
    InspectedTool {
        name: definition.name.clone(),
        description,
        marks,
        parameters: definition.parameters.clone(),
        asks: harness.asks(&definition.name, catalog),
        compared: *compared,
        tokens: tokens_of(tool, tokenizer),
    }
}

fn tokens_of(tool: &PresentedTool, tokenizer: Tokenizer) -> u32 {
    tokenizer.count(&tool.definition.to_json())
}

/// `session`: as it is when the first request is made.
fn inspected_skill(skill: &CatalogSkill, stage: &Stage, session: &Session, tokenizer: Tokenizer) -> InspectedSkill {
    let files = |files: &[CatalogFile]| files.iter().map(|file| inspected_file(file, stage, tokenizer)).collect();
    let (resources, scripts): (Vec<InspectedFile>, _) = (files(&skill.resources), files(&skill.scripts));
    InspectedSkill {
        tokens: counted(skill, &resources, tokenizer),
        id: skill.id.clone(),
        name: skill.name.clone(),
        description: skill.description.clone(),
        path: skill.path.as_ref().map(|path| stage.real(path).into_string()),
        content: skill.content.clone(),
        loaded_with: stage.harness.loads_with(skill, &stage.catalog, session),
        kept: skill.detail.kept(),
        resources,
        scripts,
    }
}

fn counted(skill: &CatalogSkill, resources: &[InspectedFile], tokenizer: Tokenizer) -> TierTokens {
    TierTokens {
        catalogue: tokenizer.count(&skill.name) + tokenizer.count(&skill.description),
        instructions: tokenizer.count(&skill.content),
        resources: resources.iter().filter_map(|file| file.tokens).sum(),
    }
}

fn inspected_file(file: &CatalogFile, stage: &Stage, tokenizer: Tokenizer) -> InspectedFile {
    let (path, tokens) = match &file.body {
        CatalogBody::File(path) => {
            let path = stage.real(path);
            let tokens = stage.counted.of(&path, tokenizer, || text_at(&path, stage));
            (Some(path.into_string()), tokens)
        }
        CatalogBody::Text(text) => (None, Some(tokenizer.count(text))),
    };
    InspectedFile { name: file.name.clone(), path, tokens }
}

/// What is in a file, if that is text.
fn text_at(path: &Utf8Path, stage: &Stage) -> Option<String> {
    match stage.drafts.text(path) {
        Some(draft) => Some(draft.text.clone()),
        None => SourceText::read(path).ok().map(|text| text.text),
    }
}

/// The texts of all files that skills list.
pub(super) fn texts_of_files(stage: &Stage) -> Vec<String> {
    let files = stage.catalog.skills.iter().flat_map(|skill| skill.resources.iter().chain(&skill.scripts));
    let text = |file: &CatalogFile| match &file.body {
        CatalogBody::File(path) => text_at(&stage.real(path), stage),
        CatalogBody::Text(text) => Some(text.clone()),
    };
    files.filter_map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn project_files_add_up_and_the_first_wins_where_both_say_something() {
        let folder = tempfile::tempdir().expect("a folder");
        let base = Utf8PathBuf::try_from(folder.path().canonicalize().expect("it is there")).expect("UTF-8");
        let inline = |name: &str| {
            format!(
                "inlineSkills:\n- name: {name}\n  description: d\n  instructions: i\n  \
                 scripts: [{{ name: s, file: tools/{name}.py }}]\n"
            )
        };
        let written =
            [("one", "agentInstructions: first\n"), ("two", "agentInstructions: second\nmodel: m\n"), ("three", "")];
        let roots = written.map(|(name, settings)| {
            let root = base.join(name);
            std::fs::create_dir(&root).expect("writable");
            if name != "three" {
                std::fs::write(root.join("workbench.yaml"), format!("{settings}{}", inline(name))).expect("writable");
            }
            root
        });
        let whole = project(&skill::load(&roots)).expect("both are valid");
        assert_eq!((whole.agent_instructions.as_deref(), whole.model.as_deref()), (Some("first"), Some("m")));
        let scripts: Vec<_> = whole.inline_skills.iter().map(|skill| (&*skill.name, &skill.scripts[0].body)).collect();
        let file = |name: &str| InlineScriptBody::File(base.join(name).join("tools").join(format!("{name}.py")).into());
        assert_eq!(scripts, [("one", &file("one")), ("two", &file("two"))], "a script lies beside its project file");
    }

    #[test]
    fn an_unknown_harness_or_variant_names_the_known_ones() {
        let error = |id, variant| find_harness(id, variant).err().and_then(|error| error.hint);
        let harnesses: Vec<&str> = harness::all().iter().map(|harness| harness.profile().id).collect();
        assert_eq!(error("nope", None), Some(format!("known: {}", harnesses.join(", "))));
        let first = harness::all()[0].profile();
        let variants: Vec<&str> = first.variants.iter().map(|variant| variant.id).collect();
        assert_eq!(error(first.id, Some("nope")), Some(format!("known: {}", variants.join(", "))));
        assert_eq!(error(first.id, Some(variants[0])), None);
    }
}
