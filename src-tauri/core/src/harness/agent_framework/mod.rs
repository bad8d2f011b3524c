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
    Catalog, CatalogSkill, Disclosure, Expressed, Harness, Limits, Options, Performed, Presentation, Profile,
    ResultEncoding, Served, Session, Skipped, ToolReply, VariantInfo,
};
use crate::config::{AgentFrameworkOptions, ScreenplayStep, SkillSource};
use crate::model::{Message, ToolCall};
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
    }],
    limits: Limits { iterations: 40, failed_rounds: Some(3) },
    result_encoding: ResultEncoding::JsonString,
    runner,
};

/// The seed's runner starts `python3` whatever the ending is. Here each ending gets its own program, as in the
/// runners that the framework ships as samples; `.py`, the only ending the seed runs, is the same in both.
fn runner(extension: &str) -> Option<&'static str> {
    match extension.trim_start_matches('.').to_ascii_lowercase().as_str() {
        "py" => Some("python3"),
        "js" => Some("node"),
        "sh" => Some("bash"),
        "ps1" => Some("pwsh"),
        _ => None,
    }
}

impl Harness for AgentFramework {
    fn profile(&self) -> &Profile {
        &PROFILE
    }

    fn select(&self, found: &SkillSet, options: &Options) -> Catalog {
        let settings = &options.settings.agent_framework;
        let mut pipeline = Pipeline::new(settings);
        let loaded = sources(found, options, &mut pipeline).and_then(|()| catalogue::check_template(settings));
        let refused = loaded.err();
        Catalog {
            harness: PROFILE.id,
            variant: PROFILE.variants[0].id,
            skills: if refused.is_none() { pipeline.skills } else { Vec::new() },
            skipped: pipeline.skipped,
            log: pipeline.log,
            refused,
            options: options.settings.clone(),
        }
    }

    /// Without skills the framework adds neither instructions nor tools.
    fn present(&self, catalog: &Catalog, session: &Session) -> Presentation {
        Presentation {
            instructions: catalogue::instructions(catalog, session.agent_instructions.as_deref()),
            tools: if catalog.skills.is_empty() { Vec::new() } else { tools::definitions() },
        }
    }

    fn serve(&self, call: &ToolCall, catalog: &Catalog, session: &mut Session) -> Served {
        serve::serve(call, catalog, session)
    }

    fn settle(&self, _call: &ToolCall, done: Performed, catalog: &Catalog, _session: &mut Session) -> ToolReply {
        serve::settle(done, &catalog.options.agent_framework)
    }

    fn wire(&self, reply: &ToolReply, catalog: &Catalog) -> Option<String> {
        wire::encode(reply, &catalog.options.agent_framework)
    }

    fn before_request(&self, _history: &mut Vec<Message>, _session: &mut Session) {}

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
