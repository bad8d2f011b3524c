//! Evaluations, packages and recorded runs.

pub mod assertion_always_passes;
pub mod assertion_quotes_prompt;
pub mod assertion_too_vague;
pub mod benchmark_layout_not_aggregated;
pub mod evals_dialect_mixed;
pub mod evals_file_missing;
pub mod evals_id_duplicate;
pub mod evals_json_invalid;
pub mod evals_missing;
pub mod evals_skill_name_mismatch;
pub mod evals_stale_for_skill_hash;
mod files;
mod floor_plans;
mod json;
pub mod reference_never_read;
pub mod script_never_run;
#[cfg(test)]
mod tests;
pub mod trigger_leaks_skill_name;
pub mod trigger_negatives_too_easy;
pub mod trigger_set_too_small;
pub mod trigger_set_unbalanced;
pub mod trigger_split_leak;
pub mod zero_recall_signature;
