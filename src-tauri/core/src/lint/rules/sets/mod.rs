//! Several skills beside each other.

use crate::lint::Rule;

pub const RULES: &[&Rule] = &[];
