//! Skills that a prompt named (`$name`, `/name`): their instructions go to the model with it, and no call loads them.

use super::{Fold, Within};
use crate::{MessageOrigin, StepKind};
use harness::Origin;
use model::Role;

impl Fold {
    /// Puts them to the prompt, if this is the first request since. Says which step changed.
    pub(super) fn name_skills(&mut self, within: &Within, origins: &[MessageOrigin]) -> Option<usize> {
        let prompt = match self.request(within) {
            Some(_) => self.said_since(within)?,
            None => self.conversation(within).prompts?.1,
        };
        let named = named(origins);
        let StepKind::Prompt { skills, .. } = &mut self.steps[prompt].kind else { return None };
        if *skills == named {
            return None;
        }
        *skills = named;
        self.told.push(prompt);
        Some(prompt)
    }
}

/// The skills whose instructions are in the user's messages after the last answer. Instructions after results were
/// loaded by a call.
fn named(origins: &[MessageOrigin]) -> Vec<String> {
    let answer = origins.iter().rposition(|message| message.role == Role::Assistant);
    let (mut found, mut behind_results): (Vec<String>, bool) = (Vec::new(), false);
    for message in &origins[answer.map_or(0, |place| place + 1)..] {
        if message.role != Role::User {
            behind_results = message.role == Role::Tool;
            continue;
        }
        let skills = message.marks.iter().filter_map(|mark| match &mark.origin {
            Origin::Skill { skill, field } if field == "body" && !behind_results => Some(skill),
            _ => None,
        });
        for skill in skills {
            if !found.contains(skill) {
                found.push(skill.clone());
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use skill::source::Span;

    use super::*;
    use crate::columns::Columns;
    use crate::{Event, EventKind, OriginMark, Step, fold, sample};

    /// A request whose message at a place holds the instructions of a skill.
    fn naming(turn: u32, messages: &[serde_json::Value], place: usize, skill: &str) -> EventKind {
        let mut kind = sample::requested(turn, messages);
        if let EventKind::Requested { origins, .. } = &mut kind {
            let origin = Origin::Skill { skill: skill.into(), field: "body".into() };
            origins[place].marks = vec![OriginMark { span: Span::new(0, 3), origin: origin.clone() }; 2];
        }
        kind
    }

    fn skills(steps: &[Step]) -> Vec<Vec<String>> {
        let of = |step: &Step| match &step.kind {
            StepKind::Prompt { skills, .. } => Some(skills.clone()),
            _ => None,
        };
        steps.iter().filter_map(of).collect()
    }

    fn run() -> Vec<Event> {
        let load = sample::call("c", "load_skill", "{}");
        let first = [sample::system(), sample::user()];
        let loaded = [sample::asks(&load), sample::result("c", "text"), sample::user()];
        let says = serde_json::json!({ "role": "assistant", "content": "Yes." });
        let further = [&first[..], &loaded[..], &[says, sample::user()]].concat();
        sample::events_of([
            EventKind::Started { setup: sample::setup() },
            naming(0, &first, 1, "a"),
            sample::answered(0, "", &[&load]),
            sample::called(0, &load, harness::Disclosure::None),
            sample::replied("c", "text"),
            naming(1, &[&first[..], &loaded[..]].concat(), 4, "of the call"),
            sample::answered(1, "Yes.", &[]),
            EventKind::Continued { setup: sample::setup() },
            naming(2, &further, 6, "b"),
            sample::answered(2, "Yes.", &[]),
        ])
    }

    #[test]
    fn a_prompt_that_names_a_skill_discloses_its_instructions() {
        let steps = fold::steps(&run());
        assert_eq!(skills(&steps), [["a"], ["b"]]);
        let loads = Columns::of(&steps, |_| false).marks.iter().map(|mark| mark & 24).collect::<Vec<_>>();
        assert_eq!(loads, [8, 0, 0, 0, 8, 0], "as a call that loads one");
    }

    #[test]
    fn followers_of_the_run_get_it_with_the_request() {
        let (mut fold, mut told) = (Fold::new(), Vec::new());
        for event in run() {
            let changed = fold.follow(&event).steps;
            told.extend(skills(&changed).into_iter().map(|skills| (event.seq, skills)));
        }
        let named = |skill: &str| vec![skill.to_owned()];
        assert_eq!(told, [(0, vec![]), (1, named("a")), (7, vec![]), (8, named("b"))]);
    }
}
