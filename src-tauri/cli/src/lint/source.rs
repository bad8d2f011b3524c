//! The files that findings are about: their lines, and their paths as people and programs name them.

use std::cell::OnceCell;
use std::collections::VecDeque;
use std::fmt::Write;
use std::ops::Range;
use std::rc::Rc;

use api::dto::TextRange;
use camino::{Utf8Component, Utf8Path, Utf8PathBuf};
use lint::Secrets;
use skill::source::{LineIndex, Newline, Position, SourceText, Span};

/// Texts of files as findings count in them. Findings come sorted by file, so a few texts are kept.
pub struct Sources {
    /// Where the program was started: paths below it are shown without it.
    here: Utf8PathBuf,
    kept: VecDeque<Rc<Source>>,
    /// A text in place of the one on disk.
    given: Option<Rc<Source>>,
    known: Secrets,
}

/// The folder that file names are relative to, and the secrets that are not shown.
pub struct OnDisk {
    here: Utf8PathBuf,
    known: Secrets,
}

/// A file's text without byte order mark, with LF line ends.
pub struct Source {
    path: String,
    pub text: String,
    index: LineIndex,
    /// Found when first asked for.
    secrets: OnceCell<Vec<Span>>,
    known: Secrets,
    /// How its lines end on disk.
    pub newline: Newline,
}

impl Sources {
    const KEPT: usize = 4;

    pub fn new(here: Utf8PathBuf) -> Self {
        Self { here, kept: VecDeque::new(), given: None, known: Secrets::default() }
    }

    /// What others need to read the same files; `None`: there is a text that is not on disk.
    pub fn on_disk(&self) -> Option<OnDisk> {
        self.given.is_none().then(|| OnDisk { here: self.here.clone(), known: self.known.clone() })
    }

    pub fn of_disk(disk: &OnDisk) -> Self {
        Self { known: disk.known.clone(), ..Self::new(disk.here.clone()) }
    }

    /// From here on, these secrets are hidden in shown texts as well.
    pub fn hide(&mut self, secrets: &Secrets) {
        self.kept.clear();
        self.known = secrets.clone();
        if let Some(given) = self.given.take() {
            let source = SourceText::of_text(given.path.clone().into(), given.text.clone());
            self.given = Some(Rc::new(Source::new(&given.path, source, &self.known)));
        }
    }

    /// With a text that is not on disk.
    pub fn with(self, path: &Utf8Path, text: &str) -> Self {
        let source = Source::new(path.as_str(), SourceText::of_text(path.to_owned(), text.to_owned()), &self.known);
        Self { given: Some(Rc::new(source)), ..self }
    }

    /// `None`: it is not a file, or cannot be read (any longer).
    pub fn of(&mut self, path: &str) -> Option<Rc<Source>> {
        let known = self.given.iter().chain(&self.kept).find(|source| source.path == path);
        if let Some(known) = known {
            return Some(known.clone());
        }
        let source = Rc::new(Source::new(path, SourceText::read(Utf8Path::new(path)).ok()?, &self.known));
        self.kept.truncate(Self::KEPT - 1);
        self.kept.push_front(source.clone());
        Some(source)
    }

    /// A path as it would be typed here.
    pub fn shown<'a>(&self, path: &'a str) -> &'a str {
        match Utf8Path::new(path).strip_prefix(&self.here) {
            Ok(below) if below.as_str().is_empty() => ".",
            Ok(below) => below.as_str(),
            Err(_) => path,
        }
    }

    /// A path below the folder the program was started in as a relative reference, another as a `file` address.
    pub fn uri(&self, path: &str) -> Uri {
        let folder = if Utf8Path::new(path).is_dir() { "/" } else { "" };
        match Utf8Path::new(path).strip_prefix(&self.here) {
            Ok(below) if below.as_str().is_empty() => Uri { text: "./".to_owned(), relative: true },
            Ok(below) => Uri { text: escaped(below) + folder, relative: true },
            Err(_) => Uri { text: format!("{}{folder}", file_uri(Utf8Path::new(path))), relative: false },
        }
    }

    /// The address of the folder the program was started in.
    pub fn here(&self) -> String {
        format!("{}/", file_uri(&self.here).trim_end_matches('/'))
    }
}

pub struct Uri {
    pub text: String,
    /// To [`Sources::here`].
    pub relative: bool,
}

impl Source {
    fn new(path: &str, read: SourceText, known: &Secrets) -> Self {
        let newline = read.newline();
        let text = if newline == Newline::Lf { read.text } else { read.text.replace("\r\n", "\n") };
        let (path, index, known) = (path.to_owned(), LineIndex::new(&text), known.clone());
        Self { path, index, secrets: OnceCell::new(), known, text, newline }
    }

    /// Bytes of the text. A file that has changed since gives another place, never one outside.
    pub fn bytes(&self, range: TextRange) -> Range<usize> {
        let from = self.index.byte(range.from);
        from..self.index.byte(range.to).max(from)
    }

    /// A part of the text, without the secrets in it.
    pub fn shown(&self, part: Range<usize>) -> String {
        lint::without_secrets(&self.text, Span::new(part.start, part.end), self.secrets())
    }

    /// The secrets in the text.
    pub fn secrets(&self) -> &[Span] {
        self.secrets.get_or_init(|| lint::secrets(Utf8Path::new(&self.path), &self.text, &self.known))
    }

    /// Where a range ends: line and column of the first place after it.
    pub fn end(&self, range: TextRange) -> Position {
        self.index.position(self.bytes(range).end)
    }
}

/// `path` as seen from the folder `base`, with `/` between its parts; both are absolute.
pub fn relative(path: &Utf8Path, base: &Utf8Path) -> String {
    let shared = path.components().zip(base.components()).take_while(|(a, b)| a == b).count();
    if shared == 0 {
        return path.to_string();
    }
    let up = base.components().skip(shared).map(|_| "..");
    let down = path.components().skip(shared).map(|part| part.as_str());
    let parts: Vec<&str> = up.chain(down).collect();
    if parts.is_empty() { ".".to_owned() } else { parts.join("/") }
}

fn file_uri(path: &Utf8Path) -> String {
    let escaped = escaped(path);
    // A drive letter gets an additional slash before it.
    let slash = if escaped.starts_with('/') { "" } else { "/" };
    format!("file://{slash}{escaped}")
}

/// https://www.rfc-editor.org/rfc/rfc3986#section-3.3
fn escaped(path: &Utf8Path) -> String {
    let mut out = String::new();
    for part in path.components() {
        match part {
            Utf8Component::RootDir => {
                out.push('/');
                continue;
            }
            Utf8Component::Prefix(_) | Utf8Component::CurDir | Utf8Component::ParentDir | Utf8Component::Normal(_) => {
                if !out.is_empty() && !out.ends_with('/') {
                    out.push('/');
                }
            }
        }
        for byte in part.as_str().bytes() {
            if byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=@".contains(&byte) {
                out.push(char::from(byte));
            } else {
                write!(out, "%{byte:02X}").expect("a String takes everything");
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_escape_what_has_a_meaning_in_them() {
        let sources = Sources::new("/work/my skills".into());
        assert_eq!(sources.here(), "file:///work/my%20skills/");
        assert_eq!(sources.uri("/work/my skills/技 #1/SKILL.md").text, "%E6%8A%80%20%231/SKILL.md");
        assert_eq!(sources.uri("/else/a.md").text, "file:///else/a.md");
    }

    #[test]
    fn a_path_seen_from_a_folder_goes_up_and_down() {
        let relative = |path: &str, base: &str| super::relative(path.into(), base.into());
        assert_eq!(relative("/a/b/c.md", "/a"), "b/c.md");
        assert_eq!(relative("/a/b/c.md", "/a/x/y"), "../../b/c.md");
        assert_eq!(relative("/a", "/a"), ".");
    }
}
