//! Files as they are on disk, and as they are in an editor.

use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use memchr::memchr;

use skill::files::{SNIFFED_BYTES, is_text};
use skill::source::SourceText;
use skill::{Problem, ProblemKind};

/// Reads files for rules. A file is read once for all of them.
pub trait Files {
    /// `None` if it cannot be read or is not text.
    fn text(&self, path: &Utf8Path) -> Option<Arc<SourceText>>;
    /// The first bytes of a file, for telling what it is.
    fn start(&self, path: &Utf8Path) -> Option<Vec<u8>>;
    /// For files that are neither text nor recognised by their first bytes: archives, documents.
    fn open(&self, path: &Utf8Path) -> Option<std::fs::File>;
    fn exists(&self, path: &Utf8Path) -> bool;
    fn is_executable(&self, path: &Utf8Path) -> bool;
}

/// Larger texts are not read.
pub const TEXT_LIMIT: u64 = 4 << 20;

/// Larger texts are not plain, in bytes.
const PLAIN_SIZE: usize = 1 << 20;

/// Of a text's first bytes at most this part is not UTF-8.
const FOREIGN_PART: usize = 8;

/// Texts as they are saved.
pub struct Disk;

impl Files for Disk {
    fn text(&self, path: &Utf8Path) -> Option<Arc<SourceText>> {
        let (file, facts) = disk::open(path).ok()?;
        if facts.len() > TEXT_LIMIT {
            return None;
        }
        let mut bytes = Vec::with_capacity(usize::try_from(facts.len()).ok()?);
        // It may have grown since then; and with a known end, no further read is needed.
        file.take(facts.len()).read_to_end(&mut bytes).ok()?;
        let start = usize::try_from(SNIFFED_BYTES).map_or(bytes.len(), |limit| limit.min(bytes.len()));
        (is_text(&bytes[..start]) || is_nearly_text(&bytes[..start]))
            .then(|| Arc::new(SourceText::decode(path.to_owned(), bytes, None)))
    }

    fn start(&self, path: &Utf8Path) -> Option<Vec<u8>> {
        let mut start = Vec::new();
        disk::open(path).ok()?.0.take(SNIFFED_BYTES).read_to_end(&mut start).ok()?;
        Some(start)
    }

    fn open(&self, path: &Utf8Path) -> Option<File> {
        disk::open(path).ok().map(|(file, _)| file)
    }

    fn exists(&self, path: &Utf8Path) -> bool {
        path.exists()
    }

    #[cfg(unix)]
    fn is_executable(&self, path: &Utf8Path) -> bool {
        use std::os::unix::fs::PermissionsExt;
        std::fs::metadata(path).is_ok_and(|facts| facts.permissions().mode() & 0o111 != 0)
    }

    /// Windows has no such mark.
    #[cfg(not(unix))]
    fn is_executable(&self, _path: &Utf8Path) -> bool {
        true
    }
}

/// Files without the contents behind links that are not followed: such files exist, but nothing else is known of them.
pub(super) struct Followed<'a, F: ?Sized> {
    below: &'a F,
    /// The links.
    outside: Vec<&'a Utf8Path>,
}

impl<'a, F: Files + ?Sized> Followed<'a, F> {
    /// `problems`: those found while loading.
    pub(super) fn new(below: &'a F, problems: &'a [Problem]) -> Self {
        let outside = problems.iter().filter(|problem| matches!(problem.kind, ProblemKind::LinkOutside { .. }));
        Self { below, outside: outside.map(|problem| &*problem.path).collect() }
    }

    fn at(&self, path: &Utf8Path) -> Option<&'a F> {
        // Links are rare, and taking paths apart for each file is not for nothing.
        let is_outside = !self.outside.is_empty() && self.outside.iter().any(|link| path.starts_with(link));
        (!is_outside).then_some(self.below)
    }
}

impl<F: Files + ?Sized> Files for Followed<'_, F> {
    fn text(&self, path: &Utf8Path) -> Option<Arc<SourceText>> {
        self.at(path)?.text(path)
    }

    fn start(&self, path: &Utf8Path) -> Option<Vec<u8>> {
        self.at(path)?.start(path)
    }

    fn open(&self, path: &Utf8Path) -> Option<std::fs::File> {
        self.at(path)?.open(path)
    }

    fn exists(&self, path: &Utf8Path) -> bool {
        self.at(path).is_none_or(|files| files.exists(path))
    }

    fn is_executable(&self, path: &Utf8Path) -> bool {
        self.at(path).is_none_or(|files| files.is_executable(path))
    }
}

/// Whether a text that was read is an ordinary one, which [`Disk`] would return unchanged.
pub(super) fn is_plain(source: &SourceText) -> bool {
    let is_whole = source.invalid_at.is_none() && source.truncated_from.is_none();
    is_whole && (1..=PLAIN_SIZE).contains(&source.text.len()) && memchr(0, source.text.as_bytes()).is_none()
}

/// Whether a file is a text that [`Disk`] does not give, because it is too large. `size`: as it was when the skills were read.
pub fn is_too_large(path: &Utf8Path, size: u64) -> bool {
    size > TEXT_LIMIT && Disk.start(path).is_some_and(|start| is_text(&start) || is_nearly_text(&start))
}

/// Whether these first bytes of a file are text except for a few in another encoding: those keep no rule from the rest
/// of a script.
fn is_nearly_text(start: &[u8]) -> bool {
    let is_control = |byte: &u8| *byte < b' ' && !byte.is_ascii_whitespace();
    let foreign = start.iter().filter(|byte| is_control(byte)).count()
        + start.utf8_chunks().map(|chunk| chunk.invalid().len()).sum::<usize>();
    !start.contains(&0) && !start.starts_with(b"%PDF-") && foreign * FOREIGN_PART <= start.len()
}

/// Some files have other texts than on disk: they are being edited, or a fix is in them.
pub struct Overlay<'a> {
    pub below: &'a dyn Files,
    pub texts: HashMap<Utf8PathBuf, Arc<SourceText>>,
}

impl Files for Overlay<'_> {
    fn text(&self, path: &Utf8Path) -> Option<Arc<SourceText>> {
        self.texts.get(path).cloned().or_else(|| self.below.text(path))
    }

    fn start(&self, path: &Utf8Path) -> Option<Vec<u8>> {
        match self.texts.get(path) {
            Some(source) => Some(source.text.bytes().take(SNIFFED_BYTES as usize).collect()),
            None => self.below.start(path),
        }
    }

    fn open(&self, path: &Utf8Path) -> Option<std::fs::File> {
        self.below.open(path)
    }

    fn exists(&self, path: &Utf8Path) -> bool {
        self.texts.contains_key(path) || self.below.exists(path)
    }

    fn is_executable(&self, path: &Utf8Path) -> bool {
        self.below.is_executable(path)
    }
}
