//! Earlier texts of a file: those saved here, and those in a git repository.

use camino::Utf8Path;
use disk::git::{self, GitError};
use disk::versions::{Bounds, VersionError, Versions};
use std::time::{Duration, Instant};

use super::dto::{
    FileHistory, GitHistory, GitRevision, LineDiff, PathArgs, SavedVersion, TextDiffArgs, VersionArgs, VersionRef,
};
use super::error::{ApiError, Code, Tried};
use super::{Workbench, blocking, lines};
use skill::source::{READ_LIMIT, SourceText};
use wording::{Message, message};

impl Workbench {
    pub async fn file_history(&self, args: PathArgs) -> Result<FileHistory, ApiError> {
        let (path, open) = self.inside(&args.path).await?;
        let history = self.history();
        blocking(move || {
            let place = open.through(&path)?;
            Ok(FileHistory { saved: saved(&history, &place), git: in_git(&place)? })
        })
        .await
    }

    /// An earlier text, as the editor has it.
    pub async fn file_version(&self, args: VersionArgs) -> Result<String, ApiError> {
        let (path, open) = self.inside(&args.path).await?;
        let history = self.history();
        blocking(move || {
            let place = open.through(&path)?;
            let bytes = match &args.of {
                VersionRef::Saved { id } => history.read(&place, id).map_err(|error| lost(&path, error))?,
                VersionRef::Revision { id } => {
                    git::at_revision(&place, id, READ_LIMIT).map_err(|error| refused(&path, error))?
                }
            };
            text(&path, bytes).ok_or_else(|| {
                ApiError::new(
                    Code::Invalid,
                    message!("this version of {path} is not text", "{path} 的这个版本不是文本"),
                )
                .at(&path)
            })
        })
        .await
    }

    pub async fn text_lines(&self, args: TextDiffArgs) -> Result<LineDiff, ApiError> {
        Ok(blocking(move || lines::diff(&args.a, &args.b)).await)
    }

    pub(super) fn history(&self) -> Versions {
        Versions::new(self.inner.places.history(), Bounds::default())
    }
}

/// Revisions that are listed.
const REVISIONS: usize = 200;

/// After this the rest of the versions is listed without what changed in them.
const PATIENCE: Duration = Duration::from_secs(2);

fn saved(history: &Versions, place: &Utf8Path) -> Vec<SavedVersion> {
    let begun = Instant::now();
    let versions = history.of(place);
    let mut newer: Option<String> = None;
    let mut listed: Vec<SavedVersion> = Vec::new();
    for version in versions {
        let in_time = begun.elapsed() < PATIENCE;
        let here = in_time.then(|| history.read(place, &version.id).ok()).flatten();
        let here = here.and_then(|bytes| text(place, bytes));
        if let (Some(listed), Some(newer), Some(here)) = (listed.last_mut(), &newer, &here) {
            listed.changed = Some(lines::counted(here, newer));
        }
        listed.push(SavedVersion { id: version.id, saved_at: version.at, size: version.size, changed: None });
        newer = here;
    }
    listed
}

fn in_git(place: &Utf8Path) -> Result<GitHistory, ApiError> {
    Ok(match git::revisions(place, REVISIONS) {
        Ok(found) => {
            let more = found.len() == REVISIONS;
            let revision =
                |git::Revision { id, at, author, subject }| GitRevision { id, committed_at: at, author, subject };
            GitHistory::Revisions { revisions: found.into_iter().map(revision).collect(), more }
        }
        Err(GitError::Missing) => GitHistory::Missing,
        Err(GitError::NoRepository) => GitHistory::None,
        Err(GitError::Untrusted(said)) => GitHistory::Failed { said, untrusted: true },
        Err(GitError::Failed(said)) => GitHistory::Failed { said, untrusted: false },
        Err(GitError::Io(error)) => return Err(ApiError::io(place, Tried::Read, error)),
    })
}

fn lost(path: &Utf8Path, error: VersionError) -> ApiError {
    let (code, said) = match error {
        VersionError::Gone => {
            (Code::NotFound, message!("this version of {path} is not kept", "没有保存 {path} 的这个版本"))
        }
        VersionError::Damaged => (
            Code::Invalid,
            message!(
                "the stored copy of this version of {path} is missing or damaged",
                "{path} 的这个版本的副本缺失或已损坏"
            ),
        ),
        VersionError::Io(error) => return ApiError::io(path, Tried::Read, error),
    };
    ApiError::new(code, said).hint(message!("choose another version", "请选择另一个版本")).at(path)
}

fn refused(path: &Utf8Path, error: GitError) -> ApiError {
    let why = match error {
        GitError::Io(error) => return ApiError::io(path, Tried::Read, error),
        GitError::Missing => message!("git is not installed", "没有安装 git"),
        GitError::NoRepository => message!("no repository holds it", "它不在任何 Git 仓库中"),
        GitError::Untrusted(said) => message!("git does not trust the repository: {said}", "git 不信任该仓库：{said}"),
        GitError::Failed(said) => Message::quoted(said),
    };
    let said = message!("git has no such version of {path}: {why}", "git 中没有 {path} 的这个版本：{why}"; why);
    let hint = message!("choose another revision", "请选择另一个修订版");
    ApiError::new(Code::NotFound, said).hint(hint).at(path)
}

/// `None` if it is not UTF-8.
fn text(path: &Utf8Path, bytes: Vec<u8>) -> Option<String> {
    let source = SourceText::decode(path.to_owned(), bytes, None);
    source.invalid_at.is_none().then(|| source.text.replace("\r\n", "\n"))
}
