//! The findings in a skill as it is in the editor, in the protocol's form.

use std::collections::BTreeMap;
use std::sync::Arc;

use api::dto::{CheckArgs, EditDto, FindingDto, Fixed, UnsavedText};
use api::{ApiError, Workbench};
use camino::{Utf8Path, Utf8PathBuf};
use lint::{Mark, Secrets};
use lsp_types::{
    Diagnostic, DiagnosticSeverity, DiagnosticTag, NumberOrString, OneOf, OptionalVersionedTextDocumentIdentifier,
    Range, TextDocumentEdit, TextEdit, Uri,
};
use serde_json::json;
use skill::Severity;
use skill::source::SourceText;
use tokio::sync::OnceCell;

use super::documents::{Document, Documents, uri_of};
use super::pages::Pages;
use super::place::{SkillHome, is_manifest};
use super::positions::{Encoding, Index, plain};
use wording::Message;

use crate::language::Chosen;

/// One look at a skill.
pub struct Checked {
    /// Of the skill's open documents.
    pub versions: Versions,
    place: SkillHome,
    /// The texts that were checked instead of those on disk.
    documents: Documents,
    pub findings: Vec<Placed>,
    files: BTreeMap<Utf8PathBuf, Text>,
    bench: Workbench,
    fixed: OnceCell<Result<Fixed, ApiError>>,
}

/// By path, each with its address: of another address the same number is another text.
pub type Versions = BTreeMap<Utf8PathBuf, (Uri, i32)>;

/// A finding in a file that a client can show.
#[derive(Debug, Clone)]
pub struct Placed {
    pub path: Utf8PathBuf,
    pub finding: FindingDto,
    pub diagnostic: Diagnostic,
}

/// A file as the client has it, or as it is on disk.
pub struct Text {
    pub uri: Uri,
    /// `None`: the client does not have it open.
    pub version: Option<i32>,
    pub text: String,
    pub index: Index,
}

impl Checked {
    /// Looks at a skill of which at least one document is open.
    pub async fn look(
        bench: Workbench,
        pages: Arc<Pages>,
        place: SkillHome,
        versions: Versions,
        documents: Documents,
        encoding: Encoding,
    ) -> Result<Self, ApiError> {
        let findings = bench.text_check(arguments(&place, &documents)).await?.findings;
        let measured = tokio::task::spawn_blocking(move || {
            let mut files = Files { texts: BTreeMap::new(), documents: &documents, pages: &pages, encoding };
            let findings = findings.into_iter().map(|finding| files.placed(&place, finding)).collect();
            // Fixes and comments may want to write where nothing was found.
            documents.keys().for_each(|path| files.read(path));
            let files = files.texts.into_iter().filter_map(|(path, text)| Some((path, text?))).collect();
            Self { versions, findings, files, bench, place, documents, fixed: OnceCell::new() }
        });
        measured.await.map_err(|error| {
            ApiError::new(
                api::Code::Invalid,
                wording::message!("cannot place the problems: {error}", "无法确定问题的位置：{error}"),
            )
        })
    }

    pub fn of_file<'a>(&'a self, path: &'a Utf8Path) -> impl Iterator<Item = &'a Placed> {
        self.findings.iter().filter(move |placed| placed.path == path)
    }

    pub fn text(&self, path: &Utf8Path) -> Option<&Text> {
        self.files.get(path)
    }

    /// The skill's texts with all fixes that keep the meaning; computed when first asked for.
    pub async fn fixed(&self) -> &Result<Fixed, ApiError> {
        let fix = || self.bench.text_fix(arguments(&self.place, &self.documents));
        self.fixed.get_or_init(fix).await
    }

    /// The secrets of the skill as it was checked.
    pub async fn secrets(&self) -> Secrets {
        self.bench.text_secrets(arguments(&self.place, &self.documents)).await
    }

    /// The edits of a fix, by document. `None` if a file cannot be read any more.
    pub fn edits(&self, edits: &[EditDto]) -> Option<Vec<TextDocumentEdit>> {
        let mut by_file: BTreeMap<&str, Vec<(Range, &str)>> = BTreeMap::new();
        for edit in edits {
            let text = self.text(Utf8Path::new(&edit.path))?;
            by_file.entry(&edit.path).or_default().push((text.index.range(edit.range), &edit.text));
        }
        by_file.into_iter().map(|(path, edits)| Some(self.text(Utf8Path::new(path))?.edited(edits))).collect()
    }
}

impl Text {
    /// Edits of this text, with its line ends in what they put there.
    pub fn edited<'a>(&self, edits: impl IntoIterator<Item = (Range, &'a str)>) -> TextDocumentEdit {
        let newline = skill::source::Newline::of(&self.text).as_str();
        let edit = |(range, text): (Range, &str)| {
            let new_text = if newline == "\n" { text.to_owned() } else { text.replace('\n', newline) };
            OneOf::Left(TextEdit { range, new_text })
        };
        TextDocumentEdit {
            text_document: OptionalVersionedTextDocumentIdentifier { uri: self.uri.clone(), version: self.version },
            edits: edits.into_iter().map(edit).collect(),
        }
    }

    fn of_document(document: &Document, encoding: Encoding) -> Self {
        Self {
            uri: document.uri.clone(),
            version: Some(document.version),
            index: Index::new(&document.text, encoding),
            text: document.text.clone(),
        }
    }

    fn of_disk(path: &Utf8Path, encoding: Encoding) -> Option<Self> {
        let uri = uri_of(path)?;
        // A file that cannot be read, or is not text, has only findings about the whole file.
        let text = SourceText::read(path).map(|source| source.text).unwrap_or_default();
        Some(Self { uri, version: None, index: Index::new(&text, encoding), text })
    }
}

/// The texts that findings are in, each read once. `None` if a path has no address.
struct Files<'a> {
    texts: BTreeMap<Utf8PathBuf, Option<Text>>,
    documents: &'a Documents,
    pages: &'a Pages,
    encoding: Encoding,
}

impl Files<'_> {
    fn read(&mut self, path: &Utf8Path) {
        if !self.texts.contains_key(path) {
            let text = match self.documents.get(path) {
                Some(document) => Some(Text::of_document(document, self.encoding)),
                None => Text::of_disk(path, self.encoding),
            };
            self.texts.insert(path.to_owned(), text);
        }
    }

    fn placed(&mut self, place: &SkillHome, finding: FindingDto) -> Placed {
        let said_of = Utf8PathBuf::from(&finding.path);
        // Clients do not show findings about a folder.
        let path = if said_of.is_dir() { manifest(place, self.documents) } else { said_of };
        self.read(&path);
        for edit in finding.fix.iter().flat_map(|fix| &fix.edits) {
            self.read(Utf8Path::new(&edit.path));
        }
        let text = self.texts.get(&path).and_then(Option::as_ref);
        let range = finding.range.zip(text).map(|(range, text)| text.index.range(range)).unwrap_or_default();
        let diagnostic = Diagnostic {
            range,
            severity: Some(match finding.severity {
                Severity::Error => DiagnosticSeverity::ERROR,
                Severity::Warning => DiagnosticSeverity::WARNING,
                Severity::Info => DiagnosticSeverity::INFORMATION,
            }),
            code: Some(NumberOrString::String(finding.rule.clone())),
            code_description: self.pages.of(&finding.rule),
            source: Some("skillbench".to_owned()),
            message: Message { en: finding.message.clone(), zh: finding.message_zh.clone() }.chosen(),
            related_information: None,
            tags: is_needless(&finding.rule).then(|| vec![DiagnosticTag::UNNECESSARY]),
            data: Some(json!({ "fingerprint": finding.fingerprint })),
        };
        Placed { path, finding, diagnostic }
    }
}

/// Whether the findings of a rule are about text that could be deleted.
fn is_needless(rule: &str) -> bool {
    lint::find(rule).is_some_and(|rule| rule.marks.contains(&Mark::Needless))
}

/// A skill's `SKILL.md` if it is open, else one of its documents; and all the others.
fn arguments(place: &SkillHome, documents: &Documents) -> CheckArgs {
    let mine = || documents.iter().filter(|(path, _)| path.starts_with(&place.skill));
    let main = mine().find(|(path, _)| path.parent() == Some(&place.skill) && is_manifest(path));
    let main = main.or_else(|| mine().next()).map(|(path, _)| path.clone()).unwrap_or_default();
    let text = |path: &Utf8Path| documents.get(path).map(|document| plain(&document.text)).unwrap_or_default();
    let others = documents.keys().filter(|path| **path != main);
    CheckArgs {
        text: text(&main),
        unsaved: others.map(|path| UnsavedText { path: path.to_string(), text: text(path) }).collect(),
        path: main.into_string(),
    }
}

fn manifest(place: &SkillHome, documents: &Documents) -> Utf8PathBuf {
    let open = documents.keys().find(|path| path.parent() == Some(&place.skill) && is_manifest(path));
    open.cloned().unwrap_or_else(|| place.skill.join("SKILL.md"))
}
