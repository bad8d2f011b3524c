//! What a skill can do to its user: instructions that turn the model, text that cannot be seen, data that leaves,
//! secrets, commands that destroy or stay, files that are not what they say. A finding is an error only where the harm is
//! plain from the text itself.

pub mod agent_config_write;
mod archive;
pub mod archive_bomb;
pub mod archive_executable;
pub mod archive_traversal;
pub mod asks_for_secrets;
pub mod auto_run_helper;
pub mod autonomy_abuse;
pub mod base64_text;
mod binary;
pub mod binary_program;
pub mod bytecode_mismatch;
pub mod bytecode_without_source;
pub mod capability_inflation;
pub mod cloud_metadata;
pub mod declared_exceeds_use;
pub mod destructive_command;
pub mod dynamic_context_command;
pub mod encoded_payload;
pub mod evasion_padding;
pub mod exec_archive_then_run;
pub mod exec_eval;
pub mod exec_fetch_pipe_shell;
pub mod exec_fetch_pipe_shell_plain;
pub mod exec_fetched_code;
pub mod exec_find;
pub mod exec_remote_then_run;
pub mod exec_shell_built;
pub mod exfil_env_dump;
pub mod exfil_instruction;
pub mod exfil_markdown_image;
pub mod exfil_sensitive_files;
mod fetch_pipe;
pub mod fork_bomb;
pub mod hex_blob;
pub mod hidden_executable;
mod hidden_order;
pub mod inject_bypass_policy;
pub mod inject_chat_tokens;
pub mod inject_coercive;
pub mod inject_conceal_from_user;
pub mod inject_html_comment;
pub mod inject_ignore_instructions;
pub mod inject_in_link_label;
pub mod inject_indirect_fetch;
pub mod inject_jailbreak;
pub mod inject_reveal_system;
pub mod inject_unrestricted;
pub mod magic_mismatch;
pub mod miner;
pub mod office_macro;
pub mod path_traversal;
pub mod pdf_active_content;
pub mod permission_exceeds_declared;
pub mod persistence;
pub mod pickle;
pub mod pickle_code;
pub mod pii_in_skill;
pub mod protection_off;
pub mod registry_redirect;
pub mod reverse_shell;
pub mod secret_cloud_keys;
pub mod secret_connection_string;
pub mod secret_high_entropy;
pub mod secret_jwt;
pub mod secret_model_keys;
pub mod secret_password_var;
pub mod secret_private_key;
pub mod secret_service_tokens;
pub mod secret_vcs_tokens;
pub mod sensitive_file_read;
pub mod sql_injection;
pub mod suspicious_url;
pub mod svg_script;
pub mod terminal_escape;
#[cfg(test)]
mod tests;
pub mod tls_check_off;
pub mod too_much_to_read;
pub mod unicode_bidi;
pub mod unicode_homoglyph;
pub mod unicode_tag_block;
pub mod unicode_variation_selectors;
pub mod unicode_zero_width;
pub mod unread_file;
pub mod untrusted_package_source;
pub mod xor_payload;

use crate::Rule;

pub const RULES: &[&Rule] = &[
    &agent_config_write::RULE,
    &archive_bomb::RULE,
    &archive_executable::RULE,
    &archive_traversal::RULE,
    &asks_for_secrets::RULE,
    &auto_run_helper::RULE,
    &autonomy_abuse::RULE,
    &base64_text::RULE,
    &binary_program::RULE,
    &bytecode_mismatch::RULE,
    &bytecode_without_source::RULE,
    &capability_inflation::RULE,
    &cloud_metadata::RULE,
    &declared_exceeds_use::RULE,
    &destructive_command::RULE,
    &dynamic_context_command::RULE,
    &encoded_payload::RULE,
    &evasion_padding::RULE,
    &exec_archive_then_run::RULE,
    &exec_eval::RULE,
    &exec_fetch_pipe_shell::RULE,
    &exec_fetch_pipe_shell_plain::RULE,
    &exec_fetched_code::RULE,
    &exec_find::RULE,
    &exec_remote_then_run::RULE,
    &exec_shell_built::RULE,
    &exfil_env_dump::RULE,
    &exfil_instruction::RULE,
    &exfil_markdown_image::RULE,
    &exfil_sensitive_files::RULE,
    &fork_bomb::RULE,
    &hex_blob::RULE,
    &hidden_executable::RULE,
    &inject_bypass_policy::RULE,
    &inject_chat_tokens::RULE,
    &inject_coercive::RULE,
    &inject_conceal_from_user::RULE,
    &inject_html_comment::RULE,
    &inject_ignore_instructions::RULE,
    &inject_in_link_label::RULE,
    &inject_indirect_fetch::RULE,
    &inject_jailbreak::RULE,
    &inject_reveal_system::RULE,
    &inject_unrestricted::RULE,
    &magic_mismatch::RULE,
    &miner::RULE,
    &office_macro::RULE,
    &path_traversal::RULE,
    &pdf_active_content::RULE,
    &permission_exceeds_declared::RULE,
    &persistence::RULE,
    &pickle::RULE,
    &pickle_code::RULE,
    &pii_in_skill::RULE,
    &protection_off::RULE,
    &registry_redirect::RULE,
    &reverse_shell::RULE,
    &secret_cloud_keys::RULE,
    &secret_connection_string::RULE,
    &secret_high_entropy::RULE,
    &secret_jwt::RULE,
    &secret_model_keys::RULE,
    &secret_password_var::RULE,
    &secret_private_key::RULE,
    &secret_service_tokens::RULE,
    &secret_vcs_tokens::RULE,
    &sensitive_file_read::RULE,
    &sql_injection::RULE,
    &suspicious_url::RULE,
    &svg_script::RULE,
    &terminal_escape::RULE,
    &tls_check_off::RULE,
    &too_much_to_read::RULE,
    &unicode_bidi::RULE,
    &unicode_homoglyph::RULE,
    &unicode_tag_block::RULE,
    &unicode_variation_selectors::RULE,
    &unicode_zero_width::RULE,
    &unread_file::RULE,
    &untrusted_package_source::RULE,
    &xor_payload::RULE,
];
