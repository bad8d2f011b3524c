//! What a skill costs in tokens.

pub mod body_lines;
pub mod body_should_split;
pub mod body_tokens;
pub mod catalogue_tokens;
pub mod code_block_lines;
pub mod generic_pointer;
pub mod heaviest_path_tokens;
pub mod must_read_tokens;
pub mod reference_no_contents;
pub mod reference_tokens;
pub mod section_tokens;
#[cfg(test)]
mod tests;

use crate::Rule;

pub const RULES: &[&Rule] = &[
    &body_lines::RULE,
    &body_should_split::RULE,
    &body_tokens::RULE,
    &catalogue_tokens::RULE,
    &code_block_lines::RULE,
    &generic_pointer::RULE,
    &heaviest_path_tokens::RULE,
    &must_read_tokens::RULE,
    &reference_no_contents::RULE,
    &reference_tokens::RULE,
    &section_tokens::RULE,
];
