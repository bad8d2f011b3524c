//! Options of `agentscope`.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What an application sets on `FileSystemSkillRepository`, `SkillBox` and `LocalSkillLoader`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default, expecting = "options of agentscope")]
pub struct AgentScopeOptions {
    /// The source of skills in folders, which is the second half of their ids. `null`: `custom` with the seed, else
    /// `filesystem-` and the names of the folder above and of the folder. Java only.
    pub source: Option<String>,
    /// Only `SKILL.md` files are read while loading; other files are found when the model asks for them. `java-2.0.3`
    /// only.
    pub lazy: bool,
    /// `exposeAllMetadata`: the catalogue shows every field of the frontmatter, not the name and description alone.
    /// `java-2.0.3` only.
    pub expose_all_metadata: bool,
    /// `codeExecution().withShell()`: the catalogue says how to run scripts, and there is `execute_shell_command`.
    /// `java-2.0.3` only.
    pub code_execution: bool,
    /// `workDir` of code execution, where skills that have no folder are uploaded to. `null`: the working directory.
    pub work_dir: Option<String>,
    /// `ToolExecutor` checks arguments against the tool's schema before the tool sees them. `null`: not with the seed,
    /// whose texts are the tool's own. Java only.
    pub validate_arguments: Option<bool>,
    /// `scan_subdir`: skills are looked for in all folders below the root, not in the root alone. `python-2.0.11` only.
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
            scan_subdir: false,
        }
    }
}
