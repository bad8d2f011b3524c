//! One scene under several harnesses, and their runs step by step next to each other.

use super::dto::{AlignArgs, AlignedRow, Alignment, RehearseArgs, RunArgs, RunMeans, RunRequest};
use super::error::ApiError;
use super::inspect::{check_runs, find_harness};
use super::starts::check_prompt;
use super::{Workbench, blocking};
use config::REHEARSAL;
use trace::RunId;
use trace::align::align;

impl Workbench {
    /// Starts one run for each choice; they go on side by side, and their steps arrive as pushes. A framework that
    /// refuses these skills or options has a run too, which ends with its error.
    pub async fn rehearse(&self, args: RehearseArgs) -> Result<Vec<RunId>, ApiError> {
        check_prompt(&args.prompt)?;
        for choice in &args.of {
            check_runs(find_harness(&choice.harness, choice.variant.as_deref())?)?;
        }
        self.see_edits();
        let mut runs = Vec::new();
        for choice in args.of {
            let request = RunRequest {
                roots: args.roots.clone(),
                harness: choice.harness,
                variant: choice.variant,
                model: REHEARSAL.to_owned(),
                prompt: args.prompt.clone(),
                images: Vec::new(),
                screenplay: args.screenplay.clone(),
                without: args.without.clone().unwrap_or_default(),
                neutral_paths: args.neutral_paths,
                means: RunMeans {
                    sandbox: args.sandbox,
                    network: args.network.unwrap_or_default(),
                    fidelity: args.fidelity,
                    ask_all: args.ask_all.unwrap_or_default(),
                    ..RunMeans::default()
                },
            };
            match self.rehearsal_run(&request).await {
                Ok(run) => runs.push(run),
                Err(error) => {
                    // The caller would not learn of those that were started.
                    for run in runs {
                        self.run_stop(RunArgs { run }).await?;
                    }
                    return Err(error);
                }
            }
        }
        Ok(runs)
    }

    async fn rehearsal_run(&self, request: &RunRequest) -> Result<RunId, ApiError> {
        let (roots, variant) = (request.roots.as_deref(), request.variant.as_deref());
        let mut stage = self.stage_of_run(roots, &request.harness, variant, request.neutral_paths).await?;
        stage.catalog.leave_out(&request.without);
        self.begin(stage, request, None).await
    }

    /// The steps of several runs, with matching ones in the same row.
    pub async fn run_align(&self, args: AlignArgs) -> Result<Alignment, ApiError> {
        let mut runs = Vec::new();
        for run in args.runs {
            runs.push(self.run_get(RunArgs { run }).await?);
        }
        Ok(blocking(move || {
            let steps: Vec<_> = runs.iter().map(|run| run.steps.as_slice()).collect();
            let rows = align(&steps).into_iter().map(|steps| AlignedRow { steps }).collect();
            Alignment { runs, rows }
        })
        .await)
    }
}
