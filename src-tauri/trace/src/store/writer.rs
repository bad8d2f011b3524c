//! Who records a run. Several processes share a store, so a run that reads `running` is either being recorded by one of
//! them or was left by one that died. Each process holds the operating system's lock on a file of its own beside the
//! store; the lock goes with the process however it ends, and no process id is ever mistaken for another's.

use std::fs::{File, OpenOptions, TryLockError};

use camino::{Utf8Path, Utf8PathBuf};

use crate::TraceError;

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

    /// Whether the process of a token still lives. Where that cannot be told, it does.
    pub fn is_alive(store: &Utf8Path, token: &str) -> bool {
        match File::open(folder_of(store).join(token)) {
            Ok(file) => !is_free(&file),
            Err(error) => error.kind() != std::io::ErrorKind::NotFound,
        }
    }

    /// Removes what dead processes left.
    pub fn sweep(store: &Utf8Path) {
        for entry in folder_of(store).read_dir_utf8().into_iter().flatten().flatten() {
            if File::open(entry.path()).is_ok_and(|file| is_free(&file)) {
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
        let left = folder_of(&store).join("left");
        std::fs::create_dir_all(left.parent().unwrap()).unwrap();
        std::fs::write(&left, "").unwrap();
        assert!(!Writer::is_alive(&store, "left"));
        Writer::sweep(&store);
        assert!(!left.exists());
    }
}
