//! Links and resources.

use crate::lint::Rule;

pub const RULES: &[&Rule] = &[];
