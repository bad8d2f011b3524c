//! Changes one thing in a file of the user's and nothing else: comments, order and line ends stay.

mod lines;
mod models;
mod options;
mod rules;

pub use models::{EditError, NEW_MODELS_FILE, add_model, change_model, remove_model};
pub use options::set_option;
pub use rules::{set_profile, set_rule};
