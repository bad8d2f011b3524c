//! The reading position in the text.

use super::{Repair, is_space};

impl Repair<'_> {
    /// The character so far from here. As in Python, places before the beginning count from the end.
    pub fn at(&self, offset: isize) -> Option<char> {
        let left = self.looks.get().checked_sub(1)?;
        self.looks.set(left);
        let place = isize::try_from(self.index).ok()? + offset;
        let place = if place < 0 { place + isize::try_from(self.text.len()).ok()? } else { place };
        self.text.get(usize::try_from(place).ok()?).copied()
    }

    /// A piece of the text, as far as it is there.
    pub fn piece(&self, from: usize, to: usize) -> &[char] {
        let to = to.min(self.text.len());
        self.text.get(from.min(to)..to).unwrap_or_default()
    }

    pub fn skip_space(&mut self) {
        while self.at(0).is_some_and(is_space) {
            self.index += 1;
        }
    }

    pub fn skip_space_and_comments(&mut self) {
        loop {
            self.skip_space();
            let is_comment = match self.at(0) {
                Some('#') => true,
                Some('/') => matches!(self.at(1), Some('/' | '*')),
                _ => false,
            };
            if !is_comment {
                return;
            }
            self.skip_comment();
        }
    }

    /// The first offset from `offset` on that is not white space.
    pub fn scroll(&self, mut offset: isize) -> isize {
        while self.at(offset).is_some_and(is_space) {
            offset += 1;
        }
        offset
    }

    /// The offset of the first of these that is not escaped, from `offset` on; else of the end.
    pub fn skip_to(&self, targets: &[char], offset: isize) -> isize {
        let here = isize::try_from(self.index).unwrap_or(isize::MAX);
        let from = usize::try_from(here.saturating_add(offset)).unwrap_or_default();
        let mut backslashes = 0;
        let rest = self.text.get(from..).unwrap_or_default();
        let found = rest.iter().position(|letter| {
            if *letter == '\\' {
                backslashes += 1;
                return false;
            }
            let is_escaped = backslashes % 2 == 1;
            backslashes = 0;
            targets.contains(letter) && !is_escaped
        });
        let looked = found.map_or(rest.len(), |found| found + 1);
        self.looks.set(self.looks.get().saturating_sub(looked as u64));
        let place = found.map_or(self.text.len(), |found| from + found);
        isize::try_from(place).unwrap_or(isize::MAX) - here
    }
}
