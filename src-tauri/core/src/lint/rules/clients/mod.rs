//! What one client or framework makes of a skill.

use crate::lint::Rule;

pub const RULES: &[&Rule] = &[];
