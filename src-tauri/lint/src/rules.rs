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

use serde::{Deserialize, Deserializer, de};

use super::rule::Rule;

/// The rules of one group, by name. `build.rs` lists the files in the group's folder.
macro_rules! listed {
    ($group:literal) => {
        include!(concat!(env!("OUT_DIR"), "/", $group, ".rs"))
    };
}

/// Every rule, in the order of groups, then of names.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    ALL.iter().flat_map(|group| group.iter().copied())
}

/// The rule of this id.
pub fn find(id: &str) -> Option<&'static Rule> {
    rules().find(|rule| rule.id == id)
}

/// By its id, of a finding that is kept. One that this program does not know is an error: then the finding is as good as none.
impl<'de> Deserialize<'de> for &'static Rule {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let id = String::deserialize(deserializer)?;
        find(&id).ok_or_else(|| de::Error::custom(format_args!("there is no rule `{id}`")))
    }
}

/// Whether a rule is of the profile `spec`: the validator's verdict, and what leaves it nothing to look at.
pub(super) fn is_of_specification(rule: &Rule) -> bool {
    [VERDICT, &form::skill_md_missing::RULE, &form::cannot_read::RULE].iter().any(|known| known.id == rule.id)
}

/// The verdict repeats what other rules find.
pub(super) fn is_verdict(rule: &Rule) -> bool {
    rule.id == VERDICT.id
}

const VERDICT: &Rule = &form::specification_refuses::RULE;

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
