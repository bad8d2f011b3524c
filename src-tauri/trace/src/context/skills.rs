//! Which skills' instructions the model sees at a step, and since when.

use std::collections::HashMap;

use super::super::{ContextMessage, SkillInContext, Step, StepKind};
use harness::{Disclosure, Origin};
use model::Role;

/// The loads of skills in one conversation: steps whose replies were instructions.
#[derive(Debug, Default)]
pub(crate) struct Loads {
    /// In the order in which they first came.
    by_skill: Vec<(String, Vec<u32>)>,
    by_call: HashMap<String, Vec<u32>>,
}

impl Loads {
    /// Takes a step in that has changed.
    pub fn take_in(&mut self, step: &Step) {
        let Some(Load { skill, call, .. }) = load(step) else { return };
        let known = self.by_skill.iter().position(|(known, _)| known == skill);
        let of_skill = known.unwrap_or_else(|| {
            self.by_skill.push((skill.to_owned(), Vec::new()));
            self.by_skill.len() - 1
        });
        let of_skill = &mut self.by_skill[of_skill].1;
        let Err(place) = of_skill.binary_search(&step.index) else { return };
        of_skill.insert(place, step.index);
        // Replies come in any order, and skills are listed by their first steps.
        self.by_skill.sort_by_key(|(_, steps)| steps.first().copied());
        let of_call = self.by_call.entry(call.to_owned()).or_default();
        of_call.insert(of_call.partition_point(|known| *known < step.index), step.index);
    }

    /// The skills that were loaded up to a step. A load whose text is no longer among `messages` was compacted away; if the
    /// skill was loaded more than once, the first load that is still there counts.
    pub fn in_context(&self, steps: &[Step], step: u32, messages: &[ContextMessage]) -> Vec<SkillInContext> {
        let mut there: HashMap<&str, u32> = HashMap::new();
        for message in messages {
            let calls = message.call_id.as_ref().and_then(|call| self.by_call.get(call));
            for index in calls.into_iter().flatten().take_while(|index| **index <= step) {
                let Some(Load { skill, reply, wire, .. }) = steps.get(*index as usize).and_then(load) else { continue };
                let is_first = there.get(skill).is_none_or(|known| index < known);
                if is_first && holds(&message.text, reply, wire) {
                    there.insert(skill, *index);
                }
            }
        }
        let found = self.by_skill.iter().filter_map(|(skill, loads)| {
            let last = loads[..loads.partition_point(|load| *load <= step)].last()?;
            let since = *there.get(skill.as_str()).unwrap_or(last);
            let tokens = steps.get(since as usize)?.added_tokens;
            let compacted = !there.contains_key(skill.as_str());
            Some(SkillInContext { skill: skill.clone(), since, tokens, compacted })
        });
        let mut found: Vec<SkillInContext> = found.collect();
        for given in with_prompts(steps, step, messages) {
            match found.iter_mut().find(|known| known.skill == given.skill) {
                Some(known) if known.compacted || given.since < known.since => *known = given,
                Some(_) => {}
                None => found.push(given),
            }
        }
        found
    }
}

/// The skills whose instructions came with a prompt that named them, by the step of the prompt.
fn with_prompts(steps: &[Step], step: u32, messages: &[ContextMessage]) -> Vec<SkillInContext> {
    let mut found: Vec<SkillInContext> = Vec::new();
    // A prompt follows an answer, or begins the conversation; texts after results were loaded by a call.
    let mut behind_results = false;
    for (place, message) in messages.iter().enumerate() {
        if message.role != Role::User {
            behind_results = message.role == Role::Tool;
            continue;
        }
        if behind_results {
            continue;
        }
        for skill in message.marks.iter().filter_map(|mark| instructions_of(&mark.origin)) {
            if found.iter().any(|known| known.skill == skill) {
                continue;
            }
            let later = messages[place..].iter().filter(|message| message.role == Role::Assistant).count();
            let Some(since) = prompt_before(steps, step, later) else { continue };
            found.push(SkillInContext { skill: skill.to_owned(), since, tokens: message.tokens, compacted: false });
        }
    }
    found
}

fn instructions_of(origin: &Origin) -> Option<&str> {
    match origin {
        Origin::Skill { skill, field } if field == "body" => Some(skill),
        Origin::Skill { .. } | Origin::Framework | Origin::User | Origin::Tool { .. } | Origin::Withheld { .. } => None,
    }
}

/// The last prompt that so many answers follow, up to a step of the same conversation.
fn prompt_before(steps: &[Step], step: u32, mut answers: usize) -> Option<u32> {
    let within = &steps.get(step as usize)?.within;
    let before = steps[..=step as usize].iter().rev().filter(|known| known.within == *within);
    for known in before {
        match &known.kind {
            StepKind::Prompt { .. } if answers == 0 => return Some(known.index),
            StepKind::Answer { .. } if known.index < step => answers = answers.saturating_sub(1),
            _ => {}
        }
    }
    None
}

/// What a step loaded.
struct Load<'a> {
    skill: &'a str,
    call: &'a str,
    reply: &'a str,
    wire: Option<&'a str>,
}

fn load(step: &Step) -> Option<Load<'_>> {
    match &step.kind {
        StepKind::Tool { call, disclosed: Disclosure::Instructions { skill }, reply: Some(reply), wire, .. } => {
            Some(Load { skill, call: &call.id, reply, wire: wire.as_deref() })
        }
        _ => None,
    }
}

/// Frameworks put a reply into quotes, or into a text of their own.
pub(super) fn holds(text: &str, reply: &str, wire: Option<&str>) -> bool {
    let quoted = || serde_json::to_string(reply).is_ok_and(|quoted| text.contains(quoted.trim_matches('"')));
    text.contains(reply) || wire.is_some_and(|wire| text.contains(wire)) || quoted()
}

#[cfg(test)]
mod tests {
    use skill::source::Span;

    use super::super::super::{EventKind, OriginMark, fold, sample};
    use super::*;

    /// A run that loads `a`, then `b`, then `a` again.
    fn steps() -> Vec<Step> {
        let mut kinds = vec![EventKind::Started { setup: sample::setup() }];
        for (turn, (id, skill)) in (0..).zip([("1", "a"), ("2", "b"), ("3", "a")]) {
            let call = sample::call(id, "load_skill", "{}");
            kinds.push(sample::requested(turn, &[sample::system(), sample::user()]));
            kinds.push(sample::answered(turn, "", &[&call]));
            kinds.push(sample::called(turn, &call, Disclosure::Instructions { skill: skill.into() }));
            kinds.push(sample::replied(id, &format!("# \"{skill}\"\nDo it.")));
        }
        fold::steps(&sample::events_of(kinds))
    }

    fn reply(call: &str, text: &str) -> ContextMessage {
        ContextMessage {
            images: Vec::new(),
            documents: Vec::new(),
            role: Role::Tool,
            text: text.into(),
            calls: Vec::new(),
            call_id: Some(call.into()),
            marks: Vec::new(),
            tokens: 1,
            added: false,
            cache_point: false,
            reconstructed: false,
        }
    }

    fn in_context(steps: &[Step], step: u32, messages: &[ContextMessage]) -> Vec<SkillInContext> {
        let mut loads = Loads::default();
        steps.iter().rev().for_each(|step| loads.take_in(step));
        loads.in_context(steps, step, messages)
    }

    /// A run in which the first prompt names `a` and the second one `b`, and the model answers each.
    fn named_in_prompts() -> Vec<Step> {
        let mut kinds = vec![EventKind::Started { setup: sample::setup() }];
        for turn in 0..2 {
            kinds.push(sample::requested(turn, &[sample::system(), sample::user()]));
            kinds.push(sample::answered(turn, "Yes.", &[]));
            if turn == 0 {
                kinds.push(EventKind::Continued { setup: sample::setup() });
            }
        }
        fold::steps(&sample::events_of(kinds))
    }

    fn said(role: Role, text: &str) -> ContextMessage {
        ContextMessage { role, call_id: None, ..reply("", text) }
    }

    fn given(skill: &str) -> ContextMessage {
        let origin = Origin::Skill { skill: skill.into(), field: "body".into() };
        let marks = vec![OriginMark { span: Span::new(0, 6), origin }];
        ContextMessage { marks, ..said(Role::User, "Do it.") }
    }

    #[test]
    fn a_skill_that_a_prompt_names_is_in_the_context_since_that_prompt() {
        let steps = named_in_prompts();
        let kinds: Vec<bool> = steps.iter().map(|step| matches!(step.kind, StepKind::Prompt { .. })).collect();
        assert_eq!(kinds, [true, false, true, false]);
        let first = [said(Role::User, "$a"), given("a")];
        assert_eq!(told(&in_context(&steps, 0, &first)), [("a", 0, false)]);
        assert_eq!(told(&in_context(&steps, 1, &first)), [("a", 0, false)]);
        let both = [first.to_vec(), vec![said(Role::Assistant, "Yes."), said(Role::User, "$b"), given("b")]].concat();
        assert_eq!(told(&in_context(&steps, 2, &both)), [("a", 0, false), ("b", 2, false)]);
        assert_eq!(told(&in_context(&steps, 3, &both)), [("a", 0, false), ("b", 2, false)]);
        assert_eq!(told(&in_context(&steps, 3, &both[2..])), [("b", 2, false)], "a summary replaced the beginning");
    }

    #[test]
    fn instructions_behind_results_belong_to_the_call_that_loaded_them() {
        let messages = [reply("1", "# \"a\"\nDo it."), given("a")];
        assert_eq!(told(&in_context(&steps(), 2, &messages)), [("a", 2, false)]);
    }

    fn told(found: &[SkillInContext]) -> Vec<(&str, u32, bool)> {
        found.iter().map(|known| (known.skill.as_str(), known.since, known.compacted)).collect()
    }

    #[test]
    fn a_skill_is_in_the_context_since_the_step_that_loaded_it() {
        let steps = steps();
        let messages =
            [reply("1", "# \"a\"\nDo it."), reply("2", "\"# \\\"b\\\"\\nDo it.\""), reply("3", "# \"a\"\nDo it.")];
        assert_eq!(told(&in_context(&steps, 1, &[])), []);
        assert_eq!(told(&in_context(&steps, 2, &messages[..1])), [("a", 2, false)]);
        assert_eq!(told(&in_context(&steps, 6, &messages)), [("a", 2, false), ("b", 4, false)]);
    }

    #[test]
    fn instructions_that_were_replaced_are_compacted_until_the_skill_is_loaded_again() {
        let steps = steps();
        let shortened = [reply("1", "[Previous: used load_skill]"), reply("2", "[Previous: used load_skill]")];
        assert_eq!(told(&in_context(&steps, 4, &shortened)), [("a", 2, true), ("b", 4, true)]);
        let again = [shortened.to_vec(), vec![reply("3", "# \"a\"\nDo it.")]].concat();
        assert_eq!(told(&in_context(&steps, 6, &again)), [("a", 6, false), ("b", 4, true)]);
        assert_eq!(told(&in_context(&steps, 6, &[])), [("a", 6, true), ("b", 4, true)], "a summary replaced them all");
    }
}
