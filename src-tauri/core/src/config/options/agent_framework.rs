//! Options of `agent-framework`.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// `AgentSkillsProviderOptions`, `AgentFileSkillsSourceOptions` and the builder's filter, after seed 000.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default, expecting = "options of agent-framework")]
pub struct AgentFrameworkOptions {
    /// `SkillsInstructionPrompt`: must contain `{skills}`.
    pub skills_instruction_prompt: Option<String>,
    /// `ScriptApproval`: run_skill_script needs the user's approval in the framework itself.
    pub script_approval: bool,
    /// `DisableCaching`: read the skills anew for every model request.
    pub disable_caching: bool,
    /// `AllowedResourceExtensions`, each with its dot.
    pub allowed_resource_extensions: Option<Vec<String>>,
    /// `AllowedScriptExtensions`, each with its dot.
    pub allowed_script_extensions: Option<Vec<String>>,
    /// `UseFilter`: only skills with these names; `null` lets all through.
    pub filter: Option<Vec<String>>,
    /// Send results as the JSON string literal that the .NET client sends (`true`), or as bare text.
    pub json_encoded_results: bool,
    /// `IncludeDetailedErrors` of FunctionInvokingChatClient.
    pub include_detailed_errors: bool,
    /// The order in which sources are aggregated; the first skill of a name wins.
    pub sources: Vec<SkillSource>,
}

impl Default for AgentFrameworkOptions {
    fn default() -> Self {
        Self {
            skills_instruction_prompt: None,
            script_approval: false,
            disable_caching: false,
            allowed_resource_extensions: None,
            allowed_script_extensions: None,
            filter: None,
            json_encoded_results: true,
            include_detailed_errors: false,
            sources: vec![SkillSource::Files, SkillSource::Inline],
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum SkillSource {
    Files,
    Inline,
}
