//! Reading and writing the files of skills. A save never loses text: it says which version was edited, writes a new
//! file and renames it, and reports a newer file instead of overwriting it.

use camino::{Utf8Path, Utf8PathBuf};

use super::dto::{FileMove, FileSave, FileText, PathArgs, SaveResult};
use super::error::{ApiError, Code, Tried};
use super::trust::Open;
use super::{Workbench, absolute, blocking, convert, lock};
use skill::source::{Newline, READ_LIMIT, SourceText};
use skill::{Problem, ProblemKind};
use wording::message;

impl Workbench {
    pub async fn file_read(&self, args: PathArgs) -> Result<FileText, ApiError> {
        let (path, open) = self.inside(&args.path).await?;
        blocking(move || read(&path, &open.through(&path)?)).await
    }

    /// Writes a file that was edited from version `base`; `base: null` with `force` writes it even if it does not
    /// exist.
    pub async fn file_save(&self, args: FileSave) -> Result<SaveResult, ApiError> {
        let (path, open) = self.inside(&args.path).await?;
        let (saving, history, now) = (self.inner.saving.clone(), self.history(), self.inner.clock.now());
        let result = blocking(move || {
            let _turn = lock(&saving);
            let place = open.through(&path)?;
            let written_at = modified(&place).map_or(now, |then| then.min(now));
            let (result, texts) = save(&path, &place, &args)?;
            // Texts written by others are earlier versions too.
            for (text, at) in texts.iter().rev().zip([now, written_at]).rev() {
                if let Err(error) = history.keep(&place, text, at) {
                    tracing::warn!(%error, %path, "the earlier version is not kept");
                }
            }
            Ok(result)
        })
        .await;
        self.forget_loaded();
        result
    }

    /// Makes an empty file and the folders it needs.
    pub async fn file_create(&self, args: PathArgs) -> Result<FileText, ApiError> {
        let (path, open) = self.inside(&args.path).await?;
        let made = blocking(move || {
            let place = open.itself(&path)?;
            if let Some(parent) = place.parent() {
                std::fs::create_dir_all(parent).map_err(|error| ApiError::io(parent, Tried::Create, error))?;
            }
            std::fs::File::create_new(&place).map_err(|error| ApiError::io(&path, Tried::Create, error))?;
            read(&path, &place)
        })
        .await;
        self.forget_loaded();
        made
    }

    /// Renames or moves a file, or a link itself, within the open folders; never over another.
    pub async fn file_move(&self, args: FileMove) -> Result<(), ApiError> {
        let ((from, open), (to, _)) = (self.inside(&args.from).await?, self.inside(&args.to).await?);
        let history = self.history();
        let moved = blocking(move || {
            let (source, target) = (open.itself(&from)?, open.itself(&to)?);
            // A link that leads nowhere is there too.
            if std::fs::symlink_metadata(&target).is_ok() {
                return Err(ApiError::new(Code::Exists, message!("{to} already exists", "{to} 已存在"))
                    .hint(message!("choose another name", "请换一个名称"))
                    .at(&to));
            }
            if let Some(parent) = target.parent() {
                std::fs::create_dir_all(parent).map_err(|error| ApiError::io(parent, Tried::Create, error))?;
            }
            std::fs::rename(&source, &target).map_err(|error| ApiError::io(&from, Tried::Move, error))?;
            if let Err(error) = history.moved(&source, &target) {
                tracing::warn!(%error, %from, "its earlier versions stay under the old name");
            }
            Ok(())
        })
        .await;
        self.forget_loaded();
        moved
    }

    /// Moves a file, a link itself or a skill's folder into the program's own trash folder, from where users can
    /// restore it by hand.
    pub async fn file_trash(&self, args: PathArgs) -> Result<(), ApiError> {
        let (path, open) = self.inside(&args.path).await?;
        let trash = self.inner.places.state.join("trash").join(self.inner.clock.now().to_string());
        let gone = blocking(move || {
            let place = open.itself(&path)?;
            let name = place.file_name().unwrap_or("unnamed");
            std::fs::create_dir_all(&trash).map_err(|error| ApiError::io(&trash, Tried::Create, error))?;
            move_anywhere(&place, &trash.join(name)).map_err(|error| ApiError::io(&path, Tried::Delete, error))
        })
        .await;
        self.forget_loaded();
        gone
    }

    /// `path` if it is in an open folder, or in one that an open folder's project file names: the window edits nothing
    /// else. With it, the places that it may really lead to.
    pub(super) async fn inside(&self, path: &str) -> Result<(Utf8PathBuf, Open), ApiError> {
        self.below(path, |path, folder| path != folder).await
    }

    /// As [`Workbench::inside`]; it may be an open folder itself.
    pub(super) async fn in_sight(&self, path: &str) -> Result<(Utf8PathBuf, Open), ApiError> {
        self.below(path, |_, _| true).await
    }

    async fn below(
        &self,
        path: &str,
        counts: impl Fn(&Utf8Path, &Utf8Path) -> bool,
    ) -> Result<(Utf8PathBuf, Open), ApiError> {
        let path = absolute(Utf8Path::new(path));
        let roots = self.open_folders().await;
        if !roots.iter().any(|folder| path.starts_with(folder) && counts(&path, folder)) {
            return Err(ApiError::new(
                Code::Invalid,
                message!("{path} is in none of the open folders", "{path} 不在任何已打开的文件夹中"),
            )
            .hint(message!("open its folder first", "请先打开它所在的文件夹"))
            .at(&path));
        }
        let places = self.inner.places.clone();
        Ok((path, blocking(move || Open::now(&roots, &places)).await))
    }

    /// The folders that the user opened, and those that their project files name and that may be read.
    pub(super) async fn open_folders(&self) -> Vec<Utf8PathBuf> {
        let opened = lock(&self.inner.desk).paths();
        let loaded = self.loaded().await;
        opened.into_iter().chain(loaded.set.roots.iter().map(|root| root.path.clone())).collect()
    }
}

/// The file at `place`, under the name by which it was asked for.
fn read(path: &Utf8Path, place: &Utf8Path) -> Result<FileText, ApiError> {
    let (bytes, truncated_from) =
        SourceText::read_bytes(place).map_err(|error| ApiError::io(path, Tried::Read, error))?;
    let version = disk::digest(&bytes);
    let text = SourceText::decode(path.to_owned(), bytes, truncated_from);
    let read_only = why_read_only(&text, path);
    Ok(FileText {
        path: path.to_string(),
        version,
        bom: text.bom,
        newline: text.newline(),
        read_only: read_only.map(|problem| convert::unplaced(&problem)),
        // Editors count a line end as one unit; `encode` writes the file's own line ends back.
        text: text.text.replace("\r\n", "\n"),
    })
}

/// When the file was last written, in milliseconds since the Unix epoch.
fn modified(place: &Utf8Path) -> Option<i64> {
    let modified = std::fs::metadata(place).ok()?.modified().ok()?;
    modified.duration_since(std::time::UNIX_EPOCH).ok()?.as_millis().try_into().ok()
}

fn why_read_only(text: &SourceText, path: &Utf8Path) -> Option<Problem> {
    let kind = if let Some(offset) = text.invalid_at {
        ProblemKind::NotUtf8 { offset }
    } else if let Some(size) = text.truncated_from {
        ProblemKind::TooLarge { size, limit: READ_LIMIT }
    } else if std::fs::metadata(path).is_ok_and(|found| found.permissions().readonly()) {
        ProblemKind::FileUnreadable { reason: message!("it is write-protected", "它是只读的") }
    } else {
        return None;
    };
    Some(Problem { kind, path: path.to_owned(), span: None })
}

/// The result, and the contents of the file before and now.
fn save(path: &Utf8Path, place: &Utf8Path, args: &FileSave) -> Result<(SaveResult, Vec<Vec<u8>>), ApiError> {
    let _turn = disk::turn(place).map_err(|error| ApiError::io(path, Tried::Change, error))?;
    let found = match disk::read(place, SAVED_BYTES) {
        Ok(bytes) => Some(bytes),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => return Err(ApiError::io(path, Tried::Read, error)),
    };
    if !args.force {
        match &found {
            None if args.base.is_some() => return Ok((SaveResult::Gone, Vec::new())),
            Some(bytes) if Some(disk::digest(bytes)) != args.base => {
                return Ok((SaveResult::Changed { theirs: read(path, place)? }, Vec::new()));
            }
            _ => {}
        }
    }
    let before = found.clone().map(|bytes| SourceText::decode(path.to_owned(), bytes, None));
    let bytes = encode(&args.text, before.as_ref());
    disk::write_atomically(place, &bytes).map_err(|error| ApiError::io(path, Tried::Write, error))?;
    Ok((SaveResult::Saved { version: disk::digest(&bytes) }, found.into_iter().chain([bytes]).collect()))
}

/// The bytes of `text` with the byte order mark and line ends that the file had: editors work with LF.
fn encode(text: &str, before: Option<&SourceText>) -> Vec<u8> {
    let crlf = before.is_some_and(|before| before.newline() == Newline::CrLf);
    let body = if crlf { with_crlf(text) } else { text.to_owned() };
    let mark = if before.is_some_and(|before| before.bom) { "\u{feff}" } else { "" };
    [mark.as_bytes(), body.as_bytes()].concat()
}

/// Every line ends in CRLF.
pub(super) fn with_crlf(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\n', "\r\n")
}

/// Far more than the editor opens to be written.
const SAVED_BYTES: u64 = 4 * READ_LIMIT;

/// Renames, or copies and deletes if the target is on another file system.
fn move_anywhere(from: &Utf8Path, to: &Utf8Path) -> std::io::Result<()> {
    match std::fs::rename(from, to) {
        Err(error) if error.kind() == std::io::ErrorKind::CrossesDevices => {
            copy(from, to)?;
            let is_folder = std::fs::symlink_metadata(from)?.is_dir();
            if is_folder { disk::remove_tree(from) } else { std::fs::remove_file(from) }
        }
        other => other,
    }
}

/// Links are copied as links; their targets stay. Folders are copied one after the other, so any depth works.
fn copy(from: &Utf8Path, to: &Utf8Path) -> std::io::Result<()> {
    let mut waiting = vec![(from.to_owned(), to.to_owned())];
    while let Some((from, to)) = waiting.pop() {
        let kind = std::fs::symlink_metadata(&from)?.file_type();
        if kind.is_symlink() {
            copy_link(&from, &to)?;
        } else if kind.is_dir() {
            std::fs::create_dir_all(&to)?;
            for entry in from.read_dir_utf8()? {
                let entry = entry?;
                waiting.push((entry.path().to_owned(), to.join(entry.file_name())));
            }
        } else if kind.is_file() {
            copy_file(&from, &to)?;
        }
        // A pipe or a socket holds nothing that could be taken back.
    }
    Ok(())
}

/// Waits for no pipe that is put in its place.
fn copy_file(from: &Utf8Path, to: &Utf8Path) -> std::io::Result<()> {
    let (mut source, facts) = disk::open_unlinked(from)?;
    let mut target = std::fs::File::create_new(to)?;
    std::io::copy(&mut source, &mut target)?;
    target.set_permissions(facts.permissions())
}

#[cfg(unix)]
fn copy_link(from: &Utf8Path, to: &Utf8Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(std::fs::read_link(from)?, to)
}

/// On this system, most users may not create links: a file that names the target is written instead.
#[cfg(not(unix))]
fn copy_link(from: &Utf8Path, to: &Utf8Path) -> std::io::Result<()> {
    std::fs::write(to, std::fs::read_link(from)?.to_string_lossy().as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_pipe_in_a_tree_keeps_no_copy_waiting() {
        use std::os::unix::fs::PermissionsExt;
        let guard = tempfile::tempdir().unwrap();
        let base = Utf8PathBuf::try_from(guard.path().canonicalize().unwrap()).unwrap();
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
        let guard = tempfile::tempdir().unwrap();
        let base = Utf8PathBuf::try_from(guard.path().canonicalize().unwrap()).unwrap();
        let within = vec!["d"; (3900 - base.as_str().len()) / 2].join("/");
        std::fs::create_dir_all(base.join("from").join(&within)).unwrap();
        std::fs::write(base.join("from").join(&within).join("x"), "text").unwrap();
        let (from, to) = (base.join("from"), base.join("to"));
        let work = move || copy(&from, &to);
        std::thread::Builder::new().stack_size(128 << 10).spawn(work).unwrap().join().unwrap().unwrap();
        assert_eq!(std::fs::read_to_string(base.join("to").join(&within).join("x")).unwrap(), "text");
        for tree in ["from", "to"] {
            disk::remove_tree(&base.join(tree)).unwrap();
        }
    }
}
