//! Gemini CLI (Apache-2.0). The system instruction lists the skills, and `activate_skill` names them again. Its result
//! has the instructions and a tree of the skill's folder. Without `--yolo` the user is asked before each skill.
//!
//! The client's own prompt and its first message about the project are marked by placeholders, not reproduced.
//! `read_file` and `run_shell_command` are there so that a run can go on from a skill; they were not compared.
//!
//! Skills that `.gemini/settings.json` switches off are left out. If none is left on, the client loads them
//! nevertheless, because its tool then accepts any name; that is not imitated.
//!
//! Not covered: extensions that an option of the command line chooses, and the shorter sentence above the list that
//! some models get.

mod arguments;
mod builtin;
mod catalogue;
mod discover;
mod extension;
mod frontmatter;
mod quirks;
mod serve;
mod switched;
mod tools;
mod tree;

use super::{
    Catalog, CatalogSkill, Detail as AnyDetail, Disclosure, Expressed, Group, Harness, Limits, Marked, Options, Origin,
    Performed, Prepared, Presentation, Profile, Served, Session, VariantInfo,
};
use config::ScreenplayStep;
use model::{Dialect, Message, Part, Role, ToolCall};
use skill::SkillSet;
use wording::Wording;

pub struct GeminiCli;

/// What it remembers of one conversation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Memory {
    /// The first message has what the client says of the project.
    opened: bool,
}

/// Facts about a skill in addition to its name and description.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Detail {
    body: String,
    tree: String,
}

/// As texts that are not reproduced name it.
const CLIENT: &str = "Gemini CLI";
const MANIFEST: &str = "SKILL.md";

static PROFILE: Profile = Profile {
    id: "gemini-cli",
    title: "Gemini CLI",
    group: Group::Client,
    runs: true,
    variants: &[VariantInfo {
        id: "0.61",
        title: Wording::name("0.61.0"),
        source: Wording::new("@google/gemini-cli 0.61.0 from npm, run", "npm 上的 @google/gemini-cli 0.61.0，实际运行"),
        verified: true,
        limits: Limits { iterations: None, failed_rounds: None },
    }],
};

impl Harness for GeminiCli {
    fn profile(&self) -> &Profile {
        &PROFILE
    }

    fn select(&self, found: &SkillSet, options: &Options) -> Catalog {
        discover::load(found, options).into_catalog(&PROFILE, found, options)
    }

    fn present(&self, catalog: &Catalog, session: &Session) -> Presentation {
        tools::present(catalog, session)
    }

    /// Texts of a message are separate parts.
    fn dialect(&self, _catalog: &Catalog) -> Dialect {
        Dialect { user_parts: true, ..Dialect::default() }
    }

    fn serve(&self, call: &ToolCall, catalog: &Catalog, session: &mut Session) -> Served {
        serve::serve(call, catalog, session)
    }

    fn settle(&self, call: &ToolCall, done: Performed, catalog: &Catalog, session: &mut Session) -> Served {
        serve::settle(call, done, catalog, session)
    }

    /// Puts the place of what the client says of the project before the first prompt.
    fn before_request(
        &self,
        history: &mut Vec<Message>,
        _done: Option<Performed>,
        _catalog: &Catalog,
        session: &mut Session,
    ) -> Prepared {
        if !std::mem::replace(&mut session.memory.gemini_cli.opened, true)
            && let Some(first) = history.iter_mut().find(|message| message.role == Role::User)
        {
            let mut context = Marked::default();
            context.push_withheld(CLIENT, None);
            first.parts.insert(0, Part::Text { text: context.text.clone() });
            session.injected.push(context);
        }
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
        AnyDetail::GeminiCli(detail) => Some(detail),
        _ => None,
    }
}

/// What loading a skill gives the model; `name` is as it was called.
fn activated(name: &str, id: &str, detail: &Detail) -> Marked {
    let mut text = Marked::default();
    text.push(&format!("<activated_skill name=\"{name}\">\n  <instructions>\n    "), Origin::Framework);
    text.push(&detail.body, Origin::Skill { skill: id.to_owned(), field: "body".to_owned() });
    text.push("\n  </instructions>\n\n  <available_resources>\n    ", Origin::Framework);
    text.push(&detail.tree, Origin::Framework);
    text.push("\n  </available_resources>\n</activated_skill>", Origin::Framework);
    text
}

#[cfg(test)]
mod tests;
