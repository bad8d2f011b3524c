//! A frontmatter block as `gopkg.in/yaml.v3` reads it into a struct of texts. Its scanner is libyaml in Go, so libyaml
//! says here what is no YAML; the values, their places and the errors of reading them into a struct are from the
//! project's own reader. Left out: tags and more than [`DUPLICATE_LIMIT`] duplicates.

use std::collections::HashMap;
use std::sync::LazyLock;

use regex::Regex;
use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::skill::yaml::{self, BYTE_LIMIT};
use crate::skill::{Field, ProblemKind, YamlValue};
use crate::source::Span;

/// A value that was read, and where it stands.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Text {
    pub text: String,
    pub span: Option<Span>,
}

/// Go's message, which starts with `yaml: `, and the place it is about.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    pub message: String,
    pub span: Option<Span>,
}

/// A struct's fields: name in YAML, and type.
pub type Fields<'a, const N: usize> = [(&'a str, &'a str); N];

/// Reads the fields of a struct, in the order of `fields`; keys that it has not are ignored. `name` is its type.
pub fn read<const N: usize>(text: &str, name: &str, fields: Fields<'_, N>) -> Result<[Text; N], Failure> {
    if let Some(message) = syntax(text) {
        return Err(message);
    }
    let parsed = yaml::parse(text);
    if let Some(error) = parsed.error.filter(|error| error.kind == ProblemKind::YamlNotMap) {
        return match not_a_map(text, name) {
            Some(mismatch) => Err(mismatches(vec![(1, mismatch)], Some(error.span))),
            None => Ok(std::array::from_fn(|_| Text::default())),
        };
    }
    let lines = Lines::of(text);
    if let Some(failure) = duplicates(&parsed.fields, &lines) {
        return Err(failure);
    }
    let mut read = std::array::from_fn(|_| Text::default());
    let mut wrong = Vec::new();
    let mut span = None;
    let mut own = [false; N];
    for field in &parsed.fields {
        let Some(index) = fields.iter().position(|(key, _)| *key == field.key) else { continue };
        own[index] = true;
        let at = lines.line(field.value_span.start);
        let kind = match &field.value {
            YamlValue::Null => continue,
            YamlValue::Scalar { text: value, .. } => {
                let value =
                    if ends_as_block(text, field.value_span) { without_last_break(value) } else { value.as_str() };
                read[index] = Text { text: value.to_owned(), span: Some(field.value_span) };
                continue;
            }
            YamlValue::List(_) => "!!seq",
            YamlValue::Map(_) => "!!map",
        };
        span.get_or_insert(field.value_span);
        wrong.push((at, format!("cannot unmarshal {kind} into {}", fields[index].1)));
    }
    if !wrong.is_empty() {
        return Err(mismatches(wrong, span));
    }
    if let Some(merge) = parsed.fields.iter().find(|field| field.key == "<<") {
        let Some(maps) = merged(&merge.value) else {
            let message = "yaml: map merge requires map or sequence of maps as the value".into();
            return Err(Failure { message, span: Some(merge.value_span) });
        };
        for (index, (key, _)) in fields.iter().enumerate().filter(|(index, _)| !own[*index]) {
            let found = maps.iter().find_map(|map| map.iter().find(|(name, _)| name == key));
            if let Some((_, YamlValue::Scalar { text, .. })) = found {
                read[index] = Text { text: text.clone(), span: Some(merge.value_span) };
            }
        }
    }
    Ok(read)
}

/// The maps whose fields `<<` takes in, of which the first with a name counts.
fn merged(value: &YamlValue) -> Option<Vec<&[(String, YamlValue)]>> {
    match value {
        YamlValue::List(maps) => maps.iter().map(pairs).collect(),
        value => pairs(value).map(|pairs| vec![pairs]),
    }
}

fn pairs(value: &YamlValue) -> Option<&[(String, YamlValue)]> {
    match value {
        YamlValue::Map(pairs) => Some(pairs),
        YamlValue::Null | YamlValue::Scalar { .. } | YamlValue::List(_) => None,
    }
}

/// Duplicates of one block that are listed.
const DUPLICATE_LIMIT: usize = 100;

/// A `|` or `>` value whose last line has no line end: libyaml gives it none either.
fn ends_as_block(text: &str, value: Span) -> bool {
    value.end == text.len() && value.of(text).starts_with(['|', '>']) && !text.ends_with('\n')
}

fn without_last_break(value: &str) -> &str {
    value.strip_suffix('\n').unwrap_or(value)
}

/// What libyaml says of a text, with the line as yaml.v3 counts it: errors of the parser name the line before, and a
/// first line is not named.
fn syntax(text: &str) -> Option<Failure> {
    if text.trim().is_empty() || text.len() > BYTE_LIMIT {
        return None;
    }
    let document = serde_yaml::Deserializer::from_str(text).next()?;
    let error = IgnoredAny::deserialize(document).err()?;
    let said = error.to_string();
    let place = error.location().map(|location| text.floor_char_boundary(location.index()));
    if said.starts_with("unknown anchor") {
        let name = text[place.unwrap_or_default()..].trim_start_matches('*');
        let name = name.split(|letter: char| !(letter.is_alphanumeric() || "-_".contains(letter))).next();
        return Some(failure(format!("unknown anchor '{}' referenced", name.unwrap_or_default()), place, text));
    }
    let parts = SAID.captures(&said)?;
    let problem = parts.name("problem")?.as_str();
    let line = |name| parts.name(name).and_then(|digits| digits.as_str().parse::<usize>().ok());
    let counted = [line("context"), line("line")].into_iter().flatten().find(|line| *line > 1);
    let counted = counted.map(|line| if OF_THE_PARSER.contains(&problem) { line - 1 } else { line });
    let message = match counted {
        Some(line) => format!("line {line}: {problem}"),
        None => problem.to_owned(),
    };
    Some(failure(message, place, text))
}

/// An error as serde_yaml shows libyaml's.
static SAID: LazyLock<Regex> = LazyLock::new(|| {
    let place = r"(?: at (?:line (?<line>\d+) column \d+|position \d+))?";
    let context = r"(?:, while .*?(?: at line (?<context>\d+) column \d+)?)?";
    Regex::new(&format!("^(?<problem>.*?){place}{context}$")).expect("the pattern is fixed")
});

/// Problems that are found by the parser, not by the scanner.
const OF_THE_PARSER: [&str; 11] = [
    "did not find expected <stream-start>",
    "did not find expected <document start>",
    "found undefined tag handle",
    "did not find expected node content",
    "did not find expected '-' indicator",
    "did not find expected key",
    "did not find expected ',' or ']'",
    "did not find expected ',' or '}'",
    "found duplicate %YAML directive",
    "found incompatible YAML document",
    "found duplicate %TAG directive",
];

fn failure(message: String, place: Option<usize>, text: &str) -> Failure {
    let line_end = |start: usize| text[start..].find('\n').map_or(text.len(), |end| start + end);
    let span = place.map(|start| Span::new(start, line_end(start)));
    Failure { message: format!("yaml: {message}"), span }
}

fn mismatches(wrong: Vec<(usize, String)>, span: Option<Span>) -> Failure {
    let lines: Vec<String> = wrong.into_iter().map(|(line, what)| format!("line {line}: {what}")).collect();
    Failure { message: format!("yaml: unmarshal errors:\n  {}", lines.join("\n  ")), span }
}

/// What is said of a text that is one value but no map; `None` for a null, which leaves the struct empty.
fn not_a_map(text: &str, name: &str) -> Option<String> {
    use serde_yaml::Value;
    let tag = match serde_yaml::from_str(text).unwrap_or(Value::String(String::new())) {
        Value::Null => return None,
        Value::Sequence(_) => return Some(format!("cannot unmarshal !!seq into {name}")),
        Value::Mapping(_) => return Some(format!("cannot unmarshal !!map into {name}")),
        Value::Bool(_) => "!!bool",
        Value::Number(number) if number.is_f64() => "!!float",
        Value::Number(_) => "!!int",
        Value::String(_) | Value::Tagged(_) => "!!str",
    };
    let value = serde_yaml::from_str::<String>(text).unwrap_or_else(|_| text.trim().to_owned());
    // Go cuts bytes, not characters.
    let shown = match value.as_bytes() {
        [first @ .., _, _, _, _] if first.len() > 6 => {
            format!("{}...", String::from_utf8_lossy(&value.as_bytes()[..7]))
        }
        _ => value,
    };
    Some(format!("cannot unmarshal {tag} `{shown}` into {name}"))
}

/// Every later key that is also an earlier one, once for each earlier one.
fn duplicates(fields: &[Field], lines: &Lines) -> Option<Failure> {
    let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, field) in fields.iter().enumerate() {
        places.entry(&field.key).or_default().push(index);
    }
    let mut pairs: Vec<(usize, usize)> = places
        .values()
        .flat_map(|same| {
            same.iter().enumerate().flat_map(|(n, first)| same[n + 1..].iter().map(|later| (*first, *later)))
        })
        .take(DUPLICATE_LIMIT)
        .collect();
    pairs.sort_unstable();
    let (_, later) = pairs.first()?;
    let span = fields[*later].key_span;
    let said = pairs.iter().map(|(first, later)| {
        let (first, later) = (&fields[*first], &fields[*later]);
        let what = format!("mapping key {:?} already defined at line {}", later.key, lines.line(first.key_span.start));
        (lines.line(later.key_span.start), what)
    });
    Some(mismatches(said.collect(), Some(span)))
}

/// Where lines begin.
struct Lines(Vec<usize>);

impl Lines {
    fn of(text: &str) -> Self {
        Self(std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect())
    }

    /// From 1.
    fn line(&self, at: usize) -> usize {
        self.0.partition_point(|start| *start <= at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIELDS: Fields<'static, 2> = [("name", "string"), ("context", "skill.ContextMode")];

    fn values(text: &str) -> Result<[String; 2], String> {
        read(text, "skill.FrontMatter", FIELDS)
            .map(|texts| texts.map(|text| text.text))
            .map_err(|failure| failure.message)
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

    #[test]
    fn many_duplicates_cost_no_more_than_a_few() {
        let message = values(&"a: 1\n".repeat(5_000)).unwrap_err();
        assert_eq!(message.lines().count(), 1 + DUPLICATE_LIMIT);
    }
}
