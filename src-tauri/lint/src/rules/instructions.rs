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

use crate::Rule;

pub const RULES: &[&Rule] = &[
    &contradiction::RULE,
    &directive_repeated::RULE,
    &emphasis_overused::RULE,
    &empty_advice::RULE,
    &endless_repeat::RULE,
    &examples_missing::RULE,
    &fence_unclosed::RULE,
    &heading_jump::RULE,
    &instructions_too_many::RULE,
    &negative_only::RULE,
    &options_too_many::RULE,
    &reference_copied::RULE,
    &retired_model::RULE,
    &step_number_wrong::RULE,
    &steps_missing::RULE,
    &style_left_to_tools::RULE,
    &tag_mismatched::RULE,
    &tag_stray::RULE,
    &tag_unclosed::RULE,
    &terms_mixed::RULE,
    &think_step_by_step::RULE,
    &time_sensitive::RULE,
    &todo_left::RULE,
    &vague_words::RULE,
    &weak_words::RULE,
];
