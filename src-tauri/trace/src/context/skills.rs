//! Which skills' instructions the model sees at a step, and since when.

use std::collections::HashMap;

use super::super::{ContextMessage, SkillInContext, Step, StepKind};
use harness::Disclosure;

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
        found.collect()
    }
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
    use model::Role;

    use super::super::super::{EventKind, fold, sample};
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
