//! The core from outside.
#![expect(clippy::unwrap_used, reason = "what a test calls to set itself up is part of the test")]

mod advisories;
mod aimock;
mod articles;
mod codecs;
mod compare;
mod denials;
mod endpoint;
mod examples;
mod exports;
mod fidelity;
mod files;
mod forks;
mod golden;
mod histories;
mod lint;
mod lint_property;
mod lint_quiet;
mod lint_seeded;
mod lint_shapes;
mod lint_skills_ref;
mod many;
mod neutral;
mod packages;
mod plug;
mod probes;
mod property;
mod protocols;
mod rechecks;
mod recorded;
mod rooms;
mod sandbox;
mod turns;
mod usage;
mod window;
mod words;
