//! Claude Code, a client without public source: its behaviour as seen in recorded runs of 2.1.330 and 2.1.197. Its own
//! prompt and the description of its tool are not reproduced; their places say how long they are.
//!
//! The catalogue is a text of the first user message, before the prompt. A skill's text comes in two parts: a short
//! result, and a text with the instructions after all results of the round. Arguments and the output of commands in the
//! instructions are filled in when the skill is loaded. `Read` and `Bash` are there so that a run can go on from a
//! skill; they were not compared.
//!
//! Not covered: plugins, bundled skills, rules of `settings.json`, and what happens when the window is full.

mod arguments;
mod catalogue;
mod discover;
mod expand;
mod frontmatter;
mod names;
mod quirks;
mod serve;
mod slash;
mod tools;

use super::{
    Catalog, CatalogSkill, Detail as AnyDetail, Disclosure, Expressed, Group, Harness, Limits, Marked, Options,
    Performed, Prepared, Presentation, Profile, Served, Session, TurnEnd, VariantInfo, turns,
};
use config::ScreenplayStep;
use model::{Dialect, Message, ToolCall};
use skill::SkillSet;

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use wording::Wording;

pub struct ClaudeCode;

/// What it remembers of one conversation.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Memory {
    /// The first message has the catalogue.
    listed: bool,
    /// Texts that go behind the results of this round.
    pending: Vec<Marked>,
    /// The instructions that the conversation has, by the skill's id.
    loaded: BTreeMap<String, String>,
    /// Skills on their way, by the id of the call.
    loading: BTreeMap<String, expand::Loading>,
}

/// Facts about a skill in addition to its name and description.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Detail {
    /// Not trimmed at its end.
    body: String,
    /// The `name` in the frontmatter, if it differs from the folder's.
    alias: Option<String>,
    /// The description and `when_to_use`, as the list shows them if there is room.
    listed: String,
    /// The description is one of the frontmatter.
    described: bool,
    /// A file in `commands`, which has no folder.
    is_command: bool,
    /// Whether the list has it.
    in_list: bool,
    /// `disable-model-invocation`.
    for_users_only: bool,
    /// Not `user-invocable: false`.
    for_users: bool,
    /// `allowed-tools` is there, so that the user is asked first.
    asks: bool,
    /// `context: fork`.
    forks: bool,
    agent: Option<String>,
    model: Option<String>,
    /// The other fields that the client knows.
    kept: Map<String, Value>,
}

impl Detail {
    /// What it keeps next to name, description and instructions.
    pub fn kept(&self) -> Map<String, Value> {
        self.kept.clone()
    }

    /// The other name under which the user finds it; `None` if it has its own alone.
    pub fn alias(&self) -> Option<&str> {
        self.alias.as_deref()
    }

    /// Whether it names the skill to the user, and offers it as a command.
    pub fn is_offered_to_user(&self) -> bool {
        self.described && self.for_users
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Variant {
    Newest,
    Older,
}

impl Variant {
    fn of(catalog: &Catalog) -> Self {
        Self::named(catalog.variant)
    }

    fn named(id: &str) -> Self {
        if id == OLDER { Self::Older } else { Self::Newest }
    }
}

/// As texts that are not reproduced name it.
const CLIENT: &str = "Claude Code";
const NEWEST: &str = "2.1.330";
const OLDER: &str = "2.1.197";
const MANIFEST: &str = "SKILL.md";
const LIMITS: Limits = Limits { iterations: None, failed_rounds: None };

static PROFILE: Profile = Profile {
    id: "claude-code",
    title: "Claude Code",
    group: Group::Client,
    runs: true,
    variants: &[
        VariantInfo {
            id: NEWEST,
            title: Wording::name("2.1.330"),
            source: Wording::new(
                "@anthropic-ai/claude-code 2.1.330, run; only what it does with skills",
                "@anthropic-ai/claude-code 2.1.330，实际运行；仅限它对技能的处理",
            ),
            verified: true,
            limits: LIMITS,
        },
        VariantInfo {
            id: OLDER,
            title: Wording::name("2.1.197"),
            source: Wording::new(
                "@anthropic-ai/claude-code 2.1.197, run; only what it does with skills",
                "@anthropic-ai/claude-code 2.1.197，实际运行；仅限它对技能的处理",
            ),
            verified: true,
            limits: LIMITS,
        },
    ],
};

impl Harness for ClaudeCode {
    fn profile(&self) -> &Profile {
        &PROFILE
    }

    /// By default: reads of the working directories and of skills need no permission, others do.
    fn asks_outside(&self) -> bool {
        true
    }

    fn select(&self, found: &SkillSet, options: &Options) -> Catalog {
        discover::load(found, options).into_catalog(&PROFILE, found, options)
    }

    fn present(&self, catalog: &Catalog, session: &Session) -> Presentation {
        tools::present(catalog, session)
    }

    /// Texts of a message are separate blocks, and texts after results are in the results' message.
    fn dialect(&self, _catalog: &Catalog) -> Dialect {
        Dialect { user_parts: true, ..Dialect::default() }
    }

    fn serve(&self, call: &ToolCall, catalog: &Catalog, session: &mut Session) -> Served {
        serve::serve(call, catalog, session)
    }

    fn settle(&self, call: &ToolCall, done: Performed, catalog: &Catalog, session: &mut Session) -> Served {
        serve::settle(call, done, catalog, session)
    }

    fn before_request(
        &self,
        history: &mut Vec<Message>,
        done: Option<Performed>,
        catalog: &Catalog,
        session: &mut Session,
    ) -> Prepared {
        // A sub-agent has no skills.
        if session.delegated {
            return Prepared::Send;
        }
        serve::deliver(history, session);
        let prepared = slash::answer(history, done, catalog, session);
        if prepared == Prepared::Send {
            catalogue::put(history, catalog, session);
        }
        prepared
    }

    fn next_turn(&self, history: &mut Vec<Message>, _end: TurnEnd, _catalog: &Catalog, session: &mut Session) {
        turns::close_calls(history, |_| turns::INTERRUPTED.to_owned());
        session.memory.claude_code.loading.clear();
    }

    fn express(&self, step: &ScreenplayStep, catalog: &Catalog, session: &Session) -> Option<Expressed> {
        tools::express(step, catalog, session)
    }

    /// A skill for users only is what they type.
    fn loads_with(&self, skill: &CatalogSkill, _catalog: &Catalog, _session: &Session) -> Option<String> {
        let detail = detail(skill)?;
        match (detail.for_users_only, detail.for_users) {
            (false, _) => Some(tools::Tool::Skill.name().to_owned()),
            (true, true) => Some(format!("/{}", skill.name)),
            (true, false) => None,
        }
    }

    fn disclosure(&self, call: &ToolCall, catalog: &Catalog) -> Disclosure {
        tools::disclosure(call, catalog)
    }
}

fn detail(skill: &CatalogSkill) -> Option<&Detail> {
    match &skill.detail {
        AnyDetail::ClaudeCode(detail) => Some(detail),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
