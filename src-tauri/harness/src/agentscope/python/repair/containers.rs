//! Objects and arrays.

use super::{Context, Parsed, Repair, Schema, Unfit, is_delimiter, is_space, nothing};
use crate::python::Value;

type Pairs = Vec<(String, Value)>;

/// How to treat an object in which nothing was found.
enum Empty {
    Keep,
    /// Its quotes were escaped.
    Unescaped(Vec<char>),
    Array,
}

impl Repair<'_> {
    /// After the opening brace, or where one is missing.
    pub fn object(&mut self, schema: Schema) -> Parsed {
        self.deepen(3)?;
        let value = self.object_here(schema);
        self.frames -= 3;
        value
    }

    fn object_here(&mut self, schema: Schema) -> Parsed {
        let mut pairs = Pairs::new();
        let start = self.index;
        let is_value = self.context() == Some(Context::Value);
        loop {
            self.skip_space_and_comments();
            match self.at(0) {
                None | Some('}') => break,
                Some(',') => {
                    self.index += 1;
                    continue;
                }
                Some(':') => self.index += 1,
                Some(_) => {}
            }
            let (key, rollback) = self.key(&mut pairs)?;
            let is_known = pairs.iter().any(|(known, _)| *known == key);
            if self.is_within(Context::Array) && is_known && !is_value && self.splits_at(rollback) {
                self.index = rollback.saturating_sub(1);
                let behind = (self.index + 1).min(self.text.len());
                self.text.insert(behind, '{');
                break;
            }
            self.skip_space_and_comments();
            if matches!(self.at(0), None | Some('}')) {
                continue;
            }
            self.index += 1;
            let of_value = match schema {
                Schema::Whole if key == self.parameter => Schema::Text,
                Schema::Any | Schema::Whole | Schema::Text => Schema::Any,
            };
            let value = self.value(of_value)?;
            put(&mut pairs, key, value);
            if matches!(self.at(0), Some(',' | '\'' | '"')) {
                self.index += 1;
            }
            if self.at(0) == Some(']') && self.is_within(Context::Array) {
                self.index -= 1;
                break;
            }
        }
        self.index += 1;
        if pairs.is_empty()
            && let Some(value) = self.of_empty(start, schema)?
        {
            return Ok(value);
        }
        self.completed(pairs, schema)
    }

    fn key(&mut self, pairs: &mut Pairs) -> Result<(String, usize), Unfit> {
        self.contexts.push(Context::Key);
        let mut key = String::new();
        let mut rollback = self.index;
        while let Some(letter) = self.at(0) {
            rollback = self.index;
            if letter == '[' && key.is_empty() && self.goes_on_with_array(pairs)? {
                continue;
            }
            let Value::Text(text) = self.string()? else { return Err(Unfit) };
            key = text;
            if key.is_empty() {
                self.skip_space_and_comments();
            }
            if !key.is_empty() || matches!(self.at(0), Some(':' | '}')) {
                break;
            }
        }
        self.contexts.pop();
        Ok((key, rollback))
    }

    fn value(&mut self, schema: Schema) -> Parsed {
        self.contexts.push(Context::Value);
        self.skip_space_and_comments();
        let value = match self.at(0) {
            Some(',' | '}') => Ok(nothing()),
            _ => self.json(schema),
        };
        self.contexts.pop();
        value
    }

    /// Whether a key that is there already begins another object.
    fn splits_at(&self, rollback: usize) -> bool {
        let before = self.piece(0, rollback).iter().rev().find(|letter| !is_space(**letter));
        let is_quoted = self.text.get(rollback).is_some_and(|letter| is_delimiter(*letter));
        let next = self.at(self.scroll(0));
        !(is_quoted && before == Some(&',') && next == Some(':'))
    }

    /// An array in place of a key continues the array before it.
    fn goes_on_with_array(&mut self, pairs: &mut Pairs) -> Result<bool, Unfit> {
        if !matches!(pairs.last(), Some((key, Value::List(_))) if !key.is_empty()) {
            return Ok(false);
        }
        self.index += 1;
        let further = self.array(']')?;
        if let Some((_, Value::List(list))) = pairs.last_mut() {
            merge(list, further);
        }
        self.skip_space_and_comments();
        if self.at(0) == Some(',') {
            self.index += 1;
        }
        self.skip_space_and_comments();
        Ok(true)
    }

    fn of_empty(&mut self, start: usize, schema: Schema) -> Result<Option<Value>, Unfit> {
        if self.index <= start + 2 {
            return Ok(None);
        }
        let body = self.piece(start, self.index - 1);
        if self.at(-1) == Some('}') && without_comments(body).iter().all(|letter| is_space(*letter)) {
            return Ok(None);
        }
        match self.kind_of_empty(start) {
            Empty::Keep => Ok(None),
            Empty::Unescaped(object) => {
                let behind = self.piece(self.index + 1, self.text.len()).to_vec();
                self.text.truncate(start.saturating_sub(1));
                self.text.extend(object);
                self.text.extend(behind);
                self.index = start;
                self.contexts.push(Context::Key);
                let value = self.object(schema);
                self.contexts.pop();
                self.deferred.push(Context::Key);
                value.map(Some)
            }
            Empty::Array => {
                self.index = start;
                self.contexts.push(Context::Key);
                let values = self.array(']');
                self.contexts.pop();
                self.deferred.push(Context::Key);
                values.map(|values| Some(Value::List(values)))
            }
        }
    }

    fn kind_of_empty(&self, start: usize) -> Empty {
        let attempted: String = self.piece(start.saturating_sub(1), self.index + 1).iter().collect();
        let mut letters = attempted.chars();
        letters.next();
        let body = letters.as_str();
        let body = body.strip_suffix('}').unwrap_or(body).trim_start_matches(is_space);
        if body.is_empty() {
            return Empty::Keep;
        }
        let is_escaped = |quote: char| body.starts_with(&format!("\\{quote}")) && body.contains(&format!("\\{quote}:"));
        if is_escaped('"') || is_escaped('\'') {
            return Empty::Unescaped(attempted.replace("\\\"", "\"").replace("\\'", "'").chars().collect());
        }
        let body = without_comments(&body.chars().collect::<Vec<_>>());
        if body.iter().all(|letter| is_space(*letter)) {
            return Empty::Keep;
        }
        let mut quote = None;
        let mut backslashes = 0;
        for letter in body {
            if letter == '\\' {
                backslashes += 1;
                continue;
            }
            let is_bare = backslashes % 2 == 0;
            backslashes = 0;
            match quote {
                Some(open) if letter == open && is_bare => quote = None,
                Some(_) => {}
                None if is_delimiter(letter) && is_bare => quote = Some(letter),
                None if letter == ':' && is_bare => return Empty::Keep,
                None => {}
            }
        }
        Empty::Array
    }

    fn completed(&mut self, mut pairs: Pairs, schema: Schema) -> Parsed {
        if let Some(context) = self.context() {
            if self.at(0) == Some('}') && context == Context::Array {
                self.index += 1;
            }
            return Ok(Value::Dict(pairs));
        }
        self.skip_space();
        if self.at(0) == Some(',') {
            self.index += 1;
            self.skip_space();
            if self.at(0).is_some_and(is_delimiter)
                && let Value::Dict(further) = self.object(schema)?
            {
                further.into_iter().for_each(|(key, value)| put(&mut pairs, key, value));
            }
        }
        let lacks = schema == Schema::Whole && !pairs.iter().any(|(key, _)| key == self.parameter);
        if lacks { Err(Unfit) } else { Ok(Value::Dict(pairs)) }
    }

    /// Behind the opening bracket.
    pub fn array(&mut self, closing: char) -> Result<Vec<Value>, Unfit> {
        self.deepen(2)?;
        let is_value = self.context() == Some(Context::Value);
        let mut values = Vec::new();
        self.contexts.push(Context::Array);
        let mut ends_before_member = false;
        loop {
            self.skip_space_and_comments();
            let letter = match self.at(0) {
                None | Some('}') => break,
                Some(letter) if letter == closing => break,
                Some(',') => {
                    self.index += 1;
                    continue;
                }
                Some(letter) => letter,
            };
            let value = if !is_delimiter(letter) {
                self.json(Schema::Any)?
            } else if self.at(self.scroll(self.skip_to(&[letter], 1) + 1)) != Some(':') {
                self.string()?
            } else {
                let is_scalar = |value: &Value| !matches!(value, Value::Dict(_) | Value::List(_));
                if is_value && !values.is_empty() && values.iter().all(is_scalar) {
                    ends_before_member = true;
                    break;
                }
                self.object(Schema::Any)?
            };
            let is_dots = matches!(&value, Value::Text(text) if text == "...");
            if is_empty(&value) && self.at(0).is_none_or(|letter| letter != closing && letter != ',') {
                self.index += 1;
            } else if !(is_dots && self.at(-1) == Some('.')) {
                values.push(value);
            }
        }
        if !ends_before_member {
            self.index += 1;
        }
        self.contexts.pop();
        self.frames -= 2;
        Ok(values)
    }
}

fn put(pairs: &mut Pairs, key: String, value: Value) {
    match pairs.iter_mut().find(|(known, _)| *known == key) {
        Some((_, known)) => *known = value,
        None => pairs.push((key, value)),
    }
}

fn is_empty(value: &Value) -> bool {
    matches!(value, Value::Text(_) | Value::List(_) | Value::Dict(_)) && !value.is_true()
}

/// Rows that were written without their array are put together, if the others have one length.
fn merge(list: &mut Vec<Value>, mut further: Vec<Value>) {
    let lengths: Vec<usize> = list
        .iter()
        .filter_map(|item| match item {
            Value::List(row) => Some(row.len()),
            _ => None,
        })
        .collect();
    let length = lengths.first().copied().filter(|first| *first > 0 && lengths.iter().all(|length| length == first));
    let is_row = |item: &Value| matches!(item, Value::List(_));
    let Some(length) = length else {
        match &mut further[..] {
            [Value::List(row)] => list.append(row),
            _ => list.append(&mut further),
        }
        return;
    };
    let kept = list.iter().rposition(is_row).map_or(0, |last| last + 1);
    let tail = list.split_off(kept);
    match tail.len() % length {
        0 => list.extend(tail.chunks(length).map(|row| Value::List(row.to_vec()))),
        _ => list.extend(tail),
    }
    if further.is_empty() {
        return;
    }
    match further.iter().all(is_row) {
        true => list.append(&mut further),
        false => list.push(Value::List(further)),
    }
}

fn without_comments(body: &[char]) -> Vec<char> {
    let mut out = Vec::new();
    let mut quote = None;
    let mut backslashes = 0;
    let mut place = 0;
    while let Some(&letter) = body.get(place) {
        let next = body.get(place + 1).copied();
        if letter == '\\' {
            backslashes += 1;
            out.push(letter);
            place += 1;
            continue;
        }
        let is_bare = backslashes % 2 == 0;
        backslashes = 0;
        match quote {
            Some(open) if letter == open && is_bare => quote = None,
            Some(_) => {}
            None if is_delimiter(letter) && is_bare => quote = Some(letter),
            None if letter == '#' || letter == '/' && next == Some('/') => {
                place += if letter == '/' { 2 } else { 1 };
                while body.get(place).is_some_and(|letter| !matches!(letter, '\n' | '\r')) {
                    place += 1;
                }
                continue;
            }
            None if letter == '/' && next == Some('*') => {
                place += 2;
                while place + 1 < body.len() && body[place..place + 2] != ['*', '/'] {
                    place += 1;
                }
                place = (place + 2).min(body.len());
                continue;
            }
            None => {}
        }
        out.push(letter);
        place += 1;
    }
    out
}
