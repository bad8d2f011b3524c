/// What it remembers of one conversation.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Memory {}

/// What only this harness needs to know of a skill.
#[derive(Debug, Clone, PartialEq)]
pub struct Detail {}
