//! Effects, performed: the one place where a harness's wish becomes a file read or a process.

use std::time::Duration;

use camino::Utf8Path;

use crate::config::RunLimits;
use crate::harness::{Effect, FailureKind, Performed};
use crate::tool::files::{self, Snapshot};
use crate::tool::script::{self, Script};
use crate::trace::WrittenFile;

/// What came of it, and the files that appeared or changed in the working directory meanwhile.
#[derive(Debug, Clone, PartialEq)]
pub struct Done {
    pub performed: Performed,
    pub files: Vec<WrittenFile>,
}

/// Performs an effect that may be performed. Dropping the future kills what it started.
pub async fn perform(effect: &Effect, limits: &RunLimits, working_directory: &Utf8Path) -> Done {
    match effect {
        Effect::ReadFile { path, .. } => {
            let performed = match files::read(path).await {
                Ok(bytes) => Performed::Read { bytes },
                Err(error) => Performed::failed(FailureKind::Other, error.to_string()),
            };
            Done { performed, files: Vec::new() }
        }
        Effect::RunScript { script: name, path, interpreter, arguments, working_directory: own, .. } => {
            let script = Script {
                interpreter: interpreter.clone(),
                path: path.clone(),
                arguments: arguments.clone(),
                working_directory: own.as_deref().unwrap_or(working_directory).to_owned(),
                time: Duration::from_secs(limits.script_seconds.into()),
                output_bytes: usize::try_from(limits.output_bytes).unwrap_or(usize::MAX),
            };
            let before = Snapshot::take(working_directory).await;
            match script::run(&script).await {
                Ok(output) => Done {
                    performed: Performed::Ran(output),
                    files: Snapshot::take(working_directory).await.written_since(&before),
                },
                Err(error) => {
                    let message = format!("{name} did not run: {error}");
                    Done { performed: Performed::failed(FailureKind::Other, message), files: Vec::new() }
                }
            }
        }
        Effect::Disclose { .. } => Done { performed: Performed::Agreed, files: Vec::new() },
        Effect::Shell { .. }
        | Effect::WriteFile { .. }
        | Effect::ListFolder { .. }
        | Effect::FindFiles { .. }
        | Effect::SearchFiles { .. }
        | Effect::Delegate(_)
        | Effect::Summarise { .. } => {
            let message = "this effect is not performed here".to_owned();
            Done { performed: Performed::failed(FailureKind::Other, message), files: Vec::new() }
        }
    }
}
