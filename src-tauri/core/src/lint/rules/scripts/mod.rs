//! Scripts and commands.

use crate::lint::Rule;

pub const RULES: &[&Rule] = &[];
