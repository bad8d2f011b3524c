//! What a model may cause on this machine: running a script and reading a file, with limits. Whether it may is decided
//! elsewhere; no sandbox is set up here.

pub mod files;
pub mod script;

use camino::Utf8PathBuf;

/// Why a script could not be started or a file could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ToolError {
    #[error("{interpreter} is not installed or not on PATH")]
    InterpreterMissing { interpreter: String },
    #[error("the working directory {path} does not exist")]
    WorkingDirectoryMissing { path: Utf8PathBuf },
    #[error("{interpreter} did not start: {source}")]
    Start { interpreter: String, source: std::io::Error },
    #[error("lost track of {interpreter} while it ran: {source}")]
    Wait { interpreter: String, source: std::io::Error },
    #[error("cannot read {path}: {source}")]
    Read { path: Utf8PathBuf, source: std::io::Error },
    #[error("{path} is not a file")]
    NotFile { path: Utf8PathBuf },
    #[error("{path} has {size} bytes; at most {limit} are read")]
    TooLarge { path: Utf8PathBuf, size: u64, limit: u64 },
}
