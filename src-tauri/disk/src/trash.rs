//! Files that users deleted, in a folder of the program, until they are put back or removed for good.
//!
//! A folder for each, named after when it was deleted, in which it keeps its name: so it can be found by hand too. Next
//! to the folder, a file of the same name and `.place` has the path where it was.

use std::io;

use camino::{Utf8Path, Utf8PathBuf};

use crate::{make_private_folder, open_unlinked, read_text, remove_tree, rename_new, write_privately};

/// Something that was deleted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trashed {
    /// Names it among all that was deleted.
    pub id: String,
    /// Where it was.
    pub path: Utf8PathBuf,
    /// When it was deleted, in milliseconds since the Unix epoch.
    pub at: i64,
    pub is_folder: bool,
}

/// What was deleted, in a folder of ours.
#[derive(Debug, Clone)]
pub struct Trash {
    folder: Utf8PathBuf,
}

impl Trash {
    /// What is kept in this folder, which need not exist: the first thing that is deleted makes it.
    pub fn new(folder: Utf8PathBuf) -> Self {
        Self { folder }
    }

    /// Moves a file, a folder or a link itself here. `path` is where users know it, `place` where it is.
    pub fn put(&self, path: &Utf8Path, place: &Utf8Path, at: i64) -> io::Result<Trashed> {
        self.put_by(&HERE, path, place, at)
    }

    fn put_by(&self, way: &Way, path: &Utf8Path, place: &Utf8Path, at: i64) -> io::Result<Trashed> {
        make_private_folder(&self.folder)?;
        let is_folder = std::fs::symlink_metadata(place)?.is_dir();
        let id = self.claim(at)?;
        let kept = self.folder.join(&id).join(name(path));
        // First where it was: what cannot be put back is not taken away.
        let taken = write_privately(&self.record(&id), path.as_str().as_bytes())
            .and_then(|()| (way.rename)(place, &kept))
            .and_then(|is_moved| if is_moved { Ok(true) } else { copy(place, &kept).map(|()| false) });
        match taken {
            Ok(true) => {}
            // From here on the copy is the whole of it: it stays, even if only a part of the original can be removed.
            Ok(false) => (way.remove)(place)?,
            Err(error) => {
                let _ = self.remove(&id);
                return Err(error);
            }
        }
        Ok(Trashed { id, path: path.to_owned(), at, is_folder })
    }

    /// All that can be put back, the newest first.
    pub fn list(&self) -> Vec<Trashed> {
        let Ok(entries) = self.folder.read_dir_utf8() else { return Vec::new() };
        let ids = entries.flatten().filter_map(|entry| Some(entry.file_name().strip_suffix(RECORD)?.to_owned()));
        let mut found: Vec<Trashed> = ids.filter_map(|id| self.find(&id)).collect();
        found.sort_by_key(|trashed| std::cmp::Reverse(moment(&trashed.id)));
        found
    }

    /// What was deleted under this id; `None`: nothing was, or it is not here any more.
    pub fn find(&self, id: &str) -> Option<Trashed> {
        let (at, _) = moment(id)?;
        let path = Utf8PathBuf::from(read_text(&self.record(id), PLACE_LIMIT).ok()?);
        let kept = std::fs::symlink_metadata(self.folder.join(id).join(name(&path))).ok()?;
        Some(Trashed { id: id.to_owned(), path, at, is_folder: kept.is_dir() })
    }

    /// Moves it to `place`, where nothing may be. The folders above are made.
    pub fn put_back(&self, trashed: &Trashed, place: &Utf8Path) -> io::Result<()> {
        self.put_back_by(&HERE, trashed, place)
    }

    fn put_back_by(&self, way: &Way, trashed: &Trashed, place: &Utf8Path) -> io::Result<()> {
        let kept = self.folder.join(&trashed.id).join(name(&trashed.path));
        let parent = place.parent().unwrap_or(place);
        std::fs::create_dir_all(parent)?;
        if !(way.rename)(&kept, place)? {
            // Copied under another name, so that what is at the place is whole, or not there.
            let temporary = tempfile::Builder::new().prefix(".put-back-").tempdir_in(parent)?;
            let copied = Utf8Path::from_path(temporary.path()).ok_or(io::ErrorKind::InvalidFilename)?.join("kept");
            copy(&kept, &copied)?;
            rename_new(&copied, place)?;
        }
        // It is back, even if something of it stays here.
        let _ = self.remove(&trashed.id);
        Ok(())
    }

    /// Removes it for good.
    pub fn remove(&self, id: &str) -> io::Result<()> {
        if moment(id).is_none() {
            return Err(io::ErrorKind::NotFound.into());
        }
        // First the record: a part of it is not offered to be put back.
        let forgotten = std::fs::remove_file(self.record(id));
        remove_tree(&self.folder.join(id))?;
        forgotten
    }

    /// A folder that was not there, named after the moment.
    fn claim(&self, at: i64) -> io::Result<String> {
        for nth in 1.. {
            let id = if nth == 1 { at.to_string() } else { format!("{at}-{nth}") };
            match std::fs::create_dir(self.folder.join(&id)) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                made => return made.map(|()| id),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    fn record(&self, id: &str) -> Utf8PathBuf {
        self.folder.join(format!("{id}{RECORD}"))
    }
}

/// Bytes of a path; no system has longer ones.
const PLACE_LIMIT: u64 = 64 << 10;

/// How the file ends that says where something was.
const RECORD: &str = ".place";

fn name(path: &Utf8Path) -> &str {
    path.file_name().unwrap_or("unnamed")
}

/// The moment in an id of ours, and how many were deleted in it before; `None`: it is none, and may lead anywhere.
fn moment(id: &str) -> Option<(i64, u32)> {
    let (at, nth) = id.split_once('-').unwrap_or((id, "1"));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_number(at) && is_number(nth) { Some((at.parse().ok()?, nth.parse().ok()?)) } else { None }
}

/// How something is moved; tests replace it by what happens between file systems.
struct Way {
    /// Renames, never over another. `false`: the target is on another file system.
    rename: fn(&Utf8Path, &Utf8Path) -> io::Result<bool>,
    remove: fn(&Utf8Path) -> io::Result<()>,
}

const HERE: Way = Way {
    rename: |from, to| match rename_new(from, to) {
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices => Ok(false),
        done => done.map(|()| true),
    },
    remove: |place| {
        let is_folder = std::fs::symlink_metadata(place)?.is_dir();
        if is_folder { remove_tree(place) } else { std::fs::remove_file(place) }
    },
};

/// Links are copied as links; their targets stay. Folders are copied one after the other, so any depth works. The target
/// must not be there.
fn copy(from: &Utf8Path, to: &Utf8Path) -> io::Result<()> {
    let mut waiting = vec![(from.to_owned(), to.to_owned())];
    let mut folders = Vec::new();
    while let Some((from, to)) = waiting.pop() {
        let facts = std::fs::symlink_metadata(&from)?;
        let kind = facts.file_type();
        if kind.is_symlink() {
            copy_link(&from, &to)?;
        } else if kind.is_dir() {
            std::fs::create_dir(&to)?;
            for entry in from.read_dir_utf8()? {
                let entry = entry?;
                waiting.push((entry.path().to_owned(), to.join(entry.file_name())));
            }
            folders.push((to, facts.permissions()));
        } else if kind.is_file() {
            copy_file(&from, &to)?;
        }
        // A pipe or a socket holds nothing that could be taken back.
    }
    // Afterwards: nothing can be put into a folder that is read only.
    folders.into_iter().rev().try_for_each(|(folder, permissions)| std::fs::set_permissions(folder, permissions))
}

/// Waits for no pipe that is put in its place.
fn copy_file(from: &Utf8Path, to: &Utf8Path) -> io::Result<()> {
    let (mut source, facts) = open_unlinked(from)?;
    let mut target = std::fs::File::create_new(to)?;
    io::copy(&mut source, &mut target)?;
    target.set_permissions(facts.permissions())
}

#[cfg(unix)]
fn copy_link(from: &Utf8Path, to: &Utf8Path) -> io::Result<()> {
    std::os::unix::fs::symlink(std::fs::read_link(from)?, to)
}

/// On this system, most users may not create links: a file that names the target is written instead.
#[cfg(not(unix))]
fn copy_link(from: &Utf8Path, to: &Utf8Path) -> io::Result<()> {
    std::fs::write(to, std::fs::read_link(from)?.to_string_lossy().as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder that is there as long as the guard.
    fn base() -> (tempfile::TempDir, Utf8PathBuf) {
        let guard = tempfile::tempdir().unwrap();
        let base = Utf8PathBuf::try_from(guard.path().canonicalize().unwrap()).unwrap();
        (guard, base)
    }

    #[test]
    fn what_is_deleted_is_put_back_as_it_was() {
        let (_guard, base) = base();
        let trash = Trash::new(base.join("trash"));
        let (file, folder) = (base.join("a/x.md"), base.join("b"));
        std::fs::create_dir_all(base.join("a")).unwrap();
        std::fs::create_dir_all(folder.join("empty")).unwrap();
        assert_eq!(trash.list(), []);
        let put = |path: &Utf8Path, text: &str| {
            std::fs::write(path, text).unwrap();
            trash.put(path, path, 7).unwrap()
        };
        let (first, second) = (put(&file, "first"), put(&file, "second"));
        let of = |id: &str, path: &Utf8Path, is_folder| Trashed { id: id.into(), path: path.into(), at: 7, is_folder };
        assert_eq!([&first, &second], [&of("7", &file, false), &of("7-2", &file, false)], "in the same millisecond");
        let third = trash.put(&folder, &folder, 12).unwrap();
        assert_eq!(trash.list(), [third.clone(), second.clone(), first.clone()]);
        std::fs::remove_dir(base.join("a")).unwrap();

        trash.put_back(&first, &file).unwrap();
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "first");
        let refused = trash.put_back(&second, &file).unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "first");
        trash.put_back(&third, &folder).unwrap();
        assert!(folder.join("empty").is_dir());
        assert_eq!(trash.list(), std::slice::from_ref(&second));
        trash.remove(&second.id).unwrap();
        assert_eq!(base.join("trash").read_dir_utf8().unwrap().count(), 0);
    }

    /// As between two file systems.
    const ELSEWHERE: Way = Way { rename: |_, _| Ok(false), remove: HERE.remove };

    fn folder_with_a_file(folder: &Utf8Path) {
        std::fs::create_dir_all(folder.join("inner")).unwrap();
        std::fs::write(folder.join("inner/x.md"), "text").unwrap();
    }

    #[test]
    fn what_is_on_another_file_system_is_copied_there_and_back() {
        let (_guard, base) = base();
        let (trash, folder) = (Trash::new(base.join("trash")), base.join("a"));
        folder_with_a_file(&folder);
        let trashed = trash.put_by(&ELSEWHERE, &folder, &folder, 7).unwrap();
        assert!(!folder.exists());
        trash.put_back_by(&ELSEWHERE, &trashed, &folder).unwrap();
        assert_eq!(std::fs::read_to_string(folder.join("inner/x.md")).unwrap(), "text");
        let names: Vec<_> = base.read_dir_utf8().unwrap().map(|entry| entry.unwrap().file_name().to_owned()).collect();
        assert_eq!((names.len(), trash.list()), (2, vec![]), "{names:?}");
    }

    #[test]
    fn a_copy_outlives_an_original_that_cannot_be_removed() {
        let (_guard, base) = base();
        let (trash, folder) = (Trash::new(base.join("trash")), base.join("a"));
        folder_with_a_file(&folder);
        let half = Way {
            remove: |place| {
                std::fs::remove_file(place.join("inner/x.md"))?;
                Err(io::ErrorKind::PermissionDenied.into())
            },
            ..ELSEWHERE
        };
        let refused = trash.put_by(&half, &folder, &folder, 7).unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::PermissionDenied);
        let [kept] = &trash.list()[..] else { panic!("{:?}", trash.list()) };
        std::fs::remove_dir_all(&folder).unwrap();
        trash.put_back(kept, &folder).unwrap();
        assert_eq!(std::fs::read_to_string(folder.join("inner/x.md")).unwrap(), "text");
    }

    #[test]
    fn what_is_copied_back_is_put_over_nothing() {
        let (_guard, base) = base();
        let (trash, folder) = (Trash::new(base.join("trash")), base.join("a"));
        folder_with_a_file(&folder);
        let trashed = trash.put(&folder, &folder, 7).unwrap();
        std::fs::write(&folder, "another").unwrap();
        let refused = trash.put_back_by(&ELSEWHERE, &trashed, &folder).unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(std::fs::read_to_string(&folder).unwrap(), "another");
        assert_eq!((trash.list(), base.read_dir_utf8().unwrap().count()), (vec![trashed], 2));
    }

    #[test]
    fn what_cannot_be_moved_stays_and_is_not_listed() {
        let (_guard, base) = base();
        let trash = Trash::new(base.join("trash"));
        assert!(trash.put(&base.join("missing"), &base.join("missing"), 7).is_err());
        // A folder cannot move into itself.
        assert!(trash.put(&base, &base, 7).is_err());
        assert_eq!(trash.list(), []);
        assert_eq!(base.join("trash").read_dir_utf8().unwrap().count(), 0);
    }

    #[test]
    fn an_id_leads_nowhere_else() {
        let (_guard, base) = base();
        std::fs::create_dir_all(base.join("other")).unwrap();
        std::fs::create_dir_all(base.join("trash")).unwrap();
        std::fs::write(base.join("other.place"), "/x").unwrap();
        let trash = Trash::new(base.join("trash"));
        for id in ["../other", "", ".", "7/../../other", "-7", "7-", "7-x", "99999999999999999999"] {
            assert_eq!(trash.find(id), None, "{id}");
            assert!(trash.remove(id).is_err(), "{id}");
        }
        assert!(base.join("other").is_dir());
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_in_a_tree_keeps_no_copy_waiting() {
        use std::os::unix::fs::PermissionsExt;
        let (_guard, base) = base();
        let (from, to) = (base.join("from"), base.join("to"));
        std::fs::create_dir(&from).unwrap();
        std::fs::write(from.join("run.sh"), "text").unwrap();
        std::fs::set_permissions(from.join("run.sh"), PermissionsExt::from_mode(0o755)).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(from.join("pipe")).status().unwrap().success());
        let (done, is_done) = std::sync::mpsc::channel();
        let target = to.clone();
        std::thread::spawn(move || done.send(copy(&from, &target)));
        is_done.recv_timeout(std::time::Duration::from_secs(20)).unwrap().unwrap();
        let names: Vec<_> = to.read_dir_utf8().unwrap().map(|entry| entry.unwrap().file_name().to_owned()).collect();
        assert_eq!(names, ["run.sh"]);
        assert_eq!(std::fs::metadata(to.join("run.sh")).unwrap().permissions().mode() & 0o777, 0o755);
    }

    #[test]
    fn copies_a_tree_as_deep_as_paths_go_on_a_small_stack() {
        let (_guard, base) = base();
        let within = vec!["d"; (3900 - base.as_str().len()) / 2].join("/");
        std::fs::create_dir_all(base.join("from").join(&within)).unwrap();
        std::fs::write(base.join("from").join(&within).join("x"), "text").unwrap();
        let (from, to) = (base.join("from"), base.join("to"));
        let work = move || copy(&from, &to);
        std::thread::Builder::new().stack_size(128 << 10).spawn(work).unwrap().join().unwrap().unwrap();
        assert_eq!(std::fs::read_to_string(base.join("to").join(&within).join("x")).unwrap(), "text");
        for tree in ["from", "to"] {
            remove_tree(&base.join(tree)).unwrap();
        }
    }
}
