//! From tokens to nodes (PyYAML's `parser.py` and `composer.py`). Tokens are asked for in the same order as there, since
//! of several mistakes the first one met is the one that is told.

use std::collections::HashMap;
use std::rc::Rc;

use super::mark::Mistake;
use super::scanner::Scanner;
use super::token::{Directive, Error, Kind, Scalar, Scanned, Token};
use super::{Node, Tag};
use crate::harness::python;

/// Collections inside each other; Python's stack ends somewhere near.
const DEPTH_LIMIT: usize = 200;
const TOO_DEEP: &str = "maximum recursion depth exceeded while calling a Python object";
const CORE: &str = "tag:yaml.org,2002:";

pub struct Parser<'a> {
    scanner: Scanner<'a>,
    /// What the handles of tags stand for.
    handles: HashMap<String, String>,
    anchors: HashMap<String, Anchored>,
    depth: usize,
}

struct Anchored {
    node: Rc<Node>,
    start: usize,
}

/// What stands in front of a node.
#[derive(Default)]
struct Properties {
    anchor: Option<String>,
    tag: Option<String>,
    start: usize,
}

/// Where a node may stand, which decides what it may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Context {
    Flow,
    Block,
    /// A list that is not indented is one too.
    BlockOrList,
}

impl<'a> Parser<'a> {
    pub fn new(text: &'a [char]) -> Self {
        let mut parser =
            Self { scanner: Scanner::new(text), handles: HashMap::new(), anchors: HashMap::new(), depth: 0 };
        parser.default_handles();
        parser
    }

    /// The only document; `None` where there is none.
    pub fn document(mut self) -> Result<Option<Rc<Node>>, String> {
        let read = self.single();
        read.map_err(|error| match error {
            Error::Mistake(mistake) => mistake.message(self.scanner.text()),
            Error::Message(message) => message.to_owned(),
        })
    }

    fn single(&mut self) -> Scanned<Option<Rc<Node>>> {
        if self.is_end()? {
            return Ok(None);
        }
        let explicit = self.is_next(|kind| matches!(kind, Kind::Directive(_) | Kind::DocumentStart))?;
        if explicit {
            self.begin_document()?;
        }
        let no_content = |kind: &Kind| {
            matches!(kind, Kind::Directive(_) | Kind::DocumentStart | Kind::DocumentEnd | Kind::StreamEnd)
        };
        let start = self.scanner.peek_token()?.start;
        let root = if explicit && self.is_next(no_content)? { null() } else { self.node(Context::Block)? };
        while self.is_next(|kind| *kind == Kind::DocumentEnd)? {
            self.scanner.next_token()?;
        }
        if self.is_end()? {
            return Ok(Some(root));
        }
        let second = self.scanner.peek_token()?.start;
        self.begin_document()?;
        Err(Error::Mistake(Mistake {
            context: Some(("expected a single document in the stream".into(), Some(start))),
            problem: "but found another document".into(),
            at: second,
        }))
    }

    /// Directives and `---`.
    fn begin_document(&mut self) -> Scanned<()> {
        self.directives()?;
        let token = self.scanner.next_token()?;
        if token.kind == Kind::DocumentStart {
            return Ok(());
        }
        let problem = format!("expected '<document start>', but found {}", python::repr(token.kind.id()));
        Err(Error::Mistake(Mistake { context: None, problem, at: token.start }))
    }

    fn directives(&mut self) -> Scanned<()> {
        self.handles.clear();
        let mut has_version = false;
        while self.is_next(|kind| matches!(kind, Kind::Directive(_)))? {
            let token = self.scanner.next_token()?;
            let wrong = |problem: String| Error::Mistake(Mistake { context: None, problem, at: token.start });
            match token.kind {
                Kind::Directive(Directive::Yaml(_)) if has_version => {
                    return Err(wrong("found duplicate YAML directive".into()));
                }
                Kind::Directive(Directive::Yaml(major)) => {
                    if major.trim_start_matches('0') != "1" {
                        return Err(wrong("found incompatible YAML document (version 1.* is required)".into()));
                    }
                    has_version = true;
                }
                Kind::Directive(Directive::Tag { handle, prefix }) => {
                    if self.handles.contains_key(&handle) {
                        return Err(wrong(format!("duplicate tag handle {}", python::repr(&handle))));
                    }
                    self.handles.insert(handle, prefix);
                }
                _ => {}
            }
        }
        self.default_handles();
        Ok(())
    }

    fn default_handles(&mut self) {
        self.handles.entry("!".into()).or_insert_with(|| "!".into());
        self.handles.entry("!!".into()).or_insert_with(|| CORE.into());
    }

    fn node(&mut self, context: Context) -> Scanned<Rc<Node>> {
        if self.is_next(|kind| matches!(kind, Kind::Alias(_)))? {
            return self.alias();
        }
        let properties = self.properties()?;
        let Properties { anchor, tag, start } = &properties;
        let token = self.scanner.peek_token()?.clone();
        match token.kind {
            Kind::BlockEntry if context == Context::BlockOrList => {
                self.collection(&properties, &token, Self::indentless_list)
            }
            Kind::Scalar(scalar) => {
                self.scanner.next_token()?;
                self.check_anchor(&properties)?;
                let node = Rc::new(resolved(scalar, tag.as_deref()));
                self.remember(&properties, &node);
                Ok(node)
            }
            Kind::FlowSequenceStart => self.collection(&properties, &token, Self::flow_list),
            Kind::FlowMappingStart => self.collection(&properties, &token, Self::flow_map),
            Kind::BlockSequenceStart if context != Context::Flow => {
                self.collection(&properties, &token, Self::block_list)
            }
            Kind::BlockMappingStart if context != Context::Flow => {
                self.collection(&properties, &token, Self::block_map)
            }
            _ if anchor.is_some() || tag.is_some() => {
                self.check_anchor(&properties)?;
                let empty = Scalar { text: String::new(), plain: tag.is_none(), surrogate: false };
                let node = Rc::new(resolved(empty, tag.as_deref()));
                self.remember(&properties, &node);
                Ok(node)
            }
            other => {
                let what = if context == Context::Flow { "flow" } else { "block" };
                let problem = format!("expected the node content, but found {}", python::repr(other.id()));
                Err(mistake(format!("while parsing a {what} node"), *start, problem, token.start))
            }
        }
    }

    fn alias(&mut self) -> Scanned<Rc<Node>> {
        let token = self.scanner.next_token()?;
        let Kind::Alias(name) = token.kind else { return Ok(null()) };
        match self.anchors.get(&name) {
            Some(anchored) => Ok(Rc::clone(&anchored.node)),
            None => {
                let problem = format!("found undefined alias {}", python::repr(&name));
                Err(Error::Mistake(Mistake { context: None, problem, at: token.start }))
            }
        }
    }

    /// An anchor and a tag, in either order.
    fn properties(&mut self) -> Scanned<Properties> {
        let mut found = Properties { start: self.scanner.peek_token()?.start, ..Properties::default() };
        let mut tag = None;
        for _ in 0..2 {
            match &self.scanner.peek_token()?.kind {
                Kind::Anchor(name) if found.anchor.is_none() => {
                    found.anchor = Some(name.clone());
                    self.scanner.next_token()?;
                }
                Kind::Tag(handle, suffix) if tag.is_none() => {
                    tag = Some((handle.clone(), suffix.clone()));
                    let at = self.scanner.next_token()?.start;
                    // The handle is looked up after the anchor, but nothing can go wrong there.
                    if let Some((Some(handle), _)) = &tag
                        && !self.handles.contains_key(handle)
                    {
                        if found.anchor.is_none() && self.is_next(|kind| matches!(kind, Kind::Anchor(_)))? {
                            self.scanner.next_token()?;
                        }
                        let problem = format!("found undefined tag handle {}", python::repr(handle));
                        return Err(mistake("while parsing a node".into(), found.start, problem, at));
                    }
                }
                _ => break,
            }
        }
        found.tag = tag.map(|(handle, suffix)| {
            let prefix = handle.and_then(|handle| self.handles.get(&handle)).map_or("", String::as_str);
            format!("{prefix}{suffix}")
        });
        Ok(found)
    }

    fn check_anchor(&self, properties: &Properties) -> Scanned<()> {
        let Some(name) = &properties.anchor else { return Ok(()) };
        match self.anchors.get(name) {
            None => Ok(()),
            Some(first) => Err(mistake(
                format!("found duplicate anchor {}; first occurrence", python::repr(name)),
                first.start,
                "second occurrence".into(),
                properties.start,
            )),
        }
    }

    fn remember(&mut self, properties: &Properties, node: &Rc<Node>) {
        if let Some(name) = &properties.anchor {
            let anchored = Anchored { node: Rc::clone(node), start: properties.start };
            self.anchors.insert(name.clone(), anchored);
        }
    }

    /// Reads what follows the properties of a list or map, whose first token is `first`.
    fn collection(
        &mut self,
        properties: &Properties,
        first: &Token,
        read: fn(&mut Self, usize) -> Scanned<Node>,
    ) -> Scanned<Rc<Node>> {
        self.check_anchor(properties)?;
        if self.depth == DEPTH_LIMIT {
            return Err(Error::Message(TOO_DEEP));
        }
        self.depth += 1;
        // An alias inside stands for the collection itself, of which only its kind is asked.
        self.remember(properties, &Rc::new(Node::Other));
        let node = read(self, first.start)?;
        self.depth -= 1;
        let has_own_tag = properties.tag.as_deref().is_some_and(|tag| tag != "!" && tag != "tag:yaml.org,2002:map");
        let node = Rc::new(if has_own_tag { Node::Other } else { node });
        self.remember(properties, &node);
        Ok(node)
    }

    fn block_list(&mut self, start: usize) -> Scanned<Node> {
        self.scanner.next_token()?;
        while self.is_next(|kind| *kind == Kind::BlockEntry)? {
            self.scanner.next_token()?;
            if !self.is_next(|kind| matches!(kind, Kind::BlockEntry | Kind::BlockEnd))? {
                self.node(Context::Block)?;
            }
        }
        self.end_block("while parsing a block collection", start)?;
        Ok(Node::Other)
    }

    fn indentless_list(&mut self, _start: usize) -> Scanned<Node> {
        while self.is_next(|kind| *kind == Kind::BlockEntry)? {
            self.scanner.next_token()?;
            let is_empty = |kind: &Kind| matches!(kind, Kind::BlockEntry | Kind::Key | Kind::Value | Kind::BlockEnd);
            if !self.is_next(is_empty)? {
                self.node(Context::Block)?;
            }
        }
        Ok(Node::Other)
    }

    fn block_map(&mut self, start: usize) -> Scanned<Node> {
        let is_empty = |kind: &Kind| matches!(kind, Kind::Key | Kind::Value | Kind::BlockEnd);
        self.scanner.next_token()?;
        let mut entries = Vec::new();
        while self.is_next(|kind| *kind == Kind::Key)? {
            self.scanner.next_token()?;
            let key = if self.is_next(is_empty)? { null() } else { self.node(Context::BlockOrList)? };
            let value = if self.is_next(|kind| *kind == Kind::Value)? {
                self.scanner.next_token()?;
                if self.is_next(is_empty)? { null() } else { self.node(Context::BlockOrList)? }
            } else {
                null()
            };
            entries.push((key, value));
        }
        self.end_block("while parsing a block mapping", start)?;
        Ok(Node::Map(entries))
    }

    fn end_block(&mut self, context: &str, start: usize) -> Scanned<()> {
        let token = self.scanner.peek_token()?;
        if token.kind == Kind::BlockEnd {
            self.scanner.next_token()?;
            return Ok(());
        }
        let problem = format!("expected <block end>, but found {}", python::repr(token.kind.id()));
        Err(mistake(context.to_owned(), start, problem, token.start))
    }

    fn flow_list(&mut self, start: usize) -> Scanned<Node> {
        let ends = |kind: &Kind| *kind == Kind::FlowSequenceEnd;
        self.scanner.next_token()?;
        let mut first = true;
        while !self.is_next(ends)? {
            if !first {
                self.flow_entry("while parsing a flow sequence", start, ']')?;
            }
            first = false;
            if self.is_next(|kind| *kind == Kind::Key)? {
                self.flow_pair(ends)?;
            } else if !self.is_next(ends)? {
                self.node(Context::Flow)?;
            }
        }
        self.scanner.next_token()?;
        Ok(Node::Other)
    }

    fn flow_map(&mut self, start: usize) -> Scanned<Node> {
        let ends = |kind: &Kind| *kind == Kind::FlowMappingEnd;
        self.scanner.next_token()?;
        let mut entries = Vec::new();
        let mut first = true;
        while !self.is_next(ends)? {
            if !first {
                self.flow_entry("while parsing a flow mapping", start, '}')?;
            }
            first = false;
            if self.is_next(|kind| *kind == Kind::Key)? {
                entries.push(self.flow_pair(ends)?);
            } else if !self.is_next(ends)? {
                entries.push((self.node(Context::Flow)?, null()));
            }
        }
        self.scanner.next_token()?;
        Ok(Node::Map(entries))
    }

    fn flow_entry(&mut self, context: &str, start: usize, end: char) -> Scanned<()> {
        let token = self.scanner.peek_token()?;
        if token.kind == Kind::FlowEntry {
            self.scanner.next_token()?;
            return Ok(());
        }
        let problem = format!("expected ',' or '{end}', but got {}", python::repr(token.kind.id()));
        Err(mistake(context.to_owned(), start, problem, token.start))
    }

    /// A key in brackets, with its value if there is one.
    fn flow_pair(&mut self, ends: fn(&Kind) -> bool) -> Scanned<(Rc<Node>, Rc<Node>)> {
        self.scanner.next_token()?;
        let no_key = self.is_next(|kind| matches!(kind, Kind::Value | Kind::FlowEntry) || ends(kind))?;
        let key = if no_key { null() } else { self.node(Context::Flow)? };
        if !self.is_next(|kind| *kind == Kind::Value)? {
            return Ok((key, null()));
        }
        self.scanner.next_token()?;
        let no_value = self.is_next(|kind| *kind == Kind::FlowEntry || ends(kind))?;
        Ok((key, if no_value { null() } else { self.node(Context::Flow)? }))
    }

    fn is_next(&mut self, wanted: impl Fn(&Kind) -> bool) -> Scanned<bool> {
        Ok(wanted(&self.scanner.peek_token()?.kind))
    }

    fn is_end(&mut self) -> Scanned<bool> {
        self.is_next(|kind| *kind == Kind::StreamEnd)
    }
}

fn mistake(context: String, start: usize, problem: String, at: usize) -> Error {
    Error::Mistake(Mistake { context: Some((context, Some(start))), problem, at })
}

fn null() -> Rc<Node> {
    Rc::new(Node::Scalar { tag: Tag::Null, text: String::new() })
}

/// `!` says that the value decides, whatever its style.
fn resolved(scalar: Scalar, tag: Option<&str>) -> Node {
    let Scalar { text, plain, surrogate } = scalar;
    let tag = match tag {
        _ if surrogate => Tag::Other,
        None if !plain => Tag::Text,
        None | Some("!") => match text.as_str() {
            "" | "~" | "null" | "Null" | "NULL" => Tag::Null,
            "<<" | "=" => Tag::Other,
            _ => Tag::Text,
        },
        Some(tag) => match tag.strip_prefix(CORE) {
            Some("str" | "bool" | "int" | "float" | "timestamp") => Tag::Text,
            Some("null") => Tag::Null,
            Some(_) | None => Tag::Other,
        },
    };
    Node::Scalar { tag, text }
}
