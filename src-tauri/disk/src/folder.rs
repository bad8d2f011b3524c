//! Folders as handles. Between checking a path and using it, anybody may replace a folder by a link. A handle stays
//! what it was: from the root each folder is opened in the one above it, a link on the way is an error, and files are
//! read and written by their name in the folder that is open.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::time::SystemTime;

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};
use cap_fs_ext::{FollowSymlinks, MetadataExt, OpenOptionsFollowExt, OpenOptionsSyncExt};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, FileType, Metadata, OpenOptions};
use wording::{message, refused};

use crate::opening::not_regular;
use crate::whole::{PREFIX, RANDOM, STALE, is_free, is_ours};

/// A folder that is open. Dropping it closes it.
#[derive(Debug)]
pub struct Folder(Dir);

/// Why something could not be reached.
#[derive(Debug, thiserror::Error)]
pub enum Blocked {
    /// A folder on the way is a link, so the path leads elsewhere than it says.
    #[error("a link lies on the way")]
    Link,
    #[error(transparent)]
    Error(#[from] io::Error),
}

/// What kind of thing a name in a folder is; links are not followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryKind {
    File,
    Folder,
    Link,
    /// A pipe, a socket, a device.
    Other,
}

/// What the system says of a name in a folder, links not followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    pub kind: EntryKind,
    /// Bytes.
    pub size: u64,
    pub modified: Option<SystemTime>,
    /// How many names the same file has.
    pub names: u64,
}

impl Folder {
    /// The folder of a path that is absolute and real: see [`crate::real`].
    pub fn enter(path: &Utf8Path) -> Result<Self, Blocked> {
        let (root, names) = parts(path)?;
        let root = Self(Dir::open_ambient_dir(&root, ambient_authority())?);
        names.into_iter().try_fold(root, |folder, name| folder.below(name.as_ref()))
    }

    /// As [`Self::enter`]; makes the folders that are missing.
    pub fn make(path: &Utf8Path) -> Result<Self, Blocked> {
        let (root, names) = parts(path)?;
        let root = Self(Dir::open_ambient_dir(&root, ambient_authority())?);
        let last = names.len();
        (1..).zip(names).try_fold(root, |folder, (number, name)| match folder.below(name.as_ref()) {
            Err(Blocked::Error(error)) if error.kind() == ErrorKind::NotFound => {
                match folder.0.create_dir(name) {
                    Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error.into()),
                    // Another may have made it.
                    Ok(()) | Err(_) => {}
                }
                folder.below(name.as_ref())
            }
            // A file in place of the folder itself, in the words of `create_dir_all`.
            #[cfg(unix)]
            Err(Blocked::Error(error)) if number == last && error.kind() == ErrorKind::NotADirectory => {
                Err(io::Error::from(rustix::io::Errno::EXIST).into())
            }
            found => {
                let _ = (number, last);
                found
            }
        })
    }

    /// A folder in this one.
    pub fn below(&self, name: &OsStr) -> Result<Self, Blocked> {
        match self.step(name) {
            Ok(folder) => Ok(Self(folder)),
            Err(_) if self.is_link(name) => Err(Blocked::Link),
            Err(error) => Err(error.into()),
        }
    }

    /// What a name in it is, without following a link.
    pub fn look(&self, name: &OsStr) -> io::Result<Facts> {
        Ok(facts(&self.0.symlink_metadata(name)?))
    }

    /// A regular file, to be read.
    pub fn open(&self, name: &OsStr) -> Result<(File, Facts), Blocked> {
        // Some devices do something when they are opened.
        check(self.look(name)?.kind)?;
        let mut options = OpenOptions::new();
        options.read(true).follow(FollowSymlinks::No).nonblock(true);
        let file = match self.0.open_with(name, &options) {
            Ok(file) => file,
            Err(_) if self.is_link(name) => return Err(Blocked::Link),
            Err(error) => return Err(error.into()),
        };
        let facts = facts(&file.metadata()?);
        check(facts.kind)?;
        Ok((file.into_std(), facts))
    }

    /// The target of a link in it, as written.
    pub fn target(&self, name: &OsStr) -> io::Result<std::path::PathBuf> {
        self.0.read_link_contents(name)
    }

    /// What is in it, in the order of names.
    pub fn names(&self) -> io::Result<Vec<(OsString, EntryKind)>> {
        let named = |entry: io::Result<cap_std::fs::DirEntry>| {
            let entry = entry.ok()?;
            let kind = entry.file_type().ok()?;
            Some((entry.file_name(), self::kind(kind)))
        };
        let mut names: Vec<_> = self.0.entries()?.filter_map(named).collect();
        names.sort_by(|(a, _), (b, _)| a.cmp(b));
        Ok(names)
    }

    /// Writes a file whole, as [`crate::write_atomically`] does. What has this name is replaced, also a link.
    pub fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.sweep();
        let found = self.0.symlink_metadata(name).ok().filter(Metadata::is_file);
        let (mut file, other) = self.fresh()?;
        let written = (|| {
            // Without locks, only its age keeps others from deleting it.
            let _ = file.try_lock();
            file.write_all(bytes)?;
            file.sync_all()?;
            if let Some(found) = found {
                let permissions = found.permissions().into_std(&file)?;
                file.set_permissions(permissions)?;
            }
            let _ = file.unlock();
            self.0.rename(&other, &self.0, name)
        })();
        if written.is_err() {
            // Half a file is of no use, and the error is returned.
            let _ = self.0.remove_file(&other);
        }
        written
    }

    #[cfg(unix)]
    fn step(&self, name: &OsStr) -> io::Result<Dir> {
        use rustix::fs::{Mode, OFlags, openat};
        // Folders above may be closed to readers and open to who passes through.
        #[cfg(target_os = "linux")]
        let access = OFlags::PATH;
        #[cfg(not(target_os = "linux"))]
        let access = OFlags::RDONLY;
        let flags = access | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let folder = openat(&self.0, name, flags, Mode::empty())?;
        Ok(Dir::from_std_file(folder.into()))
    }

    #[cfg(not(unix))]
    fn step(&self, name: &OsStr) -> io::Result<Dir> {
        cap_fs_ext::DirExt::open_dir_nofollow(&self.0, name)
    }

    fn is_link(&self, name: &OsStr) -> bool {
        self.look(name).is_ok_and(|facts| facts.kind == EntryKind::Link)
    }

    /// A file with an unused name and the permissions of the user's mask.
    fn fresh(&self) -> io::Result<(File, String)> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true).follow(FollowSymlinks::No);
        for _ in 0..TRIES {
            let name = format!("{PREFIX}{}", letters());
            match self.0.open_with(&name, &options) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                made => return Ok((made?.into_std(), name)),
            }
        }
        Err(ErrorKind::AlreadyExists.into())
    }

    /// As [`crate::sweep`] does, of what killed writes left.
    fn sweep(&self) {
        for (name, kind) in self.names().unwrap_or_default() {
            if kind != EntryKind::File || !name.to_str().is_some_and(|name| is_ours(name, PREFIX)) {
                continue;
            }
            let Ok((left, facts)) = self.open(&name) else { continue };
            let age = facts.modified.and_then(|modified| modified.elapsed().ok());
            if age.is_some_and(|age| age > STALE) && is_free(&left) {
                // Another process may have removed it first, and what cannot be removed does no harm.
                let _ = self.0.remove_file(&name);
            }
        }
    }
}

/// To find an unused name.
const TRIES: usize = 64;

/// The root, and the names below it.
fn parts(path: &Utf8Path) -> io::Result<(Utf8PathBuf, Vec<&str>)> {
    let (mut root, mut names) = (Utf8PathBuf::new(), Vec::new());
    for part in path.components() {
        match part {
            Utf8Component::Prefix(_) | Utf8Component::RootDir => root.push(part),
            Utf8Component::Normal(name) => names.push(name),
            Utf8Component::CurDir | Utf8Component::ParentDir => return Err(not_real()),
        }
    }
    if root.as_str().is_empty() { Err(not_real()) } else { Ok((root, names)) }
}

fn not_real() -> io::Error {
    refused(ErrorKind::InvalidInput, message!("it is not a real path", "它不是实际路径"))
}

fn kind(kind: FileType) -> EntryKind {
    match kind {
        kind if kind.is_file() => EntryKind::File,
        kind if kind.is_dir() => EntryKind::Folder,
        kind if kind.is_symlink() => EntryKind::Link,
        _ => EntryKind::Other,
    }
}

fn facts(found: &Metadata) -> Facts {
    let modified = found.modified().ok().map(cap_std::time::SystemTime::into_std);
    Facts { kind: kind(found.file_type()), size: found.len(), modified, names: found.nlink() }
}

fn check(kind: EntryKind) -> Result<(), Blocked> {
    match kind {
        EntryKind::File => Ok(()),
        EntryKind::Link => Err(Blocked::Link),
        EntryKind::Folder => Err(io::Error::from(ErrorKind::IsADirectory).into()),
        EntryKind::Other => Err(not_regular().into()),
    }
}

fn letters() -> String {
    use std::hash::{BuildHasher, Hasher, RandomState};
    const LETTERS: &[u8; 36] = b"abcdefghijklmnopqrstuvwxyz0123456789";
    // The system seeds each one; creating the file shows whether the name is unused.
    let mut number = RandomState::new().build_hasher().finish();
    let mut letter = || {
        let letter = LETTERS[usize::try_from(number % 36).unwrap_or_default()];
        number /= 36;
        char::from(letter)
    };
    (0..RANDOM).map(|_| letter()).collect()
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn base() -> (tempfile::TempDir, Utf8PathBuf) {
        let guard = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::from_path_buf(guard.path().canonicalize().unwrap()).unwrap();
        (guard, path)
    }

    #[test]
    fn goes_through_no_link_at_any_depth() {
        let (_guard, base) = base();
        std::fs::create_dir_all(base.join("a/b")).unwrap();
        std::fs::write(base.join("a/b/file"), "text").unwrap();
        symlink("a", base.join("link")).unwrap();
        symlink("file", base.join("a/b/linked")).unwrap();
        let folder = Folder::enter(&base.join("a/b")).unwrap();
        assert_eq!(io::read_to_string(folder.open("file".as_ref()).unwrap().0).unwrap(), "text");
        assert!(matches!(folder.open("linked".as_ref()), Err(Blocked::Link)));
        for path in ["link", "link/b", "link/new"] {
            assert!(matches!(Folder::enter(&base.join(path)), Err(Blocked::Link)), "{path}");
            assert!(matches!(Folder::make(&base.join(path)), Err(Blocked::Link)), "{path}");
        }
        for path in ["a/../a", "a/b/../../.."] {
            assert!(Folder::enter(&base.join(path)).is_err(), "{path}");
        }
        assert!(Folder::enter("a/b".into()).is_err(), "it is not absolute");
        assert!(!base.join("a/new").exists());
    }

    #[test]
    fn a_folder_stays_what_it_was_when_it_was_opened() {
        let (_guard, base) = base();
        std::fs::create_dir_all(base.join("inside")).unwrap();
        std::fs::create_dir_all(base.join("outside")).unwrap();
        std::fs::write(base.join("outside/file"), "secret").unwrap();
        let folder = Folder::enter(&base.join("inside")).unwrap();
        std::fs::rename(base.join("inside"), base.join("moved")).unwrap();
        symlink("outside", base.join("inside")).unwrap();
        assert!(folder.open("file".as_ref()).is_err());
        folder.write("file", b"ours").unwrap();
        assert_eq!(std::fs::read_to_string(base.join("outside/file")).unwrap(), "secret");
        assert_eq!(std::fs::read_to_string(base.join("moved/file")).unwrap(), "ours");
    }

    #[test]
    fn writes_whole_with_the_permissions_that_were_there_and_clears_away_what_was_left() {
        let (_guard, base) = base();
        let folder = Folder::make(&base.join("a/b")).unwrap();
        let left = base.join("a/b/.skill-workbench-aB3xYz");
        std::fs::write(&left, "half").unwrap();
        let old = SystemTime::now() - STALE * 2;
        File::open(&left).unwrap().set_modified(old).unwrap();
        folder.write("file", b"one").unwrap();
        std::fs::write(base.join("usual"), "").unwrap();
        let mode = |name: &str| std::fs::metadata(base.join(name)).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode("a/b/file"), mode("usual"));
        std::fs::set_permissions(base.join("a/b/file"), PermissionsExt::from_mode(0o751)).unwrap();
        folder.write("file", b"two").unwrap();
        assert_eq!((mode("a/b/file"), std::fs::read(base.join("a/b/file")).unwrap()), (0o751, b"two".to_vec()));
        assert_eq!(folder.names().unwrap(), [("file".into(), EntryKind::File)]);
        std::fs::create_dir(base.join("a/b/folder")).unwrap();
        assert!(folder.write("folder", b"").is_err());
        assert_eq!(folder.names().unwrap().len(), 2, "nothing is left of it");
        let in_place = Folder::make(&base.join("a/b/file")).unwrap_err().to_string();
        assert_eq!(in_place, std::fs::create_dir_all(base.join("a/b/file")).unwrap_err().to_string());
    }

    #[test]
    fn nothing_waits_for_a_pipe() {
        let (_guard, base) = base();
        assert!(std::process::Command::new("mkfifo").arg(base.join("pipe")).status().unwrap().success());
        let folder = Folder::enter(&base).unwrap();
        assert_eq!(folder.open("pipe".as_ref()).unwrap_err().to_string(), "it is not a regular file");
        assert_eq!(folder.look("pipe".as_ref()).unwrap().kind, EntryKind::Other);
    }
}
