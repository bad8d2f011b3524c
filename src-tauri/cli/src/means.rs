//! What a run may use, as the options say it.

use api::dto::RunMeans;

use crate::{Approve, RunArgs};

/// The means of a run that begins, continues or is forked.
pub fn of(args: &RunArgs) -> RunMeans {
    RunMeans {
        turns: args.turns,
        tokens: args.max_tokens_total,
        seconds: args.max_seconds,
        cost: args.max_cost,
        pace: None,
        sandbox: args.sandbox.map(Into::into),
        network: args.network,
        fidelity: args.fidelity,
        ask_all: args.approve == Approve::Never,
    }
}
