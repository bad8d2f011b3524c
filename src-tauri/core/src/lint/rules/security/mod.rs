//! Security.

use crate::lint::Rule;

pub const RULES: &[&Rule] = &[];
