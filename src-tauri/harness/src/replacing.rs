//! Replacements in texts, refused in advance if the result would be too long: a short call could ask for terabytes.

use regex::Regex;

/// Bytes of a text that a replacement may leave. The limit is Skill Workbench's own; no framework has one.
const LIMIT: usize = 32 << 20;

/// Said to the model.
pub const TOO_LONG: &str = "the text would be longer than 32 MiB, and Skill Workbench makes none that long; the limit is \
                            Skill Workbench's own";

/// A text with each place of one part, or the first, as another; `None`: it would be too long.
pub fn replaced(text: &str, old: &str, new: &str, most: usize) -> Option<String> {
    let count = text.matches(old).take(most).count();
    let length = count.checked_mul(new.len())?.checked_add(text.len() - count * old.len())?;
    (length <= LIMIT).then(|| text.replacen(old, new, most))
}

/// A text with all matches as `new`, in which `${name}` inserts a group; `None`: it could be too long.
pub fn replaced_by(text: &str, pattern: &Regex, new: &str) -> Option<String> {
    let groups = new.matches('$').count();
    let (mut out, mut done) = (String::new(), 0);
    for found in pattern.captures_iter(text) {
        let whole = found.get_match();
        out.push_str(&text[done..whole.start()]);
        // No group is longer than the match.
        let most = groups.checked_mul(whole.len())?.checked_add(new.len())?.checked_add(out.len())?;
        if most > LIMIT {
            return None;
        }
        found.expand(new, &mut out);
        done = whole.end();
    }
    out.push_str(&text[done..]);
    (out.len() <= LIMIT).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_be_too_long_is_not_made() {
        let text = "a".repeat(8 << 20);
        assert_eq!(replaced(&text, "a", &"b".repeat(4 << 20), usize::MAX), None);
        assert_eq!(replaced(&text, "", &"b".repeat(4 << 20), usize::MAX), None);
        assert_eq!(replaced("aXa", "a", "bb", usize::MAX).as_deref(), Some("bbXbb"));
        assert_eq!(replaced("aXa", "a", "bb", 1).as_deref(), Some("bbXa"));
        let whole = Regex::new("(?s).+").unwrap();
        assert_eq!(replaced_by(&text, &whole, &"${0}".repeat(2 << 20)), None);
        let letter = Regex::new("a").unwrap();
        assert_eq!(replaced_by(&text, &letter, &"b".repeat(4 << 20)), None);
        let swapped = Regex::new(r"(\w+) (\w+)").unwrap();
        assert_eq!(replaced_by("one two, three", &swapped, "${2} ${1} $$").as_deref(), Some("two one $, three"));
    }
}
