//! Answers that may be cut off: the question about them, and the texts in a run's steps.

use std::io::Write;

use api::dto::RunDetail;
use model::FinishReason;
use trace::{CutChoice, Step, StepKind};

use crate::ask;
use crate::print::{self, YELLOW, line, styled};

/// What to do with the answer of a step that waits. Without a user to ask, the run ends.
pub async fn choose(step: &Step) -> CutChoice {
    if !ask::is_someone_there() {
        return CutChoice::End;
    }
    let calls: Vec<String> = match &step.kind {
        StepKind::Answer { calls, .. } => calls.iter().map(|call| line(&call.name)).collect(),
        StepKind::Prompt { .. } | StepKind::Tool { .. } | StepKind::Note { .. } | StepKind::End { .. } => Vec::new(),
    };
    ask::put(move || question(&calls)).await.unwrap_or(CutChoice::End)
}

/// Some answer of the run's own conversation may be cut off, and was not asked for again.
pub fn is_in(steps: &[Step]) -> bool {
    let is_cut = |step: &Step| match &step.kind {
        StepKind::Answer { finish: Some(FinishReason::PerhapsCut), cut, .. } => *cut != Some(CutChoice::AskAgain),
        _ => false,
    };
    steps.iter().any(|step| step.within.is_none() && is_cut(step))
}

/// How the last answer of the run's own conversation ended, if the model was not done with it.
pub fn premature(steps: &[Step]) -> Option<&FinishReason> {
    let mut finishes = steps.iter().rev().filter(|step| step.within.is_none()).filter_map(|step| match &step.kind {
        StepKind::Answer { finish, .. } => Some(finish.as_ref()),
        StepKind::Prompt { .. } | StepKind::Tool { .. } | StepKind::Note { .. } | StepKind::End { .. } => None,
    });
    // The user was asked about one that may be cut off, and kept it.
    finishes.next().flatten().filter(|finish| finish.is_premature() && **finish != FinishReason::PerhapsCut)
}

/// The run ended because an answer may be cut off and the user did not keep it.
pub fn ended(detail: &RunDetail) -> bool {
    let ended = |step: &Step| matches!(&step.kind, StepKind::Answer { cut: Some(CutChoice::End), .. });
    detail.steps.iter().any(ended)
}

/// `calls`: the tools that the answer asks for.
fn question(calls: &[String]) -> CutChoice {
    let mut out = print::stderr();
    let _ = writeln!(
        out,
        "\n{}",
        styled(
            YELLOW.bold(),
            words!(
                "This answer may be cut off: the server did not say that it is whole.",
                "此回答可能被截断：服务器没有表明它是完整的。"
            )
        )
    );
    if !calls.is_empty() {
        let calls = calls.join(", ");
        let _ = writeln!(out, "{}", words!("  If you keep it, it calls {calls}.", "  如果保留，它要调用 {calls}。"));
    }
    let choice = ask::answered(
        out,
        &words!("[k]eep it, [a]sk again, [e]nd the run? ", "[k] 保留，[a] 重新请求，[e] 结束运行？"),
        |typed| match typed {
            "k" | "keep" => Some(CutChoice::Keep),
            "a" | "again" => Some(CutChoice::AskAgain),
            "e" | "end" => Some(CutChoice::End),
            _ => None,
        },
    );
    choice.unwrap_or(CutChoice::End)
}
