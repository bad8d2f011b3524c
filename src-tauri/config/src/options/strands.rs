//! Options of `strands`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What the demo's `main.py` and `skill_tool.py` fix, and the arguments of the official `AgentSkills` plugin.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default, expecting = "⟪options of strands‖strands 的选项⟫")]
pub struct StrandsOptions {
    /// The tool `editor` of strands_tools; `null`: only in `seed`, which mentions it. The other variants are shown
    /// with the tools that they were recorded with.
    pub editor: Option<bool>,
    /// The tool `file_write` of strands_tools, which the demo's `main.py` gives the agent.
    pub file_write: bool,
    /// `seed` and `demo-repo`: without agent instructions, the system prompt is that of the demo's `main.py`.
    pub demo_prompt: bool,
    /// `demo-repo`: `ROOT` in that prompt; `null`: the folder that holds the first folder of skills.
    pub project_root: Option<String>,
    /// `seed` and `demo-repo`: cache points in the messages. The hook that sets them is part of the demo.
    pub cache_points: bool,
    /// `cache_prompt` of the model: a cache point after the system prompt; `null`: as the demo's `main.py` sets it, and
    /// not in `vended-1.62`.
    pub cache_prompt: Option<bool>,
    /// `cache_tools` of the model: a cache point after the definitions of tools; `null`: as `cachePrompt`.
    pub cache_tools: Option<bool>,
    /// `vended-1.62`: `strict` of the plugin: names that break the specification's rules are not loaded.
    pub strict: bool,
    /// `vended-1.62`: `max_resource_files` of the plugin: files listed when a skill is activated.
    pub max_resource_files: u32,
    /// `vended-1.62`: the system prompt is a list of blocks with a cache point after the agent instructions.
    pub system_cache_point: bool,
}

impl Default for StrandsOptions {
    fn default() -> Self {
        Self {
            editor: None,
            file_write: false,
            demo_prompt: true,
            project_root: None,
            cache_points: true,
            cache_prompt: None,
            cache_tools: None,
            strict: false,
            max_resource_files: 20,
            system_cache_point: false,
        }
    }
}
