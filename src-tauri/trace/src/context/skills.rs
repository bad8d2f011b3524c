//! Which skills' instructions the model sees at a step, and since when.

use std::collections::HashMap;

use super::super::{ContextMessage, SkillInContext, Step, StepKind};
use harness::Disclosure;

/// The skills that were loaded up to a step in the step's conversation. A load whose text is no longer among `messages`
/// was compacted away; if the skill was loaded more than once, the first load that is still there counts.
pub fn in_context(steps: &[Step], step: u32, messages: &[ContextMessage]) -> Vec<SkillInContext> {
    let Some(here) = steps.get(step as usize) else { return Vec::new() };
    let mut by_call: HashMap<&str, Vec<&str>> = HashMap::new();
    for message in messages {
        if let Some(call) = &message.call_id {
            by_call.entry(call).or_default().push(&message.text);
        }
    }
    let mut found: Vec<SkillInContext> = Vec::new();
    for step in steps.iter().take(step as usize + 1).filter(|step| step.within == here.within) {
        let StepKind::Tool { call, disclosed: Disclosure::Instructions { skill }, reply: Some(reply), wire, .. } =
            &step.kind
        else {
            continue;
        };
        let texts = by_call.get(call.id.as_str()).map(Vec::as_slice).unwrap_or_default();
        let compacted = !texts.iter().any(|text| holds(text, reply, wire.as_deref()));
        let load = SkillInContext { skill: skill.clone(), since: step.index, tokens: step.added_tokens, compacted };
        match found.iter_mut().find(|known| known.skill == *skill) {
            Some(known) if known.compacted => *known = load,
            Some(_) => {}
            None => found.push(load),
        }
    }
    found
}

/// Frameworks put a reply into quotes, or into a text of their own.
fn holds(text: &str, reply: &str, wire: Option<&str>) -> bool {
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
