//! Questions to the user and their answers. A question has the number of the event that asked it, and an answer is for
//! one question: ids of calls may repeat, and an earlier or repeated answer must not count for a new question. While a
//! question is open, the user may also ask what its call would do with other arguments.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use harness::Effect;
use tokio::sync::{mpsc, oneshot};
use trace::Subject;
use wording::{Message as Words, message};

/// The user's end: answers the question that is open. Clones answer the same.
pub struct Answers<T>(Arc<Slot<T>>);

/// The run's end.
pub struct Questions<T>(Weak<Slot<T>>);

type Slot<T> = Mutex<Option<Open<T>>>;

struct Open<T> {
    number: u32,
    answer: oneshot::Sender<T>,
    trials: mpsc::UnboundedSender<Trying>,
}

/// What a call would do with other arguments.
#[derive(Debug, Clone, PartialEq)]
pub enum Trial {
    /// This, if the user allows it.
    Does { effect: Effect, subject: Subject },
    /// The framework would do nothing and give the model this.
    Replies { text: String, is_error: bool },
    /// Nothing would be done.
    Refused { why: Words },
}

/// A request to try what the call in question would do with these arguments.
pub(super) struct Trying {
    pub(super) arguments: String,
    /// Dropped, if the result is no longer needed.
    pub(super) told: oneshot::Sender<Trial>,
}

/// A message of the user's end, or the run's, while a question is open.
pub(super) enum Heard<T> {
    /// `None`: there is no one to answer.
    Answer(Option<T>),
    Trying(Trying),
}

/// This question is not open now: another one is, or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.worded().en)]
pub struct NotOpen(pub u32);

impl NotOpen {
    /// Names the question by its number.
    pub fn worded(self) -> Words {
        let Self(question) = self;
        message!(
            "question {question} is not open: it was answered already, or never asked",
            "问题 {question} 已不在等待答复：它已得到答复，或从未提出"
        )
    }
}

/// Both ends. Once the user's end is gone, the run sees that there is no one to answer.
pub fn questions<T>() -> (Answers<T>, Questions<T>) {
    let slot = Arc::new(Mutex::new(None));
    let asking = Questions(Arc::downgrade(&slot));
    (Answers(slot), asking)
}

impl<T> Clone for Answers<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T> Answers<T> {
    /// Answers the question of this number, once.
    pub fn give(&self, question: u32, answer: impl Into<T>) -> Result<(), NotOpen> {
        let open = lock(&self.0).take_if(|open| open.number == question).ok_or(NotOpen(question))?;
        open.answer.send(answer.into()).map_err(|_| NotOpen(question))
    }
}

impl<T> Answers<T> {
    /// What the call in question would do with other arguments: nothing is done for it.
    pub async fn try_out(&self, question: u32, arguments: String) -> Result<Trial, NotOpen> {
        let (told, trial) = oneshot::channel();
        let is_asked = match &*lock(&self.0) {
            Some(open) if open.number == question => open.trials.send(Trying { arguments, told }).is_ok(),
            Some(_) | None => false,
        };
        if is_asked { trial.await.map_err(|_| NotOpen(question)) } else { Err(NotOpen(question)) }
    }
}

impl<T> Questions<T> {
    /// Opens a question, in place of one that was open. This must happen before the question is announced, so that it
    /// can be answered at once.
    pub(super) fn open(&self, number: u32) -> Asked<T> {
        let (answer, answered) = oneshot::channel();
        let (trials, tried) = mpsc::unbounded_channel();
        if let Some(slot) = self.0.upgrade() {
            *lock(&slot) = Some(Open { number, answer, trials });
        }
        Asked { number, answered, tried, slot: self.0.clone() }
    }
}

/// A question that is open until it is answered or this is dropped.
pub(super) struct Asked<T> {
    number: u32,
    answered: oneshot::Receiver<T>,
    tried: mpsc::UnboundedReceiver<Trying>,
    slot: Weak<Slot<T>>,
}

impl<T> Asked<T> {
    /// `None`: there is no one to answer.
    pub(super) async fn answer(&mut self) -> Option<T> {
        (&mut self.answered).await.ok()
    }

    /// The answer, or arguments to try before it.
    pub(super) async fn heard(&mut self) -> Heard<T> {
        tokio::select! {
            biased;
            answer = &mut self.answered => Heard::Answer(answer.ok()),
            Some(trying) = self.tried.recv() => Heard::Trying(trying),
        }
    }
}

impl<T> Drop for Asked<T> {
    fn drop(&mut self) {
        if let Some(slot) = self.slot.upgrade() {
            lock(&slot).take_if(|open| open.number == self.number);
        }
    }
}

fn lock<T>(slot: &Slot<T>) -> MutexGuard<'_, Option<Open<T>>> {
    slot.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_answer_is_for_one_question_and_counts_once() {
        let (answers, questions) = questions::<&str>();
        assert_eq!(answers.give(3, "early"), Err(NotOpen(3)), "nobody asked yet");
        let mut asked = questions.open(3);
        assert_eq!(answers.give(2, "for another"), Err(NotOpen(2)));
        assert_eq!(answers.give(3, "yes"), Ok(()));
        assert_eq!(answers.give(3, "again"), Err(NotOpen(3)));
        assert_eq!(asked.answer().await, Some("yes"));
        let mut next = questions.open(4);
        drop(asked);
        assert_eq!(answers.give(3, "late"), Err(NotOpen(3)));
        assert_eq!(answers.give(4, "no"), Ok(()), "the end of one question does not close the next");
        assert_eq!(next.answer().await, Some("no"));
    }

    #[tokio::test]
    async fn other_arguments_are_tried_out_for_the_question_that_is_open() {
        let (answers, questions) = questions::<&str>();
        assert_eq!(answers.try_out(3, "{}".into()).await, Err(NotOpen(3)), "nobody asked yet");
        let mut asked = questions.open(3);
        assert_eq!(answers.try_out(2, "{}".into()).await, Err(NotOpen(2)));
        let said = Trial::Replies { text: "no".into(), is_error: true };
        let run = async {
            let Heard::Trying(trying) = asked.heard().await else { panic!("it was not answered") };
            assert_eq!(trying.arguments, "{}");
            trying.told.send(said.clone()).unwrap();
            asked
        };
        let (trial, mut asked) = tokio::join!(answers.try_out(3, "{}".into()), run);
        assert_eq!(trial, Ok(said));
        let end = async {
            answers.give(3, "yes").unwrap();
            assert!(matches!(asked.heard().await, Heard::Answer(Some("yes"))), "a trial is no answer");
            drop(asked);
        };
        let (late, ()) = tokio::join!(answers.try_out(3, "{}".into()), end);
        assert_eq!(late, Err(NotOpen(3)), "it came before the answer, and nobody tries it out now");
    }

    #[tokio::test]
    async fn a_question_that_is_no_longer_waited_for_is_closed() {
        let (answers, questions) = questions::<()>();
        drop(questions.open(1));
        assert_eq!(answers.give(1, ()), Err(NotOpen(1)));
    }

    #[tokio::test]
    async fn nobody_answers_once_the_users_end_is_gone() {
        let (answers, questions) = questions::<()>();
        let mut asked = questions.open(1);
        drop(answers);
        assert_eq!(asked.answer().await, None);
        assert_eq!(questions.open(2).answer().await, None);
    }
}
