//! From tokens to nodes (PyYAML's `parser.py` and `composer.py`). Tokens are read in the same order as there, since
//! only the first of several mistakes is reported. Nothing here is recursive: a text may be nested as deep as it is
//! long.

use std::collections::HashMap;

use super::mark::{Mistake, ScanPlace, Stage};
use super::scanner::Scanner;
use super::token::{Directive, Error, Scalar, Scanned, Style, Token, TokenKind};
use super::{Content, Dialect, Id, Node};
use crate::python;
use wording::message;

pub const CORE: &str = "tag:yaml.org,2002:";

pub struct Parser<'a> {
    pub scanner: Scanner<'a>,
    pub nodes: Vec<Node>,
    dialect: Dialect,
    /// Flow style, anchors and tags are refused, as strictyaml does.
    strict: bool,
    limits: super::Limits,
    /// Aliases of lists and maps, so far.
    aliases: usize,
    /// The prefixes of tag handles.
    handles: HashMap<String, String>,
    anchors: HashMap<String, Id>,
}

/// The properties before a node.
#[derive(Default)]
struct Properties {
    anchor: Option<String>,
    tag: Option<String>,
    start: ScanPlace,
}

/// The place of a node, which decides what it may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Context {
    Flow,
    Block,
    /// A list that is not indented is one too.
    BlockOrList,
}

/// A list or map whose end is not read yet.
struct Open {
    id: Id,
    shape: Shape,
    start: ScanPlace,
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    BlockList,
    /// A list in a map whose hyphens are below the key.
    IndentlessList,
    BlockMap,
    FlowList,
    FlowMap,
    /// A map of one pair in a list, without brackets.
    FlowPair,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    First,
    Next,
    /// A key is being read.
    Key,
    Value(Id),
    /// A key is being read that has no mark, and so has no value.
    LoneKey,
    LoneValue(Id),
    /// A pair is complete.
    Done,
}

/// The result of a step.
enum Step {
    /// A node is complete; it belongs to the collection around it.
    Node(Id),
    /// A collection was begun.
    Opened,
}

impl<'a> Parser<'a> {
    pub fn new(text: &'a [char], dialect: Dialect, limits: super::Limits) -> Self {
        let mut parser = Self {
            scanner: Scanner::new(text, dialect),
            nodes: Vec::new(),
            dialect,
            strict: false,
            limits,
            aliases: 0,
            handles: HashMap::new(),
            anchors: HashMap::new(),
        };
        parser.default_handles();
        parser
    }

    /// As strictyaml reads.
    pub fn be_strict(&mut self, strict: bool) {
        self.strict = strict;
        self.scanner.strict = strict;
    }

    /// The root of the only document; `None` if there is none. yaml.v3 does not look for a second one.
    pub fn document(&mut self) -> Scanned<Option<Id>> {
        if self.is_end()? {
            return Ok(None);
        }
        let explicit = self.is_next(|kind| matches!(kind, TokenKind::Directive(_) | TokenKind::DocumentStart))?;
        if explicit && !self.begin_document()? {
            return Ok(None);
        }
        let no_content = |kind: &TokenKind| {
            matches!(
                kind,
                TokenKind::Directive(_) | TokenKind::DocumentStart | TokenKind::DocumentEnd | TokenKind::StreamEnd
            )
        };
        let start = self.scanner.peek_token()?.start;
        let root = if explicit && self.is_next(no_content)? { self.null(start) } else { self.root()? };
        if self.dialect == Dialect::Go {
            self.scanner.peek_token()?;
            return Ok(Some(root));
        }
        while self.is_next(|kind| *kind == TokenKind::DocumentEnd)? {
            self.scanner.next_token()?;
        }
        if self.is_end()? {
            return Ok(Some(root));
        }
        let second = self.scanner.peek_token()?.start;
        // ruamel.yaml needs no `---` before another one.
        let is_begun =
            self.strict && !self.is_next(|kind| matches!(kind, TokenKind::Directive(_) | TokenKind::DocumentStart))?;
        if !is_begun && !self.begin_document()? {
            return Ok(Some(root));
        }
        Err(Error::Mistake(Mistake {
            stage: Stage::Composer,
            context: Some(("expected a single document in the stream".into(), Some(start))),
            problem: "but found another document".into(),
            at: second,
        }))
    }

    /// Directives and `---`; whether there is a document. SnakeYAML takes directives at the end for nothing.
    fn begin_document(&mut self) -> Scanned<bool> {
        self.directives()?;
        if self.dialect == Dialect::Java && self.is_end()? {
            return Ok(false);
        }
        let token = self.scanner.next_token()?;
        if token.kind == TokenKind::DocumentStart {
            return Ok(true);
        }
        // ruamel.yaml has read one token further, and reports an error there.
        if self.strict {
            self.scanner.peek_token()?;
        }
        let problem = self.expected("expected '<document start>', but found", &token, "<document start>");
        Err(Error::Mistake(Mistake { stage: Stage::Parser, context: None, problem, at: token.start }))
    }

    fn directives(&mut self) -> Scanned<()> {
        self.handles.clear();
        let mut has_version = false;
        while self.is_next(|kind| matches!(kind, TokenKind::Directive(_)))? {
            let token = self.scanner.next_token()?;
            let wrong = |problem: String| {
                Error::Mistake(Mistake { stage: Stage::Parser, context: None, problem, at: token.start })
            };
            match token.kind {
                TokenKind::Directive(Directive::Yaml(..)) if has_version => {
                    let percent = if self.dialect.is_libyaml() { "%" } else { "" };
                    return Err(wrong(format!("found duplicate {percent}YAML directive")));
                }
                TokenKind::Directive(Directive::Yaml(major, minor)) => {
                    if !self.is_version(&major, &minor) {
                        let problem = match self.dialect {
                            Dialect::C | Dialect::Go => "found incompatible YAML document",
                            Dialect::Python | Dialect::Java => {
                                "found incompatible YAML document (version 1.* is required)"
                            }
                        };
                        return Err(wrong(problem.into()));
                    }
                    has_version = true;
                }
                TokenKind::Directive(Directive::Tag { handle, prefix }) => {
                    if self.handles.contains_key(&handle) {
                        let problem = match self.dialect {
                            Dialect::C | Dialect::Go => "found duplicate %TAG directive".to_owned(),
                            Dialect::Python | Dialect::Java => {
                                format!("duplicate tag handle {}", python::repr(&handle))
                            }
                        };
                        return Err(wrong(problem));
                    }
                    self.handles.insert(handle, prefix);
                }
                _ => {}
            }
        }
        self.default_handles();
        Ok(())
    }

    fn is_version(&self, major: &str, minor: &str) -> bool {
        let is = |digits: &str, wanted: &str| digits.trim_start_matches('0') == wanted;
        is(major, "1")
            && match self.dialect {
                Dialect::Python | Dialect::Java => true,
                Dialect::C => is(minor, "1") || is(minor, "2"),
                Dialect::Go => is(minor, "1"),
            }
    }

    fn default_handles(&mut self) {
        self.handles.entry("!".into()).or_insert_with(|| "!".into());
        self.handles.entry("!!".into()).or_insert_with(|| CORE.into());
    }

    fn root(&mut self) -> Scanned<Id> {
        let mut open = Vec::new();
        let mut step = self.node(Context::Block, &mut open)?;
        loop {
            if let Step::Node(id) = step {
                let Some(around) = open.last_mut() else { return Ok(id) };
                around.add(id, &mut self.nodes);
            }
            step = self.step(&mut open)?;
        }
    }

    /// Continues the innermost collection.
    fn step(&mut self, open: &mut Vec<Open>) -> Scanned<Step> {
        let Some(Open { id, shape, start, state }) = open.last_mut() else { return Ok(Step::Opened) };
        let (id, shape, start, before) = (*id, *shape, *start, *state);
        let into = |open: &mut Vec<Open>, state| {
            if let Some(innermost) = open.last_mut() {
                innermost.state = state;
            }
        };
        match (shape, before) {
            (Shape::BlockList | Shape::IndentlessList, _) => {
                if !self.is_next(|kind| *kind == TokenKind::BlockEntry)? {
                    if shape == Shape::BlockList {
                        self.end_block("while parsing a block collection", "'-' indicator", start)?;
                    }
                    return Ok(close(open, id));
                }
                let at = self.scanner.next_token()?.behind();
                let is_empty: fn(&TokenKind) -> bool = match shape {
                    Shape::BlockList => |kind| matches!(kind, TokenKind::BlockEntry | TokenKind::BlockEnd),
                    _ => |kind| {
                        matches!(kind, TokenKind::BlockEntry | TokenKind::Key | TokenKind::Value | TokenKind::BlockEnd)
                    },
                };
                self.node_unless(is_empty, Context::Block, at, open)
            }
            (Shape::BlockMap, State::First | State::Next | State::Done) => {
                // ruamel.yaml takes a value without a key for that of an empty one.
                if self.strict && self.is_next(|kind| *kind == TokenKind::Value)? {
                    let at = self.scanner.peek_token()?.start;
                    into(open, State::Key);
                    return Ok(Step::Node(self.null(at)));
                }
                if !self.is_next(|kind| *kind == TokenKind::Key)? {
                    self.end_block("while parsing a block mapping", "key", start)?;
                    return Ok(close(open, id));
                }
                let at = self.scanner.next_token()?.behind();
                into(open, State::Key);
                self.node_unless(ends_pair, Context::BlockOrList, at, open)
            }
            (Shape::BlockMap, _) => {
                let at = self.scanner.peek_token()?.start;
                if !self.is_next(|kind| *kind == TokenKind::Value)? {
                    return Ok(Step::Node(self.null(at)));
                }
                let at = self.scanner.next_token()?.behind();
                self.node_unless(ends_pair, Context::BlockOrList, at, open)
            }
            (Shape::FlowList, _) => {
                let ends = |kind: &TokenKind| *kind == TokenKind::FlowSequenceEnd;
                if self.is_next(ends)? {
                    self.nodes[id].end = self.scanner.next_token()?.end;
                    return Ok(close(open, id));
                }
                if before != State::First {
                    self.flow_entry("while parsing a flow sequence", start, ']')?;
                }
                into(open, State::Next);
                if self.is_next(|kind| *kind == TokenKind::Key)? {
                    let start = self.scanner.next_token()?.start;
                    let id = self.push(Content::Map(Vec::new()), None, start);
                    open.push(Open { id, shape: Shape::FlowPair, start, state: State::Key });
                    let is_empty = |kind: &TokenKind| {
                        matches!(kind, TokenKind::Value | TokenKind::FlowEntry | TokenKind::FlowSequenceEnd)
                    };
                    return self.node_unless(is_empty, Context::Flow, start, open);
                }
                if self.is_next(ends)? { Ok(Step::Opened) } else { self.node(Context::Flow, open) }
            }
            (Shape::FlowMap, State::First | State::Next | State::Done) => {
                let ends = |kind: &TokenKind| *kind == TokenKind::FlowMappingEnd;
                if self.is_next(ends)? {
                    self.nodes[id].end = self.scanner.next_token()?.end;
                    return Ok(close(open, id));
                }
                if before != State::First {
                    self.flow_entry("while parsing a flow mapping", start, '}')?;
                }
                into(open, State::Next);
                if self.is_next(|kind| *kind == TokenKind::Key)? {
                    let at = self.scanner.next_token()?.start;
                    into(open, State::Key);
                    let is_empty = |kind: &TokenKind| {
                        matches!(kind, TokenKind::Value | TokenKind::FlowEntry | TokenKind::FlowMappingEnd)
                    };
                    return self.node_unless(is_empty, Context::Flow, at, open);
                }
                if self.is_next(ends)? {
                    return Ok(Step::Opened);
                }
                into(open, State::LoneKey);
                self.node(Context::Flow, open)
            }
            (Shape::FlowMap, State::LoneKey | State::LoneValue(_)) => {
                let at = self.scanner.peek_token()?.start;
                Ok(Step::Node(self.null(at)))
            }
            (Shape::FlowPair, State::Done) => Ok(close(open, id)),
            (Shape::FlowMap | Shape::FlowPair, _) => {
                let at = self.scanner.peek_token()?.start;
                if !self.is_next(|kind| *kind == TokenKind::Value)? {
                    return Ok(Step::Node(self.null(at)));
                }
                let at = self.scanner.next_token()?.behind();
                let is_empty: fn(&TokenKind) -> bool = match shape {
                    Shape::FlowMap => |kind| matches!(kind, TokenKind::FlowEntry | TokenKind::FlowMappingEnd),
                    _ => |kind| matches!(kind, TokenKind::FlowEntry | TokenKind::FlowSequenceEnd),
                };
                self.node_unless(is_empty, Context::Flow, at, open)
            }
        }
    }

    /// A node, or a null if the next token says that there is none.
    fn node_unless(
        &mut self,
        is_empty: impl Fn(&TokenKind) -> bool,
        context: Context,
        at: ScanPlace,
        open: &mut Vec<Open>,
    ) -> Scanned<Step> {
        if self.is_next(is_empty)? { Ok(Step::Node(self.null(at))) } else { self.node(context, open) }
    }

    fn node(&mut self, context: Context, open: &mut Vec<Open>) -> Scanned<Step> {
        if self.is_next(|kind| matches!(kind, TokenKind::Alias(_)))? {
            return Ok(Step::Node(self.alias()?));
        }
        let properties = self.properties()?;
        let token = self.scanner.peek_token()?.clone();
        if self.strict && matches!(token.kind, TokenKind::FlowSequenceStart | TokenKind::FlowMappingStart) {
            return Err(confusing("ugly disallowed JSONesque flow mapping", &token));
        }
        let shape = match token.kind {
            TokenKind::Scalar(scalar) => {
                self.scanner.next_token()?;
                return self.scalar(scalar, properties, token.end, open.len()).map(Step::Node);
            }
            TokenKind::BlockEntry if context == Context::BlockOrList => Shape::IndentlessList,
            TokenKind::FlowSequenceStart => Shape::FlowList,
            TokenKind::FlowMappingStart => Shape::FlowMap,
            TokenKind::BlockSequenceStart if context != Context::Flow => Shape::BlockList,
            TokenKind::BlockMappingStart if context != Context::Flow => Shape::BlockMap,
            _ if properties.anchor.is_some() || properties.tag.is_some() => {
                let style = if properties.tag.is_none() { Style::Plain } else { Style::Quoted };
                let empty = Scalar { text: String::new(), style, surrogate: false };
                let end = properties.start.index;
                return self.scalar(empty, properties, end, open.len()).map(Step::Node);
            }
            _ => {
                let what = if context == Context::Flow { "flow" } else { "block" };
                let problem = self.expected("expected the node content, but found", &token, "node content");
                return Err(mistake(format!("while parsing a {what} node"), properties.start, problem, token.start));
            }
        };
        self.check_anchor(&properties)?;
        self.check_depth(open.len())?;
        let content = match shape {
            Shape::BlockList | Shape::IndentlessList | Shape::FlowList => Content::List(Vec::new()),
            Shape::BlockMap | Shape::FlowMap | Shape::FlowPair => Content::Map(Vec::new()),
        };
        let id = self.push(content, properties.tag, properties.start);
        // An alias inside refers to the collection itself.
        self.remember(properties.anchor, id);
        if shape != Shape::IndentlessList {
            self.scanner.next_token()?;
        }
        open.push(Open { id, shape, start: token.start, state: State::First });
        Ok(Step::Opened)
    }

    fn scalar(&mut self, scalar: Scalar, properties: Properties, end: usize, depth: usize) -> Scanned<Id> {
        self.check_anchor(&properties)?;
        self.check_depth(depth)?;
        let Scalar { text, style, surrogate } = scalar;
        // The value decides what `!` is, whatever its style.
        let implicit = match properties.tag.as_deref() {
            None => style == Style::Plain,
            // With nothing behind it, it is a text to libyaml in C.
            Some(tag) => tag == "!" && !(self.dialect == Dialect::C && end == properties.start.index),
        };
        let id = self.push(Content::Scalar { text, style, implicit, surrogate }, properties.tag, properties.start);
        self.nodes[id].end = end;
        self.remember(properties.anchor, id);
        Ok(id)
    }

    fn alias(&mut self) -> Scanned<Id> {
        let token = self.scanner.next_token()?;
        let TokenKind::Alias(name) = token.kind else { return Ok(self.null(token.start)) };
        let Some(&id) = self.anchors.get(&name) else {
            let problem = match self.dialect {
                Dialect::Go => format!("unknown anchor '{name}' referenced"),
                Dialect::Python | Dialect::C | Dialect::Java => {
                    format!("found undefined alias {}", python::repr(&name))
                }
            };
            return Err(Error::Mistake(Mistake { stage: Stage::Composer, context: None, problem, at: token.start }));
        };
        if !matches!(self.nodes[id].content, Content::Scalar { .. }) {
            self.aliases += 1;
            if self.aliases > self.limits.aliases {
                let limit = self.limits.aliases;
                let problem = format!("Number of aliases for non-scalar nodes exceeds the specified max={limit}");
                return Err(Error::Limit(problem));
            }
        }
        if self.dialect == Dialect::Go {
            // It has its own place, which messages name.
            let id = self.push(Content::Alias { name, id }, None, token.start);
            self.nodes[id].end = token.end;
            return Ok(id);
        }
        Ok(id)
    }

    /// An anchor and a tag, in either order.
    fn properties(&mut self) -> Scanned<Properties> {
        let mut found = Properties { start: self.scanner.peek_token()?.start, ..Properties::default() };
        let mut tag = None;
        for _ in 0..2 {
            let strict = self.strict;
            let token = self.scanner.peek_token()?;
            match &token.kind {
                TokenKind::Anchor(_) if strict => return Err(confusing("confusing disallowed anchor token", token)),
                TokenKind::Tag(..) if strict => {
                    let problem = "Found disallowed tag tokens (do not specify types in markup)";
                    return Err(mistake("While scanning".into(), token.behind(), problem.into(), token.start));
                }
                TokenKind::Anchor(name) if found.anchor.is_none() => {
                    found.anchor = Some(name.clone());
                    self.scanner.next_token()?;
                }
                TokenKind::Tag(handle, suffix) if tag.is_none() => {
                    tag = Some((handle.clone(), suffix.clone()));
                    let at = self.scanner.next_token()?.start;
                    // The handle is looked up after the anchor, but nothing can go wrong there.
                    if let Some((Some(handle), _)) = &tag
                        && !self.handles.contains_key(handle)
                    {
                        if found.anchor.is_none() && self.is_next(|kind| matches!(kind, TokenKind::Anchor(_)))? {
                            self.scanner.next_token()?;
                        }
                        let problem = match self.dialect {
                            Dialect::C | Dialect::Go => "found undefined tag handle".to_owned(),
                            Dialect::Python | Dialect::Java => {
                                format!("found undefined tag handle {}", python::repr(handle))
                            }
                        };
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

    /// In the translations to Java and Go the later anchor counts.
    fn check_anchor(&self, properties: &Properties) -> Scanned<()> {
        let Some(name) = properties.anchor.as_ref().filter(|_| matches!(self.dialect, Dialect::Python | Dialect::C))
        else {
            return Ok(());
        };
        match self.anchors.get(name) {
            None => Ok(()),
            Some(first) => Err(Error::Mistake(Mistake {
                stage: Stage::Composer,
                context: Some((
                    format!("found duplicate anchor {}; first occurrence", python::repr(name)),
                    Some(self.nodes[*first].start),
                )),
                problem: "second occurrence".into(),
                at: properties.start,
            })),
        }
    }

    fn check_depth(&self, depth: usize) -> Scanned<()> {
        if depth < self.limits.depth {
            return Ok(());
        }
        let limit = self.limits.depth;
        Err(if self.dialect == Dialect::Java {
            Error::Limit(format!("Nesting Depth exceeded max {}", limit - 1))
        } else {
            Error::Ours(message!("lists and maps more than {limit} levels deep", "嵌套超过 {limit} 层的列表和映射"))
        })
    }

    fn remember(&mut self, anchor: Option<String>, id: Id) {
        if let Some(name) = anchor {
            self.anchors.insert(name, id);
        }
    }

    fn end_block(&mut self, context: &str, wanted: &str, start: ScanPlace) -> Scanned<()> {
        let token = self.scanner.peek_token()?.clone();
        if token.kind == TokenKind::BlockEnd {
            self.scanner.next_token()?;
            return Ok(());
        }
        let problem = self.expected("expected <block end>, but found", &token, wanted);
        Err(mistake(context.to_owned(), start, problem, token.start))
    }

    fn flow_entry(&mut self, context: &str, start: ScanPlace, end: char) -> Scanned<()> {
        let token = self.scanner.peek_token()?.clone();
        if token.kind == TokenKind::FlowEntry {
            self.scanner.next_token()?;
            return Ok(());
        }
        let wanted = format!("',' or '{end}'");
        let problem = self.expected(&format!("expected {wanted}, but got"), &token, &wanted);
        Err(mistake(context.to_owned(), start, problem, token.start))
    }

    /// PyYAML names what it found; libyaml only what it did not find.
    fn expected(&self, expected: &str, found: &Token, wanted: &str) -> String {
        match self.dialect {
            Dialect::C | Dialect::Go => format!("did not find expected {wanted}"),
            Dialect::Python | Dialect::Java => format!("{expected} {}", python::repr(found.kind.id())),
        }
    }

    fn push(&mut self, content: Content, tag: Option<String>, start: ScanPlace) -> Id {
        self.nodes.push(Node { content, tag, start, end: start.index });
        self.nodes.len() - 1
    }

    fn null(&mut self, at: ScanPlace) -> Id {
        let content = Content::Scalar { text: String::new(), style: Style::Plain, implicit: true, surrogate: false };
        self.push(content, None, at)
    }

    fn is_next(&mut self, wanted: impl Fn(&TokenKind) -> bool) -> Scanned<bool> {
        Ok(wanted(&self.scanner.peek_token()?.kind))
    }

    fn is_end(&mut self) -> Scanned<bool> {
        self.is_next(|kind| *kind == TokenKind::StreamEnd)
    }
}

impl Open {
    fn add(&mut self, child: Id, nodes: &mut [Node]) {
        nodes[self.id].end = nodes[self.id].end.max(nodes[child].end);
        match &mut nodes[self.id].content {
            Content::List(items) => {
                items.push(child);
                self.state = State::Next;
            }
            Content::Map(pairs) => {
                self.state = match self.state {
                    State::First | State::Next | State::Done | State::Key => State::Value(child),
                    State::LoneKey => State::LoneValue(child),
                    State::Value(key) | State::LoneValue(key) => {
                        pairs.push((key, child));
                        State::Done
                    }
                };
            }
            Content::Scalar { .. } | Content::Alias { .. } => {}
        }
    }
}

fn close(open: &mut Vec<Open>, id: Id) -> Step {
    open.pop();
    Step::Node(id)
}

fn ends_pair(kind: &TokenKind) -> bool {
    matches!(kind, TokenKind::Key | TokenKind::Value | TokenKind::BlockEnd)
}

/// strictyaml's messages about the things it refuses.
fn confusing(what: &str, token: &super::token::Token) -> Error {
    let problem = format!("Found {what} (surround with ' and ' to make text appear literally)");
    mistake("While scanning".into(), token.start, problem, token.behind())
}

fn mistake(context: String, start: ScanPlace, problem: String, at: ScanPlace) -> Error {
    Error::Mistake(Mistake { stage: Stage::Parser, context: Some((context, Some(start))), problem, at })
}
