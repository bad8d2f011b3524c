//! What the user answers to a run that waits, and its end before its time.

use std::time::Duration;

use camino::Utf8PathBuf;

use super::dto::{DecideArgs, RunArgs, SettleArgs, Trial, TryArgs};
use super::error::{ApiError, Code};
use super::{Workbench, lock};
use engine::{Given, NotOpen};
use trace::{Decision, RunId, Subject};
use wording::message;

impl Workbench {
    /// Stops a run of this process. Does nothing to a run that is over.
    pub async fn run_stop(&self, args: RunArgs) -> Result<(), ApiError> {
        if let Some(live) = lock(&self.inner.live).get(&args.run) {
            live.stop.cancel();
        }
        Ok(())
    }

    /// Ends all runs that go on here, and their scripts, before the program ends. Runs that do not come to their end in
    /// time read `interrupted` later.
    pub async fn close(&self) {
        lock(&self.inner.live).values().for_each(|live| live.stop.cancel());
        let all_ended = async {
            loop {
                let next = self.inner.ended.notified();
                if lock(&self.inner.live).is_empty() {
                    break;
                }
                next.await;
            }
            let sending: Vec<RunId> = lock(&self.inner.sending).keys().copied().collect();
            for run in sending {
                self.live_sent(run).await;
            }
        };
        // Who asked the program to end does not wait for ever.
        let _ = tokio::time::timeout(CLOSING, all_ended).await;
    }

    /// Answers the question that a call or the framework waits with, and no other: a second answer, or one to an earlier
    /// question, is refused.
    pub async fn run_decide(&self, args: DecideArgs) -> Result<(), ApiError> {
        let decisions = lock(&self.inner.live).get(&args.run).map(|live| live.decisions.clone()).ok_or_else(is_over)?;
        if let Decision::Allow { arguments: Some(arguments), .. } = &args.decision {
            check_arguments(arguments)?;
        }
        let given = Given { decision: args.decision, remember: args.remember };
        decisions.give(args.question, given).map_err(is_not_open)
    }

    /// What the call in question would do with other arguments; nothing is carried out. An earlier trial that is not
    /// finished is abandoned.
    pub async fn run_try(&self, args: TryArgs) -> Result<Trial, ApiError> {
        check_arguments(&args.arguments)?;
        let decisions = lock(&self.inner.live).get(&args.run).map(|live| live.decisions.clone()).ok_or_else(is_over)?;
        Ok(match decisions.try_out(args.question, args.arguments).await.map_err(is_not_open)? {
            engine::Trial::Does { effect, subject: Subject { leads_to, enforcement, .. } } => {
                Trial::Does { effect, leads_to: leads_to.map(Utf8PathBuf::into_string), enforcement }
            }
            engine::Trial::Replies { text, is_error } => Trial::Replies { text, is_error },
            engine::Trial::Refused { why } => Trial::Refused { why },
        })
    }

    /// Keeps an answer that may be cut off, asks for it again, or ends the run.
    pub async fn run_settle(&self, args: SettleArgs) -> Result<(), ApiError> {
        let choices = lock(&self.inner.live).get(&args.run).map(|live| live.cut_choices.clone()).ok_or_else(is_over)?;
        choices.give(args.question, args.choice).map_err(is_not_open)
    }
}

/// For runs to end when the program does.
const CLOSING: Duration = Duration::from_secs(3);

pub(super) fn is_over() -> ApiError {
    ApiError::new(
        Code::NotFound,
        message!("the run is over; there is nothing left to decide", "运行已结束，没有需要决定的了"),
    )
    .hint(message!("open it under Traces", "请在“轨迹”中打开它"))
}

fn is_not_open(error: NotOpen) -> ApiError {
    ApiError::new(Code::NotFound, error.worded())
        .hint(message!("answer the question that is shown now", "请答复当前显示的问题"))
}

/// Bytes of arguments that a user writes.
const ARGUMENTS: usize = 1 << 20;

fn check_arguments(arguments: &str) -> Result<(), ApiError> {
    if arguments.len() <= ARGUMENTS {
        return Ok(());
    }
    let (are, most) = (arguments.len().div_ceil(1 << 10), ARGUMENTS >> 10);
    let message = message!(
        "the edited arguments have {are} KiB; at most {most} KiB are taken",
        "修改后的参数有 {are} KiB，最多接受 {most} KiB"
    );
    Err(ApiError::new(Code::Invalid, message).hint(message!(
        "put long text into a file of the skill, and name that",
        "请把长文本放进技能的文件里，再用文件名引用"
    )))
}
