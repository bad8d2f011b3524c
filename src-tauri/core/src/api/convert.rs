//! From the rooms' values, which count bytes, to the window's, which count UTF-16 units.

use super::dto::{MarkedText, ProblemDto, TextMark, TextRange};
use crate::harness::Marked;
use crate::skill::Problem;
use crate::source::{LineIndex, SourceText, Span};

/// A problem, placed in `source` where it has a span and the text is at hand.
pub(super) fn problem(problem: &Problem, source: Option<&SourceText>) -> ProblemDto {
    let range = problem.span.zip(source).map(|(span, source)| Ruler::new(&source.text).range(span));
    ProblemDto {
        severity: problem.kind.severity(),
        message: problem.kind.to_string(),
        path: problem.path.to_string(),
        range,
        kind: problem.kind.clone(),
    }
}

/// Many problems of one text: the text is measured once.
pub(super) fn problems(problems: &[Problem], source: &SourceText) -> Vec<ProblemDto> {
    let ruler = Ruler::new(&source.text);
    problems
        .iter()
        .map(|found| ProblemDto {
            severity: found.kind.severity(),
            message: found.kind.to_string(),
            path: found.path.to_string(),
            range: found.span.map(|span| ruler.range(span)),
            kind: found.kind.clone(),
        })
        .collect()
}

pub(super) fn marked(marked: &Marked) -> MarkedText {
    let ruler = Ruler::new(&marked.text);
    let marks = marked.marks.iter().map(|mark| {
        let range = ruler.range(mark.span);
        TextMark { from: range.from, to: range.to, origin: mark.origin.clone() }
    });
    MarkedText { marks: marks.collect(), text: marked.text.clone() }
}

/// Measures spans of one text.
pub(super) struct Ruler(LineIndex);

impl Ruler {
    pub(super) fn new(text: &str) -> Self {
        Self(LineIndex::new(text))
    }

    pub(super) fn range(&self, span: Span) -> TextRange {
        let position = self.0.position(span.start);
        TextRange {
            from: self.0.utf16(span.start),
            to: self.0.utf16(span.end),
            line: position.line,
            column: position.column,
        }
    }
}
