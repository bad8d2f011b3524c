//! Changes one frontmatter field in the text of a `SKILL.md` and leaves every other byte alone.

use super::frontmatter::{self, Block, Split};
use super::{Field, Frontmatter, YamlValue};
use crate::source::{Newline, Span};

/// Sets the field to a text, or removes it with `None`. A text without frontmatter gets one.
///
/// The text comes back unchanged if the change cannot be made without touching other fields: the frontmatter is broken,
/// is not a map, or another field uses this one's anchor.
pub fn set_field(text: &str, key: &str, value: Option<&str>) -> String {
    let changed = match (frontmatter::split(text), value) {
        (Split::Closed(block), _) => change(text, block, key, value),
        (Split::Missing, Some(value)) => {
            let newline = Newline::of(text).as_str();
            let field = format!("{}: {}", scalar(key), scalar(value));
            Some(format!("---{newline}{field}{newline}---{newline}{text}"))
        }
        (Split::Missing, None) | (Split::Unclosed(_), _) => None,
    };
    changed.filter(|changed| is_only_change(text, changed, key, value)).unwrap_or_else(|| text.to_owned())
}

/// A text as a YAML scalar on one line, without quotes if every parser reads it as text.
pub fn scalar(text: &str) -> String {
    if is_safe_plain(text) {
        return text.to_owned();
    }
    if text.contains(['"', '\\']) && !text.contains('\'') && !text.contains(needs_escape) {
        return single_quoted(text);
    }
    double_quoted(text)
}

fn change(text: &str, block: Block, key: &str, value: Option<&str>) -> Option<String> {
    let (frontmatter, error) = frontmatter::parse(text, block);
    if error.is_some() {
        return None;
    }
    let mut found = frontmatter.fields.iter().filter(|field| field.key == key).peekable();
    match (found.peek(), value) {
        (Some(field), Some(value)) => Some(replace(text, &frontmatter, field, value)),
        (Some(_), None) => Some(remove(text, found)),
        (None, Some(value)) => Some(add(text, &frontmatter, key, value)),
        (None, None) => None,
    }
}

fn replace(text: &str, frontmatter: &Frontmatter, field: &Field, value: &str) -> String {
    if field.value.as_str() == Some(value) {
        return text.to_owned();
    }
    let span = field.value_span;
    let before = &text[..span.start];
    let line = before.rfind('\n').map_or(0, |end| end + 1);
    let shares_line = text[line..span.start].contains(field.key_span.of(text));
    let rest = text[span.end..].split(['\r', '\n']).next().unwrap_or_default();
    let ends_line = rest.trim().is_empty();
    let gap = match before.chars().next_back() {
        Some(':') => " ",
        Some('\n') => "  ",
        _ => "",
    };
    let old = span.of(text);
    let new = if is_flow(text, frontmatter) {
        double_quoted(value)
    } else if value.contains('\n') && shares_line && ends_line {
        block_scalar(value, Newline::of(text)).unwrap_or_else(|| double_quoted(value))
    } else if old.starts_with('"') {
        double_quoted(value)
    } else if old.starts_with('\'') && !value.contains(needs_escape) {
        single_quoted(value)
    } else {
        scalar(value)
    };
    // Blanks behind a block's first line would become part of it.
    let blanks = if ends_line && (span.is_empty() || new.starts_with('|')) { rest.len() } else { 0 };
    splice(text, Span::new(span.start, span.end + blanks), &format!("{gap}{new}"))
}

/// Removes whole lines, from the key's to the value's last.
fn remove<'a>(text: &str, fields: impl Iterator<Item = &'a Field>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut kept = 0;
    for field in fields {
        let start = text[..field.key_span.start].rfind('\n').map_or(0, |end| end + 1);
        let end = text[field.value_span.end..].find('\n').map_or(text.len(), |at| field.value_span.end + at + 1);
        out.push_str(&text[kept..start.max(kept)]);
        kept = end;
    }
    out.push_str(&text[kept..]);
    out
}

/// Adds a line: `name` before all others, the rest after them.
fn add(text: &str, frontmatter: &Frontmatter, key: &str, value: &str) -> String {
    let newline = Newline::of(text);
    let line_of = |field: &Field| text[..field.key_span.start].rfind('\n').map_or(0, |end| end + 1);
    let first = frontmatter.fields.first();
    let indent = first.map_or("", |field| &text[line_of(field)..field.key_span.start]);
    let at = match first {
        Some(field) if key == "name" => line_of(field),
        _ => frontmatter.yaml.end,
    };
    let value = match value.contains('\n') {
        true => block_scalar(value, newline).unwrap_or_else(|| double_quoted(value)),
        false => scalar(value),
    };
    splice(text, Span::new(at, at), &format!("{indent}{}: {value}{}", scalar(key), newline.as_str()))
}

fn splice(text: &str, span: Span, new: &str) -> String {
    [&text[..span.start], new, &text[span.end..]].concat()
}

fn is_flow(text: &str, frontmatter: &Frontmatter) -> bool {
    let first = frontmatter.fields.first();
    first.is_some_and(|field| text[frontmatter.yaml.start..field.key_span.start].contains('{'))
}

/// Whether the field now has the value and nothing else changed.
fn is_only_change(before: &str, after: &str, key: &str, value: Option<&str>) -> bool {
    let (old, old_body) = parsed(before);
    let (Some(new), new_body) = parsed(after) else { return false };
    let others = |fields: &[Field]| -> Vec<(String, YamlValue)> {
        let others = fields.iter().filter(|field| field.key != key);
        others.map(|field| (field.key.clone(), field.value.clone())).collect()
    };
    let now = new.iter().find(|field| field.key == key).map(|field| field.value.as_str());
    now == value.map(Some) && others(&new) == others(&old.unwrap_or_default()) && new_body == old_body
}

/// Fields and body; `None` for the fields if there are none to read.
fn parsed(text: &str) -> (Option<Vec<Field>>, &str) {
    match frontmatter::split(text) {
        Split::Closed(block) => {
            let (frontmatter, error) = frontmatter::parse(text, block);
            (error.is_none().then_some(frontmatter.fields), block.body.of(text))
        }
        Split::Missing | Split::Unclosed(_) => (None, text),
    }
}

/// A `|` scalar, if it can carry the text: no odd white space at the start, no control characters.
fn block_scalar(value: &str, newline: Newline) -> Option<String> {
    let (indicator, lines) = match value.strip_suffix('\n') {
        Some(lines) => ("|", lines),
        None => ("|-", value),
    };
    let odd = lines.starts_with([' ', '\n'])
        || lines.ends_with('\n')
        || lines.is_empty()
        || lines.split('\n').any(|line| line.starts_with('\t') || line.ends_with([' ', '\t']))
        || lines.contains(|char| char != '\n' && char != '\t' && needs_escape(char));
    if odd {
        return None;
    }
    let mut out = String::from(indicator);
    for line in lines.split('\n') {
        out.push_str(newline.as_str());
        if !line.is_empty() {
            out.push_str("  ");
            out.push_str(line);
        }
    }
    Some(out)
}

fn single_quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

fn double_quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for char in text.chars() {
        match char {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            char if needs_escape(char) => out.push_str(&format!("\\U{:08X}", u32::from(char))),
            char => out.push(char),
        }
    }
    out.push('"');
    out
}

/// Characters that YAML does not take as they are, or folds.
fn needs_escape(char: char) -> bool {
    char.is_control() || matches!(char, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

fn is_safe_plain(text: &str) -> bool {
    let Some(first) = text.chars().next() else { return false };
    let odd_start = !first.is_alphanumeric() && first != '_' && first != '/' && first != '(';
    let odd = text.ends_with(|char: char| char == ':' || char.is_whitespace())
        || text.contains(": ")
        || text.contains(" #")
        || text.contains(needs_escape);
    !(odd_start || odd || looks_typed(text))
}

/// Whether some parser takes the plain text for a boolean, a null, a number or a date.
fn looks_typed(text: &str) -> bool {
    const WORDS: [&str; 9] = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"];
    let number_like = |char: char| char.is_ascii_hexdigit() || "xo_.:+-TtZz ".contains(char);
    WORDS.iter().any(|word| text.eq_ignore_ascii_case(word))
        || (text.starts_with(|char: char| char.is_ascii_digit()) && text.chars().all(number_like))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const SKILL: &str = "---\nname: a # the name\ndescription: 'old'\nmetadata:\n  author: me\n---\nBody\n";

    #[test]
    fn changes_the_value_and_nothing_else() {
        assert_eq!(set_field(SKILL, "name", Some("b")), SKILL.replace("name: a", "name: b"));
        assert_eq!(set_field(SKILL, "description", Some("it's")), SKILL.replace("'old'", "'it''s'"));
        assert_eq!(set_field(SKILL, "name", Some("a")), SKILL);
        assert_eq!(set_field(SKILL, "metadata", Some("x")), SKILL.replace("author: me", "x"));
    }

    #[test]
    fn quotes_where_yaml_needs_it() {
        let plain = "---\nd: x\n---\n";
        for (value, written) in [
            ("用于: 换算", "\"用于: 换算\""),
            ("a: \"b\"", "'a: \"b\"'"),
            ("yes", "\"yes\""),
            ("1.10", "\"1.10\""),
            ("2024-01-01", "\"2024-01-01\""),
            ("- a", "\"- a\""),
            ("a #b", "\"a #b\""),
            ("", "\"\""),
            ("\u{7}", "\"\\U00000007\""),
            ("换算单位，3 kg", "换算单位，3 kg"),
            ("https://a.example/b", "https://a.example/b"),
        ] {
            assert_eq!(set_field(plain, "d", Some(value)), plain.replace('x', written), "{value}");
        }
    }

    #[test]
    fn writes_several_lines_as_a_block() {
        let plain = "---\r\nd: x\r\ne: y # why\r\n---\r\n";
        let block = "---\r\nd: |-\r\n  one\r\n\r\n  two\r\ne: y # why\r\n---\r\n";
        assert_eq!(set_field(plain, "d", Some("one\n\ntwo")), block);
        assert_eq!(set_field(block, "d", Some("x")), plain);
        let quoted = plain.replace('y', "\"one\\ntwo\"");
        assert_eq!(set_field(plain, "e", Some("one\ntwo")), quoted.replace("wh\"one\\ntwo\"", "why"));
    }

    #[test]
    fn adds_and_removes_lines() {
        assert_eq!(set_field(SKILL, "license", Some("MIT")), SKILL.replace("---\nBody", "license: MIT\n---\nBody"));
        assert_eq!(set_field(SKILL, "metadata", None), SKILL.replace("metadata:\n  author: me\n", ""));
        assert_eq!(set_field(SKILL, "none", None), SKILL);
        assert_eq!(set_field("---\n  d: x\n---\n", "name", Some("a")), "---\n  name: a\n  d: x\n---\n");
        assert_eq!(set_field("---\n---\n", "name", Some("a")), "---\nname: a\n---\n");
        assert_eq!(set_field("---\na: 1\nb: 2\na: 3\n---\n", "a", None), "---\nb: 2\n---\n");
    }

    #[test]
    fn fills_an_empty_value_and_replaces_lists() {
        assert_eq!(set_field("---\nname:\n---\n", "name", Some("a")), "---\nname: a\n---\n");
        assert_eq!(set_field("---\nt:\n- a\n- b\n---\n", "t", Some("x")), "---\nt:\n  x\n---\n");
        assert_eq!(set_field("---\n{name: a, d: [b]}\n---\n", "d", Some("x, y")), "---\n{name: a, d: \"x, y\"}\n---\n");
    }

    #[test]
    fn creates_the_frontmatter() {
        assert_eq!(set_field("# T\r\n", "name", Some("a")), "---\r\nname: a\r\n---\r\n# T\r\n");
        assert_eq!(set_field("", "name", Some("a")), "---\nname: a\n---\n");
        assert_eq!(set_field("# T\n", "name", None), "# T\n");
    }

    #[test]
    fn leaves_alone_what_it_cannot_change_safely() {
        for text in ["---\nname: a: b\n---\n", "---\n- a\n---\n", "---\nname: a\n", "---\nname: &x a\nb: *x\n---\n"] {
            assert_eq!(set_field(text, "name", Some("c")), text);
        }
    }

    fn frontmatter_text() -> impl Strategy<Value = String> {
        let value = prop_oneof![
            Just("x"),
            Just(""),
            Just("'q'"),
            Just("\"q\""),
            Just("|\n  one\n  two\n"),
            Just(">-\n  one\n"),
            Just("[1, 2]"),
            Just("x # why"),
            Just("\n  a: b\n  c: d"),
            Just("\n- a\n- b"),
            Just("多\n  行"),
        ];
        proptest::collection::vec(("[a-e]", value), 0..5).prop_map(|fields| {
            let lines: String = fields.iter().map(|(key, value)| format!("{key}: {value}\n")).collect();
            format!("---\n{lines}---\nbody\n")
        })
    }

    fn values(text: &str) -> Vec<(String, YamlValue)> {
        let fields = parsed(text).0.expect("the frontmatter is valid");
        fields.into_iter().map(|field| (field.key, field.value)).collect()
    }

    proptest! {
        #[test]
        fn the_value_is_read_back_and_the_others_stay(
            text in frontmatter_text(),
            crlf in proptest::bool::ANY,
            key in "[a-g]|name",
            value in proptest::option::of("[ -~\\n\\t中\u{85}\u{feff}\\r]{0,20}|[a-z]{1,5}(\\n[a-z]{1,5}){0,3}\\n?"),
        ) {
            let text = if crlf { text.replace('\n', "\r\n") } else { text };
            let changed = set_field(&text, &key, value.as_deref());
            let now = values(&changed);
            let found = now.iter().find(|(found, _)| *found == key).map(|(_, value)| value.as_str());
            prop_assert_eq!(found, value.as_deref().map(Some), "{}", changed);
            let others = |values: Vec<(String, YamlValue)>| -> Vec<(String, YamlValue)> {
                values.into_iter().filter(|(found, _)| *found != key).collect()
            };
            prop_assert_eq!(others(now), others(values(&text)));
        }
    }
}
