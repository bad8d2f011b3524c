//! Which origin belongs to which message. There is one for each message of the conversation, in its order; a protocol
//! may have left out or merged some of them.

use super::wire::ShownMessage;
use crate::MessageOrigin;
use model::{Document, Image, Role, tokens};

/// For each message its origin, if it has one.
pub fn align<'a>(shown: &[ShownMessage], origins: &[&'a MessageOrigin]) -> Vec<Option<&'a MessageOrigin>> {
    let mut spare = origins.len().saturating_sub(shown.len());
    let mut rest = origins;
    let aligned = shown.iter().map(|message| {
        let near = &rest[..rest.len().min(spare + 1)];
        let skipped = match near {
            [_, _, ..] => skipped(message, near),
            [] | [_] => 0,
        };
        let origin = near.get(skipped).copied();
        spare -= skipped;
        rest = rest.get(skipped + 1..).unwrap_or_default();
        origin.filter(|origin| may_be_of(message, origin))
    });
    aligned.collect()
}

/// How many origins before this message's belong to messages that were left out.
fn skipped(message: &ShownMessage, origins: &[&MessageOrigin]) -> usize {
    let fits = |origin: &&MessageOrigin| may_be_of(message, origin);
    let mut fitting = origins.iter().enumerate().filter(|(_, origin)| fits(origin));
    let (first, second) = (fitting.next(), fitting.next());
    let (Some((first, _)), Some(_)) = (first, second) else { return first.map_or(0, |(place, _)| place) };
    // Only which of several it is has to be counted.
    let calls = message.calls.iter().map(|call| tokens::count(&call.name) + tokens::count(&call.arguments));
    let media = message.images.iter().map(Image::tokens).chain(message.documents.iter().map(Document::tokens));
    let tokens = media.chain(calls).fold(tokens::count(&message.text), u32::saturating_add);
    let is_alike = |origin: &&MessageOrigin| fits(origin) && origin.tokens == tokens;
    origins.iter().position(is_alike).unwrap_or(first)
}

/// If a protocol takes system messages only at its head, later ones become the user's.
fn may_be_of(message: &ShownMessage, origin: &MessageOrigin) -> bool {
    message.role == origin.role || (message.role == Role::User && origin.role == Role::System)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(role: Role, text: &str) -> ShownMessage {
        ShownMessage {
            role,
            text: text.into(),
            images: Vec::new(),
            documents: Vec::new(),
            calls: Vec::new(),
            call_id: None,
            cache_point: false,
        }
    }

    fn origin(role: Role, text: &str) -> MessageOrigin {
        MessageOrigin { role, marks: Vec::new(), tokens: tokens::count(text) }
    }

    /// The places of the origins.
    fn aligned(messages: &[(Role, &str)], origins: &[(Role, &str)]) -> Vec<Option<usize>> {
        let messages: Vec<_> = messages.iter().map(|(role, text)| shown(*role, text)).collect();
        let origins: Vec<_> = origins.iter().map(|(role, text)| origin(*role, text)).collect();
        let refs: Vec<_> = origins.iter().collect();
        let place = |found: &MessageOrigin| origins.iter().position(|origin| std::ptr::eq(origin, found));
        align(&messages, &refs).into_iter().map(|found| found.and_then(place)).collect()
    }

    use Role::{Assistant, System, Tool, User};

    #[test]
    fn goes_by_place_where_nothing_was_left_out() {
        let history = [(System, "a"), (User, "b c"), (Assistant, "d"), (System, "e")];
        let sent = [(System, "a"), (User, "changed"), (Tool, "d"), (User, "e"), (User, "more")];
        assert_eq!(aligned(&sent, &history), [Some(0), Some(1), None, Some(3), None]);
    }

    #[test]
    fn passes_over_origins_of_what_was_left_out() {
        let history = [(User, ""), (User, "one"), (Assistant, " "), (User, "\n"), (User, "two three"), (Assistant, "")];
        let sent = [(User, "one"), (User, "two three")];
        assert_eq!(aligned(&sent, &history), [Some(1), Some(4)]);
    }

    #[test]
    fn goes_by_the_role_where_messages_were_run_together() {
        let history = [(User, "a"), (Assistant, "one"), (Assistant, "two"), (User, "four five")];
        let sent = [(User, "a"), (Assistant, "onetwo"), (User, "four five")];
        assert_eq!(aligned(&sent, &history), [Some(0), Some(1), Some(3)]);
    }
}
