//! Which files runs changed: reports the files of a run's folder turn by turn, compares them, and saves them elsewhere.
//! The source is the record of a turn; if that is missing because the run broke off, the folder as it is now is used.

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};

use super::dto::{
    FilesKnown, RunArgs, RunFile, RunFileArgs, RunFileText, RunFiles, SaveFilesArgs, SavedFiles, TurnFiles,
};
use super::error::{ApiError, Code, Tried};
use super::{Workbench, absolute, blocking, words};
use disk::digest;
use engine::tool::contents::Contents;
use trace::{Content, Event, EventKind, Left, LeftFile, Unkept, WrittenFile};
use wording::message;

impl Workbench {
    /// What a run created, changed and deleted in its folder, turn by turn.
    pub async fn run_files(&self, args: RunArgs) -> Result<RunFiles, ApiError> {
        let told = self.changes(args.run).await?;
        Ok(blocking(move || told.listed()).await)
    }

    /// The content of one of these files, before and after the turn, and the differences.
    pub async fn run_file(&self, args: RunFileArgs) -> Result<RunFileText, ApiError> {
        let told = self.changes(args.run).await?;
        blocking(move || told.text(args.turn, &args.path)).await
    }

    /// Writes files of a run into another folder, below which they keep their paths. If something is there already,
    /// nothing is written unless `replace` says so. The files are written byte for byte as they were recorded.
    pub async fn run_files_save(&self, args: SaveFilesArgs) -> Result<SavedFiles, ApiError> {
        let told = self.changes(args.run).await?;
        blocking(move || told.save(&args)).await
    }

    async fn changes(&self, run: trace::RunId) -> Result<Changes, ApiError> {
        let events = self.events_without_bodies(run).await?;
        let folder = self.inner.places.run_folder(run);
        Ok(blocking(move || Changes::of(&events, folder)).await)
    }
}

/// The recorded changes to the files of a run.
struct Changes {
    /// The run's own folder, whether it is there or not.
    folder: Utf8PathBuf,
    turns: Vec<Turn>,
    outside: Vec<WrittenFile>,
}

struct Turn {
    known: FilesKnown,
    left: Left,
}

impl Changes {
    fn of(events: &[Event], folder: Utf8PathBuf) -> Self {
        let begins = |event: &Event| matches!(event.kind, EventKind::Started { .. } | EventKind::Continued { .. });
        let mut outside: BTreeMap<String, WrittenFile> = BTreeMap::new();
        let mut turns = Vec::new();
        let mut state: BTreeMap<String, Content> = BTreeMap::new();
        let chunks: Vec<&[Event]> = events.chunk_by(|_, next| !begins(next)).collect();
        let last = chunks.len().saturating_sub(1);
        for (number, events) in chunks.into_iter().enumerate() {
            // Files of a run that this one was forked off are in that run's folder.
            let events = trace::turns::own(events);
            let (own, elsewhere): (Vec<_>, Vec<_>) =
                written(events).into_iter().partition(|file| is_inside(&file.path));
            outside.extend(elsewhere.into_iter().map(|file| (file.path.clone(), file)));
            let recorded = events.iter().rev().find_map(|event| match &event.kind {
                EventKind::Left { left } => Some(left.clone()),
                _ => None,
            });
            let acted = events
                .iter()
                .any(|event| matches!(&event.kind, EventKind::Performed { output, files, .. } if output.is_some() || !files.is_empty()));
            let turn = match recorded {
                Some(left) => Turn { known: FilesKnown::Recorded, left },
                None if !acted => Turn { known: FilesKnown::Nothing, left: Left::default() },
                None if number == last && folder.is_dir() => {
                    Turn { known: FilesKnown::Found, left: found(&state, Contents::take(&folder)) }
                }
                None => Turn { known: FilesKnown::Reported, left: reported(&own) },
            };
            for file in &turn.left.files {
                match &file.after {
                    Some(content) => state.insert(file.path.clone(), content.clone()),
                    None => state.remove(&file.path),
                };
            }
            turns.push(turn);
        }
        Self { folder, turns, outside: outside.into_values().collect() }
    }

    fn listed(&self) -> RunFiles {
        let turns = self.turns.iter().map(|turn| TurnFiles {
            known: turn.known,
            files: turn.left.files.iter().map(|file| self.row(file)).collect(),
            more: turn.left.more,
            partial: turn.left.partial,
            skills: turn.left.skills.clone(),
        });
        RunFiles {
            turns: turns.collect(),
            folder: self.folder.is_dir().then(|| self.folder.to_string()),
            outside: self.outside.clone(),
        }
    }

    fn row(&self, file: &LeftFile) -> RunFile {
        let content = file.after.as_ref().or(file.before.as_ref());
        RunFile {
            path: file.path.clone(),
            change: file.change(),
            size: content.map_or(0, |content| content.size),
            unkept: content.and_then(|content| content.unkept),
            saveable: file.after.as_ref().is_some_and(|after| after.text.is_some() || self.seems_there(file, after)),
        }
    }

    /// Whether the run's folder has a file of this name and size.
    fn seems_there(&self, file: &LeftFile, after: &Content) -> bool {
        let facts = below(&self.folder, &file.path).and_then(|path| std::fs::symlink_metadata(path).ok());
        facts.is_some_and(|facts| facts.is_file() && facts.len() == after.size)
    }

    fn file(&self, turn: u32, path: &str) -> Result<&LeftFile, ApiError> {
        let files = self.turns.get(turn as usize).map(|turn| &turn.left.files);
        files.into_iter().flatten().find(|file| file.path == path).ok_or_else(|| {
            ApiError::new(
                Code::NotFound,
                message!("the run left no file {path} there", "运行没有在那里留下文件 {path}"),
            )
            .hint(message!("reload the run", "请重新载入运行"))
        })
    }

    fn text(&self, turn: u32, path: &str) -> Result<RunFileText, ApiError> {
        let file = self.file(turn, path)?;
        let text = |content: &Option<Content>| content.as_ref().and_then(|content| content.text.clone());
        let (before, after) = (text(&file.before), text(&file.after));
        // If one of two texts is missing, everything would look changed.
        let missing = [&file.before, &file.after].into_iter().flatten().find_map(|content| content.unkept);
        let pieces = match (&before, &after) {
            _ if missing.is_some() => Vec::new(),
            (before, after) => words::diff(before.as_deref().unwrap_or_default(), after.as_deref().unwrap_or_default()),
        };
        Ok(RunFileText { change: file.change(), before, after, unkept: missing, pieces })
    }

    fn save(&self, args: &SaveFilesArgs) -> Result<SavedFiles, ApiError> {
        let wanted = self.wanted(args)?;
        let folder = absolute(Utf8Path::new(&args.folder));
        let folder = folder.canonicalize_utf8().map_err(|error| ApiError::io(&folder, Tried::Open, error))?;
        let mut targets = Vec::new();
        let mut existing = Vec::new();
        for file in wanted {
            let target = target(&folder, &file.path)?;
            if std::fs::symlink_metadata(&target).is_ok() {
                existing.push(file.path.clone());
            }
            targets.push((file, target));
        }
        if !existing.is_empty() && !args.replace {
            return Ok(SavedFiles { saved: Vec::new(), existing, left_out: Vec::new() });
        }
        let (mut saved, mut left_out) = (Vec::new(), Vec::new());
        for (file, target) in targets {
            let Some(bytes) = self.bytes(file) else {
                left_out.push(file.path.clone());
                continue;
            };
            if let Some(parent) = target.parent() {
                std::fs::create_dir_all(parent).map_err(|error| ApiError::io(parent, Tried::Create, error))?;
            }
            disk::write_itself(&target, &bytes, args.replace)
                .map_err(|error| ApiError::io(&target, Tried::Write, error))?;
            saved.push(target.into_string());
        }
        Ok(SavedFiles { saved, existing: Vec::new(), left_out })
    }

    /// Those that are asked for, each as the run left it last; all of them if none is named.
    fn wanted(&self, args: &SaveFilesArgs) -> Result<Vec<&LeftFile>, ApiError> {
        let turns = match args.turn {
            Some(turn) => self.turns.get(turn as usize..=turn as usize).unwrap_or_default(),
            None => &self.turns[..],
        };
        let mut last: BTreeMap<&str, &LeftFile> = BTreeMap::new();
        for file in turns.iter().flat_map(|turn| &turn.left.files) {
            match file.after {
                Some(_) => last.insert(&file.path, file),
                None => last.remove(file.path.as_str()),
            };
        }
        if args.paths.is_empty() {
            return Ok(last.into_values().collect());
        }
        let find = |path: &String| {
            last.get(path.as_str()).copied().ok_or_else(|| {
                ApiError::new(Code::NotFound, message!("the run left no file {path}", "运行没有留下文件 {path}"))
                    .hint(message!("`skillbench trace files` lists them", "`skillbench trace files` 会列出它们"))
            })
        };
        args.paths.iter().map(find).collect()
    }

    /// The content of a file: from the folder if it is unchanged, else from the record. `None`: it is no longer
    /// available.
    fn bytes(&self, file: &LeftFile) -> Option<Vec<u8>> {
        let content = file.after.as_ref()?;
        if content.unkept == Some(Unkept::Link) {
            return None;
        }
        let there = below(&self.folder, &file.path)
            .filter(|path| is_without_links(&self.folder, path))
            .and_then(|path| own_bytes(&path).ok());
        let is_it = |bytes: &Vec<u8>| match &content.digest {
            Some(expected) => digest(bytes) == *expected,
            None => bytes.len() as u64 == content.size,
        };
        there.filter(is_it).or_else(|| content.text.clone().map(String::into_bytes))
    }
}

/// Bytes of a file that is saved elsewhere.
const SAVED: u64 = 512 << 20;

pub(super) fn own_bytes(path: &Utf8Path) -> std::io::Result<Vec<u8>> {
    use std::io::Read;
    let (file, facts) = disk::open_unlinked(path)?;
    if facts.len() > SAVED {
        return Err(std::io::ErrorKind::FileTooLarge.into());
    }
    let mut bytes = Vec::new();
    file.take(SAVED).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Files that calls of a turn reported as written; for one that was written twice, the last.
fn written(events: &[Event]) -> Vec<WrittenFile> {
    let files = events.iter().filter_map(|event| match &event.kind {
        EventKind::Performed { files, .. } => Some(files),
        _ => None,
    });
    let last: BTreeMap<&str, &WrittenFile> = files.flatten().map(|file| (file.path.as_str(), file)).collect();
    last.into_values().cloned().collect()
}

pub(super) fn is_inside(path: &str) -> bool {
    !Utf8Path::new(path).is_absolute() && !path.starts_with('/')
}

fn reported(files: &[WrittenFile]) -> Left {
    let content = |size| Content { size, digest: None, text: None, unkept: Some(Unkept::Unreadable) };
    let files = files
        .iter()
        .map(|file| LeftFile { path: file.path.clone(), before: None, after: Some(content(file.size)) })
        .collect();
    Left { files, partial: true, ..Left::default() }
}

/// The folder as it is now, compared with the last record.
fn found(state: &BTreeMap<String, Content>, now: Contents) -> Left {
    let is_same = |path: &String, content: &Content| {
        state.get(path).is_some_and(|old| old.digest == content.digest && old.size == content.size)
    };
    let mut files: Vec<LeftFile> = now
        .files
        .iter()
        .filter(|(path, content)| !is_same(path, content))
        .map(|(path, content)| LeftFile {
            path: path.clone(),
            before: state.get(path).cloned(),
            after: Some(content.clone()),
        })
        .collect();
    if !now.partial {
        let gone = state.iter().filter(|(path, _)| !now.files.contains_key(*path));
        files.extend(gone.map(|(path, content)| LeftFile {
            path: path.clone(),
            before: Some(content.clone()),
            after: None,
        }));
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Left { files, partial: now.partial, ..Left::default() }
}

/// A recorded path below a folder; `None` if it leads elsewhere: a run may be imported from anywhere.
pub(super) fn below(folder: &Utf8Path, path: &str) -> Option<Utf8PathBuf> {
    let is_name = |part: &str| {
        let is_odd = part.is_empty() || part == "." || part == ".." || part.contains('\0');
        !(is_odd || cfg!(windows) && part.contains(['\\', ':']))
    };
    path.split('/').all(is_name).then(|| path.split('/').fold(folder.to_owned(), |place, part| place.join(part)))
}

/// Whether nothing on the way from the folder to a path in it is a link.
pub(super) fn is_without_links(folder: &Utf8Path, path: &Utf8Path) -> bool {
    let inside = path.ancestors().take_while(|part| *part != folder);
    inside.into_iter().all(|part| std::fs::symlink_metadata(part).is_ok_and(|facts| !facts.is_symlink()))
}

/// Where to write a file: below the folder that the user chose, not through a link.
fn target(folder: &Utf8Path, path: &str) -> Result<Utf8PathBuf, ApiError> {
    let refused = |message| {
        let hint = message!("choose another folder, or leave this file out", "请选择另一个文件夹，或去掉这个文件");
        Err(ApiError::new(Code::Invalid, message).hint(hint).at(folder))
    };
    let Some(target) = below(folder, path) else {
        return refused(message!("{path} is not a path below a folder", "{path} 不是文件夹之下的路径"));
    };
    for part in target.ancestors().skip(1).take_while(|part| *part != folder) {
        match std::fs::symlink_metadata(part) {
            Ok(facts) if facts.is_symlink() => {
                return refused(message!(
                    "{part} is a link, and nothing is written through it",
                    "{part} 是链接，不会通过它写入"
                ));
            }
            Ok(facts) if !facts.is_dir() => {
                return refused(message!("{part} is not a folder", "{part} 不是文件夹"));
            }
            _ => {}
        }
    }
    if std::fs::symlink_metadata(&target).is_ok_and(|facts| facts.is_dir()) {
        return refused(message!("{target} is a folder", "{target} 是文件夹"));
    }
    Ok(target)
}

#[cfg(test)]
mod tests {
    use super::*;
    use trace::Change;

    #[test]
    fn a_path_of_a_record_names_nothing_outside() {
        let folder = Utf8Path::new("/home/ada/out");
        assert_eq!(below(folder, "a/b.md"), Some("/home/ada/out/a/b.md".into()));
        for path in ["", "/etc/passwd", "../x", "a/../../x", "a//b", "./a", "a/\0"] {
            assert_eq!(below(folder, path), None, "{path:?}");
        }
    }

    /// A run that left `made.md` and `other.md`, of which its folder still has the first as it was.
    fn run_in(base: &Utf8Path) -> Changes {
        let folder = base.join("run");
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(folder.join("made.md"), "made").unwrap();
        std::fs::write(folder.join("other.md"), "changed since").unwrap();
        let file = |path: &str, text: &str, kept: bool| LeftFile {
            path: path.into(),
            before: None,
            after: Some(Content {
                size: text.len() as u64,
                digest: Some(digest(text.as_bytes())),
                text: kept.then(|| text.into()),
                unkept: (!kept).then_some(Unkept::Large),
            }),
        };
        let files = vec![file("made.md", "made", false), file("other.md", "as it was", true)];
        let turn = Turn { known: FilesKnown::Recorded, left: Left { files, ..Left::default() } };
        Changes { folder, turns: vec![turn], outside: Vec::new() }
    }

    fn base() -> (tempfile::TempDir, Utf8PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::try_from(folder.path().canonicalize().unwrap()).unwrap();
        (folder, path)
    }

    fn all(folder: &Utf8Path, replace: bool) -> SaveFilesArgs {
        let run = trace::RunId(uuid::Uuid::nil());
        SaveFilesArgs { run, turn: None, paths: Vec::new(), folder: folder.to_string(), replace }
    }

    #[test]
    fn files_are_saved_as_they_were_recorded_and_over_nothing_unasked() {
        let (_guard, base) = base();
        let changes = run_in(&base);
        let to = base.join("to");
        std::fs::create_dir(&to).unwrap();
        std::fs::write(to.join("made.md"), "mine").unwrap();
        let asked = changes.save(&all(&to, false)).unwrap();
        assert_eq!(asked, SavedFiles { existing: vec!["made.md".into()], ..SavedFiles::default() });
        assert!(!to.join("other.md").exists(), "nothing is written before the answer");
        assert_eq!(changes.save(&all(&to, true)).unwrap().saved.len(), 2);
        let read = |name: &str| std::fs::read_to_string(to.join(name)).unwrap();
        assert_eq!([read("made.md"), read("other.md")], ["made", "as it was"]);

        std::fs::write(changes.folder.join("made.md"), "other").unwrap();
        let later = changes.save(&all(&to, true)).unwrap();
        assert_eq!(later.left_out, ["made.md"], "the folder has something else now, and the record no text");
    }

    #[cfg(unix)]
    #[test]
    fn nothing_is_saved_through_a_link_nor_read_through_one() {
        use std::os::unix::fs::symlink;
        let (_guard, base) = base();
        let mut changes = run_in(&base);
        let (to, out) = (base.join("to"), base.join("out"));
        [&to, &out].iter().for_each(|folder| std::fs::create_dir(folder).unwrap());
        symlink(&out, to.join("sub")).unwrap();
        changes.turns[0].left.files[0].path = "sub/made.md".into();
        let refused = changes.save(&all(&to, true)).unwrap_err();
        assert!(refused.message.ends_with("is a link, and nothing is written through it"), "{refused}");
        changes.turns[0].left.files[0].path = "made.md".into();
        symlink(out.join("kept"), to.join("made.md")).unwrap();
        changes.save(&all(&to, true)).unwrap();
        assert!(!out.join("kept").exists() && !to.join("made.md").is_symlink(), "the link itself is replaced");

        std::fs::write(out.join("secret"), "made").unwrap();
        std::fs::remove_file(changes.folder.join("made.md")).unwrap();
        symlink(out.join("secret"), changes.folder.join("made.md")).unwrap();
        assert_eq!(changes.save(&all(&to, true)).unwrap().left_out, ["made.md"]);
    }

    #[test]
    fn what_is_in_the_folder_of_a_run_that_broke_off_is_compared_with_what_was_recorded() {
        let content = |text: &str| Content {
            size: text.len() as u64,
            digest: Some(digest(text.as_bytes())),
            text: Some(text.into()),
            unkept: None,
        };
        let state: BTreeMap<String, Content> =
            [("gone", "1"), ("kept", "2"), ("other", "3")].map(|(path, text)| (path.into(), content(text))).into();
        let files = [("kept", "2"), ("new", "4"), ("other", "5")].map(|(path, text)| (path.into(), content(text)));
        let left = found(&state, Contents { files: files.into(), partial: false });
        let told: Vec<_> = left.files.iter().map(|file| (file.path.as_str(), file.change())).collect();
        assert_eq!(told, [("gone", Change::Deleted), ("new", Change::Created), ("other", Change::Changed)]);
    }
}
