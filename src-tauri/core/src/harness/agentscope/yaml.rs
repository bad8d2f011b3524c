//! YAML as a tree that still knows how each scalar was written and tagged, since what `1.10` or `yes` is differs by the
//! framework's language. SnakeYAML and PyYAML share this tree and give it their own values.

use std::collections::HashMap;

use saphyr_parser::{Event, Parser, ScalarStyle, Span, StrInput, Tag};

#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    pub value: Value,
    /// As written, with `!!` for YAML's own, e.g. `!!int`; `None` where the value decides.
    pub tag: Option<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Scalar {
        text: String,
        /// Without quotes, and no block: what it is depends on how it looks.
        plain: bool,
    },
    List(Vec<Node>),
    Map(Vec<(Node, Node)>),
}

#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Values inside each other, the outermost counted.
    pub depth: usize,
    /// Aliases of lists and maps.
    pub aliases: usize,
    pub tabs: Tabs,
}

/// Where a value may start after a tab.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tabs {
    Nowhere,
    /// Behind something on the same line, but for the mark of a list's item or of a key.
    WithinLine,
}

/// Texts beyond this many bytes, and trees of more values than [`NODES`], are not read.
const BYTES: usize = 1 << 20;
const NODES: usize = 20_000;

/// The one document; `None` where the text holds none. `Err` says what is wrong.
pub fn parse(text: &str, limits: Limits) -> Result<Option<Node>, String> {
    if text.len() > BYTES {
        return Err("it is longer than 1 MiB".into());
    }
    if let Some(letter) = text.chars().find(|letter| !is_printable(*letter)) {
        return Err(format!("the character U+{:04X} is not allowed", u32::from(letter)));
    }
    match read(text, limits) {
        // The reader refuses `key:<tab>value`, which libyaml takes.
        Err(error) if limits.tabs == Tabs::WithinLine && text.contains(":\t") => {
            read(&spaced(text), limits).map_err(|_| error)
        }
        read => read,
    }
}

/// Spaces for the tabs that follow the first colon of a line.
fn spaced(text: &str) -> String {
    let line = |line: &str| match line.split_once(":\t") {
        Some((key, rest)) => {
            let value = rest.trim_start_matches('\t');
            format!("{key}: {}{value}", " ".repeat(rest.len() - value.len()))
        }
        None => line.to_owned(),
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

fn read(text: &str, limits: Limits) -> Result<Option<Node>, String> {
    let mut reader = Reader {
        parser: Parser::new_from_str(text),
        letters: text.chars().collect(),
        limits,
        anchors: HashMap::new(),
        aliases: 0,
        nodes: 0,
    };
    loop {
        match reader.next()? {
            (Event::StreamStart | Event::DocumentStart(_) | Event::Nothing, _) => {}
            (Event::StreamEnd, _) => return Ok(None),
            event => {
                let node = reader.node(event, 1)?;
                return reader.end().map(|()| Some(node));
            }
        }
    }
}

struct Reader<'a> {
    parser: Parser<'a, StrInput<'a>>,
    letters: Vec<char>,
    limits: Limits,
    /// With how many values each is.
    anchors: HashMap<usize, (Node, usize)>,
    aliases: usize,
    nodes: usize,
}

impl<'a> Reader<'a> {
    fn node(&mut self, (event, span): (Event<'a>, Span), depth: usize) -> Result<Node, String> {
        let before = self.nodes;
        self.spend(1)?;
        self.check_tab(&event, span)?;
        if depth > self.limits.depth && !matches!(event, Event::Alias(_)) {
            return Err("the values are nested too deep".into());
        }
        let (node, anchor) = match event {
            Event::Scalar(text, style, anchor, tag) => {
                let mut text = text.into_owned();
                let plain = style == ScalarStyle::Plain;
                if plain && text.starts_with(['|', '>']) {
                    return Err("a block cannot start between brackets".into());
                }
                let quoted = matches!(style, ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted);
                if !quoted && text.contains(['\u{85}', '\u{2028}', '\u{2029}']) {
                    // These end lines in YAML 1.1, and what follows is not indented.
                    return Err("could not find expected ':'".into());
                }
                let is_block = matches!(style, ScalarStyle::Literal | ScalarStyle::Folded);
                if is_block && self.ends_without_line_end(span) && text.ends_with('\n') {
                    text.pop();
                }
                (Node { value: Value::Scalar { text, plain }, tag: tag.and_then(|tag| name(&tag)) }, anchor)
            }
            Event::SequenceStart(anchor, tag) => {
                let mut items = Vec::new();
                loop {
                    match self.next()? {
                        (Event::SequenceEnd, _) => break,
                        event => items.push(self.node(event, depth + 1)?),
                    }
                }
                (Node { value: Value::List(items), tag: tag.and_then(|tag| name(&tag)) }, anchor)
            }
            Event::MappingStart(anchor, tag) => {
                let mut pairs = Vec::new();
                loop {
                    match self.next()? {
                        (Event::MappingEnd, _) => break,
                        event => {
                            let key = self.node(event, depth + 1)?;
                            let event = self.next()?;
                            pairs.push((key, self.node(event, depth + 1)?));
                        }
                    }
                }
                (Node { value: Value::Map(pairs), tag: tag.and_then(|tag| name(&tag)) }, anchor)
            }
            Event::Alias(anchor) => {
                let (node, nodes) = self.anchors.get(&anchor).cloned().ok_or("a value refers to itself")?;
                self.spend(nodes)?;
                if !matches!(node.value, Value::Scalar { .. }) {
                    self.aliases += 1;
                    if self.aliases > self.limits.aliases {
                        return Err("there are too many aliases of lists and maps".into());
                    }
                }
                return Ok(node);
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
            self.anchors.insert(anchor, (node.clone(), self.nodes - before));
        }
        Ok(node)
    }

    fn end(&mut self) -> Result<(), String> {
        loop {
            match self.next()? {
                (Event::DocumentEnd, _) => {}
                (Event::StreamEnd, _) => return Ok(()),
                _ => return Err("a second document starts".into()),
            }
        }
    }

    fn check_tab(&self, event: &Event, span: Span) -> Result<(), String> {
        let starts_here = match event {
            Event::Scalar(_, style, ..) => !matches!(style, ScalarStyle::Literal | ScalarStyle::Folded),
            _ => false,
        };
        let before = self.letters.get(..span.start.index()).unwrap_or_default();
        if !starts_here || span.is_empty() || before.last() != Some(&'\t') {
            return Ok(());
        }
        let behind = before.iter().rev().find(|letter| !matches!(letter, ' ' | '\t'));
        match (self.limits.tabs, behind) {
            (Tabs::WithinLine, Some(letter)) if !matches!(letter, '-' | '?' | '\n') => Ok(()),
            (Tabs::Nowhere | Tabs::WithinLine, _) => Err("a value cannot start after a tab".into()),
        }
    }

    /// The last line of a block has no line end where the text has none.
    fn ends_without_line_end(&self, span: Span) -> bool {
        span.end.index() >= self.letters.len() && self.letters.last().is_some_and(|last| !matches!(last, '\n' | '\r'))
    }

    fn next(&mut self) -> Result<(Event<'a>, Span), String> {
        match self.parser.next_event() {
            Some(Ok(event)) => Ok(event),
            Some(Err(error)) => Err(error.info().to_owned()),
            None => Ok((Event::StreamEnd, Span::default())),
        }
    }

    fn spend(&mut self, nodes: usize) -> Result<(), String> {
        self.nodes += nodes;
        if self.nodes > NODES { Err(format!("it holds more than {NODES} values")) } else { Ok(()) }
    }
}

/// `!` alone says that it is text.
fn name(tag: &Tag) -> Option<String> {
    match (tag.handle.as_str(), tag.suffix.as_str()) {
        ("", "!") | ("!", "") => Some("!!str".into()),
        (handle, suffix) => {
            let whole = format!("{handle}{suffix}");
            Some(whole.strip_prefix("tag:yaml.org,2002:").map(|kind| format!("!!{kind}")).unwrap_or(whole))
        }
    }
}

/// What YAML 1.1 lets stand in a text.
fn is_printable(letter: char) -> bool {
    matches!(letter, '\t' | '\n' | '\r' | ' '..='~' | '\u{85}' | '\u{A0}'..='\u{FFFD}' | '\u{10000}'..)
}
