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
