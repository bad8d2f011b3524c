//! Reading and writing the files of skills. A save never loses text: it says which version was edited, writes a new
//! file and renames it, and reports a newer file instead of overwriting it.

use camino::{Utf8Path, Utf8PathBuf};

use super::dto::{FileMove, FileSave, FileText, NoArgs, PathArgs, SaveResult, TrashArgs, Trashed};
use super::error::{ApiError, Code, Tried};
use super::trust::Open;
use super::{Workbench, absolute, blocking, convert, lock};
use disk::trash::Trash;
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
            let taken = || {
                ApiError::new(Code::Exists, message!("{to} already exists", "{to} 已存在"))
                    .hint(message!("choose another name", "请换一个名称"))
                    .at(&to)
            };
            // A link that leads nowhere is there too. If it is, no folders are made for it.
            if std::fs::symlink_metadata(&target).is_ok() {
                return Err(taken());
            }
            if let Some(parent) = target.parent() {
                std::fs::create_dir_all(parent).map_err(|error| ApiError::io(parent, Tried::Create, error))?;
            }
            disk::rename_new(&source, &target).map_err(|error| match error.kind() {
                std::io::ErrorKind::AlreadyExists => taken(),
                _ => ApiError::io(&from, Tried::Move, error),
            })?;
            if let Err(error) = history.moved(&source, &target) {
                tracing::warn!(%error, %from, "its earlier versions stay under the old name");
            }
            Ok(())
        })
        .await;
        self.forget_loaded();
        moved
    }

    /// Moves a file, a link itself or a skill's folder to what was deleted, from where [`Workbench::trash_restore`]
    /// puts it back.
    pub async fn file_trash(&self, args: PathArgs) -> Result<Trashed, ApiError> {
        let (path, open) = self.inside(&args.path).await?;
        let (trash, now) = (self.trash(), self.inner.clock.now());
        let gone = blocking(move || {
            let place = open.itself(&path)?;
            trash.put(&path, &place, now).map_err(|error| ApiError::io(&path, Tried::Delete, error))
        })
        .await;
        self.forget_loaded();
        gone.map(Trashed::from)
    }

    /// What was deleted and can be put back, the newest first.
    pub async fn trash_list(&self, _: NoArgs) -> Result<Vec<Trashed>, ApiError> {
        let trash = self.trash();
        Ok(blocking(move || trash.list().into_iter().map(Trashed::from).collect()).await)
    }

    /// Moves something that was deleted to where it was; never over another.
    pub async fn trash_restore(&self, args: TrashArgs) -> Result<Trashed, ApiError> {
        let trash = self.trash();
        let trashed = {
            let trash = trash.clone();
            blocking(move || trash.find(&args.id)).await.ok_or_else(not_in_trash)?
        };
        let (path, open) = self.inside(trashed.path.as_str()).await?;
        let back = blocking(move || {
            let place = open.itself(&path)?;
            trash.put_back(&trashed, &place).map_err(|error| match error.kind() {
                std::io::ErrorKind::AlreadyExists => {
                    ApiError::new(Code::Exists, message!("{path} already exists", "{path} 已存在"))
                        .hint(message!("rename the existing one first", "请先重命名已有的那一个"))
                        .at(&path)
                }
                // Another window was faster.
                _ if trash.find(&trashed.id).is_none() => not_in_trash(),
                _ => ApiError::io(&path, Tried::Create, error),
            })?;
            Ok(Trashed::from(trashed))
        })
        .await;
        self.forget_loaded();
        back
    }

    /// Removes something that was deleted for good, and lists what is left.
    pub async fn trash_remove(&self, args: TrashArgs) -> Result<Vec<Trashed>, ApiError> {
        let trash = self.trash();
        blocking(move || {
            let trashed = trash.find(&args.id).ok_or_else(not_in_trash)?;
            trash.remove(&trashed.id).map_err(|error| ApiError::io(&trashed.path, Tried::Delete, error))?;
            Ok(trash.list().into_iter().map(Trashed::from).collect())
        })
        .await
    }

    fn trash(&self) -> Trash {
        Trash::new(self.inner.places.trash())
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

fn not_in_trash() -> ApiError {
    ApiError::new(Code::NotFound, message!("it is not among the deleted files", "已删除的文件中没有它"))
        .hint(message!("it may have been put back or removed in another window", "它可能已在别的窗口中恢复或彻底删除"))
}

/// Far more than the editor opens to be written.
const SAVED_BYTES: u64 = 4 * READ_LIMIT;
