//! A run that is open to be read: its steps, and for each the checkpoint from which its context is put together. Both are
//! made once and grow with the run, so that a step costs the same wherever in the run it is. It holds no bodies of requests,
//! which are most of a run.

use crate::clock::Millis;
use crate::context::{self, Loads, Places, Reads};
use crate::fold::{Changes, Fold};
use crate::spool::of_images;
use crate::{ContextAtStep, Event, EventKind, RunSetup, Step};

#[derive(Debug, Default)]
pub struct OpenRun {
    fold: Fold,
    places: Places,
    /// By conversation.
    loads: Vec<Loads>,
    /// As the run began.
    setup: Option<RunSetup>,
    events: u32,
    last: Option<(u32, Millis)>,
    weight: usize,
}

impl OpenRun {
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
        }
        if let (EventKind::Continued { setup } | EventKind::Forked { setup, .. }, Some(known)) =
            (&event.kind, &mut self.setup)
            && setup.forked.is_some()
        {
            known.groups.clone_from(&setup.groups);
        }
        self.places.push(event, self.fold.steps().len());
        self.weight += EACH;
        for step in self.fold.told(event) {
            self.weight += text_of(step);
            let Some(list) = self.places.list(step.index) else { continue };
            if self.loads.len() <= list {
                self.loads.resize_with(list + 1, Loads::default);
            }
            self.loads[list].take_in(step);
        }
        self.events += 1;
        self.last = Some((event.seq, event.at));
    }

    pub fn fold(&self) -> &Fold {
        &self.fold
    }

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

    /// So many events were taken in.
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

    /// What of the record tells the context at a step; `None` where the run has no such step.
    pub fn reads(&self, step: u32) -> Option<Reads> {
        self.places.reads(step)
    }

    /// The context at a step. `events` are those that [`OpenRun::reads`] names, in order, with their bodies.
    pub fn context(&self, step: u32, events: &[Event]) -> Option<ContextAtStep> {
        let context = context::assemble(events, self.places.begun(step)?, step);
        let loads = self.places.list(step).and_then(|list| self.loads.get(list));
        let skills = loads.map(|loads| loads.in_context(self.steps(), step, &context.messages)).unwrap_or_default();
        let known = self.setup.as_ref().map_or(&[][..], |setup| &setup.groups);
        let groups = context::groups(known, &context.tools);
        let mut context = ContextAtStep { groups, skills, ..context };
        if self.setup.as_ref().is_some_and(|setup| setup.imported.is_some()) {
            // What another program wrote down is not what was sent, to the byte.
            context.exact = false;
            context.messages.iter_mut().for_each(|message| message.reconstructed = true);
        }
        Some(context)
    }

    /// As [`OpenRun::context`], of all events of the run, which are numbered in their order.
    pub fn context_among(&self, step: u32, events: &[Event]) -> Option<ContextAtStep> {
        let found = |seq: &u32| events.binary_search_by_key(seq, |event| event.seq).ok().map(|at| events[at].clone());
        let read: Vec<Event> = self.reads(step)?.events.iter().filter_map(found).collect();
        self.context(step, &read)
    }
}

/// Texts of one page, about.
const PAGE_BYTES: usize = 2 << 20;

/// Bytes that each event takes at least.
const EACH: usize = 64;

fn text_of(step: &Step) -> usize {
    use crate::StepKind as K;
    const STEP: usize = std::mem::size_of::<Step>();
    STEP + match &step.kind {
        K::Prompt { text, images } => text.len() + of_images(images),
        K::Note { text, .. } => text.len(),
        K::Answer { text, reasoning, calls, .. } => {
            text.len() + reasoning.len() + calls.iter().map(|call| call.arguments.len()).sum::<usize>()
        }
        K::Tool { call, output, reply, images, wire, .. } => {
            let printed = output.as_ref().map_or(0, |output| output.stdout.len() + output.stderr.len());
            call.arguments.len()
                + printed
                + reply.as_ref().map_or(0, String::len)
                + wire.as_ref().map_or(0, String::len)
                + of_images(images)
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
        fn every_step_of_any_run_has_the_context_that_the_whole_record_gives(events in sample::any_events()) {
            agrees(&events)?;
        }

        #[test]
        fn and_so_has_every_step_of_a_long_run(events in sample::long_run()) {
            agrees(&events)?;
        }
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
