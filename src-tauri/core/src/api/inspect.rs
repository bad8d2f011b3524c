//! What a harness shows the model, before anything is run.

use camino::{Utf8Path, Utf8PathBuf};

use super::dto::{
    HarnessInfo, InspectArgs, InspectedFile, InspectedSkill, InspectedTokens, InspectedTool, Inspection, NoArgs,
    TierTokens, VariantDto,
};
use super::error::{ApiError, Code};
use super::{Workbench, blocking, convert};
use crate::config::{ConfigError, InlineScriptBody, Project};
use crate::harness::{
    self, Catalog, CatalogBody, CatalogFile, CatalogSkill, Harness, Options, Presentation, PresentedTool, Session,
};
use crate::model::{Dialect, Message, ModelRequest, Sampling, curl, openai, tokens};
use crate::skill::SkillSet;
use crate::source::SourceText;

/// What the model is called in a request that nobody has chosen a model for.
const SOME_MODEL: &str = "MODEL";
/// Where such a request would go.
const SOME_URL: &str = "https://api.openai.com/v1/chat/completions";

/// A harness over what some folders hold: what Inspect shows and what a run starts from.
pub(super) struct Stage {
    pub harness: &'static dyn Harness,
    pub roots: Vec<Utf8PathBuf>,
    pub options: Options,
    pub project: Project,
    pub catalog: Catalog,
    pub session: Session,
}

impl Workbench {
    pub async fn harness_list(&self, _: NoArgs) -> Result<Vec<HarnessInfo>, ApiError> {
        let harnesses = harness::all().iter().map(|harness| harness.profile()).map(|profile| HarnessInfo {
            id: profile.id.to_owned(),
            title: profile.title.to_owned(),
            variants: profile
                .variants
                .iter()
                .map(|variant| VariantDto {
                    id: variant.id.to_owned(),
                    title: variant.title.to_owned(),
                    source: variant.source.to_owned(),
                    verified: variant.verified,
                })
                .collect(),
        });
        Ok(harnesses.collect())
    }

    pub async fn inspect(&self, args: InspectArgs) -> Result<Inspection, ApiError> {
        let mut stage = self.stage(args.roots.as_deref(), &args.harness, args.variant.as_deref()).await?;
        stage.session.working_directory = args.cwd.map(Utf8PathBuf::from);
        Ok(blocking(move || inspection(&stage, args.prompt.as_deref())).await)
    }

    /// Sets a harness up over `roots`, or over the open folders.
    pub(super) async fn stage(
        &self,
        roots: Option<&[String]>,
        harness: &str,
        variant: Option<&str>,
    ) -> Result<Stage, ApiError> {
        let harness = find_harness(harness, variant)?;
        let loaded = self.loaded_from(roots).await;
        let variant = variant.map(str::to_owned);
        blocking(move || {
            let set = &loaded.set;
            let project = project(set)?;
            let options = Options {
                variant,
                settings: project.harnesses.clone(),
                inline_skills: project.inline_skills.clone(),
                tool_groups: project.tool_groups.clone(),
            };
            let catalog = harness.select(set, &options);
            let session = Session { agent_instructions: project.agent_instructions.clone(), ..Session::default() };
            let roots = set.roots.iter().map(|root| root.path.clone()).collect();
            Ok(Stage { harness, roots, options, project, catalog, session })
        })
        .await
    }
}

fn find_harness(id: &str, variant: Option<&str>) -> Result<&'static dyn Harness, ApiError> {
    let known = |ids: Vec<&str>| ids.join(", ");
    let harness = harness::find(id).ok_or_else(|| {
        ApiError::new(Code::Unknown, format!("there is no harness `{id}`"))
            .hint(format!("known: {}", known(harness::all().iter().map(|harness| harness.profile().id).collect())))
    })?;
    let variants = harness.profile().variants;
    match variant {
        Some(variant) if !variants.iter().any(|known| known.id == variant) => {
            Err(ApiError::new(Code::Unknown, format!("{id} has no variant `{variant}`"))
                .hint(format!("known: {}", known(variants.iter().map(|variant| variant.id).collect()))))
        }
        _ => Ok(harness),
    }
}

/// The project files of all roots as one: inline skills and tool groups add up, options and limits are those of the
/// first file, and of what else a file may leave out the first that says it wins.
fn project(set: &SkillSet) -> Result<Project, ApiError> {
    let mut whole: Option<Project> = None;
    for root in &set.roots {
        let Some(mut found) = Project::load(&root.path)? else { continue };
        for script in found.inline_skills.iter_mut().flat_map(|skill| &mut skill.scripts) {
            if let InlineScriptBody::File(file) = &mut script.body {
                // Written relative to the project file; scripts run elsewhere.
                *file = root.path.join(&*file).into_string();
            }
        }
        whole = Some(match whole {
            None => found,
            Some(mut first) => {
                first.agent_instructions = first.agent_instructions.or(found.agent_instructions);
                first.model = first.model.or(found.model);
                first.harness = first.harness.or(found.harness);
                first.inline_skills.extend(found.inline_skills);
                first.tool_groups.extend(found.tool_groups);
                first
            }
        });
    }
    Ok(whole.unwrap_or_default())
}

impl From<ConfigError> for ApiError {
    fn from(error: ConfigError) -> Self {
        let path = error.path().to_owned();
        ApiError::new(Code::Invalid, error.to_string()).hint("correct the file and try again").at(&path)
    }
}

fn inspection(stage: &Stage, prompt: Option<&str>) -> Inspection {
    let Stage { harness, catalog, session, .. } = stage;
    let shown = harness.present(catalog, session);
    let tools: Vec<InspectedTool> = shown.tools.iter().map(inspected_tool).collect();
    let skills: Vec<InspectedSkill> = catalog.skills.iter().map(inspected_skill).collect();
    let request = first_request(&shown, harness.dialect(catalog), prompt);
    let body = openai::encode(SOME_MODEL, &request, false, &Sampling::default());
    let sum = |tier: fn(&TierTokens) -> u32| skills.iter().map(|skill| tier(&skill.tokens)).sum();
    let instructions = shown.instructions.as_ref().map_or(0, |marked| tokens::count(&marked.text));
    let tool_tokens = tools.iter().map(|tool| tool.tokens).sum();
    Inspection {
        harness: catalog.harness.to_owned(),
        variant: catalog.variant.to_owned(),
        instructions: shown.instructions.as_ref().map(convert::marked),
        tokens: InspectedTokens {
            instructions,
            tools: tool_tokens,
            tiers: TierTokens {
                catalogue: instructions + tool_tokens,
                instructions: sum(|tiers| tiers.instructions),
                resources: sum(|tiers| tiers.resources),
            },
            tokenizer: tokens::TOKENIZER.to_owned(),
        },
        verified: harness.profile().variant(Some(catalog.variant)).verified,
        quirks: convert::quirks(catalog),
        tools,
        skills,
        skipped: catalog.skipped.clone(),
        log: catalog.log.clone(),
        refused: catalog.refused.clone(),
        curl: curl::curl(SOME_URL, &body, Some("OPENAI_API_KEY")),
        request: body,
    }
}

/// The messages a conversation starts with.
fn first_request(shown: &Presentation, dialect: Dialect, prompt: Option<&str>) -> ModelRequest {
    let system = shown.instructions.as_ref().map(|marked| Message::system(&marked.text));
    let user = prompt.filter(|prompt| !prompt.is_empty()).map(Message::user);
    ModelRequest {
        messages: system.into_iter().chain(user).collect(),
        tools: shown.definitions(),
        tool_choice: dialect.tool_choice,
        dialect,
        ..ModelRequest::default()
    }
}

fn inspected_tool(tool: &PresentedTool) -> InspectedTool {
    let PresentedTool { definition: tool, marks } = tool;
    InspectedTool {
        marks: convert::marks(&tool.description, marks),
        name: tool.name.clone(),
        description: tool.description.clone(),
        parameters: tool.parameters.clone(),
        tokens: tokens::count(&tool.to_json()),
    }
}

fn inspected_skill(skill: &CatalogSkill) -> InspectedSkill {
    let resources: Vec<InspectedFile> = skill.resources.iter().map(inspected_file).collect();
    let scripts: Vec<InspectedFile> = skill.scripts.iter().map(inspected_file).collect();
    InspectedSkill {
        tokens: TierTokens {
            catalogue: tokens::count(&skill.name) + tokens::count(&skill.description),
            instructions: tokens::count(&skill.content),
            resources: resources.iter().filter_map(|file| file.tokens).sum(),
        },
        id: skill.id.clone(),
        name: skill.name.clone(),
        description: skill.description.clone(),
        path: skill.path.as_ref().map(|path| path.to_string()),
        content: skill.content.clone(),
        resources,
        scripts,
    }
}

fn inspected_file(file: &CatalogFile) -> InspectedFile {
    let count = |path: &Utf8Path| SourceText::read(path).ok().map(|text| tokens::count(&text.text));
    let (path, tokens) = match &file.body {
        CatalogBody::File(path) => (Some(path.to_string()), count(path)),
        CatalogBody::Text(text) => (None, Some(tokens::count(text))),
    };
    InspectedFile { name: file.name.clone(), path, tokens }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skill;

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
        assert_eq!(error("nope", None).as_deref(), Some("known: agent-framework"));
        assert_eq!(
            error("agent-framework", Some("nope")).as_deref(),
            Some("known: seed, dotnet-1.17, python-1.13, python-1.23")
        );
        assert_eq!(error("agent-framework", Some("seed")), None);
    }
}
