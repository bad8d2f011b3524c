//! Everything Skill Workbench does, without a window.
//!
//! Data flows one way: `disk -> skill -> harness -> engine(model, tool) -> trace -> api`. A room uses only
//! rooms to its left; `tests/it/rooms.rs` holds the table and checks it.

pub mod api;
pub mod clock;
pub mod config;
pub mod disk;
pub mod engine;
pub mod harness;
pub mod lint;
pub mod model;
pub mod secret;
pub mod skill;
pub mod source;
pub mod tool;
pub mod trace;
