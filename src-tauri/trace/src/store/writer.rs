//! Who records a run. Several processes share a store, so a run that reads `running` is either being recorded by one of
//! them or was left by one that died. Each process holds the operating system's lock on its own file next to the store;
//! the lock ends with the process however it ends, and no process id is ever mistaken for another's.

use std::fs::{File, OpenOptions, TryLockError};

use camino::{Utf8Path, Utf8PathBuf};

use crate::TraceError;
use wording::message;

/// This process's claim to the runs it records. Dropping it gives the claim up.
#[derive(Debug)]
pub struct Writer {
    token: String,
    path: Utf8PathBuf,
    /// Locked as long as it is open.
    _lock: File,
}

impl Writer {
    /// Claims a fresh token. Call it and [`Writer::sweep`] under the store's write lock: between making and locking a
    /// file another process would take the claim for a dead one.
    pub fn claim(store: &Utf8Path) -> Result<Self, TraceError> {
        let folder = folder_of(store);
        let access = |source| TraceError::Access { path: folder.clone(), source };
        if folder.is_symlink() {
            let reason = message!(
                "it is a link, and what it leads to is not ours to change",
                "它是链接，本程序不应更改它指向的内容"
            );
            return Err(access(wording::refused(std::io::ErrorKind::InvalidInput, reason)));
        }
        disk::make_private_folder(&folder).map_err(access)?;
        let token = uuid::Uuid::now_v7().to_string();
        let path = folder.join(&token);
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let lock = options.open(&path).map_err(access)?;
        lock.try_lock().map_err(|error| access(error.into()))?;
        Ok(Self { token, path, _lock: lock })
    }

    pub fn token(&self) -> &str {
        &self.token
    }

    /// Whether the process of a token still lives. If that cannot be found out, it counts as alive.
    pub fn is_alive(store: &Utf8Path, token: &str) -> bool {
        // Anybody who can write the store can write anything there; a path must not pass as a token.
        if uuid::Uuid::try_parse(token).is_err() {
            return false;
        }
        match disk::open_unlinked(&folder_of(store).join(token)) {
            Ok((file, _)) => !is_free(&file),
            Err(error) => error.kind() != std::io::ErrorKind::NotFound,
        }
    }

    /// Whether no process but the one of this token has the store open.
    pub fn is_alone(store: &Utf8Path, own: &str) -> bool {
        let entries = folder_of(store).read_dir_utf8().into_iter().flatten().flatten();
        let mut others = entries.filter(|entry| entry.file_name() != own);
        !others.any(|entry| Self::is_alive(store, entry.file_name()))
    }

    /// Removes what dead processes left: files with names like ours.
    pub fn sweep(store: &Utf8Path) {
        let folder = folder_of(store);
        if folder.is_symlink() {
            return;
        }
        for entry in folder.read_dir_utf8().into_iter().flatten().flatten() {
            let is_ours = uuid::Uuid::try_parse(entry.file_name()).is_ok();
            if is_ours && disk::open_unlinked(entry.path()).is_ok_and(|(file, _)| is_free(&file)) {
                // Another process may have removed it first, and an empty file does no harm.
                std::fs::remove_file(entry.path()).ok();
            }
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        std::fs::remove_file(&self.path).ok();
    }
}

fn folder_of(store: &Utf8Path) -> Utf8PathBuf {
    Utf8PathBuf::from(format!("{store}-writers"))
}

fn is_free(file: &File) -> bool {
    match file.try_lock() {
        Ok(()) => true,
        Err(TryLockError::WouldBlock | TryLockError::Error(_)) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_writer_lives_until_it_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let store = Utf8Path::from_path(folder.path()).unwrap().join("traces.db");
        let writer = Writer::claim(&store).unwrap();
        let token = writer.token().to_owned();
        Writer::sweep(&store);
        assert!(Writer::is_alive(&store, &token), "its file is locked, so the sweep leaves it");
        drop(writer);
        assert!(!Writer::is_alive(&store, &token));
    }

    #[cfg(unix)]
    #[test]
    fn its_file_is_for_its_owner_only() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let store = Utf8Path::from_path(folder.path()).unwrap().join("traces.db");
        let writer = Writer::claim(&store).unwrap();
        assert_eq!(std::fs::metadata(&writer.path).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_file_that_nobody_holds_is_swept() {
        let folder = tempfile::tempdir().unwrap();
        let store = Utf8Path::from_path(folder.path()).unwrap().join("traces.db");
        let token = uuid::Uuid::now_v7().to_string();
        let left = folder_of(&store).join(&token);
        std::fs::create_dir_all(left.parent().unwrap()).unwrap();
        std::fs::write(&left, "").unwrap();
        assert!(!Writer::is_alive(&store, &token));
        Writer::sweep(&store);
        assert!(!left.exists());
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_among_them_keeps_nobody_waiting() {
        let folder = tempfile::tempdir().unwrap();
        let store = Utf8Path::from_path(folder.path()).unwrap().join("traces.db");
        let token = uuid::Uuid::now_v7().to_string();
        let pipe = folder_of(&store).join(&token);
        std::fs::create_dir_all(pipe.parent().unwrap()).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        Writer::sweep(&store);
        assert!(Writer::is_alive(&store, &token), "it cannot be told");
        assert!(!Writer::is_alive(&store, pipe.as_str()), "a path is no token");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_in_the_place_of_their_folder_is_refused_and_nothing_behind_it_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let base = Utf8Path::from_path(folder.path()).unwrap();
        let (store, theirs) = (base.join("traces.db"), base.join("theirs"));
        let file = theirs.join(uuid::Uuid::now_v7().to_string());
        std::fs::create_dir(&theirs).unwrap();
        std::fs::write(&file, "precious").unwrap();
        std::os::unix::fs::symlink(&theirs, folder_of(&store)).unwrap();
        Writer::sweep(&store);
        let refused = Writer::claim(&store).unwrap_err().to_string();
        assert!(refused.contains("it is a link"), "{refused}");
        assert_eq!(theirs.read_dir_utf8().unwrap().count(), 1);
    }
}
