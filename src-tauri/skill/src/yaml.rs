//! YAML with the place of every top-level key and value. The values keep how they were written, since the frameworks'
//! parsers differ. Input is hostile: depth, nodes and expanded text are bounded, so deep nesting and aliases of aliases
//! cost neither stack nor time.

use std::cell::RefCell;
use std::collections::HashMap;

use saphyr_parser::{Event, Parser, ScalarStyle, ScanError, StrInput};

use super::recent::{self, Recent};
use super::{Field, ProblemKind, YamlValue};
use crate::source::Span;
use wording::{Message, message};

/// Frontmatter beyond this many bytes is not parsed.
pub const BYTE_LIMIT: usize = 1 << 20;
/// Lists and maps inside each other.
pub const DEPTH_LIMIT: usize = 64;
/// Values, those that aliases repeat included.
pub const NODE_LIMIT: usize = 10_000;
/// Bytes of text in all values, that which aliases repeat included.
pub const TEXT_LIMIT: usize = 4 << 20;

/// The fields up to the first error, and the error.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Parsed {
    pub fields: Vec<Field>,
    pub error: Option<YamlError>,
}

/// What keeps a text from being a map in YAML, and where.
#[derive(Debug, Clone, PartialEq)]
pub struct YamlError {
    /// [`ProblemKind::YamlInvalid`] or [`ProblemKind::YamlNotMap`].
    pub kind: ProblemKind,
    pub span: Span,
}

/// Parses a text that should be one map. No text at all is a map without fields.
pub fn parse(text: &str) -> Parsed {
    recent::remembered(&PARSED, text, |asked| asked == text, || text.to_owned(), || parsed(text))
}

thread_local! {
    static PARSED: RefCell<Recent<String, Parsed>> = const { RefCell::new(Recent::new()) };
}

fn parsed(text: &str) -> Parsed {
    if text.len() > BYTE_LIMIT {
        return Parsed {
            fields: Vec::new(),
            error: Some(invalid(limit(&message!("it is longer than 1 MiB", "它超过 1 MiB")), Span::new(0, 0))),
        };
    }
    let mut reader = Reader {
        parser: Parser::new_from_str(text),
        text,
        offsets: Offsets::new(text),
        fields: Vec::new(),
        nodes: 0,
        expanded: 0,
        anchors: HashMap::new(),
    };
    let error = reader.document().err();
    let mut fields = reader.fields;
    // Thousands of skills may be held.
    fields.shrink_to_fit();
    if let Some(error) = &error {
        // In `a: b: c` the parser gives `b` before it stumbles.
        fields.pop_if(|last| !text[last.value_span.end..error.span.start.max(last.value_span.end)].contains('\n'));
    }
    Parsed { fields, error }
}

struct Reader<'a> {
    parser: Parser<'a, StrInput<'a>>,
    text: &'a str,
    offsets: Offsets,
    fields: Vec<Field>,
    nodes: usize,
    expanded: usize,
    anchors: HashMap<usize, Anchored>,
}

struct Anchored {
    value: YamlValue,
    nodes: usize,
    expanded: usize,
}

struct Node {
    value: YamlValue,
    span: Span,
    /// A `|` or `>` scalar; its span leaves out the indicator.
    block_scalar: bool,
}

/// What comes next in a map.
enum Pair {
    Both(Node, Node),
    /// Its end: the `}`, or an empty span after some comments.
    End(Span),
}

impl<'a> Reader<'a> {
    fn document(&mut self) -> Result<(), YamlError> {
        loop {
            match self.next()? {
                (Event::StreamStart | Event::DocumentStart(_) | Event::Nothing, _) => {}
                (Event::MappingStart(..), _) => break,
                (Event::StreamEnd, _) => return Ok(()),
                _ => {
                    let span = Span::new(0, self.text.len()).trim(self.text);
                    return Err(YamlError { kind: ProblemKind::YamlNotMap, span });
                }
            }
        }
        while let Pair::Both(key, value) = self.pair(1)? {
            let start = match value.value {
                _ if value.block_scalar => self.after_colon(key.span.end),
                YamlValue::List(_) => self.first_hyphen(value.span.start),
                _ => value.span.start,
            };
            let span = match value.span.is_empty() {
                true => self.empty_after(key.span.end),
                false => Span::new(start.min(value.span.start), value.span.end).trim(self.text),
            };
            let key_text = self.key_text(&key);
            self.fields.push(Field { key: key_text, key_span: key.span, value: value.value, value_span: span });
        }
        loop {
            match self.next()? {
                (Event::DocumentEnd, _) => {}
                (Event::StreamEnd, _) => return Ok(()),
                (_, span) => {
                    return Err(invalid(message!("a second document starts here", "这里开始了第二个文档"), span));
                }
            }
        }
    }

    fn pair(&mut self, depth: usize) -> Result<Pair, YamlError> {
        let (event, span) = self.next()?;
        if event == Event::MappingEnd {
            return Ok(Pair::End(span));
        }
        let key = self.node(event, span, depth)?;
        let (event, span) = self.next()?;
        let value = self.node(event, span, depth)?;
        Ok(Pair::Both(key, value))
    }

    fn node(&mut self, event: Event<'a>, span: Span, depth: usize) -> Result<Node, YamlError> {
        let (nodes, expanded) = (self.nodes, self.expanded);
        self.spend(1, 0, span)?;
        if depth >= DEPTH_LIMIT {
            return Err(invalid(too_deep(), span));
        }
        let (node, anchor) = match event {
            Event::Scalar(text, style, anchor, tag) => {
                self.spend(0, text.len(), span)?;
                let plain = style == ScalarStyle::Plain && tag.is_none();
                let value = match (plain, text.as_ref()) {
                    (true, "" | "~" | "null" | "Null" | "NULL") => YamlValue::Null,
                    _ => YamlValue::Scalar { text: text.into_owned().into_boxed_str().into_string(), plain },
                };
                let block_scalar = matches!(style, ScalarStyle::Literal | ScalarStyle::Folded);
                (Node { value, span, block_scalar }, anchor)
            }
            Event::SequenceStart(anchor, _) => {
                let mut items = Vec::new();
                let mut end = span.end;
                loop {
                    let (event, at) = self.next()?;
                    if event == Event::SequenceEnd {
                        end = if at.is_empty() { end } else { at.end };
                        break;
                    }
                    let item = self.node(event, at, depth + 1)?;
                    end = end.max(item.span.end);
                    items.push(item.value);
                }
                (self.collection(YamlValue::List(items), span.start, end), anchor)
            }
            Event::MappingStart(anchor, _) => {
                let mut entries = Vec::new();
                let mut end = span.end;
                loop {
                    match self.pair(depth + 1)? {
                        Pair::Both(key, value) => {
                            end = end.max(key.span.end).max(value.span.end);
                            entries.push((self.key_text(&key), value.value));
                        }
                        Pair::End(brace) => {
                            end = if brace.is_empty() { end } else { brace.end };
                            break;
                        }
                    }
                }
                (self.collection(YamlValue::Map(entries), span.start, end), anchor)
            }
            Event::Alias(anchor) => {
                let Some(anchored) = self.anchors.get(&anchor) else {
                    return Err(invalid(message!("the value refers to itself", "这个值引用了自身"), span));
                };
                let value = anchored.value.clone();
                let (nodes, expanded) = (anchored.nodes, anchored.expanded);
                self.spend(nodes, expanded, span)?;
                (Node { value, span, block_scalar: false }, 0)
            }
            Event::Nothing
            | Event::StreamStart
            | Event::StreamEnd
            | Event::DocumentStart(_)
            | Event::DocumentEnd
            | Event::SequenceEnd
            | Event::MappingEnd => {
                return Err(invalid(
                    message!("the text ends in the middle of a value", "文本在一个值的中间结束"),
                    span,
                ));
            }
        };
        if anchor != 0 {
            let anchored =
                Anchored { value: node.value.clone(), nodes: self.nodes - nodes, expanded: self.expanded - expanded };
            self.anchors.insert(anchor, anchored);
        }
        Ok(node)
    }

    fn collection(&self, value: YamlValue, start: usize, end: usize) -> Node {
        Node { value, span: Span::new(start, end.max(start)), block_scalar: false }
    }

    fn key_text(&self, key: &Node) -> String {
        key.value.as_str().unwrap_or_else(|| key.span.of(self.text)).to_owned()
    }

    /// Where the value begins, if its key ends at `key_end`.
    fn after_colon(&self, key_end: usize) -> usize {
        let rest = &self.text[key_end..];
        let after = rest.find(':').map_or(0, |colon| colon + 1);
        key_end + after + (rest[after..].len() - rest[after..].trim_start().len())
    }

    /// Where a missing value would be: after the key's colon.
    fn empty_after(&self, key_end: usize) -> Span {
        // A map in brackets may be one line of any length, with thousands of such keys.
        const NEAR: usize = 1024;
        let near = &self.text[key_end..self.text.floor_char_boundary(key_end + NEAR)];
        let line = near.lines().next().unwrap_or_default();
        let at = key_end + line.find(':').map_or(0, |colon| colon + 1);
        Span::new(at, at)
    }

    /// Where a list begins, if its first value is at `start`: the parser leaves out the hyphen of a list that is not
    /// indented.
    fn first_hyphen(&self, start: usize) -> usize {
        let line = self.text[..start].rfind('\n').map_or(0, |end| end + 1);
        if self.text[line..start].starts_with('-') { line } else { start }
    }

    fn next(&mut self) -> Result<(Event<'a>, Span), YamlError> {
        match self.parser.next_event() {
            Some(Ok((event, span))) => {
                let start = self.offsets.byte(span.start.index());
                Ok((event, Span::new(start, self.offsets.byte(span.end.index()).max(start))))
            }
            Some(Err(error)) => Err(self.scan_error(&error)),
            None => Ok((Event::StreamEnd, Span::new(self.text.len(), self.text.len()))),
        }
    }

    fn scan_error(&self, error: &ScanError) -> YamlError {
        let at = self.offsets.byte(error.marker().index());
        let reason = match error.info() {
            "mapping values are not allowed in this context" => message!(
                "`: ` inside a value that is not in quotes; put the value in quotes",
                "没有加引号的值里有 `: `；请给这个值加上引号"
            ),
            "recursion limit exceeded" => too_deep(),
            info => match info.strip_prefix("unexpected character: `").and_then(|rest| rest.strip_suffix('\'')) {
                Some(char) => message!(
                    "a value cannot start with `{char}`; put the value in quotes",
                    "值不能以 `{char}` 开头；请给这个值加上引号"
                ),
                None => wording::refusal(info),
            },
        };
        invalid(reason, self.char_at(at))
    }

    /// The character at a byte, or the one before it if the line ends there.
    fn char_at(&self, at: usize) -> Span {
        match self.text[at..].chars().next() {
            Some(char) if !char.is_control() => Span::new(at, at + char.len_utf8()),
            _ => match self.text[..at].chars().next_back() {
                Some(char) if char != '\n' => Span::new(at - char.len_utf8(), at),
                _ => Span::new(at, at),
            },
        }
    }

    fn spend(&mut self, nodes: usize, expanded: usize, span: Span) -> Result<(), YamlError> {
        self.nodes += nodes;
        self.expanded += expanded;
        if self.nodes > NODE_LIMIT || self.expanded > TEXT_LIMIT {
            let many = message!(
                "it holds more than {NODE_LIMIT} values, or more than 4 MiB",
                "它有超过 {NODE_LIMIT} 个值，或超过 4 MiB"
            );
            return Err(invalid(limit(&many), span));
        }
        Ok(())
    }
}

fn too_deep() -> Message {
    limit(&message!("it is nested more than {DEPTH_LIMIT} levels deep", "它嵌套超过 {DEPTH_LIMIT} 层"))
}

/// Frameworks may read what we do not.
fn limit(what: &Message) -> Message {
    message!("{what}, which is more than Skill Workbench reads", "{what}，超出了 Skill Workbench 读取的范围"; what)
}

fn invalid(reason: Message, span: Span) -> YamlError {
    YamlError { kind: ProblemKind::YamlInvalid { reason }, span }
}

/// From the parser's positions, which count characters, to bytes.
enum Offsets {
    Ascii(usize),
    Chars(Vec<usize>),
}

impl Offsets {
    fn new(text: &str) -> Self {
        if text.is_ascii() {
            return Self::Ascii(text.len());
        }
        Self::Chars(text.char_indices().map(|(byte, _)| byte).chain([text.len()]).collect())
    }

    fn byte(&self, char: usize) -> usize {
        match self {
            Self::Ascii(length) => char.min(*length),
            Self::Chars(bytes) => bytes[char.min(bytes.len() - 1)],
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Key, its source, the value's source and the value of each field.
    fn fields(text: &str) -> Vec<(String, String, String, YamlValue)> {
        let parsed = parse(text);
        assert_eq!(parsed.error, None);
        let source = |span: Span| span.of(text).to_owned();
        parsed
            .fields
            .into_iter()
            .map(|field| (field.key, source(field.key_span), source(field.value_span), field.value))
            .collect()
    }

    fn field(key: &str, source: &str, value: YamlValue) -> (String, String, String, YamlValue) {
        (key.trim_matches('"').into(), key.into(), source.into(), value)
    }

    fn plain(text: &str) -> YamlValue {
        YamlValue::Scalar { text: text.into(), plain: true }
    }

    fn quoted(text: &str) -> YamlValue {
        YamlValue::Scalar { text: text.into(), plain: false }
    }

    /// Reason and the source the error points at.
    fn error(text: &str) -> (String, String) {
        let error = parse(text).error.expect("the text is wrong");
        (error.kind.to_string(), error.span.of(text).to_owned())
    }

    #[test]
    fn spans_are_bytes_in_chinese_text_with_crlf() {
        let text =
            "name: 单位  # 中\r\n中文: '值 ''q'''\r\nd: |\r\n  一\r\n\r\n  二\r\n\r\n# c\r\ne: >-\r\n  x\r\n  y\r\n";
        let expected = vec![
            field("name", "单位", plain("单位")),
            field("中文", "'值 ''q'''", quoted("值 'q'")),
            field("d", "|\r\n  一\r\n\r\n  二", quoted("一\n\n二\n")),
            field("e", ">-\r\n  x\r\n  y", quoted("x y")),
        ];
        assert_eq!(fields(text), expected);
    }

    #[test]
    fn collections_end_where_their_last_value_ends() {
        let text = "m:\n  a: b\n  c: &x [1, \"2\"]\n# comment\nt:\n- a\n- *x\nf: {a: {b: c} }\nz: 1\n";
        let list = YamlValue::List(vec![plain("1"), quoted("2")]);
        let expected = vec![
            field(
                "m",
                "a: b\n  c: &x [1, \"2\"]",
                YamlValue::Map(vec![("a".into(), plain("b")), ("c".into(), list.clone())]),
            ),
            field("t", "- a\n- *x", YamlValue::List(vec![plain("a"), list])),
            field(
                "f",
                "{a: {b: c} }",
                YamlValue::Map(vec![("a".into(), YamlValue::Map(vec![("b".into(), plain("c"))]))]),
            ),
            field("z", "1", plain("1")),
        ];
        assert_eq!(fields(text), expected);
    }

    #[test]
    fn tells_null_from_text_that_looks_like_it() {
        let text = "a:\nb: ~\nc: \"\"\nd: 'null'\ne: !!str 12\nf: yes\n\"g\": |+\n  x\n\n\na: twice";
        let expected = vec![
            field("a", "", YamlValue::Null),
            field("b", "~", YamlValue::Null),
            field("c", "\"\"", quoted("")),
            field("d", "'null'", quoted("null")),
            field("e", "!!str 12", quoted("12")),
            field("f", "yes", plain("yes")),
            field("\"g\"", "|+\n  x", quoted("x\n\n\n")),
            field("a", "twice", plain("twice")),
        ];
        assert_eq!(fields(text), expected);
    }

    #[test]
    fn errors_say_what_and_where() {
        let yaml = |reason: &str| format!("the frontmatter is not valid YAML: {reason}");
        assert_eq!(
            error("name: 换算\ndescription: 用于: 换算\n"),
            (yaml("`: ` inside a value that is not in quotes; put the value in quotes"), ":".into())
        );
        assert_eq!(error("name: @x\n"), (yaml("a value cannot start with `@`; put the value in quotes"), "@".into()));
        assert_eq!(error("a: b\n--- \nc: d\n"), (yaml("a second document starts here"), "---".into()));
        assert_eq!(error("a: *x\n"), (yaml("while parsing node, found unknown anchor"), "*".into()));
        assert_eq!(error("a: &x [*x]\n"), (yaml("the value refers to itself"), "*x".into()));
        assert_eq!(
            error("- 一\n- b\n"),
            ("the frontmatter must be a list of `key: value` lines".into(), "- 一\n- b".into())
        );
    }

    #[test]
    fn keeps_the_fields_before_an_error() {
        let parsed = parse("name: a\ndescription: b: c\n");
        assert_eq!(parsed.fields.iter().map(|field| field.key.as_str()).collect::<Vec<_>>(), ["name"]);
        assert!(parsed.error.is_some());
    }

    #[test]
    fn no_text_is_a_map_without_fields() {
        assert_eq!(parse(""), Parsed::default());
        assert_eq!(parse("# only a comment\n"), Parsed::default());
    }

    #[test]
    fn nesting_of_ten_thousand_levels_is_an_error() {
        let flow = format!("a: {}", "[".repeat(10_000));
        let block = format!("a:\n  {}x", "- ".repeat(10_000));
        let deep = "the frontmatter is not valid YAML: it is nested more than 64 levels deep, which is more than \
                Skill Workbench reads";
        assert_eq!(error(&flow).0, deep);
        assert_eq!(error(&block).0, deep);
    }

    #[test]
    fn aliases_of_aliases_are_an_error() {
        let mut bomb = String::from("a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n");
        for level in 1..20 {
            let aliases = vec![format!("*a{}", level - 1); 9].join(", ");
            bomb.push_str(&format!("a{level}: &a{level} [{aliases}]\n"));
        }
        let many = "the frontmatter is not valid YAML: it holds more than 10000 values, or more than 4 MiB, which is \
                    more than Skill Workbench reads";
        assert_eq!(error(&bomb).0, many);
        let long = format!("a: &a {}\nb: [{}]\n", "x".repeat(500_000), vec!["*a"; 100].join(", "));
        assert_eq!(error(&long).0, many);
    }

    proptest! {
        #[test]
        fn parses_any_text(text in "[-?:,\\[\\]{}#&*!|>'\"%@`\\\\ \\t\\r\\na1中\u{0}\u{85}\u{feff}~]{0,60}") {
            for field in parse(&text).fields {
                let _ = (field.key_span.of(&text), field.value_span.of(&text));
            }
        }
    }
}
