//! Queries that should trigger a skill, by the trigger sets in its `evals/`.

use serde_json::Value;

use skill::{Skill, SkillFile};

/// Larger files are not sets of queries.
const SIZE_LIMIT: u64 = 1 << 20;

/// The files of a skill that may be such sets.
pub fn files(skill: &Skill) -> impl Iterator<Item = &SkillFile> {
    let is_set = |name: &str| name.starts_with("evals/") && name.ends_with(".json");
    skill.files.iter().filter(move |file| is_set(&file.name) && file.size <= SIZE_LIMIT)
}

/// The queries that should trigger the skill, by the text of a set.
pub fn queries(text: &str) -> Vec<String> {
    let Ok(value) = serde_json::from_str::<Value>(text) else { return Vec::new() };
    let list = value.as_array().or_else(|| value.get("queries")?.as_array());
    let wanted = list.into_iter().flatten().filter(|item| item.get("should_trigger") == Some(&Value::Bool(true)));
    wanted.filter_map(|item| Some(item.get("query")?.as_str()?.to_owned())).collect()
}

/// The form in which equal queries are equal.
pub fn key(query: &str) -> String {
    query.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}
