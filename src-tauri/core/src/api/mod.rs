//! The counter: one method per command on [`Workbench`], the values that cross it, and the errors the window
//! switches on. The shell, the CLI and the tests all come through here.

pub mod commands;
pub mod dto;
pub mod error;
pub mod typescript;

pub use error::{ApiError, Code};
