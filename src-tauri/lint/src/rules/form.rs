//! Frontmatter and file form.

pub mod allowed_tools_bracket;
pub mod allowed_tools_type;
pub mod body_empty;
pub mod bom;
pub mod cannot_read;
pub mod crlf;
pub mod dashes_cut_value;
pub mod description_missing;
pub mod duplicate_name;
pub mod field_belongs_in_metadata;
pub mod field_empty;
pub mod field_not_text;
pub mod field_too_long;
pub mod file_name_case;
pub mod file_not_utf8;
pub mod frontmatter_missing;
pub mod frontmatter_unclosed;
mod known_fields;
pub mod leading_blank;
pub mod license_file_missing;
pub mod license_not_text;
pub mod link_broken;
pub mod link_loop;
mod metadata;
pub mod metadata_not_map;
pub mod metadata_value_not_text;
pub mod mixed_newlines;
pub mod name_chars;
pub mod name_dir_mismatch;
pub mod name_missing;
pub mod name_non_ascii;
pub mod name_not_nfkc;
pub mod no_skills;
mod quoting;
mod scalars;
pub mod skill_md_empty;
pub mod skill_md_missing;
pub mod suppression_unexplained;
pub mod suppression_unknown;
pub mod suppression_unused;
#[cfg(test)]
mod tests;
pub mod unknown_field;
pub mod yaml_anchor_or_tag;
pub mod yaml_duplicate_key;
pub mod yaml_invalid;
pub mod yaml_not_map;
pub mod yaml_typed_text;
pub mod yaml_unquoted_colon;
pub mod yaml_unquoted_start;
pub mod yaml_value_differs;

use crate::Rule;

/// Those in the folder, as `build.rs` lists them.
pub const RULES: &[&Rule] = include!(concat!(env!("OUT_DIR"), "/form.rs"));
