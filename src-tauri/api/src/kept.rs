//! The linter's findings, kept in the user's cache, so that a second check reads only changed files. There is one file
//! for each combination of folders, program and options. A skill's [`Mark`] covers what its findings depend on; other
//! files that rules read are noted as they read them.
//!
//! A file that is broken, too large or owned by another user is ignored. Two processes may check at the same time: each
//! reads a whole file, and replaces it by a whole file.

mod marks;
mod noted;
mod pack;

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use camino::{Utf8Path, Utf8PathBuf};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

pub(super) use self::marks::Clock;
use self::marks::{Mark, Sum};
use self::noted::{Asked, LookedAt, Noted};
use self::pack::Pack;
use lint::kept::{Found, Outside};
use lint::{Files, LintOptions, Linter, Sweep};
use skill::{SkillPlace, SkillSet, in_parallel};

/// Goes up if findings come out differently from the same program, or the files are written in another way.
const FORMAT: u32 = 3;

/// In bytes: a larger file is not written again for a few changes.
const LARGE: usize = 256 << 10;
/// One line in so many is a few.
const FEW: usize = 50;

/// Sweeps over a set of skills that was surveyed after the time of the clock. `folder`: where findings are kept;
/// `None`: nowhere.
pub(super) fn sweep<T: Serialize + DeserializeOwned + Send>(
    folder: Option<&Utf8Path>,
    clock: Clock,
    set: &SkillSet,
    linter: &Linter,
    told: impl Fn(Vec<lint::Finding>, &dyn Files) -> Vec<T> + Sync,
) -> Sweep<T> {
    let file = folder.and_then(|folder| Some(folder.join(question::<T>(&marks::of_program()?, set, linter.options()))));
    let Some(file) = file else { return linter.sweep(set, &lint::Disk, told) };
    sweep_kept(file, clock, set, linter, told)
}

fn sweep_kept<T: Serialize + DeserializeOwned + Send>(
    file: Utf8PathBuf,
    clock: Clock,
    set: &SkillSet,
    linter: &Linter,
    told: impl Fn(Vec<lint::Finding>, &dyn Files) -> Vec<T> + Sync,
) -> Sweep<T> {
    let places = lint::swept(set);
    let kept = Kept::open(file, clock, set, &places, linter.options());
    let sweep = linter.sweep_again(set, &places, &kept, told);
    kept.write();
    sweep
}

/// The name of the file for a question.
fn question<T>(program: &str, set: &SkillSet, options: &LintOptions) -> String {
    // Results of recorded runs and scripts are part of each skill's mark.
    let options = LintOptions { usage: Default::default(), probes: Default::default(), ..options.clone() };
    let roots = set.roots.iter().map(|root| format!("{:?} {:?}", root.path, root.path.canonicalize().ok()));
    let roots: Vec<String> = roots.collect();
    let told = std::any::type_name::<T>();
    disk::digest(format!("{FORMAT} {program} {told} {options:?} {roots:?}"))
}

/// The number of a line, and what it says of a skill.
type Known<T> = (usize, OfSkill<T>);

struct Kept<'a, T> {
    file: Utf8PathBuf,
    options: &'a LintOptions,
    places: &'a [SkillPlace<'a>],
    /// Names, links and sizes of all listed files, and their problems.
    tree: String,
    looked: LookedAt,
    pack: Pack,
    /// By the skill's folder.
    known: HashMap<Utf8PathBuf, Mutex<Option<Known<T>>>>,
    together: Mutex<Option<Together<T>>>,
    files: Vec<Noted<'a>>,
    files_together: Noted<'a>,
    slots: Vec<Mutex<Slot>>,
    /// The new line for findings outside of skills.
    line_together: Mutex<Option<String>>,
    /// How many lines are new.
    changed: AtomicUsize,
}

/// The new line for a skill.
#[derive(Default)]
struct Slot {
    /// As it is now.
    mark: Option<Mark>,
    line: Option<Line>,
}

enum Line {
    /// By its number.
    Old(usize),
    New(String),
}

#[derive(Serialize, Deserialize)]
struct OfSkill<T> {
    path: Utf8PathBuf,
    mark: Mark,
    asked: Vec<Asked>,
    found: Found<T>,
}

#[derive(Serialize)]
struct OfSkillRef<'a, T> {
    path: &'a Utf8Path,
    mark: &'a Mark,
    asked: &'a [Asked],
    found: &'a Found<T>,
}

#[derive(Serialize, Deserialize)]
struct Together<T> {
    tree: String,
    asked: Vec<Asked>,
    outside: Outside<T>,
}

#[derive(Serialize)]
struct TogetherRef<'a, T> {
    tree: &'a str,
    asked: &'a [Asked],
    outside: &'a Outside<T>,
}

impl<'a, T: Serialize + DeserializeOwned + Send> Kept<'a, T> {
    fn open(
        file: Utf8PathBuf,
        clock: Clock,
        set: &SkillSet,
        places: &'a [SkillPlace<'a>],
        options: &'a LintOptions,
    ) -> Self {
        let pack = Pack::read(&file);
        let lines = in_parallel(pack.lines(), |number| serde_json::from_str::<OfSkill<T>>(pack.line(number)).ok());
        let known = lines.into_iter().enumerate().filter_map(|(number, line)| {
            let line = line?;
            Some((line.path.clone(), Mutex::new(Some((number, line)))))
        });
        Self {
            file,
            options,
            places,
            tree: marks::of_tree(set, places),
            looked: LookedAt::new(clock),
            known: known.collect(),
            together: Mutex::new(serde_json::from_str(pack.first()).ok()),
            pack,
            files: places.iter().map(|place| Noted::of_skill(place, clock)).collect(),
            files_together: Noted::of_all(places, clock),
            slots: places.iter().map(|_| Mutex::default()).collect(),
            line_together: Mutex::new(None),
            changed: AtomicUsize::new(0),
        }
    }

    /// If a skill is what it was, its marks as they are now.
    fn still(&self, then: &OfSkill<T>, sum: &Sum, content: impl Fn() -> Option<String>) -> Option<(Mark, Vec<Asked>)> {
        Some((then.mark.still(sum, content)?, Asked::still(&then.asked, &self.looked)?))
    }

    /// Writes the file if the next check can use something new. For a large library the whole file is written, so if
    /// only a few skills changed they are checked again instead: a user who edits one should not wait for that.
    fn write(self) {
        let changed = self.changed.into_inner();
        let few = self.pack.size() > LARGE && changed.saturating_mul(FEW) < self.pack.lines();
        if changed == 0 || few {
            return self.pack.touch(&self.file);
        }
        let line_together = self.line_together.into_inner().unwrap_or_else(PoisonError::into_inner);
        let first = line_together.as_deref().unwrap_or(self.pack.first());
        let slots: Vec<Slot> = self.slots.into_iter().map(|slot| slot.into_inner().unwrap_or_default()).collect();
        let lines = slots.iter().filter_map(|slot| match slot.line.as_ref()? {
            Line::Old(number) => Some(self.pack.line(*number)),
            Line::New(line) => Some(line.as_str()),
        });
        pack::write(&self.file, first, lines);
    }
}

impl<T: Serialize + DeserializeOwned + Send> lint::kept::Kept<T> for Kept<'_, T> {
    fn skill(&self, number: usize) -> Option<Found<T>> {
        let place = &self.places[number];
        let sum = marks::of_skill(place, self.options, self.looked.clock);
        let content = || marks::content_of_skill(place, self.options);
        let mut slot = lock(&self.slots[number]);
        let known = self.known.get(place.path()).and_then(|known| lock(known).take());
        if let Some((line, then)) = known
            && let Some((mark, asked)) = self.still(&then, &sum, content)
        {
            let is_same = (&mark, &asked) == (&then.mark, &then.asked);
            let then = OfSkill { mark, asked, ..then };
            slot.line = if is_same { Some(Line::Old(line)) } else { self.written(&then).map(Line::New) };
            slot.mark = Some(then.mark);
            return Some(then.found);
        }
        slot.mark = Mark::of(sum, content);
        None
    }

    fn outside(&self) -> Option<Outside<T>> {
        let then = lock(&self.together).take().filter(|then| then.tree == self.tree)?;
        let asked = Asked::still(&then.asked, &self.looked)?;
        if asked != then.asked {
            let together = TogetherRef { tree: &then.tree, asked: &asked, outside: &then.outside };
            *lock(&self.line_together) = self.written(&together);
        }
        Some(then.outside)
    }

    fn files(&self, number: Option<usize>) -> &(dyn Files + Sync) {
        number.map_or(&self.files_together, |number| &self.files[number])
    }

    fn keep(&self, number: usize, found: &Found<T>) {
        let mut slot = lock(&self.slots[number]);
        let line = slot.mark.as_ref().zip(self.files[number].asked()).and_then(|(mark, asked)| {
            let path = self.places[number].path();
            self.written(&OfSkillRef { path, mark, asked: &asked, found })
        });
        slot.line = line.map(Line::New);
    }

    fn keep_outside(&self, outside: &Outside<T>) {
        let asked = self.files_together.asked();
        let line = asked.and_then(|asked| self.written(&TogetherRef { tree: &self.tree, asked: &asked, outside }));
        // The kept findings are no longer valid.
        *lock(&self.line_together) = Some(line.unwrap_or_default());
    }
}

impl<T> Kept<'_, T> {
    /// As a line that was not there before.
    fn written(&self, value: &impl Serialize) -> Option<String> {
        self.changed.fetch_add(1, Ordering::Relaxed);
        serde_json::to_string(value).ok()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
