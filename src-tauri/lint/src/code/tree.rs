//! Syntax trees of JavaScript and TypeScript, by tree-sitter: made in bounded time, walked without recursion.

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::thread::LocalKey;

use tree_sitter::{Language, Node, ParseOptions, ParseState, Parser, Tree};

use skill::source::Span;

/// `None`: it would take too long, or it is nothing a person wrote.
pub fn parse(text: &str) -> Option<Tree> {
    parse_with(&JAVASCRIPT, text)
}

/// TypeScript, with or without elements of JSX: `<A>b` is a cast without them.
pub fn parse_typescript(text: &str, elements: bool) -> Option<Tree> {
    parse_with(if elements { &TSX } else { &TYPESCRIPT }, text)
}

fn parse_with(parser: &'static LocalKey<RefCell<Option<Parser>>>, text: &str) -> Option<Tree> {
    parser.with_borrow_mut(|parser| {
        let parser = parser.as_mut()?;
        // Counted, not timed, so that the same text always gives the same tree.
        let mut turns = TURNS + text.len() / BYTES_A_TURN;
        let mut go_on = |_: &ParseState| {
            turns = turns.saturating_sub(1);
            if turns == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let mut read = |at: usize, _| text.as_bytes().get(at..).unwrap_or_default();
        let tree = parser.parse_with_options(&mut read, None, Some(ParseOptions::new().progress_callback(&mut go_on)));
        parser.reset();
        tree
    })
}

/// Every node, parents first, each with the nearest nodes it is in, from the outer to the inner.
pub fn each<'t>(tree: &'t Tree, mut look: impl FnMut(Node<'t>, &[Node<'t>])) {
    let mut cursor = tree.walk();
    let mut above = Vec::new();
    loop {
        let node = cursor.node();
        look(node, &above[above.len().saturating_sub(NEAREST)..]);
        if cursor.goto_first_child() {
            above.push(node);
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return;
            }
            above.pop();
        }
    }
}

/// How a node begins: enough to tell what it is, and no more, since nodes are nested.
pub fn beginning<'a>(node: Node<'_>, source: &'a str) -> &'a str {
    let whole = text(node, source);
    &whole[..whole.floor_char_boundary(BEGINNING)]
}

pub fn span(node: Node<'_>, source: &str) -> Span {
    Span::new(source.floor_char_boundary(node.start_byte()), source.ceil_char_boundary(node.end_byte()))
}

pub fn text<'a>(node: Node<'_>, source: &'a str) -> &'a str {
    span(node, source).of(source)
}

const NEAREST: usize = 50;
const BEGINNING: usize = 1000;
/// Turns of the parser, of some hundred steps each, that any text may take …
const TURNS: usize = 2000;
/// … and one more for as many bytes.
const BYTES_A_TURN: usize = 16;

thread_local! {
    static JAVASCRIPT: RefCell<Option<Parser>> = RefCell::new(parser(&tree_sitter_javascript::LANGUAGE.into()));
    static TYPESCRIPT: RefCell<Option<Parser>> = RefCell::new(parser(&tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into()));
    static TSX: RefCell<Option<Parser>> = RefCell::new(parser(&tree_sitter_typescript::LANGUAGE_TSX.into()));
}

fn parser(language: &Language) -> Option<Parser> {
    let mut parser = Parser::new();
    parser.set_language(language).ok()?;
    Some(parser)
}
