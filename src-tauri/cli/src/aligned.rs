//! Several runs next to each other, step by step.

use api::ApiError;
use api::dto::{Alignment, RunDetail};
use trace::{Step, StepKind, StepState};

use crate::print::{BOLD, DIM, GREEN, PLAIN, RED, grouped, numbers, out, styled, table};
use crate::{Format, numbered, print, steps};

/// The runs, numbered, then row by row what each did.
pub fn show(alignment: &Alignment, format: Format) -> Result<(), ApiError> {
    if format == Format::Json {
        let places = ["runs/*/summary/setup/forked/step", "runs/*/steps/*/index", "rows/*/steps/*"];
        return numbered::json(alignment, &places);
    }
    let runs = alignment.runs.iter().zip(1..).map(|(run, number)| {
        let summary = &run.summary;
        vec![
            (BOLD, format!("{number}")),
            (BOLD, summary.setup.harness.clone()),
            (PLAIN, summary.setup.variant.clone()),
            (PLAIN, steps::status(summary.status)),
            (PLAIN, words!("{} tokens of context", "上下文 {} token", summary.context_tokens)),
            (DIM, format!("skillbench trace show {}", summary.id)),
        ]
    });
    out(&table(&runs.collect::<Vec<_>>(), &[]));
    for run in &alignment.runs {
        if let Some(error) = &run.summary.error {
            out(&styled(
                RED,
                print::indented(
                    &words!(
                        "{}: {}",
                        "{}：{}",
                        run.summary.setup.harness,
                        steps::why_ended(run).unwrap_or_else(|| error.clone())
                    ),
                    "  ",
                ),
            ));
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
    let title = steps::step_title(step);
    match (&step.state, &step.kind) {
        (StepState::Failed, _) => styled(RED, title),
        (_, StepKind::Tool { disclosure, .. }) => match disclosure.tier() {
            Some(tier) => format!("{title}  {}", styled(GREEN, words!("tier {tier}", "第 {tier} 层"))),
            None => title,
        },
        (_, StepKind::Prompt { .. } | StepKind::Answer { .. } | StepKind::Note { .. } | StepKind::End { .. }) => title,
    }
}
