//! The messages of a conversation so far, for formats in which the user may go back. Only a part is held, so that a
//! long file is never in memory as a whole: if the conversation is longer, its first messages are missing after going
//! back.

use serde_json::Value;
use wording::{Message, message};

use super::plain::items;
use super::record::{Record, Within};

/// Bytes of messages that are held, about.
const MOST: usize = 16 << 20;

/// The messages of a conversation since its context was cleared, each with data of its format.
pub struct History<T> {
    entries: Vec<Entry<T>>,
    bytes: usize,
    /// The messages before this place are no longer held.
    held: usize,
}

struct Entry<T> {
    known: T,
    /// `None`: it is not held, or there is none.
    message: Option<Box<Value>>,
    bytes: usize,
    /// Tokens that the context had before it, if that is known.
    before: Option<u32>,
    /// It belongs to the same answer as the message before.
    is_part: bool,
}

impl<T> Default for History<T> {
    fn default() -> Self {
        Self { entries: Vec::new(), bytes: 0, held: 0 }
    }
}

impl<T> History<T> {
    /// `message`: as a request has it; `Null`: nothing that a request has. `bytes`: about how long it is.
    /// `is_part`: it belongs to the same answer as the message before.
    pub fn push(&mut self, known: T, message: Value, bytes: usize, before: Option<u32>, is_part: bool) {
        let message = (!message.is_null()).then(|| Box::new(message));
        let bytes = if message.is_some() { bytes } else { 0 };
        self.bytes += bytes;
        self.entries.push(Entry { known, message, bytes, before, is_part });
        while self.bytes > MOST
            && let Some(first) = self.entries.get_mut(self.held)
        {
            first.message = None;
            self.bytes -= std::mem::take(&mut first.bytes);
            self.held += 1;
        }
    }

    pub fn clear(&mut self) {
        self.entries.clear();
        (self.bytes, self.held) = (0, 0);
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn known(&self) -> impl DoubleEndedIterator<Item = &T> + ExactSizeIterator {
        self.entries.iter().map(|entry| &entry.known)
    }

    pub fn at(&self, place: usize) -> Option<&T> {
        self.entries.get(place).map(|entry| &entry.known)
    }

    pub fn for_each_known(&mut self, change: impl Fn(&mut T)) {
        self.entries.iter_mut().for_each(|entry| change(&mut entry.known));
    }

    /// The user went back: drops the messages that do not stay and records that.
    pub fn go_back(&mut self, stays: impl Fn(usize) -> bool, record: &mut Record, within: &Within) {
        let goes = |(place, entry): (usize, &Entry<T>)| (!stays(place)).then_some(entry.before);
        let mut going = self.entries.iter().enumerate().filter_map(goes).peekable();
        if going.peek().is_none() {
            return;
        }
        let before = going.flatten().next().unwrap_or_else(|| record.tokens(within));
        let (mut gone, mut missing, mut place) = (0_usize, 0_usize, 0);
        let held = self.held;
        self.entries.retain(|entry| {
            let (here, is_held) = (stays(place), place >= held);
            gone += usize::from(!here && !entry.is_part && (entry.message.is_some() || !is_held));
            missing += usize::from(here && !is_held);
            place += 1;
            here
        });
        self.held = missing;
        self.bytes = self.entries.iter().map(|entry| entry.bytes).sum();
        record.noted(within, told(gone, missing));
        record.went_back(within, self.messages(), before);
    }

    /// Parts of one answer are one message.
    fn messages(&self) -> Vec<Value> {
        let mut messages: Vec<Value> = Vec::new();
        for entry in &self.entries {
            let Some(message) = entry.message.as_deref() else { continue };
            match messages.last_mut().filter(|_| entry.is_part).map(|last| &mut last["content"]) {
                Some(Value::Array(known)) => known.extend(items(&message["content"]).cloned()),
                _ => messages.push(message.clone()),
            }
        }
        messages
    }
}

fn told(gone: usize, missing: usize) -> Message {
    match missing {
        0 => message!(
            "the conversation goes on from an earlier place; messages that are no longer in the context: {gone}",
            "对话从更早的位置继续；不再在上下文中的消息：{gone} 条"
        ),
        _ => message!(
            "the conversation goes on from an earlier place; messages that are no longer in the context: {gone}; earlier messages that are too many to show: {missing}",
            "对话从更早的位置继续；不再在上下文中的消息：{gone} 条；因太多而没有显示的更早消息：{missing} 条"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Foreign;
    use serde_json::json;

    #[test]
    fn a_conversation_that_is_too_long_loses_its_first_messages() {
        let mut history = History::default();
        for number in 0..5_usize {
            history.push(number, json!({ "role": "user", "content": number }), MOST / 2, Some(7), false);
        }
        assert_eq!((history.held, history.bytes), (3, MOST));
        let mut record = Record::new(Foreign::Codex, 0);
        history.go_back(|place| place < 4, &mut record, &None);
        assert_eq!(history.messages(), [json!({ "role": "user", "content": 3 })]);
        assert_eq!((history.len(), record.tokens(&None)), (4, 7));
        assert_eq!(
            told(1, 3).en,
            "the conversation goes on from an earlier place; messages that are no longer in the context: 1; earlier messages that are too many to show: 3"
        );
        history.clear();
        history.go_back(|_| false, &mut record, &None);
        assert_eq!((history.len(), history.bytes), (0, 0));
    }
}
