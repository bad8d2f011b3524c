//! What one client or framework makes of a skill.

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

use crate::Rule;

pub const RULES: &[&Rule] = &[
    &agent_needs_fork::RULE,
    &argument_hint_missing::RULE,
    &bash_unscoped::RULE,
    &claude_agent_type::RULE,
    &claude_command_hidden::RULE,
    &claude_command_taken::RULE,
    &claude_effort::RULE,
    &claude_hooks::RULE,
    &claude_model::RULE,
    &claude_paths::RULE,
    &claude_placeholder_in_code::RULE,
    &claude_shell::RULE,
    &claude_tool_name::RULE,
    &claude_unknown_substitution::RULE,
    &cline_empty_body::RULE,
    &codex_openai_yaml::RULE,
    &compatibility_other_client::RULE,
    &context_value::RULE,
    &copilot_preapprove_shell::RULE,
    &cursor_block_scalar::RULE,
    &field_unsupported_by_client::RULE,
    &fork_needs_conversation::RULE,
    &fork_without_task::RULE,
    &grok_boolean::RULE,
    &grok_tool_policy::RULE,
    &injected_command_not_run::RULE,
    &invocation_not_boolean::RULE,
    &loader_dir_not_scanned::RULE,
    &loader_sees_different_value::RULE,
    &loader_would_skip::RULE,
    &side_effects_auto::RULE,
    &tool_absent_in_client::RULE,
];
