//! Places in a text as PyYAML writes them into its messages: line and column, and the line itself with a caret below.

use std::fmt;

/// The line ends that PyYAML knows.
const BREAKS: [char; 5] = ['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}'];
/// Characters of the line shown on either side of the place, at most.
const SHOWN: usize = 36;
/// Characters taken off again where a line is cut, for the dots.
const CUT: usize = 5;

/// A place in a text, by its byte.
#[derive(Debug, Clone, Copy)]
pub struct Mark<'a> {
    pub text: &'a str,
    pub at: usize,
}

impl fmt::Display for Mark<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (before, after) = self.text.split_at(self.at);
        let line = before.matches(BREAKS).count() - before.matches("\r\n").count();
        let start =
            before.rfind(BREAKS).map_or(0, |found| found + before[found..].chars().next().map_or(0, char::len_utf8));
        let left = before[start..].chars().count();
        let right = after.find(BREAKS).map_or(after, |end| &after[..end]);

        let (head, skipped) = if left > SHOWN { (" ... ", left - (SHOWN + 1) + CUT) } else { ("", 0) };
        let shown_left: String = before[start..].chars().skip(skipped).collect();
        let right_length = right.chars().count();
        let (tail, taken) = if right_length > SHOWN { (" ... ", SHOWN + 1 - CUT) } else { ("", right_length) };
        let shown_right: String = right.chars().take(taken).collect();

        let caret = 4 + head.len() + shown_left.chars().count();
        write!(f, "  in \"<unicode string>\", line {}, column {}:\n", line + 1, left + 1)?;
        write!(f, "    {head}{shown_left}{shown_right}{tail}\n{:caret$}^", "")
    }
}
