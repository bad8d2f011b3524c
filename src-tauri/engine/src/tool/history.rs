//! A file's history: its revisions in Git, or what the disk says.

use std::io;

use camino::Utf8Path;
use disk::git::{self, GitError};

use super::reach::{Opened, Reach};
use super::{ToolError, off_thread};
use harness::{FileHistory, FileRevision};
use trace::clock;

/// How many revisions are read, and how many bytes of the changes in one.
const REVISIONS: u32 = 100;
const PATCH_BYTES: u64 = 1 << 20;

/// `revisions`: so many of Git's at most; `None`: what the disk says. `true` with it: there may be more.
pub async fn look(path: &Utf8Path, revisions: Option<u32>, reach: &Reach) -> Result<(FileHistory, bool), ToolError> {
    let reach = reach.clone();
    off_thread(path, move |path, _| {
        let unread = |source| ToolError::Read { path: path.to_owned(), source };
        let Opened::File(file, _) = reach.open(path)? else {
            return Err(ToolError::IsFolder { path: path.to_owned() });
        };
        match revisions {
            Some(most) => {
                let real = disk::real(path).ok_or_else(|| ToolError::Nowhere { path: path.to_owned() })?;
                let history = of_git(&real, most.min(REVISIONS)).map_err(unread)?;
                let is_full =
                    matches!(&history, FileHistory::Git { revisions, .. } if revisions.len() == REVISIONS as usize);
                Ok((history, is_full && most > REVISIONS))
            }
            None => Ok((of_disk(&file.metadata().map_err(unread)?), false)),
        }
    })
    .await
}

fn of_git(real: &Utf8Path, most: u32) -> io::Result<FileHistory> {
    let asked = || {
        let path = git::within(real)?;
        let tracked = git::has(real)?;
        let found = git::changes(real, most as usize, PATCH_BYTES)?;
        Ok((path, tracked, found))
    };
    match asked() {
        Ok((path, tracked, found)) => {
            let revisions = found.into_iter().map(|change| FileRevision {
                id: change.id,
                author: change.author,
                ago: change.ago,
                subject: change.subject,
                patch: change.patch,
            });
            Ok(FileHistory::Git { revisions: revisions.collect(), tracked, path })
        }
        Err(GitError::NoRepository | GitError::Untrusted(_)) => Ok(FileHistory::NoRepository),
        Err(GitError::Missing) => Ok(FileHistory::NoGit),
        Err(GitError::Io(error)) => Err(error),
        Err(error @ GitError::Failed(_)) => Err(io::Error::other(error.to_string())),
    }
}

#[cfg(unix)]
fn of_disk(facts: &std::fs::Metadata) -> FileHistory {
    use std::os::unix::fs::MetadataExt;
    FileHistory::Disk {
        size: facts.size(),
        changed: clock::local(facts.ctime()),
        modified: clock::local(facts.mtime()),
        accessed: clock::local(facts.atime()),
        owner: facts.uid(),
        permissions: facts.mode() & 0o777,
    }
}

/// As Python reports it on Windows: the creation time, no owner's number, and whether the file is writable.
#[cfg(not(unix))]
fn of_disk(facts: &std::fs::Metadata) -> FileHistory {
    let local = |time: io::Result<std::time::SystemTime>| {
        let since = time.ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
        clock::local(since.map_or(0, |since| i64::try_from(since.as_secs()).unwrap_or(i64::MAX)))
    };
    FileHistory::Disk {
        size: facts.len(),
        changed: local(facts.created()),
        modified: local(facts.modified()),
        accessed: local(facts.accessed()),
        owner: 0,
        permissions: if facts.permissions().readonly() { 0o444 } else { 0o666 },
    }
}
