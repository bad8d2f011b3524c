//! Where a path really leads. If that cannot be found out, it counts as outside: a path that is too long to be
//! resolved, or a link to a place without a name, can still be opened.

use std::fs;
use std::io::ErrorKind;

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};

/// The path without links and dots. Parts that do not exist are kept as written, and `..` among them removes the part
/// before it. `None` if that cannot be found out: a link that leads nowhere, a name that is not UTF-8, a path of more
/// than [`PATH_LIMIT`] bytes, a folder that may not be entered.
pub fn real(path: &Utf8Path) -> Option<Utf8PathBuf> {
    if path.as_str().len() > PATH_LIMIT {
        return None;
    }
    let mut missing = Vec::new();
    let mut there = path;
    let mut real = loop {
        match fs::canonicalize(there) {
            Ok(real) => break Utf8PathBuf::from_path_buf(real).ok()?,
            // A link without a target still exists itself.
            Err(error) if is_missing(&error) && fs::symlink_metadata(there).is_err() => {
                missing.push(there.components().next_back()?);
                there = there.parent()?;
            }
            Err(_) => return None,
        }
    };
    for part in missing.into_iter().rev() {
        match part {
            Utf8Component::ParentDir => {
                real.pop();
            }
            name => real.push(name),
        }
    }
    Some(real)
}

/// Bytes of a path, as Linux limits them (`PATH_MAX`). Texts of others name paths of any length.
pub const PATH_LIMIT: usize = 4096;

/// Whether it really is below one of some real paths.
pub fn is_below(path: &Utf8Path, folders: &[Utf8PathBuf]) -> bool {
    real(path).is_some_and(|path| folders.iter().any(|folder| path.starts_with(folder)))
}

fn is_missing(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn folder() -> (tempfile::TempDir, Utf8PathBuf) {
        let guard = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::from_path_buf(guard.path().canonicalize().unwrap()).unwrap();
        (guard, path)
    }

    #[test]
    fn follows_links_and_takes_what_is_missing_as_it_is_written() {
        let (_guard, base) = folder();
        fs::create_dir_all(base.join("a/b")).unwrap();
        fs::write(base.join("a/file"), "").unwrap();
        symlink("a/b", base.join("link")).unwrap();
        let real = |path: &str| real(&base.join(path));
        assert_eq!(real("link"), Some(base.join("a/b")));
        assert_eq!(real("link/not/there"), Some(base.join("a/b/not/there")));
        assert_eq!(real("link/../file"), Some(base.join("a/file")));
        assert_eq!(real("a/gone/../../file"), Some(base.join("file")));
        assert_eq!(real("a/file/below"), Some(base.join("a/file/below")));
    }

    #[test]
    fn does_not_know_where_a_link_to_nowhere_leads() {
        let (_guard, base) = folder();
        symlink(base.join("gone"), base.join("dangling")).unwrap();
        symlink("loop", base.join("loop")).unwrap();
        assert_eq!((real(&base.join("dangling")), real(&base.join("loop/x"))), (None, None));
    }

    /// On a thread with the stack that async runtimes give theirs.
    #[test]
    fn a_path_of_thousands_of_parts_is_resolved_or_refused_on_a_small_stack() {
        let (_guard, base) = folder();
        let room = (PATH_LIMIT - base.as_str().len()) / 2;
        let (long, too_long) = (base.join(vec!["a"; room].join("/")), base.join(vec!["a"; 20_000].join("/")));
        let look = move || [real(&long) == Some(long.clone()), real(&too_long).is_none()];
        let small = std::thread::Builder::new().stack_size(64 << 10);
        assert_eq!(small.spawn(look).unwrap().join().unwrap(), [true, true]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn does_not_know_where_a_name_without_utf8_or_a_deleted_file_is() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt;
        let (_guard, base) = folder();
        let odd = base.as_std_path().join(OsStr::from_bytes(b"out\xFF"));
        fs::write(&odd, "x").unwrap();
        symlink(&odd, base.join("odd")).unwrap();
        assert_eq!(real(&base.join("odd")), None);

        use std::os::fd::AsRawFd;
        let file = fs::File::create(base.join("deleted")).unwrap();
        fs::remove_file(base.join("deleted")).unwrap();
        symlink(format!("/proc/self/fd/{}", file.as_raw_fd()), base.join("open")).unwrap();
        assert!(fs::metadata(base.join("open")).is_ok(), "and yet it can be opened");
        assert_eq!(real(&base.join("open")), None);
    }

    /// The kernel follows a link with more than 4096 bytes behind it, and the library cannot name what it found.
    #[cfg(target_os = "linux")]
    #[test]
    fn does_not_know_where_a_path_leads_that_is_too_long_to_be_named() {
        let (_guard, base) = folder();
        let (name, mut deep) = ("a".repeat(250), base.clone());
        let mut links = Vec::new();
        for level in 0..4 {
            let chain = [name.as_str(); 5].join("/");
            let folder = deep.join(&chain);
            fs::create_dir_all(&folder).unwrap();
            let link = base.join(format!("l{level}"));
            symlink(&folder, &link).unwrap();
            links.push(link.clone());
            deep = link;
        }
        symlink("/etc/hostname", deep.join("s")).unwrap();
        let path = deep.join("s");
        assert!(matches!(real(&path).as_deref().map(Utf8Path::as_str), None | Some("/etc/hostname")));
        fs::write(deep.join("plain"), "x").unwrap();
        assert!(fs::read(deep.join("plain")).is_ok(), "it can be opened");
        assert_eq!(real(&deep.join("plain")), None, "its real path has more than 4096 bytes");
    }
}
