//! Characters that readers do not see, or that change how the text around them is shown: controls, marks of direction,
//! characters without width. Wherever the program shows a text that somebody else wrote, these are shown as marks.
//! Which of them `lint` reports in skills is decided elsewhere.
//!
//! `ui/src/parts/hidden.ts` does the same for the window; both are compared with `tests/fixtures/hidden.json`.

/// Each character of `text` with whether it is hidden. Line ends and tabs are not.
pub fn letters(text: &str) -> impl Iterator<Item = (char, bool)> {
    let mut before = None;
    text.chars().map(move |letter| (letter, is_hidden(letter, before.replace(letter))))
}

/// Whether a character is hidden behind the one before it: a selector of an emoji's form is seen in that form, one
/// behind a letter is not seen at all.
pub fn is_hidden(letter: char, before: Option<char>) -> bool {
    match letter {
        '\n' | '\t' | ' '..='~' => false,
        '\u{180B}'..='\u{180D}' | '\u{180F}' => !before.is_some_and(|before| matches!(before, '\u{1820}'..='\u{18AA}')),
        '\u{FE00}'..='\u{FE0D}' => !before.is_some_and(has_forms),
        '\u{FE0E}' | '\u{FE0F}' => {
            !before.is_some_and(|before| has_forms(before) || matches!(before, '0'..='9' | '#' | '*'))
        }
        '\u{E0100}'..='\u{E01EF}' => !before.is_some_and(is_ideograph),
        _ => is_always_hidden(letter),
    }
}

/// The controls, what Unicode calls `Default_Ignorable_Code_Point` and `Cf`, and how hieroglyphs are joined, with the ends of lines and paragraphs and the
/// marks of annotations.
fn is_always_hidden(letter: char) -> bool {
    letter.is_control()
        || matches!(
            letter,
            '\u{AD}' | '\u{34F}' | '\u{600}'..='\u{605}' | '\u{61C}' | '\u{6DD}' | '\u{70F}' | '\u{890}' | '\u{891}'
            | '\u{8E2}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{180E}'
            | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FEFF}'
            | '\u{FFA0}' | '\u{FFF0}'..='\u{FFFB}' | '\u{110BD}' | '\u{110CD}'
            | '\u{13430}'..='\u{1345F}' | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}'
            | '\u{E0000}'..='\u{E0FFF}'
        )
}

/// Symbols, ideographs and the letters that Unicode has several forms of.
fn has_forms(letter: char) -> bool {
    let is_selector = matches!(letter, '\u{FE00}'..='\u{FE0F}');
    let may = matches!(letter, '\u{A9}' | '\u{AE}' | '\u{1000}'..='\u{109F}') || letter >= '\u{2010}';
    may && !is_selector && !is_always_hidden(letter) && !letter.is_whitespace()
}

fn is_ideograph(letter: char) -> bool {
    matches!(letter, '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFD}')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All that the window is compared with as well.
    const CASES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures/hidden.json");

    #[derive(serde::Deserialize)]
    struct Cases {
        /// First and last code points that are hidden where they are alone.
        ranges: Vec<(String, String)>,
        /// Texts and their hidden characters.
        texts: Vec<(String, Vec<String>)>,
    }

    fn cases() -> Cases {
        serde_json::from_str(&std::fs::read_to_string(CASES).unwrap()).unwrap()
    }

    fn point(letter: char) -> String {
        format!("{:04X}", u32::from(letter))
    }

    #[test]
    fn exactly_the_listed_characters_are_hidden_alone() {
        let mut ranges: Vec<(String, String)> = Vec::new();
        let mut last = None;
        for letter in ('\0'..=char::MAX).filter(|letter| is_hidden(*letter, None)) {
            match ranges.last_mut() {
                Some((_, end)) if last == u32::from(letter).checked_sub(1) => *end = point(letter),
                _ => ranges.push((point(letter), point(letter))),
            }
            last = Some(u32::from(letter));
        }
        assert_eq!(ranges, cases().ranges);
    }

    #[test]
    fn a_selector_is_seen_where_it_selects_a_form() {
        for (text, hidden) in cases().texts {
            let found: Vec<String> =
                letters(&text).filter(|(_, hidden)| *hidden).map(|(letter, _)| point(letter)).collect();
            assert_eq!(found, hidden, "{text:?}");
        }
    }
}
