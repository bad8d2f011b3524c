//! Differences in a run that repeats a recorded run's answers: its scripts and tools really run.

use std::collections::HashMap;

use api::dto::{RunArgs, RunDetail};
use api::{ApiError, Workbench};
use config::RECORDED;
use serde::Serialize;
use trace::{Step, StepKind};

use crate::print::{DIM, YELLOW, gist, line, out, styled};

/// A tool that gave another result than it did then.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Changed {
    /// Of this run.
    pub step: u32,
    pub tool: String,
    pub arguments: String,
    /// `null`: there was no such call.
    pub recorded: Option<String>,
    pub now: String,
}

/// `None` if no recorded run answered.
pub async fn changed(bench: &Workbench, now: &RunDetail) -> Result<Option<Vec<Changed>>, ApiError> {
    let Some(id) = now.summary.setup.model.strip_prefix(RECORDED) else { return Ok(None) };
    // It was there when this run began.
    let Ok(run) = id.parse() else { return Ok(None) };
    let then = bench.run_get(RunArgs { run }).await?;
    Ok(Some(differing(&then, now)))
}

pub fn told(changed: &[Changed]) {
    for Changed { step, tool, recorded, now, .. } in changed {
        let title = words!(
            "  step {1}: {0} gave another result than in the recorded run",
            "  步骤 {1}：{0} 的结果与录制时不同",
            line(tool),
            step + 1
        );
        out(&styled(YELLOW, title));
        let recorded = recorded.as_ref().map_or_else(|| words!("no such call", "没有这个调用"), |text| gist(text, 200));
        out(&styled(DIM, words!("    recorded: {recorded}", "    录制时：{recorded}")));
        out(&styled(DIM, words!("    now:      {}", "    现在：  {}", gist(now, 200))));
    }
}

/// Each run has another folder; that does not count as a difference.
fn differing(then: &RunDetail, now: &RunDetail) -> Vec<Changed> {
    let of = |run: &RunDetail| run.summary.setup.working_directory.to_string();
    let (old, new) = (of(then), of(now));
    let mut recorded: HashMap<(Option<&str>, usize), &str> = HashMap::new();
    for (place, call) in calls(&then.steps) {
        recorded.insert(place, call.reply);
    }
    let mut changed = Vec::new();
    for (place, call) in calls(&now.steps) {
        let before = recorded.get(&place).copied();
        let same = before.is_some_and(|before| before.replace(&old, &new) == call.reply);
        if !same {
            changed.push(Changed {
                step: call.step,
                tool: call.tool.to_owned(),
                arguments: call.arguments.to_owned(),
                recorded: before.map(str::to_owned),
                now: call.reply.to_owned(),
            });
        }
    }
    changed
}

struct Call<'a> {
    step: u32,
    tool: &'a str,
    arguments: &'a str,
    reply: &'a str,
}

/// The calls that were answered, by their conversation and their number in it.
fn calls(steps: &[Step]) -> Vec<((Option<&str>, usize), Call<'_>)> {
    let mut counts: HashMap<Option<&str>, usize> = HashMap::new();
    let mut found = Vec::new();
    for step in steps {
        let StepKind::Tool { call, reply: Some(reply), .. } = &step.kind else { continue };
        let within = step.within.as_deref();
        let count = counts.entry(within).or_default();
        found.push(((within, *count), Call { step: step.index, tool: &call.name, arguments: &call.arguments, reply }));
        *count += 1;
    }
    found
}
