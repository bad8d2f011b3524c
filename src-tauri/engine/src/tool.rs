//! What a model may cause on this machine: running a script or a command, reading, writing and finding files, with
//! limits. Whether it may is decided elsewhere. What runs, runs in one [`room`].

pub mod contents;
pub(crate) mod files;
pub mod fingerprint;
pub(crate) mod folders;
pub mod group;
pub(crate) mod history;
#[cfg(target_os = "linux")]
pub mod overseer;
pub(crate) mod private;
mod quota;
pub mod reach;
pub mod room;
pub mod sandbox;
pub mod script;
pub(crate) mod search;
pub mod signals;

use std::io::ErrorKind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use camino::{Utf8Path, Utf8PathBuf};

use harness::FailureKind;
use skill::source::is_of_the_system;
use wording::Message;

/// Why something could not be done.
#[derive(Debug, thiserror::Error)]
pub enum ToolError {
    #[error("{interpreter} is not installed or not on PATH")]
    InterpreterMissing { interpreter: String },
    #[error(
        "{interpreter} is only at {path}, which confined scripts do not see; install it for the whole system, or run \
         without the sandbox"
    )]
    InterpreterHidden { interpreter: String, path: Utf8PathBuf },
    #[error("{path} is not shown to confined scripts, which see the skills and the folder of the run")]
    Hidden { path: Utf8PathBuf },
    #[error(
        "{path} can be read by its owner alone, and where this program is root, scripts run as nobody; let others read \
         it, or start this program as an ordinary user"
    )]
    Closed { path: Utf8PathBuf },
    #[error("{path} is a link to {real}, which has no neutral path, so it does not run")]
    NoPlace { path: Utf8PathBuf, real: Utf8PathBuf },
    #[error("{}", .0.en)]
    NoSandbox(Message),
    #[error("{folder}, the folder of the run, holds more than {limit} MiB, so nothing more runs or is written")]
    Full { folder: Utf8PathBuf, limit: u32 },
    #[error("the working directory {path} does not exist")]
    WorkingDirectoryMissing { path: Utf8PathBuf },
    #[error("{interpreter} did not start: {source}")]
    Start { interpreter: String, source: std::io::Error },
    #[error("lost track of {interpreter} while it ran: {source}")]
    Wait { interpreter: String, source: std::io::Error },
    #[error("cannot read {path}: {source}")]
    Read { path: Utf8PathBuf, source: std::io::Error },
    #[error("cannot write {path}: {source}")]
    Write { path: Utf8PathBuf, source: std::io::Error },
    #[error("{path} is a folder")]
    IsFolder { path: Utf8PathBuf },
    #[error("{path} is not a folder")]
    NotFolder { path: Utf8PathBuf },
    #[error("{path} is not a file")]
    NotFile { path: Utf8PathBuf },
    #[error("{path} is the system's own, and not for a model")]
    OfTheSystem { path: Utf8PathBuf },
    #[error("cannot determine where {path} really leads, so it is left alone")]
    Nowhere { path: Utf8PathBuf },
    #[error("{path} leads out of what may be touched here, so it is left alone")]
    Moved { path: Utf8PathBuf },
    #[error("{path} has other names on this disk (hard links), so it is not written to")]
    HasOtherNames { path: Utf8PathBuf },
    #[error("{path} has {size} bytes; Skill Workbench reads at most {limit}")]
    TooLarge { path: Utf8PathBuf, size: u64, limit: u64 },
    #[error("`{pattern}` is not a pattern: {}", .reason.en)]
    BadPattern { pattern: String, reason: Message },
}

impl ToolError {
    /// As a harness words its reply by.
    pub fn kind(&self) -> FailureKind {
        match self {
            Self::InterpreterMissing { .. }
            | Self::InterpreterHidden { .. }
            | Self::Hidden { .. }
            | Self::WorkingDirectoryMissing { .. } => FailureKind::NotFound,
            Self::Start { source, .. } | Self::Read { source, .. } | Self::Write { source, .. } => {
                match source.kind() {
                    ErrorKind::NotFound => FailureKind::NotFound,
                    ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => FailureKind::NoPermission,
                    ErrorKind::IsADirectory => FailureKind::IsFolder,
                    ErrorKind::NotADirectory => FailureKind::NotFolder,
                    _ => FailureKind::Other,
                }
            }
            Self::IsFolder { .. } => FailureKind::IsFolder,
            Self::NotFolder { .. } => FailureKind::NotFolder,
            Self::BadPattern { .. } => FailureKind::BadPattern,
            Self::OfTheSystem { .. }
            | Self::Nowhere { .. }
            | Self::Moved { .. }
            | Self::HasOtherNames { .. }
            | Self::Closed { .. }
            | Self::NoPlace { .. }
            | Self::NoSandbox(_) => FailureKind::NoPermission,
            Self::Full { .. } | Self::Wait { .. } | Self::NotFile { .. } | Self::TooLarge { .. } => FailureKind::Other,
        }
    }

    /// What the user reads of it.
    pub fn worded(&self) -> Message {
        let en = self.to_string();
        let zh = match self {
            Self::InterpreterMissing { interpreter } => format!("{interpreter} 没有安装，或不在 PATH 中"),
            Self::InterpreterHidden { interpreter, path } => {
                format!("{interpreter} 只在 {path}，沙箱中的脚本看不到那里；请为整个系统安装它，或不用沙箱运行")
            }
            Self::Hidden { path } => format!("沙箱中的脚本看不到 {path}，只能看到技能和运行的文件夹"),
            Self::Closed { path } => format!(
                "{path} 只有其所有者能读取，而本程序以 root 运行时，脚本以 nobody 运行；请允许其他人读取，或以普通用户启动本程序"
            ),
            Self::NoSandbox(why) => return why.clone(),
            Self::Full { folder, limit } => {
                format!("运行的文件夹 {folder} 超过 {limit} MiB，因此不再运行或写入任何内容")
            }
            Self::WorkingDirectoryMissing { path } => format!("工作目录 {path} 不存在"),
            Self::Start { interpreter, source } => format!("{interpreter} 未能启动：{}", wording::why(source).zh),
            Self::Wait { interpreter, source } => {
                format!("{interpreter} 运行时失去了联系：{}", wording::why(source).zh)
            }
            Self::Read { path, source } => format!("无法读取 {path}：{}", wording::why(source).zh),
            Self::Write { path, source } => format!("无法写入 {path}：{}", wording::why(source).zh),
            Self::IsFolder { path } => format!("{path} 是文件夹"),
            Self::NotFolder { path } => format!("{path} 不是文件夹"),
            Self::BadPattern { pattern, reason } => format!("`{pattern}` 不是有效的匹配模式：{}", reason.zh),
            Self::OfTheSystem { path } => format!("{path} 属于系统本身，不供模型使用"),
            Self::Nowhere { path } => format!("无法确定 {path} 实际指向哪里，因此不予处理"),
            Self::Moved { path } => format!("{path} 指向允许范围之外，因此不予处理"),
            Self::HasOtherNames { path } => format!("{path} 在磁盘上还有其他名称（硬链接），因此不写入"),
            Self::NotFile { path } => format!("{path} 不是普通文件"),
            Self::TooLarge { path, size, limit } => {
                format!("{path} 有 {size} 字节；Skill Workbench 最多读取 {limit} 字节")
            }
            Self::NoPlace { path, real } => format!("{path} 是指向 {real} 的链接，那里没有中性路径，因此不运行"),
        };
        Message { en, zh }
    }
}

/// Where a path really leads; an error if a model must not touch that place even with consent, or if the place cannot
/// be found out.
fn reachable(path: &Utf8Path) -> Result<Utf8PathBuf, ToolError> {
    match disk::real(path) {
        Some(real) if is_of_the_system(&real) => Err(ToolError::OfTheSystem { path: path.to_owned() }),
        Some(real) => Ok(real),
        None => match std::fs::metadata(path) {
            Err(source) => Err(ToolError::Read { path: path.to_owned(), source }),
            Ok(_) => Err(ToolError::Nowhere { path: path.to_owned() }),
        },
    }
}

/// The same for a file that is to be written: a link that leads nowhere is replaced, not followed.
fn writable(path: &Utf8Path) -> Result<Utf8PathBuf, ToolError> {
    match (is_dangling(path), path.parent(), path.file_name()) {
        (true, Some(folder), Some(name)) => reachable(folder).map(|folder| folder.join(name)),
        _ => reachable(path),
    }
}

/// Where a file would be written, if that can be found out.
pub(super) fn landing(path: &Utf8Path) -> Option<Utf8PathBuf> {
    match (is_dangling(path), path.parent(), path.file_name()) {
        (true, Some(folder), Some(name)) => disk::real(folder).map(|folder| folder.join(name)),
        _ => disk::real(path),
    }
}

fn is_dangling(path: &Utf8Path) -> bool {
    path.is_symlink() && !path.exists()
}

/// The results, and whether a limit cut them off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found<T> {
    pub items: Vec<T>,
    pub cut: bool,
}

/// Tells work on another thread that its result is no longer needed.
#[derive(Debug, Clone, Default)]
struct Given(Arc<AtomicBool>);

impl Given {
    fn up(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Gives the work up when it is dropped.
struct Waiting(Given);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.0.store(true, Ordering::Relaxed);
    }
}

/// Runs work that reads the disk on a thread that may block. Dropping the future ends the work when it next checks
/// [`Given`].
async fn off_thread<T: Send + 'static>(
    path: &Utf8Path,
    work: impl FnOnce(&Utf8Path, &Given) -> Result<T, ToolError> + Send + 'static,
) -> Result<T, ToolError> {
    let waiting = Waiting(Given::default());
    let (given, own) = (waiting.0.clone(), path.to_owned());
    let read = tokio::task::spawn_blocking(move || work(&own, &given)).await;
    read.unwrap_or_else(|error| Err(ToolError::Read { path: path.to_owned(), source: error.into() }))
}

#[cfg(test)]
mod tests {
    use std::io::Error;

    use wording::message;

    use super::*;

    #[test]
    fn says_all_that_it_refuses_in_both_languages() {
        let (path, interpreter) = (Utf8PathBuf::from("/a"), "python3".to_owned());
        let missing = || Error::from(ErrorKind::NotFound);
        let all = [
            ToolError::InterpreterMissing { interpreter: interpreter.clone() },
            ToolError::InterpreterHidden { interpreter: interpreter.clone(), path: path.clone() },
            ToolError::Hidden { path: path.clone() },
            ToolError::Closed { path: path.clone() },
            ToolError::NoPlace { path: path.clone(), real: path.clone() },
            ToolError::NoSandbox(message!("no sandbox", "没有沙箱")),
            ToolError::Full { folder: path.clone(), limit: 3 },
            ToolError::WorkingDirectoryMissing { path: path.clone() },
            ToolError::Start { interpreter: interpreter.clone(), source: missing() },
            ToolError::Wait { interpreter, source: missing() },
            ToolError::Read { path: path.clone(), source: missing() },
            ToolError::Write { path: path.clone(), source: missing() },
            ToolError::IsFolder { path: path.clone() },
            ToolError::NotFolder { path: path.clone() },
            ToolError::NotFile { path: path.clone() },
            ToolError::OfTheSystem { path: path.clone() },
            ToolError::Nowhere { path: path.clone() },
            ToolError::Moved { path: path.clone() },
            ToolError::HasOtherNames { path: path.clone() },
            ToolError::TooLarge { path, size: 3, limit: 2 },
            ToolError::BadPattern { pattern: "[".into(), reason: Message::quoted("unclosed") },
        ];
        for error in all {
            let Message { en, zh } = error.worded();
            assert!(en.is_ascii() && !en.is_empty(), "{en}");
            assert!(zh.chars().any(|letter| ('\u{4e00}'..='\u{9fff}').contains(&letter)), "{error:?}: {zh}");
        }
    }
}
