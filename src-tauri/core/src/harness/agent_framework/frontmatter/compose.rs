//! YAML as PyYAML's `compose` gives it to the framework: scalars with what their tag would be, keys in order and all of
//! them. The parser underneath is stricter in some corners and laxer in others; the mistakes that PyYAML alone objects
//! to are looked for here, and its words stand in for the parser's.

use std::collections::HashMap;

use saphyr_parser::{Event, Parser, ScalarStyle, ScanError, StrInput, Tag as WrittenTag};

use super::mark::Mark;
use crate::harness::agent_framework::python;
use crate::skill::yaml::{BYTE_LIMIT, DEPTH_LIMIT, NODE_LIMIT};

#[derive(Debug, Clone, PartialEq)]
pub enum Node {
    Scalar {
        tag: Tag,
        text: String,
    },
    Map(Vec<(Node, Node)>),
    /// A list, or a map with a tag of its own.
    Other,
}

/// What the framework asks of a scalar's tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tag {
    /// A text, number, truth value or time, all of which stay the text they are.
    Text,
    Null,
    /// A merge key, a default key, or a tag of the author's.
    Other,
}

/// The root of the only document; `None` where there is none. `Err` is the message of PyYAML's exception.
pub fn compose(yaml: &str) -> Result<Option<Node>, String> {
    if yaml.len() > BYTE_LIMIT {
        return Err("it is longer than 1 MiB".into());
    }
    if let Some((at, letter)) = yaml.chars().enumerate().find(|(_, letter)| !is_allowed(*letter)) {
        return Err(format!(
            "unacceptable character #x{:04x}: special characters are not allowed\n  in \"<unicode string>\", position {at}",
            u32::from(letter)
        ));
    }
    let mut reader = Reader { parser: Parser::new_from_str(yaml), yaml, nodes: 0, anchors: HashMap::new() };
    reader.document()
}

/// `Reader.NON_PRINTABLE`, turned around.
fn is_allowed(letter: char) -> bool {
    matches!(letter, '\t' | '\n' | '\r' | ' '..='~' | '\u{85}' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

struct Reader<'a> {
    parser: Parser<'a, StrInput<'a>>,
    yaml: &'a str,
    nodes: usize,
    anchors: HashMap<usize, Node>,
}

impl<'a> Reader<'a> {
    fn document(&mut self) -> Result<Option<Node>, String> {
        let mut root = None;
        loop {
            match self.next()? {
                Event::StreamEnd => return Ok(root),
                Event::StreamStart | Event::DocumentStart(_) | Event::DocumentEnd | Event::Nothing => {}
                event if root.is_none() => root = Some(self.node(event, 0)?),
                _ => return Err("expected a single document in the stream".into()),
            }
        }
    }

    fn node(&mut self, event: Event<'a>, depth: usize) -> Result<Node, String> {
        self.nodes += 1;
        if depth > DEPTH_LIMIT || self.nodes > NODE_LIMIT {
            return Err("maximum recursion depth exceeded".into());
        }
        let (node, anchor) = match event {
            Event::Scalar(text, style, anchor, tag) => {
                let tag = scalar_tag(&text, style, tag.as_deref());
                (Node::Scalar { tag, text: text.into_owned() }, anchor)
            }
            Event::SequenceStart(anchor, _) => {
                loop {
                    match self.next()? {
                        Event::SequenceEnd => break,
                        event => self.node(event, depth + 1)?,
                    };
                }
                (Node::Other, anchor)
            }
            Event::MappingStart(anchor, tag) => {
                let mut entries = Vec::new();
                loop {
                    let key = match self.next()? {
                        Event::MappingEnd => break,
                        event => self.node(event, depth + 1)?,
                    };
                    let event = self.next()?;
                    entries.push((key, self.node(event, depth + 1)?));
                }
                let is_map = tag.is_none_or(|tag| core_tag(&tag).is_some_and(|name| matches!(name, "" | "map")));
                (if is_map { Node::Map(entries) } else { Node::Other }, anchor)
            }
            Event::Alias(anchor) => {
                let node = self.anchors.get(&anchor).cloned().unwrap_or(Node::Other);
                self.nodes += size(&node);
                (node, 0)
            }
            Event::Nothing
            | Event::StreamStart
            | Event::StreamEnd
            | Event::DocumentStart(_)
            | Event::DocumentEnd
            | Event::SequenceEnd
            | Event::MappingEnd => return Err("the text ends in the middle of a value".into()),
        };
        if anchor != 0 {
            self.anchors.insert(anchor, node.clone());
        }
        Ok(node)
    }

    fn next(&mut self) -> Result<Event<'a>, String> {
        match self.parser.next_event() {
            Some(Ok((event, _))) => Ok(event),
            Some(Err(error)) => Err(self.message(&error)),
            None => Ok(Event::StreamEnd),
        }
    }

    /// PyYAML's words for what the parser found.
    fn message(&self, error: &ScanError) -> String {
        let index = error.marker().index();
        let at = self.yaml.char_indices().nth(index).map_or(self.yaml.len(), |(at, _)| at);
        let mark = Mark { text: self.yaml, at };
        let unexpected = error.info().strip_prefix("unexpected character: `").and_then(|rest| rest.strip_suffix('\''));
        match (error.info(), unexpected) {
            ("mapping values are not allowed in this context", _) => {
                format!("mapping values are not allowed here\n{mark}")
            }
            (_, Some(letter)) => format!(
                "while scanning for the next token\nfound character {} that cannot start any token\n{mark}",
                python::repr(letter)
            ),
            (info, None) => format!("{info}\n{mark}"),
        }
    }
}

fn size(node: &Node) -> usize {
    match node {
        Node::Scalar { .. } | Node::Other => 1,
        Node::Map(entries) => 1 + entries.iter().map(|(key, value)| size(key) + size(value)).sum::<usize>(),
    }
}

fn scalar_tag(text: &str, style: ScalarStyle, tag: Option<&WrittenTag>) -> Tag {
    match tag {
        Some(tag) => match core_tag(tag) {
            Some("" | "str" | "bool" | "int" | "float" | "timestamp") => Tag::Text,
            Some("null") => Tag::Null,
            Some(_) | None => Tag::Other,
        },
        None if style != ScalarStyle::Plain => Tag::Text,
        None => match text {
            "" | "~" | "null" | "Null" | "NULL" => Tag::Null,
            "<<" | "=" => Tag::Other,
            _ => Tag::Text,
        },
    }
}

/// The name of one of YAML's own tags; empty for `!`, which says that no tag is meant.
fn core_tag(tag: &WrittenTag) -> Option<&str> {
    const CORE: &str = "tag:yaml.org,2002:";
    match (tag.handle.as_str(), tag.suffix.as_str()) {
        ("", "!") | ("!", "") => Some(""),
        (CORE, name) => Some(name),
        (_, suffix) => suffix.strip_prefix(CORE),
    }
}
