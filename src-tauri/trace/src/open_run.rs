//! A run that is open for reading: its steps, and for each the checkpoint from which its context is reconstructed. Both
//! are made once and grow with the run, so that a step costs the same wherever in the run it is. It holds no bodies of
//! requests, which are most of a run. On demand it also keeps only the beginnings of a long run's texts: a shortened
//! step is then made again from its own events.

use crate::clock::Millis;
use crate::columns::Columns;
use crate::context::{self, Loads, Places, Reads};
use crate::fold::{self, Changes, Fold};
use crate::spool::{of_documents, of_images};
use crate::{ContextAtStep, Event, EventKind, RunSetup, Step};
use harness::GroupState;

/// A run that is read, so that each of its steps costs the same.
#[derive(Debug, Default)]
pub struct OpenRun {
    fold: Fold,
    places: Places,
    /// By conversation.
    loads: Vec<Loads>,
    /// As the run began.
    setup: Option<RunSetup>,
    /// Groups of tools, from the number of an event on.
    groups: Vec<(u32, Vec<GroupState>)>,
    /// The first event that this program recorded of a run that another one began.
    own: Option<u32>,
    events: u32,
    last: Option<(u32, Millis)>,
    /// Of all steps, and of each.
    weight: usize,
    weights: Vec<u32>,
    /// Whether the texts of a long run are shortened, and how many steps have been checked for that.
    shortens: bool,
    shortened: usize,
    /// Which events belong to which step, in the order of the events; and for each step the last of them.
    told: Vec<Told>,
    last_told: Vec<u32>,
}

#[derive(Debug, Clone, Copy)]
struct Told {
    step: u32,
    seq: u32,
}

impl OpenRun {
    /// Without events. If it becomes long, its texts are shortened.
    pub fn shortening() -> Self {
        Self { shortens: true, ..Self::default() }
    }

    /// The events of a run, with or without the bodies of its requests.
    pub fn of(events: &[Event]) -> Self {
        let mut run = Self::default();
        run.read(events);
        run
    }

    /// Takes the next events in.
    pub fn read(&mut self, events: &[Event]) {
        for event in events {
            self.fold.apply(event);
            self.take_in(event);
        }
    }

    /// Takes the next event in; says what it changed.
    pub fn push(&mut self, event: &Event) -> Changes {
        let changes = self.fold.follow(event);
        self.take_in(event);
        changes
    }

    /// Takes an event in that is folded already.
    fn take_in(&mut self, event: &Event) {
        if let (0, EventKind::Started { setup }) = (self.events, &event.kind) {
            self.setup = Some(setup.clone());
            self.groups.push((event.seq, setup.groups.clone()));
        }
        if let EventKind::Continued { setup } | EventKind::Forked { setup, .. } = &event.kind {
            let is_taken_over = self.is_imported() && setup.imported.is_none();
            if is_taken_over {
                self.own.get_or_insert(event.seq);
            }
            if is_taken_over || setup.forked.is_some() {
                self.groups.push((event.seq, setup.groups.clone()));
            }
        }
        self.places.push(event, self.fold.steps().len());
        self.weight += EACH;
        self.weights.resize(self.fold.steps().len(), 0);
        self.last_told.resize(self.fold.steps().len(), 0);
        for step in self.fold.touched_by_itself() {
            self.last_told[*step] = number(self.told.len());
            self.told.push(Told { step: number(*step), seq: event.seq });
        }
        for step in self.fold.told(event) {
            weigh(&mut self.weight, &mut self.weights, step);
            let Some(list) = self.places.list(step.index) else { continue };
            if self.loads.len() <= list {
                self.loads.resize_with(list + 1, Loads::default);
            }
            self.loads[list].take_in(step);
        }
        self.events += 1;
        self.last = Some((event.seq, event.at));
        if self.shortens && (self.is_long() || self.weight > LONG_BYTES) {
            self.shorten();
        }
    }

    /// Whether it has more steps than are kept whole.
    pub fn is_long(&self) -> bool {
        self.steps().len() > LONG
    }

    /// Whether texts of it are shortened.
    pub fn is_brief(&self) -> bool {
        self.shortened > 0
    }

    fn shorten(&mut self) {
        let (last, from) = (self.fold.touched().to_vec(), self.shortened);
        self.shortened = self.steps().len();
        // An open step is shortened when it ends: the event that ends it refers to it.
        for place in (from..self.shortened).chain(last) {
            self.fold.shorten(place);
            if let Some(step) = self.fold.steps().get(place) {
                weigh(&mut self.weight, &mut self.weights, step);
            }
        }
    }

    /// The numbers of the events that a step is made of; `None` if the run has no such step.
    pub fn reads_of(&self, step: u32) -> Option<Reads> {
        let (first, last) = (self.places.begun(step)?, *self.last_told.get(step as usize)? as usize);
        let from = self.told.partition_point(|told| told.seq < first);
        let own = self.told.get(from..=last).unwrap_or_default().iter().filter(|told| told.step == step);
        let mut events: Vec<u32> = own.map(|told| told.seq).collect();
        events.dedup();
        Some(Reads { events, bodies: Vec::new() })
    }

    /// A step with all of its texts. `events` are those that [`OpenRun::reads_of`] names.
    pub fn whole(&self, step: u32, events: &[Event]) -> Option<Step> {
        let mut step = self.steps().get(step as usize)?.clone();
        if step.brief {
            let same = |made: &&Step| {
                made.event == step.event && std::mem::discriminant(&made.kind) == std::mem::discriminant(&step.kind)
            };
            let steps = fold::steps(events);
            if let Some(made) = steps.iter().find(same) {
                fold::put_back(&mut step.kind, made.kind.clone());
                step.brief = false;
            }
        }
        Some(step)
    }

    /// Its steps and sums, with long texts cut if the run is long.
    pub fn fold(&self) -> &Fold {
        &self.fold
    }

    /// Those of [`OpenRun::fold`].
    pub fn steps(&self) -> &[Step] {
        self.fold.steps()
    }

    /// The steps from one on: so many, or fewer if they are long, and at least one if there is one.
    pub fn page(&self, from: u32, most: u32) -> &[Step] {
        let rest = self.steps().get(from as usize..).unwrap_or_default();
        let rest = &rest[..rest.len().min(most as usize)];
        let mut bytes = 0;
        let fits = rest.iter().take_while(|step| {
            let is_first = bytes == 0;
            bytes += text_of(step);
            is_first || bytes <= PAGE_BYTES
        });
        &rest[..fits.count()]
    }

    /// How many steps, from the first one on, can no longer change: none of them is open, and the next request, which
    /// counts the tokens added since the one before, has come.
    pub fn settled(&self) -> usize {
        let open = self.fold.first_open().unwrap_or(self.steps().len());
        open.min(self.fold.last_request().unwrap_or(0))
    }

    /// The columns of steps, at most `most` of them, beginning with `from`.
    pub fn columns(&self, from: u32, most: u32) -> Columns {
        let rest = self.steps().get(from as usize..).unwrap_or_default();
        Columns::of(&rest[..rest.len().min(most as usize)], |call| self.places.begins(call))
    }

    /// How many events were applied.
    pub fn events(&self) -> u32 {
        self.events
    }

    /// Number and time of the last of them.
    pub fn last(&self) -> Option<(u32, Millis)> {
        self.last
    }

    /// About how many bytes of memory it takes.
    pub fn weight(&self) -> usize {
        self.weight
    }

    /// The events needed for the context at a step; `None` if the run has no such step.
    pub fn reads(&self, step: u32) -> Option<Reads> {
        self.places.reads(step)
    }

    /// The context at a step. `events` are those that [`OpenRun::reads`] names, in order, with their bodies.
    pub fn context(&self, step: u32, events: &[Event]) -> Option<ContextAtStep> {
        let begun = self.places.begun(step)?;
        let sent = if self.is_imported() { self.own.unwrap_or(u32::MAX) } else { 0 };
        let context = context::assemble(events, begun, step, sent);
        let loads = self.places.list(step).and_then(|list| self.loads.get(list));
        let skills = loads.map(|loads| loads.in_context(self.steps(), step, &context.messages)).unwrap_or_default();
        let known = self.groups.iter().rev().find(|(from, _)| *from <= begun);
        let groups = known.map(|(_, known)| context::groups(known, &context.tools)).unwrap_or_default();
        Some(ContextAtStep { groups, skills, ..context })
    }

    /// Another program recorded its beginning.
    fn is_imported(&self) -> bool {
        self.setup.as_ref().is_some_and(|setup| setup.imported.is_some())
    }

    /// As [`OpenRun::context`], of all events of the run, which are numbered in their order.
    pub fn context_among(&self, step: u32, events: &[Event]) -> Option<ContextAtStep> {
        let found = |seq: &u32| events.binary_search_by_key(seq, |event| event.seq).ok().map(|at| events[at].clone());
        let read: Vec<Event> = self.reads(step)?.events.iter().filter_map(found).collect();
        self.context(step, &read)
    }
}

/// Counts a step again.
fn weigh(weight: &mut usize, weights: &mut [u32], step: &Step) {
    let Some(known) = weights.get_mut(step.index as usize) else { return };
    let now = number(text_of(step));
    *weight = weight.saturating_sub(*known as usize).saturating_add(now as usize);
    *known = now;
}

fn number(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}

/// A run of more steps, or of more bytes, is long.
pub const LONG: usize = 2_000;
const LONG_BYTES: usize = 8 << 20;

/// Texts of one page, about.
const PAGE_BYTES: usize = 2 << 20;

/// Bytes that each event takes at least.
const EACH: usize = 64;

fn text_of(step: &Step) -> usize {
    use crate::StepKind as K;
    const STEP: usize = std::mem::size_of::<Step>();
    STEP + match &step.kind {
        K::Prompt { text, images, setup, skills } => {
            let all = setup.iter().flat_map(|setup| &setup.skills).chain(skills);
            text.len() + of_images(images) + all.map(String::len).sum::<usize>()
        }
        K::Note { text, .. } => text.len(),
        K::Answer { text, reasoning, calls, .. } => {
            text.len() + reasoning.len() + calls.iter().map(|call| call.arguments.len()).sum::<usize>()
        }
        K::Tool { call, output, reply, images, documents, wire, .. } => {
            let printed = output.as_ref().map_or(0, |output| output.stdout.len() + output.stderr.len());
            call.arguments.len()
                + printed
                + reply.as_ref().map_or(0, String::len)
                + wire.as_ref().map_or(0, String::len)
                + of_images(images)
                + of_documents(documents)
        }
        K::End { .. } => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::tests::plainly;
    use crate::sample;

    fn outline(events: &[Event], reads: &Reads) -> Vec<Event> {
        let mut read = Vec::new();
        for event in events.iter().filter(|event| reads.events.contains(&event.seq)) {
            let mut event = event.clone();
            if let (EventKind::Requested { body, .. }, false) = (&mut event.kind, reads.bodies.contains(&event.seq)) {
                body.clear();
            }
            read.push(event);
        }
        read
    }

    fn agrees(events: &[Event]) -> Result<(), proptest::test_runner::TestCaseError> {
        let run = OpenRun::of(events);
        for step in 0..u32::try_from(run.steps().len()).unwrap() {
            let read = outline(events, &run.reads(step).unwrap());
            proptest::prop_assert_eq!(run.context(step, &read), plainly(events, step), "step {}", step);
        }
        let beyond = u32::try_from(run.steps().len()).unwrap();
        proptest::prop_assert_eq!((run.reads(beyond), plainly(events, beyond)), (None, None));
        Ok(())
    }

    proptest::proptest! {
        #![proptest_config(proptest::test_runner::Config::with_cases(64))]

        #[test]
        fn every_step_of_any_run_has_the_context_that_the_whole_record_gives(events in sample::any_events_that_go_on()) {
            agrees(&events)?;
        }

        #[test]
        fn and_so_has_every_step_of_a_long_run(events in sample::long_run()) {
            agrees(&events)?;
        }
    }

    proptest::proptest! {
        #![proptest_config(proptest::test_runner::Config::with_cases(64))]

        #[test]
        fn steps_that_are_settled_stay_as_they_are(events in sample::long_run()) {
            let whole = OpenRun::of(&events);
            let mut run = OpenRun::default();
            for event in &events {
                run.push(event);
                let settled = run.settled();
                proptest::prop_assert_eq!(&run.steps()[..settled], &whole.steps()[..settled]);
                let most = u32::try_from(settled).unwrap();
                proptest::prop_assert_eq!(run.columns(0, most), whole.columns(0, most));
                for step in 0..most {
                    let read = outline(&events[..run.events() as usize], &run.reads(step).unwrap());
                    let known = outline(&events, &whole.reads(step).unwrap());
                    proptest::prop_assert_eq!(run.context(step, &read), whole.context(step, &known));
                }
            }
        }
    }

    #[test]
    fn columns_say_of_each_step_what_it_is_and_what_stands_below_it() {
        let events = sample::turns(1);
        let run = OpenRun::of(&events);
        let all = u32::try_from(run.steps().len()).unwrap();
        let Columns { marks, since, within, conversations, begins, context, turn, .. } = run.columns(0, all);
        let began: Vec<i64> = since
            .iter()
            .scan(0, |at, since| {
                *at += since;
                Some(*at)
            })
            .collect();
        let steps = run.steps();
        assert_eq!(began, steps.iter().map(|step| step.at).collect::<Vec<_>>());
        assert_eq!(context, steps.iter().map(|step| step.context_tokens).collect::<Vec<_>>());
        assert_eq!(turn, steps.iter().map(|step| step.turn.map_or(-1, i64::from)).collect::<Vec<_>>());
        let named = |place: &u32| (*place > 0).then(|| conversations[*place as usize - 1].as_str());
        assert_eq!(
            within.iter().map(named).collect::<Vec<_>>(),
            steps.iter().map(|step| step.within.as_deref()).collect::<Vec<_>>()
        );
        for (step, call) in &begins {
            let crate::StepKind::Tool { call: begun, .. } = &steps[*step as usize].kind else { panic!("{step}") };
            assert_eq!(begun.id, *call);
            assert!(conversations.contains(call));
        }
        assert!(!begins.is_empty(), "a call let a sub-agent work");
        let kinds: Vec<u32> = marks.iter().map(|marks| marks & 7).collect();
        let expected = steps.iter().map(|step| match step.kind {
            crate::StepKind::Prompt { .. } => 0,
            crate::StepKind::Answer { .. } => 1,
            crate::StepKind::Tool { .. } => 2,
            crate::StepKind::Note { .. } => 3,
            crate::StepKind::End { .. } => 4,
        });
        assert_eq!(kinds, expected.collect::<Vec<_>>());
        let half = run.columns(all / 2, all);
        assert_eq!(half.since[0], steps[all as usize / 2].at, "each part begins with a time of its own");
        assert_eq!(half.marks, marks[all as usize / 2..]);
    }

    /// Compares every step of a run with shortened texts, with its context, with the same run without shortening.
    fn is_the_same_shortened(events: &[Event]) -> Result<(), proptest::test_runner::TestCaseError> {
        let run = OpenRun::of(events);
        let mut brief = OpenRun { shortened: 1, ..OpenRun::shortening() };
        for event in events {
            brief.push(event);
            brief.shorten();
        }
        proptest::prop_assert_eq!(brief.steps().len(), run.steps().len());
        for step in run.steps() {
            let read = outline(events, &brief.reads_of(step.index).unwrap());
            let whole = brief.whole(step.index, &read);
            proptest::prop_assert_eq!(whole.as_ref(), Some(step));
            let read = outline(events, &brief.reads(step.index).unwrap());
            proptest::prop_assert_eq!(brief.context(step.index, &read), run.context(step.index, &read));
        }
        Ok(())
    }

    proptest::proptest! {
        #![proptest_config(proptest::test_runner::Config::with_cases(64))]

        #[test]
        fn a_shortened_step_of_any_run_is_made_again_of_its_own_events(events in sample::any_events()) {
            is_the_same_shortened(&events)?;
        }

        #[test]
        fn and_so_is_one_of_a_long_run(events in sample::long_run()) {
            is_the_same_shortened(&events)?;
        }
    }

    #[test]
    fn a_step_is_small_whatever_it_may_hold() {
        let size = std::mem::size_of::<Step>();
        assert!(size <= 608, "{size} bytes, for each of very many");
    }

    #[test]
    fn a_long_run_takes_little_memory_however_long_its_texts_are() {
        let long = "长".repeat(20_000);
        let noted = || EventKind::Noted { text: long.as_str().into(), zh: None, retried: None };
        let count = LONG_BYTES / long.len() * 3;
        let events = sample::events_of((0..count).map(|_| noted()));
        let mut run = OpenRun::shortening();
        run.read(&events);
        assert!(run.is_brief() && !OpenRun::of(&events).is_brief());
        assert!(run.weight() < LONG_BYTES + long.len() * 2, "{}", run.weight());
        assert!(run.steps()[0].brief);
        let read = outline(&events, &run.reads_of(0).unwrap());
        assert_eq!(run.whole(0, &read).as_ref(), Some(&OpenRun::of(&events).steps()[0]));
    }

    #[test]
    fn a_page_ends_where_its_texts_become_long() {
        let long = "x".repeat(PAGE_BYTES / 2);
        let run = OpenRun::of(&sample::events_of(["a", &long, &long, &long, "b"].map(|text| EventKind::Noted {
            text: text.into(),
            zh: None,
            retried: None,
        })));
        let page = |from, most| run.page(from, most).iter().map(|step| step.index).collect::<Vec<_>>();
        assert_eq!((page(0, 9), page(2, 9), page(2, 1)), (vec![0, 1], vec![2], vec![2]));
        assert_eq!((page(3, 9), page(4, 9), page(5, 9)), (vec![3, 4], vec![4], vec![]));
    }

    #[test]
    fn a_step_reads_no_more_in_a_long_run_than_in_a_short_one() {
        let most = |turns: u32| {
            let events = sample::turns(turns);
            let run = OpenRun::of(&events);
            let steps = 0..u32::try_from(run.steps().len()).unwrap();
            steps.map(|step| run.reads(step).unwrap().events.len()).max().unwrap()
        };
        assert_eq!(most(5), most(40), "requests keep the origins of some requests before, and no more than those");
    }
}
