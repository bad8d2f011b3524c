//! What a turn changes on disk. The folder of the run and the skills are read before the first effect that could change
//! anything, and again when the turn is over; the differences are recorded.

use std::collections::BTreeSet;
use std::time::Duration;

use camino::Utf8PathBuf;

use super::tool::contents::Contents;
use super::tool::fingerprint;
use harness::{Catalog, CatalogSkill, Effect};
use model::secret::Guard;
use skill::paths::Paths;
use trace::{Content, EventKind, Left, LeftFile, LeftSkill, Unkept, WrittenFile};

/// How things were before a turn changed anything.
#[derive(Debug, Clone)]
pub(super) struct Before {
    contents: Contents,
    /// Each with its folder and its fingerprint; `None`: it could not be taken.
    skills: Vec<(String, Utf8PathBuf, Option<String>)>,
    /// What calls wrote since.
    written: BTreeSet<String>,
}

/// Whether performing it could change something.
pub(super) fn could_change(effect: &Effect) -> bool {
    matches!(
        effect,
        Effect::RunScript { .. }
            | Effect::Shell { .. }
            | Effect::Shells { .. }
            | Effect::WriteFile { .. }
            | Effect::WriteFiles { .. }
    )
}

impl Before {
    pub(super) async fn take(folder: Utf8PathBuf, catalog: &Catalog, paths: &Paths) -> Self {
        let real = |skill: &CatalogSkill| paths.real(skill.path.as_ref()?);
        let skills: Vec<_> =
            catalog.skills.iter().filter_map(|skill| Some((skill.name.clone(), real(skill)?))).collect();
        let look = move || {
            let skills = skills.into_iter().map(|(name, path)| {
                let print = print(&path);
                (name, path, print)
            });
            Self { contents: Contents::take(&folder), skills: skills.collect(), written: BTreeSet::new() }
        };
        tokio::task::spawn_blocking(look).await.unwrap_or_else(|_| Self::unknown())
    }

    fn unknown() -> Self {
        let contents = Contents { partial: true, ..Contents::default() };
        Self { contents, skills: Vec::new(), written: BTreeSet::new() }
    }

    /// Notes what a call wrote: it may be gone again when the turn is over.
    pub(super) fn wrote(&mut self, files: &[WrittenFile]) {
        self.written.extend(files.iter().map(|file| file.path.clone()));
    }

    /// The differences; if finding them takes too long, an event that says so.
    pub(super) async fn left(self, folder: Utf8PathBuf, guard: &Guard) -> EventKind {
        let guard = guard.clone();
        let skills = self.skills.iter().map(|(name, ..)| LeftSkill { name: name.clone(), same: None }).collect();
        let unknown = Left { files: Vec::new(), more: 0, partial: true, skills };
        let compare = move || self.compared(Contents::take(&folder), &guard);
        let found = tokio::time::timeout(LOOK, tokio::task::spawn_blocking(compare)).await;
        EventKind::Left { left: found.ok().and_then(Result::ok).unwrap_or(unknown) }
    }

    fn compared(self, now: Contents, guard: &Guard) -> Left {
        let Self { contents: before, skills, written } = self;
        let paths: BTreeSet<&String> = before.files.keys().chain(now.files.keys()).collect();
        let mut budget = KEPT;
        let mut files = Vec::new();
        let mut more = 0;
        for path in paths {
            let (old, new) = (before.files.get(path), now.files.get(path));
            if old.zip(new).is_some_and(|(old, new)| is_same(old, new)) {
                continue;
            }
            if files.len() == LISTED {
                more += 1;
                continue;
            }
            let mut keep = |content: Option<&Content>| content.map(|content| kept(content, &mut budget, guard));
            // The newer text first: it is the one that readers need if there is no room for both.
            let after = keep(new);
            files.push(LeftFile { path: guard.scrubber().text(path), before: keep(old), after });
        }
        let is_gone = |path: &&String| {
            let is_inside = !path.starts_with('/') && !path.contains(':');
            is_inside && !now.files.contains_key(*path) && !before.files.contains_key(*path)
        };
        if !now.partial {
            for path in written.iter().filter(is_gone).take(LISTED) {
                let passing = Content { size: 0, digest: None, text: None, unkept: Some(Unkept::Passing) };
                files.push(LeftFile { path: guard.scrubber().text(path), before: Some(passing), after: None });
            }
            files.sort_by(|a, b| a.path.cmp(&b.path));
        }
        let skills = skills.into_iter().map(|(name, path, before)| {
            let same = before.zip(print(&path)).map(|(before, now)| before == now);
            LeftSkill { name, same }
        });
        Left { files, more, partial: before.partial || now.partial, skills: skills.collect() }
    }
}

/// Files of which a record tells.
const LISTED: usize = 2_000;
/// Bytes of texts that a record keeps of one turn.
const KEPT: u64 = 2 << 20;
/// For the look at what a turn left.
const LOOK: Duration = Duration::from_secs(10);

fn print(skill: &Utf8PathBuf) -> Option<String> {
    fingerprint::of(std::slice::from_ref(skill))
}

fn is_same(old: &Content, new: &Content) -> bool {
    match (&old.digest, &new.digest) {
        (Some(old), Some(new)) => old == new,
        // Too large to be read: as far as anybody knows.
        _ => old.size == new.size && old.unkept == new.unkept,
    }
}

/// As much as a record keeps of it. A text with a key in it is not kept.
fn kept(content: &Content, budget: &mut u64, guard: &Guard) -> Content {
    let Some(text) = &content.text else { return content.clone() };
    let without = |unkept| Content { text: None, unkept: Some(unkept), ..content.clone() };
    if content.size > *budget {
        return without(Unkept::Full);
    }
    if !guard.scrubber().is_idle() && guard.scrubber().text(text) != *text {
        return without(Unkept::Secret);
    }
    *budget -= content.size;
    content.clone()
}
