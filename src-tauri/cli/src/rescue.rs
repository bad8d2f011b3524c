//! Rescues a run that the trace store did not accept: writes it to a file that can be imported, before the process ends
//! and the run is lost.

use api::dto::{ExportArgs, RunExport};
use api::{ApiError, Code, Tried, Workbench};
use camino::{Utf8Path, Utf8PathBuf};
use serde_json::{Value, json};
use trace::RunSummary;

use crate::print::argument;
use wording::{Message, message};

/// A run that the store does not hold.
pub struct Rescued {
    run: String,
    reason: Message,
    /// The file it was saved to; `Err`: why it could not be saved.
    file: Result<Utf8PathBuf, Message>,
}

impl Rescued {
    /// `None` if the store holds the run.
    pub async fn of(bench: &Workbench, run: &RunSummary) -> Option<Self> {
        let reason = run.unsaved.clone()?;
        let args = ExportArgs { run: run.id, format: RunExport::Jsonl };
        let file = match bench.run_export(args).await {
            Ok(text) => keep(&format!("skillbench-run-{}.jsonl", run.id), text.as_bytes()),
            Err(error) => Err(error.worded()),
        };
        Some(Self { run: run.id.to_string(), reason, file })
    }

    pub fn json(&self) -> Value {
        json!({ "reason": self.reason.en, "file": self.file.as_ref().ok() })
    }

    /// The outcome: the command did not do all it should.
    pub fn error(&self) -> ApiError {
        let Self { run, reason, file } = self;
        let message =
            message!("run {run} is not in the trace store: {reason}", "运行 {run} 不在轨迹库中：{reason}"; reason);
        let error = ApiError::new(Code::Store, message);
        match file {
            Ok(path) => error.hint(message!(
                "it is kept in {path}; `skillbench trace import {}` imports it once the store can be written",
                "它保存在 {path}；待轨迹库可以写入后，用 `skillbench trace import {}` 导入",
                argument(path.as_str())
            )),
            Err(why) => error.hint(message!(
                "it could not be kept in a file either and is lost: {why}",
                "它也无法保存到文件，已丢失：{why}";
                why
            )),
        }
    }
}

/// Writes a file into the folder for temporary files, or else into the current one.
fn keep(name: &str, bytes: &[u8]) -> Result<Utf8PathBuf, Message> {
    let folders = [Some(std::env::temp_dir()), std::env::current_dir().ok()];
    let mut refused = Vec::new();
    for folder in folders.into_iter().flatten().filter_map(|folder| Utf8PathBuf::try_from(folder).ok()) {
        let path = folder.join(name);
        match disk::write_new(&path, bytes) {
            Ok(()) => return Ok(path),
            Err(error) => refused.push(cannot_write(&path, error)),
        }
    }
    Err(Message::list(&refused))
}

fn cannot_write(path: &Utf8Path, error: std::io::Error) -> Message {
    ApiError::io(path, Tried::Write, error).worded()
}
