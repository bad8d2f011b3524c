//! Two runs side by side, aligned step by step. How texts differ within a pair is left to whoever shows it.

use serde::Serialize;
use serde_json::Value;
use similar::{Algorithm, DiffOp, capture_diff_slices};
use ts_rs::TS;

use super::{Step, StepKind, turns};
use harness::ScriptOutput;
use model::ToolCall;

/// Run A against run B.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct RunDiff {
    pub pairs: Vec<StepPair>,
    /// Index of the first pair that is not `same`; `null`: the runs went the same way.
    pub first_divergence: Option<u32>,
}

/// Steps that belong together, by their index in A and in B.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum StepPair {
    /// Apart from times, token counts and call ids.
    Same {
        a: u32,
        b: u32,
    },
    Changed {
        a: u32,
        b: u32,
    },
    OnlyA {
        a: u32,
    },
    OnlyB {
        b: u32,
    },
}

/// The first turn of the user is laid beside the first, the second beside the second. In a turn steps pair where they are
/// of one kind and call the same tool with the same arguments; what is left between two such pairs, where they call the
/// same tool.
pub fn diff(a: &[Step], b: &[Step]) -> RunDiff {
    let (a, b) = (turns::of_steps(a), turns::of_steps(b));
    let places = 0..a.len().max(b.len());
    let pairs: Vec<StepPair> = places.flat_map(|place| diff_turn(nth(&a, place), nth(&b, place))).collect();
    let diverged = (0..).zip(&pairs).find(|(_, pair)| !matches!(pair, StepPair::Same { .. }));
    RunDiff { first_divergence: diverged.map(|(place, _)| place), pairs }
}

fn nth<'a>(turns: &[&'a [Step]], place: usize) -> &'a [Step] {
    turns.get(place).copied().unwrap_or_default()
}

fn diff_turn(a: &[Step], b: &[Step]) -> Vec<StepPair> {
    let mut pairs = Vec::new();
    for stretch in align(a, b, call_key) {
        match stretch {
            Stretch::Aligned(a, b) => pairs.extend(a.iter().zip(b).map(|(a, b)| pair(a, b))),
            Stretch::Apart(a, b) => {
                for stretch in align(a, b, kind_key) {
                    match stretch {
                        Stretch::Aligned(a, b) => pairs.extend(a.iter().zip(b).map(|(a, b)| pair(a, b))),
                        Stretch::Apart(a, b) => {
                            pairs.extend(a.iter().map(|step| StepPair::OnlyA { a: step.index }));
                            pairs.extend(b.iter().map(|step| StepPair::OnlyB { b: step.index }));
                        }
                    }
                }
            }
        }
    }
    pairs
}

enum Stretch<'a> {
    /// As many steps in both.
    Aligned(&'a [Step], &'a [Step]),
    Apart(&'a [Step], &'a [Step]),
}

fn align<'a>(a: &'a [Step], b: &'a [Step], key: fn(&Step) -> Key) -> Vec<Stretch<'a>> {
    let keys = |steps: &[Step]| steps.iter().map(key).collect::<Vec<_>>();
    capture_diff_slices(Algorithm::Myers, &keys(a), &keys(b))
        .into_iter()
        .map(|op| {
            let (in_a, in_b) = (&a[op.old_range()], &b[op.new_range()]);
            match op {
                DiffOp::Equal { .. } => Stretch::Aligned(in_a, in_b),
                DiffOp::Delete { .. } | DiffOp::Insert { .. } | DiffOp::Replace { .. } => Stretch::Apart(in_a, in_b),
            }
        })
        .collect()
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Key {
    /// In a conversation beside the run's own.
    aside: bool,
    kind: &'static str,
    tool: String,
    arguments: String,
}

fn call_key(step: &Step) -> Key {
    let arguments = match &step.kind {
        StepKind::Tool { call, .. } => neutral(&call.arguments),
        StepKind::Note { text, .. } => text.clone(),
        StepKind::Prompt { .. } | StepKind::Answer { .. } | StepKind::End { .. } => String::new(),
    };
    Key { arguments, ..kind_key(step) }
}

fn kind_key(step: &Step) -> Key {
    let (kind, tool) = match &step.kind {
        StepKind::Prompt { .. } => ("prompt", ""),
        StepKind::Answer { .. } => ("answer", ""),
        StepKind::Tool { call, .. } => ("tool", call.name.as_str()),
        StepKind::Note { .. } => ("note", ""),
        StepKind::End { .. } => ("end", ""),
    };
    Key { aside: step.within.is_some(), kind, tool: tool.to_owned(), arguments: String::new() }
}

/// JSON without its spaces and with its keys in order; text that is not JSON as it is.
fn neutral(arguments: &str) -> String {
    match serde_json::from_str::<Value>(arguments) {
        Ok(mut value) => {
            value.sort_all_objects();
            value.to_string()
        }
        Err(_) => arguments.to_owned(),
    }
}

fn pair(a: &Step, b: &Step) -> StepPair {
    if a.state == b.state && timeless(&a.kind) == timeless(&b.kind) {
        StepPair::Same { a: a.index, b: b.index }
    } else {
        StepPair::Changed { a: a.index, b: b.index }
    }
}

/// The step without what differs between any two runs.
fn timeless(kind: &StepKind) -> StepKind {
    let nameless = |call: &ToolCall| ToolCall { id: String::new(), extra: None, ..call.clone() };
    match kind.clone() {
        StepKind::Answer { text, reasoning, calls, finish, model, agents, cut, error, hint, raw, .. } => {
            StepKind::Answer {
                text,
                reasoning,
                calls: calls.iter().map(nameless).collect(),
                usage: None,
                spent: None,
                finish,
                model,
                agents,
                cut,
                first_token: None,
                error,
                hint,
                raw,
                // As `error` has it.
                why: None,
            }
        }
        StepKind::Tool {
            call,
            disclosure,
            disclosed,
            asked,
            ran,
            leads_to,
            digest: _,
            enforcement: _,
            skills: _,
            decision,
            standing: _,
            output,
            files,
            reply,
            images,
            wire,
        } => StepKind::Tool {
            call: nameless(&call),
            disclosure,
            disclosed,
            asked,
            ran,
            leads_to,
            digest: None,
            enforcement: None,
            skills: Vec::new(),
            decision,
            standing: None,
            output: output.map(|output| Box::new(ScriptOutput { took: 0, ..*output })),
            files,
            reply,
            images,
            wire,
        },
        other @ (StepKind::Prompt { .. } | StepKind::Note { .. } | StepKind::End { .. }) => other,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Event, EventKind, fold, sample};
    use super::*;
    use harness::Disclosure;

    fn against(change: impl FnOnce(&mut Vec<Event>)) -> RunDiff {
        let mut other = sample::seven_messages();
        change(&mut other);
        diff(&fold::steps(&sample::seven_messages()), &fold::steps(&other))
    }

    fn same(steps: std::ops::Range<u32>) -> Vec<StepPair> {
        steps.map(|step| StepPair::Same { a: step, b: step }).collect()
    }

    #[test]
    fn times_tokens_and_call_ids_make_no_difference() {
        let found = against(|events| {
            for event in events {
                event.at *= 2;
                match &mut event.kind {
                    EventKind::Called { call, .. } => call.id.push('x'),
                    EventKind::ApprovalAsked { call_id, .. }
                    | EventKind::ApprovalGiven { call_id, .. }
                    | EventKind::Agreed { call_id, .. }
                    | EventKind::Performed { call_id, .. } => call_id.push('x'),
                    EventKind::Replied { call_id, tokens, .. } => {
                        call_id.push('x');
                        *tokens += 1;
                    }
                    _ => {}
                }
            }
        });
        assert_eq!(found, RunDiff { pairs: same(0..8), first_divergence: None });
    }

    #[test]
    fn a_changed_argument_pairs_the_calls_of_the_tool() {
        let found = against(|events| {
            for event in events {
                if let EventKind::Called { call, .. } = &mut event.kind
                    && call.name == "run_skill_script"
                {
                    call.arguments = call.arguments.replace("2.20462", "2.2");
                }
            }
        });
        let mut pairs = same(0..8);
        pairs[6] = StepPair::Changed { a: 6, b: 6 };
        assert_eq!(found, RunDiff { pairs, first_divergence: Some(6) });
    }

    #[test]
    fn spaces_in_arguments_are_a_change_within_a_pair() {
        let found = against(|events| {
            for event in events {
                if let EventKind::Called { call, .. } = &mut event.kind {
                    call.arguments = call.arguments.replacen(':', ": ", 1);
                }
            }
        });
        let changed: Vec<_> = found.pairs.iter().filter(|pair| matches!(pair, StepPair::Changed { .. })).collect();
        let calls = [2, 4, 6].map(|step| StepPair::Changed { a: step, b: step });
        assert_eq!(changed, calls.iter().collect::<Vec<_>>());
    }

    #[test]
    fn turns_of_the_user_stand_beside_each_other_whatever_came_of_those_before() {
        let said =
            |prompt: &str| EventKind::Continued { setup: crate::RunSetup { prompt: prompt.into(), ..sample::setup() } };
        let call = |number: u32| sample::called(number, &sample::call("c", "search", "{}"), Disclosure::None);
        let start = || EventKind::Started { setup: sample::setup() };
        let long = sample::events_of([start(), call(0), call(1), said("more"), call(2)]);
        let short = sample::events_of([start(), said("more"), call(0), said("and more")]);
        let pairs = vec![
            StepPair::Same { a: 0, b: 0 },
            StepPair::OnlyA { a: 1 },
            StepPair::OnlyA { a: 2 },
            StepPair::Same { a: 3, b: 1 },
            StepPair::Changed { a: 4, b: 2 },
            StepPair::OnlyB { b: 3 },
        ];
        let found = diff(&fold::steps(&long), &fold::steps(&short));
        assert_eq!(found, RunDiff { pairs, first_divergence: Some(1) });
    }

    #[test]
    fn a_step_of_one_run_alone_is_shown_alone() {
        let call = sample::call("call_9", "search", "{}");
        let shorter = sample::events_of([
            EventKind::Started { setup: sample::setup() },
            EventKind::noted(wording::Message::quoted("a")),
            sample::called(0, &call, Disclosure::None),
        ]);
        let longer = sample::events_of([
            EventKind::Started { setup: sample::setup() },
            sample::called(0, &sample::call("call_1", "load_skill", "{}"), Disclosure::None),
            sample::called(0, &call, Disclosure::None),
        ]);
        let found = diff(&fold::steps(&shorter), &fold::steps(&longer));
        let pairs = vec![
            StepPair::Same { a: 0, b: 0 },
            StepPair::OnlyA { a: 1 },
            StepPair::OnlyB { b: 1 },
            StepPair::Same { a: 2, b: 2 },
        ];
        assert_eq!(found, RunDiff { pairs, first_divergence: Some(1) });
    }

    proptest::proptest! {
        #[test]
        fn every_step_is_in_one_pair(a in sample::any_events(), b in sample::any_events()) {
            let (a, b) = (fold::steps(&a), fold::steps(&b));
            let pairs = diff(&a, &b).pairs;
            let in_a: Vec<_> = pairs.iter().filter_map(|pair| match pair {
                StepPair::Same { a, .. } | StepPair::Changed { a, .. } | StepPair::OnlyA { a } => Some(*a),
                StepPair::OnlyB { .. } => None,
            }).collect();
            let in_b: Vec<_> = pairs.iter().filter_map(|pair| match pair {
                StepPair::Same { b, .. } | StepPair::Changed { b, .. } | StepPair::OnlyB { b } => Some(*b),
                StepPair::OnlyA { .. } => None,
            }).collect();
            proptest::prop_assert_eq!(in_a, a.iter().map(|step| step.index).collect::<Vec<_>>());
            proptest::prop_assert_eq!(in_b, b.iter().map(|step| step.index).collect::<Vec<_>>());
        }
    }
}
