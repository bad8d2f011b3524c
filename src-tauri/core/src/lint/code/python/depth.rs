//! How deep Python code lies in other code, told before it is parsed: what walks over a tree is recursive.

use ruff_python_ast::token::TokenKind;
use ruff_python_parser::{Mode, lexer};

/// What is inside of what, at most.
const LIMIT: usize = 160;

/// Whether no expression is so deep that a recursive walk would need much stack. Brackets, blocks and operators all
/// make a tree deeper; commas and line ends begin anew.
pub fn is_shallow(source: &str) -> bool {
    has_short_lines(source, LIMIT) || is_within(source, LIMIT)
}

fn is_within(source: &str, limit: usize) -> bool {
    let mut lexer = lexer::lex(source, Mode::Module);
    let mut blocks = 0_usize;
    let mut open: Vec<usize> = vec![0];
    let mut depth = 0_usize;
    // The commas of a lambda do not end it.
    let mut lambdas = 0_usize;
    loop {
        let kind = lexer.next_token();
        match kind {
            TokenKind::EndOfFile => return true,
            TokenKind::Indent => blocks += 1,
            TokenKind::Dedent => blocks = blocks.saturating_sub(1),
            TokenKind::Newline => {
                open.truncate(1);
                open[0] = 0;
                (depth, lambdas) = (0, 0);
            }
            TokenKind::Comma | TokenKind::Semi => depth -= open.last_mut().map_or(0, std::mem::take),
            TokenKind::Lpar
            | TokenKind::Lsqb
            | TokenKind::Lbrace
            | TokenKind::FStringStart
            | TokenKind::TStringStart => {
                // A call makes what it is called on deeper, too.
                deepen(&mut open, &mut depth);
                open.push(0);
            }
            TokenKind::Rpar | TokenKind::Rsqb | TokenKind::Rbrace | TokenKind::FStringEnd | TokenKind::TStringEnd
                if open.len() > 1 =>
            {
                depth -= open.pop().unwrap_or_default();
            }
            TokenKind::Lambda => lambdas += 1,
            TokenKind::Dot => deepen(&mut open, &mut depth),
            _ if kind.is_operator() || kind.is_non_soft_keyword() => deepen(&mut open, &mut depth),
            _ => {}
        }
        if depth + open.len() + blocks + lambdas > limit {
            return false;
        }
    }
}

fn deepen(open: &mut [usize], depth: &mut usize) {
    if let Some(last) = open.last_mut() {
        *last += 1;
        *depth += 1;
    }
}

/// Whether no statement has so many words and marks that anything in it can be deep, wherever it may lie in what. Also
/// `false` where it would take a lexer to tell where a statement ends.
fn has_short_lines(source: &str, limit: usize) -> bool {
    let bytes = source.as_bytes();
    // Brackets that are open, the deepest margin, and how deep the words and marks of the statement so far can be.
    let (mut open, mut indented, mut deepest) = (0_usize, run(bytes, is_margin), 1_usize);
    let (mut at, mut word) = (indented, 0..0);
    while let Some(&byte) = bytes.get(at) {
        let start = at;
        at += 1;
        deepest += match byte {
            b' ' => 0,
            _ if is_part(&byte) => {
                at += run(&bytes[at..], is_part);
                word = start..at;
                // A keyword may follow a number without a gap.
                if byte.is_ascii_digit() { 2 } else { 1 }
            }
            b'(' | b'[' | b'{' => {
                open += 1;
                2
            }
            b')' | b']' | b'}' => {
                open = open.saturating_sub(1);
                1
            }
            b'"' | b'\'' => {
                let prefix = if word.end == start { &bytes[word.clone()] } else { &[] };
                let Some((end, fields)) = text_end(bytes, start, prefix) else { return false };
                at = end;
                2 + fields
            }
            b'#' => {
                at += run(&bytes[at..], |byte| !matches!(byte, b'\n' | b'\r'));
                0
            }
            b'\\' if bytes.get(at) != Some(&b'\n') => return false,
            b'\\' => {
                at += 1;
                0
            }
            b'\n' => {
                at += run(&bytes[at..], is_margin);
                indented = indented.max(at - start - 1);
                if open == 0 {
                    deepest = 1;
                }
                0
            }
            _ => 1,
        };
        if deepest + indented > limit {
            return false;
        }
    }
    true
}

/// How many bytes there are of a kind, to begin with.
fn run(bytes: &[u8], is_in: impl Fn(&u8) -> bool) -> usize {
    bytes.iter().take_while(|byte| is_in(byte)).count()
}

fn is_part(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii()
}

fn is_margin(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\x0c')
}

/// Where a text ends that begins with the quote at a place, and how deep its fields can be; `None`: that takes a lexer.
fn text_end(bytes: &[u8], start: usize, prefix: &[u8]) -> Option<(usize, usize)> {
    let quote = bytes[start];
    let width = if bytes[start..].starts_with(&[quote; 3]) { 3 } else { 1 };
    let has_fields = prefix.iter().any(|byte| matches!(byte, b'f' | b'F' | b't' | b'T'));
    let (mut at, mut fields) = (start + width, 0);
    loop {
        let byte = *bytes.get(at)?;
        at += 1;
        match byte {
            b'\n' | b'\r' if width == 1 => return None,
            b'\\' if has_fields && matches!(bytes.get(at), Some(b'{' | b'}')) => return None,
            b'\\' => at += 1,
            b'{' | b'}' if has_fields && bytes.get(at) == Some(&byte) => at += 1,
            b'{' if has_fields => {
                let length = field_length(&bytes[at..])?;
                at += length;
                fields += 2 + 2 * length;
            }
            _ if byte == quote && bytes[at - 1..].starts_with(&[quote; 3][..width]) => {
                return Some((at - 1 + width, fields));
            }
            _ => {}
        }
    }
}

/// Bytes of a field with nothing in it that hides where it ends.
fn field_length(bytes: &[u8]) -> Option<usize> {
    let mut open = 0_usize;
    for (length, byte) in bytes.iter().enumerate() {
        match byte {
            b'}' if open == 0 => return Some(length + 1),
            b'(' | b'[' => open += 1,
            b')' | b']' => open = open.checked_sub(1)?,
            b'"' | b'\'' | b'\\' | b'\n' | b'\r' | b'{' | b'}' | b'#' => return None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn scripts_as_people_write_them_have_short_lines() {
        let script = "#!/usr/bin/env python3\n\"\"\"Reads {it.\n\nAll (of it.\"\"\"\nimport sys\n\n\
            def rows(path: str) -> list[str]:\n    # it's (a list\n    return [\n        line.strip()  # each\n        \
            for line in open(path)\n    ]\n\nprint(f\"{len(rows(sys.argv[1]))} rows, {{all}}\", r'\\'', file=sys.stderr)\n";
        assert!(has_short_lines(&script.repeat(50), LIMIT));
    }

    #[test]
    fn what_hides_the_end_of_a_statement_takes_a_lexer() {
        for text in
            ["x = f\"{a['b']}\"\n", "x = f'{a:{w}}'\n", "x = 'a\n", "x = '''a\n", "x = $\\\r\n", "rf'\\{a[\"'\n"]
        {
            assert!(!has_short_lines(text, LIMIT), "{text}");
        }
    }

    proptest! {
        #[test]
        fn nothing_deep_has_short_lines(pieces in proptest::collection::vec(proptest::sample::select(PIECES.to_vec()), 0..40)) {
            let text = pieces.concat();
            for limit in [4, 8, 12] {
                prop_assert!(!has_short_lines(&text, limit) || is_within(&text, limit), "{limit} {text:?}");
            }
        }
    }

    const PIECES: [&str; 48] = [
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "\"",
        "'",
        "\"\"\"",
        "'''",
        "f\"",
        "rf'",
        "f'''",
        "t\"",
        "b'",
        "if\"",
        "\\",
        "\\\n",
        "\n",
        "\n ",
        "\n  ",
        "\n\t",
        "\r",
        "\r\n",
        "#",
        ":",
        ",",
        ";",
        ".a",
        "+",
        "-",
        "not ",
        "lambda: ",
        "lambda a, b: ",
        "a",
        "1",
        "1if ",
        " else ",
        "é",
        " ",
        "{{",
        "}}",
        "{a}",
        "!r",
        "=",
        "\u{c}",
        "if x:",
        "\u{feff}",
    ];
}
