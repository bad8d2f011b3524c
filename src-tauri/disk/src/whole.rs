//! Writing a file whole: into a file of our own in the same folder, which then takes its place. A process that is killed in
//! between leaves that file; the next write in the folder clears it away.

use std::fs::{File, Metadata};
use std::io::{self, Write};
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};

use crate::opening::{not_regular, open_itself};

/// Writes into another file and renames it, so that a crash leaves the old file or the new one. A file that is there keeps its
/// permissions; a new one has the usual ones.
pub fn write_atomically(path: &Utf8Path, bytes: &[u8]) -> io::Result<()> {
    write(path, bytes, Readers::Usual)
}

/// As [`write_atomically`], for what only its owner may read.
pub fn write_privately(path: &Utf8Path, bytes: &[u8]) -> io::Result<()> {
    write(path, bytes, Readers::Owner)
}

/// As [`write_privately`], for files that can be made again at any time: their readers must notice half a file, which a
/// crash of the machine may leave.
pub fn write_loosely(path: &Utf8Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Utf8Path::new("."));
    sweep(folder, PREFIX);
    let mut file = tempfile::Builder::new().prefix(PREFIX).rand_bytes(RANDOM).tempfile_in(folder)?;
    let _ = file.as_file().try_lock();
    file.write_all(bytes)?;
    let _ = file.as_file().unlock();
    file.persist(path).map(drop).map_err(|error| error.error)
}

/// Writes a file that is not there yet, for its owner only. If that fails, nothing is left of it.
pub fn write_new(path: &Utf8Path, bytes: &[u8]) -> io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    if written.is_err() {
        // Half a file is of no use, and the error is returned.
        let _ = std::fs::remove_file(path);
    }
    written
}

/// Writes a file of exactly this name: a link of this name is replaced, never followed. With `over: false` an existing
/// file stays and is an error.
pub fn write_itself(path: &Utf8Path, bytes: &[u8], over: bool) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_str().is_empty()).unwrap_or(Utf8Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).rand_bytes(RANDOM);
    with_usual_permissions(&mut builder);
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    match over {
        true => file.persist(path),
        false => file.persist_noclobber(path),
    }
    .map(drop)
    .map_err(|error| error.error)
}

/// Removes files that killed processes left in a folder, named `prefix` and six letters or digits, if they are old and
/// no living process holds them.
pub fn sweep(folder: &Utf8Path, prefix: &str) {
    for entry in folder.read_dir_utf8().into_iter().flatten().flatten() {
        if !is_ours(entry.file_name(), prefix) {
            continue;
        }
        let Ok((left, facts)) = open_itself(entry.path()) else { continue };
        let age = facts.modified().ok().and_then(|modified| modified.elapsed().ok());
        if age.is_some_and(|age| age > STALE) && is_free(&left) {
            // Another process may have removed it first, and what cannot be removed does no harm.
            let _ = match facts.is_dir() {
                true => std::fs::remove_dir_all(entry.path()),
                false => std::fs::remove_file(entry.path()),
            };
        }
    }
}

/// Keeps [`sweep`] off a file or folder as long as it is held.
pub fn claim(path: &Utf8Path) -> Option<File> {
    let (file, _) = open_itself(path).ok()?;
    file.try_lock().ok()?;
    Some(file)
}

pub(crate) const PREFIX: &str = ".skill-workbench-";
/// What `tempfile` puts behind the prefix.
pub(crate) const RANDOM: usize = 6;
/// No write takes as long.
pub(crate) const STALE: Duration = Duration::from_secs(10 * 60);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Readers {
    Usual,
    Owner,
}

fn write(path: &Utf8Path, bytes: &[u8], readers: Readers) -> io::Result<()> {
    let mut file = Growing::begun(path, readers)?;
    file.write_all(bytes)?;
    file.finish()
}

/// A file that is written a piece at a time. Under its name there is the old one, or none, until this one is finished.
pub struct Growing {
    file: tempfile::NamedTempFile,
    target: Utf8PathBuf,
    found: Option<Metadata>,
}

impl Growing {
    /// As [`write_atomically`] does it.
    pub fn begin(path: &Utf8Path) -> io::Result<Self> {
        Self::begun(path, Readers::Usual)
    }

    fn begun(path: &Utf8Path, readers: Readers) -> io::Result<Self> {
        let folder = path.parent().unwrap_or(Utf8Path::new("."));
        std::fs::create_dir_all(folder)?;
        // A link is written through: its target is replaced, not the link.
        let target = path.canonicalize_utf8().unwrap_or_else(|_| path.to_owned());
        let folder = target.parent().filter(|folder| !folder.as_str().is_empty()).unwrap_or(Utf8Path::new("."));
        sweep(folder, PREFIX);
        let found = std::fs::metadata(&target).ok();
        // Renaming would put a file in the place of a device.
        if found.as_ref().is_some_and(|found| !found.is_file() && !found.is_dir()) {
            return Err(not_regular());
        }
        let found = found.filter(|_| readers == Readers::Usual);
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX).rand_bytes(RANDOM);
        if found.is_none() && readers == Readers::Usual {
            with_usual_permissions(&mut builder);
        }
        let file = builder.tempfile_in(folder)?;
        // Without locks, only its age keeps others from deleting it.
        let _ = file.as_file().try_lock();
        Ok(Self { file, target, found })
    }

    /// Syncs the new file to the disk and replaces the old one with it, keeping its permissions. If this is not called,
    /// the old file stays.
    pub fn finish(self) -> io::Result<()> {
        let Self { file, target, found } = self;
        file.as_file().sync_all()?;
        if let Some(found) = found {
            file.as_file().set_permissions(found.permissions())?;
        }
        let _ = file.as_file().unlock();
        file.persist(&target).map_err(|error| error.error)?;
        Ok(())
    }
}

impl Write for Growing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// As the user's mask has them.
#[cfg(unix)]
fn with_usual_permissions(builder: &mut tempfile::Builder<'_, '_>) {
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
}

#[cfg(not(unix))]
fn with_usual_permissions(_: &mut tempfile::Builder<'_, '_>) {}

pub(crate) fn is_ours(name: &str, prefix: &str) -> bool {
    let random = name.strip_prefix(prefix).unwrap_or_default();
    random.len() == RANDOM && random.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

pub(crate) fn is_free(file: &File) -> bool {
    file.try_lock().is_ok()
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use super::*;

    fn folder() -> (tempfile::TempDir, Utf8PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::from_path_buf(folder.path().to_owned()).unwrap();
        (folder, path)
    }

    fn names(folder: &Utf8Path) -> Vec<String> {
        let mut names: Vec<_> =
            folder.read_dir_utf8().unwrap().map(|entry| entry.unwrap().file_name().to_owned()).collect();
        names.sort();
        names
    }

    fn age(path: &Utf8Path, minutes: u64) {
        let then = SystemTime::now() - Duration::from_secs(minutes * 60);
        File::open(path).unwrap().set_modified(then).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn puts_no_file_in_the_place_of_a_pipe_or_a_device() {
        use std::os::unix::fs::FileTypeExt;
        let (_folder, path) = folder();
        let pipe = path.join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for write in [write_atomically, write_privately] {
            assert_eq!(write(&pipe, b"x").unwrap_err().to_string(), "it is not a regular file");
        }
        assert!(pipe.symlink_metadata().unwrap().file_type().is_fifo());
        assert_eq!(names(&path), ["pipe"]);
    }

    #[test]
    fn clears_away_what_a_killed_write_left_and_nothing_else() {
        let (_folder, path) = folder();
        let plant = |name: &str, minutes| {
            std::fs::write(path.join(name), "half").unwrap();
            age(&path.join(name), minutes);
        };
        plant(".skill-workbench-aB3xYz", 11);
        plant(".skill-workbench-fresh1", 9);
        plant(".skill-workbench-alive1", 60);
        plant(".skill-workbench-notes.md", 60);
        plant("notes.md", 60);
        let _alive = claim(&path.join(".skill-workbench-alive1")).unwrap();
        write_atomically(&path.join("new.md"), b"text").unwrap();
        let left =
            [".skill-workbench-alive1", ".skill-workbench-fresh1", ".skill-workbench-notes.md", "new.md", "notes.md"];
        assert_eq!(names(&path), left);
    }

    #[test]
    fn a_file_that_grows_takes_the_place_of_the_old_one_when_it_is_finished() {
        let (_folder, path) = folder();
        let name = path.join("run.jsonl");
        std::fs::write(&name, "old").unwrap();
        let mut given_up = Growing::begin(&name).unwrap();
        given_up.write_all(b"half").unwrap();
        drop(given_up);
        let mut file = Growing::begin(&name).unwrap();
        file.write_all(b"one,").unwrap();
        assert_eq!(std::fs::read_to_string(&name).unwrap(), "old");
        file.write_all(b"two").unwrap();
        file.finish().unwrap();
        assert_eq!(
            (std::fs::read_to_string(&name).unwrap(), names(&path)),
            ("one,two".into(), vec!["run.jsonl".into()])
        );
    }

    /// A pipe would keep who writes next to it waiting for ever.
    #[cfg(unix)]
    #[test]
    fn waits_for_no_pipe_of_such_a_name() {
        let (_folder, path) = folder();
        let pipe = path.join(".skill-workbench-abcdef");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let old = std::process::Command::new("touch").args(["-d", "2020-01-01", pipe.as_str()]).status();
        assert!(old.unwrap().success());
        write_atomically(&path.join("new.md"), b"text").unwrap();
        assert_eq!(names(&path), [".skill-workbench-abcdef", "new.md"]);
    }

    #[cfg(unix)]
    #[test]
    fn what_is_written_under_a_name_itself_goes_through_no_link_and_over_nothing_unasked() {
        let (_folder, path) = folder();
        std::fs::write(path.join("kept"), "mine").unwrap();
        std::os::unix::fs::symlink(path.join("kept"), path.join("link")).unwrap();
        for name in ["kept", "link"] {
            let error = write_itself(&path.join(name), b"theirs", false).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::AlreadyExists, "{name}");
        }
        write_itself(&path.join("link"), b"theirs", true).unwrap();
        write_itself(&path.join("new"), b"theirs", false).unwrap();
        let read = |name: &str| std::fs::read_to_string(path.join(name)).unwrap();
        assert_eq!([read("kept"), read("link"), read("new")], ["mine", "theirs", "theirs"]);
        assert_eq!(names(&path), ["kept", "link", "new"]);
    }

    #[test]
    fn clears_away_folders_as_well() {
        let (_folder, path) = folder();
        let staging = path.join(".new-skill-aB3xYz");
        std::fs::create_dir(&staging).unwrap();
        std::fs::write(staging.join("SKILL.md"), "half").unwrap();
        age(&staging, 11);
        sweep(&path, ".new-skill-");
        assert_eq!(names(&path), Vec::<String>::new());
    }

    #[cfg(unix)]
    #[test]
    fn a_new_file_has_the_usual_permissions_and_an_old_one_keeps_its_own() {
        use std::os::unix::fs::PermissionsExt;
        let (_folder, path) = folder();
        let mode = |name: &str| std::fs::metadata(path.join(name)).unwrap().permissions().mode() & 0o777;
        write_atomically(&path.join("new"), b"").unwrap();
        std::fs::write(path.join("usual"), "").unwrap();
        assert_eq!(mode("new"), mode("usual"), "whatever the mask is");
        std::fs::set_permissions(path.join("usual"), PermissionsExt::from_mode(0o751)).unwrap();
        write_atomically(&path.join("usual"), b"text").unwrap();
        assert_eq!(mode("usual"), 0o751);
        write_privately(&path.join("usual"), b"text").unwrap();
        assert_eq!(mode("usual"), 0o600);
    }
}
