//! Options of `agentscope`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What an application sets on `FileSystemSkillRepository`, `SkillBox` and `LocalSkillLoader`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(
    rename_all = "camelCase",
    deny_unknown_fields,
    default,
    expecting = "⟪options of agentscope‖agentscope 的选项⟫"
)]
pub struct AgentScopeOptions {
    /// The source of skills in folders, which is the second half of their ids. `null`: `custom` in `seed` and 1.0, otherwise
    /// `filesystem-` and the names of the folder above and of the folder. Java only.
    pub source: Option<String>,
    /// Only `SKILL.md` files are read while loading; other files are found when the model asks for them. `java-2.0.3`
    /// only.
    pub lazy: bool,
    /// `exposeAllMetadata`: the catalogue shows every field of the frontmatter, not only the name and description.
    /// `java-2.0.3` only.
    pub expose_all_metadata: bool,
    /// `codeExecution().withShell()`: the catalogue says how to run scripts, and there is `execute_shell_command`.
    /// In `seed`, only commands on its list run, and the prompt does not mention the tool. Not in `java-1.0.5`.
    pub code_execution: bool,
    /// `workDir` of code execution. In `seed`, the scripts of all skills are copied there before the first request, and commands
    /// run there; `java-2.0.3` copies the files of skills that have no folder to `skills` below it. `null`: the working
    /// directory.
    pub work_dir: Option<String>,
    /// `ToolExecutor` checks arguments against the tool's schema before the tool sees them. `null`: yes. Java only, and not in
    /// `java-1.0.5`, which has no such check.
    pub validate_arguments: Option<bool>,
    /// What the application calls before each turn of the user. `null`: nothing, so skills stay active; `java-1.0.5`
    /// deactivates them itself. Java only.
    pub deactivate: Option<Deactivation>,
    /// `scan_subdir`: search all folders below the root for skills, not only the root. `python-2.0.11` only.
    pub scan_subdir: bool,
}

impl Default for AgentScopeOptions {
    fn default() -> Self {
        Self {
            source: None,
            lazy: false,
            expose_all_metadata: true,
            code_execution: false,
            work_dir: None,
            validate_arguments: None,
            deactivate: None,
            scan_subdir: false,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Deactivation {
    /// `deactivateAllSkills()`, which leaves tool groups as they are.
    Skills,
    /// The same, then `syncToolGroupStates()`, which closes the groups.
    Groups,
}
