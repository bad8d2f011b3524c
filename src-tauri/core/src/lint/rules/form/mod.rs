//! Frontmatter and file form.

pub mod frontmatter_missing;
pub mod name_uppercase;
pub mod suppression_unexplained;
pub mod suppression_unknown;
pub mod suppression_unused;

use crate::lint::Rule;

pub const RULES: &[&Rule] = &[
    &frontmatter_missing::RULE,
    &name_uppercase::RULE,
    &suppression_unexplained::RULE,
    &suppression_unknown::RULE,
    &suppression_unused::RULE,
];
