//! A `SKILL.md` as the demo reads it: two regular expressions over text with LF line ends. No YAML is parsed, so a value
//! is the rest of its line, quotes and block indicators included, and `name:` is found anywhere, also in `nickname:`.

use super::python;
use skill::source::{SourceText, Span};

#[derive(Debug, PartialEq, Eq)]
pub struct Manifest {
    /// `None`: the folder's name is used.
    pub name: Option<Value>,
    /// `None`: there is a text for that.
    pub description: Option<Value>,
    pub body: String,
}

/// A trimmed value, and its place in the file's text.
#[derive(Debug, PartialEq, Eq)]
pub struct Value {
    pub text: String,
    pub span: Span,
}

/// `None` if there is no block between two lines `---`; a byte order mark hides the first.
pub fn read(source: &SourceText) -> Option<Manifest> {
    if source.bom {
        return None;
    }
    let text = python::universal_newlines(&source.text);
    let (frontmatter, body) = split(&text)?;
    let value = |key: &str| {
        let (at, found) = written(frontmatter, key)?;
        let text = python::strip(found);
        let offset = found.len() - found.trim_start_matches(python::is_space).len();
        let start = OPENING.len() + at + offset;
        let place = |at| original(&source.text, at);
        Some(Value { text: text.to_owned(), span: Span::new(place(start), place(start + text.len())) })
    };
    Some(Manifest { name: value("name:"), description: value("description:"), body: body.to_owned() })
}

/// The body of a file that was read when the skill was loaded.
pub fn body(text: &str) -> Option<&str> {
    split(text).map(|(_, body)| body)
}

const OPENING: &str = "---\n";
const CLOSING: &str = "\n---\n";

/// What the expression `KEY[\s]*(.+)` takes first, and its byte. White space after the colon may hold line ends: a key without a
/// value takes the next line for it. If nothing but white space follows, its last letter that ends no line is the value.
fn written<'a>(frontmatter: &'a str, key: &str) -> Option<(usize, &'a str)> {
    let is_space = |letter: char| letter.is_whitespace() || ('\x1c'..='\x1f').contains(&letter);
    frontmatter.match_indices(key).find_map(|(at, _)| {
        let after = at + key.len();
        let rest = &frontmatter[after..];
        let value = rest.trim_start_matches(is_space);
        let start = if value.is_empty() {
            rest.char_indices().rfind(|(_, letter)| *letter != '\n')?.0
        } else {
            rest.len() - value.len()
        };
        let line = rest[start..].split('\n').next().unwrap_or_default();
        Some((after + start, line))
    })
}

fn split(text: &str) -> Option<(&str, &str)> {
    text.strip_prefix(OPENING)?.split_once(CLOSING)
}

/// The byte of the text on disk that became this one when line ends were translated.
fn original(text: &str, translated: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    for _ in 0..translated {
        at += if bytes[at..].starts_with(b"\r\n") { 2 } else { 1 };
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str) -> Option<Manifest> {
        read(&SourceText::of_text("SKILL.md".into(), text.into()))
    }

    /// Name, description and body.
    fn parts(text: &str) -> (Option<String>, Option<String>, String) {
        let Manifest { name, description, body } = read_text(text).unwrap();
        (name.map(|value| value.text), description.map(|value| value.text), body)
    }

    fn some(text: &str) -> Option<String> {
        Some(text.to_owned())
    }

    #[test]
    fn takes_the_rest_of_the_line_and_the_first_match_anywhere() {
        assert_eq!(
            parts("---\nnickname: x\nname: a\ndescription: \"b: c\"  # d\n---\n\nbody\n"),
            (some("x"), some("\"b: c\"  # d"), "\nbody\n".into())
        );
        assert_eq!(parts("---\nname:\ndescription: >-\n  b\n---\n").0, some("description: >-"));
        assert_eq!(parts("---\nlicense: MIT\nname:\n---\n"), (None, None, String::new()));
    }

    #[test]
    fn needs_whole_lines_of_three_hyphens() {
        for text in ["", "name: a", "---\nname: a\n---", "--- \nname: a\n---\n", "---\n---\nb\n"] {
            assert_eq!(read_text(text), None, "{text:?}");
        }
        let marked = SourceText { bom: true, ..SourceText::of_text("SKILL.md".into(), "---\na: b\n---\n".into()) };
        assert_eq!(read(&marked), None);
    }

    #[test]
    fn places_values_in_the_text_on_disk() {
        let text = "---\r\nname:  单位 \r\n---\r\nbody\r\n";
        let manifest = read_text(text).unwrap();
        assert_eq!(manifest.name.unwrap().span.of(text), "单位");
        assert_eq!(manifest.body, "body\n");
    }

    #[test]
    fn finds_what_the_expression_of_the_demo_finds() {
        let texts = [
            "name: a",
            "name:a\nname: b",
            "nickname: x",
            "name:",
            "name: ",
            "name:\n",
            "name: \n\n",
            "name:\n \t\n",
            "name:\t\n\x1c\n",
            "name:\n\nb: c",
            "name: \u{3000}单位 \nx",
            "name:name: a",
            "name:\nname:",
            "name: a\r\n",
            "name:\r",
            "a\nname:\x1f v\n",
            "",
        ];
        let expression = regex::Regex::new(r"name:[\s\x1c-\x1f]*(.+)").unwrap();
        for text in texts {
            let expected =
                expression.captures(text).and_then(|found| found.get(1)).map(|found| (found.start(), found.as_str()));
            assert_eq!(written(text, "name:"), expected, "{text:?}");
        }
    }
}
