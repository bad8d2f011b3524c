//! Several runs of one scene, step by step side by side. Frameworks name tools and skills differently and take more or
//! fewer rounds for the same thing, so steps belong together by what they disclose, then by their order.

use std::time::{Duration, Instant};

use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};

use super::{Step, StepKind, turns};
use harness::Disclosure;

/// Rows, each with one cell for each run: the index of its step, if it has one there. Every step of every run is in one
/// row, and each run's steps keep their order. Turns of the user stand side by side: the first next to the first.
pub fn align(runs: &[&[Step]]) -> Vec<Vec<Option<u32>>> {
    let deadline = Instant::now() + PATIENCE;
    let turns: Vec<Vec<&[Step]>> = runs.iter().map(|steps| turns::of_steps(steps)).collect();
    let most = turns.iter().map(Vec::len).max().unwrap_or_default();
    let nth = |place: usize| turns.iter().map(move |turns| turns.get(place).copied().unwrap_or_default());
    (0..most).flat_map(|place| align_turn(&nth(place).collect::<Vec<_>>(), deadline)).collect()
}

fn align_turn(runs: &[&[Step]], deadline: Instant) -> Vec<Vec<Option<u32>>> {
    let (bodies, ends): (Vec<_>, Vec<_>) = runs.iter().map(|steps| without_end(steps)).unzip();
    let mut rows = conversations(&bodies, DEPTH, deadline);
    if ends.iter().any(Option::is_some) {
        rows.push(ends);
    }
    let index = |cell: Option<&Step>| cell.map(|step| step.index);
    rows.into_iter().map(|row| row.into_iter().map(index).collect()).collect()
}

/// One conversation of each run. Nested conversations of sub-agents follow the step that they follow in the run, down
/// to `depth` levels.
fn conversations<'a>(runs: &[&'a [Step]], depth: usize, deadline: Instant) -> Vec<Row<&'a Step>> {
    let Some(below) = depth.checked_sub(1) else {
        let steps: Vec<Vec<&Step>> = runs.iter().map(|steps| steps.iter().collect()).collect();
        return side_by_side(&steps, step_key, deadline);
    };
    let mut rows = Vec::new();
    for beats in side_by_side(&runs.iter().map(|steps| beats(steps)).collect::<Vec<_>>(), beat_key, deadline) {
        let scopes: Vec<Vec<&[Step]>> = beats.into_iter().map(|beat| scopes(beat.unwrap_or_default())).collect();
        for scopes in side_by_side(&scopes, scope_key, deadline) {
            rows.push(scopes.iter().map(|scope| scope.and_then(|scope| scope.first())).collect());
            let inner: Vec<&[Step]> =
                scopes.into_iter().map(|scope| scope.and_then(|scope| scope.get(1..)).unwrap_or_default()).collect();
            if inner.iter().any(|steps| !steps.is_empty()) {
                rows.extend(conversations(&inner, below, deadline));
            }
        }
    }
    rows
}

/// After this, runs that have little in common are laid out roughly.
const PATIENCE: Duration = Duration::from_secs(1);

/// How many levels of sub-agents are told apart; a recording from elsewhere may have more.
const DEPTH: usize = 8;

/// How a run ended is compared with how others ended, however long they went on.
fn without_end(steps: &[Step]) -> (&[Step], Option<&Step>) {
    match steps {
        [body @ .., end] if matches!(end.kind, StepKind::End { .. }) => (body, Some(end)),
        _ => (steps, None),
    }
}

/// The rhythm of a conversation: the prompt, then each answer with the calls it asked for.
fn beats(steps: &[Step]) -> Vec<&[Step]> {
    let own = |step: &Step| Some(&step.within) == steps.first().map(|first| &first.within);
    let follows = |step: &Step| !own(step) || matches!(step.kind, StepKind::Tool { .. } | StepKind::Note { .. });
    steps.chunk_by(|_, next| follows(next)).collect()
}

/// Each step of a conversation, followed by its nested conversations.
fn scopes(beat: &[Step]) -> Vec<&[Step]> {
    let own = |step: &Step| Some(&step.within) == beat.first().map(|first| &first.within);
    beat.chunk_by(|_, next| !own(next)).collect()
}

/// What two steps must have in common to share a row. The strictest rule goes first; the next rule handles the steps
/// that are left between two rows.
#[derive(Clone, Copy)]
enum Likeness {
    /// Tier, skill and file.
    Whole,
    /// Tier and file: a skill has different names under different frameworks, its files have not.
    File,
    Tier,
    /// Nothing but what kind of step it is: then their order tells.
    Kind,
}

const LIKENESSES: [Likeness; 4] = [Likeness::Whole, Likeness::File, Likeness::Tier, Likeness::Kind];

/// Equal for things that are alike.
type Key<'a> = Vec<&'a str>;

/// The cells of one row, by run.
type Row<T> = Vec<Option<T>>;

/// Lays lists side by side. Whether something belongs to a row is decided by comparing it with the first thing in the
/// row.
fn side_by_side<'a, T: Copy>(lists: &[Vec<T>], key: fn(T, Likeness) -> Key<'a>, deadline: Instant) -> Vec<Row<T>> {
    let mut rows: Vec<(T, Row<T>)> = Vec::new();
    for (run, list) in lists.iter().enumerate() {
        let firsts: Vec<T> = rows.iter().map(|(first, _)| *first).collect();
        let placed = Pairing { key, deadline }.pairs(&firsts, list, &LIKENESSES);
        let mut earlier = rows.into_iter();
        rows = Vec::new();
        for place in placed {
            match place {
                Next::Row => rows.extend(earlier.next()),
                Next::Shared(thing) => rows.extend(earlier.next().map(|(first, mut row)| {
                    row[run] = Some(thing);
                    (first, row)
                })),
                Next::Alone(thing) => {
                    let mut row = vec![None; lists.len()];
                    row[run] = Some(thing);
                    rows.push((thing, row));
                }
            }
        }
    }
    rows.into_iter().map(|(_, row)| row).collect()
}

/// What comes next when a list is matched with rows.
enum Next<T> {
    /// The next row, in which the list has nothing.
    Row,
    /// The next row, with this in it.
    Shared(T),
    /// A new row.
    Alone(T),
}

struct Pairing<'a, T> {
    key: fn(T, Likeness) -> Key<'a>,
    deadline: Instant,
}

impl<T: Copy> Pairing<'_, T> {
    fn pairs(&self, rows: &[T], list: &[T], likenesses: &[Likeness]) -> Vec<Next<T>> {
        let Some((likeness, looser)) = likenesses.split_first() else {
            let alone = list.iter().map(|thing| Next::Alone(*thing));
            return rows.iter().map(|_| Next::Row).chain(alone).collect();
        };
        let keys = |things: &[T]| things.iter().map(|thing| (self.key)(*thing, *likeness)).collect::<Vec<_>>();
        let ops = capture_diff_slices_deadline(Algorithm::Myers, &keys(rows), &keys(list), Some(self.deadline));
        let places = ops.into_iter().flat_map(|op| {
            let (rows, list) = (&rows[op.old_range()], &list[op.new_range()]);
            match op {
                DiffOp::Equal { .. } => list.iter().map(|thing| Next::Shared(*thing)).collect(),
                DiffOp::Delete { .. } | DiffOp::Insert { .. } | DiffOp::Replace { .. } => {
                    self.pairs(rows, list, looser)
                }
            }
        });
        places.collect()
    }
}

/// An answer is like another by what it calls first; strictly, by all it calls.
fn beat_key(beat: &[Step], likeness: Likeness) -> Key<'_> {
    let calls = || {
        scopes(beat)
            .into_iter()
            .filter_map(|scope| scope.first())
            .filter(|step| matches!(step.kind, StepKind::Tool { .. }))
    };
    let counted = match likeness {
        Likeness::Whole => usize::MAX,
        Likeness::File | Likeness::Tier | Likeness::Kind => 1,
    };
    let first = beat.first().map(kind);
    first.into_iter().chain(calls().take(counted).flat_map(|call| step_key(call, likeness))).collect()
}

fn scope_key(scope: &[Step], likeness: Likeness) -> Key<'_> {
    scope.first().map(|step| step_key(step, likeness)).unwrap_or_default()
}

fn step_key(step: &Step, likeness: Likeness) -> Key<'_> {
    let [tier, skill, file] = disclosed(step);
    match likeness {
        Likeness::Whole => vec![kind(step), tier, skill, file],
        Likeness::File => vec![kind(step), tier, file],
        Likeness::Tier => vec![kind(step), tier],
        Likeness::Kind => vec![kind(step)],
    }
}

fn kind(step: &Step) -> &'static str {
    match step.kind {
        StepKind::Prompt { .. } => "prompt",
        StepKind::Answer { .. } => "answer",
        StepKind::Tool { .. } => "tool",
        StepKind::Note { .. } => "note",
        StepKind::End { .. } => "end",
    }
}

/// Tier, skill and file; for a call that discloses nothing, its arguments and its tool instead.
fn disclosed(step: &Step) -> [&str; 3] {
    match &step.kind {
        StepKind::Tool { call, disclosure, .. } => match disclosure {
            Disclosure::Instructions { skill } => ["instructions", skill, ""],
            Disclosure::Resource { skill, resource } => ["resource", skill, resource],
            Disclosure::Script { skill, script } => ["script", skill, script],
            Disclosure::None => ["none", &call.arguments, &call.name],
        },
        StepKind::Note { text, .. } => ["", text, ""],
        StepKind::Prompt { .. } | StepKind::Answer { .. } | StepKind::End { .. } => ["", "", ""],
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{Event, EventKind, RunStatus, fold, sample};
    use super::*;
    use harness::Disclosure::{Instructions, Resource, Script};

    /// A run of the given answers, each of which makes the given calls.
    fn run(answers: &[&[(&str, Disclosure)]], end: Option<&str>) -> Vec<Step> {
        let mut kinds = vec![EventKind::Started { setup: sample::setup() }];
        for (turn, calls) in (0..).zip(answers) {
            let calls: Vec<_> = calls.iter().map(|(tool, told)| (sample::call(tool, tool, "{}"), told)).collect();
            kinds.push(sample::requested(turn, &[sample::system(), sample::user()]));
            kinds.push(sample::answered(turn, "", &calls.iter().map(|(call, _)| call).collect::<Vec<_>>()));
            for (call, told) in calls {
                kinds.push(sample::called(turn, &call, told.clone()));
                kinds.push(sample::replied(&call.id, "ok"));
            }
        }
        if let Some(error) = end {
            kinds.push(EventKind::Ended {
                status: RunStatus::Failed,
                error: Some(error.into()),
                zh: None,
                reached: None,
            });
        }
        fold::steps(&sample::events_of(kinds))
    }

    fn activates(skill: &str) -> Disclosure {
        Instructions { skill: skill.into() }
    }

    fn reads(skill: &str, resource: &str) -> Disclosure {
        Resource { skill: skill.into(), resource: resource.into() }
    }

    fn runs(skill: &str, script: &str) -> Disclosure {
        Script { skill: skill.into(), script: script.into() }
    }

    /// One line for each row; `·` where a run has no step.
    fn aligned(runs: &[Vec<Step>]) -> Vec<String> {
        let slices: Vec<&[Step]> = runs.iter().map(Vec::as_slice).collect();
        let cell = |cell: Option<u32>| cell.map_or_else(|| "·".to_owned(), |step| step.to_string());
        align(&slices).into_iter().map(|row| row.into_iter().map(cell).collect::<Vec<_>>().join(" ")).collect()
    }

    #[test]
    fn a_skill_that_each_framework_names_otherwise_shares_its_rows() {
        let plain = run(
            &[&[("load_skill", activates("x"))], &[("read", reads("x", "a.md"))], &[("run", runs("x", "s.py"))], &[]],
            None,
        );
        let sourced = run(
            &[
                &[("load", activates("x_custom"))],
                &[("load", reads("x_custom", "a.md"))],
                &[("sh", runs("x_custom", "s.py"))],
                &[],
            ],
            None,
        );
        let rows: Vec<String> = (0..8).map(|step| format!("{step} {step}")).collect();
        assert_eq!(aligned(&[plain, sourced]), rows);
    }

    #[test]
    fn a_round_that_one_framework_does_not_take_leaves_its_cell_empty() {
        let long = run(
            &[&[("load_skill", activates("x"))], &[("read", reads("x", "a.md"))], &[("run", runs("x", "s.py"))], &[]],
            None,
        );
        let short = run(&[&[("skill", activates("x"))], &[("sh", runs("x", "s.py"))], &[]], None);
        let expected = ["0 0", "1 1", "2 2", "3 ·", "4 ·", "5 3", "6 4", "7 5"];
        assert_eq!(aligned(&[long, short]), expected);
    }

    #[test]
    fn calls_that_disclose_different_things_share_a_row_by_their_order() {
        let a = run(&[&[("load_skill", activates("x"))], &[("run", runs("x", "s.py"))], &[]], None);
        let b = run(&[&[("load_skill", activates("x"))], &[("chart", Disclosure::None)], &[]], None);
        assert_eq!(aligned(&[a, b]), ["0 0", "1 1", "2 2", "3 3", "4 4", "5 5"]);
    }

    #[test]
    fn calls_of_one_answer_are_matched_among_themselves() {
        let both = run(&[&[("load", activates("x")), ("load", activates("y"))], &[]], None);
        let one = run(&[&[("load", activates("y"))], &[]], None);
        assert_eq!(aligned(&[both, one]), ["0 0", "1 1", "2 ·", "3 2", "4 3"]);
    }

    #[test]
    fn a_run_that_failed_at_once_ends_in_the_last_row() {
        let failed = run(&[], Some("it would not start"));
        let done = run(&[&[("load", activates("x"))], &[]], None);
        let also_failed = run(&[&[("load", activates("x"))]], Some("it broke"));
        let expected = ["0 0 0", "· 1 1", "· 2 2", "· 3 ·", "1 · 3"];
        assert_eq!(aligned(&[failed, done, also_failed]), expected);
    }

    #[test]
    fn a_later_run_finds_the_rows_of_all_before_it() {
        let short = run(&[&[("load", activates("x"))], &[]], None);
        let long = run(&[&[("load", activates("x"))], &[("read", reads("x", "a.md"))], &[]], None);
        let expected = ["0 0 0", "1 1 1", "2 2 2", "· 3 3", "· 4 4", "3 5 5"];
        assert_eq!(aligned(&[short, long.clone(), long]), expected);
    }

    #[test]
    fn what_a_sub_agent_does_follows_the_call_that_started_it() {
        let delegating = |rounds: &[&[(&str, Disclosure)]]| {
            let outer = run(&[&[("task", Disclosure::None)], &[]], None);
            let inner = run(rounds, None).split_off(1);
            let inner = inner.into_iter().map(|step| Step { within: Some("task".into()), ..step });
            let mut steps: Vec<Step> =
                outer[..3].iter().cloned().chain(inner).chain(outer[3..].iter().cloned()).collect();
            for (index, step) in (0..).zip(&mut steps) {
                step.index = index;
            }
            steps
        };
        let plain = run(&[&[("load", activates("x"))], &[]], None);
        let asks_once = delegating(&[&[("load", activates("x"))], &[]]);
        let asks_twice = delegating(&[&[("load", activates("x"))], &[("read", reads("x", "a.md"))], &[]]);
        let expected = ["0 0 0", "1 1 1", "2 2 2", "· 3 3", "· 4 4", "· · 5", "· · 6", "· 5 7", "3 6 8"];
        assert_eq!(aligned(&[plain, asks_once, asks_twice]), expected);
    }

    #[test]
    fn no_runs_and_empty_runs_have_no_rows() {
        assert_eq!(aligned(&[]), Vec::<String>::new());
        assert_eq!(aligned(&[Vec::new(), Vec::new()]), Vec::<String>::new());
    }

    fn any_runs() -> impl Strategy<Value = Vec<Vec<Event>>> {
        prop::collection::vec(sample::any_events(), 0..4)
    }

    proptest! {
        #[test]
        fn every_step_is_in_one_row_and_each_run_keeps_its_order(runs in any_runs()) {
            let runs: Vec<Vec<Step>> = runs.iter().map(|events| fold::steps(events)).collect();
            let slices: Vec<&[Step]> = runs.iter().map(Vec::as_slice).collect();
            let rows = align(&slices);
            for (run, steps) in runs.iter().enumerate() {
                let found: Vec<u32> = rows.iter().filter_map(|row| row[run]).collect();
                prop_assert_eq!(found, steps.iter().map(|step| step.index).collect::<Vec<_>>());
            }
            prop_assert!(rows.iter().all(|row| row.len() == runs.len() && row.iter().any(Option::is_some)));
        }
    }
}
