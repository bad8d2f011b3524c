//! From characters to values, as js-yaml's `loader.js` does it (MIT License, see NOTICE), step by step: it reads by
//! indents and tries each thing that may be at a place in turn. So a tab is white space also at the start of a line,
//! and only version 4 refuses it there; and version 3 reads a second pair on the line of the first.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use skill::yaml::BYTE_LIMIT;
use wording::Wording;

use super::types::{self, MERGE, NULL};
use super::{Failure, Version};

pub struct Loaded {
    root: Value,
    maps: Vec<Mapping>,
}

/// Lists and maps are by their places, since an alias is the same object.
#[derive(Debug, Clone)]
pub enum Value {
    Null,
    Text(Rc<str>),
    /// A number, a truth value, a time, or bytes: what it is as a key.
    Other(Rc<str>),
    List(usize),
    Map(usize),
}

#[derive(Debug, Clone, Default)]
struct Mapping {
    places: HashMap<Rc<str>, usize>,
    pairs: Vec<(Rc<str>, Value)>,
}

impl Loaded {
    /// The pairs of the document in their order, if it is a map.
    pub fn pairs(&self) -> &[(Rc<str>, Value)] {
        match self.root {
            Value::Map(map) => &self.maps[map].pairs,
            Value::Null | Value::Text(_) | Value::Other(_) | Value::List(_) => &[],
        }
    }
}

/// The only document; `None` if there is none.
pub fn load(yaml: &str, version: Version) -> Result<Option<Loaded>, Failure> {
    if yaml.len() > BYTE_LIMIT {
        return Err(Failure::Ours(TOO_LONG));
    }
    let mut text: Vec<char> = yaml.strip_prefix('\u{feff}').unwrap_or(yaml).chars().collect();
    if text.contains(&END) {
        return Err(Failure::NotYaml);
    }
    if !yaml.is_empty() && !yaml.ends_with(['\n', '\r']) {
        text.push('\n');
    }
    if text.is_empty() {
        return Ok(None);
    }
    let last = text.len() - 1;
    text.push(END);
    let mut loader = Loader::new(text, version);
    while loader.here() == ' ' {
        loader.line_indent += 1;
        loader.position += 1;
    }
    if loader.position >= last {
        return Ok(None);
    }
    loader.document(last)?;
    // A second document is one too many.
    (loader.position >= last).then_some(()).ok_or(Failure::NotYaml)?;
    Ok(Some(Loaded { root: loader.result, maps: loader.maps }))
}

type Read<T> = Result<T, Failure>;

const END: char = '\0';
/// Values inside each other. JavaScript has room for a few thousand; the limit is ours.
const DEPTH: usize = 256;
/// Letters of keys that merges may look at, and those of a list that is a key. These limits are ours, too.
const MERGED: usize = 10_000_000;
const JOINED: usize = 10_000_000;

const TOO_LONG: Wording = Wording::new("frontmatter of more than 1 MiB", "超过 1 MiB 的前置元数据");
const TOO_DEEP: Wording = Wording::new("lists and maps more than 256 levels deep", "嵌套超过 256 层的列表和映射");
const TOO_MANY_MERGED: Wording =
    Wording::new("maps that merge keys of more than 10 million characters", "合并的键超过一千万个字符的映射");
const TOO_LONG_KEY: Wording =
    Wording::new("a list of more than 10 million characters as a key", "超过一千万个字符的列表作为键");

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Context {
    FlowIn,
    FlowOut,
    BlockIn,
    BlockOut,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NodeKind {
    Scalar,
    Sequence,
    Mapping,
}

/// How a line is indented, compared with the value around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Indent {
    More,
    Same,
    Less,
}

struct Loader {
    text: Vec<char>,
    version: Version,
    position: usize,
    line: usize,
    line_start: usize,
    line_indent: i64,
    /// Of the white space that was skipped on this line; version 3 does not look for it.
    first_tab: Option<usize>,
    tag: Option<String>,
    anchor: Option<String>,
    kind: Option<NodeKind>,
    result: Value,
    /// By their handles.
    tags: HashMap<String, String>,
    anchors: HashMap<String, Value>,
    lists: Vec<Vec<Value>>,
    maps: Vec<Mapping>,
    depth: usize,
    merged: usize,
}

impl Loader {
    fn new(text: Vec<char>, version: Version) -> Self {
        Self {
            text,
            version,
            position: 0,
            line: 0,
            line_start: 0,
            line_indent: 0,
            first_tab: None,
            tag: None,
            anchor: None,
            kind: None,
            result: Value::Null,
            tags: HashMap::new(),
            anchors: HashMap::new(),
            lists: Vec::new(),
            maps: Vec::new(),
            depth: 0,
            merged: 0,
        }
    }

    fn document(&mut self, last: usize) -> Read<()> {
        let has_directives = self.directives()?;
        self.skip_space(true);
        if self.line_indent == 0 && self.is_at("---") {
            self.position += 3;
            self.skip_space(true);
        } else if has_directives {
            return Err(Failure::NotYaml);
        }
        self.compose(self.line_indent - 1, Context::BlockOut, false, true)?;
        self.skip_space(true);
        if self.position == self.line_start && self.is_separator() {
            if self.here() == '.' {
                self.position += 3;
                self.skip_space(true);
            }
            return Ok(());
        }
        (self.position >= last).then_some(()).ok_or(Failure::NotYaml)
    }

    /// Whether there are any.
    fn directives(&mut self) -> Read<bool> {
        let (mut found, mut has_version) = (false, false);
        while self.here() != END {
            self.skip_space(true);
            if self.line_indent > 0 || self.here() != '%' {
                break;
            }
            found = true;
            self.position += 1;
            let name = self.word();
            if name.is_empty() {
                return Err(Failure::NotYaml);
            }
            let mut arguments = Vec::new();
            loop {
                self.skip_while(is_white);
                if self.here() == '#' {
                    self.skip_while(|letter| !is_line_end(letter));
                }
                if self.here() == END || is_line_end(self.here()) {
                    break;
                }
                arguments.push(self.word());
            }
            if self.here() != END {
                self.line_break()?;
            }
            match (name.as_str(), arguments.as_slice()) {
                ("YAML", [version]) if !has_version && types::VERSION.is_match(version) => has_version = true,
                ("TAG", [handle, prefix])
                    if types::TAG_HANDLE.is_match(handle)
                        && !self.tags.contains_key(handle)
                        && types::TAG_URI.is_match(prefix) =>
                {
                    let prefix = self.decoded(prefix)?;
                    self.tags.insert(handle.clone(), prefix);
                }
                ("YAML" | "TAG", _) => return Err(Failure::NotYaml),
                _ => {}
            }
        }
        Ok(found)
    }

    /// Reads the node here; returns whether there is one. `seek`: also on later lines. `compact`: a block may begin on
    /// the line of what is around it.
    fn compose(&mut self, parent: i64, context: Context, seek: bool, compact: bool) -> Read<bool> {
        if self.depth >= DEPTH {
            return Err(Failure::Ours(TOO_DEEP));
        }
        self.depth += 1;
        let has_content = self.compose_one(parent, context, seek, compact)?;
        self.depth -= 1;
        self.give_type()?;
        Ok(self.tag.is_some() || self.anchor.is_some() || has_content)
    }

    fn compose_one(&mut self, parent: i64, context: Context, seek: bool, compact: bool) -> Read<bool> {
        (self.tag, self.anchor, self.kind, self.result) = (None, None, None, Value::Null);
        let blocks = matches!(context, Context::BlockIn | Context::BlockOut);
        let (mut collections, mut at_new_line, mut indent) = (blocks, false, Indent::More);
        if seek && self.skip_space(true) > 0 {
            at_new_line = true;
            indent = self.indent(parent);
        }
        if indent == Indent::More {
            while self.tag_property()? || self.anchor_property()? {
                if self.skip_space(true) > 0 {
                    at_new_line = true;
                    collections = blocks;
                    indent = self.indent(parent);
                } else {
                    collections = false;
                }
            }
        }
        let collections = collections && (at_new_line || compact);
        let flow = if blocks { parent + 1 } else { parent };
        let block = self.column();
        match indent {
            Indent::More => {
                if (collections && (self.block_sequence(block)? || self.block_mapping(block, flow)?))
                    || self.flow_collection(flow)?
                {
                    return Ok(true);
                }
                let has_content = (blocks && self.block_scalar(flow)?)
                    || self.single_quoted()?
                    || self.double_quoted()?
                    || self.alias()?
                    || self.plain_with_tag(flow, context == Context::FlowIn)?;
                if let Some(anchor) = &self.anchor {
                    self.anchors.insert(anchor.clone(), self.result.clone());
                }
                Ok(has_content)
            }
            Indent::Same if context == Context::BlockOut => Ok(collections && self.block_sequence(block)?),
            Indent::Same | Indent::Less => Ok(false),
        }
    }

    fn indent(&self, parent: i64) -> Indent {
        match self.line_indent.cmp(&parent) {
            std::cmp::Ordering::Greater => Indent::More,
            std::cmp::Ordering::Equal => Indent::Same,
            std::cmp::Ordering::Less => Indent::Less,
        }
    }

    /// By the tag, or by what a scalar without quotes looks like.
    fn give_type(&mut self) -> Read<()> {
        let Some(tag) = self.tag.clone() else {
            if self.version == Version::Four {
                self.keep();
            }
            return Ok(());
        };
        if tag == "!" {
            return Ok(());
        }
        if tag == ANY {
            return self.give_implied();
        }
        let name = tag.strip_prefix(CORE).ok_or(Failure::NotYaml)?;
        let kind = match name {
            "str" | NULL | "bool" | "int" | "float" | "timestamp" | MERGE | "binary" => NodeKind::Scalar,
            "seq" | "omap" | "pairs" => NodeKind::Sequence,
            "map" | "set" => NodeKind::Mapping,
            _ => return Err(Failure::NotYaml),
        };
        if self.kind.is_some_and(|own| own != kind) {
            return Err(Failure::NotYaml);
        }
        self.result = match (name, &self.result) {
            (NULL | MERGE, Value::Null) => Value::Null,
            ("str", Value::Null) => Value::Text("".into()),
            ("str" | "seq" | "map", given @ (Value::Text(_) | Value::Other(_) | Value::List(_) | Value::Map(_))) => {
                given.clone()
            }
            (_, Value::Null) if kind == NodeKind::Sequence => {
                self.lists.push(Vec::new());
                Value::List(self.lists.len() - 1)
            }
            (_, Value::Null) if kind == NodeKind::Mapping => self.new_map(),
            (_, Value::Text(text)) if types::is(text, name, self.version) => made(text, name, self.version),
            ("omap" | "pairs", Value::List(list)) if self.is_list_of_pairs(*list, name == "omap") => {
                self.result.clone()
            }
            ("set", Value::Map(map)) if self.maps[*map].pairs.iter().all(|(_, value)| matches!(value, Value::Null)) => {
                self.result.clone()
            }
            _ => return Err(Failure::NotYaml),
        };
        self.keep();
        Ok(())
    }

    fn give_implied(&mut self) -> Read<()> {
        if !matches!(self.result, Value::Null) && self.kind != Some(NodeKind::Scalar) {
            return Err(Failure::NotYaml);
        }
        let found = match &self.result {
            Value::Null => Some((NULL, Value::Null)),
            Value::Text(text) => types::implied(text, self.version).map(|name| (name, made(text, name, self.version))),
            Value::Other(_) | Value::List(_) | Value::Map(_) => None,
        };
        if let Some((name, value)) = found {
            self.result = value;
            self.tag = Some(format!("{CORE}{name}"));
            self.keep();
        }
        Ok(())
    }

    /// Under the anchor, if there is one.
    fn keep(&mut self) {
        if let Some(anchor) = &self.anchor {
            self.anchors.insert(anchor.clone(), self.result.clone());
        }
    }

    /// Maps with one key each, all different if it is `once`.
    fn is_list_of_pairs(&self, list: usize, once: bool) -> bool {
        let mut seen = HashSet::new();
        self.lists[list].iter().all(|item| match item {
            Value::Map(map) => match self.maps[*map].pairs.as_slice() {
                [(key, _)] => seen.insert(key) || !once,
                _ => false,
            },
            Value::Null | Value::Text(_) | Value::Other(_) | Value::List(_) => false,
        })
    }

    fn new_map(&mut self) -> Value {
        self.maps.push(Mapping::default());
        Value::Map(self.maps.len() - 1)
    }

    fn block_sequence(&mut self, indent: i64) -> Read<bool> {
        if self.first_tab.is_some() {
            return Ok(false);
        }
        let (tag, anchor) = (self.tag.clone(), self.anchor.clone());
        let is_one = self.here() == '-' && is_blank(self.ahead(1));
        if !is_one && anchor.is_none() {
            return Ok(false);
        }
        self.lists.push(Vec::new());
        let list = self.lists.len() - 1;
        // Also if there is none: an empty value with an anchor is an empty list in version 3.
        if let Some(anchor) = &anchor {
            self.anchors.insert(anchor.clone(), Value::List(list));
        }
        if !is_one {
            return Ok(false);
        }
        while self.here() != END {
            if self.first_tab.is_some() {
                return Err(Failure::NotYaml);
            }
            if !(self.here() == '-' && is_blank(self.ahead(1))) {
                break;
            }
            self.position += 1;
            if self.skip_space(true) > 0 && self.line_indent <= indent {
                self.lists[list].push(Value::Null);
                continue;
            }
            let line = self.line;
            self.compose(indent, Context::BlockIn, false, true)?;
            self.lists[list].push(self.result.clone());
            self.skip_space(true);
            if (self.line == line || self.line_indent > indent) && self.here() != END {
                return Err(Failure::NotYaml);
            }
            if self.line_indent < indent {
                break;
            }
        }
        (self.tag, self.anchor, self.kind, self.result) = (tag, anchor, Some(NodeKind::Sequence), Value::List(list));
        Ok(true)
    }

    /// Also a value that turns out to be no key.
    fn block_mapping(&mut self, indent: i64, flow: i64) -> Read<bool> {
        if self.first_tab.is_some() {
            return Ok(false);
        }
        let (tag, anchor) = (self.tag.clone(), self.anchor.clone());
        let map = self.new_map();
        if let Some(anchor) = &anchor {
            self.anchors.insert(anchor.clone(), map.clone());
        }
        let mut entries = Entries::default();
        // The key after a question mark; its value may follow.
        let mut waiting: Option<Key> = None;
        let mut at_explicit_key = false;
        let mut detected = false;
        while self.here() != END {
            if !at_explicit_key && self.first_tab.is_some() {
                return Err(Failure::NotYaml);
            }
            let line = self.line;
            let compact;
            if matches!(self.here(), '?' | ':') && is_blank(self.ahead(1)) {
                if self.here() == '?' {
                    if at_explicit_key {
                        let key = waiting.take().unwrap_or_default();
                        self.store(&map, &mut entries, key, Value::Null)?;
                    }
                    (detected, at_explicit_key) = (true, true);
                } else if at_explicit_key {
                    at_explicit_key = false;
                } else {
                    return Err(Failure::NotYaml);
                }
                compact = true;
                self.position += 1;
            } else {
                if !self.compose(flow, Context::FlowOut, false, true)? {
                    break;
                }
                if self.line == line {
                    self.skip_while(is_white);
                }
                let is_key = self.line == line && self.here() == ':';
                if !is_key {
                    if detected {
                        return Err(Failure::NotYaml);
                    }
                    (self.tag, self.anchor) = (tag, anchor);
                    return Ok(true);
                }
                self.position += 1;
                if !is_blank(self.here()) {
                    return Err(Failure::NotYaml);
                }
                if at_explicit_key {
                    let key = waiting.take().unwrap_or_default();
                    self.store(&map, &mut entries, key, Value::Null)?;
                }
                (detected, at_explicit_key, compact) = (true, false, false);
                waiting = Some(Key { tag: self.tag.clone(), value: self.result.clone() });
            }
            if self.line == line || self.line_indent > indent {
                let has_value = self.compose(indent, Context::BlockOut, true, compact)?;
                if at_explicit_key {
                    if has_value {
                        waiting = Some(Key { tag: None, value: self.result.clone() });
                    }
                } else {
                    let value = if has_value { self.result.clone() } else { Value::Null };
                    let key = waiting.take().unwrap_or_default();
                    self.store(&map, &mut entries, key, value)?;
                }
                self.skip_space(true);
            }
            let same_line = self.version == Version::Four && self.line == line;
            if (same_line || self.line_indent > indent) && self.here() != END {
                return Err(Failure::NotYaml);
            }
            if self.line_indent < indent {
                break;
            }
        }
        if at_explicit_key {
            let key = waiting.take().unwrap_or_default();
            self.store(&map, &mut entries, key, Value::Null)?;
        }
        if detected {
            (self.tag, self.anchor, self.kind, self.result) = (tag, anchor, Some(NodeKind::Mapping), map);
        }
        Ok(detected)
    }

    fn flow_collection(&mut self, indent: i64) -> Read<bool> {
        let (end, is_map) = match self.here() {
            '[' => (']', false),
            '{' => ('}', true),
            _ => return Ok(false),
        };
        let (tag, anchor) = (self.tag.clone(), self.anchor.clone());
        let result = if is_map {
            self.new_map()
        } else {
            self.lists.push(Vec::new());
            Value::List(self.lists.len() - 1)
        };
        if let Some(anchor) = &anchor {
            self.anchors.insert(anchor.clone(), result.clone());
        }
        let mut entries = Entries::default();
        let mut may_follow = true;
        self.position += 1;
        while self.here() != END {
            self.skip_space(true);
            if self.here() == end {
                self.position += 1;
                let kind = if is_map { NodeKind::Mapping } else { NodeKind::Sequence };
                (self.tag, self.anchor, self.kind, self.result) = (tag, anchor, Some(kind), result);
                return Ok(true);
            }
            if !may_follow || (self.version == Version::Four && self.here() == ',') {
                return Err(Failure::NotYaml);
            }
            let is_explicit = self.here() == '?' && is_blank(self.ahead(1));
            if is_explicit {
                self.position += 1;
                self.skip_space(true);
            }
            let line = self.line;
            let key = self.flow_value(indent)?;
            self.skip_space(true);
            let has_value = (is_explicit || self.line == line) && self.here() == ':';
            let mut value = Value::Null;
            if has_value {
                self.position += 1;
                self.skip_space(true);
                value = self.flow_value(indent)?.value;
            }
            match &result {
                Value::List(list) => {
                    let item = if has_value || is_explicit {
                        let pair = self.new_map();
                        self.store(&pair, &mut entries, key, value)?;
                        pair
                    } else {
                        key.value
                    };
                    self.lists[*list].push(item);
                }
                _ => self.store(&result, &mut entries, key, value)?,
            }
            self.skip_space(true);
            may_follow = self.here() == ',';
            if may_follow {
                self.position += 1;
            }
        }
        Err(Failure::NotYaml)
    }

    fn flow_value(&mut self, indent: i64) -> Read<Key> {
        self.compose(indent, Context::FlowIn, false, true)?;
        Ok(Key { tag: self.tag.clone(), value: self.result.clone() })
    }

    /// A pair of a map, or all pairs of the maps that are merged into it.
    fn store(&mut self, map: &Value, entries: &mut Entries, key: Key, value: Value) -> Read<()> {
        let Value::Map(map) = *map else { return Err(Failure::NotYaml) };
        let name = self.key_of(&key.value)?;
        if key.tag.as_deref().and_then(|tag| tag.strip_prefix(CORE)) != Some(MERGE) {
            let is_overridable = entries.overridable.remove(&name);
            if !self.maps[map].set(name, value) && !is_overridable {
                return Err(Failure::NotYaml);
            }
            return Ok(());
        }
        let sources = match value {
            Value::List(list) => self.lists[list].clone(),
            Value::Null | Value::Text(_) | Value::Other(_) | Value::Map(_) => vec![value],
        };
        for source in sources {
            let pairs: Vec<(Rc<str>, Value)> = match source {
                Value::Map(source) => self.maps[source].pairs.clone(),
                Value::List(source) => {
                    let items = self.lists[source].iter().cloned();
                    items.enumerate().map(|(place, item)| (place.to_string().into(), item)).collect()
                }
                Value::Null | Value::Text(_) | Value::Other(_) => return Err(Failure::NotYaml),
            };
            self.merged += pairs.iter().map(|(name, _)| name.len() + 1).sum::<usize>() + 1;
            if self.merged > MERGED {
                return Err(Failure::Ours(TOO_MANY_MERGED));
            }
            for (name, value) in pairs {
                if !self.maps[map].places.contains_key(&name) {
                    entries.overridable.insert(name.clone());
                    self.maps[map].set(name, value);
                }
            }
        }
        Ok(())
    }

    /// `String(key)`.
    fn key_of(&self, key: &Value) -> Read<Rc<str>> {
        let list = match key {
            Value::Null => return Ok("null".into()),
            Value::Text(text) | Value::Other(text) => return Ok(text.clone()),
            Value::Map(_) => return Ok(OBJECT.into()),
            Value::List(list) => &self.lists[*list],
        };
        let mut joined = String::new();
        for (place, item) in list.iter().enumerate() {
            joined.push_str(if place > 0 { "," } else { "" });
            match item {
                Value::Null => {}
                Value::Text(text) | Value::Other(text) => joined.push_str(text),
                Value::Map(_) => joined.push_str(OBJECT),
                Value::List(_) => return Err(Failure::NotYaml),
            }
            if joined.len() > JOINED {
                return Err(Failure::Ours(TOO_LONG_KEY));
            }
        }
        Ok(joined.into())
    }

    fn block_scalar(&mut self, indent: i64) -> Read<bool> {
        let folds = match self.here() {
            '|' => false,
            '>' => true,
            _ => return Ok(false),
        };
        let (mut chomping, mut is_detected, mut text_indent) = (None, false, indent);
        loop {
            self.position += 1;
            match self.here() {
                letter @ ('+' | '-') if chomping.is_none() => chomping = Some(letter),
                letter @ '1'..='9' if !is_detected => {
                    text_indent = indent + i64::from(letter.to_digit(10).unwrap_or_default()) - 1;
                    is_detected = true;
                }
                '+' | '-' | '0'..='9' => return Err(Failure::NotYaml),
                _ => break,
            }
        }
        if is_white(self.here()) {
            self.skip_while(is_white);
            if self.here() == '#' {
                self.skip_while(|letter| !is_line_end(letter));
            }
        }
        let mut read = String::new();
        let (mut has_content, mut empty_lines, mut more_indented) = (false, 0, false);
        let breaks = |read: &mut String, count: usize| read.extend(std::iter::repeat_n('\n', count));
        while self.here() != END {
            self.line_break()?;
            self.line_indent = 0;
            while (!is_detected || self.line_indent < text_indent) && self.here() == ' ' {
                self.line_indent += 1;
                self.position += 1;
            }
            if !is_detected && self.line_indent > text_indent {
                text_indent = self.line_indent;
            }
            if is_line_end(self.here()) {
                empty_lines += 1;
                continue;
            }
            let so_far = empty_lines + usize::from(has_content);
            if self.line_indent < text_indent {
                match chomping {
                    Some('+') => breaks(&mut read, so_far),
                    None if has_content => read.push('\n'),
                    _ => {}
                }
                break;
            }
            if !folds {
                breaks(&mut read, so_far);
            } else if is_white(self.here()) {
                more_indented = true;
                breaks(&mut read, so_far);
            } else if more_indented {
                more_indented = false;
                breaks(&mut read, empty_lines + 1);
            } else if empty_lines > 0 {
                breaks(&mut read, empty_lines);
            } else if has_content {
                read.push(' ');
            }
            (has_content, is_detected, empty_lines) = (true, true, 0);
            let start = self.position;
            self.skip_while(|letter| !is_line_end(letter));
            self.capture(&mut read, start, self.position)?;
        }
        self.set_text(read);
        Ok(true)
    }

    fn single_quoted(&mut self) -> Read<bool> {
        if self.here() != '\'' {
            return Ok(false);
        }
        self.position += 1;
        let (mut start, mut end) = (self.position, self.position);
        let mut read = String::new();
        while self.here() != END {
            if self.here() == '\'' {
                self.capture_quoted(&mut read, start, self.position)?;
                self.position += 1;
                if self.here() != '\'' {
                    self.set_text(read);
                    return Ok(true);
                }
                start = self.position;
                self.position += 1;
                end = self.position;
            } else if is_line_end(self.here()) {
                self.capture_quoted(&mut read, start, end)?;
                fold(&mut read, self.skip_space(false));
                (start, end) = (self.position, self.position);
            } else if self.position == self.line_start && self.is_separator() {
                return Err(Failure::NotYaml);
            } else {
                self.position += 1;
                end = self.position;
            }
        }
        Err(Failure::NotYaml)
    }

    fn double_quoted(&mut self) -> Read<bool> {
        if self.here() != '"' {
            return Ok(false);
        }
        self.position += 1;
        let (mut start, mut end) = (self.position, self.position);
        // Two escapes may make one character.
        let mut units: Vec<u16> = Vec::new();
        while self.here() != END {
            let mut read = String::new();
            if self.here() == '"' {
                self.capture_quoted(&mut read, start, self.position)?;
                units.extend(read.encode_utf16());
                self.position += 1;
                self.set_text(String::from_utf16_lossy(&units));
                return Ok(true);
            }
            if self.here() == '\\' {
                self.capture_quoted(&mut read, start, self.position)?;
                units.extend(read.encode_utf16());
                self.position += 1;
                if is_line_end(self.here()) {
                    self.skip_space(false);
                } else {
                    self.escape(&mut units)?;
                }
                (start, end) = (self.position, self.position);
            } else if is_line_end(self.here()) {
                self.capture_quoted(&mut read, start, end)?;
                fold(&mut read, self.skip_space(false));
                units.extend(read.encode_utf16());
                (start, end) = (self.position, self.position);
            } else if self.position == self.line_start && self.is_separator() {
                return Err(Failure::NotYaml);
            } else {
                self.position += 1;
                end = self.position;
            }
        }
        Err(Failure::NotYaml)
    }

    fn escape(&mut self, units: &mut Vec<u16>) -> Read<()> {
        let digits = match self.here() {
            'x' => 2,
            'u' => 4,
            'U' => 8,
            letter => {
                let known = ESCAPES.iter().find(|(known, _)| *known == letter);
                units.push(known.ok_or(Failure::NotYaml)?.1);
                self.position += 1;
                return Ok(());
            }
        };
        let mut code: i32 = 0;
        for _ in 0..digits {
            self.position += 1;
            let digit = self.here().to_digit(16).and_then(|digit| i32::try_from(digit).ok()).ok_or(Failure::NotYaml)?;
            code = (code << 4) + digit;
        }
        self.position += 1;
        // `String.fromCharCode` takes the last sixteen bits.
        let unit = |code: i32| (code & 0xffff) as u16;
        if code <= 0xffff {
            units.push(unit(code));
        } else {
            let over = code - 0x1_0000;
            units.extend([unit((over >> 10) + 0xd800), unit((over & 0x3ff) + 0xdc00)]);
        }
        Ok(())
    }

    fn plain_with_tag(&mut self, indent: i64, in_flow: bool) -> Read<bool> {
        let has_content = self.plain(indent, in_flow)?;
        if has_content && self.tag.is_none() {
            self.tag = Some(ANY.to_owned());
        }
        Ok(has_content)
    }

    fn plain(&mut self, indent: i64, in_flow: bool) -> Read<bool> {
        let first = self.here();
        let ends = |letter: char| is_blank(letter) || (in_flow && is_flow_indicator(letter));
        if is_blank(first) || is_flow_indicator(first) || "#&*!|>'\"%@`".contains(first) {
            return Ok(false);
        }
        if matches!(first, '?' | '-') && ends(self.ahead(1)) {
            return Ok(false);
        }
        let mut read = String::new();
        let (mut start, mut end) = (self.position, self.position);
        // The line on which the text before a line break ended.
        let mut pending: Option<usize> = None;
        while self.here() != END {
            let letter = self.here();
            if letter == ':' {
                if ends(self.ahead(1)) {
                    break;
                }
            } else if letter == '#' {
                if self.position.checked_sub(1).is_some_and(|before| is_blank(self.text[before])) {
                    break;
                }
            } else if (self.position == self.line_start && self.is_separator())
                || (in_flow && is_flow_indicator(letter))
            {
                break;
            } else if is_line_end(letter) {
                let before = (self.line, self.line_start, self.line_indent);
                self.skip_space(false);
                if self.line_indent >= indent {
                    pending = Some(before.0);
                    continue;
                }
                self.position = end;
                (self.line, self.line_start, self.line_indent) = before;
                break;
            }
            if let Some(line) = pending.take() {
                self.capture(&mut read, start, end)?;
                fold(&mut read, self.line - line);
                (start, end) = (self.position, self.position);
            }
            if !is_white(letter) {
                end = self.position + 1;
            }
            self.position += 1;
        }
        self.capture(&mut read, start, end)?;
        if read.is_empty() {
            return Ok(false);
        }
        self.set_text(read);
        Ok(true)
    }

    fn alias(&mut self) -> Read<bool> {
        if self.here() != '*' {
            return Ok(false);
        }
        self.position += 1;
        let name = self.name()?;
        self.result = self.anchors.get(&name).cloned().ok_or(Failure::NotYaml)?;
        self.skip_space(true);
        if self.tag.is_some() || self.anchor.is_some() {
            return Err(Failure::NotYaml);
        }
        Ok(true)
    }

    fn anchor_property(&mut self) -> Read<bool> {
        if self.here() != '&' {
            return Ok(false);
        }
        if self.anchor.is_some() {
            return Err(Failure::NotYaml);
        }
        self.position += 1;
        self.anchor = Some(self.name()?);
        Ok(true)
    }

    fn name(&mut self) -> Read<String> {
        let start = self.position;
        self.skip_while(|letter| !is_blank(letter) && !is_flow_indicator(letter));
        (start < self.position).then(|| self.text[start..self.position].iter().collect()).ok_or(Failure::NotYaml)
    }

    fn tag_property(&mut self) -> Read<bool> {
        if self.here() != '!' {
            return Ok(false);
        }
        if self.tag.is_some() {
            return Err(Failure::NotYaml);
        }
        self.position += 1;
        let (mut handle, mut is_named) = ("!".to_owned(), false);
        if self.here() == '<' {
            return self.verbatim_tag();
        }
        if self.here() == '!' {
            (handle, is_named) = ("!!".to_owned(), true);
            self.position += 1;
        }
        let mut start = self.position;
        while self.here() != END && !is_blank(self.here()) {
            if self.here() == '!' {
                if is_named {
                    return Err(Failure::NotYaml);
                }
                handle = self.text[start - 1..=self.position].iter().collect();
                if !types::TAG_HANDLE.is_match(&handle) {
                    return Err(Failure::NotYaml);
                }
                is_named = true;
                start = self.position + 1;
            }
            self.position += 1;
        }
        let name: String = self.text[start..self.position].iter().collect();
        if name.contains(is_flow_indicator) || (!name.is_empty() && !types::TAG_URI.is_match(&name)) {
            return Err(Failure::NotYaml);
        }
        let name = self.decoded(&name)?;
        self.tag = Some(match (self.tags.get(&handle), handle.as_str()) {
            (Some(prefix), _) => format!("{prefix}{name}"),
            (None, "!") => format!("!{name}"),
            (None, "!!") => format!("{CORE}{name}"),
            (None, _) => return Err(Failure::NotYaml),
        });
        Ok(true)
    }

    fn verbatim_tag(&mut self) -> Read<bool> {
        self.position += 1;
        let start = self.position;
        self.position += 1;
        self.skip_while(|letter| letter != '>');
        if self.here() != '>' {
            return Err(Failure::NotYaml);
        }
        let name: String = self.text[start..self.position].iter().collect();
        self.position += 1;
        if !types::TAG_URI.is_match(&name) {
            return Err(Failure::NotYaml);
        }
        self.tag = Some(self.decoded(&name)?);
        Ok(true)
    }

    /// `decodeURIComponent`, which version 3 does not call.
    fn decoded(&self, name: &str) -> Read<String> {
        if self.version == Version::Three || !name.contains('%') {
            return Ok(name.to_owned());
        }
        let mut bytes = Vec::new();
        let mut rest = name.bytes();
        while let Some(byte) = rest.next() {
            if byte != b'%' {
                bytes.push(byte);
                continue;
            }
            let mut digit = || char::from(rest.next()?).to_digit(16);
            let (high, low) = (digit().ok_or(Failure::NotYaml)?, digit().ok_or(Failure::NotYaml)?);
            bytes.push(u8::try_from(high * 16 + low).map_err(|_| Failure::NotYaml)?);
        }
        String::from_utf8(bytes).map_err(|_| Failure::NotYaml)
    }

    /// The number of line breaks among it.
    fn skip_space(&mut self, comments: bool) -> usize {
        let mut breaks = 0;
        while self.here() != END {
            while is_white(self.here()) {
                if self.here() == '\t' && self.version == Version::Four {
                    self.first_tab.get_or_insert(self.position);
                }
                self.position += 1;
            }
            if comments && self.here() == '#' {
                self.skip_while(|letter| !is_line_end(letter));
            }
            if self.line_break().is_err() {
                break;
            }
            breaks += 1;
            self.line_indent = 0;
            while self.here() == ' ' {
                self.line_indent += 1;
                self.position += 1;
            }
        }
        breaks
    }

    fn line_break(&mut self) -> Read<()> {
        match self.here() {
            '\n' => self.position += 1,
            '\r' if self.ahead(1) == '\n' => self.position += 2,
            '\r' => self.position += 1,
            _ => return Err(Failure::NotYaml),
        }
        self.line += 1;
        self.line_start = self.position;
        self.first_tab = None;
        Ok(())
    }

    fn set_text(&mut self, text: String) {
        (self.kind, self.result) = (Some(NodeKind::Scalar), Value::Text(text.into()));
    }

    fn capture(&self, read: &mut String, start: usize, end: usize) -> Read<()> {
        let is_printable = |letter: &char| {
            !matches!(
                letter,
                '\0'..='\u{8}'
                    | '\u{b}'
                    | '\u{c}'
                    | '\u{e}'..='\u{1f}'
                    | '\u{7f}'..='\u{84}'
                    | '\u{86}'..='\u{9f}'
                    | '\u{fffe}'
                    | '\u{ffff}'
            )
        };
        self.capture_if(read, start, end, is_printable)
    }

    fn capture_quoted(&self, read: &mut String, start: usize, end: usize) -> Read<()> {
        self.capture_if(read, start, end, |letter| *letter == '\t' || *letter >= ' ')
    }

    fn capture_if(&self, read: &mut String, start: usize, end: usize, may: impl Fn(&char) -> bool) -> Read<()> {
        let letters = self.text.get(start..end).unwrap_or_default();
        if !letters.iter().all(may) {
            return Err(Failure::NotYaml);
        }
        read.extend(letters);
        Ok(())
    }

    fn is_separator(&self) -> bool {
        (self.is_at("---") || self.is_at("...")) && (self.ahead(3) == END || is_blank(self.ahead(3)))
    }

    fn is_at(&self, mark: &str) -> bool {
        mark.chars().enumerate().all(|(place, letter)| self.ahead(place) == letter)
    }

    fn word(&mut self) -> String {
        let start = self.position;
        self.skip_while(|letter| !is_blank(letter));
        self.text[start..self.position].iter().collect()
    }

    fn skip_while(&mut self, passes: impl Fn(char) -> bool) {
        while self.here() != END && passes(self.here()) {
            self.position += 1;
        }
    }

    fn column(&self) -> i64 {
        i64::try_from(self.position - self.line_start).unwrap_or(i64::MAX)
    }

    fn here(&self) -> char {
        self.ahead(0)
    }

    /// Beyond the end is the end.
    fn ahead(&self, letters: usize) -> char {
        self.text.get(self.position + letters).copied().unwrap_or(END)
    }
}

#[derive(Debug, Clone)]
struct Key {
    tag: Option<String>,
    value: Value,
}

impl Default for Key {
    fn default() -> Self {
        Self { tag: None, value: Value::Null }
    }
}

/// The keys of the map that is being read.
#[derive(Debug, Default)]
struct Entries {
    /// Merged ones, which a key of the map itself replaces.
    overridable: HashSet<Rc<str>>,
}

impl Mapping {
    /// Whether the key was not there.
    fn set(&mut self, key: Rc<str>, value: Value) -> bool {
        match self.places.get(&key) {
            Some(&place) => {
                self.pairs[place].1 = value;
                false
            }
            None => {
                self.places.insert(key.clone(), self.pairs.len());
                self.pairs.push((key, value));
                true
            }
        }
    }
}

/// A scalar of a type that takes it.
fn made(text: &Rc<str>, name: &str, version: Version) -> Value {
    match name {
        NULL => Value::Null,
        "str" | MERGE => Value::Text(text.clone()),
        _ => Value::Other(types::key(text, name, version).into()),
    }
}

fn fold(read: &mut String, breaks: usize) {
    match breaks {
        0 => {}
        1 => read.push(' '),
        _ => read.extend(std::iter::repeat_n('\n', breaks - 1)),
    }
}

const CORE: &str = "tag:yaml.org,2002:";
/// The tag of a scalar without quotes, which leaves its type to its text.
const ANY: &str = "?";
const OBJECT: &str = "[object Object]";

const ESCAPES: [(char, u16); 18] = [
    ('0', 0),
    ('a', 0x7),
    ('b', 0x8),
    ('t', 0x9),
    ('\t', 0x9),
    ('n', 0xa),
    ('v', 0xb),
    ('f', 0xc),
    ('r', 0xd),
    ('e', 0x1b),
    (' ', 0x20),
    ('"', 0x22),
    ('/', 0x2f),
    ('\\', 0x5c),
    ('N', 0x85),
    ('_', 0xa0),
    ('L', 0x2028),
    ('P', 0x2029),
];

fn is_line_end(letter: char) -> bool {
    matches!(letter, '\n' | '\r')
}

fn is_white(letter: char) -> bool {
    matches!(letter, ' ' | '\t')
}

fn is_blank(letter: char) -> bool {
    is_white(letter) || is_line_end(letter)
}

fn is_flow_indicator(letter: char) -> bool {
    matches!(letter, ',' | '[' | ']' | '{' | '}')
}
