//! The releases of the framework that are reproduced, and the words in which they differ throughout.

use crate::{Catalog, FailedRounds, Limits, Profile, VariantInfo};
use wording::Wording;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Variant {
    Seed,
    DotNet117,
    Python113,
    Python123,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    DotNet,
    Python,
}

impl Variant {
    pub fn of(catalog: &Catalog) -> Self {
        Self::named(catalog.variant)
    }

    /// The default for an id that is not known.
    pub fn named(id: &str) -> Self {
        [Self::DotNet117, Self::Python113, Self::Python123].into_iter().find(|v| v.id() == id).unwrap_or(Self::Seed)
    }

    pub const fn id(self) -> &'static str {
        match self {
            Self::Seed => "seed",
            Self::DotNet117 => "dotnet-1.17",
            Self::Python113 => "python-1.13",
            Self::Python123 => "python-1.23",
        }
    }

    pub fn language(self) -> Language {
        match self {
            Self::Seed | Self::DotNet117 => Language::DotNet,
            Self::Python113 | Self::Python123 => Language::Python,
        }
    }

    pub fn is_python(self) -> bool {
        self.language() == Language::Python
    }

    /// Whether the result of loading a skill also lists its resources and scripts.
    pub fn lists_files(self) -> bool {
        self != Self::Seed
    }

    /// Whether links to folders and files are ignored when searching for skills.
    pub fn skips_links(self) -> bool {
        matches!(self, Self::Seed | Self::Python123)
    }
}

const DOT_NET: Limits = Limits { iterations: Some(40), failed_rounds: Some(FailedRounds::EndAfter(3)) };
const PYTHON: Limits = Limits { iterations: Some(40), failed_rounds: Some(FailedRounds::AnswerAfter(3)) };

pub static PROFILE: Profile = Profile {
    id: "agent-framework",
    title: "Microsoft Agent Framework",
    group: crate::Group::Framework,
    runs: true,
    variants: &[
        VariantInfo {
            id: Variant::Seed.id(),
            title: Wording::new(".NET, as described", ".NET，按文章所述"),
            source: Wording::new(
                "Artech, \"AgentSkillsProvider\", 2026-06-18; Microsoft.Agents.AI sources",
                "Artech《AgentSkillsProvider》，2026-06-18；Microsoft.Agents.AI 源码",
            ),
            verified: false,
            limits: DOT_NET,
        },
        VariantInfo {
            id: Variant::DotNet117.id(),
            title: Wording::name(".NET 1.17"),
            source: Wording::name("Microsoft.Agents.AI 1.17.0"),
            verified: true,
            limits: DOT_NET,
        },
        VariantInfo {
            id: Variant::Python113.id(),
            title: Wording::name("Python 1.13"),
            source: Wording::name("agent-framework-core 1.13.0"),
            verified: true,
            limits: PYTHON,
        },
        VariantInfo {
            id: Variant::Python123.id(),
            title: Wording::name("Python 1.23"),
            source: Wording::name("agent-framework-core 1.23.0"),
            verified: true,
            limits: PYTHON,
        },
    ],
};
