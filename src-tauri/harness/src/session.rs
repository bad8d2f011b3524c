//! What a harness remembers of one conversation.

use camino::Utf8PathBuf;

use super::{Marked, agentscope, claude_code, codex, eino, gemini_cli, learn_claude_code, strands};

/// What a harness keeps of a conversation.
#[derive(Debug, Clone, Default)]
pub struct Session {
    /// The agent's own instructions, which frameworks join to theirs.
    pub agent_instructions: Option<String>,
    pub working_directory: Option<Utf8PathBuf>,
    /// Ids of skills activated so far, in order, each once.
    pub activated: Vec<String>,
    /// Rounds in a row in which a tool failed. The engine counts them.
    pub failed_rounds: u32,
    /// The model of the requests that follow, by the project's name for it; `None`: the run's own.
    pub model: Option<String>,
    /// This is the conversation of a sub-agent.
    pub delegated: bool,
    /// Texts that the harness put into the history itself, so that their provenance is known there.
    pub injected: Vec<Marked>,
    pub memory: Memory,
}

impl Session {
    /// Notes that a skill was loaded; nothing if it was already.
    pub fn activate(&mut self, id: &str) {
        if !self.activated.iter().any(|known| known == id) {
            self.activated.push(id.to_owned());
        }
    }
}

/// Each harness's own part.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Memory {
    pub agentscope: agentscope::Memory,
    pub claude_code: claude_code::Memory,
    pub codex: codex::Memory,
    pub eino: eino::Memory,
    pub gemini_cli: gemini_cli::Memory,
    pub learn_claude_code: learn_claude_code::Memory,
    pub strands: strands::Memory,
}
