//! The headings of a Markdown document, one inside the other.

use camino::Utf8Path;
use lsp_types::{DocumentSymbol, Range, SymbolKind};
use skill::source::{LineIndex, SourceText, Span};
use skill::{Heading, Manifest, body};

use super::place::is_manifest;
use super::positions::{Encoding, Index, plain};

/// Each heading holds what follows it up to the next one of its level.
pub fn outline(path: &Utf8Path, text: &str, encoding: Encoding) -> Vec<DocumentSymbol> {
    let shown = plain(text);
    let headings = if is_manifest(path) {
        Manifest::parse(SourceText::of_text(path.to_owned(), shown.clone()).into()).headings()
    } else if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("md")) {
        body::headings(&shown, Span::new(0, shown.len()))
    } else {
        Vec::new()
    };
    let (units, index) = (LineIndex::new(&shown), Index::new(text, encoding));
    let range = |from: usize, to: usize| {
        let place = |byte| index.position(index.byte_of_unit(units.utf16(byte)));
        Range { start: place(from), end: place(to) }
    };
    nested(&headings, shown.len(), &range)
}

fn nested(headings: &[Heading], end: usize, range: &impl Fn(usize, usize) -> Range) -> Vec<DocumentSymbol> {
    let mut symbols = Vec::new();
    let mut rest = headings;
    while let [first, after @ ..] = rest {
        let inside = after.iter().take_while(|heading| heading.level > first.level).count();
        let (children, next) = after.split_at(inside);
        let end = next.first().map_or(end, |next| next.span.start);
        let children = nested(children, end, range);
        symbols.push(symbol(first, range(first.span.start, end), range(first.span.start, first.span.end), children));
        rest = next;
    }
    symbols
}

#[expect(deprecated, reason = "the type has a field that only its initialiser may name")]
fn symbol(heading: &Heading, range: Range, selection_range: Range, children: Vec<DocumentSymbol>) -> DocumentSymbol {
    // The protocol forbids empty names.
    let name =
        if heading.text.trim().is_empty() { words!("(no title)", "（无标题）") } else { heading.text.clone() };
    DocumentSymbol {
        name,
        detail: None,
        kind: SymbolKind::STRING,
        tags: None,
        deprecated: None,
        range,
        selection_range,
        children: (!children.is_empty()).then_some(children),
    }
}
