//! How one client or framework treats a skill.

pub mod agent_needs_fork;
pub mod argument_hint_missing;
pub mod bash_unscoped;
pub mod claude_agent_type;
pub mod claude_command_hidden;
pub mod claude_command_taken;
pub mod claude_effort;
pub mod claude_hooks;
pub mod claude_model;
pub mod claude_paths;
pub mod claude_placeholder_in_code;
pub mod claude_shell;
pub mod claude_tool_name;
pub mod claude_unknown_substitution;
pub mod cline_empty_body;
pub mod codex_openai_yaml;
pub mod compatibility_other_client;
pub mod context_value;
pub mod copilot_preapprove_shell;
pub mod cursor_block_scalar;
pub mod field_unsupported_by_client;
pub mod fork_needs_conversation;
pub mod fork_without_task;
pub mod grok_boolean;
pub mod grok_tool_policy;
pub mod injected_command_not_run;
pub mod invocation_not_boolean;
pub mod loader_dir_not_scanned;
pub mod loader_sees_different_value;
pub mod loader_would_skip;
pub mod side_effects_auto;
#[cfg(test)]
mod tests;
pub mod tool_absent_in_client;
