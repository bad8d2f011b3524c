//! The `---` block at the top of a `SKILL.md`: where it is, and the fields in it.

use super::{Frontmatter, yaml};
use crate::source::Span;

/// How a text begins.
#[derive(Debug, Clone, PartialEq)]
pub enum Split {
    /// The first line is not `---`.
    Missing,
    /// No later line is `---`; the span is the opening one.
    Unclosed(Span),
    Closed(Block),
}

/// The parts of a text that begins with frontmatter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block {
    /// From the opening `---` to the end of the closing one.
    pub block: Span,
    pub yaml: Span,
    pub body: Span,
}

/// Finds the block. Delimiters are alone on their line; only white space may follow them.
pub fn split(text: &str) -> Split {
    let mut lines = lines(text);
    let Some(opening) = lines.next().filter(|line| is_delimiter(line.of(text))) else {
        return Split::Missing;
    };
    match lines.find(|line| is_delimiter(line.of(text))) {
        Some(closing) => Split::Closed(Block {
            block: Span::new(0, closing.start + DELIMITER.len()),
            yaml: Span::new(opening.end, closing.start),
            body: Span::new(closing.end, text.len()),
        }),
        None => Split::Unclosed(Span::new(0, DELIMITER.len())),
    }
}

/// The fields of a block, up to the first error.
pub fn parse(text: &str, block: Block) -> (Frontmatter, Option<yaml::YamlError>) {
    let yaml::Parsed { mut fields, error } = yaml::parse(block.yaml.of(text));
    for field in &mut fields {
        field.key_span = field.key_span.shift(block.yaml.start);
        field.value_span = field.value_span.shift(block.yaml.start);
    }
    let error = error.map(|error| yaml::YamlError { span: error.span.shift(block.yaml.start), ..error });
    (Frontmatter { block: block.block, yaml: block.yaml, fields }, error)
}

const DELIMITER: &str = "---";

fn is_delimiter(line: &str) -> bool {
    line.strip_prefix(DELIMITER).is_some_and(|rest| rest.trim().is_empty())
}

/// Lines with their line ends.
fn lines(text: &str) -> impl Iterator<Item = Span> {
    text.split_inclusive('\n').scan(0, |start, line| {
        let span = Span::new(*start, *start + line.len());
        *start = span.end;
        Some(span)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Field, YamlValue};

    fn parts(text: &str) -> Option<[&str; 3]> {
        match split(text) {
            Split::Closed(Block { block, yaml, body }) => Some([block.of(text), yaml.of(text), body.of(text)]),
            Split::Missing | Split::Unclosed(_) => None,
        }
    }

    #[test]
    fn splits_at_lines_of_three_hyphens() {
        assert_eq!(parts("---\na: b\n---\nbody\n"), Some(["---\na: b\n---", "a: b\n", "body\n"]));
        assert_eq!(parts("--- \r\na: b\r\n---\t\r\nbody"), Some(["--- \r\na: b\r\n---", "a: b\r\n", "body"]));
        assert_eq!(parts("---\n---"), Some(["---\n---", "", ""]));
        assert_eq!(
            parts("---\na: ---\n  ---\n---\n---\n"),
            Some(["---\na: ---\n  ---\n---", "a: ---\n  ---\n", "---\n"])
        );
    }

    #[test]
    fn needs_both_lines() {
        for text in ["", "\n---\na: b\n---\n", "# Title\n", " ---\n---\n", "----\n---\n", "---a\n---\n"] {
            assert_eq!(split(text), Split::Missing, "{text:?}");
        }
        assert_eq!(split("---\na: b\n"), Split::Unclosed(Span::new(0, 3)));
        assert_eq!(split("---"), Split::Unclosed(Span::new(0, 3)));
    }

    #[test]
    fn spans_count_from_the_start_of_the_file() {
        let text = "---\r\nname: 单位\r\n---\r\n";
        let Split::Closed(block) = split(text) else { panic!("the block is closed") };
        let (frontmatter, error) = parse(text, block);
        let expected = Field {
            key: "name".into(),
            key_span: Span::new(5, 9),
            value: YamlValue::Scalar { text: "单位".into(), plain: true },
            value_span: Span::new(11, 17),
        };
        assert_eq!((frontmatter.fields, error), (vec![expected], None));
    }

    #[test]
    fn errors_count_from_the_start_of_the_file() {
        let text = "---\nname: a: b\n---\n";
        let Split::Closed(block) = split(text) else { panic!("the block is closed") };
        assert_eq!(parse(text, block).1.map(|error| error.span), Some(Span::new(11, 12)));
    }
}
