//! Where the paths in a document lead: for links, jumps to a file and its heading, and previews.

use std::collections::HashMap;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use lint::leads::{End, Lead, leads};
use lint::{Disk, Files, Overlay};
use lsp_types::{DocumentLink, Location, Position, Range};
use skill::source::SourceText;

use super::documents::{Documents, below, byte_at, uri_of};
use super::positions::{Encoding, Index};

/// The paths in an open document of a skill, with the texts as the editor has them.
pub struct Leads {
    leads: Vec<Lead>,
    documents: HashMap<Utf8PathBuf, Arc<SourceText>>,
    text: String,
    index: Index,
    skill: Utf8PathBuf,
    encoding: Encoding,
}

impl Leads {
    /// `skill`: its folder. `None`: the document is not open, or the skill is not saved yet.
    pub fn of(path: &Utf8Path, documents: &Documents, skill: &Utf8Path, encoding: Encoding) -> Option<Self> {
        let text = documents.get(path)?.text.clone();
        let skills = skill::skills(&skill::load(&[skill.to_owned()]));
        let own = skills.into_iter().find(|each| each.path == skill)?;
        let source = |(path, text): (&Utf8PathBuf, &str)| {
            (path.clone(), Arc::new(SourceText::of_text(path.clone(), text.to_owned())))
        };
        let open = below(documents, skill).map(|(path, document)| source((path, &document.text)));
        let documents: HashMap<Utf8PathBuf, Arc<SourceText>> = open.collect();
        let own = match documents.get(&own.manifest.source.path) {
            Some(source) => own.with_text(source.clone()),
            None => own,
        };
        let files = Overlay { below: &Disk, texts: documents.clone() };
        let leads = leads(&own, path, &files);
        let index = Index::new(&text, encoding);
        Some(Self { leads, documents, text, index, skill: skill.to_owned(), encoding })
    }

    /// Those that lead to something.
    pub fn links(&self) -> Vec<DocumentLink> {
        let there = self.leads.iter().filter(|lead| lead.end != End::Nothing);
        let link = |lead: &Lead| {
            let target = Some(uri_of(&lead.path)?);
            Some(DocumentLink { range: self.range(lead), target, tooltip: None, data: None })
        };
        there.filter_map(link).collect()
    }

    /// The file that the path at a position leads to, at its heading if one is named.
    pub fn definition(&self, position: Position) -> Option<Location> {
        let lead = self.at(position)?;
        if !matches!(lead.end, End::Text { .. }) {
            return None;
        }
        let files = Overlay { below: &Disk, texts: self.documents.clone() };
        let range = lead.heading.zip(files.text(&lead.path)).map(|(span, source)| {
            let index = Index::new(&source.text, self.encoding);
            Range { start: index.position(span.start), end: index.position(span.end) }
        });
        Some(Location { uri: uri_of(&lead.path)?, range: range.unwrap_or_default() })
    }

    /// A one-line description of the target of the path at a position.
    pub fn told(&self, position: Position) -> Option<(Range, String)> {
        let lead = self.at(position)?;
        let path = lead.path.strip_prefix(&self.skill).unwrap_or(&lead.path);
        let path = crate::print::line(path.as_str());
        let told = match lead.end {
            End::Text { lines, tokens } => {
                words!(
                    "`{path}` (lines: {lines}, tokens: about {tokens})",
                    "`{path}`（{lines} 行，约 {tokens} 个 token）"
                )
            }
            End::Other => words!("`{path}` is not a text file", "`{path}` 不是文本文件"),
            End::Nothing => words!("`{path}` does not exist", "`{path}` 不存在"),
        };
        Some((self.range(lead), told))
    }

    fn at(&self, position: Position) -> Option<&Lead> {
        let at = byte_at(&self.text, position, self.encoding);
        // A cursor at the end of a word is on it.
        self.leads.iter().find(|lead| lead.span.start <= at && at <= lead.span.end)
    }

    fn range(&self, lead: &Lead) -> Range {
        Range { start: self.index.position(lead.span.start), end: self.index.position(lead.span.end) }
    }
}
