//! Finds keys in texts of others, in all usual encodings, even if a text comes in pieces.
//!
//! A key of eight characters or more is found anywhere: plain; with characters written as `%2F`, `%252F`, `\/`,
//! `\u002f` `\x2f`, `&#47;`, `&#x2F;` or `&sol;`; in hexadecimal; and within something in Base64, at each of the three
//! places it can be, in both alphabets. In each of these forms a line may end between two characters, also one that is
//! written out as `\n` or `\r\n`, with the indentation or the mark of a quote or comment at the start of the next one;
//! invisible characters may be there as well. A shorter key may be a usual word such as `test`: it is found only as a
//! whole word, and one of less than four characters is not found at all. Keys that somebody disguises on purpose are
//! not found.

use serde_json::Value;

/// Replaces a key in a text.
pub const MARK: &str = "[key]";

/// Shorter keys are not looked for.
const LEAST: usize = 4;

/// From this length on a key is found within other text, and in other forms.
pub const DISTINCT: usize = 8;

/// At the end of a text, which may be cut there, this many characters of a key count as the key.
const TELLING: usize = 6;

/// In the kept part of an error, this many bytes of a key count as the key anywhere: a server may quote the key in
/// pieces. Keys must be twice as long.
const PIECE: usize = 8;

/// Backslashes before a character, and how often a percent sign was encoded again: JSON in JSON in JSON.
const BACKSLASHES: usize = 15;
/// Backslashes before the `n` of a line's end.
const LINE_BACKSLASHES: usize = 16;
const AGAIN: usize = 3;

/// How often at one place what may be the end of a line and a character of the key is read as both: `\n` before an `n`.
const DETOURS: usize = 16;

/// Finds some keys. It holds them, so it prints nothing.
#[derive(Clone, Default)]
pub struct Scrubber {
    patterns: Vec<Pattern>,
    /// For each byte, whether a key may begin with it, in whatever form.
    begins: Vec<bool>,
    keys: Vec<String>,
}

#[derive(Clone)]
struct Pattern {
    text: Vec<u8>,
    form: Form,
}

#[derive(Clone, Copy, PartialEq)]
enum Form {
    Plain,
    /// A short key, which counts only as a whole word.
    Word,
    Hex,
    Base64,
}

/// What a look at a place in a text finds.
#[derive(Clone, Copy, PartialEq)]
enum Look {
    Nothing,
    /// A key of so many bytes.
    Found(usize),
    /// What may be the beginning of a key, up to the end of the text. `telling`: enough of it to be taken for one.
    Open {
        telling: bool,
    },
}

/// How a text continues after a character of a key.
#[derive(Clone, Copy)]
enum Met {
    Not,
    /// The text ends first.
    Cut,
    /// After so many bytes.
    After(usize),
}

impl Scrubber {
    /// Looks for these keys. Keys that are too short to differ from ordinary words are skipped.
    pub fn new<K: AsRef<str>>(keys: impl IntoIterator<Item = K>) -> Self {
        let mut scrubber = Self::default();
        for key in keys {
            scrubber.add(key.as_ref());
        }
        scrubber
    }

    /// There is nothing to find.
    pub fn is_idle(&self) -> bool {
        self.patterns.is_empty()
    }

    /// The text with [`MARK`] for each key in it, and for a beginning of a key at its end.
    pub fn text(&self, text: &str) -> String {
        if self.is_idle() {
            return text.to_owned();
        }
        let mut passage = Passage::default();
        let mut scrubbed = passage.go_on(self, text);
        scrubbed.push_str(&passage.pause(self));
        scrubbed
    }

    /// The same for bytes that may be a text.
    pub fn bytes(&self, bytes: Vec<u8>) -> Vec<u8> {
        if self.is_idle() {
            return bytes;
        }
        let mut passage = Passage::default();
        let mut scrubbed = passage.take(self, &bytes);
        scrubbed.extend(passage.let_go(self));
        scrubbed
    }

    /// The same for every text of a value.
    pub fn value(&self, value: Value) -> Value {
        match value {
            _ if self.is_idle() => value,
            Value::String(text) => Value::String(self.text(&text)),
            Value::Array(values) => values.into_iter().map(|value| self.value(value)).collect(),
            Value::Object(fields) => {
                fields.into_iter().map(|(name, value)| (self.text(&name), self.value(value))).collect()
            }
            Value::Number(number) => {
                let written = number.to_string();
                let clean = self.text(&written);
                if clean == written { Value::Number(number) } else { Value::String(clean) }
            }
            plain @ (Value::Null | Value::Bool(_)) => plain,
        }
    }

    /// The text without keys, and without longer pieces of them.
    pub fn pieces(&self, text: &str) -> String {
        let text = self.text(text);
        let bytes = text.as_bytes();
        let keys: Vec<&[u8]> = self.keys.iter().map(String::as_bytes).filter(|key| key.len() >= 2 * PIECE).collect();
        let is_piece = |piece: &[u8]| keys.iter().any(|key| key.windows(piece.len()).any(|of_key| of_key == piece));
        let mut scrubbed = String::with_capacity(text.len());
        let (mut copied, mut at) = (0, 0);
        while at + PIECE <= bytes.len() {
            if !is_piece(&bytes[at..at + PIECE]) {
                at += 1;
                continue;
            }
            let mut end = at + PIECE;
            while end < bytes.len() && is_piece(&bytes[at..=end]) {
                end += 1;
            }
            // A key is ASCII, so this cuts no character.
            scrubbed.push_str(&text[copied..at]);
            scrubbed.push_str(MARK);
            (copied, at) = (end, end);
        }
        scrubbed.push_str(&text[copied..]);
        scrubbed
    }

    fn add(&mut self, key: &str) {
        if key.len() < LEAST || self.keys.iter().any(|known| known == key) {
            return;
        }
        self.keys.push(key.to_owned());
        self.begins.resize(usize::from(u8::MAX) + 1, false);
        let mut add = |text: Vec<u8>, form: Form| {
            let Some(first) = text.first().copied() else { return };
            for begin in [first, b'%', b'\\', b'&'] {
                self.begins[usize::from(begin)] = true;
                self.begins[usize::from(begin.to_ascii_uppercase())] |= form == Form::Hex;
            }
            self.patterns.push(Pattern { text, form });
        };
        if key.len() < DISTINCT {
            add(key.as_bytes().to_vec(), Form::Word);
            return;
        }
        add(key.as_bytes().to_vec(), Form::Plain);
        add(key.bytes().flat_map(|byte| format!("{byte:02x}").into_bytes()).collect(), Form::Hex);
        for form in in_base64(key) {
            add(form.into_bytes(), Form::Base64);
        }
    }

    /// `before`: the byte before the text.
    fn look(&self, text: &[u8], before: Option<u8>) -> Look {
        let looks = self.patterns.iter().map(|pattern| pattern.look(text, before));
        looks.fold(Look::Nothing, Look::or)
    }
}

impl Look {
    /// The result if the place can be read in two ways.
    fn or(self, other: Look) -> Look {
        match (self, other) {
            (Look::Open { telling }, Look::Open { telling: other }) => Look::Open { telling: telling || other },
            // It may become a longer key.
            (Look::Open { .. }, Look::Found(_)) | (Look::Found(_), Look::Open { .. }) => Look::Open { telling: true },
            (Look::Found(length), Look::Found(other)) => Look::Found(length.max(other)),
            (look, Look::Nothing) | (Look::Nothing, look) => look,
        }
    }
}

impl std::fmt::Debug for Scrubber {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Scrubber(…)")
    }
}

/// A text that comes in pieces, without the keys in it. What may be the beginning of a key is held back until the next
/// piece.
#[derive(Debug, Default)]
pub struct Passage {
    /// The end of the text so far, which may be the beginning of a key.
    held: Vec<u8>,
    /// So many bytes of it were given out all the same, because something else came in between: as they are, or as a mark.
    out: usize,
    marked: bool,
    /// The byte before it.
    before: Option<u8>,
}

impl Passage {
    /// As much of the text, with its next piece, as is safe to show.
    pub fn go_on(&mut self, scrubber: &Scrubber, piece: &str) -> String {
        text(self.take(scrubber, piece.as_bytes()))
    }

    /// Something else follows, or nothing: returns what was held back, as a mark if it is a large part of a key. If the
    /// text goes on with the rest of the key, that is still found.
    pub fn pause(&mut self, scrubber: &Scrubber) -> String {
        text(self.let_go(scrubber))
    }

    /// The beginning of a key that the last mark replaces, if the rest has not come.
    pub fn marked(&self) -> &[u8] {
        if self.marked { &self.held } else { &[] }
    }

    /// Notes that the text ends with a mark that replaces this beginning of a key.
    pub fn began_with(&mut self, beginning: Vec<u8>) {
        (self.out, self.marked, self.held) = (beginning.len(), true, beginning);
    }

    fn take(&mut self, scrubber: &Scrubber, piece: &[u8]) -> Vec<u8> {
        let mut bytes = std::mem::take(&mut self.held);
        bytes.extend_from_slice(piece);
        let (out, marked) = (self.out, self.marked);
        let mut told = Vec::with_capacity(piece.len());
        let tell =
            |told: &mut Vec<u8>, from: usize, to: usize| told.extend_from_slice(&bytes[from.max(out).min(to)..to]);
        let (mut copied, mut at) = (0, 0);
        while at < bytes.len() {
            if scrubber.begins.get(usize::from(bytes[at])) != Some(&true) {
                at += 1;
                continue;
            }
            let before = at.checked_sub(1).map(|at| bytes[at]).or(self.before);
            match scrubber.look(&bytes[at..], before) {
                Look::Nothing => at += 1,
                Look::Found(length) => {
                    tell(&mut told, copied, at);
                    if at >= out || !marked {
                        told.extend_from_slice(MARK.as_bytes());
                    }
                    at += length;
                    copied = at;
                }
                Look::Open { .. } => break,
            }
        }
        tell(&mut told, copied, at);
        self.before = at.checked_sub(1).map(|at| bytes[at]).or(self.before);
        self.held = bytes.split_off(at);
        self.out = out.saturating_sub(at);
        self.marked &= self.out > 0;
        told
    }

    fn let_go(&mut self, scrubber: &Scrubber) -> Vec<u8> {
        if self.held.len() <= self.out {
            return Vec::new();
        }
        let is_telling = scrubber.look(&self.held, self.before) == Look::Open { telling: true };
        let told = match is_telling {
            true if self.marked => Vec::new(),
            true => MARK.as_bytes().to_vec(),
            false => self.held[self.out..].to_vec(),
        };
        (self.out, self.marked) = (self.held.len(), is_telling);
        told
    }
}

/// Keys are ASCII, so that no character is ever cut.
fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

impl Pattern {
    fn look(&self, text: &[u8], before: Option<u8>) -> Look {
        if self.form == Form::Word && before.is_some_and(is_of_word) {
            return Look::Nothing;
        }
        // First as it is: a key may hold what looks like another way to write it.
        if text.starts_with(&self.text) {
            return self.found(text, self.text.len());
        }
        let mut detours = DETOURS;
        self.rest(text, 0, 0, &mut detours)
    }

    /// How the text continues at a place, after the first `known` characters of the key.
    fn rest(&self, text: &[u8], known: usize, mut at: usize, detours: &mut usize) -> Look {
        let mut other = Look::Nothing;
        for (known, &byte) in self.text.iter().enumerate().skip(known) {
            let open = Look::Open { telling: self.form != Form::Word && known >= TELLING };
            let here = &text[at..];
            let mut ways = Ways::default();
            ways.add(met(here, byte, self.form));
            if known > 0 && self.form != Form::Word {
                let between_bytes = self.form == Form::Hex && known.is_multiple_of(2);
                behind_gap(here, byte, self.form, between_bytes, &mut ways);
            }
            let Some((first, others)) = ways.after.split_first() else {
                return match ways.cut || ways.cut_at_blank {
                    true if ways.cut => other.or(open),
                    true => other.or(Look::Open { telling: false }),
                    false if self.text.starts_with(text) => {
                        Look::Open { telling: self.form != Form::Word && text.len() >= TELLING }
                    }
                    false => other,
                };
            };
            if ways.cut || ways.cut_at_blank {
                other = other.or(if ways.cut { open } else { Look::Open { telling: false } });
            }
            for way in others {
                if let Some(left) = detours.checked_sub(1) {
                    *detours = left;
                    other = other.or(self.rest(text, known + 1, at + way, detours));
                }
            }
            at += first;
        }
        other.or(self.found(text, at))
    }

    fn found(&self, text: &[u8], length: usize) -> Look {
        match (self.form, text.get(length)) {
            (Form::Word, None) => Look::Open { telling: true },
            (Form::Word, Some(after)) if is_of_word(*after) => Look::Nothing,
            _ => Look::Found(length),
        }
    }
}

fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'
}

/// All ways to read what may be the next character of a key.
#[derive(Default)]
struct Ways {
    /// It ends after so many bytes.
    after: Vec<usize>,
    /// The text ends first.
    cut: bool,
    /// The same, behind a blank, which words have after them anyway.
    cut_at_blank: bool,
}

impl Ways {
    fn add(&mut self, met: Met) {
        match met {
            Met::Not => {}
            Met::Cut => self.cut = true,
            Met::After(length) if self.after.contains(&length) => {}
            Met::After(length) => self.after.push(length),
        }
    }
}

/// Bytes that programs put between two characters of a key, at most.
const GAP: usize = 64;

/// As [`met`], after skipping what programs insert when they break, quote or colour a line: the end of a line, with
/// blanks before it and blanks or the marks of quotes and comments after it, and invisible characters. `between_bytes`:
/// in hexadecimal, with blanks, colons and hyphens between bytes.
fn behind_gap(text: &[u8], byte: u8, form: Form, between_bytes: bool, ways: &mut Ways) {
    let mut at = 0;
    if between_bytes {
        let separator = usize::from(matches!(text, [b':' | b'-', ..]));
        let blanks = text[separator..].iter().take(2).take_while(|&&byte| byte == b' ').count();
        if separator + blanks > 0 {
            ways.add(met(&text[separator + blanks..], byte, form).behind(separator + blanks));
        }
        at = separator;
    }
    let (mut ended, mut ended_wide, mut is_next_line, mut blanks) = (false, false, false, false);
    while at < GAP {
        let here = &text[at..];
        if at > 0 && (is_next_line || !blanks) {
            ways.add(met(here, byte, form).behind(at));
        }
        if here.is_empty() {
            let is_faint = blanks && !is_next_line;
            ways.cut |= !is_faint;
            ways.cut_at_blank |= is_faint;
            return;
        }
        let (end, wide_end) = (line_end(here), wide_line_end(here));
        ways.cut |= matches!(end, Met::Cut) || matches!(wide_end, Met::Cut);
        let seen = if matches!(end, Met::After(_)) { &mut ended } else { &mut ended_wide };
        if let Met::After(length) = end.or(wide_end) {
            // A second one begins a paragraph.
            if std::mem::replace(seen, true) {
                return;
            }
            is_next_line = true;
            at += length;
            continue;
        }
        match unseen(here) {
            Met::Cut => {
                ways.cut = true;
                return;
            }
            Met::After(length) => at += length,
            Met::Not if matches!(here, [b' ' | b'\t', ..]) => {
                blanks = true;
                at += 1;
            }
            Met::Not if is_next_line && matches!(here, [b'>' | b'#' | b'*' | b'|' | b'/' | b';', ..]) => at += 1,
            Met::Not => return,
        }
    }
}

/// What ends a line on a web page or in other alphabets, or a page.
fn wide_line_end(text: &[u8]) -> Met {
    match text {
        [b'<', ..] => ["<br>", "<br/>", "<br />"].iter().map(|tag| word(text, tag.as_bytes())).fold(Met::Not, Met::or),
        _ => character(text, |code| matches!(code, 0x0b | 0x0c | 0x85 | 0x2028 | 0x2029)),
    }
}

/// Skips invisible text: characters without width, a place where a long word may be broken, a colour.
fn unseen(text: &[u8]) -> Met {
    if text.first() == Some(&b'<') {
        return word(text, b"<wbr>");
    }
    let is_unseen = |code| matches!(code, 0 | 0xad | 0x200b..=0x200d | 0x2060 | 0xfeff);
    character(text, is_unseen).or(character(text, |code| code == 0x1b).and_then(|escape| {
        let Some((&bracket, values)) = text[escape..].split_first() else { return Met::Cut };
        let is_value = |byte: &&u8| byte.is_ascii_digit() || **byte == b';';
        let length = values.iter().take(COLOUR).take_while(is_value).count();
        match values.get(length) {
            _ if bracket != b'[' => Met::Not,
            None if length < COLOUR => Met::Cut,
            Some(b'm' | b'K') => Met::After(escape + 1 + length + 1),
            None | Some(_) => Met::Not,
        }
    }))
}

/// Bytes of a colour, at most.
const COLOUR: usize = 20;

/// A character in UTF-8, or written as `\u200b` or `\x1b` behind backslashes.
fn character(text: &[u8], is_it: impl Fn(u32) -> bool) -> Met {
    let length = match text {
        [] => return Met::Cut,
        [b'\\', ..] => {
            let slashes = text.iter().take(BACKSLASHES + 1).take_while(|&&byte| byte == b'\\').count();
            let digits = match text.get(slashes) {
                _ if slashes > BACKSLASHES => return Met::Not,
                None => return Met::Cut,
                Some(b'u') => 4,
                Some(b'x') => 2,
                Some(_) => return Met::Not,
            };
            return match hex(&text[slashes + 1..], digits) {
                Number::Cut => Met::Cut,
                Number::Is(code) if is_it(code) => Met::After(slashes + 1 + digits),
                Number::Is(_) | Number::None => Met::Not,
            };
        }
        [0..0x80, ..] => 1,
        [0xc2, ..] => 2,
        [0xe2 | 0xef, ..] => 3,
        _ => return Met::Not,
    };
    let Some(bytes) = text.get(..length) else { return Met::Cut };
    let code = std::str::from_utf8(bytes).ok().and_then(|text| text.chars().next()).map(u32::from);
    if code.is_some_and(is_it) { Met::After(length) } else { Met::Not }
}

fn line_end(text: &[u8]) -> Met {
    if !matches!(text, [b'\n' | b'\r' | b'\\' | b'%' | b'&', ..]) {
        return Met::Not;
    }
    match end_mark(text, b'\n', b'n') {
        Met::Not => match end_mark(text, b'\r', b'r') {
            Met::After(carriage) => match end_mark(&text[carriage..], b'\n', b'n') {
                Met::After(line) => Met::After(carriage + line),
                met => met,
            },
            met => met,
        },
        met => met,
    }
}

/// A character that ends lines, however it is written, or the letter for it behind backslashes.
fn end_mark(text: &[u8], mark: u8, letter: u8) -> Met {
    match met(text, mark, Form::Plain) {
        Met::Not => {}
        met => return met,
    }
    let slashes = text.iter().take(LINE_BACKSLASHES + 1).take_while(|&&byte| byte == b'\\').count();
    match text.get(slashes) {
        _ if slashes == 0 || slashes > LINE_BACKSLASHES => Met::Not,
        None => Met::Cut,
        Some(next) if *next == letter => Met::After(slashes + 1),
        Some(_) => Met::Not,
    }
}

/// Whether the text begins with this character, in whatever way it is written.
fn met(text: &[u8], byte: u8, form: Form) -> Met {
    let is_it = |found: u8| found == byte || (form == Form::Hex && found.eq_ignore_ascii_case(&byte));
    match text {
        [] => Met::Cut,
        // `&amp;` if it is written that way, else `&`.
        [b'&', ..] if is_it(b'&') => match entity(text, is_it) {
            Met::Not => Met::After(1),
            met => met,
        },
        [first, ..] if is_it(*first) => Met::After(1),
        [b'%' | b'\\' | b'&', ..] => match written(text, is_it) {
            Met::Not => entity(text, is_it),
            met => met,
        },
        _ => Met::Not,
    }
}

/// As JSON or an address writes it.
fn written(text: &[u8], is_it: impl Fn(u8) -> bool) -> Met {
    match text {
        [] => Met::Cut,
        [first, ..] if is_it(*first) => Met::After(1),
        [b'%', rest @ ..] => percent(rest, is_it),
        [b'\\', ..] => escaped(text, is_it),
        _ => Met::Not,
    }
}

/// `&#47;`, `&#x2F;` and `&sol;`, as a web page writes it; with `&amp;` before it if that was escaped again. Its marks
/// may be written as JSON or an address writes them.
fn entity(text: &[u8], is_it: impl Fn(u8) -> bool) -> Met {
    let mark = |at: usize, mark: u8| match written(&text[at..], |byte| byte == mark) {
        Met::After(length) => Met::After(at + length),
        met => met,
    };
    let mut at = match mark(0, b'&') {
        Met::After(at) => at,
        met => return met,
    };
    for _ in 0..AGAIN {
        match word(&text[at..], b"amp") {
            Met::After(length) => match mark(at + length, b';') {
                Met::After(end) if is_it(b'&') => return Met::After(end),
                Met::After(end) => at = end,
                met => return met,
            },
            Met::Cut => return Met::Cut,
            Met::Not => break,
        }
    }
    let number = match mark(at, b'#') {
        Met::After(at) => at,
        Met::Cut => return Met::Cut,
        Met::Not => return named(&text[at..], is_it).behind(at).and_then(|at| mark(at, b';')),
    };
    let (digits, base) = match text.get(number) {
        None => return Met::Cut,
        Some(b'x' | b'X') => (number + 1, 16),
        Some(_) => (number, 10),
    };
    let is_digit = |byte: &&u8| char::from(**byte).is_digit(base);
    let end = digits + text[digits..].iter().take(ENTITY_DIGITS).take_while(is_digit).count();
    let value = std::str::from_utf8(&text[digits..end]).ok().and_then(|value| u32::from_str_radix(value, base).ok());
    match value.and_then(|value| u8::try_from(value).ok()) {
        _ if end == text.len() && end - digits < ENTITY_DIGITS => Met::Cut,
        Some(byte) if is_it(byte) => match mark(end, b';') {
            // Readers do without it.
            Met::Not => Met::After(end),
            met => met,
        },
        Some(_) | None => Met::Not,
    }
}

/// Digits of an entity, zeros before it included.
const ENTITY_DIGITS: usize = 16;

/// Characters of keys that have a name in HTML.
const NAMED: [(&[u8], u8); 34] = [
    (b"amp", b'&'),
    (b"lt", b'<'),
    (b"gt", b'>'),
    (b"quot", b'"'),
    (b"apos", b'\''),
    (b"sol", b'/'),
    (b"bsol", b'\\'),
    (b"lowbar", b'_'),
    (b"UnderBar", b'_'),
    (b"plus", b'+'),
    (b"equals", b'='),
    (b"period", b'.'),
    (b"colon", b':'),
    (b"semi", b';'),
    (b"comma", b','),
    (b"num", b'#'),
    (b"dollar", b'$'),
    (b"percnt", b'%'),
    (b"excl", b'!'),
    (b"quest", b'?'),
    (b"ast", b'*'),
    (b"commat", b'@'),
    (b"lpar", b'('),
    (b"rpar", b')'),
    (b"lsqb", b'['),
    (b"lbrack", b'['),
    (b"rsqb", b']'),
    (b"rbrack", b']'),
    (b"lcub", b'{'),
    (b"rcub", b'}'),
    (b"verbar", b'|'),
    (b"vert", b'|'),
    (b"Hat", b'^'),
    (b"grave", b'`'),
];

/// The name of a character, without the semicolon.
fn named(text: &[u8], is_it: impl Fn(u8) -> bool) -> Met {
    let mut open = Met::Not;
    for (name, _) in NAMED.iter().filter(|(_, byte)| is_it(*byte)) {
        match word(text, name) {
            Met::Not => {}
            Met::Cut => open = Met::Cut,
            met @ Met::After(_) => return met,
        }
    }
    open
}

fn word(text: &[u8], word: &[u8]) -> Met {
    match text.len() < word.len() {
        true if word.starts_with(text) => Met::Cut,
        false if text.starts_with(word) => Met::After(word.len()),
        _ => Met::Not,
    }
}

impl Met {
    fn or(self, other: Self) -> Self {
        match (self, other) {
            (Met::After(length), _) | (_, Met::After(length)) => Met::After(length),
            (Met::Cut, _) | (_, Met::Cut) => Met::Cut,
            (Met::Not, Met::Not) => Met::Not,
        }
    }

    fn behind(self, before: usize) -> Self {
        match self {
            Met::After(length) => Met::After(before + length),
            met => met,
        }
    }

    fn and_then(self, next: impl FnOnce(usize) -> Self) -> Self {
        match self {
            Met::After(at) => next(at),
            met => met,
        }
    }
}

/// `%2F`, or `%252F` if it was encoded again. `text` begins after the percent sign.
fn percent(text: &[u8], is_it: impl Fn(u8) -> bool) -> Met {
    for again in 0..=AGAIN {
        match hex(text.get(2 * again..).unwrap_or_default(), 2) {
            Number::Cut => return Met::Cut,
            Number::Is(number) if u8::try_from(number).is_ok_and(&is_it) => return Met::After(1 + 2 * again + 2),
            Number::Is(0x25) => {}
            Number::Is(_) | Number::None => return Met::Not,
        }
    }
    Met::Not
}

/// `\/`, `\u002f` and `\x2f`. JSON within JSON has a backslash for each backslash.
fn escaped(text: &[u8], is_it: impl Fn(u8) -> bool) -> Met {
    let slashes = text.iter().take(BACKSLASHES + 1).take_while(|&&byte| byte == b'\\').count();
    if slashes > BACKSLASHES {
        return Met::Not;
    }
    let digits = match &text[slashes..] {
        [] => return Met::Cut,
        [first, ..] if is_it(*first) => return Met::After(slashes + 1),
        [b'u', ..] => 4,
        [b'x', ..] => 2,
        _ => return Met::Not,
    };
    match hex(&text[slashes + 1..], digits) {
        Number::Cut => Met::Cut,
        Number::Is(number) if u8::try_from(number).is_ok_and(is_it) => Met::After(slashes + 1 + digits),
        Number::Is(_) | Number::None => Met::Not,
    }
}

enum Number {
    Is(u32),
    /// The text ends within it.
    Cut,
    None,
}

fn hex(text: &[u8], digits: usize) -> Number {
    let written = &text[..text.len().min(digits)];
    if !written.iter().all(u8::is_ascii_hexdigit) {
        return Number::None;
    }
    if written.len() < digits {
        return Number::Cut;
    }
    let number = std::str::from_utf8(written).ok().and_then(|digits| u32::from_str_radix(digits, 16).ok());
    number.map_or(Number::None, Number::Is)
}

/// The key as it looks inside of a longer text in Base64, for each of its three alignments and both alphabets: only the
/// characters that the key's bytes alone decide.
fn in_base64(key: &str) -> Vec<String> {
    let forms = (0..3).flat_map(|before| {
        let bits: Vec<bool> = std::iter::repeat_n(false, before * 8).chain(key.bytes().flat_map(bits_of)).collect();
        let first = (before * 8).div_ceil(6);
        let sextets: Vec<usize> = bits.chunks_exact(6).skip(first).map(number).collect();
        [b"+/", b"-_"].map(|last| sextets.iter().map(|&sextet| letter(sextet, last)).collect::<String>())
    });
    let mut forms: Vec<String> = forms.collect();
    forms.dedup();
    forms
}

fn bits_of(byte: u8) -> impl Iterator<Item = bool> {
    (0..8).rev().map(move |bit| byte >> bit & 1 == 1)
}

fn number(bits: &[bool]) -> usize {
    bits.iter().fold(0, |number, &bit| number * 2 + usize::from(bit))
}

fn letter(sextet: usize, last: &[u8; 2]) -> char {
    let letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    char::from(letters.get(sextet).copied().unwrap_or_else(|| last[sextet - letters.len()]))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    const KEY: &str = "sk-a/b+c=d\"e\\f0123456789";

    fn scrub(text: &str, key: &str) -> String {
        Scrubber::new([key]).text(text)
    }

    #[test]
    fn finds_a_key_of_digits_that_is_a_number() {
        let scrubber = Scrubber::new(["4821937450129384"]);
        let value = serde_json::json!({ "data": 4821937450129384_u64, "more": [1, 2.5] });
        let clean = scrubber.value(value);
        assert!(!clean.to_string().contains("4821937450129384"), "{clean}");
        assert_eq!(clean["more"], serde_json::json!([1, 2.5]));
    }

    #[test]
    fn finds_the_key_however_it_is_written() {
        let json = serde_json::to_string(KEY).unwrap();
        let hex: String = KEY.bytes().map(|byte| format!("{byte:02X}")).collect();
        let cases = [
            ("nothing here: sk-a/", "nothing here: sk-a/"),
            (KEY, "[key]"),
            ("公 sk-a/b+c=d\"e\\f0123456789 斤", "公 [key] 斤"),
            (json.as_str(), "\"[key]\""),
            (r#"{"error":"sk-a\/b+c=d\"e\\f0123456789"}"#, r#"{"error":"[key]"}"#),
            (r#"{\"error\":\"sk-a\\/b\u002bc\u003Dd\\\"e\\\\f0123456789\"}"#, r#"{\"error\":\"[key]\"}"#),
            (r"sk-a\x2Fb\x2bc=d\x22e\f0123456789", "[key]"),
            ("?key=sk-a%2Fb%2bc%3Dd%22e%5Cf0123456789&x=1", "?key=[key]&x=1"),
            ("?to=sk-a%252Fb%25252bc%3Dd%22e%5Cf0123456789&x=1", "?to=[key]&x=1"),
            ("two: sk-a/b+c=d\"e\\f0123456789sk-a/b+c=d\"e\\f0123456789", "two: [key][key]"),
            (&hex, "[key]"),
            ("cut: sk-a/b+c", "cut: [key]"),
            ("cut: sk-a%2Fb%2Bc", "cut: [key]"),
            ("cut: sk-a%2Fb%2Bc%3", "cut: [key]"),
            ("cut: sk-a%2Fb%2Bc%3D\\u0", "cut: [key]"),
        ];
        for (text, expected) in cases {
            assert_eq!(scrub(text, KEY), expected, "{text}");
        }
        assert_eq!(scrub("text", ""), "text", "an empty key is nowhere in a text");
        assert_eq!(scrub("100%25-a", "100%25-a"), "[key]", "what looks encoded is looked for as it is");
    }

    #[test]
    fn finds_a_key_that_is_written_for_a_web_page() {
        // Without the backslash, which JSON's way to write the others begins with.
        const KEY: &str = "sk-a/b+c=d\"e_f0123456789";
        let written = |entity: fn(u8) -> String| KEY.bytes().map(entity).collect::<String>();
        let cases = [
            written(|byte| format!("&#{byte};")),
            written(|byte| format!("&#{byte:07};")),
            written(|byte| format!("&#x{byte:x};")),
            written(|byte| format!("&#X{byte:04X};")),
            written(|byte| format!("&amp;#{byte};")),
            written(|byte| format!("&amp;amp;#x{byte:x};")),
            written(|byte| format!("\\u0026#{byte};")),
            written(|byte| format!("%26%23{byte}%3B")),
            written(|byte| format!("&#{byte}")),
            "sk-a&sol;b&plus;c&equals;d&quot;e&lowbar;f0123456789".to_owned(),
            "sk-a&amp;sol;b\\u0026plus;c=d&quot;e_f0123456789".to_owned(),
        ];
        for text in cases {
            assert_eq!(scrub(&format!("<p>{text}</p>"), KEY), "<p>[key]</p>", "{text}");
            // At the end, which may be cut anywhere once enough of the key has come.
            let cut = text.len() - 1;
            assert_eq!(scrub(&format!("<p>{}", &text[..cut]), KEY), "<p>[key]", "{text}");
        }
        assert_eq!(scrub("a &amp; b &#115; c &sol; d", KEY), "a &amp; b &#115; c &sol; d");
        assert_eq!(scrub("a&amp;b&amp;c-0123456789", "a&b&c-0123456789"), "[key]");
    }

    #[test]
    fn finds_the_key_inside_of_base64() {
        // `user:`, `Bearer ` and nothing before it: the three ways it can be.
        let cases = [
            "Basic dXNlcjpzay0wMTIzNDU2Nzg5YWJjZGVm",
            "QmVhcmVyIHNrLTAxMjM0NTY3ODlhYmNkZWY=",
            "c2stMDEyMzQ1Njc4OWFiY2RlZg==",
            "c2stMDEyMzQ1\nNjc4OWFi\r\nY2RlZg==",
        ];
        let scrubbed = cases.map(|text| scrub(text, "sk-0123456789abcdef"));
        let expected = ["Basic dXNlcjp[key]", "QmVhcmVyIH[key]Y=", "[key]g==", "[key]g=="];
        assert_eq!(scrubbed, expected.map(String::from));
        assert_eq!(
            scrub("a2V5LTEyMzQ= YTogImtleS0xMjM0Ig==", "key-1234"),
            "[key]Q= YTogIm[key]Ig==",
            "a short one too"
        );
    }

    /// As they are, and as programs write them out.
    fn line_ends() -> Vec<String> {
        let mut ends =
            ["\n", "\r\n", "%0A", "%0d%0a", r"\u000a", r"\r\n", r"\\r\\n", "\\\n", "\\\r\n"].map(String::from).to_vec();
        ends.extend((1..=16).map(|slashes| "\\".repeat(slashes) + "n"));
        ends
    }

    /// With what may also be read as the end of a line.
    const BREAKABLE: &str = "sk-nn-r1n2r3n4";

    #[test]
    fn finds_a_key_that_is_broken_into_lines() {
        for end in line_ends() {
            for at in 1..BREAKABLE.len() {
                let text = format!("a {}{end}{} b", &BREAKABLE[..at], &BREAKABLE[at..]);
                assert_eq!(scrub(&text, BREAKABLE), "a [key] b", "{text}");
            }
            let letters: Vec<String> = BREAKABLE.chars().map(String::from).collect();
            assert_eq!(scrub(&letters.join(&end), BREAKABLE), "[key]", "{end:?} everywhere");
            let base64 = format!("dXNlcjpzay0wM{end}TIzNDU2N{end}zg5YWJjZGVm");
            assert_eq!(scrub(&base64, "sk-0123456789abcdef"), "dXNlcjp[key]", "{base64}");
            let hex: Vec<String> = BREAKABLE.bytes().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(scrub(&hex.join(&end), BREAKABLE), "[key]", "{end:?} in hexadecimal");
            let word = format!("te{end}st");
            assert_eq!(scrub(&word, "test"), word, "a short key is a word");
        }
        assert_eq!(scrub("sk-nn-r1\n\nn2r3n4", BREAKABLE), "sk-nn-r1\n\nn2r3n4", "two lines, not one that was broken");
        assert_eq!(scrub("cut: sk-nn-r1\r", BREAKABLE), "cut: [key]");
        assert_eq!(scrub(r"cut: sk-nn-r1\\", BREAKABLE), "cut: [key]");
    }

    #[test]
    fn finds_a_key_that_programs_broke_quoted_or_coloured() {
        let gaps = [
            "\n    ",
            "\n\t",
            "\r\n  ",
            " \n",
            "\\n    ",
            "\n> ",
            "\n>",
            "\n> > ",
            "\n# ",
            "\n// ",
            "\n * ",
            "\n| ",
            "<br>",
            "<br />\n",
            "&#10;",
            "\u{2028}",
            "\u{85}",
            "\u{b}",
            "\u{c}",
            "\u{200b}",
            "\u{ad}",
            "\u{feff}",
            "\0",
            "<wbr>",
            "\u{1b}[0m",
            "\u{1b}[0m\u{1b}[1;31m",
            "\\u200b",
            "\\u001b[0m",
            "\\\\u00ad",
            "\\x1b[31m",
            "\u{1b}[0m\n  \u{1b}[32m",
        ];
        for gap in gaps {
            for at in 1..BREAKABLE.len() {
                let text = format!("a {}{gap}{} b", &BREAKABLE[..at], &BREAKABLE[at..]);
                assert_eq!(scrub(&text, BREAKABLE), "a [key] b", "{text:?}");
            }
            let base64 = format!("dXNlcjpzay0wM{gap}TIzNDU2N{gap}zg5YWJjZGVm");
            assert_eq!(scrub(&base64, "sk-0123456789abcdef"), "dXNlcjp[key]", "{base64:?}");
            assert_eq!(scrub(&format!("te{gap}st"), "test"), format!("te{gap}st"), "a short key is a word");
        }
        for between in [" ", "  ", ":", "-", ":\n    ", " \n"] {
            let hex: Vec<String> = BREAKABLE.bytes().map(|byte| format!("{byte:02X}")).collect();
            assert_eq!(scrub(&hex.join(between), BREAKABLE), "[key]", "{between:?}");
        }
        let marks = "sk-a#/b>c*d|e;0123";
        for at in 1..marks.len() {
            let text = format!("{}\n# {}", &marks[..at], &marks[at..]);
            assert_eq!(scrub(&text, marks), "[key]", "{text:?}: what stands in the key stands before lines too");
        }
    }

    #[test]
    fn words_apart_are_no_broken_key() {
        for text in [
            "sk-nn-r1 n2r3n4",
            "sk-nn-r1\tn2r3n4 x",
            "sk-nn-r1\n> \n> n2r3n4",
            "sk-nn-r1\n- n2r3n4",
            "sk-nn-r1, n2r3n4",
        ] {
            assert_eq!(scrub(text, BREAKABLE), text);
        }
    }

    /// Text that repeats the beginning of a key and a gap takes a bounded time for each byte.
    #[test]
    fn gaps_that_lead_nowhere_take_linear_time() {
        let key = "n".repeat(100);
        let text = format!("n{}\n{}\u{200b}", " ".repeat(20), "> ".repeat(15)).repeat(2_000);
        let began = std::time::Instant::now();
        assert_eq!(scrub(&format!("{text}x"), &(key + "y")), format!("{text}x"));
        assert!(began.elapsed().as_secs() < 30, "{:?}", began.elapsed());
    }

    #[test]
    fn a_key_of_one_letter_again_and_again_is_given_up_in_time() {
        let key = "n".repeat(200);
        let text = format!("{}x", r"\n".repeat(100)).repeat(25);
        assert_eq!(scrub(&text, &key), text);
    }

    #[test]
    fn a_short_key_is_a_whole_word() {
        let cases = [
            ("the key is test.", "the key is [key]."),
            ("test", "[key]"),
            ("密钥test公", "密钥[key]公"),
            ("a test, \"test\" and %74est", "a [key], \"[key]\" and [key]"),
            ("tests attest test-case test_1 Test dGVzdA==", "tests attest test-case test_1 Test dGVzdA=="),
        ];
        for (text, expected) in cases {
            assert_eq!(scrub(text, "test"), expected, "{text}");
        }
        assert_eq!(scrub("abc", "abc"), "abc", "too short to be looked for");
    }

    #[test]
    fn finds_each_of_several_keys_and_the_longer_one_first() {
        let scrubber = Scrubber::new(["12345678", "12345678-long", "other-key"]);
        assert_eq!(scrubber.text("12345678 12345678-long other-key"), "[key] [key] [key]");
        assert_eq!(format!("{scrubber:?}"), "Scrubber(…)");
    }

    #[test]
    fn finds_the_key_in_names_and_texts_of_a_value_and_in_bytes() {
        let scrubber = Scrubber::new([KEY]);
        let value = json!({KEY: [KEY, 7, {"a": format!("x{KEY}")}]});
        assert_eq!(scrubber.value(value), json!({"[key]": ["[key]", 7, {"a": "x[key]"}]}));
        let bytes = [b"\xff\0", KEY.as_bytes(), b"\xe5"].concat();
        assert_eq!(scrubber.bytes(bytes), b"\xff\0[key]\xe5");
    }

    #[test]
    fn a_longer_piece_is_gone_from_what_is_kept_of_an_error() {
        let scrubber = Scrubber::new(["sk-0123456789abcdef"]);
        let raw = "data: {\"a\":\"é sk-0123456\"}\ndata: {\"a\":\"789abcdef\"} sk-0123 12345678x";
        assert_eq!(scrubber.pieces(raw), "data: {\"a\":\"é [key]\"}\ndata: {\"a\":\"[key]\"} sk-0123 [key]x");
        assert_eq!(Scrubber::new(["lm-studio"]).pieces("lm-studi"), "[key]", "at the end, where it may be cut");
        assert_eq!(Scrubber::new(["lm-studio"]).pieces("lm-studi "), "lm-studi ");
    }

    #[test]
    fn what_comes_in_between_does_not_hide_the_rest_of_a_key() {
        let scrubber = Scrubber::new(["sk-canary-5d2f9c"]);
        let told = |pieces: &[&str]| {
            let mut passage = Passage::default();
            let mut told = Vec::new();
            for piece in pieces {
                told.push(passage.go_on(&scrubber, piece) + &passage.pause(&scrubber));
            }
            told
        };
        assert_eq!(told(&["a sk-canary", "-5d2f9c b"]), ["a [key]", " b"]);
        assert_eq!(
            told(&["a sk-", "canary-5d2f9c b"]),
            ["a sk-", "[key] b"],
            "too little of it to be told from others"
        );
        assert_eq!(told(&["a s", "k-", "c", "anary-5d2f", "9", "c", "!"]), ["a s", "k-", "c", "[key]", "", "", "!"]);
        assert_eq!(told(&["a s", "ome", "sk-canary-5d2f9c"]), ["a s", "ome", "[key]"]);
        assert_eq!(told(&["sk-canary", "sk-canary-5d2f9c"]), ["[key]", "[key]"]);
    }

    proptest! {
        #[test]
        fn a_text_in_pieces_is_scrubbed_as_the_whole_text_is(
            pieces in prop::collection::vec(
                prop::sample::select(vec!["sk-", "aba-", "abc", "nr", "n", "sk-aba-aba-aba-abc", "磅", "s", "%2", "D", "\\", "u002d", "&", "&#45;", "&#x6", "1;", "&amp;", "c2st", "YWJh", "\n", "\r", "\\n", "\\r", "test", " ", "    ", "> ", "# ", "\u{200b}", "\u{1b}[0", "m", "<br", ">", "736b", "2d", ":", "6e726e6e726e"]),
                0..14,
            ),
            cuts in prop::collection::vec(0usize..80, 0..8),
        ) {
            let text = pieces.concat();
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| text.floor_char_boundary(cut)).collect();
            cuts.extend([0, text.len()]);
            cuts.sort_unstable();
            let scrubber = Scrubber::new(["sk-aba-aba-aba-abc", "sk-nrnnrn", "test", "n&n&n&n&n"]);
            let mut passage = Passage::default();
            let mut told: String =
                cuts.windows(2).map(|ends| passage.go_on(&scrubber, &text[ends[0]..ends[1]])).collect();
            told.push_str(&passage.pause(&scrubber));
            prop_assert_eq!(told, scrubber.text(&text));
        }

        #[test]
        fn no_text_is_cut_within_a_character(text in any::<String>(), key in "[!-~]{4,20}") {
            scrub(&text, &key);
            scrub(&(text + &key), &key);
        }
    }
}
