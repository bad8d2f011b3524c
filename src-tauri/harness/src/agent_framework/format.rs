//! `str.format`, as far as a template of instructions needs it: doubled braces, and fields by name with a conversion and
//! the alignment of texts.

use std::iter::Peekable;
use std::str::Chars;

use super::python;

/// A stretch of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    Text(String),
    Field(Field),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    pub name: String,
    /// `!r`, `!s` or `!a`.
    conversion: Option<char>,
    align: Align,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Align {
    fill: char,
    side: char,
    /// Characters, at least.
    width: usize,
    /// Characters of the value, at most.
    precision: Option<usize>,
}

impl Field {
    /// Whether the value is put in as it is.
    pub fn is_plain(&self) -> bool {
        matches!(self.conversion, None | Some('s')) && self.align == Align::NONE
    }

    pub fn apply(&self, value: &str) -> String {
        let value = match self.conversion {
            None | Some('s') => value.to_owned(),
            Some('r') => python::repr(value),
            Some(_) => ascii(&python::repr(value)),
        };
        self.align.apply(&value)
    }
}

/// Takes a template apart. `None` if Python takes it for no format string.
pub fn parse(template: &str) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut text = String::new();
    let mut letters = template.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '{' | '}' if letters.next_if_eq(&letter).is_some() => text.push(letter),
            '}' => return None,
            '{' => {
                pieces.push(Piece::Text(std::mem::take(&mut text)));
                pieces.push(Piece::Field(field(&mut letters)?));
            }
            _ => text.push(letter),
        }
    }
    pieces.push(Piece::Text(text));
    Some(pieces)
}

impl Align {
    const NONE: Self = Self { fill: ' ', side: '<', width: 0, precision: None };
    /// Wider than any template means.
    const WIDEST: usize = 1 << 16;

    /// `[[fill]align][0][width][.precision][s]`.
    fn parse(spec: &str) -> Option<Self> {
        let mut align = Self::NONE;
        let mut letters = spec.chars().peekable();
        let second = spec.chars().nth(1);
        if let Some(side @ ('<' | '>' | '^')) = second {
            align.fill = letters.next()?;
            align.side = side;
            letters.next();
        } else if let Some(side) = letters.next_if(|letter| matches!(letter, '<' | '>' | '^')) {
            align.side = side;
        } else if letters.next_if_eq(&'0').is_some() {
            align.fill = '0';
        }
        align.width = number(&mut letters)?.unwrap_or(0);
        if letters.next_if_eq(&'.').is_some() {
            align.precision = Some(number(&mut letters)??);
        }
        letters.next_if_eq(&'s');
        letters.next().is_none().then_some(align)
    }

    fn apply(&self, value: &str) -> String {
        let shown: String = value.chars().take(self.precision.unwrap_or(usize::MAX)).collect();
        let missing = self.width.saturating_sub(shown.chars().count());
        let left = match self.side {
            '>' => missing,
            '^' => missing / 2,
            _ => 0,
        };
        let fill = |count: usize| std::iter::repeat_n(self.fill, count);
        fill(left).chain(shown.chars()).chain(fill(missing - left)).collect()
    }
}

/// What is between `{` and `}`.
fn field(letters: &mut Peekable<Chars>) -> Option<Field> {
    let mut inner = String::new();
    loop {
        match letters.next()? {
            '}' => break,
            // A field in a field's specification.
            '{' => return None,
            letter => inner.push(letter),
        }
    }
    let (head, spec) = inner.split_once(':').unwrap_or((&inner, ""));
    let (name, conversion) = match head.split_once('!') {
        Some((name, conversion)) => {
            let mut letters = conversion.chars();
            let letter = letters.next().filter(|letter| matches!(letter, 'r' | 's' | 'a'))?;
            letters.next().is_none().then_some((name, Some(letter)))?
        }
        None => (head, None),
    };
    Some(Field { name: name.to_owned(), conversion, align: Align::parse(spec)? })
}

/// `None` inside: no digits; `None`: too many.
fn number(letters: &mut Peekable<Chars>) -> Option<Option<usize>> {
    let mut found = None;
    while let Some(digit) = letters.peek().and_then(|letter| letter.to_digit(10)) {
        let next = found.unwrap_or(0usize) * 10 + digit as usize;
        found = Some(next).filter(|number| *number <= Align::WIDEST);
        found?;
        letters.next();
    }
    Some(found)
}

fn ascii(text: &str) -> String {
    let escaped = |letter: char| match u32::from(letter) {
        0..=0x7F => letter.to_string(),
        code @ 0x80..=0xFF => format!("\\x{code:02x}"),
        code @ 0x100..=0xFFFF => format!("\\u{code:04x}"),
        code => format!("\\U{code:08x}"),
    };
    text.chars().map(escaped).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn format(template: &str, value: &str) -> Option<String> {
        let show = |piece| match piece {
            Piece::Text(text) => text,
            Piece::Field(field) => field.apply(value),
        };
        Some(parse(template)?.into_iter().map(show).collect())
    }

    #[test]
    fn doubled_braces_mean_themselves() {
        assert_eq!(format("{{a}} {x} }}{{", "v"), Some("{a} v }{".into()));
    }

    #[test]
    fn fields_may_convert_and_align() {
        assert_eq!(
            format("[{x!r}|{x:>4}|{x:*^5}|{x:.1}|{x!s:3s}|{x:03}]", "é'"),
            Some("[\"é'\"|  é'|*é'**|é|é' |é'0]".into())
        );
        assert_eq!(format("{x!a}", "é"), Some("'\\xe9'".into()));
    }

    #[test]
    fn knows_what_is_no_format_string() {
        for template in ["{", "}", "{a", "a}", "{x!z}", "{x!}", "{x:d}", "{x:{y}}", "{{}"] {
            assert_eq!(format(template, "v"), None, "{template}");
        }
    }
}
