//! Codex CLI, from recorded runs and its source. There is no tool for skills: a developer message lists them, the model
//! reads their files with a shell, and `$name` in a prompt adds the instructions after it.
//!
//! Codex's own prompt is marked by a placeholder. `exec_command`, `view_image` and `exec`, for which newer models write
//! programs, are there so that a run can go on from a skill.
//!
//! Not covered: plugins, skills of other machines, `[[skills.config]]`, and what happens when the window is full.

mod catalogue;
mod discover;
mod frontmatter;
mod mention;
mod models;
mod policy;
mod quirks;
mod script;
mod serve;
mod tools;

use camino::Utf8PathBuf;
use serde_json::{Map, Value};

use super::{
    Catalog, CatalogSkill, Detail as AnyDetail, Disclosure, Expressed, Group, Harness, Limits, Options, Performed,
    Prepared, Presentation, Profile, Served, Session, ToolReply, VariantInfo,
};
use config::ScreenplayStep;
use model::{Dialect, Message, ToolCall};
use skill::SkillSet;
use wording::Wording;

pub struct Codex;

/// What it remembers of one conversation.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Memory {
    /// The list of skills has been sent.
    listed: bool,
    /// The program that makes a call.
    running: Option<Box<serve::Running>>,
    /// What programs keep for later ones.
    stored: Map<String, Value>,
}

/// Facts about a skill in addition to its name and description.
#[derive(Debug, Clone, PartialEq)]
pub struct Detail {
    scope: Scope,
    /// The folder that an alias of the list means.
    root: Utf8PathBuf,
    /// The place of the root among all roots.
    rank: usize,
    /// Of `SKILL.md` below the root, as the list has it.
    within: String,
    /// The real path of `SKILL.md`.
    file: Utf8PathBuf,
    /// Not taken out of the list by `agents/openai.yaml`.
    in_list: bool,
    short_description: Option<String>,
}

impl Detail {
    /// What it keeps next to name, description and instructions.
    pub fn kept(&self) -> Map<String, Value> {
        let short = self.short_description.as_deref();
        let mut kept = Map::from_iter([("scope".to_owned(), Value::from(self.scope.name()))]);
        kept.extend(short.map(|short| ("short-description".to_owned(), Value::from(short))));
        kept
    }

    /// The real path of `SKILL.md`.
    pub fn file(&self) -> &Utf8PathBuf {
        &self.file
    }
}

/// The owner of a root's skills, in the order of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Scope {
    System,
    Admin,
    Repo,
    User,
}

impl Scope {
    /// As the client calls it.
    fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Admin => "admin",
            Self::Repo => "repo",
            Self::User => "user",
        }
    }
}

/// As texts that are not reproduced name it.
const CLIENT: &str = "Codex";
const MANIFEST: &str = "SKILL.md";

static PROFILE: Profile = Profile {
    id: "codex",
    title: "Codex CLI",
    group: Group::Client,
    runs: true,
    variants: &[VariantInfo {
        id: "0.169",
        title: Wording::name("0.169.0"),
        source: Wording::new(
            "@openai/codex 0.169.0, run, and its source; only what it does with skills",
            "@openai/codex 0.169.0，实际运行并参照其源码；仅限它对技能的处理",
        ),
        verified: true,
        limits: Limits { iterations: None, failed_rounds: None },
    }],
};

impl Harness for Codex {
    fn profile(&self) -> &Profile {
        &PROFILE
    }

    fn select(&self, found: &SkillSet, options: &Options) -> Catalog {
        discover::load(found, options).into_catalog(&PROFILE, found, options)
    }

    fn present(&self, catalog: &Catalog, session: &Session) -> Presentation {
        tools::present(catalog, session)
    }

    /// Messages that are neither the user's nor the model's have the role developer, and texts of a message are
    /// separate items. Newer models get their tools as such an item, too.
    fn dialect(&self, catalog: &Catalog) -> Dialect {
        let tools_as_item = models::of(&catalog.options.codex.model).tools_as_item;
        let freeform = tools_as_item.then_some(tools::FREEFORM);
        Dialect { developer: true, user_parts: true, tools_as_item, freeform, ..Dialect::default() }
    }

    fn serve(&self, call: &ToolCall, catalog: &Catalog, session: &mut Session) -> Served {
        serve::serve(call, catalog, session)
    }

    fn wire(&self, reply: &ToolReply, _catalog: &Catalog) -> Option<String> {
        serve::wire(reply)
    }

    fn settle(&self, call: &ToolCall, done: Performed, catalog: &Catalog, session: &mut Session) -> Served {
        serve::settle(call, done, catalog, session)
    }

    fn before_request(
        &self,
        history: &mut Vec<Message>,
        _done: Option<Performed>,
        catalog: &Catalog,
        session: &mut Session,
    ) -> Prepared {
        if !std::mem::replace(&mut session.memory.codex.listed, true) {
            catalogue::put(history, catalog, session);
        }
        mention::answer(history, catalog, session);
        Prepared::Send
    }

    fn express(&self, step: &ScreenplayStep, catalog: &Catalog, session: &Session) -> Option<Expressed> {
        tools::express(step, catalog, session)
    }

    fn disclosure(&self, call: &ToolCall, catalog: &Catalog) -> Disclosure {
        tools::disclosure(call, catalog)
    }
}

fn detail(skill: &CatalogSkill) -> Option<&Detail> {
    match &skill.detail {
        AnyDetail::Codex(detail) => Some(detail),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
