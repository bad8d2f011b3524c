//! A frontmatter block as `gopkg.in/yaml.v3` reads it into a struct of texts. Left out: more than [`DUPLICATE_LIMIT`]
//! duplicates.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use jiff::civil::Date;
use regex::Regex;

use crate::reasons::{self, Refusal};
use crate::yaml::{self, Content, Dialect, Document, Id, Limits, Style, base64};
use skill::source::Span;
use wording::message;

/// A value that was read, and its place.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Text {
    pub text: String,
    pub span: Option<Span>,
}

/// Why there are no fields, and where.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    /// What Go says starts with `yaml: `.
    pub why: Refusal,
    pub span: Option<Span>,
}

/// A struct's fields: name in YAML, and type.
pub type Fields<'a, const N: usize> = [(&'a str, &'a str); N];

/// Reads the fields of a struct, in the order of `fields`; keys that it has not are ignored. `name` is its type.
pub fn read<const N: usize>(text: &str, name: &str, fields: Fields<'_, N>) -> Result<[Text; N], Failure> {
    let document = yaml::compose(text, Dialect::Go, Limits::of(Dialect::Go)).map_err(|failure| {
        let place = failure.at().map(|at| text.char_indices().nth(at).map_or(text.len(), |(byte, _)| byte));
        let span = place.map(|start| Span::new(start, text[start..].find('\n').map_or(text.len(), |end| start + end)));
        match failure.refusal() {
            Refusal::Theirs(message) => failed(message, span),
            why @ Refusal::Ours(_) => Failure { why, span },
        }
    })?;
    let Some(document) = document else { return Ok(std::array::from_fn(|_| Text::default())) };
    let mut decoder = Decoder {
        document: &document,
        places: Places::of(text),
        name,
        fields: &fields,
        found: vec![Text::default(); N],
        errors: Vec::new(),
        span: None,
        decoded: 0,
        of_aliases: 0,
        aliases: Vec::new(),
        merging: 0,
    };
    decoder.root(document.root)?;
    let Decoder { found, errors, span, .. } = decoder;
    if !errors.is_empty() {
        return Err(failed(format!("unmarshal errors:\n  {}", errors.join("\n  ")), span));
    }
    let mut found = found.into_iter();
    Ok(std::array::from_fn(|_| found.next().unwrap_or_default()))
}

/// Duplicates of one block that are listed.
const DUPLICATE_LIMIT: usize = 100;
/// Maps that merge keys take into each other.
const MERGE_DEPTH: usize = 200;

/// `decoder`, for a struct whose fields are texts.
struct Decoder<'a> {
    document: &'a Document,
    places: Places<'a>,
    /// The struct's type.
    name: &'a str,
    fields: &'a [(&'a str, &'a str)],
    found: Vec<Text>,
    errors: Vec<String>,
    /// Of the first error.
    span: Option<Span>,
    decoded: usize,
    of_aliases: usize,
    /// Those that are being followed.
    aliases: Vec<Id>,
    merging: usize,
}

/// What a key or value is to a text.
enum Decoded {
    Text(String),
    /// A null, which changes nothing, or an error that was noted.
    Nothing,
}

impl Decoder<'_> {
    fn root(&mut self, id: Id) -> Result<(), Failure> {
        self.count()?;
        match &self.document.node(id).content {
            Content::Map(_) => self.fields_of(id, &mut None),
            Content::List(_) => {
                self.mismatch(id, "!!seq", self.name);
                Ok(())
            }
            Content::Scalar { text, .. } => {
                let tag = self.tag(id);
                if tag == "!!str" || self.resolved(id, text)?.is_some() {
                    self.mismatch(id, &tag, self.name);
                }
                Ok(())
            }
            Content::Alias { .. } => Ok(()),
        }
    }

    /// `mapping` and `mappingStruct`. `taken` are the names that merged maps may no longer set.
    fn fields_of(&mut self, id: Id, taken: &mut Option<HashSet<String>>) -> Result<(), Failure> {
        let Content::Map(pairs) = &self.document.node(id).content else { return Ok(()) };
        if self.duplicates(pairs) {
            return Ok(());
        }
        let mut merge = None;
        let mut done = HashSet::new();
        for (key, value) in pairs {
            if self.is_merge(*key) {
                merge = Some(*value);
                continue;
            }
            let Decoded::Text(name) = self.text(*key, "string")? else { continue };
            if taken.as_mut().is_some_and(|taken| !taken.insert(name.clone())) {
                continue;
            }
            let Some(index) = self.fields.iter().position(|(known, _)| *known == name) else { continue };
            if !done.insert(index) {
                let line = self.document.node(*key).line();
                self.errors.push(format!("line {line}: field {name} already set in type {}", self.name));
                continue;
            }
            if let Decoded::Text(text) = self.text(*value, self.fields[index].1)? {
                self.found[index] = Text { text, span: Some(self.places.span(self.document, *value)) };
            }
        }
        match merge {
            None => Ok(()),
            Some(merge) => self.merge(pairs, merge, taken),
        }
    }

    fn merge(&mut self, own: &[(Id, Id)], merge: Id, taken: &mut Option<HashSet<String>>) -> Result<(), Failure> {
        if self.merging == MERGE_DEPTH {
            let what = message!("merge keys more than {MERGE_DEPTH} levels deep", "嵌套超过 {MERGE_DEPTH} 层的合并键");
            let why = Refusal::Ours(reasons::not_read(&what));
            return Err(Failure { why, span: Some(self.places.span(self.document, merge)) });
        }
        let mut names = match taken.take() {
            Some(names) => names,
            None => {
                let mut names = HashSet::new();
                for (key, _) in own {
                    self.count()?;
                    names.extend(self.map_key(*key)?);
                }
                names
            }
        };
        let document = self.document;
        let is_map = |id: Id| matches!(document.node(target(document, id)).content, Content::Map(_));
        let maps = match &document.node(merge).content {
            Content::List(items) => items.clone(),
            _ => vec![merge],
        };
        self.merging += 1;
        for map in maps {
            if !is_map(map) {
                let message = "map merge requires map or sequence of maps as the value".to_owned();
                return Err(failed(message, Some(self.places.span(self.document, merge))));
            }
            self.count()?;
            let mut inner = Some(names);
            self.followed(map, |decoder, map| decoder.fields_of(map, &mut inner))?;
            names = inner.unwrap_or_default();
        }
        self.merging -= 1;
        *taken = Some(names);
        Ok(())
    }

    /// `alias`: the node behind an alias, unless it contains itself.
    fn followed<T>(&mut self, id: Id, decode: impl FnOnce(&mut Self, Id) -> Result<T, Failure>) -> Result<T, Failure> {
        let Content::Alias { name, id: to } = &self.document.node(id).content else { return decode(self, id) };
        if self.aliases.contains(&id) {
            return Err(failed(format!("anchor '{name}' value contains itself"), None));
        }
        self.aliases.push(id);
        self.count()?;
        let decoded = decode(self, *to);
        self.aliases.pop();
        decoded
    }

    /// `unmarshal` into a text of the type `into`.
    fn text(&mut self, id: Id, into: &str) -> Result<Decoded, Failure> {
        self.count()?;
        self.followed(id, |decoder, id| match &decoder.document.node(id).content {
            Content::Scalar { text, .. } => {
                let tag = decoder.tag(id);
                if tag == "!!str" {
                    return Ok(Decoded::Text(text.clone()));
                }
                Ok(decoder.resolved(id, text)?.map_or(Decoded::Nothing, Decoded::Text))
            }
            Content::List(_) => {
                decoder.mismatch(id, "!!seq", into);
                Ok(Decoded::Nothing)
            }
            Content::Map(pairs) => {
                if !decoder.duplicates(pairs) {
                    decoder.mismatch(id, "!!map", into);
                }
                Ok(Decoded::Nothing)
            }
            Content::Alias { .. } => Ok(Decoded::Nothing),
        })
    }

    /// The text that is decoded from a scalar that may be something else; `None` of a null.
    fn resolved(&self, id: Id, text: &str) -> Result<Option<String>, Failure> {
        let wrong = |message: String| failed(message, Some(self.places.span(self.document, id)));
        let tag = self.tag(id);
        if tag == "!!binary" {
            let bytes = decoded(text).ok_or_else(|| wrong("!!binary value contains invalid base64 data".into()))?;
            return Ok(Some(String::from_utf8_lossy(&bytes).into_owned()));
        }
        if !["!!str", "!!bool", "!!int", "!!float", "!!null", "!!timestamp"].contains(&tag.as_str()) {
            return Ok(Some(text.to_owned()));
        }
        let looks = implied(text, &tag);
        match (tag.as_str(), looks) {
            ("!!null", "!!null") => Ok(None),
            ("!!str", _) | ("!!float", "!!int") => Ok(Some(text.to_owned())),
            (tag, looks) if tag == looks => Ok(Some(text.to_owned())),
            _ => Err(wrong(format!("cannot decode {looks} `{text}` as a {tag}"))),
        }
    }

    /// The text of a key of a `map[interface{}]bool`. A value that cannot be a key of such a map ends the whole
    /// program.
    fn map_key(&self, key: Id) -> Result<Option<String>, Failure> {
        let kind = match &self.document.node(target(self.document, key)).content {
            Content::Scalar { text, .. } => return Ok(Some(text.clone())),
            Content::Alias { .. } => return Ok(None),
            Content::List(_) => "[]interface {}",
            Content::Map(pairs) if pairs.iter().all(|(key, _)| self.is_text_key(*key)) => "map[string]interface {}",
            Content::Map(_) => "map[interface {}]interface {}",
        };
        let message = format!("panic: runtime error: hash of unhashable type {kind}");
        Err(Failure { why: message.into(), span: Some(self.places.span(self.document, key)) })
    }

    fn is_text_key(&self, key: Id) -> bool {
        matches!(self.tag(target(self.document, key)).as_str(), "!!str" | "!!merge")
    }

    /// `Node.ShortTag`.
    fn tag(&self, id: Id) -> String {
        const CORE: &str = "tag:yaml.org,2002:";
        let node = self.document.node(id);
        match (node.tag.as_deref().filter(|tag| *tag != "!"), &node.content) {
            (Some(tag), _) => tag.strip_prefix(CORE).map_or_else(|| tag.to_owned(), |kind| format!("!!{kind}")),
            (None, Content::Scalar { text, style: Style::Plain, .. }) if text == "<<" => "!!merge".into(),
            (None, Content::Scalar { text, style: Style::Plain, .. }) => implied(text, "").into(),
            (None, Content::Scalar { .. } | Content::Alias { .. }) => "!!str".into(),
            (None, Content::List(_)) => "!!seq".into(),
            (None, Content::Map(_)) => "!!map".into(),
        }
    }

    fn is_merge(&self, key: Id) -> bool {
        matches!(&self.document.node(key).content, Content::Scalar { text, .. } if text == "<<")
            && self.tag(key) == "!!merge"
    }

    /// `terror`.
    fn mismatch(&mut self, id: Id, default: &str, into: &str) {
        let node = self.document.node(id);
        let tag = match &node.content {
            Content::Scalar { .. } => default.to_owned(),
            Content::List(_) | Content::Map(_) | Content::Alias { .. } => self.tag(id),
        };
        let value = match &node.content {
            _ if matches!(tag.as_str(), "!!seq" | "!!map") => String::new(),
            Content::Scalar { text, .. } if text.len() > 10 => {
                format!(" `{}...`", cut(text))
            }
            Content::Scalar { text, .. } => format!(" `{text}`"),
            Content::List(_) | Content::Map(_) | Content::Alias { .. } => " ``".to_owned(),
        };
        self.errors.push(format!("line {}: cannot unmarshal {tag}{value} into {into}", node.line()));
        let span = self.places.span(self.document, id);
        self.span.get_or_insert(span);
    }

    /// Notes every later key that is also an earlier one, once for each earlier one; whether there are any.
    fn duplicates(&mut self, pairs: &[(Id, Id)]) -> bool {
        let mut places: HashMap<(u8, &str), Vec<usize>> = HashMap::new();
        for (index, (key, _)) in pairs.iter().enumerate() {
            let name = match &self.document.node(*key).content {
                Content::Scalar { text, .. } => (0, text.as_str()),
                Content::Alias { name, .. } => (1, name.as_str()),
                Content::List(_) => (2, ""),
                Content::Map(_) => (3, ""),
            };
            places.entry(name).or_default().push(index);
        }
        let mut found: Vec<(usize, usize, &str)> = places
            .iter()
            .flat_map(|((_, name), same)| {
                let after = move |n: usize| same[n + 1..].iter();
                same.iter().enumerate().flat_map(move |(n, first)| after(n).map(|later| (*first, *later, *name)))
            })
            .take(DUPLICATE_LIMIT)
            .collect();
        found.sort_unstable();
        for (first, later, name) in &found {
            let [first, later] = [first, later].map(|index| self.document.node(pairs[*index].0));
            let what = format!("mapping key {} already defined at line {}", quoted(name), first.line());
            self.errors.push(format!("line {}: {what}", later.line()));
        }
        if let Some((_, later, _)) = found.first() {
            let span = self.places.span(self.document, pairs[*later].0);
            self.span.get_or_insert(span);
        }
        !found.is_empty()
    }

    /// Counts decoded nodes, and how many of them came through aliases.
    fn count(&mut self) -> Result<(), Failure> {
        const LOW: usize = 400_000;
        const HIGH: usize = 4_000_000;
        self.decoded += 1;
        self.of_aliases += usize::from(!self.aliases.is_empty());
        // In hundredths of a percent.
        let allowed = match self.decoded {
            HIGH.. => 1_000,
            decoded => 9_900 - 8_900 * decoded.saturating_sub(LOW) / (HIGH - LOW),
        };
        if self.of_aliases > 100 && self.decoded > 1_000 && self.of_aliases * 10_000 > self.decoded * allowed {
            return Err(failed("document contains excessive aliasing".into(), None));
        }
        Ok(())
    }
}

/// The node behind an alias.
fn target(document: &Document, id: Id) -> Id {
    match &document.node(id).content {
        Content::Alias { id, .. } => *id,
        Content::List(_) | Content::Map(_) | Content::Scalar { .. } => id,
    }
}

fn failed(message: String, span: Option<Span>) -> Failure {
    Failure { why: format!("yaml: {message}").into(), span }
}

/// The first seven bytes: Go does not cut at characters. Each byte of a cut character becomes U+FFFD.
fn cut(text: &str) -> String {
    let replaced =
        |chunk: std::str::Utf8Chunk| format!("{}{}", chunk.valid(), "\u{fffd}".repeat(chunk.invalid().len()));
    text.as_bytes()[..7].utf8_chunks().map(replaced).collect()
}

/// `resolve`: the tag that a value's looks give it. Only what has no tag, or that of a time, is taken for a time.
fn implied(text: &str, tag: &str) -> &'static str {
    static NUMBER: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$").expect("the pattern is fixed")
    });
    static WHOLE: LazyLock<Regex> = LazyLock::new(|| {
        let whole = r"^(?:[-+]?(?:0|[1-9][0-9]*|0[oO]?[0-7]+|0[bB][01]+|0[xX][0-9a-fA-F]+))$";
        Regex::new(whole).expect("the pattern is fixed")
    });
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return "!!null",
        "true" | "True" | "TRUE" | "false" | "False" | "FALSE" => return "!!bool",
        ".nan" | ".NaN" | ".NAN" => return "!!float",
        _ if matches!(text.trim_start_matches(['+', '-']), ".inf" | ".Inf" | ".INF") && text.len() <= 5 => {
            return "!!float";
        }
        _ => {}
    }
    if !text.starts_with(|first: char| first.is_ascii_digit() || matches!(first, '+' | '-' | '.')) {
        return "!!str";
    }
    if matches!(tag, "" | "!!timestamp") && is_time(text) {
        return "!!timestamp";
    }
    let plain = if text.starts_with('.') { text.to_owned() } else { text.replace('_', "") };
    match plain.parse::<f64>() {
        _ if WHOLE.is_match(&plain) && fits(&plain) => "!!int",
        Ok(number) if NUMBER.is_match(&plain) && number.is_finite() => "!!float",
        Ok(_) | Err(_) => "!!str",
    }
}

/// Whether a whole number fits 64 bits.
fn fits(text: &str) -> bool {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let lower = digits.to_ascii_lowercase();
    let (digits, base) = match lower.as_bytes() {
        [b'0', b'x', ..] => (&lower[2..], 16),
        [b'0', b'b', ..] => (&lower[2..], 2),
        [b'0', b'o', ..] => (&lower[2..], 8),
        [b'0', _, ..] => (&lower[1..], 8),
        _ => (lower.as_str(), 10),
    };
    // Only a number without a sign may have the sixty-fourth bit.
    let most = if text.starts_with('+') { i64::MAX.unsigned_abs() } else { u64::MAX };
    u64::from_str_radix(digits, base).is_ok_and(|number| number <= if negative { 1 << 63 } else { most })
}

/// `parseTimestamp`.
fn is_time(text: &str) -> bool {
    static TIME: LazyLock<Regex> = LazyLock::new(|| {
        let day = r"^([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})";
        let clock = r"([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})(?:[.,][0-9]+)?";
        Regex::new(&format!("{day}(?:[Tt]{clock}(?:Z|[-+][0-9]{{2}}:[0-9]{{2}})| {clock})?$"))
            .expect("the pattern is fixed")
    });
    let Some(found) = TIME.captures(text) else { return false };
    let number = |at: usize| found.get(at).and_then(|digits| digits.as_str().parse::<i16>().ok());
    let small = |at: usize| number(at).and_then(|number| i8::try_from(number).ok()).unwrap_or_default();
    let clock = [4, 7].into_iter().find(|at| found.get(*at).is_some());
    Date::new(number(1).unwrap_or_default(), small(2), small(3)).is_ok()
        && clock.is_none_or(|at| small(at) < 24 && small(at + 1) < 60 && small(at + 2) < 60)
}

/// `base64.StdEncoding`, which passes over line ends.
fn decoded(text: &str) -> Option<Vec<u8>> {
    let text: Vec<u8> = text.bytes().filter(|byte| !matches!(byte, b'\n' | b'\r')).collect();
    if !text.len().is_multiple_of(4) {
        return None;
    }
    base64::bytes(text.strip_suffix(b"==").or_else(|| text.strip_suffix(b"=")).unwrap_or(&text))
}

/// `strconv.Quote`.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => out.extend(['\\', letter]),
            '\u{7}' => out.push_str("\\a"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{b}' => out.push_str("\\v"),
            ' '..='~' => out.push(letter),
            '\0'..='\u{7f}' => out.push_str(&format!("\\x{:02x}", u32::from(letter))),
            _ if letter.is_control() || letter.is_whitespace() || letter == '\u{feff}' => match u32::from(letter) {
                code @ ..=0xFFFF => out.push_str(&format!("\\u{code:04x}")),
                code => out.push_str(&format!("\\U{code:08x}")),
            },
            _ => out.push(letter),
        }
    }
    out.push('"');
    out
}

/// From characters to bytes.
struct Places<'a> {
    text: &'a str,
    bytes: Vec<usize>,
}

impl<'a> Places<'a> {
    fn of(text: &'a str) -> Self {
        Self { text, bytes: text.char_indices().map(|(byte, _)| byte).chain([text.len()]).collect() }
    }

    fn span(&self, document: &Document, id: Id) -> Span {
        let range = document.node(id).range();
        let byte = |letter: usize| self.bytes[letter.min(self.bytes.len() - 1)];
        Span::new(byte(range.start), byte(range.end)).trim(self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIELDS: Fields<'static, 2> = [("name", "string"), ("context", "skill.ContextMode")];

    fn values(text: &str) -> Result<[String; 2], String> {
        read(text, "skill.FrontMatter", FIELDS)
            .map(|texts| texts.map(|text| text.text))
            .map_err(|failure| failure.why.message().en)
    }

    fn value(text: &str) -> String {
        let [name, _] = values(&format!("name: {text}")).unwrap();
        name
    }

    #[test]
    fn any_scalar_is_read_as_it_is_written() {
        for raw in ["yes", "012", "1.10", "2024-01-02", "0x1F", ".inf", "1_000"] {
            assert_eq!(value(raw), raw);
        }
        assert_eq!(value(r#""a\tb \u4e2d""#), "a\tb 中");
        assert_eq!(value("'it''s'"), "it's");
        assert_eq!(value(">\n  one\n  two\n\n  three"), "one two\nthree");
        assert_eq!(value("a # comment"), "a");
        for null in ["", "~", "null", "NULL"] {
            assert_eq!(value(null), "");
        }
        assert_eq!(value("\"null\""), "null");
    }

    #[test]
    fn keys_that_the_struct_has_not_may_hold_anything() {
        let text = "metadata:\n  a: [1, 2]\nname: x\nallowed-tools: [a]\ncontext: fork";
        assert_eq!(values(text), Ok(["x".into(), "fork".into()]));
        assert_eq!(values(""), Ok(["".into(), "".into()]));
        assert_eq!(values("~"), Ok(["".into(), "".into()]));
        assert_eq!(values("x: &n pdf\nname: *n"), Ok(["pdf".into(), "".into()]));
    }

    #[test]
    fn merge_keys_fill_in_what_the_map_has_not() {
        let base = "base: &b {name: x, context: fork}\n";
        assert_eq!(values(&format!("{base}<<: *b\nname: own")), Ok(["own".into(), "fork".into()]));
        assert_eq!(values(&format!("{base}name: ~\n<<: [*b, {{context: no}}]")), Ok(["".into(), "fork".into()]));
        let message = "yaml: map merge requires map or sequence of maps as the value";
        assert_eq!(values("<<: x"), Err(message.into()));
    }

    #[test]
    fn says_what_is_no_yaml_in_the_words_of_yaml_v3() {
        for (text, message) in [
            ("name: a\ndescription: Use when: x", "line 2: mapping values are not allowed in this context"),
            ("name: use: x", "mapping values are not allowed in this context"),
            ("name: a\nb: @x", "line 2: found character that cannot start any token"),
            ("name: a\nb: \"open\n\nc: d", "line 2: found unexpected end of stream"),
            ("name: a\nb: [1, 2", "line 1: did not find expected ',' or ']'"),
            ("name: \"a\" b", "did not find expected key"),
            ("name: a\nb: c\n\"x\" y", "line 3: could not find expected ':'"),
            ("name: 中文\nb: *none", "unknown anchor 'none' referenced"),
            ("name: a\u{1}", "control characters are not allowed"),
        ] {
            assert_eq!(values(text), Err(format!("yaml: {message}")), "{text}");
        }
    }

    #[test]
    fn says_what_does_not_fit_the_struct() {
        let errors = |lines: &str| Err(format!("yaml: unmarshal errors:\n  {lines}"));
        assert_eq!(
            values("name:\n  - a\ncontext:\n  x: y"),
            errors(
                "line 2: cannot unmarshal !!seq into string\n  line 4: cannot unmarshal !!map into skill.ContextMode"
            )
        );
        assert_eq!(
            values("name: a\nb: c\nname: d\nname: e"),
            errors(
                "line 3: mapping key \"name\" already defined at line 1\n  line 4: mapping key \"name\" already \
                 defined at line 1\n  line 4: mapping key \"name\" already defined at line 3"
            )
        );
        assert_eq!(values("- a"), errors("line 1: cannot unmarshal !!seq into skill.FrontMatter"));
        assert_eq!(
            values("just some text"),
            errors("line 1: cannot unmarshal !!str `just so...` into skill.FrontMatter")
        );
        assert_eq!(values("12"), errors("line 1: cannot unmarshal !!int `12` into skill.FrontMatter"));
    }

    /// What yaml.v3 3.0.1 gave for a struct with `name` and `description`; of its type only the name differs.
    #[test]
    fn reads_what_yaml_v3_reads() {
        const FIELDS: Fields<'static, 2> = [("name", "string"), ("description", "string")];
        let recorded: [(&str, Result<[&str; 2], &str>); 56] = [
            ("name: a\u{2028}description: b", Ok(["a", "b"])),
            ("name: a\u{85}description: b", Ok(["a", "b"])),
            ("name: \"a\u{2029}b\"", Ok(["a\u{2029}b", ""])),
            ("name: !!int \"3\"", Ok(["3", ""])),
            ("name: !!int x", Err("yaml: cannot decode !!str `x` as a !!int")),
            ("name: ! 12", Ok(["12", ""])),
            ("name: ! ~", Ok(["", ""])),
            ("name: !!null x", Err("yaml: cannot decode !!str `x` as a !!null")),
            ("name: !!bool yes", Err("yaml: cannot decode !!str `yes` as a !!bool")),
            ("name: !!str [a]", Err("yaml: unmarshal errors:\n  line 1: cannot unmarshal !!str `` into string")),
            ("name: !foo {a: b}", Err("yaml: unmarshal errors:\n  line 1: cannot unmarshal !foo `` into string")),
            ("name: !foo x", Ok(["x", ""])),
            ("name: !!binary aGVsbG8=", Ok(["hello", ""])),
            ("name: !!binary x", Err("yaml: !!binary value contains invalid base64 data")),
            ("name: !!set {a}", Err("yaml: unmarshal errors:\n  line 1: cannot unmarshal !!set `` into string")),
            ("name: &x [*x]", Err("yaml: unmarshal errors:\n  line 1: cannot unmarshal !!seq into string")),
            ("name: &a.b c", Err("yaml: did not find expected alphabetic or numeric character")),
            ("a: &x 1\nb: &x 2\nname: *x", Ok(["2", ""])),
            ("name: \"x\"# c", Ok(["x", ""])),
            ("name: |#c\n  a", Ok(["a", ""])),
            ("name: |\n  a\n\tb", Err("yaml: line 3: found a tab character where an indentation space is expected")),
            ("name: a\n\tb", Err("yaml: line 2: found a tab character that violates indentation")),
            ("name:\ta", Ok(["a", ""])),
            ("name: \"\\ud83d\"", Err("yaml: found invalid Unicode character escape code")),
            ("name: \"\\/\"", Err("yaml: found unknown escape character")),
            ("name: \"\\'\"", Ok(["'", ""])),
            ("{name: a} x", Ok(["a", ""])),
            ("name: a\n...\nb: [", Ok(["a", ""])),
            ("name: a\n---\nb: [", Ok(["a", ""])),
            ("%FOO\nname: a", Err("yaml: found unknown directive name")),
            ("%YAML 1.2\n---\nname: a", Err("yaml: found incompatible YAML document")),
            ("name: [a:]\nx: {y:}", Err("yaml: unmarshal errors:\n  line 1: cannot unmarshal !!seq into string")),
            ("x: {a, ? b}\nname: c", Ok(["c", ""])),
            ("? [a]\n: b\nname: c", Err("yaml: unmarshal errors:\n  line 1: cannot unmarshal !!seq into string")),
            ("? name\n: c", Ok(["c", ""])),
            (
                "!!binary bmFtZQ==: c\nname: d",
                Err("yaml: unmarshal errors:\n  line 2: field name already set in type skill.FrontMatter"),
            ),
            ("1: a\n~: b\nname: c", Ok(["c", ""])),
            ("\"<<\": {name: a}", Ok(["", ""])),
            ("<<: {name: a, <<: {description: b}}", Ok(["a", "b"])),
            ("<<: [{name: a}, {name: b, description: c}]\ndescription: d", Ok(["a", "d"])),
            ("[a]: b\n<<: {name: c}", Err("panic: runtime error: hash of unhashable type []interface {}")),
            ("x: &x {<<: *x}\n<<: *x", Err("yaml: anchor 'x' value contains itself")),
            ("name: '\nname: b'", Ok([" name: b", ""])),
            ("\n\nname: a\nb: @c", Err("yaml: line 4: found character that cannot start any token")),
            ("name: a\n\nb: \"c\n\nd: e", Err("yaml: line 3: found unexpected end of stream")),
            ("[]: b\nname: c", Err("yaml: unmarshal errors:\n  line 1: cannot unmarshal !!seq into string")),
            ("name: a\nx: [b\nc: d", Err("yaml: line 1: did not find expected ',' or ']'")),
            (
                "2024-01-02",
                Err(
                    "yaml: unmarshal errors:\n  line 1: cannot unmarshal !!timestamp `2024-01-02` into skill.FrontMatter",
                ),
            ),
            (
                "2024-13-02",
                Err("yaml: unmarshal errors:\n  line 1: cannot unmarshal !!str `2024-13-02` into skill.FrontMatter"),
            ),
            ("0x1F", Err("yaml: unmarshal errors:\n  line 1: cannot unmarshal !!int `0x1F` into skill.FrontMatter")),
            ("1_000", Err("yaml: unmarshal errors:\n  line 1: cannot unmarshal !!int `1_000` into skill.FrontMatter")),
            (
                "+.inf",
                Err("yaml: unmarshal errors:\n  line 1: cannot unmarshal !!float `+.inf` into skill.FrontMatter"),
            ),
            (
                "!!float 3",
                Err("yaml: unmarshal errors:\n  line 1: cannot unmarshal !!float `3` into skill.FrontMatter"),
            ),
            (
                "a: 中\n\"中\\n\": b\n\"中\\n\": c",
                Err("yaml: unmarshal errors:\n  line 3: mapping key \"中\\n\" already defined at line 2"),
            ),
            ("\u{feff}name: a", Ok(["a", ""])),
            ("\n\u{feff}name: a\ndescription: b", Ok(["", "b"])),
        ];
        for (text, expected) in recorded {
            let found = read(text, "skill.FrontMatter", FIELDS);
            let found = found.map(|texts| texts.map(|text| text.text)).map_err(|failure| failure.why.message().en);
            assert_eq!(found, expected.map(|texts| texts.map(str::to_owned)).map_err(str::to_owned), "{text:?}");
        }
    }

    #[test]
    fn nests_as_deep_as_yaml_v3_and_says_where_it_ends() {
        let brackets = |depth: usize| format!("name: a\nx: {}{}", "[".repeat(depth), "]".repeat(depth));
        assert_eq!(values(&brackets(10_000)), Ok(["a".into(), "".into()]));
        assert_eq!(values(&brackets(10_001)), Err("yaml: line 2: exceeded max depth of 10000".into()));
        assert_eq!(values(&brackets(100_000)), Err("yaml: line 2: exceeded max depth of 10000".into()));
    }

    #[test]
    fn many_duplicates_cost_no_more_than_a_few() {
        let message = values(&"a: 1\n".repeat(5_000)).unwrap_err();
        assert_eq!(message.lines().count(), 1 + DUPLICATE_LIMIT);
    }
}
