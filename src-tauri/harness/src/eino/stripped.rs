//! `stripLineNumbers`: meant for backends that number lines, it deletes everything up to and with the first tab of
//! every line of any file.

use skill::source::Span;

/// The stripped text, and a map back to the original place of each byte.
#[derive(Debug, PartialEq)]
pub struct Stripped {
    pub text: String,
    /// The deleted parts, as places in the original text.
    pub lost: Vec<Span>,
    /// Where each line begins: in this text, and in the original.
    lines: Vec<(usize, usize)>,
}

impl Stripped {
    pub fn of(text: &str) -> Self {
        let mut stripped = Self { text: String::with_capacity(text.len()), lost: Vec::new(), lines: Vec::new() };
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let kept = line.find('\t').map_or(0, |tab| tab + 1);
            if kept > 0 {
                stripped.lost.push(Span::new(start, start + kept));
            }
            stripped.lines.push((stripped.text.len(), start + kept));
            stripped.text.push_str(&line[kept..]);
            start += line.len();
        }
        stripped
    }

    /// A range of this text as one of the text before.
    pub fn source(&self, span: Span) -> Span {
        let start = self.before(span.start);
        let end = if span.is_empty() { start } else { self.before(span.end - 1) + 1 };
        Span::new(start, end)
    }

    fn before(&self, at: usize) -> usize {
        let after = self.lines.partition_point(|(here, _)| *here <= at);
        let Some((here, before)) = after.checked_sub(1).map(|line| self.lines[line]) else { return at };
        before + (at - here)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deletes_up_to_the_first_tab_of_each_line() {
        let text = "a\n\techo hi\ncol1\tcol2\tcol3\r\n中\t\nend";
        let stripped = Stripped::of(text);
        assert_eq!(stripped.text, "a\necho hi\ncol2\tcol3\r\n\nend");
        let lost: Vec<&str> = stripped.lost.iter().map(|span| span.of(text)).collect();
        assert_eq!(lost, ["\t", "col1\t", "中\t"]);
        for word in ["a", "echo", "col2", "end"] {
            let at = stripped.text.find(word).unwrap();
            assert_eq!(stripped.source(Span::new(at, at + word.len())).of(text), word);
        }
    }

    #[test]
    fn an_empty_text_stays_empty() {
        assert_eq!(Stripped::of("").source(Span::new(0, 0)), Span::new(0, 0));
    }
}
