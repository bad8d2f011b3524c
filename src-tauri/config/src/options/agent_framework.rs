//! Options of `agent-framework`.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// `AgentSkillsProviderOptions`, `AgentFileSkillsSourceOptions` and the builder's filter; names are those of .NET.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default, expecting = "options of agent-framework")]
pub struct AgentFrameworkOptions {
    /// `SkillsInstructionPrompt`: must contain `{skills}`. In Python (`instruction_template`) it is a format string that may
    /// also hold `{resource_instructions}` and `{runner_instructions}`; braces that mean themselves are doubled.
    pub skills_instruction_prompt: Option<String>,
    /// `ScriptApproval`: run_skill_script needs the user's approval in the framework itself. Variant `seed` only; in the
    /// others all three tools need it unless one of the next four options says otherwise.
    pub script_approval: bool,
    /// `DisableLoadSkillApproval`: load_skill runs without asking.
    pub disable_load_skill_approval: bool,
    /// `DisableReadSkillResourceApproval`: read_skill_resource runs without asking.
    pub disable_read_skill_resource_approval: bool,
    /// `DisableRunSkillScriptApproval`: run_skill_script runs without asking.
    pub disable_run_skill_script_approval: bool,
    /// The provider's auto-approval rule that is in force.
    pub auto_approval: AutoApproval,
    /// `DisableCaching`: read the skills anew for every model request.
    pub disable_caching: bool,
    /// `AllowedResourceExtensions`, each with its dot.
    pub allowed_resource_extensions: Option<Vec<String>>,
    /// `AllowedScriptExtensions`, each with its dot.
    pub allowed_script_extensions: Option<Vec<String>>,
    /// What runs the script files of skills.
    pub script_runner: ScriptRunner,
    /// `UseFilter`: only skills with these names; `null` lets all through.
    pub filter: Option<Vec<String>>,
    /// Send results as the JSON string literal that the .NET client sends (`true`), or as bare text. Python always sends
    /// bare text.
    pub json_encoded_results: bool,
    /// `IncludeDetailedErrors` of the layer that calls tools (FunctionInvokingChatClient, `include_detailed_errors`).
    pub include_detailed_errors: bool,
    /// `IncludeDetailedErrors` of AgentSkillsProviderOptions, which says why a script failed. Variant `dotnet-1.17` only.
    pub include_detailed_script_errors: bool,
    /// The order in which sources are aggregated; the first skill of a name wins.
    pub sources: Vec<SkillSource>,
}

impl Default for AgentFrameworkOptions {
    fn default() -> Self {
        Self {
            skills_instruction_prompt: None,
            script_approval: false,
            disable_load_skill_approval: false,
            disable_read_skill_resource_approval: false,
            disable_run_skill_script_approval: false,
            auto_approval: AutoApproval::None,
            disable_caching: false,
            allowed_resource_extensions: None,
            allowed_script_extensions: None,
            script_runner: ScriptRunner::Seed,
            filter: None,
            json_encoded_results: true,
            include_detailed_errors: false,
            include_detailed_script_errors: false,
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

/// Which tools the framework lets run although they need approval.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum AutoApproval {
    #[default]
    None,
    /// `ReadOnlyToolsAutoApprovalRule`: load_skill and read_skill_resource.
    ReadOnly,
    /// `AllToolsAutoApprovalRule`.
    All,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum ScriptRunner {
    /// The runner of seed 000: an object of arguments becomes `--key value`, and the result is what the script printed.
    #[default]
    Seed,
    /// The `SubprocessScriptRunner` of the framework's samples: only a list of texts is taken, the script runs in its
    /// own folder, and the result also holds what it wrote to stderr and its exit code.
    Sample,
    /// None: every script fails.
    None,
}
