//! Parts of a run that its owner may not want to share: keys, home folders and e-mail addresses.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;

use super::dto::{PrivateKind, PrivateText};
use model::secret::{MARK, recognise};

static EMAILS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"[A-Za-z0-9][A-Za-z0-9._%+-]*@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}").expect("a constant")
});
static HOMES: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r#"(?:/home|/Users)/[^/\\\s"'`:;,<>()\[\]{}|&?*]+|/root\b|[A-Za-z]:(?:\\+|/)Users(?:\\+|/)[^/\\\s"'`:;,<>()]+"#,
    )
    .expect("a constant")
});

/// The private texts found so far.
#[derive(Default)]
pub struct Private(BTreeMap<(PrivateKind, String), u32>);

impl Private {
    pub fn look(&mut self, text: &str) {
        let mut rest = text;
        while let Some(range) = recognise::find(rest) {
            *self.0.entry((PrivateKind::Key, rest[range.clone()].to_owned())).or_default() += 1;
            rest = &rest[range.end..];
        }
        for (kind, pattern) in [(PrivateKind::Home, &*HOMES), (PrivateKind::Email, &*EMAILS)] {
            for each in pattern.find_iter(text) {
                *self.0.entry((kind, each.as_str().trim_end_matches('.').to_owned())).or_default() += 1;
            }
        }
    }

    /// The most frequent of each kind first.
    pub fn listed(self) -> Vec<PrivateText> {
        let mut listed: Vec<_> =
            self.0.into_iter().map(|((kind, text), count)| PrivateText { kind, text, count }).collect();
        listed.sort_by(|a, b| a.kind.cmp(&b.kind).then(b.count.cmp(&a.count)));
        listed
    }
}

/// Those that are something, the longest first: one may begin with another.
pub fn sorted(redact: &[PrivateText]) -> Vec<&PrivateText> {
    let mut redact: Vec<&PrivateText> = redact.iter().filter(|each| !each.text.is_empty()).collect();
    redact.sort_by_key(|each| std::cmp::Reverse(each.text.len()));
    redact
}

pub fn without(text: &str, redact: &[&PrivateText]) -> String {
    let mut text = text.to_owned();
    for each in redact {
        let put = match each.kind {
            PrivateKind::Key => MARK,
            PrivateKind::Home => "~",
            PrivateKind::Email => "[e-mail]",
        };
        // As it is, and as JSON in a text writes it.
        for written in [each.text.clone(), each.text.replace('\\', "\\\\"), each.text.replace('/', "\\/")] {
            if text.contains(&written) {
                text = text.replace(&written, put);
            }
        }
    }
    text
}
