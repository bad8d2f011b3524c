//! Texts, with whatever quotes they have.

use super::{Context, Parsed, Repair, Schema, Unfit, is_delimiter, is_space, nothing};
use crate::python::Value;

/// A text as far as it has been read.
struct Reading {
    lacks_quotes: bool,
    has_doubled_quotes: bool,
    left: char,
    /// The quote that ends it, and marks for low quotes that are open within.
    right: Vec<char>,
    text: Vec<char>,
    /// The last quote belonged to the text, so the next one does.
    is_unmatched: bool,
    /// A container that is part of the text may come.
    expects_container: bool,
    /// Containers that are part of the text.
    containers: Vec<char>,
    /// Behind the `[` that was read last.
    class_start: Option<usize>,
}

/// For a low quote, which ends with `”` or `"`.
const LOW: char = '\0';

enum Begun {
    Whole(Value),
    Open(Reading),
}

/// What a quote within a text is.
enum Quote {
    /// It ends the text.
    End,
    /// It was taken.
    Taken,
    /// A character without a special role.
    Other,
}

impl Reading {
    fn outer(&self) -> char {
        self.right.first().copied().unwrap_or('"')
    }

    fn active(&self) -> char {
        self.right.last().copied().unwrap_or('"')
    }

    fn is_in_low(&self) -> bool {
        self.active() == LOW
    }

    fn ends_with(&self, letter: char) -> bool {
        self.text.last() == Some(&letter)
    }

    fn push(&mut self, letter: char) {
        self.text.push(letter);
        match letter {
            '[' => self.class_start = Some(self.text.len()),
            ']' => self.class_start = None,
            _ => {}
        }
    }

    /// Puts it in place of the backslash at the end.
    fn replace(&mut self, letter: char) {
        self.text.pop();
        self.push(letter);
    }
}

impl Repair<'_> {
    /// `parse_string`.
    pub fn string(&mut self) -> Parsed {
        let mut reading = match self.begin()? {
            Begun::Whole(value) => return Ok(value),
            Begun::Open(reading) => reading,
        };
        let end = self.body(&mut reading);
        Ok(Value::Text(self.ended(reading, end)))
    }

    fn begin(&mut self) -> Result<Begun, Unfit> {
        if matches!(self.at(0), Some('#' | '/')) {
            return self.comment().map(Begun::Whole);
        }
        let first = loop {
            match self.at(0) {
                None => return Ok(Begun::Whole(nothing())),
                Some(letter) if is_delimiter(letter) || letter.is_alphanumeric() => break letter,
                Some(_) => self.index += 1,
            }
        };
        if let Some(text) = self.simple() {
            return Ok(Begun::Whole(Value::Text(text)));
        }
        let (left, right) = match first {
            '\'' => ('\'', '\''),
            '“' => ('“', '”'),
            _ => ('"', '"'),
        };
        let mut reading = Reading {
            lacks_quotes: false,
            has_doubled_quotes: false,
            left,
            right: vec![right],
            text: Vec::new(),
            is_unmatched: false,
            expects_container: false,
            containers: Vec::new(),
            class_start: None,
        };
        if first.is_alphanumeric() {
            if matches!(first.to_ascii_lowercase(), 't' | 'f' | 'n')
                && self.context() != Some(Context::Key)
                && let Some(literal) = self.literal()
            {
                return Ok(Begun::Whole(literal));
            }
            reading.lacks_quotes = true;
        } else {
            self.index += 1;
        }
        if self.at(0) == Some('`')
            && let Some(value) = self.fenced()?
        {
            return Ok(Begun::Whole(value));
        }
        if self.at(0) == Some(left) {
            return Ok(self.behind_doubled_quote(reading, right));
        }
        Ok(Begun::Open(reading))
    }

    /// A text with nothing in it that needs a guess.
    fn simple(&mut self) -> Option<String> {
        if self.at(0) != Some('"') {
            return None;
        }
        let rest = self.piece(self.index + 1, self.text.len());
        let length = rest.iter().position(|letter| matches!(letter, '"' | '\\' | '\n' | '\r'))?;
        if rest[length] != '"' {
            return None;
        }
        let next = rest[length + 1..].iter().copied().find(|letter| !is_space(*letter));
        let fits = match self.context() {
            Some(Context::Key) => next == Some(':'),
            Some(Context::Value) => matches!(next, Some(',' | '}') | None),
            Some(Context::Array) => matches!(next, Some(',' | ']') | None),
            None => next.is_none(),
        };
        let text = rest[..length].iter().collect();
        fits.then(|| {
            self.index += length + 2;
            text
        })
    }

    /// Reads a text between fences within quotes.
    fn fenced(&mut self) -> Result<Option<Value>, Unfit> {
        const FENCE: [char; 7] = ['`', '`', '`', 'j', 's', 'o', 'n'];
        if self.piece(self.index, self.index + 7) != FENCE {
            return Ok(None);
        }
        let end = self.index.saturating_add_signed(self.skip_to(&['`'], 7));
        if self.piece(end, end + 3) != &FENCE[..3] {
            return Ok(None);
        }
        self.index += 7;
        let value = self.json(Schema::Any)?;
        Ok(Some(value).filter(|value| *value != Value::Bool(false)))
    }

    fn behind_doubled_quote(&mut self, mut reading: Reading, right: char) -> Begun {
        let left = reading.left;
        let is_empty = matches!(
            (self.context(), self.at(1)),
            (Some(Context::Key), Some(':'))
                | (Some(Context::Value), Some(',' | '}'))
                | (Some(Context::Array), Some(',' | ']'))
        );
        if is_empty {
            self.index += 1;
            return Begun::Whole(nothing());
        }
        if self.at(1) == Some(left) {
            return Begun::Whole(nothing());
        }
        let end = self.skip_to(&[right], 1);
        if self.at(end + 1) == Some(right) {
            reading.has_doubled_quotes = true;
            self.index += 1;
            return Begun::Open(reading);
        }
        if self.at(end) == Some(right) {
            let outer = self.skip_to(&[right], end + 1);
            let behind = self.at(self.scroll(outer + 1));
            if self.context() == Some(Context::Value)
                && !self.is_space_up_to(end)
                && self.at(outer) == Some(right)
                && matches!(behind, Some(',' | '}') | None)
            {
                reading.push(left);
                reading.is_unmatched = true;
                self.index += 1;
                return Begun::Open(reading);
            }
        }
        match self.at(self.scroll(1)) {
            Some(next) if is_delimiter(next) || matches!(next, '{' | '[') => {
                self.index += 1;
                return Begun::Whole(nothing());
            }
            Some(',' | ']' | '}') => {}
            _ => self.index += 1,
        }
        Begun::Open(reading)
    }

    /// Reads up to the end of the text; what ends it is still there.
    fn body(&mut self, reading: &mut Reading) -> Option<char> {
        let outer = reading.outer();
        let mut letter = self.at(0);
        while let Some(found) = letter.filter(|letter| *letter != outer || reading.is_in_low()) {
            let is_end = match self.context() {
                Some(Context::Key) => found == ':' || is_space(found),
                Some(Context::Array) => matches!(found, ']' | ','),
                Some(Context::Value) | None => false,
            };
            if reading.lacks_quotes && is_end {
                break;
            }
            if found == '„' && !reading.ends_with('\\') {
                reading.right.push(LOW);
                letter = self.take(reading, found);
                continue;
            }
            if reading.is_in_low() && found == '”' {
                reading.right.pop();
                letter = self.take(reading, found);
                continue;
            }
            if let Some(length) = self.container_in_text(reading, found) {
                reading.expects_container = false;
                reading.containers.clear();
                let piece = self.piece(self.index, self.index + length).to_vec();
                piece.into_iter().for_each(|letter| reading.push(letter));
                self.index += length;
                letter = self.at(0);
                continue;
            }
            if is_bracket_of_text(reading, found) {
                letter = self.take(reading, found);
                continue;
            }
            if self.context() == Some(Context::Value) && found == '}' {
                let next = self.scroll(1);
                match self.at(next) {
                    None => break,
                    Some('`') if self.at(next + 1) == Some('`') && self.at(next + 2) == Some('`') => {
                        if !self.brace_is_of_text(reading, next) {
                            break;
                        }
                        letter = self.take(reading, found);
                        continue;
                    }
                    Some(_) => {}
                }
            }
            letter = self.take(reading, found);
            let Some(next) = letter else {
                if reading.ends_with('\\') {
                    reading.text.pop();
                }
                break;
            };
            if reading.ends_with('\\')
                && let Some(behind) = self.escaped(reading, next)
            {
                letter = behind;
                continue;
            }
            if next == ':' && !reading.lacks_quotes && self.context() == Some(Context::Key) && self.ends_key(reading) {
                break;
            }
            if reading.is_in_low() && next == '"' {
                reading.right.pop();
                letter = self.take(reading, next);
                continue;
            }
            if next == outer && self.context() == Some(Context::Value) && self.is_in_class(reading) {
                letter = self.take(reading, next);
                continue;
            }
            if next == outer && !reading.text.is_empty() && !reading.ends_with('\\') {
                match self.quote(reading, next) {
                    Quote::End => {
                        letter = self.at(0);
                        break;
                    }
                    Quote::Taken => letter = self.at(0),
                    Quote::Other => {}
                }
            }
        }
        letter
    }

    fn take(&mut self, reading: &mut Reading, letter: char) -> Option<char> {
        reading.push(letter);
        self.index += 1;
        self.at(0)
    }

    fn ended(&mut self, reading: Reading, end: Option<char>) -> String {
        let is_stray = reading.lacks_quotes && self.context() == Some(Context::Key) && end.is_some_and(is_space);
        if is_stray {
            self.skip_space();
            if !matches!(self.at(0), Some(':' | ',')) {
                return String::new();
            }
        }
        if end == Some(reading.outer()) {
            self.index += 1;
        }
        reading.text.into_iter().collect()
    }

    /// The length of a container that belongs to the text and begins here.
    fn container_in_text(&self, reading: &Reading, letter: char) -> Option<usize> {
        let is_object = || {
            self.context() == Some(Context::Value)
                && letter == '{'
                && self.at(-1) != Some('\\')
                && self.bare_key_at(self.scroll(1))
        };
        if !matches!(letter, '{' | '[' | '(') || reading.ends_with('\\') || !(reading.expects_container || is_object())
        {
            return None;
        }
        usize::try_from(self.behind_container(0)?).ok()
    }

    /// The character of a valid escape; `None`: it is not an escape.
    fn escaped(&mut self, reading: &mut Reading, letter: char) -> Option<Option<char>> {
        let active = reading.active();
        if reading.is_in_low() && letter == '"' {
            reading.replace(letter);
            reading.right.pop();
            self.index += 1;
            return Some(self.at(0));
        }
        if letter == '\\' {
            let behind = self.piece(self.index + 1, self.text.len());
            let further = behind.iter().take_while(|letter| **letter == '\\').count();
            let (length, end) = (further + 2, self.index + 1 + further);
            let offset = isize::try_from(further + 1).unwrap_or(isize::MAX - 1);
            let behind_quote = self.at(self.scroll(offset + 1));
            let is_run = self.at(offset) != Some(active) || matches!(behind_quote, Some(',' | ':' | '}' | ']') | None);
            if length % 2 == 0 && is_run {
                reading.text.pop();
                (0..length / 2).for_each(|_| reading.push('\\'));
                self.index = end;
                return Some(self.at(0));
            }
        }
        if letter == active || matches!(letter, 't' | 'n' | 'r' | 'b' | '\\') {
            reading.replace(match letter {
                't' => '\t',
                'n' => '\n',
                'r' => '\r',
                'b' => '\u{8}',
                other => other,
            });
            self.index += 1;
            let mut next = self.at(0);
            while let Some(found) = next.filter(|next| reading.ends_with('\\') && (*next == active || *next == '\\')) {
                reading.replace(found);
                self.index += 1;
                next = self.at(0);
            }
            return Some(next);
        }
        if matches!(letter, 'u' | 'x') {
            let count = if letter == 'u' { 4 } else { 2 };
            let digits = self.piece(self.index + 1, self.index + 1 + count);
            if digits.len() == count && digits.iter().all(char::is_ascii_hexdigit) {
                let code = u32::from_str_radix(&digits.iter().collect::<String>(), 16).unwrap_or_default();
                reading.replace(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
                self.index += 1 + count;
                return Some(self.at(0));
            }
        } else if letter == '„' || is_delimiter(letter) && letter != active {
            reading.replace(letter);
            self.index += 1;
            return Some(self.at(0));
        }
        None
    }

    /// Whether a key ends before the colon here, without its quote.
    fn ends_key(&self, reading: &Reading) -> bool {
        let quote = self.skip_to(&[reading.left], 1);
        if self.at(quote).is_none() {
            return true;
        }
        let end = self.skip_to(&[reading.outer()], quote + 1);
        self.at(end).is_some() && matches!(self.at(self.scroll(end + 1)), Some(',' | '}'))
    }

    /// Whether the quote here is within `[…]` of an expression.
    fn is_in_class(&self, reading: &Reading) -> bool {
        let Some(start) = reading.class_start else { return false };
        let within = reading.text.get(start..).unwrap_or_default();
        !within.iter().any(|letter| is_space(*letter)) && self.at(self.skip_to(&[']'], 1)) == Some(']')
    }

    /// `_handle_right_delimiter_candidate`.
    fn quote(&mut self, reading: &mut Reading, letter: char) -> Quote {
        let outer = reading.outer();
        if reading.has_doubled_quotes && self.at(1) == Some(outer) {
            // It is left out.
            self.index += 1;
            return Quote::Taken;
        }
        let is_quote = |found: char| found == outer || found == reading.left;
        let context = self.context();
        if reading.lacks_quotes && context == Some(Context::Value) {
            let mut place = 1;
            while self.at(place).is_some_and(|found| !is_quote(found)) {
                place += 1;
            }
            if self.at(place).is_some() && self.at(self.scroll(place + 1)) == Some(':') {
                self.index -= 1;
                return Quote::End;
            }
            return Quote::Other;
        }
        if reading.is_unmatched {
            reading.is_unmatched = false;
            self.take(reading, letter);
            return Quote::Taken;
        }
        let mut place = 1;
        let mut may_be_comma = true;
        while let Some(next) = self.at(place).filter(|next| !is_quote(*next)) {
            may_be_comma &= !next.is_alphabetic();
            if self.is_within(Context::Key) && matches!(next, ':' | '}')
                || self.is_within(Context::Value) && next == '}'
                || self.is_within(Context::Array) && matches!(next, ']' | ',')
                || may_be_comma && context == Some(Context::Value) && next == ','
            {
                break;
            }
            place += 1;
        }
        let next = self.at(place);
        if next == Some(',') && context == Some(Context::Value) {
            let end = self.skip_to(&[outer], place + 1);
            if matches!(self.at(self.scroll(end + 1)), Some('}' | ',')) {
                self.take(reading, letter);
                return Quote::Taken;
            }
            return Quote::Other;
        }
        if next != Some(outer) || self.at(place - 1) == Some('\\') {
            return Quote::Other;
        }
        let member_follows = || context == Some(Context::Value) && self.member_behind_quote(place);
        if self.is_space_up_to(place) && !member_follows() {
            return Quote::End;
        }
        match context {
            Some(Context::Value) => {
                if self.member_behind_quote(place) {
                    self.take(reading, letter);
                    return Quote::Taken;
                }
                let mut place = self.skip_to(&[outer], place + 1) + 1;
                while let Some(next) = self.at(place).filter(|next| *next != ':') {
                    if matches!(next, ',' | ']' | '}') || next == outer && self.at(place - 1) != Some('\\') {
                        break;
                    }
                    place += 1;
                }
                if self.at(place) == Some(':') {
                    return Quote::Other;
                }
                reading.is_unmatched = !reading.is_unmatched;
                self.take(reading, letter);
                Quote::Taken
            }
            Some(Context::Array) => {
                let targets = [outer, ']'];
                let mut is_even = true;
                let mut place = place;
                while self.at(place) == Some(outer) {
                    place = self.skip_to(&targets, place + 1);
                    if self.at(place) != Some(outer) {
                        is_even = false;
                        break;
                    }
                    place = self.skip_to(&targets, place + 1);
                }
                if !is_even {
                    return Quote::End;
                }
                reading.is_unmatched = !reading.is_unmatched;
                self.take(reading, letter);
                Quote::Taken
            }
            Some(Context::Key) => {
                self.take(reading, letter);
                Quote::Taken
            }
            None => Quote::Other,
        }
    }

    fn is_space_up_to(&self, end: isize) -> bool {
        (1..end).all(|offset| self.at(offset).is_none_or(is_space))
    }

    /// `_quoted_object_member_follows`.
    fn member_behind_quote(&self, quote: isize) -> bool {
        let comma = self.scroll(quote + 1);
        self.at(comma) == Some(',') && self.member_at(self.behind_comments(comma + 1))
    }

    /// `_object_member_starts_at`.
    fn member_at(&self, place: isize) -> bool {
        match self.at(place) {
            Some(quote) if is_delimiter(quote) => {
                let closing = closing_quote(quote);
                let end = self.skip_to(&[closing], place + 1);
                self.at(end) == Some(closing) && self.at(self.scroll(end + 1)) == Some(':')
            }
            Some(letter) if letter.is_alphanumeric() || letter == '_' => self.bare_key_at(place),
            _ => false,
        }
    }

    /// `_bare_key_is_followed_by_colon`.
    fn bare_key_at(&self, mut place: isize) -> bool {
        if !self.at(place).is_some_and(|letter| letter.is_alphanumeric() || letter == '_') {
            return false;
        }
        while self.at(place).is_some_and(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '-')) {
            place += 1;
        }
        self.at(self.scroll(place)) == Some(':')
    }

    /// `_scroll_comment_prefixed_member_start`.
    fn behind_comments(&self, place: isize) -> isize {
        let mut place = self.scroll(place);
        loop {
            match (self.at(place), self.at(place + 1)) {
                (Some('#'), _) | (Some('/'), Some('/')) => {
                    while self.at(place).is_some_and(|letter| !matches!(letter, '\n' | '\r')) {
                        place += 1;
                    }
                }
                (Some('/'), Some('*')) => {
                    place += 2;
                    loop {
                        match (self.at(place), self.at(place + 1)) {
                            (None, _) => return place,
                            (Some('*'), Some('/')) => break,
                            _ => place += 1,
                        }
                    }
                    place += 2;
                }
                _ => return place,
            }
            place = self.scroll(place);
        }
    }

    /// `_skip_inline_container`: behind the container that begins at `place`, if it ends.
    fn behind_container(&self, place: isize) -> Option<isize> {
        let Some(closing) = self.at(place).and_then(closing_bracket) else { return Some(place) };
        let mut open = vec![closing];
        let mut place = place + 1;
        loop {
            let letter = self.at(place)?;
            if is_delimiter(letter) {
                let closing = closing_quote(letter);
                place = self.skip_to(&[closing], place + 1);
                if self.at(place) != Some(closing) {
                    return None;
                }
            } else if let Some(closing) = closing_bracket(letter).filter(|_| self.nests_at(place)) {
                open.push(closing);
            } else if open.last() == Some(&letter) {
                open.pop();
                if open.is_empty() {
                    return Some(place + 1);
                }
            }
            place += 1;
        }
    }

    /// `_starts_nested_inline_container`.
    fn nests_at(&self, place: isize) -> bool {
        let opening = self.at(place);
        for before in (0..place).rev() {
            let Some(letter) = self.at(before) else { return true };
            if is_space(letter) {
                continue;
            }
            if closing_bracket(letter).is_some() {
                return true;
            }
            if !matches!(letter, ',' | ':') {
                return false;
            }
            let next_place = self.scroll(place + 1);
            let next = self.at(next_place);
            return match opening {
                Some('[' | '(') => next.is_some_and(|next| {
                    is_delimiter(next)
                        || next.is_ascii_digit()
                        || matches!(next, ']' | ')' | '-' | '{' | '[' | '(' | 't' | 'f' | 'n')
                }),
                Some('{') => {
                    next.is_some_and(|next| next == '}' || is_delimiter(next))
                        || letter == ':' && self.bare_key_at(next_place)
                }
                _ => false,
            };
        }
        true
    }

    /// `_brace_before_code_fence_belongs_to_string`.
    fn brace_is_of_text(&self, reading: &mut Reading, fence: isize) -> bool {
        let mut from = fence + 3;
        let next = self.behind_comments(from);
        let mut keeps_container = false;
        if self.at(next).and_then(closing_bracket).is_some()
            && let Some(end) = self.behind_container(next)
        {
            if self.member_behind_container(end) {
                return false;
            }
            keeps_container = true;
            from = end;
        }
        let outer = reading.outer();
        let mut quote = self.skip_to(&[outer], from);
        while self.at(quote) == Some(outer) {
            if matches!(self.at(self.scroll(quote + 1)), Some(',' | '}' | ']') | None) {
                reading.expects_container |= keeps_container;
                return true;
            }
            quote = self.skip_to(&[outer], quote + 1);
        }
        false
    }

    /// `_post_fence_container_starts_next_member`.
    fn member_behind_container(&self, end: isize) -> bool {
        let behind = self.scroll(end);
        match self.at(behind) {
            Some('}') | None => true,
            Some(',') => {
                let next = self.behind_comments(behind + 1);
                matches!(self.at(next), Some('}') | None) || self.member_at(next)
            }
            Some(_) => false,
        }
    }
}

/// `update_inline_container_stack`: whether a bracket opens or closes a container that belongs to the text.
fn is_bracket_of_text(reading: &mut Reading, letter: char) -> bool {
    if matches!(letter, '{' | '[') {
        if reading.expects_container {
            reading.containers.push(letter);
            reading.expects_container = false;
            return false;
        }
        if !reading.containers.is_empty() {
            reading.containers.push(letter);
        }
    }
    let closes = match reading.containers.last() {
        Some('{') => letter == '}',
        Some('[') => letter == ']',
        _ => false,
    };
    if closes {
        reading.containers.pop();
    }
    closes
}

fn closing_quote(quote: char) -> char {
    if quote == '“' { '”' } else { quote }
}

fn closing_bracket(bracket: char) -> Option<char> {
    match bracket {
        '[' => Some(']'),
        '{' => Some('}'),
        '(' => Some(')'),
        _ => None,
    }
}
