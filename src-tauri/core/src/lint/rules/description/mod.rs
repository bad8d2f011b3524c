//! Name and description.

use crate::lint::Rule;

pub const RULES: &[&Rule] = &[];
