//! The core from outside.
#![expect(clippy::unwrap_used, reason = "what a test calls to set itself up is part of the test")]

mod compare;
mod endpoint;
mod examples;
mod files;
mod golden;
mod lint_shapes;
mod property;
mod rooms;
