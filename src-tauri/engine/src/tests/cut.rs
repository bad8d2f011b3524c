//! Answers that may be cut off.

use super::fakes::{Bench, calls, cut, says, story};
use crate::{Approval, NotOpen};
use trace::{CutChoice, EventKind};

/// What happens up to the question about the first answer and after this choice.
async fn chosen(choice: CutChoice, then: &str) -> Vec<String> {
    let bench = Bench::new();
    let mut run = bench.start(vec![cut(calls(&[("a", "echo", "{}")])), says(then), says("Done.")]);
    let question = run.until(|kind| matches!(kind, EventKind::CutAsked { .. })).await;
    assert_eq!(run.choose.give(question + 1, CutChoice::Keep), Err(NotOpen(question + 1)), "it is for another answer");
    run.choose.give(question, choice).unwrap();
    assert_eq!(run.choose.give(question, CutChoice::Keep), Err(NotOpen(question)), "one choice for one question");
    story(&run.events().await)
}

#[tokio::test]
async fn the_calls_of_an_answer_that_is_kept_are_made() {
    assert_eq!(
        chosen(CutChoice::Keep, "ok").await[1..5],
        ["answered 0: echo{} (PerhapsCut)", "asked about answer 0", "settled 0: Keep", "called 0: a echo{}"]
    );
}

#[tokio::test]
async fn an_answer_that_is_asked_for_again_leaves_nothing_behind() {
    assert_eq!(
        chosen(CutChoice::AskAgain, "Hello.").await,
        [
            "requested 0: Skills: demo / hi",
            "answered 0: echo{} (PerhapsCut)",
            "asked about answer 0",
            "settled 0: AskAgain",
            "requested 1: Skills: demo / hi",
            "streamed 1: Hello.",
            "answered 1: Hello. (Stop)",
            "ended Done",
        ]
    );
}

const ENDED: &str =
    "ended Failed: the answer may be cut off: the server closed the connection without saying that the answer is whole";

#[tokio::test]
async fn a_run_ends_if_the_user_says_so_or_is_away() {
    let ends = ["answered 0: echo{} (PerhapsCut)", "asked about answer 0", "settled 0: End", ENDED];
    assert_eq!(chosen(CutChoice::End, "ok").await[1..], ends);

    let cut_answer = || vec![cut(calls(&[("a", "echo", "{}")]))];
    let bench = Bench::new();
    assert_eq!(story(&bench.start(cut_answer()).without_user().events().await)[1..], ends);
    let mut denying = Bench::new();
    denying.approval = Approval::Deny;
    assert_eq!(denying.story(cut_answer()).await[1..], ends);
}

#[tokio::test]
async fn stopping_a_run_that_waits_for_the_choice_ends_it() {
    let mut run = Bench::new().start(vec![cut(says("Hel"))]);
    run.until(|kind| matches!(kind, EventKind::CutAsked { .. })).await;
    assert_eq!(run.stopped().await.last().unwrap(), "ended Stopped");
}
