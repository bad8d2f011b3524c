//! skills-ref, the reference library of the Agent Skills specification (Python): it reads, validates and presents
//! skills, and runs nothing. It does not search for skills itself; here it gets every folder with a `SKILL.md`.
//!
//! The results of `validate` are in the log, as its command line prints them. `to_prompt` prints nothing if one of the
//! folders cannot be read.

mod catalogue;
mod discover;
mod properties;

pub use properties::Properties as Detail;

use super::{
    Catalog, Disclosure, Expressed, Group, Harness, Limits, Options, Performed, Presentation, Profile, Served, Session,
    VariantInfo,
};
use config::ScreenplayStep;
use model::ToolCall;
use skill::SkillSet;
use wording::Wording;

pub struct AgentSkills;

static PROFILE: Profile = Profile {
    id: "agent-skills",
    title: "Agent Skills reference library",
    group: Group::Client,
    runs: false,
    variants: &[VariantInfo {
        id: "0.1.1",
        title: Wording::name("skills-ref 0.1.1"),
        source: Wording::new("skills-ref 0.1.1 from PyPI, run", "PyPI 上的 skills-ref 0.1.1，实际运行"),
        verified: true,
        limits: Limits { iterations: None, failed_rounds: None },
    }],
};

impl Harness for AgentSkills {
    fn profile(&self) -> &Profile {
        &PROFILE
    }

    fn select(&self, found: &SkillSet, options: &Options) -> Catalog {
        discover::load(found, &options.inline_skills).into_catalog(&PROFILE, found, options)
    }

    fn present(&self, catalog: &Catalog, _session: &Session) -> Presentation {
        let instructions = catalog.refused.is_none().then(|| catalogue::prompt(&catalog.skills));
        Presentation { instructions, ..Presentation::default() }
    }

    fn serve(&self, call: &ToolCall, _catalog: &Catalog, _session: &mut Session) -> Served {
        Served::Abort(format!("skills-ref has no tool {}", call.name))
    }

    fn settle(&self, call: &ToolCall, _done: Performed, catalog: &Catalog, session: &mut Session) -> Served {
        self.serve(call, catalog, session)
    }

    fn express(&self, _step: &ScreenplayStep, _catalog: &Catalog, _session: &Session) -> Option<Expressed> {
        None
    }

    fn disclosure(&self, _call: &ToolCall, _catalog: &Catalog) -> Disclosure {
        Disclosure::None
    }
}

#[cfg(test)]
mod tests;
