//! Numbers, literals and comments.

use super::{Context, Parsed, Repair, Schema, is_space, nothing};
use crate::python::{Value, float, int};

impl Repair<'_> {
    pub fn number(&mut self) -> Parsed {
        let start = self.index;
        let mut written = String::new();
        let in_array = self.context() == Some(Context::Array);
        while let Some(letter) = self.at(0) {
            let is_of_it = letter.is_ascii_digit()
                || matches!(letter, '-' | '.' | 'e' | 'E' | '/' | ',' | '_')
                || letter == '+' && written.ends_with(['e', 'E']);
            if !is_of_it || in_array && letter == ',' {
                break;
            }
            if letter != '_' {
                written.push(letter);
            }
            self.index += 1;
        }
        if self.at(0).is_some_and(char::is_alphabetic) {
            // It was a text.
            self.index = start;
            return self.string();
        }
        if written.ends_with(['+', '-', 'e', 'E', '/', ',']) {
            written.pop();
            self.index -= 1;
        }
        let number = if written.contains(',') {
            None
        } else if written.contains(['.', 'e', 'E']) {
            float(&written).ok().map(Value::Float)
        } else {
            int(&written, 10).ok().map(Value::Int)
        };
        Ok(number.unwrap_or(Value::Text(written)))
    }

    /// One of `true`, `false`, `null` and `None` in any case, if it is whole.
    pub fn literal(&mut self) -> Option<Value> {
        let literals =
            [("true", Value::Bool(true)), ("false", Value::Bool(false)), ("null", Value::None), ("none", Value::None)];
        for (literal, value) in literals {
            let is_it = (0..)
                .zip(literal.chars())
                .all(|(offset, letter)| self.at(offset).is_some_and(|found| found.to_lowercase().eq([letter])));
            let length = literal.len();
            let behind = self.at(isize::try_from(length).unwrap_or_default());
            if is_it && behind.is_none_or(|letter| is_space(letter) || matches!(letter, ',' | ')' | ']' | '}')) {
                self.index += length;
                return Some(value);
            }
        }
        None
    }

    pub fn skip_comment(&mut self) {
        match (self.at(0), self.at(1)) {
            (Some('#'), _) => {
                let within = |context| self.is_within(context);
                let (array, value, key) = (within(Context::Array), within(Context::Value), within(Context::Key));
                while let Some(letter) = self.at(0) {
                    let is_end = matches!(letter, '\n' | '\r')
                        || letter == ']' && array
                        || letter == '}' && value
                        || letter == ':' && key;
                    if is_end {
                        return;
                    }
                    self.index += 1;
                }
            }
            (Some('/'), Some('/')) => {
                while self.at(0).is_some_and(|letter| !matches!(letter, '\n' | '\r')) {
                    self.index += 1;
                }
            }
            (Some('/'), Some('*')) => {
                self.index += 2;
                // `/*/` is whole.
                let mut before = Some('*');
                while let Some(letter) = self.at(0) {
                    self.index += 1;
                    if before == Some('*') && letter == '/' {
                        return;
                    }
                    before = Some(letter);
                }
            }
            (Some('/'), _) => self.index += 1,
            _ => {}
        }
    }

    pub fn comment(&mut self) -> Parsed {
        loop {
            self.skip_comment();
            if !self.contexts.is_empty() {
                return Ok(nothing());
            }
            self.skip_space();
            if !matches!(self.at(0), Some('#' | '/')) {
                return self.json(Schema::Any);
            }
        }
    }
}
