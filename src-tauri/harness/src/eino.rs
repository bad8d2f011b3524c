//! Eino ADK's skill middleware (Go), after seed 001, on the `local` backend of eino-ext, with the filesystem middleware
//! in front of it as in the seed's example. What the skill tool says was compared with a run of the framework's own
//! code; how the agent loop and the filesystem tools behave is from the framework's public sources and was never
//! compared with a run.
//!
//! Go errors end a run, and the model never sees them: most mistakes of a model are [`Served::Abort`] here. The
//! framework reads the skills again for each call; here a turn of the user sees them as they were when it began.
//!
//! A turn of the user is one run of the framework's `Runner`, which starts from the messages that its caller gives it: all
//! those of the turns before. What a skill chose for the run, its model, is gone with it.

mod catalogue;
mod discover;
mod files;
mod frontmatter;
mod go_json;
mod go_map;
mod grep;
mod memory;
mod offload;
mod paths;
mod quirks;
mod schema;
mod serve;
mod stripped;
mod tool;
mod tools;
mod yaml;

use std::collections::BTreeMap;

use super::{
    Agent, Catalog, CatalogSkill, Detail as AnyDetail, Disclosure, Expressed, Group, Harness, Limits, Options,
    Performed, Prepared, Presentation, PresentedTool, Profile, Served, Session, ToolReply, TurnEnd, VariantInfo, turns,
};
use config::ScreenplayStep;
use config::options::EinoBackend;
use model::{Dialect, Message, Silent, ToolCall};
use serde_json::{Map, Value};
use skill::SkillSet;
use wording::Wording;

const MANIFEST: &str = "SKILL.md";

pub struct Eino;

/// What it remembers of one conversation.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Memory {
    /// By call id: the text for the model once the result is in a file, and the result itself.
    offloading: BTreeMap<String, (ToolReply, ToolReply)>,
    /// The model that a skill asked for and the hub has not; the next request finds out.
    missing_model: Option<String>,
    /// Turns of the user before this one.
    turns: u32,
}

/// Facts about a skill that only this harness needs.
#[derive(Debug, Clone, PartialEq)]
pub struct Detail {
    pub body: String,
    /// As it is written.
    pub context: String,
    /// Empty: the hub's default.
    pub agent: String,
    /// Empty: none.
    pub model: String,
}

impl Detail {
    pub(super) fn kept(&self) -> Map<String, Value> {
        let fields = [("context", &self.context), ("agent", &self.agent), ("model", &self.model)];
        fields.into_iter().map(|(key, text)| (key.to_owned(), Value::from(text.as_str()))).collect()
    }

    fn of(skill: &CatalogSkill) -> Option<&Self> {
        match &skill.detail {
            AnyDetail::Eino(detail) => Some(detail),
            _ => None,
        }
    }

    fn mode(&self) -> Mode {
        Mode::of(&self.context).unwrap_or(Mode::Inline)
    }
}

/// `context` of the frontmatter; any other value counts as none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Inline,
    Fork,
    ForkWithContext,
}

impl Mode {
    fn of(context: &str) -> Option<Self> {
        match context {
            "" => Some(Self::Inline),
            "fork" => Some(Self::Fork),
            "fork_with_context" => Some(Self::ForkWithContext),
            _ => None,
        }
    }
}

/// `ChatModelAgentConfig.MaxIterations`, if it is not set.
const LIMITS: Limits = Limits { iterations: Some(20), failed_rounds: None };

static PROFILE: Profile = Profile {
    id: "eino",
    title: "Eino ADK",
    group: Group::Framework,
    runs: true,
    variants: &[
        VariantInfo {
            id: "seed",
            title: Wording::new("As documented", "按文档所述"),
            source: Wording::new(
                "CloudWeGo, \"Middleware: Skill\"; eino adk/middlewares, July 2026; eino-ext adk/backend/local",
                "CloudWeGo《Middleware: Skill》；eino adk/middlewares，2026 年 7 月；eino-ext adk/backend/local",
            ),
            verified: false,
            limits: LIMITS,
        },
        VariantInfo {
            id: "newest",
            title: Wording::new("July 2026", "2026 年 7 月"),
            source: Wording::new(
                "eino adk/middlewares/skill, July 2026, run over a stand-in file system",
                "eino adk/middlewares/skill，2026 年 7 月，在替代的文件系统上运行",
            ),
            verified: true,
            limits: LIMITS,
        },
    ],
};

impl Harness for Eino {
    fn profile(&self) -> &Profile {
        &PROFILE
    }

    fn select(&self, found: &SkillSet, options: &Options) -> Catalog {
        let settings = &options.settings.eino;
        let mut loaded = match settings.backend {
            EinoBackend::Filesystem => discover::load(found, &options.inline_skills, settings),
            EinoBackend::Memory => memory::load(&options.inline_skills, settings),
        };
        if settings.map_order.is_some() && loaded.skills.len() > 1 {
            loaded.quirks.push(quirks::by_chance());
        }
        loaded.into_catalog(&PROFILE, found, options)
    }

    /// Without skills there is still a tool, with an empty list. A sub-agent gets what its delegation says.
    fn present(&self, catalog: &Catalog, session: &Session) -> Presentation {
        if catalog.refused.is_some() || session.delegated {
            return Presentation::default();
        }
        let settings = &catalog.options.eino;
        let mut tools: Vec<_> = tools::of_filesystem(settings).into_iter().map(PresentedTool::plain).collect();
        tools.push(tools::of_skills(catalog, session));
        Presentation {
            instructions: Some(catalogue::instructions(settings, session.agent_instructions.as_deref())),
            tools,
            cache_points: Vec::new(),
        }
    }

    fn dialect(&self, _catalog: &Catalog) -> Dialect {
        Dialect { silent: Silent::Empty, named_results: true, ..Dialect::default() }
    }

    fn serve(&self, call: &ToolCall, catalog: &Catalog, session: &mut Session) -> Served {
        serve::serve(call, catalog, session)
    }

    fn settle(&self, call: &ToolCall, done: Performed, catalog: &Catalog, session: &mut Session) -> Served {
        serve::settle(call, done, catalog, session)
    }

    fn before_request(
        &self,
        _history: &mut Vec<Message>,
        _done: Option<Performed>,
        _catalog: &Catalog,
        session: &mut Session,
    ) -> Prepared {
        match &session.memory.eino.missing_model {
            Some(name) => Prepared::Abort(serve::no_model(name)),
            None => Prepared::Send,
        }
    }

    fn next_turn(&self, history: &mut Vec<Message>, _end: TurnEnd, _catalog: &Catalog, session: &mut Session) {
        turns::close_calls(history, |_| turns::INTERRUPTED.to_owned());
        session.model = None;
        let turns = session.memory.eino.turns.saturating_add(1);
        session.memory.eino = Memory { turns, ..Memory::default() };
    }

    fn reads_each_turn(&self, _catalog: &Catalog) -> bool {
        true
    }

    fn agent(&self, catalog: &Catalog) -> Option<Agent> {
        let settings = &catalog.options.eino;
        let name = settings.agent_name.clone().filter(|name| !name.is_empty())?;
        Some(Agent { name, description: settings.agent_description.clone() })
    }

    fn express(&self, step: &ScreenplayStep, catalog: &Catalog, session: &Session) -> Option<Expressed> {
        tools::express(step, catalog, session)
    }

    fn disclosure(&self, call: &ToolCall, catalog: &Catalog) -> Disclosure {
        tools::disclosure(call, catalog)
    }
}

#[cfg(test)]
mod tests;
