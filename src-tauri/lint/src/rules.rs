//! The rules, a folder for each group and a file for each rule.

pub mod budget;
pub mod clients;
pub mod description;
pub mod evals;
mod example;
pub mod form;
pub mod instructions;
pub mod links;
pub mod scripts;
pub mod security;
pub mod sets;

use super::rule::Rule;

/// The rules of one group, by name. `build.rs` lists what is in the group's folder.
macro_rules! listed {
    ($group:literal) => {
        include!(concat!(env!("OUT_DIR"), "/", $group, ".rs"))
    };
}

/// Every rule, in the order of groups, then of names.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    ALL.iter().flat_map(|group| group.iter().copied())
}

pub fn find(id: &str) -> Option<&'static Rule> {
    rules().find(|rule| rule.id == id)
}

/// Whether the reference validator of the specification refuses what a rule finds.
pub(super) fn is_of_specification(rule: &Rule) -> bool {
    SPECIFICATION.iter().any(|known| known.id == rule.id)
}

const SPECIFICATION: [&Rule; 23] = [
    &form::allowed_tools_bracket::RULE,
    &form::bom::RULE,
    &form::dashes_cut_value::RULE,
    &form::description_missing::RULE,
    &form::field_belongs_in_metadata::RULE,
    &form::field_empty::RULE,
    &form::field_too_long::RULE,
    &form::frontmatter_missing::RULE,
    &form::frontmatter_unclosed::RULE,
    &form::leading_blank::RULE,
    &form::name_chars::RULE,
    &form::name_dir_mismatch::RULE,
    &form::name_missing::RULE,
    &form::skill_md_empty::RULE,
    &form::skill_md_missing::RULE,
    &form::unknown_field::RULE,
    &form::yaml_anchor_or_tag::RULE,
    &form::yaml_duplicate_key::RULE,
    &form::yaml_invalid::RULE,
    &form::yaml_not_map::RULE,
    &form::yaml_unquoted_colon::RULE,
    &form::yaml_unquoted_start::RULE,
    &form::cannot_read::RULE,
];

/// By group, in the order of [`Group::ALL`](super::group::Group::ALL).
const ALL: [&[&Rule]; 10] = [
    listed!("form"),
    listed!("description"),
    listed!("budget"),
    listed!("instructions"),
    listed!("links"),
    listed!("scripts"),
    listed!("security"),
    listed!("clients"),
    listed!("sets"),
    listed!("evals"),
];
