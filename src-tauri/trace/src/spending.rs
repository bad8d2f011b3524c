//! What answers cost: tokens as the provider counted them, else estimated by the run's tokenizer, and US dollars by the
//! prices that the run recorded. The run's limits and its record both go by this, so they cannot differ.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{Event, EventKind};
use model::entry::Prices;
use model::{Message, Usage, tokens};

/// Tokens, and what they cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Spent {
    pub input: u32,
    pub output: u32,
    /// Read from the provider's cache; among `input`.
    pub cached: u32,
    /// Put into the provider's cache; among `input`.
    pub cache_written: u32,
    /// US dollars; `null`: the prices of a model that was asked are not known.
    pub cost: Option<f64>,
    /// A provider did not count all of it; its own count may differ by a tenth or more.
    pub estimated: bool,
}

impl Spent {
    /// What one answer cost: `usage` as the provider counted it, `prices` in US dollars for a million tokens.
    pub fn new(usage: Usage, prices: Option<Prices>) -> Self {
        let Usage { input, output, cached, cache_written } = usage;
        let cost = prices.map(|prices| cost(usage, prices));
        Self { input, output, cached, cache_written, cost, estimated: false }
    }

    /// Input and output together.
    pub fn tokens(&self) -> u32 {
        self.input.saturating_add(self.output)
    }

    fn estimate(input: u32, output: u32, prices: Option<Prices>) -> Self {
        Self { estimated: true, ..Self::new(Usage { input, output, ..Usage::default() }, prices) }
    }

    fn add(&mut self, other: &Self) {
        self.input = self.input.saturating_add(other.input);
        self.output = self.output.saturating_add(other.output);
        self.cached = self.cached.saturating_add(other.cached);
        self.cache_written = self.cache_written.saturating_add(other.cache_written);
        self.cost = self.cost.zip(other.cost).map(|(one, two)| one + two);
        self.estimated |= other.estimated;
    }
}

/// US dollars for what a provider counted.
pub fn cost(usage: Usage, prices: Prices) -> f64 {
    let plain = usage.input.saturating_sub(usage.cached).saturating_sub(usage.cache_written);
    let of = |tokens: u32, price: f64| f64::from(tokens) * price;
    let sum = of(plain, prices.input)
        + of(usage.cached, prices.cached.unwrap_or(prices.input))
        + of(usage.cache_written, prices.cache_written.unwrap_or(prices.input))
        + of(usage.output, prices.output);
    sum / 1e6
}

/// US dollars, with as many digits as are meaningful.
pub fn dollars(amount: f64) -> String {
    match amount {
        0.0 => "$0".to_owned(),
        amount if amount < 0.000_001 => "less than $0.000001".to_owned(),
        amount if amount < 0.01 => format!("${amount:.6}"),
        amount if amount < 1.0 => format!("${amount:.4}"),
        amount => format!("${amount:.2}"),
    }
}

/// What a run has spent so far, in all its conversations.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Spending {
    /// Of the run's own model.
    prices: Option<Prices>,
    /// The requests that wait for an answer, by conversation.
    open: BTreeMap<Option<String>, Open>,
    total: Spent,
}

#[derive(Debug, Clone, PartialEq)]
struct Open {
    turn: u32,
    tokens: u32,
    prices: Option<Prices>,
    /// What arrived of the answer.
    came: String,
}

impl Spending {
    /// Of all events so far.
    pub fn total(&self) -> Spent {
        self.total
    }

    /// Applies one event; returns the cost of each answer that it ends, with its conversation. An answer that broke off
    /// costs the part that came, and nothing if nothing came.
    pub fn take_in(&mut self, event: &Event) -> Vec<(Option<String>, Spent)> {
        let ended = match &event.kind {
            EventKind::Started { setup } => {
                self.prices = setup.prices;
                self.total = Spent { cost: setup.prices.map(|_| 0.0), ..Spent::default() };
                return Vec::new();
            }
            // Answers recorded before a fork were paid by another run.
            EventKind::Continued { setup } | EventKind::Forked { setup, .. } if setup.forked.is_some() => {
                *self = Self { prices: setup.prices, ..Self::default() };
                self.total.cost = setup.prices.map(|_| 0.0);
                return Vec::new();
            }
            EventKind::Continued { setup } | EventKind::Forked { setup, .. } => {
                self.prices = setup.prices;
                return Vec::new();
            }
            EventKind::Requested { turn, tokens, model, .. } => {
                let prices = model.as_ref().map_or(self.prices, |model| model.prices);
                let open = Open { turn: *turn, tokens: *tokens, prices, came: String::new() };
                self.open.insert(event.within.clone(), open);
                return Vec::new();
            }
            EventKind::Streamed { turn, text, reasoning } => {
                if let Some(open) = self.open.get_mut(&event.within).filter(|open| open.turn == *turn) {
                    open.came.push_str(reasoning);
                    open.came.push_str(text);
                }
                return Vec::new();
            }
            EventKind::Answered { turn, message, usage, tokens, .. } => {
                let Some(open) = self.close(&event.within, *turn) else { return Vec::new() };
                vec![(event.within.clone(), open.answered(message, *usage, *tokens))]
            }
            EventKind::Failed { turn, .. } => {
                let broken = self.close(&event.within, *turn).and_then(|open| open.broken_off());
                broken.map(|spent| (event.within.clone(), spent)).into_iter().collect()
            }
            EventKind::Ended { .. } => {
                let left = std::mem::take(&mut self.open);
                left.into_iter().filter_map(|(within, open)| Some((within, open.broken_off()?))).collect()
            }
            EventKind::Called { .. }
            | EventKind::ApprovalAsked { .. }
            | EventKind::ApprovalGiven { .. }
            | EventKind::Agreed { .. }
            | EventKind::Remembered { .. }
            | EventKind::CutAsked { .. }
            | EventKind::CutSettled { .. }
            | EventKind::Performed { .. }
            | EventKind::Replied { .. }
            | EventKind::Noted { .. }
            | EventKind::Source { .. }
            | EventKind::Shown { .. }
            | EventKind::Left { .. } => return Vec::new(),
        };
        for (_, spent) in &ended {
            self.total.add(spent);
        }
        ended
    }

    fn close(&mut self, within: &Option<String>, turn: u32) -> Option<Open> {
        self.open.get(within).filter(|open| open.turn == turn)?;
        self.open.remove(within)
    }
}

impl Open {
    /// `tokens`: of the message, without what the model thought.
    fn answered(&self, message: &Message, usage: Option<Usage>, tokens: u32) -> Spent {
        match usage {
            Some(usage) => Spent::new(usage, self.prices),
            None => {
                let output = tokens.saturating_add(tokens::count(&message.reasoning()));
                Spent::estimate(self.tokens, output, self.prices)
            }
        }
    }

    fn broken_off(&self) -> Option<Spent> {
        (!self.came.is_empty()).then(|| Spent::estimate(self.tokens, tokens::count(&self.came), self.prices))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AskedModel, RunSetup, RunStatus, sample};
    use model::{FinishReason, Part, Role};

    const PRICES: Prices = Prices { input: 2.0, output: 10.0, cached: Some(0.5), cache_written: Some(2.5) };

    fn usage(input: u32, output: u32, cached: u32, cache_written: u32) -> Usage {
        Usage { input, output, cached, cache_written }
    }

    fn near(cost: f64, expected: f64) -> bool {
        (cost - expected).abs() < 1e-12
    }

    #[test]
    fn what_the_cache_read_and_kept_has_its_own_price() {
        let counted = usage(1_000_000, 100_000, 600_000, 200_000);
        assert!(near(cost(counted, PRICES), 0.2 * 2.0 + 0.6 * 0.5 + 0.2 * 2.5 + 0.1 * 10.0));
    }

    #[test]
    fn what_has_no_price_of_its_own_costs_as_other_input() {
        let plain = Prices { cached: None, cache_written: None, ..PRICES };
        assert!(near(cost(usage(1_000_000, 0, 600_000, 200_000), plain), 2.0));
    }

    #[test]
    fn a_provider_that_counts_the_cache_apart_is_not_charged_below_nothing() {
        assert!(near(cost(usage(10, 0, 20, 20), PRICES), (20.0 * 0.5 + 20.0 * 2.5) / 1e6));
    }

    #[test]
    fn small_amounts_keep_digits_that_tell_something() {
        let shown = [0.0, 0.000_000_3, 0.000_12, 0.012_34, 12.345].map(dollars);
        assert_eq!(shown, ["$0", "less than $0.000001", "$0.000120", "$0.0123", "$12.35"]);
    }

    fn started(prices: Option<Prices>) -> EventKind {
        EventKind::Started { setup: RunSetup { prices, ..sample::setup() } }
    }

    fn requested(turn: u32, tokens: u32, model: Option<AskedModel>) -> EventKind {
        EventKind::Requested {
            turn,
            body: String::new(),
            kept: 0,
            origins: Vec::new(),
            tokens,
            model,
            agents: Vec::new(),
        }
    }

    fn answered(turn: u32, usage: Option<Usage>) -> EventKind {
        let parts = vec![Part::Reasoning { text: "hello world".into(), block: None }];
        let message = Message { role: Role::Assistant, parts };
        EventKind::Answered { turn, message, usage, finish: FinishReason::Stop, tokens: 3 }
    }

    fn streamed(turn: u32, text: &str) -> EventKind {
        EventKind::Streamed { turn, text: text.into(), reasoning: String::new() }
    }

    fn failed(turn: u32) -> EventKind {
        EventKind::Failed { turn, message: String::new(), hint: None, raw: String::new(), why: None }
    }

    /// The costs that each event reports, with the conversation's name, and the total.
    fn spent(kinds: Vec<(Option<&str>, EventKind)>) -> (Vec<(Option<String>, Spent)>, Spent) {
        let (withins, kinds): (Vec<_>, Vec<_>) = kinds.into_iter().unzip();
        let mut events = sample::events_of(kinds);
        events.iter_mut().zip(withins).for_each(|(event, within)| event.within = within.map(String::from));
        let mut spending = Spending::default();
        let told = events.iter().flat_map(|event| spending.take_in(event)).collect();
        (told, spending.total())
    }

    #[test]
    fn answers_are_estimated_where_no_provider_counts() {
        let (told, total) = spent(vec![
            (None, started(Some(PRICES))),
            (None, requested(0, 100, None)),
            (None, answered(0, Some(usage(90, 10, 0, 0)))),
            (None, requested(1, 200, None)),
            (None, answered(1, None)),
        ]);
        let counted = Spent::new(usage(90, 10, 0, 0), Some(PRICES));
        let guessed = Spent { estimated: true, ..Spent::new(usage(200, 5, 0, 0), Some(PRICES)) };
        assert_eq!(told, [(None, counted), (None, guessed)], "what was thought is output");
        assert_eq!((total.input, total.output, total.estimated), (290, 15, true));
        assert!(near(total.cost.unwrap(), (290.0 * 2.0 + 15.0 * 10.0) / 1e6));
    }

    #[test]
    fn a_sub_agents_model_has_its_own_prices_and_without_them_the_sum_is_not_known() {
        let other = |prices| Some(AskedModel { id: "other".into(), prices });
        let dear = Prices { input: 100.0, ..PRICES };
        let run = |prices| {
            spent(vec![
                (None, started(Some(PRICES))),
                (None, requested(0, 1, None)),
                (Some("a"), requested(0, 1, other(prices))),
                (Some("a"), answered(0, Some(usage(10, 0, 0, 0)))),
                (None, answered(0, Some(usage(10, 0, 0, 0)))),
            ])
        };
        let (told, total) = run(Some(dear));
        assert_eq!(told[0], (Some("a".into()), Spent::new(usage(10, 0, 0, 0), Some(dear))));
        assert!(near(total.cost.unwrap(), (10.0 * 100.0 + 10.0 * 2.0) / 1e6));
        assert_eq!(run(None).1, Spent { input: 20, ..Spent::default() });
    }

    #[test]
    fn an_answer_that_broke_off_costs_what_came_of_it() {
        let (told, total) = spent(vec![
            (None, started(None)),
            (None, requested(0, 100, None)),
            (None, streamed(0, "hello")),
            (None, streamed(0, " world")),
            (None, failed(0)),
            (None, requested(1, 100, None)),
            (None, failed(1)),
            (Some("a"), requested(0, 50, None)),
            (Some("a"), streamed(0, "hello")),
            (None, EventKind::Ended { status: RunStatus::Stopped, error: None, zh: None, reached: None }),
        ]);
        let estimate = |input, output| Spent { input, output, estimated: true, ..Spent::default() };
        assert_eq!(told, [(None, estimate(100, 2)), (Some("a".into()), estimate(50, 1))]);
        assert_eq!(total, estimate(150, 3));
    }
}
