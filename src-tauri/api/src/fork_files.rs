//! The files that a fork begins with: those that the run had in its folder at that step, as far as the record has them.
//! Others come from that folder, if it still exists and there is no sign that they have changed since.

use std::collections::{BTreeMap, BTreeSet};

use camino::Utf8Path;

use super::changes::{below, is_inside, is_without_links, own_bytes};
use super::error::{ApiError, Tried};
use disk::digest;
use trace::{Content, Event, EventKind, Left, LeftFile, RunId, Unkept, WrittenFile};
use wording::{Message, message};

/// What the run had in its folder.
#[derive(Debug, Default, PartialEq)]
pub(super) struct FilesThen {
    files: BTreeMap<String, Content>,
    /// Files whose content is no longer known.
    unknown: BTreeSet<String>,
    /// There were further ones, of which nothing is recorded.
    more: bool,
}

impl FilesThen {
    /// `kept`: so many events were recorded before the step.
    pub fn of(events: &[Event], kept: usize) -> Self {
        let (before, behind) = events.split_at(kept.min(events.len()));
        let mut then = Self::default();
        // Files written since the last turn that recorded its files.
        let mut open: BTreeMap<&str, u64> = BTreeMap::new();
        for event in before {
            match &event.kind {
                EventKind::Left { left } => {
                    open.clear();
                    then.take(left);
                }
                EventKind::Performed { files, .. } => open.extend(inside(files)),
                _ => {}
            }
        }
        let turn = behind.split(begins_turn).next().unwrap_or_default();
        let told = left_in(turn);
        let again = changed_in(behind);
        for (path, size) in open {
            // If it was not written again, its content is that of the end of the turn; if the turn did not record it,
            // that of the folder.
            let told = told.and_then(|left| left.files.iter().find(|file| file.path == path));
            let written_again = turn.iter().flat_map(written).any(|file| file.path == path);
            let content = match told {
                Some(LeftFile { after, .. }) if !written_again => after.clone(),
                None if !again.contains(path) => Some(Content { size, digest: None, text: None, unkept: None }),
                _ => None,
            };
            match content {
                Some(content) => drop(then.files.insert(path.to_owned(), content)),
                None => {
                    then.files.remove(path);
                    then.unknown.insert(path.to_owned());
                }
            }
        }
        then
    }

    fn take(&mut self, left: &Left) {
        self.more |= left.more > 0 || left.partial;
        for LeftFile { path, after, .. } in &left.files {
            self.unknown.remove(path);
            match after {
                Some(content) => self.files.insert(path.clone(), content.clone()),
                None => self.files.remove(path),
            };
        }
    }

    /// Writes them into the folder of a fork. `parent`: the folder of the run, which may be gone.
    pub fn copy(&self, parent: &Utf8Path, fork: &Utf8Path) -> Result<Copied, ApiError> {
        let mut copied = Copied { more: self.more, missing: self.unknown.clone(), ..Copied::default() };
        for (path, content) in &self.files {
            let bytes = bytes(parent, path, content);
            let (Some(bytes), Some(target)) = (bytes, below(fork, path)) else {
                copied.missing.insert(path.clone());
                continue;
            };
            let folder = target.parent().unwrap_or(fork);
            disk::make_private_folder(folder).map_err(|error| ApiError::io(folder, Tried::Create, error))?;
            disk::write_itself(&target, &bytes, false).map_err(|error| ApiError::io(&target, Tried::Write, error))?;
            copied.copied.insert(path.clone());
        }
        Ok(copied)
    }
}

/// What became of these files.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Copied {
    copied: BTreeSet<String>,
    missing: BTreeSet<String>,
    more: bool,
}

impl Copied {
    /// Messages for the user who forks the run.
    pub fn told(&self, run: RunId) -> Vec<Message> {
        let mut told = Vec::new();
        if !self.copied.is_empty() {
            let files = named(&self.copied);
            told.push(message!(
                "copied from run {run} into the folder of this run, as they were at that step: {files}",
                "已按那一步时的内容从运行 {run} 复制到本次运行的文件夹：{files}";
                files
            ));
        }
        if !self.missing.is_empty() {
            let files = named(&self.missing);
            told.push(message!(
                "missing in the folder of this run, because the record of run {run} does not hold their contents: {files}",
                "本次运行的文件夹中缺少这些文件，因为运行 {run} 的记录没有保存其内容：{files}";
                files
            ));
        }
        if self.more {
            told.push(message!(
                "run {run} had further files, of which nothing is recorded; they are not in the folder of this run",
                "运行 {run} 还有未记录的其他文件；它们不在本次运行的文件夹中"
            ));
        }
        told
    }
}

/// File names that a note has.
const NAMED: usize = 8;

fn named(files: &BTreeSet<String>) -> Message {
    let names = files.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
    match files.len().saturating_sub(NAMED) {
        0 => Message::quoted(names),
        more => message!("{names} and {more} more", "{names} 以及另外 {more} 个"),
    }
}

fn begins_turn(event: &Event) -> bool {
    matches!(event.kind, EventKind::Started { .. } | EventKind::Continued { .. } | EventKind::Forked { .. })
}

fn written(event: &Event) -> &[WrittenFile] {
    match &event.kind {
        EventKind::Performed { files, .. } => files,
        _ => &[],
    }
}

fn inside(files: &[WrittenFile]) -> impl Iterator<Item = (&str, u64)> {
    files.iter().filter(|file| is_inside(&file.path)).map(|file| (file.path.as_str(), file.size))
}

fn left_in(events: &[Event]) -> Option<&Left> {
    events.iter().rev().find_map(|event| match &event.kind {
        EventKind::Left { left } => Some(left),
        _ => None,
    })
}

/// All files that were written or changed in any way.
fn changed_in(events: &[Event]) -> BTreeSet<&str> {
    let files = events.iter().flat_map(|event| match &event.kind {
        EventKind::Performed { files, .. } => inside(files).map(|(path, _)| path).collect(),
        EventKind::Left { left } => left.files.iter().map(|file| file.path.as_str()).collect(),
        _ => Vec::new(),
    });
    files.collect()
}

fn bytes(folder: &Utf8Path, path: &str, content: &Content) -> Option<Vec<u8>> {
    if content.unkept == Some(Unkept::Link) {
        return None;
    }
    if let Some(text) = &content.text {
        return Some(text.clone().into_bytes());
    }
    let there = below(folder, path).filter(|path| is_without_links(folder, path))?;
    let bytes = own_bytes(&there).ok()?;
    let is_it = match &content.digest {
        Some(expected) => digest(&bytes) == *expected,
        None => bytes.len() as u64 == content.size,
    };
    is_it.then_some(bytes)
}

#[cfg(test)]
mod tests {
    use camino::Utf8PathBuf;

    use super::*;
    use trace::RunStatus;

    const RUN: RunId = RunId(uuid::Uuid::nil());

    fn events(kinds: impl IntoIterator<Item = EventKind>) -> Vec<Event> {
        (0..).zip(kinds).map(|(seq, kind)| Event { seq, at: 0, within: None, kind }).collect()
    }

    fn performed(files: &[(&str, u64)]) -> EventKind {
        let files = files.iter().map(|(path, size)| WrittenFile { path: (*path).into(), size: *size }).collect();
        EventKind::Performed { call_id: "c".into(), output: None, files, enforcement: None, outcome: None }
    }

    fn text(text: &str) -> Content {
        Content {
            size: text.len() as u64,
            digest: Some(digest(text.as_bytes())),
            text: Some(text.into()),
            unkept: None,
        }
    }

    fn without_text(content: Content) -> Content {
        Content { text: None, unkept: Some(Unkept::Binary), ..content }
    }

    fn left(files: &[(&str, Option<Content>)]) -> EventKind {
        let file = |(path, after): &(&str, Option<Content>)| LeftFile {
            path: (*path).into(),
            before: None,
            after: after.clone(),
        };
        EventKind::Left { left: Left { files: files.iter().map(file).collect(), ..Left::default() } }
    }

    fn ended() -> EventKind {
        EventKind::ended(RunStatus::Done, None, None)
    }

    struct Folders {
        _home: tempfile::TempDir,
        parent: Utf8PathBuf,
        fork: Utf8PathBuf,
    }

    impl Folders {
        fn new(files: &[(&str, &str)]) -> Self {
            let home = tempfile::tempdir().unwrap();
            let path = Utf8PathBuf::try_from(home.path().to_owned()).unwrap();
            let (parent, fork) = (path.join("parent"), path.join("fork"));
            for (path, text) in files {
                std::fs::create_dir_all(parent.join(path).parent().unwrap()).unwrap();
                std::fs::write(parent.join(path), text).unwrap();
            }
            Self { _home: home, parent, fork }
        }

        fn forked(&self, events: &[Event], kept: usize) -> Copied {
            FilesThen::of(events, kept).copy(&self.parent, &self.fork).unwrap()
        }

        fn read(&self, path: &str) -> Option<String> {
            std::fs::read_to_string(self.fork.join(path)).ok()
        }
    }

    fn names<const N: usize>(names: [&str; N]) -> BTreeSet<String> {
        names.map(String::from).into()
    }

    #[test]
    fn a_fork_has_the_files_as_they_were_at_its_step() {
        let folders = Folders::new(&[("a/b.txt", "third"), ("c.bin", "bytes"), ("d.bin", "other bytes")]);
        let events = events([
            performed(&[("a/b.txt", 5), ("c.bin", 5), ("d.bin", 5), ("gone.txt", 1)]),
            left(&[
                ("a/b.txt", Some(text("first"))),
                ("c.bin", Some(without_text(text("bytes")))),
                ("d.bin", Some(without_text(text("bytes")))),
                ("gone.txt", Some(text("x"))),
            ]),
            ended(),
            left(&[("a/b.txt", Some(text("third"))), ("gone.txt", None)]),
            ended(),
        ]);
        let copied = folders.forked(&events, 3);
        assert_eq!(copied.copied, names(["a/b.txt", "c.bin", "gone.txt"]));
        assert_eq!(copied.missing, names(["d.bin"]), "the folder has something else by now");
        assert_eq!(
            (folders.read("a/b.txt").as_deref(), folders.read("c.bin").as_deref()),
            (Some("first"), Some("bytes"))
        );
        let later = Folders::new(&[]);
        let copied = later.forked(&events, 5);
        assert_eq!((copied.copied, copied.missing), (names(["a/b.txt"]), names(["c.bin", "d.bin"])));
        assert_eq!(later.read("a/b.txt").as_deref(), Some("third"));
    }

    #[test]
    fn in_the_middle_of_a_turn_its_end_tells_what_was_not_written_again() {
        let folders = Folders::new(&[("same.txt", "changed by hand"), ("untold.txt", "12345"), ("twice.txt", "later")]);
        let all = events([
            performed(&[("same.txt", 4), ("twice.txt", 5)]),
            performed(&[("twice.txt", 5)]),
            left(&[("same.txt", Some(text("same"))), ("twice.txt", Some(text("later")))]),
            ended(),
        ]);
        let copied = folders.forked(&all, 1);
        assert_eq!((copied.copied, copied.missing), (names(["same.txt"]), names(["twice.txt"])));
        assert_eq!(folders.read("same.txt").as_deref(), Some("same"));
        let broken_off = events([performed(&[("untold.txt", 5), ("same.txt", 4)])]);
        let folders = Folders::new(&[("same.txt", "longer"), ("untold.txt", "12345")]);
        let copied = folders.forked(&broken_off, 1);
        assert_eq!((copied.copied, copied.missing), (names(["untold.txt"]), names(["same.txt"])));
    }

    #[test]
    fn nothing_is_written_outside_and_nothing_is_read_through_a_link() {
        let folders = Folders::new(&[("real.txt", "text")]);
        let link = Content { size: 4, digest: None, text: None, unkept: Some(Unkept::Link) };
        let told = left(&[("../out.txt", Some(text("x"))), ("/abs.txt", Some(text("x"))), ("l", Some(link))]);
        let copied = folders.forked(&events([told, ended()]), 2);
        assert_eq!(copied.missing, names(["../out.txt", "/abs.txt", "l"]));
        assert!(copied.copied.is_empty() && !folders.fork.parent().unwrap().join("out.txt").exists());
    }

    #[test]
    fn the_user_hears_of_both() {
        let many: BTreeSet<String> = (0..10).map(|number| format!("{number}.txt")).collect();
        let told = Copied { copied: many, missing: names(["a.bin"]), more: true }.told(RUN);
        assert!(
            told[0].en.ends_with("0.txt, 1.txt, 2.txt, 3.txt, 4.txt, 5.txt, 6.txt, 7.txt and 2 more"),
            "{}",
            told[0].en
        );
        assert!(told[1].en.ends_with("does not hold their contents: a.bin"), "{}", told[1].en);
        assert_eq!((told.len(), Copied::default().told(RUN).len()), (3, 0));
    }
}
