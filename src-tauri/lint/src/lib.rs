//! Judgement on skills: what any tool checks, and what none does. One rule a file; its documentation, its card in the
//! window and its tests come from the rule itself. Nothing here writes: fixes are values.

pub mod code;
pub mod docs;
mod files;
pub mod fix;
mod gate;
pub mod left_out;
mod literals;
pub mod loading;
pub mod markdown;
pub mod options;
pub mod pattern;
mod plain;
pub mod probe;
pub mod references;
pub mod report;
pub mod rules;
mod run;
pub mod runs;
pub mod subject;
pub mod suppress;
#[cfg(test)]
mod tests;
mod words;

pub use files::{Disk, Overlay};
pub use options::{Comments, LintOptions, Setting};
pub use report::{Edit, Finding, Fix, Report};
pub use run::{Linter, Sweep};
pub use subject::{Files, Subject, SubjectSet};

use std::sync::LazyLock;

use camino::Utf8Path;
use serde::Serialize;
use ts_rs::TS;

use skill::source::Span;
use skill::wording::Wording;
use skill::{Problem, Severity};

/// Every rule, in the order of groups, then of names.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    rules::ALL.iter().flat_map(|group| group.iter().copied())
}

pub fn find(id: &str) -> Option<&'static Rule> {
    rules().find(|rule| rule.id == id)
}

/// Where secrets stand in a text: for who shows parts of it.
pub fn secrets(path: &Utf8Path, text: &str) -> Vec<Span> {
    static FINDER: LazyLock<pattern::Finder> = LazyLock::new(|| pattern::Finder::new(&LintOptions::default()));
    FINDER.secrets(path, text)
}

/// A part of a text with no more of its secrets than tells them apart.
pub fn without_secrets(text: &str, part: Span, secrets: &[Span]) -> String {
    rules::security::secret::without(text, part, secrets)
}

/// One thing that is checked, with all that is to be said about it.
#[derive(Debug)]
pub struct Rule {
    /// Kebab case, unique, and the name of its file, e.g. `name-uppercase`.
    pub id: &'static str,
    pub group: Group,
    pub severity: Severity,
    /// `false`: only where it is selected.
    pub on: bool,
    /// What is wrong, in a few words without a full stop, e.g. `Name has capital letters`.
    pub title: Wording,
    /// What it looks for, exactly.
    pub what: Wording,
    /// Who is hurt, and how.
    pub why: Wording,
    /// It fires here …
    pub bad: Example,
    /// … and not here.
    pub good: Example,
    /// Where the rule comes from: a specification, a framework's documentation or source, measurement.
    pub source: &'static str,
    /// `None`: it offers no fix.
    pub fix: Option<Applicability>,
    pub check: Check,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Group {
    /// Frontmatter and file form.
    Form,
    /// Name and description.
    Description,
    /// What a skill costs in tokens.
    Budget,
    /// The quality of the instructions.
    Instructions,
    /// Links and resources.
    Links,
    /// Scripts and commands.
    Scripts,
    Security,
    /// What one client or framework makes of it.
    Clients,
    /// Several skills beside each other.
    Sets,
    /// Evaluations, packages and recorded runs.
    Evals,
}

/// Whether a fix may be applied unseen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Applicability {
    /// It keeps the meaning.
    Safe,
    /// Its author should look at it.
    Unsafe,
}

/// Files of a skill, by their paths in the skill's folder; `SKILL.md` is one of them.
#[derive(Debug, Clone, Copy)]
pub struct Example {
    /// The name of the skill's folder.
    pub folder: &'static str,
    pub files: &'static [(&'static str, &'static str)],
}

impl Example {
    /// A skill in the folder `demo` that is only a `SKILL.md`.
    pub const fn skill(files: &'static [(&'static str, &'static str)]) -> Self {
        Self { folder: "demo", files }
    }
}

/// How a rule looks.
#[derive(Debug)]
pub enum Check {
    /// Reading found this already.
    Load(LoadCheck),
    /// Looks at one skill.
    Skill(SkillCheck),
    /// Texts that match a pattern. All patterns are looked for in one pass.
    Pattern(pattern::Patterns),
    /// Looks at all skills beside each other.
    Set(SetCheck),
}

pub type LoadCheck = fn(&Problem) -> bool;
pub type SkillCheck = fn(&Subject<'_>, &mut Report<'_>);
pub type SetCheck = fn(&SubjectSet<'_>, &mut Report<'_>);

impl Group {
    pub const ALL: [Self; 10] = [
        Self::Form,
        Self::Description,
        Self::Budget,
        Self::Instructions,
        Self::Links,
        Self::Scripts,
        Self::Security,
        Self::Clients,
        Self::Sets,
        Self::Evals,
    ];

    /// As settings and the command line name it.
    pub fn id(self) -> &'static str {
        match self {
            Self::Form => "form",
            Self::Description => "description",
            Self::Budget => "budget",
            Self::Instructions => "instructions",
            Self::Links => "links",
            Self::Scripts => "scripts",
            Self::Security => "security",
            Self::Clients => "clients",
            Self::Sets => "sets",
            Self::Evals => "evals",
        }
    }

    pub fn title(self) -> &'static str {
        match self {
            Self::Form => "Frontmatter and file form",
            Self::Description => "Name and description",
            Self::Budget => "Budgets",
            Self::Instructions => "Instructions",
            Self::Links => "Links and resources",
            Self::Scripts => "Scripts and commands",
            Self::Security => "Security",
            Self::Clients => "Clients and frameworks",
            Self::Sets => "Sets of skills",
            Self::Evals => "Evaluations, packages and runs",
        }
    }
}
