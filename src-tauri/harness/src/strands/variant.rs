//! The three variants, and where they differ.

use crate::{Catalog, Group, Limits, Profile, VariantInfo};

pub static PROFILE: Profile = Profile {
    id: "strands",
    title: "Strands Agents",
    group: Group::Framework,
    runs: true,
    variants: &[
        VariantInfo {
            id: SEED,
            title: "As in the article",
            source: "链载Ai, \"Agent Skills 逆向工程解密\"; spacing after xiehust/strands_demos",
            verified: false,
            limits: LIMITS,
        },
        VariantInfo {
            id: DEMO_REPO,
            title: "Demo repository",
            source: "xiehust/strands_demos, strands_skills_demo, run with strands-agents 1.62.0",
            verified: true,
            limits: LIMITS,
        },
        VariantInfo {
            id: VENDED,
            title: "official AgentSkills plugin 1.62",
            source: "strands-agents 1.62.0, strands.vended_plugins.skills",
            verified: true,
            limits: LIMITS,
        },
    ],
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Variant {
    Seed,
    DemoRepo,
    Vended,
}

impl Variant {
    pub fn of(catalog: &Catalog) -> Self {
        Self::named(catalog.variant)
    }

    pub fn named(id: &str) -> Self {
        match id {
            DEMO_REPO => Self::DemoRepo,
            VENDED => Self::Vended,
            _ => Self::Seed,
        }
    }
}

const SEED: &str = "seed";
const DEMO_REPO: &str = "demo-repo";
const VENDED: &str = "vended-1.62";

/// The event loop goes on for as long as the model calls tools.
const LIMITS: Limits = Limits { iterations: None, failed_rounds: None };
