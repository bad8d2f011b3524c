//! From the rooms' values, which count bytes, to the window's, which count UTF-16 units.

use std::collections::BTreeMap;

use camino::Utf8Path;

use super::dto::{MarkedText, ProblemDto, QuirkDto, TextMark, TextRange};
use crate::harness::{Catalog, Mark, Marked};
use crate::skill::Problem;
use crate::source::{LineIndex, SourceText, Span};

/// A problem of a file as a whole.
pub(super) fn unplaced(problem: &Problem) -> ProblemDto {
    placed(problem, None)
}

/// Problems of one text, where they are in it.
pub(super) fn problems(problems: &[Problem], source: &SourceText) -> Vec<ProblemDto> {
    let ruler = Ruler::of_editor(&source.text);
    problems.iter().map(|problem| placed(problem, problem.span.map(|span| ruler.range(span)))).collect()
}

fn placed(problem: &Problem, range: Option<TextRange>) -> ProblemDto {
    ProblemDto {
        severity: problem.kind.severity(),
        message: problem.kind.to_string(),
        path: problem.path.to_string(),
        range,
        kind: problem.kind.clone(),
    }
}

pub(super) fn marked(marked: &Marked) -> MarkedText {
    MarkedText { marks: marks(&marked.text, &marked.marks), text: marked.text.clone() }
}

pub(super) fn marks(text: &str, marks: &[Mark]) -> Vec<TextMark> {
    let ruler = Ruler::new(text);
    let converted = marks.iter().map(|mark| {
        let range = ruler.range(mark.span);
        TextMark { from: range.from, to: range.to, origin: mark.origin.clone() }
    });
    converted.collect()
}

/// Reads the files that quirks point into.
pub(super) fn quirks(catalog: &Catalog) -> Vec<QuirkDto> {
    let mut rulers: BTreeMap<&Utf8Path, Option<Ruler>> = BTreeMap::new();
    let converted = catalog.quirks.iter().map(|quirk| {
        let place = quirk.path.as_deref().zip(quirk.span);
        let range = place.and_then(|(path, span)| {
            let read = || SourceText::read(path).ok().map(|source| Ruler::of_editor(&source.text));
            rulers.entry(path).or_insert_with(read).as_ref().map(|ruler| ruler.range(span))
        });
        QuirkDto {
            kind: quirk.kind,
            code: format!("{}/{}", catalog.harness, quirk.kind.code()),
            severity: quirk.kind.severity(),
            message: quirk.kind.sentence().to_owned(),
            skill: quirk.skill.clone(),
            path: quirk.path.as_ref().map(|path| path.to_string()),
            range,
            detail: quirk.detail.clone(),
        }
    });
    converted.collect()
}

/// Measures spans of one text.
pub(super) struct Ruler {
    lines: LineIndex,
    /// Bytes that the editor's text does not have.
    dropped: Vec<usize>,
}

impl Ruler {
    /// For a text that is shown as it is.
    pub(super) fn new(text: &str) -> Self {
        Self { lines: LineIndex::new(text), dropped: Vec::new() }
    }

    /// For a file's text, which the editor gets with LF line ends.
    pub(super) fn of_editor(text: &str) -> Self {
        Self { dropped: text.match_indices("\r\n").map(|(at, _)| at).collect(), ..Self::new(text) }
    }

    pub(super) fn range(&self, span: Span) -> TextRange {
        let position = self.lines.position(span.start);
        TextRange { from: self.unit(span.start), to: self.unit(span.end), line: position.line, column: position.column }
    }

    fn unit(&self, byte: usize) -> u32 {
        let before = self.dropped.partition_point(|dropped| *dropped < byte);
        self.lines.utf16(byte) - u32::try_from(before).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_a_crlf_file_as_the_editor_shows_it() {
        let text = "---\r\nname: 技能 𝒳\r\nx: y\r\n";
        let shown = text.replace("\r\n", "\n");
        let found = text.find("y\r").expect("it is there");
        let range = Ruler::of_editor(text).range(Span::new(found, found + 1));
        let units: Vec<u16> = shown.encode_utf16().collect();
        assert_eq!(String::from_utf16_lossy(&units[range.from as usize..range.to as usize]), "y");
        assert_eq!((range.line, range.column), (3, 4));
    }
}
