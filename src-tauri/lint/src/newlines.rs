//! Texts, line by line.

use memchr::memchr_iter;

/// The lines of a text with their ends, as `split_inclusive('\n')` gives them; faster if lines are short.
pub fn whole_lines(text: &str) -> impl Iterator<Item = &str> {
    let last = Some(text.len()).filter(|_| !text.is_empty() && !text.ends_with('\n'));
    let ends = memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1).chain(last);
    ends.scan(0, |start, end| Some(&text[std::mem::replace(start, end)..end]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_whole() {
        for text in ["", "a", "a\n", "\n", "\n\r\n中\nb", "a\n\n"] {
            let expected: Vec<&str> = text.split_inclusive('\n').collect();
            assert_eq!(whole_lines(text).collect::<Vec<_>>(), expected, "{text:?}");
        }
    }
}
