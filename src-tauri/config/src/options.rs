//! Options of each harness, as `workbench.yaml` writes them under the harness's id.

mod agent_framework;
mod agentscope;
mod claude_code;
mod codex;
mod eino;
mod form;
mod gemini_cli;
mod learn_claude_code;
mod opencode;
mod strands;

pub use agent_framework::{AgentFrameworkOptions, AutoApproval, FolderOptions, ScriptRunner, SkillFilter, SkillSource};
pub use agentscope::{AgentScopeOptions, Deactivation};
pub use claude_code::ClaudeCodeOptions;
pub use codex::CodexOptions;
pub use eino::{EinoAgent, EinoAgentTools, EinoBackend, EinoLanguage, EinoOptions};
pub use form::{OptionChoice, OptionInfo, OptionKind, described};
pub use gemini_cli::{GeminiApproval, GeminiCliOptions};
pub use learn_claude_code::{CompactionOptions, LearnClaudeCodeOptions, NagPosition};
pub use opencode::{OpenCodeOptions, PermissionAction, SkillPermission};
pub use strands::StrandsOptions;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The options of every harness that has some.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(
    rename_all = "kebab-case",
    deny_unknown_fields,
    default,
    expecting = "⟪a framework and its options‖框架及其选项⟫"
)]
pub struct HarnessOptions {
    pub agent_framework: AgentFrameworkOptions,
    pub eino: EinoOptions,
    pub learn_claude_code: LearnClaudeCodeOptions,
    pub strands: StrandsOptions,
    pub agentscope: AgentScopeOptions,
    pub claude_code: ClaudeCodeOptions,
    pub codex: CodexOptions,
    pub gemini_cli: GeminiCliOptions,
    pub opencode: OpenCodeOptions,
}

impl HarnessOptions {
    /// The user's home folder for each client that has one set.
    pub fn homes_mut(&mut self) -> impl Iterator<Item = &mut String> {
        let Self { claude_code, codex, gemini_cli, opencode, .. } = self;
        [&mut claude_code.home, &mut codex.home, &mut gemini_cli.home, &mut opencode.home].into_iter().flatten()
    }
}
