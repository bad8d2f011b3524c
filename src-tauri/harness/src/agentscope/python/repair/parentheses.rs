//! Tuples of Python, and values in parentheses.

use super::{Parsed, Repair, is_delimiter, is_space};
use crate::python::Value;

impl Repair<'_> {
    pub fn parenthesized(&mut self) -> Parsed {
        let is_tuple = self.is_tuple();
        self.index += 1;
        let mut values = self.array(')')?;
        Ok(if is_tuple || values.len() != 1 { Value::List(values) } else { values.remove(0) })
    }

    /// Whether there is a comma in the parentheses, or nothing.
    fn is_tuple(&self) -> bool {
        let (mut parentheses, mut brackets, mut braces) = (0u32, 0u32, 0u32);
        let mut has_content = false;
        for (letter, is_quoted) in self.unquoted() {
            let is_outer = parentheses == 0 && brackets == 0 && braces == 0;
            if is_quoted {
                has_content |= is_outer;
                continue;
            }
            has_content |= is_outer && !is_space(letter) && !matches!(letter, ',' | ')');
            match letter {
                '(' => parentheses += 1,
                ')' if is_outer => return !has_content,
                ')' => parentheses = parentheses.saturating_sub(1),
                '[' => brackets += 1,
                ']' => brackets = brackets.saturating_sub(1),
                '{' => braces += 1,
                '}' => braces = braces.saturating_sub(1),
                ',' if is_outer => return true,
                _ => {}
            }
        }
        !has_content
    }

    /// Whether a parenthesis outside of everything looks like a value and not like prose: alone on its line.
    pub fn parenthesis_starts_value(&self) -> bool {
        let before = self.piece(0, self.index).iter().rev().take_while(|letter| !matches!(letter, '\n' | '\r'));
        if before.into_iter().any(|letter| !is_space(*letter)) {
            return false;
        }
        let offset = self.scroll(1);
        let Some(first) = self.at(offset) else { return false };
        let from = self.index.saturating_add_signed(offset);
        let word: String = self.piece(from, from + 5).iter().flat_map(|letter| letter.to_lowercase()).collect();
        let is_word = ["true", "null", "none", "false"].iter().any(|known| word.starts_with(known));
        let is_start =
            matches!(first, ')' | '{' | '[' | '(' | '-' | '.') || is_delimiter(first) || first.is_ascii_digit();
        if !is_start && !is_word {
            return false;
        }
        let (mut parentheses, mut brackets, mut braces) = (0i64, 0u32, 0u32);
        let mut letters = self.unquoted();
        while let Some((letter, is_quoted)) = letters.next() {
            match letter {
                _ if is_quoted => {}
                '(' => parentheses += 1,
                ')' if parentheses == 0 && brackets == 0 && braces == 0 => {
                    let behind = letters.rest().iter().take_while(|letter| !matches!(letter, '\n' | '\r'));
                    return behind.into_iter().all(|letter| is_space(*letter));
                }
                ')' => parentheses -= 1,
                '[' => brackets += 1,
                ']' => brackets = brackets.saturating_sub(1),
                '{' => braces += 1,
                '}' => braces = braces.saturating_sub(1),
                _ => {}
            }
        }
        true
    }

    /// The text after this character, without quoted parts: of these, only the opening quote.
    fn unquoted(&self) -> Unquoted<'_> {
        let rest = self.piece(self.index + 1, self.text.len());
        self.looks.set(self.looks.get().saturating_sub(rest.len() as u64));
        Unquoted { rest, backslashes: 0 }
    }
}

struct Unquoted<'a> {
    rest: &'a [char],
    backslashes: usize,
}

impl<'a> Unquoted<'a> {
    fn rest(&self) -> &'a [char] {
        self.rest
    }

    fn take(&mut self) -> Option<char> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }
}

impl Iterator for Unquoted<'_> {
    /// The character, and whether it opens a quoted part.
    type Item = (char, bool);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let letter = self.take()?;
            if letter == '\\' {
                self.backslashes += 1;
                continue;
            }
            let is_escaped = self.backslashes % 2 == 1;
            self.backslashes = 0;
            if !is_delimiter(letter) || is_escaped {
                return Some((letter, false));
            }
            while let Some(inner) = self.take() {
                if inner == '\\' {
                    self.backslashes += 1;
                    continue;
                }
                let is_end = inner == letter && self.backslashes.is_multiple_of(2);
                self.backslashes = 0;
                if is_end {
                    break;
                }
            }
            return Some((letter, true));
        }
    }
}
