//! How we know that files on disk have not changed: by all metadata, as in git's index, and by the content if a file is
//! so new that a change may not affect its times, or if the system's metadata are not enough.

use std::fs::Metadata;
use std::io::Read;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use camino::Utf8Path;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use lint::LintOptions;
use skill::{Entry, File, Folder, Link, SkillPlace, SkillSet, Stamp};

/// Times of files are as coarse as this at most.
const COARSE: Duration = Duration::from_secs(2);
/// A new file with more bytes is checked again next time.
const MOST: u64 = 64 << 20;

/// When the look began, before its folders were listed: what changed not long before may change again without a trace.
#[derive(Clone, Copy)]
pub struct Clock {
    /// In nanoseconds since 1970.
    young_from: i128,
}

impl Clock {
    pub fn now() -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let young_from = now.saturating_sub(COARSE).as_nanos();
        Self { young_from: i128::try_from(young_from).unwrap_or(i128::MIN) }
    }

    /// Every file is young.
    #[cfg(test)]
    pub fn at_the_beginning() -> Self {
        Self { young_from: i128::MIN }
    }

    /// No file counts as new.
    #[cfg(test)]
    pub fn at_the_end() -> Self {
        Self { young_from: i128::MAX }
    }
}

/// The metadata of some files.
#[derive(Clone)]
pub(super) struct Sum {
    /// `None`: not enough.
    stat: Option<String>,
    is_young: bool,
}

/// That by which something is known again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Mark {
    stat: Option<String>,
    /// The content's hash, if `stat` is not enough.
    content: Option<String>,
}

impl Mark {
    /// `None`: there is no way to know.
    pub fn of(sum: Sum, content: impl Fn() -> Option<String>) -> Option<Self> {
        let tells = sum.stat.is_some() && !sum.is_young;
        let content = if tells { None } else { Some(content()?) };
        Some(Self { stat: sum.stat, content })
    }

    /// If it is still the same, its mark as it is now.
    pub fn still(&self, now: &Sum, content: impl Fn() -> Option<String>) -> Option<Self> {
        let Some(then) = &self.content else {
            return (now.stat.is_some() && self.stat == now.stat).then(|| self.clone());
        };
        let content = content().filter(|content| content == then)?;
        let tells = now.stat.is_some() && !now.is_young;
        Some(Self { stat: now.stat.clone(), content: Some(content).filter(|_| !tells) })
    }
}

/// The program itself: another version may find something else. `None`: it cannot be identified.
pub(super) fn of_program() -> Option<String> {
    let path = std::env::current_exe().ok()?;
    let facts = path.metadata().ok()?;
    let modified = facts.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    Some(format!("{} {path:?} {} {modified:?} {:?}", crate::VERSION, facts.len(), Stamp::of(&facts)))
}

/// Listed files and problems outside of skills or about several skills.
pub(super) fn of_tree(set: &SkillSet, places: &[SkillPlace<'_>]) -> String {
    let mut sum = Hash::default();
    for root in &set.roots {
        sum.text(root.path.as_str());
        sum.folder(&root.tree, &mut |_, _| Some(()));
    }
    places.iter().for_each(|place| sum.text(place.path().as_str()));
    sum.text(&format!("{:?}", set.problems));
    sum.end()
}

pub(super) fn of_skill(place: &SkillPlace<'_>, options: &LintOptions, clock: Clock) -> Sum {
    let mut sum = facts(place, options);
    let mut is_young = false;
    let whole = sum.folder(place.folder(), &mut |sum, file| {
        let (stat, youngest) = stat(file.size, file.seen.0?);
        is_young |= youngest >= clock.young_from;
        sum.bytes(&stat);
        Some(())
    });
    Sum { stat: whole.map(|()| sum.end()), is_young }
}

/// `None`: something cannot be read.
pub(super) fn content_of_skill(place: &SkillPlace<'_>, options: &LintOptions) -> Option<String> {
    let mut sum = facts(place, options);
    sum.folder(place.folder(), &mut |sum, file| {
        sum.text(&content(&file.path)?);
        Some(())
    })?;
    Some(sum.end())
}

/// What a skill's findings depend on in addition to files.
fn facts(place: &SkillPlace<'_>, options: &LintOptions) -> Hash {
    let mut sum = Hash::default();
    let probes = options.probes.iter().filter(|(path, _)| path.starts_with(place.path()));
    let probes: Vec<_> = probes.collect();
    sum.text(&format!("{:?} {:?} {probes:?}", place.problems(), options.usage.get(place.path())));
    sum
}

/// Of whatever is at a path, or that there is nothing.
pub(super) fn of_path(path: &Utf8Path, clock: Clock) -> Sum {
    let Ok(facts) = std::fs::metadata(path) else {
        return Sum { stat: Some("missing".into()), is_young: false };
    };
    let stat = match facts.is_file() {
        true => Stamp::of(&facts).map(|stamp| stat(facts.len(), stamp)),
        // That it is there is all that is asked of it.
        false => Some((if facts.is_dir() { b"folder".to_vec() } else { b"special".to_vec() }, i128::MIN)),
    };
    let is_young = stat.as_ref().is_none_or(|(_, youngest)| *youngest >= clock.young_from);
    let sum = stat.map(|(stat, _)| {
        let mut sum = Hash::default();
        sum.bytes(&mode(&facts).to_le_bytes());
        sum.bytes(&stat);
        sum.end()
    });
    Sum { stat: sum, is_young }
}

pub(super) fn content_of_path(path: &Utf8Path) -> Option<String> {
    match std::fs::metadata(path) {
        Err(_) => Some("missing".into()),
        Ok(facts) if facts.is_file() => content(path),
        Ok(facts) => Some(format!("{} {}", facts.is_dir(), mode(&facts))),
    }
}

/// Of a file; `None`: it cannot be read, or has too much in it.
fn content(path: &Utf8Path) -> Option<String> {
    let (file, facts) = disk::open(path).ok()?;
    let mut bytes = Vec::new();
    let read = file.take(MOST + 1).read_to_end(&mut bytes).ok()?;
    let is_whole = u64::try_from(read).is_ok_and(|read| read <= MOST);
    is_whole.then(|| format!("{} {}", mode(&facts), disk::digest(bytes)))
}

/// All that changes with a file, and the younger of its times.
fn stat(size: u64, stamp: Stamp) -> (Vec<u8>, i128) {
    let Stamp { inode, mode, modified, changed } = stamp;
    let parts = [size, inode, u64::from(mode)];
    let mut bytes: Vec<u8> = parts.iter().flat_map(|part| part.to_le_bytes()).collect();
    bytes.extend([modified, changed].iter().flat_map(|time| time.to_le_bytes()));
    (bytes, modified.max(changed))
}

#[cfg(unix)]
fn mode(facts: &Metadata) -> u32 {
    std::os::unix::fs::MetadataExt::mode(facts)
}

#[cfg(not(unix))]
fn mode(_: &Metadata) -> u32 {
    0
}

#[derive(Default)]
struct Hash(Sha256);

impl Hash {
    fn bytes(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// With its length, so that it cannot be confused with what follows.
    fn text(&mut self, text: &str) {
        self.bytes(&text.len().to_le_bytes());
        self.bytes(text.as_bytes());
    }

    fn end(self) -> String {
        let sum = self.0.finalize();
        sum.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
    }

    /// All listed entries; `each` adds a mark of a file that may be read. `None`: there was none.
    fn folder(&mut self, folder: &Folder, each: &mut dyn FnMut(&mut Self, &File) -> Option<()>) -> Option<()> {
        self.bytes(&[b'[', u8::from(folder.listed)]);
        for entry in &folder.entries {
            match entry {
                Entry::Folder(inner) => {
                    self.text(&inner.name);
                    self.link(inner.link.as_ref(), &inner.path);
                    self.folder(inner, each)?;
                }
                Entry::File(file) => {
                    self.text(&file.name);
                    self.bytes(&file.size.to_le_bytes());
                    self.bytes(&[u8::from(file.is_regular)]);
                    let is_read = self.link(file.link.as_ref(), &file.path);
                    if is_read && file.is_regular {
                        each(self, file)?;
                    }
                }
            }
        }
        self.bytes(b"]");
        Some(())
    }

    /// Whether its target is read.
    fn link(&mut self, link: Option<&Link>, path: &Utf8Path) -> bool {
        let Some(link) = link else {
            self.bytes(b"-");
            return true;
        };
        let Link { target, broken, outside } = link;
        self.bytes(&[b'>', u8::from(*broken), u8::from(*outside)]);
        self.text(target.as_str());
        if *broken || *outside {
            return false;
        }
        // Links on the way may change without this one.
        self.text(&path.canonicalize().map_or_else(|error| error.kind().to_string(), |real| format!("{real:?}")));
        true
    }
}
