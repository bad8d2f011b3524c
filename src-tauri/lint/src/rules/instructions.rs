//! The quality of the instructions.

pub mod contradiction;
pub mod directive_repeated;
pub mod emphasis_overused;
pub mod empty_advice;
pub mod endless_repeat;
pub mod examples_missing;
pub mod fence_unclosed;
pub mod heading_jump;
pub mod instructions_too_many;
pub mod negative_only;
pub mod options_too_many;
pub mod reference_copied;
pub mod retired_model;
pub mod step_number_wrong;
pub mod steps_missing;
pub mod style_left_to_tools;
pub mod tag_mismatched;
pub mod tag_stray;
pub mod tag_unclosed;
pub mod terms_mixed;
#[cfg(test)]
mod tests;
pub mod think_step_by_step;
pub mod time_sensitive;
pub mod todo_left;
pub mod vague_words;
pub mod weak_words;
