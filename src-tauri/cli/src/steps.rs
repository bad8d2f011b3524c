//! Texts for steps of runs, and finding a run by the name that the user typed.

use std::collections::HashMap;

use api::dto::RunDetail;
use api::{ApiError, Code, Workbench};
use harness::Disclosure;
use model::{Document, FinishReason, Image, ModelError};
use trace::spending::{Spent, dollars};
use trace::{CutChoice, Decision, Reached, RunStatus, RunSummary, Step, StepKind, StepState};

use crate::language::Chosen;
use crate::print::{BOLD, CYAN, DIM, GREEN, RED, YELLOW, duration, gist, indented, line, styled};
use crate::{ask, confinement, print};
use wording::{Message, message};

/// How deep steps are in conversations that calls started, as they come by.
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

/// A step as `run` and `show` print it, indented by its depth.
pub fn step_text(step: &Step, depth: usize) -> String {
    let (title, body) = match &step.kind {
        StepKind::Prompt { text, images, .. } if step.index == 0 => {
            (styled(BOLD, words!("user", "用户")), with_media(text, images, &[]))
        }
        StepKind::Prompt { text, images, setup, .. } => {
            let user = styled(BOLD, words!("user", "用户"));
            let led = setup.as_ref().map_or_else(String::new, |setup| {
                let harness = [&*setup.harness, &*setup.variant].join(" ");
                words!(" ({}, {})", "（{}，{}）", line(harness.trim()), line(&setup.model))
            });
            let said = words!("{user} says more{led}", "{user}继续说{led}");
            (said, with_media(text, images, &[]))
        }
        StepKind::Answer { text, calls, finish, model, agents, cut, error, hint, why, edited, .. } => {
            let asks: Vec<String> = calls.iter().map(|call| line(&call.name)).collect();
            let asks = match &asks[..] {
                [] => String::new(),
                asks => words!(" calls {}", " 调用 {}", asks.join(", ")),
            };
            let error = why.as_ref().map(|why| why.worded().chosen()).or_else(|| error.clone());
            let hint = why.as_ref().map_or_else(|| hint.clone(), |why| why.next_step().map(Chosen::chosen));
            let hint = hint.as_ref().map(|hint| words!("next: {hint}", "下一步：{hint}"));
            let cut = finish.as_ref().and_then(|finish| ending(finish, *cut));
            let lines: Vec<&str> = [Some(text), cut.as_ref(), error.as_ref(), hint.as_ref()]
                .into_iter()
                .flatten()
                .map(String::as_str)
                .collect();
            let by = model.as_ref().map(|model| words!(" ({})", "（{}）", line(model))).unwrap_or_default();
            let path: Vec<String> = agents.iter().map(|agent| line(agent)).collect();
            let agent = if path.is_empty() { String::new() } else { format!(" {}", styled(DIM, path.join(" › "))) };
            let edited =
                if *edited { styled(DIM, words!("  edited by the user", "  经用户编辑")) } else { String::new() };
            let title = format!("{}{agent}{by}{asks}{edited}", styled(BOLD, words!("assistant", "助手")));
            (title, lines.join("\n").trim_start().to_owned())
        }
        StepKind::Tool {
            call,
            disclosed,
            asked,
            decision,
            reply,
            images,
            documents,
            enforcement,
            output,
            standing,
            ..
        } => {
            let tier = tier(disclosed);
            // What a remembered answer says to the model is nobody's reason.
            let said = decision.as_ref().map(|decision| match (decision, standing) {
                (Decision::Deny { .. }, Some(_)) => decided(&Decision::Deny { reason: None }),
                _ => decided(decision),
            });
            let mut decided = said.map(|said| format!("  {said}")).unwrap_or_default();
            if standing.is_some() {
                decided.push_str(&styled(DIM, words!(" by a remembered answer", "（依据已保存的决定）")));
            }
            if let (Some(enforcement), Some(_)) = (enforcement, output) {
                decided.push_str(&format!("  {}", confinement::mark(enforcement)));
            }
            let title = format!(
                "{} {}{tier}{decided}",
                styled(CYAN.bold(), line(&call.name)),
                styled(DIM, line(&call.arguments))
            );
            // The question is worth showing if no arguments show it.
            let asked = asked.as_deref().filter(|_| call.arguments.is_empty()).map(ask::gist);
            (title, with_media(&reply.clone().or(asked).unwrap_or_default(), images, documents))
        }
        StepKind::Note { text, zh, .. } => (styled(YELLOW, words!("note", "备注")), in_both(text, zh.as_ref())),
        StepKind::End { status, .. } => (styled(RED, self::status(*status)), ended_by(step).unwrap_or_default()),
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
    let tail = styled(DIM, words!("+{} tokens {took}{cost}", "+{} token {took}{cost}", step.added_tokens));
    let head = format!("{mark}{:>3}  {title}  {tail}", step.index + 1);
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

/// A message, and a line for each picture and file, since a terminal cannot show these.
pub fn with_media(text: &str, images: &[Image], documents: &[Document]) -> String {
    let pictures = images.iter().map(|image| words!("[image: {}]", "[图片：{}]", image.described()));
    let files = documents.iter().map(|file| words!("[file: {}]", "[文件：{}]", line(&file.described())));
    let lines = pictures.chain(files);
    Some(text.to_owned()).filter(|text| !text.is_empty()).into_iter().chain(lines).collect::<Vec<_>>().join("\n")
}

/// Conversations within each other differ in their indentation up to here; an imported trace may nest them for
/// ever.
const DEEPEST: usize = 8;

/// The outcome of a run, in a word.
pub fn status(status: RunStatus) -> String {
    match status {
        RunStatus::Running => words!("running", "进行中"),
        RunStatus::Done => words!("done", "完成"),
        RunStatus::Failed => words!("failed", "失败"),
        RunStatus::Stopped => words!("stopped", "已停止"),
        RunStatus::Limited => words!("limited", "达到上限"),
        RunStatus::Interrupted => words!("interrupted", "中断"),
    }
}

/// Why the last turn of a run ended that did not end by itself.
pub fn why_ended(run: &RunDetail) -> Option<String> {
    let last_turn = run.steps.iter().rev().take_while(|step| !matches!(step.kind, StepKind::Prompt { .. }));
    { last_turn }.find_map(ended_by)
}

fn ended_by(step: &Step) -> Option<String> {
    let StepKind::End { error, zh, why, reached, .. } = &step.kind else { return None };
    let known = reached.as_ref().map(Reached::worded).or_else(|| why.as_deref().map(ModelError::worded));
    let told = known.map(Chosen::chosen).filter(|_| zh.is_none());
    told.or_else(|| error.as_ref().map(|error| in_both(error, zh.as_ref())))
}

/// A recorded text; runs that were recorded before it was kept in Chinese have it in English alone.
fn in_both(en: &str, zh: Option<&String>) -> String {
    Message { en: en.to_owned(), zh: zh.map_or(en, String::as_str).to_owned() }.chosen()
}

/// A step in one line, without colours.
pub fn step_title(step: &Step) -> String {
    match &step.kind {
        StepKind::Prompt { text, .. } => words!("user: {}", "用户：{}", gist(text, 80)),
        StepKind::Answer { text, calls, .. } if calls.is_empty() => words!("assistant: {}", "助手：{}", gist(text, 80)),
        StepKind::Answer { calls, .. } => {
            let names: Vec<String> = calls.iter().map(|call| line(&call.name)).collect();
            words!("assistant calls {}", "助手调用 {}", names.join(", "))
        }
        StepKind::Tool { call, .. } => format!("{} {}", line(&call.name), gist(&call.arguments, 80)),
        StepKind::Note { text, zh, .. } => words!("note: {}", "备注：{}", gist(&in_both(text, zh.as_ref()), 80)),
        StepKind::End { status, .. } => self::status(*status),
    }
}

/// Which models were asked, as far as the steps show, and the cost of their answers, if there were any.
pub fn asked_and_spent(run: &RunSummary, steps: &[Step]) -> String {
    let turns = if run.prompts > 1 { words!("{} turns, ", "{} 轮，", run.prompts) } else { String::new() };
    match run.setup.rehearsal {
        true => words!("{turns}{}: no model was asked", "{turns}{}：没有询问模型", line(&run.setup.model)),
        false => {
            let mut models = vec![line(&run.setup.model)];
            for step in steps {
                if let StepKind::Answer { model: Some(model), .. } = &step.kind
                    && !models.contains(&line(model))
                {
                    models.push(line(model));
                }
            }
            format!("{turns}{}: {}", models.join(" + "), print::spent(&run.spent))
        }
    }
}

/// A run by id, by the beginning of one, or `last`.
pub async fn find(bench: &Workbench, text: &str) -> Result<RunSummary, ApiError> {
    let mut found = bench.runs_named(text, 2).await?.into_iter();
    match (found.next(), found.next()) {
        (Some(run), None) => Ok(run),
        (Some(_), Some(_)) => Err(ApiError::new(
            Code::Invalid,
            message!("several runs begin with `{text}`", "有多次运行的 id 以 `{text}` 开头"),
        )
        .hint(message!(
            "give more of the id; `skillbench trace list` shows them",
            "请写出更长的 id；`skillbench trace list` 会列出它们"
        ))),
        (None, _) => Err(ApiError::new(Code::NotFound, message!("there is no run `{text}`", "没有运行 `{text}`"))
            .hint(message!("`skillbench trace list` shows the runs", "`skillbench trace list` 会列出已有的运行"))),
    }
}

/// How an answer ended that did not end as answers do.
pub fn ending(finish: &FinishReason, cut: Option<CutChoice>) -> Option<String> {
    let ending = match finish {
        FinishReason::Stop | FinishReason::ToolCalls | FinishReason::Unsaid => return None,
        FinishReason::Length => {
            words!(
                "the length limit ended this answer (`maxTokens` in models.yaml, or the model's context)",
                "此回答因达到长度上限而结束（models.yaml 中的 `maxTokens`，或模型的上下文）"
            )
        }
        FinishReason::Filtered => {
            words!(
                "the model refused to answer, or the provider filtered its answer",
                "模型拒绝回答，或提供商过滤了它的回答"
            )
        }
        FinishReason::Paused => {
            words!("the provider paused in the middle of this answer", "提供商在此回答中途暂停")
        }
        FinishReason::PerhapsCut => perhaps_cut(cut),
        FinishReason::Other { reason } => {
            words!("the server says why this answer ended: {}", "服务器说明此回答结束的原因：{}", line(reason))
        }
    };
    Some(ending)
}

/// The decision about an answer that may be cut off.
fn perhaps_cut(choice: Option<CutChoice>) -> String {
    match choice {
        None => words!("this answer may be cut off", "此回答可能被截断"),
        Some(CutChoice::Keep) => words!("this answer may be cut off; it was kept", "此回答可能被截断；已保留"),
        Some(CutChoice::AskAgain) => {
            words!("this answer may be cut off; the model was asked again", "此回答可能被截断；已重新询问模型")
        }
        Some(CutChoice::End) => {
            words!(
                "this answer may be cut off; nobody kept it, so the run ended",
                "此回答可能被截断；没有保留，运行因此结束"
            )
        }
    }
}

pub fn tier(disclosed: &Disclosure) -> String {
    let tier = match disclosed {
        Disclosure::Instructions { .. } => words!("tier 2", "第 2 层"),
        Disclosure::Resource { .. } | Disclosure::Script { .. } => words!("tier 3", "第 3 层"),
        Disclosure::None => return String::new(),
    };
    format!("  {}", styled(GREEN, tier))
}

pub fn decided(decision: &Decision) -> String {
    match decision {
        Decision::Allow { .. } => styled(GREEN, words!("allowed", "已允许")),
        Decision::Deny { reason: Some(reason) } => styled(RED, words!("denied: {}", "已拒绝：{}", line(reason))),
        Decision::Deny { reason: None } => styled(RED, words!("denied", "已拒绝")),
        Decision::Stub { .. } => styled(YELLOW, words!("result given by hand", "结果由人给出")),
    }
}

#[cfg(test)]
mod tests {
    use model::ToolCall;

    use super::*;

    fn call(id: &str, within: Option<&str>) -> Step {
        Step {
            index: 0,
            event: 0,
            brief: false,
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
                ran: None,
                digest: None,
                enforcement: None,
                leads_to: None,
                skills: Vec::new(),
                decision: None,
                standing: None,
                output: None,
                files: Vec::new(),
                reply: Some("a\nb".into()),
                images: Vec::new(),
                documents: Vec::new(),
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
