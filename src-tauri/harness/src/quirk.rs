//! Where a framework's real behaviour hurts an author.

use camino::Utf8PathBuf;
use serde::Serialize;
use ts_rs::TS;

use skill::Severity;
use skill::source::Span;

/// One place where it bites.
#[derive(Debug, Clone, PartialEq)]
pub struct Quirk {
    pub kind: QuirkKind,
    /// Id of the skill, where it is about one.
    pub skill: Option<String>,
    /// The file and the bytes of its text, where it is about some.
    pub path: Option<Utf8PathBuf>,
    pub span: Option<Span>,
    /// What is lost, changed or hidden there: an excerpt, a name, a value as it is read. May be empty.
    pub detail: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum QuirkKind {
    /// On each line, everything up to and with the first tab is deleted.
    LostBeforeTab,
    /// The frontmatter ends at the first `---`, even inside a value.
    CutAtDashes,
    /// A frontmatter value is not read as YAML reads it; `detail` is what is read.
    ReadDifferently,
    /// One skill that cannot be read keeps all of them from the model.
    OneBadSkillFailsAll,
    /// A folder without a `SKILL.md` keeps all skills from the model.
    MissingManifestRemovesTool,
    /// Of several skills loaded in one answer, only the first gets its instructions.
    OnlyFirstLoadOfATurn,
    /// The catalogue shows a name under which the skill cannot be loaded; `detail` is what loads it.
    ListedNameDoesNotLoad,
    /// Two skills have this name; only one of them can be loaded.
    HiddenByDuplicate,
    /// A file without frontmatter is offered as a skill without a description.
    OfferedWithoutFrontmatter,
    /// Name or description is put into markup as it is, and holds `<`, `>` or `&`.
    NotEscaped,
    /// The tag around the catalogue is opened twice and never closed.
    CatalogueNotClosed,
    /// A value that begins like a section of a docstring keeps the rest of the catalogue from the model.
    CutsCatalogue,
    /// A file of the skill that the framework does not offer.
    FileNotOffered,
    /// A byte order mark reaches the model, or keeps the frontmatter from being read.
    ByteOrderMark,
    /// A link leads out of the skill and is followed.
    LinkLeavesSkill,
    /// Any path is read, also outside of the skills.
    PathNotChecked,
    /// The instructions are longer than the framework reads; `detail` is its limit.
    CutWhenLong,
    /// The order of the skills follows a hash, not their names.
    OrderedByHash,
    /// A value that the framework does not know has no effect.
    ValueIgnored,
    /// The skill names an agent or a model that the project does not have.
    HubEntryMissing,
    /// The skill has scripts, and the framework has no tool to run them.
    ScriptsCannotRun,
    /// The instructions hold a command that the framework's own shell tool refuses to run; `detail` is what it stumbles
    /// over.
    CommandBlocked,
    /// Nothing is given to the model besides the name and description: the body is empty.
    NoInstructions,
}

impl QuirkKind {
    /// The kind as linters name their rules, e.g. `lost-before-tab`.
    pub fn code(self) -> String {
        let mut code = String::new();
        for letter in format!("{self:?}").chars() {
            if letter.is_ascii_uppercase() && !code.is_empty() {
                code.push('-');
            }
            code.push(letter.to_ascii_lowercase());
        }
        code
    }

    /// A warning where the model gets something else than the author wrote, or misses it; else worth knowing.
    pub fn severity(self) -> Severity {
        let harmless = matches!(
            self,
            Self::OnlyFirstLoadOfATurn
                | Self::CatalogueNotClosed
                | Self::FileNotOffered
                | Self::PathNotChecked
                | Self::OrderedByHash
                | Self::ValueIgnored
        );
        if harmless { Severity::Info } else { Severity::Warning }
    }

    /// What happens, in one English sentence. The window has its own words.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::LostBeforeTab => "everything on a line up to its first tab is deleted",
            Self::CutAtDashes => "the frontmatter ends at the first `---`, even inside a value",
            Self::ReadDifferently => "the value is not read as YAML reads it",
            Self::OneBadSkillFailsAll => "this one skill keeps all skills from loading",
            Self::MissingManifestRemovesTool => "a folder without SKILL.md removes the skill tool",
            Self::OnlyFirstLoadOfATurn => "of several skills loaded in one answer only the first gets its instructions",
            Self::ListedNameDoesNotLoad => "the skill cannot be loaded under the name the catalogue shows",
            Self::HiddenByDuplicate => "another skill has the same name, and only one of them can be loaded",
            Self::OfferedWithoutFrontmatter => "it is offered as a skill although it has no frontmatter",
            Self::NotEscaped => "`<`, `>` and `&` go into the catalogue's markup as they are",
            Self::CatalogueNotClosed => "the catalogue's tag is opened twice and never closed",
            Self::CutsCatalogue => {
                "the rest of the catalogue is lost, because the value begins like a list of arguments"
            }
            Self::FileNotOffered => "the framework does not offer this file",
            Self::ByteOrderMark => "the byte order mark is not removed",
            Self::LinkLeavesSkill => "a link that leads out of the skill is followed",
            Self::PathNotChecked => "any path is read, also outside of the skills",
            Self::CutWhenLong => "the file is longer than the framework reads",
            Self::OrderedByHash => "the skills are listed in the order of a hash, not of their names",
            Self::ValueIgnored => "the framework does not know this value, and ignores it",
            Self::HubEntryMissing => "the skill names an agent or a model that the project does not have",
            Self::ScriptsCannotRun => "the framework has no tool to run the skill's scripts",
            Self::CommandBlocked => "the framework's shell tool refuses to run this command",
            Self::NoInstructions => "the skill has no instructions",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_the_kind_in_kebab_case() {
        assert_eq!(QuirkKind::LostBeforeTab.code(), "lost-before-tab");
        assert_eq!(QuirkKind::OnlyFirstLoadOfATurn.code(), "only-first-load-of-a-turn");
    }
}
