//! A `SKILL.md` as `parseFrontmatter` takes it apart.

use super::stripped::Stripped;
use super::yaml::{self, Text};
use crate::reasons::Refusal;
use skill::source::{SourceText, Span};

/// `skill.FrontMatter`. Spans are in the file's text.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Matter {
    pub name: Text,
    pub description: Text,
    pub context: Text,
    pub agent: Text,
    pub model: Text,
}

#[derive(Debug, PartialEq)]
pub struct Parsed {
    pub matter: Matter,
    /// Trimmed.
    pub body: String,
    /// The line that closes the frontmatter, if it has more than `---`.
    pub odd_closing: Option<Span>,
}

/// Why a file is not loaded. The framework's words are those from `failed to load skill from {path}: ` on.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    pub why: Refusal,
    pub span: Option<Span>,
}

/// Takes the text apart that the backend gave and `stripLineNumbers` left. A byte order mark is text: it stays in front
/// of the delimiter, unless a tab after it deletes it.
pub fn parse(source: &SourceText, stripped: &Stripped) -> Result<Parsed, Failure> {
    let all = Span::new(0, stripped.text.len()).trim(&stripped.text);
    let data = all.of(&stripped.text);
    let bom_stays = source.bom && stripped.lost.first().is_none_or(|lost| lost.start > 0);
    let Some(rest) = data.strip_prefix(DELIMITER).filter(|_| !bom_stays) else {
        return Err(unparsed("file does not start with frontmatter delimiter", Some(first_line(&source.text))));
    };
    let rest_start = all.start + DELIMITER.len();
    let Some(end) = rest.find(CLOSING) else {
        let opening = stripped.source(Span::new(all.start, rest_start));
        return Err(unparsed("frontmatter closing delimiter not found", Some(opening)));
    };
    let block = Span::new(rest_start, rest_start + end).trim(&stripped.text);
    if source.invalid_span().is_some_and(|span| block_holds(stripped, block, span)) {
        // Which byte is wrong is not kept; in texts of other encodings it is nearly always a trailing one.
        return Err(unmarshalled("yaml: invalid trailing UTF-8 octet".into(), source.invalid_span()));
    }
    let place = |span: Span| stripped.source(span.shift(block.start));
    let read =
        yaml::read(block.of(&stripped.text), "skill.FrontMatter", FIELDS).map_err(|yaml::Failure { why, span }| {
            match why {
                Refusal::Theirs(message) => unmarshalled(message, span.map(place)),
                Refusal::Ours(_) => Failure { why, span: span.map(place) },
            }
        })?;
    let [name, description, context, agent, model] = read.map(|text| Text { span: text.span.map(place), ..text });
    let content = &rest[end + CLOSING.len()..];
    let closing_line = content.split('\n').next().unwrap_or_default();
    let closing_start = rest_start + end + 1;
    let odd_closing = (!closing_line.trim().is_empty()).then(|| {
        stripped.source(Span::new(closing_start, closing_start + DELIMITER.len() + closing_line.trim_end().len()))
    });
    Ok(Parsed {
        matter: Matter { name, description, context, agent, model },
        body: content.trim().to_owned(),
        odd_closing,
    })
}

const DELIMITER: &str = "---";
/// Anything may come after it on the line.
const CLOSING: &str = "\n---";

const FIELDS: yaml::Fields<'static, 5> = [
    ("name", "string"),
    ("description", "string"),
    ("context", "skill.ContextMode"),
    ("agent", "string"),
    ("model", "string"),
];

fn unparsed(reason: &str, span: Option<Span>) -> Failure {
    Failure { why: format!("failed to parse frontmatter: {reason}").into(), span }
}

fn unmarshalled(message: String, span: Option<Span>) -> Failure {
    Failure { why: format!("failed to unmarshal frontmatter: {message}").into(), span }
}

fn first_line(text: &str) -> Span {
    Span::new(0, text.find('\n').unwrap_or(text.len()))
}

fn block_holds(stripped: &Stripped, block: Span, span: Span) -> bool {
    let block = stripped.source(block);
    (block.start..block.end).contains(&span.start)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<Parsed, String> {
        let source = SourceText::of_text("SKILL.md".into(), text.into());
        parse(&source, &Stripped::of(text)).map_err(|failure| failure.why.message().en)
    }

    fn body(text: &str) -> String {
        parsed(text).unwrap().body
    }

    #[test]
    fn takes_a_file_apart() {
        let text = "\n ---\nname: a\ndescription: >\n  b\n  c\ncontext: fork\nagent: x\nmodel: y\n---\n\n# Body\n\n";
        let found = parsed(text).unwrap();
        let Matter { name, description, context, agent, model } = &found.matter;
        let texts = [name, description, context, agent, model].map(|field| field.text.as_str());
        assert_eq!(texts, ["a", "b c\n", "fork", "x", "y"]);
        assert_eq!(name.span.unwrap().of(text), "a");
        assert_eq!((found.body.as_str(), found.odd_closing), ("# Body", None));
    }

    #[test]
    fn any_line_that_starts_with_three_dashes_closes_it() {
        assert_eq!(body("---\nname: a\n----\nx"), "-\nx");
        let text = "---\nname: a\n--- # end\nx";
        let found = parsed(text).unwrap();
        assert_eq!(found.body, "# end\nx");
        assert_eq!(found.odd_closing.unwrap().of(text), "--- # end");
        assert_eq!(body("--- name: a\n---"), "");
        assert_eq!(body("---\n---\nx"), "x", "an empty block is a map without fields");
    }

    #[test]
    fn line_ends_of_windows_stay_in_the_body() {
        let found = parsed("---\r\nname: a\r\n---\r\none\r\ntwo\r\n").unwrap();
        assert_eq!((found.matter.name.text.as_str(), found.body.as_str()), ("a", "one\r\ntwo"));
        assert_eq!(found.odd_closing, None);
    }

    #[test]
    fn a_tab_in_the_frontmatter_deletes_a_key() {
        let found = parsed("---\nname: a\ndescription: b\tname: c\n---\n");
        assert_eq!(
            found.unwrap_err(),
            "failed to unmarshal frontmatter: yaml: unmarshal errors:\n  line 2: mapping key \"name\" already defined \
             at line 1"
        );
    }

    #[test]
    fn says_why_there_is_no_frontmatter() {
        for text in ["", "# Title", "--", "-- -\n---"] {
            assert_eq!(
                parsed(text),
                Err("failed to parse frontmatter: file does not start with frontmatter delimiter".into())
            );
        }
        for text in ["---", "---\nname: a\n", "---\nname: a\n ---\n", "------"] {
            assert_eq!(
                parsed(text),
                Err("failed to parse frontmatter: frontmatter closing delimiter not found".into())
            );
        }
    }

    #[test]
    fn a_byte_order_mark_is_text() {
        let read = |text: &str| {
            let source = SourceText { bom: true, ..SourceText::of_text("SKILL.md".into(), text.into()) };
            parse(&source, &Stripped::of(text)).map(|parsed| parsed.body).map_err(|failure| failure.why.message().en)
        };
        assert!(read("---\nname: a\n---\nx").is_err_and(|reason| reason.ends_with("frontmatter delimiter")));
        assert_eq!(read("\t---\nname: a\n---\nx"), Ok("x".into()), "a tab deletes it");
    }
}
