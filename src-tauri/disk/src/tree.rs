//! Deleting folders that others filled: a script may leave folders inside each other deeper than paths are long, and than
//! the system's own way, which opens each inside of the last, can go.

use std::fs;
use std::io;

use camino::Utf8Path;

/// Deletes a folder with all that is in it, however deep. Links are deleted and their targets stay, even if somebody
/// replaces files while this runs.
#[cfg(unix)]
pub fn remove_tree(folder: &Utf8Path) -> io::Result<()> {
    flatten(folder)?;
    fs::remove_dir(folder)
}

/// Paths have no such end here.
#[cfg(not(unix))]
pub fn remove_tree(folder: &Utf8Path) -> io::Result<()> {
    fs::remove_dir_all(folder)
}

/// Empties a folder: moves the contents of each subfolder up one level, until nothing is deeper than one level. Only
/// two folders are open at a time, and neither is reached by its path again.
#[cfg(unix)]
fn flatten(folder: &Utf8Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, Dir, Mode, OFlags, fchmod, openat, renameat, unlinkat};
    use rustix::io::Errno;

    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let names = |of: &rustix::fd::OwnedFd| -> io::Result<Vec<std::ffi::CString>> {
        let mut names = Vec::new();
        for entry in Dir::read_from(of)? {
            let entry = entry?;
            if entry.file_name() != c"." && entry.file_name() != c".." {
                names.push(entry.file_name().to_owned());
            }
        }
        Ok(names)
    };
    // Nothing can be taken out of a folder that is read only. Of somebody else's folder that stays so.
    let open_up = |folder: &rustix::fd::OwnedFd| {
        let _ = fchmod(folder, Mode::RWXU);
    };
    let top = openat(CWD, folder.as_str(), flags, Mode::empty())?;
    open_up(&top);
    let mut number = 0_u64;
    loop {
        let found = names(&top)?;
        if found.is_empty() {
            return Ok(());
        }
        for name in found {
            let inner = match openat(&top, &name, flags, Mode::empty()) {
                Ok(inner) => inner,
                Err(Errno::NOTDIR | Errno::LOOP) => {
                    unlinkat(&top, &name, AtFlags::empty())?;
                    continue;
                }
                Err(error) => return Err(error.into()),
            };
            open_up(&inner);
            for below in names(&inner)? {
                match unlinkat(&inner, &below, AtFlags::empty()) {
                    Ok(()) => {}
                    // Linux says the one of a folder, POSIX the other.
                    Err(Errno::ISDIR | Errno::PERM) => {
                        // A folder that moves is written to itself.
                        if let Ok(below) = openat(&inner, &below, flags, Mode::empty()) {
                            open_up(&below);
                        }
                        loop {
                            number += 1;
                            let free = format!(".removed-{}-{number}", std::process::id());
                            match renameat(&inner, &below, &top, free.as_str()) {
                                Err(Errno::EXIST | Errno::NOTEMPTY | Errno::NOTDIR) => {}
                                moved => break moved?,
                            }
                        }
                    }
                    Err(error) => return Err(error.into()),
                }
            }
            unlinkat(&top, &name, AtFlags::REMOVEDIR)?;
        }
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use camino::Utf8PathBuf;
    use rustix::fs::{CWD, Mode, OFlags, mkdirat, openat};

    use super::*;

    #[test]
    fn deletes_folders_deeper_than_any_path_and_nothing_that_links_lead_to() {
        let guard = tempfile::tempdir().unwrap();
        let base = Utf8PathBuf::from_path_buf(guard.path().to_owned()).unwrap();
        let (tree, kept) = (base.join("tree"), base.join("kept"));
        fs::create_dir(&kept).unwrap();
        fs::write(kept.join("file"), "").unwrap();
        fs::create_dir(&tree).unwrap();
        std::os::unix::fs::symlink(&kept, tree.join("link")).unwrap();
        let flags = OFlags::RDONLY | OFlags::DIRECTORY;
        let mut at = openat(CWD, tree.as_str(), flags, Mode::empty()).unwrap();
        for _ in 0..2200 {
            mkdirat(&at, "d", Mode::RWXU).unwrap();
            rustix::fs::symlinkat(kept.as_str(), &at, "out").unwrap();
            at = openat(&at, "d", flags, Mode::empty()).unwrap();
        }
        drop(at);
        remove_tree(&tree).unwrap();
        assert!(!tree.exists() && kept.join("file").exists());
        assert_eq!(remove_tree(&tree).unwrap_err().kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn a_link_in_the_place_of_the_folder_is_not_followed() {
        let guard = tempfile::tempdir().unwrap();
        let base = Utf8PathBuf::from_path_buf(guard.path().to_owned()).unwrap();
        fs::create_dir(base.join("kept")).unwrap();
        fs::write(base.join("kept/file"), "").unwrap();
        std::os::unix::fs::symlink(base.join("kept"), base.join("link")).unwrap();
        let _ = remove_tree(&base.join("link"));
        assert!(base.join("kept/file").exists());
    }
}
