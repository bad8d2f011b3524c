//! Several skills, compared with each other.

pub mod agent_names_missing_skill;
pub mod catalogue_over_budget;
pub mod description_overlap;
mod json_file;
pub mod lockfile_mismatch;
pub mod names_missing_skill;
pub mod plugin_manifest_mismatch;
pub mod shadowed_by_scope;
pub mod shared_content_drift;
#[cfg(test)]
mod tests;
pub mod too_deep_to_discover;
pub mod trigger_overlap;
