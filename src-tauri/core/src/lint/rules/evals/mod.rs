//! Evaluations, packages and recorded runs.

use crate::lint::Rule;

pub const RULES: &[&Rule] = &[];
