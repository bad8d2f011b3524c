//! Whose turn it is to change a file. If several processes read, change and write back a file at once, all changes but
//! one are lost; so each process holds its turn from reading to writing.

use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind};
use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};
use wording::{message, refused};

#[cfg(unix)]
use crate::opening::open_itself;

/// The right to change the files of one folder, among all processes of this program. It ends when it is dropped, and
/// with the process however that ends. Not to be taken a second time while it is held.
#[derive(Debug)]
pub struct Turn {
    /// `None` if the file system has no locks.
    _lock: Option<File>,
}

/// Waits for the turn to change a file. If its folder is missing, the turn is that of the folder above.
pub fn turn(path: &Utf8Path) -> io::Result<Turn> {
    turn_within(path, WAIT)
}

/// A change takes milliseconds; who holds the lock for so long hangs.
const WAIT: Duration = Duration::from_secs(10);
/// Between two looks whether the lock is free.
const PAUSE: Duration = Duration::from_millis(10);

fn turn_within(path: &Utf8Path, wait: Duration) -> io::Result<Turn> {
    let Some(lock) = lock_file(path)? else { return Ok(Turn { _lock: None }) };
    let until = Instant::now() + wait;
    loop {
        match lock.try_lock() {
            Ok(()) => return Ok(Turn { _lock: Some(lock) }),
            Err(TryLockError::Error(_)) => return Ok(Turn { _lock: None }),
            Err(TryLockError::WouldBlock) if Instant::now() < until => std::thread::sleep(PAUSE),
            Err(TryLockError::WouldBlock) => {
                let waited = wait.as_secs();
                let reason =
                    message!("another process has been changing it for {waited} s", "另一个进程更改它已有 {waited} 秒");
                return Err(refused(ErrorKind::ResourceBusy, reason));
            }
        }
    }
}

/// The folder of the file that a path really leads to. The file itself cannot be locked: writing replaces it.
fn folder_of(path: &Utf8Path) -> io::Result<Utf8PathBuf> {
    let target = path.canonicalize_utf8().unwrap_or_else(|_| path.to_owned());
    let folder = target.ancestors().skip(1).find(|folder| folder.is_dir()).unwrap_or(Utf8Path::new("."));
    folder.canonicalize_utf8()
}

/// A folder can be locked itself, which leaves nothing behind. One that may be written to and not be read cannot.
#[cfg(unix)]
fn lock_file(path: &Utf8Path) -> io::Result<Option<File>> {
    Ok(open_itself(&folder_of(path)?).ok().map(|(folder, _)| folder))
}

/// Folders cannot be locked, so a file with a name derived from its path is locked instead.
#[cfg(not(unix))]
fn lock_file(path: &Utf8Path) -> io::Result<Option<File>> {
    let name = crate::digest(folder_of(path)?.as_str());
    let folder = std::env::temp_dir().join("skill-workbench-locks");
    std::fs::create_dir_all(&folder)?;
    let mut options = std::fs::OpenOptions::new();
    Ok(options.write(true).create(true).truncate(false).open(folder.join(name)).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_at_a_time_changes_a_file_and_none_of_the_changes_is_lost() {
        let folder = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::from_path_buf(folder.path().join("file")).unwrap();
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..25 {
                        let _turn = turn(&path).unwrap();
                        let text = std::fs::read_to_string(&path).unwrap_or_default();
                        crate::write_atomically(&path, format!("{text}x").as_bytes()).unwrap();
                    }
                });
            }
        });
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "x".repeat(200));
        let left = path.parent().unwrap().read_dir_utf8().unwrap().count();
        assert_eq!(left, 1, "the lock leaves nothing behind");
    }

    #[test]
    fn a_turn_that_does_not_come_says_why() {
        let folder = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::from_path_buf(folder.path().join("file")).unwrap();
        let held = turn(&path).unwrap();
        let refused = turn_within(&path, Duration::ZERO).unwrap_err();
        assert_eq!(refused.to_string(), "another process has been changing it for 0 s");
        drop(held);
        turn_within(&path, Duration::ZERO).unwrap();
    }
}
