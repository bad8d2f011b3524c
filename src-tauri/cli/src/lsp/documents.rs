//! Texts as the client has them, and the edits it sends.

use std::collections::BTreeMap;
use std::ops::Bound;

use camino::{Utf8Path, Utf8PathBuf};
use disk::PATH_LIMIT;
use lsp_types::{Position, TextDocumentContentChangeEvent, Uri};
use ropey::{Rope, RopeSlice};
use url::Url;

use super::positions::Encoding;

/// By path.
pub type Documents = BTreeMap<Utf8PathBuf, Document>;

#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// As the client writes it: it knows its document by no other.
    pub uri: Uri,
    pub version: i32,
    pub text: String,
}

/// Those below a folder, or the one at this path. In the order of paths they follow each other.
pub fn below<'a>(
    documents: &'a Documents,
    folder: &'a Utf8Path,
) -> impl Iterator<Item = (&'a Utf8PathBuf, &'a Document)> {
    let from = (Bound::Included(folder), Bound::Unbounded);
    documents.range::<Utf8Path, _>(from).take_while(move |(path, _)| path.starts_with(folder))
}

/// What the client has open. Two of its documents may be one file, written in two ways.
#[derive(Debug, Default)]
pub struct Held {
    /// Of each file the document that was opened or edited last.
    pub documents: Documents,
    /// The others, the last one last.
    aside: Vec<(Utf8PathBuf, Document)>,
}

impl Held {
    /// Returns the document that represented the file until now, if it was another one.
    pub fn open(&mut self, path: Utf8PathBuf, document: Document) -> Option<Uri> {
        self.aside.retain(|(_, other)| other.uri != document.uri);
        let before = self.documents.insert(path.clone(), document)?;
        if self.documents[&path].uri == before.uri {
            return None;
        }
        let uri = before.uri.clone();
        self.aside.push((path, before));
        Some(uri)
    }

    /// The document of an address, which represents its file from now on, and the one that did until now, if it was
    /// another one. `None`: it is not open.
    pub fn edit(&mut self, path: &Utf8Path, uri: &Uri) -> Option<(&mut Document, Option<Uri>)> {
        let mut before = None;
        if self.documents.get(path)?.uri != *uri {
            let place = self.aside.iter().position(|(_, other)| other.uri == *uri)?;
            let (_, document) = self.aside.remove(place);
            before = self.open(path.to_owned(), document);
        }
        Some((self.documents.get_mut(path)?, before))
    }

    /// Whether another document, or none, speaks for the file now.
    pub fn close(&mut self, path: &Utf8Path, uri: &Uri) -> bool {
        if self.documents.get(path).is_none_or(|document| document.uri != *uri) {
            self.aside.retain(|(_, other)| other.uri != *uri);
            return false;
        }
        self.documents.remove(path);
        if let Some(place) = self.aside.iter().rposition(|(other, _)| other == path) {
            let (path, document) = self.aside.remove(place);
            self.documents.insert(path, document);
        }
        true
    }
}

impl Document {
    /// One after the other, each into what the one before it left.
    pub fn apply(&mut self, changes: Vec<TextDocumentContentChangeEvent>, version: i32, encoding: Encoding) {
        // Each edit takes the time of its own length, however long the text is.
        let mut text = Rope::from_str(&self.text);
        for change in changes {
            match change.range {
                None => text = Rope::from_str(&change.text),
                Some(range) => {
                    let (start, end) = (place(&text, range.start, encoding), place(&text, range.end, encoding));
                    let start = start.min(end)..start.max(end);
                    let at = start.start;
                    text.remove(start);
                    text.insert(at, &change.text);
                }
            }
        }
        self.text = text.to_string();
        self.version = version;
    }
}

/// The byte at a position; outside of the text the nearest in it.
pub fn byte_at(text: &str, position: Position, encoding: Encoding) -> usize {
    let rope = Rope::from_str(text);
    rope.char_to_byte(place(&rope, position, encoding))
}

/// The character at a position; outside of the text the nearest in it.
fn place(text: &Rope, position: Position, encoding: Encoding) -> usize {
    let line = usize::try_from(position.line).unwrap_or(usize::MAX);
    if line >= text.len_lines() {
        return text.len_chars();
    }
    let start = text.line_to_char(line);
    let end = start + without_end(text.line(line));
    let character = usize::try_from(position.character).unwrap_or(usize::MAX);
    match encoding {
        Encoding::Utf8 => {
            let byte = text.char_to_byte(start).saturating_add(character);
            text.byte_to_char(byte.min(text.char_to_byte(end)))
        }
        Encoding::Utf16 => {
            let unit = text.char_to_utf16_cu(start).saturating_add(character);
            text.utf16_cu_to_char(unit.min(text.char_to_utf16_cu(end)))
        }
    }
}

/// Characters of a line before what ends it.
fn without_end(line: RopeSlice<'_>) -> usize {
    let length = line.len_chars();
    let back = |count: usize| length.checked_sub(count).map(|at| line.char(at));
    match (back(2), back(1)) {
        (Some('\r'), Some('\n')) => length - 2,
        (_, Some('\r' | '\n')) => length - 1,
        _ => length,
    }
}

/// `None`: it is not a file, its name is not UTF-8, or it is longer than a path can be. Editors show versions and cells
/// of files under other schemes.
pub fn path_of(uri: &Uri) -> Option<Utf8PathBuf> {
    let url = Url::parse(uri.as_str()).ok().filter(|url| url.scheme() == "file")?;
    let path = url.to_file_path().ok()?;
    Utf8PathBuf::try_from(path).ok().filter(|path| path.as_str().len() <= PATH_LIMIT)
}

pub fn uri_of(path: &Utf8Path) -> Option<Uri> {
    let mut url = Url::from_file_path(path).ok()?.to_string();
    // Browsers take these as they are; the standard that clients read by does not.
    for (letter, code) in [('[', "%5B"), (']', "%5D"), ('^', "%5E"), ('|', "%7C")] {
        if url.contains(letter) {
            url = url.replace(letter, code);
        }
    }
    url.parse().ok()
}

#[cfg(test)]
mod tests {
    use lsp_types::Range;
    use proptest::prelude::*;

    use super::*;

    fn document(text: &str) -> Document {
        let uri = "file:///demo/SKILL.md".parse().expect("an address");
        Document { uri, version: 1, text: text.to_owned() }
    }

    fn change(from: (u32, u32), to: (u32, u32), text: &str) -> TextDocumentContentChangeEvent {
        let position = |(line, character)| Position { line, character };
        TextDocumentContentChangeEvent {
            range: Some(Range { start: position(from), end: position(to) }),
            range_length: None,
            text: text.to_owned(),
        }
    }

    #[test]
    fn takes_edits_one_after_the_other() {
        let mut document = document("a😀b\r\nc\r\n");
        let changes = [change((0, 3), (0, 4), "é"), change((0, 4), (1, 1), "!\r\n😀"), change((9, 9), (0, 0), "")];
        document.apply(changes[..2].to_vec(), 2, Encoding::Utf16);
        assert_eq!((document.text.as_str(), document.version), ("a😀é!\r\n😀\r\n", 2));
        document.apply(changes[2..].to_vec(), 3, Encoding::Utf16);
        assert_eq!(document.text, "", "a range that ends before it begins, and beyond the text");
        document.apply(
            vec![TextDocumentContentChangeEvent { range: None, range_length: None, text: "all".into() }],
            4,
            Encoding::Utf8,
        );
        assert_eq!((document.text.as_str(), document.version), ("all", 4));
    }

    #[test]
    fn places_outside_of_the_text_are_the_nearest_in_it() {
        let text = Rope::from_str("a\r\n😀\nxé\r");
        let at = |line, character, encoding| place(&text, Position { line, character }, encoding);
        assert_eq!(at(0, 99, Encoding::Utf16), 1, "the end of a line is before what ends it");
        assert_eq!(at(1, 1, Encoding::Utf16), 3, "half of a character is its start");
        assert_eq!(at(1, 3, Encoding::Utf8), 3);
        assert_eq!(at(1, u32::MAX, Encoding::Utf16), 4);
        assert_eq!((at(2, 1, Encoding::Utf8), at(2, 3, Encoding::Utf8)), (6, 7));
        assert_eq!(at(2, 9, Encoding::Utf16), 7, "a carriage return alone ends a line");
        assert_eq!(at(u32::MAX, 0, Encoding::Utf16), 8);
    }

    /// If it were measured again for each of them, this text would be read 20,000 times: an hour.
    #[test]
    fn many_edits_of_a_long_text_cost_no_more_than_their_number() {
        for text in ["a line of a long text\n".repeat(1 << 17), "on one line 技 ".repeat(1 << 17)] {
            let mut document = document(&text);
            let edits = (0..20_000).map(|number| change((number * 5, 3), (number * 5, 4), "x")).collect();
            let begun = std::time::Instant::now();
            document.apply(edits, 2, Encoding::Utf16);
            assert!(begun.elapsed() < std::time::Duration::from_secs(30), "{:?}", begun.elapsed());
            assert!(document.text.starts_with("a lxne of") || document.text.starts_with("on xne line"));
        }
    }

    #[test]
    #[cfg(unix)]
    fn addresses_of_odd_paths_lead_back() {
        for path in ["/a b/ü/SKILL.md", "/50%/[x]^|{y}/#1?.md", "/技能/😀.md"] {
            let uri = uri_of(Utf8Path::new(path)).expect("it has an address");
            assert_eq!(path_of(&uri).as_deref(), Some(Utf8Path::new(path)), "{}", uri.as_str());
        }
        for odd in ["untitled:Untitled-1", "https://example.com/SKILL.md", "file:///%FF", "git:/a/SKILL.md?ref=HEAD"] {
            assert_eq!(path_of(&odd.parse().expect("an address")), None, "{odd}");
        }
        let endless = format!("file://{}/SKILL.md", "/a".repeat(3000));
        assert_eq!(path_of(&endless.parse().expect("an address")), None, "no file has such a path");
    }

    /// A client that keeps its text as lines of UTF-16 units, as editors do.
    #[derive(Debug, Clone)]
    struct Client(Vec<u16>);

    impl Client {
        fn lines(&self) -> Vec<(usize, usize)> {
            let (mut lines, mut start, mut at) = (Vec::new(), 0, 0);
            while at < self.0.len() {
                let end = at;
                let ended = match self.0[at] {
                    0x0D if self.0.get(at + 1) == Some(&0x0A) => 2,
                    0x0D | 0x0A => 1,
                    _ => 0,
                };
                at += ended.max(1);
                if ended > 0 {
                    lines.push((start, end));
                    start = at;
                }
            }
            lines.push((start, self.0.len()));
            lines
        }

        /// The unit nearest to a position, never inside a pair.
        fn unit(&self, line: u32, character: u32) -> usize {
            let lines = self.lines();
            let Some((start, end)) = lines.get(line as usize) else { return self.0.len() };
            let unit = (start + character as usize).min(*end);
            let inside = unit > *start && unit < *end && (0xDC00..0xE000).contains(&self.0[unit]);
            if inside { unit - 1 } else { unit }
        }

        fn edit(&mut self, from: (u32, u32), to: (u32, u32), text: &str) {
            let (from, to) = (self.unit(from.0, from.1), self.unit(to.0, to.1));
            self.0.splice(from.min(to)..from.max(to), text.encode_utf16());
        }
    }

    proptest! {
        #[test]
        fn after_any_edits_the_text_is_the_clients(
            start in "(a|é|技|😀|\r\n|\n|\r|\u{feff}){0,30}",
            edits in prop::collection::vec(((0u32..8, 0u32..12), (0u32..8, 0u32..12), "(x|ü|😀|\r\n|\n|\r){0,5}"), 0..12),
        ) {
            let mut client = Client(start.encode_utf16().collect());
            let mut document = document(&start);
            for (version, (from, to, text)) in (2..).zip(edits) {
                client.edit(from, to, &text);
                document.apply(vec![change(from, to, &text)], version, Encoding::Utf16);
                prop_assert_eq!(&document.text, &String::from_utf16(&client.0).expect("whole characters"));
                prop_assert_eq!(document.version, version);
            }
        }
    }
}
