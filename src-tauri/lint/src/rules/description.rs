//! Name and description.

pub mod brand_impersonation;
pub mod description_angle_brackets;
pub mod description_cut_in_listing;
pub mod description_missing_what;
pub mod description_mixed_languages;
pub mod description_not_concrete;
pub mod description_person;
pub mod description_repeats_name;
pub mod description_todo;
pub mod description_too_short;
pub mod description_vague;
pub mod keyword_baiting;
pub mod misleading_offline_claim;
pub mod name_reserved_word;
pub mod name_vague;
pub mod negative_scope_missing;
pub mod no_when_trigger;
#[cfg(test)]
mod tests;
pub mod trigger_too_generic;
