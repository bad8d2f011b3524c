//! Two runs side by side, aligned step by step. Showing how texts differ within a pair is the caller's task. Steps are
//! compared by hashes of a fixed size, so that only these of two long runs are in memory at once.

mod set_ups;

use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};
use similar::{Algorithm, DiffOp, capture_diff_slices};
use ts_rs::TS;

use self::set_ups::SetUp;
pub(crate) use self::set_ups::SetUps;
use super::context::Reads;
use super::fold::Fold;
use super::{Event, Step, StepKind};
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
        /// The requests of both have different instructions, or different tools, which no pair before had.
        instructions: bool,
        tools: bool,
    },
    OnlyA {
        a: u32,
    },
    OnlyB {
        b: u32,
    },
}

impl StepPair {
    /// By what the steps themselves say.
    fn changed(a: u32, b: u32) -> Self {
        Self::Changed { a, b, instructions: false, tools: false }
    }
}

/// What a step is compared by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    index: u32,
    /// The user says something.
    begins_turn: bool,
    kind: Sum,
    /// As the kind, and of a call its arguments.
    call: Sum,
    /// All of it, apart from times, token counts and call ids.
    content: Sum,
    /// Of an answer, if the body of its request is known.
    set_up: Option<SetUp>,
}

/// A hash: equal things have equal sums.
type Sum = u128;

impl Mark {
    /// Reads all of the step, so the step must be whole (see [`Step::brief`]). What its request had in front of the
    /// conversation is not in it.
    pub fn of(step: &Step) -> Self {
        let is_prompt = matches!(step.kind, StepKind::Prompt { .. });
        Self {
            index: step.index,
            begins_turn: is_prompt && step.within.is_none(),
            kind: sum(&kind_key(step)),
            call: sum(&call_key(step)),
            content: sum(&(step.state, timeless(&step.kind))),
            set_up: None,
        }
    }
}

/// Nothing in a step cannot be written: it is sent to the window so.
fn sum(of: &impl Serialize) -> Sum {
    let written = serde_json::to_vec(of).unwrap_or_default();
    Sha256::digest(written).iter().take(size_of::<Sum>()).fold(0, |sum, byte| sum << 8 | Sum::from(*byte))
}

/// The marks of a run whose events come in pieces. Texts of finished steps are dropped.
#[derive(Debug, Default)]
pub struct Marking {
    fold: Fold,
    marks: Vec<Mark>,
    /// For each mark, the event that began the step.
    begun: Vec<u32>,
    set_ups: SetUps,
}

impl Marking {
    /// Reads the next events; their requests need no bodies.
    pub fn read(&mut self, events: &[Event]) {
        for event in events {
            self.fold.apply(event);
            self.set_ups.take_in(event);
        }
        self.mark(self.fold.first_open().unwrap_or(self.fold.steps().len()));
    }

    /// Requests among the events so far that are to be read with their bodies, some at a time; `None`: there are no more.
    pub fn wanted(&mut self) -> Option<Reads> {
        self.set_ups.wanted()
    }

    /// Reads the requests that were [wanted](Marking::wanted).
    pub fn read_requests(&mut self, events: &[Event]) {
        self.set_ups.read(events);
    }

    /// So many steps of the run, which are over.
    fn mark(&mut self, until: usize) {
        let from = self.marks.len().min(until);
        let over = &self.fold.steps()[from..until];
        self.marks.extend(over.iter().map(Mark::of));
        self.begun.extend(over.iter().map(|step| step.event));
        self.fold.forget_texts_of(from..until);
    }

    /// After the last events.
    pub fn marks(mut self) -> Vec<Mark> {
        self.mark(self.fold.steps().len());
        let Self { mut marks, begun, set_ups, .. } = self;
        for (mark, begun) in marks.iter_mut().zip(begun) {
            mark.set_up = set_ups.at(begun);
        }
        marks
    }
}

/// As [`diff_marked`], of steps in memory.
pub fn diff(a: &[Step], b: &[Step]) -> RunDiff {
    let marks = |steps: &[Step]| steps.iter().map(Mark::of).collect::<Vec<_>>();
    diff_marked(&marks(a), &marks(b))
}

/// The first turn of the user is laid next to the first, the second next to the second. Within a turn, steps pair if
/// they are of the same kind and call the same tool with the same arguments. Steps left between two such pairs then
/// pair if they call the same tool.
pub fn diff_marked(a: &[Mark], b: &[Mark]) -> RunDiff {
    let (of_a, of_b) = (turns(a), turns(b));
    let places = 0..of_a.len().max(of_b.len());
    let mut pairs: Vec<StepPair> = places.flat_map(|place| diff_turn(nth(&of_a, place), nth(&of_b, place))).collect();
    set_ups::tell(&mut pairs, a, b);
    let diverged = (0..).zip(&pairs).find(|(_, pair)| !matches!(pair, StepPair::Same { .. }));
    RunDiff { first_divergence: diverged.map(|(place, _)| place), pairs }
}

fn turns(marks: &[Mark]) -> Vec<&[Mark]> {
    marks.chunk_by(|_, next| !next.begins_turn).collect()
}

fn nth<'a>(turns: &[&'a [Mark]], place: usize) -> &'a [Mark] {
    turns.get(place).copied().unwrap_or_default()
}

fn diff_turn(a: &[Mark], b: &[Mark]) -> Vec<StepPair> {
    let mut pairs = Vec::new();
    for stretch in align(a, b, |mark| mark.call) {
        match stretch {
            Stretch::Aligned(a, b) => pairs.extend(a.iter().zip(b).map(|(a, b)| pair(a, b))),
            Stretch::Apart(a, b) => {
                for stretch in align(a, b, |mark| mark.kind) {
                    match stretch {
                        Stretch::Aligned(a, b) => pairs.extend(a.iter().zip(b).map(|(a, b)| pair(a, b))),
                        Stretch::Apart(a, b) => {
                            pairs.extend(a.iter().map(|mark| StepPair::OnlyA { a: mark.index }));
                            pairs.extend(b.iter().map(|mark| StepPair::OnlyB { b: mark.index }));
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
    Aligned(&'a [Mark], &'a [Mark]),
    Apart(&'a [Mark], &'a [Mark]),
}

fn align<'a>(a: &'a [Mark], b: &'a [Mark], key: fn(&Mark) -> Sum) -> Vec<Stretch<'a>> {
    let keys = |marks: &[Mark]| marks.iter().map(key).collect::<Vec<_>>();
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

#[derive(Serialize)]
struct Key {
    /// In a conversation alongside the run's own.
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

fn pair(a: &Mark, b: &Mark) -> StepPair {
    if a.content == b.content { StepPair::Same { a: a.index, b: b.index } } else { StepPair::changed(a.index, b.index) }
}

/// The step without what differs between any two runs.
fn timeless(kind: &StepKind) -> StepKind {
    let nameless = |call: &ToolCall| ToolCall { id: String::new(), extra: None, ..call.clone() };
    match kind.clone() {
        StepKind::Answer { text, reasoning, calls, finish, model, agents, cut, error, hint, raw, edited, .. } => {
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
                edited,
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
            documents,
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
            documents,
            wire,
        },
        // Skills that its text names are known with the request.
        StepKind::Prompt { text, images, setup: _, skills: _ } => {
            StepKind::Prompt { text, images, setup: None, skills: Vec::new() }
        }
        other @ (StepKind::Note { .. } | StepKind::End { .. }) => other,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{EventKind, fold, sample};
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
        pairs[6] = StepPair::changed(6, 6);
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
        let calls = [2, 4, 6].map(|step| StepPair::changed(step, step));
        assert_eq!(changed, calls.iter().collect::<Vec<_>>());
    }

    fn marks(events: &[Event]) -> Vec<Mark> {
        let mut marking = Marking::default();
        let bare = |event: &Event| Event { kind: event.kind.without_body(), ..event.clone() };
        marking.read(&events.iter().map(bare).collect::<Vec<_>>());
        while let Some(wanted) = marking.wanted() {
            let read: Vec<Event> = wanted.bodies.iter().map(|seq| events[*seq as usize].clone()).collect();
            marking.read_requests(&read);
        }
        marking.marks()
    }

    fn against_set_ups(change: impl FnOnce(&mut Vec<Event>)) -> RunDiff {
        let mut other = sample::seven_messages();
        change(&mut other);
        diff_marked(&marks(&sample::seven_messages()), &marks(&other))
    }

    /// In the bodies of requests from one of the run on.
    fn replace(events: &mut [Event], from: usize, old: &str, new: &str) {
        let bodies = events.iter_mut().filter_map(|event| match &mut event.kind {
            EventKind::Requested { body, origins, .. } => Some((body, origins)),
            _ => None,
        });
        for (body, origins) in bodies.skip(from) {
            assert!(body.contains(old), "{body}");
            *body = body.replace(old, new);
            // As their record would say it.
            if let Some(first) = origins.first_mut() {
                first.tokens += u32::try_from(from).unwrap();
            }
        }
    }

    #[test]
    fn other_instructions_are_a_difference_where_they_are_first_sent() {
        let found = against_set_ups(|_| {});
        assert_eq!(found, RunDiff { pairs: same(0..8), first_divergence: None });
        for (from, step) in [(0, 1), (2, 5)] {
            let found = against_set_ups(|events| replace(events, from, "unit-converter</name>", "unit-changer</name>"));
            let mut pairs = same(0..8);
            pairs[step as usize] = StepPair::Changed { a: step, b: step, instructions: true, tools: false };
            assert_eq!(found, RunDiff { pairs, first_divergence: Some(step) });
        }
    }

    #[test]
    fn other_tools_are_a_difference_and_the_folder_of_the_run_is_none() {
        let with_tools = |name: &str, folder: &str| {
            let mut events = sample::seven_messages();
            for event in &mut events {
                match &mut event.kind {
                    EventKind::Started { setup } => setup.working_directory = folder.into(),
                    EventKind::Requested { body, .. } => {
                        let mut whole: Value = serde_json::from_str(body).unwrap();
                        whole["tools"] = serde_json::json!([{ "function": { "name": name, "description": folder } }]);
                        *body = whole.to_string();
                    }
                    _ => {}
                }
            }
            marks(&events)
        };
        let one = with_tools("load_skill", "/runs/one");
        assert_eq!(diff_marked(&one, &with_tools("load_skill", "/runs/two")).first_divergence, None);
        let mut pairs = same(0..8);
        pairs[1] = StepPair::Changed { a: 1, b: 1, instructions: false, tools: true };
        let found = diff_marked(&one, &with_tools("skill", "/runs/one"));
        assert_eq!(found, RunDiff { pairs, first_divergence: Some(1) });
    }

    #[test]
    fn of_requests_that_are_set_up_alike_one_body_is_read() {
        let mut marking = Marking::default();
        marking.read(&sample::seven_messages());
        let asked: Vec<_> = std::iter::from_fn(|| marking.wanted()).collect();
        assert_eq!(asked, [Reads { events: vec![1], bodies: vec![1] }]);
    }

    #[test]
    fn turns_of_the_user_pair_whatever_the_earlier_ones_led_to() {
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
            StepPair::changed(4, 2),
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
        fn marks_are_the_same_whether_events_come_at_once_or_in_pieces(events in sample::any_events(), most in 1..7_usize) {
            let mut marking = Marking::default();
            events.chunks(most).for_each(|some| marking.read(some));
            let whole: Vec<Mark> = fold::steps(&events).iter().map(Mark::of).collect();
            proptest::prop_assert_eq!(marking.marks(), whole);
        }

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
