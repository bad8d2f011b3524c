//! Text as it was read from disk, byte spans into it, and the way from bytes to lines and UTF-16 units.

pub mod hidden;

use std::io::{self, Read};
use std::path::Path;

use camino::{Utf8Path, Utf8PathBuf};
use memchr::{memchr, memchr_iter};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Whether a real path is where the system shows processes and devices as files: reading there gives keys, memory or an
/// endless stream, not a text.
pub fn is_of_the_system(path: impl AsRef<Path>) -> bool {
    cfg!(unix) && ["/proc", "/sys", "/dev"].iter().any(|folder| path.as_ref().starts_with(folder))
}

/// Files are read up to this many bytes; the rest is not read.
pub const READ_LIMIT: u64 = 16 << 20;

const BOM: &[u8] = "\u{feff}".as_bytes();

/// A byte range of a [`SourceText`]'s `text`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
pub struct Span {
    pub start: usize,
    pub end: usize,
}

impl Span {
    /// From byte `start` up to byte `end`, which is not in it.
    pub fn new(start: usize, end: usize) -> Self {
        debug_assert!(start <= end);
        Self { start, end }
    }

    /// What it covers. Panics if it is not a range of whole characters in this text.
    pub fn of<'a>(&self, text: &'a str) -> &'a str {
        &text[self.start..self.end]
    }

    /// In bytes.
    pub fn len(&self) -> usize {
        self.end - self.start
    }

    /// It covers nothing, and is a place between two bytes.
    pub fn is_empty(&self) -> bool {
        self.start == self.end
    }

    /// The same range in a text that has `bytes` more in front.
    pub fn shift(self, bytes: usize) -> Self {
        Self { start: self.start + bytes, end: self.end + bytes }
    }

    /// The range without white space at either end.
    pub fn trim(self, text: &str) -> Self {
        let inner = self.of(text);
        let start = self.start + (inner.len() - inner.trim_start().len());
        Self { start, end: start + inner.trim().len() }
    }
}

/// How the lines of a text end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Newline {
    Lf,
    CrLf,
    Mixed,
}

impl Newline {
    /// How the lines of `text` end; a text of one line counts as LF.
    pub fn of(text: &str) -> Self {
        // Most texts have none, and that is found out quickly.
        let crlf = memchr(b'\r', text.as_bytes()).map_or(0, |first| text[first..].matches("\r\n").count());
        match crlf {
            0 => Self::Lf,
            _ if crlf == line_ends(text) => Self::CrLf,
            _ => Self::Mixed,
        }
    }

    /// What ends a line that is added: CRLF only if all lines do.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::CrLf => "\r\n",
            Self::Lf | Self::Mixed => "\n",
        }
    }
}

/// One file's text. `text` never holds a BOM; line ends are as on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceText {
    pub path: Utf8PathBuf,
    pub text: String,
    pub bom: bool,
    /// Byte offset in the file of the first byte that is not UTF-8; `text` then holds U+FFFD in its place.
    pub invalid_at: Option<usize>,
    /// The file's size in bytes if only its beginning was read.
    pub truncated_from: Option<u64>,
}

impl SourceText {
    /// Reads a regular file, up to [`READ_LIMIT`] bytes of it.
    pub fn read(path: &Utf8Path) -> io::Result<Self> {
        let (bytes, truncated_from) = Self::read_bytes(path)?;
        Ok(Self::decode(path.to_owned(), bytes, truncated_from))
    }

    /// A regular file's bytes, up to [`READ_LIMIT`] of them, and the whole size if that is more.
    pub fn read_bytes(path: &Utf8Path) -> io::Result<(Vec<u8>, Option<u64>)> {
        let (file, facts) = disk::open(path).map_err(|error| match error.kind() {
            io::ErrorKind::IsADirectory => disk::not_regular(),
            _ => error,
        })?;
        let size = facts.len();
        let mut bytes = Vec::with_capacity(usize::try_from(size.min(READ_LIMIT)).unwrap_or(0));
        file.take(size.min(READ_LIMIT)).read_to_end(&mut bytes)?;
        Ok((bytes, (size > READ_LIMIT).then_some(size)))
    }

    /// Text from a file's bytes, or from its first bytes; `truncated_from` is then the whole size.
    pub fn decode(path: Utf8PathBuf, mut bytes: Vec<u8>, truncated_from: Option<u64>) -> Self {
        if truncated_from.is_some() {
            bytes.truncate(whole_chars(&bytes));
        }
        let bom = bytes.starts_with(BOM);
        let skipped = if bom { BOM.len() } else { 0 };
        bytes.drain(..skipped);
        let (text, invalid_at) = match String::from_utf8(bytes) {
            Ok(text) => (text, None),
            Err(error) => {
                let at = error.utf8_error().valid_up_to() + skipped;
                (String::from_utf8_lossy(error.as_bytes()).into_owned(), Some(at))
            }
        };
        Self { path, text, bom, invalid_at, truncated_from }
    }

    /// Text as it is in an editor, with no file's flaws.
    pub fn of_text(path: Utf8PathBuf, text: String) -> Self {
        Self { path, text, bom: false, invalid_at: None, truncated_from: None }
    }

    /// The first U+FFFD that replaces bytes that are not UTF-8.
    pub fn invalid_span(&self) -> Option<Span> {
        let start = self.invalid_at? - if self.bom { BOM.len() } else { 0 };
        Some(Span::new(start, start + char::REPLACEMENT_CHARACTER.len_utf8()))
    }

    /// How its lines end.
    pub fn newline(&self) -> Newline {
        Newline::of(&self.text)
    }
}

/// Line and column of a byte, both from 1; the column counts UTF-16 units, as editors do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Position {
    pub line: u32,
    pub column: u32,
}

/// The way between a text's bytes, its lines and its UTF-16 units. Built in linear time, asked in logarithmic.
/// A byte inside a character counts as the character's first, one past the end as the end. Lines end at LF.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineIndex {
    /// Byte at which each line starts.
    lines: Vec<usize>,
    runs: Vec<Run>,
    bytes: usize,
    units: usize,
}

/// A stretch of characters that are all equally long in UTF-8, and so in UTF-16.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Run {
    byte: usize,
    unit: usize,
    char_bytes: usize,
}

impl Run {
    /// Only characters of four bytes take two units.
    fn char_units(self) -> usize {
        if self.char_bytes == 4 { 2 } else { 1 }
    }
}

impl LineIndex {
    /// Reads the text once. It holds for this text alone.
    pub fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let lines = std::iter::once(0).chain(memchr_iter(b'\n', bytes).map(|end| end + 1)).collect();
        let mut runs: Vec<Run> = Vec::new();
        let (mut at, mut unit) = (0, 0);
        while at < bytes.len() {
            let plain = ascii_len(&bytes[at..]);
            if plain > 0 {
                runs.push(Run { byte: at, unit, char_bytes: 1 });
                (at, unit) = (at + plain, unit + plain);
            }
            for char in text[at..].chars().take_while(|char| !char.is_ascii()) {
                let char_bytes = char.len_utf8();
                if runs.last().is_none_or(|run| run.char_bytes != char_bytes) {
                    runs.push(Run { byte: at, unit, char_bytes });
                }
                (at, unit) = (at + char_bytes, unit + char.len_utf16());
            }
        }
        Self { lines, runs, bytes: text.len(), units: unit }
    }

    /// Of a byte; behind the end, that of the end.
    pub fn position(&self, byte: usize) -> Position {
        let byte = byte.min(self.bytes);
        let line = self.lines.partition_point(|start| *start <= byte);
        let start = self.lines[line - 1];
        let column = self.unit_of(byte) - self.unit_of(start) + 1;
        Position { line: narrow(line), column: narrow(column) }
    }

    /// The line that a byte is on, without its end.
    pub fn line(&self, byte: usize) -> Span {
        let line = self.lines.partition_point(|start| *start <= byte.min(self.bytes));
        Span::new(self.lines[line - 1], self.lines.get(line).map_or(self.bytes, |next| next - 1))
    }

    /// UTF-16 units before a byte.
    pub fn utf16(&self, byte: usize) -> u32 {
        narrow(self.unit_of(byte))
    }

    /// The byte at which the character with this UTF-16 unit starts.
    pub fn byte(&self, unit: u32) -> usize {
        let unit = unit as usize;
        let after = self.runs.partition_point(|run| run.unit <= unit);
        if unit >= self.units || after == 0 {
            return if unit == 0 { 0 } else { self.bytes };
        }
        let run = self.runs[after - 1];
        run.byte + (unit - run.unit) / run.char_units() * run.char_bytes
    }

    fn unit_of(&self, byte: usize) -> usize {
        let after = self.runs.partition_point(|run| run.byte <= byte);
        if byte >= self.bytes || after == 0 {
            return if byte == 0 { 0 } else { self.units };
        }
        let run = self.runs[after - 1];
        run.unit + (byte - run.byte) / run.char_bytes * run.char_units()
    }
}

/// How many lines of a text end.
pub fn line_ends(text: &str) -> usize {
    memchr_iter(b'\n', text.as_bytes()).count()
}

/// How many bytes there are before the first that is not of ASCII, counted in strides.
pub fn ascii_len(bytes: &[u8]) -> usize {
    let plain: usize = bytes.chunks(STRIDE).take_while(|stride| stride.is_ascii()).map(<[u8]>::len).sum();
    plain + bytes[plain..].iter().take_while(|byte| byte.is_ascii()).count()
}

const STRIDE: usize = 64;

fn narrow(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Length of `bytes` without a last character that was cut in the middle.
fn whole_chars(bytes: &[u8]) -> usize {
    let tail = bytes.len().saturating_sub(3);
    let start = (tail..bytes.len()).rev().find(|at| bytes[*at] & 0xC0 != 0x80);
    match start {
        Some(at) if std::str::from_utf8(&bytes[at..]).is_err_and(|error| error.error_len().is_none()) => at,
        _ => bytes.len(),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use proptest::prelude::*;

    use super::*;

    fn decode(bytes: &[u8]) -> SourceText {
        SourceText::decode("SKILL.md".into(), bytes.to_vec(), None)
    }

    #[test]
    fn keeps_line_ends_and_takes_off_the_bom() {
        let read = decode(b"\xEF\xBB\xBF---\r\n");
        let expected = SourceText { bom: true, ..SourceText::of_text("SKILL.md".into(), "---\r\n".into()) };
        assert_eq!(read, expected);
        assert_eq!(read.newline(), Newline::CrLf);
    }

    #[test]
    fn finds_the_first_byte_that_is_not_utf8() {
        let read = decode(b"\xEF\xBB\xBF\xE4\xB8\xADa\xFF\xFEb");
        assert_eq!((read.text.as_str(), read.invalid_at), ("中a\u{fffd}\u{fffd}b", Some(7)));
        assert_eq!(read.invalid_span().map(|span| span.of(&read.text)), Some("\u{fffd}"));
    }

    #[test]
    fn counts_the_ends_of_lines() {
        assert_eq!(["", "a", "a\n", "\n\r\n中\n"].map(line_ends), [0, 0, 1, 3]);
        assert_eq!(line_ends(&"\n".repeat(1000)), 1000);
    }

    #[test]
    fn counts_what_is_of_ascii_before_the_first_that_is_not() {
        for length in [0, 1, 63, 64, 65, 130] {
            let plain = "a".repeat(length);
            assert_eq!(ascii_len(plain.as_bytes()), length);
            assert_eq!(ascii_len(format!("{plain}é{plain}").as_bytes()), length);
        }
    }

    #[test]
    fn tells_mixed_line_ends() {
        assert_eq!(Newline::of("a\r\nb\n"), Newline::Mixed);
        assert_eq!(Newline::of("a\nb"), Newline::Lf);
        assert_eq!(Newline::of(""), Newline::Lf);
    }

    #[test]
    fn reads_ten_megabytes_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::try_from(folder.path().join("SKILL.md")).unwrap();
        let text = "0123456789".repeat(1 << 20);
        fs::write(&path, &text).unwrap();
        let read = SourceText::read(&path).unwrap();
        assert_eq!(read.truncated_from, None);
        assert_eq!(read.text.len(), text.len());
    }

    #[test]
    fn reads_the_beginning_of_what_is_larger_and_cuts_no_character() {
        let folder = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::try_from(folder.path().join("SKILL.md")).unwrap();
        let size = READ_LIMIT + 2;
        fs::write(&path, "中".repeat(usize::try_from(size / 3).unwrap())).unwrap();
        let read = SourceText::read(&path).unwrap();
        assert_eq!(read.truncated_from, Some(size / 3 * 3));
        assert_eq!(read.invalid_at, None, "the limit falls inside a character");
        assert_eq!(read.text.len() as u64, READ_LIMIT / 3 * 3);
    }

    #[test]
    fn reads_no_folder_and_no_pipe() {
        let folder = tempfile::tempdir().unwrap();
        let path = Utf8Path::from_path(folder.path()).unwrap();
        assert_eq!(SourceText::read(path).unwrap_err().to_string(), "it is not a regular file");
        assert_eq!(SourceText::read(&path.join("none")).unwrap_err().kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn positions_count_utf16_units() {
        let text = "a中😀b\r\n\nx";
        let index = LineIndex::new(text);
        let at = |byte| {
            let Position { line, column } = index.position(byte);
            (line, column)
        };
        assert_eq!(at(0), (1, 1));
        assert_eq!(at(4), (1, 3), "the emoji, after two characters of one unit");
        assert_eq!(at(6), (1, 3), "a byte inside the emoji counts as its first");
        assert_eq!(at(8), (1, 5));
        assert_eq!(at(11), (2, 1));
        assert_eq!(at(12), (3, 1));
        assert_eq!(at(99), (3, 2), "past the end is the end");
        assert_eq!(LineIndex::new("").position(5), Position { line: 1, column: 1 });
        let line = |byte| index.line(byte).of(text);
        assert_eq!(
            [0, 4, 8, 9, 10, 11, 12, 99].map(line),
            ["a中😀b\r", "a中😀b\r", "a中😀b\r", "a中😀b\r", "a中😀b\r", "", "x", "x"]
        );
        assert_eq!(LineIndex::new("").line(5), Span::new(0, 0));
    }

    proptest! {
        #[test]
        fn bytes_and_units_agree_with_the_text(text in "[a\u{e9}中😀\r\n]{0,40}") {
            let index = LineIndex::new(&text);
            for (byte, char) in text.char_indices().chain([(text.len(), ' ')]) {
                let unit = text[..byte].encode_utf16().count() as u32;
                for inside in byte..(byte + char.len_utf8()).min(text.len() + 1) {
                    prop_assert_eq!(index.utf16(inside), unit);
                }
                prop_assert_eq!(index.byte(unit), byte);
            }
        }

        #[test]
        fn decodes_any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
            let read = decode(&bytes);
            prop_assert_eq!(read.invalid_at.is_some(), std::str::from_utf8(&bytes).is_err());
            if let Some(span) = read.invalid_span() {
                prop_assert_eq!(span.of(&read.text), "\u{fffd}");
            }
        }
    }
}
