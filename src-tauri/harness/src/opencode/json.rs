//! The message of JavaScriptCore's `JSON.parse` about a text that is not JSON.

/// `None`: it is JSON.
pub fn mistake(text: &str) -> Option<String> {
    if serde_json::from_str::<serde_json::Value>(text).is_ok() {
        return None;
    }
    let mut reader = Reader { text, at: 0 };
    let said = reader.value(0).and_then(|()| match reader.next() {
        Ok(Token::End) => Ok(()),
        Ok(_) => Err("Unable to parse JSON string".to_owned()),
        Err(said) => Err(said),
    });
    // A value that only we refuse, such as a number without end.
    let said = said.err().unwrap_or_else(|| "Unable to parse JSON string".to_owned());
    Some(format!("JSON Parse error: {said}"))
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Mark(char),
    Text,
    Literal,
    Name(String),
    End,
}

/// How many levels of nested values are read.
const DEPTH: usize = 500;

impl Reader<'_> {
    fn value(&mut self, depth: usize) -> Result<(), String> {
        let token = self.next()?;
        self.rest(token, depth)
    }

    fn rest(&mut self, token: Token, depth: usize) -> Result<(), String> {
        match token {
            Token::Text | Token::Literal => Ok(()),
            Token::Mark('{') if depth < DEPTH => self.object(depth),
            Token::Mark('[') if depth < DEPTH => self.array(depth),
            Token::Mark(mark) => Err(format!("Unexpected token '{mark}'")),
            Token::Name(name) => Err(format!("Unexpected identifier \"{name}\"")),
            Token::End => Err("Unexpected EOF".to_owned()),
        }
    }

    fn object(&mut self, depth: usize) -> Result<(), String> {
        match self.next()? {
            Token::Mark('}') => return Ok(()),
            Token::Text => {}
            _ => return Err("Expected '}'".to_owned()),
        }
        loop {
            if self.next()? != Token::Mark(':') {
                return Err("Expected ':' before value in object property definition".to_owned());
            }
            self.value(depth + 1)?;
            match self.next()? {
                Token::Mark('}') => return Ok(()),
                Token::Mark(',') => {}
                _ => return Err("Expected '}'".to_owned()),
            }
            if self.next()? != Token::Text {
                return Err("Property name must be a string literal".to_owned());
            }
        }
    }

    fn array(&mut self, depth: usize) -> Result<(), String> {
        let mut token = self.next()?;
        if token == Token::Mark(']') {
            return Ok(());
        }
        loop {
            self.rest(token, depth + 1)?;
            match self.next()? {
                Token::Mark(']') => return Ok(()),
                Token::Mark(',') => {}
                _ => return Err("Expected ']'".to_owned()),
            }
            token = self.next()?;
            if token == Token::Mark(']') {
                return Err("Unexpected comma at the end of array expression".to_owned());
            }
        }
    }

    fn next(&mut self) -> Result<Token, String> {
        let rest = self.text[self.at..].trim_start_matches([' ', '\t', '\r', '\n']);
        self.at = self.text.len() - rest.len();
        let Some(first) = rest.chars().next() else { return Ok(Token::End) };
        let taken = |is_taken: fn(char) -> bool| rest.find(|letter| !is_taken(letter)).unwrap_or(rest.len());
        match first {
            '{' | '}' | '[' | ']' | ':' | ',' | '(' | ')' | '=' | ';' | '.' => {
                self.at += 1;
                Ok(Token::Mark(first))
            }
            '"' => self.string(&rest[1..]),
            '\'' => Err("Single quotes (') are not allowed in JSON".to_owned()),
            '-' | '0'..='9' => {
                let length = taken(|letter| letter.is_ascii_digit() || "+-.eE".contains(letter));
                self.at += length;
                let is_number = serde_json::from_str::<serde_json::Number>(&rest[..length]).is_ok();
                is_number.then_some(Token::Literal).ok_or_else(|| "Invalid number".to_owned())
            }
            _ if first.is_ascii_alphabetic() || "_$".contains(first) => {
                let length = taken(|letter| letter.is_ascii_alphanumeric() || "_$".contains(letter));
                self.at += length;
                Ok(match &rest[..length] {
                    "true" | "false" | "null" => Token::Literal,
                    name => Token::Name(name.to_owned()),
                })
            }
            other => Err(format!("Unrecognized token '{other}'")),
        }
    }

    fn string(&mut self, rest: &str) -> Result<Token, String> {
        let mut letters = rest.char_indices();
        while let Some((at, letter)) = letters.next() {
            match letter {
                '"' => {
                    self.at += at + 2;
                    return Ok(Token::Text);
                }
                '\\' => match letters.next().map(|(_, escaped)| escaped) {
                    Some('"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't' | 'u') => {}
                    Some(other) => return Err(format!("Invalid escape character {other}")),
                    None => break,
                },
                letter if letter < ' ' => break,
                _ => {}
            }
        }
        Err("Unterminated string".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_what_is_missing() {
        let said = |text| mistake(text).unwrap().trim_start_matches("JSON Parse error: ").to_owned();
        assert_eq!(said(r#"{"name": "a""#), "Expected '}'");
        assert_eq!(said(r#"{"name": "a",}"#), "Property name must be a string literal");
        assert_eq!(said(r#"{"name" "a"}"#), "Expected ':' before value in object property definition");
        assert_eq!(said(r#"{"name": "a"#), "Unterminated string");
        assert_eq!(said(r#"{name: "a"}"#), "Expected '}'");
        assert_eq!(said(r#"["a",]"#), "Unexpected comma at the end of array expression");
        assert_eq!(said("skill"), "Unexpected identifier \"skill\"");
        assert_eq!(said("{} {}"), "Unable to parse JSON string");
        assert_eq!(said(r#"{"a":"#), "Unexpected EOF");
        assert_eq!(mistake("{}"), None);
    }
}
