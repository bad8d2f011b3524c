//! What a search looks for in a text.

use std::time::Instant;

use regex::{Error, Regex, RegexBuilder};
use skill::source::Span;
use wording::{Message, message};

pub(super) struct Pattern {
    regex: Regex,
    whole_words: bool,
}

/// The matches in one text.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Places {
    pub spans: Vec<Span>,
    /// There may be more: the limit was reached, or the time.
    pub more: bool,
}

impl Pattern {
    /// `text` to the letter, or as an expression in which `^` and `$` mean lines.
    pub fn new(text: &str, match_case: bool, whole_words: bool, is_regex: bool) -> Result<Self, Message> {
        let expression = if is_regex { text.to_owned() } else { regex::escape(text) };
        let regex = RegexBuilder::new(&expression)
            .case_insensitive(!match_case)
            .multi_line(true)
            .size_limit(COMPILED)
            .build()
            .map_err(|error| why(&error))?;
        Ok(Self { regex, whole_words })
    }

    /// At most `most` places, none of which is empty.
    pub fn places(&self, text: &str, most: usize, until: Instant) -> Places {
        let mut found = Places::default();
        let mut at = 0;
        while let Some(place) = self.regex.find_at(text, at) {
            let span = Span::new(place.start(), place.end());
            let is_one = !place.is_empty() && (!self.whole_words || is_whole(text, span));
            if is_one {
                if found.spans.len() == most {
                    found.more = true;
                    break;
                }
                found.spans.push(span);
            }
            let next = text[place.start()..].chars().next().map_or(1, char::len_utf8);
            at = if is_one { place.end() } else { place.start() + next };
            if at > text.len() {
                break;
            }
            if Instant::now() > until {
                found.more = true;
                break;
            }
        }
        found
    }
}

/// Bytes that an expression may take once it is compiled.
const COMPILED: usize = 4 << 20;

/// Whether its ends are not inside of words. In scripts without spaces between words this does not matter.
fn is_whole(text: &str, span: Span) -> bool {
    let goes_on = |a: Option<char>, b: Option<char>| a.is_some_and(is_of_word) && b.is_some_and(is_of_word);
    let before = goes_on(text[..span.start].chars().next_back(), text[span.start..].chars().next());
    let after = goes_on(text[..span.end].chars().next_back(), text[span.end..].chars().next());
    !before && !after
}

fn is_of_word(char: char) -> bool {
    (char.is_alphanumeric() || char == '_') && !is_unspaced(char)
}

/// Chinese characters, kana, Thai and its neighbours.
fn is_unspaced(char: char) -> bool {
    matches!(char, '\u{e00}'..='\u{eff}' | '\u{1780}'..='\u{17ff}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// Of the message's several lines, the last says what is wrong.
fn why(error: &Error) -> Message {
    match error {
        Error::CompiledTooBig(_) => message!("the expression is too large", "表达式过大"),
        other => {
            let said = other.to_string();
            let said = said.lines().last().unwrap_or_default().trim().trim_start_matches("error: ").to_owned();
            message!("the expression is not valid: {said}", "表达式无效：{said}")
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn found<'a>(pattern: &Pattern, text: &'a str) -> Vec<&'a str> {
        let until = Instant::now() + Duration::from_secs(60);
        pattern.places(text, 100, until).spans.into_iter().map(|span| span.of(text)).collect()
    }

    fn pattern(text: &str, match_case: bool, whole_words: bool, is_regex: bool) -> Pattern {
        Pattern::new(text, match_case, whole_words, is_regex).unwrap()
    }

    #[test]
    fn a_text_is_found_to_the_letter_in_any_case_or_in_its_own() {
        assert_eq!(found(&pattern("a.b", false, false, false), "a.b A.B axb"), ["a.b", "A.B"]);
        assert_eq!(found(&pattern("É.", false, false, false), "é. É."), ["é.", "É."]);
        assert_eq!(found(&pattern("A.b", true, false, false), "a.b A.b"), ["A.b"]);
    }

    #[test]
    fn a_whole_word_ends_where_no_word_goes_on() {
        assert_eq!(found(&pattern("skill", false, true, false), "skills, a_skill, Skill."), ["Skill"]);
        let text = "用skill翻译技能";
        assert_eq!(found(&pattern("skill", false, true, false), text), ["skill"]);
        assert_eq!(found(&pattern("翻译", false, true, false), text), ["翻译"], "nothing stands between Chinese words");
        assert_eq!(found(&pattern("--value", false, true, false), "x --value 1, --values"), ["--value"]);
        assert_eq!(found(&pattern("aa", false, true, false), "aaa aa"), ["aa"]);
    }

    #[test]
    fn an_expression_goes_line_by_line_and_finds_nothing_empty() {
        assert_eq!(found(&pattern(r"^\w+$", true, false, true), "one\ntwo three\nfour"), ["one", "four"]);
        assert_eq!(found(&pattern("x*", true, false, true), "axxb"), ["xx"]);
        assert_eq!(found(&pattern("$", true, false, true), "一\n二"), Vec::<&str>::new());
    }

    #[test]
    fn what_is_no_expression_is_refused_with_the_reason() {
        let refused = Pattern::new("(", true, false, true).err().unwrap();
        assert_eq!(refused.en, "the expression is not valid: unclosed group");
        let refused = Pattern::new(r"\w{1000}{1000}", true, false, true).err().unwrap();
        assert_eq!(refused.en, "the expression is too large");
    }

    #[test]
    fn says_that_there_is_more() {
        let until = Instant::now() + Duration::from_secs(60);
        let places = pattern("a", true, false, false).places("aaa", 2, until);
        assert_eq!((places.spans.len(), places.more), (2, true));
        let places = pattern("a", true, false, false).places("aaa", 3, until);
        assert_eq!((places.spans.len(), places.more), (3, false));
    }
}
