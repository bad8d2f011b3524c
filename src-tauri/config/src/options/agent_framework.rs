//! Options of `agent-framework`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// `AgentSkillsProviderOptions`, `AgentFileSkillsSourceOptions` and the builder's filter; names are those of .NET.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(
    rename_all = "camelCase",
    deny_unknown_fields,
    default,
    expecting = "⟪options of agent-framework‖agent-framework 的选项⟫"
)]
pub struct AgentFrameworkOptions {
    /// `SkillsInstructionPrompt`: must contain `{skills}`. In Python (`instruction_template`) it is a format string that may
    /// also hold `{resource_instructions}` and `{runner_instructions}`; literal braces must be doubled.
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
    /// The provider's auto-approval rule.
    pub auto_approval: AutoApproval,
    /// `DisableCaching`: read the skills again for every model request.
    pub disable_caching: bool,
    /// `AllowedResourceExtensions`: extensions of resources, each with its dot.
    pub allowed_resource_extensions: Option<Vec<String>>,
    /// `AllowedScriptExtensions`: extensions of scripts, each with its dot.
    pub allowed_script_extensions: Option<Vec<String>>,
    /// How script files of skills are run.
    pub script_runner: ScriptRunner,
    /// The words of a command line for `scriptRunner: command`. `{script}` stands for the file and `{arguments}` for
    /// all arguments; if one of them is missing, it is added at the end.
    pub script_command: Option<Vec<String>>,
    /// `UseFilter`: only skills that match one of these; `null`: all skills.
    pub filter: Option<Vec<SkillFilter>>,
    /// Options of a single `UseFileSkill`, by its folder of skills, relative to the project file.
    pub folders: BTreeMap<String, FolderOptions>,
    /// `DeduplicatingAgentSkillsSource`. `false`: as in a provider made from a single source.
    pub deduplicate: bool,
    /// Send results as the JSON string literal that the .NET client sends (`true`), or as bare text. Python always sends
    /// bare text.
    pub json_encoded_results: bool,
    /// `IncludeDetailedErrors` of the layer that calls tools (FunctionInvokingChatClient, `include_detailed_errors`).
    pub include_detailed_errors: bool,
    /// `IncludeDetailedErrors` of AgentSkillsProviderOptions, which says why a script failed. Variant `dotnet-1.17` only.
    pub include_detailed_script_errors: bool,
    /// The order in which sources are aggregated; of skills with the same name, the first is used.
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
            script_command: None,
            filter: None,
            folders: BTreeMap::new(),
            deduplicate: true,
            json_encoded_results: true,
            include_detailed_errors: false,
            include_detailed_script_errors: false,
            sources: vec![SkillSource::Files, SkillSource::Inline],
        }
    }
}

/// A predicate: the glob of a name, or globs of fields of the frontmatter that must all match, e.g.
/// `{license: MIT*, metadata.team: docs}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(untagged, expecting = "⟪a skill's name, or globs by field‖技能名称，或各字段的通配模式⟫")]
pub enum SkillFilter {
    Name(String),
    Fields(BTreeMap<String, String>),
}

impl From<&str> for SkillFilter {
    fn from(name: &str) -> Self {
        Self::Name(name.to_owned())
    }
}

/// `AgentFileSkillsSourceOptions` and the runner of one folder; `null` is as for all folders.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(
    rename_all = "camelCase",
    deny_unknown_fields,
    default,
    expecting = "⟪options of a folder of skills‖技能文件夹的选项⟫"
)]
pub struct FolderOptions {
    pub allowed_resource_extensions: Option<Vec<String>>,
    pub allowed_script_extensions: Option<Vec<String>>,
    pub script_runner: Option<ScriptRunner>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum SkillSource {
    Files,
    Inline,
}

/// Tools that run without asking although they need approval.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum AutoApproval {
    #[default]
    None,
    /// `ReadOnlyToolsAutoApprovalRule`: load_skill and read_skill_resource.
    ReadOnly,
    /// `AllToolsAutoApprovalRule`.
    All,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum ScriptRunner {
    /// The runner of seed 000: `python3` for every extension; an object of arguments becomes `--key value`, and the
    /// result is the output of the script.
    #[default]
    Seed,
    /// As `seed`, with an interpreter chosen by the script's extension.
    ByEnding,
    /// As `seed`, with the command line in `scriptCommand`.
    Command,
    /// The `SubprocessScriptRunner` of the framework's samples: only a list of texts is accepted, the script runs in
    /// its own folder, and the result also holds its stderr and its exit code.
    Sample,
    /// None: every script fails.
    None,
}
