//! Renaming a file or folder, never over another.

use std::io;

use camino::Utf8Path;

/// Renames. If something is at `to`, even a link that leads nowhere, the error is `AlreadyExists`, also if it was made
/// this very moment, on file systems that can tell.
pub fn rename_new(from: &Utf8Path, to: &Utf8Path) -> io::Result<()> {
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        use rustix::io::Errno;

        match renameat_with(CWD, from.as_str(), CWD, to.as_str(), RenameFlags::NOREPLACE) {
            // The file system knows no such rename, or nothing can be moved like this.
            Err(Errno::NOSYS | Errno::INVAL | Errno::OPNOTSUPP) => {}
            done => return Ok(done?),
        }
    }
    if std::fs::symlink_metadata(to).is_ok() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    std::fs::rename(from, to)
}

#[cfg(test)]
mod tests {
    use camino::Utf8PathBuf;

    use super::*;

    #[test]
    fn nothing_is_replaced() {
        let guard = tempfile::tempdir().unwrap();
        let base = Utf8PathBuf::try_from(guard.path().to_owned()).unwrap();
        let [from, to] = ["from", "to"].map(|name| base.join(name));
        std::fs::write(&from, "text").unwrap();
        std::fs::write(&to, "another").unwrap();
        assert_eq!(rename_new(&from, &to).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(std::fs::read_to_string(&to).unwrap(), "another");
        std::fs::remove_file(&to).unwrap();
        rename_new(&from, &to).unwrap();
        assert_eq!(std::fs::read_to_string(&to).unwrap(), "text");
    }
}
