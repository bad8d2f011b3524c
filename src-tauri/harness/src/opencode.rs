//! OpenCode (MIT). The end of the system message lists the skills that have a description, and the tool `skill` loads
//! any. Its result has the instructions and ten of the skill's files.
//!
//! Two things are chance in the client, and fixed here: which of the skills with one name is there, and which ten files
//! are named. Both are marked as such. The client's own prompt has its place, and is not reproduced. `read` and `bash`
//! are there so that a run can go on from a skill; they were not compared.
//!
//! `skills.urls` is not fetched: what it brought is in the client's cache, and is read there. Not covered: rules of an
//! agent of the user.

mod catalogue;
mod discover;
mod frontmatter;
mod ignored;
mod json;
mod permission;
mod quirks;
mod serve;
mod tools;

use camino::Utf8PathBuf;

use super::{
    Catalog, CatalogSkill, Detail as AnyDetail, Disclosure, Expressed, Group, Harness, Limits, Marked, Options, Origin,
    Performed, Presentation, Profile, Served, Session, VariantInfo, javascript,
};
use config::ScreenplayStep;
use config::options::PermissionAction;
use model::ToolCall;
use skill::SkillSet;
use wording::Wording;

pub struct OpenCode;

/// Facts about a skill in addition to its name and description.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Detail {
    /// Not trimmed.
    content: String,
    is_described: bool,
    folder: Utf8PathBuf,
    /// Those that a result may name.
    files: Vec<Utf8PathBuf>,
}

impl Detail {
    /// What follows the frontmatter.
    pub fn content(&self) -> &str {
        &self.content
    }

    /// Whether it has a description; without one, it is not shown to models.
    pub fn is_described(&self) -> bool {
        self.is_described
    }

    /// Of these a result names ten.
    pub fn files(&self) -> &[Utf8PathBuf] {
        &self.files
    }
}

/// As texts that are not reproduced name it.
const CLIENT: &str = "OpenCode";
const MANIFEST: &str = "SKILL.md";
/// The skill that the client brings along.
const OWN: &str = "customize-opencode";
/// Files that a result names.
const SAMPLED: usize = 10;
/// Of the client's own prompt, as recorded.
const BASE_CHARACTERS: u32 = 8872;

static PROFILE: Profile = Profile {
    id: "opencode",
    title: "OpenCode",
    group: Group::Client,
    runs: true,
    variants: &[VariantInfo {
        id: "1.18",
        title: Wording::name("1.18.33"),
        source: Wording::new("opencode-ai 1.18.33 from npm, run", "npm 上的 opencode-ai 1.18.33，实际运行"),
        verified: true,
        limits: Limits { iterations: None, failed_rounds: None },
    }],
};

impl Harness for OpenCode {
    fn profile(&self) -> &Profile {
        &PROFILE
    }

    /// By default: `external_directory` is "ask", except for the folders of skills.
    fn asks_outside(&self) -> bool {
        true
    }

    fn select(&self, found: &SkillSet, options: &Options) -> Catalog {
        discover::load(found, options).into_catalog(&PROFILE, found, options)
    }

    fn present(&self, catalog: &Catalog, session: &Session) -> Presentation {
        tools::present(catalog, session)
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

    /// Nothing loads a skill that is denied or fails.
    fn loads_with(&self, skill: &CatalogSkill, catalog: &Catalog, _session: &Session) -> Option<String> {
        let settings = &catalog.options.opencode;
        let is_denied = permission::action(&skill.name, &settings.permission) == PermissionAction::Deny;
        (settings.ripgrep && !is_denied).then(|| tools::SKILL.to_owned())
    }

    fn disclosure(&self, call: &ToolCall, catalog: &Catalog) -> Disclosure {
        tools::disclosure(call, catalog)
    }
}

fn detail(skill: &CatalogSkill) -> Option<&Detail> {
    match &skill.detail {
        AnyDetail::OpenCode(detail) => Some(detail),
        _ => None,
    }
}

/// What loading a skill gives the model.
fn loaded_text(name: &str, detail: &Detail) -> Marked {
    let mut text = Marked::default();
    text.push(&format!("<skill_content name=\"{name}\">\n# Skill: {name}\n\n"), Origin::Framework);
    let body = Origin::Skill { skill: name.to_owned(), field: "body".to_owned() };
    text.push(javascript::trim(&detail.content), body);
    let files: Vec<String> = detail.files.iter().take(SAMPLED).map(|path| format!("<file>{path}</file>")).collect();
    let rest = format!(
        "\n\nBase directory for this skill: {}\nRelative paths in this skill (e.g., scripts/, reference/) are relative to \
         this base directory.\nNote: file list is sampled.\n\n<skill_files>\n{}\n</skill_files>\n</skill_content>",
        detail.folder,
        files.join("\n")
    );
    text.push(&rest, Origin::Framework);
    text
}

#[cfg(test)]
mod tests;
