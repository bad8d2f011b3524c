//! Files that record what rules read, as far as a skill's own mark does not cover it.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::sync::{Arc, Mutex, PoisonError};

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};

use super::marks::{self, Clock, Mark, Sum};
use lint::{Disk, Files};
use skill::source::SourceText;
use skill::{Entry, Folder, SkillPlace};

/// Something outside of the skill that was asked for.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Asked {
    path: Utf8PathBuf,
    /// As it was before it was read.
    mark: Mark,
}

impl Asked {
    /// If all of it is still the same, with marks as they are now.
    pub fn still(all: &[Self], looked: &LookedAt) -> Option<Vec<Self>> {
        let still = all.iter().map(|Self { path, mark }| {
            let mark = mark.still(&looked.sum(path), || marks::content_of_path(path))?;
            Some(Self { path: path.clone(), mark })
        });
        still.collect()
    }
}

/// The state of paths that were read: many skills read the same ones, such as folders above.
pub(super) struct LookedAt {
    pub clock: Clock,
    sums: Mutex<HashMap<Utf8PathBuf, Sum>>,
}

impl LookedAt {
    pub fn new(clock: Clock) -> Self {
        Self { clock, sums: Mutex::default() }
    }

    fn sum(&self, path: &Utf8Path) -> Sum {
        let known = self.sums.lock().unwrap_or_else(PoisonError::into_inner).get(path).cloned();
        known.unwrap_or_else(|| {
            let sum = marks::of_path(path, self.clock);
            self.sums.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned(), sum.clone());
            sum
        })
    }
}

pub(super) struct Noted<'a> {
    /// The folders whose marks cover their contents, by path.
    folders: Folders<'a>,
    clock: Clock,
    /// `None`: nothing tells whether it has changed.
    asked: Mutex<BTreeMap<Utf8PathBuf, Option<Mark>>>,
}

enum Folders<'a> {
    One(&'a Folder),
    All(HashMap<&'a Utf8Path, &'a Folder>),
}

impl<'a> Noted<'a> {
    pub fn of_skill(place: &'a SkillPlace<'a>, clock: Clock) -> Self {
        Self { folders: Folders::One(place.folder()), clock, asked: Mutex::default() }
    }

    pub fn of_all(places: &'a [SkillPlace<'a>], clock: Clock) -> Self {
        let folders = places.iter().map(|place| (place.path(), place.folder()));
        Self { folders: Folders::All(folders.collect()), clock, asked: Mutex::default() }
    }

    /// `None`: nothing tells whether some of it has changed.
    pub fn asked(&self) -> Option<Vec<Asked>> {
        let asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let asked = asked.iter().map(|(path, mark)| Some(Asked { path: path.clone(), mark: mark.clone()? }));
        asked.collect()
    }

    fn covers(&self, path: &Utf8Path) -> bool {
        match &self.folders {
            Folders::One(folder) => covers(folder, path),
            Folders::All(folders) => {
                path.ancestors().find_map(|above| folders.get(above)).is_some_and(|folder| covers(folder, path))
            }
        }
    }

    fn note(&self, path: &Utf8Path) {
        if self.covers(path) {
            return;
        }
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        if !asked.contains_key(path) {
            let sum = marks::of_path(path, self.clock);
            asked.insert(path.to_owned(), Mark::of(sum, || marks::content_of_path(path)));
        }
    }
}

/// Whether the listing of a folder shows that a file is there, or that nothing is.
fn covers(folder: &Folder, path: &Utf8Path) -> bool {
    let Ok(below) = path.strip_prefix(&folder.path) else { return false };
    let mut at = folder;
    let mut parts = below.components().peekable();
    while let Some(part) = parts.next() {
        let Utf8Component::Normal(name) = part else { return false };
        if !at.listed {
            return false;
        }
        let named = |entry: &&Entry| match entry {
            Entry::Folder(folder) => folder.name == name,
            Entry::File(file) => file.name == name,
        };
        match at.entries.iter().find(named) {
            None => return true,
            Some(Entry::Folder(inner)) => at = inner,
            Some(Entry::File(file)) => return parts.peek().is_none() && file.is_regular && file.link.is_none(),
        }
    }
    true
}

impl Files for Noted<'_> {
    fn text(&self, path: &Utf8Path) -> Option<Arc<SourceText>> {
        self.note(path);
        Disk.text(path)
    }

    fn start(&self, path: &Utf8Path) -> Option<Vec<u8>> {
        self.note(path);
        Disk.start(path)
    }

    fn open(&self, path: &Utf8Path) -> Option<File> {
        self.note(path);
        Disk.open(path)
    }

    fn exists(&self, path: &Utf8Path) -> bool {
        self.note(path);
        Disk.exists(path)
    }

    fn is_executable(&self, path: &Utf8Path) -> bool {
        self.note(path);
        Disk.is_executable(path)
    }
}
