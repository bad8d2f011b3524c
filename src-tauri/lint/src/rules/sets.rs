//! Several skills beside each other.

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

use crate::Rule;

pub const RULES: &[&Rule] = &[
    &agent_names_missing_skill::RULE,
    &catalogue_over_budget::RULE,
    &description_overlap::RULE,
    &lockfile_mismatch::RULE,
    &names_missing_skill::RULE,
    &plugin_manifest_mismatch::RULE,
    &shadowed_by_scope::RULE,
    &shared_content_drift::RULE,
    &too_deep_to_discover::RULE,
    &trigger_overlap::RULE,
];
