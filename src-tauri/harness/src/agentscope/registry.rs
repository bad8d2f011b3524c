//! The registry of skills is a hash table, and lists made from it have its order.

use std::collections::HashMap;

use super::order;
use crate::{CatalogSkill, Detail};

/// Puts skills in the order of a table that holds them and no others. Those of Python, which has no such table, stay.
pub fn put_in_order(skills: &mut [CatalogSkill]) {
    let Some(mut registered) = skills.iter().map(registered).collect::<Option<Vec<_>>>() else { return };
    registered.sort_unstable();
    let order = order::copied_concurrent_hash_map(registered.iter().map(|(_, id)| id.as_str()));
    let places: HashMap<&str, usize> = order.into_iter().enumerate().map(|(place, id)| (id, place)).collect();
    skills.sort_by_key(|skill| places.get(skill.id.as_str()).copied());
}

/// When it was registered, and under which id.
fn registered(skill: &CatalogSkill) -> Option<(usize, String)> {
    match &skill.detail {
        Detail::AgentScope(detail) => Some((detail.registered, skill.id.clone())),
        _ => None,
    }
}
