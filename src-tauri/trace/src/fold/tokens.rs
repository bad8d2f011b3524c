//! What each step adds to its conversation's context, counted again if a later event has better numbers.

use super::{Fold, Within};
use crate::{MessageOrigin, Step, StepKind};
use model::Role;

impl Fold {
    /// The first request shows what the set-up and the prompt really take.
    pub(super) fn measure_prompt(&mut self, within: &Within, tokens: u32) -> Vec<usize> {
        let Some((first, _)) = self.conversation(within).prompts else { return Vec::new() };
        let prompt = &mut self.steps[first];
        prompt.added_tokens = tokens;
        prompt.context_tokens = tokens;
        vec![prompt.index as usize]
    }

    /// The user's prompt since the last request of a conversation, if there was one.
    pub(super) fn said_since(&self, within: &Within) -> Option<usize> {
        let request = self.request(within)?;
        let (_, last) = self.conversation(within).prompts?;
        (last > request.step).then_some(last)
    }

    /// The next request shows the context with the further prompt. Frameworks may have dropped messages: then the
    /// prompt adds nothing.
    pub(super) fn measure_further_prompt(&mut self, prompt: usize, tokens: u32) -> Vec<usize> {
        let step = &mut self.steps[prompt];
        let before = step.context_tokens.saturating_sub(step.added_tokens);
        step.added_tokens = tokens.saturating_sub(before);
        step.context_tokens = tokens;
        let mut changed = vec![prompt];
        changed.extend(self.recount(prompt));
        changed
    }

    /// A request counts the answer before it with the run's own tokenizer, which the provider's figure then yields to.
    /// `fresh`: the origins of the messages that the request before did not have.
    pub(super) fn measure_last_answer(&mut self, within: &Within, fresh: &[MessageOrigin]) -> Vec<usize> {
        let sent = fresh.iter().rev().find(|origin| origin.role == Role::Assistant);
        let (Some(request), Some(origin)) = (self.request(within), sent) else { return Vec::new() };
        let answer = &mut self.steps[request.step];
        if answer.added_tokens == origin.tokens {
            return Vec::new();
        }
        answer.added_tokens = origin.tokens;
        answer.context_tokens = request.tokens.saturating_add(origin.tokens);
        let mut changed = vec![request.step];
        changed.extend(self.recount(request.step));
        changed
    }

    /// A framework's text for the model after the replies of a round, such as the instructions of a skill that a call
    /// loaded, counts to the last call before it. `fresh` as above.
    pub(super) fn measure_injected(&mut self, within: &Within, fresh: &[MessageOrigin]) -> Vec<usize> {
        let answer = fresh.iter().rposition(|origin| origin.role == Role::Assistant);
        let round = &fresh[answer.map_or(0, |answer| answer + 1)..];
        let behind_replies = round.iter().skip_while(|origin| origin.role != Role::Tool);
        let injected = behind_replies.filter(|origin| origin.role == Role::User);
        let tokens = injected.fold(0_u32, |sum, origin| sum.saturating_add(origin.tokens));
        let Some(call) = self.conversation(within).call.filter(|_| tokens > 0) else { return Vec::new() };
        let step = &mut self.steps[call];
        step.added_tokens = step.added_tokens.saturating_add(tokens);
        step.context_tokens = step.context_tokens.saturating_add(tokens);
        let mut changed = vec![call];
        changed.extend(self.recount(call));
        changed
    }

    /// Sums the context of a step's conversation again behind that step, up to the next answer, which begins from the
    /// count of its own request.
    pub(super) fn recount(&mut self, from: usize) -> Vec<usize> {
        let mut changed = Vec::new();
        let (known, rest) = self.steps.split_at_mut(from + 1);
        let Step { within, context_tokens, .. } = &known[from];
        let mut context = *context_tokens;
        for step in rest.iter_mut().filter(|step| step.within == *within) {
            if matches!(step.kind, StepKind::Answer { .. }) {
                break;
            }
            context = context.saturating_add(step.added_tokens);
            if step.context_tokens != context {
                step.context_tokens = context;
                changed.push(step.index as usize);
            }
        }
        changed
    }
}
