//! The kinds of faults that rules look for.

use serde::Serialize;
use ts_rs::TS;

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
