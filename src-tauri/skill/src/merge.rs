//! Three-way merge of a text that was edited here and changed on disk at the same time.

use similar::{MergeResolution, TextMerge};

use crate::source::Newline;

/// Two texts made one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merged {
    pub text: String,
    /// Places both sides changed, each between `<<<<<<< mine`, `=======` and `>>>>>>> theirs` in `text`.
    pub conflicts: usize,
}

/// Merges line by line what both started from, mine, and theirs.
pub fn merge(base: &str, mine: &str, theirs: &str) -> Merged {
    let merge = TextMerge::from_lines(base, mine, theirs);
    let mut out = Output { text: String::with_capacity(mine.len().max(theirs.len())), newline: Newline::of(mine) };
    for region in merge.regions() {
        let mine = || region.ours_range().filter_map(|line| merge.ours_line(line));
        let theirs = || region.theirs_range().filter_map(|line| merge.theirs_line(line));
        match region.resolution() {
            MergeResolution::Theirs => out.lines(theirs()),
            MergeResolution::Conflict => {
                out.marker("<<<<<<< mine");
                out.lines(mine());
                out.marker("=======");
                out.lines(theirs());
                out.marker(">>>>>>> theirs");
            }
            _ => out.lines(mine()),
        }
    }
    Merged { text: out.text, conflicts: merge.conflict_count() }
}

struct Output {
    text: String,
    newline: Newline,
}

impl Output {
    fn lines<'a>(&mut self, lines: impl Iterator<Item = &'a str>) {
        self.text.extend(lines);
    }

    /// A marker is on its own line, even after a last line without a line end.
    fn marker(&mut self, marker: &str) {
        if !self.text.is_empty() && !self.text.ends_with(['\n', '\r']) {
            self.text.push_str(self.newline.as_str());
        }
        self.text.push_str(marker);
        self.text.push_str(self.newline.as_str());
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn merged(text: &str, conflicts: usize) -> Merged {
        Merged { text: text.into(), conflicts }
    }

    #[test]
    fn changes_in_different_places_both_survive() {
        assert_eq!(merge("a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n"), merged("A\nb\nC\n", 0));
    }

    #[test]
    fn changes_in_the_same_place_stand_between_markers() {
        let expected = "a\n<<<<<<< mine\nB1\n=======\nB2\n>>>>>>> theirs\nc\n";
        assert_eq!(merge("a\nb\nc\n", "a\nB1\nc\n", "a\nB2\nc\n"), merged(expected, 1));
    }

    #[test]
    fn markers_follow_the_line_ends_and_a_missing_last_one() {
        let expected = "a\r\n<<<<<<< mine\r\nB1\r\n=======\r\nB2\r\n>>>>>>> theirs\r\n";
        assert_eq!(merge("a\r\nb", "a\r\nB1", "a\r\nB2"), merged(expected, 1));
    }

    fn text() -> impl Strategy<Value = String> {
        "([abc]\r?\n|\n){0,12}[abc]?"
    }

    proptest! {
        #[test]
        fn a_side_that_alone_changed_wins(base in text(), changed in text()) {
            prop_assert_eq!(merge(&base, &changed, &base), merged(&changed, 0));
            prop_assert_eq!(merge(&base, &base, &changed), merged(&changed, 0));
        }

        #[test]
        fn the_same_change_on_both_sides_is_taken_once(base in text(), changed in text()) {
            prop_assert_eq!(merge(&base, &changed, &changed), merged(&changed, 0));
        }
    }
}
