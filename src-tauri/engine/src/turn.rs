//! One answer, from the first byte to the last: recorded as it arrives, then folded into a message.

use std::pin::pin;
use std::time::Duration;

use futures::StreamExt;
use futures::stream::BoxStream;
use tokio::time::{Instant, sleep};

use super::limits::Brake;
use super::{Halt, provenance};
use harness::Origin;
use model::answer::{Answer, Answered};
use model::{FinishReason, Message, ModelError, ModelEvent};
use trace::recorder::Recorder;
use trace::{EventKind, OriginMark};
use wording::message;

/// Receives an answer to its end, and then notes it. The recorded `Streamed` events together are the answer's text and
/// reasoning, even if it broke off or was stopped.
pub(super) async fn listen(
    turn: u32,
    mut answer: Answer,
    mut events: BoxStream<'static, Result<ModelEvent, ModelError>>,
    brake: &Brake,
    recorder: &mut Recorder,
) -> Result<Heard, Halt> {
    let mut fresh = Fresh::new(turn);
    // One timer for all of an answer: to start one wakes a thread.
    let (mut pulled, mut batch) = (pin!(brake.pulled()), pin!(sleep(BATCH)));
    let end = loop {
        tokio::select! {
            biased;
            halt = &mut pulled => break End::Halted(halt),
            () = &mut batch, if !fresh.is_empty() => {
                fresh.note(recorder);
                recorder.flush_late().await;
            }
            () = recorder.written() => {}
            event = events.next() => match event {
                Some(Ok(ModelEvent::Retried(retried))) => recorder.record(EventKind::retried(&retried)).await?,
                Some(Ok(event)) => {
                    if fresh.add(&event) {
                        batch.as_mut().reset(Instant::now() + pause(answer.text().len() + answer.reasoning().len()));
                    }
                    answer.push(&event);
                }
                Some(Err(error)) => break End::Broken(error),
                None => break End::Whole,
            },
        }
    };
    // Closes the connection before anything else is waited for.
    drop(events);
    fresh.note(recorder);
    match end {
        End::Halted(halt) => Err(halt),
        End::Broken(error) => Err(failed(turn, &error, recorder).await?),
        End::Whole if answer.is_nothing() => Err(failed(turn, &ModelError::Silent, recorder).await?),
        End::Whole => {
            let Answered { message, usage, miscounted, finish, given } = answer.finish();
            if !given.is_empty() {
                let given = given.join(", ");
                let text = message!(
                    "tool calls came without an id and were given one: {given}",
                    "有的工具调用没有 id，已为其补上：{given}"
                );
                recorder.record(EventKind::noted(text)).await?;
            }
            if miscounted {
                let text = message!(
                    "the server counted no tokens for this answer; they are counted here instead",
                    "服务器没有给出此回答的 token 数；改由这里计数"
                );
                recorder.record(EventKind::noted(text)).await?;
            }
            let tokens = provenance::tokens_of(&message);
            let is_cut = finish == FinishReason::PerhapsCut;
            recorder.note(EventKind::Answered { turn, message: message.clone(), usage, finish, tokens });
            Ok(Heard { message, is_cut, is_edited: false })
        }
    }
}

/// An answer that came to its end.
#[derive(Debug, PartialEq)]
pub(super) struct Heard {
    pub(super) message: Message,
    /// Nothing said that it is whole.
    pub(super) is_cut: bool,
    /// The user wrote it when forking the run.
    pub(super) is_edited: bool,
}

impl Heard {
    /// An answer that the user wrote.
    pub(super) fn edited(message: Message) -> Self {
        Self { message, is_cut: false, is_edited: true }
    }

    /// Who wrote it.
    pub(super) fn marks(&self) -> Vec<OriginMark> {
        if self.is_edited { provenance::whole(&self.message, Origin::User) } else { Vec::new() }
    }
}

/// How often received text is recorded. Each time, followers of a run get the whole step so far, so the pauses grow
/// with the answer: this limits how many bytes are sent in a second, however long the answer is.
fn pause(so_far: usize) -> Duration {
    BATCH.mul_f64(1.0 + so_far as f64 / BATCH_BYTES)
}

const BATCH: Duration = Duration::from_millis(50);
/// Of an answer that is recorded half as often.
const BATCH_BYTES: f64 = 65536.0;

/// Bytes of what a server said that are kept with its error.
const RAW_LIMIT: usize = 16 * 1024;

enum End {
    Whole,
    Broken(ModelError),
    /// The user stopped it, or its time was over.
    Halted(Halt),
}

async fn failed(turn: u32, error: &ModelError, recorder: &mut Recorder) -> Result<Halt, Halt> {
    let (worded, raw) = (error.worded(), error.raw());
    let raw = raw[..raw.floor_char_boundary(RAW_LIMIT)].to_owned();
    let why = Some(error.without_raw());
    let hint = error.next_step().map(|hint| hint.en);
    recorder.record(EventKind::Failed { turn, message: worded.en.clone(), hint, raw, why }).await?;
    Ok(Halt::failed(worded))
}

/// What arrived since the last `Streamed` event.
struct Fresh {
    turn: u32,
    text: String,
    reasoning: String,
}

impl Fresh {
    fn new(turn: u32) -> Self {
        Self { turn, text: String::new(), reasoning: String::new() }
    }

    fn is_empty(&self) -> bool {
        self.text.is_empty() && self.reasoning.is_empty()
    }

    /// Whether this is the first.
    fn add(&mut self, event: &ModelEvent) -> bool {
        let was_empty = self.is_empty();
        let (into, delta) = match event {
            ModelEvent::Text { delta } => (&mut self.text, delta),
            ModelEvent::Reasoning { delta } => (&mut self.reasoning, delta),
            ModelEvent::Sealed { .. }
            | ModelEvent::Extra { .. }
            | ModelEvent::ToolCall { .. }
            | ModelEvent::Usage(_)
            | ModelEvent::Finish { .. }
            | ModelEvent::Retried(_) => return false,
        };
        into.push_str(delta);
        was_empty && !self.is_empty()
    }

    fn note(&mut self, recorder: &mut Recorder) {
        if !self.is_empty() {
            let (text, reasoning) = (std::mem::take(&mut self.text), std::mem::take(&mut self.reasoning));
            recorder.note(EventKind::Streamed { turn: self.turn, text, reasoning });
        }
    }
}

#[cfg(test)]
mod tests {
    use futures::channel::mpsc;
    use tokio::sync::mpsc as heard;
    use tokio_util::sync::CancellationToken;

    use super::*;
    use model::{Part, Role, tokens};
    use trace::RunId;
    use trace::clock::Clock;

    #[tokio::test]
    async fn records_what_arrives_in_batches_that_add_up_to_the_answer() {
        let (send, events) = mpsc::unbounded();
        let (listener, mut recorded) = heard::unbounded_channel();
        let mut recorder = Recorder::new(RunId(uuid::Uuid::nil()), Clock::from_fn(|| 0), None, move |event| {
            listener.send(event.kind.clone()).unwrap();
        });
        let listening = tokio::spawn(async move {
            let brake = Brake::new(CancellationToken::new(), None, 0);
            let answer = listen(3, Answer::new(0), events.boxed(), &brake, &mut recorder).await;
            recorder.flush().await.unwrap();
            answer.ok()
        });
        let say = |delta: &str| send.unbounded_send(Ok(ModelEvent::Text { delta: delta.into() })).unwrap();
        let think = |delta: &str| send.unbounded_send(Ok(ModelEvent::Reasoning { delta: delta.into() })).unwrap();
        let streamed = |reasoning: &str, text: &str| EventKind::Streamed {
            turn: 3,
            text: text.into(),
            reasoning: reasoning.into(),
        };

        think("hm");
        say("一");
        say("二");
        assert_eq!(recorded.recv().await, Some(streamed("hm", "一二")), "it is recorded while the answer goes on");
        say("三");
        assert_eq!(recorded.recv().await, Some(streamed("", "三")));
        say("四");
        drop(send);
        assert_eq!(recorded.recv().await, Some(streamed("", "四")), "the rest is recorded when the answer ends");

        let parts = vec![Part::Reasoning { text: "hm".into(), block: None }, Part::Text { text: "一二三四".into() }];
        let message = Message { role: Role::Assistant, parts };
        let finish = FinishReason::Unsaid;
        let answered = EventKind::Answered {
            turn: 3,
            message: message.clone(),
            usage: None,
            finish,
            tokens: tokens::count("一二三四"),
        };
        assert_eq!(recorded.recv().await, Some(answered));
        assert_eq!(listening.await.unwrap(), Some(Heard { message, is_cut: false, is_edited: false }));
    }

    #[test]
    fn a_long_answer_is_recorded_less_often() {
        let sent_in_a_second = |so_far: usize| so_far as f64 / pause(so_far).as_secs_f64();
        assert_eq!(pause(0), Duration::from_millis(50));
        assert_eq!(pause(1 << 20), Duration::from_millis(850));
        assert!([1 << 10, 1 << 16, 8 << 20].into_iter().all(|so_far| sent_in_a_second(so_far) < 1.4e6));
    }
}
