//! Sums of what requests have before the conversation: instructions and tools. Bodies repeat each other and are most of
//! a run, so a body is read only if the rest of the record says that these may have changed: the origins of system
//! messages, or the tokens that belong to no message, which are those of the tools.

use std::collections::{HashMap, HashSet};

use camino::Utf8Path;

use super::{Mark, StepPair, Sum, sum};
use crate::context::{self, Reads};
use crate::{Event, EventKind, MessageOrigin};
use model::Role;

/// Of one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SetUp {
    instructions: Sum,
    tools: Sum,
}

impl SetUp {
    /// `folders`: those of the run, which are others in any two runs.
    fn of(body: &str, folders: &[String]) -> Self {
        let (system, tools) = context::set_up(body);
        let placeless = |mut texts: Vec<String>| {
            for folder in folders {
                texts.iter_mut().for_each(|text| *text = text.replace(folder, ""));
            }
            texts
        };
        Self { instructions: sum(&("instructions", placeless(system))), tools: sum(&("tools", placeless(tools))) }
    }
}

/// Bodies that are read of a run: its instructions may change with every request.
const MOST: usize = 200;
/// Bodies that are in memory at once.
const AT_ONCE: usize = 8;

/// The set-ups of a run whose events come one after the other.
#[derive(Debug, Default)]
pub struct SetUps {
    /// A fork has another one from where it begins.
    folders: Vec<String>,
    /// Another program counted its tokens.
    is_imported: bool,
    conversations: HashMap<Option<String>, Conversation>,
    /// For each request, by its number, the request whose body shows its set-up; it may be the request itself.
    said_by: HashMap<u32, u32>,
    /// Requests whose bodies are still to be read.
    wanted: Vec<u32>,
    asked: usize,
    known: HashMap<u32, SetUp>,
}

#[derive(Debug, Default)]
struct Conversation {
    /// Of the messages of the last request, up to and with each.
    heads: Vec<Head>,
    last: Option<Last>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Head {
    tokens: u32,
    /// Of the origins of the system messages.
    system: Sum,
}

#[derive(Debug, Clone, Copy)]
struct Last {
    /// Values that change together with the set-up.
    sign: (Sum, u32),
    /// `None`: too many were read.
    said_by: Option<u32>,
}

impl SetUps {
    pub fn take_in(&mut self, event: &Event) {
        match &event.kind {
            EventKind::Started { setup } => {
                self.is_imported = setup.imported.is_some();
                self.lies_in(&setup.working_directory);
            }
            EventKind::Continued { setup } | EventKind::Forked { setup, .. } => self.lies_in(&setup.working_directory),
            EventKind::Requested { kept, origins, tokens, .. } => {
                let said_by = self.said_by(event, *kept as usize, origins, *tokens);
                self.said_by.extend(said_by.map(|said_by| (event.seq, said_by)));
            }
            _ => {}
        }
    }

    fn lies_in(&mut self, folder: &Utf8Path) {
        let is_known = self.folders.iter().any(|known| known == folder.as_str());
        // The root is in every path.
        if folder.as_str().len() > 1 && !is_known {
            self.folders.push(folder.to_string());
        }
    }

    fn said_by(&mut self, event: &Event, kept: usize, origins: &[MessageOrigin], tokens: u32) -> Option<u32> {
        let conversation = self.conversations.entry(event.within.clone()).or_default();
        // A request of another program without a body continues the one before it.
        if let (true, true, Some(last)) = (self.is_imported, origins.is_empty(), conversation.last) {
            return last.said_by;
        }
        let head = conversation.put(kept, origins);
        let of_tools = if self.is_imported { 0 } else { tokens.saturating_sub(head.tokens) };
        let sign = (head.system, of_tools);
        if let Some(last) = conversation.last.filter(|last| last.sign == sign) {
            return last.said_by;
        }
        let is_read = self.asked < MOST;
        let said_by = is_read.then_some(event.seq);
        conversation.last = Some(Last { sign, said_by });
        self.asked += usize::from(is_read);
        self.wanted.extend(said_by);
        said_by
    }

    /// Some of the requests whose bodies are to be read; `None`: there are no more so far.
    pub fn wanted(&mut self) -> Option<Reads> {
        let some: Vec<u32> = self.wanted.drain(..self.wanted.len().min(AT_ONCE)).collect();
        (!some.is_empty()).then(|| Reads { events: some.clone(), bodies: some })
    }

    /// Reads the requests that were [wanted](SetUps::wanted).
    pub fn read(&mut self, requests: &[Event]) {
        for event in requests {
            if let EventKind::Requested { body, .. } = &event.kind
                && !body.is_empty()
            {
                self.known.insert(event.seq, SetUp::of(body, &self.folders));
            }
        }
    }

    /// Of a request, by its number.
    pub fn at(&self, request: u32) -> Option<SetUp> {
        self.known.get(self.said_by.get(&request)?).copied()
    }
}

impl Conversation {
    /// Takes the messages of the next request in, of which the first are as they were.
    fn put(&mut self, kept: usize, origins: &[MessageOrigin]) -> Head {
        self.heads.truncate(kept);
        let mut head = self.heads.last().copied().unwrap_or_default();
        for origin in origins {
            head.tokens = head.tokens.saturating_add(origin.tokens);
            if origin.role == Role::System {
                head.system = sum(&(head.system, origin));
            }
            self.heads.push(head);
        }
        head
    }
}

/// Makes a difference of each pair of requests that were set up differently, the first time that they are: the same
/// difference comes back with every further request.
pub fn tell(pairs: &mut [StepPair], of_a: &[Mark], of_b: &[Mark]) {
    let mut told = HashSet::new();
    for pair in pairs {
        let (StepPair::Same { a, b } | StepPair::Changed { a, b, .. }) = *pair else { continue };
        let set_up = |marks: &[Mark], at: u32| marks.get(at as usize).and_then(|mark| mark.set_up);
        let (Some(in_a), Some(in_b)) = (set_up(of_a, a), set_up(of_b, b)) else { continue };
        let mut differ = |in_a: Sum, in_b: Sum| in_a != in_b && told.insert((in_a, in_b));
        let instructions = differ(in_a.instructions, in_b.instructions);
        let tools = differ(in_a.tools, in_b.tools);
        if instructions || tools {
            *pair = StepPair::Changed { a, b, instructions, tools };
        }
    }
}
