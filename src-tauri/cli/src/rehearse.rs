//! `run` under several harnesses: one scene rehearsed under each, their steps side by side.

use std::collections::BTreeSet;

use ::trace::{RunId, RunStatus, Step, StepKind};
use api::dto::{AlignArgs, DecideArgs, HarnessChoice, Push, RehearseArgs, RunArgs as OneRun, RunUpdate};
use api::{ApiError, Code, Workbench};
use config::REHEARSAL;
use engine::Given;
use tokio::sync::mpsc::UnboundedReceiver;

use crate::print::{BOLD, line, styled};
use crate::rescue::Rescued;
use crate::signals::Signals;
use crate::updates::{is_over, said, waiting_line};
use crate::{Approve, Outcome, RunArgs, aligned, ask, print, push};
use wording::message;

pub async fn rehearse(
    args: RunArgs,
    of: Vec<HarnessChoice>,
    bench: Workbench,
    mut updates: UnboundedReceiver<Push>,
    signals: &Signals,
) -> Result<Outcome, ApiError> {
    if args.model.as_deref().is_some_and(|model| model != REHEARSAL) {
        return Err(ApiError::new(
            Code::Invalid,
            message!(
                "--model cannot be used with several frameworks; they are rehearsed",
                "--model 不能与多个框架一起使用；多个框架只作排练"
            ),
        )
        .hint(message!("leave --model out, or name one framework", "请去掉 --model，或只写一个框架")));
    }
    let limits = [
        ("--turns", args.turns.is_some()),
        ("--max-tokens-total", args.max_tokens_total.is_some()),
        ("--max-seconds", args.max_seconds.is_some()),
        ("--max-cost", args.max_cost.is_some()),
    ];
    if let Some((limit, _)) = limits.iter().find(|(_, is_set)| *is_set) {
        return Err(ApiError::new(
            Code::Invalid,
            message!("{limit} is for a run under one framework", "{limit} 只用于单个框架的运行"),
        )
        .hint(message!("set `limits` in workbench.yaml", "请在 workbench.yaml 中设置 `limits`")));
    }
    let names: Vec<String> = of.iter().map(named).collect();
    let rehearsal = RehearseArgs {
        roots: None,
        of,
        prompt: said(&args)?,
        screenplay: args.screenplay.as_ref().map(|path| path.to_string()),
        without: None,
        sandbox: args.sandbox.map(Into::into),
        neutral_paths: args.neutral_paths,
        network: Some(args.network),
        fidelity: args.fidelity,
        ask_all: Some(args.approve == Approve::Never),
    };
    let runs = tokio::select! {
        biased;
        runs = bench.rehearse(rehearsal) => runs?,
        () = signals.first() => return Ok(Outcome::Bad),
    };

    let mut going: BTreeSet<RunId> = runs.iter().copied().collect();
    let mut answered = BTreeSet::new();
    let mut waiting = waiting_line();
    let mut interrupted = false;
    while !going.is_empty() {
        waiting.set_message(words!(
            "{} of {} runs are running (Ctrl+C stops)",
            "{}/{} 次运行仍在进行（Ctrl+C 停止）",
            going.len(),
            runs.len()
        ));
        let update = tokio::select! {
            push = updates.recv() => match push {
                Some(Push::RunUpdate(update)) => update,
                Some(
                    Push::FilesChanged(_)
                    | Push::ModelCheck(_)
                    | Push::ImportProgress(_)
                    | Push::TraceSent(_)
                    | Push::RunsChanged
                ) => continue,
                None => return Err(ApiError::new(
                    Code::Store,
                    message!("the runs ended without recording a result", "运行结束时没有记录结果"),
                )),
            },
            () = signals.first(), if !interrupted => {
                interrupted = true;
                stop(&bench, &going).await?;
                continue;
            }
        };
        for (question, step) in asking(&update) {
            if interrupted || !answered.insert((update.run, question)) {
                continue;
            }
            // The question needs the line.
            waiting.finish_and_clear();
            let name = runs.iter().position(|run| *run == update.run).map_or("", |place| &names[place]);
            if args.approve == Approve::Ask && ask::is_someone_there() {
                print::note("");
                print::note(&styled(BOLD, line(name)));
            }
            let Given { decision, remember } = tokio::select! {
                decision = ask::decide(step, args.approve, &bench) => decision,
                () = signals.first() => {
                    interrupted = true;
                    stop(&bench, &going).await?;
                    break;
                }
            };
            waiting = waiting_line();
            bench.run_decide(DecideArgs { run: update.run, question, decision, remember }).await?;
        }
        if is_over(&update) {
            going.remove(&update.run);
        }
    }
    waiting.finish_and_clear();
    for run in &runs {
        if let Some(sent) = bench.live_sent(*run).await {
            push::told(&sent);
        }
    }

    let alignment = bench.run_align(AlignArgs { runs }).await?;
    aligned::show(&alignment, args.shown.output.format)?;
    let mut unsaved = None;
    for run in &alignment.runs {
        if let Some(rescued) = Rescued::of(&bench, &run.summary).await
            && let Some(before) = unsaved.replace(rescued.error())
        {
            print::error(&before);
        }
    }
    if let Some(error) = unsaved {
        return Err(error);
    }
    let done = alignment.runs.iter().all(|run| run.summary.status == RunStatus::Done);
    Ok(if done { Outcome::Good } else { Outcome::Bad })
}

async fn stop(bench: &Workbench, runs: &BTreeSet<RunId>) -> Result<(), ApiError> {
    for run in runs {
        bench.run_stop(OneRun { run: *run }).await?;
    }
    Ok(())
}

fn named(choice: &HarnessChoice) -> String {
    match &choice.variant {
        Some(variant) => format!("{} {variant}", choice.harness),
        None => choice.harness.clone(),
    }
}

/// The steps that wait for an approval, each with the number of its question.
fn asking(update: &RunUpdate) -> impl Iterator<Item = (u32, &Step)> {
    let approvals = update.steps.iter().filter(|step| matches!(step.kind, StepKind::Tool { .. }));
    approvals.filter_map(|step| Some((step.question?, step)))
}
