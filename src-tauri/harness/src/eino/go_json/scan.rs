//! The check that `encoding/json` makes of a whole text before it reads any of it, and the members of an object.

/// A key in its quotes, and its value, each as written.
type Member<'a> = (&'a str, &'a str);

/// The members of the object at the top, in order; none if something else is at the top. `Err` is Go's message.
pub fn members(json: &str) -> Result<Vec<Member<'_>>, String> {
    let mut scanner = Scanner { text: json, bytes: json.as_bytes(), at: 0, members: Vec::new() };
    scanner.top()?;
    Ok(scanner.members)
}

/// Lists and objects inside each other.
const DEPTH_LIMIT: usize = 10_000;

struct Scanner<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    members: Vec<Member<'a>>,
}

/// An open bracket.
enum Open<'a> {
    List,
    /// The key that was read last, and where its value begins.
    Object(&'a str, usize),
}

impl<'a> Scanner<'a> {
    fn top(&mut self) -> Result<(), String> {
        let mut open: Vec<Open<'a>> = Vec::new();
        loop {
            self.space();
            if let Some(Open::Object(_, value)) = open.last_mut() {
                *value = self.at;
            }
            let nested = match self.peek()? {
                b'{' => {
                    self.at += 1;
                    self.space();
                    if self.peek()? == b'}' {
                        self.at += 1;
                        false
                    } else {
                        let key = self.key()?;
                        open.push(Open::Object(key, self.at));
                        true
                    }
                }
                b'[' => {
                    self.at += 1;
                    self.space();
                    if self.peek()? == b']' {
                        self.at += 1;
                        false
                    } else {
                        open.push(Open::List);
                        true
                    }
                }
                _ => {
                    self.scalar()?;
                    false
                }
            };
            if open.len() > DEPTH_LIMIT {
                return Err("exceeded max depth".into());
            }
            if nested {
                continue;
            }
            if !self.close(&mut open)? {
                break;
            }
        }
        self.space();
        match self.bytes.get(self.at) {
            None => Ok(()),
            Some(_) => Err(self.unexpected("after top-level value")),
        }
    }

    /// What comes after a value: `true` if a further one must come.
    fn close(&mut self, open: &mut Vec<Open<'a>>) -> Result<bool, String> {
        loop {
            if let [Open::Object(key, value)] = open.as_slice() {
                self.members.push((key, &self.text[*value..self.at]));
            }
            self.space();
            match open.last_mut() {
                None => return Ok(false),
                Some(Open::List) => match self.peek()? {
                    b',' => {
                        self.at += 1;
                        return Ok(true);
                    }
                    b']' => self.at += 1,
                    _ => return Err(self.unexpected("after array element")),
                },
                Some(Open::Object(key, _)) => match self.peek()? {
                    b',' => {
                        self.at += 1;
                        self.space();
                        *key = self.key()?;
                        return Ok(true);
                    }
                    b'}' => self.at += 1,
                    _ => return Err(self.unexpected("after object key:value pair")),
                },
            }
            open.pop();
        }
    }

    /// A key and its colon.
    fn key(&mut self) -> Result<&'a str, String> {
        if self.peek()? != b'"' {
            return Err(self.unexpected("looking for beginning of object key string"));
        }
        let start = self.at;
        self.string()?;
        let key = &self.text[start..self.at];
        self.space();
        if self.peek()? != b':' {
            return Err(self.unexpected("after object key"));
        }
        self.at += 1;
        Ok(key)
    }

    fn scalar(&mut self) -> Result<(), String> {
        match self.peek()? {
            b'"' => self.string(),
            b't' => self.literal("true"),
            b'f' => self.literal("false"),
            b'n' => self.literal("null"),
            b'-' | b'0'..=b'9' => self.number(),
            _ => Err(self.unexpected("looking for beginning of value")),
        }
    }

    fn string(&mut self) -> Result<(), String> {
        self.at += 1;
        loop {
            match self.peek()? {
                b'"' => {
                    self.at += 1;
                    return Ok(());
                }
                b'\\' => {
                    self.at += 1;
                    match self.peek()? {
                        b'b' | b'f' | b'n' | b'r' | b't' | b'\\' | b'/' | b'"' => self.at += 1,
                        b'u' => {
                            self.at += 1;
                            for _ in 0..4 {
                                if !self.peek()?.is_ascii_hexdigit() {
                                    return Err(self.unexpected("in \\u hexadecimal character escape"));
                                }
                                self.at += 1;
                            }
                        }
                        _ => return Err(self.unexpected("in string escape code")),
                    }
                }
                0..0x20 => return Err(self.unexpected("in string literal")),
                _ => self.at += 1,
            }
        }
    }

    fn literal(&mut self, word: &str) -> Result<(), String> {
        for expected in word.chars() {
            if char::from(self.peek()?) != expected {
                return Err(self.unexpected(&format!("in literal {word} (expecting '{expected}')")));
            }
            self.at += 1;
        }
        Ok(())
    }

    fn number(&mut self) -> Result<(), String> {
        if self.peek()? == b'-' {
            self.at += 1;
        }
        match self.peek()? {
            b'0' => self.at += 1,
            b'1'..=b'9' => self.digits(),
            _ => return Err(self.unexpected("in numeric literal")),
        }
        if self.bytes.get(self.at) == Some(&b'.') {
            self.at += 1;
            if !self.peek()?.is_ascii_digit() {
                return Err(self.unexpected("after decimal point in numeric literal"));
            }
            self.digits();
        }
        if matches!(self.bytes.get(self.at), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek()?, b'+' | b'-') {
                self.at += 1;
            }
            if !self.peek()?.is_ascii_digit() {
                return Err(self.unexpected("in exponent of numeric literal"));
            }
            self.digits();
        }
        Ok(())
    }

    fn digits(&mut self) {
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_digit) {
            self.at += 1;
        }
    }

    fn space(&mut self) {
        while matches!(self.bytes.get(self.at), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Result<u8, String> {
        self.bytes.get(self.at).copied().ok_or_else(|| "unexpected end of JSON input".to_owned())
    }

    fn unexpected(&self, place: &str) -> String {
        let shown = self.bytes.get(self.at).map_or_else(String::new, |byte| shown(*byte));
        format!("invalid character {shown} {place}")
    }
}

/// A byte as Go quotes it: as a separate character, even in the middle of one.
fn shown(byte: u8) -> String {
    let inner = match byte {
        b'\'' => return r"'\''".into(),
        b'"' => return "'\"'".into(),
        0x07 => r"\a".into(),
        0x08 => r"\b".into(),
        0x0C => r"\f".into(),
        b'\n' => r"\n".into(),
        b'\r' => r"\r".into(),
        b'\t' => r"\t".into(),
        0x0B => r"\v".into(),
        b'\\' => r"\\".into(),
        0..0x20 | 0x7F => format!("\\x{byte:02x}"),
        0x80..=0xA0 | 0xAD => format!("\\u{:04x}", u32::from(byte)),
        _ => char::from(byte).to_string(),
    };
    format!("'{inner}'")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(json: &str) -> String {
        members(json).unwrap_err()
    }

    #[test]
    fn finds_the_members_of_the_object_at_the_top() {
        let json = r#"{"a": {"x": [1, {"y": 2}]} , "b":[ ],"c" : "d","e":{}, "f": [[1]]}"#;
        let found = members(json).unwrap();
        let expected = [
            (r#""a""#, r#"{"x": [1, {"y": 2}]}"#),
            (r#""b""#, "[ ]"),
            (r#""c""#, r#""d""#),
            (r#""e""#, "{}"),
            (r#""f""#, "[[1]]"),
        ];
        assert_eq!(found, expected);
        for other in ["[{\"a\":1}]", "5", "null", " \"a\" "] {
            assert_eq!(members(other), Ok(Vec::new()));
        }
    }

    #[test]
    fn says_where_a_text_is_no_json_as_go_does() {
        for (json, place) in [
            ("x", "'x' looking for beginning of value"),
            ("{x", "'x' looking for beginning of object key string"),
            (r#"{"a":1,}"#, "'}' looking for beginning of object key string"),
            ("[1,]", "']' looking for beginning of value"),
            (r#"{"a" 1}"#, "'1' after object key"),
            (r#"{"a":1 "b":2}"#, "'\"' after object key:value pair"),
            ("[1 2]", "'2' after array element"),
            ("{} x", "'x' after top-level value"),
            ("\"a\nb\"", r"'\n' in string literal"),
            (r#""\x""#, "'x' in string escape code"),
            (r#""\u12g4""#, r"'g' in \u hexadecimal character escape"),
            ("trux", "'x' in literal true (expecting 'e')"),
            ("-a", "'a' in numeric literal"),
            ("1.a", "'a' after decimal point in numeric literal"),
            ("1ea", "'a' in exponent of numeric literal"),
            ("'a'", r"'\'' looking for beginning of value"),
            ("中", "'ä' looking for beginning of value"),
            ("01", "'1' after top-level value"),
        ] {
            assert_eq!(error(json), format!("invalid character {place}"), "{json}");
        }
        for cut in ["", " ", "{", r#"{"a"#, r#"{"a":"#, "[1", "tru", "-", "1.", "1e", r#""\u12"#, r#"{"skill": "pdf""#]
        {
            assert_eq!(error(cut), "unexpected end of JSON input", "{cut}");
        }
    }
}
