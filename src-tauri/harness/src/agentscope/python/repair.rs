//! The package `json_repair` 0.64.6 as AgentScope uses it to repair the arguments of a call: in the mode for streams,
//! with a schema of one required text. It is a collection of guesses at what a model meant; these are the same guesses
//! in the same order, so its names are kept if there is no better one.

mod containers;
mod cursor;
mod parentheses;
mod scalars;
mod strings;

use std::cell::Cell;

use crate::python::{Value, is_too_long, loads, raw_decode};

/// The repaired value; `None` if it cannot be repaired. `parameter`: the text that must be there.
pub fn repaired(text: &str, parameter: &str) -> Option<Value> {
    if let Ok(value) = loads(text) {
        if value.get(parameter).is_some_and(|named| named.as_text().is_some()) {
            return Some(value);
        }
        if let Ok(value) = fitted(value, Schema::Whole, parameter) {
            return Some(value);
        }
    }
    let mut repair = Repair {
        text: text.chars().collect(),
        index: 0,
        contexts: Vec::new(),
        deferred: Vec::new(),
        has_tried_suffix: false,
        parameter,
        frames: 0,
        looks: Cell::new(LOOKS),
    };
    let value = repair.top_level().ok().filter(|_| repair.looks.get() > 0)?;
    // A text that is not an object has not been checked yet.
    matches!(value, Value::Dict(_)).then_some(value)
}

/// Looks at characters. Some guesses look at all that follows, again and again, and a model may write what it likes.
const LOOKS: u64 = 20_000_000;

/// Frames of Python. Its limit is 1000, and the program that calls has some.
const FRAMES: usize = 900;

struct Repair<'a> {
    text: Vec<char>,
    /// May are after the end.
    index: usize,
    contexts: Vec<Context>,
    /// Those in which the next value is read.
    deferred: Vec<Context>,
    has_tried_suffix: bool,
    parameter: &'a str,
    frames: usize,
    /// How many are left.
    looks: Cell<u64>,
}

/// A `ValueError`: it fits the schema in no way.
struct Unfit;

type Parsed = Result<Value, Unfit>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Context {
    Key,
    Value,
    Array,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Schema {
    Any,
    /// Of the arguments.
    Whole,
    /// Of the one parameter.
    Text,
}

/// `SchemaRepairer.repair_value`.
fn fitted(value: Value, schema: Schema, parameter: &str) -> Parsed {
    match (schema, value) {
        (Schema::Any, value) | (Schema::Text, value @ Value::Text(_)) => Ok(value),
        (Schema::Text, Value::Int(digits)) if is_too_long(&digits) => Err(Unfit),
        (Schema::Text, number @ (Value::Int(_) | Value::Float(_))) => Ok(Value::Text(number.to_str())),
        (Schema::Text, Value::None | Value::Bool(_) | Value::List(_) | Value::Dict(_)) => Err(Unfit),
        (Schema::Whole, Value::Dict(pairs)) => {
            let (named, others): (Vec<_>, Vec<_>) = pairs.into_iter().partition(|(key, _)| key == parameter);
            let (key, value) = named.into_iter().next().ok_or(Unfit)?;
            let value = fitted(value, Schema::Text, parameter)?;
            Ok(Value::Dict([(key, value)].into_iter().chain(others).collect()))
        }
        // An object in a text.
        (Schema::Whole, Value::Text(text)) => match loads(&text) {
            Ok(object @ Value::Dict(_)) => fitted(object, Schema::Whole, parameter),
            _ => Err(Unfit),
        },
        (Schema::Whole, Value::None | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::List(_)) => Err(Unfit),
    }
}

impl Repair<'_> {
    /// The first value, merged with further ones.
    fn top_level(&mut self) -> Parsed {
        let first = self.json(Schema::Whole)?;
        if self.index >= self.text.len() {
            return Ok(first);
        }
        let mut values = vec![first];
        while self.index < self.text.len() {
            self.contexts.clear();
            self.deferred.clear();
            let is_behind_comma = self.next_is_behind_comma();
            let value = self.json(Schema::Whole)?;
            if !value.is_true() {
                self.index += 1;
                continue;
            }
            let replaces =
                values.last().is_some_and(|last| !is_behind_comma && is_same_shape(last, &value) || !last.is_true());
            if replaces {
                values.pop();
            }
            values.push(value);
        }
        match values.len() {
            1 => Ok(values.remove(0)),
            _ => Err(Unfit),
        }
    }

    fn next_is_behind_comma(&self) -> bool {
        if self.at(self.scroll(0)) == Some(',') {
            return true;
        }
        let before = self.text[..self.index.min(self.text.len())].iter().rev();
        before.copied().find(|letter| !is_space(*letter)) == Some(',')
    }

    /// `parse_json`.
    fn json(&mut self, schema: Schema) -> Parsed {
        self.deepen(1)?;
        let deferred = std::mem::take(&mut self.deferred);
        let around = self.contexts.len();
        self.contexts.extend(deferred);
        let value = self.json_here(schema);
        self.contexts.truncate(around);
        self.frames -= 1;
        value
    }

    fn deepen(&mut self, frames: usize) -> Result<(), Unfit> {
        self.frames += frames;
        if self.frames > FRAMES { Err(Unfit) } else { Ok(()) }
    }

    fn json_here(&mut self, schema: Schema) -> Parsed {
        let mut may_lack_brace = self.index == 0 && self.contexts.is_empty();
        loop {
            let Some(letter) = self.at(0) else { return Ok(nothing()) };
            let valid = if matches!(letter, '{' | '[') { self.valid_value() } else { None };
            let value = match letter {
                _ if valid.is_some() => valid.unwrap_or(Value::None),
                '{' => {
                    self.index += 1;
                    self.object(schema)?
                }
                '[' => {
                    self.index += 1;
                    Value::List(self.array(']')?)
                }
                '(' if !self.contexts.is_empty() || self.parenthesis_starts_value() => self.parenthesized()?,
                letter if !self.contexts.is_empty() && (is_delimiter(letter) || letter.is_alphabetic()) => {
                    self.string()?
                }
                letter if !self.contexts.is_empty() && (letter.is_ascii_digit() || matches!(letter, '-' | '.')) => {
                    self.number()?
                }
                '#' | '/' => self.comment()?,
                letter if is_delimiter(letter) && may_lack_brace => {
                    may_lack_brace = false;
                    match self.object_without_brace(letter) {
                        Some(value) => value,
                        None => {
                            self.index += 1;
                            continue;
                        }
                    }
                }
                _ => {
                    self.index += 1;
                    continue;
                }
            };
            return fitted(value, schema, self.parameter);
        }
    }

    /// A value that needs no mending, with something else before or behind it.
    fn valid_value(&mut self) -> Option<Value> {
        if self.has_tried_suffix || !self.contexts.is_empty() || !(self.index != 0 || self.has_something_behind()) {
            return None;
        }
        self.has_tried_suffix = true;
        let rest: String = self.text[self.index..].iter().collect();
        let (value, end) = raw_decode(&rest)?;
        self.index += rest[..end].chars().count();
        Some(value)
    }

    /// Whether something other than a comma follows the container that the text begins with.
    fn has_something_behind(&self) -> bool {
        let mut open = Vec::new();
        let (mut in_text, mut is_escaped) = (false, false);
        for (place, letter) in self.text.iter().copied().enumerate() {
            match letter {
                _ if in_text && is_escaped => is_escaped = false,
                '\\' if in_text => is_escaped = true,
                '"' => in_text = !in_text,
                _ if in_text => {}
                '{' => open.push('}'),
                '[' => open.push(']'),
                '}' | ']' => {
                    if open.pop() != Some(letter) {
                        return false;
                    }
                    if open.is_empty() {
                        let mut behind = self.text[place + 1..].iter().filter(|letter| !is_space(**letter));
                        return behind.next().is_some_and(|letter| *letter != ',');
                    }
                }
                _ => {}
            }
        }
        false
    }

    fn object_without_brace(&mut self, delimiter: char) -> Option<Value> {
        let index = isize::try_from(self.index).ok()?;
        if self.scroll(-index) != 0 {
            return None;
        }
        let end_of_key = self.skip_to(&[delimiter], 1);
        self.at(end_of_key)?;
        if self.at(self.scroll(end_of_key + 1)) != Some(':') {
            return None;
        }
        let last = self.text.iter().rev().find(|letter| !is_space(**letter));
        if last != Some(&'}') {
            return None;
        }
        let whole: String = std::iter::once('{').chain(self.text.iter().copied()).collect();
        let (value, end) = raw_decode(&whole)?;
        if !whole[end..].trim_matches([' ', '\t', '\r', '\n']).is_empty() {
            return None;
        }
        self.index = self.text.len();
        Some(value)
    }

    fn context(&self) -> Option<Context> {
        self.contexts.last().copied()
    }

    fn is_within(&self, context: Context) -> bool {
        self.contexts.contains(&context)
    }
}

fn nothing() -> Value {
    Value::Text(String::new())
}

fn is_space(letter: char) -> bool {
    crate::python::is_space(letter)
}

fn is_delimiter(letter: char) -> bool {
    matches!(letter, '"' | '\'' | '“' | '”')
}

/// The same types, lengths and keys all the way down.
fn is_same_shape(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Dict(one), Value::Dict(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .all(|(key, value)| crate::python::get(other, key).is_some_and(|other| is_same_shape(value, other)))
        }
        (Value::List(one), Value::List(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| is_same_shape(one, other))
        }
        _ => one.type_name() == other.type_name(),
    }
}

#[cfg(test)]
mod tests;
