//! The quality of the instructions.

use crate::lint::Rule;

pub const RULES: &[&Rule] = &[];
