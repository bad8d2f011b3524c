//! The rules, a folder for each group and a file for each rule.

pub mod budget;
pub mod clients;
pub mod description;
pub mod evals;
pub mod form;
pub mod instructions;
pub mod links;
pub mod overlap;
pub mod scripts;
pub mod security;
pub mod sets;

use super::Rule;

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
