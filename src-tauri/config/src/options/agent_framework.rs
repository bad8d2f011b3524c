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
    /// The words of a command line for `scriptRunner: command`. `{script}` stands for the file and `{arguments}` for
    /// all arguments; what is not named comes last.
    pub script_command: Option<Vec<String>>,
    /// `UseFilter`: only skills that one of these means; `null` lets all through.
    pub filter: Option<Vec<SkillFilter>>,
    /// `UseFileSkill` with options of its own: by the folder of skills, relative to the project file.
    pub folders: BTreeMap<String, FolderOptions>,
    /// `DeduplicatingAgentSkillsSource`. `false`: as with a provider that is made from a source.
    pub deduplicate: bool,
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

/// Which tools the framework lets run although they need approval.
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
    /// The runner of seed 000: `python3`, whatever the ending; an object of arguments becomes `--key value`, and the
    /// result is what the script printed.
    #[default]
    Seed,
    /// As `seed`, with the interpreter that the script's ending asks for.
    ByEnding,
    /// As `seed`, with the command line in `scriptCommand`.
    Command,
    /// The `SubprocessScriptRunner` of the framework's samples: only a list of texts is taken, the script runs in its
    /// own folder, and the result also holds what it wrote to stderr and its exit code.
    Sample,
    /// None: every script fails.
    None,
}
