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

/// Every rule, in the order of groups, then of names.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    ALL.iter().flat_map(|group| group.iter().copied())
}

pub fn find(id: &str) -> Option<&'static Rule> {
    rules().find(|rule| rule.id == id)
}

/// By group.
pub const ALL: &[&[&Rule]] = &[
    form::RULES,
    description::RULES,
    budget::RULES,
    instructions::RULES,
    links::RULES,
    scripts::RULES,
    security::RULES,
    clients::RULES,
    sets::RULES,
    evals::RULES,
];
