//! What must hold for every harness in every variant, whatever is on disk and whatever a model calls.

mod calls;
mod folders;

use harness::{Catalog, Effect, Harness, Mark, Marked, Options, Prepared, Served, Session, ToolReply};
use model::{Message, ToolCall, ToolResult};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use skill::{Entry, Folder, SkillSet};

use self::calls::{AnyCall, AnyOutcome, any_call, any_inline_skill, any_outcome, any_step, any_tool_group};
use self::folders::any_skills;

/// Effects that one call, or one request, may ask for in a row.
const EFFECTS: usize = 16;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn every_byte_a_model_is_shown_has_one_origin_and_is_the_same_when_shown_again(
        found in any_skills(),
        inline_skills in vec(any_inline_skill(), 0..3),
        tool_groups in vec(any_tool_group(), 0..2),
        agent_instructions in option::of(".{0,40}"),
    ) {
        for (harness, variant) in variants() {
            let options = Options {
                variant,
                inline_skills: inline_skills.clone(),
                tool_groups: tool_groups.clone(),
                ..Options::default()
            };
            let catalog = harness.select(&found, &options);
            prop_assert_eq!(&catalog, &harness.select(&found, &options), "nothing but what is given decides");
            for quirk in &catalog.quirks {
                let text = quirk.path.as_ref().and_then(|path| text_of(&found, path.as_str()));
                if let (Some(span), Some(text)) = (quirk.span, text) {
                    prop_assert!(text.get(span.start..span.end).is_some(), "{:?} lies in the file", quirk);
                }
            }
            let session = Session { agent_instructions: agent_instructions.clone(), ..Session::default() };
            check_shown(harness, &catalog, &session)?;
        }
    }

    #[test]
    fn no_call_makes_a_harness_panic(
        found in any_skills(),
        inline_skills in vec(any_inline_skill(), 0..2),
        tool_groups in vec(any_tool_group(), 0..2),
        calls in vec(any_call(), 1..6),
        outcomes in vec(any_outcome(), 1..4),
        steps in vec(any_step(), 0..4),
    ) {
        for (harness, variant) in variants() {
            let options = Options {
                variant,
                inline_skills: inline_skills.clone(),
                tool_groups: tool_groups.clone(),
                ..Options::default()
            };
            let catalog = harness.select(&found, &options);
            let mut talk = Talk {
                harness,
                catalog: &catalog,
                session: Session::default(),
                history: vec![Message::user("Do it.")],
                outcomes: outcomes.iter().cycle(),
            };
            for call in &calls {
                if !talk.round(call)? {
                    break;
                }
            }
            for step in &steps {
                if let Some(expressed) = harness.express(step, &catalog, &talk.session) {
                    let call = ToolCall::new("call_x", expressed.tool, expressed.arguments.to_string());
                    harness.disclosure(&call, &catalog);
                    talk.serve(&call)?;
                }
            }
        }
    }
}

fn variants() -> impl Iterator<Item = (&'static dyn Harness, Option<String>)> {
    harness::all().iter().copied().flat_map(|harness| {
        harness.profile().variants.iter().map(move |variant| (harness, Some(variant.id.to_owned())))
    })
}

/// A conversation in which a model calls whatever it likes.
struct Talk<'a, O> {
    harness: &'static dyn Harness,
    catalog: &'a Catalog,
    session: Session,
    history: Vec<Message>,
    outcomes: O,
}

impl<'a, O: Iterator<Item = &'a AnyOutcome>> Talk<'a, O> {
    /// One request, one call, one reply; `false`: the framework ends the run.
    fn round(&mut self, call: &AnyCall) -> Result<bool, TestCaseError> {
        if !self.prepare()? {
            return Ok(false);
        }
        let tools = self.harness.present(self.catalog, &self.session).definitions();
        let call = call.addressed(&tools, self.catalog);
        self.harness.disclosure(&call, self.catalog);
        self.history.push(Message::tool_calls([call.clone()]));
        let Some(reply) = self.serve(&call)? else { return Ok(false) };
        self.history.push(Message::tool_result(ToolResult {
            call_id: call.id,
            wire: self.harness.wire(&reply, self.catalog),
            text: reply.text,
            is_error: reply.is_error,
        }));
        check_shown(self.harness, self.catalog, &self.session)?;
        Ok(true)
    }

    fn prepare(&mut self) -> Result<bool, TestCaseError> {
        let mut done = None;
        for _ in 0..EFFECTS {
            match self.harness.before_request(&mut self.history, done, self.catalog, &mut self.session) {
                Prepared::Send => return Ok(true),
                Prepared::End | Prepared::Abort(_) => return Ok(false),
                Prepared::Perform(effect) => done = Some(self.outcome(&effect)),
            }
        }
        Err(TestCaseError::fail("it never sends the request"))
    }

    /// `None`: the framework ends the run.
    fn serve(&mut self, call: &ToolCall) -> Result<Option<ToolReply>, TestCaseError> {
        let mut served = self.harness.serve(call, self.catalog, &mut self.session);
        for _ in 0..EFFECTS {
            match served {
                Served::Reply(reply) => {
                    prop_assert!(reply.marks.is_empty() || covers(&reply.marks, &reply.text), "{:?}", reply);
                    return Ok(Some(reply));
                }
                Served::Abort(_) => return Ok(None),
                Served::Perform(effect) => {
                    let done = self.outcome(&effect);
                    served = self.harness.settle(call, done, self.catalog, &mut self.session);
                }
            }
        }
        Err(TestCaseError::fail(format!("it never replies to {call:?}")))
    }

    fn outcome(&mut self, effect: &Effect) -> harness::Performed {
        self.outcomes.next().expect("they go round and round").of(effect)
    }
}

fn check_shown(harness: &dyn Harness, catalog: &Catalog, session: &Session) -> Result<(), TestCaseError> {
    let shown = harness.present(catalog, session);
    prop_assert_eq!(&shown, &harness.present(catalog, session), "nothing but what is given decides");
    if let Some(Marked { text, marks }) = &shown.instructions {
        prop_assert!(covers(marks, text), "{}: {:?}", catalog.variant, shown.instructions);
    }
    for tool in &shown.tools {
        prop_assert!(covers(&tool.marks, &tool.definition.description), "{}: {:?}", catalog.variant, tool);
    }
    for injected in &session.injected {
        prop_assert!(covers(&injected.marks, &injected.text), "{}: {:?}", catalog.variant, injected);
    }
    Ok(())
}

/// In order, none empty, without gaps, each ending where a character ends.
fn covers(marks: &[Mark], text: &str) -> bool {
    let mut end = 0;
    for mark in marks {
        if mark.span.start != end || mark.span.end <= end || !text.is_char_boundary(mark.span.end) {
            return false;
        }
        end = mark.span.end;
    }
    end == text.len()
}

/// Of a file that was read.
fn text_of<'a>(found: &'a SkillSet, path: &str) -> Option<&'a str> {
    fn within<'a>(folder: &'a Folder, path: &str) -> Option<&'a str> {
        folder.entries.iter().find_map(|entry| match entry {
            Entry::Folder(inner) => within(inner, path),
            Entry::File(file) => file.source.as_ref().filter(|_| file.path == path).map(|source| source.text.as_str()),
        })
    }
    found.roots.iter().find_map(|root| within(&root.tree, path))
}
