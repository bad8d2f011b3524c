//! Microsoft Agent Framework's `AgentSkillsProvider` (.NET), after seed 000. Where the seed is silent the behaviour is
//! derived from the framework's sources, never compared with a run of the .NET code.
//!
//! The pipeline is the framework's: sources, aggregated in order, then the filter, then de-duplication. Its cache is
//! not here: a run that caches selects once, a run with `disableCaching` selects before every request.

mod arguments;
mod catalogue;
mod discover;
mod frontmatter;
mod inline;
mod serve;
mod tools;
mod wire;

use super::{
    Catalog, CatalogSkill, Disclosure, Expressed, FailedRounds, Harness, Limits, Options, Performed, Presentation,
    PresentedTool, Profile, Served, Session, Skipped, ToolReply, VariantInfo,
};
use crate::config::ScreenplayStep;
use crate::config::options::{AgentFrameworkOptions, SkillSource};
use crate::model::ToolCall;
use crate::skill::SkillSet;

pub struct AgentFramework;

static PROFILE: Profile = Profile {
    id: "agent-framework",
    title: "Microsoft Agent Framework",
    variants: &[VariantInfo {
        id: "seed",
        title: ".NET, with a Python script runner",
        source: "Artech, \"AgentSkillsProvider\", 2026-06-18; Microsoft.Agents.AI sources",
        verified: false,
        limits: Limits { iterations: Some(40), failed_rounds: Some(FailedRounds::EndAfter(3)) },
    }],
};

impl Harness for AgentFramework {
    fn profile(&self) -> &Profile {
        &PROFILE
    }

    fn select(&self, found: &SkillSet, options: &Options) -> Catalog {
        let settings = &options.settings.agent_framework;
        let mut pipeline = Pipeline::new(settings);
        let loaded = sources(found, options, &mut pipeline).and_then(|()| catalogue::check_template(settings));
        let refused = loaded.err();
        let variant = PROFILE.variant(options.variant.as_deref());
        Catalog {
            harness: PROFILE.id,
            variant: variant.id,
            limits: variant.limits,
            roots: found.roots.iter().map(|root| root.path.clone()).collect(),
            skills: if refused.is_none() { pipeline.skills } else { Vec::new() },
            skipped: pipeline.skipped,
            log: pipeline.log,
            quirks: Vec::new(),
            refused,
            options: options.settings.clone(),
            tool_groups: options.tool_groups.clone(),
        }
    }

    /// Without skills the framework adds neither instructions nor tools.
    fn present(&self, catalog: &Catalog, session: &Session) -> Presentation {
        Presentation {
            instructions: catalogue::instructions(catalog, session.agent_instructions.as_deref()),
            tools: if catalog.skills.is_empty() {
                Vec::new()
            } else {
                tools::definitions().into_iter().map(PresentedTool::plain).collect()
            },
        }
    }

    fn serve(&self, call: &ToolCall, catalog: &Catalog, session: &mut Session) -> Served {
        serve::serve(call, catalog, session)
    }

    fn settle(&self, _call: &ToolCall, done: Performed, catalog: &Catalog, _session: &mut Session) -> Served {
        Served::Reply(serve::settle(done, &catalog.options.agent_framework))
    }

    fn wire(&self, reply: &ToolReply, catalog: &Catalog) -> Option<String> {
        wire::encode(reply, &catalog.options.agent_framework)
    }

    fn express(&self, step: &ScreenplayStep, catalog: &Catalog, session: &Session) -> Option<Expressed> {
        tools::express(step, catalog, session)
    }

    fn disclosure(&self, call: &ToolCall, catalog: &Catalog) -> Disclosure {
        tools::disclosure(call, catalog)
    }
}

/// `Err` is the message of the exception that keeps the framework from starting.
fn sources(found: &SkillSet, options: &Options, pipeline: &mut Pipeline) -> Result<(), String> {
    let settings = &options.settings.agent_framework;
    for source in &settings.sources {
        match source {
            SkillSource::Files => discover::load(found, settings, pipeline)?,
            SkillSource::Inline => {
                for skill in &options.inline_skills {
                    let loaded = inline::load(skill)?;
                    let name = loaded.name.clone();
                    pipeline.offer(loaded, name);
                }
            }
        }
    }
    Ok(())
}

/// What the filter and the de-duplication let through, and what is said of the rest.
struct Pipeline<'a> {
    filter: Option<&'a [String]>,
    skills: Vec<CatalogSkill>,
    skipped: Vec<Skipped>,
    /// Warnings and errors only; each stands where the skill it is about comes in the order of loading.
    log: Vec<String>,
}

impl<'a> Pipeline<'a> {
    fn new(settings: &'a AgentFrameworkOptions) -> Self {
        Self { filter: settings.filter.as_deref(), skills: Vec::new(), skipped: Vec::new(), log: Vec::new() }
    }

    fn offer(&mut self, skill: CatalogSkill, path: String) {
        if self.filter.is_some_and(|names| !names.contains(&skill.name)) {
            self.skip(path, format!("Skill '{}' excluded by filter predicate", skill.name));
        } else if self.skills.iter().any(|known| known.name.eq_ignore_ascii_case(&skill.name)) {
            let reason =
                format!("Duplicate skill name '{}': subsequent skill skipped in favor of first occurrence", skill.name);
            self.log.push(reason.clone());
            self.skip(path, reason);
        } else {
            self.skills.push(skill);
        }
    }

    fn skip(&mut self, path: impl Into<String>, reason: impl Into<String>) {
        self.skipped.push(Skipped { path: path.into(), reason: reason.into() });
    }
}

#[cfg(test)]
mod tests;
