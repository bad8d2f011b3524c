//! Options of `eino`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// `skill.Config` and `filesystem.MiddlewareConfig`, after seed 001. The seed's agent has the filesystem middleware
/// with a shell in front of the skill middleware, and neither an `AgentHub` nor a `ModelHub`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default, expecting = "⟪options of eino‖eino 的选项⟫")]
pub struct EinoOptions {
    /// `ChatModelAgentConfig.Name`, which is printed with each step; `null`: none.
    pub agent_name: Option<String>,
    /// `ChatModelAgentConfig.Description`, shown where agents are listed.
    pub agent_description: Option<String>,
    /// `Backend` of the skill middleware.
    pub backend: EinoBackend,
    /// The backend keeps its files in memory (`filesystem.InMemoryBackend`), in a Go map, so the order in which it lists skills is
    /// random and changes with each turn. A number makes these orders repeatable; another number gives other orders. `null`:
    /// skills are listed in order, as on a disk.
    pub map_order: Option<u32>,
    /// `adk.SetLanguage`: the language of tool descriptions, results and prompts.
    pub language: EinoLanguage,
    /// `UseChinese`: the system prompt is Chinese in every language; tool descriptions and results are not affected.
    pub use_chinese: bool,
    /// `SkillToolName`; `null`: `skill`.
    pub skill_tool_name: Option<String>,
    /// `CustomSystemPrompt`, the text that the function returns; `{tool_name}` stands for the tool's name.
    pub custom_system_prompt: Option<String>,
    /// `CustomToolDescription`, the text that the function returns; `{skills}` stands for the list of skills.
    pub custom_tool_description: Option<String>,
    /// `AgentHub`: agents for skills with `context: fork` or `fork_with_context`, by the name in a skill's `agent`.
    /// `default` is the one for skills that name none. `null`: no hub, so such skills end the run.
    pub agents: Option<BTreeMap<String, EinoAgent>>,
    /// `ModelHub`: ids of `models.yaml`, or `rehearsal`, by the name in a skill's `model`. `null`: no hub, so a
    /// skill's `model` has no effect inline and ends the run in a sub-agent.
    pub models: Option<BTreeMap<String, String>>,
    /// `Backend` of the filesystem middleware: ls, read_file, write_file, edit_file, glob and grep.
    pub filesystem: bool,
    /// `StreamingShell` of the filesystem middleware: execute.
    pub shell: bool,
    /// Tokens, of 4 bytes each, above which a result is written to a file and only its beginning is shown
    /// (`LargeToolResultOffloadingTokenLimit`); `null`: never (`WithoutLargeToolResultOffloading`). Belongs to the
    /// filesystem middleware.
    pub large_result_tokens: Option<u32>,
    /// Lines of a SKILL.md that the backend reads: 2000 for eino-ext's `local`. `null`: all.
    pub read_limit: Option<u32>,
    /// Find skills in linked folders too. eino-ext's `local` does not enter them (`false`).
    pub follow_links: bool,
}

impl Default for EinoOptions {
    fn default() -> Self {
        Self {
            agent_name: None,
            agent_description: None,
            backend: EinoBackend::Filesystem,
            map_order: None,
            language: EinoLanguage::En,
            use_chinese: false,
            skill_tool_name: None,
            custom_system_prompt: None,
            custom_tool_description: None,
            agents: None,
            models: None,
            filesystem: true,
            shell: true,
            large_result_tokens: Some(20_000),
            read_limit: Some(2000),
            follow_links: true,
        }
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum EinoBackend {
    /// `NewBackendFromFilesystem` on the folders of skills.
    #[default]
    Filesystem,
    /// The user's own backend, here the project's `inlineSkills`; their `metadata` may hold `context`, `agent` and `model`.
    Memory,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum EinoLanguage {
    #[default]
    En,
    Zh,
}

/// An agent of the hub. It has no skills of its own.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(
    rename_all = "camelCase",
    deny_unknown_fields,
    default,
    expecting = "⟪an agent, e.g. `instructions: You ..`‖一个智能体，例如 `instructions: You ..`⟫"
)]
pub struct EinoAgent {
    /// Its system message; `null`: it has none.
    pub instructions: Option<String>,
    /// A name in `models` or an id of `models.yaml`, for skills that name no model; `null`: the model of the run.
    pub model: Option<String>,
    pub tools: EinoAgentTools,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum EinoAgentTools {
    #[default]
    None,
    /// All tools of the filesystem middleware, execute included.
    Filesystem,
}
