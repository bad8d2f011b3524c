//! The skills that the client brings along, as its list shows them. Their instructions are not reproduced.

#[derive(Debug)]
pub struct Builtin {
    pub name: &'static str,
    pub description: &'static str,
}

pub static ALL: [Builtin; 2] = [
    Builtin {
        name: "skill-creator",
        description: "Guide for creating effective skills. This skill should be used when users want to create a new \
                      skill (or update an existing skill) that extends Gemini CLI's capabilities with specialized \
                      knowledge, workflows, or tool integrations.",
    },
    Builtin {
        name: "antigravity-support",
        description: "Use when the user asks questions, seeks help, or requests instructions related to installing, \
                      setting up, or migrating to Antigravity CLI. This skill provides the latest up to date details, \
                      requirements, and commands sourced from the official Antigravity CLI documentation.",
    },
];
