//! Microsoft Agent Framework's `AgentSkillsProvider` (.NET, after seed 000 and in release 1.17) and `SkillsProvider` (Python,
//! releases 1.13 and 1.23). The Python releases were compared with runs of them; the .NET ones are derived from the seed
//! and the framework's sources.
//!
//! The pipeline is the framework's: sources, aggregated in order, then the filter, then de-duplication. Its cache is
//! not here: an agent that caches selects once, one with `disableCaching` before every run of it, which is a turn of the
//! user here. The history of a session gets the messages of a run when that has come to its end, and nothing otherwise.

mod arguments;
mod call;
mod catalogue;
mod content;
mod discover;
mod files;
mod filter;
mod format;
mod frontmatter;
mod inline;
mod lookup;
mod pipeline;
pub(super) mod python;
mod quirks;
mod runner;
mod serve;
mod tools;
mod variant;
mod wire;

use serde_json::{Map, Value};

use super::{
    Catalog, Disclosure, Expressed, Harness, Mark, Options, Performed, Presentation, PresentedTool, Profile, Served,
    Session, ToolReply, TurnEnd, turns,
};
use config::ScreenplayStep;
use config::options::SkillSource;
use model::{Dialect, Message, Role, Silent, ToolCall, ToolChoice};
use pipeline::{Loaded, Pipeline};
use skill::SkillSet;
use variant::{PROFILE, Variant};

pub use frontmatter::Frontmatter;

const MANIFEST: &str = "SKILL.md";

pub struct AgentFramework;

/// What this framework knows of a skill.
#[derive(Debug, Clone, PartialEq)]
pub struct Detail {
    pub frontmatter: Frontmatter,
    /// Of the text that loading the skill gives.
    pub marks: Vec<Mark>,
}

impl Detail {
    pub(super) fn kept(&self) -> Map<String, Value> {
        let Frontmatter { license, compatibility, allowed_tools, metadata, .. } = &self.frontmatter;
        let texts = [("license", license), ("compatibility", compatibility), ("allowedTools", allowed_tools)];
        let texts = texts.into_iter().filter_map(|(key, text)| Some((key.to_owned(), Value::from(text.as_deref()?))));
        let metadata = metadata.iter().map(|pairs| {
            let pairs = pairs.iter().map(|(key, value)| (key.clone(), Value::from(value.as_str())));
            ("metadata".to_owned(), Value::Object(pairs.collect()))
        });
        texts.chain(metadata).collect()
    }
}

/// python-1.13 keeps the user's agreements, and puts the results of a turn to them where they are replayed: behind all
/// answers of the turn that called something. With tools of both kinds it loses messages, which is not imitated.
fn gather_results(turn: &mut [Message], asking: &[&str]) {
    let asked = |message: &Message| message.calls().all(|call| asking.contains(&call.name.as_str()));
    if !turn.iter().all(asked) {
        return;
    }
    turn.sort_by_key(|message| match message.role {
        Role::Tool => 1,
        Role::Assistant if message.calls().next().is_none() => 2,
        Role::System | Role::User | Role::Assistant => 0,
    });
}

impl Harness for AgentFramework {
    fn profile(&self) -> &Profile {
        &PROFILE
    }

    fn select(&self, found: &SkillSet, options: &Options) -> Catalog {
        let settings = &options.settings.agent_framework;
        let variant = Variant::named(PROFILE.variant(options.variant.as_deref()).id);
        let mut pipeline = Pipeline::new(settings, variant);
        let loaded = sources(found, options, &mut pipeline)
            .and_then(|()| catalogue::check_template(settings, variant, &pipeline.skills));
        let refused = loaded.err();
        let Pipeline { skills, skipped, log, quirks, .. } = pipeline;
        super::Loaded { skills, skipped, log, quirks, refused }.into_catalog(&PROFILE, found, options)
    }

    /// Without skills the framework adds neither instructions nor tools.
    fn present(&self, catalog: &Catalog, session: &Session) -> Presentation {
        let tools = if catalog.skills.is_empty() { Vec::new() } else { tools::definitions(Variant::of(catalog)) };
        Presentation {
            instructions: catalogue::instructions(catalog, session.agent_instructions.as_deref()),
            tools: tools.into_iter().map(PresentedTool::plain).collect(),
            cache_points: Vec::new(),
        }
    }

    fn dialect(&self, catalog: &Catalog) -> Dialect {
        match Variant::of(catalog) {
            Variant::Seed | Variant::DotNet117 => Dialect::default(),
            // A message that was given back to the caller returns with the agent's name.
            Variant::Python113 | Variant::Python123 => Dialect {
                tool_choice: Some(ToolChoice::Auto),
                silent: Silent::Absent,
                assistant_name: Some("UnnamedAgent"),
                named_once_given: Some(serve::asking(&catalog.options.agent_framework)),
                ..Dialect::default()
            },
        }
    }

    /// Python makes calls only if there are tools, and without skills there are none. .NET tells the model that there is no such
    /// tool.
    fn makes_calls(&self, catalog: &Catalog) -> bool {
        !(Variant::of(catalog).is_python() && catalog.skills.is_empty())
    }

    fn serve(&self, call: &ToolCall, catalog: &Catalog, session: &mut Session) -> Served {
        serve::serve(call, catalog, session)
    }

    fn settle(&self, call: &ToolCall, done: Performed, catalog: &Catalog, session: &mut Session) -> Served {
        serve::settle(call, done, catalog, session)
    }

    fn wire(&self, reply: &ToolReply, catalog: &Catalog) -> Option<String> {
        if Variant::of(catalog).is_python() { None } else { wire::encode(reply, &catalog.options.agent_framework) }
    }

    fn next_turn(
        &self,
        history: &mut Vec<Message>,
        begun: usize,
        end: TurnEnd,
        catalog: &Catalog,
        _session: &mut Session,
    ) {
        match end {
            TurnEnd::Done if Variant::of(catalog) == Variant::Python113 => {
                gather_results(&mut history[begun..], serve::asking(&catalog.options.agent_framework));
            }
            TurnEnd::Done => {}
            TurnEnd::Capped => turns::close_calls(history, |_| turns::INTERRUPTED.to_owned()),
            TurnEnd::Broken => history.truncate(begun),
        }
    }

    fn reads_each_turn(&self, catalog: &Catalog) -> bool {
        catalog.options.agent_framework.disable_caching
    }

    fn express(&self, step: &ScreenplayStep, catalog: &Catalog, session: &Session) -> Option<Expressed> {
        tools::express(step, catalog, session)
    }

    fn asks(&self, tool: &str, catalog: &Catalog) -> bool {
        tools::Tool::find(tool, catalog).is_some_and(|tool| serve::asks(tool, catalog))
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
                    let skill = inline::load(skill, pipeline.variant)?;
                    pipeline.offer(Loaded { path: skill.name.clone().into(), skill, quirks: Vec::new() });
                }
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
