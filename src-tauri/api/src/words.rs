//! What differs between two texts: paragraph by paragraph, and word by word in those that are alike. Two paragraphs that have
//! little in common read better whole, one after the other, than as odd words of both.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use similar::utils::TextDiffRemapper;
use similar::{Algorithm, ChangeTag, DiffOp, DiffableStr, TextDiff};

use super::dto::{DiffKind, DiffPiece};

/// After this the rest of two texts is compared roughly rather than well.
pub(super) const PATIENCE: Duration = Duration::from_millis(500);

/// Of the words of two paragraphs that are alike, so many in a hundred are in both.
const ALIKE: usize = 40;

/// How far ahead a similar paragraph is searched for.
const AHEAD: usize = 12;

/// The pieces of both texts in order, none of them empty and no two neighbours of one kind; at a changed place the
/// removed text comes first. Words, runs of spaces, punctuation marks and Chinese characters are compared as a whole.
pub(super) fn diff(a: &str, b: &str) -> Vec<DiffPiece> {
    let deadline = Instant::now() + PATIENCE;
    let mut pieces = Pieces::default();
    let (left, right) = (paragraphs(a), paragraphs(b));
    let aligned = TextDiff::configure().algorithm(Algorithm::Patience).deadline(deadline).diff_slices(&left, &right);
    for op in aligned.ops() {
        let (left, right) = (&left[op.old_range()], &right[op.new_range()]);
        match op {
            DiffOp::Equal { .. } => left.iter().for_each(|text| pieces.push(ChangeTag::Equal, text)),
            DiffOp::Delete { .. } | DiffOp::Insert { .. } | DiffOp::Replace { .. } => {
                changed(left, right, deadline, &mut pieces);
            }
        }
    }
    pieces.finish()
}

/// Lines up to and with the empty ones behind them.
fn paragraphs(text: &str) -> Vec<&str> {
    let (mut found, mut start, mut at, mut is_over) = (Vec::new(), 0, 0, false);
    for line in text.split_inclusive('\n') {
        let is_empty = line.trim().is_empty();
        if is_over && !is_empty {
            found.push(&text[start..at]);
            start = at;
        }
        is_over = is_empty;
        at += line.len();
    }
    if start < text.len() {
        found.push(&text[start..]);
    }
    found
}

/// Paragraphs of which none is in both texts as it is: each with the next one that is like it, or alone.
fn changed(left: &[&str], right: &[&str], deadline: Instant, pieces: &mut Pieces) {
    let known: Vec<Words<'_>> = right.iter().map(|text| Words::of(text)).collect();
    let mut from = 0;
    for text in left {
        let own = Words::of(text);
        let near = &known[from..known.len().min(from + AHEAD)];
        let alike = near.iter().enumerate().map(|(at, other)| (own.in_common(other), at));
        match alike.max_by_key(|(share, at)| (*share, usize::MAX - at)) {
            Some((share, at)) if share >= ALIKE => {
                right[from..from + at].iter().for_each(|new| pieces.push(ChangeTag::Insert, new));
                words(text, right[from + at], deadline, pieces);
                from += at + 1;
            }
            _ => pieces.push(ChangeTag::Delete, text),
        }
    }
    right[from..].iter().for_each(|new| pieces.push(ChangeTag::Insert, new));
}

fn words(a: &str, b: &str, deadline: Instant, pieces: &mut Pieces) {
    let diff = TextDiff::configure().algorithm(Algorithm::Patience).deadline(deadline).diff_unicode_words(a, b);
    let remapper = TextDiffRemapper::from_text_diff(&diff, a, b);
    for (tag, text) in diff.ops().iter().flat_map(|op| remapper.iter_slices(op)) {
        pieces.push(tag, text);
    }
}

/// How often each word is in a text. A Chinese character is one.
struct Words<'a> {
    counts: HashMap<&'a str, usize>,
    all: usize,
}

impl<'a> Words<'a> {
    fn of(text: &'a str) -> Self {
        let mut counts = HashMap::new();
        let mut all = 0;
        for word in text.tokenize_unicode_words().into_iter().filter(|word| word.contains(char::is_alphanumeric)) {
            *counts.entry(word).or_default() += 1;
            all += 1;
        }
        Self { counts, all }
    }

    /// In a hundred; two texts without words are alike.
    fn in_common(&self, other: &Self) -> usize {
        let both = self.counts.iter().map(|(word, n)| *n.min(other.counts.get(word).unwrap_or(&0))).sum::<usize>();
        (200 * both).checked_div(self.all + other.all).unwrap_or(100)
    }
}

/// Pieces so far, and the changed place that is not over yet.
#[derive(Default)]
struct Pieces {
    done: Vec<DiffPiece>,
    removed: String,
    added: String,
    /// What both texts have after the change, while it may still turn out to be between two changes.
    between: String,
}

impl Pieces {
    fn push(&mut self, tag: ChangeTag, text: &str) {
        match tag {
            ChangeTag::Equal if self.removed.is_empty() && self.added.is_empty() => self.same(text),
            ChangeTag::Equal => {
                self.between.push_str(text);
                // Spaces and punctuation alone hold nothing together: two phrases read better than ten odd words.
                if self.between.chars().any(char::is_alphanumeric) {
                    self.close();
                }
            }
            ChangeTag::Delete => {
                self.join();
                self.removed.push_str(text);
            }
            ChangeTag::Insert => {
                self.join();
                self.added.push_str(text);
            }
        }
    }

    /// The change continues: the text in between belongs to it.
    fn join(&mut self) {
        self.removed.push_str(&self.between);
        self.added.push_str(&self.between);
        self.between.clear();
    }

    /// The change is over.
    fn close(&mut self) {
        for (kind, text) in [(DiffKind::Removed, &mut self.removed), (DiffKind::Added, &mut self.added)] {
            if !text.is_empty() {
                self.done.push(DiffPiece { kind, text: std::mem::take(text) });
            }
        }
        let between = std::mem::take(&mut self.between);
        self.same(&between);
    }

    fn same(&mut self, text: &str) {
        match self.done.last_mut() {
            _ if text.is_empty() => {}
            Some(DiffPiece { kind: DiffKind::Same, text: last }) => last.push_str(text),
            _ => self.done.push(DiffPiece { kind: DiffKind::Same, text: text.to_owned() }),
        }
    }

    fn finish(mut self) -> Vec<DiffPiece> {
        self.close();
        self.done
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// `[-removed-]` and `{+added+}` in the text.
    fn shown(a: &str, b: &str) -> String {
        let show = |DiffPiece { kind, text }: DiffPiece| match kind {
            DiffKind::Same => text,
            DiffKind::Removed => format!("[-{text}-]"),
            DiffKind::Added => format!("{{+{text}+}}"),
        };
        diff(a, b).into_iter().map(show).collect()
    }

    #[test]
    fn tells_whole_words_apart() {
        assert_eq!(
            shown("Load the skill first.", "Load a skill, first!"),
            "Load [-the-]{+a+} skill{+,+} first[-.-]{+!+}"
        );
        assert_eq!(shown("use load_skill", "use load_skills"), "use [-load_skill-]{+load_skills+}");
    }

    #[test]
    fn tells_chinese_apart_by_character() {
        assert_eq!(shown("一公斤是多少磅？", "一公斤等于多少磅？"), "一公斤[-是-]{+等于+}多少磅？");
    }

    #[test]
    fn tells_paragraphs_apart_whole_that_have_little_in_common() {
        let (a, b) = ("You have access to skills.\n", "Before you answer, read what fits the request.\n");
        assert_eq!(shown(a, b), format!("[-{a}-]{{+{b}+}}"));
        let alike = |skill: &str| format!("Use {skill}: it converts units of length and weight.\n\n");
        assert_eq!(
            shown(&format!("{a}\n{}end\n", alike("units")), &format!("{b}\n{}end\n", alike("unit-converter"))),
            format!(
                "[-{a}\n-]{{+{b}\n+}}Use [-units-]{{+unit-converter+}}: it converts units of length and weight.\n\nend\n"
            )
        );
    }

    #[test]
    fn finds_a_paragraph_that_is_like_another_behind_new_ones() {
        let (a, b) = ("Call load_skill with the name of the skill.\n", "Call read_skill with the name of the skill.\n");
        assert_eq!(
            shown(a, &format!("# New\n\nNothing of this was there.\n\n{b}")),
            "{+# New\n\nNothing of this was there.\n\n+}Call [-load_skill-]{+read_skill+} with the name of the skill.\n"
        );
    }

    #[test]
    fn many_paragraphs_take_no_longer_than_the_patience() {
        let many = |of: &str| (0..20_000).map(|n| format!("{of} {n}\n\n")).collect::<String>();
        let start = std::time::Instant::now();
        diff(&many("one"), &many("two"));
        assert!(start.elapsed() < PATIENCE * 20, "{:?}", start.elapsed());
    }

    #[test]
    fn a_space_between_two_changes_belongs_to_both() {
        assert_eq!(shown("call one two now", "call three four now"), "call [-one two-]{+three four+} now");
    }

    #[test]
    fn equal_and_empty_texts_have_at_most_one_piece() {
        assert_eq!(shown("same", "same"), "same");
        assert_eq!(diff("", ""), []);
        assert_eq!(shown("", "new"), "{+new+}");
    }

    #[test]
    fn huge_texts_take_no_longer_than_the_patience() {
        let numbers = |step: usize| (0..200_000).map(|n| format!("{} ", n * step % 1_009)).collect::<String>();
        let start = std::time::Instant::now();
        diff(&numbers(7), &numbers(11));
        assert!(start.elapsed() < PATIENCE * 20, "{:?}", start.elapsed());
    }

    proptest! {
        #[test]
        fn both_texts_can_be_put_together_again(a in "[ab磅 ,\n]{0,40}", b in "[ab磅 ,\n]{0,40}") {
            let pieces = diff(&a, &b);
            let without = |left_out| {
                let kept = pieces.iter().filter(move |piece| piece.kind != left_out);
                kept.map(|piece| piece.text.as_str()).collect::<String>()
            };
            prop_assert_eq!(without(DiffKind::Added), a);
            prop_assert_eq!(without(DiffKind::Removed), b);
            prop_assert!(pieces.iter().all(|piece| !piece.text.is_empty()));
            prop_assert!(pieces.windows(2).all(|pair| pair[0].kind != pair[1].kind));
        }
    }
}
