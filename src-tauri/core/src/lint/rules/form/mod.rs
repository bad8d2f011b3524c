//! Frontmatter and file form.

pub mod body_empty;
pub mod bom;
pub mod cannot_read;
pub mod description_missing;
pub mod duplicate_name;
pub mod field_empty;
pub mod field_not_text;
pub mod field_too_long;
pub mod file_name_case;
pub mod frontmatter_missing;
pub mod frontmatter_unclosed;
pub mod link_broken;
pub mod link_loop;
pub mod mixed_newlines;
pub mod name_chars;
pub mod name_dir_mismatch;
pub mod name_missing;
pub mod no_skills;
pub mod skill_md_empty;
pub mod suppression_unexplained;
pub mod suppression_unknown;
pub mod suppression_unused;
pub mod too_much_to_read;
pub mod yaml_duplicate_key;
pub mod yaml_invalid;
pub mod yaml_not_map;

use crate::lint::Rule;

pub const RULES: &[&Rule] = &[
    &body_empty::RULE,
    &bom::RULE,
    &cannot_read::RULE,
    &description_missing::RULE,
    &duplicate_name::RULE,
    &field_empty::RULE,
    &field_not_text::RULE,
    &field_too_long::RULE,
    &file_name_case::RULE,
    &frontmatter_missing::RULE,
    &frontmatter_unclosed::RULE,
    &link_broken::RULE,
    &link_loop::RULE,
    &mixed_newlines::RULE,
    &name_chars::RULE,
    &name_dir_mismatch::RULE,
    &name_missing::RULE,
    &no_skills::RULE,
    &skill_md_empty::RULE,
    &suppression_unexplained::RULE,
    &suppression_unknown::RULE,
    &suppression_unused::RULE,
    &too_much_to_read::RULE,
    &yaml_duplicate_key::RULE,
    &yaml_invalid::RULE,
    &yaml_not_map::RULE,
];
