//! Opens files that others may have put there. Opening a pipe would wait for a writer that never comes, and a path may
//! lead to something else by the time it is opened. So opening never waits, and the opened file is what is checked.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, ErrorKind};

use camino::Utf8Path;
use wording::message;

/// Opens a regular file for reading, with its metadata. A link to one is fine.
pub fn open(path: &Utf8Path) -> io::Result<(File, Metadata)> {
    // Some devices do something when they are opened.
    check(&std::fs::metadata(path)?)?;
    opened(path, Links::Followed)
}

/// Opens a regular file or a folder of this name; links and everything else are refused.
pub fn open_itself(path: &Utf8Path) -> io::Result<(File, Metadata)> {
    let facts = std::fs::symlink_metadata(path)?;
    if !facts.is_dir() {
        check(&facts)?;
    }
    let (file, facts) = anything(path, Links::Refused)?;
    if !facts.is_dir() {
        check(&facts)?;
    }
    Ok((file, facts))
}

/// As [`open`], for a file that has this name itself: a link is refused.
pub fn open_unlinked(path: &Utf8Path) -> io::Result<(File, Metadata)> {
    check(&std::fs::symlink_metadata(path)?)?;
    opened(path, Links::Refused)
}

fn opened(path: &Utf8Path, links: Links) -> io::Result<(File, Metadata)> {
    let (file, facts) = anything(path, links)?;
    check(&facts)?;
    Ok((file, facts))
}

fn anything(path: &Utf8Path, links: Links) -> io::Result<(File, Metadata)> {
    let mut options = OpenOptions::new();
    let file = options_of(options.read(true), links).open(path)?;
    let facts = file.metadata()?;
    Ok((file, facts))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Links {
    Followed,
    Refused,
}

#[cfg(unix)]
fn options_of(options: &mut OpenOptions, links: Links) -> &mut OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;

    use rustix::fs::OFlags;
    let own = if links == Links::Refused { OFlags::NOFOLLOW } else { OFlags::empty() };
    let flags = own | OFlags::NONBLOCK | OFlags::NOCTTY;
    options.custom_flags(flags.bits().cast_signed())
}

/// On this system opening does not wait, and links were checked before.
#[cfg(not(unix))]
fn options_of(options: &mut OpenOptions, _: Links) -> &mut OpenOptions {
    options
}

/// What a pipe, a device or the like is refused with.
pub fn not_regular() -> io::Error {
    wording::refused(ErrorKind::InvalidInput, message!("it is not a regular file", "它不是普通文件"))
}

fn check(facts: &Metadata) -> io::Result<()> {
    match facts {
        facts if facts.is_file() => Ok(()),
        facts if facts.is_dir() => Err(ErrorKind::IsADirectory.into()),
        _ => Err(not_regular()),
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use camino::Utf8PathBuf;

    use super::*;

    #[test]
    fn opens_files_and_what_is_asked_for_and_never_waits() {
        let guard = tempfile::tempdir().unwrap();
        let base = Utf8PathBuf::from_path_buf(guard.path().to_owned()).unwrap();
        std::fs::write(base.join("file"), "").unwrap();
        std::fs::create_dir(base.join("folder")).unwrap();
        std::os::unix::fs::symlink("file", base.join("link")).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(base.join("pipe")).status().unwrap().success());
        std::os::unix::fs::symlink("pipe", base.join("piped")).unwrap();
        let opens = |name: &str| {
            let path = base.join(name);
            [open(&path).is_ok(), open_unlinked(&path).is_ok(), open_itself(&path).is_ok()]
        };
        assert_eq!(opens("file"), [true, true, true]);
        assert_eq!(opens("folder"), [false, false, true]);
        assert_eq!(opens("link"), [true, false, false]);
        assert_eq!([opens("pipe"), opens("piped"), opens("gone")], [[false; 3]; 3]);
        // As if the pipe had come after the look.
        for links in [Links::Followed, Links::Refused] {
            assert_eq!(opened(&base.join("pipe"), links).unwrap_err().to_string(), "it is not a regular file");
        }
    }
}
