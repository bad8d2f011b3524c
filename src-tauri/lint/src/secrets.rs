//! The secrets of a skill, which are known once all of its texts were searched, and shown nowhere: not in messages, not in
//! the lines around a finding, and not in what fixes write.

use std::fmt;
use std::sync::Arc;

use aho_corasick::{AhoCorasick, Input, MatchKind};

use super::analysis::secret::masked;
use skill::source::Span;

/// The secrets in a skill's texts. Cloning is cheap.
#[derive(Clone, Default)]
pub struct Secrets(Option<Arc<Known>>);

struct Known {
    /// White space as blanks, sorted, each once.
    texts: Vec<String>,
    /// For each beginning, the places in the list of the secrets that begin with it.
    beginnings: Vec<Vec<usize>>,
    begun: AhoCorasick,
    /// All of one, or a line of one.
    whole: AhoCorasick,
    lines: AhoCorasick,
}

/// So many equal bytes are not a coincidence: they show which secret was cut.
const BEGINNING: usize = 8;

impl Secrets {
    /// Texts that rules found to be secrets. White space counts as a blank, however much of it there is.
    pub fn of(found: impl IntoIterator<Item = String>) -> Self {
        let mut texts: Vec<String> = found.into_iter().map(|text| even(&text)).collect();
        texts.sort();
        texts.dedup();
        texts.retain(|text| !text.trim().is_empty());
        Self::sorted(texts)
    }

    /// Those of several skills together.
    pub fn all<'a>(several: impl IntoIterator<Item = &'a Self>) -> Self {
        Self::of(several.into_iter().flat_map(|secrets| secrets.texts().iter().cloned()))
    }

    fn sorted(texts: Vec<String>) -> Self {
        if texts.is_empty() {
            return Self::default();
        }
        let (mut starts, mut beginnings): (Vec<&str>, Vec<Vec<usize>>) = (Vec::new(), Vec::new());
        for (place, text) in texts.iter().enumerate() {
            let start = &text[..text.ceil_char_boundary(BEGINNING.min(text.len()))];
            if starts.last() != Some(&start) {
                starts.push(start);
                beginnings.push(Vec::new());
            }
            if let Some(last) = beginnings.last_mut() {
                last.push(place);
            }
        }
        let lines = texts.iter().flat_map(|text| text.split(' ')).filter(|line| line.len() >= BEGINNING);
        let lines: Vec<&str> = lines.collect();
        let automaton =
            |patterns: &[&str]| AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(patterns);
        let whole: Vec<&str> = texts.iter().map(String::as_str).chain(lines.iter().copied()).collect();
        let made = (automaton(&starts), automaton(&whole), automaton(&lines));
        // Fails only beyond what texts of a skill can hold.
        let (Ok(begun), Ok(whole), Ok(lines)) = made else { return Self::default() };
        Self(Some(Arc::new(Known { beginnings, begun, whole, lines, texts })))
    }

    /// No secret was found, so nothing is taken out of any text.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    fn texts(&self) -> &[String] {
        self.0.as_ref().map_or(&[], |known| &known.texts)
    }

    /// Takes them out of a text that may quote them, cut ones too. Whether there were any.
    pub fn hide(&self, text: &mut String) -> bool {
        let Some(known) = &self.0 else { return false };
        let looked = even(text);
        let (mut out, mut done) = (String::new(), 0);
        while let Some(found) = known.begun.find(Input::new(&looked).span(done..looked.len())) {
            let (length, secret) = known.longest(&looked[found.start()..], found.pattern().as_usize());
            out.push_str(&text[done..found.start()]);
            out.push_str(&masked(secret));
            done = found.start() + length;
        }
        if done == 0 {
            return false;
        }
        out.push_str(&text[done..]);
        *text = out;
        true
    }

    /// Where they are in a text, whole or a line of them, in order.
    pub fn spans(&self, text: &str) -> Vec<Span> {
        self.0.as_ref().map_or_else(Vec::new, |known| spans(&known.whole, text))
    }

    /// An edit from one text to another, in parts around the secrets that both hold: none of the parts holds one. `None`
    /// if the new text has a secret in another place than the old one.
    pub fn around(&self, old: &str, new: &str) -> Option<Vec<(Span, String)>> {
        let known = self.0.as_ref();
        let lines = |text: &str| known.map_or_else(Vec::new, |known| spans(&known.lines, text));
        // If line ends change, the lines of a secret stay the same.
        between(old, new, |text| self.spans(text)).or_else(|| between(old, new, lines))
    }
}

/// [`Secrets::around`] what `held` finds.
fn between(old: &str, new: &str, held: impl Fn(&str) -> Vec<Span>) -> Option<Vec<(Span, String)>> {
    let mut parts = Vec::new();
    let mut part = |old_part: Span, new_part: &str| {
        if old_part.of(old) != new_part {
            parts.push((old_part, new_part.to_owned()));
        }
    };
    let mut holds = held(old).into_iter();
    let (mut from, mut from_new) = (0, 0);
    for carried in held(new) {
        let same = holds.find(|held| held.of(old) == carried.of(new))?;
        part(Span::new(from, same.start), &new[from_new..carried.start]);
        (from, from_new) = (same.end, carried.end);
    }
    part(Span::new(from, old.len()), &new[from_new..]);
    Some(parts)
}

fn spans(of: &AhoCorasick, text: &str) -> Vec<Span> {
    of.find_iter(&even(text)).map(|found| Span::new(found.start(), found.end())).collect()
}

impl Known {
    /// How many bytes of a text's beginning match the beginning of a secret, and which one. Those with the same
    /// beginning are sorted, so it is a neighbour of the place where the text would be.
    fn longest(&self, text: &str, beginning: usize) -> (usize, &str) {
        let alike = &self.beginnings[beginning];
        let after = alike.partition_point(|place| self.texts[*place].as_str() < text);
        let near = alike[after.saturating_sub(1)..].iter().take(2).map(|place| self.texts[*place].as_str());
        let shared = |secret: &&str| {
            text.chars().zip(secret.chars()).take_while(|(a, b)| a == b).map(|(letter, _)| letter.len_utf8()).sum()
        };
        near.map(|secret| (shared(&secret), secret)).max_by_key(|(length, _): &(usize, _)| *length).unwrap_or_default()
    }
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} secrets", self.texts().len())
    }
}

impl PartialEq for Secrets {
    fn eq(&self, other: &Self) -> bool {
        self.texts() == other.texts()
    }
}

/// With a blank for each end of a line and each tab: messages quote texts on one line.
fn even(text: &str) -> String {
    text.replace(['\n', '\r', '\t'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "Zk4wPn8Rt1Vq";

    fn known() -> Secrets {
        Secrets::of([KEY.to_owned(), "MIIEvgIBADANBg\nkqhkiG9w0BAQ".to_owned(), "MIIEvgIBADXXXX".to_owned()])
    }

    fn hidden(text: &str) -> String {
        let mut text = text.to_owned();
        known().hide(&mut text);
        text
    }

    #[test]
    fn hides_secrets_in_messages_be_they_cut() {
        assert_eq!(hidden("a Zk4wPn8Rt1Vq b"), "a Zk4… b");
        assert_eq!(hidden("a Zk4wPn8R… b"), "a Zk4…… b");
        assert_eq!(hidden("runs `x MIIEvgIBADANBg kq…`, and `MIIEvgIB`"), "runs `x MIIE……`, and `MII…`");
        assert_eq!(hidden("Zk4wPn is too little to tell"), "Zk4wPn is too little to tell");
        assert_eq!(format!("{:?}", known()), "3 secrets");
    }

    #[test]
    fn what_was_hidden_once_stays_as_it_is() {
        let once = hidden("a Zk4wPn8Rt1Vq b");
        assert_eq!(hidden(&once), once);
    }

    #[test]
    fn many_secrets_that_begin_alike_cost_no_more_than_their_length() {
        let many = Secrets::of((0..50_000).map(|number| format!("password-{number:08}")));
        let mut text = "password-99999999 ".repeat(50_000);
        assert!(many.hide(&mut text));
        assert!(!text.contains("password"));
    }

    #[test]
    fn an_edit_around_secrets_holds_none_of_them() {
        let applied = |old: &str, new: &str| {
            let parts = known().around(old, new)?;
            let mut text = old.to_owned();
            for (span, part) in parts.iter().rev() {
                assert!(known().spans(part).is_empty(), "{part}");
                text.replace_range(span.start..span.end, part);
            }
            Some((text, parts.len()))
        };
        let new = format!("\"use: {KEY} here, {KEY}\"");
        assert_eq!(applied(&format!("use: {KEY} here, {KEY}"), &new), Some((new.clone(), 2)));
        assert_eq!(applied("plain", "other"), Some(("other".into(), 1)));
        assert_eq!(applied(&format!("a {KEY} b {KEY}"), "gone"), Some(("gone".into(), 1)), "it may be deleted");
        let lines = "x\r\nMIIEvgIBADANBg\r\nkqhkiG9w0BAQ\r\ny\r\n";
        let ends = lines.replace("\r\n", "\n");
        assert_eq!(applied(lines, &ends), Some((ends.clone(), 3)));
        assert_eq!(applied("elsewhere", KEY), None, "it is not there yet");
    }
}
