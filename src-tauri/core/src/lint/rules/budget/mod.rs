//! What a skill costs in tokens.

use crate::lint::Rule;

pub const RULES: &[&Rule] = &[];
