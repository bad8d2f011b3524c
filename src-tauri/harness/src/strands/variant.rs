//! The three variants, and where they differ.

use crate::{Catalog, Group, Limits, Profile, VariantInfo};
use wording::Wording;

pub static PROFILE: Profile = Profile {
    id: "strands",
    title: "Strands Agents",
    group: Group::Framework,
    runs: true,
    variants: &[
        VariantInfo {
            id: SEED,
            title: Wording::new("As in the article", "按文章所述"),
            source: Wording::new(
                "链载Ai, \"Agent Skills 逆向工程解密\"; spacing after xiehust/strands_demos",
                "链载Ai《Agent Skills 逆向工程解密》；空白按 xiehust/strands_demos",
            ),
            verified: false,
            limits: LIMITS,
        },
        VariantInfo {
            id: DEMO_REPO,
            title: Wording::new("Demo repository", "演示仓库"),
            source: Wording::new(
                "xiehust/strands_demos, strands_skills_demo, run with strands-agents 1.62.0",
                "xiehust/strands_demos 的 strands_skills_demo，用 strands-agents 1.62.0 运行",
            ),
            verified: true,
            limits: LIMITS,
        },
        VariantInfo {
            id: VENDED,
            title: Wording::new("Official AgentSkills plugin 1.62", "官方 AgentSkills 插件 1.62"),
            source: Wording::new(
                "strands-agents 1.62.0, strands.vended_plugins.skills",
                "strands-agents 1.62.0，strands.vended_plugins.skills",
            ),
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
