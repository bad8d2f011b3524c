//! deepagents (Python, on LangChain): `create_deep_agent` with `skills`, over a `FilesystemBackend`. The system prompt
//! lists the skills and the model reads them with `read_file`, which shows 100 lines unless it is asked for more. There
//! is no tool to run anything: this backend has none.
//!
//! `ls`, `read_file` and `glob` were compared with the real ones; the client's other tools were not.

mod catalogue;
mod discover;
mod files;
mod frontmatter;
mod given;
mod serve;
mod tools;

pub use frontmatter::Matter as Detail;

use super::{
    Catalog, Disclosure, Expressed, Group, Harness, Limits, Options, Performed, Presentation, Profile, Served, Session,
    VariantInfo,
};
use config::ScreenplayStep;
use model::{Dialect, ToolCall};
use skill::SkillSet;
use wording::Wording;

pub struct DeepAgents;

const MANIFEST: &str = "SKILL.md";

static PROFILE: Profile = Profile {
    id: "deepagents",
    title: "deepagents",
    group: Group::Client,
    runs: true,
    variants: &[VariantInfo {
        id: "0.7",
        title: Wording::name("0.7.32"),
        source: Wording::new("deepagents 0.7.32 from PyPI, run", "PyPI 上的 deepagents 0.7.32，实际运行"),
        verified: true,
        // `recursion_limit` is 9,999.
        limits: Limits { iterations: None, failed_rounds: None },
    }],
};

impl Harness for DeepAgents {
    fn profile(&self) -> &Profile {
        &PROFILE
    }

    fn select(&self, found: &SkillSet, options: &Options) -> Catalog {
        discover::load(found, &options.inline_skills).into_catalog(&PROFILE, found, options)
    }

    fn present(&self, catalog: &Catalog, session: &Session) -> Presentation {
        if catalog.refused.is_some() || session.delegated {
            return Presentation::default();
        }
        Presentation {
            instructions: Some(catalogue::instructions(catalog, session.agent_instructions.as_deref())),
            tools: tools::presented(),
            cache_points: Vec::new(),
        }
    }

    fn dialect(&self, _catalog: &Catalog) -> Dialect {
        Dialect::default()
    }

    fn serve(&self, call: &ToolCall, catalog: &Catalog, session: &mut Session) -> Served {
        serve::serve(call, catalog, session)
    }

    fn settle(&self, call: &ToolCall, done: Performed, catalog: &Catalog, session: &mut Session) -> Served {
        serve::settle(call, done, catalog, session)
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
