//! Files that a model is given to read, in the protocols that have a place for them.

use std::borrow::Cow;

use aws_smithy_types::base64;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::tokens;

/// A file with a name for the model, as it goes over the wire.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Document {
    /// Without an ending.
    pub name: String,
    /// `pdf`, `csv` and so on, as who handed it over calls it; empty where a request does not say it.
    pub format: String,
    /// Base64, as it goes over the wire.
    pub data: String,
}

/// Media types by format, as Python's `mimetypes` has them without the files of a system: what its frameworks send.
const MEDIA_TYPES: [(&str, &str); 10] = [
    ("pdf", "application/pdf"),
    ("csv", "text/csv"),
    ("doc", "application/msword"),
    ("xls", "application/vnd.ms-excel"),
    ("html", "text/html"),
    ("txt", "text/plain"),
    ("json", "application/json"),
    ("xml", "text/xml"),
    ("ppt", "application/vnd.ms-powerpoint"),
    ("rtf", "application/rtf"),
];
const UNKNOWN: &str = "application/octet-stream";
/// Media types that others write.
const FURTHER: [(&str, &str); 5] = [
    ("docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    ("xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    ("pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation"),
    ("md", "text/markdown"),
    ("xml", "application/xml"),
];

impl Document {
    /// `name`: without an ending. `format`: that of [`Document::format`].
    pub fn of(name: impl Into<String>, format: impl Into<String>, bytes: &[u8]) -> Self {
        Self { name: name.into(), format: format.into(), data: base64::encode(bytes) }
    }

    /// By its format; `application/octet-stream` if nobody registered one for it.
    pub fn media_type(&self) -> &'static str {
        MEDIA_TYPES.iter().find(|(format, _)| *format == self.format).map_or(UNKNOWN, |(_, media_type)| media_type)
    }

    /// `data:application/pdf;base64,…`
    pub fn data_url(&self) -> String {
        format!("data:{};base64,{}", self.media_type(), self.data)
    }

    /// `None` for addresses.
    pub fn of_data_url(name: &str, url: &str) -> Option<Self> {
        let (media_type, data) = url.strip_prefix("data:")?.split_once(";base64,")?;
        Self::of_base64(name, media_type, data)
    }

    /// `None` if the data is not Base64.
    pub fn of_base64(name: &str, media_type: &str, data: &str) -> Option<Self> {
        base64::decode(data).ok()?;
        let known = MEDIA_TYPES.iter().chain(&FURTHER).find(|(_, known)| *known == media_type);
        Some(Self { name: name.into(), format: known.map_or("", |(format, _)| format).into(), data: data.into() })
    }

    /// Without the ending of its name, if the ending is its format, or may be because the media type names none.
    #[must_use]
    pub fn without_ending(mut self) -> Self {
        let ended = self.name.rsplit_once('.').filter(|(stem, ending)| !stem.is_empty() && is_ending(ending));
        if let Some((stem, ending)) = ended
            && (self.format.is_empty() || ending.eq_ignore_ascii_case(&self.format))
        {
            (self.format, self.name) = (ending.to_ascii_lowercase(), stem.to_owned());
        }
        self
    }

    /// The name of a file: with its format as the ending.
    pub fn file_name(&self) -> Cow<'_, str> {
        let ending = format!(".{}", self.format);
        if self.format.is_empty() || self.name.ends_with(&ending) {
            return Cow::Borrowed(&self.name);
        }
        Cow::Owned(format!("{}{ending}", self.name))
    }

    /// The file that it was made of; `None` if the data is not Base64.
    pub fn bytes(&self) -> Option<Vec<u8>> {
        base64::decode(&self.data).ok()
    }

    /// Its text, if it is one of the formats that are sent as text.
    pub fn text(&self) -> Option<String> {
        if !TEXTS.contains(&self.format.as_str()) {
            return None;
        }
        String::from_utf8(self.bytes()?).ok()
    }

    /// Bytes of the file.
    pub fn size(&self) -> usize {
        let filled = self.data.bytes().rev().take_while(|byte| *byte == b'=').count();
        (self.data.len() / 4 * 3).saturating_sub(filled)
    }

    /// About as many tokens as a provider counts for it. The tokens of a text are counted, of a long text only at its
    /// beginning. A page of a PDF takes 1,500 to 3,000 tokens, as Anthropic says; nothing is known about other files,
    /// so they count as a page. Source: <https://platform.claude.com/docs/en/build-with-claude/pdf-support>
    pub fn tokens(&self) -> u32 {
        let head = self.data.len().min(HEAD);
        let Some(bytes) = self.data.get(..head).and_then(|head| base64::decode(head).ok()) else { return PAGE };
        if bytes.starts_with(b"%PDF") {
            return PAGE.saturating_mul(self.pages());
        }
        let text = match std::str::from_utf8(&bytes) {
            Ok(text) => text,
            // A letter that is cut off.
            Err(error) if error.error_len().is_none() && head < self.data.len() => {
                std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default()
            }
            Err(_) => return PAGE,
        };
        let whole = u64::from(tokens::count(text)) * self.data.len() as u64 / (head as u64).max(1);
        u32::try_from(whole).unwrap_or(u32::MAX)
    }

    /// Pages that a PDF names in the open; at least one.
    fn pages(&self) -> u32 {
        let bytes = self.bytes().unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let named = text.match_indices("/Type").filter(|(at, word)| {
            let behind = text[at + word.len()..].trim_start();
            behind.strip_prefix("/Page").is_some_and(|rest| !rest.starts_with(|next: char| next.is_alphanumeric()))
        });
        u32::try_from(named.count()).unwrap_or(u32::MAX).max(1)
    }

    /// Tells it from others.
    pub fn digest(&self) -> String {
        format!("{:08x}", crc32fast::hash(self.data.as_bytes()))
    }

    /// `report (PDF, 12 kB)`: shown where the file itself cannot be.
    pub fn described(&self) -> String {
        let format = self.format.to_ascii_uppercase();
        let separator = if format.is_empty() { "" } else { ", " };
        format!("{} ({format}{separator}{} kB)", self.name, self.size().div_ceil(1000))
    }
}

/// Whether it may be a format.
fn is_ending(text: &str) -> bool {
    (1..=5).contains(&text.len()) && text.chars().all(|letter| letter.is_ascii_alphanumeric())
}

/// Formats that Strands sends to Anthropic as text.
const TEXTS: [&str; 4] = ["csv", "html", "md", "txt"];
/// Tokens of a page.
const PAGE: u32 = 2_250;
/// How many characters of a text's Base64 are decoded to count tokens; a multiple of four.
const HEAD: usize = 256 << 10;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_the_same_after_its_way_over_the_wire() {
        for (format, media_type) in [
            ("pdf", "application/pdf"),
            ("csv", "text/csv"),
            ("txt", "text/plain"),
            ("docx", "application/octet-stream"),
            ("md", "application/octet-stream"),
        ] {
            let document = Document::of("a", format, b"one\n");
            assert_eq!(document.data_url(), format!("data:{media_type};base64,b25lCg=="));
            let as_file = Document::of_data_url(&document.file_name(), &document.data_url()).unwrap();
            assert_eq!(as_file.without_ending(), document);
            let nameless = Document::of_data_url("a", &document.data_url()).unwrap();
            let known = if media_type == UNKNOWN { "" } else { format };
            assert_eq!(nameless, Document { format: known.into(), ..document.clone() });
            assert_eq!((document.size(), document.bytes()), (4, Some(b"one\n".to_vec())));
        }
        assert_eq!(Document::of_base64("b", FURTHER[0].1, "AAAA").unwrap().format, "docx");
        let named = |name, media_type| Document::of_base64(name, media_type, "AAAA").unwrap().without_ending();
        assert_eq!(named("a.b", "text/csv").file_name(), "a.b.csv");
        assert_eq!(named("v1.2 of it", "x").file_name(), "v1.2 of it");
        assert_eq!(
            named(".csv", "text/csv"),
            Document { name: ".csv".into(), format: "csv".into(), data: "AAAA".into() }
        );
        assert_eq!(Document::of_base64("a", "text/csv", "no Base64"), None);
        assert_eq!(Document::of_data_url("a", "https://example.com/a.pdf"), None);
    }

    #[test]
    fn counts_texts_by_their_words_and_pages_of_a_pdf() {
        assert_eq!(Document::of("a", "csv", b"one two three").tokens(), 3);
        let long = "word ".repeat(100_000);
        let (all, about) = (tokens::count(&long), Document::of("a", "txt", long.as_bytes()).tokens());
        assert!(about.abs_diff(all) < all / 100, "{about} of {all}");
        let cut = "字".repeat(HEAD / 4);
        assert!(Document::of("a", "txt", cut.as_bytes()).tokens() > 1_000);
        let pdf = b"%PDF-1.4\n<</Type/Pages>> <</Type /Page>> <</Type/Page/Parent 1 0 R>>";
        assert_eq!(Document::of("a", "pdf", pdf).tokens(), 2 * PAGE);
        assert_eq!(Document::of("a", "docx", &[80, 75, 3, 4, 255]).tokens(), PAGE);
        assert_eq!(Document { name: "a".into(), format: "txt".into(), data: "no Base64".into() }.tokens(), PAGE);
    }

    #[test]
    fn is_described_by_name_format_and_size() {
        assert_eq!(Document::of("report", "pdf", b"%PDF").described(), "report (PDF, 1 kB)");
        assert_eq!(Document::of("report", "", b"").described(), "report (0 kB)");
    }

    #[test]
    fn a_text_is_one_by_its_format_and_its_bytes() {
        assert_eq!(Document::of("a", "md", "字".as_bytes()).text().as_deref(), Some("字"));
        assert_eq!(Document::of("a", "md", &[255]).text(), None);
        assert_eq!(Document::of("a", "docx", b"a").text(), None);
    }
}
