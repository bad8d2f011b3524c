//! What clients written in JavaScript have from their language: white space, the order of names, and js-yaml.

pub mod yaml;

use std::cmp::Ordering;

use feruca::{Collator, Locale, Tailoring};

/// `trim`.
pub fn trim(text: &str) -> &str {
    text.trim_matches(|letter: char| letter == '\u{feff}' || (letter.is_whitespace() && letter != '\u{85}'))
}

/// The order of `localeCompare` for a locale without its own order.
pub fn sort_by_locale<T>(items: &mut [T], name: impl Fn(&T) -> &str) {
    let mut order = Collator::new(Tailoring::Cldr(Locale::Root), false, false);
    items.sort_by(|a, b| order.collate(name(a), name(b)));
}

/// The order of `sort` without a function.
pub fn by_code_units(a: &str, b: &str) -> Ordering {
    a.encode_utf16().cmp(b.encode_utf16())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_the_order_of_letters_whatever_their_case() {
        let mut names = ["b", "SKILL.md", "a_b", "B", ".x", "a-b", "forms.md", "ä", "9", "a", "中", "10", "Z"];
        sort_by_locale(&mut names, |name| name);
        assert_eq!(names, [".x", "10", "9", "a", "ä", "a_b", "a-b", "b", "B", "forms.md", "SKILL.md", "Z", "中"]);
        assert_eq!(by_code_units("\u{ffff}", "\u{10000}"), Ordering::Greater);
    }

    #[test]
    fn a_byte_order_mark_is_space_and_a_next_line_is_not() {
        assert_eq!(trim("\u{feff} \u{a0}a\u{85}\n"), "a\u{85}");
    }
}
