//! Reads and writes a file for a model, and finds out which files a script wrote.

use std::collections::BTreeMap;
use std::time::SystemTime;

use camino::Utf8Path;
use disk::{EntryKind, Folder};

use super::reach::{Opened, Reach};
use super::{ToolError, off_thread};
use trace::WrittenFile;

/// A file's bytes, up to [`READ_LIMIT`] of them.
pub async fn read(path: &Utf8Path, reach: &Reach) -> Result<Vec<u8>, ToolError> {
    let reach = reach.clone();
    off_thread(path, move |path, _| match reach.open(path)? {
        Opened::Folder(..) => Err(ToolError::IsFolder { path: path.to_owned() }),
        Opened::File(_, facts) if facts.size > READ_LIMIT => {
            Err(ToolError::TooLarge { path: path.to_owned(), size: facts.size, limit: READ_LIMIT })
        }
        Opened::File(file, _) => {
            disk::read_stream(file, READ_LIMIT).map_err(|source| ToolError::Read { path: path.to_owned(), source })
        }
    })
    .await
}

/// Writes a file whole, and makes the folders on the way.
pub async fn write(path: &Utf8Path, text: String, reach: &Reach) -> Result<(), ToolError> {
    let (to, reach) = (path.to_owned(), reach.clone());
    let written = tokio::task::spawn_blocking(move || reach.write(&to, text.as_bytes())).await;
    written.unwrap_or_else(|error| Err(ToolError::Write { path: path.to_owned(), source: error.into() }))
}

/// The files below a folder at one moment, by relative path.
#[derive(Debug, Default)]
pub struct Snapshot {
    files: BTreeMap<String, Stamp>,
    /// There were more files than the limit.
    cut: bool,
}

impl Snapshot {
    /// Walks the folder without following links, to [`DEPTH_LIMIT`] levels and [`FILE_LIMIT`] files. Unreadable files
    /// are left out.
    pub async fn take(folder: &Utf8Path) -> Self {
        let folder = folder.to_owned();
        tokio::task::spawn_blocking(move || walk(&folder)).await.unwrap_or_default()
    }

    /// Files that are not in the earlier snapshot, or have changed since, by path. Empty if a snapshot is incomplete,
    /// since then a file that was left out would look new.
    pub fn written_since(&self, earlier: &Self) -> Vec<WrittenFile> {
        if self.cut || earlier.cut {
            return Vec::new();
        }
        let changed = self.files.iter().filter(|(path, stamp)| earlier.files.get(*path) != Some(stamp));
        changed.map(|(path, stamp)| WrittenFile { path: path.clone(), size: stamp.size }).collect()
    }
}

/// Bytes. Frameworks have no such limit; a model could not take a larger file anyway.
const READ_LIMIT: u64 = 8 << 20;
const DEPTH_LIMIT: usize = 12;
const FILE_LIMIT: usize = 10_000;

#[derive(Debug, PartialEq, Eq)]
struct Stamp {
    size: u64,
    modified: Option<SystemTime>,
}

fn walk(folder: &Utf8Path) -> Snapshot {
    let mut files = BTreeMap::new();
    let root = disk::real(folder).and_then(|real| Folder::enter(&real).ok());
    let mut open: Vec<(Folder, String, usize)> = root.map(|root| (root, String::new(), 0)).into_iter().collect();
    while let Some((current, within, depth)) = open.pop() {
        for (name, kind) in current.names().unwrap_or_default() {
            let Some(path) = name.to_str().map(|name| format!("{within}{name}")) else { continue };
            if kind == EntryKind::Folder && depth < DEPTH_LIMIT {
                let Ok(below) = current.below(&name) else { continue };
                open.push((below, path + "/", depth + 1));
            } else if kind == EntryKind::File {
                let Ok(facts) = current.look(&name) else { continue };
                if files.len() == FILE_LIMIT {
                    return Snapshot { files, cut: true };
                }
                files.insert(path, Stamp { size: facts.size, modified: facts.modified });
            }
        }
    }
    Snapshot { files, cut: false }
}

#[cfg(test)]
mod tests {
    use camino::Utf8PathBuf;

    use super::*;
    use harness::FailureKind;

    fn folder() -> (tempfile::TempDir, Utf8PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::from_path_buf(folder.path().to_owned()).unwrap();
        (folder, path)
    }

    async fn read(path: &Utf8Path) -> Result<Vec<u8>, ToolError> {
        super::read(path, &Reach::everywhere()).await
    }

    async fn write(path: &Utf8Path, text: String) -> Result<(), ToolError> {
        super::write(path, text, &Reach::everywhere()).await
    }

    #[tokio::test]
    async fn reads_bytes_as_they_are() {
        let (_folder, path) = folder();
        let file = path.join("notes.md");
        std::fs::write(&file, b"\xEF\xBB\xBFa\r\n\xFF").unwrap();
        assert_eq!(read(&file).await.unwrap(), b"\xEF\xBB\xBFa\r\n\xFF");
    }

    #[tokio::test]
    async fn says_why_a_file_cannot_be_read() {
        let (_folder, path) = folder();
        let gone = read(&path.join("gone.md")).await.unwrap_err();
        assert!(gone.to_string().starts_with(&format!("cannot read {path}/gone.md: ")), "{gone}");
        assert_eq!(gone.kind(), FailureKind::NotFound);
        let folder = read(&path).await.unwrap_err();
        assert_eq!((folder.kind(), folder.to_string()), (FailureKind::IsFolder, format!("{path} is a folder")));
        std::fs::write(path.join("file"), "").unwrap();
        assert_eq!(read(&path.join("file/below")).await.unwrap_err().kind(), FailureKind::NotFolder);
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn touches_nothing_of_the_system() {
        let (_folder, path) = folder();
        std::os::unix::fs::symlink("/proc/self", path.join("me")).unwrap();
        for place in
            ["/proc/self/environ".into(), path.join("me/environ"), "/dev/zero".into(), "/sys/../proc/1/maps".into()]
        {
            let error = read(&place).await.unwrap_err();
            assert_eq!(error.to_string(), format!("{place} is the system's own, and not for a model"));
            assert_eq!(error.kind(), FailureKind::NoPermission);
        }
        for place in [path.join("me/new"), "/dev/shm/not/there/yet".into(), "/tmp/../dev/shm/not/there".into()] {
            let error = write(&place, String::new()).await.unwrap_err();
            assert_eq!(error.kind(), FailureKind::NoPermission, "{place}");
        }
        assert!(!Utf8Path::new("/dev/shm/not").exists());
    }

    #[tokio::test]
    async fn writes_a_file_whole_and_makes_its_folders() {
        let (_folder, path) = folder();
        let file = path.join("a/b/new.md");
        write(&file, "long text".into()).await.unwrap();
        write(&file, "short".into()).await.unwrap();
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "short");
        assert_eq!(path.join("a/b").read_dir_utf8().unwrap().count(), 1, "nothing else is left in the folder");
        assert_eq!(write(&path.join("a"), String::new()).await.unwrap_err().kind(), FailureKind::IsFolder);
        let below = write(&file.join("x"), String::new()).await.unwrap_err();
        assert!(matches!(below.kind(), FailureKind::NotFolder | FailureKind::Other), "{below}");
    }

    #[tokio::test]
    async fn names_new_and_changed_files_only() {
        let (_folder, path) = folder();
        std::fs::write(path.join("kept.txt"), "same").unwrap();
        std::fs::write(path.join("changed.txt"), "a").unwrap();
        let before = Snapshot::take(&path).await;
        std::fs::create_dir(path.join("out")).unwrap();
        std::fs::write(path.join("out/new.txt"), "12345").unwrap();
        std::fs::write(path.join("changed.txt"), "ab").unwrap();
        let after = Snapshot::take(&path).await;
        assert_eq!(
            after.written_since(&before),
            [WrittenFile { path: "changed.txt".into(), size: 2 }, WrittenFile { path: "out/new.txt".into(), size: 5 }]
        );
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn does_not_follow_links() {
        let (_folder, path) = folder();
        std::os::unix::fs::symlink(&path, path.join("loop")).unwrap();
        std::os::unix::fs::symlink("/etc/passwd", path.join("link")).unwrap();
        let snapshot = Snapshot::take(&path).await;
        assert_eq!(snapshot.written_since(&Snapshot::default()), []);
    }

    #[tokio::test]
    async fn finds_nothing_in_a_folder_that_is_not_there() {
        let snapshot = Snapshot::take(Utf8Path::new("/no/such/folder")).await;
        assert_eq!(snapshot.written_since(&Snapshot::default()), []);
    }
}
