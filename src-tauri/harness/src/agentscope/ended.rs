//! Where a turn of Java 1.0 ends although the model called something: `ReActAgent.isFinished` is true of an answer all of
//! whose tools are unknown. The calls stay open, and 1.0.8 takes no further message of the user.

use super::{LOAD, Variant, first, groups, has_code_execution, shell};
use crate::{Catalog, Prepared, TurnEnd, turns};
use model::{Message, Role};

/// What to do in place of the next request. `history` has no system messages.
pub fn before_request(history: &mut Vec<Message>, catalog: &Catalog) -> Option<Prepared> {
    let answer = history.iter().rposition(|message| message.role == Role::Assistant)?;
    let called: Vec<&str> = history[answer].calls().map(|call| call.name.as_str()).collect();
    let is_last = history[answer + 1..].iter().all(|message| message.role == Role::Tool);
    if is_last && !called.is_empty() && !called.iter().any(|name| is_known(name, catalog)) {
        history.truncate(answer + 1);
        return Some(Prepared::End);
    }
    let pending = pending(history, catalog)?;
    Some(Prepared::Abort(format!(
        "Cannot add messages without tool results when pending tool calls exist. Pending IDs: [{}]",
        pending.join(", ")
    )))
}

/// Whether open calls stay as they are.
pub fn next_turn(history: &mut Vec<Message>, end: TurnEnd, catalog: &Catalog) -> bool {
    if pending(history, catalog).is_some() {
        // What the user said was not taken.
        history.pop();
        return true;
    }
    end == TurnEnd::Done
}

/// The ids of open calls before a message of the user, where that is refused.
fn pending(history: &[Message], catalog: &Catalog) -> Option<Vec<String>> {
    if Variant::of(catalog) != Variant::Seed || !history.last().is_some_and(turns::is_prompt) {
        return None;
    }
    let open: Vec<String> = turns::open_calls(history).into_iter().map(|call| call.id).collect();
    (!open.is_empty()).then_some(open)
}

/// Whether there is such a tool, whether or not its group is active.
fn is_known(name: &str, catalog: &Catalog) -> bool {
    first::is_own(name, catalog)
        || Variant::of(catalog) != Variant::First && name == LOAD
        || has_code_execution(catalog) && name == shell::NAME
        || groups::find(name, catalog).is_some()
}
