//! `run` under several harnesses: one scene rehearsed under each, their steps beside each other.

use std::collections::BTreeSet;

use ::trace::{RunId, RunStatus, Step, StepKind, StepState};
use api::dto::{
    AlignArgs, Alignment, DecideArgs, HarnessChoice, Push, RehearseArgs, RunArgs as OneRun, RunDetail, RunUpdate,
};
use api::{ApiError, Code, Workbench};
use config::REHEARSAL;
use tokio::sync::mpsc::UnboundedReceiver;

use crate::print::{BOLD, DIM, GREEN, PLAIN, RED, grouped, line, numbers, out, styled, table};
use crate::rescue::Rescued;
use crate::run::{is_over, said, waiting_line};
use crate::signals::Signals;
use crate::{Approve, Format, Outcome, RunArgs, ask, print, trace};

pub async fn rehearse(
    args: RunArgs,
    of: Vec<HarnessChoice>,
    bench: Workbench,
    mut updates: UnboundedReceiver<Push>,
    signals: &Signals,
) -> Result<Outcome, ApiError> {
    if args.model != REHEARSAL {
        return Err(ApiError::new(Code::Invalid, "several harnesses are rehearsed, which takes no model")
            .hint("leave --model out, or name one harness"));
    }
    let limits = [
        ("--turns", args.turns.is_some()),
        ("--max-tokens-total", args.max_tokens_total.is_some()),
        ("--max-seconds", args.max_seconds.is_some()),
        ("--max-cost", args.max_cost.is_some()),
    ];
    if let Some((limit, _)) = limits.iter().find(|(_, is_set)| *is_set) {
        return Err(ApiError::new(Code::Invalid, format!("{limit} is for a run under one harness"))
            .hint("set `limits` in workbench.yaml"));
    }
    let names: Vec<String> = of.iter().map(named).collect();
    let rehearsal = RehearseArgs {
        roots: None,
        of,
        prompt: said(&args)?.to_owned(),
        screenplay: args.screenplay.as_ref().map(|path| path.to_string()),
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
        waiting.set_message(format!("{} of {} runs go on (Ctrl+C stops)", going.len(), runs.len()));
        let update = tokio::select! {
            push = updates.recv() => match push {
                Some(Push::RunUpdate(update)) => update,
                Some(Push::FilesChanged(_) | Push::ModelCheck(_)) => continue,
                None => return Err(ApiError::new(Code::Store, "the runs ended without a word")),
            },
            () = signals.first(), if !interrupted => {
                interrupted = true;
                stop(&bench, &going).await?;
                continue;
            }
        };
        for step in asking(&update) {
            if interrupted || !answered.insert((update.run, step.index)) {
                continue;
            }
            // The question needs the line.
            waiting.finish_and_clear();
            let name = runs.iter().position(|run| *run == update.run).map_or("", |place| &names[place]);
            if args.approve == Approve::Ask && ask::is_someone_there() {
                print::note("");
                print::note(&styled(BOLD, line(name)));
            }
            let decision = tokio::select! {
                decision = ask::decide(step, args.approve, &bench) => decision,
                () = signals.first() => {
                    interrupted = true;
                    stop(&bench, &going).await?;
                    break;
                }
            };
            waiting = waiting_line();
            if let StepKind::Tool { call, .. } = &step.kind {
                bench.run_decide(DecideArgs { run: update.run, call_id: call.id.clone(), decision }).await?;
            }
        }
        if is_over(&update) {
            going.remove(&update.run);
        }
    }
    waiting.finish_and_clear();

    let alignment = bench.run_align(AlignArgs { runs }).await?;
    show(&alignment, args.shown.output.format)?;
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

/// The runs, numbered, then row by row what each did.
pub fn show(alignment: &Alignment, format: Format) -> Result<(), ApiError> {
    if format == Format::Json {
        return print::json(alignment);
    }
    let runs = alignment.runs.iter().zip(1..).map(|(run, number)| {
        let summary = &run.summary;
        vec![
            (BOLD, format!("{number}")),
            (BOLD, summary.setup.harness.clone()),
            (PLAIN, summary.setup.variant.clone()),
            (PLAIN, summary.status.word().to_owned()),
            (PLAIN, format!("{} tokens of context", summary.context_tokens)),
            (DIM, format!("skillbench trace show {}", summary.id)),
        ]
    });
    out(&table(&runs.collect::<Vec<_>>(), &[]));
    for run in &alignment.runs {
        if let Some(error) = &run.summary.error {
            out(&styled(RED, print::indented(&format!("{}: {error}", run.summary.setup.harness), "  ")));
        }
    }
    out("");
    for (row, number) in alignment.rows.iter().zip(1..) {
        let mut place = format!("{number:>3}.");
        for (title, whose) in told(&alignment.runs, &row.steps) {
            let whose = styled(BOLD, format!("{:<9}", numbers(&whose, alignment.runs.len())));
            out(&format!("{}  {whose}  {title}", styled(DIM, &place)));
            place = " ".repeat(place.len());
        }
    }
    Ok(())
}

/// What the runs did in one row, each thing once, with the numbers of the runs that did it.
fn told(runs: &[RunDetail], cells: &[Option<u32>]) -> Vec<(String, Vec<usize>)> {
    let titles = runs.iter().zip(cells).map(|(run, cell)| {
        let step = cell.and_then(|index| run.steps.get(index as usize));
        step.map_or_else(|| styled(DIM, "–"), in_one_line)
    });
    grouped(titles.zip(1..))
}

fn in_one_line(step: &Step) -> String {
    let title = trace::step_title(step);
    match (&step.state, &step.kind) {
        (StepState::Failed, _) => styled(RED, title),
        (_, StepKind::Tool { disclosure, .. }) => match disclosure.tier() {
            Some(tier) => format!("{title}  {}", styled(GREEN, format!("tier {tier}"))),
            None => title,
        },
        (_, StepKind::Prompt { .. } | StepKind::Answer { .. } | StepKind::Note { .. } | StepKind::End { .. }) => title,
    }
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

fn asking(update: &RunUpdate) -> impl Iterator<Item = &Step> {
    update.steps.iter().filter(|step| step.state == StepState::Waiting)
}
