//! Recorded calls against what they come to now: the values, and the comparison of two replies. The engine serves the
//! calls again.

use std::collections::HashMap;

use serde::Serialize;
use ts_rs::TS;
use wording::Message as Words;

use crate::{Decision, Step, StepKind, StepState};
use model::{Document, Image};

/// A recorded call, and what it comes to now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct CheckedCall {
    /// Of the recorded run.
    pub step: u32,
    pub tool: String,
    /// As the call was served: those that the user wrote, if the user edited them.
    pub arguments: String,
    pub result: Checked,
}

/// What a recorded reply has become.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Checked {
    /// The reply is the recorded one.
    Same,
    Changed {
        recorded: String,
        now: String,
    },
    /// It was answered then, and is an error now.
    Unresolved {
        recorded: String,
        now: String,
    },
    /// It resolves; the script or the command was not run.
    NotRun {
        /// Whether all that it could reach of its skill is, to the byte, what it was; `null`: the record does not say.
        unchanged: Option<bool>,
    },
    /// It was to run again, but was not allowed.
    Refused,
    /// It cannot be checked.
    Unchecked {
        reason: Words,
    },
}

impl Checked {
    /// Of two replies.
    pub fn of(recorded: Reply<'_>, now: Reply<'_>) -> Self {
        if recorded == now {
            return Self::Same;
        }
        let is_unresolved = now.is_error && !recorded.is_error;
        let (recorded, now) = (recorded.said(), now.said());
        if is_unresolved { Self::Unresolved { recorded, now } } else { Self::Changed { recorded, now } }
    }

    /// Whether the call comes to something else now.
    pub fn is_bad(&self) -> bool {
        matches!(self, Self::Changed { .. } | Self::Unresolved { .. })
    }
}

/// What a call was answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reply<'a> {
    pub text: &'a str,
    pub images: &'a [Image],
    pub documents: &'a [Document],
    pub is_error: bool,
}

impl Reply<'_> {
    /// Its words, and a line for each picture and file.
    fn said(&self) -> String {
        let pictures = self.images.iter().map(|image| format!("[{}, {}]", image.described(), image.digest()));
        let files = self.documents.iter().map(|document| format!("[{}, {}]", document.described(), document.digest()));
        let is_bare = self.images.is_empty() && self.documents.is_empty();
        let text = Some(self.text.to_owned()).filter(|text| !text.is_empty() || is_bare);
        text.into_iter().chain(pictures).chain(files).collect::<Vec<_>>().join("\n")
    }
}

/// The calls of a recorded run against those of another that was answered from its record. `there`: a path of the recorded
/// run as it reads in the other.
pub fn compare(then: &[Step], now: &[Step], there: impl Fn(&str) -> String, missing: &Words) -> Vec<CheckedCall> {
    let again: HashMap<_, _> = calls(now).into_iter().collect();
    let compared = calls(then).into_iter().map(|(place, call)| {
        let result = match again.get(&place).filter(|again| again.tool == call.tool) {
            Some(again) => {
                let text = there(call.reply.text);
                match Checked::of(Reply { text: &text, ..call.reply }, again.reply) {
                    // A framework's text about a denied call says nothing about the skill.
                    differs if differs.is_bad() && again.denied && !call.denied => Checked::Refused,
                    found => found,
                }
            }
            None => Checked::Unchecked { reason: missing.clone() },
        };
        CheckedCall { step: call.step, tool: call.tool.to_owned(), arguments: call.arguments.to_owned(), result }
    });
    compared.collect()
}

struct Call<'a> {
    step: u32,
    tool: &'a str,
    arguments: &'a str,
    reply: Reply<'a>,
    denied: bool,
}

/// The calls that were answered, by their conversation and their number in it.
fn calls(steps: &[Step]) -> Vec<((Option<&str>, usize), Call<'_>)> {
    let mut counts: HashMap<Option<&str>, usize> = HashMap::new();
    let mut found = Vec::new();
    for step in steps {
        let StepKind::Tool { call, reply: Some(reply), images, documents, decision, .. } = &step.kind else { continue };
        let within = step.within.as_deref();
        let count = counts.entry(within).or_default();
        let reply = Reply { text: reply, images, documents, is_error: step.state == StepState::Failed };
        let denied = matches!(decision, Some(Decision::Deny { .. }));
        let call = Call { step: step.index, tool: &call.name, arguments: &call.arguments, reply, denied };
        found.push(((within, *count), call));
        *count += 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use wording::message;

    use super::*;
    use crate::{fold, sample};

    const fn reply(text: &str, is_error: bool) -> Reply<'_> {
        Reply { text, images: &[], documents: &[], is_error }
    }

    #[test]
    fn a_call_is_unresolved_if_it_is_an_error_now_alone() {
        assert_eq!(Checked::of(reply("a", true), reply("a", true)), Checked::Same);
        let (recorded, now) = ("a".to_owned(), "b".to_owned());
        let unresolved = Checked::Unresolved { recorded: recorded.clone(), now: now.clone() };
        assert_eq!(Checked::of(reply("a", false), reply("b", true)), unresolved);
        let changed = Checked::Changed { recorded, now };
        assert_eq!(Checked::of(reply("a", true), reply("b", true)), changed);
        assert_eq!(Checked::of(reply("a", true), reply("b", false)), changed);
    }

    #[test]
    fn a_call_that_nobody_allowed_this_time_is_refused_and_comes_to_nothing_else() {
        let then = fold::steps(&sample::seven_messages());
        let refused = |steps: &[Step]| {
            let mut steps = steps.to_vec();
            for step in &mut steps {
                if let StepKind::Tool { reply: Some(reply), decision, .. } = &mut step.kind {
                    "Error: the user denied it".clone_into(reply);
                    *decision = Some(Decision::Deny { reason: None });
                    step.state = StepState::Failed;
                }
            }
            steps
        };
        let results = |then: &[Step], now: &[Step]| {
            let compared = compare(then, now, str::to_owned, &message!("not there", "没有"));
            compared.into_iter().map(|call| call.result).collect::<Vec<_>>()
        };
        let now = refused(&then);
        assert_eq!(results(&then, &now), [Checked::Refused, Checked::Refused, Checked::Refused]);
        assert_eq!(results(&now, &now), [Checked::Same, Checked::Same, Checked::Same], "it was denied then, too");
        assert!(results(&now, &then).iter().all(Checked::is_bad), "what was denied then and is allowed now differs");
    }

    #[test]
    fn calls_of_two_runs_are_compared_in_order() {
        let then = fold::steps(&sample::seven_messages());
        let mut now = then.clone();
        let mut replies = now.iter_mut().filter_map(|step| match &mut step.kind {
            StepKind::Tool { reply: Some(reply), .. } => Some(reply),
            _ => None,
        });
        replies.next().unwrap().push_str(" and more");
        let missing = message!("not there", "没有");
        let compared = compare(&then, &now, str::to_owned, &missing);
        let bad: Vec<bool> = compared.iter().map(|call| call.result.is_bad()).collect();
        assert_eq!(bad, [true, false, false]);
        let gone = compare(&then, &[], str::to_owned, &missing);
        assert!(gone.iter().all(|call| call.result == Checked::Unchecked { reason: missing.clone() }));
    }
}
