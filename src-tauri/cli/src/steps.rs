//! Steps of runs in words, and a run by the name that somebody typed.

use std::collections::HashMap;

use api::dto::NoArgs;
use api::{ApiError, Code, Workbench};
use harness::Disclosure;
use model::FinishReason;
use trace::spending::{Spent, dollars};
use trace::{CutChoice, Decision, RunSummary, Step, StepKind, StepState};

use crate::print::{BOLD, CYAN, DIM, GREEN, RED, YELLOW, duration, gist, indented, line, styled};
use crate::{ask, confinement, print};

/// How deep steps lie in conversations that calls started, as they come by.
#[derive(Default)]
pub struct Depths {
    /// Of the steps of calls, by their ids.
    calls: HashMap<String, usize>,
}

impl Depths {
    /// 0: the run's own conversation.
    pub fn of(&mut self, step: &Step) -> usize {
        let depth = step.within.as_ref().map_or(0, |within| self.calls.get(within).map_or(1, |call| call + 1));
        if let StepKind::Tool { call, .. } = &step.kind {
            // Models use an id again, and the first is the one that a conversation is named by.
            self.calls.entry(call.id.clone()).or_insert(depth);
        }
        depth
    }
}

/// A step as `run` and `show` print it, indented as deep as it lies.
pub fn step_text(step: &Step, depth: usize) -> String {
    let (title, body) = match &step.kind {
        StepKind::Prompt { text } if step.index == 0 => (styled(BOLD, "user"), text.clone()),
        StepKind::Prompt { text } => (format!("{} says more", styled(BOLD, "user")), text.clone()),
        StepKind::Answer { text, calls, finish, model, cut, error, hint, .. } => {
            let asks: Vec<String> = calls.iter().map(|call| line(&call.name)).collect();
            let asks = if asks.is_empty() { String::new() } else { format!(" asks for {}", asks.join(", ")) };
            let hint = hint.as_ref().map(|hint| format!("next: {hint}"));
            let cut = finish.as_ref().and_then(|finish| ending(finish, *cut));
            let lines: Vec<&str> = [Some(text), cut.as_ref(), error.as_ref(), hint.as_ref()]
                .into_iter()
                .flatten()
                .map(String::as_str)
                .collect();
            let by = model.as_ref().map(|model| format!(" ({})", line(model))).unwrap_or_default();
            (format!("{}{by}{asks}", styled(BOLD, "assistant")), lines.join("\n").trim_start().to_owned())
        }
        StepKind::Tool { call, disclosed, asked, decision, reply, enforcement, output, .. } => {
            let tier = tier(disclosed);
            let mut decided = decision.as_ref().map(|decision| format!("  {}", decided(decision))).unwrap_or_default();
            if let (Some(enforcement), Some(_)) = (enforcement, output) {
                decided.push_str(&format!("  {}", confinement::mark(enforcement)));
            }
            let title = format!(
                "{} {}{tier}{decided}",
                styled(CYAN.bold(), line(&call.name)),
                styled(DIM, line(&call.arguments))
            );
            // What was asked is worth showing where no arguments say it.
            let asked = asked.as_ref().filter(|_| call.arguments.is_empty()).map(ask::gist);
            (title, reply.clone().or(asked).unwrap_or_default())
        }
        StepKind::Note { text, .. } => (styled(YELLOW, "note"), text.clone()),
        StepKind::End { status, error, .. } => (styled(RED, status.word()), error.clone().unwrap_or_default()),
    };
    let mark = match step.state {
        StepState::Failed => styled(RED, "✗"),
        StepState::Waiting => styled(YELLOW, "?"),
        StepState::Running => styled(DIM, "…"),
        StepState::Stopped => styled(YELLOW, "■"),
        StepState::Done => " ".to_owned(),
    };
    let took = step.took.map(duration).unwrap_or_default();
    let cost = match &step.kind {
        StepKind::Answer { spent: Some(Spent { cost: Some(cost), .. }), .. } => format!(" {}", dollars(*cost)),
        _ => String::new(),
    };
    let tail = styled(DIM, format!("+{} tokens {took}{cost}", step.added_tokens));
    let head = format!("{mark}{:>3}  {title}  {tail}", step.index);
    let text = if body.is_empty() { head } else { format!("{head}\n{}", indented(&body, "      ")) };
    match depth {
        0 => text,
        _ => text
            .lines()
            .map(|line| format!("{}{line}", "    ".repeat(depth.min(DEEPEST))))
            .collect::<Vec<_>>()
            .join("\n"),
    }
}

/// Conversations within each other are told apart by their indentation up to here; an imported trace may nest them for
/// ever.
const DEEPEST: usize = 8;

/// A step in one line, without colours.
pub fn step_title(step: &Step) -> String {
    match &step.kind {
        StepKind::Prompt { text } => format!("user: {}", gist(text, 80)),
        StepKind::Answer { text, calls, .. } if calls.is_empty() => format!("assistant: {}", gist(text, 80)),
        StepKind::Answer { calls, .. } => {
            let names: Vec<String> = calls.iter().map(|call| line(&call.name)).collect();
            format!("assistant asks for {}", names.join(", "))
        }
        StepKind::Tool { call, .. } => format!("{} {}", line(&call.name), gist(&call.arguments, 80)),
        StepKind::Note { text, .. } => format!("note: {}", gist(text, 80)),
        StepKind::End { status, .. } => status.word().to_owned(),
    }
}

/// Which model was asked and what its answers cost, where one was.
pub fn asked_and_spent(run: &RunSummary) -> String {
    let turns = if run.prompts > 1 { format!("{} turns, ", run.prompts) } else { String::new() };
    match run.setup.rehearsal {
        true => format!("{turns}{}: no model was asked", line(&run.setup.model)),
        false => format!("{turns}{}: {}", line(&run.setup.model), print::spent(&run.spent)),
    }
}

/// A run by id, by the beginning of one, or `last`.
pub async fn find(bench: &Workbench, text: &str) -> Result<RunSummary, ApiError> {
    let mut runs = bench.run_list(NoArgs {}).await?.runs;
    if text == "last" && !runs.is_empty() {
        return Ok(runs.swap_remove(0));
    }
    let mut found = runs.into_iter().filter(|run| run.id.to_string().starts_with(text));
    match (found.next(), found.next()) {
        (Some(run), None) => Ok(run),
        (Some(_), Some(_)) => Err(ApiError::new(Code::Invalid, format!("several runs begin with `{text}`"))
            .hint("give more of the id; `skillbench trace list` shows them")),
        (None, _) => Err(ApiError::new(Code::NotFound, format!("there is no run `{text}`"))
            .hint("`skillbench trace list` shows the runs there are")),
    }
}

/// How an answer ended that did not end as answers do.
pub fn ending(finish: &FinishReason, cut: Option<CutChoice>) -> Option<String> {
    let ending = match finish {
        FinishReason::Stop | FinishReason::ToolCalls | FinishReason::Unsaid => return None,
        FinishReason::Length => {
            "the length limit ended this answer (`maxTokens` in models.yaml, or the model's context)"
        }
        FinishReason::Filtered => "the model refused to answer, or the provider filtered its answer",
        FinishReason::Paused => "the provider paused in the middle of this answer",
        FinishReason::PerhapsCut => perhaps_cut(cut),
        FinishReason::Other { reason } => {
            return Some(format!("the server says why this answer ended: {}", line(reason)));
        }
    };
    Some(ending.to_owned())
}

/// What became of an answer that may be cut off.
fn perhaps_cut(choice: Option<CutChoice>) -> &'static str {
    match choice {
        None => "this answer may be cut off",
        Some(CutChoice::Keep) => "this answer may be cut off; it was kept",
        Some(CutChoice::AskAgain) => "this answer may be cut off; the model was asked again",
        Some(CutChoice::End) => "this answer may be cut off; nobody kept it, so the run ended",
    }
}

pub fn tier(disclosed: &Disclosure) -> String {
    let tier = match disclosed {
        Disclosure::Instructions { .. } => "tier 2",
        Disclosure::Resource { .. } | Disclosure::Script { .. } => "tier 3",
        Disclosure::None => return String::new(),
    };
    format!("  {}", styled(GREEN, tier))
}

pub fn decided(decision: &Decision) -> String {
    match decision {
        Decision::Allow { .. } => styled(GREEN, "allowed"),
        Decision::Deny { reason: Some(reason) } => styled(RED, format!("denied: {}", line(reason))),
        Decision::Deny { reason: None } => styled(RED, "denied"),
        Decision::Stub { .. } => styled(YELLOW, "result given by hand"),
    }
}

#[cfg(test)]
mod tests {
    use model::ToolCall;

    use super::*;

    fn call(id: &str, within: Option<&str>) -> Step {
        Step {
            index: 0,
            at: 0,
            took: None,
            within: within.map(String::from),
            turn: Some(0),
            state: StepState::Stopped,
            question: None,
            kind: StepKind::Tool {
                call: ToolCall::new(id, "task", "{}"),
                disclosure: Disclosure::None,
                disclosed: Disclosure::None,
                asked: None,
                digest: None,
                enforcement: None,
                leads_to: None,
                decision: None,
                output: None,
                files: Vec::new(),
                reply: Some("a\nb".into()),
                wire: None,
            },
            added_tokens: 0,
            context_tokens: 0,
        }
    }

    #[test]
    fn steps_lie_as_deep_as_the_calls_that_started_their_conversation() {
        let mut depths = Depths::default();
        let steps = [("a", None), ("b", Some("a")), ("a", Some("a")), ("c", Some("b")), ("d", Some("summary-1"))];
        assert_eq!(steps.map(|(id, within)| depths.of(&call(id, within))), [0, 1, 1, 2, 1]);
    }

    #[test]
    fn every_line_of_a_deep_step_is_indented() {
        let plain = |depth| print::unstyled(&step_text(&call("a", None), depth));
        let indented: Vec<String> = plain(0).lines().map(|line| format!("    {line}")).collect();
        assert_eq!(plain(1), indented.join("\n"));
        assert_eq!(plain(100_000), plain(DEEPEST), "and not without end");
    }
}
