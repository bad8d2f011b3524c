//! What differs between two texts, word by word.

use std::time::Duration;

use similar::utils::TextDiffRemapper;
use similar::{Algorithm, ChangeTag, TextDiff};

use super::dto::{DiffKind, DiffPiece};

/// After this the rest of two texts is told apart roughly rather than well.
const PATIENCE: Duration = Duration::from_millis(500);

/// The pieces of both texts in order, none of them empty and no two neighbours of one kind; of a changed place what was
/// removed comes first. A word, a run of spaces, a punctuation mark or a Chinese character is told apart as a whole.
pub(super) fn diff(a: &str, b: &str) -> Vec<DiffPiece> {
    let diff = TextDiff::configure().algorithm(Algorithm::Patience).timeout(PATIENCE).diff_unicode_words(a, b);
    let remapper = TextDiffRemapper::from_text_diff(&diff, a, b);
    let mut pieces = Pieces::default();
    for (tag, text) in diff.ops().iter().flat_map(|op| remapper.iter_slices(op)) {
        pieces.push(tag, text);
    }
    pieces.finish()
}

/// Pieces so far, and the changed place that is not over yet.
#[derive(Default)]
struct Pieces {
    done: Vec<DiffPiece>,
    removed: String,
    added: String,
    /// What both texts have after the change, while it may still turn out to lie between two changes.
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

    /// The change goes on: what was between belongs to it.
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
