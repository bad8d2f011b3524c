//! Remembers results for the last few short texts. One skill is shown to many frameworks one after the other, and most
//! of them read the same frontmatter with the same reader: only the first has to parse it.

use std::cell::RefCell;
use std::thread::LocalKey;

/// Answers to the last few questions, the oldest of which makes room for the next.
#[derive(Debug)]
pub struct Recent<Q, A> {
    answers: Vec<(Q, A)>,
    oldest: usize,
}

/// Longer texts are not kept, in bytes.
const LONGEST: usize = 8 << 10;
/// Each is compared with a new question, so they are few.
const MOST: usize = 8;

impl<Q, A: Clone> Recent<Q, A> {
    /// Knows nothing yet.
    pub const fn new() -> Self {
        Self { answers: Vec::new(), oldest: 0 }
    }

    /// The answer to a question that was asked not long ago.
    fn answer(&self, is_same: impl Fn(&Q) -> bool) -> Option<A> {
        self.answers.iter().find(|(question, _)| is_same(question)).map(|(_, answer)| answer.clone())
    }

    /// Keeps an answer to a question that [`Recent::answer`] did not know.
    fn keep(&mut self, question: Q, answer: A) {
        if self.answers.len() < MOST {
            self.answers.push((question, answer));
        } else {
            self.answers[self.oldest] = (question, answer);
            self.oldest = (self.oldest + 1) % MOST;
        }
    }
}

/// The remembered answer to a question about a text, if this thread was asked recently; else a new one.
pub fn remembered<Q, A: Clone>(
    known: &'static LocalKey<RefCell<Recent<Q, A>>>,
    text: &str,
    is_same: impl Fn(&Q) -> bool,
    question: impl FnOnce() -> Q,
    make: impl FnOnce() -> A,
) -> A {
    if text.len() > LONGEST {
        return make();
    }
    if let Some(answer) = known.with_borrow(|known| known.answer(is_same)) {
        return answer;
    }
    let made = make();
    known.with_borrow_mut(|known| known.keep(question(), made.clone()));
    made
}

impl<Q, A: Clone> Default for Recent<Q, A> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_answer_makes_room() {
        let mut recent = Recent::new();
        for question in 0..=MOST + 1 {
            recent.keep(question, question * 10);
        }
        let known: Vec<Option<usize>> =
            (0..=MOST + 1).map(|question| recent.answer(|known| *known == question)).collect();
        let expected: Vec<Option<usize>> =
            (0..=MOST + 1).map(|question| (question > 1).then_some(question * 10)).collect();
        assert_eq!(known, expected);
    }
}
