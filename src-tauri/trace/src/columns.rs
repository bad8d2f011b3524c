//! An overview of all steps of a run, column by column: a few numbers for each step. To show a very long run, no more
//! is needed of the steps that are out of sight: where they are in time, how the context grew, which of them are calls,
//! turns, skills and errors, and what is below what.

use std::collections::HashMap;

use serde::Serialize;
use ts_rs::TS;

use crate::{RunStatus, Step, StepKind, StepState};
use harness::{Disclosure, ScriptOutput};

/// Some steps of a run in order. All columns have the same length.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Columns {
    /// What a step is: its kind (0 prompt, 1 answer, 2 call, 3 note, 4 end), and added to it 8 if it disclosed
    /// instructions (a prompt: that it named), 16 a resource, 24 a script; 32 if something went wrong; 64 while it goes on.
    pub marks: Vec<u32>,
    /// Milliseconds since the step before began; of the first one since the epoch.
    #[ts(type = "number[]")]
    pub since: Vec<i64>,
    /// Milliseconds; -1 while it goes on.
    #[ts(type = "number[]")]
    pub took: Vec<i64>,
    /// Tokens that it adds to the context, and in the context then.
    pub added: Vec<u32>,
    pub context: Vec<u32>,
    /// The number of the event that began it.
    pub event: Vec<u32>,
    /// The model request that it belongs to; -1: none.
    #[ts(type = "number[]")]
    pub turn: Vec<i64>,
    /// The conversation that it belongs to, by its place in `conversations`, from 1; 0: the run's own.
    pub within: Vec<u32>,
    /// Those of these steps.
    pub conversations: Vec<String>,
    /// Calls among these steps that began a conversation of the run: places of steps in the run, and the call's id.
    pub begins: Vec<(u32, String)>,
}

const INSTRUCTIONS: u32 = 1 << 3;
const RESOURCE: u32 = 2 << 3;
const SCRIPT: u32 = 3 << 3;
const TROUBLE: u32 = 1 << 5;
const OPEN: u32 = 1 << 6;

impl Columns {
    /// `begins`: whether a call of this id began a conversation.
    pub fn of(steps: &[Step], begins: impl Fn(&str) -> bool) -> Self {
        let mut columns = Self::default();
        let mut known: HashMap<&str, u32> = HashMap::new();
        let mut before = 0;
        for step in steps {
            columns.marks.push(marks(step));
            columns.since.push(step.at - before);
            before = step.at;
            columns.took.push(step.took.unwrap_or(-1));
            columns.added.push(step.added_tokens);
            columns.context.push(step.context_tokens);
            columns.event.push(step.event);
            columns.turn.push(step.turn.map_or(-1, i64::from));
            let within = step.within.as_deref().map_or(0, |within| {
                let next = u32::try_from(known.len() + 1).unwrap_or(u32::MAX);
                *known.entry(within).or_insert_with(|| {
                    columns.conversations.push(within.to_owned());
                    next
                })
            });
            columns.within.push(within);
            if let StepKind::Tool { call, .. } = &step.kind
                && begins(&call.id)
            {
                columns.begins.push((step.index, call.id.clone()));
            }
        }
        columns
    }
}

fn marks(step: &Step) -> u32 {
    let (kind, disclosed) = match &step.kind {
        StepKind::Prompt { skills, .. } => (0, if skills.is_empty() { 0 } else { INSTRUCTIONS }),
        StepKind::Answer { .. } => (1, 0),
        StepKind::Tool { disclosed, .. } => {
            let disclosed = match disclosed {
                Disclosure::None => 0,
                Disclosure::Instructions { .. } => INSTRUCTIONS,
                Disclosure::Resource { .. } => RESOURCE,
                Disclosure::Script { .. } => SCRIPT,
            };
            (2, disclosed)
        }
        StepKind::Note { .. } => (3, 0),
        StepKind::End { .. } => (4, 0),
    };
    let open = matches!(step.state, StepState::Running | StepState::Waiting);
    kind | disclosed | if is_trouble(step) { TROUBLE } else { 0 } | if open { OPEN } else { 0 }
}

/// Something went wrong here: a failed request, call or script, or an end that was not a final answer.
fn is_trouble(step: &Step) -> bool {
    let failed = |output: &ScriptOutput| output.timed_out || output.exit_code != Some(0);
    step.state == StepState::Failed
        || match &step.kind {
            StepKind::Answer { error, .. } => error.is_some(),
            StepKind::Tool { output, .. } => output.as_deref().is_some_and(failed),
            StepKind::End { status, .. } => *status != RunStatus::Done,
            StepKind::Prompt { .. } | StepKind::Note { .. } => false,
        }
}
