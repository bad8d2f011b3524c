//! Waiting for the user's answer, and what a call would do with the arguments that the user writes in the meantime.
//! Such a trial has no effects: the framework serves the call on a copy of its earlier state, files are read only if
//! that needs no question, and nothing runs, is written or recorded.

use super::access::{Question, looked_at};
use super::approval::Answer;
use super::effect::{self, Means, Serving};
use super::questions::{Asked, Heard, Trial, Trying};
use super::{Halt, Plan, Run};
use harness::{Effect, Performed, Served, Session};
use model::ToolCall;
use trace::{Decision, EventKind, Standing};
use wording::{Message as Words, Wording, message};

/// The effect that the framework asks for, and its call.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'a> {
    pub(super) call_id: &'a str,
    pub(super) effect: &'a Effect,
    /// The call as the model made it, and what the framework knew before it; `None`: the framework does it of itself.
    pub(super) call: Option<(&'a ToolCall, &'a Session)>,
}

impl<'a> Wanted<'a> {
    pub(super) fn of_framework(call_id: &'a str, effect: &'a Effect) -> Self {
        Self { call_id, effect, call: None }
    }
}

/// What the user was shown last of the arguments that they wrote.
pub(super) struct Tried {
    pub(super) arguments: String,
    pub(super) effect: Effect,
    pub(super) question: Question,
}

/// Bytes of a reply that are shown in a trial.
const SHOWN: usize = 16 << 10;

const NO_CALL: Wording = Wording::new(
    "the framework does this by itself: there are no arguments to edit",
    "这是框架自己做的：没有可修改的参数",
);

const NO_SANDBOX: Wording = Wording::new(
    "it would not run: a sandbox is required, and none holds here",
    "它不会运行：要求使用沙箱，而这里没有可用的沙箱",
);

const NEVER: Wording = Wording::new("you said that this never runs", "你已决定这一项永不运行");

impl Run {
    /// The user's answer about the effect, once there is one.
    pub(super) async fn answer(&mut self, wanted: Wanted<'_>, question: &Question) -> Result<Answer, Halt> {
        let Wanted { call_id, effect, .. } = wanted;
        let asked = self.gate.ask(call_id, effect, question, &mut self.recorder).await?;
        let answer = match self.gate.settled() {
            Some(answer) => answer,
            None => self.heard(asked, wanted).await?,
        };
        let (call_id, decision) = (call_id.to_owned(), answer.decision.clone());
        self.recorder.record(EventKind::ApprovalGiven { call_id, decision }).await?;
        Ok(answer)
    }

    async fn heard(&mut self, mut asked: Asked<Answer>, wanted: Wanted<'_>) -> Result<Answer, Halt> {
        self.tried = None;
        let stop = self.brake.stop().clone();
        let mut trying: Option<Trying> = None;
        loop {
            let tried = async {
                match &trying {
                    Some(trying) => self.try_out(wanted, &trying.arguments).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                biased;
                () = stop.cancelled() => return Err(Halt::stopped()),
                heard = asked.heard() => match heard {
                    Heard::Answer(answer) => return Ok(answer.unwrap_or_else(|| {
                        Decision::Deny { reason: Some("nobody is there to approve it".into()) }.into()
                    })),
                    // The earlier arguments are no longer those in the card.
                    Heard::Trying(newer) => trying = Some(newer),
                },
                (trial, tried) = tried => {
                    self.tried = tried;
                    if let Some(Trying { told, .. }) = trying.take() {
                        // The caller may have gone.
                        let _ = told.send(trial);
                    }
                }
            }
        }
    }

    /// What the call would do with these arguments, and what the user would agree to then.
    async fn try_out(&mut self, wanted: Wanted<'_>, arguments: &str) -> (Trial, Option<Tried>) {
        let Some((call, before)) = wanted.call else { return (Trial::Refused { why: NO_CALL.into() }, None) };
        let harness = self.plan.harness;
        let mut session = before.clone();
        let mut serving = Serving::new(harness, ToolCall { arguments: arguments.to_owned(), ..call.clone() });
        let mut served = serving.begin(&self.catalog, &mut session);
        loop {
            let effect = match served {
                Ok(Served::Perform(effect)) => effect,
                Ok(Served::Reply(reply)) => return (self.replies(&reply.text, reply.is_error), None),
                Ok(Served::Abort(error)) => {
                    return (Trial::Refused { why: ends(harness.profile().title, &error) }, None);
                }
                Err(why) => return (Trial::Refused { why }, None),
            };
            let question = self.question(&effect).await;
            let done = match self.outlook(wanted.effect, &effect, question.as_ref()).await {
                Outlook::Refused(why) => return (Trial::Refused { why }, None),
                Outlook::Wanted => {
                    let subject = question.as_ref().map(|question| question.subject.clone()).unwrap_or_default();
                    let trial = Trial::Does { effect: effect.clone(), subject };
                    let tried = question.map(|question| Tried { arguments: arguments.to_owned(), effect, question });
                    return (trial, tried);
                }
                Outlook::Asked => Performed::Agreed,
                Outlook::Open => self.look(&effect, question.as_ref()).await,
            };
            served = serving.go_on(done, &self.catalog, &mut session);
        }
    }

    /// What would happen to an effect. `instead`: the effect in the current question.
    async fn outlook(&mut self, instead: &Effect, effect: &Effect, question: Option<&Question>) -> Outlook {
        let Some(question) = question else {
            return if looked_at(effect).is_some() { Outlook::Open } else { Outlook::Wanted };
        };
        if question.lacks_sandbox(effect) {
            return Outlook::Refused(NO_SANDBOX.into());
        }
        if let Some(why) = self.withholds(effect, question) {
            return Outlook::Refused(why);
        }
        if !question.is_asked {
            return Outlook::Open;
        }
        let standing = self.standing(question);
        if standing.await == Some(Standing::Never) {
            return Outlook::Refused(NEVER.into());
        }
        let is_other = !matches!(instead, Effect::Disclose { .. }) && matches!(effect, Effect::Disclose { .. });
        // That is asked about by itself, and nothing is done for it.
        if is_other { Outlook::Asked } else { Outlook::Wanted }
    }

    async fn look(&mut self, effect: &Effect, question: Option<&Question>) -> Performed {
        let room = self.room();
        let Plan { limits, working_directory, paths, guard, .. } = &self.plan;
        let lent = question.and_then(|question| question.scope.place().cloned());
        let reach = self.open.reach().lending(lent);
        let means = Means { limits, room: &room, working_directory, paths, reach: &reach, guard };
        effect::perform(effect, means).await.performed
    }

    fn replies(&self, text: &str, is_error: bool) -> Trial {
        let text = self.plan.guard.scrubber().text(text);
        let end = text.floor_char_boundary(SHOWN);
        let text = if end < text.len() { format!("{}…", &text[..end]) } else { text };
        Trial::Replies { text, is_error }
    }
}

/// What would happen to an effect of a trial.
enum Outlook {
    /// It is what the user would allow.
    Wanted,
    /// It happens without a question.
    Open,
    /// It is asked about by itself.
    Asked,
    Refused(Words),
}

fn ends(title: &str, error: &str) -> Words {
    message!("{title} would end the run: {error}", "{title} 会结束运行：{error}")
}
