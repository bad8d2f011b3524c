//! The skill that the examples of rules on trigger sets use.

/// Draws floor plans.
pub const SKILL: &str = "---\nname: demo\ndescription: Draws floor plans of houses. Use when asked for a plan, rooms, walls or stairs of a building.\n---\nDo it.\n";

/// Queries that should start it.
macro_rules! wanted {
    () => {
        "{\"query\": \"Sketch the ground floor of my cottage\", \"should_trigger\": true}, {\"query\": \"How large is the hall in this plan?\", \"should_trigger\": true}, {\"query\": \"I need a floor plan for a barn\", \"should_trigger\": true}, {\"query\": \"Where should the stairs go in a small house?\", \"should_trigger\": true}, {\"query\": \"Draw rooms for a family of five\", \"should_trigger\": true}, {\"query\": \"Lay out a kitchen of 12 m²\", \"should_trigger\": true}, {\"query\": \"Turn these measures into a plan\", \"should_trigger\": true}, {\"query\": \"Show the walls that carry the roof\", \"should_trigger\": true}"
    };
}
pub(super) use wanted;

/// Queries that share words with its description and should not start it.
macro_rules! near_misses {
    () => {
        "{\"query\": \"Plan my week\", \"should_trigger\": false}, {\"query\": \"Sketch a logo with a house\", \"should_trigger\": false}, {\"query\": \"What does a cottage cost?\", \"should_trigger\": false}, {\"query\": \"Plan a birthday party\", \"should_trigger\": false}, {\"query\": \"Translate this floor plan legend into French\", \"should_trigger\": false}, {\"query\": \"Write a poem about the stairs\", \"should_trigger\": false}, {\"query\": \"Who draws the best comics?\", \"should_trigger\": false}, {\"query\": \"Find the roof rack for my car\", \"should_trigger\": false}"
    };
}
pub(super) use near_misses;

/// A set that is as it should be.
pub const QUERIES: &str = concat!("[", wanted!(), ", ", near_misses!(), "]\n");
